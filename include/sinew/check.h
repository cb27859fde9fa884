// Checks of a scene without running it.
//
//   auto summary = sinew::check_scene(*sinew::read_scene("bar.json"));
//   if (!summary) std::puts(summary.error().message().c_str());
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sinew/progress.h"
#include "sinew/result.h"
#include "sinew/scene.h"

namespace sinew {

struct CheckOptions {
  int threads = 0;                               // 0: one per core
  const std::atomic<bool>* interrupt = nullptr;  // set it to stop; the result is then an Error
  // A PNG of the start, which shows what intersects; empty: none. Also where that is why the scene is refused; the
  // Error then says whether the picture was made.
  std::filesystem::path picture = {};
};
struct CheckObserver {
  Listener<Progress> on_progress = {};
};

// A scene as it is simulated.
struct SceneSummary {
  int32_t objects = 0;
  int32_t vertices = 0, held = 0;  // held: at the start or later, by a pin
  int32_t tets = 0;
  int32_t triangles = 0;  // of these tets, those that stand for triangles of plane bodies
  int64_t springs = 0, bound_vertices = 0, fibres = 0;
  double mass = 0;  // [kg]
  int64_t frames = 0;
  std::vector<std::string> warnings;  // repairs made to the meshes, and suspicious input
};

// Makes the scene's meshes and everything that its solver needs, and nothing more. Errors: every fault of the scene,
// with the path of its key; a solver that cannot treat it; an interrupt; a picture that cannot be made.
Result<SceneSummary> check_scene(const Scene& scene, const CheckOptions& options = {},
                                 const CheckObserver& observer = {});

}  // namespace sinew
