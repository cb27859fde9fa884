// Source: src/accel/accelerator.h; docs/theory.md: the solution of a step is Newton's, accelerated or not;
// docs/architecture.md, Guarantees. Everything runs over accelerators.def: a new accelerator is tested by being listed.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "accel/accelerator_list.h"
#include "accel/linear_iteration.h"
#include "support/tied.h"
#include "support/wrong_options.h"

namespace sinew {
namespace {

using support::body_of;
using support::box;
using support::distance;
using support::every_material;
using support::TiedTrial;
using support::wrong_values;

class EveryAccelerator : public testing::TestWithParam<size_t> {
 protected:
  const AcceleratorInfo& info() const { return accelerator_list()[GetParam()]; }
  std::unique_ptr<Accelerator> make() const { return std::move(*make_accelerator(info().name, {}, "accelerator")); }
};

// Rates from 0 to 0.95, the last one that of the last coordinate.
std::vector<double> rates(size_t vertices) {
  std::vector<double> list(3 * vertices);
  for (size_t k = 0; k < list.size(); ++k)
    list[k] = 0.95 * static_cast<double>(k) / static_cast<double>(list.size() - 1);
  return list;
}
void iterate(LinearIteration& problem, Accelerator& accelerator, int iterations, ThreadPool& pool) {
  accelerator.begin_step(&problem.iterate, pool);
  for (int n = 1; n <= iterations; ++n) {
    problem.sweep();
    accelerator.apply(&problem.iterate, n, pool);
  }
}
bool same(const LinearIteration& a, const LinearIteration& b, size_t vertices) {
  for (size_t k = 0; k < 3 * vertices; ++k)
    if (a.error(k) != b.error(k)) return false;
  return a.iterate.multipliers == b.iterate.multipliers;
}

TEST_P(EveryAccelerator, IsFasterThanPlainSweeps) {
  LinearIteration problem(rates(7));
  ThreadPool pool(1);
  iterate(problem, *make(), 200, pool);
  EXPECT_LT(problem.largest_error(), 0.1 * std::pow(0.95, 200));
}

TEST_P(EveryAccelerator, LeavesHeldVerticesAndTheSolutionAlone) {
  LinearIteration problem(rates(4));
  problem.iterate.x[1] = {3, 4, 5, 0};
  problem.iterate.x[2] = {0, 0, 0, 1};
  ThreadPool pool(1);
  iterate(problem, *make(), 30, pool);
  EXPECT_EQ(problem.error(3), 3);
  EXPECT_EQ(problem.error(4), 4);
  EXPECT_EQ(problem.error(5), 5);
  for (size_t k = 6; k < 9; ++k) EXPECT_EQ(problem.error(k), 0) << "was at the solution";
  LinearIteration still(std::vector<double>(12, 1.0));  // no sweep changes it
  iterate(still, *make(), 30, pool);
  for (size_t k = 0; k < 12; ++k) EXPECT_EQ(still.error(k), 1);
}

// As a new one does, whatever it saw before: so a step does not depend on where a run began.
TEST_P(EveryAccelerator, ForgetsTheStepBefore) {
  constexpr size_t vertices = 5;
  ThreadPool pool(1);
  const std::unique_ptr<Accelerator> used = make();
  LinearIteration other(std::vector<double>(3 * vertices, -0.7));
  other.iterate.multipliers = {2, 2};
  iterate(other, *used, 25, pool);
  LinearIteration again(rates(vertices)), anew(rates(vertices));
  for (LinearIteration* problem : {&again, &anew}) problem->iterate.multipliers = {1, 3};
  iterate(again, *used, 40, pool);
  iterate(anew, *make(), 40, pool);
  EXPECT_TRUE(same(again, anew, vertices));
}

// Those that say that they move the one alone do so; the others move both.
TEST_P(EveryAccelerator, MovesMultipliersAndPositionsAsItSays) {
  LinearIteration problem(std::vector<double>(6, 0.9));
  problem.iterate.multipliers = {1, 1};
  ThreadPool pool(1);
  const std::unique_ptr<Accelerator> accelerator = make();
  iterate(problem, *accelerator, 40, pool);
  const double plain = std::pow(0.9, 40), tolerance = 1e-3 * plain;
  EXPECT_EQ(std::abs(problem.error(0) - plain) > tolerance, !accelerator->moves_multipliers_alone());
  EXPECT_EQ(std::abs(problem.iterate.multipliers[0] - plain) > tolerance, !accelerator->moves_positions_alone());
}

// Vertices enough for threads to share them.
TEST_P(EveryAccelerator, HasTheSameBitsForOneThreadAndForThree) {
  constexpr size_t vertices = 20000;
  ThreadPool one(1), three(3);
  LinearIteration a(rates(vertices)), b(rates(vertices));
  iterate(a, *make(), 20, one);
  iterate(b, *make(), 20, three);
  EXPECT_TRUE(same(a, b, vertices));
}

// Under every solver that it may accelerate and that converges: to Newton's solution, in a step whose stiffness
// outweighs inertia and in equilibrium; the bar and the bounds are those of tests/solver/every_solver_test.cpp.
TEST_P(EveryAccelerator, ConvergesToNewtonsSolution) {
  const std::unique_ptr<Accelerator> accelerator = make();
  const bool alone = accelerator->moves_multipliers_alone() || accelerator->moves_positions_alone();
  int compared = 0;
  for (const SolverInfo& solver : solver_list()) {
    const SolverTraits& traits = solver.traits;
    if (!traits.accelerates || !traits.converges || (alone && traits.whole_iterate)) continue;
    for (const double h : {0.0, 0.01}) {
      if (h == 0 ? !traits.quasistatic : !traits.dynamic) continue;
      const TetMesh bar = box({3, 2, 2}, {0.3, 0.2, 0.2});
      const auto body = body_of(bar, support::first_treated(solver, bar), 2000);
      const auto stretched = [&](const std::string& name, const std::string& with, int precision) {
        const double tolerance = precision == single_precision ? 0 : name == reference_solver().name ? 1e-12 : 1e-9;
        const int iterations = precision == single_precision ? 1000 : 40000;
        TiedTrial trial(body,
                        {.solver = name,
                         .h = h,
                         .iterations = iterations,
                         .tolerance = tolerance,
                         .precision = precision,
                         .accelerator = with},
                        [](Vec3d rest) { return rest.x < 1e-12; });
        for (Vec3d& x : trial.state.x) x.x *= h > 0 ? 1.1 : 1.01;
        trial.step();
        return trial.positions();
      };
      const std::vector<Vec3d> newton = stretched(reference_solver().name, "none", double_precision);
      EXPECT_LT(distance(stretched(solver.name, info().name, double_precision), newton), 1e-7)
          << solver.name << ' ' << h;
      // A thousand roundings of 6e-8 in 0.3 m.
      if (traits.single_precision) {
        EXPECT_LT(distance(stretched(solver.name, info().name, single_precision), newton), 2e-5)
            << solver.name << ' ' << h << " in single precision";
      }
      ++compared;
    }
  }
  EXPECT_GT(compared, 0);
}

TEST_P(EveryAccelerator, RefusesOptionsThatMeanNothing) {
  const auto error_of = [&](const std::vector<NamedOption>& given) -> std::string {
    const auto accelerator = make_accelerator(info().name, given, "accelerator");
    return accelerator.ok() ? "" : accelerator.error().message();
  };
  EXPECT_EQ(error_of({}), "");
  for (const Option& option : info().options) {
    for (const OptionScalar& value : wrong_values(option)) {
      const std::string message = error_of({{std::string(option.name), value}});
      EXPECT_NE(message.find("accelerator." + std::string(option.name)), std::string::npos)
          << option.name << ": " << message;
    }
    EXPECT_EQ(error_of({{std::string(option.name), option.default_value}}), "") << "the default of " << option.name;
  }
}

// All but "none".
std::vector<size_t> numbers() {
  std::vector<size_t> list;
  for (size_t k = 0; k < accelerator_list().size(); ++k)
    if (accelerator_list()[k].make) list.push_back(k);
  return list;
}
INSTANTIATE_TEST_SUITE_P(All, EveryAccelerator, testing::ValuesIn(numbers()),
                         [](const auto& test) { return std::string(accelerator_list()[test.param].name); });

}  // namespace
}  // namespace sinew
