// Quasi-Newton methods with a constant matrix A, the Laplacian of laplacian.h, in double precision (Liu, Bouaziz &
// Kavan 2017):
//   x <- x + t p,   p = -H g,   t by the line search of descent.h.
// H is A^-1 updated by the last m changes of x and g, s and y (L-BFGS: Nocedal & Wright 2006, algorithm 7.4); pairs
// without positive curvature are left out. With m = 0 it is descent along the Laplacian. A is factorized once for a
// model, a step size, a set of held vertices and a set of grabs. It has one row per vertex instead of three, so an
// iteration takes three solves and a gradient, far less than an iteration of Newton's method. If vertices glide, it has
// three rows per vertex, and an iteration takes one solve.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "base/parameters.h"
#include "solver/linear_solver.h"
#include "solver/newton/descent.h"
#include "solver/newton/laplacian.h"
#include "solver/options.h"
#include "solver/solver.h"

namespace sinew {

struct QuasiNewtonOptions {
  int history = 5;
  double laplacian_weight = 1;
  double armijo = 0.03;
  int max_halvings = 30;

  static constexpr const char* name = "quasi_newton";
  static constexpr const char* summary = "L-BFGS on a Laplacian that is factorized once, in double precision";
  static constexpr const char* color = "#a89a00";
  static constexpr SolverTraits traits = {.accelerates = false,
                                          .single_precision = false,
                                          .ties = true,
                                          .contact = true,
                                          .keeps_apart = true,
                                          .quadratic = true};
  static constexpr SolveOptions common = {
      .iterations = 500, .relative_tolerance = 1e-3, .check_every = 1, .precision = double_precision};
};

inline constexpr Parameter<QuasiNewtonOptions> quasi_newton_parameters[] = {
    {"history",
     &QuasiNewtonOptions::history,
     "-",
     {0, 50},
     "number of past changes that L-BFGS uses; 0: descent with the Laplacian alone"},
    {"laplacian_weight",
     &QuasiNewtonOptions::laplacian_weight,
     "-",
     {0, 10, true, false},
     "stiffness of the Laplacian relative to 2 mu + lambda; smaller is faster for materials that soften in "
     "compression, such as mu/(2 mu + lambda) = 0.29 at Poisson's ratio 0.3 for Neo-Hookean"},
    {"armijo",
     &QuasiNewtonOptions::armijo,
     "-",
     {0, 0.5, true, true},
     "share of the decrease predicted by the slope that a step must reach"},
    {"max_halvings", &QuasiNewtonOptions::max_halvings, "-", {0, 60}, "maximum number of halvings of a step"},
};

class QuasiNewton : public Solver {
 public:
  QuasiNewton(const QuasiNewtonOptions& options, std::unique_ptr<LinearSolver> linear);

  void prepare(const Model& model, ThreadPool& pool) override;
  void begin_step(const Objective& objective) override;
  void iterate() override;
  LimitCounts take_limit_counts() override { return descent_.take_limit_counts(); }
  void positions(std::span<Vec3d> x) const override;
  bool stalled() const override { return stalled_; }
  bool at_round_off() const override { return at_round_off_; }
  size_t memory_bytes() const override;

  double merit() const { return descent_.merit(); }  // before the last iteration [J]

 private:
  using Vectors = std::vector<Vec3d>;
  // The changes of x and g in an iteration, and 1/(s.y).
  struct Pair {
    Vectors s, y;
    double inverse_product;
  };

  bool factorize(const StepProblem& problem);
  void learn();
  double find_direction();
  bool advance();
  bool solve(Vectors& v);
  double product(const Vectors& a, const Vectors& b) const;

  const QuasiNewtonOptions options_;
  std::unique_ptr<LinearSolver> linear_;
  Laplacian laplacian_;
  Descent descent_;
  const Objective* objective_ = nullptr;
  bool analyzed_ = false, factorized_ = false;
  double factorized_h_ = -1;
  std::vector<uint8_t> factorized_held_;
  std::vector<Glide> factorized_glides_;
  std::vector<Grab> factorized_grabs_;

  std::deque<Pair> pairs_;  // oldest first
  Vectors p_;               // direction
  Vectors last_x_, last_g_;
  bool has_last_ = false;
  std::vector<double> right_, left_;  // one coordinate of the linear system, or all three
  double best_ = 0;                   // smallest residual since the gradient judges steps
  int without_progress_ = 0;
  bool stalled_ = false, at_round_off_ = false;
};

std::unique_ptr<Solver> make_quasi_newton(const SolveOptions& common, const QuasiNewtonOptions& options,
                                          LinearSolverFactory make_linear);

}  // namespace sinew
