#include "contact/contact_stiffness.h"

#include <algorithm>

#include "model/element_points.h"

namespace sinew {

// At rest K_ii = V (mu |g|^2 1 + (mu + lambda) g g^T), so that trace(K_ii)/3 = V |g|^2 (4 mu + lambda)/3; and of the
// mean J of a quadratic tetrahedron V lambda_m |g_m|^2/3, with g_m the mean of the gradients at its points. lambda_m
// counts no more than in sweeps: vertices move as they keep volumes.
std::vector<double> contact_stiffness(const Model& model, double inverse_h2) {
  std::vector<double> stiffness(model.mass.size());
  for (size_t s = 0; s < stiffness.size(); ++s) stiffness[s] = model.mass[s] * inverse_h2;
  for (const ElasticBlock& block : model.blocks) {
    const PointMaterial points = PointMaterial::of(block);
    const double mu = points.material.lame.mu, modulus = (4 * mu + points.material.lame.lambda) / 3;
    const double mean_modulus = std::min(points.mean_lambda, PointMaterial::swept_of_shear * mu) / 3;
    for (int32_t t = block.first_tet; t < block.last_tet; ++t) {
      Vec3d moment[most_nodes]{};  // V g_m
      double whole = 0;
      for_each_point(model, block, t, [&](const ElementNodes& nodes, std::span<const Vec3d> gradient, double volume) {
        for (size_t k = 0; k < nodes.size(); ++k) {
          stiffness[static_cast<size_t>(nodes[k])] += volume * modulus * dot(gradient[k], gradient[k]);
          moment[k] += volume * gradient[k];
        }
        whole += volume;
      });
      if (!(mean_modulus > 0)) continue;
      const ElementNodes nodes = model.nodes_of(t);
      for (size_t k = 0; k < nodes.size(); ++k)
        stiffness[static_cast<size_t>(nodes[k])] += mean_modulus * dot(moment[k], moment[k]) / whole;
    }
  }
  return stiffness;
}

}  // namespace sinew
