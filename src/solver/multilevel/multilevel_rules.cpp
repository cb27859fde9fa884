#include "solver/multilevel/multilevel_rules.h"

#include "base/format.h"

namespace sinew {

// A block of the lattice's matrix is identified by 31 bits: a pair of corners of a cell, and whether it is transposed.
Status check_lattice_size(const Model& model, double spacing) {
  const double side = spacing;
  // There are no more cells than vertices, and if cells are full, fewer by the number of vertices in each.
  const double cells = std::fmin(model.order.vertex_count(), 4.0 * model.order.vertex_count() / (side * side * side));
  constexpr double most = 2147483647.0 / (2 * cell_pairs);
  if (cells <= most) return {};
  return Error{"solver.spacing",
               format("= %g: makes up to %.2g cells of %d vertices, and more than 2^31 blocks of their matrix", side,
                      cells, model.order.vertex_count()),
               "take a larger spacing, 4 by default"};
}

namespace multilevel_rules {

bool is_convex(const Model& model) {
  bool convex = true;
  for (const ElasticBlock& block : model.blocks) convex = convex && !traits_of(block.material.kind).softens;
  for (const TieLaw<double>& law : model.ties.laws) convex = convex && !law.traits().softens;
  return convex;
}

Choice choose_bodies(const Bodies& bodies, const MultilevelOptions& options, const StepProblem& problem) {
  Choice choice;
  choice.wanted.resize(static_cast<size_t>(bodies.count()));
  for (size_t b = 0; b < choice.wanted.size(); ++b) {
    const double kappa = bodies.sizes[b].stiffness_over_inertia(problem.h);
    const bool soft = options.corrections == corrections_auto && options.order == sweeps_gauss_seidel &&
                      !problem.quasistatic && kappa < soft_kappa;
    choice.most_kappa = std::fmax(choice.most_kappa, kappa);
    choice.wanted[b] = !soft && bodies.sizes[b].vertices > 1;
    choice.any = choice.any || choice.wanted[b];
  }
  return choice;
}

double omega_of(const MultilevelOptions& options, bool corrects, bool convex, double most_kappa) {
  double omega = 1;
  if (!corrects) {
    if (convex) omega = omega_alone(most_kappa);
  } else if (options.omega > 0) {
    omega = options.omega;
  } else if (convex) {
    omega = omega_corrected;
  }
  return options.order == sweeps_jacobi ? jacobi_share * omega : omega;
}

}  // namespace multilevel_rules
}  // namespace sinew
