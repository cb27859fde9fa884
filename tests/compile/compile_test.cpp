// Sources: the interface in compile/compile.h; docs/theory.md, Masses and loads (traction: T A/3 per face vertex).
#include <cmath>

#include "support/box_scene.h"

namespace sinew {
namespace {

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
  // Surfaces: 2 x 4 triangles on each side of the box; all triangles of the ball, with its own vertices.
  EXPECT_EQ(c.objects[0].surface.size(), 48u);
  EXPECT_EQ(c.objects[1].surface.size(), 20u * 4);
  for (const Triangle& t : c.objects[1].surface)
    for (const int32_t v : t) EXPECT_GE(v, 27);
  // The masses follow from the materials.
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
  // Vertex 7 is at (1, 1, 1): scaled (2, 3, 4), rotated (-3, 2, 4).
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
  EXPECT_EQ(rest_of(c, 7).x, 1);  // the rest shape is unchanged
  const auto slot = static_cast<size_t>(c.model.order.slot(UserVertex{7}));
  EXPECT_EQ(c.model.rest[slot].x, 1);
  EXPECT_EQ(c.start.v[slot].y, 2);
}

// All on the sphere, everywhere on it, at the same places again, and at other places for the next object.
TEST(Compile, StartsScatteredOnASphere) {
  Scene scene = box_scene(10);
  scene.objects[0].scatter = 0.5;
  scene.objects.push_back(scene.objects[0]);
  scene.objects[1].name = "other";
  const CompiledScene c = compiled(scene), again = compiled(scene);
  constexpr int count = 11 * 11 * 11;
  Vec3d mean{};
  double most_alike = 1;
  for (int v = 0; v < count; ++v) {
    const Vec3d x = start_of(c, v);
    EXPECT_NEAR(dot(x, x), 0.25, 1e-15);
    EXPECT_EQ(start_of(again, v).x, x.x);
    const Vec3d apart = x - start_of(c, count + v);
    most_alike = std::min(most_alike, dot(apart, apart));
    mean = mean + 1.0 / count * x;
  }
  EXPECT_GT(most_alike, 0);
  // Each coordinate of the mean has a standard deviation of 0.5 / sqrt(3 count) = 0.008.
  for (const double m : {mean.x, mean.y, mean.z}) EXPECT_NEAR(m, 0, 0.032);
  EXPECT_EQ(rest_of(c, 0).x, 0);
}

TEST(Compile, SelectsByPlaceAndByNumber) {
  Scene scene = box_scene(2);  // vertex i + 3 (j + 3 k) is at (i, j, k) / 2
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
  // The face x = 0 is mapped into a plane, in which its vertices lie up to rounding.
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
  EXPECT_DOUBLE_EQ(c.pins[0].center.x, 2);  // of the start positions, not of the rest positions
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
  // Only vertices of that face have a load.
  for (int32_t v = 0; v < c.model.order.vertex_count(); ++v) {
    const double f = c.model.external_force(static_cast<size_t>(c.model.order.slot(UserVertex{v}))).y;
    EXPECT_EQ(f != 0, rest_of(c, v).y > 1.99) << v;
  }
}

// An object with copies equals as many objects in their places.
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
    const bool is_steel = block.material.lame.mu > 1e9;
    EXPECT_EQ(c.model.user_tet[static_cast<size_t>(block.first_tet)], is_steel ? 1 : 0);
  }
  scene.objects[0].regions = {{3, "steel"}};
  EXPECT_EQ(error_of(scene),
            "scene: objects.block.regions.3: the mesh has no region of this label; its labels are 1, 2");
  // If every region has a material, the object's own has no block.
  scene.objects[0].regions = {{1, "steel"}, {2, "steel"}};
  EXPECT_EQ(compiled(scene).model.blocks.size(), 1u);
}

TEST(Compile, MendsMeshesAndSaysSo) {
  Scene scene = box_scene();
  // The second tet is inverted, vertex 5 is unused.
  const TemporaryFile node("odd.node", "6 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n4 1 1 1\n5 7 7 7\n");
  const TemporaryFile ele("odd.ele", "2 4 0\n0 0 1 2 3\n1 1 3 2 4\n");
  scene.base_folder = ele.folder();
  scene.objects[0].mesh = MeshFile{ele.name()};
  scene.pins = {pin_of(SelectAll{})};
  const CompiledScene c = compiled(scene);
  volume_of(c);  // asserts that all volumes are positive
  ASSERT_EQ(c.warnings.size(), 2u);
  EXPECT_HAS(c.warnings[0], "objects.block.mesh: ");
  EXPECT_EQ(c.model.order.vertex_count(), 6);  // numbers remain the user's
}

// Factors belong to the tets of the file, whatever the repair does; tets of other objects have 1.
TEST(Compile, StiffnessFactorsFollowTheirTets) {
  // The first tet repeats a vertex, the third duplicates the second, the second is inverted.
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
    // Other blocks can be swept in layouts without factors.
    ASSERT_EQ(c.model.blocks.size(), 2u);
    EXPECT_FALSE(c.model.has_stiffness_factors(c.model.blocks[0]));
    EXPECT_TRUE(c.model.has_stiffness_factors(c.model.blocks[1]));
  }
}

TEST(Compile, AFactorOfTwoIsTwiceTheModulus) {
  const TemporaryFile file("twos.txt", "2 2 2 2 2");
  Scene scene = box_scene(1);
  scene.materials[0].set("youngs_modulus", 2e5);
  const Lame expected = compiled(scene).model.blocks[0].material.lame;
  scene.materials[0].set("youngs_modulus", 1e5);
  scene.base_folder = file.folder();
  scene.objects[0].stiffness_factors = FactorFile{file.name()};
  const CompiledScene c = compiled(scene);
  EXPECT_EQ(c.model.blocks[0].material.lame.mu, expected.mu);
  EXPECT_EQ(c.model.blocks[0].material.lame.lambda, expected.lambda);
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

}  // namespace
}  // namespace sinew
