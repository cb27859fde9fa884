// The kernels of Anderson mixing (solver/multilevel/mixing.h) on a device, where a thread also chooses how to mix.
#pragma once

#include "cuda/device_sum.h"
#include "cuda/lattice_member_kernels.h"
#include "solver/multilevel/mixing_rule.h"

namespace sinew {

inline constexpr int mixing_sums = 5;    // of MixingSums
inline constexpr int mixing_parts = 64;  // each is first computed in

// By members: keeps the iterate, or goes back to it.
template <class Real>
struct KeepMembers {
  Members members;
  const int32_t* cell_of_group = nullptr;
  Vec4<Real>* x = nullptr;
  Real* from = nullptr;  // groups x 4 x 16
  bool back = false;

  SINEW_INLINE void operator()(int64_t i) const {
    const MemberAt at(members, cell_of_group, i);
    if (at.count() <= 0) return;
    Vec4<Real>& p = x[members.slot[i]];
    Real* const kept = from + at.group * 4 * member_group + at.lane;
    if (back) {
      p = {kept[0], kept[member_group], kept[2 * member_group], kept[3 * member_group]};
    } else {
      kept[0] = p.x;
      kept[member_group] = p.y;
      kept[2 * member_group] = p.z;
      kept[3 * member_group] = p.w;
    }
  }
};

// (cell, lane): what the lanes add to the sums, cells x 5 x 16.
template <class Real>
struct ChangeLanes {
  ChangeSweep<Real> sweep;
  const MixingRule* rule = nullptr;
  float* lanes = nullptr;

  SINEW_INLINE void operator()(int64_t i) const {
    const int64_t cell = i / member_group;
    const int lane = static_cast<int>(i % member_group);
    const CellMembers& own = sweep.members.cells[cell];
    ChangeSweep<Real> now = sweep;
    now.has_other = sweep.has_last && rule->has_other();
    const auto u =
        sweep.u && own.node[0] >= 0 ? lattice_kernel::Trilinear::of(own, sweep.u, 1) : lattice_kernel::Trilinear{};
    const lattice_kernel::LaneSums<float> sums = lattice_kernel::change_lanes<float>(now, own, u, lane);
    float* const out = lanes + cell * mixing_sums * member_group + lane;
    out[0] = sums.change;
    out[member_group] = sums.step;
    out[2 * member_group] = sums.other;
    out[3 * member_group] = sums.right;
    out[4 * member_group] = sums.other_right;
  }
};

// Adds the sums of the cells up and chooses.
struct ChooseMix {
  const float* lanes = nullptr;
  int32_t cells = 0;
  double* parts = nullptr;  // 5 x mixing_parts, then 5
  bool has_last = false;
  int newest = 0;
  MixingRule* rule = nullptr;

  using Part = double;
  static constexpr int bits = 4, team = 1 << bits;
  SINEW_INLINE int32_t phases() const { return 3; }
  SINEW_INLINE int32_t count(int32_t phase) const {
    if (phase == 0) return mixing_sums * mixing_parts;
    return phase == 1 ? mixing_sums : 1;
  }
  SINEW_INLINE int team_bits(int32_t phase) const { return phase < 2 ? bits : -1; }

  SINEW_INLINE double part(int32_t phase, int32_t i, int j) const {
    if (phase == 0) {
      const int which = i / mixing_parts;
      return strided_sum(i % mixing_parts * team + j, mixing_parts * team, cells,
                         [&](int64_t cell) SINEW_INLINE_LAMBDA {
                           return static_cast<double>(
                               lattice_kernel::sum_of_group(lanes + (cell * mixing_sums + which) * member_group));
                         });
    }
    return strided_sum(j, team, mixing_parts,
                       [&](int64_t k) SINEW_INLINE_LAMBDA { return parts[i * mixing_parts + k]; });
  }
  SINEW_INLINE void finish(int32_t phase, int32_t i, double sum) const {
    parts[phase == 0 ? i : mixing_sums * mixing_parts + i] = sum;
  }
  SINEW_INLINE void operator()(int32_t, int32_t) const {
    const double* const totals = parts + mixing_sums * mixing_parts;
    MixingRule next = *rule;
    next.choose({totals[0], totals[1], totals[2], totals[3], totals[4]}, has_last, newest);
    *rule = next;
  }
};

// By members.
template <class Real>
struct MixMembers {
  MixSweep<Real> sweep;
  const MixingRule* rule = nullptr;
  const int32_t* cell_of_group = nullptr;

  SINEW_INLINE void operator()(int64_t i) const {
    const MemberAt at(sweep.members, cell_of_group, i);
    if (at.count() <= 0) return;
    MixSweep<Real> now = sweep;
    rule->give(now);
    lattice_kernel::mix_lanes<float>(now, at.group, at.lane, at.count());
  }
};

}  // namespace sinew
