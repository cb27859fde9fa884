#include "compile/collider_shapes.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew {

namespace {

// Rows of a half sphere from its pole to its equator, and quarters of a turn in steps along the equator.
constexpr int rings = 20, around = 4 * rings;
constexpr double step = std::numbers::pi / 2 / rings;
// More rows along a long cylinder make nothing rounder.
constexpr double most_rows = 1000;

// Axes of a right-handed frame whose last one is along `axis`.
struct AxisFrame {
  Vec3d x, y, z;
};
AxisFrame frame_along(Vec3d z) {
  const Vec3d x = direction_across(z);
  return {x, cross(z, x), z};
}

// Circles of points about an axis, from one pole to the other; row k of a half sphere has 4 k points.
class Rounds {
 public:
  Rounds(AxisFrame frame, double radius) : frame_(frame), radius_(radius) {}

  // A circle about `center` at this angle from the pole along z [rad]; one point is a pole.
  void add(Vec3d center, double angle, int points) {
    const int32_t first = count();
    const double across = radius_ * std::sin(angle), along = radius_ * std::cos(angle);
    for (int k = 0; k < points; ++k) {
      const double turn = 2 * std::numbers::pi * k / points;
      const Vec3d out = points == 1 ? Vec3d{} : std::cos(turn) * frame_.x + std::sin(turn) * frame_.y;
      mesh_.vertices.push_back(center + across * out + along * frame_.z);
    }
    if (last_points_ > 0) join(last_, last_points_, first, points);
    last_ = first;
    last_points_ = points;
  }
  SurfaceMesh take() { return std::move(mesh_); }

 private:
  int32_t count() const { return static_cast<int32_t>(mesh_.vertices.size()); }

  // The band between an upper circle and the next lower one, whose quarters differ by a step or none.
  void join(int32_t upper, int many, int32_t lower, int points) {
    if (many == points) {
      for (int k = 0; k < many; ++k) {
        const int n = (k + 1) % many;
        mesh_.triangles.push_back({upper + k, lower + k, lower + n});
        mesh_.triangles.push_back({upper + k, lower + n, upper + n});
      }
      return;
    }
    // From the circle with fewer points to the one with more.
    const bool widens = points > many;
    const int32_t few_first = widens ? upper : lower, more_first = widens ? lower : upper;
    const int few = std::min(many, points), more = std::max(many, points), quarter = more / 4;
    for (int q = 0; q < 4; ++q) {
      const auto inner = [&](int k) { return few_first + (few == 1 ? 0 : (q * (quarter - 1) + k) % few); };
      const auto outer = [&](int k) { return more_first + (q * quarter + k) % more; };
      for (int k = 0; k < quarter; ++k) {
        add_triangle(inner(k), outer(k), outer(k + 1), widens);
        if (k + 1 < quarter) add_triangle(inner(k), outer(k + 1), inner(k + 1), widens);
      }
    }
  }
  void add_triangle(int32_t a, int32_t b, int32_t c, bool downwards) {
    if (downwards)
      mesh_.triangles.push_back({a, b, c});
    else
      mesh_.triangles.push_back({a, c, b});
  }

  AxisFrame frame_;
  double radius_;
  SurfaceMesh mesh_;
  int32_t last_ = 0;
  int last_points_ = 0;
};

}  // namespace

Vec3d direction_across(Vec3d unit) {
  const double a = std::abs(unit.x), b = std::abs(unit.y), c = std::abs(unit.z);
  const Vec3d across = cross(a <= b && a <= c ? Vec3d{1, 0, 0} : b <= c ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1}, unit);
  return (1 / std::sqrt(dot(across, across))) * across;
}

SurfaceMesh box_surface(Vec3d min, Vec3d max) {
  SurfaceMesh mesh;
  for (int k = 0; k < 8; ++k)
    mesh.vertices.push_back({k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z});
  mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return mesh;
}

SurfaceMesh capsule_surface(Vec3d a, Vec3d b, double radius) {
  const Vec3d axis = b - a;
  const double length = std::sqrt(dot(axis, axis));
  Rounds rounds(frame_along(length > 0 ? (1 / length) * axis : Vec3d{0, 0, 1}), radius);
  rounds.add(b, 0, 1);
  for (int k = 1; k <= rings; ++k) rounds.add(b, k * step, 4 * k);
  const int rows = static_cast<int>(std::clamp(std::ceil(length / (step * radius)), 0.0, most_rows));
  for (int k = 1; k <= rows; ++k) rounds.add(b + (-static_cast<double>(k) / rows) * axis, std::numbers::pi / 2, around);
  for (int k = rings - 1; k >= 1; --k) rounds.add(a, std::numbers::pi - k * step, 4 * k);
  rounds.add(a, std::numbers::pi, 1);
  return rounds.take();
}

SurfaceMesh sphere_surface(Vec3d center, double radius) {
  return capsule_surface(center, center, radius);
}

}  // namespace sinew
