#include "solver/newton.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/damping_merit.h"

namespace sinew {
namespace {

// A step that lowers the residual by less than this is noise.
constexpr double least_reduction = 0.99;
// Shares of the diagonal that are added where a matrix is not positive definite, or its direction leads nowhere.
constexpr double first_share = 1e-8, next_share = 100, last_share = 1e6;

void write(Vec3d v, double* out) {
  out[0] = v.x;
  out[1] = v.y;
  out[2] = v.z;
}
Vec3d read(const double* in) {
  return {in[0], in[1], in[2]};
}

}  // namespace

Newton::Newton(const NewtonOptions& options, std::unique_ptr<LinearSolver> linear)
    : options_(options), linear_(std::move(linear)) {
  SINEW_ASSERT(linear_ != nullptr);
}

void Newton::prepare(const Model& model, ThreadPool& pool) {
  assembly_.prepare(model, pool);
  analyzed_ = linear_->analyze(assembly_.matrix());
  const auto slots = static_cast<size_t>(model.slot_count());
  for (auto* v : {&x_, &g_, &p_, &trial_, &trial_g_}) v->assign(slots, Vec3d{});
  right_.assign(3 * slots, 0);
  left_.assign(3 * slots, 0);
  energy_scale_ = energy_scale(model, pool);
}

void Newton::begin_step(const Objective& objective) {
  objective_ = &objective;
  const StepProblem& problem = objective.problem();
  x_ = problem.x_start;
  gradient_current_ = false;
  stalled_ = !analyzed_;
  at_round_off_ = false;
  residual_before_ = std::numeric_limits<double>::infinity();
  slope_ = -std::numeric_limits<double>::infinity();
  step_length_ = 0;
  used_exact_ = false;
  exact_failures_ = exact_waited_ = 0;
  motion_pending_ = false;
  for (size_t s = 0; options_.carry_motion && s < x_.size() && !motion_pending_; ++s) {
    const Vec3d d = problem.x_target[s] - problem.x_prev[s];
    motion_pending_ = problem.held[s] && dot(d, d) > 0;
  }
}

void Newton::positions(std::span<Vec3d> x) const {
  std::copy(x_.begin(), x_.end(), x.begin());
}

void Newton::iterate() {
  if (stalled_) return;
  if (motion_pending_) {
    motion_pending_ = false;
    if (carry_motion()) return;
  }
  if (!gradient_current_) {
    objective_->gradient(x_, g_);
    residual_ = residual_of(g_);
    gradient_current_ = true;
  }
  merit_ = merit(x_);
  if (residual_ == 0 || !std::isfinite(residual_) || !std::isfinite(merit_)) {
    stalled_ = true;
    at_round_off_ = residual_ == 0;
    return;
  }

  const double residual = residual_;
  if (should_try_exact()) {
    const bool succeeded = advance(Tangent::exact);
    learn_from_exact(succeeded);
    if (succeeded) {
      residual_before_ = residual;
      return;
    }
  }
  stalled_ = !advance(Tangent::projected);
  at_round_off_ = stalled_ && residual_ <= force_resolution();
  residual_before_ = residual;
}

// The exact matrix is tried again soon after it failed, later after it failed often, and at once when convergence sets
// in: a full step that took most of the residual away.
bool Newton::should_try_exact() const {
  if (options_.hessian == hessian_projected) return false;
  const bool converging = step_length_ == 1 && residual_ < 0.3 * residual_before_;
  return exact_failures_ == 0 || converging || exact_waited_ >= std::min(exact_failures_, 8) ||
         -slope_ < energy_resolution();
}

void Newton::learn_from_exact(bool succeeded) {
  exact_failures_ = succeeded ? 0 : exact_failures_ + 1;
  exact_waited_ = 0;
}

// One step with this tangent; false if it gives none.
bool Newton::advance(Tangent tangent) {
  const StepProblem& problem = objective_->problem();
  assembly_.assemble(problem, x_, tangent, objective_->pool());
  assembly_.hold(problem.held);
  used_exact_ = tangent == Tangent::exact;
  if (!used_exact_) ++exact_waited_;

  for (double share = 0;; share = std::max(first_share, share * next_share)) {
    if (used_exact_) {
      if (!linear_->factorize(assembly_.matrix())) return false;
    } else if (!factorize(share)) {
      return false;
    }
    for (size_t s = 0; s < g_.size(); ++s) write(-g_[s], &right_[3 * s]);
    if (!linear_->solve(right_, left_)) return false;
    slope_ = 0;
    for (size_t s = 0; s < g_.size(); ++s) {
      p_[s] = read(&left_[3 * s]);
      slope_ += dot(g_[s], p_[s]);
    }
    if (std::isfinite(slope_) && slope_ < 0 && search()) return true;
    // At round-off a shorter step is no remedy.
    if (used_exact_ || -slope_ < energy_resolution() || share >= 1) return false;
  }
}

// Factorizes, with more and more of the diagonal added until it succeeds. Clamped elements leave a matrix that is only
// semi-definite in exact arithmetic, and bodies that nothing holds can move freely in quasistatics.
bool Newton::factorize(double& share) {
  for (; share <= last_share; share = std::max(first_share, share * next_share)) {
    assembly_.regularize(share);
    if (linear_->factorize(assembly_.matrix())) return true;
  }
  return false;
}

// Moves along p_ as far as merit or residual improve.
bool Newton::search() {
  if (!options_.line_search) return move(1);
  const double resolution = energy_resolution();
  double t = 1;
  for (int k = 0; k <= options_.max_halvings && -t * slope_ >= resolution; ++k, t *= 0.5) {
    for (size_t s = 0; s < x_.size(); ++s) trial_[s] = x_[s] + t * p_[s];
    const double m = merit(trial_);
    if (std::isfinite(m) && m <= merit_ + options_.armijo * t * slope_) return move(t);
  }
  return accept_by_residual();
}

// A step that the energy cannot judge: it must lower the residual, and not raise the energy by more than its noise.
bool Newton::accept_by_residual() {
  for (double t = 1; t >= 0.125; t *= 0.5) {
    for (size_t s = 0; s < x_.size(); ++s) trial_[s] = x_[s] + t * p_[s];
    objective_->gradient(trial_, trial_g_);
    const double residual = residual_of(trial_g_);
    if (residual < least_reduction * residual_ && merit(trial_) <= merit_ + 1e3 * energy_resolution()) {
      x_.swap(trial_);
      g_.swap(trial_g_);
      residual_ = residual;
      step_length_ = t;
      return true;
    }
  }
  return false;
}

bool Newton::move(double t) {
  for (size_t s = 0; s < x_.size(); ++s) x_[s] += t * p_[s];
  step_length_ = t;
  gradient_current_ = false;
  return true;
}

// Where held vertices jump, the elements next to them are torn or turned inside out, and the way back is long. The
// matrix at the positions before the jump knows better where the other vertices go: it is solved with the jump d as a
// boundary value, K_ff p = -g - K_fh d. Taken if it is a better start than x_start.
bool Newton::carry_motion() {
  const StepProblem& problem = objective_->problem();
  // Before the jump, and the jump itself.
  for (size_t s = 0; s < x_.size(); ++s) {
    p_[s] = problem.held[s] ? problem.x_target[s] - problem.x_prev[s] : Vec3d{};
    trial_[s] = x_[s] - p_[s];
    write(p_[s], &left_[3 * s]);
  }
  objective_->gradient(trial_, trial_g_);
  assembly_.assemble(problem, trial_, Tangent::projected, objective_->pool());
  multiply(assembly_.matrix(), left_, right_);
  for (size_t s = 0; s < x_.size(); ++s) {
    write(problem.held[s] ? Vec3d{} : -trial_g_[s] - read(&right_[3 * s]), &right_[3 * s]);
  }
  assembly_.hold(problem.held);
  double share = 0;
  if (!factorize(share) || !linear_->solve(right_, left_)) return false;
  for (size_t s = 0; s < x_.size(); ++s) trial_[s] += p_[s] + read(&left_[3 * s]);

  const double carried = merit(trial_);
  if (!std::isfinite(carried) || carried >= merit(x_)) return false;
  x_.swap(trial_);
  gradient_current_ = false;
  step_length_ = 1;
  return true;
}

// Energy and damping; the own-block damping is frozen at the iterate.
double Newton::merit(std::span<const Vec3d> x) const {
  return objective_->energy(x) + damping_merit(objective_->problem(), x, x_, objective_->pool());
}

double Newton::residual_of(std::span<const Vec3d> g) const {
  double sum = 0;
  for (const Vec3d& v : g) sum += dot(v, v);
  return std::sqrt(sum);
}

// Differences of the energy below this are round-off.
double Newton::energy_resolution() const {
  return 1e-14 * (energy_scale_ + std::abs(merit_));
}

// What rounding the positions does to the residual, with the matrix that was assembled last.
double Newton::force_resolution() {
  assembly_.regularize(0);
  for (size_t s = 0; s < x_.size(); ++s)
    write({std::abs(x_[s].x), std::abs(x_[s].y), std::abs(x_[s].z)}, &left_[3 * s]);
  multiply_absolute(assembly_.matrix(), left_, right_);
  double sum = 0;
  for (size_t s = 0; s < x_.size(); ++s) {
    if (objective_->problem().held[s]) continue;
    const Vec3d f = read(&right_[3 * s]);
    sum += dot(f, f);
  }
  return std::numeric_limits<double>::epsilon() * std::sqrt(sum);
}

size_t Newton::memory_bytes() const {
  return assembly_.memory_bytes() +
         (x_.capacity() + g_.capacity() + p_.capacity() + trial_.capacity()) * sizeof(Vec3d) +
         trial_g_.capacity() * sizeof(Vec3d) + (right_.capacity() + left_.capacity()) * sizeof(double);
}

std::unique_ptr<Solver> make_newton(const SolveOptions&, const NewtonOptions& options,
                                    LinearSolverFactory make_linear) {
  return std::make_unique<Newton>(options, make_linear("auto"));
}

}  // namespace sinew
