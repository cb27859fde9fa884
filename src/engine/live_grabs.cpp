// Grabs that are added, moved and removed while a simulation runs.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <variant>

#include "base/format.h"
#include "engine/live.h"
#include "engine/live_checks.h"
#include "scene/object_kinds.h"
#include "scene/places.h"

namespace sinew {
namespace {

constexpr double default_stiffness = 1000;  // [N/(m kg)] of the body's mass
// Far below where single precision overflows.
constexpr double most_stiffness = 1e18, most_damping = 1e6;

Result<GrabScript*> grab_at(Engine& engine, GrabHandle handle) {
  std::vector<GrabScript>& grabs = engine.method.stepper->grabs();
  if (handle.number < 0 || static_cast<size_t>(handle.number) >= grabs.size())
    return Error{"grab", format("%d: there is no such grab", handle.number), "use a handle that add_grab returned"};
  GrabScript& grab = grabs[static_cast<size_t>(handle.number)];
  if (is_removed(grab)) return Error{"grab", format("%d: was removed", handle.number), "add it anew"};
  return &grab;
}

size_t object_of(const Engine& engine, int32_t vertex) {
  const auto object = std::find_if(engine.objects.begin(), engine.objects.end(),
                                   [&](const ObjectInfo& o) { return vertex < o.last_vertex; });
  return static_cast<size_t>(object - engine.objects.begin());
}

// Whether these are the corners, in any order, of a triangle of an object's surface.
bool is_triangle(const Engine& engine, std::array<int32_t, 3> corners) {
  std::sort(corners.begin(), corners.end());
  const std::vector<Triangle>& surface = engine.compiled.objects[object_of(engine, corners[0])].surface;
  return std::any_of(surface.begin(), surface.end(), [&](Triangle t) {
    if (std::find(corners.begin(), corners.end(), t[0]) == corners.end()) return false;
    std::sort(t.begin(), t.end());
    return t == corners;
  });
}

// Methods expect that the vertices of a grab share elements or springs. Those of a surface do, except across the cells
// of a grid without diagonals.
bool has_diagonals(const SceneObject& object) {
  const auto* grid = std::get_if<MeshGrid>(&object.mesh);
  return !grid || grid->shear_stiffness > 0;
}

// [kg] Of one body of an object.
double body_mass(const Engine& engine, size_t object) {
  const Model& model = engine.compiled.model;
  const ObjectPart& part = engine.compiled.objects[object];
  double mass = 0;
  for (int32_t v = part.first_vertex; v < part.last_vertex; ++v)
    mass += model.mass[static_cast<size_t>(model.order.slot(UserVertex{v}))];
  return mass / part.bodies;
}

Status check_options(const GrabOptions& options) {
  if (options.stiffness && !(*options.stiffness > 0 && *options.stiffness <= most_stiffness))
    return Error{"stiffness", format("= %g [N/m]: must be above 0 and at most %g", *options.stiffness, most_stiffness),
                 "leave it out for one that lifts the body"};
  if (options.damping && !(*options.damping >= 0 && *options.damping <= most_damping))
    return Error{"damping", format("= %g [s]: must be from 0 to %g", *options.damping, most_damping),
                 "leave it out for one that lets the body swing no more than once"};
  return {};
}

// z of a body that stays in its plane; none: it moves in space.
std::optional<double> plane_of(const Engine& engine, const GrabScript& grab) {
  const auto vertex = static_cast<int32_t>(engine.compiled.model.order.vertex(Slot{grab.slots[0]}));
  if (!is_plane(engine.scene.objects[object_of(engine, vertex)])) return {};
  return engine.state().x[static_cast<size_t>(grab.slots[0])].z;
}

Result<GrabHandle> hold(Engine& engine, std::vector<int32_t> slots, std::vector<double> weights, size_t object,
                        const GrabOptions& options) {
  const Model& model = engine.compiled.model;
  for (const int32_t s : slots)
    if (model.mass[static_cast<size_t>(s)] == 0)
      return Error{
          "vertices",
          format("%d has no mass: no element or spring has it", static_cast<int32_t>(model.order.vertex(Slot{s}))),
          "choose vertices of a body"};
  GrabScript grab;
  grab.slots = std::move(slots);
  grab.weights = std::move(weights);
  const double mass = options.stiffness && options.damping ? 0 : body_mass(engine, object);
  grab.stiffness = options.stiffness ? *options.stiffness : default_stiffness * mass;
  grab.damping = options.damping ? *options.damping : 2 * std::sqrt(mass / grab.stiffness);
  grab.target = point_of(grab, engine.state().x);
  std::vector<GrabScript>& grabs = engine.method.stepper->grabs();
  grabs.push_back(std::move(grab));
  return GrabHandle{static_cast<int32_t>(grabs.size()) - 1};
}

}  // namespace

Result<GrabHandle> add_grab(Engine& engine, const SurfacePoint& point, const GrabOptions& options) {
  if (Status s = check_weights(point); !s) return s.error();
  if (Status s = check_options(options); !s) return s.error();
  Result<std::vector<int32_t>> slots = slots_of(engine, point.vertices);
  if (!slots) return slots.error();
  const auto& [a, b, c] = point.vertices;
  if (!is_triangle(engine, point.vertices))
    return Error{"vertices", format("%d, %d and %d are no triangle of a surface", a, b, c),
                 "use those of a point that a ray returned, or one vertex"};
  const size_t object = object_of(engine, a);
  if (!has_diagonals(engine.scene.objects[object]))
    return Error{"vertices", format("%d, %d and %d are of a grid without diagonals, and not all connected", a, b, c),
                 "grab one of them, or give the grid a shear_stiffness"};
  const auto& w = point.weights;
  const double sum = w[0] + w[1] + w[2];
  return hold(engine, std::move(*slots), {w[0] / sum, w[1] / sum, w[2] / sum}, object, options);
}

Result<GrabHandle> add_grab(Engine& engine, int32_t vertex, const GrabOptions& options) {
  if (Status s = check_options(options); !s) return s.error();
  Result<std::vector<int32_t>> slots = slots_of(engine, std::span(&vertex, 1));
  if (!slots) return slots.error();
  return hold(engine, std::move(*slots), {1}, object_of(engine, vertex), options);
}

Status move_grab(Engine& engine, GrabHandle handle, const Real3& target, const Real3& velocity) {
  const Result<GrabScript*> found = grab_at(engine, handle);
  if (!found) return found.error();
  if (Status s = check_vector("target", target); !s) return s;
  if (Status s = check_vector("velocity", velocity); !s) return s;
  GrabScript& grab = **found;
  Vec3d to = to_vec(target);
  if (const std::optional<double> plane = plane_of(engine, grab)) {
    const double rounding = 1e-6 * std::max({std::abs(to.x), std::abs(to.y), std::abs(*plane)});
    if (!(std::abs(to.z - *plane) <= rounding) || velocity[2] != 0)
      return Error{"target",
                   format("has z = %g and moves along z with %g: leaves the plane of the body", to.z, velocity[2]),
                   format("let z be %g, and the velocity along it 0", *plane)};
    to.z = *plane;
  }
  grab.target = to;
  grab.velocity = to_vec(velocity);
  return {};
}

Status remove_grab(Engine& engine, GrabHandle handle) {
  const Result<GrabScript*> found = grab_at(engine, handle);
  if (!found) return found.error();
  **found = {};
  return {};
}

Result<Real3> grab_force(Engine& engine, GrabHandle handle) {
  const Result<GrabScript*> found = grab_at(engine, handle);
  if (!found) return found.error();
  GrabScript grab = **found;
  if (engine.scene.time.quasistatic) grab.damping = 0;
  const Vec3d f = force_of(grab, engine.state().x, engine.state().v);
  return Real3{f.x, f.y, f.z};
}

}  // namespace sinew
