#include "mesh/topology.h"

#include "mesh/simplices.h"

namespace sinew {

namespace {

// Sets of joined vertices, by path halving.
class Components {
 public:
  explicit Components(size_t count) : parent_(count, kUnused) {}

  void use(int32_t v) {
    if (parent_[v] == kUnused) {
      parent_[v] = v;
      ++used_;
      ++components_;
    }
  }
  void join(int32_t a, int32_t b) {
    a = root(a);
    b = root(b);
    if (a == b) return;
    parent_[std::max(a, b)] = std::min(a, b);
    --components_;
  }
  int64_t used() const { return used_; }
  int64_t components() const { return components_; }

 private:
  static constexpr int32_t kUnused = -1;
  int32_t root(int32_t v) {
    while (parent_[v] != v) v = parent_[v] = parent_[parent_[v]];
    return v;
  }
  std::vector<int32_t> parent_;
  int64_t used_ = 0, components_ = 0;
};

// Even: the corners run through the rising order forwards; odd: backwards.
bool is_odd(Triangle t) {
  return (t[0] > t[1]) != ((t[1] > t[2]) != (t[0] > t[2]));
}

template <size_t N>
Components join_all(const std::vector<std::array<int32_t, N>>& elements, size_t vertex_count) {
  Components components(vertex_count);
  for (const auto& element : elements) {
    for (const int32_t v : element) components.use(v);
    for (size_t k = 1; k < N; ++k) components.join(element[0], element[k]);
  }
  return components;
}

}  // namespace

Boundary extract_boundary(const TetMesh& mesh) {
  // Items are numbered 4 t + k, so that a face tells its tet; 2^31 / 4 tets are more than fit in memory here.
  const auto corners = [&](int32_t item) {
    const Tet& tet = mesh.tets[item / 4];
    const int* face = kTetFaces[item % 4];
    return Triangle{tet[face[0]], tet[face[1]], tet[face[2]]};
  };
  const auto least = [&](int32_t item) {
    const Triangle t = corners(item);
    return static_cast<size_t>(std::min({t[0], t[1], t[2]}));
  };
  // The items by the least vertex of the face; numbers only, for there are four times as many as tets.
  const auto items = static_cast<int32_t>(4 * mesh.tets.size());
  std::vector<int32_t> end(mesh.vertices.size() + 1, 0), by_least(static_cast<size_t>(items));
  for (int32_t item = 0; item < items; ++item) ++end[least(item) + 1];
  for (size_t v = 0; v < mesh.vertices.size(); ++v) end[v + 1] += end[v];
  for (int32_t item = 0; item < items; ++item) by_least[end[least(item)]++] = item;

  Boundary boundary;
  std::vector<int32_t> outer;
  std::vector<Keyed<3>> bucket;
  for (size_t v = 0, at = 0; v < mesh.vertices.size(); ++v) {
    bucket.clear();
    for (; at < static_cast<size_t>(end[v]); ++at) bucket.push_back({rising(corners(by_least[at])), by_least[at]});
    sort_by_key(bucket.begin(), bucket.end());
    for_each_group(bucket, [&](std::span<const Keyed<3>> group) {
      ++boundary.faces;
      if (group.size() == 1) outer.push_back(group[0].item);
      if (group.size() > 2) ++boundary.crowded_faces;
      if (group.size() == 2 && is_odd(corners(group[0].item)) == is_odd(corners(group[1].item)))
        ++boundary.folded_faces;
    });
  }
  std::sort(outer.begin(), outer.end());
  for (const int32_t item : outer) {
    boundary.triangles.push_back(corners(item));
    boundary.tets.push_back(item / 4);
  }
  return boundary;
}

std::vector<int32_t> renumber(std::vector<Triangle>& triangles, int32_t first, int32_t last) {
  std::vector<int32_t> place(static_cast<size_t>(last - first), -1), used;
  for (const Triangle& triangle : triangles)
    for (const int32_t v : triangle) place[v - first] = 0;
  for (int32_t v = first; v < last; ++v) {
    if (place[v - first] < 0) continue;
    place[v - first] = static_cast<int32_t>(used.size());
    used.push_back(v);
  }
  for (Triangle& triangle : triangles)
    for (int32_t& v : triangle) v = place[v - first];
  return used;
}

SurfaceTopology surface_topology(const std::vector<Triangle>& triangles, size_t vertex_count) {
  SurfaceTopology topology;
  topology.faces = static_cast<int64_t>(triangles.size());
  const Components components = join_all(triangles, vertex_count);
  topology.vertices = components.used();
  topology.components = components.components();

  // The item says only which way the triangle runs along the edge: up (1) or down (0) the vertex numbers.
  std::vector<Keyed<2>> edges;
  edges.reserve(3 * triangles.size());
  for (const Triangle& t : triangles)
    for (int k = 0; k < 3; ++k) {
      const int32_t a = t[k], b = t[(k + 1) % 3];
      if (a != b) edges.push_back({{std::min(a, b), std::max(a, b)}, a < b});
    }
  for_each_group(sort_by_vertices(edges, vertex_count), [&](std::span<const Keyed<2>> group) {
    ++topology.edges;
    if (group.size() == 1) ++topology.open_edges;
    if (group.size() > 2) ++topology.non_manifold_edges;
    if (group.size() == 2 && group[0].item == group[1].item) ++topology.flipped_edges;
  });
  return topology;
}

TetTopology tet_topology(const TetMesh& mesh, const Boundary& boundary) {
  TetTopology topology;
  topology.tets = static_cast<int64_t>(mesh.tets.size());
  const Components components = join_all(mesh.tets, mesh.vertices.size());
  topology.vertices = components.used();
  topology.components = components.components();
  topology.faces = boundary.faces;

  std::vector<Keyed<2>> edges;
  edges.reserve(6 * mesh.tets.size());
  for (const Tet& tet : mesh.tets)
    for (int a = 0; a < 4; ++a)
      for (int b = a + 1; b < 4; ++b)
        if (tet[a] != tet[b]) edges.push_back({rising(std::array{tet[a], tet[b]}), 0});
  for_each_group(sort_by_vertices(edges, mesh.vertices.size()), [&](auto) { ++topology.edges; });
  return topology;
}

}  // namespace sinew
