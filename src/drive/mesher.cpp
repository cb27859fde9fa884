#include "sinew/mesher.h"

#include <utility>

#include "compile/mesher.h"
#include "drive/disk_files.h"
#include "drive/watching.h"
#include "files/mesh_file.h"
#include "files/read_file.h"
#include "io/mesh_format.h"
#include "io/suffix.h"
#include "mesh/summary.h"
#include "scene/mesher_settings.h"

namespace sinew {
namespace {

FilledSolid published(Filling filling) {
  FilledSolid solid;
  solid.vertices.reserve(filling.mesh.vertices.size());
  for (const Vec3d& p : filling.mesh.vertices) solid.vertices.push_back({p.x, p.y, p.z});
  solid.tets = std::move(filling.mesh.tets);
  solid.cell = filling.cell;
  solid.enclosed = filling.enclosed;
  solid.warnings = std::move(filling.warnings);
  solid.notes = std::move(filling.notes);
  solid.milliseconds = std::move(filling.milliseconds);
  return solid;
}

TetMesh tet_mesh(const FilledSolid& solid) {
  TetMesh mesh;
  mesh.vertices.reserve(solid.vertices.size());
  for (const Real3& p : solid.vertices) mesh.vertices.push_back({p[0], p[1], p[2]});
  mesh.tets = solid.tets;
  return mesh;
}

// fill(progress) fills it; `name` is where its faults are, or empty.
template <class Fill>
Result<FilledSolid> filled(const std::string& name, const MesherOptions& options, const MesherObserver& observer,
                           const Fill& fill) {
  Watching watching(options.interrupt);
  Result<Filling> filling = fill(watching.progress(observer.on_progress));
  if (watching.stopped()) return Error{name.empty() ? "the mesher" : name, "was interrupted", ""};
  if (filling) return published(std::move(*filling));
  Error fault = filling.error();
  if (!name.empty()) fault.where = name + (fault.where.empty() ? "" : ": ") + fault.where;
  return fault;
}

Result<FilledSolid> mesh_shape(const SceneShape& shape, const std::string& name, const MesherSettings& settings,
                               const MesherOptions& options, const MesherObserver& observer) {
  ThreadPool pool(options.threads);
  return filled(name, options, observer,
                [&](const ProgressListener& progress) { return fill(shape, settings, DiskFiles(), pool, progress); });
}

}  // namespace

Result<FilledSolid> mesh_shape(const SceneShape& shape, const MesherSettings& settings, const MesherOptions& options,
                               const MesherObserver& observer) {
  return mesh_shape(shape, "", settings, options, observer);
}

Result<FilledSolid> mesh_surface(const std::filesystem::path& file, const MesherSettings& settings,
                                 const MesherOptions& options, const MesherObserver& observer) {
  if (Status s = check_settings(settings); !s) return s.error();
  ThreadPool pool(options.threads);
  const Result<SurfaceMesh> surface = read_surface(file, pool);
  if (!surface) return surface.error();
  return filled(file.string(), options, observer, [&](const ProgressListener& progress) {
    return fill(*surface, settings, DiskFiles(), pool, progress, options.interrupt);
  });
}

Result<FilledSolid> mesh_file(const std::filesystem::path& file, const MesherSettings& settings,
                              const MesherOptions& options, const MesherObserver& observer) {
  if (Status s = check_settings(settings); !s) return s.error();
  if (suffix_of(file) == ".json") {
    const Result<SceneShape> shape = read_shape(file);
    if (!shape) return shape.error();
    return mesh_shape(*shape, file.string(), settings, options, observer);
  }
  Result<FilledSolid> solid = mesh_surface(file, settings, options, observer);
  if (solid || is_mesh_name(file) || solid.error().what.find("suffix") == std::string::npos) return solid;
  Error fault = solid.error();
  fault.remedy = "shapes have .json; " + fault.remedy;
  return fault;
}

Result<SceneShape> read_shape(const std::filesystem::path& file) {
  const Result<std::string> text = read_file(file);
  if (!text) return text.error();
  return parse_shape(*text, file.string());
}

Status write_mesh(const std::filesystem::path& file, const FilledSolid& solid) {
  return write_tet_mesh(file, tet_mesh(solid));
}

Status check_mesh_output(const std::filesystem::path& file) {
  return check_tet_mesh_output(file);
}

MeshSummary summarize(const FilledSolid& solid) {
  return summarize(tet_mesh(solid));
}

}  // namespace sinew
