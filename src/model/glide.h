// Vertices that are held in some directions and free in the others: rollers, symmetry planes, guides.
//   N (x - c) = 0,   N the projector onto the fixed directions, c the position in the script
// A plane fixes its normal, N = n n^T; an axis fixes all directions across it, N = 1 - a a^T. Of forces and steps only
// the free part v - N v moves such a vertex; the remainder of a force is balanced by what holds it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "math/inline.h"
#include "math/vec.h"

namespace sinew {

struct Glide {
  int32_t slot;
  Sym3<double> fixed;  // N: of rank 1 or 2
  Vec3d at;            // c [m]

  SINEW_INLINE Vec3d free_part(Vec3d v) const { return v - fixed * v; }
  // x moved into the plane or onto the axis.
  SINEW_INLINE Vec3d settled(Vec3d x) const { return x - fixed * (x - at); }
};

inline bool operator==(const Glide& a, const Glide& b) {
  const auto numbers = [](const Glide& g) {
    return std::array<double, 9>{g.fixed.xx, g.fixed.xy, g.fixed.xz, g.fixed.yy, g.fixed.yz,
                                 g.fixed.zz, g.at.x,     g.at.y,     g.at.z};
  };
  return a.slot == b.slot && numbers(a) == numbers(b);
}

// Removes the fixed part of forces or steps, by slot.
inline void keep_free_parts(std::span<const Glide> glides, std::span<Vec3d> v) {
  for (const Glide& g : glides) v[static_cast<size_t>(g.slot)] = g.free_part(v[static_cast<size_t>(g.slot)]);
}

// Of the way from one position to another what the glide is free to go. They have members x, y, z and w, which is kept.
template <class Position>
SINEW_INLINE Position freed(const Glide& glide, const Position& from, const Position& to) {
  using Real = decltype(to.x);
  const auto wide = [](const Position& p) {
    return Vec3d{static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z)};
  };
  const Vec3d d = wide(from) + glide.free_part(wide(to) - wide(from));
  return {static_cast<Real>(d.x), static_cast<Real>(d.y), static_cast<Real>(d.z), to.w};
}

// Settles a position in the precision of a solver; it has members x, y and z.
template <class Position>
SINEW_INLINE void settle(const Glide& glide, Position& p) {
  using Real = decltype(p.x);
  const Vec3d x = glide.settled({static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z)});
  p.x = static_cast<Real>(x.x);
  p.y = static_cast<Real>(x.y);
  p.z = static_cast<Real>(x.z);
}
// Positions by slot.
template <class Positions>
void settle(std::span<const Glide> glides, Positions& positions) {
  for (const Glide& g : glides) settle(g, positions[static_cast<size_t>(g.slot)]);
}

// Iterates over a list of glides together with ascending slots: returns the glide of `slot`, or null.
class GlideCursor {
 public:
  explicit GlideCursor(std::span<const Glide> glides) : next_(glides.data()), end_(glides.data() + glides.size()) {}
  const Glide* at(int32_t slot) {
    while (next_ != end_ && next_->slot < slot) ++next_;
    return next_ != end_ && next_->slot == slot ? next_ : nullptr;
  }

 private:
  const Glide *next_, *end_;
};

}  // namespace sinew
