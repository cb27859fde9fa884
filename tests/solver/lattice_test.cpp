// Source: the definitions of solver/multilevel/lattice.h, lattice_cells.h and lattice_moments.h: A is Galerkin's matrix
// P^T H P of the objective's Hessian at rest, exactly so in one cell; and at a state F what the kernel's formula makes
// of it.
#include "solver/multilevel/lattice.h"

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
#include "solver/sweep.h"
#include "solver/sweep_case.h"
#include "support/tied.h"

namespace sinew {
namespace {

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

using Field = std::vector<Vec3d>;  // a vector of each node, or of each slot

// Moments and matrices are floats; of sums of so many the rounding is a few times theirs.
constexpr double rounding = 1.2e-7, sums_of_rounding = 20 * rounding;

struct How {
  double h = 0;  // [s]; 0: quasistatic
  double spacing = 4;
  int threads = 1;
  std::function<bool(Vec3d)> held{};
  int lanes = 0;
  Mat3d before = identity();  // F at the start of the step, which damping is about
};

// The lattice of a body, at rest or where `set` puts it.
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

  // From the next step on.
  void hold(const std::function<bool(Vec3d)>& held) {
    for (size_t s = 0; s < problem.held.size(); ++s) problem.held[s] = model.mass[s] == 0 || held(model.rest[s]);
  }
  // The matrix at these positions, by slot.
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
  // Where the nodes lie at rest; of layers that are one node, either.
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
  // P u, of the correction as it is.
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
  // P^T f, by nodes, as the solve takes it.
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

Field random_field(size_t count, Random& random) {
  Field u;
  for (size_t n = 0; n < count; ++n) u.push_back(random.vector());
  return u;
}
double component(Vec3d v, size_t k) {
  return k == 0 ? v.x : k == 1 ? v.y : v.z;
}
double inner(const Field& a, const Field& b) {
  double sum = 0;
  for (size_t n = 0; n < a.size(); ++n) sum += dot(a[n], b[n]);
  return sum;
}
double norm(const Field& a) {
  return std::sqrt(inner(a, a));
}
Field difference(const Field& a, const Field& b) {
  Field result;
  for (size_t n = 0; n < a.size(); ++n) result.push_back(a[n] - b[n]);
  return result;
}

// A of nodes, three numbers each.
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
Dense dense_matrix(const Case& c) {
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

// The largest |a_ij - a_ji|, each in the mean of its diagonals.
double asymmetry(const Dense& a) {
  double largest = 0;
  for (size_t i = 0; i < a.n; ++i)
    for (size_t j = 0; j < i; ++j)
      largest = std::fmax(largest, std::abs(a(i, j) - a(j, i)) / (std::sqrt(std::abs(a(i, i) * a(j, j))) + 1e-300));
  return largest;
}
// Is D^-1/2 A D^-1/2 + shift 1 positive definite? By Cholesky's factorization. Rows of zeros count for nothing.
bool is_positive(const Dense& a, double shift) {
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

// Inner vertices go where they may as long as all tets keep a hundred-thousandth of their volume: slivers.
Body irregular(std::array<int32_t, 3> cells, Vec3d extent, Random& random) {
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

// Of every kind that a lattice is laid around.
std::map<std::string, std::pair<Body, How>> every_body() {
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

// A state of each kind, in the plane for triangles.
std::map<std::string, Field> every_state(const Case& c) {
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

TEST(Lattice, TheMatrixIsSymmetricAndNowhereNegative) {
  for (const auto& [name, entry] : every_body()) {
    Case c(entry.first, entry.second);
    ASSERT_GT(c.nodes(), 5u) << name;
    for (const auto& [state, positions] : every_state(c)) {
      ASSERT_TRUE(c.set(positions)) << name << ", " << state;
      const Dense a = dense_matrix(c);
      EXPECT_GT(a.largest(), 0) << name << ", " << state;
      EXPECT_LT(asymmetry(a), sums_of_rounding) << name << ", " << state;
      EXPECT_TRUE(is_positive(a, sums_of_rounding)) << name << ", " << state;
    }
  }
}

// What is not finite is said so, and what comes after it is as before.
TEST(Lattice, SaysThatAMatrixIsNotFinite) {
  Case c(body_of(box({4, 4, 4})), {.h = time_step_of_cases, .spacing = 2});
  const Dense before = dense_matrix(c);
  Field bad = c.model.rest;
  bad[static_cast<size_t>(c.model.order.slot(UserVertex{0}))].x = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(c.set(bad));
  EXPECT_TRUE(c.set(c.model.rest));
  EXPECT_EQ(dense_matrix(c).largest_difference(before), 0);
}

// What rounding leaves where terms add up to nothing: of each |a_ij| no more than (a_ii a_jj)^(1/2) can be said.
double sum_of_terms(const Dense& a, size_t row, const Field& u) {
  double sum = 0;
  for (size_t j = 0; j < a.n; ++j)
    sum += std::sqrt(std::abs(a(row, row) * a(j, j))) * std::abs(component(u[j / 3], j % 3));
  return sum;
}
void expect_annulled(const Case& c, const Dense& a, const Field& u, const std::string& what) {
  const Field image = c.product(u);
  for (size_t i = 0; i < a.n; ++i) {
    const double sum = sum_of_terms(a, i, u);
    EXPECT_LE(std::abs(component(image[i / 3], i % 3)), sums_of_rounding * sum) << what;
  }
}

// Without inertia and pins; at rest, and where the body has been turned as a whole. Bound boxes have no gap here.
TEST(Lattice, RigidMotionsCostNothing) {
  Random random(6);
  const auto list = every_body();
  std::map<std::string, Body> bodies{{"bound", bound_boxes(4, 0, weak_constraint_law(200))},
                                     {"slack muscle", muscle({{0}, {0}}, {8, 4, 4})}};
  for (const char* name : {"box", "two materials", "slivers", "stiffness factors", "hard and soft", "springs",
                           "triangles", "incompressible"})
    bodies[name] = list.at(name).first;
  for (const auto& [name, body] : bodies) {
    const bool plane = name == "triangles" || name == "springs";
    Case c(body, {.spacing = 3});
    for (const bool turned : {false, true}) {
      Mat3d q = turned ? random.rotation() : identity();
      if (plane && turned) q = {{0.6, 0.8, 0}, {-0.8, 0.6, 0}, {0, 0, 1}};
      ASSERT_TRUE(c.set(c.mapped(q)));
      const Dense a = dense_matrix(c);
      for (int axis = 0; axis < 3; ++axis) {
        expect_annulled(c, a, Field(c.nodes(), unit_vector(axis)), name);
        if (plane && axis < 2) continue;  // its layers of nodes are one
        Field u = c.node_places();
        for (Vec3d& p : u) p = cross(unit_vector(axis), q * p);
        expect_annulled(c, a, u, name);
      }
    }
  }
}

TEST(Lattice, TranslationsCostNothingInAnyState) {
  for (const auto& [name, entry] : every_body()) {
    if (entry.second.h > 0 || entry.second.held) continue;
    Case c(entry.first, entry.second);
    for (const auto& [state, positions] : every_state(c)) {
      ASSERT_TRUE(c.set(positions));
      const Dense a = dense_matrix(c);
      for (int axis = 0; axis < 3; ++axis)
        expect_annulled(c, a, Field(c.nodes(), unit_vector(axis)), name + ", " + state);
    }
  }
}

// u_a = M X_a moves the body by M X. What that costs at x = F X is the formula of lattice.h for the whole body,
//   sum V (p mu (|M|^2 + tr (R^T M)^2 - (tr R^T M)^2) + (lambda + mu) (C : M)^2) + sum m |M X|^2 / h^2
//     + k_d/h sum V (2 mu |S|^2 + lambda tr^2 S),   S = sym(F^tT M),
// p = 1 + lambda / (2 mu) (1 - J) where that is more than 1 and J > 0 (lattice_kernel.h).
void expect_affine_cost(const std::string& name, const Body& body, double h, const std::vector<Mat3d>& shapes) {
  Random random(7);
  const Mat3d before = random.rotation() * diagonal(1.4, 0.8, 1.1) * random.rotation();
  Case c(body, {.h = h, .spacing = 2, .before = before});
  ASSERT_GT(c.lattice.cell_count(), 7);
  const ElasticBlock& block = c.model.blocks[0];
  const double mu = block.lame.mu, lambda = block.lame.lambda;
  double volume = 0;
  for (size_t e = 0; e < c.model.tets.size(); ++e) {
    const Tet& t = c.model.tets[e];
    const auto edge = [&](int k) { return c.model.rest[t[k]] - c.model.rest[t[0]]; };
    volume += dot(edge(1), cross(edge(2), edge(3))) / 6 * c.model.stiffness_factor_of(static_cast<int32_t>(e));
  }
  double worst = 0;
  for (const Mat3d& shape : shapes) {
    const Mat3d f = random.rotation() * shape * random.rotation();
    ASSERT_TRUE(c.set(c.mapped(f)));
    const Dense a = dense_matrix(c);
    const SignedSvd d = signed_svd(f);
    const Mat3d r = d.u * transpose(d.v);
    const Mat3d cof =
        cofactor(d.u * diagonal(std::fmax(d.s.x, 1), std::fmax(d.s.y, 1), std::fmax(d.s.z, 1)) * transpose(d.v));
    const double pressed = 1 + 0.5 * lambda / mu * std::clamp(1 - determinant(f), 0.0, 1.0);
    for (int k = 0; k < 4; ++k) {
      const Mat3d m = random.matrix(), back = transpose(r) * m;
      const double sheared = contract(m, m) + trace(back * back) - trace(back) * trace(back);
      const double pushed = contract(cof, m);
      double expected = volume * (pressed * mu * sheared + (lambda + mu) * pushed * pushed);
      const Mat3d product = transpose(before) * m, strain = 0.5 * (product + transpose(product));
      if (h > 0)
        expected +=
            volume * block.damping / h * (2 * mu * contract(strain, strain) + lambda * trace(strain) * trace(strain));
      // About the middle.
      const Vec3d middle{0.75, 0.5, 0.5};
      Field u = c.node_places();
      for (Vec3d& p : u) p = m * (p - middle);
      for (size_t s = 0; h > 0 && s < c.model.rest.size(); ++s) {
        const Vec3d moved = m * (c.model.rest[s] - middle);
        expected += c.model.mass[s] / (h * h) * dot(moved, moved);
      }
      double terms = 0;
      for (size_t i = 0; i < a.n; ++i) terms += std::abs(component(u[i / 3], i % 3)) * sum_of_terms(a, i, u);
      EXPECT_NEAR(inner(u, c.product(u)), expected, rounding * terms) << name;
      worst = std::fmax(worst, rounding * terms / expected);
    }
  }
  // A sliver's gradients are 1e4 times those of other tets, and what they add to an affine motion cancels.
  const bool slivers = name == "slivers" || name == "stiffness factors";
  EXPECT_LT(worst, slivers ? 0.6 : 0.02) << name << ": the rounding, in what is expected";
}

TEST(Lattice, AffineMotionsCostWhatTheFormulaSays) {
  Random random(8);
  const std::vector<Mat3d> not_pressed{identity(), diagonal(2.0, 1.2, 0.9), diagonal(5.0, 2.0, 0.2),
                                       diagonal(1.3, 1.3, 1.3)};
  std::vector<Mat3d> all = not_pressed;
  all.insert(all.end(), {diagonal(0.5, 0.6, 0.7), diagonal(1.0, 0.3, -0.2), diagonal(5.0, 1.0, 1e-3),
                         diagonal(-1.0, -2.0, -0.5), identity() + 0.1 * random.matrix()});
  const auto list = every_body();
  for (const char* name : {"box", "slivers", "stiffness factors", "incompressible"})
    expect_affine_cost(name, list.at(name).first, 0, all);
  for (const char* name : {"box in a step", "damped"})
    expect_affine_cost(name, list.at(name).first, time_step_of_cases, not_pressed);
}

// What a cell is pressed by stiffens it (lattice_kernel.h, p) and leaves its inertia alone.
TEST(Lattice, PressureMakesNothingHeavier) {
  expect_affine_cost("pressed", every_body().at("box in a step").first, time_step_of_cases, {diagonal(0.5, 0.6, 0.7)});
}

// Pressed cells in which one material is far less compressible than the other: p is to suit both.
TEST(Lattice, MixedMaterialsAreNowhereNegative) {
  Random random(9);
  for (const double share : {0.1, 0.3, 0.5, 0.9}) {
    Body body = body_of(box({4, 4, 4}), MaterialKind::NeoHookean, 1000, 0.499);
    body.blocks.push_back({.material = MaterialKind::NeoHookean, .lame = lame_from(1000, 0)});
    body.density.push_back(10);
    for (const Tet& t : body.mesh.tets) body.block_of_tet.push_back(body.mesh.vertices[t[0]].x > share);
    Case c(body, {.spacing = 100});
    ASSERT_EQ(c.lattice.cell_count(), 1);
    for (const double squeeze : {1.0, 0.5, 0.1, -0.5}) {
      ASSERT_TRUE(c.set(c.mapped(diagonal(squeeze, 1.0, 1.0))));
      EXPECT_TRUE(is_positive(dense_matrix(c), sums_of_rounding)) << share << " " << squeeze;
    }
  }
}

// P^T H P by nodes, H from differences of the objective's gradient at `at`, which is 0 at held vertices.
Dense galerkin(Case& c, const Field& at) {
  Dense a{3 * c.nodes(), {}};
  a.entries.resize(a.n * a.n);
  std::vector<Field> motions;
  for (size_t i = 0; i < a.n; ++i) {
    Field unit(c.nodes());
    unit[i / 3] = unit_vector(static_cast<int>(i % 3));
    motions.push_back(c.motion(unit));
  }
  const Objective objective(c.problem, c.pool);
  for (size_t j = 0; j < a.n; ++j) {
    const auto gradient = [&](double t) {
      Field x = at, g(at.size());
      for (size_t s = 0; s < x.size(); ++s) x[s] += t * motions[j][s];
      lift_apexes(c.model, x);
      objective.gradient_unconstrained(x, g);
      return g;
    };
    constexpr double t = 1e-3;
    const Field far = difference(gradient(2 * t), gradient(-2 * t)), near = difference(gradient(t), gradient(-t));
    Field image;
    for (size_t s = 0; s < at.size(); ++s) image.push_back((1 / (12 * t)) * (8.0 * near[s] - far[s]));
    for (size_t i = 0; i < a.n; ++i) a(i, j) = inner(motions[i], image);
  }
  return a;
}

// One cell, or cells that nothing but ties joins: A is Galerkin's, at rest, with whoever is held; and with damping
// about any affine state at the start of the step.
TEST(Lattice, InOneCellTheMatrixIsGalerkins) {
  Random random(10);
  std::map<std::string, std::pair<Body, How>> list;
  for (const auto& [name, entry] : every_body()) {
    if (name == "damped by own block" || name == "two materials" || name == "chain") continue;
    list[name] = entry;
    list[name].second.spacing = 100;
    if (name.starts_with("damped")) list[name].second.before = {{1.3, 0.2, 0}, {-0.3, 0.8, 0}, {0, 0, 1.1}};
    list[name + ", some held"] = list[name];
    list[name + ", some held"].second.held = [](Vec3d r) { return r.x + 0.5 * r.y < 0.4; };
  }
  for (const MaterialKind material : support::every_material())
    list[traits_of(material).name] = {body_of(box({3, 3, 3}), material), {.spacing = 100}};
  list["two blocks"] = {body_of(box({4, 3, 3}), MaterialKind::NeoHookean), {.spacing = 100}};
  Body& two = list["two blocks"].first;
  two.blocks.push_back({.material = MaterialKind::FixedCorotated, .lame = lame_from(5000, 0.45)});
  two.density.push_back(20);
  for (const Tet& t : two.mesh.tets) two.block_of_tet.push_back(two.mesh.vertices[t[0]].x > 0.6);
  for (const auto& [name, entry] : list) {
    Case c(entry.first, entry.second);
    const std::string kind = name.substr(0, name.find(','));
    const size_t layers = kind.ends_with("triangles") || kind.ends_with("springs") ? 2 : 1;
    ASSERT_EQ(c.nodes(), static_cast<size_t>(c.bodies.count()) * cell_corners / layers) << name;
    const Dense a = dense_matrix(c);
    Dense expected = galerkin(c, c.model.rest);
    // Triangles have no forces out of their plane; the lattice keeps them there.
    if (c.model.blocks[0].plane() && !c.model.tets.empty()) {
      for (size_t i = 0; i < a.n; ++i)
        for (size_t j = 0; j < a.n; ++j)
          if (i % 3 == 2 || j % 3 == 2) expected(i, j) = a(i, j);
    }
    EXPECT_GT(expected.largest(), 0) << name;
    // Ties are added one by one, in floats; differences are exact to 1e-9.
    EXPECT_LT(a.largest_difference(expected), 2 * sums_of_rounding * expected.largest()) << name;
  }
}

// The damping of a vertex's own block: the mean over all directions, of each vertex.
TEST(Lattice, DampingByOwnBlocksIsThatOfVertices) {
  Body body = every_body().at("damped by own block").first;
  Case damped(body, {.h = time_step_of_cases, .spacing = 100});
  body.blocks[0].damping = 0;
  Case plain(body, {.h = time_step_of_cases, .spacing = 100});
  const double k = 0.02 / time_step_of_cases;
  Dense a = dense_matrix(plain);
  const double before = a.largest();
  // K_ii from what a vertex's own displacement does to its force.
  const Objective objective(plain.problem, plain.pool);
  const Field& rest = plain.model.rest;
  std::vector<Field> motions;
  for (size_t i = 0; i < a.n; ++i) {
    Field unit(plain.nodes());
    unit[i / 3] = unit_vector(static_cast<int>(i % 3));
    motions.push_back(plain.motion(unit));
  }
  for (size_t s = 0; s < rest.size(); ++s) {
    if (plain.model.mass[s] == 0) continue;
    double mean = -plain.model.mass[s] * plain.problem.inverse_h2();
    for (int axis = 0; axis < 3; ++axis) {
      const auto force = [&](double t) {
        Field x = rest, g(rest.size());
        x[s] += t * unit_vector(axis);
        objective.gradient_unconstrained(x, g);
        return component(g[s], static_cast<size_t>(axis));
      };
      mean += derivative(force, 1e-4) / 3;
    }
    for (size_t i = 0; i < a.n; ++i)
      for (size_t j = 0; j < a.n; ++j) a(i, j) += k * mean * dot(motions[i][s], motions[j][s]);
  }
  EXPECT_GT(a.largest(), 1.1 * before);
  EXPECT_LT(dense_matrix(damped).largest_difference(a), 10 * rounding * a.largest());
}

// Those within a body too, whose ends lie in several cells: an affine motion M moves C by M C.
TEST(Lattice, AffineMotionsStrainTiesWhereverTheyLie) {
  Random random(21);
  Body body = body_of(box({8, 4, 4}, {2, 1, 1}));
  Case without(body, {.spacing = 2});
  const auto nodes = without.lattice.cells().cubes.size();
  ASSERT_GT(nodes, 16u);
  const auto vertices = static_cast<int>(body.mesh.vertices.size());
  for (int k = 0; k < 40; ++k) {
    const int a = random.below(vertices), b = (a + 1 + random.below(k < 20 ? 2 : vertices - 1)) % vertices;
    body.ties.add(weak_constraint_law(3e3, 2e3, {0, 0.6, 0.8}), std::array{a, b}, std::array{1.0, -1.0});
  }
  Case with(body, {.spacing = 2});
  EXPECT_GT(with.lattice.cells().far_ties.size(), 2u);
  EXPECT_GT(with.lattice.cells().ties.items.size(), 20u);
  for (int k = 0; k < 4; ++k) {
    const Mat3d m = random.matrix();
    double expected = 0;
    for (int32_t t = 0; t < with.model.ties.count(); ++t) {
      const Vec3d c = m * with.model.ties.vector(t, with.model.rest),
                  force = tie_gradient(with.model.ties.laws[t], c, 0.0);
      expected += dot(c, force);
    }
    const auto cost = [&](const Case& c) {
      Field u = c.node_places();
      for (Vec3d& p : u) p = m * p;
      return inner(u, c.product(u));
    };
    const double before = cost(without);
    EXPECT_NEAR(cost(with) - before, expected, 1e-5 * (expected + before));
    EXPECT_GT(expected, 0.1 * before);
  }
}

// Stretched, springs resist across too; and pressed ones do not push.
TEST(Lattice, SpringsHaveTheStiffnessOfTheirState) {
  Case c(spring_grid(6, 100), {.spacing = 100});
  const Field stretched = c.mapped(diagonal(1.5, 1.2, 1.0));
  ASSERT_TRUE(c.set(stretched));
  const Dense expected = galerkin(c, stretched);
  EXPECT_LT(dense_matrix(c).largest_difference(expected), 10 * rounding * expected.largest());
  ASSERT_TRUE(c.set(c.mapped(diagonal(0.7, 0.9, 1.0))));
  const Dense pressed = dense_matrix(c);
  for (size_t i = 2; i < pressed.n; i += 3) EXPECT_EQ(pressed(i, i), 0) << "nothing holds it across";
  EXPECT_GT(pressed(0, 0), 0);
}

TEST(Lattice, AffineMotionsOfNodesAreThoseOfVertices) {
  Random random(11);
  for (const auto& [name, entry] : every_body()) {
    How how = entry.second;
    how.held = [](Vec3d r) { return r.x < 0.2; };
    Case c(entry.first, how);
    Mat3d m = random.matrix();
    if (name.ends_with("triangles") || name.ends_with("springs") || name == "chain") m.c2 = {};  // one layer of nodes
    if (name == "chain") m.c1 = {};
    const Vec3d shift = random.vector();
    Field u = c.node_places();
    for (Vec3d& p : u) p = m * p + shift;
    const Field moved = c.motion(u);
    size_t free = 0;
    for (size_t s = 0; s < moved.size(); ++s) {
      if (c.problem.held[s]) {
        EXPECT_EQ(size(moved[s]), 0) << name;
      } else {
        EXPECT_LT(size(moved[s] - (m * c.model.rest[s] + shift)), 10 * rounding * (size(m) * 5 + size(shift))) << name;
        ++free;
      }
    }
    EXPECT_GT(free, 5u) << name;
    // Half of it, in floats.
    std::vector<Vec4<float>> x;
    for (size_t s = 0; s < moved.size(); ++s) x.push_back({0, 0, 0, c.problem.held[s] ? 0.0f : 1.0f});
    c.lattice.move<float>(x, 0.5, c.pool);
    for (size_t s = 0; s < moved.size(); ++s)
      EXPECT_LT(size(Vec3d{x[s].x, x[s].y, x[s].z} - 0.5 * moved[s]), 10 * rounding * (size(m) * 5 + size(shift)));
  }
}

// f . P u is P^T f . u for whatever f and u; a vertex without a lattice or mass has no part in either.
TEST(Lattice, RestrictionIsTheTransposeOfProlongation) {
  Random random(12);
  for (const auto& [name, entry] : every_body()) {
    How how = entry.second;
    how.held = [](Vec3d r) { return r.x < 0.2; };
    Case c(entry.first, how);
    for (int k = 0; k < 3; ++k) {
      const Field u = random_field(c.nodes(), random), moved = c.motion(u);
      const Field f = random_field(c.model.rest.size(), random);
      const auto forces = c.forces_of(f);
      const double expected = inner(f, moved), bound = 10 * rounding * norm(f) * norm(moved);
      EXPECT_NEAR(c.lattice.slope<double>(forces, c.pool), expected, bound) << name;
      EXPECT_NEAR(inner(c.right(), u), expected, bound) << name;
      std::vector<Vec4<float>> narrow;
      for (const Vec4<double>& v : forces)
        narrow.push_back({static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z), 0});
      EXPECT_NEAR(c.lattice.slope<float>(narrow, c.pool), expected, bound) << name;
      EXPECT_GT(std::abs(expected), 100 * bound) << name;
    }
  }
}

// A body of one cell, of linear material: its outside is moved affinely, and one correction moves the inside likewise.
TEST(Lattice, OneCorrectionPassesThePatchTest) {
  Random random(13);
  for (const bool slivers : {false, true}) {
    Body body = slivers ? irregular({6, 6, 6}, {1, 1, 1}, random) : body_of(box({6, 6, 6}));
    body.blocks[0].material = MaterialKind::LinearElastic;
    body.gravity = {};
    Case c(body, {.spacing = 100, .held = [](Vec3d r) {
                    const auto outside = [](double a) { return a < 1e-9 || a > 1 - 1e-9; };
                    return outside(r.x) || outside(r.y) || outside(r.z);
                  }});
    ASSERT_EQ(c.nodes(), 8u);
    const Mat3d m = 0.2 * random.matrix();
    Field x = c.model.rest;
    for (size_t s = 0; s < x.size(); ++s) {
      if (c.problem.held[s] && c.model.mass[s] > 0) x[s] = x[s] + m * x[s];
    }
    Field g(x.size());
    Objective(c.problem, c.pool).gradient_unconstrained(x, g);
    for (Vec3d& v : g) v = -v;
    const double promise = c.solve(g, 50);
    const Field moved = c.motion();
    double error = 0;
    for (size_t s = 0; s < x.size(); ++s) {
      if (!c.problem.held[s]) error = std::fmax(error, size(moved[s] - m * x[s]));
    }
    EXPECT_LT(error, 1e-4 * size(m)) << slivers;
    EXPECT_NEAR(promise, inner(g, moved), 1e-5 * promise);
  }
}

// u from P^T f: by conjugate gradients that do not leave off, `times` times, the later ones for what is left. Returns
// |b - A u| / |b|. The correction is u then.
double solved(Case& c, const Field& f, int times, int cycles) {
  c.solve(f, 1);
  const Field b = c.right();
  Field u(b.size()), rest = b;
  for (int k = 0; k < times; ++k) {
    for (size_t n = 0; n < rest.size(); ++n)
      c.lattice.cycle().right()[c.place_of(n)] = {static_cast<float>(rest[n].x), static_cast<float>(rest[n].y),
                                                  static_cast<float>(rest[n].z), 0};
    c.lattice.cycle().solve(cycles, 0, kernels_with_lanes(0)->lattice, c.pool);
    const Field more = c.correction();
    for (size_t n = 0; n < u.size(); ++n) u[n] += more[n];
    rest = difference(b, c.product(u));
  }
  c.set_correction(u);
  return norm(rest) / norm(b);
}

// Only cells in which something has changed are summed anew.
TEST(Lattice, PinsThatComeAndGoLeaveTheMatrixOfThoseThatAreThere) {
  for (const char* name : {"box", "box in a step", "triangles", "ties", "springs", "fibres", "damped by own block"}) {
    const auto list = every_body();
    const auto& [body, how] = list.at(name);
    const std::function<bool(Vec3d)> pins[] = {[](Vec3d r) { return r.x < 0.2; }, [](Vec3d r) { return r.y > 0.7; },
                                               [](Vec3d r) { return r.x > 0.3 && r.x < 0.5; },
                                               [](Vec3d) { return false; }};
    Case c(body, how);
    for (const auto& pin : pins) {
      c.hold(pin);
      c.lattice.begin_step(c.problem, c.pool);
      ASSERT_TRUE(c.set(c.model.rest));
      How fresh = how;
      fresh.held = pin;
      EXPECT_EQ(dense_matrix(c).largest_difference(dense_matrix(Case(body, fresh))), 0) << name;
    }
    if (how.h == 0) continue;
    c.problem.h *= 2;
    c.lattice.begin_step(c.problem, c.pool);
    ASSERT_TRUE(c.set(c.model.rest));
    How slower = how;
    slower.h *= 2;
    EXPECT_EQ(dense_matrix(c).largest_difference(dense_matrix(Case(body, slower))), 0) << name;
  }
}

// Arms of unit squares along x, one above the other, that grow out of one block at x < `root`. They touch at rest, and
// share nothing where x > root.
Body two_arms(int length, double root) {
  TetMesh mesh = box({length, 4, 2}, {double(length), 4, 2});
  const auto middle_y = [&](const Tet& t) {
    double sum = 0;
    for (const int32_t v : t) sum += mesh.vertices[v].y / 4;
    return sum;
  };
  std::vector<int32_t> copy(mesh.vertices.size(), -1);
  for (Tet& t : mesh.tets) {
    if (middle_y(t) < 2) continue;
    for (int32_t& v : t) {
      const Vec3d x = mesh.vertices[v];
      if (std::abs(x.y - 2) > 1e-9 || x.x < root + 1e-9) continue;
      if (copy[v] < 0) {
        copy[v] = static_cast<int32_t>(mesh.vertices.size());
        mesh.vertices.push_back(x);
      }
      v = copy[v];
    }
  }
  return body_of(std::move(mesh));
}

// The gap runs through the middle of cubes of edge 4.
TEST(Lattice, NothingIsJoinedAcrossAGap) {
  const Body body = two_arms(24, 6);
  // All tets with a free vertex lie in cells whose nodes are there twice.
  const auto held = [](Vec3d r) { return r.x < 13 + 1e-9; };
  Case c(body, {.spacing = 4 / std::cbrt(24.0 * 8 / static_cast<double>(body.mesh.vertices.size())), .held = held});
  const LatticeCells& cells = c.lattice.cells();
  ASSERT_NEAR(cells.frames[0].edge, 4, 1e-6);
  // Of six cubes in a row those beyond the root are there twice, and their nodes but for those at the root.
  EXPECT_EQ(c.lattice.cell_count(), 6 + 4);
  EXPECT_EQ(c.nodes(), 4u * (7 + 4));
  // Each vertex is in a cell of its own arm. `upper` by slot: of tets above the middle.
  std::vector<int> arm(c.model.rest.size(), 0);
  for (const Tet& t : c.model.tets) {
    double y = 0;
    for (const int32_t s : t) y += c.model.rest[s].y / 4;
    for (const int32_t s : t) {
      if (c.model.rest[s].x > 8 + 1e-9) arm[s] = y > 2 ? 1 : -1;
    }
  }
  std::map<int32_t, std::set<int>> arms_of_cell;
  for (size_t s = 0; s < arm.size(); ++s) {
    if (arm[s] != 0) arms_of_cell[cells.of_slot[s]].insert(arm[s]);
  }
  EXPECT_EQ(arms_of_cell.size(), 8u);
  for (const auto& [cell, arms] : arms_of_cell) EXPECT_EQ(arms.size(), 1u);
  // Nothing in the matrix leads from one arm to the other.
  const Dense a = dense_matrix(c);
  std::vector<int> reached(c.nodes(), 0);
  std::vector<size_t> next;
  for (const auto& [cell, arms] : arms_of_cell) {
    for (const int32_t n : cells.cubes[cell].node) {
      if (*arms.begin() > 0 && a(3 * static_cast<size_t>(n), 3 * static_cast<size_t>(n)) > 0)
        next.push_back(static_cast<size_t>(n));
    }
  }
  size_t count = 0;
  while (!next.empty()) {
    const size_t n = next.back();
    next.pop_back();
    if (reached[n]++ > 0) continue;
    ++count;
    for (size_t i = 0; i < a.n; ++i)
      for (size_t k = 0; k < 3; ++k)
        if (a(3 * n + k, i) != 0) next.push_back(i / 3);
  }
  EXPECT_EQ(count, 4u * 4);
  // So what pulls at one arm does not move the other, but for what conjugate gradients leave.
  Field f(c.model.rest.size());
  for (size_t s = 0; s < f.size(); ++s) {
    if (arm[s] > 0) f[s] = {0.1, 0.2, 0.3};
  }
  EXPECT_LT(solved(c, f, 10, 30), 1e-4);
  const Field moved = c.motion();
  double most[2] = {0, 0};
  for (size_t s = 0; s < f.size(); ++s) most[arm[s] > 0] = std::fmax(most[arm[s] > 0], size(moved[s]));
  EXPECT_GT(most[1], 0.1);
  EXPECT_LT(most[0], 1e-3 * most[1]);
}

// Two boxes that touch and are not joined are two bodies with lattices of their own, at the same places.
TEST(Lattice, BodiesThatTouchHaveLatticesOfTheirOwn) {
  TetMesh upper = box({4, 4, 4});
  const auto first = static_cast<int32_t>(upper.vertices.size());
  for (Vec3d& v : upper.vertices) v.y += 1;
  Case c(body_of(together(std::move(upper), box({4, 4, 4}))), {.h = time_step_of_cases});
  EXPECT_EQ(c.bodies.count(), 2);
  EXPECT_EQ(c.nodes(), 16u);
  Field f(c.model.rest.size());
  for (int32_t v = 0; v < first; ++v) f[static_cast<size_t>(c.model.order.slot(UserVertex{v}))] = {1, 0, 0};
  c.solve(f, 10);
  const Field moved = c.motion();
  for (int32_t v = 0; v < c.model.order.vertex_count(); ++v)
    EXPECT_EQ(size(moved[static_cast<size_t>(c.model.order.slot(UserVertex{v}))]) > 0, v < first);
}

// A body that is not wanted has no nodes, and does not move; nor does what is coupled to it alone.
TEST(Lattice, BodiesThatAreNotWantedHaveNoLattice) {
  const Body body = bound_boxes(3, 0.05, weak_constraint_law(200));
  const Model model = body.compile();
  const Bodies bodies = bodies_of(model);
  ASSERT_EQ(bodies.count(), 2);
  ThreadPool pool(1);
  const StepProblem problem = problem_of(model, model.rest, time_step_of_cases);
  Lattice lattice;
  for (const bool first : {true, false}) {
    const std::vector<uint8_t> wanted{static_cast<uint8_t>(first), static_cast<uint8_t>(!first)};
    lattice.prepare(model, bodies, wanted, 100, kernels_with_lanes(0)->lattice, pool);
    lattice.begin_step(problem, pool);
    EXPECT_EQ(lattice.node_count(), 8);
    std::vector<Vec4<double>> x, forces(model.rest.size(), {1, 0, 0, 0});
    for (size_t s = 0; s < model.rest.size(); ++s)
      x.push_back({model.rest[s].x, model.rest[s].y, model.rest[s].z, model.mass[s] > 0 ? 1.0 : 0.0});
    ASSERT_TRUE(lattice.refresh<double>(x, pool));
    EXPECT_GT(lattice.solve<double>(forces, 3, pool), 0);
    lattice.move<double>(x, 1, pool);
    for (size_t s = 0; s < x.size(); ++s) {
      if (model.mass[s] == 0) continue;
      EXPECT_EQ(x[s].x != model.rest[s].x, bodies.of_slot[s] == (first ? 0 : 1));
    }
    int32_t members = 0;  // of what is mixed, all
    for (int64_t cell = 0; cell < lattice.cell_count(); ++cell) members += lattice.members().cells[cell].count;
    EXPECT_EQ(members, bodies.sizes[0].vertices + bodies.sizes[1].vertices);
  }
}

// Where a body has no extent both layers of nodes are one.
TEST(Lattice, FlatBodiesHaveOneLayerOfNodes) {
  // 8 x 6 cells of 1/8: the mean distance is (3/4 / 63)^(1/2) = 0.109, a cube about 0.44, and 1 / 0.44 is rounded to 2.
  Case sheet(plane_body_of(rectangle({8, 6}, {1, 0.75})));
  EXPECT_EQ(sheet.lattice.cell_count(), 2 * 2);
  EXPECT_EQ(sheet.nodes(), 3u * 3);
  // 12 x 12 springs of 1/12: three cubes of a third.
  Case grid(spring_grid(12, 100));
  EXPECT_EQ(grid.lattice.cell_count(), 3 * 3);
  EXPECT_EQ(grid.nodes(), 4u * 4);
  // Twenty springs of 0.1: five cubes of 0.4.
  Case line(chain(20, 0.1, 1e3));
  EXPECT_EQ(line.lattice.cell_count(), 5);
  EXPECT_EQ(line.nodes(), 6u);
  // The same where coarser lattices are: solved they fall as they are pulled, all alike.
  Case fine(chain(200, 0.1, 1e3), {.h = time_step_of_cases, .spacing = 2});
  EXPECT_EQ(fine.nodes(), 101u);
  EXPECT_GT(fine.lattice.cycle().level_count(), 2);
  Field f(fine.model.rest.size(), {1, 2, 3});
  fine.solve(f, 20);
  const double h2 = time_step_of_cases * time_step_of_cases;
  const Field moved = fine.motion();
  for (size_t s = 0; s < moved.size(); ++s) {
    if (fine.model.mass[s] == 0) continue;
    EXPECT_LT(size(moved[s] - h2 * Vec3d{1, 2, 3}), 0.01 * h2);
  }
}

// Two boxes apart from each other, of several cells each; the left end is held.
Case two_boxes() {
  TetMesh other = box({3, 3, 3});
  for (Vec3d& v : other.vertices) v.x += 1.5;
  return Case(body_of(together(box({4, 4, 4}), other)),
              {.h = time_step_of_cases, .spacing = 2, .held = [](Vec3d r) { return r.x < 1e-9; }});
}

// A gets w_i w_j K between the nodes of the points that a pair joins, as vertices have them; those that are held count
// for nothing.
TEST(Lattice, PairsAddTheirStiffness) {
  Random random(14);
  Case c = two_boxes();
  const Dense without = dense_matrix(c);
  const auto slot = [&](int32_t v) { return static_cast<int32_t>(c.model.order.slot(UserVertex{v})); };
  const auto nearest = [&](Vec3d place) {
    int32_t best = 0;
    for (int32_t v = 0; v < c.model.order.vertex_count(); ++v) {
      if (size(c.model.rest[slot(v)] - place) < size(c.model.rest[slot(best)] - place)) best = v;
    }
    return slot(best);
  };
  struct Pair {
    std::vector<int32_t> slots;
    std::vector<double> weights;
    Mat3d k;
  };
  const auto stiffness = [&] {
    const Mat3d m = 100.0 * random.matrix();
    return m * transpose(m);
  };
  const std::vector<Pair> pairs{
      {{nearest({1, 0, 0}), nearest({1.5, 0, 0})}, {1, -1}, stiffness()},
      {{nearest({1, 1, 1}), nearest({1.5, 1, 1}), nearest({1.5, 0.6, 1})}, {1, -0.7, -0.3}, stiffness()},
      {{nearest({0.5, 0, 0}), nearest({0.5, 1, 0})}, {1, -1}, stiffness()},
      {{nearest({0, 0, 0}), nearest({2.5, 0, 0})}, {1, -1}, stiffness()},  // from one that is held
      {{nearest({0, 1, 0})}, {1}, stiffness()}};                           // only that
  Dense expected = without;
  std::vector<Field> motions;
  for (size_t i = 0; i < expected.n; ++i) {
    Field unit(c.nodes());
    unit[i / 3] = unit_vector(static_cast<int>(i % 3));
    motions.push_back(c.motion(unit));
  }
  for (const Pair& pair : pairs) {
    c.lattice.add_pair(pair.slots, pair.weights, pair.k);
    for (size_t i = 0; i < expected.n; ++i) {
      for (size_t j = 0; j < expected.n; ++j) {
        Vec3d p{}, q{};
        for (size_t e = 0; e < pair.slots.size(); ++e) {
          p += pair.weights[e] * motions[i][pair.slots[e]];
          q += pair.weights[e] * motions[j][pair.slots[e]];
        }
        expected(i, j) += dot(p, pair.k * q);
      }
    }
  }
  EXPECT_GT(expected.largest_difference(without), 1e3);
  EXPECT_EQ(dense_matrix(c).largest_difference(without), 0) << "from the next matrix on";
  for (int again = 0; again < 2; ++again) {
    ASSERT_TRUE(c.set(c.model.rest));
    const Dense found = dense_matrix(c);
    EXPECT_LT(found.largest_difference(expected), 10 * rounding * expected.largest());
    EXPECT_LT(asymmetry(found), sums_of_rounding);
    EXPECT_TRUE(is_positive(found, sums_of_rounding));
  }
  c.lattice.clear_pairs();
  ASSERT_TRUE(c.set(c.model.rest));
  EXPECT_EQ(dense_matrix(c).largest_difference(without), 0);
}

// A pair as stiff as the boxes: what pulls at one moves the other too, on all levels.
TEST(Lattice, PairsCoupleBodies) {
  Case c = two_boxes();
  Field f(c.model.rest.size());
  std::vector<uint8_t> second(f.size(), 0);
  for (size_t s = 0; s < f.size(); ++s) second[s] = c.model.mass[s] > 0 && c.model.rest[s].x > 1.2;
  std::vector<int32_t> near, far;
  for (size_t s = 0; s < f.size(); ++s) {
    if (c.model.mass[s] == 0) continue;
    if (std::abs(c.model.rest[s].x - 1) < 1e-9) near.push_back(static_cast<int32_t>(s));
    if (std::abs(c.model.rest[s].x - 1.5) < 1e-9) far.push_back(static_cast<int32_t>(s));
    if (second[s]) f[s] = {1, 0, 0};
  }
  const auto of_first = [&] {
    const Field moved = c.motion();
    double most = 0;
    for (size_t s = 0; s < f.size(); ++s) {
      if (!second[s]) most = std::fmax(most, size(moved[s]));
    }
    return most;
  };
  c.solve(f, 30);
  EXPECT_EQ(of_first(), 0);
  const Mat3d k = diagonal(1e3, 1e3, 1e3);
  for (size_t n = 0; n < std::min(near.size(), far.size()); ++n)
    c.lattice.add_pair(std::array{near[n], far[n]}, std::array{1.0, -1.0}, k);
  ASSERT_TRUE(c.set(c.model.rest));
  c.solve(f, 30);
  double most = 0;
  for (const Vec3d& v : c.motion()) most = std::fmax(most, size(v));
  EXPECT_GT(of_first(), 0.05 * most);
}

std::map<std::string, std::pair<Body, How>> larger_bodies() {
  const auto on_the_left = [](Vec3d r) { return r.x < 1e-9; };
  std::map<std::string, std::pair<Body, How>> list;
  list["cube"] = {body_of(box({14, 14, 14})), {.spacing = 2.5, .held = on_the_left}};
  list["cube in a step"] = {body_of(box({14, 14, 14})), {.h = time_step_of_cases, .spacing = 2.5}};
  list["beam"] = {body_of(box({60, 6, 6}, {10, 1, 1})), {.spacing = 2, .held = on_the_left}};
  list["bound"] = {bound_boxes(7, 0.05, weak_constraint_law(200)),
                   {.spacing = 2, .held = [](Vec3d r) { return r.y > 0.99; }}};
  list["grid"] = {spring_grid(30, 100), {.h = time_step_of_cases, .spacing = 2}};
  return list;
}

// In floats, and so as far as these go; asked again for what is left, they go on. A soft beam is the hardest.
TEST(Lattice, ConjugateGradientsSolve) {
  Random random(15);
  for (const auto& [name, entry] : larger_bodies()) {
    Case c(entry.first, entry.second);
    ASSERT_GT(c.lattice.cycle().level_count(), 2) << name;
    const Field f = random_field(c.model.rest.size(), random);
    const bool compact = name.starts_with("cube");
    EXPECT_LT(solved(c, f, 1, compact ? 8 : 30), compact ? 1e-5 : 0.02) << name;
    EXPECT_LT(solved(c, f, 3, 30), 1e-7) << name;
  }
}

// What a correction promises, twice the decrease of the energy, grows with the cycles and is less than is to be had.
TEST(Lattice, MoreCyclesPromiseMore) {
  Random random(16);
  for (const auto& [name, entry] : larger_bodies()) {
    Case c(entry.first, entry.second);
    const Field f = random_field(c.model.rest.size(), random);
    solved(c, f, 10, 30);
    const double all = c.lattice.slope<double>(c.forces_of(f), c.pool);
    double last = 0;
    for (const int cycles : {1, 2, 4, 8}) {
      const double promise = c.solve(f, cycles);
      EXPECT_GE(promise, last) << name;
      EXPECT_LT(promise, all * (1 + 1e-4)) << name;
      last = promise;
    }
    EXPECT_GT(last, 0.9 * all) << name;
  }
}

uint64_t hash_of(const Case& c, const Field& moved) {
  const std::span<const Vec4<float>> u = c.lattice.correction();
  return Hash().bytes(u.data(), u.size() * sizeof u[0]).bytes(moved.data(), moved.size() * sizeof moved[0]).value();
}

// Above the size from which threads share the cycles.
TEST(LatticeSameBits, ForAnyNumberOfThreads) {
  auto list = larger_bodies();
  list["large"] = {body_of(box({20, 20, 20})), {.spacing = 1.8}};
  for (const auto& [name, entry] : list) {
    uint64_t first = 0;
    for (const int threads : {1, 2, 7}) {
      How how = entry.second;
      how.threads = threads;
      Case c(entry.first, how);
      if (name == "large") {
        EXPECT_GT(c.nodes(), 1500u);
      }
      Random random(17);
      ASSERT_TRUE(c.set(shaken(c.model.rest, 0.01, random)));
      c.solve(random_field(c.model.rest.size(), random), 6);
      c.lattice.find_turns(c.pool);
      c.lattice.curve(0.5, 6, c.pool);
      const uint64_t hash = hash_of(c, c.motion());
      if (threads == 1) first = hash;
      EXPECT_EQ(hash, first) << name << ", " << threads << " threads";
    }
  }
}

// Fused operations apart; the cycles carry that on.
TEST(Lattice, EveryLaneWidthDoesTheSame) {
  for (const auto& [name, entry] : larger_bodies()) {
    Dense scalar_matrix;
    Field scalar;
    for (const int lanes : lane_counts()) {
      How how = entry.second;
      how.lanes = lanes;
      Case c(entry.first, how);
      Random random(18);
      ASSERT_TRUE(c.set(shaken(c.model.rest, 0.02, random)));
      Field u = random_field(c.nodes(), random);
      const Field image = c.product(u);
      c.solve(random_field(c.model.rest.size(), random), 2);
      const Field moved = c.motion();
      if (lanes == 1) {
        scalar = image;
        scalar.insert(scalar.end(), moved.begin(), moved.end());
        continue;
      }
      const auto middle = scalar.begin() + static_cast<std::ptrdiff_t>(image.size());
      EXPECT_LE(norm(difference(image, Field(scalar.begin(), middle))), lane_error(single_precision, 10 * norm(image)));
      EXPECT_LE(norm(difference(moved, Field(middle, scalar.end()))), lane_error(single_precision, 1e5 * norm(moved)))
          << name << ", " << lanes << " lanes";
    }
  }
}

// Pieces that have nothing to do with each other, of one body or of several, are solved as each of them alone.
TEST(Lattice, CoarserLatticesKeepPiecesApart) {
  Random random(19);
  const Body beam = body_of(box({40, 4, 4}, {10, 1, 1}));
  // The same three times, in rows so close that their cubes overlap.
  TetMesh mesh = beam.mesh;
  for (int k = 1; k < 3; ++k) {
    TetMesh other = beam.mesh;
    for (Vec3d& v : other.vertices) v.y += 1.1 * k;
    mesh = together(std::move(mesh), other);
  }
  const size_t vertices = beam.mesh.vertices.size();
  const auto held = [](Vec3d r) { return r.x < 1e-9; };
  Case alone(beam, {.spacing = 2, .held = held}), bodies(body_of(mesh), {.spacing = 2, .held = held});
  ASSERT_EQ(bodies.bodies.count(), 3);
  ASSERT_GT(bodies.lattice.cycle().level_count(), 2);
  EXPECT_EQ(bodies.nodes(), 3 * alone.nodes());
  // One body that limp springs hold together: loose pieces.
  Body loose = body_of(mesh);
  for (const int32_t k : {1, 2})
    loose.ties.add_spring(static_cast<int32_t>(vertices) * (k - 1), static_cast<int32_t>(vertices) * k, 0, 1);
  const double fit = std::cbrt(3.0 * (10 * 1 * 1) / static_cast<double>(mesh.vertices.size()));
  Case pieces(loose, {.spacing = alone.lattice.cells().frames[0].edge / fit, .held = held});
  ASSERT_EQ(pieces.bodies.count(), 1);

  Field pull(vertices);
  for (Vec3d& v : pull) v = {0.1 * random.normal(), -1, 0.3};
  const auto solve = [&](Case& c, size_t which) {
    Field f(c.model.rest.size());
    const auto slot = [&](size_t v) {
      return static_cast<size_t>(c.model.order.slot(UserVertex{static_cast<int32_t>(which * vertices + v)}));
    };
    for (size_t v = 0; v < vertices; ++v) f[slot(v)] = pull[v];
    EXPECT_LT(solved(c, f, 20, 30), 1e-4);
    const Field moved = c.motion();
    Field result;
    for (size_t v = 0; v < vertices; ++v) result.push_back(moved[slot(v)]);
    double others = 0;
    for (const Vec3d& v : moved) others += dot(v, v);
    EXPECT_NEAR(others, inner(result, result), 1e-6 * others) << "no other moves";
    return result;
  };
  const Field expected = solve(alone, 0);
  EXPECT_GT(norm(expected), 0.1);
  for (size_t k = 0; k < 3; ++k) {
    EXPECT_LT(norm(difference(solve(bodies, k), expected)), 0.01 * norm(expected)) << k;
    // Its cubes lie elsewhere: another space, of the same spacing.
    EXPECT_LT(norm(difference(solve(pieces, k), expected)), 0.2 * norm(expected)) << k;
  }
}

// The mean turn of a correction that turns the body as a whole, wherever the body has turned before.
TEST(Lattice, FindsHowFarACorrectionTurns) {
  Random random(20);
  for (int k = 0; k < 4; ++k) {
    Case c(body_of(box({8, 4, 4}, {2, 1, 1})), {.spacing = 2});
    const Mat3d before = random.rotation() * diagonal(1.2, 0.9, 1.0);
    ASSERT_TRUE(c.set(c.mapped(before)));
    Field u = c.node_places();
    for (Vec3d& p : u) p = 0.1 * (k + 1) * cross(Vec3d{0.6, 0, 0.8}, before * p);
    c.set_correction(u);
    EXPECT_NEAR(c.lattice.find_turns(c.pool), 0.1 * (k + 1), 1e-5);
  }
}

// A cantilever that is to bend far: along the line its axis would grow, along circles it keeps its length.
TEST(Lattice, CurvedCorrectionsBendWithoutStretching) {
  for (const double spacing : {2.0, 4.0}) {
    Case c(body_of(box({24, 4, 4}, {12, 2, 2})), {.spacing = spacing, .held = [](Vec3d r) { return r.x < 1e-9; }});
    std::vector<size_t> line;  // slots along the middle
    for (int i = 0; i <= 24; ++i) {
      const Vec3d place{0.5 * i, 1, 1};
      for (size_t s = 0; s < c.model.rest.size(); ++s) {
        if (c.model.mass[s] > 0 && size(c.model.rest[s] - place) < 1e-9) line.push_back(s);
      }
    }
    ASSERT_EQ(line.size(), 25u);
    const auto longer = [&](const Field& moved) {
      double length = 0;
      for (size_t k = 1; k < line.size(); ++k)
        length += size(c.model.rest[line[k]] + moved[line[k]] - c.model.rest[line[k - 1]] - moved[line[k - 1]]);
      return length / 12 - 1;
    };
    Field f(c.model.rest.size(), {0, -1, 0});
    solved(c, f, 20, 30);
    // Scaled to a turn of half a radian in the mean.
    Field u = c.correction();
    const double turn = c.lattice.find_turns(c.pool);
    for (Vec3d& v : u) v = (0.5 / turn) * v;
    const Field straight = c.motion(u);
    EXPECT_NEAR(c.lattice.find_turns(c.pool), 0.5, 1e-4);
    c.lattice.curve(1, 100, c.pool);
    const Field curved = c.motion();
    EXPECT_GT(longer(straight), 0.1);
    EXPECT_LT(std::abs(longer(curved)), 0.2 * longer(straight));
    const size_t tip = line.back();
    EXPECT_GT(size(curved[tip]), 0.6 * size(straight[tip])) << "nearly as far";
    EXPECT_LT(curved[tip].x, -0.1) << "and back towards where it is held";
  }
}

// What only stretches has no turn, and is left as it is.
TEST(Lattice, CorrectionsThatTurnNothingStayStraight) {
  Case c(body_of(box({8, 4, 4}, {2, 1, 1})), {.spacing = 2});
  Mat3d stretch = diagonal(0.1, -0.05, 0.02);
  stretch.c0.y = stretch.c1.x = 0.03;
  Field u = c.node_places();
  for (Vec3d& p : u) p = stretch * p;
  c.set_correction(u);
  EXPECT_LT(c.lattice.find_turns(c.pool), 1e-6);
  c.lattice.curve(0.5, 20, c.pool);
  for (Vec3d& v : u) v = 0.5 * v;
  EXPECT_LT(norm(difference(c.correction(), u)), 1e-5 * norm(u));
}

}  // namespace
}  // namespace sinew
