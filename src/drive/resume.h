// What may have changed in a scene when its run is resumed: nothing that the trajectory depends on.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "compile/compile.h"
#include "compile/scene_files.h"
#include "exec/thread_pool.h"
#include "record/checkpoint.h"
#include "sinew/scene.h"

namespace sinew {

// A fingerprint of what the trajectory depends on beside the meshes: the scene without its output, its pictures and its
// end, and the vertices that pins and loads act on, whose files may change while the scene does not.
uint64_t trajectory_hash(const Scene& scene, const CompiledScene& compiled);

// The settings in which a scene differs from the one of the run in `folder`, which is given as run.json has it, e.g.
// "output.vtu = "none" (the run had "volume")". Errors: one of them changes the trajectory, or the spacing of frames.
Result<std::vector<std::string>> changes_since(const std::string& recorded, const Scene& scene,
                                               const std::string& folder);

// A large mesh is divided for the caches of a CPU and not for a device (model/clusters.h), so that a run that began on
// the one and goes on on the other has its vertices in another order. The checkpoint of such a run, in the order of
// `compiled`. Errors: it is of no such run; those of load_checkpoint.
Result<Checkpoint> checkpoint_of_other_device(const std::filesystem::path& path, const Scene& scene,
                                              const CompiledScene& compiled, const SceneFiles& files, ThreadPool& pool);

}  // namespace sinew
