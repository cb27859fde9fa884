#include "compile/collider_mesh.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <variant>

#include "base/format.h"
#include "compile/collider_shapes.h"
#include "compile/mesher.h"
#include "math/length.h"
#include "math/rotation.h"
#include "mesh/first_at_place.h"
#include "mesh/simplices.h"
#include "mesh/summary.h"
#include "mesh/topology.h"
#include "scene/describe_keys.h"
#include "scene/places.h"

namespace sinew {

namespace {

SurfaceMesh surface_of(const ColliderArrays& arrays) {
  SurfaceMesh mesh;
  for (size_t k = 0; k + 2 < arrays.vertices.size(); k += 3)
    mesh.vertices.push_back({arrays.vertices[k], arrays.vertices[k + 1], arrays.vertices[k + 2]});
  const auto vertex = [&](size_t k) { return static_cast<int32_t>(arrays.triangles[k]); };
  for (size_t k = 0; k + 2 < arrays.triangles.size(); k += 3)
    mesh.triangles.push_back({vertex(k), vertex(k + 1), vertex(k + 2)});
  return mesh;
}

Result<SurfaceMesh> surface_of(const ColliderSolid& solid, const SceneFiles& files, ThreadPool& pool,
                               std::vector<std::string>& warnings) {
  Result<Filling> filling = fill(solid.shape, solid.settings, files, pool);
  if (!filling) return Error{"", filling.error().where + " " + filling.error().what, filling.error().remedy};
  warnings = std::move(filling->warnings);
  SurfaceMesh mesh;
  mesh.triangles = extract_boundary(filling->mesh, pool).triangles;
  const auto count = static_cast<int32_t>(filling->mesh.vertices.size());
  for (const int32_t v : renumber(mesh.triangles, 0, count)) mesh.vertices.push_back(filling->mesh.vertices[v]);
  return mesh;
}

// Files repeat vertices along seams; here they are joined. Vertices that no triangle has are left out.
void join_seams(SurfaceMesh& mesh) {
  const std::vector<int32_t> first = first_at_place(mesh.vertices);
  for (Triangle& t : mesh.triangles)
    for (int32_t& v : t) v = first[v];
  std::vector<Vec3d> used;
  for (const int32_t v : renumber(mesh.triangles, 0, static_cast<int32_t>(mesh.vertices.size())))
    used.push_back(mesh.vertices[v]);
  mesh.vertices = std::move(used);
}

// Triangles by number in the file, for warnings.
std::string counted_triangles(const std::vector<size_t>& numbers) {
  return format("%zu triangle%s (number %zu%s)", numbers.size(), numbers.size() == 1 ? "" : "s", numbers[0],
                numbers.size() == 1 ? "" : " and others");
}

// Of triangles with the same corners the first is kept.
void drop_useless(SurfaceMesh& mesh, std::vector<std::string>& warnings) {
  std::vector<size_t> flat, twice;
  std::set<Triangle> seen;
  std::vector<Triangle> kept;
  for (size_t k = 0; k < mesh.triangles.size(); ++k) {
    const Triangle& t = mesh.triangles[k];
    const auto at = [&](int c) { return mesh.vertices[t[c]]; };
    const bool has_area = length(cross(at(1) - at(0), at(2) - at(0))) > 0;
    if (!has_area)
      flat.push_back(k);
    else if (!seen.insert(rising<3>(t)).second)
      twice.push_back(k);
    else
      kept.push_back(t);
  }
  if (!flat.empty())
    warnings.push_back(counted_triangles(flat) +
                       " without area left out; remove them in the mesh if it should be "
                       "closed");
  if (!twice.empty())
    warnings.push_back(counted_triangles(twice) + " left out: there are others with the same corners");
  mesh.triangles = std::move(kept);
}

void look_at(ColliderSurface& out) {
  const SurfaceSummary summary = summarize(out.mesh);
  out.closed = summary.topology.closed();
  if (!out.closed) {
    out.warnings.push_back(
        format("is not closed: %lld of its edges have one triangle, or triangles that face opposite ways. It has no "
               "inside: bodies are kept off either side, and what is behind it is not found to be inside; close it",
               static_cast<long long>(std::max(summary.topology.open_edges, summary.topology.unbalanced_edges))));
  } else if (summary.volume < 0) {
    out.warnings.push_back(
        format("encloses %g m^3: its triangles face inwards, so that it is solid outside. Turn them "
               "around if it is meant to be solid inside",
               summary.volume));
  }
}

Result<SurfaceMesh> given_surface(const ColliderShape& shape, const SceneFolder& folder, ThreadPool& pool,
                                  std::vector<std::string>& warnings) {
  if (const auto* box = std::get_if<ColliderBox>(&shape)) return box_surface(to_vec(box->min), to_vec(box->max));
  if (const auto* sphere = std::get_if<ColliderSphere>(&shape))
    return sphere_surface(to_vec(sphere->center), sphere->radius);
  if (const auto* capsule = std::get_if<ColliderCapsule>(&shape))
    return capsule_surface(to_vec(capsule->a), to_vec(capsule->b), capsule->radius);
  if (const auto* solid = std::get_if<ColliderSolid>(&shape)) return surface_of(*solid, folder.files, pool, warnings);
  Result<SurfaceMesh> mesh = SurfaceMesh{};
  if (const auto* arrays = std::get_if<ColliderArrays>(&shape)) mesh = surface_of(*arrays);
  if (const auto* file = std::get_if<ColliderMesh>(&shape)) mesh = folder.files.surface(folder.at(file->path), pool);
  if (mesh) {
    join_seams(*mesh);
    drop_useless(*mesh, warnings);
    if (mesh->triangles.empty()) return Error{"", "has no triangle with an area", "give a surface of triangles"};
  }
  return mesh;
}

// Normals by the inverse transpose of the transform.
ColliderSurface::Plane placed(const Transform& transform, Vec3d point, Vec3d normal) {
  std::vector<Vec3d> at{point};
  place(transform, at);
  const Vec3d s = to_vec(transform.scale);
  const Vec3d n = rotation(to_vec(transform.rotation_axis), transform.rotation_degrees) *
                  Vec3d{normal.x / s.x, normal.y / s.y, normal.z / s.z};
  return {at[0], (1 / length(n)) * n};
}

void add_planes(const SceneCollider& collider, ColliderSurface& out) {
  const auto unit = [](Vec3d v) { return (1 / length(v)) * v; };
  std::vector<Vec3d> middle;
  if (const auto* half = std::get_if<ColliderHalfSpace>(&collider.shape)) {
    middle = {to_vec(half->point)};
    out.planes = {placed(collider.transform, middle[0], unit(to_vec(half->normal)))};
  } else if (const auto* box = std::get_if<ColliderInwardBox>(&collider.shape)) {
    const Vec3d low = to_vec(box->min), high = to_vec(box->max);
    middle = {0.5 * (low + high)};
    for (const Vec3d axis : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}}) {
      out.planes.push_back(placed(collider.transform, low, axis));
      out.planes.push_back(placed(collider.transform, high, -1.0 * axis));
    }
  }
  place(collider.transform, middle);
  out.middle = middle[0];
}

Status check_reach(const ColliderSurface& surface) {
  const auto far = [](Vec3d p) { return !(std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}) <= in_reach.high); };
  for (const Vec3d& p : surface.mesh.vertices)
    if (far(p))
      return Error{"",
                   format("a vertex lies at (%g, %g, %g) m, and squares of such distances are no numbers any more", p.x,
                          p.y, p.z),
                   "check the units"};
  for (const ColliderSurface::Plane& plane : surface.planes)
    if (far(plane.point) || !std::isfinite(dot(plane.normal, plane.normal)))
      return Error{"",
                   format("a plane lies at (%g, %g, %g) m, and squares of such distances are no numbers any more",
                          plane.point.x, plane.point.y, plane.point.z),
                   "check the units"};
  return {};
}

}  // namespace

Result<ColliderSurface> collider_surface(const SceneCollider& collider, const SceneFolder& folder, ThreadPool& pool) {
  ColliderSurface out;
  if (std::holds_alternative<ColliderHalfSpace>(collider.shape) ||
      std::holds_alternative<ColliderInwardBox>(collider.shape)) {
    add_planes(collider, out);
    if (Status s = check_reach(out); !s) return s.error();
    return out;
  }
  Result<SurfaceMesh> mesh = given_surface(collider.shape, folder, pool, out.warnings);
  if (!mesh) return mesh.error();
  out.mesh = std::move(*mesh);
  place(collider.transform, out.mesh.vertices);
  if (mirrors(collider.transform))
    for (Triangle& t : out.mesh.triangles) std::swap(t[1], t[2]);
  if (Status s = check_reach(out); !s) return s.error();
  look_at(out);
  for (const Vec3d& x : out.mesh.vertices) out.middle += (1.0 / static_cast<double>(out.mesh.vertices.size())) * x;
  return out;
}

}  // namespace sinew
