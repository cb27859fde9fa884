#include "contact/moved_planes.h"

#include <algorithm>

#include "contact/gaps.h"
#include "contact/separation.h"

namespace sinew {

std::vector<ContactPlane> moved_planes(const ContactSurface& surface, std::span<const ContactPlane> now,
                                       std::span<const ContactPlane> wanted, size_t first, PointPositions x,
                                       double least_gap, const IgnoredPairs& ignored) {
  // Blends of the two, n . x = b with n and b linear in t, in which heights of points are linear too.
  const auto at = [&](size_t k, double t) {
    if (t >= 1) return wanted[k];
    const double start = dot(now[k].normal, now[k].point), end = dot(wanted[k].normal, wanted[k].point);
    ContactPlane plane = now[k];
    const Vec3d n = (1 - t) * now[k].normal + t * wanted[k].normal;
    const double square = dot(n, n);
    plane.normal = (1 / sqrt(square)) * n;
    plane.point = now[k].point + t * (wanted[k].point - now[k].point);
    plane.point += (((1 - t) * start + t * end - dot(n, plane.point)) / square) * n;
    const Vec3d along = (1 - t) * now[k].along + t * wanted[k].along;
    const Vec3d level = along - dot(along, plane.normal) * plane.normal;
    if (const double size = dot(level, level); size > 0) plane.along = (1 / sqrt(size)) * level;
    return plane;
  };
  const auto height = [&](const ContactPlane& plane, int32_t v) { return least_height(plane, x[v]); };
  std::vector<std::vector<int32_t>> above(now.size());  // each plane
  double t = 1;
  for (const int32_t v : surface.vertices) {
    if (surface.is_collider_point(v)) continue;
    const int32_t body = surface.body_of[static_cast<size_t>(v)];
    for (size_t k = 0; k < now.size(); ++k) {
      if (!surface.kept_apart(body, now[k]) || ignored.has_plane(body, first + k)) continue;
      const double here = height(now[k], v);
      if (!(here > 0)) continue;
      above[k].push_back(v);
      const double kept = gap_kept(here, least_gap), there = height(wanted[k], v);
      if (!(there >= kept)) t = std::min(t, (here - kept) / (here - there));
    }
  }
  std::vector<ContactPlane> moved(now.size());
  for (int attempt = 0; attempt < 5 && t > 0; ++attempt, t /= 2) {
    bool holds = true;
    for (size_t k = 0; k < now.size() && holds; ++k) {
      moved[k] = at(k, t);
      holds = std::all_of(above[k].begin(), above[k].end(), [&](int32_t v) { return height(moved[k], v) > 0; });
    }
    if (holds) return moved;
  }
  return {now.begin(), now.end()};
}

}  // namespace sinew
