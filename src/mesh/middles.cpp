#include "mesh/middles.h"

#include <algorithm>
#include <array>

#include "base/assert.h"

namespace sinew {
namespace {

struct Edge {
  int32_t low, high;
  uint32_t place;  // 6 * tet + edge: in the order of the tets
};

}  // namespace

void add_middles(TetMesh& mesh) {
  SINEW_ASSERT(mesh.middles.empty());
  std::vector<Edge> edges;
  edges.reserve(6 * mesh.tets.size());
  for (size_t e = 0; e < mesh.tets.size(); ++e) {
    const Tet& t = mesh.tets[e];
    for (size_t k = 0; k < 6; ++k) {
      const int32_t a = t[edge_ends[k][0]], b = t[edge_ends[k][1]];
      edges.push_back({std::min(a, b), std::max(a, b), static_cast<uint32_t>(6 * e + k)});
    }
  }
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
    if (a.low != b.low) return a.low < b.low;
    return a.high != b.high ? a.high < b.high : a.place < b.place;
  });
  // The first place of each edge, at all of its places; then numbers in the order of places.
  std::vector<uint32_t> first_place(edges.size());
  for (size_t k = 0; k < edges.size(); ++k) {
    const bool same = k > 0 && edges[k].low == edges[k - 1].low && edges[k].high == edges[k - 1].high;
    first_place[edges[k].place] = same ? first_place[edges[k - 1].place] : edges[k].place;
  }
  mesh.middles.resize(mesh.tets.size());
  for (size_t place = 0; place < first_place.size(); ++place) {
    const size_t e = place / 6, k = place % 6, first = first_place[place];
    if (first < place) {
      mesh.middles[e][k] = mesh.middles[first / 6][first % 6];
      continue;
    }
    mesh.middles[e][k] = static_cast<int32_t>(mesh.vertices.size());
    const Tet& t = mesh.tets[e];
    mesh.vertices.push_back(0.5 * (mesh.vertices[t[edge_ends[k][0]]] + mesh.vertices[t[edge_ends[k][1]]]));
  }
}

void add_middles(const TetMesh& mesh, std::vector<MeshGroup>& groups) {
  if (groups.empty()) return;
  using Ends = std::array<int32_t, 2>;
  std::vector<Ends> ends(mesh.vertices.size(), Ends{-1, -1});  // of the edge of each middle
  for (size_t e = 0; e < mesh.tets.size(); ++e)
    for (size_t k = 0; k < 6; ++k)
      ends[mesh.middles[e][k]] = {mesh.tets[e][edge_ends[k][0]], mesh.tets[e][edge_ends[k][1]]};
  std::vector<uint8_t> has(mesh.vertices.size(), 0);
  for (MeshGroup& group : groups) {
    if (group.dimension == 0) continue;
    const std::vector<int32_t> corners = group.vertices;
    for (const int32_t v : corners) has[v] = 1;
    for (size_t v = 0; v < ends.size(); ++v)
      if (ends[v][0] >= 0 && has[ends[v][0]] && has[ends[v][1]]) group.vertices.push_back(static_cast<int32_t>(v));
    for (const int32_t v : corners) has[v] = 0;
  }
}

Boundary with_middles(const Boundary& boundary, const TetMesh& mesh) {
  Boundary fine = boundary;
  fine.triangles.clear();
  fine.tets.clear();
  for (size_t f = 0; f < boundary.triangles.size(); ++f) {
    const Triangle& corner = boundary.triangles[f];
    const int32_t tet = boundary.tets[f];
    if (mesh.middles[tet][0] == no_middle) {
      fine.triangles.push_back(corner);
      fine.tets.push_back(tet);
      continue;
    }
    const auto middle = [&](int32_t a, int32_t b) {
      const Tet& t = mesh.tets[tet];
      for (size_t k = 0; k < 6; ++k) {
        const int32_t p = t[edge_ends[k][0]], q = t[edge_ends[k][1]];
        if ((p == a && q == b) || (p == b && q == a)) return mesh.middles[tet][k];
      }
      SINEW_ASSERT(false);
      return no_middle;
    };
    const auto [a, b, c] = corner;
    const int32_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
    for (const Triangle& part : {Triangle{a, ab, ca}, Triangle{ab, b, bc}, Triangle{ca, bc, c}, Triangle{ab, bc, ca}}) {
      fine.triangles.push_back(part);
      fine.tets.push_back(tet);
    }
  }
  return fine;
}

}  // namespace sinew
