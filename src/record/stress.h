// Cauchy's stress of tetrahedra and triangles, force per deformed area [Pa]:
//   sigma = k P(F) F^T / J + s E'(r) r / J  m m^T      J = det F
// k: stiffness factor; P: the material's first Piola-Kirchhoff stress. The second term is that of a muscle fibre
// (element/tie.h): C = F v / lambda_ofl, r = |C|, m = C / r, s its peak stress. What damping adds is not in it.
//   von Mises    sqrt(3/2 D : D),  D = sigma - tr(sigma)/3 1
// Linear elasticity tells no deformed area from one at rest: there sigma = k P, which is symmetric. Triangles are in
// plane strain: sigma_zz is what holds them at their thickness. Where J = 0 there is no area, and sigma is not a
// number.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "math/vec.h"
#include "model/model.h"

namespace sinew {

// Largest first.
Vec3d principal_stresses(const Sym3<double>& stress);
double von_mises_stress(const Sym3<double>& stress);

// Of the elements of a model.
class ElementStress {
 public:
  ElementStress() = default;
  // fibre_tets: the user's tet of each fibre among the model's ties, in their order.
  ElementStress(const Model& model, std::span<const int32_t> fibre_tets);

  // Of the tets [first, last) of the model, which belong to one block. x: per slot [m]; activation: per muscle [-].
  void measure(const Model& model, const ElasticBlock& block, int32_t first, int32_t last, std::span<const Vec3d> x,
               std::span<const double> activation, std::span<Sym3<double>> stress) const;

 private:
  std::vector<int32_t> fibre_of_tet_;  // the tie of each tet of the model, -1: none; empty where there are none at all
};

}  // namespace sinew
