#include "step/script.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace sinew {

std::vector<int32_t> pinned_slots(std::span<const PinScript> pins) {
  std::vector<int32_t> slots;
  for (const PinScript& pin : pins) slots.insert(slots.end(), pin.slots.begin(), pin.slots.end());
  std::sort(slots.begin(), slots.end());
  slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
  return slots;
}

// A pin is free from its release on; a clock that is behind by a rounding error counts as there.
bool is_active(const PinScript& pin, double time) {
  return time < pin.release - 1e-9 * std::max(1.0, std::abs(pin.release));
}

namespace {

// A unit direction whose free part is smaller is held already.
constexpr double held_already = 1e-12;  // squared

// Holds `g` also in the direction n, where `target` is, and as far as possible in all previous directions.
void hold_along(Glide& g, Vec3d n, Vec3d target) {
  const Vec3d along = g.free_part(n);
  const double square = dot(along, along), distance = dot(n, target - g.at);
  if (square < held_already) {
    g.at += distance * n;
    return;
  }
  g.at += (distance / square) * along;
  add_outer(g.fixed, 1 / square, along);
}

bool is_held(const Glide& g) {
  return g.fixed.xx + g.fixed.yy + g.fixed.zz > 2.5;
}

}  // namespace

void apply_pins(std::span<const PinScript> pins, double time, std::span<uint8_t> held, std::span<Vec3d> x,
                std::vector<Glide>& glides) {
  glides.clear();
  std::unordered_map<int32_t, size_t> glide_of;  // by slot
  for (const PinScript& pin : pins) {
    if (!is_active(pin, time)) continue;
    const Placement p = placement_at(pin, time);
    for (size_t k = 0; k < pin.slots.size(); ++k) {
      const int32_t slot = pin.slots[k];
      const Vec3d target = pin.places.empty() ? p.moved(pin.start[k], pin.center) : pin.places[k];
      if (pin.fixed.empty()) {
        held[slot] = 1;
        x[slot] = target;
      } else if (held[slot]) {
        for (const Vec3d& n : pin.fixed) x[slot] += dot(n, target - x[slot]) * n;
      } else {
        const auto [place, is_new] = glide_of.try_emplace(slot, glides.size());
        if (is_new) glides.push_back({slot, {}, target});
        Glide& glide = glides[place->second];
        for (const Vec3d& n : pin.fixed) hold_along(glide, n, target);
        if (!is_held(glide)) continue;
        held[slot] = 1;
        x[slot] = glide.at;
      }
    }
  }
  std::erase_if(glides, [&](const Glide& g) { return held[g.slot] != 0; });
  std::sort(glides.begin(), glides.end(), [](const Glide& a, const Glide& b) { return a.slot < b.slot; });
}

}  // namespace sinew
