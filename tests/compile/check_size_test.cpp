// Source: the generators' own meshes.
#include "compile/check_size.h"

#include <gtest/gtest.h>

#include "compile/generated.h"

namespace sinew {
namespace {

TEST(GeneratedTets, AreThoseOfTheMesh) {
  const SceneMesh meshes[] = {MeshBox{.cells = {3, 4, 5}, .split = 5}, MeshBox{.cells = {3, 4, 5}, .split = 6},
                              MeshBeam{.length = 0.41, .cells_across = 3}, MeshBeam{.length = 1e-3},
                              MeshBall{.shells = 4}};
  for (const SceneMesh& mesh : meshes) {
    const auto made = generate(mesh);
    ASSERT_TRUE(made.ok());
    EXPECT_EQ(generated_size(mesh).tets, static_cast<double>(made->tets.size())) << mesh.index();
    EXPECT_EQ(generated_size(mesh).vertices, static_cast<double>(made->vertices.size())) << mesh.index();
  }
  EXPECT_EQ(generated_size(MeshFile{"a.vtu"}).tets, 0);
}

TEST(CheckSize, RefusesWhatDoesNotFit) {
  Scene scene;
  scene.source = "scene.json";
  scene.objects.resize(2);
  scene.objects[0].mesh = MeshBox{.cells = {1, 1, 1}};
  scene.objects[1].name = "moon";
  scene.objects[1].mesh = MeshBall{.shells = 475};
  EXPECT_FALSE(check_size(scene, 20'000'000'000).ok());
  const std::string message = check_size(scene, 20'000'000'000).error().message();
  for (const char* part : {"scene.json", "objects.moon.mesh", "2.14e+09", "222 GB", "20 GB", "fewer"})
    EXPECT_NE(message.find(part), std::string::npos) << message;
  scene.objects.pop_back();
  EXPECT_TRUE(check_size(scene, 1'000'000).ok());

  // Copies count, and solvers differ in their needs.
  scene.objects[0].copies.count = {100, 100, 1};
  EXPECT_FALSE(check_size(scene, 10'000'000).ok());
  EXPECT_TRUE(check_size(scene, 20'000'000).ok());
  scene.solver.type = "newton";
  EXPECT_FALSE(check_size(scene, 20'000'000).ok());
}

}  // namespace
}  // namespace sinew
