// The local step of a vertex that glides (model/glide.h): with P = 1 - N,
//   (P H P + s N) dx = P f,   dx := P dx,
// which is the step within the free directions; s is of the size of H and only keeps the matrix regular. Few lanes
// glide, so they are processed one by one.
#pragma once

#include "math/lane.h"
#include "math/solve.h"
#include "solver/sweep.h"

namespace sinew::glide_kernel {

template <class T>
struct Rows {
  static constexpr int w = lane_count<T>;
  using Real = ScalarOf<T>;
  alignas(64) Real x[3][w];

  SINEW_INLINE explicit Rows(const Vec3<T>& v) {
    store<T>(x[0], v.x);
    store<T>(x[1], v.y);
    store<T>(x[2], v.z);
  }
  SINEW_INLINE Vec3<Real> get(int lane) const { return {x[0][lane], x[1][lane], x[2][lane]}; }
  SINEW_INLINE void set(int lane, Vec3<Real> v) {
    x[0][lane] = v.x;
    x[1][lane] = v.y;
    x[2][lane] = v.z;
  }
  SINEW_INLINE Vec3<T> lanes() const { return {load<T>(x[0]), load<T>(x[1]), load<T>(x[2])}; }
};

// P H P + s N
template <class Real>
SINEW_INLINE Sym3<Real> constrained(const Sym3<Real>& h, const Sym3<Real>& n) {
  const Mat3<Real> p{{1 - n.xx, -n.xy, -n.xz}, {-n.xy, 1 - n.yy, -n.yz}, {-n.xz, -n.yz, 1 - n.zz}};
  const Mat3<Real> m = p * (Mat3<Real>{{h.xx, h.xy, h.xz}, {h.xy, h.yy, h.yz}, {h.xz, h.yz, h.zz}} * p);
  return Sym3<Real>{m.c0.x, m.c1.x, m.c2.x, m.c1.y, m.c2.y, m.c2.z} + (usable_size(h) / 3) * n;
}

// Projects forces onto the free directions.
template <class T, class Sweep>
SINEW_HOST_DEVICE void project(const Sweep& sweep, int64_t batch, Vec3<T>& force) {
  Rows<T> f(force);
  for (int32_t k = sweep.glides->begin[batch]; k < sweep.glides->begin[batch + 1]; ++k) {
    const auto& item = sweep.glides->items[k];
    f.set(item.lane, f.get(item.lane) - item.fixed * f.get(item.lane));
  }
  force = f.lanes();
}

// The step dx of the lanes that glide.
template <class T, class Sweep>
SINEW_HOST_DEVICE void step(const Sweep& sweep, int64_t batch, const Vec3<T>& force, const Sym3<T>& stiffness,
                            bool tied, Vec3<T>& dx) {
  using Real = ScalarOf<T>;
  const Rows<T> f(force), diagonal(Vec3<T>{stiffness.xx, stiffness.yy, stiffness.zz}),
      rest(Vec3<T>{stiffness.xy, stiffness.xz, stiffness.yz});
  Rows<T> result(dx);
  for (int32_t k = sweep.glides->begin[batch]; k < sweep.glides->begin[batch + 1]; ++k) {
    const auto& item = sweep.glides->items[k];
    const Vec3<Real> d = diagonal.get(item.lane), o = sweep.diagonal ? Vec3<Real>{} : rest.get(item.lane);
    const Sym3<Real> h = constrained(Sym3<Real>{d.x, o.x, o.y, d.y, o.z, d.z}, item.fixed);
    const Vec3<Real> free = f.get(item.lane) - item.fixed * f.get(item.lane);
    const Vec3<Real> x = tied ? solve_downhill(h, free) : solve_or_skip(h, free, static_cast<double>(sweep.singular));
    result.set(item.lane, x - item.fixed * x);
  }
  dx = result.lanes();
}

}  // namespace sinew::glide_kernel
