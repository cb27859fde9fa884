// Cuts of the surface with the edges of the lattice, and lattice points that are moved onto the surface (Labelle and
// Shewchuk 2007, section 3: "cut points" and "warping").
//   cut point   on an edge with one end inside and one outside; found on the field to a thousandth of h
//   violated    a point with a cut point on one of its edges nearer than alpha times the edge's length
// A violated point moves onto the nearest cut point that violates it, and all cut points on its edges vanish. The paper
// visits the points one by one; here all outside points come first, then the inside points that are still violated.
// Points of one side share no cut points, so this is one of the paper's orders, and each half can be processed in any
// order. Outside first, so that thin parts keep their inside points.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "meshing/lattice.h"

namespace sinew {

// Fractions of the edge's length; both below 1/2, so that a cut point violates at most one end. With these, all
// dihedral angles are within [10.78, 164.74] degrees: the paper's bounds for uniform meshes, confirmed by a search over
// all stencils (tests/meshing/stencil_test.cpp).
struct WarpThresholds {
  double along_long = 0.2851;
  double along_short = 0.3988;
};

class CutPoints {
 public:
  // Moves points: in the lattice their side becomes Side::surface. Errors: a field that is not finite.
  static Result<CutPoints> find(const DistanceField& field, PointLattice& lattice, const WarpThresholds& thresholds,
                                ThreadPool& pool, const ProgressListener& listener);

  // The cut points of sample s are [first(s), first(s + 1)).
  int64_t first(int32_t sample) const { return first_[sample]; }
  Vec3d position(int64_t cut) const { return x_[cut]; }
  // Whether neither end of its edge has moved.
  bool remains(int64_t cut) const { return remains_[cut] != 0; }
  // The cut point that a point of a sample was moved onto; -1: it has not moved.
  int32_t moved_to(int32_t sample, int point) const {
    return moved_to_[static_cast<size_t>(sample) * block_points + static_cast<size_t>(point)];
  }

  // An edge belongs to one of its ends: a long one to the lower, a short one to the corner. `edge` numbers those of a
  // point.
  static constexpr int most_edges = 11;
  struct Owner {
    bool other_end;
    int edge;
  };
  static constexpr Owner owner(int sub, int direction) {
    if (direction < long_directions) return {direction % 2 == 1, direction / 2};
    const int bits = direction - long_directions;
    return sub == corner ? Owner{false, 3 + bits} : Owner{true, 3 + (7 - bits)};
  }
  // The cut point of an edge that belongs to this point; -1: it is not cut.
  int64_t at(int32_t sample, int point, int edge) const {
    const size_t p = static_cast<size_t>(sample) * block_points + static_cast<size_t>(point);
    if (!(edges_[p] >> edge & 1)) return -1;
    return first_[sample] + before_[p] + std::popcount(edges_[p] & ((1u << edge) - 1));
  }

 private:
  struct Finder;

  std::vector<int64_t> first_;
  std::vector<uint16_t> edges_, before_;  // of each sampled point: its cut edges as bits, the cut points before its own
  std::vector<int32_t> moved_to_;
  std::vector<Vec3d> x_;
  std::vector<float> t_;  // along its edge, from the end it belongs to
  std::vector<uint8_t> remains_;
};

}  // namespace sinew
