#include "solver/newton/descent.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/contacts.h"
#include "grid/grid_embedding.h"
#include "objective/contact_terms.h"
#include "solver/damping_merit.h"

namespace sinew {
namespace {

// A step that reduces the residual by less than this factor is noise.
constexpr double least_reduction = 0.99;
// If the gradient judges a step, the merit may still rise by at most this multiple of its resolution.
constexpr double noise = 1e3;
constexpr double shortest = 0.125;  // step length t in this case
// With contacts, which may be far stiffer than what a direction takes account of.
constexpr double shortest_with_contacts = 1e-3;
// Contacts foresee a step if their energy at its end is at most this multiple of what they make it.
constexpr double most_unforeseen = 1.5;

// [-] A line search with contacts shortens a step to this share of it at least.
constexpr double least_shortening = 0.1;
// The smallest share of the way to the guess at which a step begins.
constexpr double least_way = 1e-3;

double residual_of(std::span<const Vec3d> g) {
  double sum = 0;
  for (const Vec3d& v : g) sum += dot(v, v);
  return std::sqrt(sum);
}

}  // namespace

void Descent::prepare(const Model& model, ThreadPool& pool) {
  energy_scale_ = energy_scale(model, pool);
}

void Descent::begin(const Objective& objective) {
  objective_ = &objective;
  start_from(objective.problem());
  gradient_current_ = false;
  step_length_ = 0;
  contacts_.clear();
  const Contacts* contacts = objective.problem().contacts;
  limits_ = contacts ? contacts->limits() : nullptr;
  if (contacts) step_back();
}

// Nodes of a grid start where nothing but inertia and loads moves them.
void Descent::start_from(const StepProblem& problem) {
  x_ = problem.x_start;
  x_.insert(x_.end(), problem.x_target.begin() + static_cast<std::ptrdiff_t>(x_.size()), problem.x_target.end());
  if (problem.embedding) carry_vertices(*problem.embedding, x_);
  for (auto* v : {&g_, &trial_, &trial_g_}) v->assign(x_.size(), Vec3d{});
}

// A guess that is deep in a stiff contact, or of which limits have cut some vertices short, has more energy than bodies
// ever had. Nearer to where they were it has less.
void Descent::step_back() {
  const StepProblem& problem = objective_->problem();
  double of_contacts = 0;
  double energy = objective_->energy(x_, &of_contacts);
  if (of_contacts <= 0 && !limits_) return;
  std::vector<Vec3d> way(x_.size());
  for (size_t s = 0; s < x_.size(); ++s) way[s] = problem.held[s] ? Vec3d{} : x_[s] - problem.x_prev[s];
  const auto go = [&](double t) {
    for (size_t s = 0; s < x_.size(); ++s) trial_[s] = problem.x_start[s] - (1 - t) * way[s];
    if (limits_) limits_->limit_all<Vec3d>(problem.x_start, trial_, objective_->pool());
    const double there = objective_->energy(trial_);
    if (!(there < energy)) return false;
    energy = there;
    x_.swap(trial_);
    return true;
  };
  double t = 0.5;
  while (t >= least_way && go(t)) t *= 0.5;
}

bool Descent::evaluate() {
  if (!gradient_current_) {
    objective_->gradient(x_, g_);
    residual_ = residual_of(g_);
    gradient_current_ = true;
  }
  if (const Contacts* contacts = objective_->problem().contacts)
    contacts->find(x_, objective_->pool(), contacts_, nullptr);
  merit_ = merit_at(x_).anew;
  return residual_ != 0 && std::isfinite(residual_) && std::isfinite(merit_);
}

bool Descent::search(std::span<const Vec3d> p, double slope) {
  if (!line_search_.enabled) return move(p, 1);
  const double resolution = energy_resolution();
  double t = 1;
  for (int k = 0; k <= line_search_.max_halvings && -t * slope >= resolution; ++k) {
    try_step(p, t);
    const Merit m = merit_at(trial_);
    const double of_trial = slope_of_trial(t, slope), gain = line_search_.armijo * of_trial;
    const double least = std::min(m.anew, m.as_found);
    if (std::isfinite(m.anew) && gain < 0 && least <= merit_ + gain)
      return has_friction() ? move_with_friction(p, t) : move(p, t);
    t *= contacts_.empty() ? 0.5 : shortening(least - merit_, of_trial);
  }
  return move_by_residual(p);
}

// Where contacts are stiff, a direction may be far too long: the next step is the one at which the parabola through the
// merit and its slope here, and the merit at the end of this one, is least.
double Descent::shortening(double rise, double slope) const {
  const double share = -slope / (2 * (rise - slope));
  return std::isfinite(share) ? std::clamp(share, least_shortening, 0.5) : 0.5;
}

bool Descent::has_friction() const {
  return std::any_of(contacts_.begin(), contacts_.end(), [](const Contact& c) { return c.numbers.friction > 0; });
}

// The merit takes the forces of contacts in friction from the iterate. Where friction changes them much, full steps go
// to and fro between two points for ever; halfway between them is better.
bool Descent::move_with_friction(std::span<const Vec3d> p, double t) {
  double best = t, least = std::numeric_limits<double>::infinity();
  for (; t >= shortest; t *= 0.5) {
    try_step(p, t);
    objective_->gradient(trial_, trial_g_);
    const double residual = residual_of(trial_g_);
    if (residual < residual_) {
      take_trial(residual, t);
      return true;
    }
    if (!(residual < least)) break;
    least = residual;
    best = t;
  }
  return move(p, best);
}

// Whether a step that the gradient has judged may be taken: it must not raise the merit by more than its noise. With
// contacts the merit says little: their shares and the forces in friction change from iterate to iterate, so that the
// forces are not its gradient.
bool Descent::may_take_trial() const {
  const Merit merit = merit_at(trial_);
  return std::isfinite(merit.anew) && std::min(merit.anew, merit.as_found) <= merit_ + noise * energy_resolution();
}

// For a step that the energy cannot judge: it must reduce the residual.
bool Descent::move_by_residual(std::span<const Vec3d> p) {
  for (double t = 1; t >= least_step(); t *= 0.5) {
    try_step(p, t);
    objective_->gradient(trial_, trial_g_);
    const double residual = residual_of(trial_g_);
    if (residual < least_reduction * residual_ && may_take_trial()) {
      take_trial(residual, t);
      return true;
    }
  }
  return false;
}

bool Descent::search_by_slope(std::span<const Vec3d> p, double slope) {
  for (double t = 1; t >= least_step(); t *= 0.5) {
    try_step(p, t);
    objective_->gradient(trial_, trial_g_);
    double after = 0;
    for (size_t s = 0; s < x_.size(); ++s) after += dot(trial_g_[s], p[s]);
    if (after > slope && after <= (1 - 2 * line_search_.armijo) * -slope && may_take_trial()) {
      take_trial(residual_of(trial_g_), t);
      return true;
    }
  }
  return false;
}

bool Descent::jump(std::span<const Vec3d> x) {
  const double merit = merit_at(x).anew;
  if (!std::isfinite(merit) || merit >= merit_at(x_).anew) return false;
  x_.assign(x.begin(), x.end());
  gradient_current_ = false;
  step_length_ = 1;
  return true;
}

void Descent::try_step(std::span<const Vec3d> p, double t) {
  for (size_t s = 0; s < x_.size(); ++s) trial_[s] = x_[s] + t * p[s];
  if (limits_) trial_limited_ = limits_->limit_all<Vec3d>(x_, trial_, objective_->pool());
}

// g.(x' - x) of the trial x', which limits may have cut short of x + t p.
double Descent::slope_of_trial(double t, double slope) const {
  if (!limits_) return t * slope;
  double sum = 0;
  for (size_t s = 0; s < x_.size(); ++s) sum += dot(g_[s], trial_[s] - x_[s]);
  return sum;
}

void Descent::take_trial(double residual, double t) {
  limited_ += trial_limited_;
  x_.swap(trial_);
  g_.swap(trial_g_);
  residual_ = residual;
  step_length_ = t;
}

bool Descent::move(std::span<const Vec3d> p, double t) {
  try_step(p, t);
  limited_ += trial_limited_;
  x_.swap(trial_);
  step_length_ = t;
  gradient_current_ = false;
  return true;
}

// The energy, plus the merit of damping that it does not contain, frozen at the iterate.
Descent::Merit Descent::merit_at(std::span<const Vec3d> x) const {
  double of_contacts = 0;
  const double anew = objective_->energy(x, &of_contacts) +
                      damping_merit(objective_->problem(), x, x_, objective_->pool()) +
                      friction_merit(contacts_, x, x_);
  const double foreseen = energy_as_found(contacts_, x, x_);
  if (of_contacts > most_unforeseen * foreseen) return {anew, std::numeric_limits<double>::infinity()};
  return {anew, anew - of_contacts + foreseen};
}

double Descent::least_step() const {
  return contacts_.empty() ? shortest : shortest_with_contacts;
}

double Descent::energy_resolution() const {
  return 1e-14 * (energy_scale_ + std::abs(merit_));
}

}  // namespace sinew
