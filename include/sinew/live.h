// What can be done to a simulation between two steps (sinew/simulation.h), and what can be asked of it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sinew/real3.h"

namespace sinew {

// Name what was added to a simulation; a handle is stale once that was removed. The pins of the scene have the handles
// {0}, {1}, ... in their order.
struct PinHandle {
  int32_t number = -1;
  bool operator==(const PinHandle&) const = default;
};
struct ForceHandle {
  int32_t number = -1;
  bool operator==(const ForceHandle&) const = default;
};

struct GrabHandle {
  int32_t number = -1;
  bool operator==(const GrabHandle&) const = default;
};

// The colliders of the scene have the handles {0}, {1}, ... in their order.
struct ColliderHandle {
  int32_t number = -1;
  bool operator==(const ColliderHandle&) const = default;
};

// Where a pin holds its vertices, or where a collider is: relative to where they were when it was added (of a pin of
// the scene: at the start), rotated about `axis` through the centre, scaled about it, then translated.
struct PinPose {
  Real3 translate{0, 0, 0};  // [m]
  Real3 axis{0, 0, 1};       // of any length but 0
  double rotate_degrees = 0;
  Real3 scale{1, 1, 1};
  std::optional<Real3> center = {};  // [m]; none: that of the scene's pin or collider, or the mean of the vertices
};

// An object of the scene, as a range of vertices in user order.
struct ObjectInfo {
  std::string name;
  int32_t first_vertex = 0, last_vertex = 0;  // [first, last)
  bool on = true;                             // false: it was switched off
};

// A collider of the scene. ContactPoint counts them in the order of Simulation::colliders().
struct ColliderInfo {
  std::string name;
  ColliderHandle handle;
};

// Where a collider is: its triangles, and its planes, below which it is solid.
struct PlacedCollider {
  struct Plane {
    Real3 point{}, normal{};
  };
  std::vector<Real3> vertices;  // [m]
  std::vector<std::array<int32_t, 3>> triangles;
  std::vector<Plane> planes;
};

// A point of the surface: sum_j weights[j] x[vertices[j]].
struct SurfacePoint {
  int32_t object = 0;
  std::array<int32_t, 3> vertices{};  // of a triangle, in user order
  std::array<double, 3> weights{};    // of its corners, 1 in all
  Real3 position{};                   // [m]
  double distance = 0;                // [m] from the ray's origin, or from the point that was asked about
};

// Where two surfaces touch. In a place that two faces at a concave edge have counted, a third contact takes one of them
// off: its force has the opposite sign.
struct ContactPoint {
  Real3 position{};  // [m] on the first
  Real3 normal{};    // from the second to the first, of length 1
  Real3 force{};     // [N] on the first, friction included; the second has the opposite one
  double gap = 0;    // [m] negative: a depth
  // Objects by their numbers in objects(); from their count on colliders, as the scene lists them.
  int32_t first = 0, second = 0;
};

// A grab is a damped spring from a point of a body, C, to a target a that moves with velocity w:
//   force on the body = stiffness ((a - C) + damping (w - dC/dt)).
struct GrabOptions {
  // [N/m] > 0; none: 1000/s^2 times the mass of the body. Alone on the grab the body then hangs 1 cm below the target
  // on Earth, if it is stiff itself, and swings 5 times a second.
  std::optional<double> stiffness;
  // [s] >= 0; none: critical for the body's mass m, 2 sqrt(m / stiffness), so that it does not swing: 0.063 s for the
  // stiffness above. None acts in quasistatics.
  std::optional<double> damping;
};

// What elements can be asked for. Stresses are Cauchy's, with those of muscle fibres and without damping.
enum class ElementQuantity {
  det_f,             // J, the change of volume [-]
  strain,            // the largest |s - 1| of the principal stretches s [-]
  energy_density,    // per rest volume [J/m^3], without fibres
  von_mises,         // [Pa]
  principal_stress,  // [Pa] three, the largest first
  stress,            // [Pa] six: xx, yy, zz, xy, yz, xz
};
// Numbers of each element.
constexpr int components_of(ElementQuantity quantity) {
  return quantity == ElementQuantity::stress ? 6 : quantity == ElementQuantity::principal_stress ? 3 : 1;
}

// A state of a simulation with all that was changed live, kept in memory. Cheap to copy.
class Snapshot {
 public:
  Snapshot() = default;

 private:
  friend class Simulation;
  struct Data;
  std::shared_ptr<const Data> data_;
};

}  // namespace sinew
