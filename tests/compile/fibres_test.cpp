// Source: the interfaces in compile/fibres.h and describe.h; Chen et al. 2024 (PXPBD), figure 4.
#include <cmath>

#include "sinew/simulation.h"
#include "support/box_scene.h"
#include "support/random.h"

namespace sinew {
namespace {

using support::size;

Scene muscle_scene(FibreDirections along, int cells = 2) {
  Scene scene = box_scene(cells);
  scene.objects[0].fibres = SceneFibres{.along = std::move(along), .peak_stress = 50, .activation_curve = {}};
  return scene;
}
// The direction of a fibre: at rest its vector C = F v is v, up to a factor.
Vec3d direction_of_tie(const CompiledScene& c, int32_t tie) {
  return c.model.ties.vector(tie, c.model.rest);
}

TEST(Fibres, OneDirectionIsEveryTets) {
  const CompiledScene c = compiled(muscle_scene(FibreConstant{{0, 3, 4}}));
  ASSERT_EQ(c.model.ties.count(), 40);
  double energy = 0;
  for (int32_t t = 0; t < 40; ++t) {
    EXPECT_EQ(c.model.ties.laws[t].kind, TieKind::Fibre);
    EXPECT_LT(size(direction_of_tie(c, t) - Vec3d{0, 0.6, 0.8}), 1e-14);
    energy += c.model.ties.laws[t].stiffness;
  }
  EXPECT_NEAR(energy, 50, 1e-12);  // in 1 m^3
  ASSERT_EQ(c.model.muscles.size(), 1u);
  EXPECT_EQ(c.model.muscles[0].at(7), 0);
}

// In the axes of the mesh, which is stretched along y and then rotated by a quarter turn about z.
TEST(Fibres, DirectionsGoWithTheMesh) {
  Scene scene = muscle_scene(FibreConstant{{1, 1, 0}});
  scene.objects[0].transform.scale = {1, 2, 1};
  scene.objects[0].transform.rotation_degrees = 90;
  scene.objects[0].fibres->optimal_stretch = 1.25;
  scene.objects[0].copies = {{2, 1, 1}, {5, 0, 0}};
  const CompiledScene c = compiled(scene);
  ASSERT_EQ(c.model.ties.count(), 80);
  const double length = std::sqrt(5.0);
  for (int32_t t = 0; t < 80; ++t) EXPECT_LT(size(direction_of_tie(c, t) - (0.8 / length) * Vec3d{-2, 1, 0}), 1e-13);
}

TEST(Fibres, ByTetrahedronAndByRegion) {
  Scene scene = muscle_scene(FibreFile{"along.npy"}, 1);
  const auto error = [&](const std::vector<double>& numbers, size_t columns) {
    const TemporaryFile file("along.npy", encode_npy(numbers, columns));
    scene.base_folder = file.folder();
    scene.objects[0].fibres->along = FibreFile{file.name()};
    return error_of(scene);
  };
  const std::vector<double> good{1, 0, 0, 0, 2, 0, 0, 0, -3, 1, 1, 1, 0, 1, 0};
  EXPECT_EQ(error(good, 3), "");
  EXPECT_HAS(error(good, 5), "objects.block.fibres.file: ");
  EXPECT_HAS(error(good, 5),
             "is an array of 3 x 5 numbers, but the mesh has 5 tetrahedra; give three numbers for each");
  EXPECT_HAS(error({1, 0, 0}, 3), "is an array of 1 x 3 numbers");
  std::vector<double> bad = good;
  bad[4] = 0;
  EXPECT_HAS(error(bad, 3), "the direction of tetrahedron 1 is (0, 0, 0)");
  bad[4] = NAN;
  EXPECT_HAS(error(bad, 3), "the direction of tetrahedron 1 is (0, nan, 0)");
  scene.objects[0].fibres->along = FibreFile{"not_there.npy"};
  EXPECT_HAS(error_of(scene), "not_there.npy: no such file");

  const TemporaryFile file("along.npy", encode_npy(good, 3));
  scene.base_folder = file.folder();
  scene.objects[0].fibres->along = FibreFile{file.name()};
  const CompiledScene c = compiled(scene);
  const Vec3d expected[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, -1}, std::sqrt(1 / 3.0) * Vec3d{1, 1, 1}, {0, 1, 0}};
  ASSERT_EQ(c.model.ties.count(), 5);
  for (int32_t t = 0; t < 5; ++t) EXPECT_LT(size(direction_of_tie(c, t) - expected[t]), 1e-14);
  scene.objects[0].fibres->along = FibreRegions{{{3, {1, 0, 0}}}};
  EXPECT_HAS(error_of(scene), "objects.block.fibres.regions.0.region = 3: the mesh has no region of this label");

  // Two tets with labels 1 and 2, of which the second has fibres.
  const TemporaryFile mesh("two.mesh",
                           "MeshVersionFormatted 2\nDimension 3\nVertices 5\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n1 1 1 "
                           "0\nTetrahedra 2\n1 2 3 4 1\n2 5 3 4 2\nEnd\n");
  Scene regions = muscle_scene(FibreRegions{{{2, {0, 0, 5}}}});
  regions.base_folder = mesh.folder();
  regions.objects[0].mesh = MeshFile{mesh.name()};
  const CompiledScene two = compiled(regions);
  ASSERT_EQ(two.model.tets.size(), 2u);
  ASSERT_EQ(two.model.ties.count(), 1);
  EXPECT_LT(size(direction_of_tie(two, 0) - Vec3d{0, 0, 1}), 1e-14);
}

TEST(Fibres, FromOneEndToTheOther) {
  const SelectPlane left{{0, 0, 0}, {-1, 0, 0}}, right{{1, 0, 0}, {1, 0, 0}};
  const CompiledScene c = compiled(muscle_scene(FibreHarmonic{left, right}));
  ASSERT_EQ(c.model.ties.count(), 40);
  for (int32_t t = 0; t < 40; ++t) EXPECT_LT(size(direction_of_tie(c, t) - Vec3d{1, 0, 0}), 1e-13);
  EXPECT_HAS(error_of(muscle_scene(FibreHarmonic{left, SelectPlane{{9, 0, 0}, {1, 0, 0}}})),
             "objects.block.fibres.harmonic.to.plane: selects no vertex");
  EXPECT_HAS(error_of(muscle_scene(FibreHarmonic{left, SelectPlane{{0, 0, 0}, {0, -1, 0}}})),
             "objects.block.fibres.harmonic: vertex ");
  EXPECT_HAS(error_of(muscle_scene(FibreHarmonic{left, SelectPlane{{0, 0, 0}, {0, -1, 0}}})), "belongs to both ends");
}

// In a rectangle of 2 x 1 m, in all four ways; also stretched and then rotated in its plane.
TEST(Fibres, RunInTriangles) {
  const auto plane_scene = [](FibreDirections along) {
    Scene scene = muscle_scene(std::move(along));
    scene.objects[0].mesh = MeshRectangle{.width = 2, .height = 1, .cells_x = 2, .cells_y = 1};
    return scene;
  };
  const auto expect_along = [](const Scene& scene, const std::vector<Vec3d>& expected) {
    const CompiledScene c = compiled(scene);
    ASSERT_EQ(c.model.ties.count(), static_cast<int32_t>(expected.size()));
    double energy = 0;
    for (int32_t t = 0; t < c.model.ties.count(); ++t) {
      EXPECT_LE(c.model.ties.end_count(t), 3);
      EXPECT_LT(size(direction_of_tie(c, t) - expected[static_cast<size_t>(t)]), 1e-13) << t;
      energy += c.model.ties.laws[static_cast<size_t>(t)].stiffness;
    }
    EXPECT_NEAR(energy, 50 * 0.5 * static_cast<double>(expected.size()), 1e-12);  // half a cubic metre each
  };
  expect_along(plane_scene(FibreConstant{{3, 4, 0}}), std::vector<Vec3d>(4, {0.6, 0.8, 0}));
  const SelectPlane left{{0, 0, 0}, {-1, 0, 0}}, right{{2, 0, 0}, {1, 0, 0}};
  expect_along(plane_scene(FibreHarmonic{left, right}), std::vector<Vec3d>(4, {1, 0, 0}));

  Scene turned = plane_scene(FibreConstant{{1, 1, 0}});
  turned.objects[0].transform.scale = {1, 2, 1};
  turned.objects[0].transform.rotation_axis = {0, 0, 1};
  turned.objects[0].transform.rotation_degrees = 90;
  turned.objects[0].fibres->peak_stress = 25;  // for twice the area
  expect_along(turned, std::vector<Vec3d>(4, (1 / std::sqrt(5.0)) * Vec3d{-2, 1, 0}));

  const std::vector<double> numbers{1, 0, 0, 0, 2, 0, 0, -3, 0, 1, 1, 0};
  const auto by_file = [&](const std::vector<double>& directions) {
    const TemporaryFile file("in_plane.npy", encode_npy(directions, 3));
    Scene scene = plane_scene(FibreFile{file.name()});
    scene.base_folder = file.folder();
    const std::string error = error_of(scene);
    if (error.empty()) expect_along(scene, {{1, 0, 0}, {0, 1, 0}, {0, -1, 0}, std::sqrt(0.5) * Vec3d{1, 1, 0}});
    return error;
  };
  EXPECT_EQ(by_file(numbers), "");
  EXPECT_HAS(by_file({1, 0, 0}), "is an array of 1 x 3 numbers, but the mesh has 4 triangles");
  std::vector<double> bad = numbers;
  bad[5] = 1e-3;
  EXPECT_HAS(by_file(bad), "the direction of triangle 1, (0, 2, 0.001), leaves its plane; let z be 0");
  bad[4] = bad[5] = 0;
  EXPECT_HAS(by_file(bad), "the direction of triangle 1 is (0, 0, 0)");

  // Files of triangles have no labels.
  EXPECT_HAS(error_of(plane_scene(FibreRegions{{{2, {0, 5, 0}}}})), "the mesh has no region of this label");
}

TEST(Fibres, FaultsNamePlaceAndRemedy) {
  EXPECT_HAS(error_of(muscle_scene(FibreConstant{{0, 0, 0}})),
             "objects.block.fibres.direction = [0, 0, 0]: has no direction");
  EXPECT_HAS(error_of(muscle_scene(FibreConstant{{NAN, 0, 0}})), "objects.block.fibres.direction = ");
  EXPECT_HAS(error_of(muscle_scene(FibreRegions{})), "objects.block.fibres.regions = []: gives no fibres");
  EXPECT_HAS(error_of(muscle_scene(FibreRegions{{{1, {1, 0, 0}}, {1, {0, 0, 0}}}})),
             "objects.block.fibres.regions.1.direction = [0, 0, 0]: has no direction");
  EXPECT_HAS(error_of(muscle_scene(FibreRegions{{{1, {1, 0, 0}}, {1, {0, 1, 0}}}})),
             "objects.block.fibres.regions.1.region = 1: the label is listed twice");
  Scene scene = muscle_scene(FibreConstant{});
  scene.objects[0].fibres->activation = 1.5;
  EXPECT_HAS(error_of(scene), "objects.block.fibres.activation = 1.5 [-]: must be at most 1");
  scene.objects[0].fibres->activation_curve = ActivationCurve{{0, 1}, {0.5}};
  EXPECT_HAS(error_of(scene), "objects.block.fibres.activation_curve.values: 1, but there are 2 times");
  scene.objects[0].fibres->activation_curve = ActivationCurve{{1, 1}, {0.5, 1}};
  EXPECT_HAS(error_of(scene), "objects.block.fibres.activation_curve.times.1 = 1 [s]: must be after the one before it");
  scene.objects[0].fibres->activation_curve = ActivationCurve{{0, 1}, {0.5, -1}};
  EXPECT_HAS(error_of(scene), "objects.block.fibres.activation_curve.values.1 = -1 [-]: must be at least 0");
  scene = muscle_scene(FibreConstant{});
  scene.objects[0].fibres->peak_stress = 0;
  EXPECT_HAS(error_of(scene), "objects.block.fibres.peak_stress = 0 [Pa]");
  scene = muscle_scene(FibreConstant{});
  scene.objects[0].mesh = MeshChain{};
  scene.objects[0].material = "";
  EXPECT_HAS(error_of(scene), "objects.block.fibres: chains and grids");
  scene = muscle_scene(FibreConstant{});
  scene.objects[0].mesh = MeshRectangle{};
  scene.objects[0].fibres->along = FibreConstant{{1, 0, 0.5}};
  EXPECT_HAS(error_of(scene), "objects.block.fibres.direction = [1, 0, 0.5] [-]: leaves the plane");
  scene.objects[0].fibres->along = FibreRegions{{{1, {1, 0, 0}}, {2, {0, 0, 1}}}};
  EXPECT_HAS(error_of(scene), "objects.block.fibres.regions.1.direction = [0, 0, 1] [-]: leaves the plane");
}

// The sample scene: the bar sags, and the activation lifts it by more than a third of that.
TEST(Fibres, TheMuscleBarStraightens) {
  const Result<Scene> scene = read_scene(SINEW_SOURCE_DIR "/scenes/muscle_bar.json", {});
  ASSERT_TRUE(scene.ok()) << scene.error().message();
  Result<Simulation> simulation = Simulation::create(*scene, 1);
  ASSERT_TRUE(simulation.ok()) << simulation.error().message();
  const auto lowest = [&] {
    double least = 0;
    for (const Real3& x : simulation->positions()) least = std::min(least, x[1]);
    return least;
  };
  for (int step = 0; step < 50; ++step) ASSERT_TRUE(simulation->step().ok());
  const double limp = lowest();
  for (int step = 50; step < 100; ++step) ASSERT_TRUE(simulation->step().ok());
  EXPECT_LT(limp, -0.02);
  EXPECT_GT(lowest(), limp * 2 / 3);
}

}  // namespace
}  // namespace sinew
