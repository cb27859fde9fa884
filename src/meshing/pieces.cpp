#include "meshing/pieces.h"

#include <algorithm>
#include <vector>

#include "mesh/disjoint_sets.h"

namespace sinew {

namespace {

// Whether one of these vertices lies deeper than that.
bool is_deep(const DistanceField& field, const TetMesh& mesh, const std::vector<int32_t>& vertices, double depth) {
  constexpr size_t at_once = 64;
  std::vector<Vec3d> points;
  std::vector<double> values;
  for (size_t first = 0; first < vertices.size(); first += at_once) {
    points.clear();
    for (size_t k = first; k < std::min(first + at_once, vertices.size()); ++k)
      points.push_back(mesh.vertices[vertices[k]]);
    values.resize(points.size());
    field.distances(points, values);
    if (std::any_of(values.begin(), values.end(), [&](double value) { return value < -depth; })) return true;
  }
  return false;
}

// Removes the tets and vertices of the dropped pieces.
void remove(TetMesh& mesh, const std::vector<int32_t>& piece_of, const std::vector<char>& goes) {
  std::erase_if(mesh.tets, [&](const Tet& t) { return goes[piece_of[t[0]]] != 0; });
  std::vector<int32_t> number(mesh.vertices.size(), -1);
  int32_t kept = 0;
  for (size_t v = 0; v < mesh.vertices.size(); ++v) {
    if (piece_of[v] < 0 || goes[piece_of[v]]) continue;
    mesh.vertices[kept] = mesh.vertices[v];
    number[v] = kept++;
  }
  mesh.vertices.resize(static_cast<size_t>(kept));
  for (Tet& t : mesh.tets)
    for (int32_t& v : t) v = number[v];
}

}  // namespace

ThinPieces drop_thin_pieces(TetMesh& mesh, const DistanceField& field, double depth) {
  ThinPieces result;
  DisjointSets sets(mesh.vertices.size());
  for (const Tet& t : mesh.tets)
    for (size_t k = 1; k < t.size(); ++k) sets.join(t[0], t[k]);
  // Pieces by their lowest vertices.
  std::vector<int32_t> piece_of(mesh.vertices.size(), -1);
  std::vector<int64_t> tets;
  for (const Tet& t : mesh.tets) {
    const int32_t root = sets.find(t[0]);
    if (piece_of[root] < 0) {
      piece_of[root] = static_cast<int32_t>(tets.size());
      tets.push_back(0);
    }
    ++tets[piece_of[root]];
  }
  result.kept = static_cast<int64_t>(tets.size());
  if (tets.size() < 2) return result;
  const auto largest = static_cast<size_t>(std::max_element(tets.begin(), tets.end()) - tets.begin());
  std::vector<std::vector<int32_t>> vertices(tets.size());
  for (const Tet& t : mesh.tets)
    for (const int32_t v : t) {
      const int32_t root = sets.find(v);
      if (v != root && piece_of[v] >= 0) continue;
      piece_of[v] = piece_of[root];
      if (static_cast<size_t>(piece_of[v]) != largest) vertices[piece_of[v]].push_back(v);
    }

  std::vector<char> goes(tets.size(), 0);
  for (size_t p = 0; p < tets.size(); ++p) {
    goes[p] = p != largest && !is_deep(field, mesh, vertices[p], depth);
    result.dropped += goes[p];
  }
  result.kept -= result.dropped;
  if (result.dropped == 0) return result;
  for (const Tet& t : mesh.tets)
    if (goes[piece_of[t[0]]]) result.volume += volume_of(mesh.vertices, t);
  remove(mesh, piece_of, goes);
  return result;
}

}  // namespace sinew
