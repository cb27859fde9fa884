#include "solver/multilevel/bodies.h"

#include <algorithm>
#include <cmath>

#include "mesh/disjoint_sets.h"
#include "solver/by_vertex/multiplier_law.h"

namespace sinew {
namespace {

std::vector<int32_t> number_bodies(const Model& model, int32_t& count) {
  const int32_t slots = model.slot_count();
  DisjointSets sets(static_cast<size_t>(slots));
  for (const ElasticBlock& block : model.blocks) {
    for (int32_t e = block.first_tet; e < block.last_tet; ++e)
      for (const int32_t v : model.nodes_of(e)) sets.join(model.tets[e][0], v);
  }
  for (int32_t t = 0; t < model.ties.count(); ++t) {
    if (model.ties.laws[t].traits().binds) continue;
    const auto ends = model.ties.vertices_of(t);
    for (const int32_t v : ends) sets.join(ends[0], v);
  }
  std::vector<int32_t> body(static_cast<size_t>(slots), -1), of_root(static_cast<size_t>(slots), -1);
  count = 0;
  for (int32_t s = 0; s < slots; ++s) {
    if (model.mass[s] == 0) continue;
    int32_t& own = of_root[sets.find(s)];
    if (own < 0) own = count++;
    body[s] = own;
  }
  return body;
}

// [Pa] That of the sweeps.
double sweep_lambda(const Model& model, const ElasticBlock& block, bool multipliers) {
  if (!block.quadratic()) return block.material.lame.lambda;
  return PointMaterial::of(block).material.lame.lambda + mean_stiffness(model, block, multipliers);
}

}  // namespace

Bodies bodies_of(const Model& model, bool multipliers) {
  Bodies bodies;
  int32_t count = 0;
  bodies.of_slot = number_bodies(model, count);
  struct Sums {
    double volume = 0, length = 0, modulus = 0, viscous_modulus = 0, tied = 0, viscous_tied = 0;
    int32_t springs = 0;
    bool plane = false;
  };
  std::vector<Sums> sums(static_cast<size_t>(count));
  bodies.sizes.resize(static_cast<size_t>(count));
  for (int32_t s = 0; s < model.slot_count(); ++s) {
    if (bodies.of_slot[s] < 0) continue;
    BodySize& size = bodies.sizes[bodies.of_slot[s]];
    ++size.vertices;
    size.mass += model.mass[s];
  }
  for (const ElasticBlock& block : model.blocks) {
    const double lambda = sweep_lambda(model, block, multipliers);
    for (int32_t e = block.first_tet; e < block.last_tet; ++e) {
      const Tet& t = model.tets[e];
      if (bodies.of_slot[t[0]] < 0) continue;
      Sums& sum = sums[bodies.of_slot[t[0]]];
      sum.volume += volume_of(model.rest, t);
      const double modulus = (2 * block.material.lame.mu + std::max(lambda, 0.0)) * model.stiffness_factor_of(e);
      sum.modulus = std::max(sum.modulus, modulus);
      if (model.damping_form == DampingForm::strain_rate)
        sum.viscous_modulus = std::max(sum.viscous_modulus, block.damping * modulus);
      sum.plane |= block.plane();
    }
  }
  for (int32_t t = 0; t < model.ties.count(); ++t) {
    const auto ends = model.ties.vertices_of(t);
    const auto weights = model.ties.weights_of(t);
    const TieLaw<double>& law = model.ties.laws[t];
    for (size_t k = 0; k < ends.size(); ++k) {
      if (bodies.of_slot[ends[k]] < 0) continue;
      Sums& sum = sums[bodies.of_slot[ends[k]]];
      const double stiffness = weights[k] * weights[k] * largest_stiffness(law);
      sum.tied = std::max(sum.tied, stiffness);
      sum.viscous_tied = std::max(sum.viscous_tied, law.damping * stiffness);
      if (!law.traits().is_edge || k > 0) continue;
      const Vec3d d = model.rest[ends[1]] - model.rest[ends[0]];
      sum.length += std::sqrt(dot(d, d));
      ++sum.springs;
    }
  }
  for (int32_t b = 0; b < count; ++b) {
    BodySize& size = bodies.sizes[b];
    const Sums& sum = sums[b];
    if (sum.volume > 0) {
      const double share = sum.volume / size.vertices;
      size.distance = sum.plane ? std::sqrt(share) : std::cbrt(share);
    } else if (sum.springs > 0) {
      size.distance = sum.length / sum.springs;
    }
    // A triangle is 1 m thick, so its stiffness is the modulus times that.
    const double length = sum.plane ? 1 : size.distance;
    size.stiffness = std::max(sum.modulus * length, sum.tied);
    size.viscosity = std::max(sum.viscous_modulus * length, sum.viscous_tied);
  }
  return bodies;
}

}  // namespace sinew
