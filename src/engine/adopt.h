// A running simulation takes over another scene: with other parameters, with other objects switched off, or with other
// objects. What the scene does not change stays: state, clock, pins, forces and grabs.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "engine/engine.h"

namespace sinew {

// The same objects but for activations and what contact may change live, and the same colliders but for their motions:
// one model serves both.
bool have_same_objects(const Scene& a, const Scene& b);

// Which of the engine's objects are on.
std::vector<uint8_t> switches(const Engine& engine);

// Materials, solver and time step of a scene with the same objects. `on`: of each object. `single_rounding`: of
// CompiledScene; none: as the state is now. If only materials change, the solver's layouts are rescaled if they permit
// that. After an Error nothing has changed.
Status adopt_parameters(Engine& engine, const Scene& scene, std::span<const uint8_t> on,
                        std::optional<double> single_rounding = {});
// The same with layouts built anew for the materials `built_for`, and then rescaled.
Status adopt_built_for(Engine& engine, const Scene& scene, std::span<const uint8_t> on, double single_rounding,
                       const std::vector<SceneMaterial>& built_for);

// A scene with other objects or colliders, which is compiled; those that both have keep positions, velocities, pins,
// forces and grabs, and stay off where they are. Of pins and forces the vertices that are gone drop out; those left
// without any are removed, and grabs of which any vertex is gone. Colliders that both have go on with their motions
// from where they are, and friction that sticks holds where it held. Errors: those of the scene; `look`: what is new
// meets something. Then nothing has changed.
enum class Look { at_what_is_new, away };
Status adopt_objects(Engine& engine, const Scene& scene, Look look);

// Gravity and activations, which every step reads anew, as engine.scene has them.
void adopt_forces(Engine& engine);

// Tells the stepper which vertices take no part.
void idle_objects_that_are_off(Engine& engine);

}  // namespace sinew
