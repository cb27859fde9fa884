// The unknowns of a solver on a device, as its accelerators see them.
#pragma once

#include "cuda/device.h"
#include "math/lane.h"
#include "model/iterate.h"

namespace sinew {

template <class Real>
struct DeviceUnknowns {
  using Number = Real;
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
};

// In the precision that the solver works in; the other's arrays are empty.
struct DeviceIterate {
  explicit DeviceIterate(Device& device) { single.device = twofold.device = &device; }

  DeviceUnknowns<float> single;
  DeviceUnknowns<double> twofold;
  double multiplier_scale = 1;  // as of Iterate

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
