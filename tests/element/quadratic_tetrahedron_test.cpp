// Source: element/quadratic_tetrahedron.h, against the shape functions themselves and plain sums over them; derivatives
// against differences.
#include "element/quadratic_tetrahedron.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "math/eigen3.h"
#include "model/element_points.h"
#include "model/quadratic_stream.h"
#include "objective/objective.h"
#include "objective/strain.h"
#include "solver/by_vertex/quadratic_kernel.h"
#include "solver/by_vertex/quadratic_links.h"
#include "solver/by_vertex/quadratic_tets.h"
#include "solver/by_vertex/vertex_sums.h"
#include "solver/newton/assembly.h"
#include "support/body.h"
#include "support/made.h"
#include "support/random.h"

namespace sinew {
namespace {

using support::Random;

struct Element {
  std::array<Vec3d, most_nodes> rest, x;
  std::array<Vec3d, 4> corner;  // gradients of the barycentric coordinates
  double volume;
};

Element random_element(Random& random) {
  Element e;
  do {
    for (size_t a = 0; a < 4; ++a) e.rest[a] = random.vector();
    const RestShape<double> shape = QuadraticTetrahedron::rest(e.rest.data());
    e.volume = shape.volume;
    e.corner = {-(shape.gradient[0] + shape.gradient[1] + shape.gradient[2]), shape.gradient[0], shape.gradient[1],
                shape.gradient[2]};
  } while (e.volume < 0.1);
  for (int k = 0; k < 6; ++k)
    e.rest[4 + k] = 0.5 * (e.rest[QuadraticTetrahedron::end(k, 0)] + e.rest[QuadraticTetrahedron::end(k, 1)]);
  for (size_t n = 0; n < most_nodes; ++n) e.x[n] = e.rest[n] + 0.3 * random.vector();
  return e;
}

// N_n at barycentric coordinates l.
double shape_function(size_t n, const std::array<double, 4>& l) {
  if (n < 4) return l[n] * (2 * l[n] - 1);
  const int edge = static_cast<int>(n) - 4;
  return 4 * l[QuadraticTetrahedron::end(edge, 0)] * l[QuadraticTetrahedron::end(edge, 1)];
}

TEST(QuadraticTetrahedron, GradientsAreThoseOfItsShapeFunctions) {
  Random random(3);
  for (int round = 0; round < 20; ++round) {
    const Element e = random_element(random);
    const auto f = PointGradients<double>::of(e.x.data(), e.corner.data());
    for (int q = 0; q < QuadraticTetrahedron::points; ++q) {
      Vec3d g[most_nodes];
      node_gradients(e.corner.data(), q, g);
      // Along each axis l changes by its gradients; N is quadratic, so that central differences are exact.
      const Vec3d axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
      Mat3d expected{};
      for (const Vec3d& axis : axes) {
        const auto l_at = [&](double t) {
          std::array<double, 4> l;
          for (int a = 0; a < 4; ++a) l[a] = QuadraticTetrahedron::at_point(q, a) + t * dot(e.corner[a], axis);
          return l;
        };
        for (size_t n = 0; n < most_nodes; ++n) {
          const double slope = (shape_function(n, l_at(0.5)) - shape_function(n, l_at(-0.5)));
          EXPECT_NEAR(dot(g[n], axis), slope, 1e-12 * (1 + std::abs(slope)));
          expected = expected + outer(slope * e.x[n], axis);
        }
      }
      EXPECT_LT(support::size(f.at[q] - expected), 1e-11 * support::size(expected));
    }
  }
}

TEST(QuadraticTetrahedron, MassesAddUpToTheWhole) {
  EXPECT_NEAR(4 * QuadraticTetrahedron::corner_mass + 6 * QuadraticTetrahedron::middle_mass, 1, 1e-15);
  const Model model = support::body_of(support::with_middles(support::box({2, 1, 1}))).compile();
  double sum = 0;
  for (const double m : model.mass) sum += m;
  EXPECT_NEAR(sum, 10, 1e-12);
}

Model weightless(support::Body body) {
  body.gravity = {};
  return body.compile();
}
StepProblem equilibrium(const Model& model) {
  return support::problem_of(model, model.rest, 0);
}
double energy_at(const StepProblem& problem, const std::vector<Vec3d>& x) {
  return Objective(problem, ThreadPool::caller()).energy(x);
}
std::vector<Vec3d> gradient_at(const StepProblem& problem, const std::vector<Vec3d>& x) {
  std::vector<Vec3d> g(x.size());
  Objective(problem, ThreadPool::caller()).gradient(x, g);
  return g;
}

struct PointStates {
  int inverted = 0, all = 0;
  double least_sum = 1e300;  // of the two smallest principal stretches, the last of which has the sign of J
};
PointStates point_states(const Model& model, const std::vector<Vec3d>& x) {
  PointStates states;
  for (size_t e = 0; e < model.tets.size(); ++e) {
    for (const Mat3d& f : point_gradients(model, x, static_cast<int32_t>(e)).at) {
      ++states.all;
      states.inverted += determinant(f) < 0 ? 1 : 0;
      const Vec3d s = signed_svd(f).s;
      states.least_sum = std::min(states.least_sum, s.y + s.z);
    }
  }
  return states;
}

// Up to a Poisson ratio of 1/3 the split leaves nothing for the mean: the sum of the material over the points, with
// gradients from the shape functions. Both ways of adding up round F by a few 1e-16, which moves the energy by that
// times P : F V, and the forces by that times the stiffness, besides what they round themselves: the scale is the size
// of the terms that cancel in the energy, V (2 mu + lambda), for forces over 1 m, plus that of the result.
TEST(QuadraticTetrahedron, IsPlainUpToAThird) {
  Random random(5);
  for (const MaterialKind kind : support::every_material()) {
    for (const double nu : {0.0, 0.2, 1.0 / 3 - 1e-9, 1.0 / 3}) {
      for (int round = 0; round < 5; ++round) {
        const Model model = weightless(support::body_of(support::with_middles(support::one_tet()), kind, 1000, nu));
        const StepProblem problem = equilibrium(model);
        // Where the polar rotation nearly jumps it magnifies what F is rounded by.
        std::vector<Vec3d> x;
        do {
          x = support::shaken(model.rest, 0.2, random);
        } while (point_states(model, x).least_sum < 0.3);
        double expected = 0;
        std::vector<Vec3d> forces(x.size());
        visit_formula(kind, [&]<template <class> class Material>() {
          const auto material = coefficients_of<Material>(model.blocks[0].material);
          const double rest = material.energy(diagonal(1.0, 1.0, 1.0));
          for_each_point(model, model.blocks[0], 0,
                         [&](const ElementNodes& nodes, std::span<const Vec3d> g, double volume) {
                           Mat3d f{};
                           for (size_t n = 0; n < nodes.size(); ++n) f = f + outer(x[nodes[n]], g[n]);
                           expected += volume * (material.energy(f) - rest);
                           const Mat3d p = volume * material.stress(f);
                           for (size_t n = 0; n < nodes.size(); ++n) forces[nodes[n]] += p * g[n];
                         });
        });
        const double scale = energy_scale(model, ThreadPool::caller());
        EXPECT_NEAR(energy_at(problem, x), expected, 1e-14 * (scale + std::abs(expected)))
            << traits_of(kind).name << " " << nu;
        const std::vector<Vec3d> found = gradient_at(problem, x);
        double largest = 0, off = 0;
        for (size_t s = 0; s < x.size(); ++s) {
          largest = std::max(largest, support::size(forces[s]));
          off = std::max(off, support::size(found[s] - forces[s]));
        }
        EXPECT_LT(off, 1e-14 * (scale + largest)) << traits_of(kind).name << " " << nu;
      }
    }
  }
}

// The unknowns 3 slot + axis of the slots that have a vertex, in the user's order.
std::vector<size_t> unknowns_of(const Model& model) {
  std::vector<size_t> unknowns;
  for (int32_t v = 0; v < model.order.vertex_count(); ++v)
    for (size_t axis = 0; axis < 3; ++axis)
      unknowns.push_back(3 * static_cast<size_t>(model.order.slot(UserVertex{v})) + axis);
  return unknowns;
}
double entry(const Vec3d& v, size_t axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}
std::vector<Vec3d> moved(std::vector<Vec3d> x, size_t unknown, double way) {
  x[unknown / 3] += way * support::unit_vector(static_cast<int>(unknown % 3));
  return x;
}

using Dense = std::vector<std::vector<double>>;

// The matrix of Newton's method, by these unknowns.
Dense stiffness_at(const StepProblem& problem, const std::vector<Vec3d>& x, const std::vector<size_t>& unknowns) {
  Assembly assembly;
  assembly.prepare(*problem.model, ThreadPool::caller());
  assembly.assemble(problem, x, Tangent::exact, ThreadPool::caller());
  const SparseSymmetric& sparse = assembly.matrix();
  const size_t n = unknowns.size(), absent = n;
  std::vector<size_t> place(static_cast<size_t>(sparse.size), absent);
  for (size_t k = 0; k < n; ++k) place[unknowns[k]] = k;
  Dense dense(n, std::vector<double>(n));
  for (size_t column = 0; column < place.size(); ++column) {
    for (int64_t p = sparse.column_begin[column]; p < sparse.column_begin[column + 1]; ++p) {
      const size_t i = place[static_cast<size_t>(sparse.row[static_cast<size_t>(p)])], j = place[column];
      if (i != absent && j != absent) dense[i][j] = dense[j][i] = sparse.value[static_cast<size_t>(p)];
    }
  }
  return dense;
}

// Ascending, by cyclic Jacobi rotations (math/eigen3.h).
std::vector<double> eigenvalues(Dense m) {
  const size_t n = m.size();
  double largest = 0;
  for (const std::vector<double>& row : m)
    for (const double entry_of_row : row) largest = std::max(largest, std::abs(entry_of_row));
  bool rotated = true;
  for (int sweep = 0; sweep < 50 && rotated; ++sweep) {
    rotated = false;
    for (size_t p = 0; p < n; ++p) {
      for (size_t q = p + 1; q < n; ++q) {
        const double coupling = m[p][q];
        if (std::abs(coupling) <= 1e-17 * largest) continue;
        rotated = true;
        const JacobiRotation turn = jacobi_rotation(m[p][p], coupling, m[q][q]);
        m[p][p] -= turn.t * coupling;
        m[q][q] += turn.t * coupling;
        m[p][q] = m[q][p] = 0;
        for (size_t r = 0; r < n; ++r) {
          if (r == p || r == q) continue;
          const double rp = m[r][p], rq = m[r][q];
          m[r][p] = m[p][r] = turn.c * rp - turn.s * rq;
          m[r][q] = m[q][r] = turn.s * rp + turn.c * rq;
        }
      }
    }
  }
  EXPECT_FALSE(rotated) << "has not converged";
  std::vector<double> values;
  for (size_t k = 0; k < n; ++k) values.push_back(m[k][k]);
  std::sort(values.begin(), values.end());
  return values;
}

// What has moved as a whole and turned has no energy and no forces; six motions of a small displacement have no
// stiffness at rest, and no seventh has; and in any state forces and torques sum to zero. Linear elasticity bears no
// large turn; its torques are zero about the places at rest.
TEST(QuadraticTetrahedron, IsFreeToMoveAndTurnAndNothingElse) {
  TetMesh mesh = support::one_tet();
  mesh.vertices = {{0, 0, 0}, {1.1, 0.1, -0.1}, {0.2, 0.9, 0.15}, {-0.1, 0.25, 1.2}};
  mesh = support::with_middles(mesh);
  const double angle = 0.7;
  const Mat3d turn{{std::cos(angle), std::sin(angle), 0}, {-std::sin(angle), std::cos(angle), 0}, {0, 0, 1}};
  Random random(2);
  for (const MaterialKind kind : support::every_material()) {
    for (const double nu : {0.3, 0.499}) {
      SCOPED_TRACE(std::string(traits_of(kind).name) + " " + std::to_string(nu));
      const Model model = weightless(support::body_of(mesh, kind, 1000, nu));
      const StepProblem problem = equilibrium(model);
      const Lame& lame = model.blocks[0].material.lame;
      const double modulus = 2 * lame.mu + lame.lambda;  // [Pa]
      const bool turns = traits_of(kind).rotation_invariant;

      const std::vector<size_t> unknowns = unknowns_of(model);
      ASSERT_EQ(unknowns.size(), size_t{30});
      const std::vector<double> values = eigenvalues(stiffness_at(problem, model.rest, unknowns));
      const double largest = values.back();
      EXPECT_EQ(std::count_if(values.begin(), values.end(), [&](double v) { return std::abs(v) < 1e-10 * largest; }),
                6);
      EXPECT_LT(std::abs(values[0]), 1e-10 * largest);
      EXPECT_LT(std::abs(values[5]), 1e-10 * largest);
      EXPECT_GT(values[6], 1e-6 * largest);

      std::vector<Vec3d> x = model.rest;
      for (Vec3d& p : x) p = (turns ? turn * p : p) + Vec3d{1, -2, 3};
      EXPECT_NEAR(energy_at(problem, x), 0, 1e-13 * energy_scale(model, ThreadPool::caller()));
      // Positions of 4 m are rounded to 4e-16 m; faces are about 1 m^2.
      for (const Vec3d& g : gradient_at(problem, x)) EXPECT_LT(support::size(g), 1e-14 * modulus);

      const std::vector<Vec3d> deformed = support::shaken(x, 0.2, random), forces = gradient_at(problem, deformed);
      const std::vector<Vec3d>& arms = turns ? deformed : model.rest;
      Vec3d force{}, torque{};
      double sum = 0;
      for (size_t s = 0; s < forces.size(); ++s) {
        force += forces[s];
        torque += cross(arms[s], forces[s]);
        sum += support::size(forces[s]);
      }
      EXPECT_GT(sum, 0);
      EXPECT_LT(support::size(force), 1e-13 * sum);
      EXPECT_LT(support::size(torque), 1e-13 * sum);
    }
  }
}

// The derivatives at 0, by central differences of order six: exact for polynomials of degree six, which most energies
// are along a line. Of the others what is cut off is about (t/0.3)^6, with 0.3 the distance from where they are not
// smooth, 1e-15; and rounding is 1e-16/t of values over slopes, 1e-13 to 1e-9.
template <class Function>
std::vector<double> slopes(const Function& values) {
  constexpr double t = 1e-3;  // [m]
  constexpr double weights[] = {45 / (60 * t), -9 / (60 * t), 1 / (60 * t)};
  std::vector<double> sum;
  for (int k = 1; k <= 3; ++k) {
    const std::vector<double> ahead = values(k * t), behind = values(-k * t);
    sum.resize(ahead.size());
    for (size_t i = 0; i < sum.size(); ++i) sum[i] += weights[k - 1] * (ahead[i] - behind[i]);
  }
  return sum;
}
constexpr double difference_error = 1e-8;  // of the largest entry

// Two tets with a face in common.
TetMesh two_tets(Random& random) {
  TetMesh mesh = support::one_tet();
  mesh.vertices.push_back({1, 1, 1});
  mesh.tets.push_back({1, 2, 3, 4});
  mesh.vertices = support::shaken(mesh.vertices, 0.15, random);
  return support::with_middles(mesh);
}

// Quadratic tets of which some points, or all, are inverted. No material is left out: the energies of Neo-Hookean,
// Mooney-Rivlin, StVK and linear elasticity are polynomials of F, the logarithm of stable Neo-Hookean is of |F|^2 + 1,
// and the polar rotation of the corotated materials is smooth where J < 0 as well, but for where the two smallest
// stretches cancel (s1 + s2 = 0): states near there are left out, as in Random::deformation.
class InvertedPoints : public testing::TestWithParam<MaterialKind> {
 protected:
  // Calls check(model, x).
  template <class Check>
  void for_states(const Check& check) {
    for (const double nu : {0.3, 0.499}) {
      for (int round = 0; round < 4; ++round) {
        SCOPED_TRACE(std::to_string(nu) + ", state " + std::to_string(round));
        const Model model = weightless(support::body_of(two_tets(random_), GetParam(), 1000, nu));
        const bool mirrored = round % 2 == 1;
        const std::vector<Vec3d> x = inverted(model, mirrored);
        const PointStates states = point_states(model, x);
        EXPECT_EQ(states.all, 8);
        EXPECT_GT(states.inverted, 0);
        if (mirrored) {
          EXPECT_EQ(states.inverted, states.all);
        } else {
          EXPECT_LT(states.inverted, states.all);
        }
        EXPECT_GT(Objective(equilibrium(model), ThreadPool::caller()).evaluate(x).inverted, 0);
        check(model, x);
      }
    }
  }

 private:
  std::vector<Vec3d> inverted(const Model& model, bool mirrored) {
    std::vector<Vec3d> start = model.rest;
    for (Vec3d& p : start) p.x *= mirrored ? -0.4 : 1.0;
    for (int tries = 0; tries < 10000; ++tries) {
      const std::vector<Vec3d> x = support::shaken(start, mirrored ? 0.1 : 0.3, random_);
      const PointStates states = point_states(model, x);
      const bool wanted =
          mirrored ? states.inverted == states.all : states.inverted > 0 && states.inverted < states.all;
      if (wanted && states.least_sum > 0.3) return x;
    }
    ADD_FAILURE() << "no such state";
    return start;
  }

  Random random_{17};
};

TEST_P(InvertedPoints, GradientIsTheDerivativeOfTheEnergy) {
  for_states([](const Model& model, const std::vector<Vec3d>& x) {
    const StepProblem problem = equilibrium(model);
    const std::vector<Vec3d> g = gradient_at(problem, x);
    double largest = 0, off = 0;
    for (const size_t u : unknowns_of(model)) {
      const double expected =
          slopes([&](double t) { return std::vector<double>{energy_at(problem, moved(x, u, t))}; })[0];
      largest = std::max(largest, std::abs(expected));
      off = std::max(off, std::abs(entry(g[u / 3], u % 3) - expected));
    }
    EXPECT_GT(largest, 0);
    EXPECT_LT(off, difference_error * largest);
  });
}

TEST_P(InvertedPoints, HessianIsTheDerivativeOfTheGradient) {
  for_states([](const Model& model, const std::vector<Vec3d>& x) {
    const StepProblem problem = equilibrium(model);
    const std::vector<size_t> unknowns = unknowns_of(model);
    const Dense found = stiffness_at(problem, x, unknowns);
    double largest = 0, off = 0;
    for (size_t j = 0; j < unknowns.size(); ++j) {
      const std::vector<double> expected = slopes([&](double t) {
        const std::vector<Vec3d> g = gradient_at(problem, moved(x, unknowns[j], t));
        std::vector<double> entries;
        for (const size_t u : unknowns) entries.push_back(entry(g[u / 3], u % 3));
        return entries;
      });
      for (size_t i = 0; i < unknowns.size(); ++i) {
        largest = std::max(largest, std::abs(expected[i]));
        off = std::max(off, std::abs(found[i][j] - expected[i]));
      }
    }
    EXPECT_GT(largest, 0);
    EXPECT_LT(off, difference_error * largest);
  });
}

// What a sweep by vertex sums up at a slot, of the exact block, which it has at inverted points too but for corotated
// materials (`guarded` in quadratic_kernel.h), and without multipliers.
vertex_kernel::Accumulator<double> swept(const QuadraticStream<double>& stream, const std::vector<Vec3d>& x,
                                         size_t slot) {
  const QuadraticBlock<double> block = view_of(stream, stream.points.mean_lambda);
  const auto way = [&](const uint16_t* node) { return x[*node] - x[slot]; };
  const auto batch = static_cast<int64_t>(slot);
  vertex_kernel::Accumulator<double> sums;
  if (stream.layout != VertexLayout::frames) {
    quadratic_links::accumulate<double, false, 1>(block, batch, 0, false, way, sums);
    return sums;
  }
  visit_formula(stream.block.material.kind, [&]<template <class> class Material>() {
    quadratic_kernel::accumulate<double, Material, 1>(block, batch, 0, NodalStiffness::exact, false, way, sums);
  });
  return sums;
}

// Of sweeps, in each layout, and of own-block damping, whose force is (k_d/h) K_ii (x - x_prev).
TEST_P(InvertedPoints, NodalBlocksAreTheDerivativeOfTheNodesForce) {
  for_states([](const Model& model, const std::vector<Vec3d>& x) {
    const StepProblem problem = equilibrium(model);
    const ElasticBlock& block = model.blocks[0];
    ASSERT_EQ(model.clusters.count(), 1) << "nodes of streams are slots";
    const auto stream = [&](VertexLayout layout) {
      return build_quadratic_stream<double>(model, block, layout, 1, ThreadPool::caller());
    };
    std::vector<QuadraticStream<double>> streams{stream(VertexLayout::frames)};
    if (traits_of(block.material.kind).links) streams.push_back(stream(VertexLayout::links));
    Model damped = model;
    damped.blocks[0].damping = 1;
    damped.damping_form = DampingForm::own_block;

    const std::vector<Vec3d> g = gradient_at(problem, x);
    double largest_force = 0, largest = 0, off = 0, off_force = 0;
    for (const size_t u : unknowns_of(model)) {
      const size_t slot = u / 3;
      const std::vector<double> expected = slopes([&](double t) {
        const Vec3d force = gradient_at(problem, moved(x, u, t))[slot];
        return std::vector<double>{force.x, force.y, force.z};
      });
      const Vec3d column{expected[0], expected[1], expected[2]};
      largest = std::max(largest, support::size(column));
      largest_force = std::max(largest_force, support::size(g[slot]));
      for (const QuadraticStream<double>& each : streams) {
        const auto sums = swept(each, x, slot);
        const Vec3d found = sums.stiffness * support::unit_vector(static_cast<int>(u % 3));
        off = std::max(off, support::size(found - column));
        off_force = std::max(off_force, support::size(sums.force + g[slot]));
      }
      // With h = 1 s and k_d = 1 s, of a node that has moved by 1 m in the step.
      const std::vector<Vec3d> before = moved(x, u, -1);
      const Vec3d with = gradient_at(support::problem_of(damped, before, 1), x)[slot];
      const Vec3d without = gradient_at(support::problem_of(model, before, 1), x)[slot];
      off = std::max(off, support::size((with - without) - column));
    }
    EXPECT_GT(largest, 0);
    EXPECT_LT(off, difference_error * largest);
    EXPECT_LT(off_force, 1e-12 * largest_force);
  });
}

INSTANTIATE_TEST_SUITE_P(All, InvertedPoints, testing::ValuesIn(support::every_material()),
                         [](const auto& test) { return std::string(traits_of(test.param).name); });

// An affine motion of the boundary leaves the inside in balance, on a mesh whose inner vertices are moved at random.
TEST(QuadraticTetrahedron, PassesThePatchTest) {
  Random random(11);
  for (const double nu : {0.3, 0.49}) {
    TetMesh mesh = support::box({3, 3, 3});
    const auto inside = [](Vec3d p) {
      const auto in = [](double c) { return c > 1e-9 && c < 1 - 1e-9; };
      return in(p.x) && in(p.y) && in(p.z);
    };
    for (Vec3d& p : mesh.vertices)
      if (inside(p)) p += 0.07 * random.vector();
    Model model = support::body_of(support::with_middles(mesh), MaterialKind::NeoHookean, 1000, nu).compile();
    model.gravity = {};
    const Mat3d f{{1.1, 0.1, 0}, {-0.2, 0.9, 0.1}, {0.05, 0, 1.2}};
    std::vector<Vec3d> x = model.rest, g(x.size());
    for (Vec3d& p : x) p = f * p;
    ThreadPool pool(1);
    const StepProblem problem = support::problem_of(model, model.rest, 0);
    Objective(problem, pool).gradient(x, g);
    double largest = 0, off = 0;
    for (size_t s = 0; s < g.size(); ++s) {
      largest = std::max(largest, dot(g[s], g[s]));
      if (inside(model.rest[s])) off = std::max(off, dot(g[s], g[s]));
    }
    EXPECT_LT(std::sqrt(off), 1e-12 * std::sqrt(largest));
  }
}

}  // namespace
}  // namespace sinew
