#include "drive/compare.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/assert.h"
#include "base/clock.h"
#include "base/format.h"
#include "compile/contact_start.h"
#include "compile/precision.h"
#include "drive/collider_frame.h"
#include "drive/compare_observers.h"
#include "drive/disk_files.h"
#include "drive/raised_residual.h"
#include "drive/recording.h"
#include "drive/watching.h"
#include "engine/engine.h"
#include "model/element_points.h"
#include "objective/strain.h"
#include "objective/tie_terms.h"
#include "record/measures.h"
#include "record/recorder.h"
#include "scene/methods.h"
#include "sinew/compare.h"
#include "sinew/scene_file.h"
#include "solver/solver.h"
#include "solver/solver_list.h"

namespace sinew {
namespace {

// A method's first step is timed at least twice, and again while that takes no time to speak of.
constexpr int least_timed_runs = 2, most_timed_runs = 6;
constexpr double enough_timed = 500;  // [ms]
constexpr int reference_iterations = 500;
constexpr double reference_relative = 1e-12;
// A residual this many times what was asked for still counts: round-off may end the iteration a little earlier.
constexpr double reference_slack = 1e3;

// The settings with nothing that ends a step but these two; a budget of 0 is none.
SolverSettings ending_after(SolverSettings settings, int iterations, double budget) {
  for (const char* name : {"tolerance", "relative_tolerance"}) settings.options.set(name, 0);
  settings.options.set("iterations", iterations);
  settings.options.set("time_budget", budget);
  return settings;
}

// Over the vertices that are not held; unknown without a reference, and where x is not finite.
StateError distance(const std::vector<Real3>& x, const std::vector<Real3>& reference,
                    const std::vector<uint8_t>& held) {
  if (reference.empty()) return {};
  double largest = 0, sum = 0;
  int64_t count = 0;
  for (size_t v = 0; v < x.size(); ++v) {
    if (held[v] && held[v] != carried_by_grid) continue;
    double d2 = 0;
    for (int k = 0; k < 3; ++k) d2 += (x[v][k] - reference[v][k]) * (x[v][k] - reference[v][k]);
    if (!std::isfinite(d2)) return {};
    largest = std::max(largest, d2);
    sum += d2;
    ++count;
  }
  return {std::sqrt(largest), count > 0 ? std::sqrt(sum / static_cast<double>(count)) : 0};
}

// How the curve ended, by the residuals alone: a solver does not know. Divergence is a residual that is ten times the
// first and goes on growing. One that jumped so far (that of a method by constraints may) is judged by what came after:
// it may be falling, or have stalled.
SolveStatus judge(const std::vector<CurvePoint>& points, double tolerance) {
  const CurvePoint &first = points.front(), &last = points.back();
  if (!last.evaluation.finite) return SolveStatus::diverged;
  if (last.evaluation.residual <= tolerance) return SolveStatus::converged;

  const auto peak = std::max_element(points.begin(), points.end(), [](const CurvePoint& a, const CurvePoint& b) {
    return a.evaluation.residual < b.evaluation.residual;
  });
  const double jump = raised_residual * first.evaluation.residual;
  const int quarter = last.iteration / 4;
  if (last.evaluation.residual > jump && peak->iteration >= last.iteration - quarter) return SolveStatus::diverged;

  // The least before the last quarter, and in it.
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double least_before = infinity, least_lately = infinity;
  for (auto p = peak->evaluation.residual > jump ? peak : points.begin(); p != points.end(); ++p) {
    double& least = p->iteration >= last.iteration - std::max(5, quarter) ? least_lately : least_before;
    least = std::min(least, p->evaluation.residual);
  }
  return std::isfinite(least_before) && least_lately > 0.99 * least_before ? SolveStatus::stalled : SolveStatus::budget;
}

// Of two series of times at which the same was done, one with the shorter of their intervals.
std::vector<double> least_of_each(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> least{std::min(a[0], b[0])};
  for (size_t k = 1; k < a.size(); ++k) least.push_back(least.back() + std::min(a[k] - a[k - 1], b[k] - b[k - 1]));
  return least;
}

// Stays at the initial guess.
class IdleSolver final : public Solver {
 public:
  void prepare(const Model&, ThreadPool&) override {}
  void begin_step(const Objective& objective) override { x_ = objective.problem().x_start; }
  void iterate() override {}
  void positions(std::span<Vec3d> x) const override { std::copy(x_.begin(), x_.end(), x.begin()); }

 private:
  std::vector<Vec3d> x_;
};

class Comparer {
 public:
  Comparer(const Scene& scene, const ComparisonOptions& options, const ComparisonObserver& observer)
      : scene_(scene), options_(options), observer_(observer), watching_(options.interrupt), pool_(options.threads) {}

  Result<Comparison> run() {
    if (Status s = check(); !s) return s.error();
    tell("scene", 0);
    const ProgressListener compiling = [&](const char*, double) { return !stopped(); };
    Result<CompiledScene> compiled = compile_scene(scene_, DiskFiles(), pool_, compiling);
    if (stopped()) return interrupted();
    if (!compiled) return compiled.error();
    compiled_ = std::move(*compiled);
    if (Status s = start_contact(scene_, compiled_, pool_); !s) return in_scene(scene_, s.error());
    start_ = compiled_.start;
    describe();
    if (const auto plotted = measures_named(out_.plotted, out_.probes); !plotted) return plotted.error();
    if (Status s = advance(); !s) return stopped() ? interrupted() : s.error();
    out_.first_step = start_.step + 1;
    if (!options_.record_to.empty()) {
      if (Status s = check_folder(options_.record_to, FolderKind::comparison, comparison_names()); !s) return s.error();
      if (Status s = remove_compared_runs(options_.record_to); !s) return s.error();
      recording_ = describe_run(scene_, compiled_, pool_);
      out_.recorded = true;
    }

    tell("reference", 0);
    if (options_.reference) {
      solve_reference();
    } else {
      measure_start();
    }
    ++done_;
    for (const ComparedMethod& method : options_.methods) {
      if (stopped()) break;
      tell(method.label, 0);
      out_.curves.push_back(measure(method));
      if (!record_fault_.ok()) return record_fault_.error();
      ++done_;
      if (!stopped()) watching_.tell(observer_.on_curve, out_.curves.back());
    }
    if (stopped()) {
      if (out_.recorded) (void)remove_compared_runs(options_.record_to);
      return interrupted();
    }
    tell("", 0);
    return std::move(out_);
  }

 private:
  Status check() const {
    const auto fault = [](const char* where, const std::string& what) { return Error{where, what, ""}; };
    if (options_.methods.empty()) return fault("methods", "there is nothing to compare");
    if (!(options_.budget >= 0) || !std::isfinite(options_.budget))
      return fault("budget", format("= %g [ms]: must be at least 0", options_.budget));
    if (options_.iterations < 1) return fault("iterations", format("= %d: must be at least 1", options_.iterations));
    const double frames = std::round(scene_.time.duration / scene_.time.frame_dt);
    if (options_.at_frame < 0 || static_cast<double>(options_.at_frame) > frames)
      return Error{"at_frame",
                   format("= %lld: the scene has frames 0 to %.0f", static_cast<long long>(options_.at_frame), frames),
                   "choose one of them, or a longer time.duration"};
    if (options_.steps < 1 || options_.frames < 0) return fault("steps", "must be at least 1");
    return {};
  }

  void tell(const std::string& stage, double share) {
    const size_t parts = (options_.at_frame > 0 ? 1 : 0) + 1 + options_.methods.size();
    watching_.tell(observer_.on_progress, Progress{stage, (done_ + share) / static_cast<double>(parts)});
  }

  bool stopped() const { return watching_.stopped(); }
  static Error interrupted() { return {"the comparison", "was interrupted", ""}; }

  // Every stepper gives up its step when the comparison is to end.
  Result<Method> make(const SolverSettings& settings) {
    Result<Method> method = make_method(settings, scene_.time, compiled_, pool_);
    if (method) method->stepper->set_stop(options_.interrupt);
    return method;
  }

  // By the scene's own solver, to the state where the comparison starts.
  Status advance() {
    if (options_.at_frame == 0) return {};
    Result<Method> method = make(scene_.solver);
    if (!method) return in_scene(scene_, method.error());
    const int64_t last = options_.at_frame, steps = last * scene_.time.substeps;
    while (start_.step < steps) {
      const int64_t frame = start_.step / scene_.time.substeps + 1;
      tell(format("frame %lld of %lld before", static_cast<long long>(frame), static_cast<long long>(last)),
           static_cast<double>(start_.step) / static_cast<double>(steps));
      if (stopped()) return interrupted();
      if (Result<StepReport> report = method->stepper->step(start_); !report) return report.error();
    }
    start_contacts_ = method->stepper->save_contacts();
    ++done_;
    return {};
  }

  // The state where all start; what contacts keep from step to step is then as it was there.
  State at_start(Stepper& stepper) {
    if (!start_contacts_) start_contacts_ = stepper.save_contacts();
    [[maybe_unused]] const bool restored = stepper.restore_contacts(*start_contacts_);
    SINEW_ASSERT(restored);
    return start_;
  }

  void describe() {
    out_.scene = scene_.name;
    out_.vertices = compiled_.model.order.vertex_count();
    out_.tets = static_cast<int32_t>(compiled_.model.tets.size());
    out_.triangles = compiled_.triangle_count();
    out_.threads = pool_.size();
    out_.quasistatic = scene_.time.quasistatic;
    out_.step_size = scene_.time.frame_dt / scene_.time.substeps;
    out_.steps = options_.frames > 0 ? options_.frames * scene_.time.substeps : options_.steps;
    out_.iterations = common_iterations();
    out_.budget = options_.budget;
    out_.warnings = compiled_.warnings;
    for (const ProbePart& probe : compiled_.probes) out_.probes.push_back(probe.name);
    out_.plotted = options_.plot;
    record_every_ = options_.frames > 0 ? scene_.time.substeps : 1;
    if (compiled_.model.damping_form != DampingForm::own_block || out_.quasistatic) return;
    for (const ElasticBlock& block : compiled_.model.blocks) without_potential_ |= block.damping > 0;
  }

  int common_iterations() const {
    const auto of = [&](const ComparedMethod& m) {
      return m.iterations > 0 ? m.iterations : options_.budget > 0 ? 0 : options_.iterations;
    };
    const int first = of(options_.methods.front());
    for (const ComparedMethod& m : options_.methods)
      if (of(m) != first) return 0;
    return first;
  }

  std::vector<Real3> in_user_order(const State& state) const {
    std::vector<Real3> result;
    for (const Vec3d& p : compiled_.model.order.to_user(state.x)) result.push_back({p.x, p.y, p.z});
    return result;
  }

  ShapeMeasures shape_of(const std::vector<Real3>& x) const {
    const Model& model = compiled_.model;
    ShapeMeasures shape;
    std::vector<Vec3d> points(x.size());
    for (size_t v = 0; v < x.size(); ++v) points[v] = {x[v][0], x[v][1], x[v][2]};
    for (const ProbePart& probe : compiled_.probes)
      shape.probes.push_back(probe.place([&](int32_t v) { return points[static_cast<size_t>(v)]; }));
    double volume = 0, rest_volume = 0;
    const std::vector<Vec3d> now = model.order.to_slots(points, Vec3d{});
    for (int32_t e = 0; e < static_cast<int32_t>(model.tets.size()); ++e) {
      const double at_rest = volume_of(model.rest, model.tets[static_cast<size_t>(e)]);
      volume += model.is_quadratic(e) ? at_rest * mean_volume(model, e, now)
                                      : volume_of(now, model.tets[static_cast<size_t>(e)]);
      rest_volume += at_rest;
    }
    shape.volume = volume / rest_volume;
    return shape;
  }

  // The scene's, if it sets one.
  std::vector<OptionValue> initial_guess() const {
    std::vector<OptionValue> options;
    for (const OptionValue& o : scene_.solver.options) {
      if (o.name == "initial_guess") options.push_back(o);
    }
    return options;
  }

  // Without a reference: only what relative residuals are relative to.
  void measure_start() {
    out_.reference.wanted = false;
    const Result<SolveOptions> guessing = solve_options(reference_solver(), named_options(initial_guess()), "solver");
    if (!guessing) return;
    SolveOptions options = *guessing;
    options.iterations = 1;
    const Stepper::Settings settings{out_.quasistatic, out_.step_size, options};
    Stepper stepper(compiled_.model, compiled_.pins, settings, std::make_unique<IdleSolver>(), nullptr, pool_);
    stepper.set_loads(compiled_.loads);
    stepper.set_stop(options_.interrupt);
    StartObserver first;
    stepper.set_observer(&first);
    State state = start_;
    const Result<StepReport> ignored = stepper.step(state);
    out_.reference.first_residual = first.evaluation.residual;
    out_.reference.first_energy = first.evaluation.energy;
  }

  void solve_reference() {
    ComparisonReference& reference = out_.reference;
    const double h = out_.step_size;
    double forces = 0;
    for (size_t s = 0; s < compiled_.model.mass.size(); ++s) {
      const Vec3d f = compiled_.model.external_force(s);
      forces += dot(f, f);
    }
    const double least = std::max(reference_relative * std::sqrt(forces),
                                  residual_from_rounding(compiled_.model, out_.quasistatic ? 0 : 1 / (h * h)));

    SolverSettings settings;
    settings.type = reference_solver().name;
    settings.options = initial_guess();
    settings = ending_after(std::move(settings), reference_iterations, 0);
    settings.options.set("tolerance", least);
    settings.options.set("relative_tolerance", reference_relative);
    Result<Method> method = make(settings);
    if (!method) {
      reference.remark = method.error().message();
      return;
    }

    StartObserver first;
    method->stepper->set_observer(&first);
    State state = at_start(*method->stepper);
    TrajectoryPoint point;
    reference.converged = true;
    for (int64_t k = 1; k <= out_.steps; ++k) {
      tell("reference", static_cast<double>(k - 1) / static_cast<double>(out_.steps));
      if (stopped()) return;
      Result<StepReport> report = method->stepper->step(state);
      const double asked = std::max(least, reference_relative * first.evaluation.residual);
      if (k == 1) {
        reference.first_residual = first.evaluation.residual;
        reference.first_energy = first.evaluation.energy;
        reference.tolerance = asked;
      }
      if (!report) {
        reference.converged = false;
        reference.remark = report.error().message();
        return;
      }
      const Evaluation& reached = report->evaluation;
      if (!(reached.residual <= reference_slack * asked) && reference.converged) {
        reference.converged = false;
        reference.remark =
            format("step %lld: %s after %d iterations at %.3g N, above %.3g N", static_cast<long long>(report->step),
                   name_of(report->status), report->iterations, reached.residual, asked);
      }
      if (k == 1) {
        reference.iterations = report->iterations;
        reference.residual = reached.residual;
        reference.energy = reached.energy;
        reference.milliseconds = report->milliseconds.solve;
        x_star_ = in_user_order(state);
      }
      point.iterations += report->iterations;
      point.milliseconds += report->milliseconds.solve;
      if (k % record_every_ != 0) continue;
      point.step = report->step;
      point.time = report->time;
      point.evaluation = reached;
      point.error = {0, 0};
      reference_states_.push_back(in_user_order(state));
      point.shape = shape_of(reference_states_.back());
      reference.trajectory.push_back(point);
      point = {};
    }
  }

  Curve measure(const ComparedMethod& compared) {
    Curve curve;
    curve.label = compared.label;
    curve.solver = compared.settings.type;
    curve.accelerator = compared.settings.accelerator;

    const int most = compared.iterations > 0 ? compared.iterations
                     : options_.budget > 0   ? 1'000'000'000
                                             : options_.iterations;
    const double budget = compared.iterations > 0 ? 0 : options_.budget;
    const SolverSettings settings = ending_after(compared.settings, most, budget);
    const auto begin = Clock::now();
    Result<Method> method = make(settings);
    if (!method) {
      curve.refused = method.error();
      return curve;
    }
    curve.setup_milliseconds = milliseconds_since(begin);

    const std::vector<double> milliseconds = timed(*method->stepper);
    if (stopped()) return curve;
    const int last = static_cast<int>(milliseconds.size()) - 1;
    tell(curve.label, 0.3);
    if (stopped()) return curve;
    if (budget > 0) {
      *method = Method{};  // one set of layouts at a time
      method = make(ending_after(compared.settings, last, 0));
      if (!method) return curve;
    }
    State state = at_start(*method->stepper);
    if (!observe(*method->stepper, milliseconds, state, curve) || stopped()) return curve;
    if (out_.steps > 1 && budget > 0) {
      const std::string contacts = method->stepper->save_contacts();
      *method = Method{};
      method = make(settings);
      if (!method) return curve;
      [[maybe_unused]] const bool restored = method->stepper->restore_contacts(contacts);
      SINEW_ASSERT(restored);
    }
    begin_record(compared);
    const Status followed = follow(*method->stepper, milliseconds, state, curve);
    if (recorder_)
      note(recorder_->finish(followed ? RunState::complete : RunState::failed, followed    ? ""
                                                                               : stopped() ? "was interrupted"
                                                                                           : curve.remarks.back()));
    recorder_.reset();
    return curve;
  }

  // The method's frames, from the state where all begin.
  void begin_record(const ComparedMethod& method) {
    if (options_.record_to.empty()) return;
    Scene own = scene_;
    own.solver = method.settings;
    own.output.every = 1;
    RunDescription description = recording_;
    description.info.scene_json = resolved_json(own);
    description.info.frame_dt = scene_.time.frame_dt / scene_.time.substeps * static_cast<double>(record_every_);
    description.last_frame = out_.steps / record_every_;
    description.folder = compared_run(options_.record_to, out_.curves.size() + 1, method.label);
    description.options = {.vtu = VtuFrames::none,
                           .fields = {.von_mises = description.options.fields.von_mises},
                           .every = 1,
                           .pc2 = false,
                           .mdd = false,
                           .checkpoint_every = 0,
                           .in_double = !in_single_precision(method.settings, compiled_)};
    if (Status s = claim_compared_run(options_.record_to, description.folder); !s) return note(s);
    Result<Recorder> recorder = Recorder::create(description);
    if (!recorder) return note(recorder.error());
    recorder_.emplace(std::move(*recorder));
    record(0, start_, nullptr);
  }
  void record(int64_t frame, const State& state, const Contacts* contacts) {
    if (!recorder_) return;
    const ColliderFrame colliders = collider_frame(compiled_, state, contacts);
    note(recorder_->write_frame(
        {frame, state.time, state.step, state.x, state.v, {}, {}, {}, {}, colliders.points, colliders.planes}));
  }
  void note(const Status& status) {
    if (record_fault_.ok()) record_fault_ = status;
  }

  // When each iteration of the first step was done, undisturbed: all runs take the same steps to the last bit, so that
  // what an iteration takes is the least that it took in any. How many there are within a budget differs: the run with
  // the most counts.
  std::vector<double> timed(Stepper& stepper) {
    std::vector<double> best;
    double spent = 0;
    for (int run = 0; run < least_timed_runs || (run < most_timed_runs && spent < enough_timed); ++run) {
      IterationClock clock;
      stepper.set_observer(&clock);
      State state = at_start(stepper);
      // A state that is not finite is found again by the observed run.
      const Result<StepReport> ignored = stepper.step(state);
      stepper.set_observer(nullptr);
      if (stopped()) break;
      const std::vector<double> now = clock.milliseconds();
      spent += now.back();
      best = now.size() == best.size() ? least_of_each(best, now) : now.size() > best.size() ? now : best;
    }
    return best;
  }

  // The same iterations again, evaluated. False if the state became one that is not finite, or it was interrupted.
  bool observe(Stepper& stepper, const std::vector<double>& milliseconds, State& state, Curve& curve) {
    const ComparisonReference& reference = out_.reference;
    const double loss_scale = reference.first_energy - reference.energy;
    const bool has_loss = !without_potential_ && !x_star_.empty() && loss_scale > 0;
    std::vector<uint8_t> held;
    std::vector<Real3> before;
    StepObserver observer(out_.first_step, evaluated_iterations(static_cast<int>(milliseconds.size()) - 1),
                          [&](const IterationReport& report) {
                            if (held.empty()) held = compiled_.model.order.to_user(stepper.problem().held);
                            CurvePoint point;
                            point.iteration = report.iteration;
                            point.milliseconds = milliseconds[static_cast<size_t>(report.iteration)];
                            point.evaluation = report.evaluation;
                            if (reference.first_residual > 0)
                              point.relative_residual = report.evaluation.residual / reference.first_residual;
                            if (has_loss)
                              point.relative_loss = (report.evaluation.energy - reference.energy) / loss_scale;
                            point.error = distance(*report.positions, x_star_, held);
                            point.change = distance(*report.positions, before, held).rms;
                            if (const auto own = stepper.solver().constraint_residuals()) {
                              point.primary = own->primary;
                              point.secondary = own->secondary;
                            }
                            point.shape = shape_of(*report.positions);
                            before = *report.positions;
                            curve.points.push_back(point);
                          });
    stepper.set_observer(&observer);
    Result<StepReport> report = stepper.step(state);
    stepper.set_observer(nullptr);
    if (!report && stopped()) return false;
    tell(curve.label, 0.8);

    curve.status = judge(curve.points, reference_slack * reference.tolerance);
    // What the residuals do not say: the solver ended by itself.
    if (const bool early = curve.status == SolveStatus::budget || curve.status == SolveStatus::stalled;
        early && report && (report->status == SolveStatus::converged || report->status == SolveStatus::stalled))
      curve.status = report->status;
    const double raised =
        report && report->evaluated ? curve.points.back().evaluation.residual / report->first_residual : 0;
    if (raised > raised_residual && curve.status != SolveStatus::diverged)
      curve.remarks.push_back(format("ended with a residual %.3g times that of its start: ", raised) +
                              remedy_for_raised_residual(out_.quasistatic));
    const StateError &first = curve.points.front().error, &last = curve.points.back().error;
    if (curve.status == SolveStatus::converged && reference.converged && last.rms > 1e-3 * first.rms && last.max > 1e-6)
      curve.remarks.push_back("converged to another equilibrium than the reference");
    if (!report) curve.remarks.push_back(report.error().where + ": " + report.error().what);
    return report.ok();
  }

  // The steps after the first one, unobserved, and the points of the trajectory.
  Status follow(Stepper& stepper, const std::vector<double>& first_milliseconds, State& state, Curve& curve) {
    TrajectoryPoint point;
    point.iterations = static_cast<int>(first_milliseconds.size()) - 1;
    point.milliseconds = first_milliseconds.back();
    point.evaluation = curve.points.back().evaluation;
    point.error = curve.points.back().error;
    point.shape = curve.points.back().shape;
    for (int64_t k = 1;; ++k) {
      if (k % record_every_ == 0) {
        point.step = state.step;
        point.time = state.time;
        curve.trajectory.push_back(point);
        point = {};
        record(k / record_every_, state, stepper.contacts());
      }
      if (k == out_.steps) return {};
      tell(curve.label, 0.8 + 0.2 * static_cast<double>(k) / static_cast<double>(out_.steps));
      if (stopped()) return interrupted();
      Result<StepReport> report = stepper.step(state);
      if (!report) {
        curve.remarks.push_back(report.error().where + ": " + report.error().what);
        return report.error();
      }
      point.iterations += report->iterations;
      point.milliseconds += report->milliseconds.solve;
      if ((k + 1) % record_every_ != 0) continue;
      point.evaluation = Objective(stepper.problem(), pool_).evaluate(state.x);
      const auto n = static_cast<size_t>((k + 1) / record_every_ - 1);
      const std::vector<Real3> x = in_user_order(state);
      point.shape = shape_of(x);
      if (n < reference_states_.size())
        point.error = distance(x, reference_states_[n], compiled_.model.order.to_user(stepper.problem().held));
    }
  }

  const Scene& scene_;
  const ComparisonOptions& options_;
  const ComparisonObserver& observer_;
  Watching watching_;
  ThreadPool pool_;
  CompiledScene compiled_;
  State start_;                                // of the first step
  std::optional<std::string> start_contacts_;  // Stepper::save_contacts there; none: not known yet
  Comparison out_;
  int64_t record_every_ = 1;        // steps
  bool without_potential_ = false;  // damping by own blocks
  int done_ = 0;                    // the frames before, the reference and the methods, of those that are finished
  std::vector<Real3> x_star_;       // the reference at the end of the first step; empty: none
  std::vector<std::vector<Real3>> reference_states_;  // at the points of the trajectory
  RunDescription recording_;                          // what all methods' runs have in common
  std::optional<Recorder> recorder_;                  // of the method at hand
  Status record_fault_;
};

}  // namespace

double residual_from_rounding(const Model& model, double inverse_h2) {
  std::vector<double> stiffness(static_cast<size_t>(model.slot_count()));
  double size2 = 0;
  for (size_t s = 0; s < stiffness.size(); ++s) stiffness[s] = model.mass[s] * inverse_h2;
  for (const ElasticBlock& block : model.blocks) {
    const double modulus = (1 + block.damping * std::sqrt(inverse_h2)) *
                           (2 * block.material.lame.mu + std::abs(block.material.lame.lambda));
    for (int32_t e = block.first_tet; e < block.last_tet; ++e) {
      for_each_point(model, block, e, [&](const ElementNodes& t, std::span<const Vec3d> gradient, double volume) {
        for (size_t k = 0; k < t.size(); ++k) {
          const Vec3d& rest = model.rest[static_cast<size_t>(t[k])];
          stiffness[static_cast<size_t>(t[k])] += volume * modulus * dot(gradient[k], gradient[k]);
          size2 = std::max(size2, dot(rest, rest));
        }
      });
    }
  }
  add_tie_stiffness(model, inverse_h2, stiffness);
  for (const int32_t slot : model.ties.vertices)
    size2 = std::max(size2, dot(model.rest[static_cast<size_t>(slot)], model.rest[static_cast<size_t>(slot)]));
  double sum = 0;
  for (const double k : stiffness) sum += k * k;
  return std::numeric_limits<double>::epsilon() * std::sqrt(size2 * sum);
}

Result<Comparison> compare(const Scene& scene, const ComparisonOptions& options, const ComparisonObserver& observer) {
  return Comparer(scene, options, observer).run();
}

}  // namespace sinew
