// A simulation whose files come from anywhere: a page or a module hands over its own SceneFiles.
#pragma once

#include <memory>
#include <string_view>

#include "compile/scene_files.h"
#include "exec/thread_pool.h"
#include "sinew/simulation.h"

namespace sinew {

// As Simulation::create. Simulations that take their steps one after the other may share a pool.
Result<Simulation> create_simulation(const Scene& scene, std::shared_ptr<const SceneFiles> files,
                                     std::shared_ptr<ThreadPool> pool, const Listener<Progress>& on_setup);
// As Simulation::resume.
Result<Simulation> resume_simulation(std::string_view checkpoint, std::shared_ptr<const SceneFiles> files,
                                     std::shared_ptr<ThreadPool> pool);

}  // namespace sinew
