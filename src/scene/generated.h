// The meshes that a scene describes by a few numbers.
#pragma once

#include <variant>

#include "base/result.h"
#include "exec/thread_pool.h"
#include "mesh/tet_mesh.h"
#include "sinew/scene.h"

namespace sinew {

// Of a mesh of tets, or of triangles in a plane, that is not a file.
Result<TetMesh> generate(const SceneMesh& mesh, ThreadPool& pool = ThreadPool::caller());

// Is it made of triangles, in two dimensions?
inline bool is_plane(const SceneObject& object) {
  return std::holds_alternative<MeshRectangle>(object.mesh) || std::holds_alternative<MeshTriangles>(object.mesh);
}

inline bool is_file(const SceneMesh& mesh) {
  return std::holds_alternative<MeshFile>(mesh) || std::holds_alternative<MeshTriangles>(mesh);
}

// Bodies that the object consists of.
inline double copy_count(const SceneObject& object) {
  const auto& n = object.copies.count;
  return static_cast<double>(n[0]) * n[1] * n[2];
}

// What that makes; nothing for a file. Doubles: the numbers may be beyond all integers.
struct MeshSize {
  double vertices = 0, tets = 0, springs = 0;
};
MeshSize generated_size(const SceneMesh& mesh);

}  // namespace sinew
