// A scene as the solvers need it: names resolved, meshes merged, pins and loads on vertices.
//
// User order is the order of the objects in the scene, and within an object the order of its mesh.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "compile/scene_files.h"
#include "exec/thread_pool.h"
#include "mesh/mesh_group.h"
#include "mesh/tet_mesh.h"
#include "meshing/skin.h"
#include "model/model.h"
#include "sinew/scene.h"
#include "step/load_script.h"
#include "step/script.h"

namespace sinew {

// What became of one object. Vertices and tets are ranges of the merged mesh.
struct ObjectPart {
  std::string name;
  int32_t first_vertex = 0, last_vertex = 0;
  int32_t first_tet = 0, last_tet = 0;
  std::optional<Real3> color;  // sRGB; none: one of the palette
  // The boundary, counter-clockwise from outside, in vertex numbers of the merged mesh; of a grid its cells, of a chain
  // nothing.
  std::vector<Triangle> surface;
  double mean_stiffness_factor = 1;  // over its tets
  std::vector<int32_t>
      surface_materials;  // of each triangle, the material behind it: its number in scene.materials; empty: none has
  std::shared_ptr<const Skin> skin;  // what is shown in place of the surface; or none
  std::vector<MeshGroup> groups;     // which its mesh file names; vertices of the first body, from 0
  int32_t bodies = 1;
};

// What a stage of compiling took: time, and the memory of what it leaves behind.
struct CompileStage {
  std::string name;
  double milliseconds = 0;
  size_t bytes = 0;
};

// What a probe of the scene follows: vertices in user order.
struct ProbePart {
  std::string name;
  std::vector<int32_t> vertices;

  // The mean of its vertices; at(v) is where user vertex v is.
  template <class At>
  Real3 place(const At& at) const {
    Real3 sum{0, 0, 0};
    for (const int32_t v : vertices) {
      const auto p = at(v);
      sum[0] += p.x;
      sum[1] += p.y;
      sum[2] += p.z;
    }
    for (double& c : sum) c /= static_cast<double>(vertices.size());
    return sum;
  }
};

struct CompiledScene {
  Model model;
  std::vector<int32_t> material_of_block;  // of the model's blocks, its number in scene.materials
  std::vector<int32_t> fibre_tets;         // the user's tet of each fibre among the model's ties, in their order
  std::vector<int32_t> regions;  // label of each tet in its file, 0 without, in user order; empty where no file has any
  std::vector<ObjectPart> objects;
  std::vector<PinScript> pins;
  std::vector<LoadScript> loads;  // but for what the model has already: constant forces
  std::vector<ProbePart> probes;
  double single_rounding = 0;         // [-] of forces in single precision, over weight and loads (compile/precision.h)
  State start;                        // stretched, with the start velocities; pins are not yet applied
  std::vector<std::string> warnings;  // what was repaired in the meshes, and what looks wrong
  std::vector<CompileStage> stages;

  // Of the model's tets, those that stand for triangles of plane bodies.
  int32_t triangle_count() const {
    int32_t count = 0;
    for (const ElasticBlock& block : model.blocks) count += block.plane() ? block.last_tet - block.first_tet : 0;
    return count;
  }
};

// Errors as in sinew/scene_file.h; relative paths are read against scene.base_folder.
Result<CompiledScene> compile_scene(const Scene& scene, const SceneFiles& files,
                                    ThreadPool& pool = ThreadPool::caller(), const ProgressListener& progress = {});

}  // namespace sinew
