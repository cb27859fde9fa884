#include "cuda/device_mixing.h"

#include "cuda/mixing_kernels.h"

namespace sinew {

template <class Real>
void DeviceMixing<Real>::begin(const DeviceLattice<Real>& lattice, DeviceArray<Vec4<Real>>& x) {
  Device& device = lattice.device();
  const auto groups = static_cast<size_t>(lattice.group_count()), cells = static_cast<size_t>(lattice.cell_count());
  if (change_.size() != groups * 3 * member_group || lanes_.size() != cells * mixing_sums * member_group) {
    for (DeviceArray<Real>* a : {&from_, &before_}) {
      a->resize(device, groups * 4 * member_group);
      a->fill_zero();
    }
    for (DeviceArray<float>* a : {&change_, &step_[0], &step_[1], &image_[0], &image_[1]}) {
      a->resize(device, groups * 3 * member_group);
      a->fill_zero();
    }
    lanes_.resize(device, cells * mixing_sums * member_group);
    parts_.resize(device, mixing_sums * (mixing_parts + 1));
    rule_.resize(device, 1);
  }
  device.run(lattice.group_count() * member_group,
             KeepMembers<Real>{lattice.members(), lattice.cell_of_group(), x.data(), from_.data(), false});
  rule_.fill_zero();  // the state of a new rule
  has_change_ = has_before_ = false;
}

template <class Real>
void DeviceMixing<Real>::mix(const DeviceLattice<Real>& lattice, bool corrects, DeviceArray<Vec4<Real>>& x) {
  Device& device = lattice.device();
  const bool has_last = has_change_;
  if (has_last) newest_ = 1 - newest_;
  const int older = 1 - newest_;
  ChangeSweep<Real> changes;
  changes.members = lattice.members();
  changes.u = corrects ? lattice.correction() : nullptr;
  changes.x = x.data();
  changes.from = from_.data();
  changes.change = change_.data();
  changes.has_last = has_last;
  changes.step = step_[newest_].data();
  changes.other = step_[older].data();
  device.run(lattice.cell_count() * member_group, ChangeLanes<Real>{changes, rule_.data(), lanes_.data()});
  device.run_phases(ChooseMix{lanes_.data(), static_cast<int32_t>(lattice.cell_count()), parts_.data(), has_last,
                              newest_, rule_.data()});
  has_change_ = true;

  MixSweep<Real> mixes;
  mixes.members = changes.members;
  mixes.x = x.data();
  mixes.from = from_.data();
  mixes.next = before_.data();
  mixes.change = change_.data();
  mixes.image = image_[newest_].data();
  mixes.image_last = image_[older].data();
  device.run(lattice.group_count() * member_group, MixMembers<Real>{mixes, rule_.data(), lattice.cell_of_group()});
  from_.swap(before_);
  has_before_ = true;
}

template <class Real>
bool DeviceMixing<Real>::go_back(const DeviceLattice<Real>& lattice, DeviceArray<Vec4<Real>>& x) {
  if (!has_before_) return false;
  lattice.device().run(lattice.group_count() * member_group,
                       KeepMembers<Real>{lattice.members(), lattice.cell_of_group(), x.data(), before_.data(), true});
  return true;
}

template <class Real>
size_t DeviceMixing<Real>::memory_bytes() const {
  return 2 * from_.bytes() + 5 * change_.bytes() + lanes_.bytes() + parts_.bytes();
}

template class DeviceMixing<float>;
template class DeviceMixing<double>;

}  // namespace sinew
