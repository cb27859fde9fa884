// Bodies that are grabbed (model/grab.h).
#pragma once

#include "support/tied.h"

namespace sinew::support {

// By the user's vertices.
inline GrabScript grab_of(const Model& model, const std::vector<int32_t>& vertices, const std::vector<double>& weights,
                          double stiffness, Vec3d target, double damping = 0, Vec3d velocity = {}) {
  GrabScript grab{{}, weights, stiffness, damping, target, velocity};
  for (const int32_t v : vertices) grab.slots.push_back(static_cast<int32_t>(model.order.slot(UserVertex{v})));
  return grab;
}

// A point in a face of a body's first tet that has no corner on top, with a place for its target.
struct GrabbedFace {
  std::vector<int32_t> vertices;
  std::vector<double> weights{0.5, 0.2, 0.3};
  Vec3d point{};

  explicit GrabbedFace(const Body& body) {
    for (const Tet& t : body.mesh.tets) {
      if (std::any_of(t.begin(), t.end(), [&](int32_t v) { return body.mesh.vertices[v].y > 0.6; })) continue;
      vertices = {t[0], t[1], t[2]};
      break;
    }
    EXPECT_EQ(vertices.size(), 3u);
    for (size_t j = 0; j < vertices.size(); ++j) point += weights[j] * body.mesh.vertices[vertices[j]];
  }
  GrabScript pulled(const Model& model, double stiffness, Vec3d way, double damping = 0) const {
    return grab_of(model, vertices, weights, stiffness, point + way, damping);
  }
};

// Two points of mass without springs, of which the first is to be held.
inline Body two_particles(double mass) {
  Body body{.mesh = {}};
  body.mesh.vertices = {{0, 0, 0}, {0.5, 0.1, 0}};
  body.point_mass = {1, mass};
  return body;
}

}  // namespace sinew::support
