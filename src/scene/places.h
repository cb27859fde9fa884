// Small geometric functions for reading and compiling scenes.
#pragma once

#include <vector>

#include "math/bounds.h"
#include "math/rotation.h"
#include "math/vec.h"
#include "sinew/scene.h"

namespace sinew {

inline Vec3d to_vec(const Real3& v) {
  return {v[0], v[1], v[2]};
}

// Moves points to their place in the world.
inline void place(const Transform& transform, std::vector<Vec3d>& points) {
  const Mat3d r = rotation(to_vec(transform.rotation_axis), transform.rotation_degrees);
  const Vec3d s = to_vec(transform.scale), t = to_vec(transform.translate);
  for (Vec3d& x : points) x = r * Vec3d{s.x * x.x, s.y * x.y, s.z * x.z} + t;
}
inline bool mirrors(const Transform& transform) {
  return transform.scale[0] * transform.scale[1] * transform.scale[2] < 0;
}

inline Bounds bounds_of(const std::vector<Vec3d>& points, int32_t first, int32_t last) {
  Bounds b;
  for (int32_t v = first; v < last; ++v) b.add(points[v]);
  return b;
}

}  // namespace sinew
