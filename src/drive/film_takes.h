// What a film or a picture of a folder shows: one run, or those of a comparison, side by side under their names.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "drive/film_stage.h"
#include "record/run_reader.h"
#include "render/image.h"
#include "render/render.h"
#include "sinew/scene.h"

namespace sinew {

struct Takes {
  std::vector<RunReader> runs;
  std::vector<std::string> names;  // empty: one run
  size_t longest_run = 0;

  const RunReader& longest() const { return runs[longest_run]; }
  std::vector<const ShownRun*> shown() const;
};
// Errors: no run in the folder, damaged files.
Result<Takes> open_takes(const std::filesystem::path& folder);
// `every`: how far apart the recorded frames are.
Error no_such_frame(const RunReader& run, const std::filesystem::path& folder, int64_t wanted, int64_t every);
// Of a film whose pictures are so far apart. It plays at the speed of the simulation, but not slower or faster than a
// player can show.
double played_at(double seconds_apart);  // [frames per second]
// Errors: chains alone, which are points and springs, so that there is nothing of them to draw.
Status check_drawable(const ShownRun& run, const std::string& where);

// Pictures in rows, each of the size of a cell.
struct Grid {
  int columns = 1, rows = 1, cell_width, cell_height;

  Grid(int count, int width, int height);
  Image canvas() const;
  void place(const Image& cell, int number, Image& canvas) const;
};

// Frame k of the longest run, and of the others; one that ended before stays as it was in the end.
Result<Image> draw_frame(const Takes& takes, size_t k, const Scene& scene, const FilmStage& stage, const Grid& grid,
                         Renderer& renderer);
// Frame k of one run; `ended`: it stays as it was in the end. No caption: that of the stage.
Result<Image> draw_take(const ShownRun& run, size_t k, const Camera& camera, const Scene& scene, const FilmStage& stage,
                        bool ended, const std::string& caption, Renderer& renderer);

}  // namespace sinew
