// Closest points of a surface: a tree of boxes over its triangles, halved along their longest side.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "math/bounds.h"
#include "mesh/tet_mesh.h"

namespace sinew {

// The point of triangle (a, b, c) that is closest to x, by its barycentric weights (Ericson 2005, "Real-Time Collision
// Detection", section 5.1.5): exactly 0 for corners that it does not lie between.
std::array<double, 3> closest_weights(Vec3d x, Vec3d a, Vec3d b, Vec3d c);

class TriangleTree {
 public:
  struct Closest {
    int32_t triangle = -1;
    std::array<double, 3> weights{};  // of its corners
    double distance = 0;              // [m]
  };

  // What it is made of must outlive it. At least one triangle.
  TriangleTree(std::span<const Vec3d> vertices, std::span<const Triangle> triangles);

  // Of equally close triangles the first.
  Closest closest(Vec3d x) const;

 private:
  struct Node {
    Bounds bounds;
    int32_t first, last;  // of order_, in a leaf
    int32_t right = -1;   // the left child is the next node; -1: a leaf
  };
  void build(int32_t first, int32_t last);

  std::span<const Vec3d> vertices_;
  std::span<const Triangle> triangles_;
  std::vector<int32_t> order_;
  std::vector<Node> nodes_;
};

}  // namespace sinew
