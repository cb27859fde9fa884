// How long contacts that have been found serve sweeps by vertex. To find them anew costs more than a sweep of small
// bodies; while little moves, closest points and directions hardly change. They serve for a few sweeps, as long as each
// vertex of a contact is no farther from where it was than a small share of its distance, and all else that is near no
// farther than that share of a radius: nothing else has come to touch, for contacts are found up to 1.25 radii. What
// converges stands still, so its limit is that of contacts which are found anew before every sweep.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "contact/contacts.h"
#include "exec/thread_pool.h"

namespace sinew {

class ContactHold {
 public:
  void forget() { sweeps_ = 0; }
  // Whether contacts serve for another sweep. place(slot): where that is [m].
  template <class Place>
  bool serves(const Place& place, ThreadPool& pool) {
    if (sweeps_ == 0 || sweeps_ >= most_sweeps) return false;
    const auto has_moved = [&](int64_t k) {
      const Near& near = near_[static_cast<size_t>(k)];
      const Vec3d way = place(static_cast<size_t>(near.slot)) - near.place;
      return dot(way, way) <= near.square ? 0 : 1;
    };
    if (ordered_sum<int64_t>(pool, static_cast<int64_t>(near_.size()), has_moved) > 0) return false;
    ++sweeps_;
    return true;
  }
  // They have been found. where: of Contacts::near_slots [m].
  void note(const Contacts& contacts, std::span<const Contact> found, std::span<const Vec3d> where);
  size_t memory_bytes() const { return near_.capacity() * sizeof(Near) + near_of_.capacity() * sizeof(int32_t); }

 private:
  static constexpr int most_sweeps = 4;
  // What was near: where, and the square of how far it may go from there.
  struct Near {
    Vec3d place;
    double square;
    int32_t slot;
  };
  int sweeps_ = 0;  // that they have served; 0: there are none
  std::vector<Near> near_;
  std::vector<int32_t> near_of_;  // by slot
};

}  // namespace sinew
