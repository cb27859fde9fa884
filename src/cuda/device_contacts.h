// The contacts of a sweep by vertex on a device: the CPU finds them at the positions that it fetches before each sweep
// (solver/by_vertex/vertex_contacts.h), and the device adds up what they exert, colour by colour.
#pragma once

#include <array>

#include "cuda/device.h"
#include "cuda/vertex_sweep.h"
#include "solver/by_vertex/vertex_contacts.h"

namespace sinew {

template <class Real>
class DeviceContacts {
 public:
  void begin_step(Device& device, const StepProblem& problem, const ContactSweep& how);
  bool any() const { return here_.any(); }
  // For the sums of the largest colour, in rows.
  void make_room(size_t rows);

  // Finds the contacts at x, and tells the sweep of them.
  void find(const DeviceArray<Vec4<Real>>& x, ThreadPool& pool, DeviceSummedSweep<Real>& sweep);
  // Writes the sums of these slots, of one colour; and notes where they have gone.
  void add(const DeviceSummedSweep<Real>& sweep, int64_t first_slot, int64_t last_slot);
  void note_moved(const Vec4<Real>* x, int64_t first_slot, int64_t last_slot);
  size_t bytes() const;

 private:
  Device* device_ = nullptr;
  VertexContacts<Real> here_;
  Buffer<Vec4<Real>> x_here_;
  DeviceArray<Vec4<Real>> rows_, found_at_, ways_, sums_;
  DeviceArray<std::array<int32_t, 4>> places_;
  DeviceArray<int32_t> slots_, begin_, contacts_;
  DeviceArray<Real> weights_, sizes_;
  DeviceArray<uint8_t> has_;
  ContactEnds<Real> ends_;  // in the device's memory
};

extern template class DeviceContacts<float>;
extern template class DeviceContacts<double>;

}  // namespace sinew
