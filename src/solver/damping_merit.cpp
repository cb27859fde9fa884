#include "solver/damping_merit.h"

#include "material/materials.h"
#include "model/rest_shape.h"
#include "solver/quadratic_tangent.h"

namespace sinew {
namespace {

template <class Material>
double quadratic_merit(const StepProblem& problem, const Material& material, double mean_lambda, int32_t tet,
                       const ElementShape& shape, std::span<const Vec3d> x, std::span<const Vec3d> x_frozen) {
  const ElementNodes nodes = problem.model->nodes_of(tet);
  const QuadraticStiffness k =
      quadratic_stiffness(material, mean_lambda, shape, places_from_first(nodes, x_frozen).data(), Tangent::exact);
  double sum = 0;
  for (int n = 0; n < most_nodes; ++n) {
    const int32_t s = nodes[static_cast<size_t>(n)];
    if (problem.held[s]) continue;
    const Vec3d moved = x[s] - problem.x_prev[s];
    sum += 0.5 * dot(moved, k.block[corner_pair(n, n)] * moved);
  }
  return sum;
}

// `mean_lambda`: of quadratic elements; null: the element is linear.
template <class Material>
double element_merit(const StepProblem& problem, const Material& material, const double* mean_lambda, int32_t tet,
                     std::span<const Vec3d> x, std::span<const Vec3d> x_frozen) {
  const Model& model = *problem.model;
  const Tet& t = model.tets[tet];
  const ElementShape shape(t, model.rest, model.stiffness_factor_of(tet));
  if (mean_lambda) return quadratic_merit(problem, material, *mean_lambda, tet, shape, x, x_frozen);
  const Mat3d frozen = shape.deformation_gradient(t, x_frozen);
  double sum = 0;
  for (int k = 0; k < shape.corners; ++k) {
    if (problem.held[t[k]]) continue;
    const Vec3d moved = x[t[k]] - problem.x_prev[t[k]];
    sum += 0.5 * shape.volume * dot(moved, material.vertex(frozen, shape.gradient[k]).stiffness * moved);
  }
  return sum;
}

}  // namespace

double damping_merit(const StepProblem& problem, std::span<const Vec3d> x, std::span<const Vec3d> x_frozen,
                     ThreadPool& pool) {
  if (problem.quasistatic || problem.model->damping_form != DampingForm::own_block) return 0;
  double total = 0;
  for (const ElasticBlock& block : problem.model->blocks) {
    if (block.damping <= 0) continue;
    visit_formula(block.material.kind, [&]<template <class> class Material>() {
      const PointMaterial at_points = PointMaterial::of(block);
      const auto material = coefficients_of<Material>(at_points.material);
      const double* const mean_lambda = block.quadratic() ? &at_points.mean_lambda : nullptr;
      total += block.damping / problem.h * ordered_sum<double>(pool, block.last_tet - block.first_tet, [&](int64_t e) {
                 return element_merit(problem, material, mean_lambda, static_cast<int32_t>(block.first_tet + e), x,
                                      x_frozen);
               });
    });
  }
  return total;
}

}  // namespace sinew
