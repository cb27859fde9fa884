#include "sinew/check.h"

#include <set>

#include "drive/disk_files.h"
#include "drive/watching.h"
#include "engine/engine.h"

namespace sinew {

Result<SceneSummary> check_scene(const Scene& scene, const CheckOptions& options, const CheckObserver& observer) {
  Watching watching(options.interrupt);
  const Result<std::unique_ptr<Engine>> engine =
      Engine::create(scene, std::make_shared<DiskFiles>(), options.threads, watching.progress(observer.on_progress));
  if (watching.stopped()) return Error{"the check", "was interrupted", ""};
  if (!engine) return engine.error();
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
