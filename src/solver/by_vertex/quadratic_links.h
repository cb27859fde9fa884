// What quadratic tetrahedra of Neo-Hookean add to W vertices of one colour, without rest frames: along their strips
// (model/quadratic_strip.h).
//
// The force of mu |F|^2/2 on node i is that of springs, -sum_j K_ij (x_j - x_i), where the K_ij of an element are those
// of its scalar Laplacian: with s_ab = mu V G_a.G_b, and the means 1/4, 1/10, 1/20 of L_a, L_a^2, L_a L_b,
//   corner a, corner b      -s_ab/5                 middle ab, middle ac   8/5 s_bc - 4/5 s_ad
//   corner a, middle ab     3/5 s_ab - s_aa/5       middle ab, middle cd   4/5 (s_ac + s_ad + s_bc + s_bd)
//   corner a, middle bc     -(s_ab + s_ac)/5
// Of the volume see quadratic_walk.h.
#pragma once

#include "solver/by_vertex/quadratic_pressure.h"
#include "solver/by_vertex/quadratic_walk.h"
#include "solver/sweep.h"

namespace sinew::quadratic_links {

// How far ahead the stream is asked for.
inline constexpr int rows_ahead = 16;

// An entry of a strip: the ways to its nodes.
template <class T>
struct Entry {
  Vec3<T> node[quadratic_link_nodes];
  T k[quadratic_link_nodes];
  T number;  // link_unit/(6 V) with its flags (model/quadratic_stream.h)

  template <int w, class Stream, class Way>
  static SINEW_INLINE Entry read(const Stream& stream, int32_t row, int lane, const Way& way) {
    const auto* const index = stream.nodes + static_cast<size_t>(row) * quadratic_link_nodes * w + lane;
    const auto* const numbers = stream.numbers + static_cast<size_t>(row) * quadratic_link_numbers * w + lane;
    prefetch<quadratic_link_nodes * w>(index + rows_ahead * quadratic_link_nodes * w);
    prefetch<quadratic_link_numbers * w>(numbers + rows_ahead * quadratic_link_numbers * w);
    if (stream.pressures) prefetch<w>(stream.elements + (static_cast<size_t>(row) + rows_ahead) * w + lane);
    Entry entry;
#pragma GCC unroll 4
    for (int j = 0; j < quadratic_link_nodes; ++j) {
      entry.node[j] = way(index + j * w);
      entry.k[j] = load<T>(numbers + j * w);
    }
    entry.number = load<T>(numbers + quadratic_link_nodes * w);
    return entry;
  }
};

// Calls body.node(k, way) of each neighbour, and body.tet(walk, row, number, terms) of each row in which some lane may
// complete a tet; those of the other lanes have the number 0.
template <class T, int w, class Stream, class Way, class Body>
SINEW_INLINE void for_each_row(const Stream& stream, int64_t batch, int lane, const Way& way, Body& body) {
  const auto read = [&](int32_t row) SINEW_INLINE_LAMBDA {
    const auto entry = Entry<T>::template read<w>(stream, row, lane, way);
    for (int j = 0; j < quadratic_link_nodes; ++j) body.node(entry.k[j], entry.node[j]);
    return entry;
  };
  const int32_t begin = stream.row_begin[batch], middle = stream.middle_begin[batch], end = stream.row_begin[batch + 1];
  if (begin < middle) {
    CornerWalk<T> walk;
    for (int32_t row = begin; row < begin + 2; ++row) {
      const auto entry = read(row);
      walk.move(entry.node, entry.number);
    }
    for (int32_t row = begin + 2; row < middle; ++row) {
      const auto entry = read(row);
      body.template tet<w>(walk, row, entry.number, walk.terms(entry.node));
      walk.move(entry.node, entry.number);
    }
  }
  if (middle < end) {
    MiddleWalk<T> walk;
    const auto ends = read(middle);
    walk.x0 = ends.node[0];
    walk.x1 = ends.node[1];
    const auto first = read(middle + 1);
    walk.move(first.node, first.number);
    for (int32_t row = middle + 2; row < end; ++row) {
      const auto entry = read(row);
      body.template tet<w>(walk, row, entry.number, walk.terms(entry.node));
      walk.move(entry.node, entry.number);
    }
  }
}

template <class T, bool forces_only, class Stream>
struct Sums {
  const Stream& stream;
  int lane;
  T shear, volume, volume_block;  // lh + mu, lh, and what the block has for it [Pa]
  Vec3<T> force{};
  Sym3<T> stiffness{};  // without the Laplacian

  // A block of PBNG has lambda for lh.
  static SINEW_INLINE Sums of(const Stream& stream, int lane, bool stiffer) {
    const Lame& lame = stream.points.material.lame;
    const double lh = lame.lambda + lame.mu;
    return {stream, lane, splat<T>(lh + lame.mu), splat<T>(lh), splat<T>(stiffer ? lame.lambda : lh)};
  }
  SINEW_INLINE void node(T k, const Vec3<T>& way) { force += k * way; }

  // V/4 over 6 V for the force; for the block that times V/4 over 6 V.
  template <int w, class Walk>
  SINEW_INLINE void tet(const Walk&, int32_t row, T number, const PointTerms<T>& at) {
    const T inverse = abs(number), unit = splat<T>(Walk::scale * link_unit / 24);
    const T stiffness_unit = splat<T>(Walk::scale * Walk::scale * link_unit / 24) * inverse;
    const T signed_inverse = inverse * Walk::sign(number);
    const T filled = select(inverse > T{}, unit * Walk::sign(number), T{});
    T constant = -shear;
    Sym3<T> block{};
    if (stream.points.mean_lambda > 0) {
      const T quarter = splat<T>(0.25);
      const T mean = (quarter * signed_inverse) * ((at.det[0] + at.det[1]) + (at.det[2] + at.det[3]));
      auto pressure = MeanPressure<T>::template of<w>(stream, row, lane);
      if constexpr (!forces_only)
        if (stream.updates) pressure.template update<w>(stream, row, lane, mean);
      constant += pressure.constant + pressure.slope * (mean - splat<T>(1));
      if constexpr (!forces_only) {
        const Vec3<T> sum = (at.gradient[0] + at.gradient[1]) + (at.gradient[2] + at.gradient[3]);
        add_outer(block, quarter * pressure.slope, sum);
      }
    }
    const T slope = volume * signed_inverse;
    Vec3<T> own{};
    Sym3<T> squares{};
    for (int q = 0; q < 4; ++q) {
      own += (slope * at.det[q] + constant) * at.gradient[q];
      if constexpr (!forces_only) add_outer(squares, at.gradient[q], at.gradient[q]);
    }
    force -= filled * own;
    if constexpr (!forces_only) stiffness = stiffness + stiffness_unit * (block + volume_block * squares);
  }
};

template <class T, bool forces_only, int w, class Stream, class Way, class Result>
SINEW_HOST_DEVICE void accumulate(const Stream& stream, int64_t batch, int lane, bool stiffer, const Way& way,
                                  Result& result) {
  auto sums = Sums<T, forces_only, Stream>::of(stream, lane, stiffer);
  for_each_row<T, w>(stream, batch, lane, way, sums);
  result.force += sums.force;
  if constexpr (forces_only) return;
  result.stiffness = result.stiffness + sums.stiffness;
  add_identity(result.stiffness, splat<T>(stiffer ? 2 : 1) * load<T>(stream.laplacian + batch * w + lane));
}

template <class T, class Stream>
struct EnergySum {
  const Stream& stream;
  int lane;
  T gamma, volume_stiffness;
  T energy{};

  SINEW_INLINE void node(T k, const Vec3<T>& way) { energy += splat<T>(0.5) * k * dot(way, way); }

  template <int w, class Walk>
  SINEW_INLINE void tet(const Walk&, int32_t row, T number, const PointTerms<T>& at) {
    const T half = splat<T>(0.5), quarter = splat<T>(0.25), one = splat<T>(1);
    const T inverse = abs(number);
    T density{}, excess = -one;
    for (int q = 0; q < 4; ++q) {
      const T j = inverse * Walk::sign(number) * at.det[q];
      density += quarter * half * volume_stiffness * (j - gamma) * (j - gamma);
      excess += quarter * j;
    }
    if (stream.points.mean_lambda > 0) {
      const auto pressure = MeanPressure<T>::template of<w>(stream, row, lane);
      density += excess * (pressure.constant + half * pressure.slope * excess);
    }
    const auto filled = inverse > T{};
    energy += select(filled, splat<T>(link_unit / 6), T{}) / select(filled, inverse, one) * density;
  }
};

// Up to a constant.
template <class T, int w, class Stream, class Way>
SINEW_HOST_DEVICE T local_energy(const Stream& stream, int64_t batch, int lane, const Way& way) {
  const Lame& lame = stream.points.material.lame;
  const double lh = lame.lambda + lame.mu;
  EnergySum<T, Stream> sum{stream, lane, splat<T>(1 + lame.mu / lh), splat<T>(lh)};
  for_each_row<T, w>(stream, batch, lane, way, sum);
  return sum.energy;
}

}  // namespace sinew::quadratic_links
