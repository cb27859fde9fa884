// The columns of Anderson acceleration (accel/columns.h) on a device.
#pragma once

#include <span>

#include "accel/columns.h"
#include "cuda/device_iterate.h"
#include "cuda/device_sum.h"

namespace sinew {

// Some columns with a number each, as kernels get them.
template <class Real>
struct SomeColumns {
  static constexpr int most = 21;
  Real* column[most] = {};
  double number[most] = {}, other[most] = {};
  int32_t count = 0;

  static SomeColumns of(std::span<const DeviceColumn<Real>> columns) {
    SomeColumns some;
    for (const DeviceColumn<Real>& c : columns) some.column[some.count++] = const_cast<Real*>(c.data());
    return some;
  }
};
template <class Real>
struct ColumnProduct {
  SomeColumns<Real> columns;
  const Real* v;
  SINEW_INLINE double operator()(int32_t j, int64_t i) const {
    return static_cast<double>(columns.column[j][i]) * static_cast<double>(v[i]);
  }
};
template <class Real>
struct SubtractColumns {
  SomeColumns<Real> columns;
  Real* v;
  SINEW_INLINE void operator()(int64_t i) const {
    Real rest = v[i];
    for (int32_t j = 0; j < columns.count; ++j) rest -= static_cast<Real>(columns.number[j]) * columns.column[j][i];
    v[i] = rest;
  }
};
template <class Real>
struct MultiplyColumn {
  Real* v;
  Real factor;
  SINEW_INLINE void operator()(int64_t i) const { v[i] *= factor; }
};
// number: cosines, other: sines.
template <class Real>
struct TurnColumns {
  SomeColumns<Real> columns;
  SINEW_INLINE void operator()(int64_t i) const {
    for (int32_t k = 0; k + 1 < columns.count; ++k) {
      const double cosine = columns.number[k], sine = columns.other[k];
      const double upper = columns.column[k][i], lower = columns.column[k + 1][i];
      columns.column[k][i] = static_cast<Real>(cosine * upper + sine * lower);
      columns.column[k + 1][i] = static_cast<Real>(cosine * lower - sine * upper);
    }
  }
};
template <class Real>
struct SubtractColumn {
  const Real *a, *b;
  Real* difference;
  SINEW_INLINE void operator()(int64_t i) const { difference[i] = a[i] - b[i]; }
};
template <class Real>
struct PackPositions {
  const Vec4<Real>* x;
  Real* u;
  SINEW_INLINE void operator()(int64_t s) const {
    u[3 * s] = x[s].x;
    u[3 * s + 1] = x[s].y;
    u[3 * s + 2] = x[s].z;
  }
};
template <class Real>
struct UnpackPositions {
  const Real* u;
  Vec4<Real>* x;
  SINEW_INLINE void operator()(int64_t s) const {
    if (x[s].w > 0) x[s] = {u[3 * s], u[3 * s + 1], u[3 * s + 2], x[s].w};
  }
};
template <class Real>
struct ScaleNumbers {
  const Real* from;
  Real* to;
  Real scale;
  SINEW_INLINE void operator()(int64_t k) const { to[k] = scale * from[k]; }
};

template <class Real>
void products(std::span<const DeviceColumn<Real>> columns, const DeviceColumn<Real>& v, std::span<double> sums,
              ThreadPool&) {
  if (columns.empty()) return;
  device_sums(v.device(), static_cast<int64_t>(v.size()), ColumnProduct<Real>{SomeColumns<Real>::of(columns), v.data()},
              sums);
}
template <class Real>
void subtract(std::span<const DeviceColumn<Real>> columns, std::span<const double> shares, DeviceColumn<Real>& v,
              ThreadPool&) {
  auto some = SomeColumns<Real>::of(columns);
  std::copy(shares.begin(), shares.end(), some.number);
  v.device().run(static_cast<int64_t>(v.size()), SubtractColumns<Real>{some, v.data()});
}
template <class Real>
void multiply(DeviceColumn<Real>& v, double factor, ThreadPool&) {
  v.device().run(static_cast<int64_t>(v.size()), MultiplyColumn<Real>{v.data(), static_cast<Real>(factor)});
}
template <class Real>
void turn(std::span<DeviceColumn<Real>> columns, std::span<const double> cosine, std::span<const double> sine,
          ThreadPool&) {
  auto some = SomeColumns<Real>::of(columns);
  std::copy_n(cosine.begin(), columns.size() - 1, some.number);
  std::copy_n(sine.begin(), columns.size() - 1, some.other);
  columns[0].device().run(static_cast<int64_t>(columns[0].size()), TurnColumns<Real>{some});
}
template <class Real>
void subtract(const DeviceColumn<Real>& a, const DeviceColumn<Real>& b, DeviceColumn<Real>& difference, ThreadPool&) {
  difference.resize(a.device(), a.size());
  a.device().run(static_cast<int64_t>(a.size()), SubtractColumn<Real>{a.data(), b.data(), difference.data()});
}

template <class Real>
void pack(const DeviceUnknowns<Real>& it, const ColumnRule& rule, DeviceColumn<Real>& u, ThreadPool&) {
  const size_t slots = rule.coordinates ? it.x.size() : 0, multipliers = rule.multipliers ? it.multipliers.size() : 0;
  u.resize(*it.device, 3 * slots + multipliers);
  it.device->run(static_cast<int64_t>(slots), PackPositions<Real>{it.x.data(), u.data()});
  it.device->run(static_cast<int64_t>(multipliers),
                 ScaleNumbers<Real>{it.multipliers.data(), u.data() + 3 * slots, static_cast<Real>(rule.scale)});
}
template <class Real>
void unpack(const DeviceColumn<Real>& u, const ColumnRule& rule, DeviceUnknowns<Real>& it, ThreadPool&) {
  const size_t slots = rule.coordinates ? it.x.size() : 0, multipliers = rule.multipliers ? it.multipliers.size() : 0;
  it.device->run(static_cast<int64_t>(slots), UnpackPositions<Real>{u.data(), it.x.data()});
  it.device->run(static_cast<int64_t>(multipliers),
                 ScaleNumbers<Real>{u.data() + 3 * slots, it.multipliers.data(), 1 / static_cast<Real>(rule.scale)});
}

}  // namespace sinew
