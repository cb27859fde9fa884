// Checks of a scene that need no mesh.
#pragma once

#include <string>

#include "scene/faults.h"
#include "sinew/scene.h"

namespace sinew {

// Checks between keys: referenced names, the order of keyframes, axes that are not zero, ...
void check_meaning(const Scene& scene, Faults& faults);
// The checks of bodies of two dimensions.
void check_plane(const Scene& scene, Faults& faults);
// The checks of contact and colliders.
void check_contact(const Scene& scene, Faults& faults);
void check_transform(const Transform& transform, const std::string& path, Faults& faults);
void check_motion(const Motion& motion, const std::string& path, Faults& faults);
// Checks the lists of a mesh in memory: their lengths, indices and coordinates.
void check_mesh_arrays(const MeshArrays& mesh, const std::string& path, Faults& faults);
// Checks each value separately: ranges and words. For scenes from files the reader has done this.
void check_values(const Scene& scene, Faults& faults);

}  // namespace sinew
