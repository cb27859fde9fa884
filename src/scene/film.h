// `sinew render`: pictures and a film of a run, from its output folder.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "base/result.h"

namespace sinew {

// What is given replaces the scene's own render settings.
struct FilmSettings {
  std::optional<int> width, height, samples;
  std::optional<std::string> color_by;  // object, strain, displacement, residual
  std::optional<bool> smooth, wireframe;
  std::optional<int64_t> frame;  // a single picture of this frame instead of a film
  int every = 1;                 // of the frames written
  int threads = 0;
  const std::atomic<bool>* interrupt = nullptr;  // set: end after this picture; the film so far is finished
};

struct FilmOutcome {
  std::filesystem::path pictures;  // folder, or the single picture
  std::filesystem::path film;      // empty: none
  int64_t picture_count = 0;
  std::string note;  // why there is no film, or no text
  bool interrupted = false;
};

// Pictures go to FOLDER/pictures, the film to FOLDER/film.mp4; progress(k, n) after each picture.
// Errors: no run in the folder, no frames, the build has no path tracer, a full disk. Without ffmpeg the pictures are
// made all the same, and the note says which package to install.
Result<FilmOutcome> render_run(const std::filesystem::path& folder, const FilmSettings& settings,
                               const std::function<void(int64_t, int64_t)>& progress);

}  // namespace sinew
