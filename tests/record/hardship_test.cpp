// Source: the promises of record/output_folder.h, tested by killing writers at random moments, by full disks and by
// unwritable folders, each in a child process.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <chrono>

#include <fstream>
#include <functional>
#include <random>

#include "io/says.h"
#include "io/temporary_folder.h"
#include "record/recorder.h"
#include "record/synthetic_run.h"
#include "record/whole_files.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

// Starts or resumes a run, as a user would after a kill, up to frame `last`.
Status run_or_resume(const fs::path& folder, int64_t last) {
  SyntheticRun run;
  RunDescription description = run.description(folder);
  Result<Recorder::Resumed> resumed = Recorder::resume(description);
  if (resumed) {
    run.go_on(resumed->checkpoint);
    if (Status status = run.run_to(resumed->recorder, last); !status) return status;
    return resumed->recorder.finish(RunState::complete);
  }
  // Only a run without a checkpoint is restarted.
  if (fs::exists(OutputPaths(folder).checkpoint())) return resumed.error();
  description.overwrite = true;
  Result<Recorder> recorder = Recorder::create(description);
  if (!recorder) return recorder.error();
  if (Status status = run.run_to(*recorder, last); !status) return status;
  return recorder->finish(RunState::complete);
}

// A RAM disk, unmounted by the destructor. Only root can mount one.
class SmallDisk {
 public:
  SmallDisk(fs::path path, const char* size) : path_(std::move(path)) {
    fs::create_directory(path_);
    mounted_ = ::mount("none", path_.c_str(), "tmpfs", 0, size) == 0;
  }
  ~SmallDisk() {
    if (mounted_) ::umount(path_.c_str());
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  bool mounted() const { return mounted_; }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
  bool mounted_ = false;
};

class HardshipTest : public TemporaryFolder {
 protected:
  // The error message of `action` in a child process, or "".
  std::string message_in_child(const std::function<Status()>& action) {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      const Status status = action();
      const std::string text = status ? "" : status.error().message();
      const ssize_t sent = ::write(ends[1], text.data(), text.size());
      ::_exit(sent == static_cast<ssize_t>(text.size()) ? 0 : 1);
    }
    ::close(ends[1]);
    std::string message;
    char buffer[512];
    for (ssize_t n; (n = ::read(ends[0], buffer, sizeof buffer)) > 0;) message.append(buffer, static_cast<size_t>(n));
    ::close(ends[0]);
    int state = 0;
    EXPECT_EQ(::waitpid(child, &state, 0), child);
    EXPECT_TRUE(WIFEXITED(state) && WEXITSTATUS(state) == 0) << state;
    return message;
  }
};

TEST_F(HardshipTest, KilledAtRandomMomentsLeavesWholeFilesAndEndsWithTheSameBits) {
  const SyntheticRun run;
  constexpr int64_t kFrames = 80;
  const auto start = std::chrono::steady_clock::now();
  ASSERT_TRUE(run_or_resume(folder() / "whole", kFrames));
  const auto whole = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - start);

  // Each process is killed within an eighth of the measured total time, so there are several; their number depends on
  // timing, and no assertion depends on it.
  const fs::path out = folder() / "out";
  std::mt19937 random(12345);
  std::uniform_int_distribution<int64_t> delay(200, 1000 + whole.count() / 8);  // [us]
  int kills = 0;
  for (bool done = false; !done && kills < 400;) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(run_or_resume(out, kFrames) ? 0 : 1);
    ::usleep(static_cast<useconds_t>(delay(random)));
    ::kill(child, SIGKILL);
    int state = 0;
    ASSERT_EQ(::waitpid(child, &state, 0), child);
    done = WIFEXITED(state);
    kills += done ? 0 : 1;
    if (done) {
      EXPECT_EQ(WEXITSTATUS(state), 0);
    }
    expect_whole_files(out, identity_of(run.description("")), run.mesh.vertices.size());
    if (HasFailure()) break;
  }
  RecordProperty("kills", kills);
  ASSERT_TRUE(run_or_resume(out, kFrames));
  for (const auto& entry : fs::recursive_directory_iterator(folder() / "whole")) {
    const fs::path name = fs::relative(entry.path(), folder() / "whole");
    if (!entry.is_regular_file() || name == "run.json" || name == "stats.csv") continue;
    EXPECT_TRUE(read_file(out / name).value() == read_file(entry.path()).value()) << name;
  }
  for (const auto& entry : fs::recursive_directory_iterator(out))
    EXPECT_FALSE(entry.path().filename().string().starts_with(".")) << entry.path() << " is left over";
}

TEST_F(HardshipTest, AFolderThatMayNotBeWrittenToIsAnError) {
  fs::create_directory(folder() / "locked");
  fs::permissions(folder() / "locked",
                  fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read | fs::perms::others_exec);
  fs::permissions(folder(), fs::perms::others_read | fs::perms::others_exec, fs::perm_options::add);
  const std::string message = message_in_child([&]() -> Status {
    // Permissions do not stop root.
    if (::geteuid() == 0 && ::setuid(65534) != 0) return {};
    SyntheticRun run;
    const Result<Recorder> recorder = Recorder::create(run.description(folder() / "locked" / "out"));
    return recorder ? Status() : recorder.error();
  });
  EXPECT_TRUE(says(message, (folder() / "locked/out").string()));
  EXPECT_TRUE(says(message, "Permission denied"));
  EXPECT_TRUE(says(message, "make the folder writable"));
}

TEST_F(HardshipTest, AFileInTheWayIsAnError) {
  std::ofstream(folder() / "out") << "a file";
  SyntheticRun run;
  const auto message_for = [&](const fs::path& path) {
    const Result<Recorder> recorder = Recorder::create(run.description(path));
    return recorder ? std::string() : recorder.error().message();
  };
  EXPECT_TRUE(says(message_for(folder() / "out"), "is a file, not a folder"));
  EXPECT_TRUE(says(message_for(folder() / "out" / "below"), "move it, or choose another folder"));
}

TEST_F(HardshipTest, AFullDiskStopsTheRunAndLeavesWhatWasWritten) {
  const SmallDisk disk(folder() / "disk", "size=400k");
  if (!disk.mounted()) GTEST_SKIP() << "mounting needs root";
  SyntheticRun run;
  Result<Recorder> recorder = Recorder::create(run.description(disk.path() / "out"));
  ASSERT_TRUE(recorder) << recorder.error().message();
  const Status status = run.run_to(*recorder, 1000);
  EXPECT_FALSE(status);
  if (!status) {
    EXPECT_TRUE(says(status.error().message(), "No space left on device"));
    EXPECT_TRUE(says(status.error().message(), "free some space"));
  }
  EXPECT_GT(recorder->progress().frames_written, 3);
  (void)recorder->finish(RunState::failed, status ? "" : status.error().message());
  expect_whole_files(disk.path() / "out", identity_of(run.description("")), run.mesh.vertices.size());
}

TEST_F(HardshipTest, ADiskWithoutAByteLeftIsToldByTheState) {
  const SmallDisk disk(folder() / "disk", "size=400k");
  if (!disk.mounted()) GTEST_SKIP() << "mounting needs root";
  SyntheticRun run;
  Result<Recorder> recorder = Recorder::create(run.description(disk.path() / "out"));
  ASSERT_TRUE(recorder) << recorder.error().message();
  ASSERT_TRUE(run.run_to(*recorder, 2));
  std::ofstream filler(disk.path() / "filler", std::ios::binary);
  while (filler << std::string(100, 'x') << std::flush) {
  }
  const Status status = run.run_to(*recorder, 3);
  ASSERT_FALSE(status);
  EXPECT_TRUE(says(status.error().message(), "surface/frame_000003.bin: cannot be "));
  EXPECT_TRUE(says(status.error().message(), "free some space"));
  (void)recorder->finish(RunState::failed, status.error().message());
  const Result<RunSummary> summary = read_run_file(disk.path() / "out/run.json");
  ASSERT_TRUE(summary) << summary.error().message();
  EXPECT_EQ(summary->progress.state, RunState::failed);
  EXPECT_EQ(summary->progress.last_frame, 2);
  expect_whole_files(disk.path() / "out", identity_of(run.description("")), run.mesh.vertices.size());
}

TEST_F(HardshipTest, ARunThatCannotBeginHasFailed) {
  const SmallDisk disk(folder() / "disk", "size=24k");
  if (!disk.mounted()) GTEST_SKIP() << "mounting needs root";
  SyntheticRun run(8);
  const Result<Recorder> recorder = Recorder::create(run.description(disk.path() / "out"));
  EXPECT_FALSE(recorder);
  const Result<RunSummary> summary = read_run_file(disk.path() / "out/run.json");
  EXPECT_TRUE(summary && summary->progress.state == RunState::failed);
}

TEST_F(HardshipTest, ALimitOnFileSizesStopsTheRunToo) {
  const std::string message = message_in_child([&]() -> Status {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{8000, 8000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    return run_or_resume(folder() / "out", 3);
  });
  EXPECT_TRUE(says(message, "File too large"));
  const SyntheticRun run;
  expect_whole_files(folder() / "out", identity_of(run.description("")), run.mesh.vertices.size());
}

}  // namespace
}  // namespace sinew
