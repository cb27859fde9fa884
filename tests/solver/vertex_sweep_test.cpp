// Source: Chen et al. 2024 (VBD), eqs. 5-11 (one sweep), written out in reference_sweeps.h; and the guarantee that all
// lane widths agree with the scalar kernel.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "solver/by_vertex/vbd.h"
#include "solver/reference_sweeps.h"
#include "solver/sweep_case.h"

namespace sinew {
namespace {

using support::every_material;

// Equal up to round-off, on bodies of a few metres: after one sweep, and after a hundred, when the iterations have
// converged and forgotten their errors. Single precision: 6e-8 of 5 m, and the forces' round-off over their stiffness;
// packed strips round the shear stiffness to 16 bits.
void expect_vbd_like_reference(SweepCase& c, const std::string& what) {
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
    SweepCase c(assorted_body(GetParam(), second), time_step);
    expect_vbd_like_reference(c, std::string("beside ") + traits_of(second).name);
  }
}

// Tets between any four of a few random points: faces of one, two or many tets, links of separate and of branching
// pieces, edges with one tet, vertices with none.
TetMesh random_soup(Random& random, int vertices, int tets) {
  constexpr double least_volume = 0.02;  // [m^3], for points in a cube of 2 m
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
      SweepCase c(body, time_step);
      expect_vbd_like_reference(c, std::to_string(tets) + " random tets, clusters of " + std::to_string(most));
    }
  }
}

// Clusters change only the order in which vertices are visited, which is that of the slots.
TEST_P(VertexSweepOf, IsTheDefinitionInClusters) {
  for (const int32_t most : {1, 7, 40}) {
    for (const double damping : {0.0, 0.02}) {
      Body body = assorted_body(GetParam(), MaterialKind::NeoHookean);
      body.cluster_vertices = most;
      body.blocks[0].damping = damping;
      SweepCase c(body, time_step);
      EXPECT_GT(c.model.clusters.count(), 1);
      expect_vbd_like_reference(c, "clusters of " + std::to_string(most) + ", damping " + std::to_string(damping));
    }
  }
}

TEST_P(VertexSweepOf, IsTheDefinitionWithDamping) {
  for (const DampingForm form : {DampingForm::strain_rate, DampingForm::own_block}) {
    Body body = assorted_body(GetParam(), MaterialKind::NeoHookean);
    body.blocks[0].damping = 0.02;
    body.damping_form = form;
    SweepCase c(body, time_step);
    expect_vbd_like_reference(c, form == DampingForm::strain_rate ? "strain rate" : "own block");
  }
}

// Every layout, damped and undamped, on the whole mesh and in clusters; a requested packed layout becomes links.
TEST_P(VertexSweepOf, IsTheDefinitionWithStiffnessFactors) {
  for (const auto& [damping, form, most] : {std::tuple{0.0, DampingForm::strain_rate, 0},
                                            {0.0, DampingForm::strain_rate, 7},
                                            {0.02, DampingForm::strain_rate, 0},
                                            {0.02, DampingForm::own_block, 0},
                                            {0.02, DampingForm::strain_rate, 7}}) {
    Body body = assorted_body(GetParam(), MaterialKind::NeoHookean);
    body.blocks[0].damping = damping;
    body.damping_form = form;
    body.cluster_vertices = most;
    Random random(5);
    support::vary_stiffness(body, random);
    SweepCase c(body, time_step);
    expect_vbd_like_reference(c, "damping " + std::to_string(damping) + ", clusters of " + std::to_string(most));
  }
}

// Without inertia, from a state near rest: one sweep. Materials that are not positive definite far from rest could
// diverge in a hundred.
TEST_P(VertexSweepOf, IsTheDefinitionInQuasistatics) {
  SweepCase c(body_of(box({4, 3, 2}, {2, 1.5, 1}), GetParam()), 0, 0.02);
  std::vector<Vec3d> expected = c.problem.x_start;
  const ReferenceVbd reference(c.problem);
  for (int k = 0; k < 20; ++k) reference.sweep(expected);
  for (const int layout : {layout_auto, layout_frames}) {
    const auto vbd = make_vbd({.precision = double_precision}, {.layout = layout});
    EXPECT_LT(largest_difference(c.model, iterated(*vbd, c.problem, c.pool, 20), expected), 1e-11);
  }
}

// The smallest meshes: one tet; also held by one vertex, when no force acts on the others.
TEST_P(VertexSweepOf, IsTheDefinitionOnOneTet) {
  SweepCase c(body_of(support::one_tet(), GetParam()), time_step);
  expect_vbd_like_reference(c, "one tet");
  TetMesh with_strangers = support::one_tet();
  with_strangers.vertices.insert(with_strangers.vertices.begin(), 40, Vec3d{5, 5, 5});
  for (int32_t& v : with_strangers.tets[0]) v += 40;
  SweepCase d(body_of(with_strangers, GetParam()), time_step);
  expect_vbd_like_reference(d, "among vertices without tets");
}

TEST_P(VertexSweepOf, SameBitsForEveryLaneWidth) {
  for (const double h : {0.0, time_step}) {
    for (const double damping : {0.0, 0.02}) {
      for (const bool line_search : {false, true}) {
        Body body = assorted_body(GetParam(), MaterialKind::NeoHookean);
        body.blocks[0].damping = damping;
        body.cluster_vertices = damping > 0 ? 9 : 0;
        SweepCase c(body, h, 0.05);
        for (const int precision : {double_precision, single_precision}) {
          std::vector<Vec3d> expected;
          for (const int lanes : lane_counts()) {
            const auto vbd = make_vbd({.precision = precision}, {.line_search = line_search, .lanes = lanes});
            const std::vector<Vec3d> x = iterated(*vbd, c.problem, c.pool, 1);
            if (lanes == 1) expected = x;
            // A line search may choose another step if two energies are equal up to round-off.
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

// Packed entries round the shear stiffness, which no residual curve over a hundred iterations shows.
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

}  // namespace
}  // namespace sinew
