// Source: the promises of sinew/mesh_info.h; the numbers of a cube by hand.
#include "sinew/mesh_info.h"

#include <gtest/gtest.h>

#include <atomic>
#include <fstream>

#include "io/says.h"
#include "io/temporary_folder.h"
#include "sinew/mesher.h"

namespace sinew {
namespace {

class MeshInfoTest : public TemporaryFolder {
 protected:
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(folder() / name) << text;
    return folder() / name;
  }
};

// A unit cube of five tets, one of them turned inside out.
constexpr const char* cube_tets = R"(MeshVersionFormatted 2
Dimension 3
Vertices 8
0 0 0 0
1 0 0 0
0 1 0 0
1 1 0 0
0 0 1 0
1 0 1 0
0 1 1 0
1 1 1 0
Tetrahedra 5
1 2 3 5 3
4 3 2 8 3
6 5 8 2 3
7 8 5 3 4
3 2 5 8 4
End
)";
constexpr const char* cube_surface = R"(v 0 0 0
v 2 0 0
v 2 2 0
v 0 2 0
v 0 0 2
v 2 0 2
v 2 2 2
v 0 2 2
f 4 3 2 1
f 5 6 7 8
f 1 2 6 5
f 2 3 7 6
f 3 4 8 7
f 4 1 5 8
)";

TEST_F(MeshInfoTest, OfTets) {
  const Result<MeshInfo> info = mesh_info(write("cube.mesh", cube_tets), 1);
  ASSERT_TRUE(info.ok()) << info.error().message();
  ASSERT_TRUE(info->tets.has_value());
  EXPECT_FALSE(info->surface.has_value());
  EXPECT_EQ(info->tets->vertices, 8);
  EXPECT_EQ(info->tets->tets, 5);
  EXPECT_NEAR(info->tets->quality.volume, 1, 1e-12);
  EXPECT_EQ(info->tets->quality.inverted_tets, 0) << "after the repair";
  EXPECT_FALSE(info->repairs.empty());
  EXPECT_EQ(info->tets->box.low, (Real3{0, 0, 0}));
  EXPECT_EQ(info->tets->box.high, (Real3{1, 1, 1}));
  EXPECT_NEAR(info->tets->boundary_area, 6, 1e-12);
  EXPECT_TRUE(info->tets->boundary.watertight());
  EXPECT_EQ(info->tets->regions, (std::vector<std::pair<int32_t, int64_t>>{{3, 3}, {4, 2}}));
  EXPECT_EQ(info->tet_colors, 5) << "each tet shares a vertex with every other";
  EXPECT_EQ(info->vertex_colors, 5) << "of a greedy colouring; four would do";
  const auto rows = info->rows();
  ASSERT_GE(rows.size(), 2u);
  EXPECT_EQ(rows[0], (std::pair<std::string, std::string>{"vertices", "8"}));
  EXPECT_EQ(rows.back().first, "colours needed");
}

TEST_F(MeshInfoTest, OfASurface) {
  const Result<MeshInfo> info = mesh_info(write("cube.obj", cube_surface), 1);
  ASSERT_TRUE(info.ok()) << info.error().message();
  ASSERT_TRUE(info->surface.has_value());
  EXPECT_FALSE(info->tets.has_value());
  EXPECT_TRUE(info->surface->topology.watertight());
  EXPECT_EQ(info->surface->topology.faces, 12);
  EXPECT_EQ(info->surface->topology.euler_characteristic(), 2);
  EXPECT_NEAR(info->surface->volume, 8, 1e-12);
  EXPECT_NEAR(info->surface->area, 24, 1e-12);
  EXPECT_EQ(info->surface->shortest_edge, 2);
  EXPECT_EQ(info->rows().front().second, "8");
}

TEST_F(MeshInfoTest, SaysWhatIsWrong) {
  const auto fault = [](const std::filesystem::path& file) {
    const Result<MeshInfo> info = mesh_info(file);
    return info ? "" : info.error().message();
  };
  EXPECT_TRUE(says(fault(folder() / "none.obj"), "none.obj"));
  EXPECT_TRUE(says(fault(write("cube.step", "")), "surfaces have one of .obj"));
  std::string huge = cube_surface;
  for (size_t at = 0; (at = huge.find("v 2", at)) != std::string::npos; ++at) huge.replace(at, 3, "v 2e200");
  EXPECT_TRUE(says(fault(write("huge.obj", huge)), "has coordinates as large as 2e+200 m"));
}

// What is filled has the volume that it says it has.
TEST_F(MeshInfoTest, OfAFilledSolid) {
  const Result<FilledSolid> solid = mesh_file(write("cube.obj", cube_surface), {.cells = 8});
  ASSERT_TRUE(solid.ok()) << solid.error().message();
  EXPECT_NEAR(solid->enclosed, 8, 1e-9);
  const MeshSummary summary = summarize(*solid);
  EXPECT_EQ(summary.tets, static_cast<int64_t>(solid->tets.size()));
  EXPECT_EQ(summary.vertices, static_cast<int64_t>(solid->vertices.size()));
  EXPECT_NEAR(summary.quality.volume, 8, 0.3);
  EXPECT_GT(summary.quality.worst_small_angle, 10);
  ASSERT_TRUE(check_mesh_output(folder() / "cube.vtu").ok());
  ASSERT_TRUE(write_mesh(folder() / "cube.vtu", *solid).ok());
  const Result<MeshInfo> info = mesh_info(folder() / "cube.vtu");
  ASSERT_TRUE(info.ok()) << info.error().message();
  EXPECT_EQ(info->tets->tets, summary.tets);
  EXPECT_FALSE(check_mesh_output(folder() / "cube.obj").ok()) << "a suffix of surfaces";
  EXPECT_FALSE(check_mesh_output(folder() / "none" / "cube.vtu").ok());
}

TEST_F(MeshInfoTest, OfAShapeInAFile) {
  const Result<FilledSolid> solid = mesh_file(write("ball.json", R"({ "ball": { "radius": 2 } })"), {.cells = 12});
  ASSERT_TRUE(solid.ok()) << solid.error().message();
  EXPECT_NEAR(summarize(*solid).quality.volume, 4.0 / 3 * 3.14159265 * 8, 2);
  const SceneShape two{"ball", {{"radius", 2}}};
  EXPECT_EQ(parse_shape(R"({ "ball": { "radius": 2 } })", "text").value(), two);
  const auto fault = [&](const std::string& text) { return mesh_file(write("bad.json", text), {}).error().message(); };
  EXPECT_TRUE(says(fault("{"), "bad.json"));
  EXPECT_TRUE(says(fault(R"({ "bal": {} })"), "did you mean 'ball'"));
  EXPECT_TRUE(says(fault(R"({ "ball": { "radius": -1 } })"), "bad.json: shape.ball.radius = -1"));
  EXPECT_TRUE(says(mesh_file(write("a.step", ""), {}).error().message(), "shapes have .json"));
}

TEST_F(MeshInfoTest, AListenerEndsTheMesherInEveryStage) {
  const std::filesystem::path file = write("cube.obj", cube_surface);
  for (const MesherSettings& settings : {MesherSettings{.cells = 20, .smoothing = 2}, MesherSettings{.tets = 3000}}) {
    std::vector<std::string> stages;
    const auto whole = mesh_surface(file, settings, {}, {.on_progress = [&](const Progress& now) {
                                      if (stages.empty() || stages.back() != now.stage) stages.push_back(now.stage);
                                    }});
    ASSERT_TRUE(whole.ok()) << whole.error().message();
    ASSERT_GE(stages.size(), 4u);
    for (const std::string& stage : stages) {
      std::string last;
      const auto ended = mesh_surface(file, settings, {}, {.on_progress = [&](const Progress& now) {
                                        last = now.stage;
                                        return now.stage != stage;
                                      }});
      ASSERT_FALSE(ended.ok()) << stage;
      EXPECT_EQ(ended.error().message(), file.string() + ": was interrupted");
      EXPECT_EQ(last, stage) << "nobody is told of anything afterwards";
    }
  }
  const std::atomic<bool> interrupt{true};
  const Result<FilledSolid> ended = mesh_shape({"ball", {}}, {}, {.interrupt = &interrupt});
  ASSERT_FALSE(ended.ok());
  EXPECT_EQ(ended.error().message(), "the mesher: was interrupted");
}

}  // namespace
}  // namespace sinew
