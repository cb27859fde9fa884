#include <cmath>

#include "accel/accelerator_list.h"
#include "base/format.h"
#include "compile/oddities.h"
#include "compile/precision.h"
#include "model/vertex_stream.h"
#include "scene/places.h"
#include "scene/value_text.h"
#include "solver/by_vertex/vertex_solver.h"
#include "solver/solver_list.h"
#include "solver/sweep_order.h"

namespace sinew {

namespace {

// The names of materials that can be swept as links: "a, b".
std::string materials_with_links() {
  std::string names;
  for (int k = 0; k < material_count; ++k) {
    const MaterialTraits& traits = traits_of(MaterialKind(k));
    if (traits.links) names += (names.empty() ? "" : ", ") + std::string(traits.name);
  }
  return names;
}

void odd_clock(const OddityContext& in) {
  const TimeSettings& time = in.scene.time;
  const double frames = time.duration / time.frame_dt;
  if (std::abs(frames - std::round(frames)) > 1e-6 * frames)
    in.warn(format("time.duration = %g s is %g frames: the run ends after %.0f", time.duration, frames,
                   std::round(frames)));
}

void odd_gravity(const OddityContext& in) {
  const Real3& g = in.scene.gravity;
  const double along = in.scene.up == UpAxis::z ? g[2] : g[1];
  if (dot(to_vec(g), to_vec(g)) > 2 * along * along || along > 0)
    in.warn(joined({"gravity = ", vector_text(g), " does not point down, as up is ", name_of(in.scene.up)}));
}

void odd_clusters(const OddityContext& in) {
  const SolverSettings& s = in.scene.solver;
  const SolverInfo* solver = find_solver(s.type);
  if (s.cluster_vertices > 0 && solver && !solver->traits.by_vertex)
    in.warn(format("solver.cluster_vertices = %d has no effect on %s, which does not sweep the mesh in pieces",
                   s.cluster_vertices, s.type.c_str()));
}

// A requested layout that some materials do not support.
void odd_layout(const OddityContext& in) {
  const SolverSettings& s = in.scene.solver;
  const std::string* asked = nullptr;
  for (const OptionValue& option : s.options)
    if (option.name == "layout") asked = std::get_if<std::string>(&option.value);
  const bool packed = asked && *asked == vertex_layout_names[layout_packed];
  if (!packed && !(asked && *asked == vertex_layout_names[layout_links])) return;
  const std::string path = joined({"solver.layout = \"", *asked, "\""});
  if (packed && !in_single_precision(s, in.compiled))
    in.warn(path + ": strips are packed in single precision only; links it is");
  for (const ElasticBlock& block : in.compiled.model.blocks) {
    const char* material = traits_of(block.material.kind).name;
    if (!has_links(block))
      in.warn(joined({path, ": strips are for undamped ", materials_with_links(), "; ", material,
                      block.damping > 0 ? " with damping" : "", " is swept as rest frames"}));
    else if (packed && in.compiled.model.has_stiffness_factors(block))
      in.warn(joined({path, ": stiffness factors do not pack; ", material, " with them is swept in full strips"}));
  }
}

// Accelerators extrapolate from iterates of one map, which symmetric and random sweeps are not.
void odd_sweep_order(const OddityContext& in) {
  const SolverSettings& s = in.scene.solver;
  if (s.accelerator == accelerator_list().front().name) return;
  for (const OptionValue& option : s.options) {
    const std::string* order = option.name == "sweep_order" ? std::get_if<std::string>(&option.value) : nullptr;
    if (!order || (*order != sweep_order_names[sweep_symmetric] && *order != sweep_order_names[sweep_random])) continue;
    in.warn(joined({"solver.sweep_order = \"", *order, "\": accelerators expect one sweep to be like another: ",
                    s.accelerator, " gains more from forward or backward ones"}));
  }
}

}  // namespace

void odd_settings(const OddityContext& in) {
  odd_clock(in);
  odd_gravity(in);
  odd_clusters(in);
  odd_layout(in);
  odd_sweep_order(in);
}

}  // namespace sinew
