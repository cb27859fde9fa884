// The unknowns of a solve, as sweeps store them and accelerators see them: positions with inverse masses, and the
// multipliers of methods that have them. An accelerator that changed x without the multipliers would converge to a
// wrong solution.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "exec/buffer.h"
#include "math/lane.h"

namespace sinew {

template <class Real>
struct Iterate {
  using Number = Real;
  using Column = Buffer<Real>;
  Buffer<Vec4<Real>> x;      // by slot: position [m], and w = 1/m [1/kg], 0 if held
  Buffer<Real> multipliers;  // empty for methods without multipliers
  // [m] per unit of multiplier: about sqrt(compliance / mass), which gives errors in multipliers and in positions of
  // equal energy equal weight.
  double multiplier_scale = 1;
  // By slot: whether it has been in contact in this step, so that extrapolating its way makes no sense; or empty: none
  // has.
  std::vector<uint8_t> collided;
};

struct DeviceIterate;  // cuda/device_iterate.h

// The iterate of a solver in the precision it works in, or where it works; empty for methods that cannot be
// accelerated.
using IterateRef = std::variant<std::monostate, Iterate<float>*, Iterate<double>*, DeviceIterate*>;

}  // namespace sinew
