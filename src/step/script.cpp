#include "step/script.h"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

// A motion at one time: x -> x + (M - 1) (x - center) + translate, with M = R diag(scale). In this form, no motion
// leaves x unchanged to the last bit.
struct Placement {
  Mat3d m_minus_identity;
  Vec3d translate;
};

// R - 1 for a rotation about a unit axis (Rodrigues): sin a [k]x + (1 - cos a) [k]x^2.
Mat3d rotation_minus_identity(Vec3d k, double angle) {
  const Mat3d cross_k{{0, k.z, -k.y}, {-k.z, 0, k.x}, {k.y, -k.x, 0}};
  const double s = std::sin(angle), half = std::sin(angle / 2);
  return s * cross_k + (2 * half * half) * (cross_k * cross_k);
}

MotionKey mix(const MotionKey& a, const MotionKey& b, double time, bool smooth) {
  double t = (time - a.time) / (b.time - a.time);
  if (smooth) t = t * t * (3 - 2 * t);  // zero velocity at the keyframes
  return {time, (1 - t) * a.translate + t * b.translate, (1 - t) * a.rotate + t * b.rotate,
          (1 - t) * a.scale + t * b.scale};
}

// Constant before the first key and after the last.
MotionKey key_at(const PinScript& pin, double time) {
  const auto next = std::upper_bound(pin.keys.begin(), pin.keys.end(), time,
                                     [](double t, const MotionKey& key) { return t < key.time; });
  if (next == pin.keys.begin()) return pin.keys.front();
  if (next == pin.keys.end()) return pin.keys.back();
  return mix(next[-1], *next, time, pin.smooth);
}

Placement placement_at(const PinScript& pin, double time) {
  if (pin.keys.empty()) return {};
  const MotionKey key = key_at(pin, time);
  const double length = std::sqrt(dot(pin.axis, pin.axis));
  Mat3d r{};
  if (key.rotate != 0 && length > 0) r = rotation_minus_identity((1 / length) * pin.axis, key.rotate);
  // M - 1 = (R - 1) S + (S - 1)
  const Vec3d s = key.scale;
  Mat3d m{s.x * r.c0, s.y * r.c1, s.z * r.c2};
  m = m + diagonal(s.x - 1, s.y - 1, s.z - 1);
  return {m, key.translate};
}

}  // namespace

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
  std::vector<int32_t> glide_of;  // by slot; empty: no vertex glides so far
  for (const PinScript& pin : pins) {
    if (!is_active(pin, time)) continue;
    if (!pin.fixed.empty() && glide_of.empty()) glide_of.assign(held.size(), -1);
    const Placement p = placement_at(pin, time);
    for (size_t k = 0; k < pin.slots.size(); ++k) {
      const int32_t slot = pin.slots[k];
      const Vec3d target = pin.places.empty()
                               ? pin.start[k] + p.m_minus_identity * (pin.start[k] - pin.center) + p.translate
                               : pin.places[k];
      if (pin.fixed.empty()) {
        held[slot] = 1;
        x[slot] = target;
      } else if (held[slot]) {
        for (const Vec3d& n : pin.fixed) x[slot] += dot(n, target - x[slot]) * n;
      } else {
        if (glide_of[slot] < 0) {
          glide_of[slot] = static_cast<int32_t>(glides.size());
          glides.push_back({slot, {}, target});
        }
        Glide& glide = glides[glide_of[slot]];
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
