// Small geometry and paths that several parts of compiling need.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "math/bounds.h"
#include "math/vec.h"
#include "sinew/scene.h"

namespace sinew {

inline Vec3d to_vec(const Real3& v) {
  return {v[0], v[1], v[2]};
}

inline Bounds bounds_of(const std::vector<Vec3d>& points, int32_t first, int32_t last) {
  Bounds b;
  for (int32_t v = first; v < last; ++v) b.add(points[v]);
  return b;
}

// Relative paths of a scene are against the folder of its file.
inline std::filesystem::path resolved_path(const std::string& path, const std::string& base_folder) {
  const std::filesystem::path p(path);
  return p.is_absolute() || base_folder.empty() ? p : std::filesystem::path(base_folder) / p;
}

}  // namespace sinew
