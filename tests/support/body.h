// A body that tests simulate: a mesh with its materials, compiled to a model.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "mesh/generators.h"
#include "mesh/middles.h"
#include "model/model.h"
#include "model/step_problem.h"
#include "support/random.h"

namespace sinew::support {

// The values of the reference solutions (docs/theory.md, section 14) unless stated otherwise: E = 1000 Pa, nu = 0.3,
// rho = 10 kg/m^3, g = 9.8 m/s^2 along -y.
struct Body {
  TetMesh mesh;
  std::vector<ElasticBlock> blocks{{.material = elastic_material(MaterialKind::NeoHookean, lame_from(1000, 0.3))}};
  std::vector<double> density{10};
  std::vector<int32_t> block_of_tet{};     // empty: all in the first
  std::vector<double> stiffness_factor{};  // empty: 1 everywhere
  Vec3d gravity{0, -9.8, 0};
  std::vector<double> point_mass{};  // empty: none
  Ties ties{};
  std::vector<Activation> muscles{};
  DampingForm damping_form = DampingForm::strain_rate;
  int32_t cluster_vertices = 0;

  ModelInput input() const {
    ModelInput in;
    in.mesh = &mesh;
    in.block_of_tet = block_of_tet;
    if (in.block_of_tet.empty()) in.block_of_tet.assign(mesh.tets.size(), 0);
    in.blocks = blocks;
    in.density_of_block = density;
    in.stiffness_factor = stiffness_factor;
    in.gravity = gravity;
    in.point_mass = point_mass;
    in.ties = ties;
    in.muscles = muscles;
    in.damping_form = damping_form;
    in.cluster_vertices = cluster_vertices;
    return in;
  }
  Model compile() const {
    Result<Model> model = compile_model(input());
    if (!model.ok()) {
      ADD_FAILURE() << model.error().message();
      return {};
    }
    return std::move(model.value());
  }
};

inline Body body_of(TetMesh mesh, MaterialKind material = MaterialKind::NeoHookean, double youngs_modulus = 1000,
                    double poisson_ratio = 0.3) {
  Body body{.mesh = std::move(mesh)};
  body.blocks = {{.material = elastic_material(material, lame_from(youngs_modulus, poisson_ratio))}};
  return body;
}

// A rectangle of triangles, 1 m thick.
inline TetMesh rectangle(std::array<int32_t, 2> cells, std::array<double, 2> size = {1, 1}) {
  const SurfaceMesh grid = make_grid({cells, size, {}}).value();
  TetMesh mesh{.vertices = grid.vertices, .tets = {}, .regions = {}, .middles = {}};
  for (const Triangle& t : grid.triangles) mesh.tets.push_back({t[0], t[1], t[2], no_corner});
  return mesh;
}
inline Body plane_body_of(TetMesh mesh, MaterialKind material = MaterialKind::NeoHookean, double youngs_modulus = 1000,
                          double poisson_ratio = 0.3) {
  Body body = body_of(std::move(mesh), material, youngs_modulus, poisson_ratio);
  Lame lame = body.blocks[0].material.lame;
  lame.dimension = 2;
  body.blocks[0].material = elastic_material(material, lame);
  return body;
}

// A stiffness factor for each tet, from 1/4 to 4.
inline void vary_stiffness(Body& body, Random& random) {
  body.stiffness_factor.clear();
  for (size_t e = 0; e < body.mesh.tets.size(); ++e) {
    body.stiffness_factor.push_back(std::exp2(random.between(-2, 2)));
  }
}

inline TetMesh box(std::array<int32_t, 3> cells, Vec3d size = {1, 1, 1}, TetSplit split = TetSplit::five) {
  return make_box({.cells = cells, .size = size, .split = split}).value();
}

// The mesh of quadratic tets.
inline TetMesh with_middles(TetMesh mesh) {
  add_middles(mesh);
  return mesh;
}

inline TetMesh one_tet() {
  return {
      .vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .tets = {{0, 1, 2, 3}}, .regions = {}, .middles = {}};
}

// Vertex 0 in the middle of a ball's surface triangles: a vertex with many tets. `rings` parallels of `sides` vertices
// between two poles: 2 sides (rings + 1) - 2 sides ... tets, all at vertex 0.
inline TetMesh fan(int rings, int sides) {
  TetMesh mesh;
  mesh.vertices = {{0, 0, 0}, {0, 0, 1}, {0, 0, -1}};
  for (int r = 0; r < rings; ++r) {
    const double polar = M_PI * (r + 1) / (rings + 1);
    for (int s = 0; s < sides; ++s) {
      const double a = 2 * M_PI * s / sides;
      mesh.vertices.push_back({std::sin(polar) * std::cos(a), std::sin(polar) * std::sin(a), std::cos(polar)});
    }
  }
  const auto at = [&](int r, int s) { return 3 + r * sides + s % sides; };
  for (int s = 0; s < sides; ++s) {
    mesh.tets.push_back({0, 1, at(0, s), at(0, s + 1)});
    mesh.tets.push_back({0, 2, at(rings - 1, s + 1), at(rings - 1, s)});
    for (int r = 0; r + 1 < rings; ++r) {
      mesh.tets.push_back({0, at(r, s), at(r + 1, s), at(r, s + 1)});
      mesh.tets.push_back({0, at(r, s + 1), at(r + 1, s), at(r + 1, s + 1)});
    }
  }
  return mesh;
}

// A box of such cells, turned so that the cubes of a lattice cut its tets. Flat cells make it a mesh of slivers.
inline TetMesh turned_box(std::array<int32_t, 3> cells) {
  TetMesh mesh = box(cells);
  const auto turn = [](double& a, double& b, double angle) {
    const double before = a;
    a = std::cos(angle) * a - std::sin(angle) * b;
    b = std::sin(angle) * before + std::cos(angle) * b;
  };
  for (Vec3d& p : mesh.vertices) {
    turn(p.x, p.y, 0.5);
    turn(p.y, p.z, 0.6);
  }
  return mesh;
}

// Two meshes in one, the second one's vertices after the first one's.
inline TetMesh together(TetMesh a, const TetMesh& b) {
  const auto shift = static_cast<int32_t>(a.vertices.size());
  a.vertices.insert(a.vertices.end(), b.vertices.begin(), b.vertices.end());
  for (Tet t : b.tets) {
    for (int32_t& v : t) v += shift;
    a.tets.push_back(t);
  }
  return a;
}

inline std::vector<MaterialKind> every_material() {
  std::vector<MaterialKind> kinds;
  for (int k = 0; k < material_count; ++k) kinds.push_back(MaterialKind(k));
  return kinds;
}

// The materials that XPBD supports: with scalar constraints, or with the strain as one constraint.
inline std::vector<MaterialKind> xpbd_materials() {
  std::vector<MaterialKind> kinds;
  for (const MaterialKind kind : every_material()) {
    const MaterialTraits traits = traits_of(kind);
    if (traits.constraint_count > 0 || traits.strain_constraint) kinds.push_back(kind);
  }
  return kinds;
}

// The positions moved at random, each coordinate by up to `amount` [m].
inline std::vector<Vec3d> shaken(std::vector<Vec3d> x, double amount, Random& random) {
  const auto move = [&] { return random.between(-amount, amount); };
  for (Vec3d& p : x) p += Vec3d{move(), move(), move()};
  return x;
}

// A problem for a solver or the objective: everything free but padding and vertices without mass, a backward Euler
// step of size h from `x_prev` at rest, or quasistatic if h = 0.
inline StepProblem problem_of(const Model& model, std::vector<Vec3d> x_prev, double h) {
  StepProblem p;
  p.model = &model;
  p.quasistatic = h == 0;
  p.h = h;
  p.x_prev = std::move(x_prev);
  p.x_start = p.x_target = p.x_prev;
  for (const Activation& muscle : model.muscles) p.activation.push_back(muscle.at(h));
  for (size_t s = 0; s < model.mass.size(); ++s) {
    p.held.push_back(model.mass[s] == 0);
    if (h > 0 && !p.held[s]) p.x_target[s] += (h * h / model.mass[s]) * model.external_force(s);
  }
  return p;
}

}  // namespace sinew::support
