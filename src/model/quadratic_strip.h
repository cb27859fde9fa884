// Strips of quadratic tets: the tets at a vertex as a walk around it, like link strips (link_strip.h), so that nearly
// every tet needs four new nodes instead of nine.
//
// Around a corner 0 an entry moves the window of the last three neighbours, (p, q, r) -> (q, r, new), or with `keeps`
// in the entry before (p, r, new). It brings the corner r and the middles m0r, mpr, mqr, and if the window is a face of
// the link completes the tet 0pqr. Around the middle of an edge 01 the tets are a fan: an entry brings the corner r and
// the middles m0r, m1r, mqr, and completes the tet 01qr. The first entry of a middle brings the corners 0 and 1
// themselves.
//
// Entries that complete no tet open a strip; nodes that they do not need are the vertex itself.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/link_strip.h"
#include "model/model.h"

namespace sinew {

// A tet at a vertex: its nodes in an even order in which the vertex is the first corner, or the middle of the first
// edge.
struct TetAtNode {
  int32_t tet;  // of the model
  std::array<int32_t, most_nodes> nodes;
};
// node: which of the tet's nodes the vertex is.
TetAtNode seen_from(const Model& model, int32_t tet, int node);

struct QuadraticEntry {
  std::array<int32_t, 4> nodes;  // slots
  std::array<double, 4> k{};     // [N/m] -K_ij of the vertex and a node, where the strip first meets that
  double inverse = 0;            // [1/m^3] 1/(6 V) of the tet that it completes, or 0
  int32_t tet = -1;
  bool odd = false;    // 0pqr has a negative volume
  bool keeps = false;  // of corners: the next entry
};

struct QuadraticStrip {
  std::vector<QuadraticEntry> entries;
  double laplacian = 0;  // [N/m] the sum of k
};

// Not safe for concurrent use; keeps its scratch memory.
class QuadraticStripper {
 public:
  // Adds to an empty strip the tets at the slot, which is a corner of them all, or the middle of one edge. mu [Pa]
  void around_corner(const Model& model, int32_t slot, const std::vector<TetAtNode>& tets, double mu,
                     QuadraticStrip& strip);
  void around_middle(const Model& model, int32_t slot, std::vector<TetAtNode>& tets, double mu, QuadraticStrip& strip);

 private:
  void weigh(const Model& model, const std::vector<TetAtNode>& tets, double mu, bool middle);
  int32_t number_of(int32_t slot);
  double take(int32_t slot);
  void add(QuadraticEntry entry, QuadraticStrip& strip);

  LinkStripper stripper_;
  std::vector<LinkFace> faces_;
  std::vector<int32_t> slots_;   // the neighbours, in the order in which they occur
  std::vector<double> weights_;  // of each
  std::vector<std::array<int32_t, 2>> table_ = std::vector<std::array<int32_t, 2>>(256, {-1, -1});  // slot, number
  std::vector<double> inverses_;                                                                    // of the tets
  std::vector<uint8_t> done_;                                                                       // of the tets
};

}  // namespace sinew
