// What methods by a line search share: the iterate with its gradient, and how far it goes along a direction p of
// descent, g.p < 0 (Nocedal & Wright 2006, chapter 3),
//   x <- x + t p,   t = 1, 1/2, 1/4, ... until E(x + t p) <= E(x) + c t g.p.
// E, the merit, is the energy plus, with damping by own blocks, the merit of damping_merit.h.
//
// Near the solution the energy has lost the digits that tell two iterates apart: it is flat to 1e-16 of its size while
// the residual still falls from 1e-8 of its size. There a step is judged by the gradient instead.
#pragma once

#include <span>
#include <vector>

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
  // At x_start.
  void begin(const Objective& objective);

  // Brings gradient, residual and merit to x; false where these leave nothing to descend: zero, or not finite.
  bool evaluate();
  // Moves along p, with slope = g.p, as far as merit or residual improve; false if neither does.
  bool search(std::span<const Vec3d> p, double slope);
  // Where `search` fails at round-off: moves along p if that takes most of the slope away, |g(x + t p).p| <= (1 - 2c)
  // |slope|. It is what the line search asks of a quadratic energy (Hager & Zhang 2005, eq. 4.1), told by the gradient.
  bool search_by_slope(std::span<const Vec3d> p, double slope);
  // Goes to x if the merit is smaller there.
  bool jump(std::span<const Vec3d> x);

  // [J] Differences of the merit below this are round-off.
  double energy_resolution() const;

  const std::vector<Vec3d>& x() const { return x_; }
  // Of the last `evaluate`:
  const std::vector<Vec3d>& gradient() const { return g_; }
  double residual() const { return residual_; }
  double merit() const { return merit_; }

  double step_length() const { return step_length_; }  // t of the last step
  size_t memory_bytes() const { return 4 * x_.capacity() * sizeof(Vec3d); }

 private:
  bool move(std::span<const Vec3d> p, double t);
  bool move_by_residual(std::span<const Vec3d> p);
  void try_step(std::span<const Vec3d> p, double t);
  void take_trial(double residual, double t);
  double merit_at(std::span<const Vec3d> x) const;

  const LineSearch line_search_;
  const Objective* objective_ = nullptr;
  double energy_scale_ = 0;  // [J]

  std::vector<Vec3d> x_, g_;
  std::vector<Vec3d> trial_, trial_g_;
  double merit_ = 0, residual_ = 0;
  double step_length_ = 0;
  bool gradient_current_ = false;
};

}  // namespace sinew
