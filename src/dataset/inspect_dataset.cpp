// What a folder holds: its state, its index, and whether it is as it was written.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <thread>

#include "base/format.h"
#include "base/hash.h"
#include "dataset/dataset_folder.h"
#include "dataset/dataset_index.h"
#include "dataset/sample_scene.h"
#include "drive/disk_files.h"
#include "files/atomic_file.h"
#include "files/unfinished_file.h"
#include "sinew/folder.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

// [1] The part of the plan's residual by which a residual that is computed anew may differ from the stored one.
constexpr double same_residual = 1e-6;

// Removes what is left of samples whose shard is written.
void remove_samples(const DatasetFolder& folder) {
  std::error_code code;
  for (int64_t shard = 0; shard < folder.shards(); ++shard) {
    const fs::path samples = folder.samples_folder(shard);
    if (!fs::exists(samples, code)) continue;
    {
      const Result<FolderLock> lock = FolderLock::acquire(samples);  // goes with the file that a killed process left
      if (!lock) continue;
      remove_abandoned_files(samples, [](const std::string& name) { return name.ends_with(".bin"); });
      for (int64_t k = folder.first(shard); k < folder.last(shard); ++k) fs::remove(folder.sample_file(k), code);
    }
    fs::remove(samples, code);
  }
  fs::remove(folder.path() / "samples", code);
}

Status write_joined(const DatasetFolder& folder, const std::vector<std::string>& names,
                    const std::vector<int64_t>& firsts) {
  ShardHead whole = folder.head(0);
  whole.last = folder.plan().samples;
  return write_index(folder.joined_file(), whole, names, firsts);
}

// Faults of mesh.h5, and of dataset.h5 where the index knows its hash.
void check_file(const fs::path& file, uint64_t hash, const std::string& remedy, std::vector<Error>& faults) {
  std::error_code code;
  if (!fs::exists(file, code)) return faults.push_back({file.string(), "is missing", remedy});
  const Result<uint64_t> now = hash_of_file(file);
  if (!now)
    faults.push_back(now.error());
  else if (*now != hash)
    faults.push_back({file.string(), "is altered or cut short", remedy});
}

Error altered_shard(const fs::path& file) {
  return {file.string(), "is altered: dataset.json has another hash of it",
          "remove it; `sinew dataset resume` makes its samples anew"};
}

// One shard's part of a verdict.
struct ShardVerdict {
  uint64_t checksum = 0;
  int64_t samples = 0, failed = 0, residuals = 0;
  double worst = 0;
  std::vector<Error> faults;
};

class Verifier {
 public:
  Verifier(const DatasetFolder& folder, const SampleScenes& scenes, const VerifyOptions& options, bool residuals)
      : folder_(folder), scenes_(scenes), options_(options), residuals_(residuals) {}

  ShardVerdict verify(int64_t shard, const IndexedShard* indexed, const std::shared_ptr<ThreadPool>& pool) const {
    ShardVerdict verdict;
    const fs::path file = folder_.shard_file(shard);
    const ShardHead head = folder_.head(shard);
    const Result<ShardReader> reader = ShardReader::open(file, head);
    if (!reader) return verdict.faults.push_back(reader.error()), verdict;
    if (indexed) {
      const Result<uint64_t> hash = hash_of_file(file);
      if (!hash) return verdict.faults.push_back(hash.error()), verdict;
      if (indexed->file && *hash != indexed->file) verdict.faults.push_back(altered_shard(file));
    }
    const Solving solving{folder_.plan(), folder_.origin().shape, std::make_shared<DiskFiles>(), pool,
                          options_.interrupt};
    Hash all;
    for (int64_t k = head.first; k < head.last; ++k) {
      if (options_.interrupt && options_.interrupt->load()) return verdict;
      const Result<Sample> sample = reader->sample(k);
      if (!sample) {
        verdict.faults.push_back(sample.error());
        continue;
      }
      ++verdict.samples;
      if (sample->status != SampleStatus::converged) ++verdict.failed;
      const uint64_t checksum = sample->checksum(folder_.plan().single_precision);
      all.bytes(&checksum, sizeof checksum);
      if (residuals_ && sample->status == SampleStatus::converged) compare(solving, *sample, file, verdict);
    }
    verdict.checksum = all.value();
    if (indexed && verdict.failed != indexed->failed && verdict.faults.empty())
      verdict.faults.push_back({folder_.index_file().string(), "is altered", merge_anew});
    if (indexed && verdict.checksum != indexed->checksum && verdict.faults.empty())
      verdict.faults.push_back(altered_shard(file));
    return verdict;
  }

 private:
  void compare(const Solving& solving, const Sample& sample, const fs::path& file, ShardVerdict& verdict) const {
    const Result<Scene> scene = scenes_.scene(sample.parameters);
    const Result<double> anew = scene ? residual_of(solving, *scene, sample) : Result<double>(scene.error());
    const std::string name = format("sample %lld: ", static_cast<long long>(sample.number));
    if (!anew) return verdict.faults.push_back({file.string(), name + anew.error().message(), ""});
    ++verdict.residuals;
    const double stored = sample.residual[0];
    const double goal = folder_.plan().residual.value_or(
        sample.relative_residual[0] > 0 ? stored / sample.relative_residual[0] * folder_.plan().relative_residual
                                        : stored);
    const double difference = goal > 0 ? std::abs(*anew - stored) / std::max(goal, stored) : 0;
    verdict.worst = std::max(verdict.worst, difference);
    if (!(difference <= same_residual))
      verdict.faults.push_back({file.string(),
                                name + format("its residual is stored as %.6g N and is %.6g N", stored, *anew),
                                "was it made by another version of Sinew?"});
  }

  const DatasetFolder& folder_;
  const SampleScenes& scenes_;
  const VerifyOptions& options_;
  const bool residuals_;
};

// Why residuals cannot be computed from what is stored; empty: they can.
std::string why_unchecked(const DatasetFolder& folder, const SampleScenes& scenes) {
  const DatasetPlan& plan = folder.plan();
  if (plan.kind == DatasetKind::trajectory) return "trajectories store frames, and residuals belong to steps";
  if (plan.single_precision) return "positions are stored in single precision";
  const std::vector<double> table = dataset_parameters(plan);
  const Result<Scene> scene = scenes.scene(std::span(table).first(plan.parameters.size()));
  if (scene && !scene->no_contact && (scene->contact || !scene->colliders.empty()))
    return "with contact, friction depends on the way";
  return "";
}

}  // namespace

Result<DatasetState> dataset_state(const fs::path& path) {
  const auto opened = DatasetFolder::open(path);
  if (!opened) return opened.error();
  const DatasetFolder& folder = **opened;
  DatasetState state;
  state.plan = folder.plan();
  state.version = folder.origin().version;
  state.commit = folder.origin().commit;
  state.lanes = folder.origin().lanes;
  std::error_code code;
  for (int64_t shard = 0; shard < folder.shards(); ++shard) {
    ShardState s{folder.first(shard), folder.last(shard)};
    s.written = folder.is_written(shard);
    const auto note = [&](int64_t number, SampleStatus status, const auto& reason) {
      ++s.finished;
      if (status == SampleStatus::converged) return;
      ++s.failed;
      state.failures.emplace_back(number, reason());
    };
    if (s.written) {
      const Result<ShardReader> reader = ShardReader::open(folder.shard_file(shard), folder.head(shard));
      if (!reader) return reader.error();
      const auto statuses = reader->statuses();
      if (!statuses) return statuses.error();
      for (int64_t k = s.first; k < s.last; ++k)
        note(k, (*statuses)[static_cast<size_t>(k - s.first)], [&] {
          const Result<std::string> reason = reader->reason(k);
          return reason ? *reason : reason.error().message();
        });
    } else if (fs::exists(folder.samples_folder(shard), code)) {
      for (int64_t k = s.first; k < s.last; ++k) {
        if (!fs::exists(folder.sample_file(k), code)) continue;
        const Result<Sample> sample = folder.read_sample(k);
        if (sample) note(k, sample->status, [&] { return sample->reason; });
      }
      const Result<FolderLock> lock = FolderLock::acquire(folder.samples_folder(shard));
      s.being_written = !lock && FolderLock::is_held(lock.error());
    }
    state.finished += s.finished;
    state.failed += s.failed;
    state.shards.push_back(s);
  }
  const bool all_written =
      std::all_of(state.shards.begin(), state.shards.end(), [](const ShardState& s) { return s.written; });
  state.indexed = all_written;
  for (const fs::path& file : {folder.index_file(), folder.joined_file(), folder.mesh_file()})
    state.indexed = state.indexed && fs::exists(file, code);
  return state;
}

Status merge_dataset(const fs::path& path) {
  const auto opened = DatasetFolder::open(path);
  if (!opened) return opened.error();
  const DatasetFolder& folder = **opened;
  std::string missing;
  int64_t count = 0;
  for (int64_t shard = 0; shard < folder.shards(); ++shard) {
    if (folder.is_written(shard)) continue;
    if (++count <= 10) missing += (count > 1 ? ", " : "") + std::to_string(shard);
  }
  if (count > 0)
    return Error{
        path.string(),
        format("lacks %lld of %lld shards: ", static_cast<long long>(count), static_cast<long long>(folder.shards())) +
            missing + (count > 10 ? ", ..." : ""),
        "`sinew dataset resume " + path.string() + "` makes them"};

  // Of several processes that end at the same time one writes the index.
  const Result<FolderLock> lock = FolderLock::acquire(path);
  if (!lock && FolderLock::is_held(lock.error()))
    return Error{path.string(), lock.error().what, "merge it again when that one has ended"};
  if (!lock) return lock.error();
  const auto ours = [](const std::string& name) { return name.ends_with(".h5") || name.ends_with(".json"); };
  remove_abandoned_files(path, ours);
  remove_abandoned_files(folder.shard_file(0).parent_path(), ours);
  const Result<DatasetIndex> earlier = read_index(folder);
  DatasetIndex index;
  std::vector<std::string> names;
  std::vector<int64_t> firsts;
  for (int64_t shard = 0; shard < folder.shards(); ++shard) {
    const ShardHead head = folder.head(shard);
    const fs::path path_of_shard = folder.shard_file(shard);
    const Result<ShardReader> reader = ShardReader::open(path_of_shard, head);
    if (!reader) return reader.error();
    const Result<uint64_t> file = hash_of_file(path_of_shard);
    if (!file) return file.error();
    if (earlier && !earlier->shards.empty())
      if (const IndexedShard& known = earlier->shards[static_cast<size_t>(shard)]; known.file && known.file != *file)
        return altered_shard(path_of_shard);
    IndexedShard& indexed = index.shards.emplace_back();
    Hash of_shard;
    for (int64_t k = head.first; k < head.last; ++k) {
      const Result<Sample> sample = reader->sample(k);
      if (!sample) return sample.error();
      const uint64_t checksum = sample->checksum(folder.plan().single_precision);
      of_shard.bytes(&checksum, sizeof checksum);
      if (sample->status != SampleStatus::converged) ++indexed.failed;
    }
    indexed.file = *file;
    indexed.checksum = of_shard.value();
    names.push_back(folder.shard_name(shard));
    firsts.push_back(head.first);
  }
  if (const Status s = write_joined(folder, names, firsts); !s) return s;
  const Result<uint64_t> joined = hash_of_file(folder.joined_file());
  if (!joined) return joined.error();
  index.joined = *joined;
  if (const Status s = write_file_atomically(folder.index_file(), index_json(folder, index)); !s) return s;
  remove_samples(folder);
  return {};
}

Result<DatasetVerdict> verify_dataset(const fs::path& path, const VerifyOptions& options,
                                      const Listener<Progress>& on_progress) {
  const auto opened = DatasetFolder::open(path);
  if (!opened) return opened.error();
  const DatasetFolder& folder = **opened;
  const Result<SampleScenes> scenes = SampleScenes::of(folder.plan());
  if (!scenes) return scenes.error();
  const Result<DatasetIndex> index = read_index(folder);
  const std::vector<IndexedShard> indexed = index ? index->shards : std::vector<IndexedShard>();

  DatasetVerdict verdict;
  if (!index) verdict.faults.push_back(index.error());
  check_file(folder.mesh_file(), folder.origin().mesh_file, "`sinew dataset resume` restores it", verdict.faults);
  if (std::any_of(indexed.begin(), indexed.end(), [](const IndexedShard& shard) { return shard.file == 0; }))
    verdict.faults.push_back({folder.index_file().string(), "is older than some shards", merge_anew});
  if (!indexed.empty()) check_file(folder.joined_file(), index->joined, merge_anew, verdict.faults);
  verdict.unchecked = options.residuals ? why_unchecked(folder, *scenes) : "";
  const bool residuals = options.residuals && verdict.unchecked.empty();
  const Verifier verifier(folder, *scenes, options, residuals);
  std::vector<ShardVerdict> parts(static_cast<size_t>(folder.shards()));
  std::atomic<int64_t> next{0}, done{0};
  std::atomic<bool> ended{false};
  const auto work = [&] {
    const auto pool = std::make_shared<ThreadPool>(1);
    for (int64_t shard = next++; shard < folder.shards() && !ended; shard = next++) {
      const auto s = static_cast<size_t>(shard);
      parts[s] = verifier.verify(shard, indexed.empty() ? nullptr : &indexed[s], pool);
      ++done;
    }
  };
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const int64_t workers = std::min<int64_t>(options.workers > 0 ? options.workers : cores, folder.shards());
  std::vector<std::thread> threads;
  std::atomic<int64_t> working{workers};
  for (int64_t w = 0; w < workers; ++w)
    threads.emplace_back([&] {
      work();
      --working;
    });
  while (working > 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (!on_progress({"shards", static_cast<double>(done) / static_cast<double>(folder.shards())})) ended = true;
  }
  for (std::thread& thread : threads) thread.join();

  Hash all;
  for (const ShardVerdict& part : parts) {
    verdict.samples += part.samples;
    verdict.failed += part.failed;
    verdict.residuals += part.residuals;
    verdict.worst = std::max(verdict.worst, part.worst);
    verdict.faults.insert(verdict.faults.end(), part.faults.begin(), part.faults.end());
    all.bytes(&part.checksum, sizeof part.checksum);
  }
  verdict.interrupted = ended || (options.interrupt && options.interrupt->load());
  if (verdict.interrupted || !verdict.faults.empty()) return verdict;
  verdict.checksum = all.value();
  return verdict;
}

}  // namespace sinew
