// What an object is made of.
#pragma once

#include <variant>

#include "sinew/scene.h"

namespace sinew {

// Of triangles, in two dimensions?
inline bool is_plane(const SceneObject& object) {
  return std::holds_alternative<MeshRectangle>(object.mesh) || std::holds_alternative<MeshTriangles>(object.mesh);
}

// Of springs, without elements?
inline bool is_of_springs(const SceneMesh& mesh) {
  return std::holds_alternative<MeshChain>(mesh) || std::holds_alternative<MeshGrid>(mesh);
}

inline bool is_file(const SceneMesh& mesh) {
  return std::holds_alternative<MeshFile>(mesh) || std::holds_alternative<MeshTriangles>(mesh);
}

// Bodies that the object consists of.
inline double copy_count(const SceneObject& object) {
  const auto& n = object.copies.count;
  return static_cast<double>(n[0]) * n[1] * n[2];
}

}  // namespace sinew
