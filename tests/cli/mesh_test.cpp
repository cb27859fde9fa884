// Sources: the exit codes of `sinew --help`; the rule on errors (place, fault, remedy): for any input, `sinew mesh`
// reports what is wrong and leaves no incomplete file.
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "program.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

class Mesh : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    write(
        "cube.obj",
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
        "f 1 3 2\nf 1 4 3\nf 5 6 7\nf 5 7 8\nf 1 2 6\nf 1 6 5\nf 2 3 7\nf 2 7 6\nf 3 4 8\nf 3 8 7\nf 4 1 5\nf 4 5 8\n");
    write("ball.json", R"({ "ball": {} })");
  }
  // Creates a program of that name, first along PATH.
  void write_program(const std::string& name, const std::string& script) const {
    write("programs/" + name, "#!/bin/sh\n" + script + "\n");
    ::chmod((folder() / "programs" / name).c_str(), 0755);
  }
  std::function<void()> with_programs() const {
    return [path = (folder() / "programs").string() + ":" + std::getenv("PATH")] { ::setenv("PATH", path.c_str(), 1); };
  }
};

TEST_F(Mesh, SaysWhatIsWrongAndWritesNothing) {
  write("empty.obj", "");
  write("points.obj", "v 0 0 0\nv 1 0 0\n");
  write("one.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  write("line.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\nf 1 1 2\n");
  write("nan.obj", "v 0 0 0\nv nan 0 0\nv 0 1 0\nf 1 2 3\n");
  write("huge.obj", "v 0 0 0\nv 1e30 0 0\nv 0 1 0\nf 1 2 3\n");
  write("index.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n");
  write("nothing.json", R"({ "difference": { "parts": [ { "ball": { "radius": 0.3 } }, { "ball": {} } ] } })");
  write("wafer.obj", "v 0 0 0\nv 1e6 0 0\nv 0 1e6 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
  write("wafer.json", R"({ "box": { "size": [1, 1, 1e-6] } })");
  write("flat.json", R"({ "box": { "size": [1, 0, 1] } })");
  write("bal.json", R"({ "bal": {} })");
  write("list.json", R"({ "ball": [] })");
  write("cube.xyz", "");
  std::string deep = R"({ "ball": {} })";
  for (int k = 0; k < 10000; ++k) deep = R"({"union":{"parts":[)" + deep + "]}}";
  write("deep.json", deep);
  fs::create_directory(folder() / "folder.mesh");
  std::set<std::string> before;
  for (const auto& entry : fs::directory_iterator(folder())) before.insert(entry.path().filename());
  const struct {
    std::vector<std::string> words;
    const char* says;
  } cases[] = {
      {{"none.obj"}, "error: none.obj: no such file; check the path\n"},
      {{"empty.obj"}, "error: empty.obj: is empty; save it again\n"},
      {{"points.obj"}, "error: points.obj: has no triangles, only 2 points; save it with its triangles"},
      {{"one.obj"}, "error: one.obj: surface: lies in a plane and encloses nothing"},
      {{"line.obj"}, "error: line.obj: surface: has 2 triangles, but none with an area"},
      {{"nan.obj"}, "error: nan.obj:2: vertex 2 has a coordinate that is not finite"},
      {{"huge.obj"}, "error: huge.obj: surface: vertex 1 is at (1e+30, 0, 0); coordinates have to be finite, and at"},
      {{"index.obj"}, "error: index.obj:4: a face names vertex 9, but the file has 3 vertices"},
      {{"nothing.json"}, "error: nothing.json: shape: is empty: no point is inside"},
      {{"flat.json"}, "error: flat.json: shape.box.size = (1, 0, 1) [m]: each number must be above 0"},
      {{"wafer.obj"}, "surface: encloses nothing without those 2 of its 4 triangles that are thinner than 1e-05 of"},
      {{"wafer.json"}, "no lattice point is inside; make the solid thicker; it takes a cell of at most"},
      {{"bal.json"}, "error: bal.json: shape.bal: there is no such shape; did you mean 'ball'?\n"},
      {{"list.json"}, "error: list.json: shape.ball = []: its parameters must be an object { }; { \"ball\": { } } has"},
      {{"cube.xyz"}, "which is not known; shapes have .json; surfaces have one of .obj .ply .stl .off .mesh .msh .vtk"},
      {{"deep.json"}, "error: deep.json:1:"},
      {{"ball.json", "--sharp-edges"}, "error: ball.json: sharp_edges = true: is for surfaces"},
      {{"cube.obj", "--cell", "50"},
       "error: cube.obj: cell = 50 m: no lattice point is inside; take a cell of at most"},
      {{"cube.obj", "--cells", "0.5"}, "which is 2.02 along the longest side\n"},
      {{"cube.obj", "--cell", "1e-9"}, "fit into memory; take a cell of at least 0.00"},
      {{"cube.obj", "--tets", "1e12"}, "error: cube.obj: tets = 1000000000000: must be 1 to "},
      {{"cube.obj", "--tets", "0"},
       "error: sinew mesh: --tets: \"0\" must be a number above 0; see sinew mesh --help\n"},
      {{"cube.obj", "--tets", "0.5"}, "error: tets = 0.5: must be at least 1\n"},
      {{"cube.obj", "--smooth", "2.5"}, "--smooth: \"2.5\" must be a whole number from 0 to 1000;"},
      {{"cube.obj", "--cell", "nan"}, "--cell: \"nan\" must be a number above 0;"},
      {{"cube.obj", "--cells", "-1"}, "--cells: \"-1\" must be a number above 0;"},
      {{"cube.obj", "--cell", "0.1", "--cells", "9"}, "--cell excludes --cells"},
      {{"cube.obj", "--mesher", "tetgne"}, "did you mean 'tetgen'?"},
      {{"cube.obj", "--mesher", "tetgen", "--smooth", "3"},
       "mesher = \"tetgen\": smooths, grades and keeps the surface"},
      {{"cube.obj", "--mesher", "tetgen", "--no-fit"}, "mesher = \"tetgen\": smooths, grades and keeps the surface"},
      {{"one.obj", "--mesher", "tetgen"}, "error: one.obj: surface: lies in a plane and encloses nothing; give a"},
      {{"cube.obj", "-o", "cube.obj"},
       "error: cube.obj: is the input file, which would be overwritten; name another file with -o\n"},
      {{"cube.obj", "-o", "out.obj"}, "the suffix is '.obj'; use one of .node .ele .mesh .msh .vtk .vtu\n"},
      {{"cube.obj", "-o", "folder.mesh"}, "error: folder.mesh: is a folder; name a file to write\n"},
      {{"cube.obj", "-o", "no/out.mesh"}, "create the folder first\n"},
  };
  for (const auto& c : cases) {
    std::vector<std::string> words{"mesh"};
    words.insert(words.end(), c.words.begin(), c.words.end());
    if (std::find(words.begin(), words.end(), "-o") == words.end()) words.insert(words.end(), {"-o", "out.node"});
    const Ended ended = sinew(words);
    EXPECT_EQ(ended.status, 2) << ended.err;
    EXPECT_TRUE(ended.err.starts_with("error: ")) << ended.err;
    EXPECT_TRUE(says(ended.err, c.says));
    EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 1) << ended.err;
  }
  for (const auto& entry : fs::directory_iterator(folder())) {
    const std::string name = entry.path().filename();
    EXPECT_TRUE(before.count(name) == 1 || name == "out.txt" || name == "err.txt") << name << " is left behind";
  }
  EXPECT_TRUE(content(folder() / "cube.obj").starts_with("v 0 0 0"));
}

TEST_F(Mesh, SaysHowTheVolumeDiffers) {
  const Ended ended = sinew({"mesh", "cube.obj", "-o", "cube.vtu", "--cell", "0.3"});
  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_TRUE(says(ended.out, " % less than the surface encloses\n") ||
              says(ended.out, " % more than the surface encloses\n"))
      << ended.out;
}

TEST_F(Mesh, AFileAtItsLimitIsToldAndNotLeft) {
  const auto small_files = [] {
    const rlimit limit{20000, 20000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  };
  const auto before = entries();
  for (const std::string name : {"big.vtu", "big.node"}) {
    const Ended ended = sinew({"mesh", "cube.obj", "-o", name, "--cells", "12"}, small_files);
    EXPECT_EQ(ended.status, 1);
    EXPECT_TRUE(
        says(ended.err, "error: " + name + ": cannot be written (File too large); raise the limit on the size"));
    EXPECT_EQ(entries(), before + 2) << "out.txt and err.txt";
  }
}

TEST_F(Mesh, TetgenMayBeMissingOrCrash) {
  const auto empty_path = [] { ::setenv("PATH", "/none", 1); };
  const Ended missing = sinew({"mesh", "cube.obj", "-o", "out.mesh", "--mesher", "tetgen"}, empty_path);
  EXPECT_EQ(missing.status, 2);
  EXPECT_TRUE(
      says(missing.err,
           "error: cube.obj: tetgen: tetgen cannot be run: No such file or directory; install the package tetgen, "
           "or use the mesher \"stuffing\"\n"));
  write_program("tetgen", "echo 'The surface crosses itself.'; kill -SEGV $$");
  const Ended crashed = sinew({"mesh", "cube.obj", "-o", "out.mesh", "--mesher", "tetgen"}, with_programs());
  EXPECT_EQ(crashed.status, 2);
  EXPECT_TRUE(says(crashed.err, "tetgen: crashed (signal 11, Segmentation fault); it ended with: The surface crosses"));
  EXPECT_FALSE(fs::exists(folder() / "out.mesh"));
}

TEST_F(Mesh, CtrlCEndsALongFilling) {
  const pid_t process = start({"mesh", "cube.obj", "-o", "out.mesh", "--cells", "150"});
  while (content(folder() / "out.txt").empty() && content(folder() / "err.txt").empty()) {
    ASSERT_EQ(::waitpid(process, nullptr, WNOHANG), 0) << content(folder() / "err.txt");
    ::usleep(1000);
  }
  ::kill(process, SIGINT);
  const Ended ended = wait_for(process);
  EXPECT_EQ(ended.status, 130) << ended.err;
  EXPECT_TRUE(says(ended.out, "interrupted; nothing was written"));
  EXPECT_FALSE(fs::exists(folder() / "out.mesh"));
}

TEST_F(Mesh, CtrlCEndsATetgenThatHangs) {
  write_program("tetgen", "echo > started; sleep 3600");
  const pid_t process = start({"mesh", "cube.obj", "-o", "out.mesh", "--mesher", "tetgen"}, with_programs());
  while (!fs::exists(folder() / "started")) {
    ASSERT_EQ(::waitpid(process, nullptr, WNOHANG), 0) << content(folder() / "err.txt");
    ::usleep(1000);
  }
  ::kill(process, SIGINT);
  const Ended ended = wait_for(process);
  EXPECT_EQ(ended.status, 130) << ended.err;
  EXPECT_TRUE(says(ended.out, "interrupted; nothing was written"));
  EXPECT_FALSE(fs::exists(folder() / "out.mesh"));
}

}  // namespace
}  // namespace sinew
