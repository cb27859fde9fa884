#include "dataset/sample_engine.h"

#include <cmath>
#include <limits>

#include "base/format.h"
#include "base/hash.h"
#include "objective/objective.h"
#include "objective/tie_terms.h"

namespace sinew {

Scene in_steps(const Scene& scene, int steps) {
  Scene stepped = scene;
  stepped.time.frame_dt = scene.time.duration / steps;
  stepped.time.substeps = 1;
  return stepped;
}

SampleShape shape_of(const DatasetPlan& plan, const Engine& engine) {
  const CompiledScene& compiled = engine.compiled;
  Hash tets;
  for (const Tet& tet : user_tets(compiled.model)) tets.bytes(tet.data(), sizeof tet);
  return {compiled.model.order.vertex_count(),
          plan.kind == DatasetKind::trajectory ? static_cast<int32_t>(engine.frame_count()) : 1,
          static_cast<int32_t>(compiled.probes.size()), tets.value()};
}

Result<std::unique_ptr<Engine>> make_sample_engine(const Solving& solving, const Scene& scene) {
  Result<std::unique_ptr<Engine>> engine = Engine::create(scene, solving.files, solving.pool);
  if (!engine) return engine;
  const SampleShape own = shape_of(solving.plan, **engine), &first = solving.shape;
  // The steps of equilibria are no frames.
  if (own.vertices != first.vertices || own.tets != first.tets || own.probes != first.probes)
    return Error{scene.source,
                 format("has %d vertices and %d probes, and the first sample %d and %d, or other tets", own.vertices,
                        own.probes, first.vertices, first.probes),
                 "a data set has one mesh: leave out parameters that change it"};
  if (own.frames != first.frames)
    return Error{scene.source, format("has %d frames, and the first sample %d", own.frames, first.frames),
                 "leave out parameters that change the duration or the frame rate"};
  return engine;
}

double residual_at_rest(Engine& engine, int steps) {
  Stepper& stepper = *engine.method.stepper;
  engine.state.step = steps - 1;
  const StepProblem& problem = stepper.problem_at(engine.state);
  const double residual = Objective(problem, engine.pool).evaluate(problem.x_target).residual;
  engine.state.step = 0;
  stepper.forget_problem();
  return residual;
}

double force_rounding(Engine& engine) {
  const Model& model = engine.compiled.model;
  double squares = 0;
  for (const Vec3d& x : engine.state.x) squares += dot(x, x);
  const double motion = std::numeric_limits<double>::epsilon() * std::sqrt(squares);
  return 0.5 * motion / std::sqrt(static_cast<double>(model.slot_count())) *
         std::hypot(stiffness_norm(model, 0, engine.pool), tie_stiffness_norm(model, 0));
}

void place(Engine& engine, std::span<const double> positions) {
  const VertexOrder& order = engine.compiled.model.order;
  for (int32_t v = 0; v < order.vertex_count(); ++v) {
    const double* p = positions.data() + 3 * static_cast<size_t>(v);
    engine.state.x[static_cast<size_t>(order.slot(UserVertex{v}))] = {p[0], p[1], p[2]};
  }
}

void take_back_step(Engine& engine) {
  --engine.state.step;
  engine.state.time -= engine.step_size();
}

Evaluation evaluation_anew(Engine& engine) {
  engine.method.stepper->forget_problem();
  --engine.state.step;
  const Evaluation evaluation = engine.evaluate();
  ++engine.state.step;
  return evaluation;
}

}  // namespace sinew
