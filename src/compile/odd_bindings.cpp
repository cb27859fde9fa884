#include <algorithm>
#include <cmath>
#include <limits>

#include "base/format.h"
#include "compile/oddities.h"
#include "compile/precision.h"
#include "math/length.h"

namespace sinew {

namespace {

// A binding this many times as stiff as a body's elements is practically rigid at that precision.
constexpr double rigid_enough_single = 1e2, rigid_enough_double = 1e6;

// A binding's force is its stiffness times the difference of two positions, both of them rounded.
void odd_binding(const OddityContext& in, const SceneBinding& b, const std::string& path) {
  const bool single = in_single_precision(in.scene.solver, in.compiled);
  const double epsilon = single ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
  // Sweeps by vertex hardly move two vertices tied by a stiff binding, in either precision.
  const char* remedy = !single ? ""
                       : in.solver_traits().stiff_ties
                           ? ", or use solver.precision = \"double\""
                           : ", or use the solver newton, or fp_pxpbd with precision = \"double\"";
  const double k = std::max({b.stiffness, b.normal_stiffness.value_or(0), b.tangential_stiffness.value_or(0)});
  for (size_t n = 0; n < in.scene.objects.size(); ++n) {
    const SceneObject& o = in.scene.objects[n];
    const ObjectPart& part = in.compiled.objects[n];
    if ((o.name != b.bind.object && o.name != b.to.object) || part.first_tet == part.last_tet) continue;
    double volume = 0, farthest = 0, modulus = std::numeric_limits<double>::infinity();
    for (int32_t e = part.first_tet; e < part.last_tet; ++e) volume += volume_of(in.mesh.vertices, in.mesh.tets[e]);
    for (int32_t v = part.first_vertex; v < part.last_vertex; ++v)
      farthest = std::max(farthest, length(in.mesh.vertices[v]));
    for (const SceneMaterial& m : in.scene.materials)
      if (uses(o, m)) modulus = std::min(modulus, part.mean_stiffness_factor * stiffness_of(m).value);
    const double edge = std::cbrt(6 * volume / (part.last_tet - part.first_tet));
    const double grain = epsilon * farthest * k, softness = modulus * edge;
    if (grain > coarse_rounding * edge * softness)
      in.warn(path + format(".stiffness = %g N/m: %s precision rounds its forces to %.2g N, which is enough to move "
                            "objects.%s by %.2g m; %.0e N/m holds as well%s",
                            k, single ? "single" : "double", grain, o.name.c_str(), grain / softness,
                            (single ? rigid_enough_single : rigid_enough_double) * softness, remedy));
  }
}

}  // namespace

void odd_bindings(const OddityContext& in) {
  for (size_t k = 0; k < in.scene.bindings.size(); ++k)
    odd_binding(in, in.scene.bindings[k], format("bindings.%zu", k));
}

}  // namespace sinew
