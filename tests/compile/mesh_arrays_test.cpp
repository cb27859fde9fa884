// Source: meshes in memory equal those from generators and files; sinew/scene.h.
#include <gtest/gtest.h>

#include <cmath>

#include "sinew/mesher.h"
#include "sinew/simulation.h"
#include "support/box_scene.h"
#include "support/simulated.h"

namespace sinew {
namespace {

// The scene with its block's mesh as arrays.
Scene in_memory(const Scene& scene) {
  const Simulation generated = simulation_of(scene);
  Scene given = scene;
  const std::vector<Real3> vertices = generated.rest_positions();
  const std::vector<std::array<int32_t, 4>> tets = generated.tets();
  given.objects[0].mesh = mesh_arrays(vertices, tets);
  return given;
}

TEST(MeshArrays, AreTheMeshTheyWereMadeOf) {
  Scene scene = box_scene(2);
  scene.gravity = {0, -9.81, 0};
  scene.pins = {pin_of(SelectPlane{{0, 1, 0}, {0, 1, 0}})};
  Simulation generated = simulation_of(scene), given = simulation_of(in_memory(scene));
  take(generated, 3);
  take(given, 3);
  EXPECT_EQ(generated.hash(), given.hash());
}

TEST(MeshArrays, ScenesKeepThem) {
  const Scene scene = in_memory(box_scene(1));
  const Result<Scene> read = parse_scene(resolved_json(scene), "a", "");
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(std::get<MeshArrays>(read->objects[0].mesh), std::get<MeshArrays>(scene.objects[0].mesh));
}

TEST(MeshArrays, TakeWhatTheMesherFills) {
  const Result<FilledSolid> ball = mesh_shape({"ball", {{"radius", 0.4}}}, {.cells = 8});
  ASSERT_TRUE(ball.ok()) << ball.error().message();
  Scene scene = box_scene();
  scene.objects[0].mesh = mesh_arrays(*ball);
  const Simulation s = simulation_of(scene);
  EXPECT_EQ(static_cast<size_t>(s.vertex_count()), ball->vertices.size());
  EXPECT_EQ(s.tets().size(), ball->tets.size());
}

TEST(MeshArrays, TrianglesAreAPlaneBody) {
  Scene scene = box_scene();
  const std::vector<Real3> square{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  const std::vector<std::array<int32_t, 3>> triangles{{0, 1, 2}, {0, 2, 3}};
  scene.objects[0].mesh = mesh_arrays(square, std::span(triangles));
  const CompiledScene c = compiled(scene);
  double mass = 0;
  for (const double m : c.model.mass) mass += m;
  EXPECT_NEAR(mass, 1000, 1e-9);  // 1 m^2, 1 m thick
  EXPECT_TRUE(c.model.blocks[0].plane());
}

TEST(MeshArrays, EdgesAreSprings) {
  Scene scene = box_scene();
  const std::vector<Real3> points{{0, 0, 0}, {0.3, 0, 0.4}, {1, 0, 0}};
  const std::vector<std::array<int32_t, 2>> edges{{0, 1}, {1, 2}};
  MeshArrays mesh = mesh_arrays(points, std::span(edges));
  mesh.mass = 0.6;
  mesh.stiffness = 50;
  scene.objects[0].mesh = mesh;
  scene.objects[0].material = "";
  const CompiledScene c = compiled(scene);
  ASSERT_EQ(c.model.ties.count(), 2);
  EXPECT_NEAR(c.model.ties.laws[0].rest_length, 0.5, 1e-15);
  EXPECT_EQ(c.model.ties.laws[0].stiffness, 50);
  double mass = 0;
  for (const double m : c.model.mass) mass += m;
  EXPECT_NEAR(mass, 0.6, 1e-12);
}

TEST(MeshArrays, FaultsAreNamedByTheirPlace) {
  const auto error = [](const MeshArrays& mesh) {
    Scene scene = box_scene();
    scene.objects[0].mesh = mesh;
    return error_of(scene);
  };
  MeshArrays good = std::get<MeshArrays>(in_memory(box_scene(1)).objects[0].mesh);
  MeshArrays mesh = good;
  mesh.tets[5] = 99;
  EXPECT_HAS(error(mesh), "objects.block.mesh.arrays.tets.5 = 99: the mesh has 8 vertices");
  mesh = good;
  mesh.tets.pop_back();
  EXPECT_HAS(error(mesh), "objects.block.mesh.arrays.tets: 19 numbers");
  mesh = good;
  mesh.vertices[2] = NAN;
  EXPECT_HAS(error(mesh), "objects.block.mesh.arrays.vertices.2");
  mesh = good;
  mesh.vertices.push_back(0);
  EXPECT_HAS(error(mesh), "give three for each vertex");
  mesh = good;
  mesh.triangles = {0, 1, 2};
  EXPECT_HAS(error(mesh), "only one of them");
  mesh = good;
  mesh.tets.clear();
  EXPECT_HAS(error(mesh), "must have tets, triangles or edges");
  mesh.edges = {1, 1};
  EXPECT_HAS(error(mesh), "begins and ends at the same vertex");
  mesh = {.vertices = {0, 0, 0, 1, 0, 0, 0, 1, 0.5}, .tets = {}, .triangles = {0, 1, 2}, .edges = {}};
  EXPECT_HAS(error(mesh), "outside the plane");
}

}  // namespace
}  // namespace sinew
