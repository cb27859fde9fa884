// Source: the interfaces in model/ties.h, model.h and clusters.h for springs, weak constraints and point masses.
#include "model/ties.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "model/vertex_ties.h"
#include "support/tied.h"

namespace sinew {
namespace {

using support::Body;
using support::body_of;
using support::bound_boxes;
using support::box;
using support::chain;
using support::size;

TEST(Ties, MassesOfPointsAddToThoseOfTets) {
  Body body = body_of(box({2, 2, 2}));
  const std::vector<double> of_tets = body.compile().order.to_user(body.compile().mass);
  body.mesh.vertices.push_back({5, 5, 5});
  body.point_mass.assign(body.mesh.vertices.size(), 0.25);
  const Model model = body.compile();
  const std::vector<double> mass = model.order.to_user(model.mass);
  for (size_t v = 0; v < of_tets.size(); ++v) EXPECT_DOUBLE_EQ(mass[v], of_tets[v] + 0.25);
  EXPECT_DOUBLE_EQ(mass.back(), 0.25);
}

TEST(Ties, AreOfTheSameVerticesInSolverOrder) {
  const Body body = bound_boxes(2, 0.1, weak_constraint_law(10));
  const Model model = body.compile();
  ASSERT_EQ(model.ties.count(), 16);
  for (int32_t t = 0; t < model.ties.count(); ++t) {
    const Vec3d c = model.ties.vector(t, model.rest);
    EXPECT_NEAR(c.y, -0.1, 1e-14);
    EXPECT_LT(size(Vec3d{c.x, 0, c.z}), 1e-14);  // bilinear weights give the point above
  }
}

// For a triangle, C is F v / lambda_ofl under any F in the plane, and the energies sum to area times stress.
TEST(Ties, FibresOfTrianglesMeasureTheStretchAlongThem) {
  support::Random random(3);
  const TetMesh mesh = support::rectangle({3, 2}, {1.5, 1});
  const Vec3d along{0.6, 0.8, 0};
  Ties ties;
  double energy = 0;
  for (const Tet& t : mesh.tets) {
    ties.add_fibre(t, mesh.vertices, along, 40, 1.25, 0);
    energy += ties.laws.back().stiffness;
  }
  EXPECT_NEAR(energy, 40 * 1.5, 1e-12);
  Mat3d f = random.deformation(0.4);
  f.c0.z = f.c1.z = 0;
  std::vector<Vec3d> x;
  for (const Vec3d& p : mesh.vertices) x.push_back(f * p);
  for (int32_t t = 0; t < ties.count(); ++t) {
    EXPECT_LE(ties.end_count(t), 3);
    EXPECT_LT(size(ties.vector(t, x) - (1 / 1.25) * (f * along)), 1e-13);
  }
}

TEST(Ties, AChainHasTwoColors) {
  EXPECT_EQ(chain(19, 0.1, 1).compile().color_count, 2);
}

// Also for a tie of eight vertices between separate bodies; with single vertices and with clusters.
TEST(Ties, KeepTheirVerticesInDifferentColorsOrPhasesAndInSight) {
  for (const int32_t cluster_vertices : {0, 20}) {
    Body body = bound_boxes(3, 0.1, weak_constraint_law(10));
    const auto last = static_cast<int32_t>(body.mesh.vertices.size()) - 1;
    const std::vector<int32_t> eight{0, 1, 2, 3, last, last - 1, last - 2, last - 3};
    body.ties.add(weak_constraint_law(1), eight, std::vector<double>{1, 1, 1, 1, -1, -1, -1, -1});
    body.cluster_vertices = cluster_vertices;
    const Model model = body.compile();
    const Clusters& clusters = model.clusters;
    EXPECT_EQ(clusters.count() > 1, cluster_vertices > 0);
    const auto color = [&](int32_t slot) {
      return std::upper_bound(model.color_begin.begin(), model.color_begin.end(), slot) - model.color_begin.begin();
    };
    const auto phase = [&](int32_t cluster) {
      return std::upper_bound(clusters.phase_begin.begin(), clusters.phase_begin.end(), cluster) -
             clusters.phase_begin.begin();
    };
    for (int32_t t = 0; t < model.ties.count(); ++t) {
      for (const int32_t a : model.ties.vertices_of(t)) {
        for (const int32_t b : model.ties.vertices_of(t)) {
          if (a == b) continue;
          EXPECT_NE(color(a), color(b));
          const int32_t here = clusters.cluster_of(a), there = clusters.cluster_of(b);
          if (here == there) continue;
          EXPECT_NE(phase(here), phase(there));
          const std::span<const int32_t> halo = clusters.halo(here);
          EXPECT_TRUE(std::binary_search(halo.begin(), halo.end(), b));
        }
      }
    }
  }
}

TEST(Ties, WithoutAnyNothingIsKept) {
  const Model model = body_of(box({2, 2, 2})).compile();
  EXPECT_TRUE(model.ties.empty());
  EXPECT_EQ(model.ties.memory_bytes(), 0u);
}

// Every end of every tie is in the row of its kind and in the lane of its vertex, and nothing else is.
TEST(VertexTies, HaveEachEndInALaneOfItsVertex) {
  Body body = support::muscle({}, {3, 2, 2});
  const auto vertices = static_cast<int32_t>(body.mesh.vertices.size());
  for (int32_t v = 0; v + 7 < vertices; v += 3) body.ties.add_spring(v, v + 7, 10 + v, 0.1, v % 2);
  const int32_t ends[] = {0, 5, 9};
  const double weights[] = {1, -0.25, -0.75};
  body.ties.add(weak_constraint_law(4), ends, weights);
  const Model model = body.compile();

  for (const int lanes : {1, 4, 16}) {
    const VertexTies<double> ties = build_vertex_ties<double>(model, lanes);
    ASSERT_EQ(ties.rows.size(), 3u);
    std::multiset<std::vector<double>> expected, found;
    for (int32_t t = 0; t < model.ties.count(); ++t) {
      const auto slots = model.ties.vertices_of(t);
      const auto s = model.ties.weights_of(t);
      for (size_t own = 0; own < slots.size(); ++own) {
        std::vector<double> end{static_cast<double>(model.ties.laws[t].kind), static_cast<double>(slots[own])};
        for (size_t k = 0; k < slots.size(); ++k)
          if (k != own) end.insert(end.end(), {static_cast<double>(slots[k]), s[k]});
        for (const int n : used_tie_numbers(model.ties.laws[t].kind)) end.push_back(tie_numbers(model.ties.laws[t])[n]);
        expected.insert(end);
      }
    }
    for (const auto& rows : ties.rows) {
      const auto used = used_tie_numbers(rows.kind).size();
      for (size_t pack = 0; pack + 1 < rows.begin.size(); ++pack) {
        for (int64_t row = rows.begin[pack]; row < rows.begin[pack + 1]; ++row) {
          for (int lane = 0; lane < lanes; ++lane) {
            const auto at = [&](size_t count, size_t k) {
              return (static_cast<size_t>(row) * count + k) * static_cast<size_t>(lanes) + static_cast<size_t>(lane);
            };
            const auto others = static_cast<size_t>(rows.others);
            const size_t own = pack * static_cast<size_t>(lanes) + static_cast<size_t>(lane);
            std::vector<double> end{static_cast<double>(rows.kind), static_cast<double>(ties.own[own])};
            for (size_t k = 0; k < others; ++k)
              if (const double s = rows.weights[at(others, k)]; s != 0)
                end.insert(end.end(), {static_cast<double>(rows.corners[at(others, k)]), s});
            if (end.size() == 2) continue;  // an empty lane
            for (size_t n = 0; n < used; ++n) end.push_back(rows.numbers[at(used, n)]);
            found.insert(end);
          }
        }
      }
    }
    EXPECT_EQ(found, expected) << lanes;
    for (size_t place = 0; place < ties.own.size(); ++place)
      EXPECT_EQ(ties.place[ties.own[place]], static_cast<int32_t>(place)) << "of a model of one cluster";
  }
}

// g_j . v / lambda_ofl of a random tet gives C by its definition, for any deformation; a fibre along an edge has the
// two ends of that edge only.
TEST(Ties, AFibresVectorIsItsDirectionDeformed) {
  support::Random random(5);
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<Vec3d> rest;
    for (int k = 0; k < 4; ++k) rest.push_back(random.vector());
    if (dot(cross(rest[1] - rest[0], rest[2] - rest[0]), rest[3] - rest[0]) < 0) std::swap(rest[2], rest[3]);
    Vec3d v = random.vector();
    v = (1 / size(v)) * v;
    Ties ties;
    ties.add_fibre({0, 1, 2, 3}, rest, v, 50, 1.25, 0);
    const Mat3d f = random.matrix();
    std::vector<Vec3d> x;
    for (const Vec3d& p : rest) x.push_back(f * p + Vec3d{1, 2, 3});
    EXPECT_LT(size(ties.vector(0, x) - 0.8 * (f * v)), 1e-11);  // also for slivers
    EXPECT_TRUE(check_ties(ties, 4, 1).ok());
    EXPECT_FALSE(check_ties(ties, 4, 0).ok());
  }
  Ties along_edge;
  along_edge.add_fibre({0, 1, 2, 3}, std::vector<Vec3d>{{0, 0, 0}, {2, 0, 0}, {0, 1, 0}, {0, 0, 3}}, {1, 0, 0}, 7, 1,
                       0);
  EXPECT_EQ(along_edge.end_count(0), 2);
  EXPECT_DOUBLE_EQ(along_edge.laws[0].stiffness, 7);  // a volume of 1 m^3
}

TEST(Ties, ActivationsAreLinearBetweenTheirTimes) {
  const Activation ramp{{1, 2, 4}, {0, 1, 0.5}};
  EXPECT_EQ(ramp.at(0), 0);
  EXPECT_EQ(ramp.at(1.25), 0.25);
  EXPECT_EQ(ramp.at(2), 1);
  EXPECT_EQ(ramp.at(3), 0.75);
  EXPECT_EQ(ramp.at(9), 0.5);
}

TEST(Ties, FaultsOfMusclesAreTold) {
  Body body = body_of(box({1, 1, 1}));
  const auto fault = [&](const Activation& muscle) {
    body.muscles = {{{0}, {1}}, muscle};
    const Result<Model> model = compile_model(body.input());
    return model.ok() ? "" : model.error().message();
  };
  EXPECT_EQ(fault({{0, 1}, {0, 1}}), "");
  EXPECT_NE(fault({{0, 1}, {0}}).find("muscle 1: not as many times"), std::string::npos);
  EXPECT_NE(fault({{0}, {1.5}}).find("muscle 1: an activation outside 0 to 1"), std::string::npos);
  EXPECT_NE(fault({{0}, {NAN}}).find("outside 0 to 1"), std::string::npos);
  EXPECT_NE(fault({{1, 1}, {0, 1}}).find("do not ascend"), std::string::npos);
}

std::string fault_of(const Ties& ties) {
  const Status status = check_ties(ties, 4, 1);
  return status.ok() ? "" : status.error().message();
}
Ties tie(const TieLaw<double>& law, std::vector<int32_t> ends, std::vector<double> weights) {
  Ties ties;
  ties.add_spring(0, 1, 1, 1);
  ties.add(law, ends, weights);
  return ties;
}

TEST(Ties, FaultsAreTold) {
  const TieLaw<double> spring = spring_law(1, 1);
  EXPECT_EQ(fault_of(tie(spring, {0, 1}, {1, -1})), "");
  const auto expect = [](const Ties& ties, const char* part) {
    const std::string fault = fault_of(ties);
    EXPECT_NE(fault.find("tie 1"), std::string::npos) << fault;
    EXPECT_NE(fault.find(part), std::string::npos) << fault;
  };
  expect(tie(spring, {0}, {1}), "has 1 vertices");
  expect(tie(spring, {0, 4}, {1, -1}), "vertex 4 is not in 0..3");
  expect(tie(spring, {0, 0}, {1, -1}), "has vertex 0 twice");
  expect(tie(spring, {0, 1, 2}, {1, -0.5, -0.4}), "add up to 0.1");
  expect(tie(spring_law(-1, 1), {0, 1}, {1, -1}), "stiffness -1");
  expect(tie(spring_law(1, -1), {0, 1}, {1, -1}), "rest length -1");
  expect(tie(spring_law(1, 1, -0.1), {0, 1}, {1, -1}), "damping -0.1 s");
  TieLaw<double> damped = weak_constraint_law(1);
  damped.damping = 0.1;
  expect(tie(damped, {0, 1}, {1, -1}), "is damped, which a weak constraint cannot be");
  expect(tie(weak_constraint_law(1, 0, {0, 2, 0}), {0, 1}, {1, -1}), "normal");
  expect(tie(fibre_law(1, 1), {0, 1}, {1, -1}), "its muscle 1 is not one of 1");
  Body body = chain(1, 1, 1);
  body.point_mass[1] = -2;
  const Result<Model> model = compile_model(body.input());
  ASSERT_FALSE(model.ok());
  EXPECT_NE(model.error().message().find("vertex 1"), std::string::npos);
}

}  // namespace
}  // namespace sinew
