#include "contact/contact_stiffness.h"

#include "model/element_points.h"

namespace sinew {

// At rest K_ii = V (mu |g|^2 1 + (mu + lambda) g g^T), so that trace(K_ii)/3 = V |g|^2 (4 mu + lambda)/3.
std::vector<double> contact_stiffness(const Model& model, double inverse_h2) {
  std::vector<double> stiffness(model.mass.size());
  for (size_t s = 0; s < stiffness.size(); ++s) stiffness[s] = model.mass[s] * inverse_h2;
  for (const ElasticBlock& block : model.blocks) {
    const double modulus = (4 * block.material.lame.mu + block.material.lame.lambda) / 3;
    for (int32_t t = block.first_tet; t < block.last_tet; ++t) {
      for_each_point(model, block, t, [&](const ElementNodes& nodes, std::span<const Vec3d> gradient, double volume) {
        for (size_t k = 0; k < nodes.size(); ++k)
          stiffness[static_cast<size_t>(nodes[k])] += volume * modulus * dot(gradient[k], gradient[k]);
      });
    }
  }
  return stiffness;
}

}  // namespace sinew
