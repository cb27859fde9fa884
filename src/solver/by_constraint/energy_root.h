// The energy of a material as one constraint, C = sqrt(psi), dC/dF = P/(2 C), stiffness 2 (Chen et al. 2024, PXPBD,
// section 5.3), for materials whose energy vanishes at rest. The whole energy depends on one multiplier, whose gradient
// has no direction at rest: the method is noisy and soon unstable, as it is meant to show.
//
// Not for Neo-Hookean minus its energy at rest: psi - psi(1) is not negative, but in single precision the difference is
// rounding, and its root corresponds to a strain of 3e-4.
#pragma once

#include "material/material.h"

namespace sinew {

template <template <class> class Material>
inline constexpr bool has_energy_root = Material<double>::zero_at_rest&& Material<double>::isotropic;

template <template <class> class Material>
struct EnergyRoot {
  template <class T>
  struct Type {
    static constexpr bool isotropic = Material<double>::isotropic;
    static constexpr int constraint_count = 1;

    Material<T> material;

    template <class U>
    SINEW_INLINE typename EnergyRoot<Material>::template Type<U> as() const {
      return {material.template as<U>()};
    }

    template <int>
    SINEW_INLINE RootConstraint<T> constraint_form(Mat3<T> f) const {
      return {material.energy(f), splat<T>(0.5) * material.stress(f), splat<T>(2)};
    }
    template <int k>
    SINEW_INLINE Constraint<T> constraint(Mat3<T> f) const {
      return expanded(constraint_form<k>(f), f);
    }
  };
};

}  // namespace sinew
