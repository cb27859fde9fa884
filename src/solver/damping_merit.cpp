#include "solver/damping_merit.h"

#include "material/materials.h"
#include "solver/element_tangent.h"

namespace sinew {
namespace {

template <class Material>
double tet_merit(const StepProblem& problem, const ElasticBlock& block, const Material& material, int32_t tet,
                 std::span<const Vec3d> x, std::span<const Vec3d> x_frozen) {
  const Model& model = *problem.model;
  const Tet& t = model.tets[tet];
  const TetGeometry shape(model.rest[t[0]], model.rest[t[1]], model.rest[t[2]], model.rest[t[3]],
                          model.stiffness_factor_of(tet), block.plane());
  const Mat3d frozen = shape.deformation_gradient(x_frozen[t[0]], x_frozen[t[1]], x_frozen[t[2]], x_frozen[t[3]]);
  double sum = 0;
  for (int k = 0; k < 4; ++k) {
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
                 return tet_merit(problem, block, material, static_cast<int32_t>(block.first_tet + e), x, x_frozen);
               });
    });
  }
  return total;
}

}  // namespace sinew
