// Contacts that few solvers solve, and what moves so fast that it may pass through what it hits between two steps, or
// sink into what a grid carries.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/format.h"
#include "compile/oddities.h"
#include "contact/contact_stiffness.h"
#include "math/length.h"

namespace sinew {
namespace {

// Times the stiffness of a vertex by itself.
constexpr double far_stiffer = 1e4;

// [-] A box of 0.3 m that slid at 1 m/s was 2 to 7 cm inside the floor at 1e4, and right at 100.
constexpr double most_friction = 100;

// [-] Of a cell in a step. A grid takes its own bodies' steps in parts that are no longer than that by default, but
// not those of others: a soft block of 0.2 m that falls onto one on a grid stays on top at a third of a cell a step,
// goes in by 3 mm at half a cell, and stays inside from two thirds on.
constexpr double most_of_cell = 0.4;

// [-] Of the radius in a step, for edges of colliders: rams of box shape that began up to a radius away cut into a cube
// for a frame or two from a half on, and from one radius a step on for good.
constexpr double most_of_radius = 0.5;

struct Extent {
  Vec3d low{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(),
            std::numeric_limits<double>::infinity()};
  Vec3d high = -low;

  void add(Vec3d x) {
    low = {std::min(low.x, x.x), std::min(low.y, x.y), std::min(low.z, x.z)};
    high = {std::max(high.x, x.x), std::max(high.y, x.y), std::max(high.z, x.z)};
  }
  double least() const { return std::min({high.x - low.x, high.y - low.y, high.z - low.z}); }
  Vec3d corner(int k) const { return {k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z}; }
};

std::vector<Extent> extents_of(const CompiledScene& compiled) {
  const ContactSurface& surface = compiled.contact_surface;
  std::vector<Extent> extents(surface.bodies.size());
  for (const int32_t v : surface.vertices) {
    const auto s = static_cast<size_t>(v);
    extents[static_cast<size_t>(surface.body_of[s])].add(surface.is_collider_point(v) ? surface.rest[s]
                                                                                      : compiled.start.x[s]);
  }
  return extents;
}

// [m] The farthest that a corner of the collider comes in a step.
double longest_step(const MotionScript& motion, const Extent& extent, double step) {
  constexpr int looks = 32;
  double longest = 0;
  for (size_t k = 0; k + 1 < motion.keys.size(); ++k) {
    const double begin = motion.keys[k].time, end = motion.keys[k + 1].time;
    for (int j = 0; j < looks; ++j) {
      const double time = begin + (end - begin) * j / looks;
      const Placement now = placement_at(motion, time), next = placement_at(motion, time + step);
      for (int c = 0; c < 8; ++c) {
        const Vec3d at = extent.corner(c);
        longest = std::max(longest, length(next.moved(at, motion.center) - now.moved(at, motion.center)));
      }
    }
  }
  return longest;
}

std::string name_of(const Scene& scene, size_t group) {
  const size_t objects = scene.objects.size();
  return group < objects ? "objects." + scene.objects[group].name
                         : "colliders." + scene.colliders[group - objects].name;
}

// Of the stiffest rule.
void odd_stiffness(const OddityContext& in) {
  const ContactSurface& surface = in.compiled.contact_surface;
  double largest = 0;
  size_t at = 0;
  for (size_t k = 0; k < surface.rules.size(); ++k)
    if (surface.rules[k].touches && surface.rules[k].stiffness > largest) {
      largest = surface.rules[k].stiffness;
      at = k;
    }
  if (largest == 0) return;
  const double inverse_h2 = in.scene.time.quasistatic ? 0 : 1 / (in.step() * in.step());
  const std::vector<double> of_slot = contact_stiffness(in.compiled.model, inverse_h2);
  double own = 0;
  for (const int32_t v : surface.vertices)
    if (!surface.is_collider_point(v)) own = std::max(own, of_slot[static_cast<size_t>(v)]);
  if (!(largest > far_stiffer * own)) return;
  const auto groups = static_cast<size_t>(surface.group_count);
  in.warn(
      joined({"contact of ", name_of(in.scene, at / groups), " and ", name_of(in.scene, at % groups),
              format(": its stiffness of %.3g N/m is %.3g times that of the stiffest vertex: steps hardly converge, "
                     "and energy may grow; take contact.stiffness = \"auto\"",
                     largest, largest / own)}));
}

bool is_pinned(const Scene& scene, const std::string& object) {
  return std::any_of(scene.pins.begin(), scene.pins.end(), [&](const ScenePin& pin) { return pin.object == object; });
}

// Of bodies that nothing else holds, and that would lie in whatever they touch though all of their surface did.
void odd_softness(const OddityContext& in, const std::vector<Extent>& extents) {
  const Model& model = in.compiled.model;
  const ContactSurface& surface = in.compiled.contact_surface;
  const double g = length(model.gravity);
  const auto groups = static_cast<size_t>(surface.group_count);
  std::vector<double> vertices(groups), thickness(groups);  // that touch; [m] of one of its bodies
  for (const int32_t v : surface.vertices) {
    const auto body = static_cast<size_t>(surface.body_of[static_cast<size_t>(v)]);
    const auto group = static_cast<size_t>(surface.bodies[body].group);
    ++vertices[group];
    thickness[group] = extents[body].least();
  }
  for (size_t group = 0; group < in.scene.objects.size(); ++group) {
    if (vertices[group] == 0 || is_pinned(in.scene, in.scene.objects[group].name)) continue;
    const ObjectPart& part = in.compiled.objects[group];
    double mass = 0;  // of all its bodies, as its vertices are
    for (int32_t v = part.first_vertex; v < part.last_vertex; ++v)
      mass += model.mass[static_cast<size_t>(model.order.slot(UserVertex{v}))];
    bool held = false;
    size_t stiffest = group;  // of what it touches
    double depth = 0;
    for (size_t other = 0; other < groups && !held; ++other) {
      const ContactRule& rule = surface.rules[group * groups + other];
      if (other == group || !rule.touches) continue;
      const double under_weight = mass * g / (vertices[group] * rule.stiffness);
      held = rule.apart || !(rule.stiffness > 0) ||
             !(under_weight > (rule.law == ContactLaw::penalty ? 0.1 * thickness[group] : rule.radius));
      if (stiffest != group && under_weight > depth) continue;
      stiffest = other;
      depth = under_weight;
    }
    if (held || stiffest == group) continue;
    in.warn(joined({"contact of ", name_of(in.scene, group), " and ", name_of(in.scene, stiffest),
                    format(": with a stiffness of %.3g N/m its weight of %.3g N would go %.3g m deep, were it on all "
                           "vertices of its surface at once: it sinks in; take contact.stiffness = \"auto\"",
                           surface.rules[group * groups + stiffest].stiffness, mass * g, depth)}));
    return;
  }
}

// Newton's method bears it.
void odd_friction(const OddityContext& in) {
  if (in.scene.solver.type == "newton") return;
  const ContactSurface& surface = in.compiled.contact_surface;
  const auto groups = static_cast<size_t>(surface.group_count);
  for (size_t k = 0; k < surface.rules.size(); ++k) {
    const ContactRule& rule = surface.rules[k];
    if (!rule.touches || !(rule.friction > most_friction)) continue;
    in.warn(joined({"contact of ", name_of(in.scene, k / groups), " and ", name_of(in.scene, k % groups),
                    format(": friction = %.3g: beyond %g bodies may sink into each other; 10 holds on slopes of 84 "
                           "degrees",
                           rule.friction, most_friction)}));
    return;
  }
}

// A body that is not on the grid may sink into one that is.
void odd_sinking(const OddityContext& in, size_t group, double way) {
  const Scene& scene = in.scene;
  if (!scene.grid || scene.objects[group].on_grid || !(way > most_of_cell * scene.grid->spacing)) return;
  const ContactSurface& surface = in.compiled.contact_surface;
  for (size_t other = 0; other < scene.objects.size(); ++other) {
    if (!scene.objects[other].on_grid ||
        !surface.rules[group * static_cast<size_t>(surface.group_count) + other].touches)
      continue;
    in.warn(joined(
        {name_of(scene, group),
         format(" moves by %.3g m in a step, %.3g of grid.spacing, and may sink into ", way, way / scene.grid->spacing),
         name_of(scene, other),
         format(", which is on the grid; take time.substeps = %.0f",
                std::ceil(scene.time.substeps * way / (most_of_cell * scene.grid->spacing)))}));
    return;
  }
}

// The edges of a collider may come in between two vertices of a body, where only pairs of edges within the radius are
// found.
void odd_edges(const OddityContext& in, size_t group, double way) {
  const auto& shape = in.scene.colliders[group - in.scene.objects.size()].shape;
  if (std::holds_alternative<ColliderSphere>(shape) || std::holds_alternative<ColliderCapsule>(shape)) return;
  const ContactSurface& surface = in.compiled.contact_surface;
  double least = std::numeric_limits<double>::infinity();
  size_t hit = 0;
  for (size_t other = 0; other < in.scene.objects.size(); ++other) {
    const ContactRule& rule = surface.rules[group * static_cast<size_t>(surface.group_count) + other];
    if (!rule.touches || rule.apart || rule.law == ContactLaw::penalty || rule.radius >= least) continue;
    least = rule.radius;
    hit = other;
  }
  if (!(way > most_of_radius * least)) return;
  in.warn(joined({name_of(in.scene, group), format(" moves by up to %.3g m in a step, and its contacts with ", way),
                  name_of(in.scene, hit),
                  format(" begin %.3g m away: its edges may cut into that between vertices unnoticed; take more "
                         "time.substeps",
                         least),
                  in.scene.grid ? "" : ", or contact.guarantee = \"intersection_free\""}));
}

}  // namespace

void odd_contacts(const OddityContext& in) {
  const CompiledScene& compiled = in.compiled;
  const ContactSurface& surface = compiled.contact_surface;
  if (surface.empty()) return;
  odd_stiffness(in);
  odd_friction(in);
  const std::vector<Extent> extents = extents_of(compiled);
  odd_softness(in, extents);
  if (in.scene.time.quasistatic) return;
  const size_t objects = in.scene.objects.size();
  const auto name = [&](size_t group) { return name_of(in.scene, group); };
  // The thinnest body that one of a group may hit.
  const auto warn_of = [&](size_t group, double way, const char* what) {
    double thinnest = std::numeric_limits<double>::infinity();
    size_t hit = 0;
    for (size_t b = 0; b < surface.bodies.size(); ++b) {
      const auto other = static_cast<size_t>(surface.bodies[b].group);
      const ContactRule& rule = surface.rules[group * static_cast<size_t>(surface.group_count) + other];
      if (other == group || !rule.touches || rule.apart) continue;
      if (extents[b].least() < thinnest) {
        thinnest = extents[b].least();
        hit = other;
      }
    }
    if (!(way > thinnest)) return false;
    in.warn(joined({name(group), what, format(" %.3g m in a step, and ", way), name(hit),
                    format(" is %.3g m thick: it may pass through unnoticed; take more time.substeps", thinnest),
                    // Which cannot be had beside a grid.
                    in.scene.grid ? "" : ", or contact.guarantee = \"intersection_free\""}));
    return true;
  };
  for (size_t k = 0; k < objects; ++k) {
    const SceneObject& object = in.scene.objects[k];
    const double way = in.step() * length(to_vec(object.velocity));
    warn_of(k, way, " moves by");
    odd_sinking(in, k, way);
  }
  for (size_t k = 0; k < compiled.colliders.size(); ++k) {
    const ColliderScript& script = compiled.colliders[k];
    if (script.first_point == script.last_point) continue;  // of planes, which nothing passes
    const int32_t body = surface.body_of[static_cast<size_t>(script.first_point)];
    const double way = longest_step(script, extents[static_cast<size_t>(body)], in.step());
    if (!warn_of(objects + k, way, " moves by up to")) odd_edges(in, objects + k, way);
  }
}

}  // namespace sinew
