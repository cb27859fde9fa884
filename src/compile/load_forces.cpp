#include "compile/load_forces.h"

#include <algorithm>
#include <cmath>

#include "scene/places.h"

namespace sinew {
namespace {

std::vector<uint8_t> flags_of(std::span<const int32_t> chosen, size_t vertices) {
  std::vector<uint8_t> flags(vertices);
  for (const int32_t v : chosen) flags[v] = 1;
  return flags;
}

double area_of(const Triangle& t, const std::vector<Vec3d>& x) {
  const Vec3d normal = cross(x[t[1]] - x[t[0]], x[t[2]] - x[t[0]]);
  return std::sqrt(dot(normal, normal)) / 2;
}

}  // namespace

double spread_load(const SceneLoad& load, const ObjectPart& object, const TetMesh& mesh,
                   std::span<const int32_t> chosen, std::vector<Vec3d>& force) {
  const std::vector<Vec3d>& x = mesh.vertices;
  const std::vector<uint8_t> is_chosen = flags_of(chosen, x.size());
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
    for (const Triangle& t : chosen_faces(object, mesh, chosen)) spread(t, area_of(t, x));
  } else {
    for (int32_t e = object.first_tet; e < object.last_tet; ++e) {
      const Tet& t = mesh.tets[e];
      const std::span corners(t.data(), corner_count(t));
      if (all_chosen(corners)) spread(corners, volume_of(x, t));
    }
  }
  return acted_on;
}

std::vector<Triangle> chosen_faces(const ObjectPart& object, const TetMesh& mesh, std::span<const int32_t> chosen) {
  const std::vector<uint8_t> is_chosen = flags_of(chosen, mesh.vertices.size());
  std::vector<Triangle> faces;
  for (const Triangle& t : object.surface) {
    if (is_chosen[t[0]] && is_chosen[t[1]] && is_chosen[t[2]]) faces.push_back(t);
  }
  return faces;
}

std::vector<double> shares_of_force(const ObjectPart& object, const TetMesh& mesh, std::span<const int32_t> chosen,
                                    std::span<const double> mass) {
  std::vector<double> area(mesh.vertices.size());
  for (const Triangle& t : chosen_faces(object, mesh, chosen)) {
    for (const int32_t v : t) area[v] += area_of(t, mesh.vertices) / 3;
  }
  const auto shares_by = [&](std::span<const double> measure) {
    std::vector<double> shares;
    double sum = 0;
    for (const int32_t v : chosen) sum += measure[v];
    for (const int32_t v : chosen)
      shares.push_back(sum > 0 ? measure[v] / sum : 1.0 / static_cast<double>(chosen.size()));
    return shares;
  };
  const bool of_faces = std::all_of(chosen.begin(), chosen.end(), [&](int32_t v) { return area[v] > 0; });
  return shares_by(of_faces ? area : mass);
}

}  // namespace sinew
