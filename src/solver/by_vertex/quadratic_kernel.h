// What quadratic tetrahedra (element/quadratic_tetrahedron.h) add to W vertices of one colour, in registers.
// What serves any material; quadratic_links.h has what Neo-Hookean needs.
#pragma once

#include "element/quadratic_tetrahedron.h"
#include "element/strain_rate.h"
#include "material/materials.h"
#include "solver/by_vertex/quadratic_pressure.h"
#include "solver/sweep.h"

namespace sinew::quadratic_kernel {

// How far ahead the stream is asked for.
inline constexpr int rows_ahead = 8;

// The tets in one row, seen from their vertices.
template <class T>
struct Row {
  Vec3<T> node[most_nodes];  // [m] relative to the vertex, or what they have moved
  Vec3<T> corner[4];         // gradients of the barycentric coordinates [1/m]
  T volume;
  T is_middle;  // 1 where the vertex is the middle of the first edge, else 0

  // way(index): from the vertex to other nodes.
  template <int w, class Stream, class Way>
  static SINEW_INLINE Row read(const Stream& stream, int32_t row, int lane, const Way& way) {
    const auto* const index = stream.nodes + static_cast<size_t>(row) * other_nodes * w + lane;
    const auto* const numbers = stream.numbers + static_cast<size_t>(row) * quadratic_frame_numbers * w + lane;
    prefetch<other_nodes * w>(index + rows_ahead * other_nodes * w);
    prefetch<quadratic_frame_numbers * w>(numbers + rows_ahead * quadratic_frame_numbers * w);
    const auto number = [&](int k) { return load<T>(numbers + k * w); };
    Row r;
    const T signed_volume = number(9);
    const auto middle = sign_bit(signed_volume);
    r.volume = abs(signed_volume);
    r.is_middle = select(middle, splat<T>(1), T{});
    const Vec3<T> first = way(index);
    r.node[0] = select(middle, first, Vec3<T>{});
    r.node[4] = select(middle, Vec3<T>{}, first);
    constexpr int at[] = {1, 2, 3, 5, 6, 7, 8, 9};
    for (int k = 0; k < 8; ++k) r.node[at[k]] = way(index + (k + 1) * w);
    for (int c = 0; c < 3; ++c) r.corner[c + 1] = {number(3 * c), number(3 * c + 1), number(3 * c + 2)};
    r.corner[0] = -(r.corner[1] + r.corner[2] + r.corner[3]);
    return r;
  }
  // Of the vertex at point q.
  SINEW_INLINE Vec3<T> gradient(int q) const {
    const T l0 = splat<T>(4 * QuadraticTetrahedron::at_point(q, 0)), one = splat<T>(1);
    const T l1 = splat<T>(4 * QuadraticTetrahedron::at_point(q, 1));
    const T of_first = (l0 - one) + is_middle * (l1 - (l0 - one));
    return of_first * corner[0] + (is_middle * l0) * corner[1];
  }
  SINEW_INLINE PointGradients<T> deformation_gradients() const { return PointGradients<T>::of(node, corner); }
};

// Rows without a tet have F = 0, for which some materials have no derivative.
template <class T>
SINEW_INLINE Mat3<T> filled(Mat3<T> f, T volume) {
  const T one = select(volume > T{}, T{}, splat<T>(1));
  f.c0.x += one;
  f.c1.y += one;
  f.c2.z += one;
  return f;
}

// One function for every kind of stiffness: a branch costs little here, and compiling it three times a lot. guarded: at
// inverted points, where the exact block of a material that follows the stretch may be indefinite, the stiffer one
// stands for it.
template <class T, template <class> class Material, int w, class Stream, class Way, class Sums>
SINEW_HOST_DEVICE void accumulate(const Stream& stream, int64_t number, int lane, NodalStiffness kind, bool guarded,
                                  const Way& way, Sums& result) {
  using Volume = PointVolume<T, Material<double>::rotation_invariant>;
  constexpr int points = QuadraticTetrahedron::points;
  const auto material = coefficients_of<Material>(stream.points.material).template as<T>();
  const Lame& lame = stream.points.material.lame;
  const bool has_mean = stream.points.mean_lambda > 0;
  const T share = splat<T>(1.0 / points), one = splat<T>(1);
  Sums a = result;
  for (int32_t row = stream.row_begin[number]; row < stream.row_begin[number + 1]; ++row) {
    const Row<T> tet = Row<T>::template read<w>(stream, row, lane, way);
    const PointGradients<T> f = tet.deformation_gradients();
    const T weight = share * tet.volume;
    T mean{};
    Vec3<T> derivative{};
    for (int q = 0; q < points; ++q) {
      const Mat3<T> f_q = filled(f.at[q], tet.volume);
      const Vec3<T> g = tet.gradient(q);
      const VertexResponse<T> response = material.vertex(f_q, g);
      a.force -= weight * response.stress_times_gradient;
      if (kind == NodalStiffness::exact) {
        Sym3<T> block = response.stiffness;
        if constexpr (requires { Material<T>::by_stretch; }) {
          if (guarded) block = select(Volume::j(f_q) < T{}, stiffer_block(material, lame, f_q, g), block);
        }
        a.stiffness = a.stiffness + weight * block;
      }
      if (kind == NodalStiffness::stiffer) a.stiffness = a.stiffness + weight * stiffer_block(material, lame, f_q, g);
      if (has_mean) {
        mean += share * Volume::j(f_q);
        derivative += share * (Volume::derivative(f_q) * g);
      }
    }
    if (!has_mean) continue;
    auto pressure = MeanPressure<T>::template of<w>(stream, row, lane);
    if (stream.updates && kind != NodalStiffness::none) pressure.template update<w>(stream, row, lane, mean);
    a.force -= (tet.volume * (pressure.constant + pressure.slope * (mean - one))) * derivative;
    if (kind != NodalStiffness::none) add_outer(a.stiffness, tet.volume * pressure.slope, derivative);
  }
  result = a;
}

// Of the tets at the vertices, were these where `way` has them.
template <class T, template <class> class Material, int w, class Stream, class Way>
SINEW_HOST_DEVICE T local_energy(const Stream& stream, int64_t number, int lane, const Way& way) {
  using Volume = PointVolume<T, Material<double>::rotation_invariant>;
  constexpr int points = QuadraticTetrahedron::points;
  const auto coefficients = coefficients_of<Material>(stream.points.material);
  const auto material = coefficients.template as<T>();
  const T rest = splat<T>(coefficients.energy(diagonal(1.0, 1.0, 1.0)));
  const T share = splat<T>(1.0 / points), half = splat<T>(0.5);
  T sum{};
  for (int32_t row = stream.row_begin[number]; row < stream.row_begin[number + 1]; ++row) {
    const Row<T> tet = Row<T>::template read<w>(stream, row, lane, way);
    const PointGradients<T> f = tet.deformation_gradients();
    T energy{}, excess = splat<T>(-1);
    for (int q = 0; q < points; ++q) {
      const Mat3<T> f_q = filled(f.at[q], tet.volume);
      energy += share * (material.energy(f_q) - rest);
      excess += share * Volume::j(f_q);
    }
    const auto pressure = MeanPressure<T>::template of<w>(stream, row, lane);
    sum += tet.volume * (energy + excess * (pressure.constant + half * pressure.slope * excess));
  }
  return sum;
}

// Force [N] and block [N/m] of damping by the rate of strain at the points. before(index), motion(index): of other
// nodes relative to the vertex.
template <class T, int w, class Stream, class Before, class Motion, class Viscous>
SINEW_HOST_DEVICE void accumulate_strain_rate(const Stream& stream, int64_t number, int lane, double inverse_h,
                                              const Before& before, const Motion& motion, Viscous& sum) {
  constexpr int points = QuadraticTetrahedron::points;
  const T rate = splat<T>(stream.block.damping * inverse_h);
  for (int32_t row = stream.row_begin[number]; row < stream.row_begin[number + 1]; ++row) {
    const Row<T> tet = Row<T>::template read<w>(stream, row, lane, before);
    const PointGradients<T> f = tet.deformation_gradients();
    const PointGradients<T> change = Row<T>::template read<w>(stream, row, lane, motion).deformation_gradients();
    const T weight = splat<T>(1.0 / points) * tet.volume;
    for (int q = 0; q < points; ++q) {
      const auto viscous = StrainRate<T>::of(stream.points.material.lame, rate, f.at[q]);
      const Vec3<T> g = tet.gradient(q);
      sum.force -= weight * viscous.stress_times_gradient(change.at[q], g);
      sum.stiffness = sum.stiffness + weight * viscous.vertex_stiffness(g);
    }
  }
}

}  // namespace sinew::quadratic_kernel
