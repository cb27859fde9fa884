// Pictures and films by path tracing: of a run, from its folder, and of a simulation as it is.
//
//   auto film = sinew::render_run("out/bar", {.width = 1280, .height = 720, .color_by = sinew::ColorBy::strain});
//   if (film && !film->no_film) std::printf("%s\n", film->film.c_str());
//   auto picture = sinew::draw_picture(simulation, {.set = {"width=640", "height=360", "color_by=strain"}});
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/progress.h"
#include "sinew/result.h"
#include "sinew/scene.h"
#include "sinew/simulation.h"

namespace sinew {

// What is given replaces the render settings of the scene.
struct FilmOptions {
  std::optional<int> width = {}, height = {};  // [px]
  std::optional<int> samples = {};             // paths per pixel
  std::optional<ColorBy> color_by = {};
  std::optional<bool> smooth = {}, wireframe = {}, contacts = {};
  std::optional<int64_t> frame = {};  // a single picture of this frame instead of a film
  int every = 1;                      // of the frames written
  int threads = 0;                    // 0: one per core; pictures do not depend on it
  // Set it to end, even within a picture; the film so far is finished, unless ffmpeg hangs.
  const std::atomic<bool>* interrupt = nullptr;
};

// Before the first picture: all input is good.
struct FilmStart {
  int64_t pictures = 0;               // to be made
  std::vector<std::string> warnings;  // which frames are missing, and why there will be no film or no text
};

struct FilmPicture {
  int64_t done = 0, pictures = 0;  // this one included, of all
  std::filesystem::path file;
};

struct FilmObserver {
  Listener<FilmStart> on_start = {};
  Listener<FilmPicture> on_picture = {};
};

struct FilmOutcome {
  std::filesystem::path pictures;  // folder, or the single picture, which is there if picture_count is not 0
  std::filesystem::path film;      // empty: none
  int64_t picture_count = 0;
  std::optional<Error> no_film;  // why there is none although one was asked for
  bool interrupted = false;      // before all was made
};

// `folder` is that of a run, or of a comparison that was recorded: then all its methods are side by side. Pictures go
// to FOLDER/pictures and the film to FOLDER/film.mp4, in place of those rendered before; a single picture goes to
// FOLDER/stills. Without ffmpeg the pictures are made all the same.
// Errors before on_start: no run in the folder, no such frame, damaged files, settings out of range, files in the way
// that no rendering made, links there, a build without path tracer. Afterwards: a full disk, a frame that cannot be
// shown.
Result<FilmOutcome> render_run(const std::filesystem::path& folder, const FilmOptions& options = {},
                               const FilmObserver& observer = {});

// A picture in memory: 8 bits a channel, sRGB.
struct Picture {
  int width = 0, height = 0;  // [px]
  std::vector<uint8_t> rgb;   // 3 x width x height, row by row from the top
};

struct PictureOptions {
  // Values in place of those that the scene has for `render`, as read_scene takes them: "width=640",
  // "color_by=von_mises", "camera.eye=[0, 1, 2]".
  std::vector<std::string> set = {};
  int threads = 0;                               // 0: one per core; pictures do not depend on it
  const std::atomic<bool>* interrupt = nullptr;  // set it to stop; the result is then an Error
};

// A frame of the run, or of the runs of a comparison side by side, as render_run draws it; none: the last. Nothing is
// written. Errors: as of render_run.
Result<Picture> draw_picture(const std::filesystem::path& folder, std::optional<int64_t> frame = {},
                             const PictureOptions& options = {});
// The simulation as it is. View, colours and ground are those of this state alone. All that can be shown is measured,
// whatever the scene records. Errors: settings out of range, no object with a surface, a state that is not finite, a
// build without path tracer.
Result<Picture> draw_picture(const Simulation& simulation, const PictureOptions& options = {});

// The picture as a PNG file has it. `rgb` may be of any picture of 8 bits. Errors: not 3 x width x height bytes, a
// build without path tracer.
Result<std::string> encode_png(int width, int height, std::span<const uint8_t> rgb);

// Whether this build has the path tracer.
bool can_render();

// Errors: a side or a number of pixels out of range, as "must have ...".
Status check_picture_size(int width, int height);

}  // namespace sinew
