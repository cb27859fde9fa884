#include "meshing/lattice_tets.h"

#include "meshing/cut_points.h"
#include "meshing/stencil.h"

namespace sinew {

namespace {

int direction_between(const LatticeTet::Corner& a, const LatticeTet::Corner& b) {
  const std::array<int, 3> step{2 * (b.i - a.i) + b.sub - a.sub, 2 * (b.j - a.j) + b.sub - a.sub,
                                2 * (b.k - a.k) + b.sub - a.sub};
  for (int d = 0; d < edge_directions; ++d)
    if (direction_step(d) == step) return d;
  return -1;
}

std::array<LatticeTet, 12> make_tets() {
  std::array<LatticeTet, 12> tets;
  constexpr int ring[4][2] = {{-1, -1}, {0, -1}, {0, 0}, {-1, 0}};
  for (int axis = 0; axis < 3; ++axis)
    for (int m = 0; m < 4; ++m) {
      LatticeTet& tet = tets[axis * 4 + m];
      const auto along = [&](int sub, int up, int u, int v) {
        std::array<int, 3> c{};
        c[axis] = up;
        c[(axis + 1) % 3] = u;
        c[(axis + 2) % 3] = v;
        return LatticeTet::Corner{sub, c[0], c[1], c[2]};
      };
      const auto& from = ring[m];
      const auto& to = ring[(m + 1) % 4];
      tet.corners = {along(corner, 0, 0, 0), along(corner, 1, 0, 0), along(centre, 0, from[0], from[1]),
                     along(centre, 0, to[0], to[1])};
      // The first centre lies at (1/2, -1/2, -1/2) from the lower end: an even edge.
      tet.parity = m % 2;
      for (size_t a = 0; a < 4; ++a)
        for (size_t b = 0; b < 4; ++b)
          tet.directions[a][b] = static_cast<int8_t>(a == b ? -1 : direction_between(tet.corners[a], tet.corners[b]));
      for (size_t e = 0; e < 6; ++e) {
        const auto [a, b] = tet_edges[e];
        const auto owner = CutPoints::owner(tet.corners[a].sub, tet.directions[a][b]);
        tet.edges[e] = {owner.other_end ? b : a, owner.edge};
      }
      for (size_t c = 0; c < 4; ++c) {
        const LatticeTet::Corner& p = tet.corners[c];
        tet.halo[c] = halo_point(p.sub, p.i, p.j, p.k) - halo_point(0, 0, 0, 0);
      }
    }
  return tets;
}

}  // namespace

const std::array<LatticeTet, 12>& lattice_tets() {
  static const std::array<LatticeTet, 12> tets = make_tets();
  return tets;
}

}  // namespace sinew
