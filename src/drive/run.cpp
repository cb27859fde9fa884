#include "sinew/run.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <utility>

#include "base/clock.h"
#include "base/format.h"
#include "compile/contact_notes.h"
#include "drive/collider_frame.h"
#include "drive/contact_health.h"
#include "drive/disk_files.h"
#include "drive/raised_residual.h"
#include "drive/recording.h"
#include "drive/resume.h"
#include "drive/run_health.h"
#include "drive/run_notes.h"
#include "drive/watching.h"
#include "engine/engine.h"
#include "engine/readings.h"
#include "objective/objective.h"
#include "record/recorder.h"
#include "sinew/lanes.h"
#include "solver/solver.h"

namespace sinew {

namespace fs = std::filesystem;

namespace {

RunDescription describe(const Scene& scene, const RunOptions& options, Engine& engine) {
  RunDescription d = describe_run(scene, engine.compiled, engine.pool);
  d.folder = options.folder;
  d.overwrite = options.overwrite;
  d.info.command = options.command;
  return d;
}

// Asks for the residual at which a step begins, where no tolerance does: in the last step of frames 1, 2, 4, 8, ...,
// the end of which is measured anyway. So few take no time.
class NowAndThen final : public Observer {
 public:
  explicit NowAndThen(int steps_per_frame) : steps_per_frame_(steps_per_frame) {}
  bool wants(int64_t step, int iteration) const override {
    return iteration == 0 && step % steps_per_frame_ == 0 &&
           std::has_single_bit(static_cast<uint64_t>(step / steps_per_frame_));
  }
  void on_iteration(const IterationReport&) override {}

 private:
  const int steps_per_frame_;
};

// Of a state, in the user's order.
std::vector<Real3> in_user_order(const VertexOrder& order, const std::vector<Vec3d>& by_slot) {
  std::vector<Real3> result;
  result.reserve(static_cast<size_t>(order.vertex_count()));
  for (const Vec3d& p : order.to_user(by_slot)) result.push_back({p.x, p.y, p.z});
  return result;
}

// A run in progress: the engine, its recorder, and what passes between them.
class Run {
 public:
  // Without a recorder nothing is written.
  Run(Engine& engine, Recorder* recorder, const RunObserver& observer, Watching& watching)
      : engine_(engine),
        recorder_(recorder),
        observer_(observer),
        watching_(watching),
        now_and_then_(engine.scene.time.substeps) {
    if (recorder_) {
      counts_ = recorder_->earlier_steps();
      contact_health_.go_on(recorder_->earlier_steps().steps, recorder_->earlier_contacts());
    }
    watch_next_step();
  }

  // The state as it is, with what was measured of it last.
  Status write_frame(RunFrame& report) {
    if (!recorder_) return {};
    const auto writing = std::chrono::steady_clock::now();
    const State& state = engine_.state();
    const int64_t frame = engine_.frames_taken();
    const bool touching = recorder_->wants_contacts() && recorder_->wants_frame(frame);
    const std::vector<ContactPoint> contacts = touching ? contacts_of(engine_) : std::vector<ContactPoint>{};
    const ColliderFrame colliders = collider_frame(engine_.compiled, state, engine_.method.stepper->contacts());
    const Status status =
        recorder_->write_frame({frame, state.time, state.step, state.x, state.v, forces_, energy_density_, pinned_,
                                contacts, colliders.points, colliders.planes});
    // Given back: they are as large as the state.
    forces_ = std::vector<Vec3d>();
    energy_density_ = std::vector<double>();
    report.write_milliseconds = milliseconds_since(writing);
    return status;
  }

  // Residual and energy of the state, which a step ended with; per vertex and per tet where the frame is written.
  void measure(RunFrame& report, SolveStatus status = SolveStatus::converged) {
    const Model& model = engine_.compiled.model;
    const auto start = std::chrono::steady_clock::now();
    const bool written = recorder_ && recorder_->wants_frame(engine_.frames_taken());
    report.evaluation = evaluate(written);
    health_.look(engine_, report.evaluation, forces_, status);
    const StepProblem& problem = engine_.method.stepper->problem();
    if (written) {
      for (size_t s = 0; s < forces_.size(); ++s) {
        if (problem.held[s]) forces_[s] = {};
      }
      keep_free_parts(problem.glides, forces_);
    } else {
      forces_ = std::vector<Vec3d>();
    }
    if (written && recorder_->wants_volume()) {
      energy_density_.resize(model.tets.size());
      deformation_measures(model, engine_.state().x, engine_.pool, {}, energy_density_);
    }
    report.milliseconds.evaluate += milliseconds_since(start);
  }

  Status write_checkpoint() {
    if (!recorder_) return {};
    return recorder_->write_checkpoint(engine_.state(), engine_.method.stepper->save_contacts(),
                                       engine_.frames_taken());
  }

  // The steps to the next frame. Fills the report, but for the writing. False: interrupted, and the state is that of
  // the frame before, for checkpoints lie between frames.
  Result<bool> advance(const std::atomic<bool>* interrupt, RunFrame& report) {
    const int steps = engine_.scene.time.substeps;
    // A step that is given up leaves the state as it was; several need a copy.
    const State before = steps > 1 ? engine_.state() : State{};
    const std::string contacts_before = steps > 1 ? engine_.method.stepper->save_contacts() : "";
    const auto give_up = [&] {
      if (steps > 1) {
        engine_.change_state() = before;
        [[maybe_unused]] const bool restored = engine_.method.stepper->restore_contacts(contacts_before);
        SINEW_ASSERT(restored);
      }
      if (recorder_) recorder_->drop_stats();
      return false;
    };
    engine_.method.stepper->set_stop(interrupt);
    for (int k = 1; k <= steps; ++k) {
      watch_next_step();
      Result<StepReport> step = engine_.advance();
      if (!step && interrupt && interrupt->load()) return give_up();
      if (!step) return step.error();
      if (k == steps) {  // a frame is measured at every vertex
        if (Status s = engine_.fetch_state(); !s) return s.error();
        RunFrame measured;
        measure(measured, step->status);
        if (Status s = engine_.method.stepper->solver().fault(); !s) return s.error();
        step->evaluated = true;
        step->evaluation = report.evaluation = measured.evaluation;
        step->milliseconds.evaluate += measured.milliseconds.evaluate;
      } else if (wants_statistics(step->step) && !(step->evaluated && engine_.compiled.pins.empty())) {
        const auto start = std::chrono::steady_clock::now();
        step->evaluation = evaluate(false);
        forces_ = std::vector<Vec3d>();
        step->evaluated = true;
        step->milliseconds.evaluate += milliseconds_since(start);
      }
      if (recorder_) {
        StatsRow measured = row(*step);
        measured.pins = std::exchange(pin_forces_, {});
        recorder_->add_stats(measured);
      }
      count(*step);
      if (k == steps) contact_health_.look(engine_, step->evaluation);
      report.iterations += step->iterations;
      report.milliseconds.predict += step->milliseconds.predict;
      report.milliseconds.solve += step->milliseconds.solve;
      report.milliseconds.evaluate += step->milliseconds.evaluate;
      report.milliseconds.velocities += step->milliseconds.velocities;
      report.milliseconds.detect += step->milliseconds.detect;
      // After the last step the frame is whole.
      if (!watching_.tell(observer_.on_step, *step) && k < steps) return give_up();
    }
    report.frame = engine_.frames_taken();
    report.time = engine_.time();
    return true;
  }

  void tell(RunFrame& report) {
    std::vector<Real3> positions, velocities;
    if (observer_.wants_positions) {
      positions = in_user_order(engine_.compiled.model.order, engine_.state().x);
      velocities = in_user_order(engine_.compiled.model.order, engine_.state().v);
      report.positions = &positions;
      report.velocities = &velocities;
    }
    watching_.tell(observer_.on_frame, report);
  }

  // The state as it is, if this frame is one of those that are written.
  void keep_frame(std::vector<KeptFrame>& frames) const {
    if (engine_.frames_taken() % engine_.scene.output.every != 0) return;
    const VertexOrder& order = engine_.compiled.model.order;
    const State& state = engine_.state();
    frames.push_back(
        {engine_.frames_taken(), state.time, in_user_order(order, state.x), in_user_order(order, state.v)});
  }

  // Adds what became of the steps.
  void sum_up(RunOutcome& outcome) const {
    outcome.steps = counts_.steps;
    outcome.missed = tests_tolerance() ? counts_.out_of_iterations : 0;
    outcome.stalled = tests_tolerance() ? counts_.stalled : 0;
    outcome.diverged = counts_.diverged;
    outcome.diverged_since = counts_.diverged_since;
    outcome.watched = watched_;
    outcome.raised = raised_;
    outcome.corrections = corrections_;
    outcome.warnings = health_.warnings(engine_);
    for (std::string& sentence : contact_health_.warnings(engine_)) outcome.warnings.push_back(std::move(sentence));
    add_notes(engine_.scene, outcome);
  }

 private:
  // A step without an observer costs less on a device.
  void watch_next_step() {
    const bool wanted = now_and_then_.wants(engine_.step() + 1, 0);
    engine_.method.stepper->set_observer(wanted ? &now_and_then_ : nullptr);
  }

  // Of the state; and what holds the pins. `written`: the forces at all vertices are wanted.
  Evaluation evaluate(bool written) {
    const bool pins = !engine_.compiled.pins.empty();
    const Evaluation evaluation = engine_.evaluate(written || pins ? &forces_ : nullptr);
    pinned_.clear();
    pin_forces_.assign(engine_.compiled.pins.size(), Real3{0, 0, 0});
    if (!pins) return evaluation;
    for (const Reaction& r : engine_.method.stepper->reactions(engine_.state(), forces_)) {
      if (pinned_.empty() || pinned_.back().slot != r.slot) pinned_.push_back({r.slot, {}});
      pinned_.back().reaction += r.force;
      Real3& sum = pin_forces_[static_cast<size_t>(r.pin)];
      sum = {sum[0] + r.force.x, sum[1] + r.force.y, sum[2] + r.force.z};
    }
    return evaluation;
  }

  bool tests_tolerance() const {
    const SolveOptions& options = engine_.method.options;
    return options.tolerance > 0 || options.relative_tolerance > 0;
  }

  void count(const StepReport& step) {
    counts_.add(step.status, step.time);
    contact_health_.count(engine_, step);
    if (step.corrections.nodes > 0) corrections_.nodes = step.corrections.nodes;
    corrections_.matrices += step.corrections.matrices;
    corrections_.lengths += step.corrections.lengths;
    if (!step.evaluated || std::isnan(step.first_residual)) return;
    ++watched_;
    if (step.status != SolveStatus::diverged && step.evaluation.residual > raised_residual * step.first_residual)
      ++raised_;
  }

  // By the number of the step, so that a resumed run measures the same ones.
  bool wants_statistics(int64_t step) const {
    const int every = engine_.scene.output.statistics_every;
    return every > 0 && step % every == 0;
  }

  static StatsOfContact contact_of(const StepReport& step) {
    StatsOfContact of;
    of.detect = step.milliseconds.detect;
    of.times = step.contact_times;
    of.detections = step.detections;
    of.candidates = step.candidates;
    of.limited = step.limited;
    of.undivided = step.undivided;
    of.unreached = step.unreached;
    if (!step.evaluated) return of;
    const Evaluation& at_end = step.evaluation;
    of.contacts = at_end.contacts;
    of.penetrations = at_end.penetrations;
    of.smallest_gap = at_end.smallest_gap;
    of.deepest = at_end.deepest;
    of.contact_energy = at_end.contact_energy;
    of.friction_work = at_end.friction_work;
    return of;
  }

  StatsRow row(const StepReport& step) const {
    StatsRow r;
    r.step = step.step;
    r.time = step.time;
    r.frame = (step.step + engine_.scene.time.substeps - 1) / engine_.scene.time.substeps;
    r.iterations = step.iterations;
    r.status = step.status;
    if (step.evaluated) {
      r.residual = step.evaluation.residual;
      r.energy = step.evaluation.energy;
      r.inverted = step.evaluation.inverted;
      r.min_j = step.evaluation.min_j;
    }
    r.contact = contact_of(step);
    r.grid.counts = step.grid;
    if (step.evaluated) r.grid.vertex_residual = step.evaluation.vertex_residual;
    for (const ProbePart& probe : engine_.compiled.probes) {
      r.probes.push_back(probe.place([&](int32_t v) {
        const Slot slot = engine_.compiled.model.order.slot(UserVertex{v});
        return engine_.state().x[static_cast<size_t>(slot)];
      }));
    }
    r.ms(Stage::predict) = step.milliseconds.predict;
    r.ms(Stage::solve) = step.milliseconds.solve;
    r.ms(Stage::velocities) = step.milliseconds.velocities;
    r.ms(Stage::evaluate) = step.milliseconds.evaluate;
    return r;
  }

  Engine& engine_;
  Recorder* recorder_;
  const RunObserver& observer_;
  Watching& watching_;
  NowAndThen now_and_then_;
  RunHealth health_;
  ContactHealth contact_health_;
  StepCounts counts_;
  int64_t watched_ = 0, raised_ = 0;
  CorrectionCounts corrections_;
  std::vector<Vec3d> forces_;           // [N] per slot
  std::vector<PinnedVertex> pinned_;    // by slot
  std::vector<Real3> pin_forces_;       // [N] of each pin of the scene in this step; empty: not measured
  std::vector<double> energy_density_;  // [J/m^3] per tet
};

// The folder of a new run, or of one to go on with: then the engine is brought to where that was.
Result<Recorder> open_folder(const Scene& scene, const RunOptions& options, int64_t last_frame,
                             const RunObserver& observer, Engine& engine, std::vector<std::string>& warnings) {
  RunDescription description = describe(scene, options, engine);
  description.last_frame = last_frame;
  description.on_write = observer.on_write;
  if (!options.resume) return Recorder::create(description);

  if (const Result<RunSummary> before = read_run_file(OutputPaths(options.folder).run_file())) {
    Result<std::vector<std::string>> changes = changes_since(before->scene_json, scene, options.folder.string());
    if (!changes) return changes.error();
    description.changes = std::move(*changes);
    if (before->lanes != description.info.lanes)
      description.changes.push_back(
          format("computed by %d lanes from here on, by %d before: the last digits may differ from those of one "
                 "uninterrupted run",
                 description.info.lanes, before->lanes));
  }
  description.checkpoint_in_other_order = [&] {
    return checkpoint_of_other_device(OutputPaths(options.folder).checkpoint(), scene, engine.compiled, *engine.files,
                                      engine.pool);
  };
  Result<Recorder::Resumed> resumed = Recorder::resume(description);
  if (!resumed) return resumed.error();
  warnings.insert(warnings.end(), resumed->notes.begin(), resumed->notes.end());
  if (!engine.method.stepper->restore_contacts(resumed->checkpoint.contacts))
    return Error{(options.folder / "checkpoint.bin").string(),
                 "is damaged: what it says of contacts does not fit its scene",
                 "start over with --overwrite, or give a new output folder with -o"};
  engine.change_state() = std::move(resumed->checkpoint.state);
  return std::move(resumed->recorder);
}

// The files of the run that are there, by name.
std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  const Result<Manifest> manifest = Manifest::open(folder, FolderKind::run);
  if (!manifest) return files;
  std::error_code none;
  for (const std::string& name : manifest->names())
    if (!name.ends_with('/') && fs::is_regular_file(folder / name, none)) files.push_back(folder / name);
  return files;
}

RunStart start_of(const Engine& engine, int64_t last_frame, std::vector<std::string> warnings) {
  const Model& model = engine.compiled.model;
  RunStart start;
  start.vertices = model.order.vertex_count();
  start.tets = static_cast<int32_t>(model.tets.size());
  start.triangles = engine.compiled.triangle_count();
  start.colors = model.color_count;
  start.threads = engine.pool.size();
  start.first_frame = engine.frames_taken();
  start.last_frame = last_frame;
  for (const CompileStage& stage : engine.compiled.stages)
    start.stages.push_back({stage.name, stage.milliseconds, static_cast<int64_t>(stage.bytes)});
  start.notes = contact_notes(engine.scene, engine.compiled);
  start.warnings = std::move(warnings);
  return start;
}

}  // namespace

Result<RunOutcome> run_scene(const Scene& scene, const RunOptions& options, const RunObserver& observer) {
  if (options.resume && options.folder.empty())
    return Error{"resume", "needs the folder of the run to continue", "give a folder"};
  Watching watching(options.interrupt);
  Result<std::unique_ptr<Engine>> created =
      Engine::create(scene, std::make_shared<DiskFiles>(), std::make_shared<ThreadPool>(options.threads),
                     watching.progress(observer.on_setup), options.resume ? Beginning::resume : Beginning::start);
  if (watching.stopped()) return Error{"the run", "was interrupted during its set-up; nothing was written", ""};
  if (!created) return created.error();
  Engine& engine = **created;
  const int64_t last_frame = options.frames.value_or(engine.frame_count());

  std::vector<std::string> warnings = engine.compiled.warnings;
  const auto opening = std::chrono::steady_clock::now();
  std::optional<Recorder> recorder;
  if (!options.folder.empty()) {
    Result<Recorder> opened = open_folder(scene, options, last_frame, observer, engine, warnings);
    if (!opened) return opened.error();
    recorder.emplace(std::move(*opened));
  } else if (observer.on_write) {
    observer.on_write();
  }
  Run run(engine, recorder ? &*recorder : nullptr, observer, watching);
  watching.tell(observer.on_start, start_of(engine, last_frame, std::move(warnings)));

  // However it ends, run.json says so and the last good frame and checkpoint stay.
  const auto fail = [&](const Error& error) {
    if (recorder) (void)recorder->finish(RunState::failed, error.message());
    return error;
  };
  RunOutcome outcome;
  // The start is a checkpoint too, so that a run can be resumed however early it is killed.
  if (!options.resume) {
    RunFrame first;
    run.measure(first);
    if (Status s = run.write_frame(first); !s.ok()) return fail(s.error());
    if (Status s = run.write_checkpoint(); !s.ok()) return fail(s.error());
    if (options.keep_frames) run.keep_frame(outcome.frames);
  }
  outcome.opening_milliseconds = milliseconds_since(opening);
  while (engine.frames_taken() < last_frame) {
    if (watching.stopped()) {
      outcome.interrupted = true;
      break;
    }
    RunFrame report;
    report.last_frame = last_frame;
    const Result<bool> advanced = run.advance(options.interrupt, report);
    if (!advanced) return fail(advanced.error());
    if (!*advanced) {
      outcome.interrupted = true;
      break;
    }
    if (Status s = run.write_frame(report); !s.ok()) return fail(s.error());
    if (recorder && recorder->checkpoint_due(engine.frames_taken())) {
      if (Status s = run.write_checkpoint(); !s.ok()) return fail(s.error());
    }
    if (options.keep_frames) run.keep_frame(outcome.frames);
    run.tell(report);
  }
  if (Status s = run.write_checkpoint(); !s.ok()) return fail(s.error());
  if (recorder) {
    const RunState state = outcome.interrupted ? RunState::interrupted : RunState::complete;
    if (Status s = recorder->finish(state); !s.ok()) return fail(s.error());
    outcome.files = files_in(options.folder);
  }
  outcome.last_frame = engine.frames_taken();
  outcome.hash = engine.hash();
  run.sum_up(outcome);
  return outcome;
}

}  // namespace sinew
