// Source: Macklin et al. 2016, eqs. 17-18, with the constraints of element/quadratic_tetrahedron.h, written out from
// node gradients in double precision; docs/theory.md, sections 2.4 and 8.2; the guarantees of equal bits.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "mesh/middles.h"
#include "model/rest_shape.h"
#include "solver/by_constraint/constraint_blocks.h"
#include "solver/by_constraint/quadratic_constraint_kernel.h"
#include "solver/by_constraint/xpbd.h"
#include "solver/by_constraint/xpbd_qs.h"
#include "solver/mixed_elements.h"
#include "solver/solver_list.h"
#include "solver/sweep_case.h"
#include "support/made.h"
#include "support/trial.h"

namespace sinew {
namespace {

using quadratic_constraint_kernel::at_point;
using quadratic_constraint_kernel::MeanVolume;
using quadratic_constraint_kernel::NodeVectors;
using quadratic_constraint_kernel::PointWeights;
using support::Method;
using support::on_left;
using support::size;
using support::Trial;
using support::xpbd_materials;

constexpr int points = QuadraticTetrahedron::points;

Body quadratic_body_of(TetMesh mesh, MaterialKind material = MaterialKind::NeoHookean, double youngs_modulus = 1000,
                       double poisson_ratio = 0.3) {
  add_middles(mesh);
  return body_of(std::move(mesh), material, youngs_modulus, poisson_ratio);
}

// A quadratic tet at rest, and its nodes moved.
struct RandomTet {
  explicit RandomTet(Random& random) {
    const Mat3d edges = random.deformation(0.3);
    const double sign = determinant(edges) > 0 ? 1 : -1;
    const Vec3d at_rest[4] = {{}, sign * edges.c0, sign * edges.c1, sign * edges.c2};
    const RestShape<double> rest = QuadraticTetrahedron::rest(at_rest);
    volume = rest.volume;
    for (int c = 1; c < 4; ++c) corner[c] = rest.gradient[c - 1];
    corner[0] = -(corner[1] + corner[2] + corner[3]);
    const Mat3d turn = random.rotation();
    for (int n = 0; n < most_nodes; ++n) {
      const Vec3d rest_place =
          n < 4 ? at_rest[n]
                : 0.5 * (at_rest[QuadraticTetrahedron::end(n - 4, 0)] + at_rest[QuadraticTetrahedron::end(n - 4, 1)]);
      x[n] = turn * rest_place + 0.1 * random.vector();
    }
  }
  // F by the gradients that the objective uses.
  Mat3d deformation_gradient(int q) const {
    Vec3d g[most_nodes];
    node_gradients(corner, q, g);
    Mat3d f{};
    for (int n = 0; n < most_nodes; ++n) f = f + outer(x[n], g[n]);
    return f;
  }
  auto at() const {
    return [this](int n) { return x[n]; };
  }

  Vec3d x[most_nodes], corner[4];
  double volume;
};

// Compares gradients at the nodes with differences of value(), and checks that they have no force and no torque.
template <class Value>
void expect_gradient(RandomTet& tet, const Vec3d (&gradient)[most_nodes], const Value& value) {
  constexpr double step = 1e-5;
  double largest = 0;
  for (const Vec3d& g : gradient) largest = std::max(largest, size(g));
  Vec3d force{}, torque{};
  for (int n = 0; n < most_nodes; ++n) {
    force += gradient[n];
    torque += cross(tet.x[n], gradient[n]);
    for (double Vec3d::*axis : {&Vec3d::x, &Vec3d::y, &Vec3d::z}) {
      const double before = tet.x[n].*axis;
      tet.x[n].*axis = before + step;
      const double after = value();
      tet.x[n].*axis = before - step;
      const double difference = (after - value()) / (2 * step);
      tet.x[n].*axis = before;
      EXPECT_NEAR(gradient[n].*axis, difference, 1e-7 * largest) << "node " << n;
    }
  }
  EXPECT_LT(size(force), 1e-12 * largest);
  EXPECT_LT(size(torque), 1e-12 * largest);
}

TEST(QuadraticConstraints, HaveTheGradientsThatDifferencesHave) {
  Random random(3);
  for (const MaterialKind kind : xpbd_materials()) {
    visit_material(kind, [&]<template <class> class M>() {
      const auto material = support::made<M>(Lame{400, 600});
      for_each_index<0, M<double>::constraint_count>([&](auto k) {
        for (int round = 0; round < 5; ++round) {
          RandomTet tet(random);
          for (int q = 0; q < points; ++q) {
            const auto p = PointWeights<double>::of(q);
            const Mat3d f = p.deformation_gradient(tet.at(), tet.corner);
            EXPECT_LT(size(f - tet.deformation_gradient(q)), 1e-13);
            const auto c = at_point(constraint_kernel::constraint_of<k, double>(material, f), f);
            const auto value = [&] { return material.template constraint<k>(tet.deformation_gradient(q)).value; };
            EXPECT_NEAR(c.value, c.scale * value(), 1e-12);
            EXPECT_NEAR(c.square, c.scale * c.scale, 1e-12 * c.square);
            const NodeVectors<double> g = p.times_gradients((1 / c.scale) * c.gradient, tet.corner);
            expect_gradient(tet, g.at, value);
          }
        }
      });
    });
  }
  for (int round = 0; round < 20; ++round) {
    RandomTet tet(random);
    const auto mean = MeanVolume<double>::of(tet.at(), tet.corner);
    const auto value = [&] {
      double sum = 0;
      for (int q = 0; q < points; ++q) sum += determinant(tet.deformation_gradient(q)) / points;
      return sum - 1;
    };
    EXPECT_NEAR(mean.excess, value(), 1e-13);
    expect_gradient(tet, mean.derivative.at, value);
  }
}

// Sweeps over all tets, colour by colour, linear blocks before quadratic ones; constraint by constraint from node
// gradients. A linear tet is one of a single point.
class ReferenceQuadraticXpbd {
 public:
  explicit ReferenceQuadraticXpbd(const StepProblem& problem)
      : problem_(problem), model_(*problem.model), coloring_(coloring_of_tets(model_)) {
    multipliers_.resize(model_.tets.size());
  }

  void sweep(std::vector<Vec3d>& x) {
    for (const bool quadratic : {false, true}) {
      for (const ElasticBlock& block : model_.blocks) {
        if (block.quadratic() != quadratic) continue;
        for (int32_t color = 0; color < coloring_.count; ++color) {
          for (int32_t e = block.first_tet; e < block.last_tet; ++e) {
            if (coloring_.color[static_cast<size_t>(e)] == color) visit(block, e, x);
          }
        }
      }
    }
  }
  // All from the same x, with a share of each change.
  void sweep_at_once(std::vector<Vec3d>& x, double scale) {
    const std::vector<Vec3d> start = x;
    std::vector<Vec3d> y = start;
    for (const ElasticBlock& block : model_.blocks) {
      for (int32_t e = block.first_tet; e < block.last_tet; ++e) {
        const Multipliers before = multipliers_[static_cast<size_t>(e)];
        visit(block, e, y);
        Multipliers& l = multipliers_[static_cast<size_t>(e)];
        for (size_t k = 0; k < l.size(); ++k) l[k] = before[k] + scale * (l[k] - before[k]);
        for (const int32_t s : model_.nodes_of(e)) {
          const auto slot = static_cast<size_t>(s);
          x[slot] += scale * (y[slot] - start[slot]);
          y[slot] = start[slot];
        }
      }
    }
  }
  int most_tets_at_a_node() const {
    std::vector<int> tets(model_.mass.size(), 0);
    int most = 0;
    for (size_t e = 0; e < model_.tets.size(); ++e)
      for (const int32_t s : model_.nodes_of(static_cast<int32_t>(e)))
        most = std::max(most, ++tets[static_cast<size_t>(s)]);
    return most;
  }

 private:
  using Multipliers = std::array<double, 25>;

  // A tet at a point, or whole: the gradients of its nodes.
  struct Place {
    ElementNodes nodes;
    Vec3d g[most_nodes];
    double weight;  // [m^3]
  };
  Mat3d deformation_gradient(const Place& at, const std::vector<Vec3d>& x) const {
    Mat3d f{};
    for (size_t n = 0; n < at.nodes.size(); ++n) f = f + outer(x[static_cast<size_t>(at.nodes[n])], at.g[n]);
    return f;
  }
  std::vector<Place> places_of(int32_t e) const {
    const ElementShape shape(model_.tets[static_cast<size_t>(e)], model_.rest, model_.stiffness_factor_of(e));
    std::vector<Place> places;
    const bool quadratic = model_.is_quadratic(e);
    for (int q = 0; q < (quadratic ? points : 1); ++q) {
      Place place{model_.nodes_of(e), {}, quadratic ? shape.volume / points : shape.volume};
      if (quadratic) {
        node_gradients(shape.gradient, q, place.g);
      } else {
        std::copy(shape.gradient, shape.gradient + 4, place.g);
      }
      places.push_back(place);
    }
    return places;
  }

  void visit(const ElasticBlock& block, int32_t e, std::vector<Vec3d>& x) {
    const std::vector<Place> places = places_of(e);
    const PointMaterial at_points = PointMaterial::of(block);
    Multipliers& l = multipliers_[static_cast<size_t>(e)];
    visit_material(block.material.kind, [&]<template <class> class M>() {
      const auto material = coefficients_of<M>(at_points.material);
      for (size_t q = 0; q < places.size(); ++q) {
        const Place& place = places[q];
        if constexpr (has_strain_constraint<M>) {
          project_strain(place, at_points.material.lame, &l[6 * q], x);
        } else {
          for_each_index<0, M<double>::constraint_count>([&](auto k) {
            const Constraint<double> c = material.template constraint<k>(deformation_gradient(place, x));
            std::array<Vec3d, most_nodes> g;
            for (size_t n = 0; n < place.nodes.size(); ++n) g[n] = c.gradient * place.g[n];
            project(place.nodes, g, c.value, c.stiffness * place.weight,
                    l[M<double>::constraint_count * q + static_cast<size_t>(k)], x);
          });
        }
      }
    });
    if (!block.quadratic() || !(at_points.mean_lambda > 0)) return;
    double mean = 0, volume = 0;
    std::array<Vec3d, most_nodes> g{};
    for (const Place& place : places) {
      const Mat3d f = deformation_gradient(place, x);
      mean += determinant(f) / points;
      volume += place.weight;
      for (size_t n = 0; n < most_nodes; ++n) g[n] += (1.0 / points) * (cofactor(f) * place.g[n]);
    }
    project(places[0].nodes, g, mean - 1, at_points.mean_lambda * volume, l.back(), x);
  }
  void project(const ElementNodes& nodes, const std::array<Vec3d, most_nodes>& g, double value, double stiffness,
               double& multiplier, std::vector<Vec3d>& x) const {
    const double compliance = 1 / (stiffness * problem_.h * problem_.h);
    double sum = compliance;
    for (size_t n = 0; n < nodes.size(); ++n) sum += inverse_mass(nodes[n]) * dot(g[n], g[n]);
    const double change = (-value - compliance * multiplier) / sum;
    multiplier += change;
    for (size_t n = 0; n < nodes.size(); ++n)
      x[static_cast<size_t>(nodes[n])] += (inverse_mass(nodes[n]) * change) * g[n];
  }
  // As ReferenceXpbd (reference_sweeps.h), of any number of nodes and in the axes and the order of the code.
  void project_strain(const Place& place, const Lame& lame, double* lambda, std::vector<Vec3d>& x) const {
    constexpr int row[6] = {0, 0, 0, 1, 1, 2}, column[6] = {0, 1, 2, 1, 2, 2};
    const Mat3d f = deformation_gradient(place, x);
    const Vec3d columns[3] = {f.c0, f.c1, f.c2};
    const auto component = [](Vec3d v, int k) { return k == 0 ? v.x : k == 1 ? v.y : v.z; };
    const double share = lame.lambda / (3 * lame.lambda + 2 * lame.mu);
    const double s = place.weight * problem_.h * problem_.h;
    double a[6][7] = {};  // the system with its right-hand side
    std::array<Vec3d, most_nodes> j[6];
    for (int k = 0; k < 6; ++k) {
      const int p = row[k], q = column[k];
      const double half = p == q ? 0.5 : 1;
      for (size_t v = 0; v < place.nodes.size(); ++v)
        j[k][v] = half * (component(place.g[v], p) * columns[q] + component(place.g[v], q) * columns[p]);
      for (int l = 0; l < 6; ++l) {
        const bool normal = row[k] == column[k] && row[l] == column[l];
        double compliance = k == l ? (normal ? 1 / (2 * lame.mu) : 1 / lame.mu) : 0;
        if (normal) compliance -= share / (2 * lame.mu);
        a[k][l] = compliance / s;
        a[k][6] -= compliance / s * lambda[l];
      }
      a[k][6] -= half * (dot(columns[p], columns[q]) - (p == q));
    }
    for (int k = 0; k < 6; ++k)
      for (int l = 0; l < 6; ++l)
        for (size_t v = 0; v < place.nodes.size(); ++v) a[k][l] += inverse_mass(place.nodes[v]) * dot(j[k][v], j[l][v]);
    for (int k = 0; k < 6; ++k) {
      for (int i = 0; i < 6; ++i) {
        const double ratio = i == k ? 0 : a[i][k] / a[k][k];
        for (int l = k; l < 7; ++l) a[i][l] -= ratio * a[k][l];
      }
    }
    for (int k = 0; k < 6; ++k) {
      const double change = a[k][6] / a[k][k];
      lambda[k] += change;
      for (size_t v = 0; v < place.nodes.size(); ++v)
        x[static_cast<size_t>(place.nodes[v])] += (inverse_mass(place.nodes[v]) * change) * j[k][v];
    }
  }
  double inverse_mass(int32_t s) const {
    return problem_.held[static_cast<size_t>(s)] ? 0 : 1 / model_.mass[static_cast<size_t>(s)];
  }

  const StepProblem& problem_;
  const Model& model_;
  Coloring coloring_;
  std::vector<Multipliers> multipliers_;
};

class QuadraticXpbdOf : public testing::TestWithParam<MaterialKind> {};

struct MixedCase : SweepCase {
  explicit MixedCase(const Body& mixed) : SweepCase(mixed, time_step, 0.02) {
    for (int32_t s = 0; s < model.slot_count(); ++s) {
      const auto slot = static_cast<size_t>(s);
      // XPBD starts at the inertial target, which is shaken.
      if (!problem.held[slot]) problem.x_target[slot] = problem.x_start[slot];
    }
  }
};

TEST_P(QuadraticXpbdOf, IsTheDefinition) {
  const std::vector<MaterialKind> seconds = xpbd_materials();
  for (size_t second = 0; second <= seconds.size(); ++second) {
    Body body = mixed_body(GetParam(), seconds[second % seconds.size()]);
    Random random(5);
    if (second == seconds.size()) support::vary_stiffness(body, random);
    MixedCase c(body);
    for (const int iterations : {1, 30}) {
      ReferenceQuadraticXpbd reference(c.problem);
      std::vector<Vec3d> expected = c.problem.x_start;
      for (int k = 0; k < iterations; ++k) reference.sweep(expected);
      for (const int precision : {double_precision, single_precision}) {
        for (const int lanes : lane_counts()) {
          const auto xpbd = make_xpbd({.precision = precision}, {.lanes = lanes});
          const std::vector<Vec3d> x = iterated(*xpbd, c.problem, c.pool, iterations);
          EXPECT_LT(largest_difference(c.model, x, expected), precision == double_precision ? 1e-11 : 1e-4)
              << iterations << " iterations, " << lanes << " lanes, " << precision_names[precision];
        }
      }
    }
  }
}

TEST_P(QuadraticXpbdOf, AtOnceIsTheDefinition) {
  MixedCase c(mixed_body(GetParam(), GetParam()));
  ReferenceQuadraticXpbd reference(c.problem);
  const double scale = 2.0 / reference.most_tets_at_a_node();
  std::vector<Vec3d> expected = c.problem.x_start;
  for (int k = 0; k < 10; ++k) reference.sweep_at_once(expected, scale);
  for (const int lanes : lane_counts()) {
    const auto xpbd = make_xpbd({.precision = double_precision}, {.order = order_jacobi, .lanes = lanes});
    EXPECT_LT(largest_difference(c.model, iterated(*xpbd, c.problem, c.pool, 10), expected), 1e-11) << lanes;
  }
}

TEST_P(QuadraticXpbdOf, LanesAreTheScalarKernel) {
  MixedCase c(mixed_body(GetParam(), MaterialKind::NeoHookean));
  for (const int precision : {double_precision, single_precision}) {
    std::vector<Vec3d> expected;
    for (const int lanes : lane_counts()) {
      const auto xpbd = make_xpbd({.precision = precision}, {.lanes = lanes});
      const std::vector<Vec3d> x = iterated(*xpbd, c.problem, c.pool, 3);
      if (lanes == 1) expected = x;
      EXPECT_LE(largest_difference(c.model, x, expected), lane_error(precision, 1000)) << lanes;
    }
  }
}

// Where C + a~ l = 0, M (x - y) - sum l grad C is the force out of balance that the objective finds: the constraints
// are the objective's energy. And l grad C follows l.
TEST_P(QuadraticXpbdOf, ConstraintsAreTheEnergyOfTheStep) {
  for (const double poisson_ratio : {0.3, 0.45}) {
    const Body body = quadratic_body_of(box({2, 1, 1}, {1, 0.5, 0.5}), GetParam(), 1000, poisson_ratio);
    for (const int lanes : lane_counts()) {
      MixedCase c(body);
      const auto xpbd = make_xpbd({.precision = double_precision}, {.lanes = lanes});
      const std::vector<Vec3d> x = iterated(*xpbd, c.problem, c.pool, 3000);
      const auto residuals = xpbd->constraint_residuals();
      ASSERT_TRUE(residuals);
      EXPECT_LT(residuals->secondary, 1e-9);
      const double residual = Objective(c.problem, c.pool).evaluate(x).residual;
      EXPECT_GT(residual, 1e-3);
      EXPECT_NEAR(residuals->primary, residual, 1e-5 * residual);

      xpbd->follow_multipliers();
      std::vector<Vec3d> followed(x.size());
      xpbd->positions(followed);
      double squares = 0;
      for (size_t s = 0; s < x.size(); ++s) {
        const Vec3d g = c.model.mass[s] * (x[s] - followed[s]);
        if (!c.problem.held[s]) squares += dot(g, g);
      }
      EXPECT_NEAR(std::sqrt(squares) / (time_step * time_step), residuals->primary, 1e-8 * residual);
    }
  }
}

// Springs have multipliers of their own beside those of the tets.
TEST(QuadraticXpbd, SolvesSpringsAndTetsTogether) {
  Body body = quadratic_body_of(box({2, 1, 1}, {1, 0.5, 0.5}), MaterialKind::FixedCorotated, 1000, 0.45);
  const auto last = static_cast<int32_t>(body.mesh.vertices.size()) - 1;  // a middle
  body.ties.add_spring(0, last, 50, 0.3);
  body.ties.add_spring(2, last - 3, 20, 0.9);
  MixedCase c(body);
  const auto xpbd = make_xpbd({.precision = double_precision}, {});
  const std::vector<Vec3d> x = iterated(*xpbd, c.problem, c.pool, 3000);
  const auto residuals = xpbd->constraint_residuals();
  ASSERT_TRUE(residuals);
  EXPECT_LT(residuals->secondary, 1e-9);
  const double residual = Objective(c.problem, c.pool).evaluate(x).residual;
  EXPECT_NEAR(residuals->primary, residual, 1e-5 * residual);
}

INSTANTIATE_TEST_SUITE_P(All, QuadraticXpbdOf, testing::ValuesIn(xpbd_materials()),
                         [](const auto& test) { return std::string(traits_of(test.param).name); });

// XPBD is not Newton's solution of the step, but the shorter the step, the nearer: what is left of the way from the
// inertial target to the solution falls with h. Linear tets with as many nodes leave .33, .10 and .03 at nu = .3.
TEST(QuadraticXpbd, NearsNewtonsSolutionAsStepsShorten) {
  for (const double poisson_ratio : {0.3, 0.45}) {
    double before = 4;
    for (const double h : {0.005, 0.0025, 0.00125}) {
      const auto stretched = [&](const Method& how) {
        Method method = how;
        method.h = h;
        method.solve.precision = double_precision;
        auto trial = std::make_unique<Trial>(
            quadratic_body_of(box({2, 1, 1}, {0.4, 0.2, 0.2}), MaterialKind::NeoHookean, 1000, poisson_ratio), method);
        trial->hold(on_left);
        for (Vec3d& p : trial->state.x) p.x *= 1.2;
        trial->step();
        return trial;
      };
      const auto xpbd = stretched({.kind = Method::xpbd, .solve = {.iterations = 2000}});
      const auto newton = stretched({.kind = Method::newton, .solve = {.iterations = 50}});
      double error = 0, way = 0;
      for (size_t s = 0; s < xpbd->state.x.size(); ++s) {
        error = std::max(error, size(xpbd->state.x[s] - newton->state.x[s]));
        way = std::max(way, size(xpbd->stepper->problem().x_target[s] - newton->state.x[s]));
      }
      EXPECT_LT(error, 0.4 * before * way) << h;
      before = error / way;
    }
    EXPECT_LT(before, 0.1);
  }
}

TEST(QuadraticXpbd, ConservesLinearMomentumAndHoldsWhatIsHeld) {
  Method m{.kind = Method::xpbd};
  m.solve.iterations = 2;
  Trial free(quadratic_body_of(box({3, 2, 1}), MaterialKind::NeoHookean, 1e5, 0.49), m);
  Random random(6);
  free.state.x = shaken(free.model.rest, 0.05, random);
  for (Vec3d& v : free.state.v) v = {1, 2, 3};
  const auto centre = [&] {
    Vec3d sum{};
    double mass = 0;
    for (size_t s = 0; s < free.state.x.size(); ++s) {
      sum += free.model.mass[s] * free.state.x[s];
      mass += free.model.mass[s];
    }
    return (1 / mass) * sum;
  };
  const Vec3d start = centre();
  for (int step = 1; step <= 5; ++step) free.step();
  // x + n h v + g h^2 n (n + 1) / 2
  EXPECT_LT(size(centre() - (start + Vec3d{0.05, 0.1 - 9.8 * 1e-4 * 15, 0.15})), 1e-12);

  Trial held(quadratic_body_of(box({3, 2, 2})), m);
  held.hold(on_left);
  for (int step = 0; step < 5; ++step) held.step();
  const std::vector<Vec3d> x = held.positions(), rest = held.model.order.to_user(held.model.rest);
  double moved = 0;
  for (size_t v = 0; v < x.size(); ++v) {
    if (on_left(rest[v])) {
      EXPECT_EQ(size(x[v] - rest[v]), 0);
    }
    moved = std::max(moved, size(x[v] - rest[v]));
  }
  EXPECT_GT(moved, 1e-3);
}

TEST(QuadraticXpbdSameBits, ForAnyNumberOfThreads) {
  for (const int precision : {double_precision, single_precision}) {
    for (const MaterialKind material : {MaterialKind::NeoHookean, MaterialKind::FixedCorotated, MaterialKind::Stvk}) {
      for (const bool chebyshev : {false, true}) {
        uint64_t expected = 0;
        for (const int threads : {1, 2, 4}) {
          Method m{.kind = Method::xpbd};
          m.solve.precision = precision;
          m.solve.iterations = 5;
          m.threads = threads;
          if (chebyshev) m.chebyshev = ChebyshevOptions{};
          Trial trial(quadratic_body_of(box({16, 9, 9}, {1, 0.55, 0.55}), material, 1000, 0.45), m);
          // Colours that threads share.
          ASSERT_GE(static_cast<int64_t>(trial.model.tets.size()),
                    least_shared / 2 * coloring_of_tets(trial.model).count);
          trial.hold(on_left);
          for (int step = 0; step < 2; ++step) trial.step();
          if (threads == 1) expected = trial.hash();
          EXPECT_EQ(trial.hash(), expected) << threads << " threads, " << precision_names[precision];
        }
      }
    }
  }
}

// A second of a beam that is thrown and turning, or begins flattened or twisted. With constraints that vanish at rest
// it ends without an inverted point; those of Neo-Hookean turn bodies inside out, linear ones too, and all remains
// finite.
TEST(QuadraticXpbd, RecoversFromFlattenedAndTwistedStates) {
  enum Start { thrown, flattened, twisted };
  for (const MaterialKind material : {MaterialKind::FixedCorotated, MaterialKind::NeoHookean}) {
    for (const double poisson_ratio : {0.3, 0.499}) {
      for (const double youngs_modulus : {1e3, 1e6}) {
        for (const Start start : {thrown, flattened, twisted}) {
          Method m{.kind = Method::xpbd, .solve = {.iterations = 20, .precision = single_precision}, .h = 1.0 / 60};
          Trial trial(quadratic_body_of(box({4, 1, 1}, {0.8, 0.2, 0.2}), material, youngs_modulus, poisson_ratio), m);
          if (start != thrown) trial.hold(on_left);
          for (size_t s = 0; s < trial.state.x.size(); ++s) {
            const Vec3d rest = trial.model.rest[s];
            if (start == thrown) trial.state.v[s] = {3 * (rest.y - 0.1), 0, 0};
            if (start == thrown || on_left(rest)) continue;
            const double angle = 4 * rest.x, y = rest.y - 0.1, z = rest.z - 0.1;
            trial.state.x[s] = start == flattened ? Vec3d{rest.x, 0.01 * rest.y, rest.z}
                                                  : Vec3d{rest.x, 0.1 + std::cos(angle) * y - std::sin(angle) * z,
                                                          0.1 + std::sin(angle) * y + std::cos(angle) * z};
          }
          for (int step = 0; step < 60; ++step) trial.step();
          double largest = 0;
          for (size_t s = 0; s < trial.state.x.size(); ++s) {
            if (trial.model.mass[s] == 0) continue;
            const double distance = size(trial.state.x[s] - trial.model.rest[s]);
            ASSERT_TRUE(std::isfinite(distance));
            largest = std::max(largest, distance);
          }
          EXPECT_LT(largest, 7) << poisson_ratio << ' ' << youngs_modulus << ' ' << start;  // a free fall is 5.1 m
          if (material == MaterialKind::FixedCorotated) {
            EXPECT_EQ(trial.evaluate().inverted, 0) << poisson_ratio << ' ' << youngs_modulus << ' ' << start;
          }
        }
      }
    }
  }
}

TEST(QuadraticXpbd, ChecksWhoTakesTheElement) {
  const Model model = quadratic_body_of(support::one_tet()).compile();
  EXPECT_TRUE(check_solver(*find_solver("xpbd"), model, false).ok());
  EXPECT_TRUE(check_solver(*find_solver("xpbd_qs"), model, true).ok());
  for (const char* name : {"b_pxpbd", "pbd", "xpbd_primary", "fp_pxpbd"}) {
    const Status status = check_solver(*find_solver(name), model, false);
    ASSERT_FALSE(status.ok()) << name;
    EXPECT_NE(status.error().message().find("quadratic"), std::string::npos) << status.error().message();
  }
  const Model smooth = quadratic_body_of(support::one_tet(), MaterialKind::StableNeoHookean).compile();
  const Status status = check_solver(*find_solver("xpbd"), smooth, false);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().message().find("constraint"), std::string::npos) << status.error().message();
}

// In pseudo-time a beam comes to rest beyond its equilibrium, by as much as one of linear tets does.
TEST(QuadraticXpbd, ComesToRestInPseudoTimeWhereLinearTetsDo) {
  const auto sag = [](TetMesh mesh, const Method& method) {
    Trial trial(body_of(std::move(mesh), MaterialKind::FixedCorotated, 1e5), method);
    trial.hold(on_left);
    trial.step();
    double lowest = 0;
    for (size_t s = 0; s < trial.state.x.size(); ++s)
      lowest = std::min(lowest, trial.state.x[s].y - trial.model.rest[s].y);
    return -lowest;
  };
  const Method newton{.kind = Method::newton, .solve = {.iterations = 50}, .quasistatic = true};
  const Method xpbd{.solve = {.iterations = 3000, .precision = double_precision},
                    .quasistatic = true,
                    .make = [](const SolveOptions& common) {
                      return make_xpbd_qs(common, {.pseudo_step = 0.01, .local_iterations = 100});
                    }};
  TetMesh coarse = box({4, 1, 1}, {0.8, 0.2, 0.2});
  add_middles(coarse);
  const TetMesh fine = box({8, 2, 2}, {0.8, 0.2, 0.2});
  const double quadratic = sag(coarse, xpbd) / sag(coarse, newton), linear = sag(fine, xpbd) / sag(fine, newton);
  EXPECT_GT(linear, 1.2);
  EXPECT_NEAR(quadratic, linear, 0.05);
}

}  // namespace
}  // namespace sinew
