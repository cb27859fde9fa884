#include "sinew/mesher.h"

#include "compile/mesher.h"
#include "drive/disk_files.h"
#include "files/mesh_file.h"
#include "scene/mesher_settings.h"

namespace sinew {
namespace {

FilledSolid published(Filling filling) {
  FilledSolid solid;
  for (const Vec3d& p : filling.mesh.vertices) solid.vertices.push_back({p.x, p.y, p.z});
  solid.tets = std::move(filling.mesh.tets);
  solid.cell = filling.cell;
  solid.warnings = std::move(filling.warnings);
  solid.notes = std::move(filling.notes);
  solid.milliseconds = std::move(filling.milliseconds);
  return solid;
}

}  // namespace

Result<FilledSolid> mesh_shape(const SceneShape& shape, const MesherSettings& settings, const MesherOptions& options) {
  ThreadPool pool(options.threads);
  Result<Filling> filling = fill(shape, settings, DiskFiles(), pool, options.progress);
  if (!filling) return filling.error();
  return published(std::move(*filling));
}

Result<FilledSolid> mesh_surface(const std::filesystem::path& file, const MesherSettings& settings,
                                 const MesherOptions& options) {
  if (Status s = check_settings(settings); !s) return s.error();
  ThreadPool pool(options.threads);
  const Result<SurfaceMesh> surface = read_surface(file, pool);
  if (!surface) return surface.error();
  Result<Filling> filling = fill(*surface, settings, DiskFiles(), pool, options.progress, options.interrupt);
  if (!filling) {
    Error fault = filling.error();
    fault.where = file.string() + ": " + fault.where;
    return fault;
  }
  return published(std::move(*filling));
}

Status write_mesh(const std::filesystem::path& file, const FilledSolid& solid) {
  TetMesh mesh;
  for (const Real3& p : solid.vertices) mesh.vertices.push_back({p[0], p[1], p[2]});
  mesh.tets = solid.tets;
  return write_tet_mesh(file, mesh);
}

}  // namespace sinew
