// Source: docs/output.md; closed forms: a body whose surface is moved as a homogeneous deformation says has that
// deformation inside (the patch test), the forces on its faces are stress times area, and pins carry what weighs on
// them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "drive/disk_files.h"
#include "files/read_file.h"
#include "io/bytes.h"
#include "io/csv.h"
#include "io/says.h"
#include "io/temporary_folder.h"
#include "io/vtu_array.h"
#include "io/vtu_arrays.h"
#include "record/run_reader.h"
#include "sinew/run.h"
#include "support/box_scene.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

class Outputs : public TemporaryFolder {
 protected:
  fs::path out() const { return folder() / "out"; }

  RunOutcome run(const Scene& scene, int threads = 1) {
    RunOptions options;
    options.folder = out();
    options.overwrite = true;
    options.threads = threads;
    const Result<RunOutcome> outcome = run_scene(scene, options, {});
    EXPECT_TRUE(outcome) << outcome.error().message();
    return outcome ? *outcome : RunOutcome{};
  }
  std::string frame(int number) const {
    return read_file(out() / "frames" / ("frame_00000" + std::to_string(number) + ".vtu")).value();
  }
  std::vector<double> array(int number, const std::string& name) const {
    const std::string file = frame(number);
    return array_of(file, name, says(file, "Float64") && !says(file, "Float32") ? "Float64" : "Float32");
  }
  // The last row of stats.csv.
  std::map<std::string, std::string> last_row() const {
    const auto records = parse_csv(read_file(out() / "stats.csv").value());
    std::map<std::string, std::string> row;
    for (size_t k = 0; k < records[0].size(); ++k) row[records[0][k]] = records.back()[k];
    return row;
  }
  Real3 force(const std::string& pin) const {
    const auto row = last_row();
    Real3 f{};
    for (size_t c = 0; c < 3; ++c) f[c] = std::stod(row.at(pin + "_force_" + "xyz"[c] + " [N]"));
    return f;
  }
};

SelectPlane face(Real3 point, Real3 normal) {
  return {point, normal};
}

// A box of 1 m whose whole surface is scaled by (1.2, t, t).
Scene pulled_box(const char* model, double across) {
  Scene scene = box_scene(2);
  scene.materials[0].model = model;
  scene.materials[0].set("youngs_modulus", 1e5);
  scene.materials[0].set("poisson_ratio", 0.3);
  scene.time = {.quasistatic = true, .frame_dt = 1, .substeps = 1, .duration = 1};
  scene.solver.type = "newton";
  scene.solver.options = {{"relative_tolerance", 1e-10}, {"iterations", 50.0}};
  const auto add = [&](const char* name, Real3 point, Real3 normal) {
    ScenePin pin = pin_of(face(point, normal));
    pin.name = name;
    pin.motion.center = Real3{0, 0, 0};
    pin.motion.keyframes = {{.time = 0}, {.time = 1, .scale = {1.2, across, across}}};
    scene.pins.push_back(pin);
  };
  add("", {0, 0, 0}, {0, -1, 0});
  add("", {0, 1, 0}, {0, 1, 0});
  add("back", {0, 0, 0}, {0, 0, -1});
  add("front", {0, 0, 1}, {0, 0, 1});
  add("left", {0, 0, 0}, {-1, 0, 0});
  add("right", {1, 0, 0}, {1, 0, 0});
  scene.output.fields = {FrameField::stress, FrameField::principal_stress, FrameField::von_mises, FrameField::reaction,
                         FrameField::pinned};
  return scene;
}

// Of the first Piola-Kirchhoff stress P and Cauchy's, in principal axes.
struct Tension {
  double first, cauchy;
};
// Neo-Hookean and St. Venant-Kirchhoff at stretches (s, t, t); t is where the lateral stress is 0.
Tension tension(bool stvk, double s, double& t) {
  const Lame l = lame_from(1e5, 0.3);
  const auto first = [&](double along, double a, double b) {  // in the direction of `along`
    if (stvk) return along * (l.mu * (along * along - 1) + l.lambda / 2 * (along * along + a * a + b * b - 3));
    return l.mu * along + (l.lambda + l.mu) * (along * a * b - 1 - l.mu / (l.lambda + l.mu)) * a * b;
  };
  double low = 0.5, high = 1.2;
  for (int k = 0; k < 100; ++k) {
    t = (low + high) / 2;
    (first(t, s, t) > 0 ? high : low) = t;
  }
  return {first(s, t, t), first(s, t, t) / (t * t)};
}

TEST_F(Outputs, StressesAndForcesOfUniaxialTensionAreTheClosedForm) {
  for (const bool stvk : {false, true}) {
    double across = 0;
    const Tension expected = tension(stvk, 1.2, across);
    const Scene scene = pulled_box(stvk ? "stvk" : "neo_hookean", across);
    run(scene);
    const auto stress = array(1, "stress [Pa]"), principal = array(1, "principal_stress [Pa]"),
               von_mises = array(1, "von_mises [Pa]");
    ASSERT_EQ(von_mises.size(), 40u);
    ASSERT_EQ(stress.size(), 240u);
    ASSERT_EQ(principal.size(), 120u);
    const double tolerance = 1e-6 * expected.cauchy;
    for (size_t e = 0; e < von_mises.size(); ++e) {
      EXPECT_NEAR(von_mises[e], expected.cauchy, tolerance);
      EXPECT_NEAR(stress[6 * e], expected.cauchy, tolerance);
      EXPECT_NEAR(principal[3 * e], expected.cauchy, tolerance);
      for (size_t c = 1; c < 6; ++c) EXPECT_NEAR(stress[6 * e + c], 0, tolerance);
      for (size_t c = 1; c < 3; ++c) EXPECT_NEAR(principal[3 * e + c], 0, tolerance);
    }
    // On 1 m^2 at rest; what pulls is what is pulled, and nothing pulls across.
    EXPECT_NEAR(force("right")[0], expected.first, tolerance);
    EXPECT_NEAR(force("left")[0], -expected.first, tolerance);
    EXPECT_NEAR(force("right")[1], 0, tolerance);
    EXPECT_NEAR(force("front")[2], 0, tolerance);
    EXPECT_NEAR(force("pin_0")[1], 0, tolerance);
    // Nothing is measured of a vertex that is free, which is the one in the middle.
    const auto reaction = array(1, "reaction [N]"), pinned = array(1, "pinned");
    double sum = 0;
    for (size_t v = 0; v < pinned.size(); ++v) {
      EXPECT_EQ(pinned[v], v == 13 ? 0 : 1);
      if (pinned[v] == 0) {
        EXPECT_EQ(reaction[3 * v], 0);
      }
      if (v % 3 == 2) sum += reaction[3 * v];
    }
    EXPECT_NEAR(sum, expected.first, tolerance);
  }
  EXPECT_TRUE(says(frame(1), R"(Name="stress [Pa]" NumberOfComponents="6" ComponentName0="XX" ComponentName1="YY" )"
                             R"(ComponentName2="ZZ" ComponentName3="XY" ComponentName4="YZ" ComponentName5="XZ")"));
}

TEST_F(Outputs, HaveOnlyTheFieldsThatAreAskedFor) {
  Scene scene = pulled_box("neo_hookean", 0.9);
  scene.output.fields = {};
  run(scene);
  for (const char* name : {"stress", "von_mises", "reaction", "pinned"}) EXPECT_FALSE(says(frame(1), name)) << name;
  scene.output.fields = Scene().output.fields;
  run(scene);
  EXPECT_TRUE(says(frame(1), "\"von_mises [Pa]\""));
  EXPECT_FALSE(says(frame(1), "\"stress [Pa]\""));
}

// On the surface: means by volume over the tets around a point; of one stress everywhere, that.
TEST_F(Outputs, OfSurfacesHaveTheMeanStress) {
  double across = 0;
  const Tension expected = tension(false, 1.2, across);
  Scene scene = pulled_box("neo_hookean", across);
  scene.output.vtu = VtuFrames::surface;
  run(scene);
  const auto stress = array(1, "stress [Pa]"), von_mises = array(1, "von_mises [Pa]"), pinned = array(1, "pinned");
  ASSERT_EQ(von_mises.size(), 26u);
  for (size_t k = 0; k < von_mises.size(); ++k) {
    EXPECT_NEAR(von_mises[k], expected.cauchy, 1e-6 * expected.cauchy);
    EXPECT_NEAR(stress[6 * k], expected.cauchy, 1e-6 * expected.cauchy);
    EXPECT_EQ(pinned[k], 1);
  }
  EXPECT_TRUE(says(frame(1), "Name=\"material\""));
}

// The surfaces that pictures show have it too, whatever the frames for ParaView hold; by default, and where asked for.
TEST_F(Outputs, OfPicturesHaveTheMeanStress) {
  double across = 0;
  const Tension expected = tension(false, 1.2, across);
  Scene scene = pulled_box("neo_hookean", across);
  const auto recorded = [&] {
    run(scene);
    const Result<RunReader> reader = open_run(out());
    EXPECT_TRUE(reader) << reader.error().message();
    return reader ? reader->frame(1).value().von_mises : std::vector<double>{};
  };
  scene.output.fields = Scene().output.fields;
  for (const VtuFrames vtu : {VtuFrames::volume, VtuFrames::surface, VtuFrames::none}) {
    scene.output.vtu = vtu;
    const std::vector<double> von_mises = recorded();
    ASSERT_EQ(von_mises.size(), 26u) << name_of(vtu);
    for (const double stress : von_mises) EXPECT_NEAR(stress, expected.cauchy, 1e-6 * expected.cauchy);
  }
  scene.output.fields = {FrameField::stress};
  EXPECT_TRUE(recorded().empty());
}

TEST_F(Outputs, PinsCarryTheWeight) {
  for (const bool quasistatic : {true, false}) {
    Scene scene = box_scene(3);
    scene.gravity = {0, -10, 0};
    scene.materials[0].set("youngs_modulus", 1e6);
    scene.materials[0].damping = quasistatic ? 0 : 0.05;
    scene.time = {.quasistatic = quasistatic, .frame_dt = 0.05, .substeps = 1, .duration = quasistatic ? 0.05 : 3};
    scene.solver.type = "newton";
    scene.solver.options = {{"relative_tolerance", 1e-9}, {"iterations", 50.0}};
    scene.pins = {pin_of(face({0, 1, 0}, {0, 1, 0}))};
    scene.own_block_damping = true;
    scene.output.every = 1000;
    run(scene);
    const Real3 f = force("pin_0");
    EXPECT_NEAR(f[0], 0, 1e-2);
    // 1000 kg, of which held vertices have a tenth; in motion what is left of its swinging is a hundredth.
    EXPECT_NEAR(f[1], 10000, quasistatic ? 1e-4 : 100);
    EXPECT_NEAR(f[2], 0, 1e-2);
  }
}

// All vertices are moved: what the pin exerts is mass times (acceleration - gravity), by the positions of the script.
TEST_F(Outputs, PinsExertWhatAcceleratesTheirVertices) {
  Scene scene = box_scene(2);
  scene.gravity = {0, -10, 0};
  scene.time = {.quasistatic = false, .frame_dt = 0.1, .substeps = 1, .duration = 0.3};
  ScenePin pin = pin_of(SelectAll{});
  pin.motion.smooth = false;
  pin.motion.keyframes = {{.time = 0}, {.time = 0.2, .translate = {2, 0, 0}}, {.time = 1, .translate = {2, 0, 0}}};
  scene.pins = {pin};
  run(scene);
  // At 0.1, 0.2 and 0.3 s: x = 1, 2, 2 m; the last step brings it from 10 m/s to rest.
  EXPECT_NEAR(force("pin_0")[0], -1000 * 10 / 0.1, 1);
  EXPECT_NEAR(force("pin_0")[1], 1000 * 10, 0.1);
}

TEST_F(Outputs, OfSharedVerticesTheLastPinHasTheForceAndAReleasedOneNone) {
  Scene scene = box_scene(2);
  scene.gravity = {0, -10, 0};
  scene.time = {.quasistatic = false, .frame_dt = 0.1, .substeps = 2, .duration = 0.2};
  ScenePin released = pin_of(face({0, 0, 0}, {0, -1, 0}));
  released.release = 0.1;
  scene.pins = {pin_of(SelectAll{}), pin_of(SelectAll{}), released};
  scene.pins[0].name = "under";
  scene.output.statistics_every = 1;
  run(scene);
  EXPECT_EQ(force("under")[1], 0);
  EXPECT_NEAR(force("pin_1")[1], 10000, 0.1);
  EXPECT_EQ(force("pin_2")[1], 0);
  // Before its release it held its own share.
  const auto records = parse_csv(read_file(out() / "stats.csv").value());
  const size_t columns = records[0].size();
  EXPECT_GT(std::stod(records[1][columns - 2]), 100);
}

// A block of 8000 N falls on a floor and lies there.
Scene falling_on_floor() {
  Scene scene = box_scene(2);
  scene.gravity = {0, -8, 0};
  scene.materials[0].set("youngs_modulus", 1e6);
  scene.objects[0].transform.translate = {0, 0.2, 0};
  scene.contact = ContactSettings{};
  scene.contact->friction = 0.5;
  scene.colliders.push_back({.name = "floor", .shape = ColliderHalfSpace{}});
  scene.solver.type = "newton";
  scene.solver.options.set("relative_tolerance", 1e-6);
  scene.time = {.quasistatic = false, .frame_dt = 0.02, .substeps = 2, .duration = 1};
  return scene;
}

TEST_F(Outputs, HaveStatisticsOfContactWhereThereIsAny) {
  run(falling_on_floor());
  const auto records = parse_csv(read_file(out() / "stats.csv").value());
  const auto column = [&](const std::string& name) {
    return static_cast<size_t>(std::find(records[0].begin(), records[0].end(), name) - records[0].begin());
  };
  ASSERT_LT(column("unreached [-]"), records[0].size());
  // Nothing is near at first; a step in the middle of a frame is not measured unless a tolerance asks, as here.
  EXPECT_EQ(records[1][column("contacts [-]")], "0");
  EXPECT_EQ(records[1][column("smallest_gap [m]")], "");
  const auto last = last_row();
  const double radius = 0.15 * (1 + 1 + std::sqrt(2)) / 3 * 0.5;  // of a grid of cells of 0.5 m
  EXPECT_EQ(last.at("contacts [-]"), "9");
  EXPECT_EQ(last.at("penetrations [-]"), "0");
  EXPECT_EQ(last.at("deepest [m]"), "0");
  EXPECT_GT(std::stod(last.at("smallest_gap [m]")), 0);
  EXPECT_LT(std::stod(last.at("smallest_gap [m]")), 1.25 * radius);
  EXPECT_GT(std::stod(last.at("contact_energy [J]")), 0);
  EXPECT_LE(std::stod(last.at("friction_work [J]")), 0);
  EXPECT_GE(std::stoi(last.at("detections [-]")), 1);
  EXPECT_GE(std::stoi(last.at("candidates [-]")), 9);
  EXPECT_GT(std::stod(last.at("detect [ms]")), 0);

  run(box_scene(1));
  EXPECT_FALSE(last_row().contains("contacts [-]"));
}

TEST_F(Outputs, HaveTheContactsOfFramesOnRequest) {
  Scene scene = falling_on_floor();
  run(scene);
  EXPECT_FALSE(fs::exists(out() / "contacts.pvd"));
  scene.output.contacts = true;
  run(scene);
  EXPECT_TRUE(says(read_file(out() / "contacts.pvd").value(), "file=\"contacts/frame_000050.vtp\""));
  const auto file = [&](const char* number) {
    return read_file(out() / "contacts" / (std::string("frame_") + number + ".vtp")).value();
  };
  EXPECT_TRUE(says(file("000000"), "NumberOfPoints=\"0\"")) << "it hangs in the air";
  const std::string last = file("000050");
  EXPECT_TRUE(says(last, "NumberOfPoints=\"" + last_row().at("contacts [-]") + "\""));
  const auto numbers = [&](const std::string& name) {
    const size_t offset = std::stoul(last.substr(last.find("offset=\"", last.find("Name=\"" + name + "\"")) + 8));
    const size_t data = last.find("<AppendedData encoding=\"raw\">\n_") + 31 + offset;
    const VtuArray array{name, "Float64", VtuArray::Storage::raw, std::string_view(last).substr(data)};
    return read_reals(array, {!machine_is_little, true, false}, -1).value();
  };
  const std::vector<double> force = numbers("force [N]"), gap = numbers("gap [m]"), normal = numbers("normal");
  double up = 0;
  for (size_t k = 0; k < gap.size(); ++k) {
    up += force[3 * k + 1];
    EXPECT_EQ(normal[3 * k + 1], 1);
  }
  EXPECT_NEAR(up, 8000, 80);
  EXPECT_EQ(*std::min_element(gap.begin(), gap.end()), std::stod(last_row().at("smallest_gap [m]")));

  // A resumed run has the same files.
  scene.time.duration = 0.5;
  run(scene);
  fs::remove(out() / "contacts" / "frame_000003.vtp");
  scene.time.duration = 1;
  RunOptions options;
  options.folder = out();
  options.resume = true;
  const Result<RunOutcome> resumed = run_scene(scene, options, {});
  ASSERT_TRUE(resumed) << resumed.error().message();
  EXPECT_EQ(file("000050"), last);
  EXPECT_FALSE(says(read_file(out() / "contacts.pvd").value(), "frame_000003"));
  EXPECT_TRUE(says(read_file(out() / "run.json").value(), "contacts/ has no whole .vtp of frames 3"));
}

TEST_F(Outputs, HaveTheNumbersOfMaterialsAndRegionsByName) {
  Scene scene = box_scene(1);
  scene.objects.push_back(scene.objects[0]);
  scene.objects[1].name = "other";
  scene.objects[1].material = "steel";
  scene.objects[1].transform.translate = {3, 0, 0};
  run(scene);
  EXPECT_TRUE(says(frame(0), R"(Name="material rubber" NumberOfTuples="1" format="ascii">0<)"));
  EXPECT_TRUE(says(frame(0), R"(Name="material steel" NumberOfTuples="1" format="ascii">1<)"));
  EXPECT_TRUE(says(read_file(out() / "run.json").value(), R"("material steel": 1)"));
  const auto material = array_of(frame(0), "material", "Int32");
  EXPECT_EQ(material, (std::vector<double>{0, 0, 0, 0, 0, 1, 1, 1, 1, 1}));
}

TEST_F(Outputs, SameBitsForAnyNumberOfThreads) {
  Scene scene = pulled_box("neo_hookean", 0.9);
  scene.objects[0].mesh = MeshBox{{1, 1, 1}, {12, 12, 12}, {0, 0, 0}, 6};
  for (const VtuFrames vtu : {VtuFrames::volume, VtuFrames::surface}) {
    scene.output.vtu = vtu;
    run(scene, 1);
    const std::string one = frame(1);
    const Real3 pulled = force("right");
    run(scene, 4);
    EXPECT_EQ(frame(1), one) << name_of(vtu);
    EXPECT_EQ(force("right"), pulled);
  }
}

TEST(OutputKeys, AreChecked) {
  const auto fault = [](const std::string& rest) {
    const Result<Scene> scene = parse_scene(
        R"({ "sinew": 1, "materials": { "m": {} }, "objects": { "b": { "mesh": { "box": {} }, "material": "m" } }, )" +
            rest + "}",
        "s.json", "");
    if (!scene) return scene.error().message();
    const Result<CompiledScene> compiled = compile_scene(*scene, DiskFiles());
    return compiled ? std::string() : compiled.error().message();
  };
  EXPECT_TRUE(says(fault(R"("output": { "fields": ["von_mise"] })"), "did you mean 'von_mises'?"));
  EXPECT_EQ(fault(R"("output": { "fields": [] })"), "");
  EXPECT_TRUE(says(fault(R"("pins": [{ "object": "b", "select": "all", "name": "a" },
                                     { "object": "b", "select": "all", "name": "a" }])"),
                   "pins.1.name = \"a\": another pin has this name"));
}

// A block that slides down a slope in a groove: two gliding pins share its lower edge. Each bears what lies across its
// own plane; along the slope nothing does.
TEST_F(Outputs, PinsThatGlideBearWhatLiesAcross) {
  Scene scene = box_scene(2);
  scene.materials[0].density = 100;
  scene.time = {.quasistatic = false, .frame_dt = 0.01, .substeps = 1, .duration = 0.05};
  scene.gravity = {-3, -4, -12};
  scene.solver.type = "newton";
  scene.solver.options = {{"relative_tolerance", 1e-12}, {"iterations", 50.0}};
  const auto glide = [&](const char* name, Selection select, Real3 normal) {
    ScenePin pin = pin_of(std::move(select));
    pin.name = name;
    pin.free = ScenePin::Free::plane;
    pin.normal = normal;
    scene.pins.push_back(pin);
  };
  glide("floor", SelectAll{}, {0, 1, 0});
  glide("wall", SelectAll{}, {0, 0, 1});
  scene.output.fields = {FrameField::reaction, FrameField::pinned};
  run(scene);
  const Real3 floor = force("floor"), wall = force("wall");
  const Real3 expected[2] = {{0, 400, 0}, {0, 0, 1200}};  // of 100 kg
  for (size_t c = 0; c < 3; ++c) {
    EXPECT_NEAR(floor[c], expected[0][c], 1e-6);
    EXPECT_NEAR(wall[c], expected[1][c], 1e-6);
  }
  Vec3d sum{};
  const std::vector<double> reactions = array(5, "reaction [N]");
  for (size_t k = 0; k + 2 < reactions.size(); k += 3) sum += Vec3d{reactions[k], reactions[k + 1], reactions[k + 2]};
  EXPECT_NEAR(sum.x, 0, 1e-3);  // in single precision
  EXPECT_NEAR(sum.y, 400, 1e-3);
  EXPECT_NEAR(sum.z, 1200, 1e-3);
}

// A block between a wall and a roller that bears a part of its weight: at rest that is a reaction, and no force is out
// of balance, in frames for ParaView as in those for pictures.
TEST_F(Outputs, WhatARollerBearsIsNotOutOfBalance) {
  for (const bool quasistatic : {true, false}) {
    Scene scene = box_scene(2);
    scene.time = {.quasistatic = quasistatic, .frame_dt = 0.05, .substeps = 1, .duration = 0.05};
    scene.gravity = {0, -10, 0};
    scene.solver.type = "newton";
    scene.solver.options = {{"relative_tolerance", 1e-10}, {"iterations", 50.0}};
    ScenePin wall = pin_of(face({0, 0, 0}, {-1, 0, 0})), roller = pin_of(face({1, 0, 0}, {1, 0, 0}));
    roller.name = "roller";
    roller.free = ScenePin::Free::plane;
    roller.normal = {0, 1, 0};
    scene.pins = {wall, roller};
    run(scene);
    EXPECT_GT(force("roller")[1], 100);
    const std::vector<double> residual = array(1, "residual [N]");
    ASSERT_EQ(residual.size(), 27u);
    EXPECT_LT(*std::max_element(residual.begin(), residual.end()), 1e-3);
    const Result<RunReader> reader = open_run(out());
    ASSERT_TRUE(reader) << reader.error().message();
    const std::vector<double> shown = reader->frame(1).value().residual;
    ASSERT_EQ(shown.size(), 26u);
    EXPECT_LT(*std::max_element(shown.begin(), shown.end()), 1e-3);
  }
}

}  // namespace
}  // namespace sinew
