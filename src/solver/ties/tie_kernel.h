// What ties add to the vertices of a batch in a vertex sweep. Few lanes have any, so it is done lane by lane, into rows
// of W numbers.
#pragma once

#include "element/strain_rate.h"
#include "element/tie.h"
#include "math/lane.h"
#include "solver/sweep.h"

namespace sinew::tie_kernel {

template <class T>
struct Sums {
  Vec3<T> force{};      // [N]
  Sym3<T> stiffness{};  // [N/m], positive
};

// C with the end's own vertex, `own`, at x: of differences from it, since the weights add up to 0.
template <class Real>
SINEW_INLINE Vec3<Real> vector_from(const VertexSweep<Real>& sweep, const typename VertexTies<Real>::End& end,
                                    int64_t own, Vec3<Real> x) {
  Vec3<Real> c{};
  for (int32_t k = end.first_other; k < end.last_other; ++k) {
    const auto& other = sweep.ties->others[k];
    const Vec4<Real>& p = sweep.x[other.corner];
    c += other.weight * (Vec3<Real>{p.x, p.y, p.z} - x);
    if (sweep.base) {
      const Vec4<Real>&b = sweep.base[other.corner], &o = sweep.base[own];
      c += other.weight * Vec3<Real>{b.x - o.x, b.y - o.y, b.z - o.z};
    }
  }
  return c;
}

// What one tie adds to the force [N] and stiffness [N/m] of the vertex at one of its ends.
template <class Real>
struct EndTerms {
  Vec3<Real> force;
  Sym3<Real> stiffness;
};

// The sums over the ties of each lane; terms(end, own) -> EndTerms, own: the place of the end's vertex.
template <class T, class Terms>
void add_up(const VertexSweep<ScalarOf<T>>& sweep, int64_t batch, const Terms& terms, Sums<T>& result) {
  using Real = ScalarOf<T>;
  constexpr int w = lane_count<T>;
  alignas(64) Real sums[9][w] = {};
  for (int32_t k = sweep.ties->begin[batch]; k < sweep.ties->begin[batch + 1]; ++k) {
    const auto& end = sweep.ties->ends[k];
    const auto [force, h] = terms(end, sweep.own(batch * w) + end.lane);
    const Real numbers[9] = {force.x, force.y, force.z, h.xx, h.xy, h.xz, h.yy, h.yz, h.zz};
    for (int j = 0; j < 9; ++j) sums[j][end.lane] += numbers[j];
  }
  result.force = {load<T>(sums[0]), load<T>(sums[1]), load<T>(sums[2])};
  result.stiffness = {load<T>(sums[3]), load<T>(sums[4]), load<T>(sums[5]),
                      load<T>(sums[6]), load<T>(sums[7]), load<T>(sums[8])};
}

template <class T>
void accumulate(const VertexSweep<ScalarOf<T>>& sweep, int64_t batch, Sums<T>& result) {
  using Real = ScalarOf<T>;
  const auto terms = [&](const typename VertexTies<Real>::End& end, int64_t own) {
    const Vec4<Real>& x = sweep.x[own];
    const Vec3<Real> c = vector_from(sweep, end, own, Vec3<Real>{x.x, x.y, x.z});
    const Real activation = end.law.activation(sweep.activation);
    return EndTerms<Real>{-end.weight * tie_gradient(end.law, c, activation),
                          (end.weight * end.weight) * tie_stiffness(end.law, c, activation, true).matrix()};
  };
  add_up(sweep, batch, terms, result);
}

// The same of the damping of springs, in steps; positions are those of `x`.
template <class T>
void accumulate_damping(const VertexSweep<ScalarOf<T>>& sweep, int64_t batch, Sums<T>& result) {
  using Real = ScalarOf<T>;
  const auto terms = [&](const typename VertexTies<Real>::End& end, int64_t own) {
    if (end.law.damping == 0) return EndTerms<Real>{};
    Vec3<Real> before{}, motion{};
    for (int32_t j = end.first_other; j < end.last_other; ++j) {
      const auto& other = sweep.ties->others[j];
      const auto way = [&](const Vec4<Real>& to, const Vec4<Real>& from) {
        return Vec3<Real>{to.x - from.x, to.y - from.y, to.z - from.z};
      };
      before += other.weight * way(sweep.x_prev[other.corner], sweep.x_prev[own]);
      motion += other.weight *
                (way(sweep.x[other.corner], sweep.x_prev[other.corner]) - way(sweep.x[own], sweep.x_prev[own]));
    }
    const auto viscous = StretchRate<Real>::of(end.law, sweep.inverse_h, before);
    return EndTerms<Real>{-end.weight * viscous.gradient(motion), (end.weight * end.weight) * viscous.matrix()};
  };
  add_up(sweep, batch, terms, result);
}

// [J] Of the ties at the vertices, were these at x.
template <class T>
T local_energy(const VertexSweep<ScalarOf<T>>& sweep, int64_t batch, Vec3<T> x) {
  using Real = ScalarOf<T>;
  constexpr int w = lane_count<T>;
  alignas(64) Real at[3][w], sums[w] = {};
  store<T>(at[0], x.x);
  store<T>(at[1], x.y);
  store<T>(at[2], x.z);
  for (int32_t k = sweep.ties->begin[batch]; k < sweep.ties->begin[batch + 1]; ++k) {
    const auto& end = sweep.ties->ends[k];
    const Vec3<Real> own{at[0][end.lane], at[1][end.lane], at[2][end.lane]};
    sums[end.lane] += tie_energy(end.law, vector_from(sweep, end, sweep.own(batch * w) + end.lane, own),
                                 end.law.activation(sweep.activation));
  }
  return load<T>(sums);
}

}  // namespace sinew::tie_kernel
