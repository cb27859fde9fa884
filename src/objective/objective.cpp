#include "objective/objective.h"

#include <algorithm>
#include <cmath>

#include "element/tet.h"

namespace sinew {
namespace {

// Elements are worked on in chunks: their forces are computed in parallel into a buffer that stays in the cache, then
// added up in the order of the elements. So the sum has the same bits for any number of threads.
constexpr int32_t chunk_size = 8192;

struct TetView {
  Vec3d x[4];
  Vec3d g[4];  // rest gradients of all four corners
  double volume;

  Mat3d deformation_gradient() const {
    return outer(x[1] - x[0], g[1]) + outer(x[2] - x[0], g[2]) + outer(x[3] - x[0], g[3]);
  }
};

TetView view(const Model& model, const Tet& t, std::span<const Vec3d> x) {
  const Vec3d r0 = model.rest[t[0]];
  const TetRest rest = tet_rest(model.rest[t[1]] - r0, model.rest[t[2]] - r0, model.rest[t[3]] - r0);
  TetView v;
  v.volume = rest.volume;
  v.g[0] = -(rest.gradient[0] + rest.gradient[1] + rest.gradient[2]);
  for (int k = 0; k < 4; ++k) v.x[k] = x[t[k]];
  for (int k = 0; k < 3; ++k) v.g[k + 1] = rest.gradient[k];
  return v;
}

struct ElementSums {
  double energy = 0;
  double min_j = std::numeric_limits<double>::infinity();
  int32_t inverted = 0;
  void operator+=(const ElementSums& o) {
    energy += o.energy;
    min_j = std::min(min_j, o.min_j);
    inverted += o.inverted;
  }
};

// V psi(F) relative to rest, J, and if `forces` is there the gradient by corner (damping included).
template <template <class> class Material>
ElementSums element(const StepProblem& problem, const ElasticBlock& block, const Material<double>& material,
                    double rest_energy, const Tet& t, std::span<const Vec3d> x, Vec3d* gradient) {
  const TetView v = view(*problem.model, t, x);
  const Mat3d f = v.deformation_gradient();
  ElementSums sums;
  sums.energy = v.volume * (material.energy(f) - rest_energy);
  sums.min_j = determinant(f);
  sums.inverted = sums.min_j <= 0 ? 1 : 0;
  if (!gradient) return sums;

  Mat3d p = material.stress(f);
  const bool damped = block.damping > 0 && !problem.quasistatic;
  const double rate = damped ? block.damping / problem.h : 0;
  if (damped && problem.model->damping_form == DampingForm::element) {
    const TetView before = view(*problem.model, t, problem.x_prev);
    p = p + rate * material.stress_differential(f, f - before.deformation_gradient());
  }
  for (int k = 0; k < 4; ++k) gradient[k] = v.volume * (p * v.g[k]);
  if (damped && problem.model->damping_form == DampingForm::own_block) {
    for (int k = 0; k < 4; ++k) {
      const Vec3d moved = v.x[k] - problem.x_prev[t[k]];
      gradient[k] += (v.volume * rate) * (material.vertex(f, v.g[k]).stiffness * moved);
    }
  }
  return sums;
}

// All elastic terms; adds to `g` where there is one.
ElementSums elastic(const StepProblem& problem, ThreadPool& pool, std::span<const Vec3d> x, std::span<Vec3d> g) {
  const Model& model = *problem.model;
  ElementSums total;
  std::vector<Vec3d> forces(g.empty() ? 0 : 4 * static_cast<size_t>(chunk_size));
  constexpr int32_t piece = 256;
  std::vector<ElementSums> partial(chunk_size / piece);
  for (const ElasticBlock& block : model.blocks) {
    visit_material(block.material, [&]<template <class> class Material>() {
      const auto material = Material<double>::from_lame(block.lame.mu, block.lame.lambda);
      const double rest_energy = material.energy(diagonal(1.0, 1.0, 1.0));
      for (int32_t first = block.first_tet; first < block.last_tet; first += chunk_size) {
        const int32_t last = std::min(first + chunk_size, block.last_tet);
        const int32_t pieces = (last - first + piece - 1) / piece;
        pool.parallel_for(pieces, 1, [&](int64_t p0, int64_t p1) {
          for (int64_t p = p0; p < p1; ++p) {
            ElementSums sums;
            const int32_t end = std::min(first + static_cast<int32_t>(p + 1) * piece, last);
            for (int32_t e = first + static_cast<int32_t>(p) * piece; e < end; ++e) {
              sums += element<Material>(problem, block, material, rest_energy, model.tets[e], x,
                                        g.empty() ? nullptr : &forces[4 * static_cast<size_t>(e - first)]);
            }
            partial[static_cast<size_t>(p)] = sums;
          }
        });
        for (int32_t p = 0; p < pieces; ++p) total += partial[p];
        if (!g.empty()) {
          for (int32_t e = first; e < last; ++e) {
            for (int k = 0; k < 4; ++k) g[model.tets[e][k]] += forces[4 * static_cast<size_t>(e - first) + k];
          }
        }
      }
    });
  }
  return total;
}

struct Sum {
  double value = 0;
  void operator+=(Sum o) { value += o.value; }
};

// Inertia, or the work of the external forces in quasistatics.
double vertex_energy(const StepProblem& problem, ThreadPool& pool, std::span<const Vec3d> x) {
  const Model& model = *problem.model;
  const double inverse_h2 = problem.inverse_h2();
  return ordered_sum<Sum>(pool, model.slot_count(),
                          [&](int64_t s) {
                            if (problem.held[s]) return Sum{};
                            if (problem.quasistatic) return Sum{-dot(model.external_force[s], x[s] - model.rest[s])};
                            const Vec3d d = x[s] - problem.x_target[s];
                            return Sum{0.5 * model.mass[s] * inverse_h2 * dot(d, d)};
                          })
      .value;
}

ElementSums all_terms(const StepProblem& problem, ThreadPool& pool, std::span<const Vec3d> x, std::span<Vec3d> g) {
  const Model& model = *problem.model;
  const double inverse_h2 = problem.inverse_h2();
  for (int32_t s = 0; s < model.slot_count(); ++s) {
    g[s] = problem.quasistatic ? -model.external_force[s] : (model.mass[s] * inverse_h2) * (x[s] - problem.x_target[s]);
  }
  return elastic(problem, pool, x, g);
}

}  // namespace

double Objective::energy(std::span<const Vec3d> x) const {
  return vertex_energy(*problem_, *pool_, x) + elastic(*problem_, *pool_, x, {}).energy;
}

void Objective::gradient_unconstrained(std::span<const Vec3d> x, std::span<Vec3d> g) const {
  all_terms(*problem_, *pool_, x, g);
}

void Objective::gradient(std::span<const Vec3d> x, std::span<Vec3d> g) const {
  all_terms(*problem_, *pool_, x, g);
  for (int32_t s = 0; s < model().slot_count(); ++s) {
    if (problem_->held[s]) g[s] = {};
  }
}

Evaluation Objective::evaluate(std::span<const Vec3d> x, std::span<Vec3d> unconstrained) const {
  std::vector<Vec3d> own(unconstrained.empty() ? x.size() : 0);
  const std::span<Vec3d> g = unconstrained.empty() ? std::span(own) : unconstrained;
  const ElementSums sums = all_terms(*problem_, *pool_, x, g);
  Evaluation result;
  result.energy = vertex_energy(*problem_, *pool_, x) + sums.energy;
  result.inverted = sums.inverted;
  result.min_j = sums.min_j;
  double total = 0;
  for (int32_t s = 0; s < model().slot_count(); ++s) {
    if (problem_->held[s]) continue;
    const double n2 = dot(g[s], g[s]);
    if (!std::isfinite(n2) || !std::isfinite(dot(x[s], x[s]))) {
      if (result.bad_slot < 0) result.bad_slot = s;
      result.finite = false;
      continue;
    }
    total += n2;
    result.residual_max = std::max(result.residual_max, n2);
  }
  result.residual = std::sqrt(total);
  result.residual_max = std::sqrt(result.residual_max);
  if (!std::isfinite(result.energy)) result.finite = false;
  return result;
}

void deformation_measures(const Model& model, std::span<const Vec3d> x, ThreadPool& pool, std::span<double> det_f,
                          std::span<double> energy_density) {
  for (const ElasticBlock& block : model.blocks) {
    visit_material(block.material, [&]<template <class> class Material>() {
      const auto material = Material<double>::from_lame(block.lame.mu, block.lame.lambda);
      const double rest_energy = material.energy(diagonal(1.0, 1.0, 1.0));
      pool.parallel_for(block.last_tet - block.first_tet, 1024, [&](int64_t first, int64_t last) {
        for (int64_t e = block.first_tet + first; e < block.first_tet + last; ++e) {
          const Mat3d f = view(model, model.tets[e], x).deformation_gradient();
          if (!det_f.empty()) det_f[e] = determinant(f);
          if (!energy_density.empty()) energy_density[e] = material.energy(f) - rest_energy;
        }
      });
    });
  }
}

}  // namespace sinew
