// Linear elasticity in its Lame parameters.
#pragma once

namespace sinew {

// Lame parameters [Pa]. In two dimensions F = [F2 0; 0 1]: plane strain, the z-axis out of the plane.
struct Lame {
  double mu;
  double lambda;
  int dimension = 3;  // or 2
};
// From Young's modulus [Pa] and Poisson's ratio [-].
inline Lame lame_from(double youngs_modulus, double poisson_ratio) {
  return {youngs_modulus / (2 * (1 + poisson_ratio)),
          youngs_modulus * poisson_ratio / ((1 + poisson_ratio) * (1 - 2 * poisson_ratio))};
}

}  // namespace sinew
