#include "meshing/touching_edges.h"

#include <algorithm>
#include <unordered_map>

namespace sinew {

namespace {

bool has(const Tet& tet, int32_t v) {
  return std::find(tet.begin(), tet.end(), v) != tet.end();
}

bool share_a_face(const Tet& s, const Tet& t) {
  return std::count_if(s.begin(), s.end(), [&](int32_t v) { return has(t, v); }) == 3;
}

}  // namespace

int64_t halve_touching_edges(TetMesh& mesh, const std::vector<TouchingEdge>& edges) {
  if (edges.empty()) return 0;
  // The tets around their ends.
  std::unordered_map<int32_t, std::vector<int32_t>> around;
  for (const TouchingEdge& edge : edges) {
    around[edge.a];
    around[edge.b];
  }
  for (size_t t = 0; t < mesh.tets.size(); ++t)
    for (const int32_t v : mesh.tets[t])
      if (const auto found = around.find(v); found != around.end()) found->second.push_back(static_cast<int32_t>(t));

  for (const TouchingEdge& edge : edges) {
    std::vector<int32_t> ring;
    for (const int32_t t : around[edge.a])
      if (has(mesh.tets[t], edge.a) && has(mesh.tets[t], edge.b)) ring.push_back(t);
    const Vec3d middle = 0.5 * (mesh.vertices[edge.a] + mesh.vertices[edge.b]);
    while (!ring.empty()) {
      // A wedge: tets joined by faces.
      std::vector<int32_t> wedge{ring.front()};
      ring.erase(ring.begin());
      for (size_t n = 0; n < wedge.size(); ++n)
        for (size_t r = 0; r < ring.size();)
          if (share_a_face(mesh.tets[wedge[n]], mesh.tets[ring[r]])) {
            wedge.push_back(ring[r]);
            ring.erase(ring.begin() + static_cast<long>(r));
          } else {
            ++r;
          }
      const auto vertex = static_cast<int32_t>(mesh.vertices.size());
      mesh.vertices.push_back(middle);
      for (const int32_t t : wedge) {
        const Tet whole = mesh.tets[t];
        Tet half = whole;
        std::replace(mesh.tets[t].begin(), mesh.tets[t].end(), edge.b, vertex);
        std::replace(half.begin(), half.end(), edge.a, vertex);
        const auto added = static_cast<int32_t>(mesh.tets.size());
        mesh.tets.push_back(half);
        for (const int32_t v : half)
          if (const auto found = around.find(v); found != around.end()) found->second.push_back(added);
      }
    }
  }
  return static_cast<int64_t>(edges.size());
}

}  // namespace sinew
