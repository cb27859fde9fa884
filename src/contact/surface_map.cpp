#include "contact/surface_map.h"

#include <algorithm>
#include <utility>

#include "mesh/simplices.h"

namespace sinew {

SurfaceMap map_surface(const ContactSurface& earlier, const ContactSurface& later, std::span<const int32_t> points,
                       std::span<const int32_t> planes) {
  SurfaceMap map;
  map.points.assign(points.begin(), points.end());
  map.planes.assign(planes.begin(), planes.end());
  const auto at = [&](int32_t point) { return map.points[static_cast<size_t>(point)]; };

  map.bodies.assign(earlier.bodies.size(), -1);
  for (const int32_t v : earlier.vertices)
    if (at(v) >= 0)
      map.bodies[static_cast<size_t>(earlier.body_of[static_cast<size_t>(v)])] =
          later.body_of[static_cast<size_t>(at(v))];

  std::vector<std::pair<Triangle, int32_t>> triangles;
  triangles.reserve(later.triangles.size());
  for (size_t k = 0; k < later.triangles.size(); ++k)
    triangles.emplace_back(rising<3>(later.triangles[k]), static_cast<int32_t>(k));
  std::sort(triangles.begin(), triangles.end());
  for (const Triangle& t : earlier.triangles) {
    const Triangle sought = rising<3>({at(t[0]), at(t[1]), at(t[2])});
    const auto found = std::lower_bound(triangles.begin(), triangles.end(), std::pair(sought, int32_t{-1}));
    map.triangles.push_back(sought[0] >= 0 && found != triangles.end() && found->first == sought ? found->second : -1);
  }
  for (const Edge& e : earlier.edges) {
    const Edge sought{std::min(at(e[0]), at(e[1])), std::max(at(e[0]), at(e[1]))};
    const auto found = std::lower_bound(later.edges.begin(), later.edges.end(), sought);
    map.edges.push_back(sought[0] >= 0 && found != later.edges.end() && *found == sought
                            ? static_cast<int32_t>(found - later.edges.begin())
                            : -1);
  }
  return map;
}

}  // namespace sinew
