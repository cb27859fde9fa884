// What a running simulation keeps of contact when it takes over another scene.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "contact/surface_map.h"
#include "engine/engine.h"

namespace sinew {

// What of contact may change while a simulation runs: all but the guarantee, the start, and who touches whom.
void take_live_contact(ObjectContact& to, const ObjectContact& from);
void take_live_contact(Scene& to, const Scene& from);
// All but their motions and contact.
bool is_same_collider(const SceneCollider& a, const SceneCollider& b);

// Of each collider of `scene` the number of the engine's that is the same one, or -1.
std::vector<int32_t> kept_colliders(const Engine& engine, const Scene& scene);

// Entries of contact.pairs that are about an object or a collider.
void drop_pairs_of(Scene& scene, std::string_view name);

// The rules of all pairs and the choices of detection as `scene` has them, whose surfaces are the engine's. What
// touches goes on from where it is.
void adopt_contact(Engine& engine, const Scene& scene);
// Whether it can: as set_rules (compile/contact_rules.h).
Status may_adopt_contact(const Engine& engine, const Scene& scene);

// From the engine's surface to that of `compiled`. `place`: the new slot of each old one, or -1; `kept`: as above.
SurfaceMap surface_map(const Engine& engine, const CompiledScene& compiled, std::span<const int32_t> place,
                       std::span<const int32_t> kept);

// The motions of colliders that stay, as they were changed live.
void keep_motions(const Engine& engine, std::span<const int32_t> kept, std::vector<ColliderScript>& colliders);

// Errors: an object or a collider that the engine's scene has not meets another. `state`, `motions`: the new ones.
Status check_added(Engine& engine, const Scene& scene, CompiledScene& compiled, const State& state,
                   const std::vector<ColliderScript>& motions, const SurfaceMap& map);

// Errors, with the guarantee: bodies at x, by slot, meet each other or a collider. With contact.start `allow` nothing
// is looked at.
Status check_placed(Engine& engine, const std::vector<Vec3d>& x);

}  // namespace sinew
