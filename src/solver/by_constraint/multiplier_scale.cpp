#include "solver/by_constraint/multiplier_scale.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "material/materials.h"
#include "math/solve6.h"
#include "model/rest_shape.h"

namespace sinew {
namespace {

double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Appends the compliances of all constraints of a block; of quadratic tets those at one point.
template <template <class> class Material>
void add_compliances(const Model& model, const ElasticBlock& block, ThreadPool& pool, std::vector<double>& compliance) {
  constexpr int count = multiplier_count<Material>;
  const auto material = coefficients_of<Material>(PointMaterial::of(block).material);
  const double points = block.quadratic() ? QuadraticTetrahedron::points : 1;
  const size_t before = compliance.size();
  compliance.resize(before + static_cast<size_t>(block.last_tet - block.first_tet) * count);
  pool.for_each(block.last_tet - block.first_tet, [&](size_t e) {
    const int32_t tet = block.first_tet + static_cast<int32_t>(e);
    const ElementShape shape(model.tets[tet], model.rest, model.stiffness_factor_of(tet) / points);
    double* const of_tet = &compliance[before + e * count];
    if constexpr (has_strain_constraint<Material>) {
      const StrainCompliance<double> k = material.strain_compliance();
      const double share[6] = {1 - k.share, 2, 2, 1 - k.share, 2, 1 - k.share};  // the diagonal of K^-1, times 2 mu
      for (int c = 0; c < count; ++c) of_tet[c] = share[c] / (2 * k.mu * shape.volume);
    } else {
      for_each_index<0, count>([&](auto k) {
        const double stiffness = material.template constraint<k>(diagonal(1.0, 1.0, 1.0)).stiffness;
        of_tet[k] = stiffness > 0 ? 1 / (stiffness * shape.volume) : 0;
      });
    }
  });
}

}  // namespace

double multiplier_scale(const Model& model, ThreadPool& pool) {
  std::vector<double> compliance;
  for (const ElasticBlock& block : model.blocks) {
    visit_formula(block.material.kind, [&]<template <class> class Material>() {
      if constexpr (multiplier_count < Material >> 0) {
        add_compliances<Material>(model, block, pool, compliance);
      }
    });
  }
  // Constraints of no stiffness have no multipliers to scale.
  std::erase(compliance, 0.0);
  for (const TieLaw<double>& law : model.ties.laws) {
    for (const double k : {law.stiffness, law.tangential}) {
      if (k > 0) compliance.push_back(1 / k);
    }
  }
  std::vector<double> mass;
  for (const double m : model.mass) {
    if (m > 0) mass.push_back(m);
  }
  return compliance.empty() || mass.empty() ? 1 : std::sqrt(median(compliance) / median(mass));
}

}  // namespace sinew
