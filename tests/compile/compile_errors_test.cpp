// Source: the errors described in compile/compile.h and compile/check_compiled.h.
#include <cmath>

#include "support/box_scene.h"

namespace sinew {
namespace {

TEST(CompileErrors, FilesOfStiffnessFactors) {
  Scene scene = box_scene(1);  // five tets
  const auto error = [&](const std::string& name, const std::string& content) {
    const TemporaryFile file(name, content);
    scene.base_folder = file.folder();
    scene.objects[0].stiffness_factors = FactorFile{file.name()};
    return error_of(scene);
  };
  EXPECT_EQ(error("good.txt", "1 2 3 4 5"), "");
  EXPECT_HAS(error("few.txt", "1 2 3 4"), "objects.block.stiffness_factors.file: ");
  EXPECT_HAS(error("few.txt", "1 2 3 4"), "few.txt: has 4 numbers, but the mesh has 5 tetrahedra; give one for each");
  EXPECT_HAS(error("zero.txt", "1 2 3 0 5"),
             "zero.txt: the factor of tetrahedron 3 is 0: it must be above 0 and finite");
  EXPECT_HAS(error("negative.txt", "1 -2 3 4 5"), "the factor of tetrahedron 1 is -2");
  EXPECT_HAS(error("infinite.npy", encode_npy(std::vector<double>{1, 2, HUGE_VAL, 4, 5})),
             "the factor of tetrahedron 2 is inf");
  EXPECT_HAS(error("nan.npy", encode_npy(std::vector<float>{std::nanf(""), 2, 3, 4, 5})),
             "the factor of tetrahedron 0 is nan");
  EXPECT_HAS(error("word.txt", "1 2\nthree"), "word.txt:2: expected a number, found 'three'");
  EXPECT_HAS(error("table.npy", encode_npy(std::vector<double>{1, 2, 3, 4, 5, 6}, 2)),
             "table.npy: is an array of 3 x 2 numbers; save a single row or column");
  EXPECT_HAS(error("broken.npy", "nothing"), "broken.npy");
  scene.objects[0].stiffness_factors = FactorList{{1, 2, 3}};
  EXPECT_HAS(error_of(scene), "objects.block.stiffness_factors.values: has 3 numbers, but the mesh has 5 tetrahedra");
  scene.objects[0].stiffness_factors = FactorList{{1, 2, 0, 4, 5}};
  EXPECT_HAS(error_of(scene), "objects.block.stiffness_factors.values.2 = 0 [-]: must be above 0");
  scene.objects[0].stiffness_factors = FactorList{{1, 2, HUGE_VAL, 4, 5}};
  EXPECT_HAS(error_of(scene), "objects.block.stiffness_factors.values.2 = ");
  scene.objects[0].stiffness_factors = FactorFile{"not_there.npy"};
  EXPECT_HAS(error_of(scene), "not_there.npy: no such file");
  EXPECT_HAS(error("stiff.txt", "1 1 1 1 1e20"), "objects.block: the stiffness of a tetrahedron is ");
  EXPECT_HAS(error("soft.txt", "1 1 1 1 1e-30"), "objects.block: the stiffness of a tetrahedron is ");
}

TEST(CompileErrors, EmptySelectionsShowTheBoundingBox) {
  Scene scene = box_scene();
  scene.objects[0].transform.translate = {1, 0, 0};
  scene.pins = {pin_of(SelectBox{{0, 0, 0}, {0, 1, 1}})};
  EXPECT_EQ(
      error_of(scene),
      "scene: pins.0.select.box: selects no vertex of object 'block'; the object lies in [1, 0, 0] to [2, 1, 1] m");
  scene.pins = {pin_of(SelectSphere{{9, 9, 9}, 0.1})};
  EXPECT_HAS(error_of(scene), "pins.0.select.sphere: selects no vertex");
  const TemporaryFile empty("none.txt", "# nothing\n");
  scene.base_folder = empty.folder();
  scene.pins = {pin_of(SelectFile{empty.name()})};
  EXPECT_HAS(error_of(scene), "pins.0.select.file: selects no vertex");
}

TEST(CompileErrors, LoadsThatActOnNothing) {
  Scene scene = box_scene();
  scene.loads = {load_of(SceneLoad::Kind::traction, {1, 0, 0}, SelectSphere{{0, 0, 0}, 0.1})};
  EXPECT_EQ(error_of(scene),
            "scene: loads.0.select: 1 vertices, but no face of the boundary has all of its vertices among them; select "
            "more of the object");
  scene.loads = {load_of(SceneLoad::Kind::body_force, {1, 0, 0}, SelectIndices{{0}})};
  EXPECT_HAS(error_of(scene), "no tetrahedron has all of its vertices among them");
}

TEST(CompileErrors, FilesOfIndices) {
  Scene scene = box_scene();
  const TemporaryFile word("word.txt", "1 2\nthree\n"), large("large.txt", "1\n2 27\n");
  scene.base_folder = word.folder();
  scene.pins = {pin_of(SelectFile{word.name()})};
  EXPECT_HAS(error_of(scene), "pins.0.select.file: ");
  EXPECT_HAS(error_of(scene), word.name() + ":2: expected a vertex number, found");
  scene.pins = {pin_of(SelectFile{large.name()})};
  EXPECT_HAS(error_of(scene), large.name() + ":2: vertex = 27: object 'block' has 27 vertices");
  scene.pins = {pin_of(SelectFile{"not_there.txt"})};
  EXPECT_HAS(error_of(scene), "not_there.txt: no such file");
}

TEST(CompileErrors, MeshesThatAreNotThere) {
  Scene scene = box_scene();
  scene.base_folder = "/nowhere";
  scene.objects[0].mesh = MeshFile{"m.mesh"};
  EXPECT_HAS(error_of(scene), "scene: objects.block.mesh: /nowhere/m.mesh: no such file");
}

TEST(CompileErrors, ScenesBuiltInCodeAreCheckedLikeFiles) {
  Scene scene = box_scene();
  scene.materials[0].set("poisson_ratio", 0.5);
  EXPECT_EQ(
      error_of(scene),
      "scene: materials.rubber.poisson_ratio = 0.5 [-]: must be below 0.5 and above -1; for nearly incompressible "
      "use 0.49; quadratic elements bear 0.4995 in single precision, and 0.49999 in double");
  scene = box_scene();
  scene.materials[0].density = std::nan("");
  EXPECT_HAS(error_of(scene), "materials.rubber.density = nan [kg/m^3]: must be a finite number");
  scene = box_scene();
  scene.materials[0].model = "stvkk";
  EXPECT_HAS(error_of(scene), "did you mean 'stvk'?");
  scene = box_scene();
  scene.materials[0].set("mu", 1e4);
  EXPECT_HAS(error_of(scene), "materials.rubber.lambda: missing");
  scene = box_scene();
  scene.time.frame_dt = 0;
  EXPECT_HAS(error_of(scene), "time.frame_dt = 0 [s]: must be above 0");
  scene = box_scene();
  scene.gravity[1] = -INFINITY;
  EXPECT_HAS(error_of(scene), "gravity = [0, -inf, 0] [m/s^2]: must be a finite number");
  scene = box_scene();
  std::get<MeshBox>(scene.objects[0].mesh).cells = {0, 1, 1};
  EXPECT_HAS(error_of(scene), "objects.block.mesh.box.cells = 0 [-]: must be at least 1");
  scene = box_scene();
  std::get<MeshBox>(scene.objects[0].mesh).split = 7;
  EXPECT_HAS(error_of(scene), "objects.block.mesh.box.split = 7 [-]: must be at most 6");
  scene = box_scene();
  scene.objects.push_back(scene.objects[0]);
  EXPECT_HAS(error_of(scene), "objects.block: the name is used twice");
  scene = box_scene();
  scene.solver.type = "vdb";
  EXPECT_HAS(error_of(scene), "solver.type = \"vdb\": must be one of multilevel, vbd, ");
  scene = box_scene();
  scene.solver.options = {{"iterations", 0.0}, {"speed", 3.0}};
  EXPECT_HAS(error_of(scene), "solver.iterations = 0 [-]: must be at least 1");
  EXPECT_HAS(error_of(scene), "solver.speed: unknown option of multilevel");
  scene = box_scene();
  scene.render.color_by = ColorBy{17};
  EXPECT_HAS(error_of(scene), "render.color_by = 17: must be one of object");
  EXPECT_HAS(error_of(Scene{}), "materials: there are none");
}

TEST(CompileErrors, ScalesThatLeaveNoVolume) {
  Scene scene = box_scene();
  scene.objects[0].transform.scale = {1, 0, 1};
  EXPECT_HAS(error_of(scene), "objects.block.transform.scale = [1, 0, 1] [-]: must not be 0");
  scene.objects[0].transform.scale = {1e-200, 1, 1};
  EXPECT_HAS(error_of(scene), "objects.block.mesh: ");
  scene.objects[0].transform.scale = {1e300, 1e300, 1};
  EXPECT_HAS(error_of(scene), "scene: objects");
}

TEST(CompileErrors, QuasistaticsWithoutEquilibrium) {
  Scene scene = box_scene();
  scene.gravity = {0, -9.81, 0};
  scene.time.quasistatic = true;
  EXPECT_HAS(error_of(scene), "objects.block: no pin holds the part with vertex ");
  EXPECT_HAS(error_of(scene), "forces of (0, -9.81e+03, 0) N in all act on it: it has no equilibrium; pin some");
  // With a load that cancels gravity there is an equilibrium, at any position.
  Scene balanced = scene;
  balanced.loads = {load_of(SceneLoad::Kind::body_force, {0, 9810, 0}, SelectAll{})};
  EXPECT_EQ(compiled(balanced).warnings,
            (std::vector<std::string>{"objects.block is held nowhere: its equilibrium is not unique"}));
  // A body can hang from one vertex, but that does not hold another body.
  scene.pins = {pin_of(SelectIndices{{0}})};
  EXPECT_TRUE(compiled(scene).warnings.empty());
  scene.pins[0].release = 0.5;
  ASSERT_EQ(compiled(scene).warnings.size(), 1u);
  EXPECT_HAS(compiled(scene).warnings[0], "its last pin is released at 0.5 s");
  scene.objects.push_back(scene.objects[0]);
  scene.objects[1].name = "other";
  EXPECT_HAS(error_of(scene), "objects.other: no pin holds");
}

TEST(CompileErrors, NumbersBeyondThePrecision) {
  const auto with = [](const std::function<void(Scene&)>& change) {
    Scene scene = box_scene();
    change(scene);
    return scene;
  };
  const Scene tiny = with([](Scene& s) { s.objects[0].transform.scale = {1e-12, 1e-12, 1e-12}; });
  EXPECT_HAS(error_of(tiny), "objects.block: the volume of a tetrahedron is ");
  EXPECT_HAS(error_of(tiny), "single precision computes with 1e-35 to 1e+35; check the units");
  EXPECT_HAS(error_of(with([](Scene& s) {
               s.objects[0].transform.scale = {1e12, 1e12, 1e12};
             })),
             "objects.block: the mass of a vertex is ");
  EXPECT_HAS(error_of(with([](Scene& s) { s.materials[0].set("youngs_modulus", 1e-30); })),
             "objects.block: the stiffness of a tetrahedron is ");
  EXPECT_HAS(error_of(with([](Scene& s) { s.materials[0].set("youngs_modulus", 1e30); })),
             "objects.block: the stiffness of a tetrahedron is ");
  const Scene fast = with([](Scene& s) {
    s.time.frame_dt = 1e-12;
    s.time.duration = 1e-11;
  });
  EXPECT_HAS(error_of(fast), "objects.block: the mass / time step^2 of a vertex is ");
  EXPECT_HAS(error_of(fast), "or set solver.precision = \"double\"");
  // Double precision may compute what single precision cannot, but is limited too.
  const auto in_double = [](Scene scene) {
    scene.solver.options = {{"precision", std::string("double")}};
    return scene;
  };
  EXPECT_EQ(error_of(in_double(tiny)), "");
  EXPECT_EQ(error_of(in_double(fast)), "");
  EXPECT_HAS(error_of(in_double(with([](Scene& s) { s.materials[0].set("youngs_modulus", 1e200); }))),
             "double precision computes with 1e-150 to 1e+150");
  const Scene thick = with([](Scene& s) { s.materials[0].damping = 1e300; });
  EXPECT_HAS(error_of(thick), "materials.rubber.damping = 1e+300 [s]: damping / time step times the stiffness");
  EXPECT_HAS(error_of(in_double(thick)), "materials.rubber.damping = 1e+300 [s]");
  EXPECT_EQ(error_of(with([](Scene& s) { s.materials[0].damping = 10; })), "");
}

// The mesh is valid, but not its position.
TEST(CompileErrors, PlacesWhoseVerticesCoincide) {
  Scene scene = box_scene();
  scene.objects[0].transform.translate[0] = 1e10;
  EXPECT_EQ(error_of(scene), "");
  scene.objects[0].transform.translate[0] = 1e18;
  EXPECT_HAS(error_of(scene), "objects.block.mesh: lies too far from the origin: at 1e+18 m, with a size of 1.73 m");
  EXPECT_HAS(error_of(scene), "move it nearer to the origin");
  scene.objects[0].transform.translate[0] = 0;
  scene.objects[0].copies = {{2, 1, 1}, {1e18, 0, 0}};
  EXPECT_HAS(error_of(scene), "objects.block.mesh: lies too far from the origin");
}

TEST(CompileErrors, PlacesAndSpeedsBeyondThePrecision) {
  const auto error = [](const std::function<void(Scene&)>& change) {
    Scene scene = box_scene();
    scene.pins = {pin_of(SelectAll{})};
    scene.pins[0].motion.keyframes = {{0.5, {}, 0, {1, 1, 1}}};
    EXPECT_EQ(error_of(scene), "");
    change(scene);
    return error_of(scene);
  };
  EXPECT_HAS(error([](Scene& s) { s.objects[0].velocity[0] = 1e200; }),
             "objects.block.velocity = [1e+200, 0, 0] [m/s]: must be at most 1e+18");
  EXPECT_HAS(error([](Scene& s) { s.objects[0].stretch[1] = -1e12; }), "objects.block.stretch");
  EXPECT_HAS(error([](Scene& s) { s.objects[0].transform.translate[1] = 1e30; }), "objects.block.transform.translate");
  EXPECT_HAS(error([](Scene& s) { s.objects[0].transform.rotation_degrees = 1e308; }), "transform.rotation_degrees");
  EXPECT_HAS(error([](Scene& s) { s.gravity[1] = -1e30; }), "gravity = ");
  EXPECT_HAS(error([](Scene& s) { s.pins[0].motion.keyframes[0].translate[2] = 1e30; }),
             "pins.0.motion.keyframes.0.translate");
  EXPECT_HAS(error([](Scene& s) { s.pins[0].motion.keyframes[0].rotate_degrees = 1e308; }),
             "pins.0.motion.keyframes.0.rotate_degrees = 1e+308 [deg]: must be at most 1000000000");
  EXPECT_HAS(error([](Scene& s) { s.pins[0].motion.keyframes[0].scale[0] = 1e30; }), "pins.0.motion.keyframes.0.scale");
}

TEST(CompileErrors, NewtonKnowsNoSinglePrecision) {
  Scene scene = box_scene();
  scene.solver.type = "newton";
  scene.solver.options = {{"precision", std::string("single")}};
  EXPECT_HAS(error_of(scene), "solver.precision = \"single\": must be one of double");
  scene.solver.options = {{"precision", std::string("double")}};
  EXPECT_EQ(error_of(scene), "");
  // A scene for sweeps can also be given to Newton.
  scene.solver =
      with_solver({"vbd", {{"precision", std::string("single")}, {"iterations", 3.0}}, "none", {}}, "newton");
  EXPECT_EQ(error_of(scene), "");
  EXPECT_EQ(scene.solver.options.size(), 1u);
}

}  // namespace
}  // namespace sinew
