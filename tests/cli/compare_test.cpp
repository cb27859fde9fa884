// Sources: `sinew compare --help` and its exit codes.
#include <sys/file.h>

#include "program.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;
using CompareCommand = Program;

TEST_F(CompareCommand, LooksAtItsFolderBeforeItComputes) {
  write("bar.json", bar(1));
  write("taken", "a file");
  for (const char* folder : {"taken", "taken/below"}) {
    const Ended ended = sinew({"compare", "bar.json", "-o", folder, "--iterations", "2"});
    EXPECT_EQ(ended.status, 2);
    EXPECT_TRUE(says(ended.err, "error: taken: is a file, not a folder; give another output folder with -o"));
    EXPECT_EQ(ended.out, "") << "nothing was computed";
  }
  EXPECT_EQ(content(folder() / "taken"), "a file");
}

TEST_F(CompareCommand, WritesItsFilesThoughNobodyReadsTheTable) {
  write("bar.json", bar(1));
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::close(ends[0]);
  const Ended ended = sinew({"compare", "bar.json", "--solvers", "vbd", "--iterations", "2", "--no-figures", "-o", "c"},
                            [&] { ::dup2(ends[1], STDOUT_FILENO); });
  ::close(ends[1]);
  EXPECT_EQ(ended.status, 128 + SIGPIPE);
  EXPECT_EQ(ended.err, "");
  EXPECT_TRUE(fs::exists(folder() / "c" / "convergence.csv"));
}

TEST_F(CompareCommand, AllRefusedIsAnError) {
  write("bar.json", bar(1));
  const std::vector<std::string> linear{"compare",      "bar.json", "--set",        "materials.rubber.model=linear",
                                        "--iterations", "2",        "--no-figures", "-o",
                                        "all",          "--solvers"};
  auto words = linear;
  words.push_back("xpbd");
  const Ended refused = sinew(words);
  EXPECT_EQ(refused.status, 2) << refused.out << refused.err;
  EXPECT_TRUE(says(refused.out, "xpbd: solver.type = \"xpbd\": has no constraint form"));
  EXPECT_TRUE(says(refused.err, "error: bar.json: is supported by none of the methods"));
  EXPECT_FALSE(fs::exists(folder() / "all"));
  words.back() = "xpbd,vbd";
  EXPECT_EQ(sinew(words).status, 0);
  EXPECT_TRUE(fs::exists(folder() / "all" / "convergence.csv"));
}

TEST_F(CompareCommand, LeavesNothingOfAnEarlierComparison) {
  write("bar.json", bar(1));
  const std::vector<std::string> words{"compare", "bar.json", "--solvers", "vbd",         "--iterations",
                                       "2",       "-o",       "results",   "--no-figures"};
  std::vector<std::string> more = words;
  more.insert(more.end(), {"--steps", "2"});
  ASSERT_EQ(sinew(more).status, 0);
  ASSERT_TRUE(fs::exists(folder() / "results" / "trajectory.csv"));
  write("results/notes.txt", "old");
  ASSERT_EQ(sinew(words).status, 0);
  EXPECT_FALSE(fs::exists(folder() / "results" / "trajectory.csv"));
  EXPECT_EQ(content(folder() / "results" / "notes.txt"), "old") << "not ours";
}

TEST_F(CompareCommand, RefusesAFrameThatTheSceneDoesNotHave) {
  write("bar.json", bar(3));
  const Ended ended = sinew({"compare", "bar.json", "--at-frame", "4", "-o", "c"});
  EXPECT_EQ(ended.status, 2);
  EXPECT_TRUE(says(ended.err, "error: --at-frame = 4: the scene has frames 0 to 3; choose one of them, or a longer"));
  EXPECT_EQ(sinew({"compare", "bar.json", "--at-frame", "3", "--solvers", "vbd", "--no-figures", "-o", "c"}).status, 0);
}

// Even within a step, which here would take days.
TEST_F(CompareCommand, AFolderThatAnotherWritesIsLeftAlone) {
  write("bar.json", bar(1));
  write("c/.sinew.lock", "");
  const int held = ::open((folder() / "c/.sinew.lock").c_str(), O_RDWR);
  ASSERT_EQ(::flock(held, LOCK_EX), 0);
  const Ended ended = sinew({"compare", "bar.json", "--solvers", "vbd", "-o", "c"});
  ::close(held);
  EXPECT_EQ(ended.status, 2);
  EXPECT_TRUE(says(ended.err, "error: c: is being written by another run; wait for it, or give another output"));
}

TEST_F(CompareCommand, CtrlCEndsItAndNothingIsWritten) {
  write("bar.json", bar(1));
  const pid_t process = start({"compare", "bar.json", "--solvers", "vbd", "--iterations", "1000000000", "-o", "c"});
  while (content(folder() / "out.txt").empty()) {
    ASSERT_EQ(::waitpid(process, nullptr, WNOHANG), 0) << content(folder() / "err.txt");
    ::usleep(1000);
  }
  ::kill(process, SIGINT);
  const Ended ended = wait_for(process);
  EXPECT_EQ(ended.status, 130) << ended.err;
  EXPECT_TRUE(says(ended.err, "stopping (press Ctrl-C again to stop at once)"));
  EXPECT_TRUE(says(ended.out, "interrupted; nothing was written"));
  EXPECT_FALSE(fs::exists(folder() / "c"));
}

}  // namespace
}  // namespace sinew
