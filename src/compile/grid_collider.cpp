#include "compile/grid_collider.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "base/format.h"
#include "base/nearest.h"
#include "compile/collider_mesh.h"
#include "compile/contacts.h"
#include "grid/solid_mesh.h"
#include "math/length.h"
#include "scene/places.h"

namespace sinew {
namespace {

// [-] Of the spacing: nodes of a thinner solid leave vertices between them some of their velocity.
constexpr double least_thickness = 2;
// [-] Of the surface of a mesh that may be thinner without a warning.
constexpr double thin_share = 0.01;
constexpr size_t most_samples = 2000;

ShapeFrame frame_of(const Transform& transform) {
  const Vec3d s = to_vec(transform.scale);
  return {rotation(to_vec(transform.rotation_axis), transform.rotation_degrees) * diagonal(s.x, s.y, s.z),
          to_vec(transform.translate)};
}

double least(Vec3d v) {
  return std::min({v.x, v.y, v.z});
}

// How much of a surface has nothing solid so far below it, and where that is the largest.
struct Thin {
  double share = 0;
  Vec3d at{};
};
Thin thin_part(const SurfaceMesh& mesh, const SolidMesh& solid, double thickness) {
  const size_t stride = std::max(mesh.triangles.size() / most_samples, size_t{1});
  double all = 0, thin = 0, largest = 0;
  Vec3d at{};
  for (size_t k = 0; k < mesh.triangles.size(); k += stride) {
    const Triangle& t = mesh.triangles[k];
    const auto corner = [&](size_t c) { return mesh.vertices[static_cast<size_t>(t[c])]; };
    const Vec3d middle = (1.0 / 3) * (corner(0) + corner(1) + corner(2));
    const Vec3d n = cross(corner(1) - corner(0), corner(2) - corner(0));
    const double area = length(n);
    all += area;
    if (solid.at(middle - (thickness / area) * n, 0).count > 0) continue;
    thin += area;
    if (area <= largest) continue;
    largest = area;
    at = middle;
  }
  return {thin / all, at};
}

class GridColliderMaker {
 public:
  GridColliderMaker(Draft& draft, const SceneCollider& collider)
      : draft_(draft),
        collider_(collider),
        path_("colliders." + collider.name),
        spacing_(draft.scene.grid->spacing),
        scale_(std::min({std::abs(collider.transform.scale[0]), std::abs(collider.transform.scale[1]),
                         std::abs(collider.transform.scale[2])})) {}

  Result<GridCollider> make() {
    Result<ColliderSurface> surface = collider_surface(collider_, draft_.folder(), draft_.pool);
    if (!surface) return draft_.fault(path_ + ".shape", surface.error());
    GridCollider result;
    result.place = path_;
    const ShapeFrame frame = frame_of(collider_.transform);
    if (const auto* box = std::get_if<ColliderBox>(&collider_.shape)) {
      const Vec3d low = to_vec(box->min), high = to_vec(box->max), s = to_vec(collider_.transform.scale);
      result.shape = std::make_shared<SolidBox>(frame, low, high);
      const Vec3d size = high - low;
      look_at_thickness(least({size.x * std::abs(s.x), size.y * std::abs(s.y), size.z * std::abs(s.z)}));
    } else if (const auto* ball = std::get_if<ColliderSphere>(&collider_.shape)) {
      result.shape = std::make_shared<SolidCapsule>(frame, to_vec(ball->center), to_vec(ball->center), ball->radius);
      look_at_thickness(2 * ball->radius * scale_);
    } else if (const auto* capsule = std::get_if<ColliderCapsule>(&collider_.shape)) {
      result.shape = std::make_shared<SolidCapsule>(frame, to_vec(capsule->a), to_vec(capsule->b), capsule->radius);
      look_at_thickness(2 * capsule->radius * scale_);
    } else if (!surface->planes.empty()) {
      std::vector<SolidWalls::Wall> walls;
      for (const ColliderSurface::Plane& plane : surface->planes) walls.push_back({plane.point, plane.normal});
      result.shape = std::make_shared<SolidWalls>(std::move(walls));
    } else {
      if (!surface->closed)
        return draft_.fault(path_ + ".shape: is not closed, and the nodes of a grid have to be inside or outside",
                            "close it, or give a sheet a thickness");
      for (const std::string& sentence : surface->warnings) draft_.warn(joined({path_, ".shape: ", sentence}));
      auto solid = std::make_shared<SolidMesh>(surface->mesh, draft_.pool);
      look_at_mesh(surface->mesh, *solid);
      result.shape = std::move(solid);
    }
    return result;
  }

 private:
  void look_at_thickness(double thickness) {
    if (!(thickness < least_thickness * spacing_)) return;
    draft_.warn(
        format("%s: is %.3g m thick, less than %g times the spacing of the grid, and bodies may pass through "
               "it; take a grid.spacing of at most %.3g m, or make it thicker",
               path_.c_str(), thickness, least_thickness, thickness / least_thickness));
  }
  void look_at_mesh(const SurfaceMesh& mesh, const SolidMesh& solid) {
    const Thin thin = thin_part(mesh, solid, least_thickness * spacing_);
    if (thin.share < thin_share) return;
    draft_.warn(
        format("%s: %.2g %% of its surface, at (%.3g, %.3g, %.3g) m for one, is of parts thinner than %g times "
               "the spacing of the grid, and bodies may pass through these; take a smaller grid.spacing, or "
               "make them thicker",
               path_.c_str(), 100 * thin.share, thin.at.x, thin.at.y, thin.at.z, least_thickness));
  }

  Draft& draft_;
  const SceneCollider& collider_;
  std::string path_;
  double spacing_;
  double scale_;  // [-] the least
};

}  // namespace

Result<GridCollider> grid_collider(Draft& draft, const SceneCollider& collider) {
  return GridColliderMaker(draft, collider).make();
}

}  // namespace sinew
