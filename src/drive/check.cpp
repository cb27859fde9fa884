#include "sinew/check.h"

#include <set>

#include "base/nearest.h"
#include "compile/compile.h"
#include "compile/contact_start.h"
#include "drive/disk_files.h"
#include "drive/start_picture.h"
#include "drive/watching.h"
#include "engine/engine.h"

namespace sinew {

namespace {

// Draws a scene that was refused for its start, and says so.
std::string picture_of_refused(const Scene& scene, const CheckOptions& options, const Error& error) {
  ThreadPool pool(options.threads);
  Result<CompiledScene> compiled = compile_scene(scene, DiskFiles(), pool);
  if (!compiled) return {};
  const Status refused = start_contact(scene, *compiled, pool);
  if (refused || error.message().find(refused.error().what) == std::string::npos)
    return {};  // it was refused for something else
  const Status drawn = draw_start(scene, *compiled, options.picture, pool);
  return drawn ? joined({"; picture: ", options.picture.string()})
               : joined({"; there is no picture: ", drawn.error().message()});
}

}  // namespace

Result<SceneSummary> check_scene(const Scene& scene, const CheckOptions& options, const CheckObserver& observer) {
  Watching watching(options.interrupt);
  const Result<std::unique_ptr<Engine>> engine =
      Engine::create(scene, std::make_shared<DiskFiles>(), std::make_shared<ThreadPool>(options.threads),
                     watching.progress(observer.on_progress));
  if (watching.stopped()) return Error{"the check", "was interrupted", ""};
  if (!engine) {
    Error error = engine.error();
    if (!options.picture.empty()) error.remedy += picture_of_refused(scene, options, error);
    return error;
  }
  if (!options.picture.empty()) {
    (*engine)->compiled.start.x = (*engine)->state().x;
    if (Status s = draw_start(scene, (*engine)->compiled, options.picture, (*engine)->pool); !s) return s.error();
  }
  const CompiledScene& compiled = (*engine)->compiled;
  const Model& model = compiled.model;

  SceneSummary summary;
  summary.objects = static_cast<int32_t>(compiled.objects.size());
  summary.vertices = model.order.vertex_count();
  std::set<int32_t> held;  // each once, and only vertices of bodies
  for (const PinScript& pin : compiled.pins)
    for (const int32_t slot : pin.slots)
      if (model.mass[static_cast<size_t>(slot)] > 0) held.insert(slot);
  summary.held = static_cast<int32_t>(held.size());
  summary.tets = static_cast<int32_t>(model.tets.size());
  summary.triangles = compiled.triangle_count();
  for (const TieLaw<double>& law : model.ties.laws) {
    summary.springs += law.traits().is_edge;
    summary.bound_vertices += law.traits().binds;
    summary.fibres += law.traits().is_muscle;
  }
  for (const double m : model.mass) summary.mass += m;
  summary.frames = (*engine)->frame_count();
  summary.warnings = compiled.warnings;
  return summary;
}

}  // namespace sinew
