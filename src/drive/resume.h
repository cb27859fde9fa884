// What may have changed in a scene when its run is resumed: nothing that the trajectory depends on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "compile/compile.h"
#include "sinew/scene.h"

namespace sinew {

// A fingerprint of what the trajectory depends on beside the meshes: the scene without its output, its pictures and its
// end, and the vertices that pins and loads act on, whose files may change while the scene does not.
uint64_t trajectory_hash(const Scene& scene, const CompiledScene& compiled);

// The settings in which a scene differs from the one of the run in `folder`, which is given as run.json has it, e.g.
// "output.vtu = "none" (the run had "volume")". Errors: one of them changes the trajectory, or the spacing of frames.
Result<std::vector<std::string>> changes_since(const std::string& recorded, const Scene& scene,
                                               const std::string& folder);

}  // namespace sinew
