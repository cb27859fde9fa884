#include "solver/damping_merit.h"

#include "solver/element_tangent.h"

namespace sinew {
namespace {

struct Sum {
  double value = 0;
  void operator+=(Sum o) { value += o.value; }
};

template <class Material>
double tet_merit(const StepProblem& problem, const ElasticBlock& block, const Material& material, int32_t tet,
                 std::span<const Vec3d> x, std::span<const Vec3d> x_frozen) {
  const Model& model = *problem.model;
  const Tet& t = model.tets[tet];
  const TetGeometry shape(model.rest[t[0]], model.rest[t[1]], model.rest[t[2]], model.rest[t[3]],
                          model.stiffness_factor_of(tet), block.plane());
  const auto gradient_at = [&](std::span<const Vec3d> y) {
    return shape.deformation_gradient(y[t[0]], y[t[1]], y[t[2]], y[t[3]]);
  };
  if (model.damping_form == DampingForm::element) {
    const Mat3d f = gradient_at(x), before = gradient_at(problem.x_prev);
    return shape.volume * (contract(material.stress(f), f - before) - (material.energy(f) - material.energy(before)));
  }
  const Mat3d frozen = gradient_at(x_frozen);
  double sum = 0;
  for (int k = 0; k < 4; ++k) {
    if (problem.held[t[k]]) continue;
    const Vec3d moved = x[t[k]] - problem.x_prev[t[k]];
    sum += 0.5 * shape.volume * dot(moved, material.vertex(frozen, shape.gradient[k]).stiffness * moved);
  }
  return sum;
}

}  // namespace

bool is_damped(const StepProblem& problem) {
  if (problem.quasistatic) return false;
  for (const ElasticBlock& block : problem.model->blocks) {
    if (block.damping > 0) return true;
  }
  return false;
}

double damping_merit(const StepProblem& problem, std::span<const Vec3d> x, std::span<const Vec3d> x_frozen,
                     ThreadPool& pool) {
  if (!is_damped(problem)) return 0;
  double total = 0;
  for (const ElasticBlock& block : problem.model->blocks) {
    if (block.damping <= 0) continue;
    visit_material(block.material, [&]<template <class> class Material>() {
      const auto material = Material<double>::from_lame(block.lame);
      total +=
          block.damping / problem.h *
          ordered_sum<Sum>(pool, block.last_tet - block.first_tet, [&](int64_t e) {
            return Sum{tet_merit(problem, block, material, static_cast<int32_t>(block.first_tet + e), x, x_frozen)};
          }).value;
    });
  }
  return total;
}

}  // namespace sinew
