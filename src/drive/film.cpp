#include "sinew/render.h"

#include <utility>

#include "base/nearest.h"
#include "drive/film_stage.h"
#include "drive/film_takes.h"
#include "render/film_writer.h"
#include "render/png.h"
#include "render/render.h"
#include "sinew/folder.h"
#include "sinew/scene_file.h"

namespace sinew {

namespace fs = std::filesystem;

namespace {

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

}  // namespace

Result<FilmOutcome> render_run(const fs::path& folder, const FilmOptions& settings, const FilmObserver& observer) {
  Result<Takes> takes = open_takes(folder);
  if (!takes) return takes.error();
  const RunReader& run = takes->longest();
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
  if (settings.contacts) looks.contacts = *settings.contacts;

  FilmStart start;
  for (const RecordedSurface& surface : run.surfaces())
    if (surface.triangles.empty())
      start.warnings.push_back("objects." + surface.name + " has no surface and is not in the pictures");
  if (Status s = check_drawable(run, folder.string()); !s.ok()) return s.error();

  if (run.colliders().empty() && !scene->colliders.empty())
    start.warnings.push_back(
        "surface/colliders.bin is missing: the colliders are not in the pictures; to have them run "
        "again with --overwrite");

  // The view holds all frames, so that a film of every tenth and a single picture have the same.
  const int64_t recorded_every = scene->output.every;
  std::vector<size_t> wanted;
  for (size_t k = 0; k < run.frame_count(); ++k) {
    const int64_t number = run.frame_number(k);
    if (settings.frame ? number == *settings.frame : number / recorded_every % settings.every == 0) wanted.push_back(k);
  }
  if (wanted.empty()) return no_such_frame(run, folder, settings.frame.value_or(0), recorded_every);
  const Grid grid(static_cast<int>(takes->runs.size()), looks.width, looks.height);
  const double recorded = static_cast<double>(recorded_every) * run.summary().frame_dt;
  Result<FilmStage> stage =
      set_stage(takes->shown(), *scene, grid.cell_width, grid.cell_height, played_at(recorded), settings.threads);
  if (!stage) return stage.error();
  for (const Camera& camera : stage->cameras)
    if (Status s = check_picture(stage->options, camera, stage->up); !s.ok()) return s.error();

  start.pictures = static_cast<int64_t>(wanted.size());
  if (const std::string gaps = missing_frames(run, recorded_every); !gaps.empty()) start.warnings.push_back(gaps);
  for (const std::string& name : run.foreign_frames())
    start.warnings.push_back(name + " is not a file of this run, and is left out");
  if (Status text = text_available(); !text.ok()) start.warnings.push_back(text.error().message());

  // Where it all goes, without what was there.
  FilmOutcome outcome;
  outcome.pictures = settings.frame ? folder / OutputPaths::still_name(*settings.frame) : paths.pictures();
  const auto name_of_picture = [&](size_t k) {
    return settings.frame ? OutputPaths::still_name(run.frame_number(k))
                          : OutputPaths::picture_name(run.frame_number(k));
  };
  if (Status s = check_writable(folder); !s.ok()) return s.error();
  Result<Manifest> manifest = Manifest::open(folder, takes->names.empty() ? FolderKind::run : FolderKind::comparison);
  if (!manifest) return manifest.error();
  std::vector<std::string> planned;
  for (const size_t k : wanted) planned.push_back(name_of_picture(k));
  if (!settings.frame) planned.emplace_back("film.mp4");
  if (Status s = manifest->check(planned); !s.ok()) return Error{s.error().where, s.error().what, "move it away"};
  if (!settings.frame) {
    if (Status s = clear_film(*manifest); !s.ok()) return s.error();
  }
  if (Status s = manifest->make_folder(settings.frame ? "stills" : "pictures"); !s.ok()) return s.error();

  // The film, if there is to be one; without it the pictures remain.
  std::optional<FilmWriter> film;
  const auto give_up_film = [&](const Error& error) {
    film.reset();
    outcome.no_film = error;
  };
  if (!settings.frame) {
    FilmWriterOptions options;
    options.interrupt = settings.interrupt;
    options.frames_per_second = played_at(recorded * settings.every);
    Result<FilmWriter> writer =
        FilmWriter::open(paths.film().string(), grid.columns * grid.cell_width, grid.rows * grid.cell_height, options);
    if (writer) {
      film.emplace(std::move(*writer));
    } else {
      give_up_film(writer.error());
      start.warnings.push_back(outcome.no_film->message());
    }
  }
  const Error not_begun{paths.film().string(), "was not begun: interrupted", ""};
  if (!observer.on_start(start)) {
    outcome.interrupted = true;
    if (!settings.frame) give_up_film(not_begun);
    return outcome;
  }

  const auto is_over = [&] { return settings.interrupt && settings.interrupt->load(); };
  stage->options.interrupt = settings.interrupt;
  Renderer renderer;
  for (const size_t k : wanted) {
    const Result<Image> image = draw_frame(*takes, k, *scene, *stage, grid, renderer);
    if (!image && is_over()) break;
    if (!image) return image.error();
    const std::string picture = name_of_picture(k);
    if (Status s = manifest->claim(picture); !s.ok()) return s.error();
    if (Status s = write_png((folder / picture).string(), *image); !s.ok()) return s.error();
    if (film) {
      if (Status s = film->add(*image); !s.ok()) give_up_film(s.error());
    }
    ++outcome.picture_count;
    const bool go_on = observer.on_picture({outcome.picture_count, start.pictures, folder / picture});
    if (!go_on || is_over()) break;
  }
  outcome.interrupted = outcome.picture_count < start.pictures;
  if (film && outcome.picture_count == 0) give_up_film(not_begun);
  if (film) {
    // On the list only with a film: one that the user makes of the pictures is the user's.
    Status s = manifest->claim("film.mp4");
    if (s.ok()) s = film->finish();
    if (s.ok())
      outcome.film = paths.film();
    else
      give_up_film(s.error());
    outcome.interrupted |= !s.ok() && is_over();
  }
  return outcome;
}

}  // namespace sinew
