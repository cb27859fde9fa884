// What the pictures of a film have in common, and each picture's content.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "base/result.h"
#include "drive/film_contacts.h"
#include "math/bounds.h"
#include "math/vec.h"
#include "record/shown_run.h"
#include "render/camera_path.h"
#include "render/render_options.h"
#include "render/render_scene.h"
#include "sinew/scene.h"

namespace sinew {

// Camera, ground and colour range over all frames of all runs of a film.
struct FilmStage {
  Vec3d up;
  Vec3d origin;                    // what camera, ground and pictures are relative to (record/origin.h)
  std::map<int32_t, int> palette;  // of materials, where they are what colours show
  std::vector<Camera> cameras;     // by frame of the longest run
  Bounds around;                   // what bodies and colliders of their size take up, relative to the origin
  RenderOptions options;
  std::optional<ForceScale> forces;  // of arrows for contacts, if these are shown
};

// The runs have the same objects; pictures of `width` times `height` pixels, so many a second. Errors: damaged frames,
// nothing recorded of what the colours are to show.
Result<FilmStage> set_stage(ShownRuns runs, const Scene& scene, int width, int height, double frames_per_second,
                            int threads);

// What a camera sees of a frame.
RenderScene scene_of(const ShownRun& run, const SurfaceFrame& frame, const Scene& scene, const FilmStage& stage,
                     const Camera& camera);
// The height of its ground, relative to the origin.
double ground_of(const ShownRun& run, const SurfaceFrame& frame, const FilmStage& stage);

}  // namespace sinew
