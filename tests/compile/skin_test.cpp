// Source: docs/output.md and meshing/embedding.h: a skin's points are sums of vertices, with barycentric weights that
// are computed here from the positions in the frames of the tets.
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <map>

#include "files/read_file.h"
#include "io/says.h"
#include "io/temporary_folder.h"
#include "io/vtu.h"
#include "record/run_reader.h"
#include "sinew/run.h"
#include "support/box_scene.h"
#include "support/run_files.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

// A bent strip of triangles in the unit cube, one corner moved by `beyond`, out of the cube; the last vertex is unused.
std::string strip(double beyond = 0) {
  std::string obj;
  for (const Vec3d p : {Vec3d{0.1, 0.2, 0.3}, Vec3d{0.9, 0.3, 0.4}, Vec3d{0.2, 0.8, 0.5},
                        Vec3d{0.95 + beyond, 0.9, 0.6}, Vec3d{0.5, 0.5, 0.5}})
    obj += "v " + std::to_string(p.x) + ' ' + std::to_string(p.y) + ' ' + std::to_string(p.z) + '\n';
  return obj + "f 1 2 3\nf 2 4 3\n";
}

class SkinTest : public TemporaryFolder {
 protected:
  void SetUp() override {
    TemporaryFolder::SetUp();
    write(strip());
  }
  void write(const std::string& obj) const { std::ofstream(folder() / "skin.obj") << obj; }
  fs::path out() const { return folder() / "out"; }

  // A block that hangs from its top.
  Scene scene() const {
    Scene scene = box_scene(3);
    scene.base_folder = folder().string();
    scene.gravity = {0, -9.8, 0};
    scene.objects[0].skin = "skin.obj";
    scene.pins = {pin_of(SelectPlane{{0, 1, 0}, {0, 1, 0}})};
    scene.materials[0].set("youngs_modulus", 3e4);
    scene.time.frame_dt = 0.02;
    scene.time.duration = 0.12;
    scene.output.checkpoint_every = 2;
    return scene;
  }
  RunOutcome run(const Scene& scene, const fs::path& path, int threads = 1, int64_t frames = -1, bool resume = false) {
    RunOptions options;
    options.folder = path;
    options.threads = threads;
    options.resume = resume;
    if (frames >= 0) options.frames = frames;
    const Result<RunOutcome> outcome = run_scene(scene, options, {});
    EXPECT_TRUE(outcome) << outcome.error().message();
    return outcome ? *outcome : RunOutcome{};
  }
};

// The current place of a point of the rest mesh, by the tet in the frame that contains it or is closest to it.
Vec3d carried(Vec3d p, const MeshData& rest, const MeshData& now) {
  Vec3d place{};
  double best = -1e300;
  for (const Tet& t : rest.tets) {
    const auto& x = rest.vertices;
    const Mat3d edges{x[t[1]] - x[t[0]], x[t[2]] - x[t[0]], x[t[3]] - x[t[0]]};
    const Vec3d w = (1 / determinant(edges)) * (transpose(cofactor(edges)) * (p - x[t[0]]));
    const double least = std::min({w.x, w.y, w.z, 1 - w.x - w.y - w.z});
    if (least <= best) continue;
    best = least;
    const auto& y = now.vertices;
    place = y[t[0]] + w.x * (y[t[1]] - y[t[0]]) + w.y * (y[t[2]] - y[t[0]]) + w.z * (y[t[3]] - y[t[0]]);
  }
  return place;
}

TEST_F(SkinTest, FollowsTheTetsInEveryOutput) {
  Scene hanging = scene();
  hanging.objects[0].copies = {{2, 1, 1}, {1.5, 0, 0}};
  hanging.objects[0].transform.scale = {-1, 1, 1};
  hanging.objects[0].transform.translate = {1, 0, 0};
  run(hanging, out());

  const Result<RunReader> reader = open_run(out());
  ASSERT_TRUE(reader) << reader.error().message();
  const RecordedSurface& skin = reader->surfaces().at(0);
  ASSERT_EQ(skin.point_count, 10);
  EXPECT_TRUE(skin.vertices.empty());
  // The triangles of the mirrored strip are reversed, so that its outside remains outside.
  EXPECT_EQ(skin.triangles, (std::vector<Triangle>{{0, 2, 1}, {1, 2, 3}, {5, 7, 6}, {6, 7, 8}}));
  EXPECT_EQ(skin.materials, (std::vector<int32_t>{0, 0, 0, 0}));
  EXPECT_NEAR(skin.rest[1].x, 0.1, 1e-15);
  EXPECT_NEAR(skin.rest[6].x, 1.6, 1e-15);
  EXPECT_NEAR(skin.rest[6].y, 0.3, 1e-15);

  const auto volume = [&](int64_t frame) {
    return parse_vtu(read_file(OutputPaths(out()).volume_frame(frame)).value(), "frame").value();
  };
  const MeshData rest = volume(0);
  EXPECT_EQ(rest.tets.size(), 2u * 5 * 27);
  double moved = 0;
  for (const int64_t frame : {0, 3, 6}) {
    const SurfaceFrame shown = reader->frame(static_cast<size_t>(frame)).value();
    const MeshData now = volume(frame);
    for (size_t k = 0; k < 10; ++k) {
      const Vec3d expected = carried(skin.rest[k], rest, now), d = shown.positions[k] - expected;
      // For positions in single precision, up to 2.5.
      EXPECT_LT(std::sqrt(dot(d, d)), 1e-6) << frame << ", " << k;
      moved = std::max(moved, skin.rest[k].y - expected.y);
      EXPECT_GE(shown.strain[k], 0);
      if (frame > 0) {
        EXPECT_GT(shown.strain[k], 0);
      }
    }
  }
  EXPECT_GT(moved, 0.01);

  // The caches contain its points, in its order.
  const std::string cache = read_file(out() / "surface/block.pc2").value();
  ASSERT_EQ(cache.size(), 32u + 7 * 10 * 12);
  const SurfaceFrame last = reader->frame(6).value();
  for (size_t k = 0; k < 10; ++k) {
    float place[3];
    std::memcpy(place, cache.data() + 32 + 6 * 120 + 12 * k, sizeof place);
    EXPECT_EQ(Real3({place[0], place[1], place[2]}),
              Real3({last.positions[k].x, last.positions[k].y, last.positions[k].z}));
  }
  EXPECT_TRUE(says(reader->summary().text, "\"surface_vertices\": 10"));
  EXPECT_TRUE(says(reader->summary().text, "\"vertices_outside\": 0"));
}

TEST_F(SkinTest, SurfaceFramesForParaViewShowIt) {
  Scene hanging = scene();
  hanging.output.vtu = VtuFrames::surface;
  // Beside an object without a skin.
  hanging.objects.push_back(hanging.objects[0]);
  hanging.objects[1].name = "plain";
  hanging.objects[1].skin.clear();
  hanging.objects[1].transform.translate = {0, -3, 0};
  run(hanging, out());
  const Result<RunReader> reader = open_run(out());
  ASSERT_TRUE(reader) << reader.error().message();
  const SurfaceFrame frame = reader->frame(4).value();
  const MeshData shown = parse_vtu(read_file(OutputPaths(out()).volume_frame(4)).value(), "frame").value();
  ASSERT_EQ(shown.vertices.size(), frame.positions.size());
  EXPECT_EQ(shown.triangles.size(), 2u + 12 * 9);
  for (size_t k = 0; k < shown.vertices.size(); ++k) {
    EXPECT_EQ(shown.vertices[k].y, frame.positions[k].y);
  }
  EXPECT_EQ(reader->surfaces()[1].first, 5);
  EXPECT_EQ(reader->surfaces()[1].vertices.size(), 56u);
}

TEST_F(SkinTest, TrianglesHaveTheMaterialOfWhatCarriesThem) {
  Scene two = scene();
  two.objects.push_back(two.objects[0]);
  two.objects[1].name = "second";
  two.objects[1].material = "steel";
  two.objects[1].transform.translate = {2, 0, 0};
  const CompiledScene c = compiled(two);
  EXPECT_EQ(c.objects[0].skin->materials, (std::vector<int32_t>{0, 0}));
  EXPECT_EQ(c.objects[1].skin->materials, (std::vector<int32_t>{1, 1}));
  EXPECT_EQ(c.objects[1].surface.size(), 12u * 9) << "loads and bindings act on the boundary of the tets";
}

TEST_F(SkinTest, GivesTheSameBitsResumedAndByAnyThreads) {
  const Scene hanging = scene();
  const RunOutcome expected = run(hanging, folder() / "whole");
  for (const int threads : {2, 3})
    EXPECT_EQ(run(hanging, out() / std::to_string(threads), threads).hash, expected.hash);
  for (const int threads : {2, 3})
    EXPECT_EQ(support::lasting_files(out() / std::to_string(threads)), support::lasting_files(folder() / "whole"));
  // Killed when frame 3 is written; the checkpoint is that of frame 2.
  const pid_t child = ::fork();
  if (child == 0) {
    RunOptions options;
    options.folder = folder() / "cut";
    options.threads = 2;
    RunObserver observer;
    observer.on_frame = [](const RunFrame& r) {
      if (r.frame == 3) ::_exit(0);
    };
    (void)run_scene(hanging, options, observer);
    ::_exit(1);
  }
  int state = 0;
  ASSERT_EQ(::waitpid(child, &state, 0), child);
  ASSERT_TRUE(WIFEXITED(state) && WEXITSTATUS(state) == 0);
  EXPECT_TRUE(fs::exists(folder() / "cut/surface/frame_000003.bin"));
  run(hanging, folder() / "cut", 1, -1, true);
  EXPECT_EQ(support::lasting_files(folder() / "cut"), support::lasting_files(folder() / "whole"));
}

TEST_F(SkinTest, OfARunCannotBeExchanged) {
  run(scene(), out(), 1, 3);
  const auto refusal = [&](const Scene& other) {
    RunOptions options;
    options.folder = out();
    options.threads = 1;
    options.resume = true;
    const Result<RunOutcome> outcome = run_scene(other, options, {});
    return outcome ? std::string() : outcome.error().message();
  };
  write(strip(-0.1));
  EXPECT_TRUE(says(refusal(scene()), "belongs to another scene"));
  Scene none = scene();
  none.objects[0].skin.clear();
  EXPECT_TRUE(says(refusal(none), "objects.block.skin"));
  write(strip());
  EXPECT_EQ(refusal(scene()), "");
}

TEST_F(SkinTest, FarFromTheTetsIsWarnedOf) {
  write(strip(0.2));  // an edge is at least 1/3
  EXPECT_TRUE(compiled(scene()).warnings.empty());
  write(strip(1));
  const CompiledScene c = compiled(scene());
  ASSERT_EQ(c.warnings.size(), 1u);
  EXPECT_TRUE(says(c.warnings[0], "objects.block.skin: 1 of 5 vertices lie more than one edge length"));
  EXPECT_EQ(c.objects[0].skin->outside, 1);
}

TEST_F(SkinTest, SaysWhatIsWrong) {
  Scene lost = scene();
  lost.objects[0].skin = "nowhere.obj";
  EXPECT_TRUE(says(error_of(lost), "objects.block.skin: "));
  EXPECT_TRUE(says(error_of(lost), "nowhere.obj"));
  write("v 0 0 0\nv 1 0 0\nv 0 1 0\n");
  EXPECT_TRUE(says(error_of(scene()), "objects.block.skin: "));
  write(strip(1e9));
  EXPECT_TRUE(says(error_of(scene()), "vertex 3 lies at"));
  EXPECT_TRUE(says(error_of(scene()), "check the units"));

  Scene cloth = scene();
  cloth.pins.clear();
  cloth.objects[0].mesh = MeshGrid{};
  cloth.objects[0].material.clear();
  EXPECT_TRUE(says(error_of(cloth), "objects.block.skin: chains and grids are made of springs"));
  Scene plane = scene();
  plane.pins.clear();
  plane.objects[0].mesh = MeshRectangle{};
  EXPECT_TRUE(says(error_of(plane), "objects.block.skin: it is made of triangles, and only tetrahedra carry a skin"));
}

TEST_F(SkinTest, IsReadAndWritten) {
  const Scene read = parse_scene(R"({ "sinew": 1, "materials": { "r": {} }, "objects": { "a": {
    "mesh": { "box": {} }, "material": "r", "skin": "bunny.obj" } } })",
                                 "scene.json", "")
                         .value();
  EXPECT_EQ(read.objects[0].skin, "bunny.obj");
  EXPECT_EQ(parse_scene(resolved_json(read), "again", "").value().objects[0].skin, "bunny.obj");
}

}  // namespace
}  // namespace sinew
