// Expectations: the promises of files/tetgen_process.h, with shell scripts in place of TetGen; for the real one, if
// installed, the manual of TetGen 1.5.
#include "files/tetgen_process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <future>
#include <sstream>

#include "io/says.h"
#include "io/temporary_folder.h"
#include "mesh/quality.h"

namespace sinew {
namespace {

// A cube of 1 m.
SurfaceMesh cube() {
  return {{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}},
          {{0, 2, 1},
           {0, 3, 2},
           {4, 5, 6},
           {4, 6, 7},
           {0, 1, 5},
           {0, 5, 4},
           {1, 2, 6},
           {1, 6, 5},
           {2, 3, 7},
           {2, 7, 6},
           {3, 0, 4},
           {3, 4, 7}}};
}

class TetgenProcess : public TemporaryFolder {
 protected:
  // Puts temporary files where this test can count them.
  void SetUp() override {
    TemporaryFolder::SetUp();
    std::filesystem::create_directory(folder() / "tmp");
    const char* now = std::getenv("TMPDIR");
    if (now) before_ = now;
    ::setenv("TMPDIR", (folder() / "tmp").c_str(), 1);
  }
  void TearDown() override {
    EXPECT_TRUE(std::filesystem::is_empty(folder() / "tmp")) << "files are left behind";
    before_.empty() ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", before_.c_str(), 1);
    TemporaryFolder::TearDown();
  }

  // A program in place of TetGen, called with the switches and FOLDER/surface.off; $mesh is FOLDER/surface.1.
  TetgenOptions acting(const std::string& script) const {
    const auto path = folder() / "stand_in";
    std::ofstream(path) << "#!/bin/sh\nmesh=\"${2%.off}.1\"\n" << script << "\n";
    ::chmod(path.c_str(), 0755);
    return {.largest_volume = 0.1, .program = path.string()};
  }
  std::string fault(const std::string& script) const {
    const Result<TetMesh> mesh = run_tetgen(cube(), acting(script));
    return mesh.ok() ? "none" : mesh.error().message();
  }
  std::string content(const char* name) const {
    std::ostringstream text;
    text << std::ifstream(folder() / name).rdbuf();
    return text.str();
  }

 private:
  std::string before_;
};

constexpr const char* one_tet =
    "printf '4 3 0 0\\n0 0 0 0\\n1 1 0 0\\n2 0 1 0\\n3 0 0 1\\n' > \"$mesh.node\"\n"
    "printf '1 4 0\\n0 0 1 2 3\\n' > \"$mesh.ele\"";

TEST_F(TetgenProcess, IsGivenTheSurfaceAndItsMeshIsRead) {
  const TetgenOptions options = acting(std::string("cp \"$2\" '") + folder().string() + "/given.off'\necho \"$1\" > '" +
                                       folder().string() + "/switches'\n" + one_tet);
  const Result<TetMesh> mesh = run_tetgen(cube(), options);
  ASSERT_TRUE(mesh.ok()) << mesh.error().message();
  EXPECT_EQ(mesh->vertices.size(), 4u);
  EXPECT_EQ(mesh->tets, (std::vector<Tet>{{0, 1, 2, 3}}));
  EXPECT_TRUE(content("given.off").starts_with("OFF\n8 12 0\n0 0 0\n1 0 0\n"));
  EXPECT_EQ(content("switches"), "-pzq1.4/10a0.10000000000000001\n");
}

TEST_F(TetgenProcess, MissingProgramNamesThePackageAndTheOtherWay) {
  const Result<TetMesh> mesh = run_tetgen(cube(), {.largest_volume = 0.1, .program = "no-such-program-as-this"});
  ASSERT_FALSE(mesh.ok());
  EXPECT_TRUE(says(mesh.error().message(),
                   "tetgen: no-such-program-as-this cannot be run: No such file or directory; "
                   "install the package tetgen, or use the mesher \"stuffing\""));
}

TEST_F(TetgenProcess, FailuresSayItsLastWordsAndTheOtherWay) {
  const std::string refused = fault("echo 'Opening surface.off.'; echo '  !! Two facets cross' >&2; exit 3");
  EXPECT_TRUE(says(refused, "tetgen: gave up (exit code 3); it ended with: Two facets cross; repair the surface, or"));
  EXPECT_TRUE(says(refused, "use the mesher \"stuffing\""));
  EXPECT_TRUE(says(fault("exit 1"), "gave up (exit code 1) without a word;"));
  EXPECT_TRUE(says(fault("printf '%01000d' 7; exit 1"), std::string(200, '0') + "...;"));
}

TEST_F(TetgenProcess, CrashesAreSurvived) {
  EXPECT_TRUE(says(fault("echo 'Refining mesh...'; kill -SEGV $$"),
                   "crashed (signal 11, Segmentation fault); it ended with: Refining mesh...; repair the surface"));
  // As Debian's TetGen ends when it gives up.
  EXPECT_TRUE(says(fault("echo 'Error:  The point set is trivial.'\n"
                         "echo \"terminate called after throwing an instance of 'int'\" >&2; kill -ABRT $$"),
                   "crashed (signal 6, Aborted); it ended with: Error:  The point set is trivial.; repair"));
}

// Although the caller ignores that signal: a program that does not check its writes would not notice the failure.
TEST_F(TetgenProcess, FilesAtTheirLimitAreTold) {
  const auto handler = ::signal(SIGXFSZ, SIG_IGN);
  EXPECT_TRUE(says(fault("kill -XFSZ $$"), "its files are larger than the limit on the size of files; raise it"));
  ::signal(SIGXFSZ, handler);
}

// It would crash.
TEST_F(TetgenProcess, IsNotGivenWhatLiesInAPlane) {
  SurfaceMesh flat{{{0, 0, 0}, {1, 0, 0.3}, {1, 1, 1}, {0, 1, 0.7}}, {{0, 1, 2}, {0, 2, 3}}};
  const auto fault_of = [&] { return run_tetgen(flat, acting(one_tet)).error().message(); };
  EXPECT_TRUE(says(fault_of(), "surface: lies in a plane and encloses nothing"));
  flat.vertices = {{1, 1, 1}, {2, 2, 2}, {3, 3, 3}, {1, 1, 1}};
  EXPECT_TRUE(says(fault_of(), "surface: lies in a plane and encloses nothing"));
  flat.vertices = {{0, 0, 0}, {1, 0, 0.3}, {1, 1, 1 + 1e-6}, {0, 1, 0.7}};
  EXPECT_TRUE(run_tetgen(flat, acting(one_tet)).ok());
}

TEST_F(TetgenProcess, MeshesThatAreNoneAreRefused) {
  EXPECT_TRUE(says(fault("echo 'Done.'"), "wrote no mesh; it ended with: Done.; repair the surface"));
  EXPECT_TRUE(says(fault("printf '0 3 0 0\\n' > \"$mesh.node\""), "filled nothing with tets, as if the surface were"));
  const std::string node = "printf '4 3 0 0\\n0 0 0 0\\n1 1 0 0\\n2 0 1 0\\n3 0 0 1\\n' > \"$mesh.node\"\n";
  const auto with_tets = [&](const std::string& ele) { return fault(node + "printf '" + ele + "' > \"$mesh.ele\""); };
  EXPECT_TRUE(says(fault("echo rubbish > \"$mesh.node\"; echo rubbish > \"$mesh.ele\""),
                   "wrote a mesh that cannot be read: surface.1.node:1: "));
  EXPECT_TRUE(says(with_tets("1 4 0\\n0 0 1 2 9\\n"), "wrote a mesh that cannot be read: surface.1.ele:2: "));
  EXPECT_TRUE(says(with_tets("1 4 0\\n0 0 1 2 -1\\n"), "wrote a mesh that cannot be read: surface.1.ele:2: "));
  EXPECT_TRUE(says(with_tets("5 4 0\\n0 0 1 2 3\\n"), "wrote a mesh that cannot be read: surface.1.ele"));
  EXPECT_TRUE(says(with_tets(""), "wrote a mesh that cannot be read: surface.1.ele"));
  EXPECT_TRUE(says(with_tets("0 4 0\\n"), "wrote a mesh that cannot be read: surface.1."));
  EXPECT_TRUE(
      says(fault("printf '1 3 0 0\\n0 nan 0 0\\n' > \"$mesh.node\"; printf '1 4 0\\n0 0 0 0 0\\n' > \"$mesh.ele\""),
           "wrote a mesh that cannot be read: surface.1.node:2: "));
}

// Interrupts an hour's work, including a script's children and programs that ignore the request. All of them hold the
// other end of the pipe, which closes with the last one.
TEST_F(TetgenProcess, InterruptsEndWhatHangs) {
  for (const std::string script : {"sleep 3600", "trap '' TERM\nsleep 3600 &\nwait\nsleep 3600"}) {
    const std::string pipe = (folder() / "pipe").string();
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    pollfd end{::open(pipe.c_str(), O_RDONLY | O_NONBLOCK), POLLIN, 0};
    const auto read_some = [&](char* byte) { return ::poll(&end, 1, 20'000) == 1 ? ::read(end.fd, byte, 1) : -1; };
    std::atomic<bool> interrupt{false};
    TetgenOptions options = acting("exec 3> '" + pipe + "'\nprintf x >&3\n" + script);
    options.interrupt = &interrupt;
    auto running = std::async(std::launch::async, [&] { return run_tetgen(cube(), options); });
    char byte = 0;
    EXPECT_EQ(read_some(&byte), 1) << "it should have started";
    interrupt = true;
    const Result<TetMesh> mesh = running.get();
    ASSERT_FALSE(mesh.ok());
    EXPECT_TRUE(says(mesh.error().message(), "tetgen: was interrupted"));
    EXPECT_EQ(read_some(&byte), 0) << "a child lives on";
    ::close(end.fd);
    std::filesystem::remove(pipe);
  }
}

TEST_F(TetgenProcess, WithoutTemporaryFolderNothingIsWrittenElsewhere) {
  const TetgenOptions options = acting(one_tet);
  const auto here = std::filesystem::current_path();
  std::filesystem::current_path(folder());
  ::setenv("TMPDIR", (folder() / "none").c_str(), 1);
  const Result<TetMesh> mesh = run_tetgen(cube(), options);
  std::filesystem::current_path(here);
  ASSERT_FALSE(mesh.ok());
  EXPECT_TRUE(
      says(mesh.error().message(), "tetgen: no temporary file: No such file or directory; free some space, or"));
  EXPECT_EQ(entries(), 2) << "the empty folder and the stand-in";
}

TEST_F(TetgenProcess, FillsACube) {
  if (std::system("command -v tetgen > /dev/null") != 0) GTEST_SKIP() << "tetgen is not installed";
  const Result<TetMesh> mesh = run_tetgen(cube(), {.largest_volume = 0.01});
  ASSERT_TRUE(mesh.ok()) << mesh.error().message();
  EXPECT_GE(mesh->tets.size(), 100u) << "1 m^3 of tets of at most 0.01 m^3";
  const MeshQuality quality = mesh_quality(*mesh);
  EXPECT_NEAR(quality.volume, 1, 1e-9) << "the surface is kept, up to digits of its files";
  // Without a lid: the real program's message, however it ends.
  SurfaceMesh open = cube();
  open.triangles.resize(10);
  const Result<TetMesh> none = run_tetgen(open, {.largest_volume = 0.01});
  ASSERT_FALSE(none.ok());
  EXPECT_TRUE(says(none.error().message(), "use the mesher \"stuffing\""));
}

}  // namespace
}  // namespace sinew
