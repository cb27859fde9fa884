#include "dataset/sample_scene.h"

#include <filesystem>

#include "scene/check.h"
#include "scene/overrides.h"
#include "scene/reader.h"
#include "scene/value_text.h"

namespace sinew {

Result<SampleScenes> SampleScenes::of(const DatasetPlan& plan) {
  SampleScenes scenes(plan);
  Result<Json> document = parse_json(plan.scene, plan.scene_source);
  if (!document) return document.error();
  scenes.document_ = std::move(*document);
  return scenes;
}

// Names the parameter that sets what is wrong.
Error SampleScenes::fault_of(const Faults& faults, std::span<const double> values) const {
  const Error error = faults.error(plan_->scene_source);
  // It, or what it is a part of.
  const auto is_named = [&](const std::string& path) {
    for (size_t end = path.find('.'); end != std::string::npos; end = path.find('.', end + 1))
      if (faults.names(path.substr(0, end))) return true;
    return faults.names(path);
  };
  for (size_t p = 0; p < values.size(); ++p)
    for (const auto& [path, times] : plan_->parameters[p].paths)
      if (is_named(path))
        return {plan_->file,
                "parameters." + plan_->parameters[p].name + " = " + number_text(values[p]) + ": " + error.message(),
                ""};
  return error;
}

Result<Scene> SampleScenes::scene(std::span<const double> values) const {
  Json document = document_;
  for (size_t p = 0; p < values.size(); ++p) {
    const DatasetParameter& parameter = plan_->parameters[p];
    for (const auto& [path, times] : parameter.paths) {
      const std::vector<std::string> set = {path + "=" + number_text(times * values[p])};
      if (const Result<std::vector<std::string>> done = apply_overrides(document, set); !done)
        return Error{plan_->file + ": parameters." + parameter.name + ".path", "\"" + path + "\": " + done.error().what,
                     done.error().remedy};
    }
  }
  Faults faults;
  Scene scene = scene_from_json(document, faults);
  scene.source = plan_->scene_source;
  scene.base_folder = plan_->base_folder;
  if (scene.name.empty()) scene.name = std::filesystem::path(plan_->scene_source).stem().string();
  if (document.is_object()) check_meaning(scene, faults);
  if (!faults.empty()) return fault_of(faults, values);
  if (plan_->kind == DatasetKind::equilibrium) scene.time.quasistatic = true;
  return scene;
}

}  // namespace sinew
