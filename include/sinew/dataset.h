// Data sets: many samples of one scene, each with other numbers, as equilibria or trajectories in files of HDF5.
//
//   auto plan = sinew::read_dataset_plan("arm.json");
//   auto made = sinew::make_dataset(*plan, {.folder = "arm"});
//   auto verdict = sinew::verify_dataset("arm");
//
// docs/datasets.md describes plans and folders. What a sample holds depends on the plan alone, not on the number of
// workers, on kills or on the machine (but for its SIMD lanes, which a folder keeps). Any number of processes may work
// on one folder at once. All functions fail with an Error where the library was built without HDF5.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "sinew/named.h"
#include "sinew/progress.h"
#include "sinew/real3.h"
#include "sinew/result.h"

namespace sinew {

// How the values of a parameter are spread; u is uniform in [0, 1).
struct DatasetRange {  // from `low` to `high`, evenly, or evenly in the logarithm
  double low = 0, high = 1;
  bool logarithmic = false;
};
struct DatasetNormal {  // a normal distribution, cut off outside [low, high] where these are given
  double mean = 0, deviation = 1;
  std::optional<double> low, high;
};
struct DatasetValues {  // one of these
  std::vector<double> values;
};
struct DatasetColumn {  // of the plan's table: its name in the first row, or its number from 0
  std::string column;
};

// A number of the scene that differs from sample to sample.
struct DatasetParameter {
  std::string name;
  // Paths of the scene, as `sinew run --set` takes them, each with the factor that its number has: a parameter may move
  // two pins apart.
  std::vector<std::pair<std::string, double>> paths;
  std::variant<DatasetRange, DatasetNormal, DatasetValues, DatasetColumn> spread;
  int count = 0;  // with grid sampling: how many values of a range
};

// uniform: independent random numbers. latin_hypercube: each parameter takes one value of each of as many equal parts
// as there are samples (McKay, Beckman, Conover 1979). sobol: Sobol's sequence with the directions of Joe and Kuo
// (2008), shifted by the seed. grid: all combinations; the last parameter changes fastest.
enum class DatasetSampling { uniform, latin_hypercube, sobol, grid };
template <>
struct EnumNames<DatasetSampling> {
  static constexpr std::string_view names[] = {"uniform", "latin_hypercube", "sobol", "grid"};
};
// equilibrium: of the scene's end, without inertia. trajectory: its frames.
enum class DatasetKind { equilibrium, trajectory };
template <>
struct EnumNames<DatasetKind> {
  static constexpr std::string_view names[] = {"equilibrium", "trajectory"};
};
// rest: each sample on its own. nearest: from the nearest earlier sample of the same shard.
enum class DatasetStart { rest, nearest };
template <>
struct EnumNames<DatasetStart> {
  static constexpr std::string_view names[] = {"rest", "nearest"};
};
// newton: an equilibrium that no attempt has found is sought once more by Newton's method with a line search, which is
// slower and finds what others do not: bodies that collapse or buckle.
enum class DatasetFallback { newton, none };
template <>
struct EnumNames<DatasetFallback> {
  static constexpr std::string_view names[] = {"newton", "none"};
};
// What is stored of each sample beside its positions.
enum class DatasetField { reactions, velocities, rest_positions, probes };
template <>
struct EnumNames<DatasetField> {
  static constexpr std::string_view names[] = {"reactions", "velocities", "rest_positions", "probes"};
};

struct DatasetPlan {
  std::string file;          // it was read from; used in errors only
  std::string name;          // of the data set
  std::string scene;         // JSON, after the plan's `set`, without the parameters
  std::string scene_source;  // its file, for errors
  std::string base_folder;   // of the scene's relative paths
  std::vector<DatasetParameter> parameters;
  int64_t samples = 0;
  uint64_t seed = 0;
  DatasetSampling sampling = DatasetSampling::sobol;
  std::vector<double> table;               // row by row
  std::vector<std::string> table_columns;  // their names; of arrays their numbers

  DatasetKind kind = DatasetKind::equilibrium;
  DatasetStart start = DatasetStart::rest;
  // An equilibrium is reached where the residual is at most this times that of the rest shape with the sample's pins,
  // loads and activations, or at most so many newtons where those are given.
  double relative_residual = 1e-5;
  std::optional<double> residual;  // [N]
  int steps = 1;                   // in which pins and loads go from rest to their end
  int attempts = 3;                // each in four times as many steps as the one before
  DatasetFallback fallback = DatasetFallback::newton;
  bool allow_inverted = false;  // else a sample with inverted elements counts as failed

  std::vector<DatasetField> fields = {DatasetField::reactions};
  bool single_precision = false;  // of what is stored
  int compression = 1;            // of zlib, 0 to 9; more is slower and hardly smaller
  int64_t shard = 100;            // samples in a file
};

// Overrides are those of read_scene, of the base scene. Errors: every fault of the plan, each with the path of its key;
// those of the scene; a parameter's path that the scene refuses.
Result<DatasetPlan> read_dataset_plan(const std::filesystem::path& path, std::span<const std::string> overrides = {});

// The same of a text. `name` stands for the file in errors; relative paths are relative to `base_folder`.
Result<DatasetPlan> parse_dataset_plan(std::string_view text, const std::string& name, const std::string& base_folder,
                                       std::span<const std::string> overrides = {});

// The parameters of all samples, row by row: plan.samples x plan.parameters.size() numbers.
std::vector<double> dataset_parameters(const DatasetPlan& plan);

// How a sample ended. All but the first are failures: they are kept with the reason, and with the state that was
// reached where there is one.
enum class SampleStatus { converged, unconverged, diverged, inverted, refused };
template <>
struct EnumNames<SampleStatus> {
  static constexpr std::string_view names[] = {"converged", "unconverged", "diverged", "inverted", "refused"};
};

struct DatasetOptions {
  std::filesystem::path folder;
  // At once; 0: one per core for bodies below 20,000 vertices, each with a thread of its own, else one with all cores.
  int workers = 0;
  // Of several processes that share the folder: where this one begins looking for work.
  int process = 0, processes = 1;
  const std::atomic<bool>* interrupt = nullptr;  // set it to stop; what is finished stays
};

// After each sample, and once at the start.
struct DatasetProgress {
  int64_t samples = 0;   // of the plan
  int64_t finished = 0;  // by anybody, as far as this process knows
  int64_t made = 0;      // by this process, now
  int64_t failed = 0;    // of the finished ones
};

struct DatasetOutcome {
  bool interrupted = false;
  bool complete = false;  // all shards are written, and the index
  int64_t made = 0;       // samples, by this process
  int64_t failed = 0;     // of all that are finished
  // Seconds of all workers: in solving, in setting up scenes, and in writing.
  double solving = 0, setting_up = 0, writing = 0;
};

// Makes the folder of a plan, or goes on with it. Errors: a folder with other files or of another plan, meshes that
// have changed, a full disk. What was finished stays.
Result<DatasetOutcome> make_dataset(const DatasetPlan& plan, const DatasetOptions& options,
                                    const Listener<DatasetProgress>& on_progress = {});
// Goes on with a folder. Errors: no such folder, and the above.
Result<DatasetOutcome> resume_dataset(const DatasetOptions& options, const Listener<DatasetProgress>& on_progress = {});

struct ShardState {
  int64_t first = 0, last = 0;  // its samples [first, last)
  int64_t finished = 0, failed = 0;
  bool written = false;        // as one file; else its finished samples are files of their own
  bool being_written = false;  // somebody works on it
};
struct DatasetState {
  DatasetPlan plan;
  std::vector<ShardState> shards;
  int64_t finished = 0, failed = 0;
  bool indexed = false;                                   // complete, with dataset.json and dataset.h5
  std::vector<std::pair<int64_t, std::string>> failures;  // by sample, with the reason
  std::string version, commit;                            // that began it
  int lanes = 0;
};
// What a folder holds. Errors: no such folder, a file that cannot be read.
Result<DatasetState> dataset_state(const std::filesystem::path& folder);

// Writes the index of a folder whose shards are all there: dataset.json with their checksums, and dataset.h5, through
// which all of them read as one file. Errors: shards that are missing, by number; no permission; another process is
// beginning or ending the data set.
Status merge_dataset(const std::filesystem::path& folder);

struct VerifyOptions {
  bool residuals = true;  // compute those of equilibria anew; takes about as long as reading plus a step each
  int workers = 0;
  const std::atomic<bool>* interrupt = nullptr;
};
struct DatasetVerdict {
  bool interrupted = false;
  int64_t samples = 0, failed = 0;  // that are in the shards, and of them those that are recorded as failed
  int64_t residuals = 0;            // that were computed anew
  double worst = 0;                 // the largest difference from what the file says, over the tolerance
  std::string unchecked;            // why residuals were not computed; empty: they were
  std::vector<Error> faults;        // files that are missing, cut short or altered; residuals that differ
  // Of all samples, without seconds: equal for equal data sets. Nothing where it was interrupted or found faults.
  std::optional<uint64_t> checksum;
};
// Reads all of a folder. Errors: no such folder. What is wrong with its content is in the verdict.
Result<DatasetVerdict> verify_dataset(const std::filesystem::path& folder, const VerifyOptions& options = {},
                                      const Listener<Progress>& on_progress = {});

struct SlurmOptions {
  std::filesystem::path program;       // `sinew`, as the nodes find it
  int tasks = 0;                       // of the job array; 0: one per shard, at most 1000
  int cpus = 1;                        // of each task
  std::string time = "";               // "HH:MM:SS"; empty: the partition's
  std::string partition = "";          // empty: the default one
  std::vector<std::string> more = {};  // further options of sbatch, e.g. "--mem=4G"
};
struct SlurmJob {
  std::string array, merge;  // the numbers of the two jobs
  std::filesystem::path script;
};
// Makes the folder of a plan and submits it to Slurm: a job array whose tasks share the shards and are queued again
// when a node fails or their time is up, and a job after it that merges. Errors: those of make_dataset; no sbatch, and
// what it answers.
Result<SlurmJob> submit_dataset(const DatasetPlan& plan, const std::filesystem::path& folder,
                                const SlurmOptions& options);

}  // namespace sinew
