// Where points rest: they keep the boxes that detection has once put around them, and with these the pairs that it has
// found, until they leave. A place is history: it belongs to what a checkpoint keeps.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "exec/thread_pool.h"
#include "math/vec.h"

namespace sinew {

class RestPlaces {
 public:
  // Of points that move by at most half of the slack [m], and are as near to where they rest, writes this place into
  // `from` and `to`, and 1 into `rests`; all by slot. Others of these slots move, or begin to rest at `to`.
  void hold(std::span<const int32_t> slots, double slack, std::span<Vec3d> from, std::span<Vec3d> to,
            std::span<uint8_t> rests, ThreadPool& pool);

  struct Place {
    int64_t slot;
    Vec3d at;  // [m]
  };
  std::vector<Place> all() const;  // ascending by slot
  void set(std::span<const Place> places);
  size_t memory_bytes() const { return at_.capacity() * sizeof(Vec3d); }

 private:
  std::vector<Vec3d> at_;  // by slot; infinite: it moves
};

}  // namespace sinew
