// The meshes that a scene defines by a few numbers.
#pragma once

#include "base/result.h"
#include "exec/thread_pool.h"
#include "mesh/tet_mesh.h"
#include "sinew/scene.h"

namespace sinew {

// Generates a mesh of tets, or of triangles in a plane, that is neither a file nor a filled solid.
Result<TetMesh> generate(const SceneMesh& mesh, ThreadPool& pool = ThreadPool::caller());

// The size of a generated mesh; 0 for a file. Doubles, because the numbers may exceed all integers.
struct MeshSize {
  double vertices = 0, tets = 0, springs = 0;
};
MeshSize generated_size(const SceneMesh& mesh);

}  // namespace sinew
