// Fixed corotated elasticity (Stomakhin et al. 2012), the formula of corotated.h:
//   psi = mu |F - R|^2 + lambda/2 (J - 1)^2
#pragma once

#include "material/corotated.h"
#include "material/isotropic_moduli.h"

namespace sinew {

template <class T>
struct FixedCorotated : Corotated<T> {
  using Moduli = LameModuli;
  using Forms = IsotropicForms;
  static constexpr const char* name = "fixed_corotated";
  static constexpr const char* summary = "fixed corotated; the usual choice of the papers, resists inversion";

  static FixedCorotated from(const LameModuli& lame, int) { return {{splat<T>(lame.mu), splat<T>(lame.lambda)}}; }
  template <class Visitor>
  static SINEW_INLINE constexpr decltype(auto) visit_formula(Visitor&& visitor) {
    return visitor.template operator()<Corotated>();
  }
};

}  // namespace sinew
