// Bodies with springs, bindings and muscles, and grabs and gliding vertices for their steps.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "solver/sweep_case.h"
#include "support/tied.h"

namespace sinew {

inline Activation half_tense() {
  Activation a;
  a.times = {0};
  a.values = {0.5};
  return a;
}

// Springs inside a body and between two, some of them damped, a weak constraint with a normal, and a tail of springs.
inline Body sprung() {
  Body body = assorted_body(MaterialKind::NeoHookean, MaterialKind::StableNeoHookean);
  const auto vertices = static_cast<int32_t>(body.mesh.vertices.size());
  for (int32_t v = 0; v + 9 < vertices; v += 4) {
    const double length = support::size(body.mesh.vertices[v] - body.mesh.vertices[v + 9]);
    body.ties.add_spring(v, v + 9, 200 + v, 0.9 * length, v % 3 ? 0 : 0.01);
  }
  const int32_t ends[] = {2, 7, 12};
  const double weights[] = {1, -0.25, -0.75};
  body.ties.add(weak_constraint_law(500, 100, {0.6, 0, 0.8}), ends, weights);
  body.point_mass.assign(body.mesh.vertices.size(), 0);
  body.point_mass.back() = 1;
  return body;
}

inline std::vector<std::pair<std::string, Body>> tied_bodies() {
  return {{"springs", sprung()},
          {"a chain", support::chain(7, 0.3, 100)},
          {"a grid of springs", support::spring_grid(5, 50)},
          {"bindings", support::bound_boxes(2, 0.01, weak_constraint_law(300, 100, {0, 1, 0}))},
          {"a muscle", support::muscle(half_tense())}};
}

// The end at a vertex of a face, as interactive grabs have it, and two at one vertex.
inline void grab(SweepCase& c) {
  const Tet& tet = c.model.tets.empty() ? Tet{} : c.model.tets[c.model.tets.size() / 2];
  Grab face;
  face.count = 3;
  face.weights = {0.2, 0.3, 0.5};
  for (size_t k = 0; k < 3; ++k) face.vertices[k] = tet[k + 1];
  face.stiffness = 400;
  face.anchor = c.problem.x_start[static_cast<size_t>(tet[1])] + Vec3d{0.2, 0.1, -0.1};
  Grab vertex;
  vertex.count = 1;
  vertex.vertices = {tet[1], 0, 0};
  vertex.weights = {1, 0, 0};
  vertex.stiffness = 150;
  vertex.anchor = face.anchor + Vec3d{0, 0.3, 0};
  c.problem.grabs = {face, vertex};
}

// Every third free vertex in a plane or on an axis.
inline void let_glide(SweepCase& c) {
  int count = 0;
  for (int32_t s = 0; s < c.model.slot_count(); ++s) {
    if (c.problem.held[s] || c.model.order.is_padding(Slot{s}) || ++count % 3) continue;
    Glide g;
    g.slot = s;
    const Vec3d n = count % 2 ? Vec3d{0.6, 0.8, 0} : Vec3d{0, 0, 1};
    g.fixed = Sym3<double>{};
    if (count % 4 < 2) {
      add_outer(g.fixed, 1.0, n);
    } else {
      add_identity(g.fixed, 1.0);
      add_outer(g.fixed, -1.0, n);
    }
    g.at = c.model.rest[s];
    c.problem.x_start[s] = g.settled(c.problem.x_start[s]);
    c.problem.x_target[s] = g.settled(c.problem.x_target[s]);
    c.problem.glides.push_back(g);
  }
}

}  // namespace sinew
