// Multilevel vertex descent: sweeps of VBD, each few of which are followed by a correction of the motions of whole
// regions, which sweeps reduce slowly: a Newton step in the space of a lattice (solver/multilevel/lattice.h), with
// Anderson mixing of the iterations (solver/multilevel/mixing.h). Among two-level methods it is a nonlinear one with a
// Galerkin correction that is linearized about the current state.
//
//   iterate:  sweeps of VBD with over-relaxation
//             f = forces out of balance;  u = A^-1 P^T f by V-cycles;  x += P u, shortened if the slope demands it
//             x = mixing of the last iterations
//
// Soft bodies need no corrections, because information travels through them in a few sweeps. They are swept without
// them and over-relaxed by their kappa (solver/multilevel/bodies.h), if kappa promises convergence in fewer than about
// 25 sweeps.
#pragma once

#include <memory>
#include <vector>

#include "solver/by_vertex/vertex_solver.h"
#include "solver/linear_solver.h"
#include "solver/multilevel/corrected_bodies.h"
#include "solver/multilevel/lattice.h"
#include "solver/multilevel/mixing.h"
#include "solver/multilevel/multilevel_rules.h"
#include "solver/solver.h"

namespace sinew {

template <class Real>
class Multilevel : public VertexSolver<Real> {
 public:
  explicit Multilevel(const MultilevelOptions& options);
  Status check(const Model& model) const override;
  void prepare(const Model& model, ThreadPool& pool) override;
  bool take_parameters(const Model& model) override;
  void begin_step(const Objective& objective) override;
  void iterate() override;
  void positions(std::span<Vec3d> x) const override;
  CorrectionCounts corrections() const override { return counts_; }
  std::optional<double> residual_estimate() override;
  double position_rounding() const override;
  size_t memory_bytes() const override;

 private:
  double find_correction();
  void couple_contacts();
  void step_measured(double promise);
  void step_curved(double promise, double turn);
  void correct();
  void give_up_corrections(bool from_start);
  void measure();
  void keep(std::vector<double>& pressures) { VertexSolver<Real>::pressures(pressures); }
  std::span<Vec4<Real>> iterate_span() { return {this->iterate_now().x.data(), this->iterate_now().x.size()}; }
  std::span<const Vec4<Real>> positions_now();
  std::span<const Vec4<Real>> forces_now() const { return {forces_.data(), forces_.size()}; }

  MultilevelOptions options_;
  const Model* model_ = nullptr;
  CorrectedBodies bodies_;
  Lattice lattice_;
  Mixing<Real> mixing_;
  Buffer<Vec4<Real>> forces_, before_, where_;
  Buffer<Vec4<Real>> start_, start_base_;  // of this step
  // Multipliers of quadratic tets at the start of this step, of this iteration, and of that before.
  std::vector<double> start_pressures_, pressures_now_, pressures_before_;

  // State of this step.
  bool quasistatic_ = false;
  bool corrects_ = false;    // until corrections are given up
  bool fresh_ = false;       // the mixing has seen the iterate
  bool stale_ = true;        // the matrix belongs to a distant state
  bool usable_ = false;      // there is a matrix
  bool unmeasured_ = false;  // the last correction was taken unmeasured
  bool missed_ = false;      // the last measured length was wrong
  int iteration_ = 0;
  multilevel_rules::ResidualWatch watch_;
  const StepProblem* problem_ = nullptr;
  int64_t contacts_seen_ = 0;                    // the revision of the candidates that free bodies know
  std::vector<std::array<int32_t, 2>> coupled_;  // cells that contacts join in the matrix, ascending
  double estimate_ = 0;                          // [N]
  double first_promise_ = 0, last_promise_ = 0, rebased_promise_ = 0;  // [J]
  double trust_ = 0;  // [rad] the largest RMS rotation that a correction may have
  CorrectionCounts counts_;
};

std::unique_ptr<Solver> make_multilevel(const SolveOptions& common, const MultilevelOptions& options,
                                        LinearSolverFactory = nullptr);

}  // namespace sinew
