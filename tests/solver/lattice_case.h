// The lattice of a body, its full matrix, and bodies of every kind to test it on.
#pragma once

#include <gtest/gtest.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>
#include "base/hash.h"
#include "objective/objective.h"
#include "solver/multilevel/lattice.h"
#include "solver/sweep.h"
#include "solver/sweep_case.h"
#include "support/tied.h"

namespace sinew::lattice_support {

using support::bound_boxes;
using support::chain;
using support::derivative;
using support::identity;
using support::muscle;
using support::plane_body_of;
using support::plane_muscle;
using support::rectangle;
using support::size;
using support::spring_grid;
using support::together;
using support::unit_vector;

using Field = std::vector<Vec3d>;  // a vector for each node, or for each slot

// Moments and matrices are floats; the rounding of such large sums is a few times theirs.
constexpr double rounding = 1.2e-7, sums_of_rounding = 20 * rounding;

struct How {
  double h = 0;  // [s]; 0: quasistatic
  double spacing = 4;
  int threads = 1;
  std::function<bool(Vec3d)> held{};
  int lanes = 0;
  Mat3d before = identity();  // F at the start of the step, for damping
};

// The lattice of a body, at rest or at the positions given to `set`.
class Case {
 public:
  explicit Case(const Body& body, const How& how = {})
      : model(body.compile()),
        pool(how.threads),
        bodies(bodies_of(model)),
        problem(problem_of(model, model.rest, how.h)) {
    const std::vector<uint8_t> wanted(static_cast<size_t>(bodies.count()), 1);
    lattice.prepare(model, bodies, wanted, how.spacing, kernels_with_lanes(how.lanes)->lattice, pool);
    if (how.held) hold(how.held);
    problem.x_prev = mapped(how.before);
    lattice.begin_step(problem, pool);
    EXPECT_TRUE(set(model.rest));
  }

  // Takes effect in the next step.
  void hold(const std::function<bool(Vec3d)>& held) {
    for (size_t s = 0; s < problem.held.size(); ++s) problem.held[s] = model.mass[s] == 0 || held(model.rest[s]);
  }
  // Computes the matrix at these positions, by slot.
  bool set(const Field& positions) {
    x.clear();
    for (size_t s = 0; s < positions.size(); ++s) {
      const Vec3d p = positions[s];
      x.push_back({p.x, p.y, p.z, problem.held[s] ? 0 : 1 / model.mass[s]});
    }
    return lattice.refresh<double>(x, pool);
  }
  Field mapped(const Mat3d& f) const {
    Field result = model.rest;
    for (Vec3d& p : result) p = f * p;
    return result;
  }

  size_t nodes() const { return static_cast<size_t>(lattice.node_count()); }
  // The rest positions of the nodes; for layers that share nodes, that of either.
  Field node_places() const {
    Field places(nodes());
    for (const LatticeCube& c : lattice.cells().cubes) {
      const LatticeCells::Frame& f = lattice.cells().frames[c.body];
      for (int a = 0; a < cell_corners; ++a)
        places[c.node[a]] =
            f.origin + f.edge * Vec3d{double(c.i + (a & 1)), double(c.j + (a >> 1 & 1)), double(c.k + (a >> 2))};
    }
    return places;
  }
  size_t place_of(size_t node) const {
    return static_cast<size_t>(lattice.cycle().place_of(static_cast<int32_t>(node)));
  }

  void set_correction(const Field& u) {
    for (size_t n = 0; n < u.size(); ++n)
      lattice.cycle().left()[place_of(n)] = {static_cast<float>(u[n].x), static_cast<float>(u[n].y),
                                             static_cast<float>(u[n].z), 0};
  }
  Field correction() const {
    Field u;
    for (size_t n = 0; n < nodes(); ++n) {
      const Vec4<float>& v = lattice.correction()[place_of(n)];
      u.push_back({v.x, v.y, v.z});
    }
    return u;
  }
  // P u of the current correction.
  Field motion() {
    std::vector<Vec4<double>> moved = x;
    for (Vec4<double>& p : moved) p = {0, 0, 0, p.w};
    lattice.move<double>(moved, 1, pool);
    Field result;
    for (const Vec4<double>& p : moved) result.push_back({p.x, p.y, p.z});
    return result;
  }
  Field motion(const Field& u) {
    set_correction(u);
    return motion();
  }
  Field product(const Field& u) const {
    Field by_place(static_cast<size_t>(lattice.cycle().place_count())), result;
    for (size_t n = 0; n < u.size(); ++n) by_place[place_of(n)] = u[n];
    const Field image = lattice.cycle().product(by_place);
    for (size_t n = 0; n < u.size(); ++n) result.push_back(image[place_of(n)]);
    return result;
  }
  std::vector<Vec4<double>> forces_of(const Field& f) const {
    std::vector<Vec4<double>> forces;
    for (size_t s = 0; s < f.size(); ++s) {
      const Vec3d free = problem.held[s] ? Vec3d{} : f[s];
      forces.push_back({free.x, free.y, free.z, 0});
    }
    return forces;
  }
  double solve(const Field& f, int cycles) { return lattice.solve<double>(forces_of(f), cycles, pool); }
  // P^T f by node, in the form that the solve receives.
  Field right() const {
    Field b;
    for (size_t n = 0; n < nodes(); ++n) {
      const Vec4<float>& v = lattice.cycle().right()[place_of(n)];
      b.push_back({v.x, v.y, v.z});
    }
    return b;
  }

  Model model;
  ThreadPool pool;
  Bodies bodies;
  StepProblem problem;
  Lattice lattice;
  std::vector<Vec4<double>> x;
};

inline Field random_field(size_t count, Random& random) {
  Field u;
  for (size_t n = 0; n < count; ++n) u.push_back(random.vector());
  return u;
}
inline double component(Vec3d v, size_t k) {
  return k == 0 ? v.x : k == 1 ? v.y : v.z;
}
inline double inner(const Field& a, const Field& b) {
  double sum = 0;
  for (size_t n = 0; n < a.size(); ++n) sum += dot(a[n], b[n]);
  return sum;
}
inline double norm(const Field& a) {
  return std::sqrt(inner(a, a));
}
inline Field difference(const Field& a, const Field& b) {
  Field result;
  for (size_t n = 0; n < a.size(); ++n) result.push_back(a[n] - b[n]);
  return result;
}

// A matrix over nodes, with three numbers each.
struct Dense {
  size_t n = 0;
  std::vector<double> entries;
  double operator()(size_t i, size_t j) const { return entries[i * n + j]; }
  double& operator()(size_t i, size_t j) { return entries[i * n + j]; }
  double largest() const {
    double result = 0;
    for (const double v : entries) result = std::fmax(result, std::abs(v));
    return result;
  }
  double largest_difference(const Dense& other) const {
    double result = 0;
    for (size_t k = 0; k < entries.size(); ++k) {
      const double d = std::abs(entries[k] - other.entries[k]);
      result = std::isfinite(d) ? std::fmax(result, d) : 1e300;
    }
    return result;
  }
};
inline Dense dense_matrix(const Case& c) {
  Dense a{3 * c.nodes(), {}};
  a.entries.resize(a.n * a.n);
  for (size_t j = 0; j < a.n; ++j) {
    Field unit(c.nodes());
    unit[j / 3] = unit_vector(static_cast<int>(j % 3));
    const Field column = c.product(unit);
    for (size_t i = 0; i < a.n; ++i) a(i, j) = component(column[i / 3], i % 3);
  }
  return a;
}

// The largest |a_ij - a_ji|, relative to the geometric mean of their diagonal entries.
inline double asymmetry(const Dense& a) {
  double largest = 0;
  for (size_t i = 0; i < a.n; ++i)
    for (size_t j = 0; j < i; ++j)
      largest = std::fmax(largest, std::abs(a(i, j) - a(j, i)) / (std::sqrt(std::abs(a(i, i) * a(j, j))) + 1e-300));
  return largest;
}
// Whether D^-1/2 A D^-1/2 + shift 1 is positive definite, by Cholesky factorization. Rows of zeros are ignored.
inline bool is_positive(const Dense& a, double shift) {
  std::vector<double> scale(a.n), l(a.n * a.n);
  for (size_t i = 0; i < a.n; ++i) {
    if (a(i, i) < 0) return false;
    scale[i] = a(i, i) > 0 ? 1 / std::sqrt(a(i, i)) : 0;
  }
  for (size_t i = 0; i < a.n; ++i) {
    for (size_t j = 0; j <= i; ++j) {
      double sum = i == j ? scale[i] * scale[i] * a(i, i) + shift : 0.5 * scale[i] * scale[j] * (a(i, j) + a(j, i));
      for (size_t k = 0; k < j; ++k) sum -= l[i * a.n + k] * l[j * a.n + k];
      if (i == j && !(sum > 0)) return false;
      l[i * a.n + j] = i == j ? std::sqrt(sum) : sum / l[j * a.n + j];
    }
  }
  return true;
}

// Displaces inner vertices as far as all tets keep 1e-5 of their volume, which makes slivers.
inline Body irregular(std::array<int32_t, 3> cells, Vec3d extent, Random& random) {
  TetMesh mesh = box(cells, extent);
  std::vector<std::vector<size_t>> tets_of(mesh.vertices.size());
  for (size_t e = 0; e < mesh.tets.size(); ++e)
    for (const int32_t v : mesh.tets[e]) tets_of[v].push_back(e);
  const auto volume = [&](size_t e) {
    const Tet& t = mesh.tets[e];
    const Vec3d r = mesh.vertices[t[0]];
    return dot(mesh.vertices[t[1]] - r, cross(mesh.vertices[t[2]] - r, mesh.vertices[t[3]] - r)) / 6;
  };
  const double cell = extent.x / cells[0], least = 1e-5 * cell * cell * cell / 6;
  int slivers = 0;
  for (size_t v = 0; v < mesh.vertices.size(); ++v) {
    const Vec3d before = mesh.vertices[v];
    const auto inside = [](double a, double end) { return a > 1e-9 && a < end - 1e-9; };
    if (!inside(before.x, extent.x) || !inside(before.y, extent.y) || !inside(before.z, extent.z)) continue;
    // As far as one tet allows.
    const Vec3d way = cell * random.vector();
    double far = 1;
    for (const size_t e : tets_of[v]) {
      const double now = volume(e);
      mesh.vertices[v] = before + way;
      const double then = volume(e);
      mesh.vertices[v] = before;
      if (then < least) far = std::fmin(far, (now - least) / (now - then));
    }
    mesh.vertices[v] = before + (0.9999 * far) * way;
  }
  for (size_t e = 0; e < mesh.tets.size(); ++e) {
    EXPECT_GT(volume(e), 0);
    slivers += volume(e) < 1e-3 * cell * cell * cell / 6;
  }
  EXPECT_GT(slivers, 5);
  return body_of(std::move(mesh));
}

constexpr double time_step_of_cases = 0.02;

// One body of every kind that can have a lattice.
inline std::map<std::string, std::pair<Body, How>> every_body() {
  Random random(3);
  std::map<std::string, std::pair<Body, How>> list;
  const auto on_the_left = [](Vec3d r) { return r.x < 1e-9; };
  list["box"] = {body_of(box({9, 6, 6}, {1.5, 1, 1})), {}};
  list["box in a step"] = {body_of(box({9, 6, 6}, {1.5, 1, 1})), {.h = time_step_of_cases}};
  list["held box"] = {body_of(box({9, 6, 6}, {1.5, 1, 1})), {.held = on_the_left}};
  list["two materials"] = {assorted_body(MaterialKind::NeoHookean, MaterialKind::FixedCorotated), {}};
  list["slivers"] = {irregular({8, 6, 6}, {1.6, 1.2, 1.2}, random), {.spacing = 3}};
  list["stiffness factors"] = {irregular({8, 6, 6}, {1.6, 1.2, 1.2}, random), {}};
  support::vary_stiffness(list["stiffness factors"].first, random);
  list["hard and soft"] = {body_of(box({8, 5, 5}, {1.6, 1, 1})), {}};
  for (const Tet& t : list["hard and soft"].first.mesh.tets)
    list["hard and soft"].first.stiffness_factor.push_back(
        list["hard and soft"].first.mesh.vertices[t[0]].x < 0.7 ? 1e-3 : 1e3);
  list["ties"] = {bound_boxes(4, 0.05, weak_constraint_law(200, 50, {0, 1, 0})), {.spacing = 3}};
  list["springs"] = {spring_grid(9, 100), {}};
  list["chain"] = {chain(19, 0.1, 1e3), {.h = time_step_of_cases}};
  list["fibres"] = {muscle({{0}, {0.7}}, {8, 4, 4}), {}};
  list["damped"] = {body_of(box({6, 5, 5})), {.h = time_step_of_cases}};
  list["damped"].first.blocks[0].damping = 0.02;
  list["damped springs"] = {spring_grid(9, 100), {.h = time_step_of_cases}};
  for (TieLaw<double>& law : list["damped springs"].first.ties.laws) law.damping = 0.05;
  list["damped triangles"] = {plane_body_of(rectangle({9, 7})), {.h = time_step_of_cases}};
  list["damped triangles"].first.blocks[0].damping = 0.02;
  list["damped by own block"] = list["damped"];
  list["damped by own block"].first.damping_form = DampingForm::own_block;
  list["triangles"] = {plane_body_of(rectangle({9, 7})), {}};
  list["incompressible"] = {body_of(box({6, 5, 5}), MaterialKind::StableNeoHookean, 1000, 0.499), {}};
  return list;
}

// One state of each kind, in the plane for triangles.
inline std::map<std::string, Field> every_state(const Case& c) {
  Random random(5);
  std::map<std::string, Field> states;
  states["rest"] = c.model.rest;
  states["shaken"] = shaken(c.model.rest, 0.1, random);
  states["torn"] = random_field(c.model.rest.size(), random);
  states["stretched"] = c.mapped(diagonal(3.0, 1.0, 0.9));
  states["squeezed"] = c.mapped(diagonal(0.1, 1.1, 1.0));
  states["pressed"] = c.mapped(diagonal(0.2, 0.2, 0.2));
  states["mirrored"] = c.mapped(diagonal(-0.3, 1.0, 1.0));
  states["turned inside out"] = c.mapped(diagonal(-1.0, -1.2, -1.1));
  states["in a plane"] = c.mapped(diagonal(1.0, 0.0, 1.0));
  states["in a point"] = Field(c.model.rest.size());
  states["large"] = c.mapped(diagonal(1e4, 2e4, 1e4));
  return states;
}

}  // namespace sinew::lattice_support
