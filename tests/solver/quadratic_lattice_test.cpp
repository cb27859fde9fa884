// Source: the Galerkin product P^T K P, element by element in double precision, with the stiffness that sweeps have
// (solver/by_vertex/quadratic_kernel.h). The lattice's matrix is in floats: to its rounding.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "material/materials.h"
#include "mesh/middles.h"
#include "solver/by_vertex/quadratic_tets.h"
#include "solver/lattice_case.h"
#include "solver/quadratic_tangent.h"

namespace sinew {
namespace {

using namespace lattice_support;

Body quadratic_body(TetMesh mesh, double poisson_ratio, MaterialKind material = MaterialKind::NeoHookean) {
  add_middles(mesh);
  return body_of(std::move(mesh), material, 1000, poisson_ratio);
}

// As Case, with or without multipliers.
struct QuadraticCase {
  QuadraticCase(const Body& body, const How& how, bool multipliers) : c(body, how) {
    const std::vector<uint8_t> wanted(static_cast<size_t>(c.bodies.count()), 1);
    c.lattice.prepare(c.model, c.bodies, wanted, how.spacing, kernels_with_lanes(how.lanes)->lattice, c.pool,
                      multipliers);
    c.lattice.begin_step(c.problem, c.pool);
    EXPECT_TRUE(c.set(c.model.rest));
  }
  Case c;
};

// Each node's displacement in those of the lattice's nodes; of `cell`, whose functions are extended beyond it.
std::array<double, cell_corners> weights_in(const Case& c, int32_t cell, int32_t slot) {
  if (c.problem.held[static_cast<size_t>(slot)]) return {};
  return trilinear(c.lattice.cells().place_in(cell, c.model.rest[static_cast<size_t>(slot)]));
}

// sum over cells and their tets, by their shares, of P^T K P; the kinks, and the inertia.
Dense brute_force(const Case& c, bool multipliers) {
  Dense a{3 * c.nodes(), {}};
  a.entries.resize(a.n * a.n);
  const auto add = [&](int32_t cell, int32_t s, int32_t t, const Mat3d& k) {
    const auto p = weights_in(c, cell, s), q = weights_in(c, cell, t);
    const LatticeCube& cube = c.lattice.cells().cubes[static_cast<size_t>(cell)];
    const Vec3d columns[] = {k.c0, k.c1, k.c2};
    for (size_t i = 0; i < cell_corners; ++i)
      for (size_t j = 0; j < cell_corners; ++j)
        for (size_t m = 0; m < 9; ++m)
          a(3 * static_cast<size_t>(cube.node[i]) + m % 3, 3 * static_cast<size_t>(cube.node[j]) + m / 3) +=
              p[i] * q[j] * component(columns[m / 3], m % 3);
  };
  for (int32_t cell = 0; cell < c.lattice.cells().count(); ++cell) {
    for (const LatticeCells::Share& share : c.lattice.cells().tets.of(cell)) {
      for (const ElasticBlock& block : c.model.blocks) {
        if (share.element < block.first_tet || share.element >= block.last_tet) continue;
        const ElementShape shape(c.model.tets[static_cast<size_t>(share.element)], c.model.rest,
                                 share.weight * c.model.stiffness_factor_of(share.element));
        const ElementNodes nodes = c.model.nodes_of(share.element);
        std::array<Mat3d, most_node_pairs> k;
        const PointMaterial points = PointMaterial::of(block);
        visit_formula(points.material.kind, [&]<template <class> class Material>() {
          const auto material = coefficients_of<Material>(points.material);
          if (block.quadratic()) {
            const auto whole = quadratic_stiffness(material, mean_stiffness(c.model, block, multipliers), shape,
                                                   places_from_first(nodes, c.model.rest).data(), Tangent::projected);
            std::copy(std::begin(whole.block), std::end(whole.block), k.begin());
          } else {
            const auto whole = element_stiffness(material, identity(), shape, Tangent::projected);
            std::copy(std::begin(whole.block), std::end(whole.block), k.begin());
          }
        });
        for (int i = 0; i < nodes.count; ++i)
          for (int j = 0; j < nodes.count; ++j)
            add(cell, nodes[static_cast<size_t>(i)], nodes[static_cast<size_t>(j)],
                i >= j ? k[static_cast<size_t>(corner_pair(i, j))]
                       : transpose(k[static_cast<size_t>(corner_pair(j, i))]));
      }
    }
  }
  // What kinks add, which other tests look at.
  std::vector<size_t> node_at(static_cast<size_t>(c.lattice.cycle().place_count()));
  for (size_t n = 0; n < c.nodes(); ++n) node_at[c.place_of(n)] = n;
  for (const NodePair& p : c.lattice.cycle().levels()[0].pairs) {
    const size_t i = 3 * node_at[static_cast<size_t>(p.a)], j = 3 * node_at[static_cast<size_t>(p.b)];
    for (size_t m = 0; m < 3; ++m) a(i + m, j + m) += p.k;
    for (size_t m = 0; m < 3 && i != j; ++m) a(j + m, i + m) += p.k;
  }
  for (size_t s = 0; s < c.model.rest.size(); ++s) {
    const int32_t cell = c.lattice.cells().of_slot[s], slot = static_cast<int32_t>(s);
    const double inertia = c.model.mass[s] * c.problem.inverse_h2();
    if (cell >= 0 && inertia > 0) add(cell, slot, slot, diagonal(inertia, inertia, inertia));
  }
  return a;
}

void expect_galerkin(const Body& body, const How& how, const std::string& what) {
  for (const bool multipliers : {true, false}) {
    const QuadraticCase trial(body, how, multipliers);
    const Dense expected = brute_force(trial.c, multipliers), found = dense_matrix(trial.c);
    EXPECT_GT(expected.largest(), 0) << what;
    EXPECT_LT(found.largest_difference(expected), 2 * sums_of_rounding * expected.largest())
        << what << (multipliers ? ", with" : ", without") << " multipliers";
    EXPECT_TRUE(is_positive(found, sums_of_rounding)) << what;
  }
}

TEST(QuadraticLattice, TheMatrixIsGalerkins) {
  Random random(31);
  const auto some = [](Vec3d r) { return r.x + 0.5 * r.y < 0.4; };
  for (const double ratio : {0.3, 0.45, 0.499}) {
    for (const double spacing : {2.0, 4.0, 100.0}) {
      const std::string what = std::to_string(ratio) + ", spacing " + std::to_string(spacing);
      const Body body = quadratic_body(box({3, 2, 2}, {1.5, 1, 1}), ratio);
      expect_galerkin(body, {.spacing = spacing}, what);
      expect_galerkin(body, {.h = time_step_of_cases, .spacing = spacing, .held = some}, what + ", some held");
    }
  }
  Body factors = quadratic_body(box({3, 2, 2}), 0.49);
  support::vary_stiffness(factors, random);
  expect_galerkin(factors, {.spacing = 3}, "stiffness factors");
  for (const MaterialKind material : support::every_material())
    expect_galerkin(quadratic_body(box({2, 2, 2}), 0.48, material), {.spacing = 3}, traits_of(material).name);
  Body mixed = quadratic_body(box({4, 2, 2}, {2, 1, 1}), 0.49);
  mixed.blocks.push_back({.material = elastic_material(MaterialKind::FixedCorotated, lame_from(5000, 0.45))});
  mixed.density.push_back(20);
  for (size_t e = 0; e < mixed.mesh.tets.size(); ++e) {
    const bool linear = mixed.mesh.vertices[static_cast<size_t>(mixed.mesh.tets[e][0])].x > 0.9;
    mixed.block_of_tet.push_back(linear);
    if (linear) mixed.mesh.middles[e].fill(no_middle);
  }
  expect_galerkin(mixed, {.spacing = 3}, "linear beside quadratic");
}

// u . A u of affine motions u is what they cost by linear elasticity, in a body of volume 1 whose inertia is nothing
// beside it.
void expect_strain_energy(const Case& c, double mu, double lambda, double tolerance, Random& random) {
  for (int k = 0; k < 4; ++k) {
    const Mat3d m = random.matrix(), strain = 0.5 * (m + transpose(m));
    Field u = c.node_places();
    for (Vec3d& p : u) p = m * p;
    const double expected = 2 * mu * contract(strain, strain) + lambda * trace(strain) * trace(strain);
    EXPECT_NEAR(inner(u, c.product(u)), expected, tolerance * expected);
  }
}

// Where each tet lies in one cube, whatever is at its faces: the functions are continuous, and none is extended.
TEST(QuadraticLattice, IsThatOfTheFunctionsThemselvesWhereNoTetCrossesACube) {
  const int cells = 3;
  const Body body = quadratic_body(box({cells, cells, cells}), 0.49);
  const double distance = bodies_of(body.compile()).sizes[0].distance;
  const QuadraticCase trial(body, {.spacing = 1.0 / cells / distance}, true);
  const Case& c = trial.c;
  ASSERT_EQ(c.nodes(), 64u);
  for (int32_t cell = 0; cell < c.lattice.cells().count(); ++cell) {
    for (const LatticeCells::Share& share : c.lattice.cells().tets.of(cell)) {
      EXPECT_EQ(share.weight, 1);
      for (const int32_t s : c.model.nodes_of(share.element)) {
        const Vec3d p = c.lattice.cells().place_in(cell, c.model.rest[static_cast<size_t>(s)]);
        for (const double t : {p.x, p.y, p.z}) EXPECT_NEAR(t, 0.5, 0.5 + 1e-6);
      }
    }
  }
  // At an affine state no less than at rest: K is quadratic in affine motions, and the sum of all parts.
  Random random(32);
  const double mu = c.model.blocks[0].material.lame.mu;
  const double lambda =
      PointMaterial::of(c.model.blocks[0]).material.lame.lambda + mean_stiffness(c.model, c.model.blocks[0], true);
  expect_strain_energy(c, mu, lambda, 1e-4, random);
}

// P^T K P u by differences of forces, for a start to a power method: it ends at the motion whose stiffness the matrix
// misses most.
TEST(QuadraticLattice, IsNowhereFarTooSoft) {
  for (const std::array<int32_t, 3> cells : {std::array{3, 3, 24}, {2, 12, 12}, {6, 6, 6}}) {
    QuadraticCase trial(quadratic_body(support::turned_box(cells), 0.3), {.h = 0.1}, true);
    Case& c = trial.c;
    const Objective objective(c.problem, c.pool);
    const auto image = [&](const Field& motion) {
      constexpr double step = 1e-6;
      Field there = c.model.rest, back = there, g(there.size()), g_back(there.size());
      for (size_t s = 0; s < there.size(); ++s) {
        there[s] += step * motion[s];
        back[s] -= step * motion[s];
      }
      objective.gradient(there, g);
      objective.gradient(back, g_back);
      for (size_t s = 0; s < g.size(); ++s) g[s] = (0.5 / step) * (g[s] - g_back[s]);
      return g;
    };
    Random random(34);
    Field u = random_field(c.nodes(), random);
    double ratio = 0;
    for (int k = 0; k < 10; ++k) {
      const Field motion = c.motion(u), force = image(motion);
      ratio = inner(motion, force) / inner(u, c.product(u));
      c.solve(force, 30);
      u = c.correction();
      const double largest = norm(u);
      for (Vec3d& v : u) v = (1 / largest) * v;
    }
    EXPECT_LT(ratio, 3) << cells[2];
    EXPECT_GT(ratio, 0.5) << cells[2];
  }
}

// Kinks between cells cost something only where tets resist them, and affine motions have none.
TEST(QuadraticLattice, AffineMotionsHaveNoKinks) {
  Random random(35);
  EXPECT_TRUE(QuadraticCase(quadratic_body(box({6, 6, 6}), 0.3), {}, true).c.lattice.cycle().levels()[0].pairs.empty());
  const QuadraticCase trial(quadratic_body(support::turned_box({2, 12, 12}), 0.3), {}, true);
  const Case& c = trial.c;
  ASSERT_GT(c.lattice.cycle().levels()[0].pairs.size(), 100u);
  const double mu = c.model.blocks[0].material.lame.mu, lambda = c.model.blocks[0].material.lame.lambda;
  expect_strain_energy(c, mu, lambda, 1e-3, random);
}

// On coarser levels they are I^T D I.
TEST(QuadraticLattice, KinksAreGalerkinsOnCoarserLevels) {
  const QuadraticCase trial(quadratic_body(support::turned_box({2, 12, 12}), 0.3), {.spacing = 2}, true);
  const auto levels = trial.c.lattice.cycle().levels();
  ASSERT_GE(levels.size(), 2u);
  struct Sum {
    double energy = 0, size = 0;  // of its terms
  };
  const auto sum_over = [](const LatticeCycle::Level& level, const std::vector<double>& u) {
    Sum sum;
    for (const NodePair& p : level.pairs) {
      const double term = (p.a == p.b ? 1 : 2) * p.k * u[static_cast<size_t>(p.a)] * u[static_cast<size_t>(p.b)];
      sum.energy += term;
      sum.size += std::abs(term);
    }
    return sum;
  };
  Random random(36);
  for (size_t l = 0; l + 1 < levels.size(); ++l) {
    std::vector<double> coarse(static_cast<size_t>(levels[l + 1].places)), fine;
    for (double& v : coarse) v = random.between(-1, 1);
    const LatticeCycle::Weights& up = levels[l].up;
    for (size_t n = 0; n + 1 < up.begin.size(); ++n) {
      double sum = 0;
      for (int32_t k = up.begin[n]; k < up.begin[n + 1]; ++k)
        sum += up.entries[static_cast<size_t>(k)].weight *
               coarse[static_cast<size_t>(up.entries[static_cast<size_t>(k)].place)];
      fine.push_back(sum);
    }
    const Sum expected = sum_over(levels[l], fine);
    EXPECT_GT(expected.size, 0);
    EXPECT_NEAR(sum_over(levels[l + 1], coarse).energy, expected.energy, 1e-6 * expected.size);
  }
}

TEST(QuadraticLattice, RigidMotionsCostNothing) {
  Random random(33);
  QuadraticCase trial(quadratic_body(box({3, 2, 2}), 0.49), {.spacing = 2}, true);
  Case& c = trial.c;
  const Mat3d turn = random.rotation();
  ASSERT_TRUE(c.set(c.mapped(turn)));
  const double size_of_matrix = dense_matrix(c).largest();
  for (int axis = 0; axis < 3; ++axis) {
    Field shift(c.nodes(), unit_vector(axis)), spin = c.node_places();
    for (Vec3d& p : spin) p = cross(unit_vector(axis), turn * p);
    for (const Field& u : {shift, spin})
      EXPECT_LT(norm(c.product(u)), 100 * sums_of_rounding * size_of_matrix * norm(u));
  }
}

// In any state the matrix has no negative direction.
TEST(QuadraticLattice, IsNowhereNegative) {
  for (const bool multipliers : {true, false}) {
    QuadraticCase trial(quadratic_body(box({3, 2, 2}), 0.499), {.spacing = 2}, multipliers);
    for (const auto& [state, positions] : every_state(trial.c)) {
      ASSERT_TRUE(trial.c.set(positions));
      EXPECT_TRUE(is_positive(dense_matrix(trial.c), sums_of_rounding)) << state;
    }
  }
}

}  // namespace
}  // namespace sinew
