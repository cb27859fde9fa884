#include <cmath>

#include "base/format.h"
#include "compile/check_compiled.h"
#include "compile/parts.h"

namespace sinew {

namespace {

// Relative sum below which forces cancel, up to round-off.
constexpr double balanced = 1e-9;
// A direction whose free part has at most this squared length is held already.
constexpr double parallel = 1e-12;

// The forces on a part, and how long something holds it.
struct Balance {
  Vec3d force{};          // [N]
  double magnitude = 0;   // [N] sum of the magnitudes of weights and other forces, which may cancel
  double held_until = 0;  // [s]
  Glide held{};           // the directions that pins hold; as if all held until then
};

}  // namespace

Status check_equilibrium(const Scene& scene, const TetMesh& mesh, const CompiledScene& compiled,
                         std::vector<std::string>& warnings) {
  if (!scene.time.quasistatic) return {};
  const Model& model = compiled.model;
  DisjointSets parts = parts_of(mesh, model);
  std::vector<Balance> balance(mesh.vertices.size());
  for (int32_t v = 0; v < model.order.vertex_count(); ++v) {
    const auto slot = static_cast<size_t>(model.order.slot(UserVertex{v}));
    const Vec3d weight = model.mass[slot] * model.gravity, f = model.external_force(slot), other = f - weight;
    Balance& b = balance[static_cast<size_t>(parts.find(v))];
    b.force += f;
    b.magnitude += std::sqrt(dot(weight, weight)) + std::sqrt(dot(other, other));
  }
  // Loads over time are evaluated at the end, with all positions as at the start.
  std::vector<Vec3d> load(model.mass.size());
  add_loads(compiled.loads, {scene.time.duration, 0, compiled.start.x, compiled.start.v, model.mass}, load);
  for (int32_t v = 0; v < model.order.vertex_count(); ++v) {
    const Vec3d f = load[static_cast<size_t>(model.order.slot(UserVertex{v}))];
    Balance& b = balance[static_cast<size_t>(parts.find(v))];
    b.force += f;
    b.magnitude += std::sqrt(dot(f, f));
  }
  for (const PinScript& pin : compiled.pins) {
    for (const int32_t slot : pin.slots) {
      Balance& b = balance[static_cast<size_t>(parts.find(static_cast<int32_t>(model.order.vertex(Slot{slot}))))];
      b.held_until = std::max(b.held_until, pin.release);
      if (pin.fixed.empty()) b.held.fixed = {1, 0, 0, 1, 0, 1};
      for (const Vec3d& n : pin.fixed) {
        const Vec3d more = b.held.free_part(n);
        if (dot(more, more) > parallel) add_outer(b.held.fixed, 1 / dot(more, more), more);
      }
    }
  }

  for (const ObjectPart& object : compiled.objects) {
    bool is_loose = false;
    for (int32_t v = object.first_vertex; v < object.last_vertex; ++v) {
      if (parts.find(v) != v) continue;
      const Balance& b = balance[static_cast<size_t>(v)];
      const Vec3d f = b.force;
      const bool moves = std::sqrt(dot(f, f)) > balanced * b.magnitude;
      const std::string total = format("(%.3g, %.3g, %.3g) N in all act on it", f.x, f.y, f.z);
      if (b.held_until == 0 && moves)
        return Error{scene.source,
                     format("objects.%s: no pin holds the part with vertex %d, and forces of %s: it has no equilibrium",
                            object.name.c_str(), v - object.first_vertex, total.c_str()),
                     joined({scene.colliders.empty() ? "" : "colliders hold nothing in quasistatics by themselves: ",
                             "pin some of its vertices, make gravity and loads cancel, or use the integrator "
                             "backward_euler"})};
      const Vec3d along = b.held.free_part(f);
      if (b.held_until > 0 && std::sqrt(dot(along, along)) > balanced * b.magnitude)
        return Error{
            scene.source,
            format("objects.%s: its pins let the part with vertex %d glide, and forces of (%.3g, %.3g, %.3g) N "
                   "act where it is free to: it has no equilibrium",
                   object.name.c_str(), v - object.first_vertex, along.x, along.y, along.z),
            "hold it in that direction too, make gravity and loads cancel, or use the integrator "
            "backward_euler"};
      if (b.held_until > 0 && b.held_until < scene.time.duration && moves)
        warnings.push_back(
            format("objects.%s: its last pin is released at %g s and forces of %s: from then on it has no "
                   "equilibrium",
                   object.name.c_str(), b.held_until, total.c_str()));
      is_loose =
          is_loose || (b.held_until == 0 && model.mass[static_cast<size_t>(model.order.slot(UserVertex{v}))] > 0);
    }
    if (is_loose) warnings.push_back("objects." + object.name + " is held nowhere: its equilibrium is not unique");
  }
  return {};
}

}  // namespace sinew
