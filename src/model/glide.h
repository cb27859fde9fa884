// Vertices that are held in some directions and free in the others: rollers, symmetry planes, guides.
//   N (x - c) = 0,   N the projector onto the fixed directions, c where the script has the vertex
// A plane fixes its normal, N = n n^T; an axis all across it, N = 1 - a a^T. Forces and steps of such a vertex count by
// their free part, v - N v; the rest of a force is what holds it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "math/vec.h"

namespace sinew {

struct Glide {
  int32_t slot;
  Sym3<double> fixed;  // N: of rank 1 or 2
  Vec3d at;            // c [m]

  Vec3d free_part(Vec3d v) const { return v - fixed * v; }
  // Moved into the plane or onto the axis.
  Vec3d settled(Vec3d x) const { return x - fixed * (x - at); }
};

// What is fixed of forces or steps, by slot, is taken away.
inline void keep_free_parts(std::span<const Glide> glides, std::span<Vec3d> v) {
  for (const Glide& g : glides) v[static_cast<size_t>(g.slot)] = g.free_part(v[static_cast<size_t>(g.slot)]);
}

// Positions by slot in the precision of a solver, x(s) with members x, y and z.
template <class Positions>
void settle(std::span<const Glide> glides, Positions& positions) {
  for (const Glide& g : glides) {
    auto& p = positions[static_cast<size_t>(g.slot)];
    using Real = decltype(p.x);
    const Vec3d x = g.settled({static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z)});
    p.x = static_cast<Real>(x.x);
    p.y = static_cast<Real>(x.y);
    p.z = static_cast<Real>(x.z);
  }
}

// The entries of a list by ascending slot, one slot after the other: where `slot` glides, else null.
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
