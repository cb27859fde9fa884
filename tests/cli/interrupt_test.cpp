// Expectations: the exit codes of `sinew --help`: however a run is interrupted, its output is complete and can be
// resumed.
#include "program.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

class Interrupt : public Program {
 protected:
  // A run that would take a day.
  void SetUp() override {
    Program::SetUp();
    write("bar.json", bar(50'000'000));
  }
  // Waits until the run has written something lasting.
  void await_frame(pid_t process) const {
    while (!fs::exists(folder() / "run" / "surface" / "frame_000001.bin")) {
      ASSERT_EQ(::waitpid(process, nullptr, WNOHANG), 0) << content(folder() / "err.txt");
      ::usleep(1000);
    }
  }
  void expect_whole(const std::string& state) const {
    EXPECT_TRUE(says(content(folder() / "run" / "run.json"), "\"state\": \"" + state + "\""));
    for (const auto& entry : fs::recursive_directory_iterator(folder() / "run"))
      EXPECT_FALSE(entry.path().string().ends_with(".partial")) << entry.path();
    const Ended resumed = sinew({"run", "bar.json", "-o", "run", "--resume", "--frames", "1"});
    EXPECT_EQ(resumed.status, 0) << resumed.err;
  }
};

TEST_F(Interrupt, EverySignalThatAsksEndsTheRunWhole) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const pid_t process = start({"run", "bar.json", "-o", "run", "--overwrite"});
    await_frame(process);
    ::kill(process, signal);
    if (signal == SIGHUP) ::kill(process, signal);  // the shell and the system may both send it
    const Ended ended = wait_for(process);
    EXPECT_EQ(ended.status, 128 + signal) << ended.err;
    EXPECT_TRUE(says(ended.out, "interrupted at frame"));
    expect_whole("interrupted");
    fs::remove_all(folder() / "run");
  }
}

// A step that would take days is abandoned; the state is that of the previous frame.
TEST_F(Interrupt, EndsAStepThatDoesNot) {
  write("bar.json", bar(10, R"(, "solver": { "iterations": 1000000000, "relative_tolerance": 0 })"));
  const pid_t process = start({"run", "bar.json", "-o", "run"});
  while (!fs::exists(folder() / "run" / "stats.csv") ||
         !fs::exists(folder() / "run" / "surface" / "frame_000000.bin")) {
    ASSERT_EQ(::waitpid(process, nullptr, WNOHANG), 0) << content(folder() / "err.txt");
    ::usleep(1000);
  }
  const std::string header = content(folder() / "run" / "stats.csv");
  ::kill(process, SIGINT);
  const Ended ended = wait_for(process);
  EXPECT_EQ(ended.status, 130) << ended.err;
  EXPECT_TRUE(says(ended.out, "interrupted at frame 0"));
  EXPECT_EQ(content(folder() / "run" / "stats.csv"), header) << "a row is of a step that was taken";
  EXPECT_EQ(sinew({"run", "bar.json", "-o", "run", "--resume", "--frames", "0"}).status, 0);
}

TEST_F(Interrupt, NobodyReadsTheOutput) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t process = start({"run", "bar.json", "-o", "run"}, [&] {
    ::dup2(ends[1], STDOUT_FILENO);
    ::close(ends[0]);
  });
  ::close(ends[1]);
  char byte;
  ASSERT_EQ(::read(ends[0], &byte, 1), 1);
  ::close(ends[0]);
  EXPECT_EQ(wait_for(process).status, 128 + SIGPIPE);
  expect_whole("interrupted");
}

TEST_F(Interrupt, UnderNohupARunOutlivesItsTerminal) {
  const pid_t process = start({"run", "bar.json", "-o", "run"}, [] { ::signal(SIGHUP, SIG_IGN); });
  await_frame(process);
  ::kill(process, SIGHUP);
  const fs::path later = folder() / "run" / "surface" / "frame_000050.bin";
  while (!fs::exists(later)) {
    ASSERT_EQ(::waitpid(process, nullptr, WNOHANG), 0);
    ::usleep(1000);
  }
  ::kill(process, SIGTERM);
  EXPECT_EQ(wait_for(process).status, 128 + SIGTERM);
}

}  // namespace
}  // namespace sinew
