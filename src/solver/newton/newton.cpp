#include "solver/newton/newton.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/solver_info.h"

namespace sinew {
namespace {

// Shares of the diagonal that are added if a matrix is not positive definite, or if its direction does not help.
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
    : options_(options),
      linear_(std::move(linear)),
      descent_({options.line_search, options.armijo, options.max_halvings}) {
  SINEW_ASSERT(linear_ != nullptr || options_.linear == newton_cg);
}

void Newton::prepare(const Model& model, ThreadPool& pool) {
  assembly_.prepare(model, pool);
  if (options_.linear == newton_cg) {
    auto gradients = std::make_unique<ConjugateGradient>(pool, options_.cg_iterations, options_.cg_tolerance,
                                                         static_cast<Preconditioner>(options_.cg_preconditioner));
    gradients_ = gradients.get();
    linear_ = std::move(gradients);
  }
  on_grid_ = {};
  products_ = {};
  analyzed_ = !model.grid.empty() || linear_->analyze(assembly_.matrix());
  descent_.prepare(model, pool);
}

void Newton::begin_step(const Objective& objective) {
  objective_ = &objective;
  const StepProblem& problem = objective.problem();
  descent_.begin(objective);
  p_.resize(problem.unknown_count());
  right_.resize(3 * p_.size());
  left_.resize(3 * p_.size());
  glides_ = problem.glides;
  glides_.insert(glides_.end(), problem.node_glides.begin(), problem.node_glides.end());
  assembly_.begin_step();
  if (uses_products()) {
    products_.begin_step(problem, assembly_.matrix());
  } else if (problem.embedding && on_grid_.begin_step(problem, assembly_.block_matrix().pattern(), objective.pool())) {
    analyzed_ = linear_->analyze(on_grid_.block_matrix().matrix());
  }
  stalled_ = !analyzed_;
  at_round_off_ = false;
  residual_before_ = std::numeric_limits<double>::infinity();
  slope_ = -std::numeric_limits<double>::infinity();
  used_exact_ = false;
  exact_failures_ = exact_waited_ = 0;
  motion_pending_ = false;
  // Limits are of a motion that starts at x_start; on a grid pins are springs.
  const bool carries = options_.carry_motion && !descent_.has_limits() && !problem.embedding;
  for (size_t s = 0; carries && s < p_.size() && !motion_pending_; ++s) {
    const Vec3d d = problem.x_target[s] - problem.x_prev[s];
    motion_pending_ = problem.held[s] && dot(d, d) > 0;
  }
  for (const Glide& g : problem.glides) {
    const Vec3d d = g.fixed * (problem.x_prev[static_cast<size_t>(g.slot)] - g.at);
    motion_pending_ = motion_pending_ || (carries && dot(d, d) > 0);
  }
}

void Newton::positions(std::span<Vec3d> x) const {
  std::copy(descent_.x().begin(), descent_.x().end(), x.begin());
}

void Newton::iterate() {
  if (stalled_) return;
  if (motion_pending_) {
    motion_pending_ = false;
    if (carry_motion()) return;
  }
  if (!descent_.evaluate()) {
    stalled_ = true;
    at_round_off_ = descent_.residual() == 0;
    return;
  }

  const double residual = descent_.residual();
  if (should_try_exact()) {
    const bool succeeded = advance(Tangent::exact);
    learn_from_exact(succeeded);
    if (succeeded) {
      residual_before_ = residual;
      return;
    }
  }
  stalled_ = !advance(Tangent::projected);
  at_round_off_ = stalled_ && residual <= force_resolution();
  residual_before_ = residual;
}

// The exact matrix is tried again soon after it failed once, later after it failed often, and at once when convergence
// sets in, that is after a full step that removed most of the residual.
bool Newton::should_try_exact() const {
  if (options_.hessian == hessian_projected) return false;
  const bool converging = step_length() == 1 && descent_.residual() < 0.3 * residual_before_;
  return exact_failures_ == 0 || converging || exact_waited_ >= std::min(exact_failures_, 8) ||
         -slope_ < descent_.energy_resolution();
}

void Newton::learn_from_exact(bool succeeded) {
  exact_failures_ = succeeded ? 0 : exact_failures_ + 1;
  exact_waited_ = 0;
}

void Newton::assemble(std::span<const Vec3d> x, Tangent tangent) {
  const StepProblem& problem = objective_->problem();
  assembly_.assemble(problem, x, tangent, objective_->pool());
  if (uses_products()) return products_.assemble(assembly_.block_matrix(), glides_, objective_->pool());
  if (problem.embedding) on_grid_.assemble(problem, assembly_.block_matrix(), objective_->pool());
  matrix().hold(problem.held, glides_);
}

// That of the vertices has changed.
void Newton::renew_pattern() {
  const StepProblem& problem = objective_->problem();
  if (uses_products()) {
    products_.renew(assembly_.matrix());
  } else if (!problem.embedding) {
    analyzed_ = linear_->analyze(assembly_.matrix());
  } else if (on_grid_.renew(problem, assembly_.block_matrix().pattern(), objective_->pool())) {
    analyzed_ = linear_->analyze(on_grid_.block_matrix().matrix());
  }
}

// The matrix of the unknowns.
BlockMatrix& Newton::matrix() {
  return objective_->problem().embedding ? on_grid_.block_matrix() : assembly_.block_matrix();
}

// One step with this tangent; false if it gives none.
bool Newton::advance(Tangent tangent) {
  const StepProblem& problem = objective_->problem();
  if (assembly_.take_contacts(*problem.model, descent_.contacts(), objective_->pool())) renew_pattern();
  if (!analyzed_) return false;
  assemble(descent_.x(), tangent);
  used_exact_ = tangent == Tangent::exact;
  if (!used_exact_) ++exact_waited_;

  const std::vector<Vec3d>& g = descent_.gradient();
  for (double share = 0;; share = std::max(first_share, share * next_share)) {
    if (used_exact_) {
      if (!factorize_with(0)) return false;
    } else if (!factorize(share)) {
      return false;
    }
    for (size_t s = 0; s < g.size(); ++s) write(-g[s], &right_[3 * s]);
    if (linear_->solve(right_, left_)) {
      slope_ = 0;
      for (size_t s = 0; s < g.size(); ++s) {
        p_[s] = read(&left_[3 * s]);
        slope_ += dot(g[s], p_[s]);
      }
      keep_free_parts(glides_, p_);
      if (problem.embedding) carry_vertices(*problem.embedding, p_);
      if (std::isfinite(slope_) && slope_ < 0 && descent_.search(p_, slope_)) return true;
      // At round-off a shorter step does not help.
      if (-slope_ < descent_.energy_resolution()) return false;
    }
    if (used_exact_ || share >= 1) return false;
  }
}

// Factorizes, adding more and more of the diagonal until it succeeds. With clamped elements the matrix is only
// semi-definite in exact arithmetic, and in quasistatics bodies that nothing holds can move freely.
bool Newton::factorize(double& share) {
  for (; share <= last_share; share = std::max(first_share, share * next_share)) {
    if (factorize_with(share)) return true;
  }
  return false;
}

bool Newton::factorize_with(double share) {
  if (uses_products()) {
    products_.regularize(share);
    return gradients_->factorize(products_);
  }
  matrix().regularize(share);
  return linear_->factorize(matrix().matrix());
}

// When held vertices jump, the elements next to them are torn or inverted, and recovery takes long. The matrix at the
// positions before the jump predicts better where the other vertices go: the system is solved with the jump d as
// boundary value, K_ff p = -g - K_fh d. The result is used if it is a better start than x_start.
bool Newton::carry_motion() {
  const StepProblem& problem = objective_->problem();
  // The positions before the jump, then the jump itself.
  std::vector<Vec3d> x = descent_.x(), g(x.size());
  GlideCursor glides(problem.glides);
  for (size_t s = 0; s < x.size(); ++s) {
    const Glide* const glide = glides.at(static_cast<int32_t>(s));
    p_[s] = problem.held[s] ? problem.x_target[s] - problem.x_prev[s]
            : glide         ? glide->fixed * (glide->at - problem.x_prev[s])
                            : Vec3d{};
    x[s] -= p_[s];
    write(p_[s], &left_[3 * s]);
  }
  objective_->gradient(x, g);
  if (assembly_.take_contacts(*problem.model, {}, objective_->pool())) renew_pattern();
  if (!analyzed_) return false;
  assembly_.assemble(problem, x, Tangent::projected, objective_->pool());
  multiply(assembly_.matrix(), left_, right_);
  for (size_t s = 0; s < x.size(); ++s) {
    write(problem.held[s] ? Vec3d{} : -g[s] - read(&right_[3 * s]), &right_[3 * s]);
  }
  for (const Glide& glide : problem.glides) {
    double* const force = &right_[3 * static_cast<size_t>(glide.slot)];
    write(glide.free_part(read(force)), force);
  }
  matrix().hold(problem.held, glides_);
  double share = 0;
  if (!factorize(share) || !linear_->solve(right_, left_)) return false;
  for (size_t s = 0; s < x.size(); ++s) x[s] += p_[s] + read(&left_[3 * s]);
  return descent_.jump(x);
}

// The effect of rounding the positions on the residual, by the matrix that was assembled last.
double Newton::force_resolution() {
  const std::vector<Vec3d>& x = descent_.x();
  for (size_t s = 0; s < x.size(); ++s) write({std::abs(x[s].x), std::abs(x[s].y), std::abs(x[s].z)}, &left_[3 * s]);
  if (uses_products()) {
    products_.times_absolute(assembly_.matrix(), left_, right_, objective_->pool());
  } else {
    matrix().regularize(0);
    multiply_absolute(matrix().matrix(), left_, right_);
  }
  double sum = 0;
  for (size_t s = 0; s < x.size(); ++s) {
    if (objective_->problem().held[s]) continue;
    const Vec3d f = read(&right_[3 * s]);
    sum += dot(f, f);
  }
  return std::numeric_limits<double>::epsilon() * std::sqrt(sum);
}

size_t Newton::memory_bytes() const {
  return assembly_.memory_bytes() + on_grid_.memory_bytes() + products_.memory_bytes() + descent_.memory_bytes() +
         p_.capacity() * sizeof(Vec3d) + (right_.capacity() + left_.capacity()) * sizeof(double);
}

std::unique_ptr<Solver> make_newton(const SolveOptions&, const NewtonOptions& options,
                                    LinearSolverFactory make_linear) {
  return std::make_unique<Newton>(options, options.linear == newton_cholesky ? make_linear("auto") : nullptr);
}

SolverInfo newton_info() {
  return solver_info<NewtonOptions, newton_parameters, make_newton>();
}

}  // namespace sinew
