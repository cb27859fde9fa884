#include "scene/film.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/format.h"
#include "base/nearest.h"
#include "record/file_error.h"
#include "record/run_reader.h"
#include "record/writable_folder.h"
#include "render/camera.h"
#include "render/color_map.h"
#include "render/film_writer.h"
#include "render/png.h"
#include "render/render.h"
#include "sinew/scene_file.h"

namespace sinew {

namespace fs = std::filesystem;

namespace {

// Films play at the speed of the simulation, but not slower or faster than a player can show.
constexpr double slowest = 10, fastest = 60;  // [frames per second]

// The share of a frame's points that lies within the range of colours; the rest has the last colour.
constexpr double range_share = 0.98;

// The scalar to colour by at every surface point; empty for colour by object or material.
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
  Vec3d up;
  std::map<int32_t, int> palette;  // of materials, where they are what colours show
  Camera camera;
  RenderOptions options;
};

// The materials that are to be seen, each with the next color of the palette.
std::map<int32_t, int> palette_of(const RunReader& run) {
  std::map<int32_t, int> entries;
  for (const RecordedSurface& surface : run.surfaces())
    for (const int32_t material : surface.materials) entries.try_emplace(material, 0);
  int next = 0;
  for (auto& [material, entry] : entries) entry = next++;
  return entries;
}

Error not_recorded(const std::string& color_by) {
  return {"render.color_by", "= \"" + color_by + "\": the run did not record it", "use object, strain or displacement"};
}

Result<Stage> set_stage(const RunReader& run, const Scene& scene, const std::vector<size_t>& frames, int threads) {
  const RenderSettings& settings = scene.render;
  Stage stage;
  const Vec3d up = stage.up = scene.up == 'z' ? Vec3d{0, 0, 1} : Vec3d{0, 1, 0};
  RenderOptions& o = stage.options;
  o.width = settings.width;
  o.height = settings.height;
  o.samples = settings.samples;
  o.threads = threads;
  o.ground = settings.ground;
  o.wireframe = settings.wireframe;
  o.shading = settings.smooth ? Shading::smooth : Shading::flat;
  const bool by_material = settings.color_by == "material";
  const bool colored = settings.color_by != "object" && !by_material;
  if (by_material) {
    stage.palette = palette_of(run);
    if (stage.palette.empty()) return not_recorded(settings.color_by);
    o.legend_title = "material";
    for (const auto& [material, entry] : stage.palette) {
      const auto at = static_cast<size_t>(material);
      o.legend_entries.push_back({at < scene.materials.size() ? scene.materials[at].name : "?", object_color(entry)});
    }
  }
  if (colored) {
    o.legend_title = legend_of(settings.color_by).title;
    o.legend_unit = legend_of(settings.color_by).unit;
  }

  const double aspect = static_cast<double>(settings.width) / settings.height;
  FitOptions fit = default_view(up, aspect);
  const Real3& d = settings.camera.direction;
  fit.direction = {d[0], d[1], d[2]};
  fit.vertical_fov_degrees = settings.camera.vertical_fov_degrees;
  if (colored || by_material) fit.right_margin = 0.12;
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
    if (!(low <= high)) return not_recorded(settings.color_by);
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

RenderScene scene_of(const RunReader& run, const SurfaceFrame& frame, const Scene& scene, const Stage& stage) {
  RenderScene result;
  result.up = stage.up;
  const std::vector<float> values = values_of(run, frame, scene.render.color_by);
  int index = 0;
  for (const RecordedSurface& surface : run.surfaces()) {
    RenderMesh mesh;
    mesh.name = surface.name;
    mesh.object = index;
    mesh.smooth = scene.render.smooth;
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
    if (!stage.palette.empty())
      for (const int32_t material : surface.materials) mesh.face_palette.push_back(stage.palette.at(material));
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

// "3, 7 to 9"; the first few where there are many.
std::string ranges_text(const std::vector<int64_t>& numbers, int64_t stride) {
  std::string text;
  for (size_t first = 0, last; first < numbers.size(); first = last + 1) {
    for (last = first; last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + stride;) ++last;
    if (text.size() > 60) return text + ", ...";
    text += (text.empty() ? "" : ", ") + std::to_string(numbers[first]);
    if (last > first) text += " to " + std::to_string(numbers[last]);
  }
  return text;
}

// Says which frames run.json tells of are not there; empty where all are.
std::string missing_frames(const RunReader& run, int64_t every) {
  std::vector<int64_t> missing;
  size_t at = 0;
  for (int64_t number = 0; number <= run.summary().progress.last_frame; number += every) {
    while (at < run.frame_count() && run.frame_number(at) < number) ++at;
    if (at == run.frame_count() || run.frame_number(at) != number) missing.push_back(number);
  }
  if (missing.empty()) return {};
  return joined({"frame", missing.size() > 1 ? "s " : " ", ranges_text(missing, every),
                 missing.size() > 1 ? " are" : " is",
                 " missing in surface/ and left out; to have all of them run again with --overwrite"});
}

Error no_such_frame(const RunReader& run, const fs::path& folder, int64_t wanted, int64_t every) {
  const int64_t first = run.frame_number(0), last = run.frame_number(run.frame_count() - 1);
  const std::string between = every == 1 ? " to " : format(", %lld, ... ", static_cast<long long>(first + every));
  const std::string there = joined({"the run has frames ", std::to_string(first), between, std::to_string(last)});
  const bool lost = wanted < last && wanted % every == 0;
  return {folder.string(),
          format(lost ? "frame %lld is missing in surface/" : "there is no frame %lld", static_cast<long long>(wanted)),
          lost ? "choose another, or run again with --overwrite" : there};
}

}  // namespace

Result<FilmOutcome> render_run(const fs::path& folder, const FilmSettings& settings, const FilmListener& listener) {
  Result<RunReader> opened = open_run(folder);
  if (!opened) return opened.error();
  const RunReader& run = *opened;
  const OutputPaths paths(folder);
  Result<Scene> scene = parse_scene(run.summary().scene_json, paths.run_file().string(), folder.string());
  if (!scene) return scene.error();

  RenderSettings& looks = scene->render;
  if (settings.width) looks.width = *settings.width;
  if (settings.height) looks.height = *settings.height;
  if (settings.samples) looks.samples = *settings.samples;
  if (settings.color_by) looks.color_by = *settings.color_by;
  if (settings.smooth) looks.smooth = *settings.smooth;
  if (settings.wireframe) looks.wireframe = *settings.wireframe;

  // Chains are points and springs: there is nothing of them to draw.
  FilmStart start;
  for (const RecordedSurface& surface : run.surfaces())
    if (surface.triangles.empty())
      start.warnings.push_back("objects." + surface.name + " has no surface and is not in the pictures");
  if (start.warnings.size() == run.surfaces().size())
    return Error{folder.string(), "none of its objects has a surface to draw: chains are points and springs",
                 "look at frames.pvd in ParaView, or bind something to them"};

  // The view holds all frames, so that a film of every tenth and a single picture have the same.
  const int64_t recorded_every = scene->output.every;
  std::vector<size_t> all, wanted;
  for (size_t k = 0; k < run.frame_count(); ++k) {
    all.push_back(k);
    const int64_t number = run.frame_number(k);
    if (settings.frame ? number == *settings.frame : number / recorded_every % settings.every == 0) wanted.push_back(k);
  }
  if (wanted.empty()) return no_such_frame(run, folder, settings.frame.value_or(0), recorded_every);
  Result<Stage> stage = set_stage(run, *scene, all, settings.threads);
  if (!stage) return stage.error();
  if (Status s = check_picture(stage->options, stage->camera, stage->up); !s.ok()) return s.error();

  start.pictures = static_cast<int64_t>(wanted.size());
  if (const std::string gaps = missing_frames(run, recorded_every); !gaps.empty()) start.warnings.push_back(gaps);
  if (Status text = text_available(); !text.ok()) start.warnings.push_back(text.error().message());

  // Where it all goes, without what was there.
  FilmOutcome outcome;
  outcome.pictures = settings.frame ? paths.still(*settings.frame) : paths.pictures();
  if (Status s = check_writable(folder); !s.ok()) return s.error();
  if (!settings.frame) {
    if (Status s = clear_film(paths); !s.ok()) return s.error();
  }
  std::error_code made;
  fs::create_directories(settings.frame ? paths.stills() : paths.pictures(), made);
  if (made) return file_error(outcome.pictures, "the folder cannot be made", made.value());

  // The film, if there is to be one; without it the pictures remain.
  std::optional<FilmWriter> film;
  const auto give_up_film = [&](const Error& error) {
    film.reset();
    outcome.no_film = error;
  };
  if (!settings.frame) {
    FilmOptions options;
    const double shown_every = static_cast<double>(recorded_every) * settings.every * run.summary().frame_dt;
    options.frames_per_second = std::clamp(shown_every > 0 ? 1 / shown_every : 30, slowest, fastest);
    Result<FilmWriter> writer = FilmWriter::open(paths.film().string(), looks.width, looks.height, options);
    if (writer) {
      film.emplace(std::move(*writer));
    } else {
      give_up_film(writer.error());
      start.warnings.push_back(outcome.no_film->message());
    }
  }
  if (listener.on_start) listener.on_start(start);

  Renderer renderer;
  for (const size_t k : wanted) {
    const Result<SurfaceFrame> frame = run.frame(k);
    if (!frame) return frame.error();
    RenderOptions options = stage->options;
    options.stamp = format("t = %.2f s", frame->time);
    const RenderScene content = scene_of(run, *frame, *scene, *stage);
    const Result<Image> image = renderer.render(content, stage->camera, options);
    if (!image) return image.error();
    const int64_t number = run.frame_number(k);
    const fs::path picture = settings.frame ? paths.still(number) : paths.picture(number);
    if (Status s = write_png(picture.string(), *image); !s.ok()) return s.error();
    if (film) {
      if (Status s = film->add(*image); !s.ok()) give_up_film(s.error());
    }
    ++outcome.picture_count;
    if (listener.on_picture) listener.on_picture(outcome.picture_count);
    if (settings.interrupt && settings.interrupt->load()) {
      outcome.interrupted = outcome.picture_count < start.pictures;
      break;
    }
  }
  if (film) {
    if (Status s = film->finish(); s.ok()) {
      outcome.film = paths.film();
    } else {
      give_up_film(s.error());
    }
  }
  return outcome;
}

}  // namespace sinew
