#include "meshing/sharp_edges.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mesh/first_at_place.h"
#include "mesh/simplices.h"
#include "meshing/orientation.h"

namespace sinew {

namespace {

// Whether two vectors differ in direction by more than the angle with this cosine. False if one of them is zero.
bool turned(Vec3d a, Vec3d b, double cosine) {
  return dot(a, b) < cosine * std::sqrt(dot(a, a) * dot(b, b));
}

}  // namespace

SharpFeatures sharp_edges(const SurfaceMesh& surface, double angle) {
  const auto& x = surface.vertices;
  const double cosine = std::cos(angle * std::numbers::pi / 180);
  // By their geometry, not by their given orientation: a flipped triangle makes no edge.
  const std::vector<int32_t> first = first_at_place(x);
  std::vector<Triangle> triangles = surface.triangles;
  for (Triangle& t : triangles)
    for (int32_t& v : t) v = first[v];
  orient(x, triangles);
  std::vector<Keyed<2>> edges;
  for (size_t t = 0; t < triangles.size(); ++t)
    for (size_t k = 0; k < 3; ++k) {
      const int32_t a = triangles[t][k], b = triangles[t][(k + 1) % 3];
      if (a != b) edges.push_back({rising<2>({a, b}), static_cast<int32_t>(t)});
    }
  const auto normal = [&](int32_t t) {
    const Triangle& f = triangles[t];
    return cross(x[f[1]] - x[f[0]], x[f[2]] - x[f[0]]);
  };
  SharpFeatures features;
  std::vector<Keyed<1>> ends;  // of segments, by vertex
  for_each_group(sort_by_vertices(edges, x.size()), [&](std::span<const Keyed<2>> group) {
    if (group.size() != 2 || !turned(normal(group[0].item), normal(group[1].item), cosine)) return;
    const auto [a, b] = group[0].key;
    const auto segment = static_cast<int32_t>(features.segments.size());
    ends.push_back({{a}, segment});
    ends.push_back({{b}, segment});
    features.segments.push_back({x[a], x[b]});
  });
  for_each_group(sort_by_vertices(ends, x.size()), [&](std::span<const Keyed<1>> group) {
    const Vec3d at = x[group[0].key[0]];
    if (group.size() == 2) {
      const auto away = [&](int32_t s) { return features.segments[s][0] + features.segments[s][1] - 2.0 * at; };
      if (!turned(away(group[0].item), -away(group[1].item), cosine)) return;
    }
    features.corners.push_back(at);
  });
  return features;
}

}  // namespace sinew
