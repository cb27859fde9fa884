#include <algorithm>
#include <cmath>

#include "compile/check_compiled.h"
#include "compile/oddities.h"
#include "scene/material_values.h"
#include "solver/solver_list.h"

namespace sinew {

SolverTraits OddityContext::solver_traits() const {
  const SolverInfo* solver = find_solver(scene.solver.type);
  return solver ? solver->traits : SolverTraits{};
}

Stiffness stiffness_of(const SceneMaterial& m) {
  if (const auto young = value_of(m, "youngs_modulus")) return {*young, "youngs_modulus"};
  return {elastic_material(m).lame.mu, value_of(m, "mu") ? "mu" : "shear modulus"};
}

bool uses(const SceneObject& o, const SceneMaterial& m) {
  return m.name == o.material ||
         std::any_of(o.regions.begin(), o.regions.end(), [&](const auto& region) { return region.second == m.name; });
}

double element_edge(const TetMesh& mesh, const ObjectPart& part) {
  double volume = 0;
  for (int32_t e = part.first_tet; e < part.last_tet; ++e) volume += volume_of(mesh.vertices, mesh.tets[e]);
  const double edge = std::cbrt(6 * volume / std::max(part.last_tet - part.first_tet, 1));
  const bool quadratic = !mesh.middles.empty() && part.first_tet < part.last_tet &&
                         mesh.middles[static_cast<size_t>(part.first_tet)][0] != no_middle;
  return quadratic ? edge / 2 : edge;  // between vertices
}

void look_for_oddities(const Scene& scene, const TetMesh& mesh, const CompiledScene& compiled,
                       std::vector<std::string>& warnings) {
  const OddityContext in{scene, mesh, compiled, warnings};
  odd_settings(in);
  odd_materials(in);
  odd_pins(in);
  odd_bodies(in);
  odd_quadratic(in);
  odd_solving(in);
  odd_falls(in);
  odd_bindings(in);
  odd_contacts(in);
  odd_winds(in);
}

}  // namespace sinew
