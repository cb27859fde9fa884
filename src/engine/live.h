// Changes of a running simulation (sinew/simulation.h). Each checks all that it is given before it changes anything.
#pragma once

#include <span>
#include <string_view>

#include "base/result.h"
#include "engine/engine.h"
#include "sinew/live.h"

namespace sinew {

Result<PinHandle> add_pin(Engine& engine, std::span<const int32_t> vertices);
Status move_pin(Engine& engine, PinHandle pin, const PinPose& pose);
Status move_pin(Engine& engine, PinHandle pin, std::span<const Real3> places);
Status remove_pin(Engine& engine, PinHandle pin);
Result<ForceHandle> add_force(Engine& engine, std::span<const int32_t> vertices, const Real3& force);
Status set_force(Engine& engine, ForceHandle handle, const Real3& force);
Status remove_force(Engine& engine, ForceHandle handle);
Status set_gravity(Engine& engine, const Real3& gravity);
Status set_value(Engine& engine, std::string_view path, std::string_view value);

// All that steps and changes make different: a simulation with the same model goes on from it bit for bit.
struct LiveState {
  State state;
  Scene scene;
  Engine::Clock clock;
  std::vector<PinScript> pins;
  std::vector<LoadScript> loads;
  std::vector<int32_t> forces;  // as in Engine
};
LiveState live_state(const Engine& engine);
Status restore(Engine& engine, const LiveState& live);

}  // namespace sinew
