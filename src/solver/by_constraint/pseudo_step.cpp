#include "solver/by_constraint/pseudo_step.h"

#include <algorithm>
#include <cmath>

#include "model/element_points.h"
#include "model/rest_shape.h"

namespace sinew {
namespace {

// A partial sum of the means.
struct Share : ModelScales {
  void operator+=(Share o) {
    frequency_square += o.frequency_square;
    compliance += o.compliance;
    length += o.length;
  }
};

Share of_tie(const Model& model, int32_t tie) {
  const Ties& ties = model.ties;
  const double stiffness = largest_stiffness(ties.laws[tie]);
  double mobility = 0;
  for (int32_t j = ties.begin[tie]; j < ties.begin[tie + 1]; ++j)
    mobility += ties.weights[j] * ties.weights[j] / model.mass[ties.vertices[j]];
  if (stiffness == 0) return {};
  return {{stiffness * mobility / ties.count(), mobility / (stiffness * ties.count()),
           ties.laws[tie].rest_length / ties.count()}};
}

Share of_tet(const Model& model, const ElasticBlock& block, int32_t e) {
  const double modulus =
      (2 * block.material.lame.mu + std::max(block.material.lame.lambda, 0.0)) * model.stiffness_factor_of(e);
  const Tet& t = model.tets[e];
  const ElementShape shape(t, model.rest);
  double squares = 0, mass = 0;
  if (block.quadratic()) {
    // The mean over its points.
    for_each_point(model, block, e, [&](const ElementNodes& nodes, std::span<const Vec3d> g, double) {
      for (size_t n = 0; n < most_nodes; ++n)
        squares += dot(g[n], g[n]) / (QuadraticTetrahedron::points * model.mass[nodes[n]]);
    });
    for (const int32_t s : model.nodes_of(e)) mass += model.mass[s] / most_nodes;
  } else {
    for (int j = 0; j < shape.corners; ++j) {
      squares += dot(shape.gradient[j], shape.gradient[j]) / model.mass[t[j]];
      mass += model.mass[t[j]] / shape.corners;
    }
  }
  const auto share = 1 / static_cast<double>(model.tets.size());
  const double length = shape.plane ? std::sqrt(shape.volume) : std::cbrt(shape.volume);
  return {{share * modulus * shape.volume * squares, share * shape.volume / (modulus * mass), share * length}};
}

}  // namespace

ModelScales scales_of(const Model& model, ThreadPool& pool) {
  Share sum;
  if (model.tets.empty()) {
    for (int32_t t = 0; t < model.ties.count(); ++t) sum += of_tie(model, t);
    return sum;
  }
  for (const ElasticBlock& block : model.blocks) {
    sum += ordered_sum<Share>(pool, block.last_tet - block.first_tet, [&](int64_t k) {
      return of_tet(model, block, static_cast<int32_t>(block.first_tet + k));
    });
  }
  return sum;
}

double pseudo_step_for(const ModelScales& scales) {
  // Any length will do if nothing resists.
  return scales.frequency_square > 0 ? 3 / std::sqrt(scales.frequency_square) : 1;
}

}  // namespace sinew
