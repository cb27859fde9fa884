// A coarse space for solvers by vertices: trilinear functions on a lattice of cubes laid around the bodies at rest
// (lattice_cells.h).
//
//   x = x_0 + P u,   (P u)_i = sum_a N_a(X_i) u_a   of free vertices, 0 of held ones, its free part of those that glide
//
// u_a is a displacement of node a; the N_a sum to 1 and contain all affine motions of the rest shape. The matrix, about
// P^T H P, is made cell by cell from moments of its tets (lattice_moments.h), turned as the cell has turned and with
// the volumetric part of stretched ones,
//   A_ab = R (K_ab - (lambda + mu) G_ab) R^T + C (lambda + mu) G_ab C^T + m_ab/h^2 1,   F = U S V^T the cell's mean,
//   R = U V^T,   C = cof(U max(S, 1) V^T),
// positive semi-definite at any state, and solved about by V-cycles (lattice_cycle.h). Damping by the rate of strain
// (element/strain_rate.h) adds F^t K_ab F^tT with moments of its own and the cell's mean F^t at the start of the step.
// Ties add their own stiffness,
// and so does whatever else `add_pair` names, also between bodies.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "exec/buffer.h"
#include "exec/thread_pool.h"
#include "model/step_problem.h"
#include "solver/multilevel/lattice_cells.h"
#include "solver/multilevel/lattice_cycle.h"
#include "solver/multilevel/lattice_glides.h"
#include "solver/multilevel/lattice_moments.h"
#include "solver/multilevel/lattice_sweep.h"

namespace sinew {

class Lattice {
 public:
  // `wanted`: of each body, whether it gets a lattice; `spacing`: edges of a cube in mean distances of vertices. The
  // model and the kernels must outlive it.
  void prepare(const Model& model, const Bodies& bodies, std::span<const uint8_t> wanted, double spacing,
               const LatticeKernels& kernels, ThreadPool& pool);
  // Takes note of who is held, of the step's inertia, of what muscles do and of what is damped.
  void begin_step(const StepProblem& problem, ThreadPool& pool);

  bool has_glides() const { return !glides_.empty(); }

  // Pairs that are in the matrix from the next `refresh` on: a stiffness K [N/m] between points that are sums of
  // vertices, sum_j w_j x_j; symmetric and positive semi-definite. Slots without a lattice, or held, count for nothing.
  void clear_pairs() { pairs_.clear(); }
  void add_pair(std::span<const int32_t> slots, std::span<const double> weights, const Mat3d& stiffness);

  // The matrix anew, at these positions. False if it is not finite.
  template <class Real>
  bool refresh(std::span<const Vec4<Real>> x, ThreadPool& pool);
  // u = A^-1 P^T forces, about, where the forces of held vertices are 0. Returns forces . P u [J], twice the decrease
  // of the energy that it promises.
  template <class Real>
  double solve(std::span<const Vec4<Real>> forces, int cycles, ThreadPool& pool);
  // forces . P u with other forces: the slope of the energy along P u, negated.
  template <class Real>
  double slope(std::span<const Vec4<Real>> forces, ThreadPool& pool);
  // Where a correction turns cells far, as of a body that bends under its weight, they are to turn along circles and
  // not along lines, or the body would be stretched. find_turns looks at the correction that `solve` has found, and
  // returns the mean rotation of its cells [rad]. curve(s) makes it s u + w: w is what brings the cells nearest, in
  // their own stiffness, to the gradients exp(s [omega]) (1 + s epsilon) F, where grad u F^-1 = [omega] + epsilon, as
  // in rotation-strain extrapolation (Huang, Tong, Zhou, Bao & Desbrun 2011).
  double find_turns(ThreadPool& pool);
  void curve(double s, int cycles, ThreadPool& pool);

  // x += scale P u.
  template <class Real>
  void move(std::span<Vec4<Real>> x, double scale, ThreadPool& pool) const;

  // For what is worked out vertex by vertex in the order of the cells (mixing.h): all vertices that have mass, also
  // those without a lattice.
  Members members() const { return {groups_.data(), member_slots_.data(), places_.data()}; }
  int64_t cell_count() const { return static_cast<int64_t>(groups_.size()); }
  int64_t group_count() const { return static_cast<int64_t>(member_slots_.size()) / member_group; }
  std::span<const Vec4<float>> correction() const { return cycle_.left(); }

  int32_t node_count() const { return cells_.node_count; }
  const LatticeCells& cells() const { return cells_; }
  const LatticeCycle& cycle() const { return cycle_; }
  LatticeCycle& cycle() { return cycle_; }
  size_t memory_bytes() const;

 private:
  struct Pair {
    NodeCoupling coupling;
    Mat3<float> stiffness;
  };
  void make_members();
  void make_rims(ThreadPool& pool);
  void prepare_cycle();
  NodeCoupling coupling_of(std::span<const int32_t> slots, std::span<const double> weights) const;
  template <class Real>
  void restrict_forces(std::span<const Vec4<Real>> forces, ThreadPool& pool);
  template <class Real>
  void add_ties(std::span<const Vec4<Real>> x, ThreadPool& pool);
  template <class Real>
  Mat3d stiffness_of(int32_t tie, std::span<const Vec4<Real>> x) const;
  void find_damping(const StepProblem& problem, ThreadPool& pool);
  void add_damping(ThreadPool& pool);
  void add_gliding_tie(int32_t cell, const LatticeCells::Share& tie, const Mat3d& k, Vec4<float>* matrix) const;
  void add_shares(ThreadPool& pool);
  double product() const;

  const Model* model_ = nullptr;
  const LatticeKernels* kernels_ = nullptr;
  LatticeCells cells_;
  LatticeMoments moments_;
  LatticeGlides glides_;
  LatticeCycle cycle_;

  // Members of each cell; then vertices without one.
  std::vector<CellMembers> groups_;
  std::vector<int32_t> member_slots_;
  Buffer<float> places_;

  // The mean F of a cell's tets is sum x_i b_i^T over the vertices of their boundary.
  std::vector<int32_t> rim_begin_, rim_slots_;
  std::vector<uint8_t> plane_;  // of each cell: its elements are triangles
  Buffer<float> rim_, deformation_;
  Buffer<Vec4<float>> matrices_;

  std::vector<Mat3<float>> before_;  // F^t of each cell; empty: no element is damped by the rate of strain

  std::vector<NodeCoupling> tie_couplings_;  // of ties between cells that do not touch
  std::vector<Pair> pairs_;
  std::vector<uint8_t> held_;
  // When to leave off (lattice_cycle.h): sweeps soon undo what is too little in a step, and not in an equilibrium.
  double small_gain_ = 0.1;
  std::vector<double> activation_;
  std::vector<Mat3d> tie_damping_;  // the block of each tie's damping [N/m]; empty: there is none

  struct Bend {
    Mat3d f, strain;
    Vec3d rotation;
  };
  std::vector<Bend> bends_;            // of each cell in the correction
  std::vector<Vec4<float>> straight_;  // that correction

  Buffer<Vec4<float>> shares_;  // of P^T forces, by cell and corner
  std::vector<int32_t> share_begin_, shares_of_;
};

}  // namespace sinew
