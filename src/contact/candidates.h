// Pairs of primitives that are near enough to touch before the next detection.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

namespace sinew {

struct CandidatePairs {
  struct VertexTriangle {
    int32_t vertex;    // a point
    int32_t triangle;  // of ContactSurface::triangles

    auto operator<=>(const VertexTriangle&) const = default;
  };
  struct EdgeEdge {
    int32_t a, b;  // of ContactSurface::edges, a < b

    auto operator<=>(const EdgeEdge&) const = default;
  };
  std::vector<VertexTriangle> vertex_triangle;  // ascending by vertex, then by triangle
  std::vector<EdgeEdge> edge_edge;              // ascending by a, then by b
};

}  // namespace sinew
