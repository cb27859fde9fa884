// Moves bodies apart as wholes, for contact.start = "separate" (contact_start.h).
#pragma once

#include <cstdint>
#include <vector>

#include "compile/compile.h"
#include "compile/placed_surfaces.h"

namespace sinew {

class Separator {
 public:
  // Moves the points of `surfaces`.
  Separator(const CompiledScene& compiled, PlacedSurfaces& surfaces);

  // Whether one of the two may be moved against the other: nothing joins them, and no pin holds both.
  bool can_move(MeetingPair pair) const;
  // Whether the two are one body, or are joined.
  bool are_joined(MeetingPair pair) const;
  // Of two that intersect and can be moved: along the shortest of a few ways out, and beyond their radius.
  void move_out(MeetingPair pair, const Meeting& meeting);
  // Of two whose gap is below their radius.
  void widen(MeetingPair pair, const Gap& gap);

 private:
  int32_t cluster_of(int32_t of) const;
  bool is_free(int32_t of) const;
  void shift(MeetingPair pair, Vec3d way, double by);

  PlacedSurfaces& surfaces_;
  std::vector<int32_t> cluster_;  // by slot, named by a slot
  std::vector<char> held_;        // by cluster
};

}  // namespace sinew
