// The objective on a device (objective/objective.h): a thread an element, then a thread a vertex that sums what its
// elements wrote, in the order of the elements.
#pragma once

#include "cuda/state_kernels.h"
#include "objective/element_kernel.h"

namespace sinew {

template <class Real>
struct WidenPositions {
  const Vec4<Real>* from = nullptr;
  Vec3d* to = nullptr;
  SINEW_INLINE void operator()(int64_t s) const { to[s] = widened(from[s]); }
};

// Linear elements of a block.
struct ElementsOfBlock {
  ElementTerms terms;  // of all elements; but for the block
  ElasticBlock block;

  SINEW_INLINE void operator()(int64_t i) const {
    const auto e = static_cast<int32_t>(block.first_tet + i);
    ElementTerms own = terms;
    own.block = &block;
    own.energy += e;
    own.det_f += e;
    own.gradient += most_corners * static_cast<int64_t>(e);
    visit_element(block.element, [&]<class Element>() {
      if constexpr (!Element::traits.quadratic()) element_kernel::linear_terms<double, Element>(own, e, e + 1);
    });
  }
};

// What parts of an evaluation add up to.
struct EvaluationSum {
  double energy = 0;                                       // [J]
  double squares = 0, largest = 0;                         // [N^2] of forces out of balance
  double moved = 0;                                        // [m^2] squares of changes since the last test
  double min_j = std::numeric_limits<double>::infinity();  // [-]
  int64_t inverted = 0;
  int64_t bad_slot = std::numeric_limits<int64_t>::max();

  SINEW_INLINE void operator+=(const EvaluationSum& o) {
    energy += o.energy;
    squares += o.squares;
    largest = largest < o.largest ? o.largest : largest;
    moved += o.moved;
    min_j = o.min_j < min_j ? o.min_j : min_j;
    inverted += o.inverted;
    bad_slot = o.bad_slot < bad_slot ? o.bad_slot : bad_slot;
  }
};

struct SumElements {
  static constexpr int block_threads = 32;  // few threads, which more multiprocessors share
  const double *energy = nullptr, *det_f = nullptr;
  int64_t count = 0;
  EvaluationSum* parts = nullptr;
  int32_t part_count = 0;

  SINEW_INLINE void operator()(int64_t part) const {
    EvaluationSum sum;
    for (int64_t e = part; e < count; e += part_count) {
      sum.energy += energy[e];
      sum.min_j = det_f[e] < sum.min_j ? det_f[e] : sum.min_j;
      sum.inverted += det_f[e] <= 0 ? 1 : 0;
    }
    parts[part] = sum;
  }
};

// Adds to the parts what vertices have, and writes their forces, unconstrained.
struct SumVertices {
  static constexpr int block_threads = 32;
  ResidentBodies bodies;
  double inverse_h2 = 0;  // 0: quasistatic
  const Vec3d* rest = nullptr;
  const int32_t* begin = nullptr;  // the first of the places of each slot, and the end
  const int32_t* places = nullptr;
  const Vec3d* gradient = nullptr;  // of the elements' corners
  const Vec3d* x = nullptr;
  Vec3d* tested_at = nullptr;  // positions of the last test, replaced by these; null: not tested
  Vec3d* force = nullptr;
  int64_t slots = 0;
  EvaluationSum* parts = nullptr;
  int32_t part_count = 0;

  SINEW_INLINE void operator()(int64_t part) const {
    EvaluationSum sum = parts[part];
    for (int64_t s = part; s < slots; s += part_count) add(s, sum);
    parts[part] = sum;
  }

 private:
  SINEW_INLINE void add(int64_t s, EvaluationSum& sum) const {
    const Vec3d at = x[s], away = at - bodies.target[s];
    const bool quasistatic = inverse_h2 == 0;
    const double inertia = bodies.mass[s] * inverse_h2;
    Vec3d g = quasistatic ? -bodies.external_force(s) : inertia * away;
    const int32_t end = begin[s + 1];
    for (int32_t k = begin[s]; k < end; ++k) g += gradient[places[k]];
    force[s] = g;
    if (tested_at) {
      const Vec3d moved = at - tested_at[s];
      sum.moved += dot(moved, moved);
      tested_at[s] = at;
    }
    if (bodies.is_held(s)) return;
    sum.energy += quasistatic ? -dot(bodies.external_force(s), at - rest[s]) : 0.5 * inertia * dot(away, away);
    const Glide* const glide = bodies.glide_of(s);
    const Vec3d free = glide ? glide->free_part(g) : g;
    const double square = dot(free, free);
    if (!is_finite(square) || !is_finite(dot(at, at))) {
      if (s < sum.bad_slot) sum.bad_slot = s;
      return;
    }
    sum.squares += square;
    sum.largest = sum.largest < square ? square : sum.largest;
  }
  static SINEW_INLINE bool is_finite(double x) { return x - x == 0; }
};

// [N^2] The square of the external force on a free vertex.
struct SquareOfExternal {
  ResidentBodies bodies;
  SINEW_INLINE double operator()(int32_t, int64_t s) const {
    if (bodies.is_held(s)) return 0;
    const Vec3d f = bodies.external_force(s);
    return dot(f, f);
  }
};

}  // namespace sinew
