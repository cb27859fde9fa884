#include <type_traits>
#include <variant>

#include "base/format.h"
#include "compile/oddities.h"
#include "compile/parts.h"
#include "math/length.h"
#include "scene/places.h"

namespace sinew {

namespace {
// A fall of this many times a body's size shows nothing of its elasticity.
constexpr double far_fall = 2;
}  // namespace

void odd_falls(const OddityContext& in) {
  if (in.scene.time.quasistatic) return;
  if (!in.scene.colliders.empty()) return;  // one may catch them
  const Model& model = in.compiled.model;
  DisjointSets parts = parts_of(in.mesh, model);
  struct Part {
    double mass = 0;  // [kg]
    Vec3d force{};    // [N]
    bool held = false;
  };
  // There are few parts with many vertices, so only the parts are stored.
  std::vector<Part> all;
  std::vector<int32_t> number(in.mesh.vertices.size(), -1);
  const auto part_of = [&](int32_t v) -> Part& {
    int32_t& k = number[static_cast<size_t>(parts.find(v))];
    if (k < 0) {
      k = static_cast<int32_t>(all.size());
      all.emplace_back();
    }
    return all[static_cast<size_t>(k)];
  };
  for (int32_t v = 0; v < model.order.vertex_count(); ++v) {
    const auto slot = static_cast<size_t>(model.order.slot(UserVertex{v}));
    part_of(v).mass += model.mass[slot];
    part_of(v).force += model.external_force(slot);
  }
  for (const PinScript& pin : in.compiled.pins)
    for (const int32_t slot : pin.slots) part_of(static_cast<int32_t>(model.order.vertex(Slot{slot}))).held = true;
  // Loads that change over time or with the body's position may hold it.
  const auto carry = [&](int32_t slot) { part_of(static_cast<int32_t>(model.order.vertex(Slot{slot}))).held = true; };
  for (const LoadScript& script : in.compiled.loads)
    std::visit(
        [&]<class Load>(const Load& load) {
          if constexpr (std::is_same_v<Load, ForceLoad>) {
            for (const int32_t slot : load.slots) carry(slot);
          } else {
            for (const Face& face : load.faces) carry(face[0]);
          }
        },
        script.load);

  const double t = in.scene.time.duration;
  for (const ObjectPart& object : in.compiled.objects) {
    const auto body = (object.last_vertex - object.first_vertex) / object.bodies;
    const double size = bounds_of(in.mesh.vertices, object.first_vertex, object.first_vertex + body).diagonal();
    int64_t loose = 0, in_all = 0;
    double farthest = 0;
    for (int32_t v = object.first_vertex; v < object.last_vertex; ++v) {
      if (parts.find(v) != v) continue;
      const Part& part = part_of(v);
      if (part.mass == 0) continue;
      ++in_all;
      // Downwards means along gravity.
      const double g = length(model.gravity), down = g > 0 ? dot(part.force, model.gravity) / (g * part.mass) : 0;
      const double fall = 0.5 * down * t * t;
      if (part.held || !(fall > far_fall * size)) continue;
      ++loose;
      farthest = std::max(farthest, fall);
    }
    if (loose == 0) continue;
    const std::string what = loose == in_all ? " is not pinned and falls freely"
                                             : format(": %lld of its %lld parts %s not pinned and fall%s freely",
                                                      static_cast<long long>(loose), static_cast<long long>(in_all),
                                                      loose == 1 ? "is" : "are", loose == 1 ? "s" : "");
    in.warn(joined(
        {"objects.", object.name, what,
         format(": %.3g m by the end of the run, %.2g times its size; pin some of its vertices, bind it to what is "
                "held, put a collider below it, or set gravity = [0, 0, 0]",
                farthest, farthest / size)}));
  }
}

}  // namespace sinew
