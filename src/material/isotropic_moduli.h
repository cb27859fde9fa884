// The parameters of the materials that linear elasticity at rest determines: Young's modulus and Poisson's ratio, or
// both Lame parameters.
#pragma once

#include <span>

#include "base/nearest.h"
#include "base/parameters.h"
#include "base/result.h"
#include "material/lame.h"
#include "material/material.h"

namespace sinew {

struct LameModuli {
  double mu, lambda;  // [Pa]

  Lame lame() const { return {mu, lambda}; }
  static LameModuli of(const Lame& lame) { return {lame.mu, lame.lambda}; }
  LameModuli with_lambda(double other) const { return {mu, other}; }
};

struct YoungsModulusForm {
  double youngs_modulus = 1e5;  // [Pa]
  double poisson_ratio = 0.3;   // [-]

  static std::span<const Parameter<YoungsModulusForm>> parameters() {
    using F = YoungsModulusForm;
    static constexpr Parameter<F> list[] = {
        {.name = "youngs_modulus",
         .member = &F::youngs_modulus,
         .unit = "Pa",
         .range = positive,
         .meaning = "Young's modulus: stress per strain of a stretched bar",
         .alias = "E"},
        {.name = "poisson_ratio",
         .member = &F::poisson_ratio,
         .unit = "-",
         .range = {-1, 0.5, true, true},
         .meaning = "Poisson's ratio: lateral contraction per stretch; nearly incompressible near 0.5",
         .alias = "nu",
         .remedy = "for nearly incompressible use 0.49; quadratic elements bear 0.4995 in single precision, and "
                   "0.49999 in double"}};
    return list;
  }
  LameModuli moduli() const { return LameModuli::of(lame_from(youngs_modulus, poisson_ratio)); }
};

struct LameForm {
  double mu = 0, lambda = 0;  // [Pa]

  static std::span<const Parameter<LameForm>> parameters() {
    static constexpr Parameter<LameForm> list[] = {
        {.name = "mu",
         .member = &LameForm::mu,
         .unit = "Pa",
         .range = positive,
         .meaning = "shear modulus, the second Lame parameter; with lambda, instead of youngs_modulus",
         .required = true},
        {.name = "lambda",
         .member = &LameForm::lambda,
         .unit = "Pa",
         .range = {},
         .meaning = "the first Lame parameter, above -2/3 mu; with mu, instead of poisson_ratio",
         .required = true}};
    return list;
  }
  LameModuli moduli() const { return {mu, lambda}; }
  Error fault() const {
    if (3 * lambda + 2 * mu > 0) return {};
    return {"lambda", "= " + number_text(lambda) + " [Pa]: must be above -2/3 mu = " + number_text(-2 * mu / 3),
            "the bulk modulus would not be positive"};
  }
};

// A material of this kind names both: `using Moduli = LameModuli; using Forms = IsotropicForms;`
using IsotropicForms = FormList<YoungsModulusForm, LameForm>;

}  // namespace sinew
