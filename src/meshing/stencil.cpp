#include "meshing/stencil.h"

#include <utility>

#include "math/vec.h"

namespace sinew {

namespace {

using Corners = std::array<uint8_t, 4>;

constexpr bool is_long(int a, int b) {
  return (a < 2) == (b < 2);
}

constexpr uint8_t cut(int a, int b) {
  for (int e = 0; e < 6; ++e)
    if ((tet_edges[e][0] == a && tet_edges[e][1] == b) || (tet_edges[e][0] == b && tet_edges[e][1] == a))
      return static_cast<uint8_t>(4 + e);
  return 255;
}

constexpr bool is_even(int parity, int a, int b) {
  if (a > b) std::swap(a, b);
  return parity == 0 ? (a == 0 && b == 2) || (a == 1 && b == 3) : (a == 0 && b == 3) || (a == 1 && b == 2);
}

// The corner, p or q, at which the diagonal of the inner part of face p q o ends.
constexpr int diagonal_end(int parity, int p, int q, int o) {
  if (is_long(p, q)) return is_even(parity, p, o) ? p : q;
  return is_long(p, o) ? q : p;
}

class Maker {
 public:
  explicit Maker(int parity) : parity_(parity) {}

  Stencil make(const std::array<Side, 4>& sides) {
    std::array<int, 4> in{}, on{}, out{};
    int ins = 0, ons = 0, outs = 0;
    for (int c = 0; c < 4; ++c) {
      const Side side = sides[c];
      if (side == Side::inside) in[ins++] = c;
      if (side == Side::surface) on[ons++] = c;
      if (side == Side::outside) out[outs++] = c;
    }
    if (ins == 0) return {};
    if (outs == 0) {
      add({0, 1, 2, 3});
    } else if (ins == 1) {
      Corners tet{corner(in[0])};
      size_t n = 1;
      for (int k = 0; k < ons; ++k) tet[n++] = corner(on[k]);
      for (int k = 0; k < outs; ++k) tet[n++] = cut(in[0], out[k]);
      add(tet);
    } else if (ins == 2 && outs == 1) {
      const int p = diagonal_end(parity_, in[0], in[1], out[0]), q = p == in[0] ? in[1] : in[0];
      const uint8_t over_p = cut(p, out[0]), over_q = cut(q, out[0]), apex = corner(on[0]);
      add({corner(p), corner(q), over_q, apex});
      add({corner(p), over_q, over_p, apex});
    } else if (ins == 2) {
      add_prism({corner(in[0]), cut(in[0], out[0]), cut(in[0], out[1])},
                {corner(in[1]), cut(in[1], out[0]), cut(in[1], out[1])},
                diagonal_end(parity_, in[0], in[1], out[0]) == in[0],
                diagonal_end(parity_, in[0], in[1], out[1]) == in[0], nullptr);
    } else {
      const bool third = diagonal_end(parity_, in[1], in[2], out[0]) == in[1];
      add_prism({corner(in[0]), corner(in[1]), corner(in[2])},
                {cut(in[0], out[0]), cut(in[1], out[0]), cut(in[2], out[0])},
                diagonal_end(parity_, in[0], in[1], out[0]) == in[0],
                diagonal_end(parity_, in[0], in[2], out[0]) == in[0], &third);
    }
    return stencil_;
  }

 private:
  static uint8_t corner(int c) { return static_cast<uint8_t>(c); }

  // Triangles `top` and `bottom`, corner k above corner k. The diagonals of the quadrilaterals 01, 02 and 12 end at top
  // 0, 0 and 1 if `at_01`, `at_02` and `at_12`, else at the other corner. A missing `at_12` is chosen such that two
  // diagonals meet at one corner of the top: otherwise three tets cannot fill the prism.
  void add_prism(const std::array<uint8_t, 3>& top, const std::array<uint8_t, 3>& bottom, bool at_01, bool at_02,
                 const bool* at_12) {
    std::array<int, 3> ends{};
    ++ends[at_01 ? 0 : 1];
    ++ends[at_02 ? 0 : 2];
    if (at_12) {
      ++ends[*at_12 ? 1 : 2];
    } else {
      ++ends[ends[1] > 0 || ends[2] == 0 ? 1 : 2];
    }
    std::array<size_t, 3> by_ends{};  // the corner of the top with 0, 1 and 2 diagonals
    for (size_t k = 0; k < 3; ++k) by_ends[ends[k]] = k;
    const auto [none, one, two] = by_ends;
    add({top[two], bottom[0], bottom[1], bottom[2]});
    add({top[two], top[one], bottom[one], bottom[none]});
    add({top[two], top[one], top[none], bottom[none]});
  }

  void add(Corners tet) {
    if (volume(tet) < 0) std::swap(tet[2], tet[3]);
    stencil_.tets[stencil_.count++] = tet;
  }

  // The volume in a lattice tet whose edges are cut at their midpoints.
  static double volume(const Corners& tet) {
    constexpr Vec3d x[4] = {{0, 0, 0}, {2, 0, 0}, {1, -1, -1}, {1, 1, -1}};
    const auto at = [&](uint8_t v) { return v < 4 ? x[v] : 0.5 * (x[tet_edges[v - 4][0]] + x[tet_edges[v - 4][1]]); };
    const Vec3d o = at(tet[0]);
    return dot(at(tet[1]) - o, cross(at(tet[2]) - o, at(tet[3]) - o));
  }

  int parity_;
  Stencil stencil_;
};

struct Table {
  std::array<Stencil, 162> stencils;
  Table() {
    for (int parity = 0; parity < 2; ++parity)
      for (int n = 0; n < 81; ++n)
        stencils[parity * 81 + n] = Maker(parity).make({Side(n / 27), Side(n / 9 % 3), Side(n / 3 % 3), Side(n % 3)});
  }
};

}  // namespace

const Stencil& stencil(int parity, Side s0, Side s1, Side s2, Side s3) {
  static const Table table;
  const int n =
      ((static_cast<int>(s0) * 3 + static_cast<int>(s1)) * 3 + static_cast<int>(s2)) * 3 + static_cast<int>(s3);
  return table.stencils[parity * 81 + n];
}

}  // namespace sinew
