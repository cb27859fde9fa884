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
#include "solver/multilevel/bodies.h"
#include "solver/multilevel/free_bodies.h"
#include "solver/multilevel/lattice.h"
#include "solver/multilevel/mixing.h"
#include "solver/options.h"
#include "solver/solver.h"
#include "solver/sweep_order.h"

namespace sinew {

inline constexpr std::string_view corrections_names[] = {"auto", "always"};
enum Corrections : int { corrections_auto, corrections_always };
inline constexpr std::string_view sweep_kind_names[] = {"gauss_seidel", "jacobi"};
enum SweepKind : int { sweeps_gauss_seidel, sweeps_jacobi };
inline constexpr std::string_view blocks_names[] = {"exact", "stiffer"};
enum Blocks : int { blocks_exact, blocks_stiffer };

struct MultilevelOptions {
  double spacing = 4;
  int sweeps = 2;
  int cycles = 4;
  double omega = 0;
  bool mix = true;
  int corrections = corrections_auto;
  int blocks = blocks_exact;
  int order = sweeps_gauss_seidel;
  int sweep_order = sweep_forward;
  int layout = layout_auto;
  int lanes = 0;

  static constexpr const char* name = "multilevel";
  static constexpr const char* summary =
      "sweeps by vertex with corrections on a lattice: as fast on stiff bodies and fine meshes as on soft ones";
  static constexpr const char* color = "#6a3d9a";
  static constexpr SolverTraits traits = {
      .accelerates = false, .ties = true, .contact = true, .keeps_apart = true, .by_vertex = true, .recommended = true};
  static constexpr SolveOptions common = {.iterations = 100, .relative_tolerance = 0.01, .check_every = 1};
};

inline constexpr Parameter<MultilevelOptions> multilevel_parameters[] = {
    {"spacing",
     &MultilevelOptions::spacing,
     "-",
     {2, 100},
     "edge of the lattice's cubes, in mean distances of vertices; a finer lattice costs more and mostly corrects what "
     "sweeps resolve anyway"},
    {"sweeps", &MultilevelOptions::sweeps, "-", {1, 100}, "sweeps by vertex in each iteration, before the correction"},
    {"cycles",
     &MultilevelOptions::cycles,
     "-",
     {1, 100},
     "maximum number of V-cycles in each correction; fewer if the last one achieved little"},
    {"omega",
     &MultilevelOptions::omega,
     "-",
     {0, 2, false, true},
     "over-relaxation of each vertex's step on corrected bodies; 0: chosen by the material: 1 (none) for scenes with "
     "StVK or muscle fibres, whose energy over-relaxed steps can raise, 1.3 for others"},
    {"mix", &MultilevelOptions::mix, "-", {}, "Anderson's mixing of the last three iterations"},
    {"corrections",
     &MultilevelOptions::corrections,
     "-",
     {},
     "auto: correct bodies on which sweeps alone would be slow, judged by stiffness, density, mesh and time step; "
     "always: correct all bodies. In quasistatics all are corrected",
     corrections_names},
    {"blocks",
     &MultilevelOptions::blocks,
     "-",
     {},
     "the stiffness that a vertex's step divides by: exact, that of vbd; stiffer, that of pbng",
     blocks_names},
    {"order",
     &MultilevelOptions::order,
     "-",
     {},
     "gauss_seidel: each vertex uses the new positions of those before it; jacobi: all use the old positions and take "
     "0.4 omega of their steps, as a smoother only, so that soft bodies are corrected too",
     sweep_kind_names},
    sweep_order_parameter(&MultilevelOptions::sweep_order),
    layout_parameter(&MultilevelOptions::layout),
    lanes_parameter(&MultilevelOptions::lanes),
};

// Errors: a lattice of too many cells.
Status check_lattice_size(const Model& model, double spacing);

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
  void find_bodies(const Model& model);
  void choose_bodies(const StepProblem& problem);
  double find_correction();
  void couple_contacts();
  void step_measured(double promise);
  void step_curved(double promise, double turn);
  void correct();
  void give_up_corrections(bool from_start);
  void measure();
  std::span<Vec4<Real>> iterate_span() { return {this->iterate_now().x.data(), this->iterate_now().x.size()}; }
  std::span<const Vec4<Real>> positions_now();
  std::span<const Vec4<Real>> forces_now() const { return {forces_.data(), forces_.size()}; }

  MultilevelOptions options_;
  const Model* model_ = nullptr;
  Bodies bodies_;
  FreeBodies free_bodies_;
  bool convex_ = true;           // the energy is convex, or nearly, in each vertex alone
  std::vector<uint8_t> wanted_;  // for each body: whether it gets corrections
  bool has_lattice_ = false;     // whether any body does
  bool prepared_ = false;
  double most_kappa_ = 0;  // [-] the largest of all bodies
  Lattice lattice_;
  Mixing<Real> mixing_;
  Buffer<Vec4<Real>> forces_, before_, where_;
  Buffer<Vec4<Real>> start_, start_base_;  // of this step

  // State of this step.
  bool quasistatic_ = false;
  bool corrects_ = false;    // until corrections are given up
  bool fresh_ = false;       // the mixing has seen the iterate
  bool stale_ = true;        // the matrix belongs to a distant state
  bool usable_ = false;      // there is a matrix
  bool unmeasured_ = false;  // the last correction was taken unmeasured
  bool missed_ = false;      // the last measured length was wrong
  int iteration_ = 0, best_iteration_ = 0, strikes_ = 0;
  double first_ = 0, best_ = 0;  // [N] residuals
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
