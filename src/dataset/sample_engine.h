// The scene of a sample, compiled, and what is asked of it beyond steps.
#pragma once

#include <memory>
#include <span>

#include "base/result.h"
#include "dataset/solve_sample.h"
#include "engine/engine.h"

namespace sinew {

// The same scene to its end in so many steps.
Scene in_steps(const Scene& scene, int steps);

// Of what a plan makes of its scene.
SampleShape shape_of(const DatasetPlan& plan, const Engine& engine);

// Errors: those of the scene; another shape than the other samples have.
Result<std::unique_ptr<Engine>> make_sample_engine(const Solving& solving, const Scene& scene);

// [N] At the scene's end, of the shape in which it starts, with held vertices where they are held then. The engine is
// left as it was; it must not have taken a step.
double residual_at_rest(Engine& engine, int steps);
// [N] The residual that the rounding of positions to double precision leaves.
double force_rounding(Engine& engine);

// Puts vertices in the user's order where they are to be. The engine must not have taken a step.
void place(Engine& engine, std::span<const double> positions);

// As if the last step was still to be taken, from where it ended.
void take_back_step(Engine& engine);
// Of the last step's problem, posed from where it ended: loads that follow their surface are where it is now.
Evaluation evaluation_anew(Engine& engine);

}  // namespace sinew
