#include "mesh/quality.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "math/length.h"
#include "mesh/topology.h"

namespace sinew {

namespace {

constexpr int kEdges[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

double mean_edge_length(const std::array<Vec3d, 4>& x) {
  double sum = 0;
  for (const auto& [a, b] : kEdges) sum += length(x[b] - x[a]);
  return sum / 6;
}

// The largest coordinate of the edges at the first corner.
double extent(const std::array<Vec3d, 4>& x) {
  double largest = 0;
  for (int k = 1; k < 4; ++k) {
    const Vec3d e = x[k] - x[0];
    largest = std::max({largest, std::abs(e.x), std::abs(e.y), std::abs(e.z)});
  }
  return largest;
}

TetShape shape_of(const std::array<Vec3d, 4>& x) {
  const auto& [x0, x1, x2, x3] = x;
  TetShape shape;
  shape.volume = dot(x1 - x0, cross(x2 - x0, x3 - x0)) / 6;

  // Area vectors of the faces opposite to each corner, pointing outwards (inwards if inverted, which does not change
  // angles).
  std::array<Vec3d, 4> area;
  double surface = 0;
  for (int k = 0; k < 4; ++k) {
    const Vec3d a = x[kTetFaces[k][0]];
    area[k] = 0.5 * cross(x[kTetFaces[k][1]] - a, x[kTetFaces[k][2]] - a);
    surface += length(area[k]);
  }

  shape.smallest_angle = 180;
  shape.shortest_edge = std::numeric_limits<double>::infinity();
  for (size_t e = 0; e < 6; ++e) {
    const int a = kEdges[e][0], b = kEdges[e][1];
    const double edge = length(x[b] - x[a]);
    shape.shortest_edge = std::min(shape.shortest_edge, edge);
    shape.longest_edge = std::max(shape.longest_edge, edge);
    // The faces opposite to the other two corners c, d meet at edge ab. With |A| the areas,
    // V = 2 |A_c| |A_d| sin(angle) / (3 edge) and A_c . A_d = -|A_c| |A_d| cos(angle): accurate near 0 and 180 degrees
    // too.
    const auto [c, d] = [&] {
      std::array<int, 2> others{};
      for (int k = 0, n = 0; k < 4; ++k)
        if (k != a && k != b) others[n++] = k;
      return others;
    }();
    const double angle =
        std::atan2(1.5 * std::abs(shape.volume) * edge, -dot(area[c], area[d])) * 180 / std::numbers::pi;
    shape.angles[e] = angle;
    shape.smallest_angle = std::min(shape.smallest_angle, angle);
    shape.largest_angle = std::max(shape.largest_angle, angle);
  }

  const double inscribed = 3 * std::abs(shape.volume) / surface;
  shape.aspect =
      inscribed > 0 ? shape.longest_edge / (2 * std::sqrt(6.0) * inscribed) : std::numeric_limits<double>::infinity();
  return shape;
}

}  // namespace

TetShape tet_shape(Vec3d x0, Vec3d x1, Vec3d x2, Vec3d x3) {
  const std::array<Vec3d, 4> x{x0, x1, x2, x3};
  // Between these, products of six lengths neither overflow nor underflow.
  constexpr double small = 1e-50, large = 1e50;
  const double size = extent(x);
  if ((size >= small && size <= large) || size == 0 || !std::isfinite(size)) return shape_of(x);
  // Others are scaled to ordinary size; only quantities with a unit may overflow.
  int exponent = 0;
  (void)std::frexp(size, &exponent);
  const auto scaled = [&](Vec3d p) {
    const Vec3d e = p - x0;
    return Vec3d{std::ldexp(e.x, -exponent), std::ldexp(e.y, -exponent), std::ldexp(e.z, -exponent)};
  };
  TetShape shape = shape_of({Vec3d{}, scaled(x1), scaled(x2), scaled(x3)});
  shape.volume = std::ldexp(std::ldexp(std::ldexp(shape.volume, exponent), exponent), exponent);
  shape.shortest_edge = std::ldexp(shape.shortest_edge, exponent);
  shape.longest_edge = std::ldexp(shape.longest_edge, exponent);
  return shape;
}

MeshQuality mesh_quality(const TetMesh& mesh) {
  MeshQuality quality;
  if (mesh.tets.empty()) return quality;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  quality.smallest_volume = quality.worst_small_angle = quality.shortest_edge = kInfinity;
  for (size_t t = 0; t < mesh.tets.size(); ++t) {
    const Tet& tet = mesh.tets[t];
    const std::array<Vec3d, 4> x{mesh.vertices[tet[0]], mesh.vertices[tet[1]], mesh.vertices[tet[2]],
                                 mesh.vertices[tet[3]]};
    const TetShape shape = tet_shape(x[0], x[1], x[2], x[3]);
    quality.volume += shape.volume;
    quality.smallest_volume = std::min(quality.smallest_volume, shape.volume);
    if (shape.volume < 0) ++quality.inverted_tets;
    quality.worst_small_angle = std::min(quality.worst_small_angle, shape.smallest_angle);
    quality.worst_large_angle = std::max(quality.worst_large_angle, shape.largest_angle);
    for (const double angle : shape.angles)
      if (angle >= 0) ++quality.angles[std::min<size_t>(static_cast<size_t>(angle / 10), 17)];  // NaN is not counted
    quality.mean_small_angle += shape.smallest_angle;
    quality.mean_large_angle += shape.largest_angle;
    if (shape.aspect > quality.worst_aspect) {
      quality.worst_aspect = shape.aspect;
      quality.worst_tet = static_cast<int32_t>(t);
    }
    quality.mean_aspect += shape.aspect;
    quality.shortest_edge = std::min(quality.shortest_edge, shape.shortest_edge);
    quality.longest_edge = std::max(quality.longest_edge, shape.longest_edge);
    quality.mean_edge += mean_edge_length(x);
  }
  const auto count = static_cast<double>(mesh.tets.size());
  quality.mean_small_angle /= count;
  quality.mean_large_angle /= count;
  quality.mean_aspect /= count;
  quality.mean_edge /= count;
  return quality;
}

}  // namespace sinew
