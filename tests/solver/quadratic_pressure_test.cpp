// Source: the definition of the multipliers of quadratic tetrahedra (solver/by_vertex/quadratic_pressure.h), by J at
// the points of each element; and the pass over all elements against what sweeps do on the way.
#include "solver/by_vertex/quadratic_pressure.h"

#include <gtest/gtest.h>

#include <string>

#include "material/materials.h"
#include "model/rest_shape.h"
#include "solver/by_vertex/multiplier_law.h"
#include "solver/by_vertex/pbng.h"
#include "solver/by_vertex/vbd.h"
#include "solver/sweep_case.h"

namespace sinew {
namespace {

using support::with_middles;

struct Swept {
  std::vector<Vec3d> x;
  std::vector<double> pressures;
};

// After some sweeps; `looks`: somebody looks at the iterate after each, so that no multiplier may wait.
Swept swept(Solver& solver, SweepCase& c, ThreadPool& pool, int sweeps, bool looks) {
  solver.prepare(c.model, pool);
  const Objective objective(c.problem, pool);
  solver.begin_step(objective);
  for (int k = 0; k < sweeps; ++k) {
    solver.iterate();
    if (looks) (void)solver.iterate_ref();
  }
  Swept end;
  end.x.resize(c.problem.x_start.size());
  solver.positions(end.x);
  solver.pressures(end.pressures);
  return end;
}

// Several clusters, two blocks of which only the second is nearly incompressible.
Body pressure_body(MaterialKind kind) {
  Body body = body_of(with_middles(box({6, 3, 3}, {3, 1.5, 1.5})), kind, 1000, 0.3);
  ElasticBlock second = body.blocks[0];
  second.material = elastic_material(kind, lame_from(1000, 0.49));
  body.blocks.push_back(second);
  body.density.push_back(20);
  for (const Tet& t : body.mesh.tets) body.block_of_tet.push_back(body.mesh.vertices[t[0]].x > 1.2);
  body.cluster_vertices = 100;
  return body;
}
struct PressureCase : SweepCase {
  explicit PressureCase(MaterialKind kind) : SweepCase(pressure_body(kind), time_step, 0.03) {
    for (size_t e = 0; e < model.tets.size(); ++e) problem.pressures.push_back(10.0 * static_cast<double>(e % 7));
  }
};

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (size_t k = 0; k < a.size(); ++k) largest = std::max(largest, std::abs(a[k] - b[k]));
  return largest;
}

double mean_j(const Model& model, const std::vector<Vec3d>& x, int32_t e, bool linear) {
  const ElementNodes nodes = model.nodes_of(e);
  Vec3d rest[4], gradient[4], place[most_nodes];
  for (size_t k = 0; k < 4; ++k) rest[k] = model.rest[nodes[k]];
  for (size_t n = 0; n < most_nodes; ++n) place[n] = x[nodes[n]] - x[nodes[0]];
  const RestShape<double> shape = QuadraticTetrahedron::rest(rest);
  gradient[0] = -(shape.gradient[0] + shape.gradient[1] + shape.gradient[2]);
  for (size_t k = 0; k < 3; ++k) gradient[k + 1] = shape.gradient[k];
  const PointGradients<double> f = PointGradients<double>::of(place, gradient);
  double sum = 0;
  for (const Mat3d& at : f.at) sum += linear ? at.c0.x + at.c1.y + at.c2.z - 2 : determinant(at);
  return sum / QuadraticTetrahedron::points;
}

class EveryMaterialPressure : public testing::TestWithParam<MaterialKind> {};

TEST_P(EveryMaterialPressure, IsOfTheMeanVolumeAfterASweep) {
  PressureCase c(GetParam());
  const auto after = [&](int sweeps) {
    return swept(*make_vbd({.precision = double_precision}, {}), c, c.pool, sweeps, false);
  };
  for (const int sweeps : {1, 2, 5}) {
    const Swept before = sweeps == 1 ? Swept{{}, c.problem.pressures} : after(sweeps - 1), now = after(sweeps);
    for (const ElasticBlock& block : c.model.blocks) {
      const MultiplierLaw law = MultiplierLaw::of(c.model, block, true);
      if (!law.any()) continue;
      const bool linear = !traits_of(block.material.kind).rotation_invariant;
      for (int32_t e = block.first_tet; e < block.last_tet; ++e) {
        const auto k = static_cast<size_t>(e);
        const double expected =
            law.shrink * (before.pressures[k] + law.sigma * (mean_j(c.model, now.x, e, linear) - 1));
        EXPECT_NEAR(now.pressures[k], expected, 1e-10 * law.sigma) << sweeps << ' ' << e;
      }
    }
  }
}

TEST_P(EveryMaterialPressure, IsTheSameOnTheWayAndInAPass) {
  PressureCase c(GetParam());
  for (const int precision : {double_precision, single_precision}) {
    const double error = precision == double_precision ? 1e-10 : 1e-4;
    for (const int layout : {layout_frames, layout_links}) {
      for (const int lanes : lane_counts()) {
        for (const int threads : {1, 3}) {
          ThreadPool pool(threads);
          const auto run = [&](bool looks) {
            return swept(*make_vbd({.precision = precision}, {.layout = layout, .lanes = lanes}), c, pool, 4, looks);
          };
          const Swept way = run(false), pass = run(true);
          const std::string where = std::string(precision_names[precision]) + ", " +
                                    std::string(vertex_layout_names[layout]) + ", lanes " + std::to_string(lanes);
          EXPECT_LE(sinew::largest_difference(c.model, way.x, pass.x), error) << where;
          EXPECT_LE(largest_difference(way.pressures, pass.pressures), 3e3 * error) << where;
          EXPECT_GT(largest_difference(way.pressures, c.problem.pressures), 1) << where << ": they change";
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, EveryMaterialPressure, testing::ValuesIn(support::every_material()),
                         [](const auto& test) { return std::string(traits_of(test.param).name); });

// What takes turns, or goes another way each time, is visited otherwise than first visits assume.
TEST(Pressure, IsTheSameInEveryOrder) {
  PressureCase c(MaterialKind::NeoHookean);
  for (const int order : {sweep_backward, sweep_random}) {
    const auto run = [&](bool looks) {
      return swept(*make_vbd({.precision = double_precision}, {.sweep_order = order}), c, c.pool, 4, looks);
    };
    const Swept way = run(false), pass = run(true);
    EXPECT_EQ(largest_difference(way.pressures, pass.pressures), 0) << sweep_order_names[order];
  }
  const auto pbng = [&](bool looks) {
    return swept(*make_pbng({.precision = double_precision}, {.recolor = recolor_incremental}), c, c.pool, 4, looks);
  };
  EXPECT_EQ(largest_difference(pbng(false).pressures, pbng(true).pressures), 0);
}

}  // namespace
}  // namespace sinew
