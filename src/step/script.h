// Pins over time: which slots are held, and where. Held vertices follow keyframes until their release.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "math/vec.h"
#include "model/glide.h"
#include "model/model.h"
#include "step/motion_script.h"

namespace sinew {

struct PinScript : MotionScript {  // without keys: held at start
  std::vector<int32_t> slots;
  std::vector<Vec3d> start;     // [m] position of each slot at time 0
  std::vector<Vec3d> places;    // [m] of each slot, in place of any motion; or empty
  std::vector<Vec3d> fixed;     // orthonormal directions in which vertices are held; empty: all
  double release = no_release;  // [s]

  static constexpr double no_release = 1e300;
};

// What is left of a pin that was removed: it keeps its place in a list of pins, and is released before all times.
inline PinScript removed_pin() {
  PinScript pin;
  pin.release = -1;
  return pin;
}
inline bool is_removed(const PinScript& pin) {
  return pin.release < 0;
}

// The slots of all pins, ascending and unique.
std::vector<int32_t> pinned_slots(std::span<const PinScript> pins);

// Whether the pin holds its vertices at this time [s].
bool is_active(const PinScript& pin, double time);

// Sets held[slot] = 1 and x[slot] = target for every pin active at `time`, and `glides` to the vertices that are held
// in some directions only. If pins share a vertex, each holds it in its own directions, and in shared directions the
// later pin wins. Slots without an active pin remain unchanged.
void apply_pins(std::span<const PinScript> pins, double time, std::span<uint8_t> held, std::span<Vec3d> x,
                std::vector<Glide>& glides);

}  // namespace sinew
