// Closest points of a surface: a tree of boxes over its triangles.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>

#include "mesh/box_tree.h"
#include "mesh/tet_mesh.h"

namespace sinew {

// The point of triangle (a, b, c) that is closest to x, by its barycentric weights (Ericson 2005, "Real-Time Collision
// Detection", section 5.1.5): exactly 0 for corners that do not contribute.
std::array<double, 3> closest_weights(Vec3d x, Vec3d a, Vec3d b, Vec3d c);

class TriangleTree {
 public:
  struct Closest {
    int32_t triangle = -1;
    std::array<double, 3> weights{};  // of its corners
    double distance = 0;              // [m]
    Vec3d point{};
  };

  // At least one triangle. Triangles without area may not be found.
  TriangleTree(std::span<const Vec3d> vertices, std::span<const Triangle> triangles,
               ThreadPool& pool = ThreadPool::caller());

  // The same result as a search of all triangles; among equally close ones the first. Without a triangle if none is
  // within that distance [m].
  Closest closest(Vec3d x, double within = std::numeric_limits<double>::infinity()) const;

  const BoxTree& boxes() const { return boxes_; }

  // Two triangles in lanes, and those of a leaf; padded with a single point.
  using Pair = Lane<double, 2>;
  struct Corners {
    std::array<std::array<Vec3<Pair>, 3>, BoxTree::width / 2> pairs;
  };
  std::span<const Corners> corners() const { return corners_; }  // by leaf

 private:
  BoxTree boxes_;
  Buffer<Corners> corners_;
};

}  // namespace sinew
