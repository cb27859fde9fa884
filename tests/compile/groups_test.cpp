// Source: docs/first-steps.md and the scene reference: physical groups of Gmsh name regions and select vertices.
#include <gtest/gtest.h>

#include <algorithm>

#include "drive/recording.h"
#include "io/says.h"
#include "support/box_scene.h"

namespace sinew {
namespace {

// Two tets that share the face 1 2 3: "bone" and "flesh", with the face 0 1 2 as "clamp" and vertex 4 as "tip".
const char* const leg =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
    "$PhysicalNames\n4\n0 1 \"tip\"\n2 2 \"clamp\"\n3 7 \"bone\"\n3 8 \"flesh\"\n$EndPhysicalNames\n"
    "$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n$EndNodes\n"
    "$Elements\n4\n1 15 2 1 1 5\n2 2 2 2 1 1 2 3\n3 4 2 7 1 1 2 3 4\n4 4 2 8 2 2 5 3 4\n$EndElements\n";
// A square of two triangles in two regions, with a curve on its left.
const char* const square =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
    "$PhysicalNames\n3\n1 3 \"left\"\n2 1 \"lower\"\n2 2 \"upper\"\n$EndPhysicalNames\n"
    "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 1 1 0\n$EndNodes\n"
    "$Elements\n3\n1 1 2 3 1 1 3\n2 2 2 1 1 1 2 3\n3 2 2 2 1 2 4 3\n$EndElements\n";

class Groups : public ::testing::Test {
 protected:
  const TemporaryFile file{"leg.msh", leg}, plane{"square.msh", square};
  Scene scene = box_scene();

  Groups() {
    scene.base_folder = file.folder();
    scene.objects[0].mesh = MeshFile{file.name()};
    scene.objects[0].material = "";
    scene.objects[0].regions = {{"bone", "steel"}, {"flesh", "rubber"}};
  }
};

std::vector<int32_t> vertices_of(const PinScript& pin, const Model& model) {
  std::vector<int32_t> vertices;
  for (const int32_t slot : pin.slots) vertices.push_back(static_cast<int32_t>(model.order.vertex(Slot{slot})));
  std::sort(vertices.begin(), vertices.end());
  return vertices;
}

TEST_F(Groups, NameRegionsWhichMakeTheMaterialOptional) {
  const CompiledScene c = compiled(scene);
  ASSERT_EQ(c.model.blocks.size(), 2u);
  for (const ElasticBlock& block : c.model.blocks)
    EXPECT_EQ(c.model.user_tet[static_cast<size_t>(block.first_tet)], block.material.lame.mu > 1e9 ? 0 : 1);
  // A label also works, and the object's own material is that of the remainder.
  scene.objects[0].regions = {{7, "steel"}};
  scene.objects[0].material = "rubber";
  EXPECT_EQ(compiled(scene).model.blocks.size(), 2u);
}

TEST_F(Groups, SelectTheVerticesOfTheirElements) {
  const auto pinned = [&](const char* group) {
    scene.pins = {pin_of(SelectGroup{group})};
    const CompiledScene c = compiled(scene);
    return vertices_of(c.pins[0], c.model);
  };
  EXPECT_EQ(pinned("clamp"), (std::vector<int32_t>{0, 1, 2}));
  EXPECT_EQ(pinned("tip"), (std::vector<int32_t>{4}));
  EXPECT_EQ(pinned("flesh"), (std::vector<int32_t>{1, 2, 3, 4}));
  // In each copy, and after another object.
  scene.objects[0].copies = {{2, 1, 1}, {5, 0, 0}};
  scene.objects.insert(scene.objects.begin(), box_scene(1).objects[0]);
  scene.objects[0].name = "before";
  EXPECT_EQ(pinned("clamp"), (std::vector<int32_t>{8, 9, 10, 13, 14, 15}));
}

TEST_F(Groups, SelectWhereProbesAndLoadsActToo) {
  scene.probes = {{"tip", "block", SelectGroup{"tip"}}};
  scene.loads = {load_of(SceneLoad::Kind::traction, {0, 0, -2}, SelectGroup{"clamp"})};
  const CompiledScene c = compiled(scene);
  EXPECT_EQ(c.probes[0].vertices, (std::vector<int32_t>{4}));
  double sum = 0;
  for (const Vec3d& f : c.model.extra_force) sum += f.z;
  EXPECT_NEAR(sum, -1, 1e-12) << "2 Pa on half a square metre";
}

TEST_F(Groups, NameRegionsOfPlaneBodies) {
  scene.objects[0].mesh = MeshTriangles{plane.name()};
  scene.objects[0].regions = {{"lower", "steel"}, {"upper", "rubber"}};
  scene.pins = {pin_of(SelectGroup{"left"})};
  const CompiledScene c = compiled(scene);
  EXPECT_EQ(c.model.blocks.size(), 2u);
  EXPECT_EQ(c.regions, (std::vector<int32_t>{1, 2}));
  EXPECT_EQ(vertices_of(c.pins[0], c.model), (std::vector<int32_t>{0, 2}));
}

TEST_F(Groups, NameRegionsOfFibres) {
  scene.objects[0].fibres = SceneFibres{FibreRegions{{{"flesh", {1, 0, 0}}}}, 3e5, 1, 0, {}};
  CompiledScene c = compiled(scene);
  EXPECT_EQ(c.fibre_tets, (std::vector<int32_t>{1}));
  scene.objects[0].fibres = SceneFibres{FibreRegions{{{"flash", {1, 0, 0}}}}, 3e5, 1, 0, {}};
  EXPECT_HAS(error_of(scene),
             "fibres.regions.0.region = flash: the mesh has no region of this name; did you mean 'flesh'?");
}

TEST_F(Groups, AreNumbersInFramesByTheirNames) {
  CompiledScene c = compiled(scene);
  const RunDescription d = describe_run(scene, c, ThreadPool::caller());
  const auto number = [&](const std::string& name) {
    for (const auto& [known, value] : d.info.numbers)
      if (known == name) return value;
    return -1;
  };
  EXPECT_EQ(number("region block.bone"), 7);
  EXPECT_EQ(number("region block.flesh"), 8);
  EXPECT_EQ(number("region block.clamp"), -1);
  EXPECT_EQ(number("material steel"), 1);
}

TEST_F(Groups, ThatAreNotThereAreAnsweredWithThoseThatAre) {
  scene.objects[0].regions = {{"bones", "steel"}};
  EXPECT_HAS(error_of(scene), "objects.block.regions.bones: the mesh has no region of this name; did you mean 'bone'?");
  scene.objects[0].regions = {{"clamp", "steel"}};
  EXPECT_HAS(error_of(scene), "objects.block.regions.clamp: the mesh has no region of this name");
  scene.objects[0].regions = {{"bone", "steel"}};
  EXPECT_HAS(error_of(scene),
             "objects.block.material: missing, for regions without a material of their own: flesh; give each of them");
  scene.objects[0].regions = {{"bone", "steel"}, {7, "rubber"}};
  EXPECT_HAS(error_of(scene), "objects.block.regions.7: the region has a material already, under its name");
  scene.objects[0].regions = {{"bone", "steel"}, {"flesh", "rubber"}};
  scene.pins = {pin_of(SelectGroup{"clam"})};
  EXPECT_HAS(error_of(scene),
             "pins.0.select.group = \"clam\": the mesh of object 'block' has no group of this name; "
             "did you mean 'clamp'?");
  scene = box_scene();
  scene.objects[0].regions = {{"bone", "steel"}};
  EXPECT_HAS(error_of(scene), "the mesh has no named regions; Gmsh's .msh has them");
  scene.objects[0].regions = {};
  scene.pins = {pin_of(SelectGroup{"clamp"})};
  EXPECT_HAS(error_of(scene), "has no group of this name, for it has none; name physical groups in Gmsh");
  scene.pins = {};
  scene.objects[0].material = "";
  EXPECT_HAS(error_of(scene), "objects.block.material: missing");
}

TEST(GroupKeys, GoRoundThroughJson) {
  const std::string text = R"({ "sinew": 1, "materials": { "a": {}, "b": {} },
    "objects": { "o": { "mesh": { "file": "x.msh" }, "regions": { "bone": "a", "-3": "b" },
      "fibres": { "regions": [ { "region": "bone", "direction": [1, 0, 0] }, { "region": 4, "direction": [0, 1, 0] } ] } } },
    "pins": [ { "object": "o", "select": { "group": "clamp" }, "name": "grip" } ] })";
  const Result<Scene> scene = parse_scene(text, "s.json", "");
  ASSERT_TRUE(scene) << scene.error().message();
  EXPECT_EQ(scene->objects[0].regions, (std::vector<std::pair<RegionId, std::string>>{{"bone", "a"}, {-3, "b"}}));
  EXPECT_EQ(std::get<SelectGroup>(scene->pins[0].select).name, "clamp");
  const Result<Scene> again = parse_scene(resolved_json(*scene), "s.json", "");
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(again->objects, scene->objects);
  EXPECT_EQ(again->pins, scene->pins);
}

}  // namespace
}  // namespace sinew
