#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "base/format.h"
#include "base/stopwatch.h"
#include "dataset/continuation.h"
#include "dataset/dataset_folder.h"
#include "dataset/dataset_index.h"
#include "dataset/sample_scene.h"
#include "dataset/solve_sample.h"
#include "drive/disk_files.h"
#include "files/unfinished_file.h"
#include "sinew/folder.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

// From so many vertices on a body is solved by all cores, one sample after the other.
constexpr int32_t large_body = 20000;

// A shard that this process works on.
struct OpenShard {
  int64_t shard = 0;
  FolderLock lock;
  std::vector<int64_t> parents;             // of each of its samples; -1: none
  std::multimap<int64_t, int64_t> waiting;  // samples by the parent that they begin from
  std::vector<int64_t> ready;               // the last one is next
  int64_t unfinished = 0;
};

// What this process has to do: the samples of shards that nobody else works on.
class Work {
 public:
  Work(const DatasetFolder& folder, const SampleScenes& scenes, const DatasetOptions& options,
       const Listener<DatasetProgress>& on_progress)
      : folder_(folder),
        scenes_(scenes),
        options_(options),
        on_progress_(on_progress),
        table_(dataset_parameters(folder.plan())) {
    const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    const bool is_large = folder.origin().shape.vertices >= large_body;
    workers_ = options.workers > 0 ? options.workers : is_large ? 1 : cores;
    threads_ = is_large ? std::max(1, cores / workers_) : 1;
    // Processes begin at places of their own, so that they seldom ask for the same shard.
    next_shard_ = folder.shards() * options.process / std::max(options.processes, 1);
    progress_.samples = folder.plan().samples;
  }

  Result<DatasetOutcome> run() {
    std::vector<std::thread> threads;
    working_ = workers_;
    for (int w = 0; w < workers_; ++w) threads.emplace_back([this] { work(); });
    watch();
    for (std::thread& thread : threads) thread.join();
    if (fault_) return *fault_;
    DatasetOutcome outcome = outcome_;
    outcome.interrupted = stopped();
    outcome.failed = progress_.failed;
    return outcome;
  }

  // Counts what is finished already, by anybody.
  Status count() {
    for (int64_t shard = 0; shard < folder_.shards(); ++shard) {
      if (!folder_.is_written(shard)) continue;
      const Result<ShardReader> reader = ShardReader::open(folder_.shard_file(shard), folder_.head(shard));
      if (!reader) return reader.error();
      const auto statuses = reader->statuses();
      if (!statuses) return statuses.error();
      for (const SampleStatus status : *statuses) count(status);
    }
    return {};
  }

 private:
  struct Task {
    OpenShard* shard = nullptr;
    int64_t sample = -1;
  };

  bool stopped() const { return ended_ || (options_.interrupt && options_.interrupt->load()); }

  void work() {
    const auto pool = std::make_shared<ThreadPool>(threads_);
    while (const std::optional<Task> task = next()) {
      const Status status = make(*task, pool);
      std::lock_guard lock(mutex_);
      if (!status) fail(status.error());
      changed_.notify_all();
    }
    std::lock_guard lock(mutex_);
    --working_;
    changed_.notify_all();
  }

  // The calling thread tells how far the workers are, until they end.
  void watch() {
    for (bool told = false, ends = false; !ends;) {
      DatasetProgress now;
      {
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, std::chrono::milliseconds(100),
                          [&] { return working_ == 0 || progress_.made > told_; });
        ends = working_ == 0;
        if (told && progress_.finished == told_finished_) continue;
        told_ = progress_.made;
        told_finished_ = progress_.finished;
        now = progress_;
      }
      if (!on_progress_(now)) ended_ = true;
      told = true;
    }
  }

  // The next sample that can be made; none: nothing is left for this worker.
  std::optional<Task> next() {
    std::unique_lock lock(mutex_);
    while (!stopped()) {
      for (auto& shard : open_) {
        if (shard->ready.empty()) continue;
        const int64_t sample = shard->ready.back();
        shard->ready.pop_back();
        return Task{shard.get(), sample};
      }
      if (tried_ < folder_.shards()) {
        if (const Status s = open_next_shard(); !s) fail(s.error());
        continue;
      }
      if (open_.empty()) break;
      changed_.wait_for(lock, std::chrono::milliseconds(100));  // for samples whose parents are being made
    }
    return std::nullopt;
  }

  // Opens the next shard that is not written, if nobody else works on it.
  Status open_next_shard() {
    const int64_t shard = next_shard_;
    ++tried_;
    next_shard_ = (next_shard_ + 1) % folder_.shards();
    if (folder_.is_written(shard)) return {};
    std::error_code code;
    const fs::path samples = folder_.samples_folder(shard);
    fs::create_directories(samples, code);
    if (code) return write_error(samples, "the folder cannot be made", code.value());
    Result<FolderLock> lock = FolderLock::acquire(samples);
    if (!lock) {  // it may be only somebody who asks how far the shard is
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      lock = FolderLock::acquire(samples);
    }
    if (folder_.is_written(shard)) return {};
    if (!lock) return FolderLock::is_held(lock.error()) ? Status() : lock.error();
    remove_abandoned_files(samples, [](const std::string& name) { return name.ends_with(".bin"); });
    remove_abandoned_files(folder_.shard_file(shard));

    const int64_t first = folder_.first(shard), last = folder_.last(shard);
    auto open = std::make_unique<OpenShard>(OpenShard{shard, std::move(*lock), {}, {}, {}, 0});
    open->parents = parents_of(folder_.plan(), table_, first, last);
    std::set<int64_t> finished;
    for (int64_t k = first; k < last; ++k) {
      if (!fs::exists(folder_.sample_file(k), code)) continue;
      const Result<Sample> sample = folder_.read_sample(k);
      if (!sample) return sample.error();
      finished.insert(k);
      count(sample->status);
    }
    for (int64_t k = last; k-- > first;) {
      if (finished.contains(k)) continue;
      ++open->unfinished;
      const int64_t parent = open->parents[static_cast<size_t>(k - first)];
      if (parent < 0 || finished.contains(parent))
        open->ready.push_back(k);
      else
        open->waiting.emplace(parent, k);
    }
    if (open->unfinished == 0) return write(*open);
    open_.push_back(std::move(open));
    return {};
  }

  Status make(const Task& task, const std::shared_ptr<ThreadPool>& pool) {
    const DatasetPlan& plan = folder_.plan();
    const Solving solving{plan, folder_.origin().shape, std::make_shared<DiskFiles>(), pool, options_.interrupt};
    const size_t columns = plan.parameters.size();
    const std::span<const double> values =
        std::span(table_).subspan(static_cast<size_t>(task.sample) * columns, columns);
    std::vector<double> start;
    if (const int64_t parent = task.shard->parents[static_cast<size_t>(task.sample - folder_.first(task.shard->shard))];
        parent >= 0) {
      Result<Sample> from = folder_.read_sample(parent);
      if (!from) return from.error();
      if (from->status == SampleStatus::converged) start = std::move(from->positions);
    }
    const Result<Scene> scene = scenes_.scene(values);
    std::optional<Sample> sample;
    if (scene) {
      sample = solve_sample(solving, *scene, start);
    } else {
      sample.emplace();
      sample->fill(plan, solving.shape);
      sample->attempts = 1;
      sample->reason = scene.error().message();
    }
    if (!sample) return {};  // interrupted
    sample->number = task.sample;
    sample->parameters.assign(values.begin(), values.end());
    Stopwatch writing;
    if (const Status s = folder_.write_sample(*sample); !s) return s;
    return finish(task, *sample, writing.milliseconds() / 1000);
  }

  Status finish(const Task& task, const Sample& sample, double writing) {
    std::unique_lock lock(mutex_);
    outcome_.solving += sample.seconds - sample.setup_seconds;
    outcome_.setting_up += sample.setup_seconds;
    outcome_.writing += writing;
    ++outcome_.made;
    ++progress_.made;
    count(sample.status);
    OpenShard& shard = *task.shard;
    const auto [begin, end] = shard.waiting.equal_range(sample.number);
    for (auto child = begin; child != end; ++child) shard.ready.push_back(child->second);
    shard.waiting.erase(begin, end);
    if (--shard.unfinished > 0) return {};
    // The others go on meanwhile.
    const auto at = std::find_if(open_.begin(), open_.end(), [&](const auto& o) { return o.get() == &shard; });
    const std::unique_ptr<OpenShard> own = std::move(*at);
    open_.erase(at);
    lock.unlock();
    Stopwatch watch;
    const Status status = write(*own);
    lock.lock();
    outcome_.writing += watch.milliseconds() / 1000;
    return status;
  }

  // Puts the finished samples of a shard into one file.
  Status write(const OpenShard& shard) const {
    if (const Status s = forget_shard(folder_, shard.shard); !s) return s;
    const Result<uint64_t> written = write_shard(folder_.shard_file(shard.shard), folder_.head(shard.shard),
                                                 [&](int64_t number) { return folder_.read_sample(number); });
    if (!written) return written.error();
    std::error_code code;
    for (int64_t k = folder_.first(shard.shard); k < folder_.last(shard.shard); ++k)
      fs::remove(folder_.sample_file(k), code);
    return {};
  }

  void count(SampleStatus status) {
    ++progress_.finished;
    if (status != SampleStatus::converged) ++progress_.failed;
  }
  void fail(const Error& error) {
    if (!fault_) fault_ = error;
    ended_ = true;
  }

  const DatasetFolder& folder_;
  const SampleScenes& scenes_;
  const DatasetOptions& options_;
  const Listener<DatasetProgress>& on_progress_;
  const std::vector<double> table_;
  int workers_ = 1, threads_ = 1;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::unique_ptr<OpenShard>> open_;
  int64_t next_shard_ = 0, tried_ = 0;
  DatasetProgress progress_;
  int working_ = 0;  // threads
  int64_t told_ = 0, told_finished_ = 0;
  DatasetOutcome outcome_;
  std::optional<Error> fault_;
  std::atomic<bool> ended_{false};
};

Result<DatasetOutcome> make_in(const DatasetFolder& folder, const DatasetOptions& options,
                               const Listener<DatasetProgress>& on_progress) {
  if (const Status s = folder.check_origin(std::make_shared<ThreadPool>(0)); !s) return s.error();
  if (const Status s = folder.check_memory(); !s) return s.error();
  const Result<SampleScenes> scenes = SampleScenes::of(folder.plan());
  if (!scenes) return scenes.error();
  Work work(folder, *scenes, options, on_progress);
  if (const Status s = work.count(); !s) return s.error();
  Result<DatasetOutcome> outcome = work.run();
  if (!outcome || outcome->interrupted) return outcome;
  for (int64_t shard = 0; shard < folder.shards(); ++shard)
    if (!folder.is_written(shard)) return outcome;  // others are at work
  const Status merged = merge_dataset(folder.path());
  if (!merged && FolderLock::is_held(merged.error())) return outcome;  // another process begins or ends
  if (!merged) return merged.error();
  outcome->complete = true;
  return outcome;
}

}  // namespace

Result<DatasetOutcome> make_dataset(const DatasetPlan& plan, const DatasetOptions& options,
                                    const Listener<DatasetProgress>& on_progress) {
  const auto folder = DatasetFolder::begin(options.folder, plan, std::make_shared<ThreadPool>(0));
  if (!folder) return folder.error();
  return make_in(**folder, options, on_progress);
}

Result<DatasetOutcome> resume_dataset(const DatasetOptions& options, const Listener<DatasetProgress>& on_progress) {
  const auto folder = DatasetFolder::open(options.folder);
  if (!folder) return folder.error();
  return make_in(**folder, options, on_progress);
}

}  // namespace sinew
