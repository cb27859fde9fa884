#include "meshing/embedding.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/format.h"
#include "mesh/box_tree.h"
#include "mesh/topology.h"
#include "mesh/triangle_tree.h"

namespace sinew {
namespace {

using Weights = std::array<double, 4>;
constexpr double infinity = std::numeric_limits<double>::infinity();

// Distances of tets that share the closest vertex or edge differ only by rounding: relative to the distance, and to the
// mesh size.
constexpr double distance_rounding = 1e-9, mesh_rounding = 1e-14;
// Relative to the mesh size: nearer points are on its surface; farther ones are an error.
constexpr double on_surface = 1e-12, beyond_reach = 1e6;

struct Carrier {
  int32_t tet = -1;
  Weights weights{};
  double least = -infinity;  // of the weights
};

class TetSearch {
 public:
  TetSearch(const TetMesh& mesh, ThreadPool& pool) : mesh_(mesh), tree_(boxes_of(mesh, pool), pool) {}

  double size() const { return tree_.bounds().diagonal(); }

  bool reaches(Vec3d x) const {
    const Vec3d middle = 0.5 * tree_.bounds().low + 0.5 * tree_.bounds().high, away = x - middle;
    return std::max({std::abs(away.x), std::abs(away.y), std::abs(away.z)}) <= beyond_reach * size() &&
           !std::isnan(away.x + away.y + away.z);
  }

  // The carrier of x, and its distance [m] from x.
  std::pair<Carrier, double> find(Vec3d x) const {
    // Inside: no distance.
    Carrier best;
    visit_near(x, 0, [&](int32_t tet) {
      consider(x, tet, best);
      return 0.0;
    });
    if (best.least >= 0) return {best, 0.0};

    double least = infinity;
    visit_near(x, least, [&](int32_t tet) { return least = std::min(least, square_distance(x, tet)); });
    const double distance = std::sqrt(least);
    const double within = (1 + distance_rounding) * distance + mesh_rounding * size();
    best = {};
    visit_near(x, within * within, [&](int32_t tet) {
      if (square_distance(x, tet) <= within * within) consider(x, tet, best);
      return within * within;
    });
    return {best, distance};
  }

 private:
  static std::vector<Bounds> boxes_of(const TetMesh& mesh, ThreadPool& pool) {
    std::vector<Bounds> boxes(mesh.tets.size());
    pool.for_each(static_cast<int64_t>(boxes.size()), [&](size_t e) {
      for (const int32_t v : mesh.tets[e]) boxes[e].add(mesh.vertices[v]);
    });
    return boxes;
  }

  Weights weights_in(Vec3d x, int32_t tet) const {
    const Tet& t = mesh_.tets[tet];
    const Vec3d a = mesh_.vertices[t[0]], p = x - a;
    const Vec3d e1 = mesh_.vertices[t[1]] - a, e2 = mesh_.vertices[t[2]] - a, e3 = mesh_.vertices[t[3]] - a;
    // Cramer's rule.
    const Vec3d across = cross(e2, e3), turned = cross(e1, p);
    const double det = dot(e1, across);
    const double w1 = dot(p, across) / det, w2 = dot(e3, turned) / det, w3 = -dot(e2, turned) / det;
    return {1 - w1 - w2 - w3, w1, w2, w3};
  }

  // The largest minimum weight; among equal ones the first tet, whatever the order of the calls.
  void consider(Vec3d x, int32_t tet, Carrier& best) const {
    const Weights w = weights_in(x, tet);
    const double least = *std::min_element(w.begin(), w.end());
    if (least > best.least || (least == best.least && tet < best.tet)) best = {tet, w, least};
  }

  // [m^2], 0 inside. The closest point lies on a face that faces x.
  double square_distance(Vec3d x, int32_t tet) const {
    const Weights w = weights_in(x, tet);
    const Tet& t = mesh_.tets[tet];
    double least = infinity;
    bool inside = true;
    for (int k = 0; k < 4; ++k) {
      if (w[k] >= 0) continue;
      inside = false;
      const auto& face = kTetFaces[k];
      const Vec3d a = mesh_.vertices[t[face[0]]], b = mesh_.vertices[t[face[1]]], c = mesh_.vertices[t[face[2]]];
      const std::array<double, 3> at = closest_weights(x, a, b, c);
      const Vec3d d = at[0] * (a - x) + at[1] * (b - x) + at[2] * (c - x);
      least = std::min(least, dot(d, d));
    }
    return inside ? 0 : least;
  }

  // Calls visit(tet) for the tets whose boxes are within the limit of x, near ones first; visit returns the squared
  // limit [m^2] from then on.
  template <class Visit>
  void visit_near(Vec3d x, double square, const Visit& visit) const {
    const BoxTree::Place place(tree_, x);
    tree_.visit_near(place, place.limit(square), [&](int32_t leaf) {
      for (const int32_t tet : tree_.leaves()[leaf])
        if (tet != BoxTree::none) square = visit(tet);
      return place.limit(square);
    });
  }

  const TetMesh& mesh_;
  BoxTree tree_;
};

Status check(const TetMesh& mesh) {
  if (mesh.tets.empty()) return Error{"the mesh", "has no tetrahedra", "give one that has"};
  const auto vertices = static_cast<int32_t>(mesh.vertices.size());
  for (size_t e = 0; e < mesh.tets.size(); ++e) {
    const Tet& t = mesh.tets[e];
    if (is_triangle(t))
      return Error{"the mesh", "is a plane body, made of triangles", "only tetrahedra carry a surface"};
    if (std::any_of(t.begin(), t.end(), [&](int32_t v) { return v < 0 || v >= vertices; }))
      return Error{format("tetrahedron %zu", e), format("names a vertex that is none of the %d", vertices), ""};
    const double volume = volume_of(mesh.vertices, t);
    if (!(volume > 0) || !std::isfinite(volume))
      return Error{format("tetrahedron %zu", e), format("has the volume %g m^3", volume), "repair the mesh"};
  }
  return {};
}

double mean_edge(const TetMesh& mesh, ThreadPool& pool) {
  const double sum = ordered_sum<double>(pool, static_cast<int64_t>(mesh.tets.size()), [&](int64_t e) {
    const Tet& t = mesh.tets[static_cast<size_t>(e)];
    double lengths = 0;
    for (int k = 1; k < 4; ++k)
      for (int j = 0; j < k; ++j) {
        const Vec3d edge = mesh.vertices[t[k]] - mesh.vertices[t[j]];
        lengths += std::sqrt(dot(edge, edge));
      }
    return lengths;
  });
  return sum / (6 * static_cast<double>(mesh.tets.size()));
}

}  // namespace

Result<Embedding> embed(std::span<const Vec3d> points, const TetMesh& mesh, ThreadPool& pool) {
  if (Status status = check(mesh); !status) return status.error();
  const TetSearch search(mesh, pool);
  const auto astray = std::find_if(points.begin(), points.end(), [&](Vec3d x) { return !search.reaches(x); });
  if (astray != points.end())
    return Error{format("vertex %td", astray - points.begin()),
                 format("lies at (%g, %g, %g) m, which is no place near the tetrahedra: they are %.3g m across",
                        astray->x, astray->y, astray->z, search.size()),
                 "check the units"};

  Embedding embedding;
  embedding.tets.resize(points.size());
  embedding.weights.resize(points.size());
  embedding.mean_edge = mean_edge(mesh, pool);
  std::vector<double> distance(points.size());
  constexpr int64_t grain = 256;
  pool.parallel_for(static_cast<int64_t>(points.size()), grain, [&](int64_t first, int64_t last) {
    for (int64_t k = first; k < last; ++k) {
      const auto& [carrier, away] = search.find(points[k]);
      embedding.tets[k] = carrier.tet;
      embedding.weights[k] = carrier.weights;
      distance[k] = away;
    }
  });
  for (size_t k = 0; k < points.size(); ++k) {
    if (embedding.tets[k] < 0)
      return Error{format("vertex %zu", k), "its distance from the tetrahedra is beyond what numbers hold",
                   "check the units"};
    if (distance[k] > on_surface * search.size()) ++embedding.outside;
    if (distance[k] > embedding.mean_edge) ++embedding.far;
    embedding.farthest = std::max(embedding.farthest, distance[k]);
  }
  return embedding;
}

}  // namespace sinew
