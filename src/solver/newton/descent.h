// Shared by the methods with a line search: the iterate, its gradient, and the step length t along a direction of
// descent p, g.p < 0 (Nocedal & Wright 2006, chapter 3),
//   x <- x + t p,   t = 1, 1/2, 1/4, ... until E(x + t p) <= E(x) + c t g.p.
// E, the merit, is the energy plus, with damping by own blocks, the merit of damping_merit.h, and with friction that of
// contact_terms.h. Forces of contacts are the gradient of their energy only as long as they are not found anew, for
// that changes their shares. So a step is also good if it lowers the merit with contacts as they were found, provided
// that these foresee what there is at its end.
//
// Near the solution the energy can no longer distinguish two iterates: it is flat to 1e-16 of its size while the
// residual still falls from 1e-8 of its size. There the gradient judges a step instead.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "contact/contact.h"
#include "contact/limits.h"
#include "objective/objective.h"

namespace sinew {

struct LineSearch {
  bool enabled = true;  // if not, every step has t = 1
  double armijo = 1e-4;
  int max_halvings = 30;
};

class Descent {
 public:
  explicit Descent(const LineSearch& line_search) : line_search_(line_search) {}

  void prepare(const Model& model, ThreadPool& pool);
  // Starts at x_start, or with contacts where there is less energy on the way there.
  void begin(const Objective& objective);

  // Evaluates gradient, residual and merit at x; false if there is nothing to descend because they are zero or not
  // finite.
  bool evaluate();
  // Moves along p, with slope = g.p, by a step that improves merit or residual; false if there is none.
  bool search(std::span<const Vec3d> p, double slope);
  // For use after `search` failed at round-off. Moves along p if that lessens the slope, slope < g(x + t p).p <= (1 -
  // 2c) |slope|: the condition of the line search for a quadratic energy (Hager & Zhang 2005, eq. 4.1), in terms of the
  // gradient.
  bool search_by_slope(std::span<const Vec3d> p, double slope);
  // Moves to x if the merit is smaller there.
  bool jump(std::span<const Vec3d> x);

  // [J] Differences of the merit below this are round-off.
  double energy_resolution() const;

  // With limits (contact/limits.h), a step is cut short vertex by vertex; the cuts since the last call.
  LimitCounts take_limit_counts() { return std::exchange(limited_, {}); }
  bool has_limits() const { return limits_ != nullptr; }

  const std::vector<Vec3d>& x() const { return x_; }
  // Of the last `evaluate`:
  const std::vector<Vec3d>& gradient() const { return g_; }
  double residual() const { return residual_; }
  // At the iterate of the last `evaluate`.
  std::span<const Contact> contacts() const { return contacts_; }
  double merit() const { return merit_; }

  double step_length() const { return step_length_; }  // t of the last step
  size_t memory_bytes() const { return 4 * x_.capacity() * sizeof(Vec3d); }

 private:
  void start_from(const StepProblem& problem);
  void step_back();
  bool move(std::span<const Vec3d> p, double t);
  double shortening(double rise, double slope) const;
  bool has_friction() const;
  bool move_with_friction(std::span<const Vec3d> p, double t);
  bool move_by_residual(std::span<const Vec3d> p);
  bool may_take_trial() const;
  double least_step() const;
  void try_step(std::span<const Vec3d> p, double t);
  double slope_of_trial(double t, double slope) const;
  void take_trial(double residual, double t);
  struct Merit {
    double anew;      // [J] with contacts found anew
    double as_found;  // [J] with those of the iterate; infinite if they do not foresee what is there
  };
  Merit merit_at(std::span<const Vec3d> x) const;

  const LineSearch line_search_;
  const Objective* objective_ = nullptr;
  const Limits* limits_ = nullptr;
  LimitCounts limited_, trial_limited_;
  double energy_scale_ = 0;  // [J]

  std::vector<Vec3d> x_, g_;
  std::vector<Vec3d> trial_, trial_g_;
  std::vector<Contact> contacts_;
  double merit_ = 0, residual_ = 0;
  double step_length_ = 0;
  bool gradient_current_ = false;
};

}  // namespace sinew
