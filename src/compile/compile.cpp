#include "compile/compile.h"

#include <cmath>
#include <random>

#include "base/clock.h"
#include "base/format.h"
#include "compile/bindings.h"
#include "compile/bodies.h"
#include "compile/check_compiled.h"
#include "compile/check_size.h"
#include "compile/contacts.h"
#include "compile/draft.h"
#include "compile/grid.h"
#include "compile/loads.h"
#include "compile/muscles.h"
#include "compile/pins.h"
#include "compile/precision.h"
#include "compile/springs.h"
#include "scene/check.h"
#include "scene/object_kinds.h"
#include "scene/places.h"
#include "solver/options.h"

namespace sinew {

bool is_on_device(const SolverSettings& settings) {
  for (const OptionValue& option : settings.options) {
    const std::string* word = std::get_if<std::string>(&option.value);
    if (option.name == "device" && word) return *word != device_names[on_cpu];
  }
  return false;
}

namespace {

// Measures the time of stages and records the memory of their results.
class StageClock {
 public:
  explicit StageClock(std::vector<CompileStage>& stages) : stages_(stages) {}

  void finish(const char* name, size_t bytes) {
    stages_.push_back({name, milliseconds_since(last_), bytes});
    last_ = Clock::now();
  }

 private:
  std::vector<CompileStage>& stages_;
  Clock::time_point last_ = Clock::now();
};

Status check(const Scene& scene, const SceneFiles& files) {
  Faults faults;
  check_values(scene, faults);
  check_meaning(scene, faults);
  if (!faults.empty()) return faults.error(scene.source);
  if (const std::optional<int64_t> available = files.available_memory()) return check_size(scene, *available);
  return {};
}

Status add_objects(Draft& draft, const ProgressListener& progress) {
  const std::vector<SceneObject>& objects = draft.scene.objects;
  const auto share = [&](size_t n) { return static_cast<double>(n) / static_cast<double>(objects.size()); };
  for (size_t k = 0; k < objects.size(); ++k) {
    const ProgressListener mesh_progress = part_of(progress, share(k), share(k + 1));
    if (!tell(mesh_progress, "meshes", 0)) return given_up();
    const bool springs = is_of_springs(objects[k].mesh);
    if (Status s = springs ? add_springs(draft, objects[k]) : add_body(draft, objects[k], mesh_progress); !s) return s;
  }
  for (size_t k = 0; k < objects.size(); ++k) {
    if (!objects[k].fibres) continue;
    if (Status s = add_fibres(draft, k); !s) return s;
  }
  return {};
}

Status add_loads(Draft& draft, bool constant_density) {
  for (size_t k = 0; k < draft.scene.loads.size(); ++k) {
    const SceneLoad& load = draft.scene.loads[k];
    if (is_constant_density(load) != constant_density) continue;
    const std::string path = format("loads.%zu", k);
    if (Status s = constant_density ? add_constant_density(draft, load, path) : add_load(draft, load, path); !s)
      return s;
  }
  return {};
}

Status make_model(Draft& draft) {
  draft.input.mesh = &draft.mesh;
  if (!draft.input.point_mass.empty()) draft.input.point_mass.resize(draft.mesh.vertices.size(), 0.0);
  if (!draft.input.stiffness_factor.empty()) draft.input.stiffness_factor.resize(draft.mesh.tets.size(), 1.0);
  draft.input.gravity = to_vec(draft.scene.gravity);
  draft.input.damping_form = draft.scene.own_block_damping ? DampingForm::own_block : DampingForm::strain_rate;
  if (draft.scene.grid) draft.input.grid_spacing = draft.scene.grid->spacing;
  draft.input.cluster_vertices = is_on_device(draft.scene.solver) ? whole_mesh : draft.scene.solver.cluster_vertices;
  Result<Model> model = compile_model(draft.input, draft.pool);
  if (!model) return draft.fault("objects", model.error());
  draft.out.model = std::move(*model);
  return {};
}

// A unit vector, by rejection: the standard's distributions and trigonometry are not the same everywhere.
Vec3d random_direction(std::mt19937_64& random) {
  const auto between = [&] { return std::ldexp(static_cast<double>(random() >> 11), -52) - 1; };  // -1 and 1
  for (;;) {
    const double x = between(), y = between(), z = between();
    const Vec3d v{x, y, z};
    const double square = dot(v, v);
    if (square > 0.01 && square <= 1) return 1 / std::sqrt(square) * v;
  }
}

void start(Draft& draft) {
  draft.out.start = rest_state(draft.out.model);
  const VertexOrder& order = draft.out.model.order;
  for (size_t k = 0; k < draft.scene.objects.size(); ++k) {
    const SceneObject& object = draft.scene.objects[k];
    const Vec3d stretch = to_vec(object.stretch), velocity = to_vec(object.velocity);
    std::mt19937_64 random(k);
    for (int32_t v = draft.out.objects[k].first_vertex; v < draft.out.objects[k].last_vertex; ++v) {
      const auto slot = static_cast<int32_t>(order.slot(UserVertex{v}));
      const Vec3d x = draft.mesh.vertices[v];
      draft.out.start.x[slot] = object.scatter ? *object.scatter * random_direction(random)
                                               : Vec3d{stretch.x * x.x, stretch.y * x.y, stretch.z * x.z};
      draft.out.start.v[slot] = velocity;
    }
  }
}

Status add_probes(Draft& draft) {
  for (const SceneProbe& probe : draft.scene.probes) {
    Result<std::vector<int32_t>> chosen = draft.select(probe.select, probe.object, "probes." + probe.name);
    if (!chosen) return chosen.error();
    draft.out.probes.push_back({probe.name, std::move(*chosen)});
  }
  return {};
}

size_t mesh_bytes(const Draft& draft) {
  size_t bytes = draft.mesh.vertices.capacity() * sizeof(Vec3d) + draft.mesh.tets.capacity() * sizeof(Tet) +
                 draft.out.regions.capacity() * sizeof(int32_t);
  for (const ObjectPart& part : draft.out.objects) {
    bytes += part.surface.capacity() * sizeof(Triangle) + part.surface_materials.capacity() * sizeof(int32_t);
    if (part.skin) bytes += part.skin->memory_bytes();
  }
  return bytes;
}

size_t start_bytes(const Draft& draft) {
  size_t bytes = draft.out.start.x.capacity() * (2 * sizeof(Vec3d) + sizeof(double));
  for (const PinScript& pin : draft.out.pins)
    bytes += pin.slots.capacity() * sizeof(int32_t) + pin.start.capacity() * sizeof(Vec3d);
  return bytes;
}

}  // namespace

Result<CompiledScene> compile_scene(const Scene& scene, const SceneFiles& files, ThreadPool& pool,
                                    const ProgressListener& progress) {
  if (Status s = check(scene, files); !s) return s.error();
  Draft draft(scene, files, pool);
  StageClock clock(draft.out.stages);
  constexpr double meshes = 0.35;  // their usual share of the time
  if (Status s = add_objects(draft, part_of(progress, 0, meshes)); !s) return s.error();
  clock.finish("meshes", mesh_bytes(draft));

  if (Status s = add_loads(draft, true); !s) return s.error();
  if (Status s = add_bindings(draft); !s) return s.error();
  if (!tell(progress, "order", meshes)) return given_up();
  if (Status s = make_model(draft); !s) return s.error();
  clock.finish("model", draft.out.model.memory_bytes());
  if (scene.grid)
    if (Status s = add_grid(draft); !s) return s.error();
  if (has_contact(scene)) {
    if (Status s = add_contacts(draft); !s) return s.error();
    clock.finish("contact", draft.out.contact_surface.memory_bytes());
  }

  if (!tell(progress, "start and pins", 0.9)) return given_up();
  start(draft);
  if (Status s = add_loads(draft, false); !s) return s.error();
  for (size_t k = 0; k < scene.pins.size(); ++k)
    if (Status s = add_pin(draft, scene.pins[k], format("pins.%zu", k)); !s) return s.error();
  if (Status s = add_probes(draft); !s) return s.error();
  clock.finish("start and pins", start_bytes(draft));

  CompiledScene& out = draft.out;
  out.single_rounding = single_rounding(scene.time, out.model, out.loads, out.start, pool);
  if (Status s = check_range(scene, draft.mesh, out); !s) return s.error();
  if (Status s = check_equilibrium(scene, draft.mesh, out, out.warnings); !s) return s.error();
  look_for_oddities(scene, draft.mesh, out, out.warnings);
  return std::move(out);
}

}  // namespace sinew
