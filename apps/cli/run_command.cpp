#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <thread>

#include "commands.h"
#include "console.h"
#include "sinew/run.h"
#include "sinew/scene_file.h"
#include "sinew/text.h"
#include "text.h"
#include "usage.h"

namespace sinew::cli {
namespace {

struct RunArguments {
  std::string scene, output = "out", level = "info", device;
  std::vector<std::string> overrides;
  int64_t frames = -1;
  int threads = 0, lanes = 0;
  bool resume = false, overwrite = false;
};

std::string command_line(const RunArguments& a) {
  std::string text = "sinew run " + shell_path(a.scene) + " -o " + shell_path(a.output);
  if (a.frames >= 0) text += format(" --frames %lld", static_cast<long long>(a.frames));
  for (const std::string& o : with_device(a.overrides, a.device)) text += " --set " + shell_word(o);
  if (a.lanes > 0) text += format(" --lanes %d", a.lanes);
  if (a.resume) text += " --resume";
  return text;
}

void describe(const RunStart& start) {
  info(counted(start.vertices, "vertex", "vertices") + ", " + elements_text(start.tets, start.triangles) + ", " +
       counted(start.colors, "colour") + ", " + counted(start.threads, "thread"));
  double total = 0;
  std::string stages;
  for (const SetupStage& s : start.stages) {
    total += s.milliseconds;
    stages += format("%s%s %.0f ms", stages.empty() ? "" : ", ", s.name.c_str(), s.milliseconds);
    if (s.bytes > 0) stages += " (" + bytes_text(static_cast<double>(s.bytes)) + ")";
  }
  info(format("set up in %.2f s, %s of memory", total / 1e3, bytes_text(peak_memory()).c_str()));
  debug("  " + stages);
  for (const std::string& note : start.notes) info(note);
  if (start.first_frame > 0) info(format("continuing from frame %lld", static_cast<long long>(start.first_frame)));
}

constexpr const char* interrupted_in_setup = "interrupted during set-up; nothing was written";

int run(const RunArguments& a) {
  set_level(a.level == "quiet" ? Level::quiet : a.level == "debug" ? Level::debug : Level::info);
  Result<Scene> scene = read_scene(a.scene, with_device(a.overrides, a.device));
  if (!scene) {
    error(scene.error().message());
    return exit_usage;
  }

  if (const std::string fault = lanes_fault(a.lanes, *scene); !fault.empty()) {
    error(fault);
    return exit_usage;
  }
  if (const auto cores = static_cast<int>(std::thread::hardware_concurrency()); cores > 0 && a.threads > cores)
    warning(format("--threads %d: this machine has %d cores; more threads than cores slow it down", a.threads, cores));

  RunOptions options;
  options.folder = a.output;
  if (a.frames >= 0) options.frames = a.frames;
  options.threads = a.threads;
  options.resume = a.resume;
  options.overwrite = a.overwrite;
  options.command = command_line(a);
  options.interrupt = catch_interrupts("stopping at the end of this frame");

  // The bar shows whether the run is healthy: residual and inverted elements.
  std::unique_ptr<ProgressBar> bar;
  bool started = false, nothing_left = false;
  double solving = 0, writing = 0, evaluating = 0, setting_up = 0;
  const auto begin = std::chrono::steady_clock::now();
  RunObserver observer;
  ProgressBar setup(0, 1);
  observer.on_setup = [&](const Progress& now) {
    if (options.interrupt->load()) {  // nothing has been started yet
      setup.finish();
      info(interrupted_in_setup);
      std::exit(interrupted_exit());
    }
    setup.update_share(now.share, {"setting up: " + now.stage});
  };
  observer.on_write = [&] { started = true; };
  observer.on_start = [&](const RunStart& start) {
    nothing_left = a.resume && start.first_frame >= start.last_frame;
    setup.finish();
    for (const SetupStage& s : start.stages) setting_up += s.milliseconds;
    for (const std::string& w : start.warnings) warning(w);
    describe(start);
    bar = std::make_unique<ProgressBar>(start.first_frame, start.last_frame);
  };
  observer.on_frame = [&](const RunFrame& r) {
    solving += r.milliseconds.total() - r.milliseconds.evaluate;
    evaluating += r.milliseconds.evaluate;
    writing += r.write_milliseconds;
    bar->update(r.frame,
                {format("residual %.2e N", r.evaluation.residual), format("inverted %d", r.evaluation.inverted),
                 format("t %.3f s", r.time), format("%.0f ms/frame", r.milliseconds.total() + r.write_milliseconds)});
  };
  const Result<RunOutcome> outcome = run_scene(*scene, options, observer);
  bar.reset();
  setup.finish();
  if (!outcome && !started && options.interrupt->load()) {
    info(interrupted_in_setup);
    return interrupted_exit();
  }
  if (!outcome) {
    error(outcome.error().message());
    return started ? exit_failed : exit_usage;
  }

  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  if (nothing_left)
    info(format("nothing to do: the run has reached frame %lld already", static_cast<long long>(outcome->last_frame)));
  writing += outcome->opening_milliseconds;
  info(format("%s at frame %lld after %s (set-up %s, solver %s, residuals %s, writing %s); peak memory %s",
              outcome->interrupted ? "interrupted" : "done", static_cast<long long>(outcome->last_frame),
              duration_text(spent.count()).c_str(), duration_text(setting_up / 1e3).c_str(),
              duration_text(solving / 1e3).c_str(), duration_text(evaluating / 1e3).c_str(),
              duration_text(writing / 1e3).c_str(), bytes_text(peak_memory()).c_str()));
  if (const CorrectionCounts& c = outcome->corrections; c.nodes > 0) {
    debug(format("corrections on a lattice of %lld nodes: %lld matrices and %lld changed lengths in %lld steps",
                 static_cast<long long>(c.nodes), static_cast<long long>(c.matrices), static_cast<long long>(c.lengths),
                 static_cast<long long>(outcome->steps)));
  }
  info(format("state %016llx", static_cast<unsigned long long>(outcome->hash)));
  if (outcome->interrupted) {
    info("continue with: " + options.command + (a.resume ? "" : " --resume"));
    return interrupted_exit();
  }
  info("written to " + a.output + ":" + (scene->output.vtu == VtuFrames::none ? "" : " frames.pvd (ParaView),") +
       (scene->output.contacts ? " contacts.pvd," : "") + " surface/ (Blender), stats.csv, run.json");
  info("pictures and a film: sinew render " + shell_path(a.output));
  for (const std::string& note : outcome->notes) info(note);
  for (const std::string& w : outcome->warnings) warning(w);
  return outcome->diverged > 0 ? exit_diverged : exit_done;
}

}  // namespace

void add_run(CLI::App& app, int& exit_code) {
  auto a = std::make_shared<RunArguments>();
  CLI::App* c = app.add_subcommand("run", "Simulate a scene into a folder");
  c->add_option("scene", a->scene, "scene file (JSON)")->required()->check(not_empty())->type_name("FILE");
  c->add_option("-o,--output", a->output, "folder to write to")
      ->check(not_empty())
      ->capture_default_str()
      ->type_name("FOLDER");
  c->add_option("--frames", a->frames, "frames to simulate instead of the scene's duration")
      ->transform(whole(0, 1000000000))
      ->type_name("N");
  add_overrides(*c, a->overrides, "solver.iterations=40");
  c->add_option("--threads", a->threads, "threads; 0: one per core. Results do not depend on it")
      ->transform(whole(0, 1024))
      ->capture_default_str()
      ->type_name("N");
  add_device(*c, a->device);
  add_lanes(*c, a->lanes);
  c->add_flag("--resume", a->resume,
              "continue from the last checkpoint; the result is bit-identical to that of an uninterrupted run");
  c->add_flag("--overwrite", a->overwrite, "replace the run in the folder")->excludes("--resume");
  c->add_option("--log-level", a->level, "quiet, info or debug")
      ->check(one_of({"quiet", "info", "debug"}))
      ->capture_default_str()
      ->type_name("LEVEL");
  c->footer(
      "Examples:\n"
      "  sinew run bar.json -o out/bar\n"
      "  sinew run bar.json -o out/newton --set solver.type=newton --frames 10\n"
      "  sinew run bar.json -o out/card --device cuda\n"
      "  sinew run bar.json -o out/bar --resume\n\n"
      "The last lines tell the time and memory it took and the `state`: a checksum of the final positions and\n"
      "velocities, equal for runs that are bit-identical. "
      "Ctrl-C stops the run at the end of a frame, with everything written; a second one stops it at once.");
  c->callback([a, &exit_code] { exit_code = run(*a); });
}

}  // namespace sinew::cli
