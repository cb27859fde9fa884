// The sweeps, as the solvers see them. A kernel treats a range of batches of one colour; its body is written once
// over the lane type (vertex_kernel.h, constraint_kernel.h, fp_kernel.h) and compiled per instruction set
// (kernels_*.cpp).
#pragma once

#include <cstdint>
#include <string_view>

#include "math/lane.h"
#include "model/constraint_stream.h"
#include "model/vertex_glides.h"
#include "model/vertex_stream.h"
#include "model/vertex_ties.h"
#include "solver/multilevel/lattice_sweep.h"

namespace sinew {

// The block K of a vertex's own stiffness per rest volume: d2 psi / dx_i^2 as it is, or PBNG's (Chen et al. 2023, eq.
// 49; material/material.h), which is stiffer; or none, where only forces are asked for.
enum class NodalStiffness { exact, stiffer, none };

// A sweep by vertices (Chen et al. 2024, VBD): for each vertex
//   f = m (y - x)/h^2 - sum V P g + damping,  H = m/h^2 1 + sum V K,  x += relaxation H^-1 f,
// and of each tie at the vertex - s phi'(C) and s^2 phi''(C) (element/tie.h).
inline constexpr int rows_of_sums = 3;  // of four numbers: what ties add to a vertex
template <class Real>
struct VertexSweep {
  const VertexStream<Real>* blocks = nullptr;
  int block_count = 0;
  const VertexTies<Real>* ties = nullptr;  // null: there are none
  // Of the vertices of the colour, from the one that x counts as first_sum on: rows_of_sums each (tie_kernel.h).
  Vec4<Real>* tie_sums = nullptr;
  Vec4<Real>* viscous_sums = nullptr;  // null: no tie is damped
  int64_t first_sum = 0;
  const VertexGlides<Real>* glides = nullptr;  // null: none glides
  const Real* activation = nullptr;            // [-] of muscles, as the ties number them
  // As the streams' corners count them: a cluster's own vertices and its halo, or the whole of a mesh of one cluster.
  const Vec4<Real>* x = nullptr;       // w = 1/m, 0: held
  const Vec4<Real>* base = nullptr;    // in equilibria: x are displacements from here [m]; null: positions
  Vec4<Real>* moved = nullptr;         // where the new positions go: x itself (Gauss-Seidel), or elsewhere (Jacobi)
  const Vec4<Real>* x_prev = nullptr;  // positions at the start of the step; used where something is damped
  int64_t first_slot = 0;              // of x[0], moved[0] and x_prev[0]
  const Vec4<Real>* target = nullptr;  // by slot; backward Euler: (y, m/h^2); quasistatic: (f_ext, 0)
  Real inverse_h = 0;
  bool quasistatic = false;
  bool own_block_damping = false;
  NodalStiffness stiffness = NodalStiffness::exact;
  bool diagonal = false;  // of H only its diagonal
  Real relaxation = 1;    // [-]
  bool line_search = false;
  bool residual = false;  // `moved` gets the forces out of balance [N], 0 at held vertices, in place of positions
  Real singular = 0;      // a vertex with |det H| <= singular |H|^3 is skipped

  SINEW_INLINE int64_t own(int64_t slot) const { return slot - first_slot; }
};

// A sweep by constraints (Macklin et al. 2016, XPBD): for each constraint of each tet
//   dl = (-C - a l) / (sum w |grad C|^2 + a),  l += dl,  x += w grad C dl,   a = 1 / (stiffness V h^2),
// or by its strain as one constraint (strain_constraint.h).
template <class Real>
struct ConstraintSweep {
  const ConstraintStream<Real>* block = nullptr;
  Vec4<Real>* x = nullptr;      // w = 1/m, 0: held
  Real* multipliers = nullptr;  // of this block: batches x multiplier_count x W
  Real h2 = 0;                  // h^2 [s^2]
};

// The same where tets that share vertices are treated at once (constraint_order.h): x stays, and its changes are added
// up.
template <class Real>
struct AtOnceSweep : ConstraintSweep<Real> {
  Vec4<Real>* sums = nullptr;
  Real scale = 1;  // of all changes, those of multipliers included
};

// The same where each constraint also keeps the impulses that it has given its corners (blended_rule.h).
inline constexpr int stored_impulses = 9;  // numbers a constraint: of its first three corners
template <class Real>
struct BlendedSweep : ConstraintSweep<Real> {
  Real* impulses = nullptr;  // [kg m] of this block: batches x constraint_count x stored_impulses x W
  // 1 - zeta = relaxation / (1 + caution k)
  Real relaxation = 1, caution = 1;
};
// Without multipliers (rigid_rule.h).
template <class Real>
struct RigidSweep : ConstraintSweep<Real> {
  Real share = 1;  // of each constraint that is taken away
};
// With one constraint a tet, the root of its energy (energy_root.h).
template <class Real>
struct EnergyRootSweep : ConstraintSweep<Real> {};

// What the multipliers of a sweep by constraints do to positions: x += w l grad C(at).
template <class Real>
struct MultiplierSweep {
  const ConstraintStream<Real>* block = nullptr;
  const Vec4<Real>* at = nullptr;
  Vec4<Real>* x = nullptr;            // w = 1/m, 0: held
  const Real* multipliers = nullptr;  // as ConstraintSweep
};

// A sweep by the stresses of the tets (Chen et al. 2024, PXPBD, section 3.3.3): each tet finds the stress that it
// exerts anew.
template <class Real>
struct StressSweep {
  const ConstraintStream<Real>* block = nullptr;
  Vec4<Real>* x = nullptr;   // w = 1/m, 0: held
  Real* stresses = nullptr;  // of this block: batches x 9 x W, by columns, in the axes of the rest frames [Pa]
  Real h2 = 0;               // h^2 [s^2]
  int local_iterations = 1;  // of each visit to a tet
};

// A kernel by constraints, in both precisions.
template <template <class> class Sweep>
struct ConstraintKernel {
  void (*in_float)(const Sweep<float>&, int64_t first_batch, int64_t last_batch);
  void (*in_double)(const Sweep<double>&, int64_t first_batch, int64_t last_batch);

  void operator()(const Sweep<float>& s, int64_t first, int64_t last) const { in_float(s, first, last); }
  void operator()(const Sweep<double>& s, int64_t first, int64_t last) const { in_double(s, first, last); }
};

struct Kernels {
  const char* name;  // "scalar", "sse", "avx2", "avx512"
  int float_lanes, double_lanes;
  // What ties add to the vertices of a colour, before `vertex` moves these.
  void (*ties_float)(const VertexSweep<float>&, int64_t first_pack, int64_t last_pack);
  void (*ties_double)(const VertexSweep<double>&, int64_t first_pack, int64_t last_pack);
  void (*vertex_float)(const VertexSweep<float>&, int64_t first_batch, int64_t last_batch);
  void (*vertex_double)(const VertexSweep<double>&, int64_t first_batch, int64_t last_batch);
  ConstraintKernel<ConstraintSweep> compliant;
  ConstraintKernel<AtOnceSweep> at_once;
  ConstraintKernel<BlendedSweep> blended;
  ConstraintKernel<RigidSweep> rigid;
  ConstraintKernel<EnergyRootSweep> energy_root;
  ConstraintKernel<MultiplierSweep> multiplier;
  ConstraintKernel<StressSweep> stress;
  ConstraintKernel<StressSweep> stress_impulses;  // x -= w h^2 V P g_i, and no more
  LatticeKernels lattice;

  template <class Real>
  int lanes() const {
    return sizeof(Real) == 4 ? float_lanes : double_lanes;
  }
  void ties(const VertexSweep<float>& s, int64_t first, int64_t last) const { ties_float(s, first, last); }
  void ties(const VertexSweep<double>& s, int64_t first, int64_t last) const { ties_double(s, first, last); }
  void vertex(const VertexSweep<float>& s, int64_t first, int64_t last) const { vertex_float(s, first, last); }
  void vertex(const VertexSweep<double>& s, int64_t first, int64_t last) const { vertex_double(s, first, last); }
};

// By number of single-precision lanes: 1 (scalar), 4, 8, 16; 0: those in use (sinew/lanes.h). Null if the CPU lacks it
// or it was not built.
const Kernels* kernels_with_lanes(int float_lanes);

}  // namespace sinew
