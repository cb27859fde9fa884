// Loads over time. Constant loads are in the Model; all others are evaluated once per step, at the time of its end and
// with positions x and velocities v at its start:
//   force      given forces [N] at vertices
//   pressure   p [Pa] on the outside of surface triangles: -p A n / 3 at each corner, A n the area vector at x
//   wind       on triangles, by air of density rho that moves past them with w = w_wind - v, v their mean velocity:
//                f = rho/2 A |n.w| (C_D w + C_L |w| l),   l = (s - (s.e) e), e = w/|w|, s = n turned downwind
//              with drag along w, and lift across it, which is largest at 45 degrees. On a solid, wind acts on the
//              outside of triangles, on a sheet on both sides; nothing shelters anything. On a solid moving through
//              still air the drags sum to rho/2 C_D A_front |w| w, with A_front its area seen along w.
// On a face of quadratic tets, which is four such triangles, what acts on a triangle is shared by its middles alone: on
// a flat face each of the three then has a third, as consistent loads have. Each is multiplied by a factor over time.
// No load has a potential: a step treats them as constant.
//
// Drag at the start of the step would reverse the motion of a light sheet if h sum(rho/2 C A |n.w|) exceeds its mass.
// Therefore the wind on each vertex is limited to what accelerates it to the speed of the air within the step.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "math/vec.h"
#include "model/time_curve.h"

namespace sinew {

using Face = std::array<int32_t, 3>;  // slots, counter-clockwise seen from outside

struct ForceLoad {
  std::vector<int32_t> slots;
  std::vector<Vec3d> forces;  // [N] of each slot
};
struct PressureLoad {
  std::vector<Face> faces;
  double pressure = 0;  // [Pa]
};
struct WindLoad {
  std::vector<Face> faces;
  Vec3d velocity{};           // [m/s] of the air
  double density = 1.2;       // [kg/m^3]
  double drag = 1, lift = 0;  // C_D, C_L [-]
  bool both_sides = false;
};

struct LoadScript {
  std::variant<ForceLoad, PressureLoad, WindLoad> load;
  TimeCurve factor{{0}, {1}};  // [-]
};

// The state of a step as loads see it; arrays by slot. h = 0: an equilibrium, whose winds are not limited.
struct LoadTime {
  double time = 0, h = 0;                   // [s] at the end of the step; its length
  std::span<const Vec3d> x, v;              // [m], [m/s] at its start
  std::span<const double> mass;             // [kg]
  std::span<const uint8_t> is_middle = {};  // of quadratic tets; or empty: there are none
};

// Adds to `force` [N], by slot, in the order of loads and on the calling thread.
void add_loads(std::span<const LoadScript> loads, const LoadTime& now, std::span<Vec3d> force);

}  // namespace sinew
