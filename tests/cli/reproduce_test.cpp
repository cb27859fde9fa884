// Sources: `sinew reproduce --help` and its exit codes.
#include "program.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

class ReproduceCommand : public Program {
 protected:
  static std::string experiment(const std::string& holds) {
    return R"({ "title": "a bar", "source": "this test", "scene": )" + bar(1) + R"(, "runs": { "main": {
        "methods": { "vbd": "vbd" }, "iterations": 2, "reference": false } },
        "claims": [{ "says": "it is so", "holds": ")" +
           holds + "\" }] }";
  }
};

TEST_F(ReproduceCommand, ChecksAllBeforeTheFirstRuns) {
  write("good.json", experiment("main.tets > 0"));
  write("late.json", experiment("main.tets >"));
  const Ended ended = sinew({"reproduce", "good.json", "late.json", "-o", "out", "--no-figures"});
  EXPECT_EQ(ended.status, 2) << ended.err;
  EXPECT_TRUE(
      says(ended.err, "error: late.json: claims.0.holds = \"main.tets >\": at character 12: expected a number"));
  EXPECT_FALSE(fs::exists(folder() / "out")) << "nothing was run";
  EXPECT_EQ(sinew({"reproduce", "good.json", "-o", "out", "--no-figures"}).status, 0);
}

TEST_F(ReproduceCommand, LooksAtItsPageBeforeItRuns) {
  write("good.json", experiment("main.tets > 0"));
  write("taken", "a file");
  for (const char* page : {".", "taken/page.md"}) {
    const Ended ended = sinew({"reproduce", "good.json", "-o", "out", "--no-figures", "--page", page});
    EXPECT_EQ(ended.status, 2) << page;
    EXPECT_TRUE(says(ended.err, std::string("error: --page ") + page)) << ended.err;
    EXPECT_FALSE(fs::exists(folder() / "out")) << "nothing was run";
  }
  EXPECT_EQ(sinew({"reproduce", "good.json", "-o", "out", "--no-figures", "--page", "page.md"}).status, 0);
  EXPECT_TRUE(says(content(folder() / "page.md"), "1 claims, of which 1 hold"));
}

// As installed by `cmake --install`: bin/sinew and share/sinew/experiments, for any prefix and working folder.
TEST_F(ReproduceCommand, FindsTheExperimentsThatWereInstalledWithIt) {
  fs::create_directories(folder() / "some prefix/bin");
  fs::copy_file(SINEW_PROGRAM, folder() / "some prefix/bin/sinew");
  write("some prefix/share/sinew/experiments/T-1.json", experiment("main.tets > 0"));
  write("elsewhere/experiments/not_ours.json", "[]");
  const auto say = [&](const std::string& arguments) {
    const std::string command =
        "cd '" + (folder() / "elsewhere").string() + "' && '../some prefix/bin/sinew' " + arguments;
    std::string said;
    std::FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
    for (int c; (c = std::fgetc(pipe)) != EOF;) said += static_cast<char>(c);
    return std::pair(::pclose(pipe), said);
  };
  const auto [listed, list] = say("reproduce --list");
  EXPECT_EQ(listed, 0) << list;
  EXPECT_EQ(list, "T-1       a bar (this test)\n");
  const auto [ran, text] = say("reproduce T-1 --no-figures");
  EXPECT_EQ(ran, 0) << text;
  EXPECT_TRUE(fs::exists(folder() / "elsewhere/out/reproduction/T-1/result.json"));
}

TEST_F(ReproduceCommand, SaysWhereThereAreNoExperiments) {
  const Ended nowhere = sinew({"reproduce", "S0-7"});
  EXPECT_EQ(nowhere.status, 2);
  EXPECT_TRUE(says(nowhere.err,
                   "error: experiments: there is no such folder; install sinew (cmake --install), run it in the folder "
                   "of the project, or name the folder: --experiments FOLDER"));
  fs::create_directory(folder() / "empty");
  for (const auto& [where, what] : {std::pair{"none", "there is no such folder"}, {"empty", "has no experiments"}}) {
    const Ended ended = sinew({"reproduce", "--list", "--experiments", where});
    EXPECT_EQ(ended.status, 2);
    EXPECT_TRUE(says(ended.err, std::string("error: ") + where + ": " + what)) << ended.err;
    EXPECT_TRUE(says(ended.err, "--experiments FOLDER")) << ended.err;
  }
}

}  // namespace
}  // namespace sinew
