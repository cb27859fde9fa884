// The inner part of a lattice tet as tets: a stencil for every combination of sides of its four corners (Labelle and
// Shewchuk 2007, section 3 and figure 3; the tables are generated from the rules, not copied).
//   no corner outside          the tet itself, if any corner is inside
//   1 inside                   one tet; its other corners are surface corners and cut points
//   2 inside, 1 on, 1 outside  a pyramid over a quadrilateral: two tets
//   2 inside, 2 outside        a prism whose quadrilaterals are two parts of faces and one on the surface: three tets
//   3 inside, 1 outside        a prism whose quadrilaterals are parts of faces: three tets
// A quadrilateral p q r' s' in a face whose corners p, q are inside and whose corner o is outside, with the cut points
// p', q' on p-o and q-o, has two diagonals; the tet behind the face must choose the same:
//   p-o long, q-o short   the diagonal from the cut point on the long edge, p', to q
//   both short            (the parity rule) the diagonal from the end of the long edge p-q that is even to o: from
//   which
//                         o lies in a direction whose signs have a positive product
#pragma once

#include <array>
#include <cstdint>

#include "meshing/lattice.h"

namespace sinew {

// The corners of a lattice tet: 0, 1 the ends of its long edge between corners of cells, 2, 3 those of the one between
// centres, in an order of positive volume. Its edges, whose cut points are vertices 4 to 9:
inline constexpr int tet_edges[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

struct Stencil {
  int count = 0;
  std::array<std::array<uint8_t, 4>, 3> tets{};  // 0 .. 3 corners, 4 .. 9 cut points of tet_edges; positive volumes
};

// Parity 0: edges 02 and 13 are even; 1: edges 03 and 12 are.
const Stencil& stencil(int parity, Side s0, Side s1, Side s2, Side s3);

}  // namespace sinew
