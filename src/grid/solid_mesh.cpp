#include "grid/solid_mesh.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "math/length.h"

namespace sinew {
namespace {

double angle_between(Vec3d a, Vec3d b) {
  return std::atan2(length(cross(a, b)), dot(a, b));
}

// Of the edge opposite a corner.
std::pair<int32_t, int32_t> edge_of(const Triangle& t, int corner) {
  const int32_t a = t[(corner + 1) % 3], b = t[(corner + 2) % 3];
  return {std::min(a, b), std::max(a, b)};
}

}  // namespace

SolidMesh::SolidMesh(const SurfaceMesh& surface, ThreadPool& pool)
    : tree_(surface.vertices, surface.triangles, pool),
      winding_(tree_, pool),
      triangles_(surface.triangles),
      of_vertex_(surface.vertices.size()),
      of_edge_(surface.triangles.size()) {
  double volume = 0;
  for (const Triangle& t : triangles_)
    for (const int32_t v : t) box_.add(surface.vertices[static_cast<size_t>(v)]);
  std::map<std::pair<int32_t, int32_t>, Vec3d> edges;
  for (const Triangle& t : triangles_) {
    const auto at = [&](int k) { return surface.vertices[static_cast<size_t>(t[k % 3])]; };
    const Vec3d area = cross(at(1) - at(0), at(2) - at(0)), n = (1 / length(area)) * area;
    volume += dot(at(0) - box_.low, area);
    of_triangle_.push_back(n);
    for (int k = 0; k < 3; ++k) {
      of_vertex_[static_cast<size_t>(t[k])] += angle_between(at(k + 1) - at(k), at(k + 2) - at(k)) * n;
      edges[edge_of(t, k)] += n;
    }
  }
  for (size_t k = 0; k < triangles_.size(); ++k)
    for (int corner = 0; corner < 3; ++corner) of_edge_[k][corner] = edges[edge_of(triangles_[k], corner)];
  if (volume < 0) outside_ = 1;
}

std::optional<Bounds> SolidMesh::bounds() const {
  return outside_ > 0 ? std::nullopt : std::optional(box_);
}

WaysOut SolidMesh::at(Vec3d x, double margin) const {
  const auto beyond = [&](double at, double low, double high) { return at < low || at > high; };
  const bool off_box = beyond(x.x, box_.low.x, box_.high.x) || beyond(x.y, box_.low.y, box_.high.y) ||
                       beyond(x.z, box_.low.z, box_.high.z);
  const bool inside = (off_box ? 0 : winding_.at(x)) + outside_ > 0.5;
  if (!inside && margin < 0) return {};
  const TriangleTree::Closest closest = inside ? tree_.closest(x) : tree_.closest(x, margin);
  if (closest.triangle < 0 || (inside && closest.distance < -margin)) return {};
  const Vec3d way = closest.point - x;
  return {1, {closest.distance > margin ? (1 / closest.distance) * way : normal(closest)}};
}

Vec3d SolidMesh::normal(const TriangleTree::Closest& closest) const {
  const auto t = static_cast<size_t>(closest.triangle);
  const std::array<double, 3>& w = closest.weights;
  const auto zeros = std::count(w.begin(), w.end(), 0.0);
  Vec3d n = of_triangle_[t];
  for (int k = 0; k < 3; ++k) {
    if (zeros == 1 && w[k] == 0) n = of_edge_[t][k];
    if (zeros == 2 && w[k] != 0) n = of_vertex_[static_cast<size_t>(triangles_[t][k])];
  }
  // Of a fold whose sides cancel there is no better one than a side's.
  const double size = length(n);
  return size > 0 ? (1 / size) * n : of_triangle_[t];
}

}  // namespace sinew
