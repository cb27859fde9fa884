#include "scene/load_forces.h"

#include <algorithm>
#include <cmath>

#include "scene/places.h"

namespace sinew {

double add_load(const SceneLoad& load, const ObjectPart& object, const TetMesh& mesh, std::span<const int32_t> chosen,
                std::vector<Vec3d>& force) {
  const std::vector<Vec3d>& x = mesh.vertices;
  std::vector<uint8_t> is_chosen(x.size());
  for (const int32_t v : chosen) is_chosen[v] = 1;
  const Vec3d value = to_vec(load.value);

  double acted_on = 0;
  const auto spread = [&](std::span<const int32_t> corners, double measure) {
    for (const int32_t v : corners) force[v] += (measure / static_cast<double>(corners.size())) * value;
    acted_on += measure;
  };
  const auto all_chosen = [&](std::span<const int32_t> corners) {
    return std::all_of(corners.begin(), corners.end(), [&](int32_t v) { return is_chosen[v] != 0; });
  };
  if (load.kind == SceneLoad::Kind::traction) {
    for (const Triangle& t : object.surface) {
      if (!all_chosen(t)) continue;
      const Vec3d normal = cross(x[t[1]] - x[t[0]], x[t[2]] - x[t[0]]);
      spread(t, std::sqrt(dot(normal, normal)) / 2);
    }
  } else {
    for (int32_t e = object.first_tet; e < object.last_tet; ++e) {
      const Tet& t = mesh.tets[e];
      const std::span corners(t.data(), corner_count(t));
      if (all_chosen(corners)) spread(corners, volume_of(x, t));
    }
  }
  return acted_on;
}

}  // namespace sinew
