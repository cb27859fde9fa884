// Source: docs/theory.md: the solution of a step is Newton's, whatever the method; docs/architecture.md, Guarantees.
// Everything runs over solvers.def and asks for traits and options, never for names: a new solver is tested by being
// listed.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/hash.h"
#include "solver/sweep_case.h"
#include "solver/sweep_order.h"
#include "support/tied.h"
#include "support/wrong_options.h"

namespace sinew {
namespace {

using support::distance;
using support::every_material;
using support::TiedTrial;
using support::wrong_values;

bool at_left(Vec3d rest) {
  return rest.x < 1e-12;
}
// A bar of 60 tets.
TetMesh bar() {
  return box({3, 2, 2}, {0.3, 0.2, 0.2});
}
std::vector<NamedOption> in_order(int kind) {
  return {{"sweep_order", std::string(sweep_order_names[kind])}};
}

class EverySolver : public testing::TestWithParam<size_t> {
 protected:
  const SolverInfo& info() const { return solver_list()[GetParam()]; }
  const SolverTraits& traits() const { return info().traits; }
  bool has(const char* option) const { return find_option(info().options, option) != nullptr; }

  bool treats(MaterialKind material, bool quasistatic) const {
    return check_solver(info(), body_of(bar(), material).compile(), quasistatic).ok();
  }
  // The first that it treats.
  MaterialKind material() const { return support::first_treated(info(), bar()); }
  // [s] 0: quasistatic.
  std::vector<double> steps() const {
    std::vector<double> list;
    if (traits().dynamic) list.push_back(0.01);
    if (traits().quasistatic) list.push_back(0);
    return list;
  }
  std::vector<int> precisions() const {
    if (!traits().single_precision) return {double_precision};
    return {double_precision, single_precision};
  }
  // No options, and each order of sweeps but the default.
  std::vector<std::vector<NamedOption>> options() const {
    std::vector<std::vector<NamedOption>> list{{}};
    for (int kind = 1; kind < 4 && has("sweep_order"); ++kind) list.push_back(in_order(kind));
    return list;
  }
};
std::string text_of(const std::vector<NamedOption>& options) {
  return options.empty() ? "" : " " + std::get<std::string>(options[0].value);
}

// A bar stretched by a tenth, in a step whose stiffness outweighs inertia; and in equilibrium, from as near to it as
// StVK needs to find this one. Newton's residual is 1e-12 N, that of the others 1e-9 N, and the softest motion of the
// bar has about 1 N/m. The trait is what a solver
// does, in both directions: without it one ends elsewhere, or nowhere.
TEST_P(EverySolver, ConvergesToNewtonsSolutionIfItSaysSo) {
  int compared = 0;
  for (const double h : steps()) {
    for (const MaterialKind kind : every_material()) {
      if (!treats(kind, h == 0)) continue;
      const Body body = body_of(bar(), kind, 2000);
      const auto stretched = [&](TiedTrial& trial) {
        for (Vec3d& x : trial.state.x) x.x *= h > 0 ? 1.1 : 1.01;
        return trial.stepper->step(trial.state);
      };
      TiedTrial newton(body, {.solver = reference_solver().name, .h = h, .tolerance = 1e-12}, at_left);
      ASSERT_TRUE(stretched(newton).ok());
      EXPECT_LT(newton.evaluate().residual, 1e-10);
      for (const std::vector<NamedOption>& given : options()) {
        const int iterations = traits().converges ? 40000 : 300;
        TiedTrial trial(body,
                        {.solver = info().name, .h = h, .iterations = iterations, .tolerance = 1e-9, .options = given},
                        at_left);
        const Result<StepReport> report = stretched(trial);
        const bool equal = report.ok() && distance(trial.positions(), newton.positions()) < 1e-7;
        EXPECT_EQ(equal, traits().converges) << traits_of(kind).name << " h " << h << text_of(given) << ": "
                                             << distance(trial.positions(), newton.positions()) << " m";
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 0);
}

// Enough vertices and tets of a colour for threads to share them, whole and in clusters.
TEST_P(EverySolver, HasTheSameBitsForOneThreadAndForThree) {
  Body whole = body_of(box({20, 9, 9}, {1, 0.45, 0.45}), material());
  Body pieces = whole;
  pieces.cluster_vertices = 100;
  for (const Body* body : {&whole, &pieces}) {
    if (body == &pieces && !traits().by_vertex) continue;
    for (const std::vector<NamedOption>& given : options()) {
      for (const int precision : precisions()) {
        std::vector<Vec3d> expected;
        for (const int threads : {1, 3}) {
          TiedTrial trial(*body,
                          {.solver = info().name,
                           .h = steps()[0],
                           .iterations = 2,
                           .threads = threads,
                           .options = given,
                           .precision = precision},
                          at_left);
          EXPECT_EQ(trial.model.clusters.count() > 1, body == &pieces);
          trial.step();
          if (threads == 1) expected = trial.state.x;
          EXPECT_EQ(largest_difference(trial.model, trial.state.x, expected), 0)
              << precision_names[precision] << text_of(given);
        }
      }
    }
  }
}

// A new solver that takes over the state of another after two steps goes on as that one does.
TEST_P(EverySolver, GoesOnWithTheSameBits) {
  const Body body = body_of(bar(), material());
  for (const double h : steps()) {
    for (const std::vector<NamedOption>& given : options()) {
      for (const int precision : precisions()) {
        const TiedTrial::How how{
            .solver = info().name, .h = h, .iterations = 5, .options = given, .precision = precision};
        TiedTrial whole(body, how, at_left), resumed(body, how, at_left);
        for (int step = 0; step < 2; ++step) whole.step();
        resumed.state = whole.state;
        for (int step = 0; step < 3; ++step) {
          whole.step();
          resumed.step();
        }
        EXPECT_EQ(distance(whole.positions(), resumed.positions()), 0)
            << precision_names[precision] << " h " << h << text_of(given);
        EXPECT_EQ(whole.state.step, 5);
      }
    }
  }
}

// Kernels of every width do the same operations in the same order (sweep_case.h); what differs in their rounding grows
// with the condition of the elements' equations, over two iterations.
TEST_P(EverySolver, AgreesForEveryLaneWidth) {
  if (!has("lanes")) GTEST_SKIP() << "sweeps in no lanes";
  const Body body = body_of(box({6, 4, 3}, {0.6, 0.4, 0.3}), material(), 2000);
  for (const std::vector<NamedOption>& given : options()) {
    for (const int precision : precisions()) {
      std::vector<Vec3d> scalar;
      for (const int lanes : lane_counts()) {
        std::vector<NamedOption> all = given;
        all.push_back({"lanes", static_cast<double>(lanes)});
        TiedTrial trial(
            body, {.solver = info().name, .h = steps()[0], .iterations = 2, .options = all, .precision = precision},
            at_left);
        for (Vec3d& x : trial.state.x) x.x *= 1.1;
        trial.step();
        if (lanes == 1) scalar = trial.positions();
        EXPECT_LE(distance(trial.positions(), scalar), lane_error(precision, 2000))
            << lanes << " lanes, " << precision_names[precision] << text_of(given);
      }
    }
  }
}

// Each wrong value is an error that names its option.
TEST_P(EverySolver, RefusesOptionsThatMeanNothing) {
  const auto error_of = [&](const std::vector<NamedOption>& given) -> std::string {
    const Result<SolveOptions> common = solve_options(info(), given, "solver");
    if (!common) return common.error().message();
    const auto solver =
        make_solver(info(), *common, given, "solver", [](std::string_view n) { return make_linear_solver(n); });
    return solver.ok() ? "" : solver.error().message();
  };
  EXPECT_EQ(error_of({}), "");
  EXPECT_NE(error_of({{"no_such_option", 1.0}}), "");
  OptionTable all = info().options;
  all.insert(all.end(), info().common_options.begin(), info().common_options.end());
  for (const Option& option : all) {
    for (const OptionScalar& value : wrong_values(option)) {
      const std::string message = error_of({{std::string(option.name), value}});
      EXPECT_NE(message.find("solver." + std::string(option.name)), std::string::npos)
          << option.name << ": " << message;
    }
    EXPECT_EQ(error_of({{std::string(option.name), option.default_value}}), "") << "the default of " << option.name;
  }
}

std::vector<size_t> numbers() {
  std::vector<size_t> list(solver_list().size());
  for (size_t k = 0; k < list.size(); ++k) list[k] = k;
  return list;
}
INSTANTIATE_TEST_SUITE_P(All, EverySolver, testing::ValuesIn(numbers()),
                         [](const auto& test) { return std::string(solver_list()[test.param].name); });

TEST(Solvers, HaveOneReferenceAndAnotherToRecommendThanAny) {
  int references = 0;
  for (const SolverInfo& info : solver_list()) {
    references += info.traits.reference;
    const SolverInfo& other = recommended_solver(info, false);
    EXPECT_NE(other.name, std::string(info.name));
    EXPECT_TRUE(other.traits.recommended && other.traits.converges);
    EXPECT_TRUE(recommended_solver(info, true).traits.grid || !info.traits.grid) << info.name;
  }
  EXPECT_EQ(references, 1);
  EXPECT_TRUE(reference_solver().traits.reference && reference_solver().traits.converges);
}

}  // namespace
}  // namespace sinew
