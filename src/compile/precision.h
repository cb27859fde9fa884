// The precision of sweeps if solver.precision is "auto". Single precision rounds positions, and with them elastic
// forces, by about
//   0.5 eps |x| K      [N]   eps = 1.2e-7; |x|: root mean square distance from the origin [m]; K: stiffness [N/m]
// at a vertex. If that is not small relative to weight and loads, they are lost in it, whatever the solver: in bodies
// of stone or steel, and in any body far from the origin. Such models are swept in double precision. So are those with
// friction that sticks where it would creep by rounding.
#pragma once

#include <span>

#include "compile/compile.h"
#include "exec/thread_pool.h"
#include "sinew/scene.h"

namespace sinew {

// [-] The forces of rounding over weight and loads where these are largest, both as 2-norms over vertices. 0 if neither
// weight nor load acts.
double single_rounding(const TimeSettings& time, const Model& model, std::span<const LoadScript> loads,
                       const State& state, ThreadPool& pool);

// The same with a stiffness norm [N/m] that is known already, without inertia.
double single_rounding(const TimeSettings& time, const Model& model, std::span<const LoadScript> loads,
                       const State& state, double stiffness_norm);

// Whether sweeps with these settings work in single precision on this model.
bool in_single_precision(const SolverSettings& settings, const CompiledScene& compiled);
// The same before there is a model: "auto" counts as single.
bool may_be_in_single_precision(const SolverSettings& settings);

}  // namespace sinew
