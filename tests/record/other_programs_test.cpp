// Source: ParaView 5.11 and Blender 3.4, if installed: they open a recorder's output and must find the same numbers
// (scripts/check-outputs). SINEW_KEEP_RUN=FOLDER keeps the run for inspection.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>

#include "io/temporary_folder.h"
#include "record/synthetic_run.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

class OtherProgramsTest : public TemporaryFolder {
 protected:
  static void record(const fs::path& folder, VtuFrames vtu) {
    SyntheticRun run(4);
    RunDescription description = run.description(folder);
    description.options.vtu = vtu;
    Result<Recorder> recorder = Recorder::create(description);
    ASSERT_TRUE(recorder) << recorder.error().message();
    ASSERT_TRUE(run.run_to(*recorder, 12));
    ASSERT_TRUE(recorder->finish(RunState::complete));
  }
  static void check(const fs::path& folder) {
    const std::string command =
        std::string("'") + SINEW_SOURCE_DIR + "/scripts/check-outputs/check' '" + folder.string() + "' 2>&1";
    std::FILE* pipe = ::popen(command.c_str(), "r");
    ASSERT_NE(pipe, nullptr);
    std::string said;
    std::array<char, 512> buffer;
    while (std::fgets(buffer.data(), buffer.size(), pipe)) said += buffer.data();
    const int status = ::pclose(pipe);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << said;
    std::printf("%s", said.c_str());
    if (said.find("ok ") == std::string::npos && status == 0) GTEST_SKIP() << said;
  }
};

TEST_F(OtherProgramsTest, OpenARun) {
  const char* keep = std::getenv("SINEW_KEEP_RUN");
  const fs::path out = keep ? fs::path(keep) : folder() / "out";
  record(out, VtuFrames::volume);
  check(out);
}

TEST_F(OtherProgramsTest, OpenARunOfSurfacesOnly) {
  record(folder() / "out", VtuFrames::surface);
  check(folder() / "out");
}

}  // namespace
}  // namespace sinew
