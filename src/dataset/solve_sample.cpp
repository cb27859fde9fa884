#include "dataset/solve_sample.h"

#include <cmath>
#include <limits>

#include "base/format.h"
#include "base/nearest.h"
#include "base/stopwatch.h"
#include "dataset/sample_engine.h"
#include "dataset/settling.h"
#include "engine/readings.h"
#include "sinew/scene_file.h"

namespace sinew {
namespace {

// How many times as many steps each attempt takes as the one before.
constexpr int finer = 4;
// The steps on the way need only lead to the last one.
constexpr double relative_on_the_way = 0.01;
// Loads that follow their surface are evaluated where it was before the step, so that it takes several to settle.
constexpr int most_settlings = 50;
constexpr double rounding = 1 + 1e-9;

void fail(Sample& sample, SampleStatus status, const std::string& reason) {
  sample.status = status;
  sample.reason = reason;
}

// Reads what the plan wants of the present state into the sample's frame.
void keep(const Solving& solving, Engine& engine, int32_t frame, Sample& sample) {
  const auto numbers = 3 * static_cast<size_t>(solving.shape.vertices);
  const auto part = [&](std::vector<double>& list, size_t count) {
    return std::span<double>(list).subspan(static_cast<size_t>(frame) * count, count);
  };
  (void)read_vertices(engine, engine.state().x, part(sample.positions, numbers));
  if (!sample.velocities.empty()) (void)read_vertices(engine, engine.state().v, part(sample.velocities, numbers));
  if (!sample.reactions.empty()) (void)read_reactions(engine, part(sample.reactions, numbers));
  if (!sample.probes.empty())
    (void)read_probes(engine, part(sample.probes, 3 * static_cast<size_t>(solving.shape.probes)));
  if (!sample.rest_positions.empty() && frame == 0)
    (void)read_vertices(engine, engine.compiled.model.rest, std::span<double>(sample.rest_positions));
}

void note(const Evaluation& evaluation, int32_t frame, Sample& sample) {
  const auto k = static_cast<size_t>(frame);
  sample.energy[k] = evaluation.energy;
  sample.residual[k] = evaluation.residual;
  sample.min_j[k] = std::isfinite(evaluation.min_j) ? evaluation.min_j : 1;
}

enum class End { done, failed, refused, interrupted };

// The scene made ready, or the reason why not in the sample.
std::unique_ptr<Engine> begin(const Solving& solving, const Scene& scene, Sample& sample) {
  const Stopwatch watch;
  Result<std::unique_ptr<Engine>> engine = make_sample_engine(solving, scene);
  sample.setup_seconds += watch.milliseconds() / 1000;
  if (engine) return std::move(*engine);
  fail(sample, SampleStatus::refused, engine.error().message());
  return nullptr;
}

// Whether the scene leaves the precision to the program.
bool may_be_double(const SolverSettings& solver) {
  const OptionScalar* given = solver.options.find("precision");
  return !given || *given == OptionScalar("auto");
}

std::string not_reached(const StepReport& report, double residual, double goal) {
  return format("%s after %d iterations with a residual of %.3g N, above %.3g N", name_of(report.status),
                report.iterations, residual, goal);
}

End equilibrium(const Solving& solving, const Scene& scene, std::span<const double> start, Sample& sample) {
  const DatasetPlan& plan = solving.plan;
  const std::unique_ptr<Engine> engine = begin(solving, in_steps(scene, sample.steps), sample);
  if (!engine) return End::refused;
  Stepper& stepper = *engine->method.stepper;
  stepper.set_stop(solving.interrupt);

  const double first = residual_at_rest(*engine, sample.steps);
  if (!std::isfinite(first) && !plan.residual) {
    fail(sample, SampleStatus::refused,
         "the rest shape with the sample's pins and loads has no finite residual; "
         "give the plan a residual in newtons");
    return End::refused;
  }
  const double goal = std::max(plan.residual.value_or(plan.relative_residual * first), force_rounding(*engine));
  const bool touching = engine->compiled.contact_surface.empty() == false;
  if (!start.empty()) place(*engine, start);

  Evaluation evaluation;
  Settling settle;
  for (int step = 1; step <= sample.steps; ++step) {
    const bool last = step == sample.steps;
    stepper.set_tolerances(goal, last ? 0 : relative_on_the_way);
    for (int settling = 0;; ++settling) {
      const std::vector<Vec3d> began = last ? engine->state().x : std::vector<Vec3d>();
      const Result<StepReport> report = engine->advance();
      if (!report && solving.interrupt && solving.interrupt->load()) return End::interrupted;
      if (!report) {
        fail(sample, SampleStatus::diverged, report.error().message());
        return End::failed;
      }
      sample.iterations[0] += report->iterations;
      if (report->status == SolveStatus::diverged) {
        fail(sample, SampleStatus::diverged,
             format("step %d of %d diverged after %d iterations", step, sample.steps, report->iterations));
        return End::failed;
      }
      if (!last) break;
      evaluation = touching ? report->evaluation : evaluation_anew(*engine);
      note(evaluation, 0, sample);
      if (!evaluation.finite) {
        fail(sample, SampleStatus::diverged, "the residual is not finite");
        return End::failed;
      }
      if (evaluation.residual <= goal * rounding) break;
      if (report->evaluation.residual > goal * rounding || settling == most_settlings) {
        fail(sample, SampleStatus::unconverged,
             settling == most_settlings
                 ? format("loads that follow the surface did not settle: a residual of %.3g N, above %.3g N",
                          evaluation.residual, goal)
                 : not_reached(*report, evaluation.residual, goal));
        sample.is_single = engine->method.options.precision == single_precision;
        break;
      }
      take_back_step(*engine);
      engine->change_state().x = settle.next(began, engine->state().x);
    }
  }
  sample.relative_residual[0] = first > 0 && std::isfinite(first) ? evaluation.residual / first : 0;
  keep(solving, *engine, 0, sample);
  if (sample.status == SampleStatus::unconverged) return End::failed;
  if (evaluation.inverted > 0 && !plan.allow_inverted) {
    fail(sample, SampleStatus::inverted, format("%d elements are inverted", evaluation.inverted));
    return End::failed;
  }
  return End::done;
}

End trajectory(const Solving& solving, const Scene& scene, int substeps, Sample& sample) {
  Scene finer_scene = scene;
  finer_scene.time.substeps = substeps;
  const std::unique_ptr<Engine> engine = begin(solving, finer_scene, sample);
  if (!engine) return End::refused;
  Stepper& stepper = *engine->method.stepper;
  stepper.set_stop(solving.interrupt);
  for (int32_t frame = 0; frame < solving.shape.frames; ++frame) {
    for (int step = 0; step < substeps; ++step) {
      const Result<StepReport> report = engine->advance();
      if (!report && solving.interrupt && solving.interrupt->load()) return End::interrupted;
      if (!report || report->status == SolveStatus::diverged) {
        fail(sample, SampleStatus::diverged,
             report ? format("frame %d diverged", frame + 1) : report.error().message());
        return End::failed;
      }
      sample.iterations[static_cast<size_t>(frame)] += report->iterations;
    }
    const Evaluation evaluation = engine->evaluate();
    if (!evaluation.finite) {
      fail(sample, SampleStatus::diverged, format("the residual of frame %d is not finite", frame + 1));
      return End::failed;
    }
    note(evaluation, frame, sample);
    keep(solving, *engine, frame, sample);
    // The frames that follow are kept too.
    if (evaluation.inverted > 0 && !solving.plan.allow_inverted && sample.status == SampleStatus::converged)
      fail(sample, SampleStatus::inverted,
           format("%d elements are inverted in frame %d", evaluation.inverted, frame + 1));
  }
  return sample.status == SampleStatus::converged ? End::done : End::failed;
}

// The same scene by Newton's method, with iterations enough for bodies that collapse.
Scene by_newton(const Scene& scene) {
  Scene same = scene;
  same.solver = with_solver(scene.solver, "newton");
  same.solver.accelerator = "none";
  same.solver.accelerator_options.clear();
  same.solver.options.set("iterations", 300);
  return same;
}

// Begins a sample anew, counting attempts.
void begin_attempt(const Solving& solving, int steps, Sample& sample) {
  Sample next;
  next.fill(solving.plan, solving.shape);
  next.attempts = sample.attempts + 1;
  next.setup_seconds = sample.setup_seconds;
  next.steps = steps;
  next.status = SampleStatus::converged;
  sample = std::move(next);
}

}  // namespace

std::optional<Sample> solve_sample(const Solving& solving, const Scene& given, std::span<const double> start) {
  const DatasetPlan& plan = solving.plan;
  Scene scene = given;
  const Stopwatch watch;
  Sample sample;
  int steps = plan.kind == DatasetKind::equilibrium ? plan.steps : scene.time.substeps;
  // The first attempt from another sample takes its place, and leaves the others as they would be.
  for (int attempt = start.empty() ? 1 : 0; attempt <= plan.attempts; ++attempt) {
    const bool from_rest = attempt > 0;
    begin_attempt(solving, from_rest ? steps : 1, sample);
    const End end = plan.kind == DatasetKind::trajectory
                        ? trajectory(solving, scene, sample.steps, sample)
                        : equilibrium(solving, scene, from_rest ? std::span<const double>() : start, sample);
    if (end == End::interrupted) return std::nullopt;
    if (end == End::done || end == End::refused) break;
    // Rounding may be what is in the way, and smaller steps do not help against it.
    if (sample.is_single && may_be_double(scene.solver))
      scene.solver.options.set("precision", "double");
    else if (from_rest)
      steps *= finer;
  }
  const bool is_lost = sample.status != SampleStatus::converged && sample.status != SampleStatus::refused;
  if (is_lost && plan.kind == DatasetKind::equilibrium && plan.fallback == DatasetFallback::newton &&
      scene.solver.type != "newton") {
    Sample last = sample;
    begin_attempt(solving, plan.steps, last);
    const End end = equilibrium(solving, by_newton(scene), {}, last);
    if (end == End::interrupted) return std::nullopt;
    if (end != End::refused) sample = std::move(last);  // else the scene is none for Newton's method
  }
  sample.seconds = watch.milliseconds() / 1000;
  return sample;
}

Result<double> residual_of(const Solving& solving, const Scene& scene, const Sample& sample) {
  Result<std::unique_ptr<Engine>> engine = make_sample_engine(solving, in_steps(scene, sample.steps));
  if (!engine) return engine.error();
  place(**engine, sample.positions);
  (*engine)->change_state().step = sample.steps;
  return evaluation_anew(**engine).residual;
}

}  // namespace sinew
