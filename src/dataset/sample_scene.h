// The scenes of a data set's samples.
#pragma once

#include <span>

#include "base/result.h"
#include "scene/faults.h"
#include "scene/json.h"
#include "sinew/dataset.h"
#include "sinew/scene.h"

namespace sinew {

class SampleScenes {
 public:
  // Errors: the plan's scene is not JSON.
  static Result<SampleScenes> of(const DatasetPlan& plan);

  // The plan's scene with a value for each parameter. Of an equilibrium it is quasistatic. Errors: those of the scene,
  // with the parameter's name where the scene has no such path.
  Result<Scene> scene(std::span<const double> values) const;

 private:
  explicit SampleScenes(const DatasetPlan& plan) : plan_(&plan) {}
  Error fault_of(const Faults& faults, std::span<const double> values) const;

  const DatasetPlan* plan_;
  Json document_;
};

}  // namespace sinew
