// The precision that sweeps have where solver.precision is "auto". Single precision rounds positions, and with them
// elastic forces, by about
//   0.5 eps |x| K      [N]   eps = 1.2e-7; |x|: root mean square distance from the origin [m]; K: stiffness [N/m]
// at a vertex. Where that is not small beside weight and loads, these are lost in it, whatever the solver: so it is in
// bodies of stone or steel, and in any body far from the origin. Such models are swept in double precision.
#pragma once

#include <span>

#include "compile/compile.h"
#include "exec/thread_pool.h"
#include "sinew/scene.h"

namespace sinew {

// [-] What rounding leaves, over weight and loads where these are largest; both are 2-norms over vertices. 0 where
// neither weight nor load acts.
double single_rounding(const TimeSettings& time, const Model& model, std::span<const LoadScript> loads,
                       const State& state, ThreadPool& pool);

// Do the sweeps of these settings work in single precision on this model?
bool in_single_precision(const SolverSettings& settings, const CompiledScene& compiled);
// The same before there is a model: "auto" counts as single.
bool may_be_in_single_precision(const SolverSettings& settings);

}  // namespace sinew
