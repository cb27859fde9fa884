#include "solver/damping_merit.h"

#include "material/materials.h"
#include "model/rest_shape.h"

namespace sinew {
namespace {

template <class Material>
double element_merit(const StepProblem& problem, const Material& material, int32_t tet, std::span<const Vec3d> x,
                     std::span<const Vec3d> x_frozen) {
  const Model& model = *problem.model;
  const Tet& t = model.tets[tet];
  const ElementShape shape(t, model.rest, model.stiffness_factor_of(tet));
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
      const auto material = coefficients_of<Material>(block.material);
      total += block.damping / problem.h * ordered_sum<double>(pool, block.last_tet - block.first_tet, [&](int64_t e) {
                 return element_merit(problem, material, static_cast<int32_t>(block.first_tet + e), x, x_frozen);
               });
    });
  }
  return total;
}

}  // namespace sinew
