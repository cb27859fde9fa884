#include "objective/stress.h"

#include <cmath>

#include "base/assert.h"
#include "element/tie.h"
#include "material/materials.h"
#include "math/eigen3.h"
#include "model/rest_shape.h"
#include "objective/strain.h"

namespace sinew {
namespace {

// The symmetric part of a (nearly symmetric) matrix.
Sym3<double> symmetric_part(const Mat3d& a) {
  return {a.c0.x, (a.c1.x + a.c0.y) / 2, (a.c2.x + a.c0.z) / 2, a.c1.y, (a.c2.y + a.c1.z) / 2, a.c2.z};
}

template <template <class> class Material>
Sym3<double> cauchy(const Material<double>& material, const Mat3d& f, double factor) {
  const Mat3d p = material.stress(f);
  if constexpr (Material<double>::rotation_invariant) {
    return (factor / determinant(f)) * symmetric_part(p * transpose(f));
  } else {
    return factor * symmetric_part(p);
  }
}

}  // namespace

Vec3d principal_stresses(const Sym3<double>& stress) {
  if (!std::isfinite(stress.xx + stress.xy + stress.xz + stress.yy + stress.yz + stress.zz)) {
    const double none = std::nan("");
    return {none, none, none};
  }
  const Vec3d ascending = eigen_decomposition(stress).values;
  return {ascending.z, ascending.y, ascending.x};
}

double von_mises_stress(const Sym3<double>& stress) {
  Sym3<double> deviator = stress;
  add_identity(deviator, -(stress.xx + stress.yy + stress.zz) / 3);
  return std::sqrt(1.5 * frobenius_squared(deviator));
}

ElementStress::ElementStress(const Model& model, std::span<const int32_t> fibre_tets) {
  if (fibre_tets.empty()) return;
  std::vector<int32_t> tet_of_user(model.tets.size());
  for (size_t e = 0; e < model.tets.size(); ++e) tet_of_user[model.user_tet[e]] = static_cast<int32_t>(e);
  fibre_of_tet_.assign(model.tets.size(), -1);
  size_t next = 0;
  for (int32_t t = 0; t < model.ties.count(); ++t) {
    if (!model.ties.laws[t].traits().is_muscle) continue;
    SINEW_ASSERT(next < fibre_tets.size());
    int32_t& first = fibre_of_tet_[tet_of_user[fibre_tets[next++]]];
    if (first < 0) first = t;
  }
}

void ElementStress::measure(const Model& model, const ElasticBlock& block, int32_t first, int32_t last,
                            std::span<const Vec3d> x, std::span<const double> activation,
                            std::span<Sym3<double>> stress) const {
  const PointMaterial at_points = PointMaterial::of(block);
  const int points = block.quadratic() ? QuadraticTetrahedron::points : 1;
  visit_formula(block.material.kind, [&]<template <class> class Material>() {
    const auto material = coefficients_of<Material>(at_points.material);
    for (int32_t e = first; e < last; ++e) {
      const double factor = model.stiffness_factor_of(e);
      const ElementShape shape(model.tets[e], model.rest);
      PointGradients<double> f;
      if (block.quadratic()) {
        f = point_gradients(model, x, e);
      } else {
        f.at[0] = shape.deformation_gradient(model.tets[e], x);
      }
      Sym3<double> sum{};
      double mean = 0;
      for (int q = 0; q < points; ++q) {
        sum = sum + cauchy<Material>(material, f.at[q], factor);
        mean += PointVolume<double, Material<double>::rotation_invariant>::j(f.at[q]) / points;
      }
      Sym3<double>& sigma = stress[static_cast<size_t>(e - first)];
      sigma = points == 1 ? sum : (1.0 / points) * sum;
      if (at_points.mean_lambda > 0) add_identity(sigma, factor * at_points.mean_lambda * (mean - 1));

      const int32_t fibre = fibre_of_tet_.empty() ? -1 : fibre_of_tet_[e];
      for (int q = 0; q < points && fibre >= 0; ++q) {
        const TieLaw<double>& law = model.ties.laws[fibre + q];
        const Vec3d c = model.ties.vector(fibre + q, x);
        const double area = Material<double>::rotation_invariant ? determinant(f.at[q]) : 1;
        // s E'(r) m is phi'(C) over the point's rest volume, and C = r m; the mean is over the points.
        const Vec3d force = (1 / (shape.volume * area)) * tie_gradient(law, c, activation[law.muscle]);
        const Direction<double> m = direction_of(c);
        add_outer(sigma, dot(force, m.along) * m.length, m.along);
      }
    }
  });
}

}  // namespace sinew
