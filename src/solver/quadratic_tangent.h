// The stiffness matrix of a quadratic tetrahedron (element/quadratic_tetrahedron.h): that of its points, with the
// pressure lambda_m (Jm - 1) beside the material's, and V lambda_m cm cm^T.
#pragma once

#include <array>
#include <span>

#include "element/quadratic_tetrahedron.h"
#include "model/model.h"
#include "solver/element_tangent.h"

namespace sinew {

struct QuadraticStiffness {
  Mat3d block[most_node_pairs];  // K_ij at corner_pair(i, j) [N/m]
  bool clamped = false;
};

// `lambda`: of the mean J [Pa]; the model's own, or what takes its place. `shape`: of the corners; x: the nodes [m].
template <class Material>
QuadraticStiffness quadratic_stiffness(const Material& material, double lambda, const ElementShape& shape,
                                       const Vec3d* x, Tangent tangent) {
  using Volume = PointVolume<double, Material::rotation_invariant>;
  constexpr int points = QuadraticTetrahedron::points;
  const auto f = PointGradients<double>::of(x, shape.gradient);
  double mean = 0;
  for (int q = 0; q < points; ++q) mean += Volume::j(f.at[q]) / points;
  QuadraticStiffness k{};
  Vec3d derivative[most_nodes]{};
  for (int q = 0; q < points; ++q) {
    Vec3d g[most_nodes];
    node_gradients(shape.gradient, q, g);
    const ElementPoint point{g, most_nodes, shape.volume / points};
    const double pressure = Material::rotation_invariant ? lambda * (mean - 1) : 0;
    k.clamped |= add_point_stiffness(material, f.at[q], pressure, point, tangent, k.block);
    const Mat3d dj = Volume::derivative(f.at[q]);
    for (int n = 0; n < most_nodes; ++n) derivative[n] += (1.0 / points) * (dj * g[n]);
  }
  if (lambda == 0) return k;
  for (int i = 0; i < most_nodes; ++i)
    for (int j = 0; j <= i; ++j) {
      Mat3d& sum = k.block[corner_pair(i, j)];
      sum = sum + outer((shape.volume * lambda) * derivative[i], derivative[j]);
    }
  return k;
}

// The nodes relative to the first [m], so that F is as exact far from the origin.
inline std::array<Vec3d, most_nodes> places_from_first(const ElementNodes& nodes, std::span<const Vec3d> x) {
  std::array<Vec3d, most_nodes> places;
  for (size_t n = 0; n < most_nodes; ++n) places[n] = x[nodes[n]] - x[nodes[0]];
  return places;
}

// Adds the stiffness of damping by the rate of strain, of nodes that were at x_prev.
inline void add_strain_rate(const Lame& lame, double rate, const ElementShape& shape, const Vec3d* x_prev,
                            QuadraticStiffness& k) {
  constexpr int points = QuadraticTetrahedron::points;
  const auto before = PointGradients<double>::of(x_prev, shape.gradient);
  for (int q = 0; q < points; ++q) {
    Vec3d g[most_nodes];
    node_gradients(shape.gradient, q, g);
    add_strain_rate(StrainRate<double>::of(lame, rate, before.at[q]), {g, most_nodes, shape.volume / points}, k.block);
  }
}

}  // namespace sinew
