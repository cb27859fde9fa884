// Contact: the surfaces of bodies and colliders, and the rules of their pairs.
#pragma once

#include "base/result.h"
#include "compile/draft.h"
#include "step/motion_script.h"

namespace sinew {

// Whether bodies touch by their surfaces at all. Colliders ask for it where there is no grid that meets them.
inline bool has_contact(const Scene& scene) {
  return scene.contact.has_value() || (!scene.grid && !scene.colliders.empty() && !scene.no_contact);
}

// To be called when there is a model, of a scene that has contact. Errors: those of collider_surface
// (compile/collider_mesh.h), more points than an int32 can number, more objects than a table of pairs can hold.
Status add_contacts(Draft& draft);

// The surfaces of the colliders of a scene with a grid and without contact, on which nothing touches. Errors: those of
// collider_surface.
Status add_grid_surface(Draft& draft);

// `middle`: what it turns about if it says nothing else.
MotionScript motion_of(const Motion& motion, Vec3d middle);

}  // namespace sinew
