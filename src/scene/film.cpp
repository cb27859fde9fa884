#include "scene/film.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/format.h"
#include "record/run_reader.h"
#include "render/camera.h"
#include "render/color_map.h"
#include "render/film_writer.h"
#include "render/png.h"
#include "render/render.h"
#include "sinew/scene_file.h"

namespace sinew {
namespace {

// Films play at the speed of the simulation, but not slower or faster than a player can show.
constexpr double slowest = 10, fastest = 60;  // [frames per second]

// The share of a frame's points that lies within the range of colours; the rest has the last colour.
constexpr double range_share = 0.98;

// The scalar to colour by at every surface point; empty for colour by object.
std::vector<float> values_of(const RunReader& run, const SurfaceFrame& frame, const std::string& color_by) {
  if (color_by == "strain") return frame.strain;
  if (color_by == "residual") return frame.residual;
  if (color_by == "displacement") return displacement_of(run.surfaces(), frame);
  return {};
}

struct Legend {
  const char* title;
  const char* unit;
};
Legend legend_of(const std::string& color_by) {
  if (color_by == "strain") return {"strain", "-"};
  if (color_by == "residual") return {"residual", "N"};
  return {"displacement", "m"};
}

// What all pictures of a film share: camera, ground and colour range over all frames.
struct Stage {
  Camera camera;
  RenderOptions options;
};

Result<Stage> set_stage(const RunReader& run, const RenderSettings& settings, char up_axis,
                        const std::vector<size_t>& frames, int threads) {
  const Vec3d up = up_axis == 'z' ? Vec3d{0, 0, 1} : Vec3d{0, 1, 0};
  Stage stage;
  RenderOptions& o = stage.options;
  o.width = settings.width;
  o.height = settings.height;
  o.samples = settings.samples;
  o.threads = threads;
  o.ground = settings.ground;
  o.wireframe = settings.wireframe;
  o.shading = settings.smooth ? Shading::smooth : Shading::flat;
  const bool colored = settings.color_by != "object";
  if (colored) {
    o.legend_title = legend_of(settings.color_by).title;
    o.legend_unit = legend_of(settings.color_by).unit;
  }

  const double aspect = static_cast<double>(settings.width) / settings.height;
  FitOptions fit = default_view(up, aspect);
  const Real3& d = settings.camera.direction;
  fit.direction = {d[0], d[1], d[2]};
  fit.vertical_fov_degrees = settings.camera.vertical_fov_degrees;
  if (colored) fit.right_margin = 0.12;
  Result<CameraFit> cameras = CameraFit::create(fit);
  if (!cameras) return cameras.error();
  Bounds bounds;
  float low = std::numeric_limits<float>::infinity(), high = -low;
  std::vector<float> sorted;
  for (const size_t k : frames) {
    const Result<SurfaceFrame> frame = run.frame(k);
    if (!frame) return frame.error();
    cameras->add(frame->positions);
    bounds.add(std::span<const Vec3f>(frame->positions));
    sorted = values_of(run, *frame, settings.color_by);
    if (sorted.empty()) continue;
    // A few corners must not take all the colours: the range ends where most of each frame's points lie.
    const auto rank = static_cast<std::ptrdiff_t>(range_share * static_cast<double>(sorted.size() - 1));
    std::nth_element(sorted.begin(), sorted.begin() + rank, sorted.end());
    high = std::max(high, sorted[static_cast<size_t>(rank)]);
    low = std::min(low, *std::min_element(sorted.begin(), sorted.end()));
  }
  if (colored) {
    if (!(low <= high)) {
      return Error{"render.color_by", "= \"" + settings.color_by + "\": the run did not record it",
                   "use object, strain or displacement"};
    }
    o.value_min = low;
    o.value_max = high;
  }
  o.ground_height = bounds.lowest(up);

  Result<Camera> camera = cameras->camera();
  if (!camera) return camera.error();
  stage.camera = *camera;
  const auto vec = [](const Real3& p) { return Vec3d{p[0], p[1], p[2]}; };
  if (settings.camera.eye) stage.camera.eye = vec(*settings.camera.eye);
  if (settings.camera.target) stage.camera.target = vec(*settings.camera.target);
  return stage;
}

RenderScene scene_of(const RunReader& run, const SurfaceFrame& frame, const Scene& scene, const std::string& color_by,
                     bool smooth) {
  RenderScene result;
  result.up = scene.up == 'z' ? Vec3d{0, 0, 1} : Vec3d{0, 1, 0};
  const std::vector<float> values = values_of(run, frame, color_by);
  int index = 0;
  for (const RecordedSurface& surface : run.surfaces()) {
    RenderMesh mesh;
    mesh.name = surface.name;
    mesh.object = index;
    mesh.smooth = smooth;
    mesh.triangles = surface.triangles;
    const auto positions = points_of(surface, frame.positions);
    mesh.positions.assign(positions.begin(), positions.end());
    for (const Vec3d& p : surface.rest) {
      mesh.rest_positions.push_back({static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)});
    }
    if (!values.empty()) {
      const auto own = points_of(surface, values);
      mesh.vertex_values.assign(own.begin(), own.end());
    }
    for (const SceneObject& object : scene.objects) {
      if (object.name != surface.name || !object.color) continue;
      const auto linear = [&](int c) { return linear_from_srgb(static_cast<float>((*object.color)[c])); };
      mesh.color = Vec3f{linear(0), linear(1), linear(2)};
    }
    result.meshes.push_back(std::move(mesh));
    ++index;
  }
  return result;
}

}  // namespace

Result<FilmOutcome> render_run(const std::filesystem::path& folder, const FilmSettings& settings,
                               const std::function<void(int64_t, int64_t)>& progress) {
  Result<RunReader> opened = open_run(folder);
  if (!opened) return opened.error();
  const RunReader& run = *opened;
  Result<Scene> scene = parse_scene(run.summary().scene_json, (folder / "run.json").string(), folder.string());
  if (!scene) return scene.error();

  RenderSettings render_settings = scene->render;
  if (settings.width) render_settings.width = *settings.width;
  if (settings.height) render_settings.height = *settings.height;
  if (settings.samples) render_settings.samples = *settings.samples;
  if (settings.color_by) render_settings.color_by = *settings.color_by;
  if (settings.smooth) render_settings.smooth = *settings.smooth;
  if (settings.wireframe) render_settings.wireframe = *settings.wireframe;

  std::vector<size_t> all, wanted;
  for (size_t k = 0; k < run.frame_count(); ++k) {
    all.push_back(k);
    if (settings.frame ? run.frame_number(k) == *settings.frame : k % static_cast<size_t>(settings.every) == 0) {
      wanted.push_back(k);
    }
  }
  if (wanted.empty()) {
    return Error{folder.string(), format("there is no frame %lld", static_cast<long long>(settings.frame.value_or(0))),
                 format("the run has frames %lld to %lld", static_cast<long long>(run.frame_number(0)),
                        static_cast<long long>(run.frame_number(run.frame_count() - 1)))};
  }
  Result<Stage> stage = set_stage(run, render_settings, scene->up, all, settings.threads);
  if (!stage) return stage.error();

  FilmOutcome outcome;
  if (Status text = text_available(); !text.ok()) outcome.note = text.error().message();
  outcome.pictures = folder / "pictures";
  std::error_code made;
  std::filesystem::create_directories(outcome.pictures, made);
  if (made) return Error{outcome.pictures.string(), made.message(), "choose a folder that can be written"};

  // The film, if there is to be one; without ffmpeg the pictures remain.
  std::optional<FilmWriter> film;
  const std::filesystem::path film_path = folder / "film.mp4";
  const auto give_up_film = [&](const Error& error) {
    film.reset();
    outcome.note = error.message();
  };
  if (!settings.frame) {
    const double step = run.frame_count() > 1 ? static_cast<double>(run.frame_number(1) - run.frame_number(0)) *
                                                    settings.every * run.summary().frame_dt
                                              : run.summary().frame_dt;
    FilmOptions options;
    options.frames_per_second = std::clamp(step > 0 ? 1 / step : 30, slowest, fastest);
    Result<FilmWriter> writer =
        FilmWriter::open(film_path.string(), render_settings.width, render_settings.height, options);
    if (writer) {
      film.emplace(std::move(*writer));
    } else {
      give_up_film(writer.error());
    }
  }

  Renderer renderer;
  for (const size_t k : wanted) {
    const Result<SurfaceFrame> frame = run.frame(k);
    if (!frame) return frame.error();
    RenderOptions options = stage->options;
    options.stamp = format("t = %.2f s", frame->time);
    const RenderScene content = scene_of(run, *frame, *scene, render_settings.color_by, render_settings.smooth);
    const Result<Image> image = renderer.render(content, stage->camera, options);
    if (!image) return image.error();
    const std::filesystem::path picture =
        outcome.pictures / format("frame_%06lld.png", static_cast<long long>(run.frame_number(k)));
    if (Status s = write_png(picture.string(), *image); !s.ok()) return s.error();
    if (settings.frame) outcome.pictures = picture;
    if (film) {
      if (Status s = film->add(*image); !s.ok()) give_up_film(s.error());
    }
    ++outcome.picture_count;
    if (progress) progress(outcome.picture_count, static_cast<int64_t>(wanted.size()));
    if (settings.interrupt && settings.interrupt->load()) {
      outcome.interrupted = true;
      break;
    }
  }
  if (film) {
    if (Status s = film->finish(); s.ok()) {
      outcome.film = film_path;
    } else {
      give_up_film(s.error());
    }
  }
  return outcome;
}

}  // namespace sinew
