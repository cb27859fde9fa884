// Colliders as a run records them.
#pragma once

#include <vector>

#include "compile/compile.h"
#include "contact/contacts.h"
#include "record/collider_store.h"

namespace sinew {

RecordedPlane recorded_plane(const ContactPlane& plane);
std::vector<RecordedCollider> recorded_colliders(const CompiledScene& compiled);

// Where those are that move, one after the other.
struct ColliderFrame {
  std::vector<Vec3d> points;  // [m]
  std::vector<RecordedPlane> planes;
};
// At a state: where their scripts have them; with the guarantee, where their vertices have got to in the step that led
// there, since a body in the way stops them. `contacts`: of that step's stepper; null: there is no contact.
ColliderFrame collider_frame(const CompiledScene& compiled, const State& state, const Contacts* contacts);

}  // namespace sinew
