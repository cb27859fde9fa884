#include "drive/film_takes.h"

#include <algorithm>
#include <utility>

#include "base/format.h"
#include "base/nearest.h"
#include "drive/recording.h"

namespace sinew {

namespace fs = std::filesystem;

std::vector<const ShownRun*> Takes::shown() const {
  std::vector<const ShownRun*> all;
  for (const RunReader& run : runs) all.push_back(&run);
  return all;
}

Result<Takes> open_takes(const fs::path& folder) {
  Takes takes;
  const std::vector<fs::path> compared = compared_runs(folder);
  for (const fs::path& one : compared.empty() ? std::vector{folder} : compared) {
    Result<RunReader> run = open_run(one);
    if (!run) return run.error();
    if (!compared.empty()) takes.names.push_back(compared_name(one));
    takes.runs.push_back(std::move(*run));
    if (takes.runs.back().frame_count() > takes.longest().frame_count()) takes.longest_run = takes.runs.size() - 1;
  }
  return takes;
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

double played_at(double seconds_apart) {
  constexpr double slowest = 10, fastest = 60, usual = 30;
  return std::clamp(seconds_apart > 0 ? 1 / seconds_apart : usual, slowest, fastest);
}

Status check_drawable(const ShownRun& run, const std::string& where) {
  for (const RecordedSurface& surface : run.surfaces())
    if (!surface.triangles.empty()) return {};
  return Error{where, "none of its objects has a surface to draw: chains are points and springs",
               "look at frames.pvd in ParaView, or bind something to them"};
}

Grid::Grid(int count, int width, int height) {
  while (columns * columns < count) ++columns;
  rows = (count + columns - 1) / columns;
  cell_width = width / columns;
  cell_height = height / columns;
}
Image Grid::canvas() const {
  Image image{columns * cell_width, rows * cell_height, {}};
  image.rgb.assign(3 * static_cast<size_t>(image.width) * static_cast<size_t>(image.height), 255);
  return image;
}
void Grid::place(const Image& cell, int number, Image& canvas) const {
  const int left = number % columns * cell_width, top = number / columns * cell_height;
  for (int y = 0; y < cell.height; ++y)
    std::copy_n(cell.pixel(0, y), 3 * static_cast<size_t>(cell.width), canvas.pixel(left, top + y));
}

Result<Image> draw_take(const ShownRun& run, size_t k, const Camera& camera, const Scene& scene, const FilmStage& stage,
                        bool ended, const std::string& caption, Renderer& renderer) {
  const Result<SurfaceFrame> frame = run.frame(k);
  if (!frame) return frame.error();
  RenderOptions options = stage.options;
  options.stamp = format(ended ? "ended at t = %.2f s" : "t = %.2f s", frame->time);
  if (!caption.empty()) options.caption = caption;
  options.ground_height = ground_of(run, *frame, stage);
  RenderScene seen = scene_of(run, *frame, scene, stage, camera);
  if (stage.forces) {
    Result<std::vector<RenderLine>> arrows = contact_arrows(run, k, *stage.forces, stage.origin);
    if (!arrows) return arrows.error();
    seen.lines = std::move(*arrows);
  }
  return renderer.render(seen, camera, options);
}

Result<Image> draw_frame(const Takes& takes, size_t k, const Scene& scene, const FilmStage& stage, const Grid& grid,
                         Renderer& renderer) {
  Image image = grid.canvas();
  for (size_t take = 0; take < takes.runs.size(); ++take) {
    const RunReader& run = takes.runs[take];
    const size_t last = run.frame_count() - 1;
    const Result<Image> cell = draw_take(run, std::min(k, last), stage.cameras[k], scene, stage, k > last,
                                         takes.names.empty() ? "" : takes.names[take], renderer);
    if (!cell) return cell.error();
    grid.place(*cell, static_cast<int>(take), image);
  }
  return image;
}

}  // namespace sinew
