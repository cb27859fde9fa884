// A coarse space for solvers by vertex: trilinear functions on a lattice of cubes around the bodies at rest
// (lattice_cells.h).
//
//   x = x_0 + P u,   (P u)_i = sum_a N_a(X_i) u_a   for free vertices, its free part for gliding ones, 0 for held ones
//
// u_a is the displacement of node a; the N_a sum to 1 and contain all affine motions of the rest shape. The matrix
// approximates P^T H P. It is computed cell by cell from moments of the tets (lattice_moments.h), rotated with the cell
// and with the volumetric part of stretched cells,
//   A_ab = R (K_ab - (lambda + mu) G_ab) R^T + C (lambda + mu) G_ab C^T + m_ab/h^2 1,   F = U S V^T the cell's mean,
//   R = U V^T,   C = cof(U max(S, 1) V^T).
// It is positive semi-definite at any state, and solved approximately by V-cycles (lattice_cycle.h). Damping by the
// rate of strain (element/strain_rate.h) adds F^t K_ab F^tT, with its own moments and the cell's mean F^t at the start
// of the step. Quadratic tets that cross the faces of cubes resist kinks there (lattice_kinks.h). Ties add their own
// stiffness, as does any other pair of points added by `add_pair`, also between bodies.
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

// Errors: more cells than the lattice can have.
Status check_lattice_size(const Model& model, double spacing);

class Lattice {
 public:
  // `wanted`: for each body, whether it gets a lattice; `spacing`: the edge of a cube in mean distances of vertices.
  // `multipliers`: whether the sweeps have those of quadratic tets. The model and the kernels must outlive the lattice.
  void prepare(const Model& model, const Bodies& bodies, std::span<const uint8_t> wanted, double spacing,
               const LatticeKernels& kernels, ThreadPool& pool, bool multipliers = true);
  // Reads the held vertices, inertia, activations and damping of the step.
  void begin_step(const StepProblem& problem, ThreadPool& pool);

  bool has_glides() const { return !glides_.empty(); }
  // Whether ties or gliding vertices are part of the matrix.
  bool has_more_than_cells() const { return has_glides() || !cells_.ties.items.empty() || !cells_.far_ties.empty(); }

  // Pairs of points with a stiffness K [N/m] between them, which must be symmetric and positive semi-definite. They are
  // in the matrix from the next `refresh` on. Points are weighted sums of vertices, sum_j w_j x_j; slots that are held
  // or without lattice do not count.
  void clear_pairs() { pairs_.clear(); }
  void add_pair(std::span<const int32_t> slots, std::span<const double> weights, const Mat3d& stiffness);

  // Recomputes the matrix at these positions. False if it is not finite.
  template <class Real>
  bool refresh(std::span<const Vec4<Real>> x, ThreadPool& pool);
  // u = A^-1 P^T forces, approximately; the forces on held vertices must be 0. Returns forces . P u [J], twice the
  // expected decrease of energy.
  template <class Real>
  double solve(std::span<const Vec4<Real>> forces, int cycles, ThreadPool& pool);
  // forces . P u with other forces: the negative slope of the energy along P u.
  template <class Real>
  double slope(std::span<const Vec4<Real>> forces, ThreadPool& pool);
  // If a correction rotates cells far, as in a body that bends under its weight, they must move along circles, because
  // straight lines would stretch the body. find_turns examines the correction that `solve` found, and returns the root
  // mean square rotation of its cells [rad]. curve(s) replaces it by s u + w, where w brings the cells nearest, in the
  // norm of their stiffness, to the gradients exp(s [omega]) (1 + s epsilon) F, with grad u F^-1 = [omega] + epsilon,
  // as in rotation-strain extrapolation (Huang, Tong, Zhou, Bao & Desbrun 2011).
  double find_turns(ThreadPool& pool);
  void curve(double s, int cycles, ThreadPool& pool);

  // x += scale P u.
  template <class Real>
  void move(std::span<Vec4<Real>> x, double scale, ThreadPool& pool) const;

  // For computations vertex by vertex in the order of the cells (mixing.h): all vertices with mass, including those
  // without a lattice.
  Members members() const { return {groups_.data(), member_slots_.data(), places_.data()}; }
  int64_t cell_count() const { return static_cast<int64_t>(groups_.size()); }
  int64_t group_count() const { return static_cast<int64_t>(member_slots_.size()) / member_group; }
  std::span<const Vec4<float>> correction() const { return cycle_.left(); }

  // For devices (cuda/device_lattice.h), which have their own copies.
  struct Arrays {
    std::span<const CellMembers> cells;  // those of the lattice, then groups of vertices without one
    std::span<const int32_t> slots;
    std::span<const float> places;
    std::span<const int32_t> rim_begin, rim_slots;
    std::span<const uint8_t> plane;
    std::span<const float> rim;
    std::span<const int32_t> share_begin, shares;  // for each place, corners of cells
    std::span<const Mat3<float>> before;
    std::span<const Glide> glides;
  };
  Arrays arrays() const {
    return {groups_, member_slots_, places_,    rim_begin_, rim_slots_,   plane_,
            rim_,    share_begin_,  shares_of_, before_,    glides_.all()};
  }
  const LatticeMoments& moments() const { return moments_; }
  double small_gain() const { return small_gain_; }

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

  // The members of each cell, then vertices without a cell.
  std::vector<CellMembers> groups_;
  std::vector<int32_t> member_slots_;
  Buffer<float> places_;

  // The mean F of a cell's tets is sum x_i b_i^T over the vertices on their boundary.
  std::vector<int32_t> rim_begin_, rim_slots_;
  std::vector<uint8_t> plane_;  // for each cell: whether its elements are triangles
  Buffer<float> rim_, deformation_;
  Buffer<Vec4<float>> matrices_;

  std::vector<Mat3<float>> before_;  // F^t of each cell; empty: no element is damped by the rate of strain

  std::vector<NodePair> kinks_;              // lattice_kinks.h
  bool has_new_kinks_ = false;               // that the cycle does not know
  std::vector<NodeCoupling> tie_couplings_;  // ties between cells that do not touch
  std::vector<Pair> pairs_;
  std::vector<uint8_t> held_;
  // When to stop cycles (lattice_cycle.h): in a step, sweeps soon undo small gains; in an equilibrium they do not.
  double small_gain_ = 0.1;
  std::vector<double> activation_;
  std::vector<Mat3d> tie_damping_;  // damping block of each tie [N/m]; empty: no tie is damped

  struct Bend {
    Mat3d f, strain;
    Vec3d rotation;
  };
  std::vector<Bend> bends_;            // of each cell, in the correction
  std::vector<Vec4<float>> straight_;  // the correction along straight lines

  Buffer<Vec4<float>> shares_;  // of P^T forces, by cell and corner
  std::vector<int32_t> share_begin_, shares_of_;
};

}  // namespace sinew
