#include "cuda/device_contacts.h"

namespace sinew {

template <class Real>
void DeviceContacts<Real>::begin_step(Device& device, const StepProblem& problem, const ContactSweep& how) {
  device_ = &device;
  constexpr int lanes = 1;  // a thread asks for its own vertex
  here_.begin_step(problem, lanes, how);
}

template <class Real>
void DeviceContacts<Real>::make_room(size_t rows) {
  if (any()) sums_.resize(*device_, rows);
}

template <class Real>
void DeviceContacts<Real>::find(const DeviceArray<Vec4<Real>>& x, ThreadPool& pool, DeviceSummedSweep<Real>& sweep) {
  x.download(x_here_);
  device_->wait();
  sweep.contact_sums = nullptr;
  if (!device_->status()) return;  // `fault` tells
  const bool others = here_.find(x_here_, {}, pool, false);
  if (here_.empty()) return;
  const auto lists = here_.lists();
  if (others) {
    slots_.upload(*device_, lists.slots);
    rows_.upload(*device_, lists.rows);
    found_at_.upload(*device_, lists.found_at);
    places_.upload(*device_, lists.places);
    begin_.upload(*device_, lists.begin);
    contacts_.upload(*device_, lists.contacts);
    weights_.upload(*device_, lists.weights);
    sizes_.upload(*device_, lists.sizes);
    has_.upload(*device_, here_.has());
  }
  ways_.upload(*device_, lists.ways);
  device_->wait();  // until then what is here is read
  ends_ = {.rows = rows_.data(),
           .places = places_.data(),
           .begin = begin_.data(),
           .contacts = contacts_.data(),
           .weights = weights_.data(),
           .sizes = sizes_.data(),
           .ways = ways_.data()};
  sweep.contact_sums = sums_.data();
  sweep.has_contact = has_.data();
}

template <class Real>
void DeviceContacts<Real>::add(const DeviceSummedSweep<Real>& sweep, int64_t first_slot, int64_t last_slot) {
  const auto [first, last] = here_.places_of(first_slot, last_slot);
  device_->run(last - first, SumContacts<Real>{sweep, ends_, slots_.data(), first});
}

template <class Real>
void DeviceContacts<Real>::note_moved(const Vec4<Real>* x, int64_t first_slot, int64_t last_slot) {
  const auto [first, last] = here_.places_of(first_slot, last_slot);
  device_->run(last - first, NoteMoved<Real>{x, found_at_.data(), slots_.data(), ways_.data(), first});
}

template <class Real>
size_t DeviceContacts<Real>::bytes() const {
  return rows_.bytes() + found_at_.bytes() + ways_.bytes() + sums_.bytes() + places_.bytes() + slots_.bytes() +
         begin_.bytes() + contacts_.bytes() + weights_.bytes() + sizes_.bytes() + has_.bytes();
}

template class DeviceContacts<float>;
template class DeviceContacts<double>;

}  // namespace sinew
