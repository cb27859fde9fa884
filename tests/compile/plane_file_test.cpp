// Source: the interface in compile/plane_file.h.
#include "sinew/scene_file.h"
#include "sinew/simulation.h"
#include "support/box_scene.h"

namespace sinew {
namespace {

// Written to a file at another height, with half of its triangles reversed.
TEST(PlaneFile, IsABodyAsARectangleIs) {
  std::string obj;
  for (int j = 0; j <= 3; ++j)
    for (int i = 0; i <= 3; ++i) obj += "v " + std::to_string(i) + ' ' + std::to_string(j) + " 0.25\n";
  for (int j = 0; j < 3; ++j) {
    for (int i = 0; i < 3; ++i) {
      const int a = 1 + i + 4 * j, b = a + 1, c = a + 4, e = a + 5;
      obj += "f " + std::to_string(a) + ' ' + std::to_string(b) + ' ' + std::to_string(e) + "\nf " + std::to_string(a) +
             ' ' + std::to_string(c) + ' ' + std::to_string(e) + '\n';
    }
  }
  const TemporaryFile file("square.obj", obj);
  const auto end = [&](const std::string& mesh) {
    const Result<Scene> scene = parse_scene(R"({ "sinew": 1, "gravity": [0, -9.8, 0],
      "materials": { "rubber": { "youngs_modulus": 1e4, "density": 10 } },
      "objects": { "square": { "mesh": )" + mesh +
                                                R"(, "material": "rubber" } },
      "pins": [{ "object": "square", "select": { "box": { "min": [0, 0, 0], "max": [0, 3, 1] } } }],
      "solver": { "type": "newton" } })",
                                            "plane", file.folder());
    EXPECT_TRUE(scene.ok()) << scene.error().message();
    Result<Simulation> simulation = Simulation::create(*scene, 1);
    EXPECT_TRUE(simulation.ok()) << simulation.error().message();
    EXPECT_TRUE(simulation->step().ok());
    return simulation->positions();
  };
  const std::vector<Real3> from_file = end(R"({ "triangles": ")" + file.name() + R"(" })");
  const std::vector<Real3> made = end(R"({ "rectangle": { "width": 3, "height": 3, "cells_x": 3, "cells_y": 3,
                                                          "origin": [0, 0, 0.25] } })");
  ASSERT_EQ(from_file.size(), made.size());
  for (size_t v = 0; v < made.size(); ++v)
    for (size_t k = 0; k < 3; ++k) EXPECT_NEAR(from_file[v][k], made[v][k], 1e-12);
}

TEST(PlaneFile, LiesInOnePlane) {
  const TemporaryFile file("bent.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0.1\nf 1 2 3\nf 2 4 3\n");
  Scene scene = parse_scene(R"({ "sinew": 1, "gravity": [0, 0, 0], "materials": { "r": {} },
    "objects": { "leaf": { "mesh": { "triangles": "bent.obj" }, "material": "r" } } })",
                            "plane", file.folder())
                    .value();
  scene.objects[0].mesh = MeshTriangles{file.name()};
  const Result<Simulation> simulation = Simulation::create(scene, 1);
  ASSERT_FALSE(simulation.ok());
  const std::string message = simulation.error().message();
  EXPECT_NE(message.find("objects.leaf.mesh"), std::string::npos) << message;
  EXPECT_NE(message.find("vertex 3 lies at z = 0.1 m"), std::string::npos) << message;
}

}  // namespace
}  // namespace sinew
