#include "solver/multiplier_scale.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "material/materials.h"
#include "solver/element_tangent.h"

namespace sinew {
namespace {

double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Of all constraints of a block.
template <template <class> class Material>
void add_compliances(const Model& model, const ElasticBlock& block, ThreadPool& pool, std::vector<double>& compliance) {
  constexpr int constraints = Material<double>::constraint_count;
  const auto material = Material<double>::from_lame(block.lame);
  const size_t before = compliance.size();
  compliance.resize(before + static_cast<size_t>(block.last_tet - block.first_tet) * constraints);
  pool.for_each(block.last_tet - block.first_tet, [&](size_t e) {
    const int32_t tet = block.first_tet + static_cast<int32_t>(e);
    const Tet& t = model.tets[tet];
    const TetGeometry shape(model.rest[t[0]], model.rest[t[1]], model.rest[t[2]], model.rest[t[3]],
                            model.stiffness_factor_of(tet));
    [&]<int... k>(std::integer_sequence<int, k...>) {
      ((compliance[before + e * constraints + k] =
            1 / (material.template constraint<k>(diagonal(1.0, 1.0, 1.0)).stiffness * shape.volume)),
       ...);
    }
    (std::make_integer_sequence<int, constraints>{});
  });
}

}  // namespace

double multiplier_scale(const Model& model, ThreadPool& pool) {
  std::vector<double> compliance;
  for (const ElasticBlock& block : model.blocks) {
    visit_material(block.material, [&]<template <class> class Material>() {
      if constexpr (Material<double>::constraint_count > 0) {
        add_compliances<Material>(model, block, pool, compliance);
      }
    });
  }
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
