// Newton's method in double precision with a sparse direct solver and a line search: the reference against which all
// other solvers are measured (Nocedal & Wright 2006, chapters 3 and 6). The linear systems may also be solved by
// conjugate gradients (conjugate_gradient.h), which gives the inexact Newton method, or the limited one with only a few
// iterations.
//
//   (M/h^2 + K(x)) p = -g(x),   x <- x + t p,   t = 1, 1/2, 1/4, ... until E(x + t p) <= E(x) + c t g.p
//
// K is the exact stiffness if that is positive definite, which makes convergence quadratic. Otherwise it is the
// stiffness projected element by element, which always gives a direction of descent. descent.h has the line search.
//
// The residual cannot fall below round-off: rounding x alone changes the force on vertex i by up to epsilon sum_j
// |A_ij| |x_j|, A = M/h^2 + K. Below the norm of this no iterate is better than another, and an iteration that ends
// there has converged.
#pragma once

#include <array>
#include <memory>
#include <string_view>
#include <vector>

#include "base/parameters.h"
#include "solver/linear_solver.h"
#include "solver/newton/assembly.h"
#include "solver/newton/conjugate_gradient.h"
#include "solver/newton/descent.h"
#include "solver/newton/grid_assembly.h"
#include "solver/newton/grid_operator.h"
#include "solver/options.h"
#include "solver/solver.h"

namespace sinew {

inline constexpr std::string_view newton_hessian_names[] = {"exact_first", "projected"};
enum NewtonHessian : int { hessian_exact_first, hessian_projected };
inline constexpr std::string_view newton_linear_names[] = {"cholesky", "cg"};
enum NewtonLinear : int { newton_cholesky, newton_cg };
inline constexpr std::string_view newton_preconditioner_names[] = {"blocks", "none"};

struct NewtonOptions {
  bool line_search = true;
  double armijo = 1e-4;
  int max_halvings = 30;
  int hessian = hessian_exact_first;
  bool carry_motion = true;
  int linear = newton_cholesky;
  int cg_iterations = 0;
  double cg_tolerance = 1e-4;
  int cg_preconditioner = 0;  // index into newton_preconditioner_names, in the order of Preconditioner

  static constexpr const char* name = "newton";
  static constexpr const char* summary =
      "Newton's method with sparse Cholesky or conjugate gradients, in double precision: the reference";
  static constexpr const char* color = "#000000";
  static constexpr SolverTraits traits = {.accelerates = false,
                                          .single_precision = false,
                                          .ties = true,
                                          .contact = true,
                                          .keeps_apart = true,
                                          .grid = true,
                                          .quadratic = true,
                                          .stiff_ties = true,
                                          .recommended = true,
                                          .reference = true,
                                          .bytes_per_tet = 300};
  // An iteration costs far more than a test.
  static constexpr SolveOptions common = {
      .iterations = 100, .relative_tolerance = 1e-6, .check_every = 1, .precision = double_precision};
};

inline constexpr Parameter<NewtonOptions> newton_parameters[] = {
    {"line_search",
     &NewtonOptions::line_search,
     "-",
     {},
     "shorten steps until the energy falls; without it the method is faster but may diverge"},
    {"armijo",
     &NewtonOptions::armijo,
     "-",
     {0, 0.5, true, true},
     "share of the decrease predicted by the slope that a step must reach"},
    {"max_halvings", &NewtonOptions::max_halvings, "-", {0, 60}, "maximum number of halvings of a step"},
    {"hessian",
     &NewtonOptions::hessian,
     "-",
     {},
     "exact_first: the exact stiffness where it is positive definite, else the projected one; projected: always the "
     "projected one, with linear convergence in compressed bodies",
     newton_hessian_names},
    {"carry_motion",
     &NewtonOptions::carry_motion,
     "-",
     {},
     "in the first iteration of a step, extend the motion of held vertices into the body by a linear solve"},
    {"linear",
     &NewtonOptions::linear,
     "-",
     {},
     "cholesky: linear systems by sparse factorization; cg: by conjugate gradients, in parallel and with less memory, "
     "where exact stiffness gives way to the projected one once they meet negative curvature",
     newton_linear_names},
    {"cg_iterations",
     &NewtonOptions::cg_iterations,
     "-",
     {0, 1e6},
     "under linear = cg: maximum number of CG iterations in a linear solve; 0: until cg_tolerance. A few, with "
     "line_search = false, give the limited Newton method that PBNG is compared with"},
    {"cg_tolerance",
     &NewtonOptions::cg_tolerance,
     "-",
     {0, 1, true, true},
     "under linear = cg: relative residual at which a linear solve ends"},
    {"cg_preconditioner",
     &NewtonOptions::cg_preconditioner,
     "-",
     {},
     "under linear = cg: blocks: precondition by the inverses of the 3x3 diagonal blocks; none: plain conjugate "
     "gradients, for comparisons with papers that use them",
     newton_preconditioner_names},
};

class Newton : public Solver {
 public:
  // `linear` is for linear = cholesky and may be null otherwise.
  Newton(const NewtonOptions& options, std::unique_ptr<LinearSolver> linear);

  void prepare(const Model& model, ThreadPool& pool) override;
  void begin_step(const Objective& objective) override;
  void iterate() override;
  LimitCounts take_limit_counts() override { return descent_.take_limit_counts(); }
  void positions(std::span<Vec3d> x) const override;
  bool stalled() const override { return stalled_; }
  bool at_round_off() const override { return at_round_off_; }
  size_t memory_bytes() const override;

  // Of the last iteration, for statistics.
  double step_length() const { return descent_.step_length(); }
  bool used_exact_hessian() const { return used_exact_; }

 private:
  bool carry_motion();
  bool advance(Tangent tangent);
  bool should_try_exact() const;
  void learn_from_exact(bool succeeded);
  bool factorize(double& share);
  bool factorize_with(double share);
  bool uses_products() const { return gradients_ && objective_->problem().embedding; }
  void renew_pattern();
  BlockMatrix& matrix();
  void assemble(std::span<const Vec3d> x, Tangent tangent);
  double force_resolution();

  const NewtonOptions options_;
  std::unique_ptr<LinearSolver> linear_;
  ConjugateGradient* gradients_ = nullptr;  // the same, under linear = cg
  Assembly assembly_;
  GridAssembly on_grid_;   // where there is a grid, under linear = cholesky
  GridOperator products_;  // and under linear = cg
  const Objective* objective_ = nullptr;
  bool analyzed_ = false;
  Descent descent_;
  std::vector<Glide> glides_;         // of vertices and nodes
  std::vector<Vec3d> p_;              // direction
  std::vector<double> right_, left_;  // of the linear system, by unknown
  double residual_before_ = 0;
  double slope_ = 0;  // g.p
  bool motion_pending_ = false;
  bool stalled_ = false, at_round_off_ = false;

  bool used_exact_ = false;
  int exact_failures_ = 0, exact_waited_ = 0;  // in a row; iterations since the last one
};

// Uses the best linear solver available. Only the stepper reads the common options: Newton always works in double
// precision.
std::unique_ptr<Solver> make_newton(const SolveOptions& common, const NewtonOptions& options,
                                    LinearSolverFactory make_linear);

}  // namespace sinew
