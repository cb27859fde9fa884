// The sweeps by constraint on a device: XPBD's rule (solver/by_constraint/compliant_rule.h), of which a thread is one
// lane, a tet. Tets of a colour share no vertex and move theirs. Where tets that share vertices are treated at once
// (solver/by_constraint/constraint_order.h), each writes down its changes, and vertices sum them, in the order in which
// the CPU does: by block, then by colour.
#pragma once

#include "cuda/device_lanes.h"
#include "model/glide.h"
#include "solver/by_constraint/compliant_rule.h"
#include "solver/by_constraint/multiplier_kernel.h"
#include "solver/ties/tie_rule.h"

namespace sinew {

// Some lanes of a block.
template <class Real, template <class> class Material>
struct TetLanes {
  ConstraintStreamView<Real> stream;
  Material<Real> material;
  int64_t first = 0;

  SINEW_INLINE const int32_t* corners(const Batch<Real, device_lanes>& batch) const {
    return stream.corners + batch.number * 4 * device_lanes + batch.lane;
  }
  static SINEW_INLINE bool is_tet(const int32_t* corners) { return corners[0] != corners[device_lanes]; }

  // Projects the constraints of a tet; x are its corners.
  template <template <class> class Sweep>
  SINEW_INLINE void project(const Sweep<Real>& sweep, const Batch<Real, device_lanes>& batch,
                            Lane4<Real> (&x)[4]) const {
    CompliantRule<Real, Sweep, device_lanes> rule(sweep, material);
    const auto nothing = [](auto) {};
    if (stream.stiffness_factors) {
      constraint_kernel::project_batch<Real, Material, true, true>(rule, material, stream, batch, sweep.h2, x, nothing);
    } else {
      constraint_kernel::project_batch<Real, Material, false, false>(rule, material, stream, batch, sweep.h2, x,
                                                                     nothing);
    }
  }

 private:
  template <class T, template <class> class Sweep, int w>
  using CompliantRule = constraint_kernel::CompliantRule<T, Sweep, w>;
};

// Tets of one colour.
template <class Real, template <class> class Material>
struct SweepTets {
  TetLanes<Real, Material> tets;
  ConstraintSweep<Real> sweep;

  SINEW_INLINE void operator()(int64_t i) const {
    const auto batch = batch_of<Real>(tets.first + i);
    const int32_t* corner = tets.corners(batch);
    if (!tets.is_tet(corner)) return;
    Lane4<Real> x[4];
#pragma GCC unroll 4
    for (int j = 0; j < 4; ++j) x[j] = gather<Real>(sweep.x, corner + j * device_lanes);
    tets.project(sweep, batch, x);
#pragma GCC unroll 4
    for (int j = 0; j < 4; ++j)
      if (j < tets.stream.corner_count) scatter(sweep.x, corner + j * device_lanes, x[j]);
  }
};

// Tets of any colours, from the same positions: batches x 4 x W changes, from those of the group's first lane of this
// block on.
template <class Real, template <class> class Material>
struct ChangeTets {
  TetLanes<Real, Material> tets;
  AtOnceSweep<Real> sweep;
  Vec4<Real>* changes = nullptr;

  SINEW_INLINE void operator()(int64_t i) const {
    const auto batch = batch_of<Real>(tets.first + i);
    const int32_t* corner = tets.corners(batch);
    if (!tets.is_tet(corner)) return;
    Lane4<Real> x[4];
    Vec3<Real> before[4];
#pragma GCC unroll 4
    for (int j = 0; j < 4; ++j) {
      x[j] = gather<Real>(sweep.x, corner + j * device_lanes);
      before[j] = x[j].xyz;
    }
    tets.project(sweep, batch, x);
    const auto own = batch_of<Real>(i);
    Vec4<Real>* const change = changes + own.number * 4 * device_lanes + own.lane;
#pragma GCC unroll 4
    for (int j = 0; j < 4; ++j) {
      const Vec3<Real> d = x[j].xyz - before[j];
      change[j * device_lanes] = {d.x, d.y, d.z, 0};
    }
  }
};

// Adds to each vertex the changes of its tets in a group.
template <class Real>
struct SumChanges {
  const int32_t* begin = nullptr;  // the first of the places of each slot, and the end
  const uint32_t* places = nullptr;
  const Vec4<Real>* changes = nullptr;
  Vec4<Real>* x = nullptr;
  Real scale = 1;

  SINEW_INLINE void operator()(int64_t s) const {
    Vec3<Real> sum{};
    const int32_t end = begin[s + 1];
    for (int32_t k = begin[s]; k < end; ++k) {
      const Vec4<Real> d = changes[places[k]];
      sum += scale * Vec3<Real>{d.x, d.y, d.z};
    }
    const Vec4<Real> p = x[s];
    x[s] = {p.x + sum.x, p.y + sum.y, p.z + sum.z, p.w};
  }
};

// Moves the vertices of the tets of one colour by their multipliers.
template <class Real, template <class> class Material>
struct FollowMultipliers {
  TetLanes<Real, Material> tets;
  MultiplierSweep<Real> sweep;

  SINEW_INLINE void operator()(int64_t i) const {
    const auto batch = batch_of<Real>(tets.first + i);
    if (tets.is_tet(tets.corners(batch)))
      multiplier_kernel::add_impulses_of_batch<Real, Material>(sweep, tets.material, tets.stream, batch);
  }
};

// Ties of one colour.
template <class Real>
struct SweepTies {
  TieItems<Real> ties;
  const uint32_t* first_multiplier = nullptr;  // of each
  Real* multipliers = nullptr;
  Vec4<Real>* x = nullptr;
  Real h2 = 0;
  int64_t first = 0;

  SINEW_INLINE void operator()(int64_t i) const {
    tie_rule::project(ties, ties.items[first + i], x, multipliers + first_multiplier[first + i], h2);
  }
};
// Moves the vertices of the ties of one colour by their multipliers.
template <class Real>
struct FollowTies {
  SweepTies<Real> sweep;
  const Vec4<Real>* at = nullptr;

  SINEW_INLINE void operator()(int64_t i) const {
    const TieItem<Real>& item = sweep.ties.items[sweep.first + i];
    const Real* const l = sweep.multipliers + sweep.first_multiplier[sweep.first + i];
    sweep.ties.push(item, tie_rule::impulse_of(sweep.ties, item, sweep.ties.vector_of(item, at), l), sweep.x);
  }
};

template <class Real>
struct SettleGlides {
  const Glide* glides = nullptr;
  Vec4<Real>* x = nullptr;
  SINEW_INLINE void operator()(int64_t i) const { settle(glides[i], x[glides[i].slot]); }
};

template <class Real>
struct ClearMultipliers {
  Real* multipliers = nullptr;
  SINEW_INLINE void operator()(int64_t k) const { multipliers[k] = 0; }
};

// x = y, where x is free.
template <class Real>
struct PlaceAtTarget {
  const Vec4<Real>* target = nullptr;
  Vec4<Real>* x = nullptr;
  SINEW_INLINE void operator()(int64_t s) const {
    const Vec4<Real> y = target[s];
    if (x[s].w > 0) x[s] = {y.x, y.y, y.z, x[s].w};
  }
};

}  // namespace sinew
