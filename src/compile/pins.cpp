#include "compile/pins.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "scene/object_kinds.h"
#include "scene/places.h"

namespace sinew {
namespace {

// The held directions, orthonormal; none if the pin holds its vertices entirely. A plane body is also held in its
// plane.
std::vector<Vec3d> fixed_directions(const Scene& scene, const ScenePin& pin) {
  const Vec3d x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  const auto unit = [](Vec3d v) { return (1 / std::sqrt(dot(v, v))) * v; };
  using Free = ScenePin::Free;
  std::vector<Vec3d> fixed;
  switch (pin.free) {
    case Free::nothing:
      return {};
    case Free::plane:
      fixed = {unit(to_vec(*pin.normal))};
      break;
    case Free::axis: {
      const Vec3d along = unit(to_vec(*pin.direction));
      // The world axis that is farthest from it gives the first direction across.
      const double a = std::abs(along.x), b = std::abs(along.y), c = std::abs(along.z);
      const Vec3d across = unit(cross(along, a <= b && a <= c ? x : b <= c ? y : z));
      fixed = {across, cross(along, across)};
      break;
    }
    case Free::x:
      fixed = {y, z};
      break;
    case Free::y:
      fixed = {x, z};
      break;
    case Free::z:
      fixed = {x, y};
      break;
    case Free::xy:
      fixed = {z};
      break;
    case Free::xz:
      fixed = {y};
      break;
    case Free::yz:
      fixed = {x};
      break;
  }
  const auto object = std::find_if(scene.objects.begin(), scene.objects.end(),
                                   [&](const SceneObject& o) { return o.name == pin.object; });
  const bool has_z = std::any_of(fixed.begin(), fixed.end(), [](Vec3d n) { return n.z != 0; });
  if (is_plane(*object) && !has_z) fixed.push_back(z);
  return fixed;
}

}  // namespace

Status add_pin(Draft& draft, const ScenePin& pin, const std::string& path) {
  Result<std::vector<int32_t>> chosen = draft.select(pin.select, pin.object, path);
  if (!chosen) return chosen.error();
  PinScript script;
  Vec3d sum{};
  for (const int32_t v : *chosen) {
    const auto slot = static_cast<int32_t>(draft.out.model.order.slot(UserVertex{v}));
    script.slots.push_back(slot);
    script.start.push_back(draft.out.start.x[slot]);
    sum += draft.out.start.x[slot];
  }
  script.center = pin.motion.center ? to_vec(*pin.motion.center) : (1.0 / static_cast<double>(chosen->size())) * sum;
  script.axis = to_vec(pin.motion.axis);
  script.smooth = pin.motion.smooth;
  for (const Keyframe& k : pin.motion.keyframes)
    script.keys.push_back({k.time, to_vec(k.translate), k.rotate_degrees * std::numbers::pi / 180, to_vec(k.scale)});
  if (pin.release) script.release = *pin.release;
  script.fixed = fixed_directions(draft.scene, pin);
  draft.out.pins.push_back(std::move(script));
  return {};
}

}  // namespace sinew
