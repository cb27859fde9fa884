// Checks that need the compiled scene: whether it can be computed at all, and what is probably a mistake. `mesh` is the
// mesh of all objects in the user's order.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "compile/compile.h"
#include "sinew/scene.h"

namespace sinew {

// Sums and solves multiply stiffnesses by each other, so their squares must be within the range of numbers (1e-38 to
// 3e38 and 1e-308 to 2e308). Masses and volumes are not multiplied. Both from 1 / limit to limit.
struct SolvableRange {
  double squared, alone;
};
SolvableRange range_of(bool single);

// Errors: masses, stiffnesses, volumes or a damping outside the range of the solver's precision.
Status check_range(const Scene& scene, const TetMesh& mesh, const CompiledScene& compiled);

// For quasistatic scenes. Errors: forces act on a part that nothing holds, so that there is no equilibrium. Warnings:
// an equilibrium that is not unique, or that ceases to exist when a pin is released.
Status check_equilibrium(const Scene& scene, const TetMesh& mesh, const CompiledScene& compiled,
                         std::vector<std::string>& warnings);

// Finds what is valid but rarely intended. Each warning is a sentence that begins with the path of the key.
void look_for_oddities(const Scene& scene, const TetMesh& mesh, const CompiledScene& compiled,
                       std::vector<std::string>& warnings);

}  // namespace sinew
