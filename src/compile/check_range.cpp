#include <algorithm>
#include <cmath>
#include <limits>

#include "base/format.h"
#include "compile/check_compiled.h"
#include "compile/precision.h"

namespace sinew {

namespace {

// The smallest and largest value of a quantity, and its unit in messages.
struct Extremes {
  const char* what;
  const char* unit;
  double low = std::numeric_limits<double>::infinity(), high = 0;

  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

constexpr const char* less_damping = "use less: it is a time, of the order of the vibrations to be damped";

}  // namespace

SolvableRange range_of(bool single) {
  return single ? SolvableRange{1e18, 1e35} : SolvableRange{1e150, 1e300};
}

Status check_range(const Scene& scene, const TetMesh& mesh, const CompiledScene& compiled) {
  const bool single = in_single_precision(scene.solver, compiled);
  const SolvableRange limits = range_of(single);
  const Model& model = compiled.model;
  const TimeSettings& time = scene.time;
  const double h = time.frame_dt / time.substeps;

  // Viscous stiffness: a damped material also resists the motion of a step with damping / h times its stiffness.
  const ElasticBlock* stiffest = nullptr;
  double viscous = 0;

  // By the user's tets and vertices, object by object, so that the error can name one.
  std::vector<const ElasticBlock*> block_of_tet(model.tets.size());
  std::vector<double> factor_of_tet(model.stiffness_factor.size());
  for (const ElasticBlock& block : model.blocks)
    for (int32_t e = block.first_tet; e < block.last_tet; ++e) block_of_tet[model.user_tet[e]] = &block;
  for (size_t e = 0; e < factor_of_tet.size(); ++e) factor_of_tet[model.user_tet[e]] = model.stiffness_factor[e];
  for (const ObjectPart& object : compiled.objects) {
    Extremes volume{"volume of a tetrahedron", "m^3"}, stiffness{"stiffness of a tetrahedron", "N/m"};
    Extremes mass{"mass of a vertex", "kg"}, inertia{"mass / time step^2 of a vertex", "N/m"};
    for (int32_t e = object.first_tet; e < object.last_tet; ++e) {
      const Tet& t = mesh.tets[e];
      const double v = volume_of(mesh.vertices, t);
      const Lame& lame = block_of_tet[e]->material.lame;
      volume.add(v);
      const double factor = factor_of_tet.empty() ? 1 : factor_of_tet[e];
      const double k = factor * (2 * lame.mu + std::abs(lame.lambda)) * std::cbrt(v);
      stiffness.add(k);
      if (!time.quasistatic && k * block_of_tet[e]->damping / h > viscous) {
        viscous = k * block_of_tet[e]->damping / h;
        stiffest = block_of_tet[e];
      }
    }
    for (int32_t v = object.first_vertex; v < object.last_vertex; ++v) {
      const double m = model.mass[static_cast<size_t>(model.order.slot(UserVertex{v}))];
      if (m == 0) continue;  // it belongs to no tetrahedron
      mass.add(m);
      if (!time.quasistatic) inertia.add(m / (h * h));
    }
    for (const auto& [extremes, limit] : {std::pair{volume, limits.alone}, std::pair{mass, limits.alone},
                                          std::pair{stiffness, limits.squared}, std::pair{inertia, limits.squared}}) {
      if (extremes.high == 0 || (extremes.low >= 1 / limit && extremes.high <= limit)) continue;
      return Error{scene.source,
                   format("objects.%s: the %s is %.3g %s; %s precision computes with %.0e to %.0e", object.name.c_str(),
                          extremes.what, extremes.high > limit ? extremes.high : extremes.low, extremes.unit,
                          single ? "single" : "double", 1 / limit, limit),
                   std::string("check the units of sizes, material, stiffness factors and time step") +
                       (single ? ", or set solver.precision = \"double\"" : "")};
    }
  }
  const Ties& ties = model.ties;
  for (int32_t t = 0; t < (time.quasistatic ? 0 : ties.count()); ++t) {
    const double k = ties.laws[t].stiffness * ties.laws[t].damping / h;
    if (k <= limits.squared) continue;
    const auto vertex = static_cast<int32_t>(model.order.vertex(Slot{ties.vertices_of(t)[0]}));
    const auto of = std::find_if(compiled.objects.begin(), compiled.objects.end(),
                                 [&](const ObjectPart& object) { return vertex < object.last_vertex; });
    return Error{
        scene.source,
        format("objects.%s.mesh: damping / time step times the stiffness of a spring is %.3g N/m; %s precision "
               "computes with up to %.0e",
               of->name.c_str(), k, single ? "single" : "double", limits.squared),
        less_damping};
  }
  if (viscous <= limits.squared) return {};
  const auto at = std::find_if(scene.materials.begin(), scene.materials.end(),
                               [&](const SceneMaterial& m) { return m.damping == stiffest->damping; });
  return Error{scene.source,
               format("materials.%s.damping = %g [s]: damping / time step times the stiffness of a tetrahedron is %.3g "
                      "N/m; %s precision computes with up to %.0e",
                      at->name.c_str(), at->damping, viscous, single ? "single" : "double", limits.squared),
               less_damping};
}

}  // namespace sinew
