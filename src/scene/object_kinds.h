// The kinds of objects.
#pragma once

#include <variant>

#include "sinew/scene.h"

namespace sinew {

// Whether an object consists of triangles, in two dimensions.
inline bool is_plane(const SceneObject& object) {
  if (const auto* arrays = std::get_if<MeshArrays>(&object.mesh)) return !arrays->triangles.empty();
  return std::holds_alternative<MeshRectangle>(object.mesh) || std::holds_alternative<MeshTriangles>(object.mesh);
}

// Whether a mesh consists of springs, without elements.
inline bool is_of_springs(const SceneMesh& mesh) {
  if (const auto* arrays = std::get_if<MeshArrays>(&mesh)) return !arrays->edges.empty();
  return std::holds_alternative<MeshChain>(mesh) || std::holds_alternative<MeshGrid>(mesh);
}

// Whether a mesh comes from elsewhere, and so may need repair.
inline bool is_given(const SceneMesh& mesh) {
  return std::holds_alternative<MeshArrays>(mesh) || std::holds_alternative<MeshFile>(mesh) ||
         std::holds_alternative<MeshTriangles>(mesh);
}

// The number of bodies in an object.
inline double copy_count(const SceneObject& object) {
  const auto& n = object.copies.count;
  return static_cast<double>(n[0]) * n[1] * n[2];
}

}  // namespace sinew
