// `sinew render`: pictures and a film of a run, from its output folder.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace sinew {

// What is given replaces the scene's own render settings.
struct FilmSettings {
  std::optional<int> width, height, samples;
  std::optional<std::string> color_by;  // as render.color_by of a scene
  std::optional<bool> smooth, wireframe;
  std::optional<int64_t> frame;  // a single picture of this frame instead of a film
  int every = 1;                 // of the frames written
  int threads = 0;
  // Set: end after this picture; the film so far is finished, unless ffmpeg hangs (render/film_writer.h).
  const std::atomic<bool>* interrupt = nullptr;
};

// Before the first picture: all input is good. The warnings say which frames are missing, and why there will be no
// film or no text.
struct FilmStart {
  int64_t pictures = 0;
  std::vector<std::string> warnings;
};

struct FilmListener {
  std::function<void(const FilmStart&)> on_start;
  std::function<void(int64_t done)> on_picture;
};

struct FilmOutcome {
  std::filesystem::path pictures;  // folder, or the single picture
  std::filesystem::path film;      // empty: none
  int64_t picture_count = 0;
  std::optional<Error> no_film;  // why there is none although one was asked for
  bool interrupted = false;      // before all was made
};

// Pictures go to FOLDER/pictures, the film to FOLDER/film.mp4, in place of those rendered before; a single picture goes
// to FOLDER/stills. Without ffmpeg the pictures are made all the same.
// Errors before the start: no run in the folder, no such frame, damaged files, settings out of range, files in the way
// that no rendering made, links there, the build has no path tracer. Afterwards: a full disk, a frame that cannot be
// shown.
Result<FilmOutcome> render_run(const std::filesystem::path& folder, const FilmSettings& settings,
                               const FilmListener& listener);

}  // namespace sinew
