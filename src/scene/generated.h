// The meshes that a scene describes by a few numbers.
#pragma once

#include "base/result.h"
#include "exec/thread_pool.h"
#include "mesh/tet_mesh.h"
#include "sinew/scene.h"

namespace sinew {

// Of a mesh that is not a file.
Result<TetMesh> generate(const SceneMesh& mesh, ThreadPool& pool = ThreadPool::caller());

// Bodies that the object consists of.
inline double copy_count(const SceneObject& object) {
  const auto& n = object.copies.count;
  return static_cast<double>(n[0]) * n[1] * n[2];
}

// How many tets that makes; 0 for a file. A double: the number may be beyond all integers.
double generated_tets(const SceneMesh& mesh);

}  // namespace sinew
