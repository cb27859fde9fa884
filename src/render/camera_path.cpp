#include "render/camera_path.h"

#include <algorithm>
#include <cmath>

#include "math/length.h"

namespace sinew {
namespace {

// The camera follows bodies if a fixed view would show more than this multiple of their size.
constexpr double far_travel = 2.5;
// The camera does not follow movements quicker than this [s], unless bodies then move off the middle of the view by
// more than this share of their size: a small body that falls or is thrown would be a speck in its view.
constexpr double smoothing_time = 0.4;
constexpr double most_off_middle = 0.1;

// About a unit axis: the formula of Rodrigues.
Vec3d rotated(Vec3d a, Vec3d axis, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return c * a + s * cross(axis, a) + (1 - c) * dot(axis, a) * axis;
}

Vec3d centre_of(const Bounds& bounds) {
  return 0.5 * (bounds.low + bounds.high);
}

// The frame of a view, and half of what it shows at unit distance, to the left, right and up.
struct View {
  Vec3d forward, right, above;
  double slope_left, slope_right, slope_vertical;

  View(Vec3d direction, const FitOptions& fit) {
    forward = (1 / length(direction)) * direction;
    right = cross(forward, fit.up);
    right = (1 / length(right)) * right;
    above = cross(right, forward);
    const double half = std::tan(fit.vertical_fov_degrees * M_PI / 360);
    slope_vertical = half * (1 - fit.margin);
    slope_left = half * fit.aspect * (1 - fit.margin);
    slope_right = slope_left - 2 * half * fit.aspect * fit.right_margin;
  }

  // The distance of the eye from the middle of the view at which this point is in view.
  double distance_for(Vec3d from_middle) const {
    const double depth = dot(forward, from_middle), width = 0.5 * (slope_left + slope_right);
    return std::max(std::abs(dot(right, from_middle)) / width, std::abs(dot(above, from_middle)) / slope_vertical) -
           depth;
  }

  Camera camera(Vec3d middle, double distance, const FitOptions& fit) const {
    const Vec3d aside = 0.5 * (slope_left - slope_right) * distance * right;  // a legend stands at the right
    return {.eye = middle - distance * forward + aside,
            .target = middle + aside,
            .up = fit.up,
            .vertical_fov_degrees = fit.vertical_fov_degrees};
  }
};

// The average of each with its neighbours, weighted by a bell curve of width `sigma` [frames]; beyond the ends the path
// is extrapolated.
std::vector<Vec3d> averaged(std::span<const Vec3d> centres, double sigma) {
  const auto count = static_cast<int64_t>(centres.size());
  const auto at = [&](int64_t k) {
    const int64_t end = k < 0 ? 0 : count - 1;
    if (k >= 0 && k < count) return centres[k];
    const int64_t mirrored = std::clamp<int64_t>(2 * end - k, 0, count - 1);
    return 2.0 * centres[end] - centres[mirrored];
  };
  const auto reach = static_cast<int64_t>(3 * sigma);
  std::vector<Vec3d> smoothed(centres.size());
  for (int64_t k = 0; k < count; ++k) {
    Vec3d sum{0, 0, 0};
    double weights = 0;
    for (int64_t d = -reach; d <= reach; ++d) {
      const double weight = std::exp(-0.5 * (static_cast<double>(d) / sigma) * (static_cast<double>(d) / sigma));
      sum += weight * at(k + d);
      weights += weight;
    }
    smoothed[k] = (1 / weights) * sum;
  }
  return smoothed;
}

double off_middle(std::span<const Vec3d> middles, std::span<const Vec3d> centres) {
  double most = 0;
  for (size_t k = 0; k < centres.size(); ++k) most = std::max(most, length(middles[k] - centres[k]));
  return most;
}

}  // namespace

CameraPath::CameraPath(const CameraPathOptions& options, size_t frame_count) : options_(options), hulls_(frame_count) {
  // Spread evenly over the sphere along a spiral (R. Swinbank & R. J. Purser, 2006).
  for (int k = 0; k < directions; ++k) {
    const double z = 1 - (2.0 * k + 1) / directions, ring = std::sqrt(1 - z * z);
    const double turn = M_PI * (3 - std::sqrt(5.0)) * k;
    toward_[k] = {ring * std::cos(turn), ring * std::sin(turn), z};
  }
  for (Hull& hull : hulls_) hull.reach.fill(-Bounds::infinity);
}

void CameraPath::add(size_t frame, std::span<const Vec3f> points) {
  Hull& hull = hulls_[frame];
  for (const Vec3f& p : points) {
    const Vec3d point{p.x, p.y, p.z};
    if (!std::isfinite(point.x + point.y + point.z)) continue;
    hull.bounds.add(point);
    for (int k = 0; k < directions; ++k) {
      const double reach = dot(toward_[k], point);
      if (!(reach > hull.reach[k])) continue;
      hull.reach[k] = reach;
      hull.point[k] = point;
    }
  }
}

double CameraPath::largest_body() const {
  double largest = 0;
  for (const Hull& hull : hulls_) largest = std::max(largest, hull.bounds.diagonal());
  return largest;
}

bool CameraPath::follows() const {
  if (options_.follow != Follow::automatic) return options_.follow == Follow::always;
  Bounds all;
  for (const Hull& hull : hulls_)
    if (!hull.bounds.empty()) all.merge(hull.bounds);
  return all.diagonal() > far_travel * largest_body();
}

Vec3d CameraPath::direction_at(size_t frame) const {
  const FitOptions& fit = options_.fit;
  if (hulls_.size() < 2 || options_.orbit_degrees == 0) return fit.direction;
  const double share = static_cast<double>(frame) / static_cast<double>(hulls_.size() - 1) - 0.5;
  return rotated(fit.direction, (1 / length(fit.up)) * fit.up, share * options_.orbit_degrees * M_PI / 180);
}

// The nearest fixed camera that sees all frames from the direction of the middle one.
Result<Camera> CameraPath::standing() const {
  Result<CameraFit> fit = CameraFit::create(options_.fit);
  if (!fit) return fit.error();
  for (const Hull& hull : hulls_)
    if (!hull.bounds.empty()) fit->add(std::span<const Vec3d>(hull.point));
  return fit->camera();
}

// The centres of the frames, averaged over as much time as keeps bodies near the middle of the view.
std::vector<Vec3d> CameraPath::smoothed_centres() const {
  std::vector<Vec3d> centres(hulls_.size());
  const auto known = std::find_if(hulls_.begin(), hulls_.end(), [](const Hull& h) { return !h.bounds.empty(); });
  Vec3d last = centre_of(known->bounds);
  for (size_t k = 0; k < hulls_.size(); ++k)
    centres[k] = last = hulls_[k].bounds.empty() ? last : centre_of(hulls_[k].bounds);

  for (double sigma = smoothing_time * options_.frames_per_second; sigma >= 0.5; sigma /= 2) {
    std::vector<Vec3d> smoothed = averaged(centres, sigma);
    if (off_middle(smoothed, centres) <= most_off_middle * largest_body()) return smoothed;
  }
  return centres;
}

Result<std::vector<Camera>> CameraPath::cameras() const {
  const Result<Camera> standing_still = standing();
  if (!standing_still) return standing_still.error();
  const bool along = follows();
  if (!along && options_.orbit_degrees == 0) return std::vector<Camera>(hulls_.size(), *standing_still);

  // One distance for the whole film, so that bodies do not seem to grow or shrink.
  std::vector<Vec3d> middles;
  if (along) {
    middles = smoothed_centres();
  } else {
    const View view(options_.fit.direction, options_.fit);
    const double distance = length(standing_still->target - standing_still->eye);
    middles.assign(hulls_.size(),
                   standing_still->target - 0.5 * (view.slope_left - view.slope_right) * distance * view.right);
  }
  double distance = 0;
  for (size_t k = 0; k < hulls_.size(); ++k) {
    if (hulls_[k].bounds.empty()) continue;
    const View view(direction_at(k), options_.fit);
    for (const Vec3d& p : hulls_[k].point) distance = std::max(distance, view.distance_for(p - middles[k]));
  }
  // With a single point the eye would be at it.
  if (!(distance > 0)) distance = length(standing_still->target - standing_still->eye);
  std::vector<Camera> cameras;
  for (size_t k = 0; k < hulls_.size(); ++k)
    cameras.push_back(View(direction_at(k), options_.fit).camera(middles[k], distance, options_.fit));
  return cameras;
}

}  // namespace sinew
