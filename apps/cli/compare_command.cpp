#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <memory>

#include "commands.h"
#include "console.h"
#include "sinew/compare.h"
#include "sinew/folder.h"
#include "sinew/scene_file.h"
#include "sinew/text.h"
#include "usage.h"

namespace sinew::cli {
namespace {

struct CompareArguments {
  std::string scene, solvers = "multilevel,vbd,xpbd,newton";
  std::string device;
  std::string output;  // empty: <scene>-comparison
  std::vector<std::string> overrides, plot;
  int iterations = 40;
  std::string budget;  // "170ms"; empty: by iterations
  int64_t at_frame = 0, steps = 1, frames = 0;
  int threads = 0, lanes = 0;
  bool no_figures = false, no_reference = false, record = false;
};

// "170ms", "0.2s", or a number of milliseconds.
Result<double> milliseconds_in(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, fault] = std::from_chars(text.data(), end, value);
  const std::string unit(rest, end);
  if (fault != std::errc() || !(value > 0) || (unit != "" && unit != "ms" && unit != "s"))
    return Error{"--budget " + text, "must be a time above 0", "e.g. 170ms or 0.5s"};
  return unit == "s" ? 1000 * value : value;
}

int run(const CompareArguments& a) {
  ComparisonOptions options;
  options.iterations = a.iterations;
  options.at_frame = a.at_frame;
  options.steps = a.steps;
  options.frames = a.frames;
  options.threads = a.threads;
  options.reference = !a.no_reference;
  options.plot = a.plot;
  if (!a.budget.empty()) {
    Result<double> budget = milliseconds_in(a.budget);
    if (!budget) return complain(budget.error(), exit_usage);
    options.budget = *budget;
  }

  Result<Scene> scene = read_scene(a.scene, with_device(a.overrides, a.device));
  if (!scene) return complain(scene.error(), exit_usage);
  if (const std::string fault = lanes_fault(a.lanes, *scene); !fault.empty()) {
    error(fault);
    return exit_usage;
  }
  Result<std::vector<ComparedMethod>> methods = parse_methods(a.solvers, *scene);
  if (!methods) return complain(methods.error(), exit_usage);
  options.methods = std::move(*methods);
  std::filesystem::path folder = a.output;
  if (folder.empty()) folder = std::filesystem::path(a.scene).stem().string() + "-comparison";
  if (const Status free = check_comparison_folder(folder); !free) return complain(free.error(), exit_usage);
  const Result<FolderLock> lock = FolderLock::claim(folder);
  if (!lock) return complain(lock.error(), exit_usage);

  if (a.record) options.record_to = folder;

  // The files are useful even if nobody reads the table.
  options.interrupt = catch_interrupts("stopping", ClosedOutput::is_ignored);
  bool compiled = false;
  auto bar = std::make_unique<ProgressBar>(0, 100);
  ComparisonObserver observer;
  observer.on_progress = [&](const Progress& now) {
    compiled |= now.stage != "scene";
    bar->update(static_cast<int64_t>(100 * now.share), {now.stage});
  };
  const Result<Comparison> comparison = compare(*scene, options, observer);
  bar.reset();
  if (options.interrupt->load()) {
    info("interrupted; nothing was written");
    return interrupted_exit();
  }
  if (!comparison) {
    Error fault = comparison.error();
    if (fault.where == "at_frame") fault.where = "--at-frame";
    if (fault.where == "plot") fault.where = "--plot";
    return complain(fault, compiled ? exit_failed : exit_usage);
  }
  for (const std::string& w : comparison->warnings) warning(w);
  info(comparison_table(*comparison));
  const bool all_refused = std::all_of(comparison->curves.begin(), comparison->curves.end(),
                                       [](const Curve& curve) { return curve.refused.has_value(); });
  if (all_refused)
    return complain({a.scene, "is supported by none of the methods, so nothing was compared", "see the reasons above"},
                    exit_usage);

  const Result<ComparisonFiles> files = write_comparison(*comparison, folder, !a.no_figures, options.interrupt);
  if (!files) return complain(files.error(), exit_failed);
  std::string written;
  for (const std::filesystem::path& file : files->written) written += " " + file.filename().string();
  info("written to " + folder.string() + ":" + written);
  if (a.record) info("the solvers side by side: sinew render " + shell_path(folder.string()));
  if (files->no_figures && options.interrupt->load()) {
    info("interrupted; the tables are complete, figures are missing");
    return interrupted_exit();
  }
  return files->no_figures ? complain(*files->no_figures, exit_failed) : exit_done;
}

}  // namespace

void add_compare(CLI::App& app, int& exit_code) {
  auto a = std::make_shared<CompareArguments>();
  CLI::App* c = app.add_subcommand("compare", "Solve one step of a scene by several solvers and measure them");
  const CLI::Validator counts = whole(1, 1000000000);
  c->add_option("scene", a->scene, "scene file (JSON)")->required()->check(not_empty())->type_name("FILE");
  c->add_option("--solvers", a->solvers, "methods, separated by commas (see below)")
      ->capture_default_str()
      ->type_name("LIST");
  CLI::Option* iterations = c->add_option("--iterations", a->iterations, "iterations of each solver in each step")
                                ->transform(counts)
                                ->capture_default_str()
                                ->type_name("N");
  c->add_option("--budget", a->budget,
                "time limit for each solver in each step instead, e.g. 170ms; the last iteration is completed")
      ->excludes(iterations)
      ->type_name("TIME");
  CLI::Option* steps = c->add_option("--steps", a->steps, "steps to compare; convergence curves are those of the first")
                           ->transform(counts)
                           ->capture_default_str()
                           ->type_name("N");
  c->add_option("--frames", a->frames, "frames to compare, instead of steps")
      ->transform(counts)
      ->excludes(steps)
      ->type_name("N");
  c->add_option("--at-frame", a->at_frame, "first advance to this frame with the scene's own solver")
      ->transform(whole(0, 1000000000))
      ->capture_default_str()
      ->type_name("K");
  c->add_option("-o,--output", a->output, "folder to write to; default: the scene's name and -comparison")
      ->check(not_empty())
      ->type_name("FOLDER");
  add_overrides(*c, a->overrides, "time.frame_dt=0.01");
  c->add_option("--threads", a->threads, "threads; 0: one per core")
      ->transform(whole(0, 1024))
      ->capture_default_str()
      ->type_name("N");
  add_device(*c, a->device);
  add_lanes(*c, a->lanes);
  c->add_option("--plot", a->plot, "measures to plot, e.g. residual,loss,min_j; default: residual,error (see below)")
      ->delimiter(',')
      ->type_name("LIST");
  c->add_flag("--no-figures", a->no_figures, "write tables only");
  c->add_flag("--no-reference", a->no_reference,
              "skip Newton's reference, the most expensive part of a large scene; there are no errors and losses then");
  c->add_flag("--record", a->record,
              "record every solver's steps or frames in FOLDER/runs; `sinew render FOLDER` shows them side by side");
  c->footer(
      "Every solver starts from the same state. Residual, energy and error come from one objective in double\n"
      "precision; the error is the distance to Newton's converged state. Times are those of solver and\n"
      "accelerator alone, measured in separate runs without diagnostics.\n"
      "\n"
      "Methods: SOLVER[:OPTION=VALUE,...][+ACCELERATOR[:OPTION=VALUE,...]]\n"
      "  multilevel,vbd,newton                    three solvers, with the options of the scene\n"
      "  vbd,vbd+chebyshev                        without and with an accelerator that estimates rho\n"
      "  vbd+chebyshev:rho=0.9                    ... or uses a given one\n"
      "  vbd:precision=double,line_search=true    options of the solver (see `sinew solvers`)\n"
      "  all                                      every solver; unsupported ones are listed with the reason\n"
      "\n"
      "Measures: residual, residual_max, energy, inverted, min_j, error, error_rms, volume, contacts, penetrations,\n"
      "depth, vertex_residual (on a grid), and PROBE_x, _y, _z of the scene's probes; for iterations also relative,\n"
      "loss, change, primary, secondary.\n"
      "\n"
      "Examples:\n"
      "  sinew compare scene.json --budget 170ms\n"
      "  sinew compare scene.json --solvers vbd,vbd+chebyshev,newton --iterations 200 -o out\n"
      "  sinew compare scene.json --at-frame 30 --frames 10 --iterations 20\n"
      "  sinew compare scene.json --frames 60 --record -o out && sinew render out\n"
      "\n"
      "Results: convergence.csv (a row per iteration), comparison.json, convergence.svg and .png; for several steps\n"
      "also trajectory.csv, .svg and .png. Figures need gnuplot (package gnuplot-nox).\n"
      "A solver that diverges or cannot treat the scene is a result and listed with the reason; where none can, that "
      "is\n"
      "an error.");
  c->callback([a, &exit_code] { exit_code = run(*a); });
}

}  // namespace sinew::cli
