// Whole runs in a folder, and what is in the files of a folder.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "io/temporary_folder.h"
#include "record/synthetic_run.h"

namespace sinew {

inline std::string content(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  EXPECT_TRUE(stream) << path;
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline std::set<std::string> files_under(const std::filesystem::path& folder) {
  std::set<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) files.insert(std::filesystem::relative(entry.path(), folder).string());
  return files;
}

class RecorderTest : public TemporaryFolder {
 protected:
  std::filesystem::path out() const { return folder() / "out"; }

  // A whole run of `frames` frames in `path`.
  void record(const std::filesystem::path& path, int64_t frames, const RecorderOptions& options,
              ThreadPool& pool = SyntheticRun::pool()) {
    SyntheticRun run;
    RunDescription description = run.description(path);
    description.options = options;
    description.pool = &pool;
    Result<Recorder> recorder = Recorder::create(description);
    ASSERT_TRUE(recorder) << recorder.error().message();
    ASSERT_TRUE(run.run_to(*recorder, frames));
    ASSERT_TRUE(recorder->finish(RunState::complete));
  }
  static RecorderOptions options() { return SyntheticRun(1).description("").options; }

  // Everything but run.json, which has dates, and stats.csv, which has milliseconds.
  static void expect_same_files(const std::filesystem::path& a, const std::filesystem::path& b) {
    ASSERT_EQ(files_under(a), files_under(b));
    for (const std::string& file : files_under(a)) {
      if (file != "run.json" && file != "stats.csv") {
        EXPECT_EQ(content(a / file), content(b / file)) << file;
      }
    }
  }
};

}  // namespace sinew
