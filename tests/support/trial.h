// A simulation for tests: a body, a method, pins, and results in the user's vertex order.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "accel/accelerator.h"
#include "accel/anderson.h"
#include "accel/chebyshev.h"
#include "accel/sor.h"
#include "base/hash.h"
#include "linear/linear_solvers.h"
#include "objective/objective.h"
#include "solver/by_constraint/fp_pxpbd.h"
#include "solver/by_constraint/xpbd.h"
#include "solver/by_vertex/vbd.h"
#include "solver/newton/newton.h"
#include "solver/newton/quasi_newton.h"
#include "solver/solver.h"
#include "step/stepper.h"
#include "support/body.h"

namespace sinew::support {

struct Method {
  enum Kind { vbd, xpbd, newton, quasi_newton, fp_pxpbd } kind = vbd;
  SolveOptions solve{.precision = double_precision};
  bool quasistatic = false;
  double h = 0.01;  // [s]
  bool line_search = false;
  int local_iterations = 1;
  int lanes = 0;
  NewtonOptions newton_options{};
  QuasiNewtonOptions quasi_newton_options{};
  std::optional<ChebyshevOptions> chebyshev{};
  std::optional<SorOptions> sor{};
  std::optional<AndersonOptions> anderson{};
  int threads = 1;
  std::function<std::unique_ptr<Solver>(const SolveOptions&)> make{};  // in place of `kind`
};

inline std::unique_ptr<Solver> make_solver_of(const Method& method) {
  if (method.make) return method.make(method.solve);
  if (method.kind == Method::newton) return make_newton(method.solve, method.newton_options, make_linear_solver);
  if (method.kind == Method::quasi_newton)
    return make_quasi_newton(method.solve, method.quasi_newton_options, make_linear_solver);
  if (method.kind == Method::xpbd) return make_xpbd(method.solve, {.lanes = method.lanes});
  if (method.kind == Method::fp_pxpbd) {
    return make_fp_pxpbd(method.solve, {.local_iterations = method.local_iterations, .lanes = method.lanes});
  }
  return make_vbd(method.solve, {.line_search = method.line_search, .lanes = method.lanes});
}

inline std::unique_ptr<Accelerator> make_accelerator_of(const Method& method) {
  if (method.chebyshev) return make_chebyshev(*method.chebyshev);
  if (method.sor) return make_sor(*method.sor);
  if (method.anderson) return make_anderson(*method.anderson);
  return nullptr;
}

class Trial {
 public:
  Trial(const Body& body, const Method& how)
      : method(how), model(body.compile()), pool(how.threads), state(rest_state(model)) {}

  // Call before the first step. Vertices whose rest position is inside are held in place, or follow the keys.
  void hold(const std::function<bool(Vec3d)>& inside, const std::function<void(PinScript&)>& script = {}) {
    PinScript pin;
    const std::vector<Vec3d> rest = model.order.to_user(model.rest);
    for (size_t v = 0; v < rest.size(); ++v) {
      if (!inside(rest[v])) continue;
      pin.slots.push_back(static_cast<int32_t>(model.order.slot(UserVertex{static_cast<int32_t>(v)})));
      pin.start.push_back(rest[v]);
    }
    EXPECT_FALSE(pin.slots.empty());
    if (script) script(pin);
    pins.push_back(pin);
  }

  Result<StepReport> try_step() {
    if (!stepper) {
      stepper = std::make_unique<Stepper>(model, pins, Stepper::Settings{method.quasistatic, method.h, method.solve},
                                          make_solver_of(method), make_accelerator_of(method), pool);
      stepper->set_observer(observer);
    }
    return stepper->step(state);
  }
  StepReport step() {
    Result<StepReport> report = try_step();
    if (!report.ok()) {
      ADD_FAILURE() << report.error().message();
      return {};
    }
    return report.value();
  }

  std::vector<Vec3d> positions() const { return model.order.to_user(state.x); }
  // At the current state, for the last step.
  Evaluation evaluate() { return Objective(stepper->problem(), pool).evaluate(state.x); }
  std::vector<Vec3d> gradient_unconstrained() {
    std::vector<Vec3d> g(state.x.size());
    Objective(stepper->problem(), pool).gradient_unconstrained(state.x, g);
    return model.order.to_user(g);
  }
  uint64_t hash() const {
    return Hash()
        .bytes(state.x.data(), state.x.size() * sizeof(Vec3d))
        .bytes(state.v.data(), state.v.size() * sizeof(Vec3d))
        .value();
  }

  Method method;
  Model model;
  ThreadPool pool;
  std::vector<PinScript> pins;
  State state;
  Observer* observer = nullptr;
  std::unique_ptr<Stepper> stepper;
};

inline bool on_left(Vec3d rest) {
  return rest.x < 1e-12;
}

}  // namespace sinew::support
