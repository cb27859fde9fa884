#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <set>

#include "base/counted.h"
#include "base/format.h"
#include "commands.h"
#include "console.h"
#include "drive/disk_files.h"
#include "engine/engine.h"
#include "sinew/scene_file.h"
#include "usage.h"

namespace sinew::cli {
namespace {

struct CheckArguments {
  std::string scene;
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
  const Result<std::unique_ptr<Engine>> engine = Engine::create(
      *scene, std::make_shared<DiskFiles>(), 0,
      [&](const char* what, double share) { setup.update_share(share, {std::string("setting up: ") + what}); });
  setup.finish();
  if (!engine) {
    error(engine.error().message());
    return exit_usage;
  }
  const CompiledScene& compiled = (*engine)->compiled;
  for (const std::string& w : compiled.warnings) warning(w);
  std::set<int32_t> held;  // each once, and only vertices of bodies
  for (const PinScript& pin : compiled.pins)
    for (const int32_t slot : pin.slots)
      if (compiled.model.mass[static_cast<size_t>(slot)] > 0) held.insert(slot);
  double mass = 0;
  for (const double m : compiled.model.mass) mass += m;
  std::string ties;
  if (const Ties& all = compiled.model.ties; !all.empty()) {
    const auto count = [&](TieKind kind) {
      return static_cast<int64_t>(
          std::count_if(all.laws.begin(), all.laws.end(), [&](const TieLaw<double>& law) { return law.kind == kind; }));
    };
    const auto tell = [&](TieKind kind, const char* one, const char* many) {
      if (const int64_t n = count(kind); n > 0) ties += " " + counted(n, one, many) + ",";
    };
    tell(TieKind::Spring, "spring", "springs");
    tell(TieKind::WeakConstraint, "bound vertex", "bound vertices");
    tell(TieKind::Fibre, "fibre", "fibres");
  }
  info(format("%s: valid. %s, %s (%zu held), %s,%s %.4g kg; %s of %.4g s, %s each; solver %s", a.scene.c_str(),
              counted(static_cast<int64_t>(compiled.objects.size()), "object").c_str(),
              counted(compiled.model.order.vertex_count(), "vertex", "vertices").c_str(), held.size(),
              elements_text(static_cast<int64_t>(compiled.model.tets.size()), compiled.triangle_count()).c_str(),
              ties.c_str(), mass, counted((*engine)->frame_count(), "frame").c_str(), scene->time.frame_dt,
              counted(scene->time.substeps, "step").c_str(), scene->solver.type.c_str()));
  return exit_done;
}

}  // namespace

void add_check(CLI::App& app, int& exit_code) {
  auto a = std::make_shared<CheckArguments>();
  CLI::App* c = app.add_subcommand("check", "Check a scene without running it");
  c->add_option("scene", a->scene, "scene file (JSON)")->check(not_empty())->type_name("FILE");
  add_overrides(*c, a->overrides, "solver.iterations=40");
  c->add_flag("--resolved", a->resolved, "print the scene with every default written out");
  c->add_flag("--schema", a->schema, "print the JSON Schema of scenes, for editors");
  c->add_flag("--reference", a->reference, "print the reference of every key, as Markdown");
  c->footer(
      "Examples:\n"
      "  sinew check scene.json                                   report every error, without running it\n"
      "  sinew check scene.json --resolved                        print it with every default\n"
      "  sinew check scene.json --set objects.bar.material=steel  try a change\n"
      "  sinew check --schema > sinew.schema.json                 for completion in an editor");
  c->callback([a, &exit_code] { exit_code = check(*a); });
}

}  // namespace sinew::cli
