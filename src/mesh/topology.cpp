#include "mesh/topology.h"

#include <algorithm>
#include <mutex>

#include "exec/counting_sort.h"
#include "mesh/disjoint_sets.h"
#include "mesh/simplices.h"

namespace sinew {

namespace {

// Connected components of the used vertices.
class Components {
 public:
  explicit Components(size_t count) : sets_(count), is_used_(count, 0) {}

  void use(int32_t v) {
    used_ += !is_used_[v];
    components_ += !is_used_[v];
    is_used_[v] = 1;
  }
  void join(int32_t a, int32_t b) { components_ -= sets_.join(a, b); }
  int64_t used() const { return used_; }
  int64_t components() const { return components_; }

 private:
  DisjointSets sets_;
  std::vector<char> is_used_;
  int64_t used_ = 0, components_ = 0;
};

// Whether the corners are an odd permutation of their ascending order.
bool is_odd(Triangle t) {
  return (t[0] > t[1]) != ((t[1] > t[2]) != (t[0] > t[2]));
}

// The faces with a common lowest vertex, by the two others.
class FaceTable {
 public:
  struct Face {
    uint64_t others;
    int32_t item;  // the first
    int32_t tets;  // 0: no face
    bool odd, folded;
  };
  // Makes room for `most` faces.
  void clear(size_t most) {
    for (const size_t place : taken_) faces_[place].tets = 0;
    taken_.clear();
    if (2 * most <= faces_.size()) return;
    while (faces_.size() < 2 * most) --shift_, faces_.resize(2 * faces_.size());
    faces_.assign(faces_.size(), {});
  }
  void add(Triangle t, int32_t item) {
    const bool odd = is_odd(t);
    const int32_t low = std::min({t[0], t[1], t[2]}), high = std::max({t[0], t[1], t[2]});
    // The middle one by XOR, which cannot overflow.
    const int32_t middle = t[0] ^ t[1] ^ t[2] ^ low ^ high;
    const uint64_t others = static_cast<uint64_t>(middle) << 32 | static_cast<uint32_t>(high);
    size_t place = (others * 0x9e3779b97f4a7c15ull) >> shift_;
    while (faces_[place].tets > 0 && faces_[place].others != others) place = (place + 1) & (faces_.size() - 1);
    Face& face = faces_[place];
    if (face.tets++ > 0) {
      face.folded = face.odd == odd;
      return;
    }
    face = {others, item, 1, odd, false};
    taken_.push_back(place);
  }
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (const size_t place : taken_) visit(faces_[place]);
  }

 private:
  int shift_ = 64 - 7;  // the table has 2^(64 - shift) places
  std::vector<Face> faces_{1 << 7};
  std::vector<size_t> taken_;
};

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

Boundary extract_boundary(const TetMesh& mesh, ThreadPool& pool) {
  // Items are numbered 4 t + k, so that a face determines its tet; 2^31 / 4 tets do not fit into memory.
  const auto corners = [&](int32_t item) {
    const Tet& tet = mesh.tets[item / 4];
    const int* face = kTetFaces[item % 4];
    return Triangle{tet[face[0]], tet[face[1]], tet[face[2]]};
  };
  const auto least = [&](int64_t item) {
    const Triangle t = corners(static_cast<int32_t>(item));
    return std::min({t[0], t[1], t[2]});
  };
  // The items by the lowest vertex of the face; only numbers, because there are four times as many as tets.
  std::vector<int64_t> begin;
  std::vector<int32_t> by_least, outer;
  counting_sort(pool, static_cast<int64_t>(4 * mesh.tets.size()), mesh.vertices.size(), least, begin, by_least);

  constexpr int64_t ahead = 64;
  const auto items = static_cast<int64_t>(by_least.size());
  Boundary boundary;
  std::mutex mutex;
  pool.parallel_for(static_cast<int64_t>(mesh.vertices.size()), 1024, [&](int64_t first, int64_t last) {
    Boundary counts;
    std::vector<int32_t> own_outer;
    FaceTable table;
    for (int64_t v = first; v < last; ++v) {
      table.clear(static_cast<size_t>(begin[v + 1] - begin[v]));
      for (int64_t k = begin[v]; k < begin[v + 1]; ++k) {
        // In a shuffled mesh every tet is a cache miss.
        if (k + ahead < items) __builtin_prefetch(&mesh.tets[by_least[k + ahead] / 4]);
        table.add(corners(by_least[k]), by_least[k]);
      }
      table.for_each([&](const FaceTable::Face& face) {
        ++counts.faces;
        if (face.tets == 1) own_outer.push_back(face.item);
        if (face.tets > 2) ++counts.crowded_faces;
        if (face.tets == 2 && face.folded) ++counts.folded_faces;
      });
    }
    std::lock_guard lock(mutex);
    boundary.faces += counts.faces;
    boundary.crowded_faces += counts.crowded_faces;
    boundary.folded_faces += counts.folded_faces;
    outer.insert(outer.end(), own_outer.begin(), own_outer.end());
  });
  std::sort(outer.begin(), outer.end());
  boundary.triangles.reserve(outer.size());
  boundary.tets.reserve(outer.size());
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

  // The item is the direction of the triangle along the edge: towards the higher vertex number (1) or the lower (0).
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
    size_t up = 0;
    for (const Keyed<2>& edge : group) up += edge.item;
    if (2 * up != group.size()) ++topology.unbalanced_edges;
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
