// Expectations: `sinew dataset --help`: however a process ends, what is finished stays, nothing is made twice, and the
// data set has the checksum that it would have had.
#include <sys/resource.h>

#include <cstdlib>
#include <random>

#include "program.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

class DatasetCommand : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    write("plan.json", plan(60, 8));
  }
  static std::string plan(int samples, int cells) {
    return R"({ "dataset": 1, "name": "bars", "scene": { "sinew": 1,
      "time": { "integrator": "quasistatic" }, "solver": { "type": "multilevel", "precision": "double" },
      "materials": { "rubber": { "youngs_modulus": 1e4 } },
      "objects": { "bar": { "mesh": { "box": { "size": [0.4, 0.1, 0.1], "cells": [)" +
           std::to_string(cells) + R"(, 2, 2] } }, "material": "rubber" } },
      "pins": [{ "object": "bar", "select": { "plane": { "point": [0, 0, 0], "normal": [-1, 0, 0] } } }] },
      "samples": )" +
           std::to_string(samples) + R"(, "shard": 7, "start": "nearest",
      "parameters": { "weight": { "path": "gravity.1", "range": [-10, 10] },
                      "aside": { "path": "gravity.2", "range": [-10, 10] } } })";
  }
  std::string checksum(const std::string& name) const {
    const Ended verified = sinew({"dataset", "verify", name});
    EXPECT_EQ(verified.status, 0) << verified.err;
    const size_t at = verified.out.find("checksum ");
    return at == std::string::npos ? "" : verified.out.substr(at, 25);
  }
};

TEST_F(DatasetCommand, TellsWhatItDoes) {
  const Ended made = sinew({"dataset", "plan.json", "-o", "d"});
  ASSERT_EQ(made.status, 0) << made.err;
  EXPECT_TRUE(says(made.out, "done: 60 samples; all workers together took"));
  EXPECT_TRUE(says(made.out, "written to d: dataset.h5"));
  const Ended status = sinew({"dataset", "status", "d"});
  EXPECT_EQ(status.status, 0) << status.err;
  EXPECT_TRUE(says(status.out, "bars: 60 of 60 samples, 0 failed"));
  EXPECT_TRUE(says(status.out, "it is complete"));
  const Ended verified = sinew({"dataset", "verify", "d"});
  EXPECT_TRUE(says(verified.out, "60 residuals computed anew"));
  const Ended again = sinew({"dataset", "resume", "d"});
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_TRUE(says(again.out, "done: 0 samples"));
}

// The rest of a hundred kills is scripts/try-datasets.
TEST_F(DatasetCommand, SurvivesKillsAtAnyMoment) {
  ASSERT_EQ(sinew({"dataset", "plan.json", "-o", "whole"}).status, 0);
  std::mt19937 random(7);
  for (int kills = 0; kills < 12; ++kills) {
    const pid_t process = start({"dataset", "plan.json", "-o", "killed", "--workers", "2"});
    ::usleep(static_cast<useconds_t>(random() % 150'000));
    ::kill(process, SIGKILL);
    (void)wait_for(process);
  }
  const Ended ended = sinew({"dataset", "plan.json", "-o", "killed"});
  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(checksum("killed"), checksum("whole"));
  EXPECT_FALSE(fs::exists(folder() / "killed" / "samples"));
  for (const auto& entry : fs::recursive_directory_iterator(folder() / "killed"))
    EXPECT_FALSE(entry.path().string().ends_with(".partial")) << entry.path();
}

TEST_F(DatasetCommand, EndsWhenAskedTo) {
  write("long.json", plan(100000, 8));
  for (const int signal : {SIGINT, SIGTERM}) {
    const pid_t process = start({"dataset", "long.json", "-o", "d"});
    while (!fs::exists(folder() / "d" / "shards" / "0000.h5")) {
      ASSERT_EQ(::waitpid(process, nullptr, WNOHANG), 0) << content(folder() / "err.txt");
      ::usleep(1000);
    }
    ::kill(process, signal);
    const Ended ended = wait_for(process);
    EXPECT_EQ(ended.status, 128 + signal) << ended.err;
    EXPECT_TRUE(says(ended.out, "continue with: sinew dataset resume d"));
    fs::remove_all(folder() / "d");
  }
}

TEST_F(DatasetCommand, KeepsWhatIsFinishedOnAFullDisk) {
  ASSERT_EQ(sinew({"dataset", "plan.json", "-o", "whole"}).status, 0);
  const auto full = [] {
    const rlimit limit{12000, 12000};  // [bytes] samples fit, and shards do not
    ::setrlimit(RLIMIT_FSIZE, &limit);
  };
  const Ended ended = sinew({"dataset", "plan.json", "-o", "d"}, full);
  EXPECT_EQ(ended.status, 1) << ended.err;
  EXPECT_TRUE(says(ended.err, "cannot be written"));
  EXPECT_EQ(sinew({"dataset", "resume", "d"}).status, 0);
  EXPECT_EQ(checksum("d"), checksum("whole"));
}

TEST_F(DatasetCommand, SaysWhatIsWrong) {
  const auto fails = [&](const std::vector<std::string>& words, std::string_view with) {
    const Ended ended = sinew(words);
    EXPECT_EQ(ended.status, 2);
    EXPECT_TRUE(says(ended.err, with));
  };
  fails({"dataset"}, "plan");
  fails({"dataset", "missing.json"}, "missing.json");
  fails({"dataset", "status", "nowhere"}, "there is no such folder");
  fails({"dataset", "resume", "."}, "holds no data set");
  fails({"dataset", "plan.json", "--tasks", "3"}, "--slurm");
  write("bad.json", R"({ "dataset": 1, "scene": {}, "samples": 0, "parameters": {} })");
  fails({"dataset", "bad.json"}, "samples");
  const Ended ended = sinew({"dataset", "plan.json", "--slurm", "-o", "d"}, [] { ::setenv("PATH", "/nowhere", 1); });
  EXPECT_EQ(ended.status, 2);
  EXPECT_TRUE(says(ended.err, "sbatch: cannot be found or run; install Slurm's programs"));
  EXPECT_FALSE(fs::exists(folder() / "d"));
}

}  // namespace
}  // namespace sinew
