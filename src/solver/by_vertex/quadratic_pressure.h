// The pressure of the mean J of quadratic tetrahedra (element/quadratic_tetrahedron.h) in sweeps by vertex.
//
// With a multiplier p of each element [Pa] and sigma = 8 mu, a sweep has V (s p + k (Jm - 1)) for V lambda_m (Jm - 1),
//   s = lambda_m/(lambda_m + sigma),  k = s sigma,   and after it  p <- s (p + sigma (Jm - 1)),
// whose limit is the same: p = lambda_m (Jm - 1). The sweep's stiffness k stays below 8 mu however near the Poisson
// ratio is to 1/2. What is kept is s p, which becomes s (s p + k (Jm - 1)).
//
// When a sweep comes to the first vertex of a tet, none of its nodes has moved since the sweep before: the multiplier
// can be brought up to date there, where Jm is known (QuadraticBlock::updates). In a pass of its own (PressureUpdate)
// that costs a twelfth of a sweep; the pass is for what does not go on with a forward sweep.
#pragma once

#include "element/quadratic_tetrahedron.h"
#include "solver/by_vertex/positions_ahead.h"
#include "solver/by_vertex/quadratic_walk.h"
#include "solver/sweep.h"

namespace sinew {

// What a sweep takes for the pressure of the tets of a row, and how it grows.
template <class T>
struct MeanPressure {
  T constant, slope;

  template <int w, class Stream>
  static SINEW_INLINE MeanPressure of(const Stream& stream, int32_t row, int lane) {
    if (!stream.pressures) return {T{}, splat<T>(stream.slope)};
    const int32_t* const element = stream.elements + static_cast<size_t>(row) * w + lane;
    return {lanes_of<T>([&](int k) { return stream.pressures[element[k]]; }), splat<T>(stream.slope)};
  }

  // Brings up to date what is visited for the first time in this sweep. No other thread and no other lane visits those
  // tets meanwhile. (A scatter of AVX-512 gains nothing, nor does it to gather at the row's start.)
  template <int w, class Stream>
  SINEW_INLINE void update(const Stream& stream, int32_t row, int lane, T mean) {
    uint32_t first = stream.first_visits[row] >> lane;
    const int32_t* const element = stream.elements + static_cast<size_t>(row) * w + lane;
    const auto next = [&]() SINEW_INLINE_LAMBDA {
      return splat<T>(stream.shrink) * (constant + slope * (mean - splat<T>(1)));
    };
    if constexpr (lane_count<T> == 1) {
      if (first & 1) stream.pressures[*element] = constant = next();
    } else if (first != 0) {
      alignas(T) ScalarOf<T> to[lane_count<T>], all[lane_count<T>];
      store(to, next());
      store(all, constant);
      for (; first != 0; first &= first - 1) {
        const int k = __builtin_ctz(first);
        stream.pressures[element[k]] = all[k] = to[k];
      }
      constant = load<T>(all);
    }
  }
};

// The multipliers of W tets from e on after a sweep; of fewer at the end, where is_last.
template <class T, bool is_last>
SINEW_INLINE void update_pressures(const PressureUpdate<ScalarOf<T>>& update, int64_t e, int64_t last) {
  const auto tet = [&](int k) { return is_last && e + k >= last ? last - 1 - e : int64_t{k}; };
  const auto* const tets = update.tets + e;
  const auto* const middles = update.middles + e;
  const auto gathered = [&](const Vec4<ScalarOf<T>>* x, int n) SINEW_INLINE_LAMBDA {
    return load_transposed<T>([&](int k) {
             return x + (n < 4 ? tets[tet(k)][static_cast<size_t>(n)] : middles[tet(k)][static_cast<size_t>(n - 4)]);
           })
        .xyz;
  };
  const Vec3<T> own = gathered(update.x, 0);
  const Vec3<T> own_base = update.base ? gathered(update.base, 0) : Vec3<T>{};
  const auto way = [&](int n) SINEW_INLINE_LAMBDA {
    Vec3<T> to = gathered(update.x, n) - own;
    if (update.base) [[unlikely]]
      to += gathered(update.base, n) - own_base;
    return to;
  };
  const quadratic_links::CornerWalk<T> walk{way(1), way(2), way(4), way(5), way(7)};
  const Vec3<T> brought[] = {way(3), way(6), way(8), way(9)};
  const auto terms = walk.terms(brought);
  const auto all = [&](const ScalarOf<T>* numbers) SINEW_INLINE_LAMBDA {
    if constexpr (is_last)
      return lanes_of<T>([&](int k) { return numbers[e + tet(k)]; });
    else
      return load_anywhere<T>(numbers + e);
  };
  const auto set = [&](ScalarOf<T>* numbers, T a) SINEW_INLINE_LAMBDA {
    if constexpr (is_last)
      for_each_lane(a, [&](int k, ScalarOf<T> p) {
        if (e + k < last) numbers[e + k] = p;
      });
    else
      store_anywhere<T>(numbers + e, a);
  };
  const T mean = splat<T>(link_unit / 4) * all(update.inverse_volumes) *
                 ((terms.det[0] + terms.det[1]) + (terms.det[2] + terms.det[3]));
  set(update.pressures,
      splat<T>(update.shrink) * (all(update.pressures) + splat<T>(update.slope) * (mean - splat<T>(1))));
}

// The multiplier of a tet of linear elasticity, whose J is the trace of F. rest: [m] of the model.
template <class Real>
SINEW_INLINE void update_linear_pressure(const PressureUpdate<Real>& update, const Vec3d* rest, size_t e) {
  const auto slot = [&](size_t n) SINEW_INLINE_LAMBDA {
    return static_cast<size_t>(n < 4 ? update.tets[e][n] : update.middles[e][n - 4]);
  };
  const auto at = [&](size_t n) SINEW_INLINE_LAMBDA {
    const Vec4<Real>& p = update.x[slot(n)];
    const Vec3d place{p.x, p.y, p.z};
    if (!update.base) return place;
    const Vec4<Real>& b = update.base[slot(n)];
    return place + Vec3d{b.x, b.y, b.z};
  };
  Vec3d corner[4], gradient[4], place[most_nodes]{};
  for (size_t k = 0; k < 4; ++k) corner[k] = rest[slot(k)];
  const RestShape<double> shape = QuadraticTetrahedron::rest(corner);
  gradient[0] = -(shape.gradient[0] + shape.gradient[1] + shape.gradient[2]);
  for (size_t k = 0; k < 3; ++k) gradient[k + 1] = shape.gradient[k];
  for (size_t n = 1; n < most_nodes; ++n) place[n] = at(n) - at(0);
  double mean = 0;
  const PointGradients<double> f = PointGradients<double>::of(place, gradient);
  for (int q = 0; q < QuadraticTetrahedron::points; ++q)
    mean += PointVolume<double, false>::j(f.at[q]) / QuadraticTetrahedron::points;
  Real& p = update.pressures[e];
  p = static_cast<Real>(update.shrink * (static_cast<double>(p) + update.slope * (mean - 1)));
}

// For what W tets from e on stand some rows before.
template <class T>
SINEW_INLINE void ask_ahead(const PressureUpdate<ScalarOf<T>>& update, int64_t e) {
  constexpr int w = lane_count<T>, ahead = 4 * w;
  prefetch<4 * w>(update.tets[e + ahead].data());
  prefetch<6 * w>(update.middles[e + ahead].data());
  prefetch<w>(update.inverse_volumes + e + ahead);
  prefetch<w>(update.pressures + e + ahead);
  if (!update.ahead_begin || e % tets_of_row_ahead != 0) return;
  const int64_t row = e / tets_of_row_ahead;
  for (int32_t k = update.ahead_begin[row]; k < update.ahead_begin[row + 1]; ++k)
    prefetch<1>(update.x + update.ahead_slots[k]);
}

// Of the tets [first, last).
template <class T>
void update_pressures(const PressureUpdate<ScalarOf<T>>& update, int64_t first, int64_t last) {
  constexpr int w = lane_count<T>;
  int64_t e = first;
  for (; e + w <= last; e += w) {
    ask_ahead<T>(update, e);
    update_pressures<T, false>(update, e, last);
  }
  if (e < last) update_pressures<T, true>(update, e, last);
}

}  // namespace sinew
