// Fills solids with tets, for scenes and programs.
#pragma once

#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "compile/scene_files.h"
#include "exec/thread_pool.h"
#include "mesh/tet_mesh.h"
#include "meshing/distance_field.h"
#include "meshing/sharp_edges.h"
#include "sinew/mesher.h"

namespace sinew {

struct Filling {
  TetMesh mesh;
  double cell = 0;                    // [m]
  double enclosed = 0;                // [m^3] by the surface; 0: unknown
  std::vector<std::string> warnings;  // what the user should check
  std::vector<std::string> notes;     // useful facts that are no fault
  std::vector<std::pair<std::string, double>> milliseconds;
};

// `features` are the sharp features to snap to; null: none.
Result<Filling> fill(const DistanceField& field, const MesherSettings& settings, const SceneFiles& files,
                     ThreadPool& pool, const ProgressListener& progress = {}, const SharpFeatures* features = nullptr);
// Errors: the first fault of the shape, with its place, and those above.
Result<Filling> fill(const SceneShape& shape, const MesherSettings& settings, const SceneFiles& files, ThreadPool& pool,
                     const ProgressListener& progress = {});
Result<Filling> fill(const SurfaceMesh& surface, const MesherSettings& settings, const SceneFiles& files,
                     ThreadPool& pool, const ProgressListener& progress = {},
                     const std::atomic<bool>* interrupt = nullptr);

}  // namespace sinew
