// What a scene must hold to make sense, without looking at any mesh.
#pragma once

#include "scene/faults.h"
#include "sinew/scene.h"

namespace sinew {

// Between keys: names that are referred to, order of keyframes, axes that are not zero, ...
void check_meaning(const Scene& scene, Faults& faults);
// The part of it that is about bodies of two dimensions.
void check_plane(const Scene& scene, Faults& faults);
// The lists of a mesh in memory: their lengths, indices and coordinates.
void check_mesh_arrays(const MeshArrays& mesh, const std::string& path, Faults& faults);
// Each value by itself: ranges and words. The reader has done this for scenes from files.
void check_values(const Scene& scene, Faults& faults);

}  // namespace sinew
