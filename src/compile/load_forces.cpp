#include "compile/load_forces.h"

#include <algorithm>
#include <cmath>

#include "element/quadratic_tetrahedron.h"
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

// How what acts on a face or an element is shared out among its vertices: evenly, or if it is of quadratic tets, a
// face's to its middles and an element's as its mass is. Faces are the four flat triangles over each.
class Sharing {
 public:
  Sharing(const ObjectPart& object, const TetMesh& mesh) : mesh_(mesh), is_middle_(mesh.vertices.size()) {
    for (int32_t e = object.first_tet; e < object.last_tet && !mesh.middles.empty(); ++e)
      for (const int32_t v : mesh.middles[e])
        if (v != no_middle) is_middle_[v] = 1;
  }

  // visit(vertex, share)
  template <class Visit>
  void of_face(const Triangle& t, const Visit& visit) const {
    const auto middles = std::count_if(t.begin(), t.end(), [&](int32_t v) { return is_middle_[v] != 0; });
    for (const int32_t v : t) {
      if (middles > 0 && !is_middle_[v]) continue;
      visit(v, 1 / static_cast<double>(middles > 0 ? middles : 3));
    }
  }
  template <class Visit>
  void of_element(int32_t e, const Visit& visit) const {
    const std::span<const int32_t> corners = corners_of(mesh_.tets[e]);
    const bool quadratic = !mesh_.middles.empty() && mesh_.middles[e][0] != no_middle;
    for (const int32_t v : corners)
      visit(v, quadratic ? QuadraticTetrahedron::corner_mass : 1 / static_cast<double>(corners.size()));
    if (!quadratic) return;
    for (const int32_t v : mesh_.middles[e]) visit(v, QuadraticTetrahedron::middle_mass);
  }

 private:
  const TetMesh& mesh_;
  std::vector<uint8_t> is_middle_;
};

}  // namespace

double spread_load(const SceneLoad& load, const ObjectPart& object, const TetMesh& mesh,
                   std::span<const int32_t> chosen, std::vector<Vec3d>& force) {
  const std::vector<Vec3d>& x = mesh.vertices;
  const std::vector<uint8_t> is_chosen = flags_of(chosen, x.size());
  const Vec3d value = to_vec(load.value);

  const Sharing sharing(object, mesh);
  double acted_on = 0;
  const auto spread = [&](double measure) {
    acted_on += measure;
    return [&force, value, measure](int32_t v, double share) { force[v] += (share * measure) * value; };
  };
  if (load.kind == SceneLoad::Kind::traction) {
    for (const Triangle& t : chosen_faces(object, mesh, chosen)) sharing.of_face(t, spread(area_of(t, x)));
  } else {
    for (int32_t e = object.first_tet; e < object.last_tet; ++e) {
      bool all = true;
      sharing.of_element(e, [&](int32_t v, double) { all = all && is_chosen[v] != 0; });
      if (all) sharing.of_element(e, spread(volume_of(x, mesh.tets[e])));
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
  const Sharing sharing(object, mesh);
  std::vector<double> area(mesh.vertices.size());
  std::vector<uint8_t> on_face(mesh.vertices.size());
  for (const Triangle& t : chosen_faces(object, mesh, chosen)) {
    sharing.of_face(t, [&](int32_t v, double share) { area[v] += share * area_of(t, mesh.vertices); });
    for (const int32_t v : t) on_face[v] = 1;
  }
  const auto shares_by = [&](std::span<const double> measure) {
    std::vector<double> shares;
    double sum = 0;
    for (const int32_t v : chosen) sum += measure[v];
    for (const int32_t v : chosen)
      shares.push_back(sum > 0 ? measure[v] / sum : 1.0 / static_cast<double>(chosen.size()));
    return shares;
  };
  const bool of_faces = std::all_of(chosen.begin(), chosen.end(), [&](int32_t v) { return on_face[v] != 0; });
  return shares_by(of_faces ? area : mass);
}

}  // namespace sinew
