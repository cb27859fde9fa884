// Source: the definitions in solver/multilevel/lattice.h, lattice_cells.h and lattice_moments.h: A is the Galerkin
// matrix P^T H P of the objective's Hessian at rest, exactly so in one cell; and at a state F it is given by the
// kernel's formula.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "solver/lattice_case.h"

namespace sinew {
namespace {

using namespace lattice_support;

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

// A matrix that is not finite is reported, and later ones are unaffected.
TEST(Lattice, SaysThatAMatrixIsNotFinite) {
  Case c(body_of(box({4, 4, 4})), {.h = time_step_of_cases, .spacing = 2});
  const Dense before = dense_matrix(c);
  Field bad = c.model.rest;
  bad[static_cast<size_t>(c.model.order.slot(UserVertex{0}))].x = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(c.set(bad));
  EXPECT_TRUE(c.set(c.model.rest));
  EXPECT_EQ(dense_matrix(c).largest_difference(before), 0);
}

// The rounding of terms that cancel: each |a_ij| is only known relative to (a_ii a_jj)^(1/2).
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

// Without inertia and pins, at rest and for a body rotated as a whole. Bound boxes have no gap here.
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
        if (plane && axis < 2) continue;  // its two layers of nodes are one
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

// u_a = M X_a moves the body by M X. Its cost at x = F X is the formula of lattice.h for the whole body,
//   sum V (p mu (|M|^2 + tr (R^T M)^2 - (tr R^T M)^2) + (lambda + mu) (C : M)^2) + sum m |M X|^2 / h^2
//     + k_d/h sum V (2 mu |S|^2 + lambda tr^2 S),   S = sym(F^tT M),
// with p = 1 + lambda / (2 mu) (1 - J) if that is more than 1 and J > 0 (lattice_kernel.h).
void expect_affine_cost(const std::string& name, const Body& body, double h, const std::vector<Mat3d>& shapes) {
  Random random(7);
  const Mat3d before = random.rotation() * diagonal(1.4, 0.8, 1.1) * random.rotation();
  Case c(body, {.h = h, .spacing = 2, .before = before});
  ASSERT_GT(c.lattice.cell_count(), 7);
  const ElasticBlock& block = c.model.blocks[0];
  const double mu = block.material.lame.mu, lambda = block.material.lame.lambda;
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
      // About the centre.
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
  // A sliver's gradients are 1e4 times those of other tets, and their contributions to an affine motion cancel.
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

// Compression stiffens a cell (lattice_kernel.h, p) but does not change its inertia.
TEST(Lattice, PressureMakesNothingHeavier) {
  expect_affine_cost("pressed", every_body().at("box in a step").first, time_step_of_cases, {diagonal(0.5, 0.6, 0.7)});
}

// Compressed cells in which one material is far less compressible than the other: p must suit both.
TEST(Lattice, MixedMaterialsAreNowhereNegative) {
  Random random(9);
  for (const double share : {0.1, 0.3, 0.5, 0.9}) {
    Body body = body_of(box({4, 4, 4}), MaterialKind::NeoHookean, 1000, 0.499);
    body.blocks.push_back({.material = elastic_material(MaterialKind::NeoHookean, lame_from(1000, 0))});
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

// P^T H P by node, with H from differences of the objective's gradient at `at`, which is 0 at held vertices.
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

// For one cell, or for cells joined only by ties, A is the Galerkin matrix, at rest and for any held vertices; with
// damping also about any affine state at the start of the step.
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
  two.blocks.push_back({.material = elastic_material(MaterialKind::FixedCorotated, lame_from(5000, 0.45))});
  two.density.push_back(20);
  for (const Tet& t : two.mesh.tets) two.block_of_tet.push_back(two.mesh.vertices[t[0]].x > 0.6);
  for (const auto& [name, entry] : list) {
    Case c(entry.first, entry.second);
    const std::string kind = name.substr(0, name.find(','));
    const size_t layers = kind.ends_with("triangles") || kind.ends_with("springs") ? 2 : 1;
    ASSERT_EQ(c.nodes(), static_cast<size_t>(c.bodies.count()) * cell_corners / layers) << name;
    const Dense a = dense_matrix(c);
    Dense expected = galerkin(c, c.model.rest);
    // Triangles have no forces out of their plane; the lattice keeps them in it.
    if (c.model.blocks[0].plane() && !c.model.tets.empty()) {
      for (size_t i = 0; i < a.n; ++i)
        for (size_t j = 0; j < a.n; ++j)
          if (i % 3 == 2 || j % 3 == 2) expected(i, j) = a(i, j);
    }
    EXPECT_GT(expected.largest(), 0) << name;
    // Ties are added one by one in floats; differences are accurate to 1e-9.
    EXPECT_LT(a.largest_difference(expected), 2 * sums_of_rounding * expected.largest()) << name;
  }
}

// Damping by own blocks: the mean over all directions, for each vertex.
TEST(Lattice, DampingByOwnBlocksIsThatOfVertices) {
  Body body = every_body().at("damped by own block").first;
  Case damped(body, {.h = time_step_of_cases, .spacing = 100});
  body.blocks[0].damping = 0;
  Case plain(body, {.h = time_step_of_cases, .spacing = 100});
  const double k = 0.02 / time_step_of_cases;
  Dense a = dense_matrix(plain);
  const double before = a.largest();
  // K_ii from the change of a vertex's force by its own displacement.
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

// Also for ties within a body whose ends are in several cells: an affine motion M moves C by M C.
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

// Stretched springs also resist across their direction; compressed ones do not push.
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
    // Half of the correction, in floats.
    std::vector<Vec4<float>> x;
    for (size_t s = 0; s < moved.size(); ++s) x.push_back({0, 0, 0, c.problem.held[s] ? 0.0f : 1.0f});
    c.lattice.move<float>(x, 0.5, c.pool);
    for (size_t s = 0; s < moved.size(); ++s)
      EXPECT_LT(size(Vec3d{x[s].x, x[s].y, x[s].z} - 0.5 * moved[s]), 10 * rounding * (size(m) * 5 + size(shift)));
  }
}

}  // namespace
}  // namespace sinew
