// ARAP, as rigid as possible (Sorkine & Alexa 2007), with a term of the volume:
//   psi = s/2 |F - R|^2 + k/2 (J - 1)^2,   F = R S the polar decomposition with R a proper rotation
// The formula of corotated.h with mu = s/2 and lambda = k. Without the volume term Poisson's ratio is 0.
#pragma once

#include <span>

#include "base/parameters.h"
#include "material/corotated.h"

namespace sinew {

struct ArapModuli {
  double stiffness = 8e4, volume_stiffness = 6e4;  // [Pa] s, k

  static std::span<const Parameter<ArapModuli>> parameters() {
    static constexpr Parameter<ArapModuli> list[] = {
        {.name = "stiffness",
         .member = &ArapModuli::stiffness,
         .unit = "Pa",
         .range = positive,
         .meaning = "s in s/2 |F - R|^2, what resists all but rotation: twice the shear modulus at rest"},
        {.name = "volume_stiffness",
         .member = &ArapModuli::volume_stiffness,
         .unit = "Pa",
         .range = non_negative,
         .meaning = "k in k/2 (J - 1)^2, what resists a change of volume besides"}};
    return list;
  }
  ArapModuli moduli() const { return *this; }
  Lame lame() const { return {0.5 * stiffness, volume_stiffness}; }
  ArapModuli with_lambda(double lambda) const { return {stiffness, lambda}; }
  static ArapModuli of(const Lame& lame) { return {2 * lame.mu, lame.lambda}; }
};

template <class T>
struct Arap : Corotated<T> {
  using Moduli = ArapModuli;
  using Forms = FormList<ArapModuli>;
  static constexpr const char* name = "arap";
  static constexpr const char* summary =
      "as rigid as possible, with a volume term; fixed corotated by other parameters";

  static Arap from(const ArapModuli& m, int) { return {{splat<T>(m.lame().mu), splat<T>(m.lame().lambda)}}; }
  template <class Visitor>
  static SINEW_INLINE constexpr decltype(auto) visit_formula(Visitor&& visitor) {
    return visitor.template operator()<Corotated>();
  }
};

}  // namespace sinew
