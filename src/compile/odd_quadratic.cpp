#include <algorithm>

#include "base/format.h"
#include "compile/oddities.h"
#include "compile/precision.h"
#include "scene/material_values.h"

namespace sinew {
namespace {

// What the remedy of a ratio of 1/2 names (material/isotropic_moduli.h).
constexpr double most_in_single = 0.4995;
// Where all of the bulk stiffness is at the points.
constexpr double least_split = 1.0 / 3 + 1e-9;

// An option that only quadratic tets know. True is the default, which a scene that was read has in any case.
void odd_multipliers(const OddityContext& in) {
  const auto is_quadratic = [](const SceneObject& o) { return o.quadratic; };
  if (std::any_of(in.scene.objects.begin(), in.scene.objects.end(), is_quadratic)) return;
  const OptionScalar* given = in.scene.solver.options.find("multipliers");
  const bool* value = given ? std::get_if<bool>(given) : nullptr;
  if (value && !*value)
    in.warn(
        "solver.multipliers = false has no effect: no object has \"element\": \"quadratic\", whose tets alone have "
        "these multipliers");
}

}  // namespace

void odd_quadratic(const OddityContext& in) {
  odd_multipliers(in);
  for (const SceneObject& o : in.scene.objects) {
    if (!o.quadratic) continue;
    for (const SceneMaterial& m : in.scene.materials) {
      if (!uses(o, m)) continue;
      const double ratio = poisson_ratio_of(m);
      const std::string path = "materials." + m.name;
      if (ratio > most_in_single && in_single_precision(in.scene.solver, in.compiled))
        in.warn(path + format(": Poisson's ratio = %.12g of quadratic tets: single precision bears %g at most; use "
                              "solver.precision = \"double\"",
                              ratio, most_in_single));
      if (m.model == "stvk" && ratio > least_split)
        in.warn(path +
                format(".model = \"stvk\": at Poisson's ratio = %.6g quadratic tets have lambda - 2 mu on the change "
                       "of volume instead of the Green strain, so that large strains are softer than in linear "
                       "tets",
                       ratio));
    }
  }
}

}  // namespace sinew
