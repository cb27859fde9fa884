#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>

#include "commands.h"
#include "console.h"
#include "sinew/dataset.h"
#include "sinew/text.h"
#include "text.h"
#include "usage.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

struct DatasetArguments {
  std::string plan, output, folder, level = "info";
  std::vector<std::string> overrides;
  int workers = 0, lanes = 0, process = -1, processes = 0;
  bool slurm = false, no_residuals = false;
  SlurmOptions job;
  std::string program;
};

// Which process of several this one is: as the options say, or as mpirun and srun tell their ranks.
struct Place {
  int process = 0, processes = 1;
  bool is_quiet = false;  // one rank speaks for all
};
Place place_of(const DatasetArguments& a) {
  if (a.processes > 0) return {std::max(a.process, 0) % a.processes, a.processes, false};
  constexpr const char* told[][2] = {
      {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, {"PMI_RANK", "PMI_SIZE"}, {"SLURM_PROCID", "SLURM_NTASKS"}};
  for (const auto& [rank, size] : told) {
    const char *r = std::getenv(rank), *s = std::getenv(size);
    if (r && s && std::atoi(s) > 1) return {std::atoi(r) % std::atoi(s), std::atoi(s), std::atoi(r) > 0};
  }
  return {};
}

int finish(const Result<DatasetOutcome>& outcome, const fs::path& folder, const DatasetArguments& a, bool is_begun) {
  const std::string path = shell_path(folder.string());
  if (!outcome) return complain(outcome.error(), is_begun ? exit_failed : exit_usage);
  info(format("%s: %s; all workers together took %s in solving, %s in setting up, %s in writing",
              outcome->interrupted ? "interrupted" : "done", counted(outcome->made, "sample").c_str(),
              duration_text(outcome->solving).c_str(), duration_text(outcome->setting_up).c_str(),
              duration_text(outcome->writing).c_str()));
  if (outcome->failed > 0)
    warning(counted(outcome->failed, "sample") + " failed; their reasons: sinew dataset status " + path);
  if (outcome->interrupted) {
    info("continue with: sinew dataset resume " + path);
    return interrupted_exit();
  }
  if (outcome->complete)
    info("written to " + a.output + a.folder + ": dataset.h5 (all samples), dataset.json (checksums), shards, mesh.h5");
  else
    info("other processes are still at work on " + path + "; the last one ends the data set");
  return exit_done;
}

// Makes or goes on with a data set, with one line that tells how far it is.
template <class Make>
int make(const DatasetArguments& a, const fs::path& folder, const Make& make_it) {
  const Place place = place_of(a);
  if (place.is_quiet) set_level(Level::quiet);
  DatasetOptions options;
  options.folder = folder;
  options.workers = a.workers;
  options.process = place.process;
  options.processes = place.processes;
  options.interrupt = catch_interrupts("stopping; finished samples are kept", ClosedOutput::is_ignored);
  std::unique_ptr<ProgressBar> bar;
  const Result<DatasetOutcome> outcome = make_it(options, [&](const DatasetProgress& now) {
    if (level() == Level::quiet) return;
    if (!bar) bar = std::make_unique<ProgressBar>(now.finished, now.samples);
    bar->update(now.finished, {now.failed > 0 ? counted(now.failed, "failure") : "no failures"});
  });
  const bool is_begun = bar != nullptr;
  bar.reset();
  return finish(outcome, folder, a, is_begun);
}

int submit(const DatasetArguments& a, const DatasetPlan& plan) {
  SlurmOptions job = a.job;
  std::error_code code;
  job.program = a.program.empty() ? fs::read_symlink("/proc/self/exe", code) : fs::path(a.program);
  const Result<SlurmJob> submitted = submit_dataset(plan, a.output, job);
  if (!submitted) return complain(submitted.error(), exit_usage);
  info("submitted " + submitted->script.string() + ": job " + submitted->array + " makes the samples, job " +
       submitted->merge + " joins them");
  info("how far it is: sinew dataset status " + shell_path(a.output));
  return exit_done;
}

int begin(const DatasetArguments& a) {
  const Result<DatasetPlan> plan = read_dataset_plan(a.plan, a.overrides);
  if (!plan) return complain(plan.error(), exit_usage);
  if (a.slurm) return submit(a, *plan);
  return make(a, a.output, [&](const DatasetOptions& options, const Listener<DatasetProgress>& on_progress) {
    return make_dataset(*plan, options, on_progress);
  });
}

int resume(const DatasetArguments& a) {
  return make(a, a.folder, [](const DatasetOptions& options, const Listener<DatasetProgress>& on_progress) {
    return resume_dataset(options, on_progress);
  });
}

int status(const DatasetArguments& a) {
  const Result<DatasetState> state = dataset_state(a.folder);
  if (!state) return complain(state.error(), exit_usage);
  const auto shards = static_cast<int64_t>(state->shards.size());
  int64_t written = 0, in_work = 0;
  for (const ShardState& shard : state->shards) {
    written += shard.written ? 1 : 0;
    in_work += shard.being_written ? 1 : 0;
  }
  info(format("%s: %lld of %lld samples, %lld failed", state->plan.name.c_str(),
              static_cast<long long>(state->finished), static_cast<long long>(state->plan.samples),
              static_cast<long long>(state->failed)));
  info(format("%lld of %lld shards are written, %lld in work; begun by Sinew %s (%s) with %d lanes",
              static_cast<long long>(written), static_cast<long long>(shards), static_cast<long long>(in_work),
              state->version.c_str(), state->commit.c_str(), state->lanes));
  for (const ShardState& shard : state->shards)
    if (!shard.written && shard.finished > 0)
      info(format("  samples %lld to %lld: %lld finished%s", static_cast<long long>(shard.first),
                  static_cast<long long>(shard.last - 1), static_cast<long long>(shard.finished),
                  shard.being_written ? ", in work" : ""));
  constexpr size_t most_shown = 20;
  for (size_t k = 0; k < std::min(state->failures.size(), most_shown); ++k)
    info(format("  sample %lld failed: ", static_cast<long long>(state->failures[k].first)) +
         state->failures[k].second);
  if (state->failures.size() > most_shown) info(format("  and %zu more", state->failures.size() - most_shown));
  if (state->indexed)
    info("it is complete");
  else if (state->finished == state->plan.samples)
    info("all samples are there; end it with: sinew dataset merge " + shell_path(a.folder));
  else if (in_work == 0)
    info("nobody works on it; continue with: sinew dataset resume " + shell_path(a.folder));
  return exit_done;
}

int verify(const DatasetArguments& a) {
  VerifyOptions options;
  options.residuals = !a.no_residuals;
  options.workers = a.workers;
  options.interrupt = catch_interrupts("stopping", ClosedOutput::is_ignored);
  auto bar = std::make_unique<ProgressBar>(0, 100);
  const Result<DatasetVerdict> verdict =
      verify_dataset(a.folder, options, [&](const Progress& now) { bar->update_share(now.share, {now.stage}); });
  bar.reset();
  if (!verdict) return complain(verdict.error(), exit_usage);
  for (const Error& fault : verdict->faults) error(fault.message());
  const std::string sum = verdict->checksum
                              ? format("checksum %016llx", static_cast<unsigned long long>(*verdict->checksum))
                              : std::string("no checksum");
  info(format("%s%lld samples read, %lld of them recorded as failed; ", verdict->interrupted ? "interrupted: " : "",
              static_cast<long long>(verdict->samples), static_cast<long long>(verdict->failed)) +
       sum);
  if (verdict->residuals > 0)
    info(format("%lld residuals computed anew: within %.1e of the tolerance of what the files say",
                static_cast<long long>(verdict->residuals), verdict->worst));
  if (!verdict->unchecked.empty()) info("residuals were not computed anew: " + verdict->unchecked);
  if (verdict->interrupted) return interrupted_exit();
  return verdict->faults.empty() ? exit_done : exit_failed;
}

int merge(const DatasetArguments& a) {
  if (const Status s = merge_dataset(a.folder); !s) return complain(s.error(), exit_usage);
  info("written to " + a.folder + ": dataset.h5, dataset.json");
  return exit_done;
}

void add_folder(CLI::App& command, DatasetArguments& a) {
  command.add_option("folder", a.folder, "folder of a data set")->required()->check(not_empty())->type_name("FOLDER");
}
void add_workers(CLI::App& command, DatasetArguments& a) {
  command.add_option("--workers", a.workers, "samples at once; 0: one per core, or one on all cores for large bodies")
      ->transform(whole(0, 1024))
      ->capture_default_str()
      ->type_name("N");
}

}  // namespace

void add_dataset(CLI::App& app, int& exit_code) {
  auto a = std::make_shared<DatasetArguments>();
  CLI::App* c = app.add_subcommand("dataset", "Make a data set: many equilibria or trajectories of one scene");
  c->require_subcommand(0, 1);
  c->fallthrough(false);
  CLI::Option* plan =
      c->add_option("plan", a->plan, "plan of a data set (JSON)")->check(not_empty())->type_name("PLAN");
  CLI::Option* output =
      c->add_option("-o,--output", a->output, "folder to write to; default: the name of the plan's file")
          ->check(not_empty())
          ->type_name("FOLDER");
  add_overrides(*c, a->overrides, "solver.type=newton");
  add_workers(*c, *a);
  add_lanes(*c, a->lanes);
  CLI::Option* slurm =
      c->add_flag("--slurm", a->slurm, "submit it to Slurm: a job array, and a job that joins its parts");
  c->add_option("--tasks", a->job.tasks, "with --slurm: tasks of the array; 0: one per shard, at most 1000")
      ->transform(whole(0, 1000))
      ->needs(slurm)
      ->type_name("N");
  c->add_option("--cpus", a->job.cpus, "with --slurm: cores of a task")
      ->transform(whole(1, 1024))
      ->needs(slurm)
      ->type_name("N");
  c->add_option("--time", a->job.time, "with --slurm: limit of a task, which is queued again when it is reached")
      ->needs(slurm)
      ->type_name("HH:MM:SS");
  c->add_option("--partition", a->job.partition, "with --slurm: where to run")->needs(slurm)->type_name("NAME");
  c->add_option("--sbatch", a->job.more, "with --slurm: another option of sbatch, e.g. --sbatch=--mem=4G")
      ->needs(slurm)
      ->type_name("OPTION");
  c->add_option("--program", a->program, "with --slurm: sinew, as the nodes find it; default: this program")
      ->needs(slurm)
      ->type_name("PATH");
  c->footer(
      "A plan names a scene, some of its numbers and how they are spread, and what is to be reached:\n"
      "  { \"dataset\": 1, \"scene\": \"arm.json\", \"samples\": 1000,\n"
      "    \"parameters\": { \"bend\": { \"path\": \"pins.1.motion.keyframes.1.rotate_degrees\", \"range\": [-60, 60] "
      "} } }\n"
      "docs/datasets.md describes plans and folders.\n"
      "\n"
      "What a sample holds depends on the plan alone. A folder survives every kind of end, and may be worked on by\n"
      "any number of processes at once, as by mpirun: a sample that is finished is never lost or made twice.\n"
      "\n"
      "Examples:\n"
      "  sinew dataset plan.json -o out           make it, or go on with it\n"
      "  sinew dataset status out                 how far it is, and why samples failed\n"
      "  sinew dataset verify out                 read all of it, and compute every residual anew\n"
      "  mpirun -n 16 sinew dataset plan.json -o out --workers 1\n"
      "  sinew dataset plan.json -o out --slurm --tasks 50 --cpus 4 --time 02:00:00");

  CLI::App* r = c->add_subcommand("resume", "Go on with a folder");
  add_folder(*r, *a);
  add_workers(*r, *a);
  add_lanes(*r, a->lanes);
  r->add_option("--process", a->process, "which of several processes this is, from 0; default: as mpirun says")
      ->transform(whole(0, 1000000))
      ->type_name("K");
  r->add_option("--processes", a->processes, "of how many")->transform(whole(1, 1000000))->type_name("N");
  r->callback([a, &exit_code] { exit_code = resume(*a); });
  CLI::App* s = c->add_subcommand("status", "Tell how far a folder is, and why samples failed");
  add_folder(*s, *a);
  s->callback([a, &exit_code] { exit_code = status(*a); });
  CLI::App* v = c->add_subcommand("verify", "Read all of a folder, and compute the residuals of equilibria anew");
  add_folder(*v, *a);
  add_workers(*v, *a);
  v->add_flag("--no-residuals", a->no_residuals, "compare checksums only");
  v->callback([a, &exit_code] { exit_code = verify(*a); });
  CLI::App* m = c->add_subcommand("merge", "Write the index of a folder whose shards are all there");
  add_folder(*m, *a);
  m->callback([a, &exit_code] { exit_code = merge(*a); });

  c->callback([a, c, plan, output, &exit_code] {
    if (!c->get_subcommands().empty()) return;
    if (plan->count() == 0) throw CLI::RequiredError("plan");
    if (output->count() == 0) a->output = fs::path(a->plan).stem().string();
    exit_code = begin(*a);
  });
}

}  // namespace sinew::cli
