// Scenes of one box, and what is asked of them when they are compiled.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <string>

#include "compile/compile.h"
#include "drive/disk_files.h"
#include "io/npy.h"
#include "sinew/scene_file.h"

namespace sinew {

inline Scene box_scene(int cells = 2) {
  Scene scene;
  scene.gravity = {0, 0, 0};
  scene.materials = {SceneMaterial{}, SceneMaterial{}};
  scene.materials[0].name = "rubber";
  scene.materials[1].name = "steel";
  scene.materials[1].set("youngs_modulus", 2e11);
  scene.materials[1].density = 7800;
  SceneObject block;
  block.name = "block";
  block.mesh = MeshBox{{1, 1, 1}, {cells, cells, cells}, {0, 0, 0}, 5};
  block.material = "rubber";
  scene.objects = {block};
  return scene;
}
inline ScenePin pin_of(Selection selection, const char* object = "block") {
  ScenePin pin;
  pin.object = object;
  pin.select = std::move(selection);
  return pin;
}
inline SceneLoad load_of(SceneLoad::Kind kind, Real3 value, Selection selection) {
  SceneLoad load;
  load.kind = kind;
  load.object = "block";
  load.select = std::move(selection);
  load.value = value;
  return load;
}

inline CompiledScene compiled(const Scene& scene) {
  Result<CompiledScene> result = compile_scene(scene, DiskFiles());
  EXPECT_TRUE(result.ok()) << result.error().message();
  return result ? std::move(*result) : CompiledScene{};
}
inline std::string error_of(const Scene& scene) {
  const Result<CompiledScene> result = compile_scene(scene, DiskFiles());
  return result ? "" : result.error().message();
}
#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << text
// A Status or Result that is an Error with these words.
#define EXPECT_REFUSED(status, text)             \
  do {                                           \
    const auto& refused = (status);              \
    ASSERT_FALSE(refused.ok());                  \
    EXPECT_HAS(refused.error().message(), text); \
  } while (false)

inline double volume_of(const CompiledScene& c) {
  double sum = 0;
  for (const Tet& t : c.model.tets) {
    const auto& x = c.model.rest;
    const double v = dot(x[t[1]] - x[t[0]], cross(x[t[2]] - x[t[0]], x[t[3]] - x[t[0]])) / 6;
    EXPECT_GT(v, 0);
    sum += v;
  }
  return sum;
}
inline Vec3d rest_of(const CompiledScene& c, int32_t vertex) {
  return c.model.rest[static_cast<size_t>(c.model.order.slot(UserVertex{vertex}))];
}
inline Vec3d sum_of_forces(const CompiledScene& c) {
  Vec3d sum{};
  for (size_t s = 0; s < c.model.mass.size(); ++s) sum += c.model.external_force(s);
  return sum;
}
// The user's numbers of the vertices a pin holds.
inline std::set<int32_t> vertices_of(const CompiledScene& c, size_t pin) {
  std::set<int32_t> vertices;
  for (const int32_t slot : c.pins[pin].slots) vertices.insert(static_cast<int32_t>(c.model.order.vertex(Slot{slot})));
  return vertices;
}
inline Vec3d start_of(const CompiledScene& c, int32_t v) {
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

}  // namespace sinew
