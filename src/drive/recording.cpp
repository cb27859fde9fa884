#include "drive/recording.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>

#include "base/format.h"
#include "base/nearest.h"
#include "base/version.h"
#include "compile/precision.h"
#include "drive/collider_frame.h"
#include "drive/resume.h"
#include "record/file_error.h"
#include "scene/pin_names.h"
#include "sinew/lanes.h"
#include "sinew/scene_file.h"

namespace sinew {

namespace fs = std::filesystem;

RunDescription describe_run(const Scene& scene, CompiledScene& compiled, ThreadPool& pool) {
  RunDescription d;
  d.model = &compiled.model;
  d.regions = std::move(compiled.regions);
  for (ObjectPart& part : compiled.objects) {
    if (part.skin) {
      part.surface = {};
      part.surface_materials = {};
    }
    d.objects.push_back({part.name, part.first_vertex, part.last_vertex, part.first_tet, part.last_tet,
                         std::move(part.surface), std::move(part.surface_materials), std::move(part.skin)});
  }
  d.colliders = recorded_colliders(compiled);
  for (const ProbePart& probe : compiled.probes) d.columns.probes.push_back(probe.name);
  for (size_t k = 0; k < scene.pins.size(); ++k) d.columns.pins.push_back(pin_name(scene.pins[k], k));
  d.columns.contact = !compiled.contact_surface.empty();
  d.columns.grid = !compiled.model.grid.empty();
  d.material_of_block = compiled.material_of_block;
  d.fibre_tets = std::move(compiled.fibre_tets);
  for (size_t k = 0; k < scene.materials.size(); ++k)
    d.info.numbers.emplace_back("material " + scene.materials[k].name, static_cast<int32_t>(k));
  for (const ObjectPart& part : compiled.objects)
    for (const MeshGroup& group : part.groups)
      if (group.is_region) d.info.numbers.emplace_back(joined({"region ", part.name, ".", group.name}), group.label);
  d.info.scene_json = resolved_json(scene);
  std::error_code ignored;
  const fs::path base = scene.base_folder.empty() ? "." : scene.base_folder;
  d.info.scene_folder = fs::absolute(base, ignored).lexically_normal().string();
  d.info.scene_hash = trajectory_hash(scene, compiled);
  d.info.version = version;
  d.info.commit = commit;
  d.info.threads = pool.size();
  d.info.lanes = lanes_in_use();
  d.info.up = scene.up == UpAxis::z ? 'z' : 'y';
  d.info.frame_dt = scene.time.frame_dt;
  for (const CompileStage& stage : compiled.stages) {
    d.info.setup_milliseconds.emplace_back(stage.name, stage.milliseconds);
  }
  const auto wants = [&](SurfaceCache cache) {
    const auto& caches = scene.output.surface_caches;
    return std::find(caches.begin(), caches.end(), cache) != caches.end();
  };
  d.options.vtu = scene.output.vtu;
  const auto shows = [&](FrameField field) {
    const auto& fields = scene.output.fields;
    return std::find(fields.begin(), fields.end(), field) != fields.end();
  };
  d.options.fields = {shows(FrameField::stress), shows(FrameField::principal_stress), shows(FrameField::von_mises),
                      shows(FrameField::reaction), shows(FrameField::pinned)};
  d.options.contacts = scene.output.contacts;
  d.options.in_double = !in_single_precision(scene.solver, compiled);
  d.options.every = scene.output.every;
  d.options.pc2 = wants(SurfaceCache::pc2);
  d.options.mdd = wants(SurfaceCache::mdd);
  d.options.checkpoint_every = scene.output.checkpoint_every;
  d.pool = &pool;
  return d;
}

namespace {

// Before a label in the name of its run's folder.
constexpr size_t number_width = 3;

bool is_compared_run(const fs::path& folder) {
  const std::string name = folder.filename().string();
  const auto digit = [&](size_t k) { return std::isdigit(static_cast<unsigned char>(name[k])) != 0; };
  std::error_code none;
  return name.size() > number_width && digit(0) && digit(1) && name[2] == ' ' &&
         fs::exists(OutputPaths(folder).run_file(), none);
}

}  // namespace

fs::path compared_run(const fs::path& folder, size_t number, const std::string& label) {
  std::string name = format("%02zu ", number) + label.substr(0, 200);
  for (char& c : name) {
    if (c == ':' || c == ',' || static_cast<unsigned char>(c) < ' ') c = ' ';
    if (std::string_view("/\\*?\"<>|").find(c) != std::string_view::npos) c = '-';
  }
  return folder / "runs" / name;
}

std::vector<fs::path> compared_runs(const fs::path& folder) {
  std::vector<fs::path> runs;
  std::error_code none;
  if (!fs::exists(folder / "comparison.json", none)) return runs;
  for (const auto& entry : fs::directory_iterator(folder / "runs", none)) {
    if (is_compared_run(entry.path())) runs.push_back(entry.path());
  }
  std::sort(runs.begin(), runs.end());
  return runs;
}

Status claim_compared_run(const fs::path& folder, const fs::path& run) {
  std::error_code code;
  fs::create_directories(folder, code);
  if (code) return file_error(folder, "the folder cannot be made", code.value());
  Result<Manifest> manifest = Manifest::open(folder, FolderKind::comparison);
  if (!manifest) return manifest.error();
  if (Status status = manifest->make_folder("runs"); !status) return status;
  return manifest->make_folder("runs/" + run.filename().string());
}

Status remove_compared_runs(const fs::path& folder) {
  Result<Manifest> manifest = Manifest::open(folder, FolderKind::comparison);
  if (!manifest) return manifest.error();
  for (const std::string& name : manifest->names()) {
    if (!name.starts_with("runs/") || name == "runs/") continue;
    if (Status status = manifest->check_way(name); !status) return status;
    const fs::path path = folder / name.substr(0, name.size() - 1);
    std::error_code code;
    if (!fs::is_directory(path, code)) continue;
    {
      const Result<FolderLock> lock = FolderLock::acquire(path);
      if (!lock) return lock.error();
      Result<Manifest> run = Manifest::open(path, FolderKind::run);
      if (!run) return run.error();
      if (Status status = clear_run(*run); !status) return status;
      run->forget_if_all_is_gone();
    }
    // What is not empty then is somebody else's.
    ::rmdir(path.c_str());
  }
  if (manifest->names("runs/")) ::rmdir((folder / "runs").c_str());
  manifest->forget_if_all_is_gone();
  return {};
}

std::vector<std::string> comparison_names() {
  std::vector<std::string> names{"comparison.json"};
  for (const char* table : {"convergence", "trajectory"})
    for (const char* suffix : {".csv", ".svg", ".png"}) names.push_back(std::string(table) + suffix);
  return names;
}

std::string compared_name(const fs::path& run) {
  return run.filename().string().substr(std::min(number_width, run.filename().string().size()));
}

}  // namespace sinew
