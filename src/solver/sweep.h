// The sweep kernels, as the solvers call them. A kernel processes a range of batches of one colour. Its body is written
// once over the lane type (vertex_kernel.h, constraint_kernel.h, fp_kernel.h) and compiled for each instruction set
// (kernels_*.cpp, vertex_kernels_*.cpp), those by constraint also for each material (constraint_table.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "material/material_kind.h"
#include "math/lane.h"
#include "model/constraint_stream.h"
#include "model/quadratic_stream.h"
#include "model/vertex_glides.h"
#include "model/vertex_stream.h"
#include "model/vertex_ties.h"
#include "solver/multilevel/lattice_sweep.h"

namespace sinew {

// The vertex stiffness K per rest volume: the exact d2 psi / dx_i^2, or PBNG's block (Chen et al. 2023, eq. 49;
// material/material.h), which is stiffer; or none, if only forces are needed.
enum class NodalStiffness { exact, stiffer, none };

inline constexpr int rows_of_sums = 3;  // of four numbers: what ties add to a vertex

// What a kernel works on: all W lanes of a batch, or one of them, as a thread of a GPU does. Lanes have a vertex each,
// or on a GPU each `team` of them one.
template <class T, int W, bool whole = lane_count<T> == W>
struct Batch {
  static constexpr int lane = 0;
  int64_t number;
  SINEW_INLINE int64_t first_lane() const { return number * W; }
  SINEW_INLINE int64_t slot() const { return number * W; }
  SINEW_INLINE int64_t owner() const { return number; }  // of lists by batch, which on a GPU are by slot
};
template <class T, int W>
struct Batch<T, W, false> {
  static_assert(lane_count<T> == 1);
  int64_t number;
  int lane;
  int team_bits = 0;  // teams are of 2^team_bits
  SINEW_INLINE int64_t first_lane() const { return number * W + lane; }
  SINEW_INLINE int64_t slot() const { return first_lane() >> team_bits; }
  SINEW_INLINE int64_t owner() const { return slot(); }
};

// Quadratic tetrahedra of one block, for a sweep by vertex (by_vertex/quadratic_kernel.h).
template <class Real, class Node = uint16_t>
struct QuadraticBlock {
  ElasticBlock block;
  PointMaterial points;
  VertexLayout layout = VertexLayout::frames;
  const int32_t* row_begin = nullptr;
  const int32_t* middle_begin = nullptr;
  const Node* nodes = nullptr;
  const int32_t* elements = nullptr;
  const uint32_t* first_visits = nullptr;
  const Real* numbers = nullptr;
  const Real* laplacian = nullptr;
  // The pressure of the mean J [Pa]: pressures[element] + slope (Jm - 1). Null: 0 and lambda_m.
  Real* pressures = nullptr;
  double slope = 0, shrink = 1;
  bool updates = false;  // each tet's first visit brings its multiplier up to date (by_vertex/quadratic_pressure.h)
};

// Of tets [first, last) of a block, counted from its first (by_vertex/quadratic_pressure.h).
template <class Real>
struct PressureUpdate {
  const Tet* tets = nullptr;
  const Middles* middles = nullptr;
  const Real* inverse_volumes = nullptr;  // 1/(6 V)
  const Vec4<Real>* x = nullptr;
  const Vec4<Real>* base = nullptr;  // what x is relative to; or null
  double slope = 0, shrink = 1;      // k [Pa], s
  Real* pressures = nullptr;         // s p [Pa]
  // PositionsAhead of the block; or null.
  const int32_t* ahead_begin = nullptr;
  const int32_t* ahead_slots = nullptr;
};

// A sweep by vertex (Chen et al. 2024, VBD). For each vertex
//   f = m (y - x)/h^2 - sum V P g + damping,  H = m/h^2 1 + sum V K,  x += relaxation H^-1 f,
// where each tie at the vertex adds - s phi'(C) to f and s^2 phi''(C) to H (element/tie.h), and each grab s k' (b - C)
// and s^2 k' (model/grab.h).
template <class Real>
struct VertexSweep {
  const VertexStreamView<Real>* blocks = nullptr;
  int block_count = 0;
  const QuadraticBlock<Real>* quadratic = nullptr;
  int quadratic_count = 0;
  const VertexTiesView<Real>* ties = nullptr;  // null: no ties
  // What ties add to the vertices of the colour: rows_of_sums rows each, from the vertex first_sum on (tie_kernel.h).
  Vec4<Real>* tie_sums = nullptr;
  // What is quadratic in the vertex: damping of ties, and grabs (by_vertex/vertex_grabs.h). Null: there is neither.
  Vec4<Real>* quadratic_sums = nullptr;
  const uint8_t* has_quadratic = nullptr;  // of each batch
  // What contacts add (by_vertex/vertex_contacts.h). Null: there are none.
  Vec4<Real>* contact_sums = nullptr;
  const uint8_t* has_contact = nullptr;  // of each batch
  bool ties_are_damped = false;          // any of them
  int64_t first_sum = 0;
  const VertexGlidesView<Real>* glides = nullptr;  // null: no vertex glides
  const Real* activation = nullptr;                // [-] of the muscles, in the order in which the ties count them
  // The arrays are indexed by the corners of the streams: a cluster's own vertices and its halo, or the whole mesh if
  // it is one cluster.
  const Vec4<Real>* x = nullptr;       // w = 1/m; 0 if held
  const Vec4<Real>* base = nullptr;    // in equilibria, where x are displacements from it [m]; null: x are positions
  Vec4<Real>* moved = nullptr;         // receives the new positions: x itself (Gauss-Seidel), or another array (Jacobi)
  const Vec4<Real>* x_prev = nullptr;  // positions at the start of the step; read only if something is damped
  int64_t first_slot = 0;              // the slot of x[0], moved[0] and x_prev[0]
  int64_t own_count = 0;               // of the cluster's own slots, from first_slot on
  const Vec4<Real>* target = nullptr;  // by slot; backward Euler: (y, m/h^2); quasistatic: (f_ext, 0)
  Real inverse_h = 0;
  bool quasistatic = false;
  bool own_block_damping = false;
  NodalStiffness stiffness = NodalStiffness::exact;
  bool diagonal = false;  // use only the diagonal of H
  Real relaxation = 1;    // [-] at most 1 for what touches
  bool line_search = false;
  bool residual = false;  // write the forces out of balance [N], 0 at held vertices, to `moved` instead of positions
  Real singular = 0;      // vertices with |det H| <= singular |H|^3 are skipped

  SINEW_INLINE int64_t own(int64_t slot) const { return slot - first_slot; }
};

// The ends of contacts at vertices, for what they add to a sweep by vertex (by_vertex/contact_kernel.h). Vertices that
// have any are the places [0, n), by slot; place n stands for what does not move.
inline constexpr int rows_of_contact = 4;
template <class Real>
struct ContactEnds {
  const Vec4<Real>* rows =
      nullptr;  // of each contact: (n, d), (slip, share), (r, k, floor, mu), (s_1, s_2, s_3, creep)
  const std::array<int32_t, 4>* places = nullptr;  // of each contact's vertices
  const int32_t* begin = nullptr;                  // the first end of each place, and the end
  // Of each end, by place: its slot, its contact, s_j, and what the square of that is replaced by.
  const int32_t *slots = nullptr, *contacts = nullptr;
  const Real *weights = nullptr, *sizes = nullptr;
  // [m] How far the vertex of each place has moved since its contacts were found: those of the sweep's own places, and
  // of others when the phase began; null: all are its own.
  const Vec4<Real>*ways = nullptr, *ways_elsewhere = nullptr;
  int32_t first_own = 0, last_own = 0;
};

// Of tets on a grid (by_constraint/patch_layout.h).
template <class Real>
struct PatchLayout;

// A sweep by constraint (Macklin et al. 2016, XPBD). For each constraint of each tet
//   dl = (-C - a l) / (sum w |grad C|^2 + a),  l += dl,  x += w grad C dl,   a = 1 / (stiffness V h^2),
// or the same with the strain of the tet as one constraint (strain_constraint.h).
template <class Real>
struct ConstraintSweep {
  const ConstraintStream<Real>* block = nullptr;  // null on GPUs, whose kernels have a view of it
  Vec4<Real>* x = nullptr;                        // w = 1/m; 0 if held
  Real* multipliers = nullptr;                    // of this block: batches x multiplier_count x W
  Real h2 = 0;                                    // h^2 [s^2]
  const PatchLayout<Real>* patches = nullptr;     // of blocks on a grid, whose nodes x are
  bool backward = false;                          // their tets last to first
};

// The same sweep, if tets that share vertices are processed at once (constraint_order.h): x stays fixed and its changes
// are summed.
template <class Real>
struct AtOnceSweep : ConstraintSweep<Real> {
  Vec4<Real>* sums = nullptr;
  Real scale = 1;  // of all changes, including those of multipliers
};

// The same sweep, if each constraint also stores the impulses that it has applied to its corners (blended_rule.h).
inline constexpr int stored_impulses = 9;  // per constraint: the impulses of its first three corners
template <class Real>
struct BlendedSweep : ConstraintSweep<Real> {
  Real* impulses = nullptr;  // [kg m] of this block: batches x constraint_count x stored_impulses x W
  // 1 - zeta = relaxation / (1 + caution k)
  Real relaxation = 1, caution = 1;
};
// The same sweep without multipliers (rigid_rule.h).
template <class Real>
struct RigidSweep : ConstraintSweep<Real> {
  Real share = 1;  // share of each constraint that is removed
};
// The same sweep with one constraint per tet, the root of its energy (energy_root.h).
template <class Real>
struct EnergyRootSweep : ConstraintSweep<Real> {};

// Moves positions by the multipliers of a sweep by constraint: x += w l grad C(at).
template <class Real>
struct MultiplierSweep {
  const ConstraintStream<Real>* block = nullptr;  // null on GPUs
  const Vec4<Real>* at = nullptr;
  Vec4<Real>* x = nullptr;            // w = 1/m; 0 if held
  const Real* multipliers = nullptr;  // as in ConstraintSweep
};

// A sweep by the stresses of the tets (Chen et al. 2024, PXPBD, section 3.3.3): each tet updates the stress that it
// exerts.
template <class Real>
struct StressSweep {
  const ConstraintStream<Real>* block = nullptr;
  Vec4<Real>* x = nullptr;   // w = 1/m; 0 if held
  Real* stresses = nullptr;  // of this block: batches x 9 x W, by columns, in the axes of the rest frames [Pa]
  Real h2 = 0;               // h^2 [s^2]
  int local_iterations = 1;  // per visit to a tet
};

// The same over quadratic tets (by_constraint/quadratic_sweep.h).
template <class Real>
struct QuadraticConstraintKernels;

// The sweeps by constraint over tets of one material. Null: it has no such constraints.
template <class Real>
struct ConstraintKernels {
  template <template <class> class Sweep>
  using Kernel = void (*)(const Sweep<Real>&, int64_t first_batch, int64_t last_batch);

  Kernel<ConstraintSweep> compliant = nullptr;
  Kernel<AtOnceSweep> at_once = nullptr;
  Kernel<BlendedSweep> blended = nullptr;
  Kernel<RigidSweep> rigid = nullptr;
  Kernel<EnergyRootSweep> energy_root = nullptr;
  Kernel<MultiplierSweep> multiplier = nullptr;
  Kernel<ConstraintSweep> compliant_on_grid = nullptr;  // of groups of patches in place of batches, as the next
  Kernel<BlendedSweep> blended_on_grid = nullptr;
  Kernel<StressSweep> stress = nullptr;
  Kernel<StressSweep> stress_impulses = nullptr;  // only x -= w h^2 V P g_i
  const QuadraticConstraintKernels<Real>* quadratic = nullptr;
};
template <class Real>
using ConstraintKernelsByMaterial = std::array<const ConstraintKernels<Real>*, material_count>;

struct Kernels {
  const char* name;  // "scalar", "sse", "avx2", "avx512"
  int float_lanes, double_lanes;
  // What ties add to the vertices of a colour, before `vertex` moves these.
  void (*ties_float)(const VertexSweep<float>&, int64_t first_pack, int64_t last_pack);
  void (*ties_double)(const VertexSweep<double>&, int64_t first_pack, int64_t last_pack);
  // What contacts add to the vertices at some places.
  void (*contacts_float)(const VertexSweep<float>&, const ContactEnds<float>&, int32_t first, int32_t last);
  void (*contacts_double)(const VertexSweep<double>&, const ContactEnds<double>&, int32_t first, int32_t last);
  void (*vertex_float)(const VertexSweep<float>&, int64_t first_batch, int64_t last_batch);
  void (*vertex_double)(const VertexSweep<double>&, int64_t first_batch, int64_t last_batch);
  void (*pressures_float)(const PressureUpdate<float>&, int64_t first, int64_t last);
  void (*pressures_double)(const PressureUpdate<double>&, int64_t first, int64_t last);
  ConstraintKernelsByMaterial<float> constraint_float;
  ConstraintKernelsByMaterial<double> constraint_double;
  LatticeKernels lattice;

  template <class Real>
  int lanes() const {
    return sizeof(Real) == 4 ? float_lanes : double_lanes;
  }
  template <class Real>
  const ConstraintKernels<Real>& constraint(MaterialKind kind) const {
    const auto k = static_cast<size_t>(kind);
    if constexpr (sizeof(Real) == 4) {
      return *constraint_float[k];
    } else {
      return *constraint_double[k];
    }
  }
  void pressures(const PressureUpdate<float>& u, int64_t first, int64_t last) const { pressures_float(u, first, last); }
  void pressures(const PressureUpdate<double>& u, int64_t first, int64_t last) const {
    pressures_double(u, first, last);
  }
  void ties(const VertexSweep<float>& s, int64_t first, int64_t last) const { ties_float(s, first, last); }
  void ties(const VertexSweep<double>& s, int64_t first, int64_t last) const { ties_double(s, first, last); }
  void contacts(const VertexSweep<float>& s, const ContactEnds<float>& ends, int32_t first, int32_t last) const {
    contacts_float(s, ends, first, last);
  }
  void contacts(const VertexSweep<double>& s, const ContactEnds<double>& ends, int32_t first, int32_t last) const {
    contacts_double(s, ends, first, last);
  }
  void vertex(const VertexSweep<float>& s, int64_t first, int64_t last) const { vertex_float(s, first, last); }
  void vertex(const VertexSweep<double>& s, int64_t first, int64_t last) const { vertex_double(s, first, last); }
};

// The kernels with 1 (scalar), 4, 8 or 16 single-precision lanes; 0: with those in use (sinew/lanes.h). Null if the CPU
// does not support them or they were not built.
const Kernels* kernels_with_lanes(int float_lanes);

}  // namespace sinew
