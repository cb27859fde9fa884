#include "meshing/touching_edges.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace sinew {

namespace {

// Candidate places of the new vertex on the edge; the middle first.
constexpr std::array<double, 5> shares{0.5, 0.4, 0.6, 0.3, 0.7};

using Wedge = std::vector<int32_t>;  // tets

bool has(const Tet& tet, int32_t v) {
  return std::find(tet.begin(), tet.end(), v) != tet.end();
}

bool share_a_face(const Tet& s, const Tet& t) {
  return std::count_if(s.begin(), s.end(), [&](int32_t v) { return has(t, v); }) == 3;
}

class Parter {
 public:
  Parter(TetMesh& mesh, const std::vector<TouchingEdge>& edges) : mesh_(mesh) {
    for (const TouchingEdge& edge : edges) {
      around_[edge.a];
      around_[edge.b];
    }
    for (size_t t = 0; t < mesh.tets.size(); ++t) note(static_cast<int32_t>(t));
  }

  // Returns whether its wedges are then apart.
  bool part(const TouchingEdge& edge, const AngleCosines& bounds) {
    std::vector<Halves> wedges;
    for (Wedge& wedge : wedges_around(edge)) wedges.push_back(best_halves(edge, std::move(wedge)));
    if (wedges.empty()) return true;
    // The one with the worst halves stays whole.
    const auto worse = [](const Halves& s, const Halves& t) { return s.angles.of_smallest < t.angles.of_smallest; };
    wedges.erase(std::max_element(wedges.begin(), wedges.end(), worse));
    bool apart = true;
    for (const Halves& wedge : wedges) {
      if (wedge.angles.no_worse_than(bounds))
        halve(edge, wedge);
      else
        apart = false;
    }
    return apart;
  }

 private:
  struct Halves {
    Wedge wedge;
    Vec3d middle{};
    AngleCosines angles;  // of the halves
  };

  void note(int32_t t) {
    for (const int32_t v : mesh_.tets[t])
      if (const auto found = around_.find(v); found != around_.end()) found->second.push_back(t);
  }

  // Groups of tets joined by faces, in the order of their first tets.
  std::vector<Wedge> wedges_around(const TouchingEdge& edge) const {
    Wedge ring;
    for (const int32_t t : around_.at(edge.a))
      if (has(mesh_.tets[t], edge.a) && has(mesh_.tets[t], edge.b)) ring.push_back(t);
    std::vector<Wedge> wedges;
    while (!ring.empty()) {
      Wedge& wedge = wedges.emplace_back(1, ring.front());
      ring.erase(ring.begin());
      for (size_t n = 0; n < wedge.size(); ++n)
        for (size_t r = 0; r < ring.size();)
          if (share_a_face(mesh_.tets[wedge[n]], mesh_.tets[ring[r]])) {
            wedge.push_back(ring[r]);
            ring.erase(ring.begin() + static_cast<long>(r));
          } else {
            ++r;
          }
    }
    return wedges;
  }

  Halves best_halves(const TouchingEdge& edge, Wedge wedge) const {
    Halves best;
    for (const double share : shares) {
      const Vec3d middle = (1 - share) * mesh_.vertices[edge.a] + share * mesh_.vertices[edge.b];
      AngleCosines angles;
      for (const int32_t t : wedge)
        for (const int32_t end : {edge.a, edge.b}) {
          std::array<Vec3d, 4> x;
          for (size_t c = 0; c < 4; ++c) x[c] = mesh_.tets[t][c] == end ? middle : mesh_.vertices[mesh_.tets[t][c]];
          angles.add(x);
        }
      if (share == shares[0] || angles.of_smallest < best.angles.of_smallest) best = {{}, middle, angles};
    }
    best.wedge = std::move(wedge);
    return best;
  }

  void halve(const TouchingEdge& edge, const Halves& halves) {
    const auto vertex = static_cast<int32_t>(mesh_.vertices.size());
    mesh_.vertices.push_back(halves.middle);
    for (const int32_t t : halves.wedge) {
      const auto added = static_cast<int32_t>(mesh_.tets.size());
      Tet half = mesh_.tets[t];
      std::replace(mesh_.tets[t].begin(), mesh_.tets[t].end(), edge.b, vertex);
      std::replace(half.begin(), half.end(), edge.a, vertex);
      mesh_.tets.push_back(half);
      note(added);
    }
  }

  TetMesh& mesh_;
  std::unordered_map<int32_t, std::vector<int32_t>> around_;  // the tets that the ends of the edges have or had
};

}  // namespace

Parting part_touching_edges(TetMesh& mesh, const std::vector<TouchingEdge>& edges, const AngleCosines& bounds) {
  Parting parting;
  if (edges.empty()) return parting;
  Parter parter(mesh, edges);
  for (const TouchingEdge& edge : edges) ++(parter.part(edge, bounds) ? parting.halved : parting.pinched);
  return parting;
}

}  // namespace sinew
