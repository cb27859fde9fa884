#include "solver/newton/quasi_newton.h"

#include "solver/solver_info.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {
namespace {

constexpr double least_curvature = 1e-14;  // of a pair: s.y over |s| |y|
// Near the solution, where the gradient judges steps, this many iterations that do not reduce the residual by this
// factor mean round-off.
constexpr int most_without_progress = 20;
constexpr double progress_factor = 0.9;
// Shares of the diagonal that are added if nothing holds a body in quasistatics.
constexpr double shares[] = {0, 1e-8, 1e-4};

}  // namespace

QuasiNewton::QuasiNewton(const QuasiNewtonOptions& options, std::unique_ptr<LinearSolver> linear)
    : options_(options), linear_(std::move(linear)), descent_({true, options.armijo, options.max_halvings}) {
  SINEW_ASSERT(linear_ != nullptr);
}

void QuasiNewton::prepare(const Model& model, ThreadPool& pool) {
  laplacian_.prepare(model);
  analyzed_ = linear_->analyze(laplacian_.matrix());
  factorized_ = false;
  descent_.prepare(model, pool);
  const auto slots = static_cast<size_t>(model.slot_count());
  for (Vectors* v : {&p_, &last_x_, &last_g_}) v->assign(slots, {});
  right_.assign(slots, 0);
  left_.assign(slots, 0);
}

void QuasiNewton::begin_step(const Objective& objective) {
  objective_ = &objective;
  descent_.begin(objective);
  pairs_.clear();
  has_last_ = false;
  best_ = std::numeric_limits<double>::infinity();
  without_progress_ = 0;
  at_round_off_ = false;
  stalled_ = !analyzed_ || !factorize(objective.problem());
}

bool QuasiNewton::factorize(const StepProblem& problem) {
  const std::vector<Glide>& glides = problem.glides;
  const bool same_glides = std::equal(glides.begin(), glides.end(), factorized_glides_.begin(),
                                      factorized_glides_.end(), [](const Glide& a, const Glide& b) {
                                        return a.slot == b.slot && a.fixed.xx == b.fixed.xx &&
                                               a.fixed.xy == b.fixed.xy && a.fixed.xz == b.fixed.xz &&
                                               a.fixed.yy == b.fixed.yy && a.fixed.yz == b.fixed.yz &&
                                               a.fixed.zz == b.fixed.zz;
                                      });
  const bool same_grabs = std::equal(problem.grabs.begin(), problem.grabs.end(), factorized_grabs_.begin(),
                                     factorized_grabs_.end(), [](const Grab& a, const Grab& b) {
                                       return a.count == b.count && a.vertices == b.vertices &&
                                              a.weights == b.weights && a.stiffness == b.stiffness;
                                     });
  if (factorized_ && factorized_h_ == problem.h && factorized_held_ == problem.held && same_glides && same_grabs)
    return true;
  factorized_ = false;
  for (const double share : shares) {
    laplacian_.assemble(problem, options_.laplacian_weight, share);
    if (glides.empty()) {
      // A pattern made for glides does not fit without them.
      if (!factorized_glides_.empty() && share == 0) analyzed_ = linear_->analyze(laplacian_.matrix());
      factorized_ = analyzed_ && linear_->factorize(laplacian_.matrix());
    } else {
      const SparseSymmetric matrix = laplacian_.gliding_matrix(glides);
      if (share == 0) analyzed_ = linear_->analyze(matrix);
      factorized_ = analyzed_ && linear_->factorize(matrix);
    }
    if (factorized_) break;
  }
  const size_t rows = problem.held.size() * (glides.empty() ? 1 : 3);
  right_.assign(rows, 0);
  left_.assign(rows, 0);
  factorized_glides_ = glides;
  factorized_grabs_ = problem.grabs;
  factorized_h_ = problem.h;
  factorized_held_ = problem.held;
  return factorized_;
}

void QuasiNewton::positions(std::span<Vec3d> x) const {
  std::copy(descent_.x().begin(), descent_.x().end(), x.begin());
}

void QuasiNewton::iterate() {
  if (stalled_) return;
  if (!descent_.evaluate()) {
    stalled_ = true;
    at_round_off_ = descent_.residual() == 0;
    return;
  }
  learn();
  if (advance()) return;
  if (!pairs_.empty()) {  // discard pairs that mislead
    pairs_.clear();
    if (advance()) return;
  }
  stalled_ = true;
  at_round_off_ = descent_.residual() <= laplacian_.force_resolution(descent_.x());
}

// Keeps the changes of x and g in the last iteration.
void QuasiNewton::learn() {
  const Vectors &x = descent_.x(), &g = descent_.gradient();
  if (options_.history > 0 && has_last_) {
    Pair pair;
    if (static_cast<int>(pairs_.size()) == options_.history) {
      pair = std::move(pairs_.front());  // for its memory
      pairs_.pop_front();
    }
    pair.s.resize(x.size());
    pair.y.resize(x.size());
    for (size_t k = 0; k < x.size(); ++k) {
      pair.s[k] = x[k] - last_x_[k];
      pair.y[k] = g[k] - last_g_[k];
    }
    const double sy = product(pair.s, pair.y);
    if (sy > least_curvature * std::sqrt(product(pair.s, pair.s) * product(pair.y, pair.y))) {
      pair.inverse_product = 1 / sy;
      pairs_.push_back(std::move(pair));
    }
  }
  last_x_ = x;
  last_g_ = g;
  has_last_ = true;
}

// p = -H g, by the two loops over the pairs (L-BFGS). Returns the slope g.p, or NaN if the solve fails.
double QuasiNewton::find_direction() {
  const Vectors& g = descent_.gradient();
  for (size_t k = 0; k < p_.size(); ++k) p_[k] = -g[k];
  std::vector<double> shares_of(pairs_.size());
  const auto add = [&](double share, const Vectors& v) {
    objective_->pool().for_each(static_cast<int64_t>(p_.size()), [&](size_t k) { p_[k] += share * v[k]; });
  };
  for (size_t n = pairs_.size(); n-- > 0;) {
    shares_of[n] = pairs_[n].inverse_product * product(pairs_[n].s, p_);
    add(-shares_of[n], pairs_[n].y);
  }
  if (!solve(p_)) return std::numeric_limits<double>::quiet_NaN();
  for (size_t n = 0; n < pairs_.size(); ++n) {
    add(shares_of[n] - pairs_[n].inverse_product * product(pairs_[n].y, p_), pairs_[n].s);
  }
  return product(g, p_);
}

// One step; false if none improves the iterate.
bool QuasiNewton::advance() {
  const double slope = find_direction();
  if (!(slope < 0) || !std::isfinite(slope)) return false;
  if (descent_.search(p_, slope)) return true;
  // Residuals of L-BFGS rise and fall as they shrink.
  if (descent_.residual() < progress_factor * best_) {
    best_ = descent_.residual();
    without_progress_ = 0;
  } else if (++without_progress_ > most_without_progress) {
    return false;
  }
  return descent_.search_by_slope(p_, slope);
}

// v = A^-1 v, coordinate by coordinate if no vertex glides.
bool QuasiNewton::solve(Vectors& v) {
  if (!factorized_glides_.empty()) {
    for (size_t k = 0; k < v.size(); ++k) {
      right_[3 * k] = v[k].x;
      right_[3 * k + 1] = v[k].y;
      right_[3 * k + 2] = v[k].z;
    }
    if (!linear_->solve(right_, left_)) return false;
    for (size_t k = 0; k < v.size(); ++k) v[k] = {left_[3 * k], left_[3 * k + 1], left_[3 * k + 2]};
    keep_free_parts(factorized_glides_, v);
    return true;
  }
  for (double Vec3d::*axis : {&Vec3d::x, &Vec3d::y, &Vec3d::z}) {
    for (size_t k = 0; k < v.size(); ++k) right_[k] = v[k].*axis;
    if (!linear_->solve(right_, left_)) return false;
    for (size_t k = 0; k < v.size(); ++k) v[k].*axis = left_[k];
  }
  return true;
}

double QuasiNewton::product(const Vectors& a, const Vectors& b) const {
  const auto term = [&](int64_t k) { return dot(a[k], b[k]); };
  return ordered_sum<double>(objective_->pool(), static_cast<int64_t>(a.size()), term);
}

size_t QuasiNewton::memory_bytes() const {
  return laplacian_.memory_bytes() + descent_.memory_bytes() +
         (3 + 2 * static_cast<size_t>(options_.history)) * p_.capacity() * sizeof(Vec3d) +
         (right_.capacity() + left_.capacity()) * sizeof(double);
}

std::unique_ptr<Solver> make_quasi_newton(const SolveOptions&, const QuasiNewtonOptions& options,
                                          LinearSolverFactory make_linear) {
  return std::make_unique<QuasiNewton>(options, make_linear("auto"));
}

SolverInfo quasi_newton_info() {
  return solver_info<QuasiNewtonOptions, quasi_newton_parameters, make_quasi_newton>();
}

}  // namespace sinew
