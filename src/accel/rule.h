// Shared by the accelerators: their rule is written once over the iterate (in either precision; on a device, see
// cuda/device_accelerator.h), and most rules combine the last few iterates unknown by unknown.
#pragma once

#include <cmath>

#include "accel/accelerator.h"

namespace sinew {

// Rule<Iterate<Real>> is constructed from the options and has begin(iterate, pool) and apply(iterate, pool).
template <template <class> class Rule, class Options>
class AcceleratorByRule : public Accelerator {
 public:
  explicit AcceleratorByRule(const Options& options) : single_(options), double_(options) {}

  void begin_step(IterateRef iterate, ThreadPool& pool) override {
    visit(iterate, [&](auto& rule, auto& it) { rule.begin(it, pool); });
  }
  void apply(IterateRef iterate, int, ThreadPool& pool) override {
    visit(iterate, [&](auto& rule, auto& it) { rule.apply(it, pool); });
  }

 private:
  template <class Action>
  void visit(IterateRef iterate, const Action& action) {
    if (auto* single = std::get_if<Iterate<float>*>(&iterate)) action(single_, **single);
    if (auto* other = std::get_if<Iterate<double>*>(&iterate)) action(double_, **other);
  }
  Rule<Iterate<float>> single_;
  Rule<Iterate<double>> double_;
};

template <class Real>
SINEW_INLINE Real mixed(Real next, Real other, Real share) {
  return share * (next - other) + other;
}
template <class Real>
SINEW_INLINE Vec4<Real> mixed(const Vec4<Real>& next, const Vec4<Real>& other, Real share) {
  return {mixed(next.x, other.x, share), mixed(next.y, other.y, share), mixed(next.z, other.z, share), next.w};
}

// next = share (next - other) + other, for vertices that are not held and have not collided, and for all multipliers.
template <class Real>
void combine(Iterate<Real>& next, const Iterate<Real>& other, ThreadPool& pool, double factor) {
  const auto share = static_cast<Real>(factor);
  pool.parallel_for(static_cast<int64_t>(next.x.size()), reduction_chunk, [&](int64_t first, int64_t last) {
    for (int64_t s = first; s < last; ++s) {
      const Vec4<Real> a = next.x[s], b = other.x[s];
      if (a.w > 0 && (next.collided.empty() || !next.collided[static_cast<size_t>(s)])) next.x[s] = mixed(a, b, share);
    }
  });
  pool.parallel_for(static_cast<int64_t>(next.multipliers.size()), reduction_chunk, [&](int64_t first, int64_t last) {
    for (int64_t k = first; k < last; ++k)
      next.multipliers[k] = mixed(next.multipliers[k], other.multipliers[k], share);
  });
}

// `older` becomes `newer`, which becomes the iterate.
template <class Real>
void remember(const Iterate<Real>& iterate, Iterate<Real>& newer, Iterate<Real>& older) {
  older.x.swap(newer.x);
  older.multipliers.swap(newer.multipliers);
  newer = iterate;
}

// The 2-norm [m] of the difference of the positions.
template <class Real>
double change(const Iterate<Real>& a, const Iterate<Real>& b, ThreadPool& pool) {
  return std::sqrt(ordered_sum<double>(pool, static_cast<int64_t>(a.x.size()), [&](int64_t s) {
    const double x = a.x[s].x - b.x[s].x, y = a.x[s].y - b.x[s].y, z = a.x[s].z - b.x[s].z;
    return x * x + y * y + z * z;
  }));
}

}  // namespace sinew
