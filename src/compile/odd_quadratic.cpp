#include <algorithm>
#include <variant>
#include <vector>

#include "base/format.h"
#include "compile/lists_of_corners.h"
#include "compile/oddities.h"
#include "compile/precision.h"
#include "scene/material_values.h"

namespace sinew {
namespace {

// What the remedy of a ratio of 1/2 names (material/isotropic_moduli.h).
constexpr double most_in_single = 0.4995;
// Beyond these, by measurement, solvers do not converge: Newton's method creeps along the constraint of volumes, for it
// has no multipliers, and what these leave grows with lambda.
constexpr double most_in_double = 0.49999 + 1e-9, most_of_newton = 0.4999 + 1e-9;
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

// Numbers name vertices one by one, and who lists the corners of a face means the face.
void odd_lists(const OddityContext& in) {
  for (size_t k = 0; k < in.scene.pins.size(); ++k) {
    const ScenePin& pin = in.scene.pins[k];
    for (size_t j = 0; j < in.scene.objects.size(); ++j) {
      if (in.scene.objects[j].name != pin.object) continue;
      std::vector<int32_t> chosen;
      for (const int32_t s : in.compiled.pins[k].slots)
        chosen.push_back(static_cast<int32_t>(in.compiled.model.order.vertex(Slot{s})));
      std::string warning =
          left_out_middles(pin.select, chosen, in.compiled.objects[j], in.mesh, format("pins.%zu", k), "are free");
      if (!warning.empty()) in.warn(std::move(warning));
    }
  }
}

}  // namespace

void odd_quadratic(const OddityContext& in) {
  odd_multipliers(in);
  odd_lists(in);
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
      else if (const bool newton = in.scene.solver.type == "newton" || in.scene.solver.type == "quasi_newton";
               ratio > (newton ? most_of_newton : most_in_double))
        in.warn(path + format(": Poisson's ratio = %.12g of quadratic tets: solver.type = \"%s\" bears %g at most; %s",
                              ratio, in.scene.solver.type.c_str(), newton ? 0.4999 : 0.49999,
                              newton ? "use \"multilevel\", which bears 0.49999, or a lower ratio"
                                     : "use a lower ratio: 0.4999 differs little"));
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
