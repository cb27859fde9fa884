// The kernels of the lattice that visit its members, on a device: those of the CPU's lanes
// (solver/multilevel/lattice_kernel.h), of which a thread is one. What the lanes of a cell add up is stored, and then
// summed by another kernel in the order of the CPU.
#pragma once

#include "model/glide.h"
#include "solver/multilevel/lattice_kernel.h"

namespace sinew {

// (cell, lane): the moments of the forces, cells x 24 x 16.
template <class Real>
struct RestrictLanes {
  RestrictSweep<Real> sweep;
  float* lanes = nullptr;

  SINEW_INLINE void operator()(int64_t i) const {
    const int64_t cell = i / member_group;
    const int lane = static_cast<int>(i % member_group);
    Vec3f m[cell_corners]{};
    lattice_kernel::restrict_lanes(sweep, sweep.members.cells[cell], lane, m);
    float* const out = lanes + cell * 3 * cell_corners * member_group + lane;
    for (int a = 0; a < cell_corners; ++a) {
      out[3 * a * member_group] = m[a].x;
      out[(3 * a + 1) * member_group] = m[a].y;
      out[(3 * a + 2) * member_group] = m[a].z;
    }
  }
};

// (cell, axis): the corners' shares.
struct RestrictCells {
  const float* lanes = nullptr;
  Vec4<float>* shares = nullptr;

  SINEW_INLINE void operator()(int64_t i) const {
    const int64_t cell = i / 3, axis = i % 3;
    const float* const own = lanes + cell * 3 * cell_corners * member_group + axis * member_group;
    float corner[cell_corners];
    for (int a = 0; a < cell_corners; ++a) corner[a] = lattice_kernel::sum_of_group(own + 3 * a * member_group);
    lattice_kernel::to_corners(corner);
    float* const out = reinterpret_cast<float*>(shares + cell * cell_corners) + axis;
    for (int a = 0; a < cell_corners; ++a) out[4 * a] = corner[a];
  }
};

// A lane of a group of members, and the cell that it belongs to.
struct MemberAt {
  int64_t group;
  int lane;
  const CellMembers& cell;

  SINEW_INLINE MemberAt(const Members& members, const int32_t* cell_of_group, int64_t i)
      : group(i / member_group), lane(static_cast<int>(i % member_group)), cell(members.cells[cell_of_group[group]]) {}
  // How many members there are from this one on; none or fewer if it is padding.
  SINEW_INLINE int32_t count() const {
    return cell.count - static_cast<int32_t>(group - cell.first_group) * member_group - lane;
  }
};

// Where gliding vertices are, and then of the way from there what they are free to go.
template <class Real>
struct KeepGlides {
  const Glide* glides = nullptr;
  const Vec4<Real>* x = nullptr;
  Vec4<Real>* kept = nullptr;
  SINEW_INLINE void operator()(int64_t i) const { kept[i] = x[glides[i].slot]; }
};
template <class Real>
struct FreeGlides {
  const Glide* glides = nullptr;
  const Vec4<Real>* kept = nullptr;
  Vec4<Real>* x = nullptr;
  SINEW_INLINE void operator()(int64_t i) const { x[glides[i].slot] = freed(glides[i], kept[i], x[glides[i].slot]); }
};

// By members.
template <class Real>
struct ProlongMembers {
  ProlongSweep<Real> sweep;
  const int32_t* cell_of_group = nullptr;

  SINEW_INLINE void operator()(int64_t i) const {
    const MemberAt at(sweep.members, cell_of_group, i);
    if (at.count() <= 0 || at.cell.node[0] < 0) return;
    Vec4<Real>& x = sweep.x[sweep.members.slot[i]];
    if (x.w == 0) return;
    const auto u = lattice_kernel::Trilinear::of(at.cell, sweep.u, sweep.scale);
    const Vec3f move = u.template at<float>(sweep.members.place + at.group * 4 * member_group + at.lane);
    x = {x.x + move.x, x.y + move.y, x.z + move.z, x.w};
  }
};

}  // namespace sinew
