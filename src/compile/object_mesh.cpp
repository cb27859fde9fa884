#include "compile/object_mesh.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "base/format.h"
#include "compile/generated.h"
#include "compile/mesher.h"
#include "compile/plane_file.h"
#include "math/bounds.h"
#include "mesh/repair.h"
#include "scene/describe_keys.h"
#include "scene/object_kinds.h"
#include "scene/places.h"

namespace sinew {

namespace {

Result<TetMesh> load(const SceneMesh& mesh, const SceneFolder& folder, ThreadPool& pool,
                     const ProgressListener& progress, ObjectMesh& out) {
  const SceneFiles& files = folder.files;
  const auto filled = [&](Result<Filling> filling) -> Result<TetMesh> {
    // A place such as "cell = 50 m" is below the path of the mesh.
    if (const Error* e = filling ? nullptr : &filling.error())
      return Error{"", Error{e->where, e->what, ""}.message(), e->remedy};
    out.warnings = std::move(filling->warnings);
    return std::move(filling->mesh);
  };
  if (const auto* surface = std::get_if<MeshSurface>(&mesh)) {
    const Result<SurfaceMesh> triangles = files.surface(folder.at(surface->file), pool);
    if (!triangles) {
      Error fault = triangles.error();
      if (files.tets(folder.at(surface->file), pool, nullptr))
        fault.remedy = R"(it holds tets already: "mesh": { "file": ")" + surface->file + R"(" })";
      return fault;
    }
    return filled(fill(*triangles, surface->settings, files, pool, progress));
  }
  if (const auto* shape = std::get_if<MeshShape>(&mesh))
    return filled(fill(shape->shape, shape->settings, files, pool, progress));
  if (const auto* file = std::get_if<MeshFile>(&mesh)) {
    const std::filesystem::path path = folder.at(file->path);
    Result<TetMesh> tets = files.tets(path, pool, &out.groups, &out.warnings);
    if (tets || !files.surface(path, pool)) return tets;
    Error fault = tets.error();
    fault.remedy =
        R"(it is a surface; fill it with tets by "mesh": { "surface": { "file": ")" + file->path + R"(" } })";
    return fault;
  }
  if (const auto* file = std::get_if<MeshTriangles>(&mesh))
    return read_plane(folder.at(file->path), files, pool, &out.groups);
  return generate(mesh, pool);
}

// The tets of a mirrored mesh are reordered so that volumes remain positive.
void place(const Transform& transform, TetMesh& mesh) {
  place(transform, mesh.vertices);
  if (mirrors(transform))
    for (Tet& tet : mesh.tets) std::swap(tet[1], tet[2]);
}

Status check_reach(const TetMesh& mesh) {
  for (size_t v = 0; v < mesh.vertices.size(); ++v) {
    const Vec3d& p = mesh.vertices[v];
    if (std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}) > in_reach.high)
      return Error{"",
                   format("vertex %zu lies at (%g, %g, %g) m, and squares of distances beyond %g m are no numbers any "
                          "more",
                          v, p.x, p.y, p.z, in_reach.high),
                   "check the units"};
  }
  return {};
}

double size_of(const TetMesh& mesh) {
  Bounds box;
  box.add(std::span<const Vec3d>(mesh.vertices));
  return box.empty() ? 0 : box.diagonal();
}

// Far from the origin the spacing of doubles reaches the size of elements.
Status check_digits(const SceneObject& object, const TetMesh& mesh, double size_before) {
  constexpr double most_sizes = 1e12;
  const Transform& t = object.transform;
  const double size = size_before * std::max({std::abs(t.scale[0]), std::abs(t.scale[1]), std::abs(t.scale[2])});
  double farthest = 0;
  for (const Vec3d& p : mesh.vertices) farthest = std::max({farthest, std::abs(p.x), std::abs(p.y), std::abs(p.z)});
  for (size_t c = 0; c < 3; ++c)
    farthest = std::max(farthest, (object.copies.count[c] - 1) * std::abs(object.copies.spacing[c]));
  if (size == 0 || farthest <= most_sizes * size) return {};
  return Error{
      "",
      format("lies too far from the origin: at %.3g m, with a size of %.3g m, double precision does not tell its "
             "vertices apart",
             farthest, size),
      "move it nearer to the origin; see transform and copies"};
}

}  // namespace

Result<ObjectMesh> load_object_mesh(const SceneObject& object, const SceneFolder& folder, ThreadPool& pool,
                                    const ProgressListener& progress) {
  ObjectMesh out;
  Result<TetMesh> loaded = load(object.mesh, folder, pool, progress, out);
  if (!loaded) return loaded.error();
  out.mesh = std::move(*loaded);
  out.tets_in_file = out.mesh.tets.size();
  const double size = size_of(out.mesh);
  place(object.transform, out.mesh);
  if (Status s = check_reach(out.mesh); !s) return s.error();
  if (Status s = check_digits(object, out.mesh, size); !s) return s.error();
  // Generated meshes are valid, but a scale may make them flat.
  if (is_given(object.mesh) || object.transform.scale != Transform{}.scale) {
    Result<RepairReport> repaired = repair(out.mesh);
    if (!repaired) return Error{"", repaired.error().what, repaired.error().remedy};
    // Where parts of a generated mesh touch, they are separate on purpose.
    if (!is_given(object.mesh)) repaired->coincident_vertices = {};
    for (std::string& sentence : repaired->sentences()) out.warnings.push_back(std::move(sentence));
    out.kept_tets = std::move(repaired->kept_tets);
  }
  return out;
}

}  // namespace sinew
