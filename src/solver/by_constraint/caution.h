// How careful B-PXPBD's automatic zeta has to be (blended_rule.h). The rule of each tet sees its own stability only; so
// every few sweeps it is looked how much a sweep still changes the impulses of the vertices, |M dx|. Where this grows
// from one look to the next the iteration is not stable: the caution doubles, and zeta rises. Where it falls the
// caution falls back to 1, and zeta with it, for too much of it is stagnation.
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
  // The next sweeps start from somewhere else: what they change says nothing beside what the last ones did.
  void forget() {
    sweeps_ = 0;
    smallest_ = 0;
  }

  // Around every sweep.
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
  struct Sum {
    double value = 0;
    void operator+=(Sum o) { value += o.value; }
  };

  double change(const Iterate<Real>& iterate, ThreadPool& pool) const {
    const auto square = [&](int64_t s) {
      const Vec4<Real>&a = iterate.x[static_cast<size_t>(s)], &b = before_[static_cast<size_t>(s)];
      if (a.w == 0) return Sum{};
      const double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z, w = a.w;
      return Sum{(x * x + y * y + z * z) / (w * w)};
    };
    return std::sqrt(ordered_sum<Sum>(pool, static_cast<int64_t>(iterate.x.size()), square).value);
  }

  double value_ = 1, smallest_ = 0;
  int64_t sweeps_ = 0;
  Buffer<Vec4<Real>> before_;
};

}  // namespace sinew
