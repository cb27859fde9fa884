// One sample of a data set: an equilibrium, in ever smaller steps until one is found, or a trajectory.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>

#include "base/result.h"
#include "compile/scene_files.h"
#include "dataset/sample.h"
#include "exec/thread_pool.h"
#include "sinew/scene.h"

namespace sinew {

struct Solving {
  const DatasetPlan& plan;
  SampleShape shape;
  std::shared_ptr<const SceneFiles> files;
  std::shared_ptr<ThreadPool> pool;
  const std::atomic<bool>* interrupt = nullptr;
};

// `start`: positions in the user's order from which an equilibrium may be sought first; empty: the rest shape. Returns
// nothing if it was interrupted. Whatever goes wrong with the scene is in the sample.
std::optional<Sample> solve_sample(const Solving& solving, const Scene& scene, std::span<const double> start);

// The residual [N] of an equilibrium's positions, computed anew. Errors: those of the scene; one with contact, whose
// forces depend on the way.
Result<double> residual_of(const Solving& solving, const Scene& scene, const Sample& sample);

}  // namespace sinew
