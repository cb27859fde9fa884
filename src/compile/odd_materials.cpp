#include <algorithm>
#include <string_view>

#include "base/format.h"
#include "compile/oddities.h"

namespace sinew {

namespace {

// Ranges with ample room for everything that people simulate: aerogel to osmium, slime to diamond. Values outside are
// mistakes in units.
struct Plausible {
  double low, high;
  bool contains(double v) const { return v >= low && v <= high; }
};
constexpr Plausible plausible_density{1e-3, 1e6};     // [kg/m^3]
constexpr Plausible plausible_stiffness{1e-3, 1e14};  // [Pa]
// Lighter solids have their density in g/cm^3; bodies as heavy as metal and as soft as rubber have their modulus in MPa
// or GPa.
constexpr double too_light = 10;                            // [kg/m^3]
constexpr double metal_density = 2500, soft_modulus = 1e7;  // [kg/m^3], [Pa]

void odd_material(const OddityContext& in, const SceneMaterial& m, const std::string& path) {
  const auto [stiffness, key] = stiffness_of(m);
  // Stiffness factors may be moduli in Pa, for a material of 1 Pa.
  const bool multiplied = std::any_of(in.scene.objects.begin(), in.scene.objects.end(),
                                      [&](const SceneObject& o) { return o.stiffness_factors && uses(o, m); });
  if (!plausible_stiffness.contains(stiffness) && !multiplied)
    in.warn(
        joined({path, key == std::string_view("youngs_modulus") || key == std::string_view("mu") ? "." : ": ", key}) +
        format(" = %g Pa: implausible for a solid; diamond has %s Pa, jelly 1e3 Pa", stiffness,
               key == std::string_view("youngs_modulus") ? "1e12" : "5e11"));
  if (!plausible_density.contains(m.density))
    in.warn(path + format(".density = %g kg/m^3: implausible for a solid; water has 1000 kg/m^3", m.density));
  else if (m.density < too_light)
    in.warn(path + format(".density = %g kg/m^3: hardly more than air; if it is in g/cm^3, write %g", m.density,
                          1000 * m.density));
  if (plausible_stiffness.contains(stiffness) && stiffness < soft_modulus && m.density >= metal_density && !multiplied)
    in.warn(path +
            format(": as heavy as stone or metal (density = %g kg/m^3) and as soft as rubber (%s = %g Pa): moduli "
                   "are in Pa; steel has 2e11, so if yours is in MPa, write %g",
                   m.density, key, stiffness, 1e6 * stiffness));
}

}  // namespace

void odd_materials(const OddityContext& in) {
  for (const SceneMaterial& m : in.scene.materials) odd_material(in, m, "materials." + m.name);
}

}  // namespace sinew
