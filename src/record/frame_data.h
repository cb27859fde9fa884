// The state at a frame, in the solver's order.
#pragma once

#include <cstdint>
#include <span>

#include "math/vec.h"
#include "record/surface_store.h"
#include "sinew/live.h"

namespace sinew {

// A vertex held by pins, and the force that holds it.
struct PinnedVertex {
  int32_t slot;
  Vec3d reaction;  // [N] on the body
};

struct FrameData {
  int64_t frame = 0;
  double time = 0;  // [s]
  int64_t step = 0;
  std::span<const Vec3d> x;                // [m] per slot
  std::span<const Vec3d> v;                // [m/s] per slot
  std::span<const Vec3d> forces;           // [N] per slot, the forces out of balance; or empty
  std::span<const double> energy_density;  // [J/m^3] of each tet of the model; or empty
  std::span<const PinnedVertex> pinned{};  // by slot
  std::span<const ContactPoint> contacts{};
  // Of the colliders that move, one after the other.
  std::span<const Vec3d> collider_points{};  // [m]
  std::span<const RecordedPlane> collider_planes{};
};

}  // namespace sinew
