// `sinew reproduce`: figures and tables of papers, from one command.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>

#include "commands.h"
#include "console.h"
#include "sinew/experiment.h"
#include "sinew/folder.h"
#include "sinew/text.h"
#include "usage.h"

namespace sinew::cli {
namespace {

struct ReproduceArguments {
  std::vector<std::string> names;
  std::string folder;  // empty: where experiments_folder finds them
  std::string output = "out/reproduction", page;
  int threads = 0, lanes = 0;
  bool list = false, full = false, sweep = false, no_figures = false;
};

// S0-2 before S0-12: runs of digits are compared as numbers.
bool natural_less(const std::string& a, const std::string& b) {
  const auto digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (digit(a[i]) && digit(b[j])) {
      const size_t first = i, second = j;
      while (i < a.size() && digit(a[i])) ++i;
      while (j < b.size() && digit(b[j])) ++j;
      if (i - first != j - second) return i - first < j - second;
      if (const int order = a.compare(first, i - first, b, second, j - second); order != 0) return order < 0;
    } else if (a[i] != b[j]) {
      return a[i] < b[j];
    } else {
      ++i, ++j;
    }
  }
  return a.size() - i < b.size() - j;
}

// Those installed with the program; else those in the working folder, as in the project's folder.
std::filesystem::path installed_experiments() {
  std::error_code none;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", none);
  if (none) return {};
  return (program.parent_path() / SINEW_DATA_FROM_PROGRAM / "experiments").lexically_normal();
}
std::filesystem::path experiments_folder() {
  std::error_code none;
  const std::filesystem::path installed = installed_experiments();
  return std::filesystem::is_directory(installed, none) ? installed : std::filesystem::path("experiments");
}

Result<std::vector<std::string>> experiments_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  std::error_code fault;
  const std::filesystem::directory_iterator entries(folder, fault);
  if (!fault)
    for (const auto& entry : entries)
      if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  if (names.empty())
    return Error{folder.string(),
                 !fault                                          ? "has no experiments"
                 : fault == std::errc::no_such_file_or_directory ? "there is no such folder"
                                                                 : "cannot be read (" + fault.message() + ")",
                 "install sinew (cmake --install), run it in the folder of the project, or name the folder: "
                 "--experiments FOLDER"};
  std::sort(names.begin(), names.end(), natural_less);
  return names;
}

// Names, files, or all.
Result<std::vector<std::filesystem::path>> chosen(const ReproduceArguments& a, const std::vector<std::string>& known) {
  std::vector<std::filesystem::path> paths;
  for (const std::string& name : a.names) {
    const std::filesystem::path by_name = std::filesystem::path(a.folder) / (name + ".json");
    if (name == "all") {
      for (const std::string& k : known) paths.push_back(std::filesystem::path(a.folder) / (k + ".json"));
    } else if (name.ends_with(".json")) {
      paths.emplace_back(name);
    } else if (std::find(known.begin(), known.end(), name) != known.end()) {
      paths.push_back(by_name);
    } else {
      const std::vector<std::string_view> names(known.begin(), known.end());
      return Error{name, "there is no such experiment", did_you_mean(name, names)};
    }
  }
  return paths;
}

// Checks that a page can be written in the end, with a folder of pictures beside it.
Status check_page(const std::filesystem::path& page) {
  if (page.empty()) return {};
  std::error_code fault;
  if (!page.has_filename() || std::filesystem::is_directory(page, fault))
    return Error{"--page " + page.string(), "is a folder, not a file", "e.g. --page " + (page / "page.md").string()};
  for (const std::filesystem::path& folder : {page.parent_path(), page.parent_path() / "images" / page.stem()})
    if (const Status s = check_writable(folder); !s)
      return Error{"--page " + page.string(), Error{s.error().where, s.error().what, ""}.message(), ""};
  return {};
}

int list(const ReproduceArguments& a, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const Result<Experiment> experiment = read_experiment(std::filesystem::path(a.folder) / (name + ".json"));
    if (!experiment) return complain(experiment.error(), exit_usage);
    info(name + std::string(name.size() < 10 ? 10 - name.size() : 1, ' ') + experiment->title + " (" +
         experiment->source + ")");
  }
  return exit_done;
}

int run(ReproduceArguments a) {
  if (a.folder.empty()) a.folder = experiments_folder().string();
  const bool only_files = !a.list && !a.names.empty() && std::all_of(a.names.begin(), a.names.end(), [](const auto& n) {
    return n.ends_with(".json");
  });
  Result<std::vector<std::string>> known = only_files ? std::vector<std::string>{} : experiments_in(a.folder);
  if (!known) return complain(known.error(), exit_usage);
  if (a.list) return list(a, *known);
  if (a.names.empty()) {
    error("name the experiments to run, or all; `sinew reproduce --list` lists them");
    return exit_usage;
  }
  const Result<std::vector<std::filesystem::path>> paths = chosen(a, *known);
  if (!paths) return complain(paths.error(), exit_usage);

  // All are read and checked before the first runs: a typing error in the last should not cost an hour.
  std::vector<Experiment> experiments;
  for (const std::filesystem::path& path : *paths) {
    Result<Experiment> experiment = read_experiment(path);
    if (!experiment) return complain(experiment.error(), exit_usage);
    if (const Status good = check_experiment(*experiment, a.full); !good) return complain(good.error(), exit_usage);
    if (const Status free = check_outcome_folder(*experiment, std::filesystem::path(a.output) / experiment->name);
        !free)
      return complain(free.error(), exit_usage);
    experiments.push_back(std::move(*experiment));
  }
  if (const Status writable = check_writable(a.output); !writable) return complain(writable.error(), exit_usage);
  if (const Status writable = check_page(a.page); !writable) return complain(writable.error(), exit_usage);
  if (const Status ours = a.page.empty() ? Status() : check_reproduction_page(experiments, a.page); !ours)
    return complain({"--page " + ours.error().where, ours.error().what, ours.error().remedy}, exit_usage);

  ExperimentOptions options;
  options.full = a.full;
  options.sweeps = a.sweep;
  options.threads = a.threads;
  options.interrupt = catch_interrupts("stopping", ClosedOutput::is_ignored);
  std::vector<ExperimentOutcome> outcomes;
  size_t failed = 0;
  for (size_t k = 0; k < experiments.size(); ++k) {
    const Experiment& experiment = experiments[k];
    const std::filesystem::path folder = std::filesystem::path(a.output) / experiment.name;
    const Result<FolderLock> lock = FolderLock::claim(folder);
    if (!lock) {  // the others still run
      error(lock.error().message());
      ++failed;
      continue;
    }
    if (!a.no_figures) options.record_to = folder;
    auto bar = std::make_unique<ProgressBar>(0, 1000);
    ExperimentObserver observer;
    observer.on_progress = [&](const Progress& now) {
      bar->update_share(now.share, {experiment.name + " " + now.stage});
    };
    Result<ExperimentOutcome> outcome = reproduce(experiment, options, observer);
    bar.reset();
    if (options.interrupt->load()) {
      info("interrupted; finished experiments are in " + a.output);
      return interrupted_exit();
    }
    if (!outcome) {
      error(outcome.error().message());
      ++failed;
      continue;
    }
    const auto written = write_outcome(*outcome, folder, !a.no_figures, options.interrupt);
    info(outcome_text(*outcome));
    if (!written && options.interrupt->load()) {
      info("interrupted; finished experiments are in " + a.output);
      return interrupted_exit();
    }
    if (!written) return complain(written.error(), exit_failed);
    outcomes.push_back(std::move(*outcome));
  }
  if (!a.page.empty() && !outcomes.empty()) {
    if (const Status s = write_reproduction_page(outcomes, a.output, a.page); !s)
      return complain(s.error(), exit_failed);
    info("page written to " + a.page);
  }
  info("results in " + a.output);
  return failed > 0 ? exit_failed : exit_done;
}

}  // namespace

void add_reproduce(CLI::App& app, int& exit_code) {
  auto a = std::make_shared<ReproduceArguments>();
  CLI::App* c = app.add_subcommand("reproduce", "Reproduce figures and tables of the papers and judge their claims");
  c->add_option("names", a->names, "experiments: names as in --list, files, or all")->type_name("NAME");
  c->add_flag("--list", a->list, "list the experiments");
  c->add_flag("--full", a->full, "run at the papers' sizes, which may take hours");
  c->add_flag("--sweep", a->sweep,
              "also judge the claims for other sizes, steps and meshes where the papers leave them open");
  c->add_option("-o,--output", a->output, "folder to write to; each experiment gets a folder of its own")
      ->check(not_empty())
      ->capture_default_str()
      ->type_name("FOLDER");
  c->add_option("--experiments", a->folder,
                "folder of the descriptions; default: those installed with the program, else ./experiments")
      ->check(not_empty())
      ->type_name("FOLDER");
  c->add_option("--page", a->page, "also write a Markdown page with the verdicts, and the figures beside it")
      ->check(not_empty())
      ->type_name("FILE");
  c->add_option("--threads", a->threads, "threads; 0: one per core")
      ->transform(whole(0, 1024))
      ->capture_default_str()
      ->type_name("N");
  add_lanes(*c, a->lanes);
  c->add_flag("--no-figures", a->no_figures, "write tables only");
  c->footer(
      "Each experiment states what its paper claims, as rules over measured numbers, and ends with `holds` or `does "
      "not\n"
      "hold` and the numbers. A claim that does not hold is a result, not an error.\n"
      "\n"
      "Examples:\n"
      "  sinew reproduce --list\n"
      "  sinew reproduce S0-7 S2-1\n"
      "  sinew reproduce all --page docs/reproduction.md\n"
      "\n"
      "Results: NAME/result.json, and NAME/RUN/ with the tables and figures of `sinew compare`. Where the description\n"
      "asks for a picture, also bodies.png, with all methods side by side; `sinew render FOLDER/NAME/RUN` makes the "
      "film\n"
      "of it.");
  c->callback([a, &exit_code] { exit_code = run(*a); });
}

}  // namespace sinew::cli
