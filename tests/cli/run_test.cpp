// Sources: the exit codes of `sinew --help`; the statuses of a step in docs/vocabulary.md.
#include <sys/resource.h>

#include "program.h"

namespace sinew {
namespace {

using RunCommand = Program;

// Chebyshev with a rho beyond the convergence rate of the sweeps: the residual grows with every iteration.
TEST_F(RunCommand, TellsOfStepsThatDiverged) {
  write("bar.json",
        bar(2, R"(, "solver": { "type": "vbd", "relative_tolerance": 1e-6, "iterations": 60, "check_every": 1,
                              "accelerator": { "type": "chebyshev", "rho": 0.9999 } })"));
  const Ended ended = sinew({"run", "bar.json", "-o", "out", "--set", "objects.bar.stretch=[3,3,3]", "--set",
                             "materials.rubber.youngs_modulus=1e7"});
  EXPECT_EQ(ended.status, 3) << ended.err;
  EXPECT_TRUE(says(ended.err, "steps diverged, the first at t = 0.02 s"));
  EXPECT_TRUE(says(content(folder() / "out/stats.csv"), "diverged"));
  EXPECT_TRUE(says(content(folder() / "out/run.json"), "\"complete\""));
}

TEST_F(RunCommand, TellsOfStepsThatMissedTheirTolerance) {
  write("bar.json", bar(2, R"(, "solver": { "relative_tolerance": 1e-5, "iterations": 2 })"));
  const Ended ended = sinew({"run", "bar.json", "-o", "out"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_TRUE(
      says(ended.out + ended.err, "2 of 2 steps reached the iteration limit before the tolerance; use more iterations"))
      << "an accelerator would be refused";
  const Ended vbd = sinew({"run", "bar.json", "-o", "vbd", "--set", "solver.type=vbd"});
  EXPECT_TRUE(says(vbd.out + vbd.err, "before the tolerance; use the solver multilevel, more iterations"));
}

// XPBD's first sweep of a stiff bar raises the residual. Its steps have no tolerance: those of the first and second
// frame are evaluated.
TEST_F(RunCommand, TellsOfStepsThatRaiseTheResidual) {
  write("bar.json", bar(3));
  const Ended ended = sinew({"run", "bar.json", "-o", "out", "--set", "solver.type=xpbd"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_TRUE(says(ended.out,
                   " of 2 steps that were looked at ended with a residual over ten times that of their start: "
                   "more iterations, smaller steps (time.substeps), or a solver that descends"))
      << ended.out;
}

// The advice for a quasistatic run does not include smaller steps.
TEST_F(RunCommand, AdvisesQuasistaticsByTheirOwnMeans) {
  write("bar.json", bar(2, R"(, "solver": { "relative_tolerance": 1e-5, "iterations": 2 })"));
  const Ended ended = sinew({"run", "bar.json", "-o", "out", "--set", "time.integrator=quasistatic"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  // What is not converged is warned of once; what is, but not to a tolerance that strict, is information.
  EXPECT_TRUE(says(ended.err, "the result is not converged; use more iterations, slower pins or the solver newton"))
      << ended.err;
  EXPECT_FALSE(says(ended.out, "before the tolerance")) << ended.out;
  const Ended strict = sinew({"run", "bar.json", "-o", "out", "--overwrite", "--set", "time.integrator=quasistatic",
                              "--set", "solver.relative_tolerance=1e-9", "--set", "solver.iterations=6"});
  EXPECT_TRUE(says(strict.out, "reached the iteration limit before the tolerance; use more iterations\n"))
      << strict.out;
}

// Scalar code and four lanes are available everywhere. The same command twice is bit-identical.
TEST_F(RunCommand, ComputesInTheLanesThatAreAskedFor) {
  write("bar.json", bar(2));
  for (const std::string lanes : {"1", "4"}) {
    std::string states[2];
    for (std::string& state : states) {
      const Ended ended = sinew({"run", "bar.json", "-o", "out", "--lanes", lanes, "--overwrite"});
      EXPECT_EQ(ended.status, 0) << ended.err;
      state = ended.out.substr(ended.out.find("state "), 22);
      const std::string record = content(folder() / "out/run.json");
      EXPECT_TRUE(says(record, "\"lanes\": " + lanes)) << record;
      EXPECT_TRUE(says(record, "sinew run bar.json -o out --lanes " + lanes)) << record;
    }
    EXPECT_EQ(states[0], states[1]);
  }
  const Ended resumed = sinew({"run", "bar.json", "-o", "out", "--lanes", "1", "--resume", "--frames", "2"});
  EXPECT_EQ(resumed.status, 0) << resumed.err;
  EXPECT_TRUE(says(resumed.err, "computed by 1 lanes from here on, by 4 before: the last digits may differ"))
      << resumed.err;
  EXPECT_EQ(sinew({"compare", "bar.json", "--lanes", "1", "--iterations", "2", "--no-figures"}).status, 0);
  for (const std::string command : {"run", "compare"}) {
    const Ended ended = sinew({command, "bar.json", "-o", "twice", "--lanes", "4", "--set", "solver.lanes=1"});
    EXPECT_EQ(ended.status, 2);
    EXPECT_TRUE(says(ended.err, "--lanes 4 and solver.lanes = 1 of the scene: give one of them")) << ended.err;
  }
}

// The same whether by option or by the scene; a wrong device is refused before anything is written.
TEST_F(RunCommand, ComputesOnTheDeviceThatIsAskedFor) {
  write("bar.json", bar(2));
  const auto run_with = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {"run", "bar.json", "-o", "out", "--overwrite", "--set", "solver.type=vbd"};
    words.insert(words.end(), more.begin(), more.end());
    return sinew(words);
  };
  const Ended by_option = run_with({"--device", "emulated"});
  EXPECT_EQ(by_option.status, 0) << by_option.err;
  EXPECT_TRUE(says(content(folder() / "out/run.json"), "--set solver.device=emulated"));
  const Ended by_scene = run_with({"--set", "solver.device=emulated"});
  EXPECT_EQ(by_scene.out.substr(by_scene.out.find("state "), 22),
            by_option.out.substr(by_option.out.find("state "), 22));
  const Ended resumed = sinew(
      {"run", "bar.json", "-o", "out", "--resume", "--frames", "2", "--device", "cpu", "--set", "solver.type=vbd"});
  EXPECT_EQ(resumed.status, 0) << resumed.err;
  EXPECT_TRUE(says(resumed.out, "at frame 2")) << resumed.out;
  const Ended wrong = run_with({"--device", "gpu"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_TRUE(says(wrong.err, "must be one of cpu, cuda, emulated")) << wrong.err;
  const Ended other = run_with({"--device", "emulated", "--set", "solver.type=newton"});
  EXPECT_EQ(other.status, 2);
  EXPECT_TRUE(says(other.err, "solver \"newton\" runs on the CPU alone")) << other.err;
}

TEST_F(RunCommand, RefusesLanesThatThereAreNot) {
  write("bar.json", bar(2));
  for (const std::string command : {"run", "compare"}) {
    const Ended ended = sinew({command, "bar.json", "--lanes", "3"});
    EXPECT_EQ(ended.status, 2);
    EXPECT_TRUE(says(ended.err, "sinew " + command +
                                    ": --lanes = 3 [-]: there is no such width; use one "
                                    "of 1, 4"))
        << ended.err;
  }
  const Ended picture = sinew({"render", "out", "--lanes", "1"});
  EXPECT_EQ(picture.status, 2);
  EXPECT_TRUE(says(picture.err, "sinew render: --lanes = 1 [-]: this command has no such width; use 4 or more"))
      << picture.err;
}

TEST_F(RunCommand, SaysWhatContactIsAndWhereItIsWritten) {
  const std::string floor = R"(, "colliders": { "floor": { "shape": { "half_space": { "point": [0, -1, 0] } } } })";
  write("bar.json", bar(1, floor));
  const Ended ended = sinew({"run", "bar.json", "-o", "out", "--set", "output.contacts=true"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_TRUE(says(ended.out, " 1 body, 1 collider; guarantee none\ncontact of bar with itself, bar with floor: from "))
      << ended.out;
  EXPECT_TRUE(says(ended.out, "written to out: frames.pvd (ParaView), contacts.pvd, surface/")) << ended.out;
  write("bar.json", bar(1));
  EXPECT_FALSE(says(sinew({"run", "bar.json", "-o", "other"}).out, "contact"));
}

TEST_F(RunCommand, SaysNothingWhereAllIsWell) {
  write("bar.json", bar(2));
  const Ended ended = sinew({"run", "bar.json", "-o", "out"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_FALSE(says(ended.out + ended.err, "tolerance"));
  EXPECT_FALSE(says(ended.out + ended.err, "diverged"));
  EXPECT_FALSE(says(ended.out + ended.err, "ten times"));
}

// Suggestions may be copied into a shell: names of folders and values may have any character.
TEST_F(RunCommand, SuggestsCommandsThatAShellReads) {
  write("my bar's.json", bar(2));
  const Ended ended =
      sinew({"run", "my bar's.json", "-o", "a b;c", "--set", "gravity=[0, -9, 0]", "--set", "solver.iterations=5"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_TRUE(says(ended.out, "pictures and a film: sinew render 'a b;c'\n")) << ended.out;
  EXPECT_TRUE(says(content(folder() / "a b;c/run.json"),
                   R"(sinew run 'my bar'\\''s.json' -o 'a b;c' --set 'gravity=[0, -9, 0]' --set solver.iterations=5)"))
      << content(folder() / "a b;c/run.json");
  const Ended refused = sinew({"run", "my bar's.json", "-o", "a b;c", "--resume"});
  EXPECT_TRUE(says(refused.err, "`sinew run 'a b;c/run.json' -o 'a b;c' --resume`")) << refused.err;
  write("-x", bar(2));
  const Ended option = sinew({"run", "--output=-y", "--", "-x"});
  EXPECT_EQ(option.status, 0) << option.err;
  EXPECT_TRUE(says(option.out, "sinew render ./-y\n")) << option.out;
}

// A surface is not a mesh of tets, whatever its format, and vice versa.
TEST_F(RunCommand, NamesTheKeyThatTakesTheMesh) {
  const std::string tet = "0 0 0\n1 0 0\n0 1 0\n0 0 1\n";
  write("body.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
  write("body.vtk", "# vtk DataFile Version 3.0\nb\nASCII\nDATASET POLYDATA\nPOINTS 4 double\n" + tet +
                        "POLYGONS 4 16\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n");
  write("tet.mesh",
        "MeshVersionFormatted 2\nDimension 3\nVertices\n4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n"
        "Tetrahedra\n1\n1 2 3 4 0\nEnd\n");
  const auto scene = [](const std::string& mesh) {
    return R"({ "sinew": 1, "materials": { "m": {} }, "objects": { "b": { "mesh": )" + mesh +
           R"(, "material": "m" } } })";
  };
  for (const std::string file : {"body.obj", "body.vtk"}) {
    write("scene.json", scene(R"({ "file": ")" + file + "\" }"));
    const Ended ended = sinew({"check", "scene.json"});
    EXPECT_EQ(ended.status, 2);
    EXPECT_TRUE(says(ended.err, R"("mesh": { "surface": { "file": ")" + file + R"(" } })")) << ended.err;
  }
  write("scene.json", scene(R"({ "surface": { "file": "tet.mesh" } })"));
  EXPECT_TRUE(says(sinew({"check", "scene.json"}).err, R"("mesh": { "file": "tet.mesh" })"));
  write("scene.json", scene(R"({ "file": "none.obj" })"));
  EXPECT_TRUE(says(sinew({"check", "scene.json"}).err, "no such file")) << "there is nothing to suggest";
}

TEST_F(RunCommand, SaysWhenNothingIsLeftToDo) {
  write("bar.json", bar(3));
  const Ended first = sinew({"run", "bar.json", "-o", "out"});
  EXPECT_EQ(first.status, 0) << first.err;
  EXPECT_FALSE(says(first.out, "nothing left"));
  const Ended ended = sinew({"run", "bar.json", "-o", "out", "--resume", "--frames", "2"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_TRUE(says(ended.out, "nothing to do: the run has reached frame 3 already"));
}

// The first file that is too large is run.json, as on a disk that is already full.
TEST_F(RunCommand, WhatCannotBeWrittenIsAFailureFromTheFirstFileOn) {
  write("bar.json", bar(1));
  const auto files_of = [](rlim_t bytes) {
    return [bytes] {
      ::signal(SIGXFSZ, SIG_IGN);
      const rlimit limit{bytes, bytes};
      ::setrlimit(RLIMIT_FSIZE, &limit);
    };
  };
  const Ended first = sinew({"run", "bar.json", "-o", "out"}, files_of(600));
  EXPECT_EQ(first.status, 1);
  EXPECT_TRUE(says(first.err, "error: out/run.json: cannot be written (File too large)"));
  ASSERT_EQ(sinew({"run", "bar.json", "-o", "done"}).status, 0);
  const Ended resumed = sinew({"run", "bar.json", "-o", "done", "--resume"}, files_of(600));
  EXPECT_EQ(resumed.status, 1) << resumed.err;
  // An unwritable output, or nothing to resume, is an error of the command line.
  EXPECT_EQ(sinew({"run", "bar.json", "-o", "bar.json"}).status, 2);
  EXPECT_EQ(sinew({"run", "bar.json", "-o", "/proc/none"}).status, 2);
  EXPECT_EQ(sinew({"run", "bar.json", "-o", "none", "--resume"}).status, 2);
}

// A changed scene is rejected, with a command that continues with the scene of the run; its mesh is found from any
// folder.
TEST_F(RunCommand, GoesOnWithTheSceneInRunJson) {
  write("scenes/tet.mesh",
        "MeshVersionFormatted 2\nDimension 3\nVertices\n4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n"
        "Tetrahedra\n1\n1 2 3 4 0\nEnd\n");
  write("scenes/tet.json", R"({ "sinew": 1, "materials": { "m": {} }, "objects": { "tet": {
    "mesh": { "file": "tet.mesh" }, "material": "m" } }, "time": { "duration": 0.1 } })");
  ASSERT_EQ(sinew({"run", "scenes/tet.json", "-o", "out", "--frames", "2", "--set", "solver.iterations=7"}).status, 0);
  const Ended refused = sinew({"run", "scenes/tet.json", "-o", "out", "--resume"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_TRUE(says(refused.err, "resume with the scene of the run, `sinew run out/run.json -o out --resume`"));
  const Ended resumed = sinew({"run", "out/run.json", "-o", "out", "--resume"});
  EXPECT_EQ(resumed.status, 0) << resumed.err;
  EXPECT_TRUE(says(resumed.out, "continuing from frame 2"));
  EXPECT_EQ(resumed.err, "");
  EXPECT_EQ(sinew({"check", "out/run.json"}).status, 0);
}

}  // namespace
}  // namespace sinew
