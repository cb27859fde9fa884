// Source: experiments/*.json: each can be read, with its scenes, methods and claims; the claims of those that take
// seconds hold.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "sinew/experiment.h"

namespace sinew {
namespace {

const std::filesystem::path folder = SINEW_SOURCE_DIR "/experiments";

TEST(ExperimentFiles, CanAllBeRead) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.is_directory()) continue;  // of meshes
    SCOPED_TRACE(entry.path().filename().string());
    const Result<Experiment> experiment = read_experiment(entry.path());
    ASSERT_TRUE(experiment.ok()) << experiment.error().message();
    ++count;
    for (const bool full : {false, true}) {
      const Status good = check_experiment(*experiment, full);
      EXPECT_TRUE(good.ok()) << good.error().message();
    }
  }
  EXPECT_GT(count, 20);
}

class Experiments : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Short, Experiments,
                         testing::Values("S0-7", "S0-12", "S2-2", "S2-9", "S2-10", "S3-14", "S3-19", "S3-21", "S4-1"),
                         [](const auto& test) {
                           std::string name = test.param;
                           name[2] = '_';
                           return name;
                         });

TEST_P(Experiments, HoldWhatTheyClaim) {
  const Result<Experiment> experiment = read_experiment(folder / (std::string(GetParam()) + ".json"));
  ASSERT_TRUE(experiment.ok()) << experiment.error().message();
  const Result<ExperimentOutcome> outcome = reproduce(*experiment, {.threads = 1});
  ASSERT_TRUE(outcome.ok()) << outcome.error().message();
  for (const Verdict& verdict : outcome->verdicts) {
    EXPECT_TRUE(verdict.holds) << verdict.claim.says << "\n" << outcome_text(*outcome);
  }
}

}  // namespace
}  // namespace sinew
