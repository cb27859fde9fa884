#include "dataset/sample_engine.h"

#include <array>
#include <cmath>
#include <limits>

#include "base/format.h"
#include "base/hash.h"
#include "objective/objective.h"
#include "objective/tie_terms.h"

namespace sinew {

namespace {

// Which vertices each spring of a body joins. Not those of a grid: its cells say the same, and its diagonals are absent
// where their stiffness is 0.
void add_springs(const CompiledScene& compiled, const ObjectPart& part, Hash& hash) {
  const Ties& ties = compiled.model.ties;
  for (int32_t t = 0; t < ties.count(); ++t) {
    if (ties.end_count(t) != 2) continue;
    std::array<int32_t, 2> ends;
    for (size_t k = 0; k < 2; ++k)
      ends[k] = static_cast<int32_t>(compiled.model.order.vertex(Slot{ties.vertices_of(t)[k]}));
    const auto is_own = [&](int32_t v) { return v >= part.first_vertex && v < part.last_vertex; };
    if (is_own(ends[0]) && is_own(ends[1])) hash.bytes(ends.data(), sizeof ends);
  }
}

// Middles follow from the tets and the number of vertices.
uint64_t hash_of_mesh(const CompiledScene& compiled) {
  Hash hash;
  for (const Tet& tet : user_tets(compiled.model)) hash.bytes(tet.data(), sizeof tet);
  for (const ObjectPart& part : compiled.objects) {
    if (part.first_tet < part.last_tet) continue;
    for (const Triangle& triangle : part.surface) hash.bytes(triangle.data(), sizeof triangle);
    if (part.surface.empty()) add_springs(compiled, part, hash);
  }
  return hash.value();
}

}  // namespace

Scene in_steps(const Scene& scene, int steps) {
  Scene stepped = scene;
  stepped.time.frame_dt = scene.time.duration / steps;
  stepped.time.substeps = 1;
  return stepped;
}

SampleShape shape_of(const DatasetPlan& plan, const Engine& engine) {
  const CompiledScene& compiled = engine.compiled;
  return {compiled.model.order.vertex_count(),
          plan.kind == DatasetKind::trajectory ? static_cast<int32_t>(engine.frame_count()) : 1,
          static_cast<int32_t>(compiled.probes.size()), hash_of_mesh(compiled)};
}

Result<std::unique_ptr<Engine>> make_sample_engine(const Solving& solving, const Scene& scene) {
  Result<std::unique_ptr<Engine>> engine = Engine::create(scene, solving.files, solving.pool);
  if (!engine) return engine;
  const SampleShape own = shape_of(solving.plan, **engine), &first = solving.shape;
  // The steps of equilibria are no frames.
  const char* const remedy = "a data set has one mesh: leave out parameters that change it";
  if (own.vertices != first.vertices || own.probes != first.probes)
    return Error{scene.source,
                 format("has %d vertices and %d probes, and the first sample %d and %d", own.vertices, own.probes,
                        first.vertices, first.probes),
                 remedy};
  if (own.mesh != first.mesh)
    return Error{scene.source, "its tets, triangles or springs join other vertices than those of the first sample",
                 remedy};
  if (own.frames != first.frames)
    return Error{scene.source, format("has %d frames, and the first sample %d", own.frames, first.frames),
                 "leave out parameters that change the duration or the frame rate"};
  return engine;
}

double residual_at_rest(Engine& engine, int steps) {
  Stepper& stepper = *engine.method.stepper;
  engine.change_state().step = steps - 1;
  const StepProblem& problem = stepper.problem_at(engine.state());
  const double residual = Objective(problem, engine.pool).evaluate(problem.x_target).residual;
  engine.change_state().step = 0;
  stepper.forget_problem();
  return residual;
}

double force_rounding(Engine& engine) {
  const Model& model = engine.compiled.model;
  double squares = 0;
  for (const Vec3d& x : engine.state().x) squares += dot(x, x);
  const double motion = std::numeric_limits<double>::epsilon() * std::sqrt(squares);
  return 0.5 * motion / std::sqrt(static_cast<double>(model.slot_count())) *
         std::hypot(stiffness_norm(model, 0, engine.pool), tie_stiffness_norm(model, 0));
}

void place(Engine& engine, std::span<const double> positions) {
  const VertexOrder& order = engine.compiled.model.order;
  std::vector<Vec3d>& x = engine.change_state().x;
  for (int32_t v = 0; v < order.vertex_count(); ++v) {
    const double* p = positions.data() + 3 * static_cast<size_t>(v);
    x[static_cast<size_t>(order.slot(UserVertex{v}))] = {p[0], p[1], p[2]};
  }
}

void take_back_step(Engine& engine) {
  --engine.change_state().step;
  engine.change_state().time -= engine.step_size();
}

Evaluation evaluation_anew(Engine& engine) {
  engine.method.stepper->forget_problem();
  --engine.change_state().step;
  const Evaluation evaluation = engine.evaluate();
  ++engine.change_state().step;
  return evaluation;
}

}  // namespace sinew
