#include <CLI/CLI.hpp>
#include <memory>

#include "base/format.h"
#include "commands.h"
#include "console.h"
#include "scene/film.h"

namespace sinew::cli {
namespace {

struct RenderArguments {
  std::string folder, color_by, size, shading;
  int samples = 0, every = 1, threads = 0;
  int64_t frame = -1;
  bool wireframe = false;
};

int render(const RenderArguments& a) {
  FilmSettings settings;
  if (!a.size.empty()) {
    int width = 0, height = 0;
    char end = 0;
    if (std::sscanf(a.size.c_str(), "%dx%d%c", &width, &height, &end) != 2) {
      error("--size " + a.size + ": must be WIDTHxHEIGHT, e.g. 1280x720");
      return exit_usage;
    }
    settings.width = width;
    settings.height = height;
  }
  if (a.samples > 0) settings.samples = a.samples;
  if (!a.color_by.empty()) settings.color_by = a.color_by;
  if (!a.shading.empty()) settings.smooth = a.shading == "smooth";
  if (a.wireframe) settings.wireframe = true;
  if (a.frame >= 0) settings.frame = a.frame;
  settings.every = a.every;
  settings.threads = a.threads;
  settings.interrupt = catch_interrupts();

  std::unique_ptr<ProgressBar> bar;
  const Result<FilmOutcome> outcome = render_run(a.folder, settings, [&](int64_t done, int64_t total) {
    if (!bar) bar = std::make_unique<ProgressBar>(0, total);
    bar->update(done, "pictures");
  });
  bar.reset();
  if (!outcome) {
    error(outcome.error().message());
    return exit_failed;
  }
  if (!outcome->note.empty()) warning(outcome->note);
  info((a.frame >= 0 ? "picture: " : "pictures: ") + outcome->pictures.string());
  if (!outcome->film.empty()) info("film: " + outcome->film.string());
  return outcome->interrupted ? exit_interrupted : exit_done;
}

}  // namespace

void add_render(CLI::App& app, int& exit_code) {
  auto a = std::make_shared<RenderArguments>();
  CLI::App* c = app.add_subcommand("render", "Make pictures and a film of a run");
  c->add_option("folder", a->folder, "output folder of `sinew run`")->required()->type_name("FOLDER");
  c->add_option("--color-by", a->color_by, "object, strain, displacement or residual; default: as the scene says")
      ->check(CLI::IsMember({"object", "strain", "displacement", "residual"}))
      ->type_name("WHAT");
  c->add_option("--size", a->size, "e.g. 1280x720; default: as the scene says")->type_name("WxH");
  c->add_option("--samples", a->samples, "light paths per pixel; default: as the scene says")
      ->check(CLI::Range(1, 4096))
      ->type_name("N");
  c->add_option("--shading", a->shading, "smooth or flat; default: as the scene says")
      ->check(CLI::IsMember({"smooth", "flat"}))
      ->type_name("HOW");
  c->add_flag("--wireframe", a->wireframe, "draw the mesh");
  c->add_option("--frame", a->frame, "one picture of this frame, no film")
      ->check(CLI::Range(int64_t{0}, int64_t{1000000000}))
      ->type_name("N");
  c->add_option("--every", a->every, "every N-th frame only")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str()
      ->type_name("N");
  c->add_option("--threads", a->threads, "threads; 0: one per core")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str()
      ->type_name("N");
  c->footer(
      "Pictures go to FOLDER/pictures, the film to FOLDER/film.mp4.\n\nExamples:\n"
      "  sinew render out/twist\n"
      "  sinew render out/twist --frame 120 --size 1920x1080 --samples 64 --color-by strain");
  c->callback([a, &exit_code] { exit_code = render(*a); });
}

}  // namespace sinew::cli
