// Source: docs/output.md and docs/first-steps.md: tets of ten nodes in files and in frames. Their middles are computed
// here from the corners.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "files/read_file.h"
#include "io/says.h"
#include "io/temporary_folder.h"
#include "io/vtu.h"
#include "io/vtu_arrays.h"
#include "record/run_reader.h"
#include "sinew/check.h"
#include "sinew/mesh_info.h"
#include "sinew/run.h"
#include "support/box_scene.h"

namespace sinew {
namespace {

// A tet of ten nodes, whose middle of corners 2 and 4 bulges by a tenth, with its face 1 2 3 as "clamp"; middles first.
const char* const bulging =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
    "$PhysicalNames\n2\n2 2 \"clamp\"\n3 7 \"bone\"\n$EndPhysicalNames\n"
    "$Nodes\n10\n5 .5 0 0\n6 .5 .5 0\n7 0 .5 0\n8 0 0 .5\n9 0 .5 .5\n10 .6 0 .5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n"
    "$EndNodes\n"
    "$Elements\n2\n1 9 2 2 1 1 2 3 5 6 7\n2 11 2 7 1 1 2 3 4 5 6 7 8 9 10\n$EndElements\n";
const char* const told =
    "a 10-node tet has middles off the middles of the edges, by 0.1 m at most (tet 0) and 0.0707 of an edge at most "
    "(tet 0): the edges are taken straight";

class TenNodeFiles : public ::testing::Test {
 protected:
  const TemporaryFile file{"bulging.msh", bulging};
  Scene scene = box_scene();

  TenNodeFiles() {
    scene.base_folder = file.folder();
    scene.objects[0].mesh = MeshFile{file.name()};
    scene.objects[0].regions = {{"bone", "steel"}};
    scene.pins = {pin_of(SelectGroup{"clamp"})};
    scene.solver.type = "vbd";
  }
};

std::set<int32_t> held_vertices(const CompiledScene& c) {
  std::set<int32_t> vertices;
  for (const int32_t slot : c.pins[0].slots) vertices.insert(static_cast<int32_t>(c.model.order.vertex(Slot{slot})));
  return vertices;
}

TEST_F(TenNodeFiles, AreTakenStraightWithAWarning) {
  const CompiledScene c = compiled(scene);
  EXPECT_EQ(c.model.order.vertex_count(), 4) << "no middle is left over";
  EXPECT_TRUE(c.model.middles.empty());
  EXPECT_EQ(held_vertices(c), (std::set<int32_t>{0, 1, 2}));
  EXPECT_EQ(c.warnings.at(0), std::string("objects.block.mesh: ") + told);
  EXPECT_EQ(c.warnings.at(1),
            "objects.block.mesh: 1 tet of ten nodes, taken by the four corners; \"element\": "
            "\"quadratic\" keeps ten");
  const Result<SceneSummary> checked = check_scene(scene);
  ASSERT_TRUE(checked) << checked.error().message();
  EXPECT_EQ(checked->warnings.at(0), std::string("objects.block.mesh: ") + told);
  const Result<MeshInfo> info = mesh_info(scene.base_folder + "/" + file.name());
  ASSERT_TRUE(info) << info.error().message();
  EXPECT_EQ(info->repairs, (std::vector<std::string>{told}));
  EXPECT_EQ(info->tets->vertices, 4);
  EXPECT_EQ(info->ten_node_tets, 1);
  const auto rows = info->rows();
  EXPECT_EQ(std::count(rows.begin(), rows.end(),
                       std::pair<std::string, std::string>("of ten nodes",
                                                           "1 tet, read by their corners with straight edges")),
            1);
}

TEST_F(TenNodeFiles, GiveQuadraticBodiesStraightMiddlesAndGroupsThatHoldThem) {
  scene.objects[0].quadratic = true;
  const CompiledScene c = compiled(scene);
  ASSERT_EQ(c.model.order.vertex_count(), 10);
  const ElementNodes nodes = c.model.nodes_of(0);
  ASSERT_EQ(nodes.size(), 10u);
  std::set<int32_t> expected;  // the face z = 0
  for (size_t k = 0; k < 10; ++k) {
    const Vec3d x = c.model.rest[nodes[k]];
    if (x.z == 0) expected.insert(static_cast<int32_t>(c.model.order.vertex(Slot{nodes[k]})));
    if (k < 4) continue;
    const Vec3d off = x - 0.5 * (c.model.rest[nodes[edge_ends[k - 4][0]]] + c.model.rest[nodes[edge_ends[k - 4][1]]]);
    EXPECT_EQ(dot(off, off), 0) << k;
  }
  EXPECT_EQ(expected.size(), 6u);
  EXPECT_EQ(held_vertices(c), expected);
}

class QuadraticFrames : public TemporaryFolder {};

// A linear and a quadratic block that hang from their tops.
TEST_F(QuadraticFrames, HaveTenPointsInVtksOrder) {
  Scene scene = box_scene(2);
  scene.gravity = {0, 0, -9.8};
  scene.materials[0].set("youngs_modulus", 2e4);
  scene.objects.push_back(scene.objects[0]);
  scene.objects[1].name = "quadratic";
  scene.objects[1].quadratic = true;
  scene.objects[1].transform.translate = {2, 0, 0};
  for (const char* object : {"block", "quadratic"})
    scene.pins.push_back(pin_of(SelectPlane{{0, 0, 1}, {0, 0, 1}}, object));
  scene.solver.type = "vbd";
  scene.time.frame_dt = 0.02;
  scene.time.duration = 0.1;
  RunOptions options;
  options.folder = folder() / "out";
  const Result<RunOutcome> outcome = run_scene(scene, options, {});
  ASSERT_TRUE(outcome) << outcome.error().message();

  double bent = 0;
  for (const int64_t frame : {0, 5}) {
    const std::string file = read_file(OutputPaths(folder() / "out").volume_frame(frame)).value();
    const MeshData data = parse_vtu(file, "frame").value();
    const std::vector<double> types = array_of(file, "types", "UInt8"),
                              moved = array_of(file, "displacement [m]", "Float32");
    ASSERT_EQ(types.size(), 80u);
    for (size_t e = 0; e < 80; ++e) EXPECT_EQ(types[e], e < 40 ? 10 : 24) << e;
    ASSERT_EQ(data.middles.size(), 80u);
    const auto now = [&](int32_t v) { return data.vertices[v]; };
    const auto rest = [&](int32_t v) { return now(v) - Vec3d{moved[3 * v], moved[3 * v + 1], moved[3 * v + 2]}; };
    std::set<int32_t> middles;
    for (size_t e = 40; e < 80; ++e)
      for (size_t k = 0; k < 6; ++k) {
        const int32_t a = data.tets[e][edge_ends[k][0]], b = data.tets[e][edge_ends[k][1]], m = data.middles[e][k];
        middles.insert(m);
        const Vec3d off = rest(m) - 0.5 * (rest(a) + rest(b)), curve = now(m) - 0.5 * (now(a) + now(b));
        EXPECT_LT(std::sqrt(dot(off, off)), 1e-6) << "in single precision, up to 3";
        bent = std::max(bent, std::sqrt(dot(curve, curve)));
      }
    // The surface has a middle on each edge, numbered after the corners of the block.
    EXPECT_EQ(data.vertices.size(), 27 + 27 + middles.size());
    EXPECT_EQ(*middles.begin(), 54);
    // As a mesh file it has the corners, and edges that were curved.
    std::vector<std::string> warnings;
    MeshData copy = data;
    EXPECT_EQ(take_tets(std::move(copy), "frame", nullptr, &warnings)->vertices.size(), 54u);
    EXPECT_EQ(warnings.empty(), frame == 0);
  }
  EXPECT_GT(bent, 1e-3);
}

}  // namespace
}  // namespace sinew
