// Data sets as jobs of Slurm: a job array whose tasks share the shards, and a job after it that merges.
#include <algorithm>
#include <cstdio>

#include "base/format.h"
#include "dataset/dataset_folder.h"
#include "files/atomic_file.h"
#include "files/child_process.h"
#include "record/file_error.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

constexpr int64_t most_tasks = 1000;  // of Slurm's default MaxArraySize, 1001

std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string directives(const DatasetFolder& folder, const SlurmOptions& options, const std::string& log) {
  std::string text = "#SBATCH --job-name=" + folder.plan().name + "\n";
  text += "#SBATCH --output=" + (folder.path() / "log" / log).string() + "\n";
  if (!options.time.empty()) text += "#SBATCH --time=" + options.time + "\n";
  if (!options.partition.empty()) text += "#SBATCH --partition=" + options.partition + "\n";
  for (const std::string& more : options.more) text += "#SBATCH " + more + "\n";
  return text;
}

std::string array_script(const DatasetFolder& folder, const SlurmOptions& options, int64_t tasks) {
  std::string text = "#!/bin/bash\n" + directives(folder, options, "task-%a.txt");
  text += format("#SBATCH --array=0-%lld\n", static_cast<long long>(tasks - 1));
  text += format("#SBATCH --cpus-per-task=%d\n", options.cpus);
  text +=
      "# A task that loses its node is queued again, and goes on where it was.\n"
      "#SBATCH --requeue\n"
      "#SBATCH --open-mode=append\n"
      "# Before its time is up it is told to end, and is queued again.\n"
      "#SBATCH --signal=B:TERM@60\n\n"
      "trap 'kill -TERM $sinew 2>/dev/null' TERM\n";
  text += quoted(options.program.string()) + " dataset resume " + quoted(folder.path().string()) +
          format(" --workers %d --process $SLURM_ARRAY_TASK_ID --processes %lld &\n", options.cpus,
                 static_cast<long long>(tasks));
  text +=
      "sinew=$!\n"
      "wait $sinew; code=$?\n"
      "while kill -0 $sinew 2>/dev/null; do wait $sinew; code=$?; done\n"
      "if [ $code = 143 ]; then\n"
      "  scontrol requeue ${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID && exit 0\n"
      "fi\n"
      "exit $code\n";
  return text;
}

std::string merge_script(const DatasetFolder& folder, const SlurmOptions& options) {
  return "#!/bin/bash\n" + directives(folder, options, "merge.txt") + quoted(options.program.string()) +
         " dataset merge " + quoted(folder.path().string()) + "\n";
}

// What a program of Slurm answers. Errors: it cannot be run, or fails.
Result<std::string> answer_of(std::vector<std::string> words) {
  const std::string name = words.front();
  const NamelessFile in = make_nameless(), out = make_nameless(), complaints = make_nameless();
  if (!in || !out || !complaints) return Error{name, "cannot be run: there is no room for temporary files", ""};
  const ChildEnd end = run_child(std::move(words), in.get(), out.get(), complaints.get());
  if (end.not_started != 0)
    return Error{name, "cannot be found or run", "install Slurm's programs, or leave out --slurm"};
  std::string text = content_of(out.get());
  while (text.ends_with('\n')) text.pop_back();
  if (end.exit_code == 0) return text;
  std::string complaint = content_of(complaints.get());
  while (complaint.ends_with('\n')) complaint.pop_back();
  return Error{name, "failed: " + (complaint.empty() ? text : complaint), ""};
}

Result<std::string> submit(const fs::path& script, std::vector<std::string> more) {
  std::vector<std::string> words = {"sbatch", "--parsable"};
  words.insert(words.end(), more.begin(), more.end());
  words.push_back(script.string());
  Result<std::string> answer = answer_of(std::move(words));
  if (!answer)
    return Error{
        answer.error().where, answer.error().what,
        "`sinfo` says whether Slurm answers, and which partitions it has; without Slurm, `sinew dataset resume " +
            script.parent_path().string() + "` makes it here"};
  return answer->substr(0, answer->find(';'));  // without the cluster's name
}

}  // namespace

Result<SlurmJob> submit_dataset(const DatasetPlan& plan, const fs::path& path, const SlurmOptions& options) {
  if (const Result<std::string> version = answer_of({"sbatch", "--version"}); !version) return version.error();
  const auto folder = DatasetFolder::begin(fs::absolute(path), plan, std::make_shared<ThreadPool>(0));
  if (!folder) return folder.error();
  const int64_t shards = (*folder)->shards();
  const int64_t tasks =
      std::clamp<int64_t>(options.tasks > 0 ? options.tasks : shards, 1, std::min(shards, most_tasks));
  std::error_code code;
  fs::create_directories((*folder)->path() / "log", code);
  if (code) return file_error((*folder)->path() / "log", "the folder cannot be made", code.value());

  SlurmJob job;
  job.script = (*folder)->path() / "array.sbatch";
  const fs::path merge = (*folder)->path() / "merge.sbatch";
  if (const Status s = write_file_atomically(job.script, array_script(**folder, options, tasks)); !s) return s.error();
  if (const Status s = write_file_atomically(merge, merge_script(**folder, options)); !s) return s.error();
  Result<std::string> array = submit(job.script, {});
  if (!array) return array.error();
  job.array = *array;
  Result<std::string> after = submit(merge, {"--dependency=afterok:" + job.array});
  if (!after) return after.error();
  job.merge = *after;
  return job;
}

}  // namespace sinew
