// Anderson mixing (solver/multilevel/mixing.h) on a device, which decides by itself and reports nothing.
#pragma once

#include "cuda/device_lattice.h"
#include "solver/multilevel/mixing_rule.h"

namespace sinew {

template <class Real>
class DeviceMixing {
 public:
  // As of Mixing.
  void begin(const DeviceLattice<Real>& lattice, DeviceArray<Vec4<Real>>& x);
  void mix(const DeviceLattice<Real>& lattice, bool corrects, DeviceArray<Vec4<Real>>& x);
  bool go_back(const DeviceLattice<Real>& lattice, DeviceArray<Vec4<Real>>& x);
  size_t memory_bytes() const;

 private:
  bool has_change_ = false, has_before_ = false;
  int newest_ = 0;
  DeviceArray<Real> from_, before_;
  DeviceArray<float> change_, step_[2], image_[2], lanes_;
  DeviceArray<double> parts_;
  DeviceArray<MixingRule> rule_;
};

extern template class DeviceMixing<float>;
extern template class DeviceMixing<double>;

}  // namespace sinew
