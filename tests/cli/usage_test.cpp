// Sources: the exit codes of `sinew --help`; the rule on errors (place, fault, suggestion).
#include "program.h"

namespace sinew {
namespace {

using Usage = Program;

TEST_F(Usage, SlipsAreErrorsWithTheNearestWord) {
  write("bar.json", bar(1));
  const struct {
    std::vector<std::string> words;
    const char* says;
  } cases[] = {
      {{},
       "error: sinew: no command given; known: run, render, compare, reproduce, dataset, check, check-intersections, "
       "mesh, info, materials, solvers\n"},
      {{"rnu", "bar.json"}, "error: sinew: there is no command 'rnu'; did you mean 'run'?\n"},
      {{"xyzzy"}, "error: sinew: there is no command 'xyzzy'; known: run, "},
      {{"--vresion"}, "error: sinew: there is no option --vresion; did you mean '--version'?\n"},
      {{"run", "bar.json", "--oputput", "o"},
       "error: sinew run: there is no option --oputput; did you mean '--output'?\n"},
      {{"run", "bar.json", "--frame=3"}, "error: sinew run: there is no option --frame; did you mean '--frames'?\n"},
      {{"run", "--treads", "2"}, "error: sinew run: there is no option --treads; did you mean '--threads'?\n"},
      {{"run", "bar.json", "other.json"},
       "error: sinew run: 'other.json' is one argument too many; see sinew run --help\n"},
      {{"check", "bar.json", "--set", "time.fps=2", "gravity.1=0"},
       "error: sinew check: 'gravity.1=0' is one argument too many; see sinew check --help\n"},
      {{"info", "bar.json"},
       ".node .ele .mesh .msh .vtk .vtu .t; surfaces have one of .obj .ply .stl .off .mesh .msh .vtk .vtu\n"},
      {{"run"}, "error: sinew run: scene is required; see sinew run --help\n"},
      {{"run", "bar.json", "--frames", "many"},
       "error: sinew run: --frames: \"many\" must be a whole number from 0 to 1000000000; see sinew run --help\n"},
      {{"run", "bar.json", "--lanes", "2.5"}, "--lanes: \"2.5\" must be a whole number from 0 to 16;"},
      {{"compare", "bar.json", "--iterations", "1e10"}, "\"1e10\" must be a whole number from 1 to 1000000000;"},
      {{"run", "bar.json", "--log-level", "debgu"}, "one of quiet, info, debug; did you mean 'debug'?"},
      {{"render", ".", "--color-by", "strian"}, "did you mean 'strain'?"},
      {{"run", ""}, "error: sinew run: scene: must not be empty; see sinew run --help\n"},
      {{"run", "bar.json", "-o", ""}, "error: sinew run: --output: must not be empty; see sinew run --help\n"},
      {{"compare", "bar.json", "--solvers", "vbd,,newton"}, "error: --solvers: the name of the solver is missing"},
      {{"compare", "bar.json", "-o", "/proc/none"}, "error: /proc/none: the folder cannot be made"},
      {{"run", "bar.json", "--set", "solver.iteratons=3"},
       "error: bar.json: solver.iteratons (by --set): unknown key; did you mean 'iterations'?\n"},
      {{"run", "bar.json", "--set", "solver.type=newtn"}, "did you mean 'newton'?\n"},
      {{"run", "bar.json", "--set", "solver.accelerator=chebishev"}, "did you mean 'chebyshev'?\n"},
      {{"run", "bar.json", "--set", "materials.rubber.model=stkv"}, "did you mean 'stvk'?\n"},
      {{"compare", "bar.json", "--solvers", "vdb"}, "there is no solver \"vdb\"; did you mean 'vbd'?\n"},
  };
  for (const auto& c : cases) {
    const Ended ended = sinew(c.words);
    EXPECT_EQ(ended.status, 2) << ended.err;
    EXPECT_TRUE(ended.err.starts_with("error: ")) << ended.err;
    EXPECT_TRUE(says(ended.err, c.says));
    EXPECT_EQ(ended.out, "");
  }
  EXPECT_FALSE(std::filesystem::exists(folder() / "out"));
}

TEST_F(Usage, WholeNumbersMayHaveExponents) {
  write("bar.json", bar(3));
  const Ended ended = sinew({"run", "bar.json", "--frames", "2e0"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_TRUE(says(ended.out, "done at frame 2 "));
}

TEST_F(Usage, SetTakesOneValueAndMayBeRepeated) {
  write("bar.json", bar(1));
  for (const char* command : {"run", "compare", "check"}) {
    const Ended help = sinew({command, "--help"});
    EXPECT_TRUE(says(help.out, "--set PATH=VALUE "));
    EXPECT_FALSE(says(help.out, "PATH=VALUE ...")) << command;
  }
  const Ended ended =
      sinew({"check", "--set", "solver.iterations=3", "--set", "time.fps=25", "bar.json", "--resolved"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_TRUE(says(ended.out, "\"iterations\": 3"));
  EXPECT_TRUE(says(ended.out, "\"frame_dt\": 0.04"));
}

TEST_F(Usage, CheckCountsHeldVerticesOnce) {
  write("tet.mesh",
        "MeshVersionFormatted 2\nDimension 3\nVertices\n5\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n2 2 2 0\n"
        "Tetrahedra\n1\n1 2 3 4 0\nEnd\n");
  write("tet.json", R"({ "sinew": 1, "materials": { "m": {} }, "objects": { "tet": { "mesh": { "file": "tet.mesh" },
    "material": "m" } }, "pins": [{ "object": "tet", "select": { "indices": [0, 4] } },
    { "object": "tet", "select": { "indices": [0] } }, { "object": "tet", "select": { "indices": [4] } }] })");
  const Ended ended = sinew({"check", "tet.json"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_TRUE(says(ended.out, "tet.json: valid. 1 object, 5 vertices (1 held), 1 tet,"));
  EXPECT_TRUE(says(ended.err, "pins.1 shares 1 vertex with pins.0 and wins there"));
  EXPECT_TRUE(says(ended.err, "pins.2.select: no tetrahedron has any of its vertices: it holds nothing"));
  EXPECT_FALSE(says(ended.err, "pins.0.select"));
}

TEST_F(Usage, FaultsOfTheSolverNameFileAndKey) {
  write("bar.json", bar(1));
  const Ended lanes = sinew({"run", "bar.json", "--set", "solver.lanes=3"});
  EXPECT_EQ(lanes.status, 2);
  EXPECT_TRUE(says(lanes.err, "error: bar.json: solver.lanes = 3 [-]: there is no such width; use"));
  const Ended type =
      sinew({"check", "bar.json", "--set", "solver.type=xpbd", "--set", "materials.rubber.model=linear"});
  EXPECT_EQ(type.status, 2);
  EXPECT_TRUE(says(type.err, "error: bar.json: solver.type = \"xpbd\": has no constraint form"));
  const Ended pair =
      sinew({"check", "bar.json", "--set", "solver.type=newton", "--set", "solver.accelerator=chebyshev"});
  EXPECT_EQ(pair.status, 2);
  EXPECT_TRUE(
      says(pair.err, "error: bar.json: solver.accelerator (by --set) = \"chebyshev\": solver \"newton\" takes no"));
}

// Each has examples of its own; none names files that an installed program does not have.
TEST_F(Usage, HelpIsAboutTheCommand) {
  for (const std::string command :
       {"run", "render", "compare", "reproduce", "check", "mesh", "info", "materials", "solvers"}) {
    const Ended ended = sinew({command, "--help"});
    EXPECT_EQ(ended.status, 0);
    EXPECT_FALSE(says(ended.out, "Start here")) << command;
    EXPECT_FALSE(says(ended.out, "scenes/")) << command;
  }
  const Ended all = sinew({"--help"});
  EXPECT_TRUE(says(all.out, "Start here"));
  EXPECT_FALSE(says(all.out, "scenes/"));
}

// Triangles and tets are called what they are.
TEST_F(Usage, ElementsAreCalledWhatTheyAre) {
  write("bar.json", bar(1));
  EXPECT_TRUE(says(sinew({"check", "bar.json"}).out, "27 vertices (9 held), 40 tets,"));
  EXPECT_TRUE(says(sinew({"run", "bar.json", "-o", "bar"}).out, "27 vertices, 40 tets, "));
  const auto compared = [&](const char* scene) {
    return sinew({"compare", scene, "--solvers", "vbd", "--iterations", "1", "--no-figures", "-o", "c"}).out;
  };
  EXPECT_TRUE(says(compared("bar.json"), "1 iteration each; 40 tets,"));
  write("sheet.json", R"({ "sinew": 1, "materials": { "m": {} }, "time": { "fps": 50, "duration": 0.02 },
    "objects": { "s": { "mesh": { "rectangle": { "cells_x": 2, "cells_y": 2 } }, "material": "m" } } })");
  EXPECT_TRUE(says(sinew({"check", "sheet.json"}).out, " triangles,"));
  EXPECT_TRUE(says(sinew({"run", "sheet.json", "-o", "sheet"}).out, " triangles, "));
  EXPECT_TRUE(says(compared("sheet.json"), " triangles,"));
}

// Control characters from a file must not truncate a message or reach the terminal.
TEST_F(Usage, ControlCharactersAreShown) {
  write("bar.json", R"({ "sinew": 1, "materials": { "m": {} },
    "objects": { "a\u0000b\u001b[2J": { "mesh": { "box": {} }, "material": "m" } } })");
  const Ended ended = sinew({"check", "bar.json"});
  EXPECT_EQ(ended.status, 2);
  EXPECT_TRUE(says(ended.err, "objects.a\\u0000b\\u001b[2J: is not a valid name"));
  const Ended missing = sinew({"check", "no\x1b[2J.json"});
  EXPECT_TRUE(says(missing.err, "no\\x1b[2J.json: no such file"));
}

TEST_F(Usage, AnOutputThatCannotBeWrittenIsAFailure) {
  if (::access("/dev/full", W_OK) != 0) GTEST_SKIP() << "there is no /dev/full";
  const Ended ended = sinew({"check", "--schema"}, [] { ::dup2(::open("/dev/full", O_WRONLY), STDOUT_FILENO); });
  EXPECT_EQ(ended.status, 1);
  EXPECT_TRUE(says(ended.err, "error: the output cannot be written"));
}

}  // namespace
}  // namespace sinew
