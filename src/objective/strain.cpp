#include "objective/strain.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "model/rest_shape.h"

namespace sinew {

namespace {

// Eigenvalues of a symmetric matrix, smallest and largest, by the angle of its characteristic cubic (Smith 1961).
// If two coincide, the error is about 1e-8 x their distance from the mean, and so is that of strains.
struct Extremes {
  double smallest, largest;
};
Extremes extreme_eigenvalues(const Sym3<double>& c) {
  const double mean = (c.xx + c.yy + c.zz) / 3;
  Sym3<double> deviator = c;
  add_identity(deviator, -mean);
  const double p = std::sqrt(frobenius_squared(deviator) / 6);
  if (!(p > 0)) return {mean, mean};
  const Sym3<double> b = (1 / p) * deviator;
  const double determinant =
      b.xx * (b.yy * b.zz - b.yz * b.yz) - b.xy * (b.xy * b.zz - b.yz * b.xz) + b.xz * (b.xy * b.yz - b.yy * b.xz);
  // The angle lies in [0, pi/3]: its sine is not negative.
  const double c1 = std::cos(std::acos(std::clamp(determinant / 2, -1.0, 1.0)) / 3);
  const double s1 = std::sqrt(std::fmax(1 - c1 * c1, 0));
  return {mean - p * (c1 + std::numbers::sqrt3 * s1), mean + 2 * p * c1};
}

}  // namespace

namespace {

TetStrain strain_at(const Mat3d& f) {
  const double j = determinant(f);

  const Sym3<double> c{dot(f.c0, f.c0), dot(f.c0, f.c1), dot(f.c0, f.c2),
                       dot(f.c1, f.c1), dot(f.c1, f.c2), dot(f.c2, f.c2)};
  const auto [smallest, largest] = extreme_eigenvalues(c);
  const double s_min = std::copysign(std::sqrt(std::fmax(smallest, 0)), j), s_max = std::sqrt(std::fmax(largest, 0));
  return {j, std::fmax(std::abs(s_max - 1), std::abs(s_min - 1))};
}

}  // namespace

TetStrain tet_strain(const std::vector<Vec3d>& rest, std::span<const Vec3d> x, const Tet& tet) {
  return strain_at(ElementShape(tet, rest).deformation_gradient(tet, x));
}

PointGradients<double> point_gradients(const Model& model, std::span<const Vec3d> x, int32_t e) {
  const ElementShape shape(model.tets[e], model.rest);
  const ElementNodes nodes = model.nodes_of(e);
  Vec3d place[most_nodes]{};
  for (size_t n = 1; n < most_nodes; ++n) place[n] = x[nodes[n]] - x[nodes[0]];
  return PointGradients<double>::of(place, shape.gradient);
}

TetStrain element_strain(const Model& model, std::span<const Vec3d> x, int32_t e) {
  if (!model.is_quadratic(e)) return tet_strain(model.rest, x, model.tets[e]);
  TetStrain worst{std::numeric_limits<double>::infinity(), 0};
  for (const Mat3d& f : point_gradients(model, x, e).at) {
    const TetStrain point = strain_at(f);
    worst = {std::min(worst.j, point.j), std::max(worst.strain, point.strain)};
  }
  return worst;
}

double mean_volume(const Model& model, int32_t e, std::span<const Vec3d> x) {
  double sum = 0;
  for (const Mat3d& f : point_gradients(model, x, e).at) sum += determinant(f);
  return sum / QuadraticTetrahedron::points;
}

double spring_strain(const Ties& ties, int32_t tie, std::span<const Vec3d> x) {
  if (ties.laws[tie].rest_length == 0) return 0;
  const Vec3d c = ties.vector(tie, x);
  return std::abs(std::sqrt(dot(c, c)) / ties.laws[tie].rest_length - 1);
}

void measure_strain(const Model& model, std::span<const Vec3d> x, ThreadPool& pool, std::span<double> j,
                    std::span<double> strain) {
  pool.for_each(static_cast<int64_t>(model.tets.size()), [&](size_t e) {
    const TetStrain measured = element_strain(model, x, static_cast<int32_t>(e));
    j[model.user_tet[e]] = measured.j;
    strain[model.user_tet[e]] = measured.strain;
  });
}

}  // namespace sinew
