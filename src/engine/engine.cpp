#include "engine/engine.h"

#include <chrono>
#include <cmath>

#include "accel/accelerator.h"
#include "base/format.h"
#include "base/hash.h"
#include "base/nearest.h"
#include "compile/contact_start.h"
#include "compile/precision.h"
#include "contact/contact_stiffness.h"
#include "cuda/device_solvers.h"
#include "linear/linear_solvers.h"
#include "scene/methods.h"
#include "solver/by_vertex/pbng.h"
#include "solver/by_vertex/vbd.h"
#include "solver/solver.h"

namespace sinew {
namespace {

template <class Infos>
Error unknown(const std::string& where, const std::string& what, const std::string& name, const Infos& infos) {
  std::vector<std::string_view> names;
  for (const auto& info : infos) names.push_back(info.name);
  return Error{where, joined({"= \"", name, "\": there is no such ", what}), did_you_mean(name, names)};
}

// What devices do not offer of contact.
Status check_contact_on_device(const SolverSettings& settings, const SolverInfo& solver, const ContactSurface& surface,
                               std::string_view device) {
  if (surface.empty()) return {};
  const auto fault = [&](const char* what, const char* remedy) {
    return Error{"solver.device", joined({"= \"", device, "\": ", what}), remedy};
  };
  if ((solver.name != VbdOptions::name && solver.name != PbngOptions::name) || settings.accelerator != "none")
    return fault("bodies touch there only under vbd and pbng without an accelerator as yet",
                 "use device \"cpu\", solver.type \"vbd\" or \"pbng\" without an accelerator, or leave out contact and "
                 "colliders");
  if (surface.keeps_any_apart())
    return fault("contact.guarantee = \"intersection_free\" is kept by the CPU alone as yet",
                 "use device \"cpu\", or contact.guarantee = \"none\"");
  const OptionScalar* const recolor = settings.options.find("recolor");
  const std::string* const how = recolor ? std::get_if<std::string>(recolor) : nullptr;
  if (how && *how == recolor_names[recolor_incremental])
    return fault("solver.recolor = \"incremental\" is followed by the CPU alone as yet",
                 "use device \"cpu\", or recolor \"none\"");
  return {};
}

}  // namespace

Error in_scene(const Scene& scene, const Error& fault) {
  return {scene.source, Error{fault.where, fault.what, ""}.message(), fault.remedy};
}

std::vector<double> stiffness_of_contact(const TimeSettings& time, const Model& model) {
  const double h = time.frame_dt / time.substeps;
  return contact_stiffness(model, time.quasistatic ? 0 : 1 / (h * h));
}

Result<Method> make_method(const SolverSettings& settings, const TimeSettings& time, const CompiledScene& compiled,
                           ThreadPool& pool, const ProgressListener& progress) {
  Method method;
  method.solver = find_solver(settings.type);
  if (!method.solver) return unknown("solver.type", "solver", settings.type, solver_list());
  if (Status s = check_solver(*method.solver, compiled.model, time.quasistatic); !s.ok()) return s.error();
  if (!find_accelerator(settings.accelerator)) {
    return unknown("solver.accelerator", "accelerator", settings.accelerator, accelerator_list());
  }
  if (Status s = check_pair(settings); !s.ok()) return s.error();
  if (!compiled.contact_surface.empty()) {
    if (Status s = check_contact_solver(*method.solver, compiled.contact_surface.keeps_any_apart()); !s.ok())
      return s.error();
    // The forces of contacts in methods by constraint belong to the very iterate.
    if (settings.accelerator != "none" && !method.solver->traits.by_vertex)
      return Error{"solver.accelerator",
                   format("= \"%s\": with contact, it needs a solver by vertex", settings.accelerator.c_str()),
                   "use accelerator \"none\", or solver vbd, pbng, block_jacobi or gradient_descent"};
  }

  const std::vector<NamedOption> values = named_options(settings.options);
  Result<SolveOptions> options = solve_options(*method.solver, values, "solver");
  if (!options) return options.error();
  method.options = *options;
  method.options.precision = in_single_precision(settings, compiled) ? single_precision : double_precision;
  std::shared_ptr<Device> device;
  if (method.options.device == on_cpu) {
    // A mesh that was compiled for a device has no clusters that 16 bits could index.
    const Clusters& clusters = compiled.model.clusters;
    if (method.solver->traits.by_vertex && clusters.count() == 1 && clusters.own_count(0) > largest_cluster)
      return Error{"solver.device", "= \"cpu\": the scene was compiled for a device, as its own solver asks",
                   "let the scene's own solver have device \"cpu\", and those that compare with it others"};
  } else {
    Result<std::shared_ptr<Device>> opened = device_of(method.options.device);
    if (!opened) return opened.error();
    device = std::move(*opened);
    if (compiled.grid)
      return Error{"solver.device",
                   joined({"= \"", device_names[method.options.device], "\": a grid is on the CPU alone as yet"}),
                   "use device \"cpu\""};
    if (Status s = check_contact_on_device(settings, *method.solver, compiled.contact_surface,
                                           device_names[method.options.device]);
        !s)
      return s.error();
  }
  auto solver = device ? make_device_solver(*method.solver, method.options, values, "solver", device)
                       : make_solver(*method.solver, method.options, values, "solver", make_linear_solver);
  if (!solver) return solver.error();
  if (Status s = (*solver)->check(compiled.model); !s.ok()) return s.error();
  const std::vector<NamedOption> accelerator_values = named_options(settings.accelerator_options);
  auto accelerator =
      device ? make_device_accelerator(settings.accelerator, accelerator_values, "solver.accelerator", device)
             : make_accelerator(settings.accelerator, accelerator_values, "solver.accelerator");
  if (!accelerator) return accelerator.error();
  if (compiled.grid && *accelerator)
    return Error{"solver.accelerator", joined({"= \"", settings.accelerator, "\": moves no nodes of a grid as yet"}),
                 "leave it out"};

  Solver* const preparing = solver->get();
  preparing->progress = progress;
  const Stepper::Settings stepping{time.quasistatic, time.frame_dt / time.substeps, method.options};
  method.stepper = std::make_unique<Stepper>(compiled.model, compiled.pins, stepping, std::move(*solver),
                                             std::move(*accelerator), pool);
  method.stepper->set_loads(compiled.loads);
  if (compiled.grid) method.stepper->set_grid(*compiled.grid);
  if (auto contacts = make_contacts(time, compiled, pool))
    method.stepper->set_contacts(std::move(contacts), compiled.colliders);
  else
    method.stepper->colliders() = compiled.colliders;  // which a grid may meet
  preparing->progress = {};
  if (Status s = preparing->fault(); !s) return s.error();
  return method;
}

std::unique_ptr<Contacts> make_contacts(const TimeSettings& time, const CompiledScene& compiled, ThreadPool& pool) {
  if (compiled.contact_surface.empty()) return nullptr;
  const ContactOptions options{compiled.detect_contact_every};
  auto contacts =
      std::make_unique<Contacts>(compiled.contact_surface, stiffness_of_contact(time, compiled.model), options, pool);
  contacts->ignore(compiled.ignored);
  return contacts;
}

Result<std::unique_ptr<Engine>> Engine::create(const Scene& scene, std::shared_ptr<const SceneFiles> files,
                                               std::shared_ptr<ThreadPool> threads, const ProgressListener& progress,
                                               Beginning beginning) {
  constexpr double most_frames = 1e9;
  if (!(scene.time.duration / scene.time.frame_dt <= most_frames)) {
    return in_scene(scene, {"time.duration",
                            format("= %g [s] with time.frame_dt = %g [s] makes more than %.0f frames",
                                   scene.time.duration, scene.time.frame_dt, most_frames),
                            "use a shorter duration or a longer frame_dt"});
  }
  auto engine = std::make_unique<Engine>(std::move(threads));
  engine->scene = scene;
  constexpr double compiled_by = 0.4;  // of the time, as it usually is
  Result<CompiledScene> compiled = compile_scene(scene, *files, engine->pool, part_of(progress, 0, compiled_by));
  if (!compiled) return compiled.error();
  engine->files = std::move(files);
  engine->compiled = std::move(*compiled);
  if (beginning == Beginning::start)
    if (Status s = start_contact(scene, engine->compiled, engine->pool); !s) return in_scene(scene, s.error());
  engine->state_ = std::move(engine->compiled.start);
  for (const ObjectPart& part : engine->compiled.objects)
    engine->objects.push_back({part.name, part.first_vertex, part.last_vertex});
  for (const SceneCollider& collider : scene.colliders) engine->colliders.push_back(collider.name);

  const auto start = std::chrono::steady_clock::now();
  Result<Method> method =
      make_method(scene.solver, scene.time, engine->compiled, engine->pool, part_of(progress, compiled_by, 1));
  if (!method) return in_scene(scene, method.error());
  engine->method = std::move(*method);
  engine->built_for = scene.materials;
  const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - start;
  engine->compiled.stages.push_back({"solver layouts", spent.count(), engine->method.stepper->solver().memory_bytes()});
  return engine;
}

// A state that cannot be fetched is that of the last time it was; the next step has the error.
const State& Engine::state() const {
  if (method.stepper) [[maybe_unused]]
    const Status fetched = fetch_state();
  return state_;
}

State& Engine::change_state() {
  [[maybe_unused]] const State& fetched = state();
  if (method.stepper) method.stepper->state_changed();
  return state_;
}

int64_t Engine::frame_count() const {
  return std::llround(scene.time.duration / scene.time.frame_dt);
}

Evaluation Engine::evaluate(std::vector<Vec3d>* forces) {
  if (const std::optional<Evaluation> there = method.stepper->evaluate_there(forces)) return *there;
  const std::vector<Vec3d>& x = state().x;
  const Objective objective(method.stepper->problem_at(state_), pool);
  if (!forces) return objective.evaluate(x);
  forces->resize(x.size());
  return objective.evaluate(x, *forces);
}

uint64_t Engine::hash() const {
  Hash hash;
  const VertexOrder& order = compiled.model.order;
  const State& now = state();
  for (const std::vector<Vec3d>* array : {&now.x, &now.v}) {
    for (int32_t v = 0; v < order.vertex_count(); ++v)
      hash.front(&(*array)[static_cast<size_t>(order.slot(UserVertex{v}))], sizeof(Vec3d));
    hash.bytes(nullptr, 0);
  }
  return hash.bytes(&now.step, sizeof now.step).value();
}

}  // namespace sinew
