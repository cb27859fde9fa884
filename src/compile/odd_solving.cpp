#include <algorithm>
#include <cmath>

#include "accel/anderson.h"
#include "base/format.h"
#include "compile/oddities.h"
#include "scene/material_values.h"
#include "solver/solver_list.h"

namespace sinew {

namespace {

bool is_on_grid(const OddityContext& in, const SceneObject& o) {
  return in.scene.grid && o.on_grid;
}

// Neo-Hookean under XPBD: its constraint |F| also pulls at rest, which goes unnoticed only if steps are shorter than
// sound takes through an element. With q = mu h^2 / (rho l^2), l^3 six times an element's volume, a free body of 8^3
// cells loses 1.7 q of its volume, for any number of iterations.
constexpr double volume_lost = 1.7, too_much_lost = 0.05;

double youngs_modulus_of(const SceneMaterial& m) {
  const Lame lame = elastic_material(m).lame;
  return value_of(m, "youngs_modulus").value_or(lame.mu * (3 * lame.lambda + 2 * lame.mu) / (lame.lambda + lame.mu));
}

// Under XPBD such a body shrinks.
bool is_stressed_at_rest(const SceneMaterial& m) {
  return traits_of(elastic_material(m).kind).stressed_at_rest();
}

void odd_shrinking(const OddityContext& in, const SceneObject& o, const ObjectPart& part, const std::string& path) {
  const double l = element_edge(in.mesh, part);
  for (const SceneMaterial& m : in.scene.materials) {
    if (!is_stressed_at_rest(m) || !uses(o, m)) continue;
    const double mu = part.mean_stiffness_factor * elastic_material(m).lame.mu;
    const double q = mu * in.step() * in.step() / (m.density * l * l), lost = volume_lost * q;
    if (lost < too_much_lost) continue;
    const double substeps = std::ceil(in.scene.time.substeps * std::sqrt(lost / too_much_lost));
    in.warn(path + format(": %s with %s in steps of %g s lets it shrink by %s of its volume even at rest; take "
                          "time.substeps = %.0f, \"model\": \"fixed_corotated\" for %s, or the solver %s",
                          in.scene.solver.type.c_str(), m.model.c_str(), in.step(),
                          lost < 0.5 ? format("some %.0f %%", 100 * lost).c_str() : "most", substeps, m.name.c_str(),
                          is_on_grid(in, o) ? "newton" : "vbd"));
  }
}

void odd_collapse(const OddityContext& in, const SceneObject& o, const std::string& path) {
  for (const SceneMaterial& m : in.scene.materials)
    if (is_stressed_at_rest(m) && uses(o, m))
      in.warn(path + format(": %s with %s lets it shrink even at rest, by half its volume or more, the more the "
                            "longer it iterates; take \"model\": \"fixed_corotated\" for %s, or the solver multilevel",
                            in.scene.solver.type.c_str(), m.model.c_str(), m.name.c_str()));
}

// Measured on bars of 10 kPa to 100 MPa and 0.2 to 0.8 m that swing down for half a second: with less than what the
// iterations carry they are within 6 % of their length of Newton's solution, with two or three times as much up to
// 35 % off, and hang far too low.
void odd_hanging(const OddityContext& in, const SceneObject& o, const ObjectPart& part, const std::string& path) {
  const Model& model = in.compiled.model;
  std::vector<uint8_t> held(model.mass.size());
  for (const PinScript& pin : in.compiled.pins)
    for (const int32_t slot : pin.slots) held[static_cast<size_t>(slot)] = 1;
  bool pinned = !in.scene.bindings.empty();
  for (int32_t v = part.first_vertex; v < part.last_vertex && !pinned; ++v)
    pinned = held[static_cast<size_t>(model.order.slot(UserVertex{v}))];
  const SolverInfo* solver = find_solver(in.scene.solver.type);
  if (!pinned || part.first_tet == part.last_tet) return;
  double iterations = solver->common.iterations;
  for (const OptionValue& option : in.scene.solver.options)
    if (const double* number = std::get_if<double>(&option.value); number && option.name == "iterations")
      iterations = *number;
  const double l = element_edge(in.mesh, part), carried = iterations * solver->traits.carried_by_iteration;
  for (const SceneMaterial& m : in.scene.materials) {
    if (!uses(o, m)) continue;
    const double young = youngs_modulus_of(m);
    const double q = part.mean_stiffness_factor * young * in.step() * in.step() / (m.density * l * l);
    if (q <= carried) continue;
    in.warn(path +
            format(": E h^2 / (density edge^2) = %.2g, and %.0f iterations of %s carry forces through no more than "
                   "%.2g: it hangs as if it were soft; take %s, or time.substeps = %.0f",
                   q, iterations, in.scene.solver.type.c_str(), carried,
                   is_on_grid(in, o) ? "more iterations" : "the solver multilevel",
                   std::ceil(in.scene.time.substeps * std::sqrt(q / carried))));
  }
}

// Anderson acceleration of multipliers alone. Measured on beams of linear and quadratic tets of 10 kPa to 1 MPa: with
// E h^2 / (density l^2) = 0.1 they swing for a second, with 0.25 they leave all bounds within a few steps.
constexpr double most_for_multipliers = 0.15;

void odd_multipliers_alone(const OddityContext& in, const SceneObject& o, const ObjectPart& part,
                           const std::string& path) {
  const OptionScalar* on = in.scene.solver.accelerator_options.find("on");
  const std::string* what = on ? std::get_if<std::string>(on) : nullptr;
  if (!what || *what != anderson_on_names[anderson_multipliers] || part.first_tet == part.last_tet) return;
  const double l = element_edge(in.mesh, part);
  for (const SceneMaterial& m : in.scene.materials) {
    if (!uses(o, m)) continue;
    const double q = part.mean_stiffness_factor * youngs_modulus_of(m) * in.step() * in.step() / (m.density * l * l);
    if (q <= most_for_multipliers) continue;
    in.warn(path + format(": E h^2 / (density distance^2) = %.2g, distance that of neighbouring vertices: "
                          "solver.accelerator.on = \"multipliers\" grows without limit beyond %g; take \"both\", or "
                          "time.substeps = %.0f",
                          q, most_for_multipliers,
                          std::ceil(in.scene.time.substeps * std::sqrt(q / most_for_multipliers))));
  }
}

}  // namespace

void odd_solving(const OddityContext& in) {
  const SolverTraits traits = in.solver_traits();
  const bool quasistatic = in.scene.time.quasistatic;
  for (size_t k = 0; k < in.scene.objects.size(); ++k) {
    const SceneObject& o = in.scene.objects[k];
    const ObjectPart& part = in.compiled.objects[k];
    const std::string path = "objects." + o.name;
    if (!quasistatic && traits.dynamic && traits.shrinks_at_rest) odd_shrinking(in, o, part, path);
    if (quasistatic && traits.quasistatic && traits.shrinks_at_rest) odd_collapse(in, o, path);
    if (!quasistatic) odd_multipliers_alone(in, o, part, path);
    if (!quasistatic && traits.carried_by_iteration > 0) odd_hanging(in, o, part, path);
  }
}

}  // namespace sinew
