#include "compile/check_size.h"

#include <algorithm>

#include "base/format.h"
#include "compile/check_compiled.h"
#include "compile/generated.h"
#include "compile/precision.h"
#include "compile/spring_mesh.h"
#include "material/material_kind.h"
#include "scene/object_kinds.h"
#include "solver/solver_list.h"

namespace sinew {
namespace {

// The peak memory of a run, measured on boxes of 12 million tets (docs/performance.md): the model, the state, and for
// each tet the layout of the solver. Rather too low than too high, because a scene that is rejected cannot be tried.
constexpr double bytes_per_vertex = 190;
constexpr double bytes_per_tet = 36;
constexpr double bytes_per_spring = 200;
constexpr double bytes_per_fibre = 180;
// Of a quadratic tet; its middles are vertices more, of which tets that fill space have 1.2 each.
constexpr double bytes_per_quadratic_tet = 460, middles_per_tet = 1.2;

double layout_bytes_per_tet(const Scene& scene) {
  constexpr double of_a_strip = 36;
  const double reals = may_be_in_single_precision(scene.solver) ? 1 : 2;
  const SolverInfo* solver = find_solver(scene.solver.type);
  if (!solver) return 0;
  const bool strips = solver->traits.by_vertex &&
                      std::all_of(scene.materials.begin(), scene.materials.end(), [](const SceneMaterial& m) {
                        const auto kind = material_named(m.model);
                        return kind && traits_of(*kind).links && m.damping == 0;
                      });
  return (strips ? of_a_strip : solver->traits.bytes_per_tet) * reals;
}

}  // namespace

Status check_size(const Scene& scene, int64_t available) {
  MeshSize total;
  double largest = 0, fibres = 0, quadratic = 0;
  const SceneObject* at = nullptr;
  for (const SceneObject& object : scene.objects) {
    const MeshSize size = generated_size(object.mesh);
    const double copies = copy_count(object), parts = copies * (size.tets + size.springs);
    total.vertices += copies * size.vertices;
    total.tets += copies * size.tets;
    total.springs += copies * size.springs;
    if (object.fibres) fibres += copies * size.tets * (object.quadratic ? 4 : 1);
    if (object.quadratic) {
      quadratic += copies * size.tets;
      total.vertices += copies * size.tets * middles_per_tet;
    }
    if (parts > largest) {
      largest = parts;
      at = &object;
    }
  }
  const double needed = total.vertices * bytes_per_vertex + total.tets * (bytes_per_tet + layout_bytes_per_tet(scene)) +
                        quadratic * bytes_per_quadratic_tet + total.springs * bytes_per_spring +
                        fibres * bytes_per_fibre;
  if (needed <= static_cast<double>(available) || !at) return {};
  constexpr double gigabyte = 1e9;
  const char* parts = is_of_springs(at->mesh) ? "springs" : "tetrahedra";
  return Error{scene.source,
               "objects." + at->name +
                   format(".mesh: %.3g %s, %.3g in all, need about %.3g GB of memory; %.3g GB are available", largest,
                          parts, is_of_springs(at->mesh) ? total.springs : total.tets, needed / gigabyte,
                          static_cast<double>(available) / gigabyte),
               "use fewer cells, shells, points or copies, or a machine with more memory"};
}

}  // namespace sinew
