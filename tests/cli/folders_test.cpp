// Source: docs/output.md, "The folder's life": every command writes and removes only listed files.
#include <set>

#include "program.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

class Folders : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    write("bar.json", bar(2));
  }
  Ended compare(const std::string& to, std::vector<std::string> more = {}) const {
    std::vector<std::string> words{"compare", "bar.json",     "--solvers", "vbd", "--iterations",
                                   "2",       "--no-figures", "-o",        to};
    words.insert(words.end(), more.begin(), more.end());
    return sinew(words);
  }
  std::set<std::string> names(const std::string& in) const {
    std::set<std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(folder() / in))
      if (!entry.is_directory()) all.insert(fs::relative(entry.path(), folder() / in).string());
    return all;
  }
};

TEST_F(Folders, AComparisonReplacesItsOwnFilesOnly) {
  for (const std::string name : {"convergence.csv", "convergence.png", "comparison.json", "trajectory.csv"}) {
    write("mine/" + name, "precious");
    const Ended ended = compare("mine");
    EXPECT_EQ(ended.status, 2) << ended.out;
    EXPECT_TRUE(says(ended.err, "error: mine: holds " + name + ", which would be replaced and is not a file of Sinew"));
    EXPECT_EQ(ended.out, "") << "nothing was computed";
    EXPECT_EQ(content(folder() / "mine" / name), "precious");
    fs::remove_all(folder() / "mine");
  }
  ASSERT_EQ(compare("c").status, 0);
  EXPECT_EQ(names("c"), (std::set<std::string>{"comparison.json", "convergence.csv", "manifest.txt"}));
  write("c/trajectory.png", "precious");
  const Ended ended = compare("c");
  EXPECT_TRUE(says(ended.err, "holds trajectory.png, which would be replaced and is not named in manifest.txt"));
  EXPECT_EQ(content(folder() / "c/trajectory.png"), "precious");
  fs::remove(folder() / "c/trajectory.png");
  EXPECT_EQ(compare("c", {"--frames", "2"}).status, 0);
  EXPECT_EQ(compare("c").status, 0);
  EXPECT_FALSE(fs::exists(folder() / "c/trajectory.csv")) << "of the comparison before";

  write("elsewhere.csv", "precious");
  fs::remove(folder() / "c/convergence.csv");
  fs::create_symlink("../elsewhere.csv", folder() / "c/convergence.csv");
  EXPECT_TRUE(says(compare("c").err, "c/convergence.csv: is a symbolic link, and nothing is written"));
  EXPECT_EQ(content(folder() / "elsewhere.csv"), "precious");
}

TEST_F(Folders, NoCommandWritesIntoTheFolderOfAnother) {
  ASSERT_EQ(sinew({"run", "bar.json", "-o", "run"}).status, 0);
  ASSERT_EQ(compare("comparison").status, 0);
  const auto before = names("run");
  EXPECT_TRUE(says(compare("run").err, "error: run: is the folder of a run; give another output folder with -o"));
  EXPECT_EQ(names("run"), before);
  for (const std::string overwrite : {"--overwrite", "--resume"}) {
    const Ended ended = sinew({"run", "bar.json", "-o", "comparison", overwrite});
    EXPECT_EQ(ended.status, 2);
    EXPECT_TRUE(says(ended.err, "error: comparison: is the folder of a comparison;")) << ended.err;
  }
  // Without a list it is recognized by its content.
  fs::remove(folder() / "comparison/manifest.txt");
  EXPECT_TRUE(says(sinew({"run", "bar.json", "-o", "comparison"}).err, "holds the comparison.json of a comparison"));
  EXPECT_TRUE(fs::exists(folder() / "comparison/convergence.csv"));
}

TEST_F(Folders, AnExperimentReplacesItsOwnFilesOnly) {
  write("e.json", R"({ "title": "a bar", "source": "this test", "scene": )" + bar(1) + R"(, "runs": { "main": {
        "methods": { "vbd": "vbd" }, "iterations": 2, "reference": false } },
        "claims": [{ "says": "it is so", "holds": "main.tets > 0" }] })");
  const std::vector<std::string> words{"reproduce", "e.json", "-o", "out", "--no-figures", "--page", "page.md"};
  for (const std::string name : {"result.json", "main/convergence.csv"}) {
    write("out/e/" + name, "precious");
    const Ended ended = sinew(words);
    EXPECT_EQ(ended.status, 2) << ended.out;
    EXPECT_TRUE(says(ended.err, "holds " + fs::path(name).filename().string() + ", which would be replaced"));
    EXPECT_EQ(content(folder() / "out/e" / name), "precious");
    fs::remove_all(folder() / "out");
  }
  write("page.md", "# My own page");
  Ended ended = sinew(words);
  EXPECT_EQ(ended.status, 2);
  EXPECT_TRUE(says(ended.err, "error: --page page.md: is no page of `sinew reproduce`, and would be lost"));
  EXPECT_EQ(content(folder() / "page.md"), "# My own page");
  fs::remove(folder() / "page.md");
  write("images/page/e-main-convergence.svg", "precious");
  ended = sinew(words);
  EXPECT_EQ(ended.status, 2);
  EXPECT_TRUE(says(ended.err, "e-main-convergence.svg: is there already, and the page does not show it"));
  EXPECT_EQ(content(folder() / "images/page/e-main-convergence.svg"), "precious");
  fs::remove_all(folder() / "images");
  EXPECT_EQ(sinew(words).status, 0);
  EXPECT_EQ(sinew(words).status, 0) << "again, over its own";
}

TEST_F(Folders, AMeshIsNotWrittenThroughALink) {
  write("ball.json", R"({ "ball": {} })");
  write("elsewhere.vtu", "precious");
  fs::create_symlink("elsewhere.vtu", folder() / "link.vtu");
  Ended ended = sinew({"mesh", "ball.json", "-o", "link.vtu", "--cells", "6"});
  EXPECT_EQ(ended.status, 2);
  EXPECT_TRUE(says(ended.err, "error: link.vtu: is a symbolic link, and nothing is written through links; name the"));
  EXPECT_EQ(content(folder() / "elsewhere.vtu"), "precious");
  // Only one file of a pair was named.
  write("ball.ele", "precious");
  ended = sinew({"mesh", "ball.json", "-o", "ball.node", "--cells", "6"});
  EXPECT_EQ(ended.status, 2);
  EXPECT_TRUE(says(ended.err, "error: ball.ele: is there without ball.node, and would be replaced"));
  EXPECT_EQ(content(folder() / "ball.ele"), "precious");
}

// Files of a killed process are recognized by name and by their free lock.
TEST_F(Folders, AMeshRemovesWhatAKilledOneLeft) {
  write("ball.json", R"({ "ball": {} })");
  write(".ball.vtu.4711.0.partial", "half");
  write(".other.vtu.4711.0.partial", "of another");
  write(".ball.vtu.partial", "precious");
  ASSERT_EQ(sinew({"mesh", "ball.json", "-o", "ball.vtu", "--cells", "6"}).status, 0);
  EXPECT_FALSE(fs::exists(folder() / ".ball.vtu.4711.0.partial"));
  EXPECT_TRUE(fs::exists(folder() / ".other.vtu.4711.0.partial"));
  EXPECT_EQ(content(folder() / ".ball.vtu.partial"), "precious");
}

// An interrupted comparison leaves no runs; the next one removes those of a killed one.
TEST_F(Folders, AComparisonThatIsEndedLeavesNothing) {
  write("long.json", bar(1'000'000));
  for (const int signal : {SIGTERM, SIGKILL}) {
    const pid_t process = start({"compare", "long.json", "--solvers", "vbd", "--iterations", "2", "--no-reference",
                                 "--frames", "1000000", "--record", "--no-figures", "-o", "c"});
    while (!fs::exists(folder() / "c/runs/01 vbd/surface/frame_000003.bin")) {
      ASSERT_EQ(::waitpid(process, nullptr, WNOHANG), 0) << content(folder() / "err.txt");
      ::usleep(1000);
    }
    ::kill(process, signal);
    EXPECT_EQ(wait_for(process).status, 128 + signal);
    if (signal == SIGTERM) {
      EXPECT_FALSE(fs::exists(folder() / "c"));
    }
  }
  write("c/runs/01 vbd/.rest.bin.1.0.partial", "not on the list");
  write("c/runs/01 vbd/surface/.frame_000003.bin.1.0.partial", "half");
  write("c/.convergence.csv.1.0.partial", "half");
  ASSERT_EQ(compare("c").status, 0);
  EXPECT_EQ(names("c"), (std::set<std::string>{"comparison.json", "convergence.csv", "manifest.txt",
                                               "runs/01 vbd/.rest.bin.1.0.partial"}));
}

}  // namespace
}  // namespace sinew
