// Source: docs/theory.md: the solution of a step is Newton's, whatever the method; docs/architecture.md, Guarantees.
// Ties of each kind in a body, under each solver that knows ties; everything runs over elements.def and solvers.def: a
// new kind of tie is tested by being listed.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "element/tie.h"
#include "solver/sweep_case.h"
#include "support/tied.h"

namespace sinew {
namespace {

using support::distance;
using support::TiedTrial;

bool at_left(Vec3d rest) {
  return rest.x < 1e-12;
}

class EveryTie : public testing::TestWithParam<int> {
 protected:
  TieKind kind() const { return TieKind(GetParam()); }

  // Between vertices `apart` numbers from each other, each example of the law in turn, with |C| = `length` at rest.
  void tie_up(Body& body, int apart, double length) const {
    body.muscles = {{{0}, {0.7}}};
    visit_tie(kind(), [&]<class Law>() {
      int next = 0;
      const auto count = static_cast<int32_t>(body.mesh.vertices.size());
      for (int32_t v = 0; v + apart < count; ++v) {
        const double distance = support::size(body.mesh.vertices[v] - body.mesh.vertices[v + apart]);
        const double weight = length / distance;
        body.ties.add({Law::example(next), kind()}, std::array{v, v + apart}, std::array{weight, -weight});
        next = (next + 1) % Law::example_count;
      }
    });
  }
  bool knows(const SolverInfo& info) const {
    return info.traits.ties && (info.traits.fibres || !traits_of(kind()).is_muscle);
  }
  // The first material with which the solver treats the body.
  static Body body_for(const SolverInfo& info, const TetMesh& mesh, double youngs_modulus) {
    return body_of(mesh, support::first_treated(info, mesh), youngs_modulus);
  }
};

// A bar that the ties pull out of its shape, in a step and in equilibrium. Bounds as in every_solver_test.cpp.
TEST_P(EveryTie, EverySolverConvergesToNewtonsSolution) {
  int compared = 0;
  for (const SolverInfo& info : solver_list()) {
    if (!knows(info) || !info.traits.converges) continue;
    for (const double h : {0.0, 0.01}) {
      if (h == 0 ? !info.traits.quasistatic : !info.traits.dynamic) continue;
      Body body = body_for(info, box({3, 2, 2}, {0.3, 0.2, 0.2}), 20000);
      const Body untied = body;
      tie_up(body, 7, 0.8);
      TiedTrial newton(body, {.solver = reference_solver().name, .h = h, .tolerance = 1e-11}, at_left);
      TiedTrial without(untied, {.solver = reference_solver().name, .h = h, .tolerance = 1e-11}, at_left);
      newton.step();
      without.step();
      EXPECT_LT(newton.evaluate().residual, 1e-9);
      EXPECT_GT(distance(newton.positions(), without.positions()), 1e-4) << "the ties do nothing";
      TiedTrial trial(body, {.solver = info.name, .h = h, .iterations = 40000, .tolerance = 1e-9}, at_left);
      trial.step();
      EXPECT_LT(distance(trial.positions(), newton.positions()), 1e-7) << info.name << " h " << h;
      ++compared;
    }
  }
  EXPECT_GT(compared, 3);
}

// Ties enough of a colour for threads to share them, whole and in clusters.
TEST_P(EveryTie, HasTheSameBitsForOneThreadAndForThree) {
  for (const SolverInfo& info : solver_list()) {
    if (!knows(info)) continue;
    Body whole = body_for(info, box({20, 9, 9}, {1, 0.45, 0.45}), 20000);
    tie_up(whole, 1000, 0.8);
    Body pieces = whole;
    pieces.cluster_vertices = 100;
    for (const Body* body : {&whole, &pieces}) {
      if (body == &pieces && !info.traits.by_vertex) continue;
      std::vector<Vec3d> expected;
      for (const int threads : {1, 3}) {
        const TiedTrial::How how{
            .solver = info.name, .h = info.traits.dynamic ? 0.01 : 0, .iterations = 2, .threads = threads};
        TiedTrial trial(*body, how, at_left);
        trial.step();
        if (threads == 1) expected = trial.state.x;
        EXPECT_EQ(largest_difference(trial.model, trial.state.x, expected), 0) << info.name;
      }
    }
  }
}

// Kernels of every width do the same operations in the same order (sweep_case.h). What differs in their rounding grows
// by up to 1e8 in two iterations: the constraint of a fibre is a root, and corrections on a lattice, in single
// precision, solve for what is nearly balanced. What a width left out would move vertices by millimetres.
TEST_P(EveryTie, AgreesForEveryLaneWidth) {
  int compared = 0;
  for (const SolverInfo& info : solver_list()) {
    if (!knows(info) || !find_option(info.options, "lanes")) continue;
    Body body = body_for(info, box({6, 4, 3}, {0.6, 0.4, 0.3}), 20000);
    tie_up(body, 35, 0.8);
    std::vector<Vec3d> scalar;
    for (const int lanes : lane_counts()) {
      TiedTrial trial(body,
                      {.solver = info.name,
                       .h = info.traits.dynamic ? 0.01 : 0,
                       .iterations = 2,
                       .options = {{"lanes", static_cast<double>(lanes)}}},
                      at_left);
      trial.step();
      if (lanes == 1) scalar = trial.positions();
      EXPECT_LE(distance(trial.positions(), scalar), lane_error(double_precision, 1e9))
          << info.name << ", " << lanes << " lanes";
      ++compared;
    }
  }
  EXPECT_GT(compared, 0);
}

std::string name_of_test(const testing::TestParamInfo<int>& test) {
  std::string name = traits_of(TieKind(test.param)).name;
  for (char& c : name)
    if (c == ' ') c = '_';
  return name;
}
INSTANTIATE_TEST_SUITE_P(All, EveryTie, testing::Range(0, tie_kind_count), name_of_test);

}  // namespace
}  // namespace sinew
