#include "drive/film_stage.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/format.h"
#include "drive/film_colliders.h"
#include "drive/round_length.h"
#include "record/origin.h"
#include "render/color_map.h"

namespace sinew {

namespace {

// The share of a frame's points that lies within the range of colours; the rest has the last colour.
constexpr double range_share = 0.98;

// The scalar to colour by at every surface point; empty for colour by object or material.
std::vector<float> values_of(const ShownRun& run, const SurfaceFrame& frame, ColorBy color_by) {
  const auto single = [](const std::vector<double>& values) {
    return std::vector<float>(values.begin(), values.end());
  };
  if (color_by == ColorBy::strain) return single(frame.strain);
  if (color_by == ColorBy::residual) return single(frame.residual);
  if (color_by == ColorBy::von_mises) {
    std::vector<float> stress = single(frame.von_mises);
    for (float& s : stress)
      if (!std::isfinite(s)) s = 0;  // of elements without volume
    return stress;
  }
  if (color_by == ColorBy::displacement) return displacement_of(run.surfaces(), frame);
  return {};
}

struct Legend {
  const char* title;
  const char* unit;
};
Legend legend_of(ColorBy color_by) {
  if (color_by == ColorBy::strain) return {"strain", "-"};
  if (color_by == ColorBy::residual) return {"residual", "N"};
  if (color_by == ColorBy::von_mises) return {"von Mises stress", "Pa"};
  return {"displacement", "m"};
}

// The materials that are to be seen, each with the next color of the palette.
std::map<int32_t, int> palette_of(const ShownRun& run) {
  std::map<int32_t, int> entries;
  for (const RecordedSurface& surface : run.surfaces())
    for (const int32_t material : surface.materials) entries.try_emplace(material, 0);
  int next = 0;
  for (auto& [material, entry] : entries) entry = next++;
  return entries;
}

Error not_recorded(ColorBy color_by) {
  return {"render.color_by", "= \"" + std::string(name_of(color_by)) + "\": the run did not record it",
          color_by == ColorBy::von_mises
              ? "run again with \"von_mises\" among output.fields, or use object, strain or displacement"
              : "use object, strain or displacement"};
}

Vec3f seen_from(const Vec3d& origin, const Vec3d& p) {
  const Vec3d d = p - origin;
  return {static_cast<float>(d.x), static_cast<float>(d.y), static_cast<float>(d.z)};
}
std::vector<Vec3f> seen_from(const Vec3d& origin, std::span<const Vec3d> points) {
  std::vector<Vec3f> seen;
  seen.reserve(points.size());
  for (const Vec3d& p : points) seen.push_back(seen_from(origin, p));
  return seen;
}

Bounds bounds_of(const std::vector<Vec3f>& points) {
  Bounds bounds;
  bounds.add(std::span<const Vec3f>(points));
  return bounds;
}

// Where some of several runs blow up, the others are to be seen: frames with more than this diagonal are not fitted
// into the view. The smallest run is small enough a guess of what has not.
Result<double> largest_in_view(ShownRuns runs, const Vec3d& origin) {
  constexpr double beyond = 3;
  double smallest = std::numeric_limits<double>::infinity();
  for (const ShownRun* const run : runs) {
    Bounds bounds;
    for (size_t k = 0; k < run->frame_count(); ++k) {
      const Result<SurfaceFrame> frame = run->frame(k);
      if (!frame) return frame.error();
      bounds.merge(bounds_of(seen_from(origin, frame->positions)));
    }
    smallest = std::min(smallest, bounds.diagonal());
  }
  return beyond * smallest;
}

// About an eighth of what the camera sees of its target's height.
double square_for(const Camera& camera) {
  const Vec3d view = camera.target - camera.eye;
  const double seen = 2 * std::tan(camera.vertical_fov_degrees * M_PI / 360) * std::sqrt(dot(view, view));
  return round_near(std::clamp(seen / 8, 1e-9, 1e9));
}

}  // namespace

Result<FilmStage> set_stage(ShownRuns runs, const Scene& scene, int width, int height, double frames_per_second,
                            int threads) {
  const RenderSettings& settings = scene.render;
  FilmStage stage;
  stage.origin = origin_of(runs.front()->surfaces());
  const Vec3d up = stage.up = scene.up == UpAxis::z ? Vec3d{0, 0, 1} : Vec3d{0, 1, 0};
  RenderOptions& o = stage.options;
  o.width = width;
  o.height = height;
  o.samples = settings.samples;
  o.threads = threads;
  o.ground = settings.ground;
  o.wireframe = settings.wireframe;
  const bool by_material = settings.color_by == ColorBy::material;
  const bool colored = settings.color_by != ColorBy::object && !by_material;
  if (by_material) {
    stage.palette = palette_of(*runs.front());
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

  const double aspect = static_cast<double>(width) / height;
  const CameraSettings& view = settings.camera;
  CameraPathOptions path;
  path.fit = default_view(up, aspect);
  path.fit.direction = {view.direction[0], view.direction[1], view.direction[2]};
  path.fit.vertical_fov_degrees = view.vertical_fov_degrees;
  if (colored || by_material) path.fit.right_margin = 0.12;
  path.frames_per_second = frames_per_second;
  // A camera that was put somewhere stays there.
  const bool fitted = !view.eye && !view.target;
  path.orbit_degrees = fitted ? view.orbit_degrees : 0;
  path.follow = !fitted || view.follow == CameraFollow::never ? Follow::never
                : view.follow == CameraFollow::always         ? Follow::always
                                                              : Follow::automatic;
  size_t frames = 0;
  for (const ShownRun* const run : runs) frames = std::max(frames, run->frame_count());
  if (Result<CameraFit> possible = CameraFit::create(path.fit); !possible) return possible.error();
  CameraPath cameras(path, frames);
  const Result<double> largest = largest_in_view(runs, stage.origin);
  if (!largest) return largest.error();
  Bounds bounds;
  float low = std::numeric_limits<float>::infinity(), high = -low;
  std::vector<float> sorted;
  for (const ShownRun* const run : runs) {
    for (size_t k = 0; k < run->frame_count(); ++k) {
      const Result<SurfaceFrame> frame = run->frame(k);
      if (!frame) return frame.error();
      const std::vector<Vec3f> points = seen_from(stage.origin, frame->positions);
      const Bounds own = bounds_of(points);
      if (own.diagonal() > *largest) continue;
      cameras.add(k, points);
      bounds.merge(own);
      sorted = values_of(*run, *frame, settings.color_by);
      if (sorted.empty()) continue;
      // A few corners must not take all the colours: the range ends where most of each frame's points lie.
      const auto rank = static_cast<std::ptrdiff_t>(range_share * static_cast<double>(sorted.size() - 1));
      std::nth_element(sorted.begin(), sorted.begin() + rank, sorted.end());
      high = std::max(high, sorted[static_cast<size_t>(rank)]);
      low = std::min(low, *std::min_element(sorted.begin(), sorted.end()));
    }
  }
  stage.around = bounds;
  for (const ShownRun* const run : runs) {
    const std::vector<RecordedCollider>& colliders = run->colliders();
    if (colliders.empty()) continue;
    const auto add = [&](size_t k, const std::vector<Vec3f>& points) {
      cameras.add(k, points);
      stage.around.merge(bounds_of(points));
    };
    const std::vector<Vec3f> at_rest =
        collider_points_in_view(*run, Colliders::at_rest, SurfaceFrame{}, stage.origin, bounds);
    const bool any_moves = std::any_of(colliders.begin(), colliders.end(), [](const auto& c) { return c.moves; });
    for (size_t k = 0; k < run->frame_count(); ++k) {
      add(k, at_rest);
      if (!any_moves) continue;
      const Result<SurfaceFrame> frame = run->frame(k);
      if (!frame) return frame.error();
      add(k, collider_points_in_view(*run, Colliders::moving, *frame, stage.origin, bounds));
    }
  }
  if (colored) {
    if (!(low <= high)) return not_recorded(settings.color_by);
    o.value_min = low;
    o.value_max = high;
  }
  Result<std::vector<Camera>> fitted_cameras = cameras.cameras();
  if (!fitted_cameras) return fitted_cameras.error();
  stage.cameras = std::move(*fitted_cameras);
  const auto vec = [&](const Real3& p) { return Vec3d{p[0], p[1], p[2]} - stage.origin; };
  for (Camera& camera : stage.cameras) {
    if (view.eye) camera.eye = vec(*view.eye);
    if (view.target) camera.target = vec(*view.target);
  }
  if (settings.ground && settings.ground_pattern == GroundPattern::squares) {
    o.ground_square = square_for(stage.cameras.front());
    if (runs.size() == 1) o.caption = "squares of " + length_text(o.ground_square);
  }
  if (settings.contacts) {
    Result<ForceScale> forces = force_scale(runs, square_for(stage.cameras.front()));
    if (!forces) return forces.error();
    stage.forces = *forces;
    if (runs.size() == 1) o.caption += (o.caption.empty() ? "" : ", ") + stage.forces->text();
  }
  return stage;
}

double ground_of(const ShownRun& run, const SurfaceFrame& frame, const FilmStage& stage) {
  // Slightly below the walls of boxes that stand on it.
  const double below = run.colliders().empty() ? 0 : 1e-3 * stage.around.diagonal();
  return floor_of(run, frame, stage.origin, stage.up).value_or(stage.around.lowest(stage.up)) - below;
}

RenderScene scene_of(const ShownRun& run, const SurfaceFrame& frame, const Scene& scene, const FilmStage& stage,
                     const Camera& camera) {
  RenderScene result;
  result.up = stage.up;
  const std::vector<float> values = values_of(run, frame, scene.render.color_by);
  int index = 0;
  for (const RecordedSurface& surface : run.surfaces()) {
    RenderMesh mesh;
    mesh.name = surface.name;
    mesh.object = index;
    // The facets of a mesh are its elements; those of a skin are only as many as its surface needed.
    mesh.smooth = scene.render.smooth.value_or(surface.vertices.empty());
    mesh.triangles = surface.triangles;
    const auto positions = points_of(surface, frame.positions);
    mesh.positions = seen_from(stage.origin, positions);
    mesh.rest_positions = seen_from(stage.origin, surface.rest);
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
  const ColliderView view{stage.origin, stage.up, stage.around, stage.options.ground, camera.eye};
  for (RenderMesh& mesh : collider_meshes(run, frame, scene, view)) result.meshes.push_back(std::move(mesh));
  return result;
}

}  // namespace sinew
