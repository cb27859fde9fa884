#include "drive/run_health.h"

#include <algorithm>
#include <cmath>

#include "base/format.h"
#include "objective/objective.h"

namespace sinew {
namespace {

constexpr double out_of_balance = 1;  // residual over loads
constexpr double share_of_frames = 0.1;
constexpr double energy_gained = 0.1;  // of the largest kinetic energy

// XPBD and PBD leave forces of stiff constraints out of balance, though the motion may be good.
bool keeps_balance(const std::string& solver) {
  return solver != "pbd" && !solver.starts_with("xpbd");
}

double square(Vec3d v) {
  return dot(v, v);
}

}  // namespace

void RunHealth::look(const Engine& engine, const Evaluation& evaluation, const std::vector<Vec3d>& forces) {
  const Model& model = engine.compiled.model;
  const StepProblem& problem = engine.method.stepper->problem();
  const bool first = frames_ == 0 && first_x_.empty();
  double loads = 0, reactions = 0, kinetic = 0, inertia = 0, work = 0, moved = 0;
  if (first) first_x_ = engine.state.x;
  for (size_t s = 0; s < model.mass.size(); ++s) {
    if (model.mass[s] == 0) continue;
    const Vec3d x = engine.state.x[s];
    kinetic += 0.5 * model.mass[s] * square(engine.state.v[s]);
    if (problem.held[s]) {
      if (!forces.empty()) reactions += square(forces[s]);
      moved = std::max(moved, square(x - first_x_[s]));
    } else {
      loads += square(problem.external_force(s));
      work += dot(model.external_force(s), x - first_x_[s]);
      inertia += 0.5 * model.mass[s] * problem.inverse_h2() * square(x - problem.x_target[s]);
    }
  }
  for (const Glide& g : problem.glides) {
    const auto s = static_cast<size_t>(g.slot);
    const double motion = square(g.fixed * (engine.state.x[s] - first_x_[s]));
    // They keep to their plane up to rounding.
    if (motion > 1e-24 * square(engine.state.x[s])) moved = std::max(moved, motion);
  }
  last_ = evaluation;
  last_loads_ = std::sqrt(loads > 0 ? loads : reactions);
  work_ |= problem.quasistatic || moved > 0 || !model.muscles.empty() || !problem.load.empty();
  // The objective of a step has the external forces in its inertia.
  energy_ = evaluation.energy - inertia + kinetic - work;
  exchanged_ = std::max(exchanged_, kinetic);
  if (first) {
    first_energy_ = largest_energy_ = energy_;
    return;
  }
  largest_energy_ = std::max(largest_energy_, energy_);
  ++frames_;
  if (last_loads_ == 0) return;
  worst_ = std::max(worst_, evaluation.residual / last_loads_);
  out_of_balance_ += evaluation.residual > out_of_balance * last_loads_;
}

std::string RunHealth::inverted(Engine& engine) const {
  const Model& model = engine.compiled.model;
  std::vector<double> det(model.tets.size());
  deformation_measures(model, engine.state.x, engine.pool, det, {});
  const size_t e = static_cast<size_t>(std::min_element(det.begin(), det.end()) - det.begin());
  Vec3d place{};
  for (const int32_t corner : model.tets[e]) place += 0.25 * engine.state.x[static_cast<size_t>(corner)];
  return format(
      "%d of %zu elements are inverted at the end, the worst with det F = %.3g: element %d, near [%.3g, %.3g, "
      "%.3g] m",
      last_.inverted, det.size(), det[e], model.user_tet[e], place.x, place.y, place.z);
}

std::vector<std::string> RunHealth::warnings(Engine& engine) const {
  std::vector<std::string> list;
  if (frames_ == 0) return list;
  const bool multilevel = engine.scene.solver.type == "multilevel";
  const std::string remedy = !multilevel                     ? "use the solver multilevel"
                             : engine.scene.time.quasistatic ? "use more iterations or slower pins"
                                                             : "use more iterations or more time.substeps";
  const bool at_the_end = last_loads_ > 0 && last_.residual > out_of_balance * last_loads_;
  const bool lost =
      keeps_balance(engine.scene.solver.type) &&
      (at_the_end || static_cast<double>(out_of_balance_) > share_of_frames * static_cast<double>(frames_));
  const double gain = largest_energy_ - first_energy_;
  const bool gained = !work_ && exchanged_ > 0 && gain > energy_gained * exchanged_;
  if (last_.inverted > 0)
    list.push_back(inverted(engine) + (lost || gained ? ": the solver is far from the solution; " + remedy
                                                      : ": the load crushes the material there; use a stiffer one"));
  if (lost)
    list.push_back(format("the residual exceeded weight and loads in %lld of %lld frames, up to "
                          "%.3g times: the motion owes more to the solver than to the body; ",
                          static_cast<long long>(out_of_balance_), static_cast<long long>(frames_), worst_) +
                   remedy);
  if (gained)
    list.push_back(format("energy grew by %.3g J though nothing does work: the solver adds energy; ", gain) + remedy);
  return list;
}

}  // namespace sinew
