// Small geometry and paths that several parts of compiling need.
#pragma once

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "math/vec.h"
#include "sinew/scene.h"

namespace sinew {

inline Vec3d to_vec(const Real3& v) {
  return {v[0], v[1], v[2]};
}

struct Bounds {
  static constexpr double far = std::numeric_limits<double>::infinity();
  Vec3d low{far, far, far}, high{-far, -far, -far};

  double diagonal() const { return low.x <= high.x ? std::sqrt(dot(high - low, high - low)) : 0; }
};
inline Bounds bounds_of(const std::vector<Vec3d>& points, int32_t first, int32_t last) {
  Bounds b;
  for (int32_t v = first; v < last; ++v) {
    const Vec3d p = points[v];
    b.low = {std::min(b.low.x, p.x), std::min(b.low.y, p.y), std::min(b.low.z, p.z)};
    b.high = {std::max(b.high.x, p.x), std::max(b.high.y, p.y), std::max(b.high.z, p.z)};
  }
  return b;
}

// Relative paths of a scene are against the folder of its file.
inline std::filesystem::path resolved_path(const std::string& path, const std::string& base_folder) {
  const std::filesystem::path p(path);
  return p.is_absolute() || base_folder.empty() ? p : std::filesystem::path(base_folder) / p;
}

}  // namespace sinew
