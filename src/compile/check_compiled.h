// What only the compiled scene can tell: whether it can be computed at all, and what is seldom meant. `mesh` is that of
// all objects in the user's order.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "compile/compile.h"
#include "sinew/scene.h"

namespace sinew {

// Errors: masses, stiffnesses, volumes or a damping that the solver's precision cannot compute with.
Status check_range(const Scene& scene, const TetMesh& mesh, const CompiledScene& compiled);

// Of quasistatic scenes. Errors: forces act on a part that nothing holds, so that there is no equilibrium.
// Warnings: an equilibrium that is not unique, or is none from the release of a pin on.
Status check_equilibrium(const Scene& scene, const TetMesh& mesh, const CompiledScene& compiled,
                         std::vector<std::string>& warnings);

// Nothing wrong in itself, but seldom meant: a sentence each that begins with the path of the key.
void look_for_oddities(const Scene& scene, const TetMesh& mesh, const CompiledScene& compiled,
                       std::vector<std::string>& warnings);

}  // namespace sinew
