#include "drive/live_take.h"

#include <utility>

#include "drive/collider_frame.h"
#include "engine/live.h"
#include "engine/readings.h"
#include "record/surface_measures.h"

namespace sinew {

namespace {

std::vector<RecordedCollider> present_colliders(Engine& engine) {
  const ContactSurface& surface = engine.compiled.shown_surface();
  std::vector<RecordedCollider> colliders = recorded_colliders(engine.compiled);
  if (colliders.empty()) return colliders;
  std::vector<Vec3d> points(surface.rest.size() - static_cast<size_t>(surface.slot_count));
  std::vector<ContactPlane> planes(surface.planes);
  place_colliders_now(engine, points, planes);
  for (size_t k = 0; k < colliders.size(); ++k) {
    const ColliderScript& script = engine.compiled.colliders[k];
    RecordedCollider& collider = colliders[k];
    collider.moves = false;
    const auto at = [&](int32_t point) { return points.begin() + (point - surface.slot_count); };
    collider.rest.assign(at(script.first_point), at(script.last_point));
    for (size_t p = 0; p < collider.planes.size(); ++p)
      collider.planes[p] = recorded_plane(planes[static_cast<size_t>(script.first_plane) + p]);
  }
  return colliders;
}

}  // namespace

LiveTake::LiveTake(Engine& engine, const RenderSettings& settings) : colliders_(present_colliders(engine)) {
  const Model& model = engine.compiled.model;
  std::vector<RecordedObject> objects;
  for (const ObjectPart& part : engine.compiled.objects) {
    objects.push_back(
        {part.name, part.first_vertex, part.last_vertex, part.first_tet, part.last_tet, {}, {}, part.skin});
    if (part.skin) continue;
    objects.back().boundary = part.surface;
    objects.back().materials = part.surface_materials;
  }
  surfaces_ = make_surfaces(model, objects);
  place_in_run(colliders_, surfaces_);

  FrameData data;
  data.frame = engine.frames_taken();
  data.time = engine.time();
  data.step = engine.step();
  data.x = engine.state().x;
  data.v = engine.state().v;
  std::vector<Vec3d> forces;
  if (settings.color_by == ColorBy::residual) {
    engine.evaluate(&forces);
    data.forces = forces;
  }
  const SurfaceMeasures measures(model, surfaces_, objects, engine.compiled.fibre_tets);
  const bool von_mises = settings.color_by == ColorBy::von_mises;
  std::vector<Sym3<double>> stress;
  if (von_mises) stress = measures.stress(model, data, engine.pool);
  frame_ = measures.frame<double>(model, data, stress, von_mises, engine.pool);
  if (!settings.contacts) return;
  const auto vec = [](const Real3& p) { return Vec3d{p[0], p[1], p[2]}; };
  for (const ContactPoint& c : contacts_of(engine)) contacts_.push_back({vec(c.position), vec(c.force)});
}

}  // namespace sinew
