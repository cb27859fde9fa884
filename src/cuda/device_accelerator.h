// What the rules of accelerators (accel/rule.h) need of an iterate, for one on a device.
#pragma once

#include "accel/anderson_rule.h"
#include "accel/rule.h"
#include "cuda/device_columns.h"
#include "cuda/device_iterate.h"
#include "cuda/device_sum.h"

namespace sinew {

template <class Real>
struct MixPositions {
  Vec4<Real>* next;
  const Vec4<Real>* other;
  Real share;
  SINEW_INLINE void operator()(int64_t s) const {
    if (next[s].w > 0) next[s] = mixed(next[s], other[s], share);
  }
};
template <class Real>
struct MixMultipliers {
  Real* next;
  const Real* other;
  Real share;
  SINEW_INLINE void operator()(int64_t k) const { next[k] = mixed(next[k], other[k], share); }
};
// The square of the distance of two positions.
template <class Real>
struct SquareOfChange {
  const Vec4<Real>*a, *b;
  SINEW_INLINE double operator()(int32_t, int64_t s) const {
    const double x = a[s].x - b[s].x, y = a[s].y - b[s].y, z = a[s].z - b[s].z;
    return x * x + y * y + z * z;
  }
};

template <class Real>
void combine(DeviceUnknowns<Real>& next, const DeviceUnknowns<Real>& other, ThreadPool&, double factor) {
  const auto share = static_cast<Real>(factor);
  Device& device = *next.device;
  device.run(static_cast<int64_t>(next.x.size()), MixPositions<Real>{next.x.data(), other.x.data(), share});
  device.run(static_cast<int64_t>(next.multipliers.size()),
             MixMultipliers<Real>{next.multipliers.data(), other.multipliers.data(), share});
}
template <class Real>
void remember(const DeviceUnknowns<Real>& iterate, DeviceUnknowns<Real>& newer, DeviceUnknowns<Real>& older) {
  older.x.swap(newer.x);
  older.multipliers.swap(newer.multipliers);
  newer = iterate;
}
template <class Real>
double change(const DeviceUnknowns<Real>& a, const DeviceUnknowns<Real>& b, ThreadPool&) {
  double square = 0;
  device_sums(*a.device, static_cast<int64_t>(a.x.size()), SquareOfChange<Real>{a.x.data(), b.x.data()},
              std::span(&square, 1));
  return std::sqrt(square);
}

// As AcceleratorByRule.
template <template <class> class Rule, class Options>
class DeviceAccelerator : public Accelerator {
 public:
  DeviceAccelerator(std::shared_ptr<Device> device, const Options& options)
      : device_(std::move(device)), single_(options), double_(options) {}

  void begin_step(IterateRef iterate, ThreadPool& pool) override {
    visit(iterate, [&](auto& rule, auto& unknowns) { rule.begin(unknowns, pool); });
  }
  void apply(IterateRef iterate, int, ThreadPool& pool) override {
    visit(iterate, [&](auto& rule, auto& unknowns) { rule.apply(unknowns, pool); });
  }

 private:
  template <class Action>
  void visit(IterateRef iterate, const Action& action) {
    DeviceIterate& there = **std::get_if<DeviceIterate*>(&iterate);
    if (there.single.x.size() > 0) {
      action(single_, there.single);
    } else {
      action(double_, there.twofold);
    }
  }
  std::shared_ptr<Device> device_;  // outlives the rules' arrays
  Rule<DeviceUnknowns<float>> single_;
  Rule<DeviceUnknowns<double>> double_;
};

class DeviceAnderson final : public DeviceAccelerator<AndersonRule, AndersonOptions> {
 public:
  DeviceAnderson(std::shared_ptr<Device> device, const AndersonOptions& options)
      : DeviceAccelerator(std::move(device), options), on_(options.on) {}
  bool moves_multipliers_alone() const override { return on_ == anderson_multipliers; }
  bool moves_positions_alone() const override { return on_ == anderson_positions; }

 private:
  int on_;
};

}  // namespace sinew
