#include "grid/grid_boundary.h"

#include <cmath>

#include "math/length.h"

namespace sinew {
namespace {

// [-] Normals with a smaller sine between them are one.
constexpr double least_sine = 1e-6;
constexpr Sym3<double> everything{1, 0, 0, 1, 0, 1};

}  // namespace

NodeBounds bounded(Vec3d v, std::span<const NodeInside> inside) {
  NodeBounds result;
  result.velocity = v;
  Vec3d first{};
  for (const NodeInside& in : inside) {
    if (in.sticky) return {in.velocity, everything, 3};
    const double into = dot(result.velocity - in.velocity, in.normal);
    if (into > 0 || result.rank == 3) continue;
    if (result.rank == 0) {
      first = in.normal;
      result.velocity -= into * first;
      add_outer(result.fixed, 1.0, first);
      result.rank = 1;
      continue;
    }
    // Only along what the colliders before leave free.
    const Vec3d free = in.normal - result.fixed * in.normal;
    const double sine = length(free);
    if (sine < least_sine) continue;
    const Vec3d direction = (1 / sine) * free;
    result.velocity -= (into / sine) * direction;
    add_outer(result.fixed, 1.0, direction);
    if (++result.rank == 3) result.fixed = everything;
  }
  return result;
}

}  // namespace sinew
