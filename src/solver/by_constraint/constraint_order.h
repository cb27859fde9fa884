// Which tets a sweep by constraint treats at once, all from the same positions (Jacobi), and which one after the other
// (Gauss-Seidel). In the graph whose nodes are the tets and whose edges join tets that share a vertex, the tets at a
// vertex are a clique, which needs as many colours as it has tets. The colours are divided into groups, neighbours
// together:
//   colors   one group per colour: tets that are treated at once share nothing
//   cliques  fewer groups: the colours of each clique are spread over them as evenly as possible, and its tets in one
//            group are treated at once (after Fratarcangeli & Pellacini 2015, who thus need few colours)
//   jacobi   one group
// In a group with up to n > 1 tets at a vertex all changes, of positions and of multipliers alike, are multiplied by
// `scale`: then x = y + M^-1 grad C^T l remains as accurate as it was, and steps that add up at a vertex do not
// overshoot. The default is 2/n: for linear constraints the matrix A = grad C M^-1 grad C^T + a, times the inverse of
// its blocks, one per tet, has no eigenvalue above n (l^T A l sums squares over vertices, of n terms at most). In stiff
// bodies 4/n diverges. Changes are summed colour by colour, so that the bits are the same for any number of threads.
#pragma once

#include <string_view>

namespace sinew {

inline constexpr std::string_view constraint_order_names[] = {"colors", "cliques", "jacobi"};
enum ConstraintOrderKind : int { order_colors, order_cliques, order_jacobi };

struct ConstraintOrder {
  int kind = order_colors;
  int groups = 8;    // for cliques
  double scale = 0;  // 0: 2/n
};

}  // namespace sinew
