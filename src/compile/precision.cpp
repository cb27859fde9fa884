#include "compile/precision.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "objective/objective.h"
#include "solver/solver_list.h"

namespace sinew {

namespace {

// Share of weight and loads; larger rounding requires double precision.
constexpr double most_rounding = 0.3;
// The same where friction sticks: what creeps by rounding does not.
constexpr double most_under_friction = 1e-3;
// Number of times at which loads over time are evaluated.
constexpr int looks = 16;

std::string_view precision_asked_for(const SolverSettings& settings) {
  const SolverInfo* solver = find_solver(settings.type);
  if (!solver || !solver->traits.single_precision) return precision_names[double_precision];
  for (const OptionValue& option : settings.options) {
    const std::string* word = std::get_if<std::string>(&option.value);
    if (option.name == "precision" && word) return *word;
  }
  return precision_names[solver->common.precision];
}

bool sticks(const CompiledScene& compiled) {
  const std::vector<ContactRule>& rules = compiled.contact_surface.rules;
  return std::any_of(rules.begin(), rules.end(),
                     [](const ContactRule& r) { return r.touches && r.friction > 0 && r.form == FrictionForm::stick; });
}

}  // namespace

double single_rounding(const TimeSettings& time, const Model& model, std::span<const LoadScript> loads,
                       const State& state, ThreadPool& pool) {
  return single_rounding(time, model, loads, state, stiffness_norm(model, 0, pool));
}

double single_rounding(const TimeSettings& time, const Model& model, std::span<const LoadScript> loads,
                       const State& state, double stiffness_norm) {
  const std::vector<Vec3d>& x = state.x;
  double squares = 0, constant = 0, largest = 0;
  for (size_t s = 0; s < model.mass.size(); ++s) {
    squares += dot(x[s], x[s]);
    const Vec3d f = model.external_force(s);
    constant += dot(f, f);
  }
  largest = constant;
  std::vector<Vec3d> load;
  for (int k = 0; k <= looks && !loads.empty(); ++k) {
    load.assign(x.size(), Vec3d{});
    add_loads(loads, {time.duration * k / looks, 0, x, state.v, model.mass}, load);
    double sum = 0;
    for (size_t s = 0; s < load.size(); ++s) {
      const Vec3d f = model.external_force(s) + load[s];
      sum += dot(f, f);
    }
    largest = std::max(largest, sum);
  }
  if (largest == 0) return 0;
  const double distance = std::sqrt(squares / static_cast<double>(std::max<size_t>(x.size(), 1)));
  return 0.5 * std::numeric_limits<float>::epsilon() * distance * stiffness_norm / std::sqrt(largest);
}

bool in_single_precision(const SolverSettings& settings, const CompiledScene& compiled) {
  const std::string_view asked = precision_asked_for(settings);
  if (asked == precision_names[auto_precision])
    return compiled.single_rounding <= (sticks(compiled) ? most_under_friction : most_rounding);
  return asked == precision_names[single_precision];
}

bool may_be_in_single_precision(const SolverSettings& settings) {
  return precision_asked_for(settings) != precision_names[double_precision];
}

}  // namespace sinew
