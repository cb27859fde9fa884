// The solid that a triangle surface encloses, whatever its condition: holes and crossing, doubled, flipped and missing
// triangles are all allowed. The distance is that to the closest triangle, the sign that of the winding number w
// (mesh/winding_number.h) once triangles that share an edge agree on the outside (orientation.h).
//
// The winding number of a closed surface is an integer, and |w| > 1/2 is solid: a part that is inside out is solid too,
// and surfaces of cavities only need to be oriented against the outer one. For a surface with a border, w > 1/2 is
// solid, or w < -1/2 if most of the surface is inside out: taking both would add solid behind every rim, and the
// winding number compensates for a minority of flipped triangles as for holes. Nothing outside the box of the surface
// is solid.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "base/result.h"
#include "mesh/winding_number.h"
#include "meshing/distance_field.h"

namespace sinew {

class SurfaceField final : public DistanceField {
 public:
  Bounds bounds() const override { return bounds_; }
  void distances(std::span<const Vec3d> points, std::span<double> values) const override;
  // To the closest triangle, which needs no winding numbers; near a border like any other field.
  void project(std::span<Vec3d> points, double step, std::span<double> distances) const override;
  // From the closest triangle; on the surface, its own plane.
  void tangent_planes(std::span<const Vec3d> points, double step, std::span<TangentPlane> planes) const override;
  bool continuous() const override { return closed_; }

  // Whether the surface has a border and most of it is inside out.
  bool turned() const { return turned_; }

  // Triangles left out: flat parts farther from all others than their size.
  int64_t strays() const { return strays_; }

  // The following are for surfaces without borders, else 0. Parts are joined by vertices.
  // [m^3] By the divergence theorem, for any orientation of the parts; overlaps are counted more than once.
  double volume() const;
  int64_t parts() const { return static_cast<int64_t>(parts_.size()); }
  // The number of parts, with solid on one side, that are the closest to none of these points.
  int64_t parts_without(std::span<const Vec3d> points, ThreadPool& pool) const;

 private:
  friend Result<std::unique_ptr<SurfaceField>> make_surface_field(const SurfaceMesh& surface, ThreadPool& pool);
  SurfaceField(std::span<const Vec3d> vertices, std::span<const Triangle> triangles, ThreadPool& pool)
      : tree_(vertices, triangles, pool), winding_(tree_, pool) {}
  bool solid(double winding) const;
  bool beyond(Vec3d x) const;  // the box
  Vec3d outwards(int32_t triangle) const;
  void find_parts(const std::vector<Vec3d>& x, const std::vector<Triangle>& triangles);

  TriangleTree tree_;
  WindingNumber winding_;
  // For each of the tree's triangles: its normal, a point just in front, and whether that is solid, computed on demand:
  // it depends only on the triangle.
  struct Front {
    Vec3<float> normal;
    Vec3d before;
  };
  enum class Solid : char { unknown, no, yes };
  std::vector<Front> fronts_;
  mutable std::vector<std::atomic<Solid>> solid_before_;
  struct Part {
    int side = 0;  // 1: solid behind its triangles, -1: in front, 0: on both sides or none
    double volume = 0;
    Vec3d origin{};
  };
  std::vector<int32_t> part_of_;  // each of the tree's triangles
  std::vector<Part> parts_;
  Bounds bounds_;
  int64_t strays_ = 0;
  bool closed_ = false, turned_ = false;
};

// Triangles thinner than 1e-5 x length are ignored. Errors: no triangles with area, indices out of range, coordinates
// that are not finite or beyond 1e18 m, a surface in a plane, one that encloses nothing.
Result<std::unique_ptr<SurfaceField>> make_surface_field(const SurfaceMesh& surface,
                                                         ThreadPool& pool = ThreadPool::caller());

}  // namespace sinew
