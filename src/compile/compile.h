// A scene in the form that solvers need: names resolved, meshes merged, pins and loads on vertices.
//
// The user order is that of the objects in the scene, and within an object that of its mesh.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "compile/contact_rules.h"
#include "compile/scene_files.h"
#include "contact/contact_surface.h"
#include "contact/ignored_pairs.h"
#include "exec/thread_pool.h"
#include "mesh/mesh_group.h"
#include "mesh/tet_mesh.h"
#include "meshing/skin.h"
#include "model/model.h"
#include "sinew/scene.h"
#include "step/collider_script.h"
#include "step/grid_motion.h"
#include "step/load_script.h"
#include "step/script.h"

namespace sinew {

// An object in the compiled scene. Its vertices and tets are ranges of the merged mesh.
struct ObjectPart {
  std::string name;
  int32_t first_vertex = 0, last_vertex = 0;
  int32_t first_tet = 0, last_tet = 0;
  std::optional<Real3> color;  // sRGB; none: a colour of the palette
  // The boundary, counter-clockwise seen from outside, in vertex numbers of the merged mesh; for a grid its cells, for
  // a chain empty.
  std::vector<Triangle> surface;
  double mean_stiffness_factor = 1;  // mean over its tets
  std::vector<int32_t>
      surface_materials;  // for each triangle: number in scene.materials of the material behind it; empty: none has one
  std::shared_ptr<const Skin> skin;  // shown in place of the surface; null: no skin
  std::vector<MeshGroup> groups;     // named by its mesh file; vertices of the first body, from 0
  int32_t bodies = 1;
};

// The time that a stage of compiling took, and the memory of its results.
struct CompileStage {
  std::string name;
  double milliseconds = 0;
  size_t bytes = 0;
};

// The vertices that a probe of the scene follows, in user order.
struct ProbePart {
  std::string name;
  std::vector<int32_t> vertices;

  // The mean position of its vertices; at(v) is the position of user vertex v.
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

// A collider in the compiled scene; its points and planes are ranges of the contact surface.
struct ColliderPart {
  std::string name;
  int32_t object = 0;          // as the scene counts objects, then colliders: ContactBody::object
  std::optional<Real3> color;  // sRGB; none: grey
};

struct CompiledScene {
  Model model;
  std::vector<int32_t> material_of_block;  // for each block of the model: its number in scene.materials
  std::vector<int32_t> fibre_tets;         // the user's tet of each fibre among the model's ties, in their order
  std::vector<int32_t> regions;  // label of each tet in its file, 0: none, in user order; empty: no file has any
  std::vector<ObjectPart> objects;
  std::vector<PinScript> pins;
  std::vector<LoadScript> loads;  // without constant forces, which the model contains
  std::vector<ProbePart> probes;
  ContactSurface contact_surface;          // empty: there is no contact
  int detect_contact_every = 4;            // iterations; ContactOptions
  std::vector<IgnoredPair> ignored;        // pairs that meet at the start, where that is allowed
  std::vector<ContactSide> contact_sides;  // of all objects, then of all colliders: what rules follow from
  std::vector<ColliderPart> collider_parts;
  std::vector<ColliderScript> colliders;  // in the same order
  std::optional<GridRules> grid;          // none: no object is on a grid
  // Of a scene with a grid and without contact: its colliders alone, to be recorded and drawn.
  ContactSurface grid_surface;
  const ContactSurface& shown_surface() const { return contact_surface.empty() ? grid_surface : contact_surface; }
  double single_rounding = 0;         // [-] of forces in single precision, over weight and loads (compile/precision.h)
  State start;                        // stretched, with the start velocities; pins are not applied yet
  std::vector<std::string> warnings;  // repairs of the meshes, and probable mistakes
  std::vector<CompileStage> stages;

  // The number of the model's tets that stand for triangles of plane bodies.
  int32_t triangle_count() const {
    int32_t count = 0;
    for (const ElasticBlock& block : model.blocks) count += block.plane() ? block.last_tet - block.first_tet : 0;
    return count;
  }
};

// Whether the method computes on a device: the mesh is then one cluster (model/clusters.h), whatever its size.
bool is_on_device(const SolverSettings& settings);

// Errors as in sinew/scene_file.h. Relative paths are relative to scene.base_folder.
Result<CompiledScene> compile_scene(const Scene& scene, const SceneFiles& files,
                                    ThreadPool& pool = ThreadPool::caller(), const ProgressListener& progress = {});

}  // namespace sinew
