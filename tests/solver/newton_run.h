// A body that tests solve with Newton's method, in the user's vertex order.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "linear/linear_solvers.h"
#include "mesh/generators.h"
#include "objective/objective.h"
#include "solver/newton/newton.h"

namespace sinew {

// Defaults of the reference numbers: nu = 0.3, rho = 10 kg/m^3, g = 9.8 m/s^2 along -y.
struct Body {
  TetMesh mesh;
  double youngs_modulus = 1000;
  MaterialKind material = MaterialKind::NeoHookean;
  double density = 10;
  Vec3d gravity{0, -9.8, 0};
  double damping = 0;
  DampingForm damping_form = DampingForm::strain_rate;
  std::vector<double> stiffness_factor{};  // empty: 1 everywhere

  Model compile() const {
    ModelInput input;
    input.mesh = &mesh;
    input.block_of_tet.assign(mesh.tets.size(), 0);
    input.blocks = {{.material = elastic_material(material, lame_from(youngs_modulus, 0.3)), .damping = damping}};
    input.density_of_block = {density};
    input.gravity = gravity;
    input.damping_form = damping_form;
    input.stiffness_factor = stiffness_factor;
    Result<Model> model = compile_model(input);
    EXPECT_TRUE(model.ok());
    return std::move(model.value());
  }
};

inline std::vector<MaterialKind> every_material() {
  std::vector<MaterialKind> kinds;
  for (int k = 0; k < material_count; ++k) kinds.push_back(MaterialKind(k));
  return kinds;
}

inline TetMesh box(std::array<int32_t, 3> cells, Vec3d size) {
  return make_box({.cells = cells, .size = size}).value();
}

class NewtonRun {
 public:
  explicit NewtonRun(const Body& body, int threads = 1, const NewtonOptions& options = {})
      : model(body.compile()), pool(threads), newton(options, make_linear_solver()) {
    newton.prepare(model, pool);
    x = v = model.order.to_user(model.rest);
    for (Vec3d& a : v) a = {};
    held.assign(x.size(), 0);
  }

  void hold_where(const std::function<bool(Vec3d)>& inside) {
    const std::vector<Vec3d> rest = model.order.to_user(model.rest);
    for (size_t k = 0; k < held.size(); ++k) held[k] = inside(rest[k]);
  }

  // Held vertices move to their `targets`.
  StepProblem problem(const std::vector<Vec3d>& targets, double h) const {
    StepProblem p;
    p.model = &model;
    p.quasistatic = h == 0;
    p.h = h;
    p.held = model.order.to_slots(held, uint8_t{1});
    for (size_t s = 0; s < p.held.size(); ++s) p.held[s] |= model.mass[s] <= 0;
    p.x_prev = model.order.to_slots(x, model.rest[0]);
    p.x_start = p.x_target = p.x_prev;
    const std::vector<Vec3d> moved = model.order.to_slots(targets, model.rest[0]);
    const std::vector<Vec3d> velocity = model.order.to_slots(v, Vec3d{});
    for (size_t s = 0; s < p.held.size(); ++s) {
      if (p.held[s]) {
        p.x_start[s] = p.x_target[s] = moved[s];
      } else if (h > 0) {
        p.x_target[s] = p.x_prev[s] + h * velocity[s] + (h * h / model.mass[s]) * model.external_force(s);
      }
    }
    return p;
  }
  StepProblem problem(double h) const { return problem(x, h); }

  // Iterates until nothing improves, or until the residual is below `tolerance`; stores the residual of every iterate.
  Evaluation solve(const StepProblem& p, double tolerance = 0, int most = 200) {
    const Objective objective(p, pool);
    std::vector<Vec3d> now(p.x_start.size());
    newton.begin_step(objective);
    residuals.clear();
    exact.clear();
    Evaluation evaluation;
    for (int k = 0;; ++k) {
      newton.positions(now);
      evaluation = objective.evaluate(now);
      residuals.push_back(evaluation.residual);
      if (evaluation.residual < tolerance || newton.stalled() || k == most) break;
      newton.iterate();
      exact.push_back(newton.used_exact_hessian());
    }
    const std::vector<Vec3d> before = x;
    x = model.order.to_user(now);
    if (p.h > 0) {
      for (size_t k = 0; k < x.size(); ++k) v[k] = (1 / p.h) * (x[k] - before[k]);
    }
    return evaluation;
  }

  // The force [N] that holds each vertex in place.
  std::vector<Vec3d> reactions(const StepProblem& p) {
    std::vector<Vec3d> g(p.x_start.size());
    Objective(p, pool).gradient_unconstrained(model.order.to_slots(x, model.rest[0]), g);
    return model.order.to_user(g);
  }

  Model model;
  ThreadPool pool;
  Newton newton;
  std::vector<Vec3d> x, v;  // by user vertex
  std::vector<uint8_t> held;
  std::vector<double> residuals;
  std::vector<bool> exact;
};

}  // namespace sinew
