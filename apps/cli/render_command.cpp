#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "commands.h"
#include "console.h"
#include "sinew/render.h"
#include "usage.h"

namespace sinew::cli {
namespace {

struct RenderArguments {
  std::string folder, color_by, size, shading;
  int samples = 0, every = 1, threads = 0, lanes = 0;
  int64_t frame = -1;
  bool wireframe = false, contacts = false;
};

int render(const RenderArguments& a) {
  FilmOptions settings;
  if (!a.size.empty()) {
    // At most as many digits as always fit into an int.
    int width = 0, height = 0;
    char end = 0;
    if (std::sscanf(a.size.c_str(), "%8dx%8d%c", &width, &height, &end) != 2) {
      error("--size " + a.size + ": must be WIDTHxHEIGHT, e.g. 1280x720");
      return exit_usage;
    }
    if (const Status good = check_picture_size(width, height); !good) {
      error("--size " + a.size + ": the picture " + good.error().what);
      return exit_usage;
    }
    settings.width = width;
    settings.height = height;
  }
  if (a.samples > 0) settings.samples = a.samples;
  if (!a.color_by.empty()) settings.color_by = named<ColorBy>(a.color_by);
  if (!a.shading.empty()) settings.smooth = a.shading == "smooth";
  if (a.wireframe) settings.wireframe = true;
  if (a.contacts) settings.contacts = true;
  if (a.frame >= 0) settings.frame = a.frame;
  settings.every = a.every;
  settings.threads = a.threads;
  settings.interrupt = catch_interrupts("stopping; the pictures so far are kept");

  std::unique_ptr<ProgressBar> bar;
  bool started = false;
  std::vector<std::string> told;
  FilmObserver observer;
  observer.on_start = [&](const FilmStart& start) {
    started = true;
    told = start.warnings;
    for (const std::string& w : told) warning(w);
    bar = std::make_unique<ProgressBar>(0, start.pictures);
  };
  observer.on_picture = [&](const FilmPicture& picture) { bar->update(picture.done, {"pictures"}); };
  const Result<FilmOutcome> outcome = render_run(a.folder, settings, observer);
  bar.reset();
  if (!outcome) {
    error(outcome.error().message());
    return started || !can_render() ? exit_failed : exit_usage;
  }
  if (outcome->picture_count > 0) info((a.frame >= 0 ? "picture: " : "pictures: ") + outcome->pictures.string());
  if (!outcome->film.empty()) info("film: " + outcome->film.string());
  if (outcome->no_film) {
    const std::string reason = outcome->no_film->message();
    const bool known = std::find(told.begin(), told.end(), reason) != told.end();
    error(known ? "there is no film, for the reason given at the start" : reason);
  }
  if (outcome->interrupted) return interrupted_exit();
  return outcome->no_film ? exit_failed : exit_done;
}

}  // namespace

void add_render(CLI::App& app, int& exit_code) {
  auto a = std::make_shared<RenderArguments>();
  CLI::App* c = app.add_subcommand("render", "Make pictures and a film of a run");
  c->add_option("folder", a->folder, "output folder of `sinew run`, or of `sinew compare --record`")
      ->required()
      ->check(not_empty())
      ->type_name("FOLDER");
  c->add_option("--color-by", a->color_by,
                "object, material, strain, von_mises, displacement or residual; default: that of the scene")
      ->check(one_of(words_of<ColorBy>()))
      ->type_name("WHAT");
  c->add_option("--size", a->size, "e.g. 1280x720; default: that of the scene")->type_name("WxH");
  c->add_option("--samples", a->samples, "light paths per pixel; default: those of the scene")
      ->transform(whole(1, 4096))
      ->type_name("N");
  c->add_option("--shading", a->shading,
                "smooth or flat; default: that of the scene, or else smooth skins and flat meshes")
      ->check(one_of({"smooth", "flat"}))
      ->type_name("HOW");
  c->add_flag("--wireframe", a->wireframe, "draw the mesh");
  c->add_flag("--contacts", a->contacts, "draw the forces of contacts; the run needs output.contacts = true");
  CLI::Option* frame = c->add_option("--frame", a->frame, "render a single picture of this frame")
                           ->transform(whole(0, 1000000000))
                           ->type_name("N");
  c->add_option("--every", a->every, "render every N-th frame only")
      ->excludes(frame)
      ->transform(whole(1, 1000000))
      ->capture_default_str()
      ->type_name("N");
  c->add_option("--threads", a->threads, "threads; 0: one per core")
      ->transform(whole(0, 1024))
      ->capture_default_str()
      ->type_name("N");
  add_lanes(*c, a->lanes, 4);
  c->footer(
      "Pictures go to FOLDER/pictures and the film to FOLDER/film.mp4, and replace earlier ones; the picture "
      "of\n"
      "--frame goes to FOLDER/stills. Without ffmpeg there are pictures and no film, and the exit code is 1.\n\n"
      "Examples:\n"
      "  sinew render out/twist\n"
      "  sinew render out/twist --frame 120 --size 1920x1080 --samples 64 --color-by strain");
  c->callback([a, &exit_code] { exit_code = render(*a); });
}

}  // namespace sinew::cli
