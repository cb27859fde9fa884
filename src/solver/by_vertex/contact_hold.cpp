#include "solver/by_vertex/contact_hold.h"

#include <algorithm>

namespace sinew {
namespace {

// [-] Of the distance of a contact, and of a radius.
constexpr double way_share = 0.005;

}  // namespace

void ContactHold::note(const Contacts& contacts, std::span<const Contact> found, std::span<const Vec3d> where) {
  const std::span<const int32_t> slots = contacts.near_slots();
  const double most = way_share * contacts.surface().largest_radius();
  near_.resize(slots.size());
  near_of_.resize(static_cast<size_t>(contacts.surface().slot_count));
  for (size_t k = 0; k < slots.size(); ++k) {
    near_[k] = {where[k], most * most, slots[k]};
    near_of_[static_cast<size_t>(slots[k])] = static_cast<int32_t>(k);
  }
  for (const Contact& contact : found) {
    const double way = way_share * contact.numbers.distance, square = way * way;
    for (const int32_t slot : contact.slots) {
      if (slot < 0) continue;
      double& allowed = near_[static_cast<size_t>(near_of_[static_cast<size_t>(slot)])].square;
      allowed = std::min(allowed, square);
    }
  }
  sweeps_ = 1;
}

}  // namespace sinew
