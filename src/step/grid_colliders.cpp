#include "step/grid_colliders.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/format.h"
#include "math/length.h"

namespace sinew {
namespace {

// [-] Of the spacing: nodes this far outside count as inside, so that rounding does not decide about those on a
// surface.
constexpr double rounding = 1e-9;

Mat3d matrix(const ColliderPlace& place) {
  return diagonal(1.0, 1.0, 1.0) + place.m_minus_identity;
}

Bounds moved(const Bounds& box, const ColliderPlace& place) {
  Bounds result;
  for (int k = 0; k < 8; ++k) result.add(place.moved(box.corner(k)));
  return result;
}

bool holds(const Bounds& box, Vec3d x, double margin) {
  const auto between = [&](double low, double at, double high) { return at >= low - margin && at <= high + margin; };
  return between(box.low.x, x.x, box.high.x) && between(box.low.y, x.y, box.high.y) &&
         between(box.low.z, x.z, box.high.z);
}

// A collider in a step.
class Placed {
 public:
  Placed(const GridCollider& of, const ColliderScript& script, const ColliderStep& step)
      : of_(of),
        step_(step),
        moves_(script.moves()),
        before_(place_of(script, step.start)),
        after_(place_of(script, step.start + step.h)),
        normals_(cofactor(matrix(before_))),
        back_((1 / determinant(matrix(before_))) * transpose(normals_)) {
    const std::optional<Bounds> box = of.shape->bounds();
    if (!box) return;
    Bounds swept = moved(*box, before_);
    swept.merge(moved(*box, after_));
    swept_ = swept;
  }

  // Adds what a point at x is inside of. Returns how far the collider moves there [m], 0 where it has nothing to do
  // with the point: one that moves far may jump over points.
  double look(Vec3d x, std::vector<NodeInside>& inside) const {
    if (swept_ && !holds(*swept_, x, std::max(-step_.depth, 0.0))) return 0;
    Vec3d start = x, way{};
    if (moves_) {
      start = before_.center + back_ * (x - before_.center - before_.translate);
      way = after_.moved(start) - x;
    }
    const WaysOut out = of_.shape->at(start, -step_.depth);
    for (int32_t k = 0; k < out.count; ++k) {
      const Vec3d n = moves_ ? normals_ * out.normals[static_cast<size_t>(k)] : out.normals[static_cast<size_t>(k)];
      inside.push_back({(1 / length(n)) * n, (1 / step_.h) * way, step_.sticky});
    }
    return out.count > 0 || swept_ ? length(way) : 0;
  }

  Error too_fast(double way) const {
    return {of_.place, format("moves by %.3g m in a step, more than the spacing of the grid", way),
            "move it more slowly, or take smaller steps (time.substeps)"};
  }

 private:
  const GridCollider& of_;
  ColliderStep step_;
  bool moves_;
  ColliderPlace before_, after_;
  Mat3d normals_, back_;         // from the shape to where it is before the step, and positions back
  std::optional<Bounds> swept_;  // in the step; none: without end
};

// Of a part of the points.
struct Found {
  std::vector<InnerPoint> points;
  Status status;
};

}  // namespace

Result<std::vector<InnerPoint>> points_inside(std::span<const Vec3d> points, std::span<const uint8_t> skip,
                                              std::span<const GridCollider> colliders,
                                              std::span<const ColliderScript> scripts, const ColliderStep& step,
                                              ThreadPool& pool) {
  std::vector<Placed> placed;
  for (const GridCollider& collider : colliders) placed.emplace_back(collider, scripts[collider.script], step);
  if (placed.empty()) return std::vector<InnerPoint>();
  constexpr size_t part = 256;  // points
  const size_t parts = (points.size() + part - 1) / part;
  std::vector<Found> found(parts);
  const auto look = [&](size_t first, size_t last, Found& into) {
    std::vector<NodeInside> inside;
    for (size_t i = first; i < last; ++i) {
      if (skip[i]) continue;
      inside.clear();
      for (const Placed& collider : placed) {
        const double way = collider.look(points[i], inside);
        if (way > step.spacing && into.status) into.status = collider.too_fast(way);
      }
      if (!inside.empty()) into.points.push_back({static_cast<int32_t>(i), inside});
    }
  };
  pool.parallel_for(static_cast<int64_t>(parts), 4, [&](int64_t first, int64_t last) {
    for (auto p = static_cast<size_t>(first); p < static_cast<size_t>(last); ++p)
      look(p * part, std::min(points.size(), (p + 1) * part), found[p]);
  });
  std::vector<InnerPoint> all;
  for (Found& one : found) {
    if (!one.status) return one.status.error();
    std::move(one.points.begin(), one.points.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace sinew
