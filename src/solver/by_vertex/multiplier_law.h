// How the multipliers of a block of quadratic tetrahedra grow (quadratic_pressure.h).
#pragma once

#include "model/model.h"

namespace sinew {

// None: sigma = 0. Blocks that are damped by own blocks, which are made of lambda_m, have none.
struct MultiplierLaw {
  double shrink = 1, sigma = 0;  // s, sigma [Pa]

  static MultiplierLaw of(const Model& model, const ElasticBlock& block, bool multipliers) {
    const bool own_block = block.damping > 0 && model.damping_form == DampingForm::own_block;
    const double mean_lambda = PointMaterial::of(block).mean_lambda;
    if (!multipliers || own_block || !(mean_lambda > 0)) return {};
    const double mu = block.material.lame.mu;
    return {mean_lambda / (mean_lambda + PointMaterial::swept_of_shear * mu), PointMaterial::swept_of_shear * mu};
  }
  bool any() const { return sigma > 0; }
  // [Pa] What sweeps have in place of lambda of the mean J: k if there are multipliers.
  double slope(double mean_lambda) const { return any() ? shrink * sigma : mean_lambda; }
};

// [Pa] The same of the block.
inline double mean_stiffness(const Model& model, const ElasticBlock& block, bool multipliers) {
  return MultiplierLaw::of(model, block, multipliers).slope(PointMaterial::of(block).mean_lambda);
}

}  // namespace sinew
