#include "step/stepper.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "accel/accelerator.h"
#include "base/format.h"
#include "base/nearest.h"
#include "base/stopwatch.h"
#include "math/bounds.h"
#include "math/stored.h"
#include "objective/contact_terms.h"
#include "objective/grab_terms.h"
#include "objective/tie_terms.h"
#include "solver/initial_guess.h"
#include "solver/solver.h"
#include "step/stop_rule.h"

namespace sinew {
namespace {

// A solver whose own estimate of the residual is this many times the goal is not tested, except every longest_trust
// times.
constexpr double far_above = 2;
constexpr int longest_trust = 10;
// Share of the external forces that the rounding of stiff ties and grabs may hide in the residual. For a binding of 1e9
// N/m that rounding exceeds all forces to be balanced: a step that does nothing would count as converged.
constexpr double hidden_by_ties = 1e-3;
// Iterations beyond the budget in which scripted vertices that were stopped may get where they are to be.
constexpr int more_iterations = 100;

// Of the parts of a step so far, and of the next.
StepReport joined(const StepReport& so_far, StepReport next) {
  next.iterations += so_far.iterations;
  next.first_residual = so_far.first_residual;
  next.milliseconds.predict += so_far.milliseconds.predict;
  next.milliseconds.detect += so_far.milliseconds.detect;
  next.milliseconds.solve += so_far.milliseconds.solve;
  next.milliseconds.evaluate += so_far.milliseconds.evaluate;
  next.milliseconds.velocities += so_far.milliseconds.velocities;
  next.limited += so_far.limited;
  next.detections += so_far.detections;
  next.candidates = std::max(next.candidates, so_far.candidates);
  next.contact_times.broad += so_far.contact_times.broad;
  next.contact_times.narrow += so_far.contact_times.narrow;
  next.contact_times.limits += so_far.contact_times.limits;
  if (so_far.status == SolveStatus::diverged || next.status == SolveStatus::converged) next.status = so_far.status;
  return next;
}

}  // namespace

Stepper::Stepper(const Model& model, std::vector<PinScript> pins, const Settings& settings,
                 std::unique_ptr<Solver> solver, std::unique_ptr<Accelerator> accelerator, ThreadPool& pool)
    : model_(model),
      body_guess_(model),
      pins_(std::move(pins)),
      pinned_(pinned_slots(pins_)),
      pinned_acceleration_(pinned_.size()),
      settings_(settings),
      solver_(std::move(solver)),
      accelerator_(std::move(accelerator)),
      pool_(pool) {
  problem_.model = &model_;
  problem_.quasistatic = settings_.quasistatic;
  problem_.h = settings_.quasistatic ? 0 : settings_.h;
  solver_->prepare(model_, pool_);
  is_middle_.resize(model_.middles.empty() ? 0 : static_cast<size_t>(model_.slot_count()));
  for (const Middles& middles : model_.middles)
    for (const int32_t s : middles)
      if (s != no_middle) is_middle_[static_cast<size_t>(s)] = 1;
}

Stepper::~Stepper() = default;

bool Stepper::take_parameters() {
  stiffness_norms_.reset();
  return solver_->take_parameters(model_);
}

void Stepper::pins_added() {
  fetch_accelerations();
  holds_as_before_ = false;
  const std::vector<int32_t> before = std::move(pinned_);
  const std::vector<Vec3d> acceleration = std::move(pinned_acceleration_);
  pinned_ = pinned_slots(pins_);
  if (pinned_ != before) at_pins_.reset();
  pinned_acceleration_.assign(pinned_.size(), Vec3d{});
  for (size_t k = 0; k < before.size(); ++k) {
    const auto at = std::lower_bound(pinned_.begin(), pinned_.end(), before[k]);
    if (at != pinned_.end() && *at == before[k])
      pinned_acceleration_[static_cast<size_t>(at - pinned_.begin())] = acceleration[k];
  }
}

Result<StepReport> Stepper::step(State& state) {
  if (Status s = fetch(state); !s) return s.error();
  state_changed();
  Result<StepReport> report = step_leaving(state);
  if (Status s = fetch(state); !s) return s.error();
  return report;
}

Result<StepReport> Stepper::step_leaving(State& state) {
  if (stays_there()) return advance_there(state);
  if (Status s = fetch(state); !s) return s.error();
  state_changed();
  if (!grid_) return advance(state);
  const Result<int64_t> parts = grid_->parts_of(state, settings_.h);
  if (!parts) return parts.error();
  std::optional<State> before;
  if (*parts > 1) before = state;
  const std::string touching = *parts > 1 ? save_contacts() : std::string();
  const int64_t taken = state.step;
  Result<StepReport> report = StepReport();
  for (int64_t part = 0; part < *parts && report; ++part) {
    part_ = part;
    parts_ = *parts;
    state.step = taken;
    Result<StepReport> next = advance(state);
    report = part == 0 || !next ? std::move(next) : joined(*report, *next);
  }
  part_ = 0;
  parts_ = 1;
  if (report) report->grid.parts = *parts;
  if (!report && before) {
    state = std::move(*before);
    [[maybe_unused]] const bool restored = restore_contacts(touching);
    SINEW_ASSERT(restored);
  }
  return report;
}

Result<StepReport> Stepper::advance(State& state) {
  StepReport report;
  report.step = state.step + 1;
  report.time = end_of_part(report.step);

  const std::string touching = save_contacts();
  const auto go_back = [&] {
    [[maybe_unused]] const bool restored = restore_contacts(touching);
    SINEW_ASSERT(restored);
  };

  Stopwatch predicting;
  // What is certified are the numbers that the solver stores.
  if (contacts_ && contacts_->limits())
    for (Vec3d& x : state.x) x = stored(x);
  predict(state);
  if (Status s = pose_grid(state); !s) return s.error();
  guess(state);
  report.milliseconds.predict = predicting.milliseconds();
  if (grid_)
    report.grid = {1, static_cast<int64_t>(problem_.node_count()), static_cast<int32_t>(problem_.grid_colors.count)};
  if (Status s = solver_->check_step(problem_); !s) return s.error();
  if (contacts_) {
    Stopwatch detecting;
    pose_contacts(state);
    if (!contacts_->limits()) {
      detect(problem_.x_prev, expected(), report);
      contacts_->look(expected(), pool_);
    } else if (!start_apart(true, report)) {
      go_back();
      pose_contacts(state);
      start_apart(false, report);
    }
    looked_at_ = expected();
    next_look_ = contacts_->limits() ? 0 : contacts_->options().detect_every;
    report.milliseconds.detect = detecting.milliseconds();
  }

  const std::optional<SolveStatus> status = solve(state.step + 1, report);
  if (!status) {
    go_back();
    return interrupted(report.step);
  }
  report.status = *status;

  Stopwatch finishing;
  solver_->positions(x_);
  if (Status s = solver_->fault(); !s) {
    go_back();
    return s.error();
  }
  if (Status s = judge(step_end(), report); !s) {
    go_back();
    return s.error();
  }
  finish(state);
  if (contacts_) contacts_->end_step(state.x, pool_);
  state.step = report.step;
  state.time = report.time;
  report.milliseconds.velocities = finishing.milliseconds();
  return report;
}

const StepProblem& Stepper::problem_at(const State& state) {
  if (!problem_.held.empty()) return problem();
  predict(state);
  [[maybe_unused]] const Status posed = pose_grid(state);  // of a state that was reached
  if (contacts_) {
    pose_contacts(state);
    contacts_->detect_at(state.x, pool_);
  }
  return problem_;
}

// What a problem has beside vertices.
void Stepper::outline(const State& state) {
  problem_.h = settings_.quasistatic ? 0 : part_length();
  problem_.embedding = nullptr;
  problem_.node_mass.clear();
  problem_.node_end.clear();
  problem_.embedded_target.clear();
  problem_.load.clear();
  problem_.grabs.clear();
  problem_.step = state.step + 1;
  problem_.pressures = state.pressures;
  problem_.activation.clear();
  for (const Activation& muscle : model_.muscles) problem_.activation.push_back(muscle.at(end_of_part(problem_.step)));
}

// Writes what pins say of their vertices, and idle ones.
void Stepper::follow_pins() {
  apply_pins(pins_, end_of_part(problem_.step), problem_.held, problem_.x_target, problem_.glides);
  for (const int32_t s : idle_) problem_.held[static_cast<size_t>(s)] = 1;
  if (!idle_.empty()) std::erase_if(problem_.glides, [&](const Glide& g) { return problem_.held[g.slot] != 0; });
}

// Poses the problem of this step: held vertices and their positions, x_prev, and the inertial target.
void Stepper::predict(const State& state) {
  const double h = part_length();
  const size_t slots = state.x.size();
  posed_there_ = holds_as_before_ = problem_behind_ = false;
  outline(state);
  problem_.x_prev.resize(slots);
  problem_.x_target.resize(slots);
  problem_.held.resize(slots);
  pool_.for_each(model_.slot_count(), [&](size_t s) {
    problem_.x_prev[s] = problem_.x_target[s] = state.x[s];
    problem_.held[s] = model_.mass[s] == 0;
  });
  follow_pins();
  for (const int32_t s : idle_) problem_.x_target[s] = state.x[s];
  evaluate_loads(state, end_of_part(problem_.step));
  for (const GrabScript& grab : grabs_)
    if (!is_removed(grab)) problem_.grabs.push_back(in_step(grab, state.x, problem_.h));
  if (settings_.quasistatic) return settle(problem_.glides, problem_.x_target);
  pool_.for_each(model_.slot_count(), [&](size_t s) {
    if (!problem_.held[s]) problem_.x_target[s] = inertial_target(start_of(state, s), h);
  });
  settle(problem_.glides, problem_.x_target);
}

StepStart Stepper::start_of(const State& state, size_t s) const {
  return {state.x[s], state.v[s], model_.mass[s], model_.mass[s] * model_.gravity, problem_.external_force(s)};
}

// The nodes of the grid, as further unknowns of the problem.
Status Stepper::pose_grid(const State& state) {
  if (!grid_) return {};
  return grid_->pose(state, end_of_part(problem_.step) - problem_.h, colliders_, idle_, pool_, problem_);
}

double Stepper::end_of_part(int64_t step) const {
  if (part_ + 1 == parts_) return time_of(step);
  const double share = static_cast<double>(part_ + 1) / static_cast<double>(parts_);
  return time_of(step - 1) + share * settings_.h;
}

void Stepper::evaluate_loads(const State& state, double end) {
  if (loads_.empty()) return;
  problem_.load.assign(state.x.size(), Vec3d{});
  const LoadTime now{end, problem_.h, state.x, state.v, model_.mass, is_middle_};
  add_loads(loads_, now, problem_.load);
}

// Sets the initial guess.
void Stepper::guess(const State& state) {
  const int kind = settings_.solve.initial_guess;
  const double h = part_length();
  problem_.x_start.resize(state.x.size());
  pool_.for_each(model_.slot_count(), [&](size_t s) {
    Vec3d& x = problem_.x_start[s];
    x = state.x[s];
    if (problem_.held[s]) {
      x = problem_.x_target[s];
    } else if (!settings_.quasistatic) {
      x = initial_guess(kind, start_of(state, s), h, state.fall[s]);
    }
  });
  if (kind != guess_previous && !settings_.quasistatic) mend_guess(state);
  settle(problem_.glides, problem_.x_start);
}

// Limits keep what they hold out of each other, and need no energy for it.
void Stepper::mend_guess(const State& state) {
  if (!contacts_ || contacts_->limits()) return body_guess_.mend(problem_, pool_, {}, problem_.x_start);
  bool posed = false;
  const auto contact_energy = [&](std::span<const Vec3d> x) {
    if (!posed) pose_contacts(state);
    posed = true;
    contacts_->detect(problem_.x_prev, x, pool_);
    return add_contact_terms(problem_, x, pool_, {}).energy;
  };
  body_guess_.mend(problem_, pool_, contact_energy, problem_.x_start);
}

// What the end of the step is judged by.
StepEnd Stepper::step_end() const {
  StepEnd end = ordered_sum<StepEnd>(pool_, model_.slot_count(), [&](int64_t s) {
    StepEnd one;
    if (!std::isfinite(x_[s].x + x_[s].y + x_[s].z)) one.lost = 1;
    if (model_.mass[s] != 0) one.add(problem_.x_prev[s], x_[s], problem_.held[s] != 0, problem_.x_target[s]);
    return one;
  });
  for (const Glide& g : problem_.glides) end.before.add(g.settled(problem_.x_prev[g.slot]));
  for (const Grab& grab : problem_.grabs) end.before.add(grab.anchor);
  return end;
}

// Errors: positions that are not finite. If vertices have torn apart the solve has failed, whatever the solver reports;
// this sign costs no residual.
Status Stepper::judge(const StepEnd& end, StepReport& report) const {
  if (end.lost > 0) return non_finite(report.step);
  if (!end.torn_apart()) return {};
  // Vertices may move far on the way to balance, for instance from a chain held out straight to one that hangs.
  const auto residual = [&](std::span<const Vec3d> x) { return Objective(problem_, pool_).evaluate(x).residual; };
  const bool nearer = report.evaluated ? report.evaluation.residual < report.first_residual
                                       : settings_.quasistatic && residual(x_) < residual(problem_.x_start);
  if (!nearer) report.status = SolveStatus::diverged;
  return {};
}

// Takes over the new positions and computes velocities and what the next guess needs.
void Stepper::finish(State& state) {
  solver_->pressures(state.pressures);
  accelerations_behind_ = false;
  const double h = part_length();
  // With limits, vertices stay where they were certain to be apart, to the last bit.
  const bool apart = contacts_ && contacts_->limits();
  if (!apart) settle(problem_.glides, x_);
  for (size_t k = 0; k < pinned_.size() && !settings_.quasistatic; ++k) {
    const auto s = static_cast<size_t>(pinned_[k]);
    const Vec3d end = apart ? x_[s] : problem_.x_target[s];
    pinned_acceleration_[k] = (1 / h) * ((1 / h) * (end - problem_.x_prev[s]) - state.v[s]);
  }
  pool_.for_each(model_.slot_count(), [&](size_t s) {
    // Held vertices are exactly where the script has them, whatever the precision of the solver.
    if (problem_.held[s] && !problem_.is_carried(s) && !apart) x_[s] = problem_.x_target[s];
    const Vec3d v = settings_.quasistatic ? Vec3d{} : (1 / h) * (x_[s] - problem_.x_prev[s]);
    const double mass = model_.mass[s];
    state.fall[s] = mass == 0 ? 0 : share_of_fall((1 / h) * (v - state.v[s]), mass, mass * model_.gravity);
    state.v[s] = v;
  });
  if (grid_) {
    grid_->finish(problem_, x_, pool_, state);
    problem_.node_end.assign(x_.begin() + model_.slot_count(), x_.end());
  }
  x_.resize(state.x.size());
  state.x.swap(x_);
}

std::vector<Reaction> Stepper::reactions(const State& state, std::span<const Vec3d> gradient) const {
  // The pins of each pinned slot, by their indices.
  std::vector<std::vector<int32_t>> pins_of(pinned_.size());
  const auto place_of = [&](int32_t slot) {
    return static_cast<size_t>(std::lower_bound(pinned_.begin(), pinned_.end(), slot) - pinned_.begin());
  };
  for (size_t p = 0; p < pins_.size(); ++p) {
    if (!is_active(pins_[p], state.time)) continue;
    for (const int32_t slot : pins_[p].slots) {
      std::vector<int32_t>& pins = pins_of[place_of(slot)];
      if (pins_[p].fixed.empty()) pins.clear();  // replaces the pins before
      pins.push_back(static_cast<int32_t>(p));
    }
  }
  std::vector<Reaction> reactions;
  fetch_accelerations();
  [[maybe_unused]] const StepProblem& fetched = problem();
  GlideCursor glides(problem_.glides);
  for (size_t k = 0; k < pinned_.size(); ++k) {
    const auto s = static_cast<size_t>(pinned_[k]);
    const Glide* const glide = glides.at(pinned_[k]);
    if (pins_of[k].empty()) continue;
    if (problem_.is_carried(s)) {
      const auto spring = std::find_if(problem_.pins_on_grid.begin(), problem_.pins_on_grid.end(),
                                       [&](const Grab& grab) { return grab.vertices[0] == pinned_[k]; });
      if (spring == problem_.pins_on_grid.end()) continue;
      reactions.push_back({pinned_[k], pins_of[k].back(), -spring->stiffness * spring->stretch(state.x)});
      continue;
    }
    if ((!problem_.held[s] && !glide) || model_.mass[s] == 0) continue;
    if (std::binary_search(idle_.begin(), idle_.end(), pinned_[k])) continue;
    Vec3d force = gradient[s];
    if (!problem_.quasistatic) {
      // The objective's inertia term is that of a free vertex, and the target of a held one contains no forces.
      force -= (model_.mass[s] * problem_.inverse_h2()) * (state.x[s] - problem_.x_target[s]);
      force += model_.mass[s] * pinned_acceleration_[k] - problem_.external_force(s);
    }
    if (glide) force = glide->fixed * force;
    // If pins share a vertex, each exerts the part in its directions, the last pin first. What remains, if these are
    // not at right angles, is exerted by the first.
    for (size_t j = pins_of[k].size(); j-- > 0;) {
      const PinScript& pin = pins_[static_cast<size_t>(pins_of[k][j])];
      Vec3d part{};
      for (const Vec3d& n : pin.fixed) part += dot(n, force) * n;
      if (j == 0 || pin.fixed.empty()) part = force;
      reactions.push_back({pinned_[k], pins_of[k][j], part});
      force -= part;
    }
  }
  return reactions;
}

std::vector<Reaction> Stepper::reactions(const State& state) {
  const StepProblem& problem = problem_at(state);
  if (!at_pins_) at_pins_.emplace(model_, pinned_);
  return reactions(state, at_pins_->at(problem, state.x, pool_));
}

// [-] At least 1. Of quadratic elements: linear ones would lock long before.
static double pressure_of_shear(const Model& model) {
  double most = 1;
  for (const ElasticBlock& block : model.blocks)
    if (block.quadratic()) most = std::max(most, PointMaterial::of(block).mean_lambda / block.material.lame.mu);
  return most;
}

std::optional<SolveStatus> Stepper::solve(int64_t step, StepReport& report) {
  const SolveOptions& options = settings_.solve;
  const Objective objective(problem_, pool_);
  std::optional<StopRule> rule;
  SolveStatus status = SolveStatus::budget;
  double spent = 0;  // [ms] in solver and accelerator

  {
    Stopwatch loading;
    if (!posed_there_) solver_->begin_step(objective);
    if (accelerator_) accelerator_->begin_step(solver_->iterate_ref(), pool_);
    x_.resize(problem_.unknown_count());
    tested_at_.clear();
    report.milliseconds.predict += loading.milliseconds();
  }
  if (options.tolerance > 0 || options.relative_tolerance > 0) {
    const double motion = least_motion();
    rule.emplace(options, force_resolution(motion), motion, external_norm(), largest_residual(),
                 pressure_of_shear(model_), problem_.quasistatic);
  }

  const auto worth_a_test = [&](const StopRule& stop, int iteration) {
    if (iteration % (longest_trust * options.check_every) == 0) return true;
    const std::optional<double> estimate = solver_->residual_estimate();
    return !estimate || *estimate <= far_above * stop.goal();
  };
  for (int iteration = 0;; ++iteration) {
    // Evaluates the iterate if it is needed.
    const bool scripts_wait = unreached_ > 0 && iteration < options.iterations + more_iterations;
    const bool last = (iteration >= options.iterations && !scripts_wait) ||
                      (options.time_budget > 0 && spent >= options.time_budget) ||
                      (iteration > 0 && solver_->stalled());
    const bool observed = observer_ && observer_->wants(step, iteration);
    const bool tested = rule && (last || (iteration % options.check_every == 0 && worth_a_test(*rule, iteration)));
    report.evaluated = observed || tested;
    bool ended = false;
    if (report.evaluated) {
      Stopwatch waiting;
      solver_->wait();
      spent += waiting.milliseconds();
      Stopwatch evaluating;
      report.evaluation = evaluate_current(tested);
      if (observed && posed_there_ && observer_->wants_positions()) solver_->positions(x_);
      if (observed) notify(step, iteration, spent, report.evaluation);
      if (iteration == 0)
        report.first_residual = std::max(report.evaluation.residual, force_resolution(least_motion()));
      if (tested) ended = rule->ended(report.evaluation, motion_, status);
      report.milliseconds.evaluate += evaluating.milliseconds();
    }
    report.iterations = iteration;
    // At round-off nothing is left to improve; but an absolute tolerance that was not met counts as not met.
    if (!ended && iteration > 0 && solver_->stalled()) {
      status = solver_->at_round_off() && options.tolerance == 0 ? SolveStatus::converged : SolveStatus::stalled;
    }
    if (ended || last) break;
    if (stop_ && stop_->load(std::memory_order_relaxed)) return std::nullopt;

    Stopwatch solving;
    solver_->iterate();
    if (accelerator_ && solver_->restarted()) {
      accelerator_->begin_step(solver_->iterate_ref(), pool_);
    } else if (accelerator_) {
      accelerate(iteration + 1);
      if (accelerator_->moves_multipliers_alone()) solver_->follow_multipliers();
    }
    if (options.time_budget > 0) solver_->wait();
    spent += solving.milliseconds();
    if (!contacts_) continue;
    Stopwatch detecting;
    if (contacts_->limits()) {
      keep_apart(objective, report, iteration + 1);
    } else if (iteration + 1 == next_look_) {
      look_for_contacts(report, iteration + 1);
    }
    report.milliseconds.detect += detecting.milliseconds();
  }
  Stopwatch waiting;
  solver_->wait();
  report.milliseconds.solve = spent + waiting.milliseconds();
  if (contacts_) {
    const Contacts::Times times = contacts_->take_times();
    report.contact_times = {times.broad, times.narrow, times.limits};
  }
  report.corrections = solver_->corrections();
  report.unreached = unreached_;
  const LimitCounts counts = contacts_ && contacts_->limits() ? solver_->take_limit_counts() : LimitCounts{};
  report.limited += counts.sum() + limited_.sum();
  return status;
}

// [m] The 2-norm of the change of positions if each is rounded to the solver's precision.
double Stepper::least_motion() {
  const auto square = [&](int64_t s) { return dot(problem_.x_start[s], problem_.x_start[s]); };
  const double norm = posed_there_ ? solver_->resident()->norms().positions
                                   : std::sqrt(ordered_sum<double>(pool_, model_.slot_count(), square));
  const double epsilon = settings_.solve.precision != double_precision ? std::numeric_limits<float>::epsilon()
                                                                       : std::numeric_limits<double>::epsilon();
  if (const double own = solver_->position_rounding(); own > 0)
    return own * std::sqrt(static_cast<double>(model_.slot_count()));
  return epsilon * norm;
}

// [N] The residual that remains if each position is rounded, by `motion` in total (2-norm).
double Stepper::force_resolution(double motion) {
  if (!stiffness_norms_)
    stiffness_norms_ = {stiffness_norm(model_, problem_.inverse_h2(), pool_),
                        tie_stiffness_norm(model_, problem_.inverse_h2())};
  const double bodies = stiffness_norms_->bodies;
  const double ties = problem_.grabs.empty() ? stiffness_norms_->ties
                                             : std::hypot(stiffness_norms_->ties, grab_stiffness_norm(problem_));
  const double rounding = 0.5 * motion / std::sqrt(static_cast<double>(model_.slot_count()));
  if (ties == 0) return rounding * bodies;
  return std::min(rounding * std::hypot(bodies, ties), std::max(rounding * bodies, hidden_by_ties * external_norm()));
}

// [N] The 2-norm of weight and loads on free vertices.
double Stepper::external_norm() {
  if (posed_there_) return solver_->resident()->norms().external;
  const auto square = [&](int64_t s) {
    const Vec3d f = problem_.held[s] ? Vec3d{} : problem_.external_force(s);
    return dot(f, f);
  };
  const double of_slots = ordered_sum<double>(pool_, model_.slot_count(), square);
  double of_nodes = 0;
  for (const double m : problem_.node_mass) of_nodes += m * m * dot(model_.gravity, model_.gravity);
  return std::sqrt(of_slots + of_nodes);
}

// [N] What the residual of the initial guess may be at most. Contacts that the guess is deep in exert forces without
// bounds, so with them it is that of the guess without contacts, and what would stop all vertices within the step.
double Stepper::largest_residual() {
  if (!contacts_ || settings_.quasistatic) return std::numeric_limits<double>::infinity();
  problem_.contacts = nullptr;
  const double residual = Objective(problem_, pool_).evaluate(problem_.x_start).residual;
  problem_.contacts = contacts_.get();
  const auto square = [&](int64_t s) {
    if (problem_.held[s]) return 0.0;
    const Vec3d f = (model_.mass[s] * problem_.inverse_h2()) * (problem_.x_target[s] - problem_.x_prev[s]);
    return dot(f, f);
  };
  return residual + std::sqrt(ordered_sum<double>(pool_, model_.slot_count(), square));
}

// tested: by the stop rule, so that motion counts from here.
Evaluation Stepper::evaluate_current(bool tested) {
  if (posed_there_) {
    if (const auto there = solver_->resident()->evaluate(tested)) {
      if (tested) motion_ = there->motion;
      return there->evaluation;
    }
  }
  solver_->positions(x_);
  if (tested) {
    motion_ = tested_at_.empty() ? std::numeric_limits<double>::infinity() : distance_since_test();
    tested_at_ = x_;
  }
  return Objective(problem(), pool_).evaluate(x_);
}

double Stepper::distance_since_test() const {
  const auto square = [&](int64_t s) {
    const auto k = static_cast<size_t>(s);
    const Vec3d moved = x_[k] - tested_at_[k];
    return dot(moved, moved);
  };
  return std::sqrt(ordered_sum<double>(pool_, static_cast<int64_t>(x_.size()), square));
}

void Stepper::notify(int64_t step, int iteration, double milliseconds, const Evaluation& evaluation) {
  IterationReport report{step, iteration, milliseconds, evaluation, nullptr};
  if (observer_->wants_positions()) {
    user_positions_.resize(static_cast<size_t>(model_.order.vertex_count()));
    for (int32_t v = 0; v < model_.order.vertex_count(); ++v) {
      const Vec3d p = x_[static_cast<size_t>(model_.order.slot(UserVertex{v}))];
      user_positions_[static_cast<size_t>(v)] = {p.x, p.y, p.z};
    }
    report.positions = &user_positions_;
  }
  observer_->on_iteration(report);
}

Error Stepper::interrupted(int64_t step) {
  return Error{format("step %lld", static_cast<long long>(step)), "was interrupted before its end", ""};
}

Error Stepper::non_finite(int64_t step) const {
  int32_t vertex = std::numeric_limits<int32_t>::max();
  for (int32_t s = 0; s < model_.slot_count(); ++s) {
    const Vec3d p = x_[static_cast<size_t>(s)];
    if (std::isfinite(p.x + p.y + p.z) || model_.order.is_padding(Slot{s})) continue;
    vertex = std::min(vertex, static_cast<int32_t>(model_.order.vertex(Slot{s})));
  }
  return Error{format("step %lld (t = %g s)", static_cast<long long>(step), time_of(step)),
               format("the position of vertex %d is not finite", vertex),
               joined({contacts_ ? "take a smaller contact.stiffness, a larger contact.friction_speed, " : "take ",
                       "smaller steps (time.substeps), ", pins_.empty() ? "" : "softer or slower pins, ",
                       "or solver.precision = \"double\"; for bodies that start far out of shape, "
                       "solver.initial_guess = \"previous\"",
                       !accelerator_                             ? ""
                       : accelerator_->moves_multipliers_alone() ? "; for the accelerator, on = \"both\""
                                                                 : "; for the accelerator, a smaller rho, or none",
                       model_.middles.empty() ? "; in multilevel, solver.blocks = \"stiffer\"" : ""})};
}

}  // namespace sinew
