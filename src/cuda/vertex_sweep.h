// The sweep by vertex on a device: the kernel of the CPU's lanes (solver/by_vertex/vertex_kernel.h), of which a thread
// is one. Rows have 16 lanes, as those of AVX-512, so that the threads of a warp read them side by side.
#pragma once

#include "solver/by_vertex/vertex_kernel.h"

namespace sinew {

inline constexpr int device_lanes = 16;

// What VertexSweep has for the CPU, without ties, grabs, contacts and gliding vertices. Indices are slots.
template <class Real>
struct DeviceVertexSweep {
  const VertexStreamView<Real, uint32_t>* blocks = nullptr;
  int block_count = 0;
  const Vec4<Real>* x = nullptr;
  Vec4<Real>* moved = nullptr;
  const Vec4<Real>* x_prev = nullptr;
  const Vec4<Real>* target = nullptr;
  Real inverse_h = 0;
  bool quasistatic = false;
  bool own_block_damping = false;
  NodalStiffness stiffness = NodalStiffness::exact;
  bool diagonal = false;
  Real relaxation = 1;
  bool line_search = false;
  Real singular = 0;

  SINEW_INLINE int64_t own(int64_t slot) const { return slot; }
};

// A kernel for one material, undamped, needs fewer registers than one for all.
template <template <class> class Material>
struct OneMaterial {
  static constexpr bool damps = false, searches = false;
  template <class Visitor>
  static SINEW_INLINE decltype(auto) visit(MaterialKind, Visitor&& visitor) {
    return visit_formula_of<Material>(visitor);
  }
};
// Where all blocks are link strips.
struct NoMaterial {
  static constexpr bool damps = false, searches = false;
  template <class Visitor>
  static SINEW_INLINE void visit(MaterialKind, Visitor&&) {}
};
using vertex_kernel::EveryFormula;

// Moves the vertices from `first_slot` on, which share no element, or with forces_only writes their forces to `moved`.
template <class Real, class Formulas, bool forces_only>
struct MoveVertices {
  DeviceVertexSweep<Real> sweep;
  int64_t first_slot = 0;

  SINEW_INLINE void operator()(int64_t i) const {
    const int64_t slot = first_slot + i;
    vertex_kernel::move_batch<Real, forces_only, Formulas>(
        sweep, Batch<Real, device_lanes>{slot / device_lanes, static_cast<int>(slot % device_lanes)});
  }
};

}  // namespace sinew
