// Cauchy stress of tetrahedra and triangles, force per deformed area [Pa]:
//   sigma = k P(F) F^T / J + s E'(r) r / J  m m^T      J = det F
// k: stiffness factor; P: the material's first Piola-Kirchhoff stress. The second term is that of a muscle fibre
// (element/tie.h): C = F v / lambda_ofl, r = |C|, m = C / r, s its peak stress. Damping stress is not included.
//   von Mises    sqrt(3/2 D : D),  D = sigma - tr(sigma)/3 1
// Of a quadratic tetrahedron it is the mean over its points. Linear elasticity does not distinguish deformed and rest
// areas: there sigma = k P, which is symmetric. Triangles are in plane strain: sigma_zz keeps their thickness. If J =
// 0, sigma is NaN.
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

// The stress of the elements of a model.
class ElementStress {
 public:
  ElementStress() = default;
  // fibre_tets: the user's tet of each fibre among the model's ties, in order.
  ElementStress(const Model& model, std::span<const int32_t> fibre_tets);

  // The stress of the tets [first, last) of the model, which must belong to one block. x: per slot [m]; activation: per
  // muscle [-].
  void measure(const Model& model, const ElasticBlock& block, int32_t first, int32_t last, std::span<const Vec3d> x,
               std::span<const double> activation, std::span<Sym3<double>> stress) const;

 private:
  std::vector<int32_t>
      fibre_of_tet_;  // the tie, or the first of four, of each tet of the model, -1: none; empty if there are no fibres
};

}  // namespace sinew
