#include "objective/tie_terms.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "element/strain_rate.h"

namespace sinew {
namespace {

// As elements are (objective.cpp): computed in parallel into a buffer that stays in the cache, added up in order.
constexpr int32_t ties_at_once = 8192;
constexpr int32_t ties_in_piece = 1024;

}  // namespace

TieTerm tie_term(const StepProblem& problem, int32_t tie, std::span<const Vec3d> x) {
  const Ties& ties = problem.model->ties;
  const TieLaw<double>& law = ties.laws[tie];
  const Vec3d c = ties.vector(tie, x);
  const double activation = law.activation(problem.activation.data());
  // Both at once: what they share is computed once.
  TieTerm term = visit_tie(law.kind, [&]<class Law>() {
    return TieTerm{Law::energy(law, c, activation), Law::gradient(law, c, activation)};
  });
  if (law.damping == 0 || problem.quasistatic) return term;
  const Vec3d before = ties.vector(tie, problem.x_prev);
  const auto viscous = StretchRate<double>::of(law, 1 / problem.h, before);
  term.energy += viscous.energy(c - before);
  term.gradient += viscous.gradient(c - before);
  return term;
}

double add_tie_terms(const StepProblem& problem, std::span<const Vec3d> x, ThreadPool& pool, std::span<Vec3d> g) {
  const Ties& ties = problem.model->ties;
  std::vector<TieTerm> terms(static_cast<size_t>(std::min(ties.count(), ties_at_once)));
  double energy = 0;
  for (int32_t first = 0; first < ties.count(); first += ties_at_once) {
    const int32_t count = std::min(ties_at_once, ties.count() - first);
    pool.parallel_for(count, count < ties_at_once ? count : ties_in_piece, [&](int64_t begin, int64_t end) {
      for (int64_t k = begin; k < end; ++k) terms[k] = tie_term(problem, first + static_cast<int32_t>(k), x);
    });
    for (int32_t k = 0; k < count; ++k) {
      energy += terms[k].energy;
      if (g.empty()) continue;
      for (int32_t j = ties.begin[first + k]; j < ties.begin[first + k + 1]; ++j)
        g[ties.vertices[j]] += ties.weights[j] * terms[k].gradient;
    }
  }
  return energy;
}

void add_tie_stiffness(const Model& model, double inverse_h2, std::span<double> stiffness) {
  const Ties& ties = model.ties;
  for (int32_t t = 0; t < ties.count(); ++t) {
    const double k = (1 + ties.laws[t].damping * std::sqrt(inverse_h2)) * largest_stiffness(ties.laws[t]);
    for (int32_t j = ties.begin[t]; j < ties.begin[t + 1]; ++j)
      stiffness[ties.vertices[j]] += ties.weights[j] * ties.weights[j] * k;
  }
}

double tie_stiffness_norm(const Model& model, double inverse_h2) {
  if (model.ties.empty()) return 0;
  std::vector<double> stiffness(model.mass.size());
  add_tie_stiffness(model, inverse_h2, stiffness);
  double squares = 0;
  for (const double k : stiffness) squares += k * k;
  return std::sqrt(squares);
}

double tie_energy_scale(const Model& model) {
  double scale = 0;
  for (const TieLaw<double>& law : model.ties.laws)
    scale += visit_tie(law.kind, [&]<class Law>() { return Law::energy_scale(law); });
  return scale;
}

}  // namespace sinew
