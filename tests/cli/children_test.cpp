// Sources: the exit codes of `sinew --help`; files/child_process.h. Scripts stand in for gnuplot, ffmpeg and TetGen.
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>

#include <chrono>
#include <cstdlib>

#include "program.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

class Children : public Program {
 protected:
  void pretend(const std::string& name, const std::string& script) const {
    write("bin/" + name, "#!/bin/sh\n" + script + "\n");
    fs::permissions(folder() / "bin" / name, fs::perms::owner_all);
  }
  std::function<void()> with_them() const {
    const std::string path = (folder() / "bin").string() + ":" + std::getenv("PATH");
    const std::string temporary = (folder() / "tmp").string();
    fs::create_directories(temporary);
    return [=] {
      ::setenv("PATH", path.c_str(), 1);
      ::setenv("TMPDIR", temporary.c_str(), 1);
    };
  }
  void await(const std::string& name, pid_t process) const {
    while (!fs::exists(folder() / name)) {
      ASSERT_EQ(::waitpid(process, nullptr, WNOHANG), 0) << content(folder() / "err.txt");
      ::usleep(1000);
    }
  }
};

TEST_F(Children, AGnuplotThatHangsIsEnded) {
  write("bar.json", bar(1));
  pretend("gnuplot", "echo > started; sleep 3600");
  for (const int signal : {SIGTERM, SIGINT}) {
    fs::remove(folder() / "started");
    const pid_t process =
        start({"compare", "bar.json", "--solvers", "vbd", "--iterations", "2", "-o", "c"}, with_them());
    await("started", process);
    ::kill(process, signal);
    const Ended ended = wait_for(process);
    EXPECT_EQ(ended.status, 128 + signal) << ended.err;
    EXPECT_TRUE(says(ended.out, "interrupted; the tables are complete, figures are missing"));
    EXPECT_TRUE(fs::exists(folder() / "c/convergence.csv"));
    EXPECT_FALSE(fs::exists(folder() / "c/convergence.svg"));
  }
}

#ifdef SINEW_HAS_RENDER
TEST_F(Children, AnFfmpegThatHangsIsEnded) {
  write("bar.json", bar(2));
  ASSERT_EQ(sinew({"run", "bar.json", "-o", "run"}).status, 0);
  pretend("ffmpeg", "echo > started; cat > /dev/null; echo > read; sleep 3600");
  const pid_t process = start({"render", "run"}, with_them());
  await("read", process);  // all of it: waits for the film's end
  const auto asked = std::chrono::steady_clock::now();
  ::kill(process, SIGTERM);
  const Ended ended = wait_for(process);
  EXPECT_LT(std::chrono::steady_clock::now() - asked, std::chrono::seconds(60)) << "it has 10 s";
  EXPECT_TRUE(says(ended.err, "run/film.mp4: ffmpeg hangs, and was ended after the request to stop"));
  EXPECT_EQ(ended.status, 128 + SIGTERM);
  EXPECT_FALSE(fs::exists(folder() / "run/film.mp4"));
  EXPECT_TRUE(fs::exists(folder() / "run/pictures/frame_000002.png"));
}

TEST_F(Children, AnFfmpegThatWritesNothingIsAFailure) {
  write("bar.json", bar(2));
  ASSERT_EQ(sinew({"run", "bar.json", "-o", "run"}).status, 0);
  pretend("ffmpeg", "cat > /dev/null");
  const Ended ended = sinew({"render", "run"}, with_them());
  EXPECT_EQ(ended.status, 1);
  EXPECT_TRUE(says(ended.err, "error: run/film.mp4: ffmpeg wrote nothing; the frames already written as pictures"));
  EXPECT_FALSE(fs::exists(folder() / "run/film.mp4"));
}
#endif

// All of them hold the pipe's other end, which closes with the last one.
TEST_F(Children, NoneOutlivesAKilledProgram) {
  write("ball.json", R"({ "ball": {} })");
  write("cube.obj",
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
        "f 1 3 2\nf 1 4 3\nf 5 6 7\nf 5 7 8\nf 1 2 6\nf 1 6 5\nf 2 3 7\nf 2 7 6\nf 3 4 8\nf 3 8 7\nf 4 1 5\nf 4 5 8\n");
  const std::string pipe = (folder() / "pipe").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  pretend("tetgen", "exec 3> '" + pipe + "'\nprintf x >&3\nexec sleep 3600");
  pollfd end{::open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC), POLLIN, 0};
  const auto read_some = [&](char* byte) { return ::poll(&end, 1, 20'000) == 1 ? ::read(end.fd, byte, 1) : -1; };
  const std::vector<std::string> words{"mesh", "cube.obj", "-o", "out.mesh", "--mesher", "tetgen"};
  const pid_t process = start(words, with_them());
  char byte = 0;
  ASSERT_EQ(read_some(&byte), 1) << "it should have started";
  ::kill(process, SIGKILL);
  wait_for(process);
  EXPECT_EQ(read_some(&byte), 0) << "TetGen lives on";
  ::close(end.fd);

  // Its temporary folder is removed by the next one.
  const auto folders = [&] {
    return std::distance(fs::directory_iterator(folder() / "tmp"), fs::directory_iterator{});
  };
  EXPECT_EQ(folders(), 1);
  pretend("tetgen", "exit 1");
  EXPECT_EQ(sinew(words, with_them()).status, 2);
  EXPECT_EQ(folders(), 0);
  EXPECT_FALSE(fs::exists(folder() / "out.mesh"));
}

}  // namespace
}  // namespace sinew
