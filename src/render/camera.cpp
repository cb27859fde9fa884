#include "render/camera.h"

#include <cmath>

#include "base/picture_size.h"
#include "math/length.h"

namespace sinew {
namespace {}  // namespace

FitOptions default_view(Vec3d up, double aspect) {
  FitOptions options;
  options.aspect = aspect;
  options.up = up;
  if (std::abs(up.z) > std::abs(up.y)) options.direction = {-0.6, 0.72, -0.35};
  return options;
}

Result<CameraFit> CameraFit::create(const FitOptions& options) {
  if (!is_finite(options.direction) || !is_finite(options.up) || length(options.direction) == 0)
    return Error{"camera", "the view direction or the up axis is zero or not finite", ""};
  if (!(options.aspect > least_aspect && options.aspect < most_aspect))
    return Error{"camera", format("aspect: must be in (%g, %g)", least_aspect, most_aspect), ""};
  if (!(options.vertical_fov_degrees >= 1 && options.vertical_fov_degrees <= 120))
    return Error{"camera", "vertical_fov_degrees: must be in [1, 120]", ""};
  if (!(options.margin >= 0 && options.margin <= 0.8) || !(options.right_margin >= 0 && options.right_margin <= 0.5))
    return Error{"camera", "margin: must be in [0, 0.8], right_margin in [0, 0.5]", ""};

  CameraFit fit;
  fit.options_ = options;
  fit.forward_ = (1 / length(options.direction)) * options.direction;
  const Vec3d side = cross(fit.forward_, options.up);
  if (length(side) < 1e-6 * length(options.up) || length(options.up) == 0)
    return Error{"camera", "the view direction is parallel to the up axis", "turn one of them"};
  fit.right_ = (1 / length(side)) * side;
  fit.up_ = cross(fit.right_, fit.forward_);

  const double half = std::tan(options.vertical_fov_degrees * M_PI / 360);
  fit.slope_vertical_ = half * (1 - options.margin);
  fit.slope_left_ = half * options.aspect * (1 - options.margin);
  fit.slope_right_ = half * options.aspect * (1 - options.margin - 2 * options.right_margin);
  if (fit.slope_left_ + fit.slope_right_ < 0.05 * half * options.aspect)
    return Error{"camera", "the margins leave no room for the scene", "make them smaller"};
  return fit;
}

void CameraFit::add(Vec3d point) {
  const double x = dot(right_, point), y = dot(up_, point), z = dot(forward_, point);
  right_most_ = std::max(right_most_, x - slope_right_ * z);
  left_ = std::max(left_, -x - slope_left_ * z);
  top_ = std::max(top_, y - slope_vertical_ * z);
  bottom_ = std::max(bottom_, -y - slope_vertical_ * z);
  nearest_ = std::min(nearest_, z);
  farthest_ = std::max(farthest_, z);
}

void CameraFit::add(std::span<const Vec3d> points) {
  for (const Vec3d& p : points) add(p);
}

void CameraFit::add(std::span<const Vec3f> points) {
  for (const Vec3f& p : points) add(Vec3d{p.x, p.y, p.z});
}

Result<Camera> CameraFit::camera() const {
  const double bounds[] = {left_, right_most_, bottom_, top_, nearest_, farthest_};
  for (double b : bounds)
    if (!std::isfinite(b)) return Error{"camera", "there are no finite points to look at", ""};

  // An eye e sees all points when right_most <= e_x - slope_right e_z and so on for the four sides. Adding the two of
  // each pair bounds e_z; the pair that requires more distance decides, the other is centred.
  const double z_horizontal = -(left_ + right_most_) / (slope_left_ + slope_right_);
  const double z_vertical = -(bottom_ + top_) / (2 * slope_vertical_);
  double z = std::min(z_horizontal, z_vertical);
  // With a single point or a line along the view, the eye would be inside it.
  const double depth = farthest_ - nearest_;
  const double clearance = 1e-3 * std::max({depth, std::abs(nearest_), 1e-3});
  z = std::min(z, nearest_ - clearance);

  const double x = 0.5 * ((right_most_ + slope_right_ * z) - (left_ + slope_left_ * z));
  const double y = 0.5 * (top_ - bottom_);
  Camera camera;
  camera.eye = x * right_ + y * up_ + z * forward_;
  camera.target = camera.eye + (0.5 * (nearest_ + farthest_) - z) * forward_;
  camera.up = options_.up;
  camera.vertical_fov_degrees = options_.vertical_fov_degrees;
  return camera;
}

Result<Camera> fit_camera(const Bounds& bounds, const FitOptions& options) {
  Result<CameraFit> fit = CameraFit::create(options);
  if (!fit) return fit.error();
  for (int k = 0; k < 8; ++k) fit->add(bounds.corner(k));
  return fit->camera();
}

}  // namespace sinew
