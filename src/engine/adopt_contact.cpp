#include "engine/adopt_contact.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/assert.h"
#include "compile/contact_rules.h"
#include "compile/contact_start.h"
#include "compile/contacts.h"

namespace sinew {

void take_live_contact(ObjectContact& to, const ObjectContact& from) {
  const ObjectContact before = to;
  to = from;
  to.self = before.self;
  to.guarantee = before.guarantee;
  to.start = before.start;
  to.touches = before.touches;
}

void take_live_contact(Scene& to, const Scene& from) {
  if (from.contact && has_contact(to)) {
    const ContactSettings before = to.contact.value_or(ContactSettings{});
    ContactSettings& contact = to.contact.emplace(*from.contact);
    contact.guarantee = before.guarantee;
    contact.start = before.start;
    contact.self = before.self;
    contact.pairs = before.pairs;
    for (size_t k = 0; k < contact.pairs.size() && k < from.contact->pairs.size(); ++k) {
      SceneContactPair& pair = contact.pairs[k];
      pair = from.contact->pairs[k];
      pair.a = before.pairs[k].a;
      pair.b = before.pairs[k].b;
      pair.guarantee = before.pairs[k].guarantee;
      pair.start = before.pairs[k].start;
      pair.touches = before.pairs[k].touches;
    }
  }
  for (size_t k = 0; k < to.objects.size() && k < from.objects.size(); ++k)
    take_live_contact(to.objects[k].contact, from.objects[k].contact);
  for (size_t k = 0; k < to.colliders.size() && k < from.colliders.size(); ++k)
    take_live_contact(to.colliders[k].contact, from.colliders[k].contact);
}

bool is_same_collider(const SceneCollider& a, const SceneCollider& b) {
  return a.name == b.name && a.shape == b.shape && a.transform == b.transform;
}

std::vector<int32_t> kept_colliders(const Engine& engine, const Scene& scene) {
  std::vector<int32_t> kept;
  const std::vector<SceneCollider>& before = engine.scene.colliders;
  for (const SceneCollider& collider : scene.colliders) {
    const auto old = std::find_if(before.begin(), before.end(),
                                  [&](const SceneCollider& c) { return is_same_collider(c, collider); });
    kept.push_back(old == before.end() ? -1 : static_cast<int32_t>(old - before.begin()));
  }
  return kept;
}

void drop_pairs_of(Scene& scene, std::string_view name) {
  if (scene.contact)
    std::erase_if(scene.contact->pairs, [&](const SceneContactPair& p) { return p.a == name || p.b == name; });
}

Status may_adopt_contact(const Engine& engine, const Scene& scene) {
  if (engine.compiled.contact_surface.empty()) return {};
  ContactSurface ignored;
  std::vector<std::string> said;
  return set_rules(scene, engine.compiled.contact_sides, ignored, said);
}

void adopt_contact(Engine& engine, const Scene& scene) {
  CompiledScene& compiled = engine.compiled;
  if (compiled.contact_surface.empty()) return;
  std::vector<std::string> said;
  [[maybe_unused]] const Status set = set_rules(scene, compiled.contact_sides, compiled.contact_surface, said);
  SINEW_ASSERT(set);
  for (std::string& sentence : said)
    if (std::find(compiled.warnings.begin(), compiled.warnings.end(), sentence) == compiled.warnings.end())
      compiled.warnings.push_back(std::move(sentence));
  compiled.detect_contact_every = scene.contact.value_or(ContactSettings{}).detect_every;
  engine.method.stepper->replace_contacts(make_contacts(scene.time, compiled, engine.pool));
}

SurfaceMap surface_map(const Engine& engine, const CompiledScene& compiled, std::span<const int32_t> place,
                       std::span<const int32_t> kept) {
  const ContactSurface &before = engine.compiled.contact_surface, &after = compiled.contact_surface;
  std::vector<int32_t> points(before.rest.size(), -1), planes(before.planes.size(), -1);
  // Without the last collider a scene may have no contact any more.
  if (!before.empty() && !after.empty()) std::copy(place.begin(), place.end(), points.begin());
  for (size_t k = 0; k < kept.size(); ++k) {
    if (kept[k] < 0 || before.empty() || after.empty()) continue;
    const ColliderScript& old = engine.compiled.colliders[static_cast<size_t>(kept[k])];
    const ColliderScript& now = compiled.colliders[k];
    // The file of a mesh may have changed since.
    if (old.last_point - old.first_point != now.last_point - now.first_point) continue;
    for (int32_t p = old.first_point; p < old.last_point; ++p)
      points[static_cast<size_t>(p)] = now.first_point + (p - old.first_point);
    for (int32_t p = old.first_plane; p < old.last_plane; ++p)
      planes[static_cast<size_t>(p)] = now.first_plane + (p - old.first_plane);
  }
  return map_surface(before, after, points, planes);
}

void keep_motions(const Engine& engine, std::span<const int32_t> kept, std::vector<ColliderScript>& colliders) {
  for (size_t k = 0; k < colliders.size(); ++k)
    if (kept[k] >= 0)
      static_cast<ColliderMotion&>(colliders[k]) = engine.method.stepper->colliders()[static_cast<size_t>(kept[k])];
}

Status check_added(Engine& engine, const Scene& scene, CompiledScene& compiled, const State& state,
                   const std::vector<ColliderScript>& motions, const SurfaceMap& map) {
  const ContactSurface& surface = compiled.contact_surface;
  if (surface.empty()) return {};
  const auto slots = static_cast<size_t>(surface.slot_count);
  std::vector<Vec3d> points = state.x;
  points.resize(surface.rest.size());
  std::vector<ContactPlane> planes = surface.planes;
  place_colliders(motions, state.time, surface, std::span(points).subspan(slots), planes);
  // Those that were there may not have got to where their scripts have them.
  const ContactSurface& before = engine.compiled.contact_surface;
  std::vector<Vec3d> reached(before.rest.size() - static_cast<size_t>(before.slot_count));
  std::vector<ContactPlane> reached_planes(before.planes);
  engine.method.stepper->colliders_at(state.time, reached, reached_planes);
  for (size_t k = 0; k < reached.size(); ++k) {
    const int32_t now = map.points[static_cast<size_t>(before.slot_count) + k];
    if (now >= 0) points[static_cast<size_t>(now)] = reached[k];
  }
  for (size_t k = 0; k < reached_planes.size(); ++k)
    if (map.planes[k] >= 0) {
      ContactPlane& plane = planes[static_cast<size_t>(map.planes[k])];
      plane.point = reached_planes[k].point;
      plane.normal = reached_planes[k].normal;
    }

  std::vector<uint8_t> is_new;
  const auto has = [](const auto& list, std::string_view name) {
    return std::any_of(list.begin(), list.end(), [&](const auto& item) { return item.name == name; });
  };
  for (const SceneObject& object : scene.objects) is_new.push_back(!has(engine.scene.objects, object.name));
  for (const SceneCollider& collider : scene.colliders) is_new.push_back(!has(engine.scene.colliders, collider.name));
  return check_added(scene, compiled, std::move(points), std::move(planes), is_new, engine.pool);
}

Status check_placed(Engine& engine, const std::vector<Vec3d>& x) {
  CompiledScene& compiled = engine.compiled;
  const ContactSurface& surface = compiled.contact_surface;
  if (!surface.keeps_any_apart()) return {};
  std::vector<Vec3d> points = x;
  points.resize(surface.rest.size());
  std::vector<ContactPlane> planes = surface.planes;
  engine.method.stepper->colliders_at(engine.time(), std::span(points).subspan(static_cast<size_t>(surface.slot_count)),
                                      planes);
  return check_placed(engine.scene, compiled, std::move(points), std::move(planes), engine.pool);
}

}  // namespace sinew
