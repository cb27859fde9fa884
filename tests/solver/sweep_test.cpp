// Source: MATH.md section 10.1 (one sweep of VBD) and 5.2 (one projection of XPBD), written out here in double
// precision from stress and stress differential, tet by tet; section 20.16 for threads; and the promise that lanes are
// the scalar.
#include "solver/sweep.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>
#include <vector>

#include "mesh/coloring.h"
#include "sinew/lanes.h"
#include "solver/sweep_solver.h"
#include "solver/vbd.h"
#include "solver/xpbd.h"
#include "support/body.h"
#include "support/rest_tet.h"
#include "support/sweep_case.h"

namespace sinew {
namespace {

using support::assorted_body;
using support::Body;
using support::body_of;
using support::box;
using Case = support::SweepCase;
using support::every_material;
using support::iterated;
using support::lane_counts;
using support::lane_error;
using support::largest_difference;
using support::problem_of;
using support::Random;
using support::RestTet;
using support::shaken;
using support::size;
using support::time_step;

Vec3d solve(Mat3d a, Vec3d b) {
  const double det = determinant(a), norm = size(a);
  if (std::abs(det) <= 1e-12 * norm * norm * norm) return {};
  return (1 / det) * (transpose(cofactor(a)) * b);
}

// Colour by colour, vertex by vertex; vertices of one colour share no tet, so their order does not matter.
class ReferenceVbd {
 public:
  explicit ReferenceVbd(const StepProblem& problem) : problem_(problem), model_(*problem.model) {
    for (const ElasticBlock& block : model_.blocks) {
      for (int32_t e = block.first_tet; e < block.last_tet; ++e) {
        tets_.emplace_back(model_, static_cast<size_t>(e));
        block_of_.push_back(&block);
      }
    }
    at_.resize(model_.mass.size());
    for (size_t e = 0; e < tets_.size(); ++e) {
      for (int k = 0; k < 4; ++k) at_[tets_[e].slots[k]].push_back({e, k});
    }
  }

  void sweep(std::vector<Vec3d>& x) const {
    for (int32_t s = 0; s < model_.slot_count(); ++s) {
      if (!problem_.held[s]) x[s] += step(x, s);
    }
  }

 private:
  struct Corner {
    size_t tet;
    int corner;
  };

  Vec3d step(const std::vector<Vec3d>& x, int32_t s) const {
    const double inertia = model_.mass[s] * problem_.inverse_h2();
    Vec3d force = problem_.quasistatic ? model_.external_force(s) : inertia * (problem_.x_target[s] - x[s]);
    Mat3d stiffness = diagonal(inertia, inertia, inertia);
    for (const auto& [e, corner] : at_[s]) {
      const RestTet& tet = tets_[e];
      const ElasticBlock& block = *block_of_[e];
      const Vec3d g = tet.g[corner];
      const Mat3d f = tet.deformation_gradient(x);
      visit_material(block.material, [&]<template <class> class M>() {
        const auto material = M<double>::from_lame(block.lame.mu, block.lame.lambda);
        // Moving the vertex by e_a changes F by e_a g^T.
        const auto column = [&](Vec3d e_a) {
          return tet.volume * (material.stress_differential(f, outer(e_a, g)) * g);
        };
        const Mat3d k{column({1, 0, 0}), column({0, 1, 0}), column({0, 0, 1})};
        force -= tet.volume * (material.stress(f) * g);
        stiffness = stiffness + k;
        if (block.damping > 0 && !problem_.quasistatic) {
          const double rate = block.damping / problem_.h;
          stiffness = stiffness + rate * k;
          if (model_.damping_form == DampingForm::element) {
            const Mat3d df = f - tet.deformation_gradient(problem_.x_prev);
            force -= (rate * tet.volume) * (material.stress_differential(f, df) * g);
          } else {
            force -= rate * (k * (x[s] - problem_.x_prev[s]));
          }
        }
      });
    }
    return solve(stiffness, force);
  }

  const StepProblem& problem_;
  const Model& model_;
  std::vector<RestTet> tets_;
  std::vector<const ElasticBlock*> block_of_;
  std::vector<std::vector<Corner>> at_;
};

// Blocks in turn, colours in turn, tets in turn, constraints in turn; or with as many colours as tets, in the user's
// order.
enum class TetOrder { by_color, as_given };
class ReferenceXpbd {
 public:
  explicit ReferenceXpbd(const StepProblem& problem, TetOrder order = TetOrder::by_color)
      : problem_(problem), model_(*problem.model) {
    std::vector<int32_t> visit(model_.tets.size());
    for (size_t e = 0; e < visit.size(); ++e) visit[model_.user_tet[e]] = static_cast<int32_t>(e);
    coloring_ = color_tets(model_.tets, model_.mass.size(), visit);
    if (order == TetOrder::as_given) coloring_ = {model_.user_tet, static_cast<int32_t>(model_.tets.size())};
    multipliers.resize(2 * model_.tets.size());
  }

  void sweep(std::vector<Vec3d>& x) {
    for (const ElasticBlock& block : model_.blocks) {
      for (int32_t c = 0; c < coloring_.count; ++c) {
        for (int32_t e = block.first_tet; e < block.last_tet; ++e) {
          if (coloring_.color[e] != c) continue;
          visit_material(block.material, [&]<template <class> class M>() {
            const auto material = M<double>::from_lame(block.lame.mu, block.lame.lambda);
            if constexpr (M<double>::constraint_count == 2) {
              const RestTet tet(model_, static_cast<size_t>(e));
              project(tet, material.template constraint<0>(tet.deformation_gradient(x)), multipliers[2 * e], x);
              project(tet, material.template constraint<1>(tet.deformation_gradient(x)), multipliers[2 * e + 1], x);
            }
          });
        }
      }
    }
  }

  // C + a~ l, the largest of all: 0 at convergence.
  double secondary_residual(const std::vector<Vec3d>& x, const std::vector<double>& lambda) const {
    double largest = 0;
    for (const ElasticBlock& block : model_.blocks) {
      for (int32_t e = block.first_tet; e < block.last_tet; ++e) {
        visit_material(block.material, [&]<template <class> class M>() {
          const auto material = M<double>::from_lame(block.lame.mu, block.lame.lambda);
          if constexpr (M<double>::constraint_count == 2) {
            const RestTet tet(model_, static_cast<size_t>(e));
            const Mat3d f = tet.deformation_gradient(x);
            const auto fault = [&](Constraint<double> c, double l) {
              return std::abs(c.value + l / (c.stiffness * tet.volume * problem_.h * problem_.h));
            };
            largest = std::max({largest, fault(material.template constraint<0>(f), lambda[2 * e]),
                                fault(material.template constraint<1>(f), lambda[2 * e + 1])});
          }
        });
      }
    }
    return largest;
  }
  const Coloring& coloring() const { return coloring_; }

  std::vector<double> multipliers;  // two per tet of the model

 private:
  // dl = (-C - a~ l) / (sum w |grad C|^2 + a~), l += dl, x += w grad C dl; a~ = 1 / (stiffness V h^2).
  void project(const RestTet& tet, const Constraint<double>& c, double& multiplier, std::vector<Vec3d>& x) const {
    const double compliance = 1 / (c.stiffness * tet.volume * problem_.h * problem_.h);
    double weight = compliance;
    for (int k = 0; k < 4; ++k)
      weight += inverse_mass(tet.slots[k]) * dot(c.gradient * tet.g[k], c.gradient * tet.g[k]);
    const double change = (-c.value - compliance * multiplier) / weight;
    multiplier += change;
    for (int k = 0; k < 4; ++k) x[tet.slots[k]] += (inverse_mass(tet.slots[k]) * change) * (c.gradient * tet.g[k]);
  }
  double inverse_mass(int32_t s) const { return problem_.held[s] ? 0 : 1 / model_.mass[s]; }

  const StepProblem& problem_;
  const Model& model_;
  Coloring coloring_;
};

// Equal up to round-off, on bodies of a few metres: after one sweep, and after a hundred, by when the iterations have
// converged and forgotten their errors. Single precision: 6e-8 of 5 m, and the forces' round-off over their stiffness;
// packed strips round the shear stiffness to 16 bits.
void expect_vbd_like_reference(Case& c, const std::string& what) {
  for (const int iterations : {1, 100}) {
    std::vector<Vec3d> expected = c.problem.x_start;
    const ReferenceVbd reference(c.problem);
    for (int k = 0; k < iterations; ++k) reference.sweep(expected);
    for (const int precision : {double_precision, single_precision}) {
      for (const int layout : {layout_auto, layout_frames, layout_links, layout_packed}) {
        for (const int lanes : lane_counts()) {
          const auto vbd = make_vbd({.precision = precision}, {.layout = layout, .lanes = lanes});
          const std::vector<Vec3d> x = iterated(*vbd, c.problem, c.pool, iterations);
          EXPECT_LT(largest_difference(c.model, x, expected), precision == double_precision ? 5e-12 : 5e-5)
              << what << ", " << iterations << " iterations, " << lanes << " lanes, layout "
              << vertex_layout_names[layout] << ", " << precision_names[precision];
          for (int32_t s = 0; s < c.model.slot_count(); ++s) {
            if (!c.problem.held[s] || precision == single_precision) continue;
            EXPECT_EQ(size(x[s] - c.problem.x_start[s]), 0) << "held vertices stay";
          }
        }
      }
    }
  }
}

class VertexSweepOf : public testing::TestWithParam<MaterialKind> {};

TEST_P(VertexSweepOf, IsTheDefinitionInTime) {
  for (const MaterialKind second : every_material()) {
    Case c(assorted_body(GetParam(), second), time_step);
    expect_vbd_like_reference(c, std::string("beside ") + traits_of(second).name);
  }
}

// Tets between any four of a few random points: faces of one, two or many tets, links of loose and of branching pieces,
// edges with one tet, vertices with none.
TetMesh random_soup(Random& random, int vertices, int tets) {
  constexpr double least_volume = 0.02;  // [m^3], of points in a cube of 2 m
  TetMesh mesh;
  for (int v = 0; v < vertices; ++v)
    mesh.vertices.push_back({random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)});
  for (int tries = 0; static_cast<int>(mesh.tets.size()) < tets && tries < 1000 * tets; ++tries) {
    Tet t;
    for (int32_t& corner : t) corner = random.below(vertices);
    const auto edge = [&](int k) { return mesh.vertices[t[k]] - mesh.vertices[t[0]]; };
    const double volume = dot(edge(1), cross(edge(2), edge(3))) / 6;
    if (std::abs(volume) < least_volume) continue;
    if (volume < 0) std::swap(t[2], t[3]);
    mesh.tets.push_back(t);
  }
  return mesh;
}

TEST_P(VertexSweepOf, IsTheDefinitionOnRandomMeshes) {
  Random random(5);
  for (const auto& [vertices, tets] : {std::pair{4, 1}, {5, 2}, {6, 9}, {9, 30}, {13, 70}, {30, 20}}) {
    Body body = body_of(random_soup(random, vertices, tets), GetParam());
    for (const int32_t most : {0, 3}) {
      body.cluster_vertices = most;
      Case c(body, time_step);
      expect_vbd_like_reference(c, std::to_string(tets) + " random tets, clusters of " + std::to_string(most));
    }
  }
}

// Clusters change the order in which vertices are visited, which is that of the slots, and nothing else.
TEST_P(VertexSweepOf, IsTheDefinitionInClusters) {
  for (const int32_t most : {1, 7, 40}) {
    for (const double damping : {0.0, 0.02}) {
      Body body = assorted_body(GetParam(), MaterialKind::NeoHookean);
      body.cluster_vertices = most;
      body.blocks[0].damping = damping;
      Case c(body, time_step);
      EXPECT_GT(c.model.clusters.count(), 1);
      expect_vbd_like_reference(c, "clusters of " + std::to_string(most) + ", damping " + std::to_string(damping));
    }
  }
}

TEST_P(VertexSweepOf, IsTheDefinitionWithDamping) {
  for (const DampingForm form : {DampingForm::element, DampingForm::own_block}) {
    Body body = assorted_body(GetParam(), MaterialKind::NeoHookean);
    body.blocks[0].damping = 0.02;
    body.damping_form = form;
    Case c(body, time_step);
    expect_vbd_like_reference(c, form == DampingForm::element ? "element" : "own block");
  }
}

// Every layout, damped and not, on the whole mesh and in clusters; what is asked to be packed becomes links.
TEST_P(VertexSweepOf, IsTheDefinitionWithStiffnessFactors) {
  for (const auto& [damping, form, most] : {std::tuple{0.0, DampingForm::element, 0},
                                            {0.0, DampingForm::element, 7},
                                            {0.02, DampingForm::element, 0},
                                            {0.02, DampingForm::own_block, 0},
                                            {0.02, DampingForm::element, 7}}) {
    Body body = assorted_body(GetParam(), MaterialKind::NeoHookean);
    body.blocks[0].damping = damping;
    body.damping_form = form;
    body.cluster_vertices = most;
    Random random(5);
    support::vary_stiffness(body, random);
    Case c(body, time_step);
    expect_vbd_like_reference(c, "damping " + std::to_string(damping) + ", clusters of " + std::to_string(most));
  }
}

// Without inertia, from a state near rest: the first sweep. Materials that are not positive definite far from it could
// run away in hundred.
TEST_P(VertexSweepOf, IsTheDefinitionInQuasistatics) {
  Case c(body_of(box({4, 3, 2}, {2, 1.5, 1}), GetParam()), 0, 0.02);
  std::vector<Vec3d> expected = c.problem.x_start;
  const ReferenceVbd reference(c.problem);
  for (int k = 0; k < 20; ++k) reference.sweep(expected);
  for (const int layout : {layout_auto, layout_frames}) {
    const auto vbd = make_vbd({.precision = double_precision}, {.layout = layout});
    EXPECT_LT(largest_difference(c.model, iterated(*vbd, c.problem, c.pool, 20), expected), 1e-11);
  }
}

// The smallest meshes: one tet; also held by one vertex, where no force is on the others.
TEST_P(VertexSweepOf, IsTheDefinitionOnOneTet) {
  Case c(body_of(support::one_tet(), GetParam()), time_step);
  expect_vbd_like_reference(c, "one tet");
  TetMesh with_strangers = support::one_tet();
  with_strangers.vertices.insert(with_strangers.vertices.begin(), 40, Vec3d{5, 5, 5});
  for (int32_t& v : with_strangers.tets[0]) v += 40;
  Case d(body_of(with_strangers, GetParam()), time_step);
  expect_vbd_like_reference(d, "among vertices without tets");
}

TEST_P(VertexSweepOf, SameBitsForEveryLaneWidth) {
  for (const double h : {0.0, time_step}) {
    for (const double damping : {0.0, 0.02}) {
      for (const bool line_search : {false, true}) {
        Body body = assorted_body(GetParam(), MaterialKind::NeoHookean);
        body.blocks[0].damping = damping;
        body.cluster_vertices = damping > 0 ? 9 : 0;
        Case c(body, h, 0.05);
        for (const int precision : {double_precision, single_precision}) {
          std::vector<Vec3d> expected;
          for (const int lanes : lane_counts()) {
            const auto vbd = make_vbd({.precision = precision}, {.line_search = line_search, .lanes = lanes});
            const std::vector<Vec3d> x = iterated(*vbd, c.problem, c.pool, 1);
            if (lanes == 1) expected = x;
            // A line search may take another step where two energies are equal but for round-off.
            if (line_search && lane_error(precision, 1) > 0) continue;
            // Positions of up to 8 m, and a solve that may lose two digits.
            EXPECT_LE(largest_difference(c.model, x, expected), lane_error(precision, 800))
                << lanes << " lanes, h " << h << ", damping " << damping << ", " << precision_names[precision];
          }
        }
      }
    }
  }
}

// Packed entries round the shear stiffness: over a hundred iterations no curve shows it.
TEST(PackedStrips, HaveTheResidualCurveOfStripsInFull) {
  for (const TetMesh& mesh : {make_ball({.shells = 9}).value(), box({12, 9, 9}, {1, 0.75, 0.75}, TetSplit::six)}) {
    Body body = body_of(mesh, MaterialKind::NeoHookean, 1e4, 0.45);
    body.cluster_vertices = 300;
    const Model model = body.compile();
    Random random(3);
    const StepProblem problem = problem_of(model, shaken(model.rest, 0.01, random), 0.01);
    ThreadPool pool(1);
    const Objective objective(problem, pool);
    std::vector<double> curve[2];
    for (const int layout : {layout_links, layout_packed}) {
      const auto vbd = make_vbd({}, {.layout = layout});
      vbd->prepare(model, pool);
      vbd->begin_step(objective);
      std::vector<Vec3d> x(model.rest.size());
      for (int k = 0; k <= 100; ++k) {
        vbd->positions(x);
        curve[layout == layout_packed].push_back(objective.evaluate(x).residual);
        vbd->iterate();
      }
    }
    for (int k = 0; k <= 100; ++k) EXPECT_NEAR(curve[1][k], curve[0][k], 0.01 * curve[0][k]) << k;
    EXPECT_LT(curve[0][100], 0.05 * curve[0][0]) << "it is a curve";
  }
}

INSTANTIATE_TEST_SUITE_P(All, VertexSweepOf, testing::ValuesIn(every_material()),
                         [](const auto& test) { return std::string(traits_of(test.param).name); });

std::vector<MaterialKind> constraint_materials() {
  std::vector<MaterialKind> kinds;
  for (const MaterialKind kind : every_material()) {
    if (traits_of(kind).constraint_count > 0) kinds.push_back(kind);
  }
  return kinds;
}

class ConstraintSweepOf : public testing::TestWithParam<MaterialKind> {};

// The materials beside each other, then one of them with stiffness factors.
TEST_P(ConstraintSweepOf, IsTheDefinition) {
  const std::vector<MaterialKind> seconds = constraint_materials();
  for (size_t second = 0; second <= seconds.size(); ++second) {
    Body body = assorted_body(GetParam(), seconds[second % seconds.size()]);
    Random random(5);
    if (second == seconds.size()) support::vary_stiffness(body, random);
    Case c(body, time_step, 0.05);
    // XPBD starts at the inertial target: a shaken one.
    for (int32_t s = 0; s < c.model.slot_count(); ++s) {
      if (!c.problem.held[s]) c.problem.x_target[s] = c.problem.x_start[s];
    }
    for (const int iterations : {1, 100}) {
      ReferenceXpbd reference(c.problem);
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

// The scalar kernel keeps two multipliers per tet, colour by colour. At convergence C + a~ l = 0 (MATH 20.6), while the
// forces are not in balance.
TEST_P(ConstraintSweepOf, MultipliersAreThoseOfTheDefinitionAndSolveTheConstraints) {
  Case c(body_of(box({3, 2, 2}, {1.5, 1, 1}), GetParam()), time_step, 0.05);
  c.problem.x_target = c.problem.x_start;
  for (const int iterations : {1, 3000}) {
    ReferenceXpbd reference(c.problem);
    std::vector<Vec3d> expected = c.problem.x_start;
    for (int k = 0; k < iterations; ++k) reference.sweep(expected);
    const auto xpbd = make_xpbd({.precision = double_precision}, {.lanes = 1});
    const std::vector<Vec3d> x = iterated(*xpbd, c.problem, c.pool, iterations);
    const Buffer<double>& kept = std::get<Iterate<double>*>(xpbd->iterate_ref())->multipliers;
    ASSERT_EQ(kept.size(), reference.multipliers.size());
    std::vector<double> multipliers(kept.size());
    size_t at = 0;
    for (int32_t color = 0; color < reference.coloring().count; ++color) {
      for (size_t e = 0; e < c.model.tets.size(); ++e) {
        if (reference.coloring().color[e] != color) continue;
        multipliers[2 * e] = kept[at++];
        multipliers[2 * e + 1] = kept[at++];
      }
    }
    double largest = 0, difference = 0;
    for (size_t k = 0; k < kept.size(); ++k) {
      largest = std::max(largest, std::abs(reference.multipliers[k]));
      difference = std::max(difference, std::abs(multipliers[k] - reference.multipliers[k]));
    }
    EXPECT_GT(largest, 0);
    EXPECT_LT(difference, 1e-10 * largest);
    const double fault = reference.secondary_residual(x, multipliers);
    EXPECT_EQ(fault<1e-10, iterations> 1) << fault;
  }
}

// check_solvers.py, 'bpx': tets in their own order, residual of the step after 1, 5, 20, 50 and 100 iterations.
TEST(ConstraintSweep, StagnatesWithTheNumbersOfTheReference) {
  const Body body = body_of(box({4, 2, 2}, {0.4, 0.2, 0.2}), MaterialKind::FixedCorotated);
  const Model model = body.compile();
  std::vector<Vec3d> stretched = model.rest;
  for (Vec3d& p : stretched) p.x *= 1.2;
  StepProblem problem = problem_of(model, stretched, 0.01);
  for (int32_t s = 0; s < model.slot_count(); ++s) {
    if (model.rest[s].x > 1e-9 || model.order.is_padding(Slot{s})) continue;
    problem.held[s] = 1;
    problem.x_target[s] = problem.x_start[s];
  }
  ThreadPool pool(1);
  const Objective objective(problem, pool);
  ReferenceXpbd reference(problem, TetOrder::as_given);
  std::vector<Vec3d> x = problem.x_target;
  std::vector<double> residual;
  for (int k = 1; k <= 100; ++k) {
    reference.sweep(x);
    residual.push_back(objective.evaluate(x).residual);
  }
  // Printed with three digits.
  EXPECT_NEAR(residual[0], 2.63, 0.005);
  EXPECT_NEAR(residual[4], 1.33, 0.005);
  EXPECT_NEAR(residual[19], 1.35, 0.005);
  EXPECT_NEAR(residual[49], 1.35, 0.005);
  EXPECT_NEAR(residual[99], 1.35, 0.005);
}

// |F| = 0 and no gradient of J: 0 / 0, unless it is kept from that.
TEST(ConstraintSweep, LeavesATetCollapsedToAPointWhereItIs) {
  Case c(body_of(support::one_tet(), MaterialKind::NeoHookean), time_step);
  c.problem.held.assign(c.problem.held.size(), 0);
  c.problem.x_target.assign(c.problem.x_target.size(), Vec3d{1, 2, 3});
  for (const int precision : {double_precision, single_precision}) {
    for (const int lanes : lane_counts()) {
      const auto xpbd = make_xpbd({.precision = precision}, {.lanes = lanes});
      EXPECT_EQ(largest_difference(c.model, iterated(*xpbd, c.problem, c.pool, 3), c.problem.x_target), 0) << lanes;
    }
  }
}

TEST_P(ConstraintSweepOf, SameBitsForEveryLaneWidth) {
  Case c(assorted_body(GetParam(), MaterialKind::NeoHookean), time_step, 0.05);
  for (const int precision : {double_precision, single_precision}) {
    std::vector<Vec3d> expected;
    for (const int lanes : lane_counts()) {
      const auto xpbd = make_xpbd({.precision = precision}, {.lanes = lanes});
      const std::vector<Vec3d> x = iterated(*xpbd, c.problem, c.pool, 1);
      if (lanes == 1) expected = x;
      EXPECT_LE(largest_difference(c.model, x, expected), lane_error(precision, 2000)) << lanes;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, ConstraintSweepOf, testing::ValuesIn(constraint_materials()),
                         [](const auto& test) { return std::string(traits_of(test.param).name); });

TEST(Kernels, AreFoundByTheirWidth) {
  for (const int lanes : lane_counts()) EXPECT_EQ(kernels_with_lanes(lanes)->float_lanes, lanes);
  EXPECT_EQ(kernels_with_lanes(0)->float_lanes, lane_counts().back()) << "the widest";
  for (const int lanes : lane_counts()) {
    ASSERT_TRUE(set_lanes(lanes).ok());
    EXPECT_EQ(kernels_with_lanes(0), kernels_with_lanes(lanes)) << "those that were chosen";
  }
  ASSERT_TRUE(set_lanes(0).ok());
  for (const int lanes : {2, 3, 5, 32, -1}) EXPECT_EQ(kernels_with_lanes(lanes), nullptr);
  EXPECT_GE(lane_counts().size(), 2u) << "scalar and four lanes are everywhere";
}

// With all threads on one colour at a time, every batch is treated once, in the order of the colours.
TEST(Colors, AreSweptInOrderByAllThreads) {
  const std::vector<int32_t> begin{0, 5, 5, 12, 13};
  for (const int threads : {1, 2, 3}) {
    for (const bool parallel : {false, true}) {
      ThreadPool pool(threads);
      std::vector<int> visits(13);
      std::atomic<int> finished{0}, faults{0};
      for_each_color(pool, begin, parallel, [&](int32_t color, int64_t first, int64_t last) {
        faults += finished < begin[color];  // an earlier colour is not done
        for (int64_t b = first; b < last; ++b) ++visits[b];
        finished += static_cast<int>(last - first);
      });
      EXPECT_EQ(visits, std::vector<int>(13, 1));
      EXPECT_EQ(faults, 0);
    }
  }
}

}  // namespace
}  // namespace sinew
