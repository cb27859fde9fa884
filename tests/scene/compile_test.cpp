// Sources: issue 2, items 3 and 4 and "What bad input gets"; MATH.md section 1 (traction T A/3 per face vertex).
#include "scene/compile.h"

#include <gtest/gtest.h>

#include <unistd.h>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>

#include "io/npy.h"
#include "sinew/scene_file.h"

namespace sinew {
namespace {

Scene box_scene(int cells = 2) {
  Scene scene;
  scene.gravity = {0, 0, 0};
  scene.materials = {SceneMaterial{}, SceneMaterial{}};
  scene.materials[0].name = "rubber";
  scene.materials[1].name = "steel";
  scene.materials[1].youngs_modulus = 2e11;
  scene.materials[1].density = 7800;
  SceneObject block;
  block.name = "block";
  block.mesh = MeshBox{{1, 1, 1}, {cells, cells, cells}, {0, 0, 0}, 5};
  block.material = "rubber";
  scene.objects = {block};
  return scene;
}
ScenePin pin_of(Selection selection, const char* object = "block") {
  ScenePin pin;
  pin.object = object;
  pin.select = std::move(selection);
  return pin;
}
SceneLoad load_of(SceneLoad::Kind kind, Real3 value, Selection selection) {
  SceneLoad load;
  load.kind = kind;
  load.object = "block";
  load.select = std::move(selection);
  load.value = value;
  return load;
}

CompiledScene compiled(const Scene& scene) {
  Result<CompiledScene> result = compile_scene(scene);
  EXPECT_TRUE(result.ok()) << result.error().message();
  return result ? std::move(*result) : CompiledScene{};
}
std::string error_of(const Scene& scene) {
  const Result<CompiledScene> result = compile_scene(scene);
  return result ? "" : result.error().message();
}
#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << text

double volume_of(const CompiledScene& c) {
  double sum = 0;
  for (const Tet& t : c.model.tets) {
    const auto& x = c.model.rest;
    const double v = dot(x[t[1]] - x[t[0]], cross(x[t[2]] - x[t[0]], x[t[3]] - x[t[0]])) / 6;
    EXPECT_GT(v, 0);
    sum += v;
  }
  return sum;
}
Vec3d rest_of(const CompiledScene& c, int32_t vertex) {
  return c.model.rest[static_cast<size_t>(c.model.order.slot(UserVertex{vertex}))];
}
Vec3d sum_of_forces(const CompiledScene& c) {
  Vec3d sum{};
  for (size_t s = 0; s < c.model.mass.size(); ++s) sum += c.model.external_force(s);
  return sum;
}
// The user's numbers of the vertices a pin holds.
std::set<int32_t> vertices_of(const CompiledScene& c, size_t pin) {
  std::set<int32_t> vertices;
  for (const int32_t slot : c.pins[pin].slots) vertices.insert(static_cast<int32_t>(c.model.order.vertex(Slot{slot})));
  return vertices;
}
Vec3d start_of(const CompiledScene& c, int32_t v) {
  return c.start.x[static_cast<size_t>(c.model.order.slot(UserVertex{v}))];
}

// A file for one test.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& name, const std::string& content)
      : path_(std::filesystem::temp_directory_path() / ("sinew_" + std::to_string(::getpid()) + "_" + name)) {
    std::ofstream(path_) << content;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  std::string folder() const { return path_.parent_path().string(); }
  std::string name() const { return path_.filename().string(); }

 private:
  std::filesystem::path path_;
};

TEST(Compile, MergesObjectsInTheirOrder) {
  Scene scene = box_scene(2);
  SceneObject ball;
  ball.name = "ball";
  ball.mesh = MeshBall{0.5, 2, {5, 0, 0}};
  ball.material = "steel";
  ball.color = Real3{1, 0, 0};
  scene.objects.push_back(ball);
  const CompiledScene c = compiled(scene);
  ASSERT_EQ(c.objects.size(), 2u);
  EXPECT_EQ(c.objects[0].first_vertex, 0);
  EXPECT_EQ(c.objects[0].last_vertex, 27);
  EXPECT_EQ(c.objects[0].last_tet, 40);
  EXPECT_EQ(c.objects[1].first_vertex, 27);
  EXPECT_EQ(c.objects[1].last_tet, static_cast<int32_t>(c.model.tets.size()));
  EXPECT_EQ(c.objects[1].color, (Real3{1, 0, 0}));
  // Surfaces: 2 x 4 triangles on each side of the box; all triangles of the ball in its own vertices.
  EXPECT_EQ(c.objects[0].surface.size(), 48u);
  EXPECT_EQ(c.objects[1].surface.size(), 20u * 4);
  for (const Triangle& t : c.objects[1].surface)
    for (const int32_t v : t) EXPECT_GE(v, 27);
  // Masses by the materials.
  double mass = 0;
  for (const double m : c.model.mass) mass += m;
  const double ball_volume = volume_of(c) - 1;
  EXPECT_NEAR(mass, 1000 + 7800 * ball_volume, 1e-9 * mass);
  ASSERT_EQ(c.model.blocks.size(), 2u);
  EXPECT_TRUE(c.warnings.empty());
  ASSERT_GE(c.stages.size(), 3u);
  for (const CompileStage& stage : c.stages) EXPECT_GT(stage.bytes, 0u) << stage.name;
}

TEST(Compile, SurfacesPointOutwards) {
  const CompiledScene c = compiled(box_scene(3));
  double volume = 0;
  for (const Triangle& t : c.objects[0].surface) {
    const std::vector<Vec3d> x = c.model.order.to_user(c.model.rest);
    volume += dot(x[t[0]], cross(x[t[1]], x[t[2]])) / 6;
  }
  EXPECT_NEAR(volume, 1, 1e-12);
}

TEST(Compile, TransformsScaleThenRotateThenTranslate) {
  Scene scene = box_scene(1);
  scene.objects[0].transform = {{2, 3, 4}, {0, 0, 5}, 90, {10, 20, 30}};
  const CompiledScene c = compiled(scene);
  // Vertex 7 is (1, 1, 1): scaled (2, 3, 4), turned (-3, 2, 4).
  const Vec3d x = rest_of(c, 7);
  EXPECT_NEAR(x.x, 7, 1e-14);
  EXPECT_NEAR(x.y, 22, 1e-14);
  EXPECT_NEAR(x.z, 34, 1e-14);
  EXPECT_NEAR(volume_of(c), 24, 1e-12);
}

TEST(Compile, MirrorsWithoutTurningInsideOut) {
  for (const Real3& scale : {Real3{-1, 1, 1}, Real3{-2, -1, -1}, Real3{-1, -1, 1}}) {
    Scene scene = box_scene(2);
    scene.objects[0].transform.scale = scale;
    const CompiledScene c = compiled(scene);
    EXPECT_NEAR(volume_of(c), std::abs(scale[0] * scale[1] * scale[2]), 1e-12);
    EXPECT_TRUE(c.warnings.empty());
  }
}

TEST(Compile, StartsStretchedWithVelocity) {
  Scene scene = box_scene(1);
  scene.objects[0].stretch = {1.3, 1, 0.5};
  scene.objects[0].velocity = {1, 2, 3};
  const CompiledScene c = compiled(scene);
  EXPECT_DOUBLE_EQ(start_of(c, 7).x, 1.3);
  EXPECT_DOUBLE_EQ(start_of(c, 7).z, 0.5);
  EXPECT_EQ(rest_of(c, 7).x, 1);  // the rest shape stays
  const auto slot = static_cast<size_t>(c.model.order.slot(UserVertex{7}));
  EXPECT_EQ(c.model.rest[slot].x, 1);
  EXPECT_EQ(c.start.v[slot].y, 2);
}

TEST(Compile, SelectsByPlaceAndByNumber) {
  Scene scene = box_scene(2);  // vertex i + 3 (j + 3 k) at (i, j, k) / 2
  const TemporaryFile file("indices.txt", "0 1 # the first two\n\n26\n1\n");
  scene.base_folder = file.folder();
  scene.pins = {pin_of(SelectBox{{0, 0, 0}, {0, 1, 1}}),
                pin_of(SelectSphere{{0, 0, 0}, 0.5}),
                pin_of(SelectPlane{{0, 0, 0.9}, {0, 0, 3}}),
                pin_of(SelectIndices{{5, 3, 5}}),
                pin_of(SelectFile{file.name()}),
                pin_of(SelectAll{})};
  const CompiledScene c = compiled(scene);
  EXPECT_EQ(vertices_of(c, 0), (std::set<int32_t>{0, 3, 6, 9, 12, 15, 18, 21, 24}));
  EXPECT_EQ(vertices_of(c, 1), (std::set<int32_t>{0, 1, 3, 9}));
  EXPECT_EQ(vertices_of(c, 2), (std::set<int32_t>{18, 19, 20, 21, 22, 23, 24, 25, 26}));
  EXPECT_EQ(vertices_of(c, 3), (std::set<int32_t>{3, 5}));
  EXPECT_EQ(c.pins[3].slots.size(), 2u);
  EXPECT_EQ(vertices_of(c, 4), (std::set<int32_t>{0, 1, 26}));
  EXPECT_EQ(vertices_of(c, 5).size(), 27u);
}

TEST(Compile, NumbersCountWithinTheirObject) {
  Scene scene = box_scene(1);
  scene.objects.push_back(scene.objects[0]);
  scene.objects[1].name = "other";
  scene.pins = {pin_of(SelectIndices{{0, 7}}, "other"), pin_of(SelectAll{}, "other")};
  const CompiledScene c = compiled(scene);
  EXPECT_EQ(vertices_of(c, 0), (std::set<int32_t>{8, 15}));
  EXPECT_EQ(vertices_of(c, 1).size(), 8u);
  scene.pins[0].select = SelectIndices{{8}};
  EXPECT_EQ(error_of(scene),
            "scene: pins.0.select.indices.0 = 8: object 'other' has 8 vertices; use numbers from 0 to 7");
}

TEST(Compile, FindsFacesThatWereTurnedIntoTheirPlace) {
  Scene scene = box_scene(4);
  scene.objects[0].transform = {{1, 1, 1}, {1, 1, 0.3}, 33, {0.1, 0.7, -3}};
  // The image of the face x = 0 lies in a plane; its vertices lie there up to rounding.
  const double a = 33 * M_PI / 180, l = std::sqrt(2.09);
  const Vec3d k{1 / l, 1 / l, 0.3 / l}, e{1, 0, 0};
  const Vec3d n = std::cos(a) * e + std::sin(a) * cross(k, e) + ((1 - std::cos(a)) * dot(k, e)) * k;
  scene.pins = {pin_of(SelectPlane{{0.1, 0.7, -3}, {-n.x, -n.y, -n.z}})};
  EXPECT_EQ(compiled(scene).pins[0].slots.size(), 25u);
}

TEST(Compile, PinsTurnAboutTheCentroidUnlessToldOtherwise) {
  Scene scene = box_scene(2);
  scene.objects[0].stretch = {2, 1, 1};
  scene.pins = {pin_of(SelectBox{{1, 0, 0}, {1, 1, 1}}), pin_of(SelectAll{})};
  scene.pins[1].motion.center = Real3{1, 2, 3};
  scene.pins[1].motion.keyframes = {{1, {1, 0, 0}, 180, {1, 1, 1}}};
  scene.pins[1].release = 2;
  const CompiledScene c = compiled(scene);
  EXPECT_DOUBLE_EQ(c.pins[0].center.x, 2);  // where they start, not where they rest
  EXPECT_DOUBLE_EQ(c.pins[0].center.y, 0.5);
  EXPECT_DOUBLE_EQ(c.pins[0].start[0].x, 2);
  EXPECT_EQ(c.pins[0].release, PinScript::no_release);
  EXPECT_EQ(c.pins[1].center.z, 3);
  EXPECT_DOUBLE_EQ(c.pins[1].keys[0].rotate, M_PI);
  EXPECT_EQ(c.pins[1].release, 2);
}

TEST(Compile, TractionSumsToPressureTimesArea) {
  Scene scene = box_scene(3);
  scene.objects[0].transform.scale = {1, 2, 3};
  scene.loads = {load_of(SceneLoad::Kind::traction, {0, -10, 0}, SelectPlane{{0, 2, 0}, {0, 1, 0}})};
  const CompiledScene c = compiled(scene);
  const Vec3d sum = sum_of_forces(c);
  EXPECT_NEAR(sum.y, -10 * 3, 1e-12);  // the top is 1 x 3
  EXPECT_NEAR(sum.x, 0, 1e-12);
  // Only vertices of that face carry it.
  for (int32_t v = 0; v < c.model.order.vertex_count(); ++v) {
    const double f = c.model.external_force(static_cast<size_t>(c.model.order.slot(UserVertex{v}))).y;
    EXPECT_EQ(f != 0, rest_of(c, v).y > 1.99) << v;
  }
}

// An object of copies is what as many objects in their places are.
TEST(Compile, CopiesAreBodiesInRows) {
  Scene rows = box_scene(2), apart = box_scene(2);
  rows.objects[0].copies = {{2, 1, 3}, {3, 0, -2}};
  rows.pins = {{.object = "block", .select = SelectBox{{-9, -9, -9}, {9, 1e-9, 9}}, .motion = {}, .release = {}}};
  apart.objects.clear();
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < 2; ++i) {
      apart.objects.push_back(box_scene(2).objects[0]);
      apart.objects.back().name += std::to_string(apart.objects.size());
      apart.objects.back().transform.translate = {3.0 * i, 0, -2.0 * k};
    }
  }
  const CompiledScene a = compiled(rows), b = compiled(apart);
  ASSERT_EQ(a.objects.size(), 1u);
  EXPECT_EQ(a.model.order.to_user(a.model.rest).size(), 6 * 27u);
  EXPECT_EQ(user_tets(a.model), user_tets(b.model));
  EXPECT_EQ(a.model.mass, b.model.mass);
  for (int32_t v = 0; v < 6 * 27; ++v) {
    const Vec3d apart_by = rest_of(a, v) - rest_of(b, v);
    EXPECT_EQ(dot(apart_by, apart_by), 0);
  }
  std::vector<Triangle> surfaces;
  for (const ObjectPart& part : b.objects) surfaces.insert(surfaces.end(), part.surface.begin(), part.surface.end());
  EXPECT_EQ(a.objects[0].surface, surfaces);
  EXPECT_EQ(a.objects[0].surface_materials.size(), surfaces.size());
  EXPECT_EQ(vertices_of(a, 0).size(), 6 * 9u) << "a pin selects among all of them";
}

TEST(Compile, BodyForceSumsToDensityTimesVolume) {
  Scene scene = box_scene(2);
  scene.loads = {load_of(SceneLoad::Kind::body_force, {0, 0, 7}, SelectAll{}),
                 load_of(SceneLoad::Kind::body_force, {2, 0, 0}, SelectBox{{0, 0, 0}, {0.5, 1, 1}})};
  const Vec3d sum = sum_of_forces(compiled(scene));
  EXPECT_NEAR(sum.z, 7, 1e-12);
  EXPECT_NEAR(sum.x, 1, 1e-12);
  scene.loads.clear();
  scene.gravity = {0, -10, 0};
  EXPECT_NEAR(sum_of_forces(compiled(scene)).y, -10000, 1e-8);
}

TEST(Compile, RegionsGetTheirMaterials) {
  Scene scene = box_scene();
  // Two tets that share a face, one in region 1, one in region 2 (TetGen).
  const TemporaryFile node("two.node", "5 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n4 1 1 1\n");
  const TemporaryFile ele("two.ele", "2 4 1\n0 0 1 2 3 1\n1 1 2 3 4 2\n");
  scene.base_folder = ele.folder();
  scene.objects[0].mesh = MeshFile{ele.name()};
  scene.objects[0].regions = {{2, "steel"}};
  const CompiledScene c = compiled(scene);
  ASSERT_EQ(c.model.blocks.size(), 2u);
  for (const ElasticBlock& block : c.model.blocks) {
    ASSERT_EQ(block.last_tet - block.first_tet, 1);
    const bool is_steel = block.lame.mu > 1e9;
    EXPECT_EQ(c.model.user_tet[static_cast<size_t>(block.first_tet)], is_steel ? 1 : 0);
  }
  scene.objects[0].regions = {{3, "steel"}};
  EXPECT_EQ(error_of(scene),
            "scene: objects.block.regions.3: the mesh has no region of this label; its labels are 1, 2");
  // Where every region has its material the object's own is made of nothing.
  scene.objects[0].regions = {{1, "steel"}, {2, "steel"}};
  EXPECT_EQ(compiled(scene).model.blocks.size(), 1u);
}

TEST(Compile, MendsMeshesAndSaysSo) {
  Scene scene = box_scene();
  // The second tet is inside out, vertex 5 belongs to nothing.
  const TemporaryFile node("odd.node", "6 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n4 1 1 1\n5 7 7 7\n");
  const TemporaryFile ele("odd.ele", "2 4 0\n0 0 1 2 3\n1 1 3 2 4\n");
  scene.base_folder = ele.folder();
  scene.objects[0].mesh = MeshFile{ele.name()};
  scene.pins = {pin_of(SelectAll{})};
  const CompiledScene c = compiled(scene);
  volume_of(c);  // all positive
  ASSERT_EQ(c.warnings.size(), 2u);
  EXPECT_HAS(c.warnings[0], "objects.block.mesh: ");
  EXPECT_EQ(c.model.order.vertex_count(), 6);  // numbers stay the user's
}

// Of the tets of the file, whatever becomes of them; those of other objects are 1.
TEST(Compile, StiffnessFactorsFollowTheirTets) {
  // The first tet repeats a vertex, the third is the second again, the second is inside out.
  const TemporaryFile node("varied.node", "5 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n4 1 1 1\n");
  const TemporaryFile ele("varied.ele", "4 4 0\n0 0 0 2 3\n1 0 2 1 3\n2 0 1 2 3\n3 1 2 3 4\n");
  const TemporaryFile text("factors.txt", "# four\n10 20 30\n 4e1");
  const std::vector<double> numbers{10, 20, 30, 40};
  const TemporaryFile array("factors.npy", encode_npy(numbers));
  const TemporaryFile row("row.npy", encode_npy(numbers, 4));
  for (const StiffnessFactors& factors : std::initializer_list<StiffnessFactors>{
           FactorFile{text.name()}, FactorFile{array.name()}, FactorFile{row.name()}, FactorList{numbers}}) {
    Scene scene = box_scene(1);
    scene.base_folder = ele.folder();
    scene.objects.push_back(scene.objects[0]);
    scene.objects.push_back(scene.objects[0]);
    scene.objects[1].name = "varied";
    scene.objects[1].mesh = MeshFile{ele.name()};
    scene.objects[1].stiffness_factors = factors;
    scene.objects[2].name = "last";
    const CompiledScene c = compiled(scene);
    ASSERT_EQ(c.model.tets.size(), 12u);
    ASSERT_EQ(c.model.stiffness_factor.size(), 12u);
    for (size_t e = 0; e < 12; ++e) {
      const int32_t user = c.model.user_tet[e];
      EXPECT_EQ(c.model.stiffness_factor[e], user == 5 ? 20 : user == 6 ? 40 : 1) << user;
    }
    EXPECT_EQ(c.objects[1].mean_stiffness_factor, 30);
    // The others can be swept in layouts that know no factors.
    ASSERT_EQ(c.model.blocks.size(), 2u);
    EXPECT_FALSE(c.model.has_stiffness_factors(c.model.blocks[0]));
    EXPECT_TRUE(c.model.has_stiffness_factors(c.model.blocks[1]));
  }
}

TEST(Compile, AFactorOfTwoIsTwiceTheModulus) {
  const TemporaryFile file("twos.txt", "2 2 2 2 2");
  Scene scene = box_scene(1);
  scene.materials[0].youngs_modulus *= 2;
  const Lame expected = compiled(scene).model.blocks[0].lame;
  scene.materials[0].youngs_modulus /= 2;
  scene.base_folder = file.folder();
  scene.objects[0].stiffness_factors = FactorFile{file.name()};
  const CompiledScene c = compiled(scene);
  EXPECT_EQ(c.model.blocks[0].lame.mu, expected.mu);
  EXPECT_EQ(c.model.blocks[0].lame.lambda, expected.lambda);
  EXPECT_TRUE(c.model.stiffness_factor.empty());
}

TEST(Compile, ClustersHaveAtMostTheVerticesThatAreAskedFor) {
  Scene scene = box_scene(6);
  EXPECT_EQ(compiled(scene).model.clusters.count(), 1);
  for (const int most : {1, 50, 343}) {
    scene.solver.cluster_vertices = most;
    const CompiledScene c = compiled(scene);
    EXPECT_EQ(c.model.clusters.count() > 1, most < 343);
    for (int32_t k = 0; k < c.model.clusters.count(); ++k) {
      int vertices = 0;
      for (int32_t s = c.model.clusters.slot_begin[k]; s < c.model.clusters.slot_begin[k + 1]; ++s)
        vertices += !c.model.order.is_padding(Slot{s});
      EXPECT_LE(vertices, most);
    }
  }
  scene.solver.cluster_vertices = -1;
  EXPECT_HAS(error_of(scene), "solver.cluster_vertices = -1 [-]: must be at least 0 and at most 65536");
  scene.solver.cluster_vertices = 65537;
  EXPECT_HAS(error_of(scene), "solver.cluster_vertices = 65537 [-]");
}

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
  scene.materials[0].poisson_ratio = 0.5;
  EXPECT_EQ(
      error_of(scene),
      "scene: materials.rubber.poisson_ratio = 0.5 [-]: must be below 0.5 and above -1; for nearly incompressible "
      "use 0.49");
  scene = box_scene();
  scene.materials[0].density = std::nan("");
  EXPECT_HAS(error_of(scene), "materials.rubber.density = nan [kg/m^3]: must be a finite number");
  scene = box_scene();
  scene.materials[0].model = "stvkk";
  EXPECT_HAS(error_of(scene), "did you mean 'stvk'?");
  scene = box_scene();
  scene.materials[0].mu = 1e4;
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
  EXPECT_HAS(error_of(scene), "solver.type = \"vdb\": must be one of vbd, ");
  scene = box_scene();
  scene.solver.options = {{"iterations", 0.0}, {"speed", 3.0}};
  EXPECT_HAS(error_of(scene), "solver.iterations = 0 [-]: must be at least 1");
  EXPECT_HAS(error_of(scene), "solver.speed: unknown option of vbd");
  scene = box_scene();
  scene.render.color_by = "colour";
  EXPECT_HAS(error_of(scene), "render.color_by = \"colour\": must be one of object");
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
  // A load that cancels gravity leaves one, in any place.
  Scene balanced = scene;
  balanced.loads = {load_of(SceneLoad::Kind::body_force, {0, 9810, 0}, SelectAll{})};
  EXPECT_EQ(compiled(balanced).warnings,
            (std::vector<std::string>{"objects.block is held nowhere: its equilibrium is not unique"}));
  // One vertex is enough to hang from; but not to hold another body.
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
  EXPECT_HAS(error_of(with([](Scene& s) { s.materials[0].youngs_modulus = 1e-30; })),
             "objects.block: the stiffness of a tetrahedron is ");
  EXPECT_HAS(error_of(with([](Scene& s) { s.materials[0].youngs_modulus = 1e30; })),
             "objects.block: the stiffness of a tetrahedron is ");
  const Scene fast = with([](Scene& s) {
    s.time.frame_dt = 1e-12;
    s.time.duration = 1e-11;
  });
  EXPECT_HAS(error_of(fast), "objects.block: the mass / time step^2 of a vertex is ");
  EXPECT_HAS(error_of(fast), "or set solver.precision = \"double\"");
  // What single precision cannot, double may; but it has an end too.
  const auto in_double = [](Scene scene) {
    scene.solver.options = {{"precision", std::string("double")}};
    return scene;
  };
  EXPECT_EQ(error_of(in_double(tiny)), "");
  EXPECT_EQ(error_of(in_double(fast)), "");
  EXPECT_HAS(error_of(in_double(with([](Scene& s) { s.materials[0].youngs_modulus = 1e200; }))),
             "double precision computes with 1e-150 to 1e+150");
  const Scene thick = with([](Scene& s) { s.materials[0].damping = 1e300; });
  EXPECT_HAS(error_of(thick), "materials.rubber.damping = 1e+300 [s]: damping / time step times the stiffness");
  EXPECT_HAS(error_of(in_double(thick)), "materials.rubber.damping = 1e+300 [s]");
  EXPECT_EQ(error_of(with([](Scene& s) { s.materials[0].damping = 10; })), "");
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
  // A scene for sweeps can be handed to Newton all the same.
  scene.solver =
      with_solver({"vbd", {{"precision", std::string("single")}, {"iterations", 3.0}}, "none", {}}, "newton");
  EXPECT_EQ(error_of(scene), "");
  EXPECT_EQ(scene.solver.options.size(), 1u);
}

TEST(CompileWarnings, WhatIsSeldomMeant) {
  Scene scene = box_scene();
  scene.time.duration = 0.99;
  scene.gravity = {0, 0, -9.81};
  scene.loads = {load_of(SceneLoad::Kind::body_force, {0, 0, 9810}, SelectAll{})};
  scene.time.quasistatic = true;
  scene.objects[0].velocity = {1, 0, 0};
  const std::vector<std::string> warnings = compiled(scene).warnings;
  ASSERT_EQ(warnings.size(), 4u);
  EXPECT_EQ(warnings[0], "objects.block is held nowhere: its equilibrium is not unique");
  EXPECT_EQ(warnings[1], "time.duration = 0.99 s is 59.4 frames: the run ends after 59");
  EXPECT_EQ(warnings[2], "gravity = [0, 0, -9.81] does not point down, as up is y");
  EXPECT_EQ(warnings[3], "objects.block.velocity has no effect in quasistatics");
}

TEST(CompileWarnings, ValuesThatMakeNoSense) {
  const auto warning = [](const std::function<void(Scene&)>& change) {
    Scene scene = box_scene();
    scene.gravity = {0, -9.81, 0};
    EXPECT_TRUE(compiled(scene).warnings.empty());
    change(scene);
    std::string all;
    for (const std::string& w : compiled(scene).warnings) all += w + "\n";
    return all;
  };
  EXPECT_HAS(warning([](Scene& s) { s.materials[0].youngs_modulus = 1e15; }),
             "materials.rubber.youngs_modulus = 1e+15 Pa: no solid is like that");
  EXPECT_HAS(warning([](Scene& s) { s.materials[0].youngs_modulus = 1e-2; }),
             "objects.block: its own weight (density * gravity * size = 1.7e+04 Pa) is 1.7e+06 times what rubber has");
  // Moduli in Pa as the factors of a material of 1 Pa; and what is soft only with its factors.
  const TemporaryFile moduli("moduli.txt", "1e5 1e5 1e5 1e5 2e5"), soft("soft.txt", "1e-7 1e-7 1e-7 1e-7 1e-7");
  const auto with_factors = [](const TemporaryFile& file, double modulus) {
    return [&file, modulus](Scene& s) {
      s.base_folder = file.folder();
      s.objects[0].mesh = MeshBox{{1, 1, 1}, {1, 1, 1}, {0, 0, 0}, 5};
      s.objects[0].stiffness_factors = FactorFile{file.name()};
      s.materials[0].youngs_modulus = modulus;
    };
  };
  EXPECT_EQ(warning(with_factors(moduli, 1)), "");
  EXPECT_HAS(warning(with_factors(soft, 1e5)), "is 1.7e+06 times what rubber has in stiffness");
  EXPECT_HAS(warning([](Scene& s) { s.materials[0].density = 1e7; }), "materials.rubber.density = 1e+07 kg/m^3");
  EXPECT_HAS(warning([](Scene& s) {
               s.gravity = {0, -1e12, 0};
             }),
             "objects.block: velocity, gravity and loads move it by 2.78e+08 m in a step of 0.0166667 s");
  EXPECT_HAS(warning([](Scene& s) { s.objects[0].velocity = {1e6, 0, 0}; }), "move it by 1.67e+04 m in a step");
  EXPECT_HAS(warning([](Scene& s) { s.solver.type = "xpbd"; }),
             "objects.block: xpbd with neo_hookean in steps of 0.0166667 s lets it shrink by");
  EXPECT_EQ(warning([](Scene& s) { s.solver.type = "xpbd", s.materials[0].model = "fixed_corotated"; }), "");
  EXPECT_EQ(warning([](Scene& s) { s.solver.type = "xpbd", s.time.substeps = 40; }), "");
  EXPECT_HAS(warning([](Scene& s) { s.time.frame_dt = 1e3, s.time.duration = 1e4; }), "in a step of 1000 s");
  EXPECT_EQ(warning([](Scene& s) { s.solver.type = "newton", s.solver.cluster_vertices = 9; }),
            "solver.cluster_vertices = 9 has no effect on newton: only vbd sweeps the mesh in pieces\n");
  EXPECT_EQ(warning([](Scene& s) { s.solver.cluster_vertices = 9; }), "");
  EXPECT_HAS(warning([](Scene& s) {
               s.objects[0].transform.scale = {1e9, 1e9, 1e9};
               s.solver.options = {{"precision", std::string("double")}};
             }),
             "lengths are in metres");
  EXPECT_HAS(warning([](Scene& s) {
               s.objects[0].transform.translate = {1e5, 0, 0};
             }),
             "objects.block: 1e+05 m from the origin single precision tells points only 0.0119 m apart");
  // A step so short that single precision loses the fall: a body in the air would stay there.
  EXPECT_HAS(warning([](Scene& s) { s.time.frame_dt = 1e-5, s.time.duration = 1e-4; }),
             "objects.block: gravity and loads move it by 9.81e-10 m in a step of 1e-05 s");
  EXPECT_EQ(warning([](Scene& s) {
              s.time.frame_dt = 1e-5, s.time.duration = 1e-4;
              s.solver.options = {{"precision", std::string("double")}};
            }),
            "");
  EXPECT_EQ(warning([](Scene& s) {
              s.objects[0].stretch = {1, 0, 1};
            }),
            "objects.block.stretch = [1, 0, 1]: presses the body flat\n");
  EXPECT_EQ(warning([](Scene& s) {
              s.objects[0].stretch = {1, -2, 1};
            }),
            "objects.block.stretch = [1, -2, 1]: turns the body inside out\n");
  EXPECT_EQ(warning([](Scene& s) { s.objects[0].stretch = {-1, -1, 1}; }), "") << "half a turn";
  EXPECT_EQ(warning([](Scene& s) {
              s.pins = {pin_of(SelectAll{})};
              s.pins[0].motion.keyframes = {{0.5, {}, 0, {1, 1, -1}}};
            }),
            "pins.0.motion.keyframes.0.scale = [1, 1, -1]: takes the held vertices through a flat state\n");
  EXPECT_EQ(warning([](Scene& s) {
              s.pins = {pin_of(SelectAll{})};
              s.pins[0].release = 0.01;
            }),
            "pins.0.release = 0.01 s is not after the first step, at 0.0166667 s: it holds nothing\n");
}

TEST(CompileWarnings, PinsThatShareVertices) {
  Scene scene = box_scene();
  scene.gravity = {0, -9.81, 0};
  scene.pins = {pin_of(SelectAll{}), pin_of(SelectIndices{{0, 1}}), pin_of(SelectIndices{{1}})};
  EXPECT_EQ(compiled(scene).warnings, (std::vector<std::string>{"pins.1 shares 2 vertices with pins.0 and wins there",
                                                                "pins.2 shares 1 vertex with pins.1 and wins there"}));
  scene.pins[1].release = 0.5;
  EXPECT_EQ(compiled(scene).warnings,
            (std::vector<std::string>{"pins.1 shares 2 vertices with pins.0 and wins there; from 0.5 s on pins.0 holds "
                                      "them again, where its own motion says",
                                      "pins.2 shares 1 vertex with pins.1 and wins there"}));
  scene.pins = {pin_of(SelectIndices{{0}}), pin_of(SelectIndices{{1}})};
  EXPECT_TRUE(compiled(scene).warnings.empty());
}

}  // namespace
}  // namespace sinew
