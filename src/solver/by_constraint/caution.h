// The caution in B-PXPBD's automatic zeta (blended_rule.h). The rule of each tet considers its own stability only.
// Therefore every few sweeps the change of the vertices' impulses in a sweep, |M dx|, is compared with its least so
// far. If it has doubled, the iteration is unstable: the caution doubles, and zeta rises. If it is smaller, the caution
// falls towards 1, and zeta with it, because too large a zeta stagnates.
#pragma once

#include <algorithm>
#include <cmath>

#include "exec/buffer.h"
#include "exec/thread_pool.h"
#include "model/iterate.h"

namespace sinew {

template <class Real>
class Caution {
 public:
  double value() const { return value_; }

  void begin_step() {
    value_ = 1;
    forget();
  }
  // The next sweeps start from elsewhere, so their changes cannot be compared with those of the last ones.
  void forget() {
    sweeps_ = 0;
    smallest_ = 0;
  }

  // To be called before and after every sweep.
  void before(const Iterate<Real>& iterate) {
    if (++sweeps_ % interval == 0) before_ = iterate.x;
  }
  void after(const Iterate<Real>& iterate, ThreadPool& pool) {
    if (sweeps_ % interval) return;
    const double now = change(iterate, pool);
    if (smallest_ == 0) smallest_ = now;
    if (now > growth * smallest_) {
      value_ = std::min(2 * value_, most);
      smallest_ = now;
    } else if (now < smallest_) {
      value_ = std::max(falling * value_, 1.0);
      smallest_ = now;
    }
  }

  size_t memory_bytes() const { return before_.size() * sizeof(Vec4<Real>); }

 private:
  static constexpr int interval = 4;
  static constexpr double growth = 2, most = 1024, falling = 0.8;

  double change(const Iterate<Real>& iterate, ThreadPool& pool) const {
    const auto square = [&](int64_t s) {
      const Vec4<Real>&a = iterate.x[static_cast<size_t>(s)], &b = before_[static_cast<size_t>(s)];
      if (a.w == 0) return 0.0;
      const double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z, w = a.w;
      return (x * x + y * y + z * z) / (w * w);
    };
    return std::sqrt(ordered_sum<double>(pool, static_cast<int64_t>(iterate.x.size()), square));
  }

  double value_ = 1, smallest_ = 0;
  int64_t sweeps_ = 0;
  Buffer<Vec4<Real>> before_;
};

}  // namespace sinew
