// The unknowns of a solver on a device, as its accelerators see them.
#pragma once

#include "cuda/device.h"
#include "math/lane.h"
#include "model/iterate.h"

namespace sinew {

// An array that can be copied.
template <class Real>
class DeviceColumn {
 public:
  DeviceColumn() = default;
  DeviceColumn(DeviceColumn&&) noexcept = default;
  DeviceColumn& operator=(DeviceColumn&&) noexcept = default;
  DeviceColumn& operator=(const DeviceColumn& other) {
    device_ = other.device_;
    numbers_.copy(*device_, other.numbers_);
    return *this;
  }
  void resize(Device& device, size_t count) {
    device_ = &device;
    numbers_.resize(device, count);
  }
  void swap(DeviceColumn& other) noexcept {
    std::swap(device_, other.device_);
    numbers_.swap(other.numbers_);
  }
  Device& device() const { return *device_; }
  Real* data() { return numbers_.data(); }
  const Real* data() const { return numbers_.data(); }
  size_t size() const { return numbers_.size(); }

 private:
  Device* device_ = nullptr;
  DeviceArray<Real> numbers_;
};

template <class Real>
struct DeviceUnknowns {
  using Number = Real;
  using Column = DeviceColumn<Real>;
  DeviceUnknowns() = default;
  DeviceUnknowns(const DeviceUnknowns&) = delete;
  DeviceUnknowns& operator=(const DeviceUnknowns& other) {
    device = other.device;
    x.copy(*device, other.x);
    multipliers.copy(*device, other.multipliers);
    return *this;
  }

  Device* device = nullptr;
  DeviceArray<Vec4<Real>> x;      // by slot: position [m], and w = 1/m [1/kg], 0 if held
  DeviceArray<Real> multipliers;  // empty for methods without multipliers
  double multiplier_scale = 1;    // as of Iterate
};

// In the precision that the solver works in; the other's arrays are empty.
struct DeviceIterate {
  explicit DeviceIterate(Device& device) { single.device = twofold.device = &device; }

  DeviceUnknowns<float> single;
  DeviceUnknowns<double> twofold;

  template <class Real>
  DeviceUnknowns<Real>& in() {
    if constexpr (sizeof(Real) == 4) {
      return single;
    } else {
      return twofold;
    }
  }
  template <class Real>
  const DeviceUnknowns<Real>& in() const {
    return const_cast<DeviceIterate*>(this)->in<Real>();
  }
};

}  // namespace sinew
