// Which tets a sweep by constraints treats at once, all from the same positions (Jacobi), and which one after the other
// (Gauss-Seidel). Tets are nodes of a graph, joined where they share a vertex; the tets at a vertex are a clique in it,
// which needs as many colours as it has tets. The colours are dealt into groups, neighbours together:
//   colors   a group for each colour: tets that are treated at once share nothing
//   cliques  fewer groups: the cliques are spread over them as evenly as colours go, and what is left of one in a group
//            is treated at once (after Fratarcangeli & Pellacini 2015, who so keep the number of colours small)
//   jacobi   one group
// In a group with up to n > 1 tets at a vertex all changes, of positions and of multipliers alike, are taken `scale`
// times: then x = y + M^-1 grad C^T l stays as true as it was, and steps that add up at a vertex do not overshoot. The
// default is 2/n: of linear constraints the matrix A = grad C M^-1 grad C^T + a times the inverse of its blocks, a tet
// each, has no eigenvalue above n (l^T A l sums squares over vertices, of n terms at most). In stiff bodies 4/n
// diverges.
// Changes are added up colour by colour: the same bits for any number of threads.
#pragma once

#include <string_view>

namespace sinew {

inline constexpr std::string_view constraint_order_names[] = {"colors", "cliques", "jacobi"};
enum ConstraintOrderKind : int { order_colors, order_cliques, order_jacobi };

struct ConstraintOrder {
  int kind = order_colors;
  int groups = 8;    // of cliques
  double scale = 0;  // 0: 2/n
};

}  // namespace sinew
