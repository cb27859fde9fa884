// The unknowns of a solve as the sweeps hold them and accelerators see them: positions with inverse masses, and the
// multipliers of the methods that have them. An accelerator that moved x without its multipliers would converge to the
// wrong place.
#pragma once

#include <variant>

#include "exec/buffer.h"
#include "math/lane.h"

namespace sinew {

template <class Real>
struct Iterate {
  Buffer<Vec4<Real>> x;      // per slot: position [m], and w = 1/m [1/kg], 0 where held
  Buffer<Real> multipliers;  // empty for methods without
  // [m] per unit of multiplier: about sqrt(compliance / mass), with which the energies of errors in multipliers and in
  // positions weigh the same.
  double multiplier_scale = 1;
};

// The iterate of a solver in the precision it works in; empty for methods that cannot be accelerated.
using IterateRef = std::variant<std::monostate, Iterate<float>*, Iterate<double>*>;

}  // namespace sinew
