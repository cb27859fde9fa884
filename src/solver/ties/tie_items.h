// Ties as sweeps by constraints read them, also on GPUs; colored_ties.h has them in order.
#pragma once

#include "element/tie.h"
#include "math/lane.h"

namespace sinew {

template <class Real>
struct TieItem {
  TieLaw<Real> law;
  int32_t first_end, last_end;
  bool is_grab = false;
  Vec3<Real> anchor{};  // of a grab
};
template <class Real>
struct TieEnd {
  int32_t slot;
  Real weight;
};

// C, of a grab C - b; of differences. at(k): the position of end k.
template <class Real, class At>
SINEW_INLINE Vec3<Real> tie_vector(const TieItem<Real>& item, const TieEnd<Real>* ends, const At& at) {
  const Vec3<Real> origin = at(item.first_end);
  Vec3<Real> c = item.is_grab ? origin - item.anchor : Vec3<Real>{};
  for (int32_t k = item.first_end + 1; k < item.last_end; ++k) c += ends[k].weight * (at(k) - origin);
  return c;
}

template <class Real>
struct TieItems {
  const TieItem<Real>* items = nullptr;
  const TieEnd<Real>* ends = nullptr;
  const Real* of_muscles = nullptr;

  // visit(slot, weight)
  template <class Visit>
  SINEW_INLINE void for_each_end(const TieItem<Real>& item, const Visit& visit) const {
    for (int32_t k = item.first_end; k < item.last_end; ++k) visit(static_cast<size_t>(ends[k].slot), ends[k].weight);
  }
  SINEW_INLINE Real activation_of(const TieItem<Real>& item) const { return item.law.activation(of_muscles); }
  // These three are inlined into a sweep, whose vectors then stay in registers: two thirds of its time for springs in a
  // browser.
  SINEW_INLINE Vec3<Real> vector_of(const TieItem<Real>& item, const Vec4<Real>* x) const {
    return tie_vector(item, ends, [&](int32_t end) SINEW_INLINE_LAMBDA {
      const Vec4<Real>& p = x[ends[end].slot];
      return Vec3<Real>{p.x, p.y, p.z};
    });
  }
  // sum_j w_j s_j^2, w = 1/m; 0 where all vertices of it are held.
  SINEW_INLINE Real mobility(const TieItem<Real>& item, const Vec4<Real>* x) const {
    Real w = 0;
    for_each_end(item, [&](size_t slot, Real weight) { w += x[slot].w * weight * weight; });
    return w;
  }
  // x_j += w_j s_j times the impulse.
  SINEW_INLINE void push(const TieItem<Real>& item, Vec3<Real> impulse, Vec4<Real>* x) const {
    for_each_end(item, [&](size_t slot, Real weight) {
      Vec4<Real>& p = x[slot];
      const Real share = p.w * weight;
      p.x += share * impulse.x;
      p.y += share * impulse.y;
      p.z += share * impulse.z;
    });
  }
};

}  // namespace sinew
