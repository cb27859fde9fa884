// Short runs in a folder: whole, resumed or killed.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "files/read_file.h"
#include "io/csv.h"
#include "io/temporary_folder.h"
#include "sinew/run.h"
#include "sinew/scene_file.h"

namespace sinew {

// A hanging block, 4 steps a frame, 6 frames.
inline Scene hanging_block() {
  const std::string text = R"({ "sinew": 1,
    "materials": { "rubber": { "youngs_modulus": 1e5 } },
    "objects": { "block": { "mesh": { "box": { "cells": 2 } }, "material": "rubber" } },
    "pins": [ { "object": "block", "select": { "plane": { "point": [0, 1, 0], "normal": [0, 1, 0] } } } ],
    "time": { "fps": 50, "substeps": 4, "duration": 0.12 },
    "solver": { "iterations": 8 } })";
  return parse_scene(text, "block.json", "").value();
}

class RunTest : public TemporaryFolder {
 protected:
  std::filesystem::path out() const { return folder() / "out"; }

  RunOutcome run(const Scene& scene, const std::filesystem::path& path, bool resume = false, int threads = 1) {
    RunOptions options;
    options.folder = path;
    options.threads = threads;
    options.resume = resume;
    warnings.clear();
    RunObserver observer;
    observer.on_start = [&](const RunStart& start) {
      warnings = start.warnings;
      first_frame = start.first_frame;
    };
    const Result<RunOutcome> outcome = run_scene(scene, options, observer);
    EXPECT_TRUE(outcome) << outcome.error().message();
    return outcome ? *outcome : RunOutcome{};
  }
  // What resuming in out() is answered with; "" where it goes on.
  std::string refusal_to_resume(const Scene& scene) {
    RunOptions options;
    options.folder = out();
    options.threads = 1;
    options.resume = true;
    const Result<RunOutcome> outcome = run_scene(scene, options, {});
    return outcome ? "" : outcome.error().message();
  }
  // A run that is ended without a word when frame `last` is written, as by a kill.
  static void run_and_die(const Scene& scene, const std::filesystem::path& path, int64_t last, int threads = 1) {
    const pid_t child = ::fork();
    if (child == 0) {
      RunOptions options;
      options.folder = path;
      options.threads = threads;
      RunObserver observer;
      observer.on_frame = [&](const RunFrame& r) {
        if (r.frame == last) ::_exit(0);
      };
      (void)run_scene(scene, options, observer);
      ::_exit(1);
    }
    int state = 0;
    ASSERT_EQ(::waitpid(child, &state, 0), child);
    ASSERT_TRUE(WIFEXITED(state) && WEXITSTATUS(state) == 0);
  }
  // stats.csv without its times in milliseconds, which differ from run to run.
  static std::vector<std::vector<std::string>> rows(const std::filesystem::path& path) {
    auto records = parse_csv(read_file(path / "stats.csv").value());
    for (auto& record : records) record.resize(9);
    return records;
  }

  // Of the last run.
  std::vector<std::string> warnings;
  int64_t first_frame = 0;
};

}  // namespace sinew
