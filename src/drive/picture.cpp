#include <utility>

#include "base/picture_size.h"
#include "drive/film_stage.h"
#include "drive/film_takes.h"
#include "drive/live_take.h"
#include "record/output_folder.h"
#include "render/render.h"
#include "sinew/render.h"
#include "sinew/scene_file.h"

namespace sinew {

namespace fs = std::filesystem;

namespace {

// Settings are read as those of a scene, so that they are checked and refused as such.
Result<RenderSettings> changed(const RenderSettings& settings, const std::vector<std::string>& set) {
  constexpr const char* around = R"({ "sinew": 1, "materials": { "any": { "youngs_modulus": 1 } },
    "objects": { "any": { "mesh": { "box": {} }, "material": "any" } } })";
  Result<Scene> scene = parse_scene(around, "picture", "");
  if (!scene || set.empty()) return settings;
  scene->render = settings;
  std::vector<std::string> overrides;
  for (const std::string& one : set) overrides.push_back("render." + one);
  const Result<Scene> read = parse_scene(resolved_json(*scene), "picture", "", overrides);
  if (!read) return read.error();
  return read->render;
}

Result<Picture> as_picture(Result<Image> image) {
  if (!image) return image.error();
  return Picture{image->width, image->height, std::move(image->rgb)};
}

// For pictures in memory.
Status finish_stage(FilmStage& stage, const std::atomic<bool>* interrupt) {
  stage.options.interrupt = interrupt;
  for (const Camera& camera : stage.cameras)
    if (Status s = check_picture(stage.options, camera, stage.up); !s.ok()) return s;
  return {};
}

}  // namespace

bool can_render() {
  return render_available();
}

Status check_picture_size(int width, int height) {
  if (const std::string fault = size_fault(width, height); !fault.empty()) return Error{"", fault, ""};
  return {};
}

Result<Picture> draw_picture(const fs::path& folder, std::optional<int64_t> frame, const PictureOptions& options) {
  const Result<Takes> takes = open_takes(folder);
  if (!takes) return takes.error();
  const RunReader& run = takes->longest();
  Result<Scene> scene = parse_scene(run.summary().scene_json, OutputPaths(folder).run_file().string(), folder.string());
  if (!scene) return scene.error();
  Result<RenderSettings> looks = changed(scene->render, options.set);
  if (!looks) return looks.error();
  scene->render = *looks;
  if (Status s = check_drawable(run, folder.string()); !s.ok()) return s.error();

  size_t k = run.frame_count() - 1;
  if (frame) {
    for (k = 0; k < run.frame_count() && run.frame_number(k) != *frame;) ++k;
    if (k == run.frame_count()) return no_such_frame(run, folder, *frame, scene->output.every);
  }
  const Grid grid(static_cast<int>(takes->runs.size()), looks->width, looks->height);
  const double speed = played_at(static_cast<double>(scene->output.every) * run.summary().frame_dt);
  Result<FilmStage> stage =
      set_stage(takes->shown(), *scene, grid.cell_width, grid.cell_height, speed, options.threads);
  if (!stage) return stage.error();
  if (Status s = finish_stage(*stage, options.interrupt); !s.ok()) return s.error();
  Renderer renderer;
  return as_picture(draw_frame(*takes, k, *scene, *stage, grid, renderer));
}

Result<Picture> draw_picture(const Simulation& simulation, const PictureOptions& options) {
  Engine& engine = engine_of(simulation);
  Scene scene = engine.scene;
  Result<RenderSettings> looks = changed(scene.render, options.set);
  if (!looks) return looks.error();
  scene.render = *looks;
  const LiveTake take(engine, *looks);
  if (Status s = check_drawable(take, "simulation"); !s.ok()) return s.error();
  const ShownRun* const shown[] = {&take};
  Result<FilmStage> stage = set_stage(shown, scene, looks->width, looks->height, played_at(0), options.threads);
  if (!stage) return stage.error();
  if (Status s = finish_stage(*stage, options.interrupt); !s.ok()) return s.error();
  Renderer renderer;
  return as_picture(draw_take(take, 0, stage->cameras[0], scene, *stage, false, "", renderer));
}

}  // namespace sinew
