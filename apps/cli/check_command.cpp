#include <CLI/CLI.hpp>
#include <memory>

#include "commands.h"
#include "console.h"
#include "sinew/check.h"
#include "sinew/scene_file.h"
#include "text.h"
#include "usage.h"

namespace sinew::cli {
namespace {

struct CheckArguments {
  std::string scene, picture;
  std::vector<std::string> overrides;
  bool resolved = false, schema = false, reference = false;
};

int check(const CheckArguments& a) {
  if (a.schema) std::fputs(scene_schema().c_str(), stdout);
  if (a.reference) std::fputs(scene_reference().c_str(), stdout);
  if (a.schema || a.reference) return exit_done;
  if (a.scene.empty()) {
    error("no scene given; see sinew check --help");
    return exit_usage;
  }
  const Result<Scene> scene = read_scene(a.scene, a.overrides);
  if (!scene) {
    error(scene.error().message());
    return exit_usage;
  }
  if (a.resolved) {
    std::printf("%s\n", resolved_json(*scene).c_str());
    return exit_done;
  }
  ProgressBar setup(0, 1);
  CheckOptions options;
  options.picture = a.picture;
  const Result<SceneSummary> summary = check_scene(*scene, options, {.on_progress = [&](const Progress& now) {
    setup.update_share(now.share, {"setting up: " + now.stage});
  }});
  setup.finish();
  if (!summary) {
    error(summary.error().message());
    return exit_usage;
  }
  for (const std::string& w : summary->warnings) warning(w);
  if (!a.picture.empty()) info("picture: " + a.picture);
  std::string ties;
  const auto tell = [&](int64_t n, const char* one, const char* many) {
    if (n > 0) ties += " " + counted(n, one, many) + ",";
  };
  tell(summary->springs, "spring", "springs");
  tell(summary->bound_vertices, "bound vertex", "bound vertices");
  tell(summary->fibres, "fibre", "fibres");
  info(format("%s: valid. %s, %s (%d held), %s,%s %.4g kg; %s of %.4g s, %s each; solver %s", a.scene.c_str(),
              counted(summary->objects, "object").c_str(), counted(summary->vertices, "vertex", "vertices").c_str(),
              summary->held, elements_text(summary->tets, summary->triangles).c_str(), ties.c_str(), summary->mass,
              counted(summary->frames, "frame").c_str(), scene->time.frame_dt,
              counted(scene->time.substeps, "step").c_str(), scene->solver.type.c_str()));
  return exit_done;
}

}  // namespace

void add_check(CLI::App& app, int& exit_code) {
  auto a = std::make_shared<CheckArguments>();
  CLI::App* c = app.add_subcommand("check", "Check a scene without running it");
  c->add_option("scene", a->scene, "scene file (JSON)")->check(not_empty())->type_name("FILE");
  add_overrides(*c, a->overrides, "solver.iterations=40");
  c->add_option("--picture", a->picture, "draw the start to this PNG file, with what intersects in red")
      ->check(not_empty())
      ->type_name("FILE");
  c->add_flag("--resolved", a->resolved, "print the scene with every default written out");
  c->add_flag("--schema", a->schema, "print the JSON Schema of scenes, for editors");
  c->add_flag("--reference", a->reference, "print the reference of every key, as Markdown");
  c->footer(
      "Examples:\n"
      "  sinew check scene.json                                   report every error, without running it\n"
      "  sinew check scene.json --picture start.png               show where bodies intersect at the start\n"
      "  sinew check scene.json --resolved                        print it with every default\n"
      "  sinew check scene.json --set objects.bar.material=steel  try a change\n"
      "  sinew check --schema > sinew.schema.json                 for completion in an editor");
  c->callback([a, &exit_code] { exit_code = check(*a); });
}

}  // namespace sinew::cli
