// Cubes that touch a floor or each other, and what is read from them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "sinew/simulation.h"

namespace sinew {

constexpr double gravity = 9.81;  // [m/s^2]

inline SceneMaterial rubber(double youngs_modulus) {
  SceneMaterial material;
  material.name = "rubber";
  material.set("youngs_modulus", youngs_modulus);
  material.set("poisson_ratio", 0.3);
  return material;
}
inline SceneObject block(const char* name, Real3 origin, Real3 size, std::array<int, 3> cells) {
  SceneObject object;
  object.name = name;
  object.mesh = MeshBox{size, cells, origin, 5};
  object.material = "rubber";
  return object;
}
inline SceneObject cube(const char* name, Real3 origin, int cells = 3, double size = 0.1) {
  return block(name, origin, {size, size, size}, {cells, cells, cells});
}
// A box of cells of six tets each, whose corner (i, j, k) is at map(i, j, k). The map keeps the handedness of the axes.
template <class Map>
MeshArrays mapped_box(std::array<int, 3> cells, Map map) {
  MeshArrays mesh;
  const auto [nx, ny, nz] = cells;
  for (int i = 0; i <= nx; ++i)
    for (int j = 0; j <= ny; ++j)
      for (int k = 0; k <= nz; ++k)
        for (const double c : Real3(map(i, j, k))) mesh.vertices.push_back(c);
  const auto vertex = [ny = ny, nz = nz](std::array<int, 3> p) {
    return int64_t{(p[0] * (ny + 1) + p[1]) * (nz + 1) + p[2]};
  };
  // The ways along the edges from one corner of a cell to the opposite one; odd permutations have negative volumes.
  constexpr size_t ways[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j)
      for (int k = 0; k < nz; ++k)
        for (size_t way = 0; way < 6; ++way) {
          std::array<int, 3> p{i, j, k};
          std::array<int64_t, 4> tet{vertex(p)};
          for (size_t step = 0; step < 3; ++step) {
            ++p[ways[way][step]];
            tet[step + 1] = vertex(p);
          }
          if (way >= 3) std::swap(tet[2], tet[3]);
          mesh.tets.insert(mesh.tets.end(), tet.begin(), tet.end());
        }
  return mesh;
}
// A cube just above a floor.
inline Scene on_floor(double youngs_modulus = 1e6) {
  Scene scene;
  scene.gravity = {0, -gravity, 0};
  scene.materials = {rubber(youngs_modulus)};
  scene.objects = {cube("cube", {0, 0.006, 0})};
  scene.contact = ContactSettings{};
  scene.colliders.push_back({.name = "floor", .shape = ColliderHalfSpace{}});
  scene.time.frame_dt = 0.01;
  scene.time.duration = 10;
  scene.solver.type = "newton";
  scene.solver.options.set("relative_tolerance", 1e-8);
  return scene;
}
inline void solve_by(Scene& scene, const std::string& solver, double relative_tolerance, int iterations) {
  scene.solver = {};
  scene.solver.type = solver;
  scene.solver.options.set("precision", "double");
  scene.solver.options.set("iterations", iterations);
  scene.solver.options.set("relative_tolerance", relative_tolerance);
}

inline double lowest(const Simulation& s) {
  double y = 1e9;
  for (const Real3& x : s.positions()) y = std::min(y, x[1]);
  return y;
}
inline Real3 mean_of(const std::vector<Real3>& all) {
  Real3 sum{};
  for (const Real3& v : all)
    for (size_t k = 0; k < 3; ++k) sum[k] += v[k] / static_cast<double>(all.size());
  return sum;
}
inline double fastest(const Simulation& s) {
  double most = 0;
  for (const Real3& v : s.velocities()) most = std::max(most, std::hypot(v[0], v[1], v[2]));
  return most;
}

}  // namespace sinew
