// Random numbers, vectors and matrices for tests, the same in every run; and small matrix algebra for tests.
#pragma once

#include <cmath>
#include <random>

#include "math/svd.h"

namespace sinew::support {

class Random {
 public:
  explicit Random(uint32_t seed) : engine_(seed) {}

  double normal() { return normal_(engine_); }
  double between(double low, double high) { return low + (high - low) * uniform_(engine_); }
  int below(int count) { return static_cast<int>(engine_() % static_cast<uint32_t>(count)); }
  Vec3d vector() { return {normal(), normal(), normal()}; }
  Mat3d matrix() { return {vector(), vector(), vector()}; }
  Mat3d rotation() {
    const SignedSvd d = signed_svd(matrix());
    return d.u * transpose(d.v);
  }
  // Normally distributed entries around the identity, half of them mirrored, and none near matrices where the polar
  // rotation jumps (s1 + s2 = 0) and differences are meaningless.
  Mat3d deformation(double amount) {
    for (;;) {
      Mat3d f = diagonal(1.0, 1.0, 1.0) + amount * matrix();
      if (below(2)) f.c0 = -f.c0;
      f = rotation() * f;
      const Vec3d s = signed_svd(f).s;
      if (s.y + s.z > 0.5) return f;
    }
  }

 private:
  std::mt19937 engine_;
  std::normal_distribution<double> normal_;
  std::uniform_real_distribution<double> uniform_;
};

inline Mat3d identity() {
  return diagonal(1.0, 1.0, 1.0);
}
inline double size(Vec3d a) {
  return std::sqrt(dot(a, a));
}
inline double size(Mat3d a) {
  return std::sqrt(contract(a, a));
}
inline Mat3d full(Sym3<double> a) {
  return {{a.xx, a.xy, a.xz}, {a.xy, a.yy, a.yz}, {a.xz, a.yz, a.zz}};
}
// Matrix number k of the nine with a single entry 1, in the order of the columns.
inline Mat3d unit_matrix(int k) {
  const auto column = [&](int c) {
    return Vec3d{k == 3 * c ? 1.0 : 0, k == 3 * c + 1 ? 1.0 : 0, k == 3 * c + 2 ? 1.0 : 0};
  };
  return {column(0), column(1), column(2)};
}
inline Vec3d unit_vector(int k) {
  return {k == 0 ? 1.0 : 0, k == 1 ? 1.0 : 0, k == 2 ? 1.0 : 0};
}

// df/dt at 0 from four values: exact for polynomials of degree four. With t about 1e-3 the truncation error (t^4) and
// the round-off (1e-16 / t) are both far below 1e-8 for functions that vary over lengths of 1.
template <class Function>
auto derivative(const Function& f, double t = 1e-3) {
  return (8 / (12 * t)) * (f(t) - f(-t)) - (1 / (12 * t)) * (f(2 * t) - f(-2 * t));
}

}  // namespace sinew::support
