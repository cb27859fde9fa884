#include "scene/compile.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <set>

#include "base/format.h"
#include "base/nearest.h"
#include "io/available_memory.h"
#include "io/mesh_file.h"
#include "mesh/repair.h"
#include "mesh/topology.h"
#include "scene/check.h"
#include "scene/check_compiled.h"
#include "scene/check_size.h"
#include "scene/generated.h"
#include "scene/places.h"
#include "scene/selection.h"
#include "scene/stiffness_factors.h"
#include "scene/value_text.h"

namespace sinew {

namespace {

constexpr size_t kMostItems = 2147483647;  // indices are 32 bits wide

// Times stages and notes what they leave behind.
class StageClock {
 public:
  explicit StageClock(std::vector<CompileStage>& stages) : stages_(stages) {}

  void finish(const char* name, size_t bytes) {
    const auto now = std::chrono::steady_clock::now();
    stages_.push_back({name, std::chrono::duration<double, std::milli>(now - last_).count(), bytes});
    last_ = now;
  }

 private:
  std::vector<CompileStage>& stages_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

Result<TetMesh> load(const SceneMesh& mesh, const std::string& base_folder) {
  if (const auto* file = std::get_if<MeshFile>(&mesh)) return read_tet_mesh(resolved_path(file->path, base_folder));
  return generate(mesh);
}

// Rotation matrix about an axis of any length; exact for angle 0.
Mat3d rotation(Vec3d axis, double degrees) {
  const double length = std::sqrt(dot(axis, axis));
  if (degrees == 0 || length == 0) return diagonal(1.0, 1.0, 1.0);
  const Vec3d k = (1 / length) * axis;
  const Mat3d cross_k{{0, k.z, -k.y}, {-k.z, 0, k.x}, {k.y, -k.x, 0}};
  const double angle = degrees * std::numbers::pi / 180, half = std::sin(angle / 2);
  return diagonal(1.0, 1.0, 1.0) + std::sin(angle) * cross_k + (2 * half * half) * (cross_k * cross_k);
}

// To its place in the world. A mirrored mesh gets its tets turned, so that volumes stay positive.
void place(const Transform& transform, TetMesh& mesh) {
  const Mat3d r = rotation(to_vec(transform.rotation_axis), transform.rotation_degrees);
  const Vec3d s = to_vec(transform.scale), t = to_vec(transform.translate);
  for (Vec3d& x : mesh.vertices) x = r * Vec3d{s.x * x.x, s.y * x.y, s.z * x.z} + t;
  if (s.x * s.y * s.z < 0)
    for (Tet& tet : mesh.tets) std::swap(tet[2], tet[3]);
}

class Compiler {
 public:
  explicit Compiler(const Scene& scene) : scene_(scene), clock_(out_.stages) {}

  Result<CompiledScene> run() {
    Faults faults;
    check_values(scene_, faults);
    check_meaning(scene_, faults);
    if (!faults.empty()) return faults.error(scene_.source);
    if (const std::optional<int64_t> available = available_memory()) {
      if (Status s = check_size(scene_, *available); !s.ok()) return s.error();
    }

    for (const SceneObject& object : scene_.objects)
      if (Status s = add(object); !s) return s.error();
    clock_.finish("meshes", mesh_bytes());
    for (size_t k = 0; k < scene_.loads.size(); ++k)
      if (Status s = add(scene_.loads[k], format("loads.%zu", k)); !s) return s.error();
    if (Status s = make_model(); !s) return s.error();
    clock_.finish("model", out_.model.memory_bytes());
    start();
    for (size_t k = 0; k < scene_.pins.size(); ++k)
      if (Status s = add(scene_.pins[k], format("pins.%zu", k)); !s) return s.error();
    clock_.finish("start and pins", start_bytes());
    if (Status s = check_range(scene_, out_); !s) return s.error();
    if (Status s = check_equilibrium(scene_, out_, out_.warnings); !s) return s.error();
    look_for_oddities(scene_, out_, out_.warnings);
    return std::move(out_);
  }

 private:
  Error fault(const std::string& line, const std::string& remedy = "") const { return {scene_.source, line, remedy}; }
  // A fault that was found below a path.
  Error fault(const std::string& path, const Error& error) const {
    return fault(path + ": " + error.where + ": " + error.what, error.remedy);
  }

  const ObjectPart& part(const std::string& name) const {
    return *std::find_if(out_.objects.begin(), out_.objects.end(), [&](const ObjectPart& p) { return p.name == name; });
  }
  VertexRange range(const std::string& name) const {
    const ObjectPart& p = part(name);
    return {p.name, p.first_vertex, p.last_vertex};
  }

  Status add(const SceneObject& object) {
    const std::string path = "objects." + object.name;
    Result<TetMesh> loaded = load(object.mesh, scene_.base_folder);
    if (!loaded) return fault(path + ".mesh", loaded.error());
    TetMesh& mesh = *loaded;
    const size_t tets_in_file = mesh.tets.size();
    place(object.transform, mesh);
    Result<RepairReport> repaired = repair(mesh);
    if (!repaired) return fault(path + ".mesh", repaired.error());
    for (const std::string& sentence : repaired->sentences()) warn(joined({path, ".mesh: ", sentence}));

    TetMesh& all = out_.mesh;
    if (all.vertices.size() + mesh.vertices.size() > kMostItems || all.tets.size() + mesh.tets.size() > kMostItems)
      return fault(path + ".mesh: all meshes together have more than 2^31 vertices or tetrahedra", "use coarser ones");
    ObjectPart part;
    part.name = object.name;
    part.color = object.color;
    part.first_vertex = static_cast<int32_t>(all.vertices.size());
    part.first_tet = static_cast<int32_t>(all.tets.size());
    if (Status s = assign_materials(object, mesh, path); !s) return s;
    if (object.stiffness_factors) {
      if (Status s = add_factors(object, tets_in_file, repaired->kept_tets, path, part); !s) return s;
    }
    add_surface(mesh, path, part);
    all.vertices.insert(all.vertices.end(), mesh.vertices.begin(), mesh.vertices.end());
    for (Tet tet : mesh.tets) {
      for (int32_t& v : tet) v += part.first_vertex;
      all.tets.push_back(tet);
    }
    mesh.regions.resize(mesh.tets.size());
    all.regions.insert(all.regions.end(), mesh.regions.begin(), mesh.regions.end());
    part.last_vertex = static_cast<int32_t>(all.vertices.size());
    part.last_tet = static_cast<int32_t>(all.tets.size());
    out_.objects.push_back(std::move(part));
    return {};
  }

  // Of the tets that the repair has kept, behind those of the objects before.
  Status add_factors(const SceneObject& object, size_t tets_in_file, const std::vector<int32_t>& kept,
                     const std::string& path, ObjectPart& part) {
    Result<std::vector<double>> read =
        read_stiffness_factors(*object.stiffness_factors, tets_in_file, scene_.base_folder);
    if (!read) return fault(path + ".stiffness_factors" + read.error().where + read.error().what, read.error().remedy);
    std::vector<double>& factors = *read;
    for (size_t k = 0; k < kept.size(); ++k) factors[k] = factors[static_cast<size_t>(kept[k])];
    if (!kept.empty()) factors.resize(kept.size());
    part.mean_stiffness_factor =
        std::accumulate(factors.begin(), factors.end(), 0.0) / static_cast<double>(factors.size());
    input_.stiffness_factor.resize(static_cast<size_t>(part.first_tet), 1.0);
    input_.stiffness_factor.insert(input_.stiffness_factor.end(), factors.begin(), factors.end());
    return {};
  }

  void add_surface(const TetMesh& mesh, const std::string& path, ObjectPart& part) {
    Boundary boundary = extract_boundary(mesh);
    if (const int64_t faces = boundary.crowded_faces + boundary.folded_faces; faces > 0)
      warn(path + format(".mesh: overlaps itself at %lld faces", static_cast<long long>(faces)));
    for (const int32_t tet : boundary.tets) {
      const auto block = static_cast<size_t>(input_.block_of_tet[static_cast<size_t>(part.first_tet + tet)]);
      part.surface_materials.push_back(material_of_block_[block]);
    }
    part.surface = std::move(boundary.triangles);
    for (Triangle& triangle : part.surface)
      for (int32_t& v : triangle) v += part.first_vertex;
  }

  // The block of each tet: by its region's material, or the object's.
  Status assign_materials(const SceneObject& object, const TetMesh& mesh, const std::string& path) {
    std::map<int32_t, int32_t> block_of_label;
    std::set<int32_t> labels(mesh.regions.begin(), mesh.regions.end());
    for (const auto& [label, material] : object.regions) {
      if (!labels.contains(label)) {
        std::string known;
        for (const int32_t l : labels) {
          known += (known.empty() ? "" : ", ") + std::to_string(l);
          if (known.size() > 60) {
            known += ", ...";
            break;
          }
        }
        return fault(path + format(".regions.%d: the mesh has no region of this label", label),
                     known.empty() ? "it has no regions at all" : "its labels are " + known);
      }
      block_of_label[label] = block_of(material, object);
    }
    const bool all_mapped = !labels.empty() && block_of_label.size() == labels.size();
    const int32_t own = all_mapped ? 0 : block_of(object.material, object);
    for (size_t e = 0; e < mesh.tets.size(); ++e) {
      const auto at = mesh.regions.empty() ? block_of_label.end() : block_of_label.find(mesh.regions[e]);
      input_.block_of_tet.push_back(at == block_of_label.end() ? own : at->second);
    }
    return {};
  }

  // Blocks are made when first used: materials that nothing is made of take no part. An object with stiffness factors
  // has blocks of its own, so that others of its materials keep the layouts that such factors preclude.
  int32_t block_of(const std::string& material, const SceneObject& object) {
    const std::string owner = object.stiffness_factors ? object.name : "";
    const auto [at, is_new] = blocks_.try_emplace({material, owner}, static_cast<int32_t>(input_.blocks.size()));
    if (is_new) {
      const auto found = std::find_if(scene_.materials.begin(), scene_.materials.end(),
                                      [&](const SceneMaterial& other) { return other.name == material; });
      const SceneMaterial& m = *found;
      material_of_block_.push_back(static_cast<int32_t>(found - scene_.materials.begin()));
      ElasticBlock block;
      block.material = *material_named(m.model);
      block.lame = m.mu ? Lame{*m.mu, *m.lambda} : lame_from(m.youngs_modulus, m.poisson_ratio);
      block.damping = m.damping;
      input_.blocks.push_back(block);
      input_.density_of_block.push_back(m.density);
    }
    return at->second;
  }

  Result<std::vector<int32_t>> select(const Selection& selection, const std::string& object, const std::string& path) {
    Result<std::vector<int32_t>> chosen =
        select_vertices(selection, out_.mesh.vertices, range(object), scene_.base_folder);
    if (!chosen) return fault(path + ".select" + chosen.error().where + chosen.error().what, chosen.error().remedy);
    return chosen;
  }

  Status add(const SceneLoad& load, const std::string& path) {
    Result<std::vector<int32_t>> chosen = select(load.select, load.object, path);
    if (!chosen) return chosen.error();
    const std::vector<Vec3d>& x = out_.mesh.vertices;
    std::vector<uint8_t> is_chosen(x.size());
    for (const int32_t v : *chosen) is_chosen[v] = 1;
    std::vector<Vec3d>& force = input_.extra_force;
    force.resize(x.size());
    const ObjectPart& object = part(load.object);
    const Vec3d value = to_vec(load.value);

    double measure = 0;  // [m^2] or [m^3] that the load acts on
    if (load.kind == SceneLoad::Kind::traction) {
      for (const Triangle& t : object.surface) {
        if (!is_chosen[t[0]] || !is_chosen[t[1]] || !is_chosen[t[2]]) continue;
        const Vec3d normal = cross(x[t[1]] - x[t[0]], x[t[2]] - x[t[0]]);
        const double area = std::sqrt(dot(normal, normal)) / 2;
        for (const int32_t v : t) force[v] += (area / 3) * value;
        measure += area;
      }
    } else {
      for (int32_t e = object.first_tet; e < object.last_tet; ++e) {
        const Tet& t = out_.mesh.tets[e];
        if (!is_chosen[t[0]] || !is_chosen[t[1]] || !is_chosen[t[2]] || !is_chosen[t[3]]) continue;
        const double volume = dot(x[t[1]] - x[t[0]], cross(x[t[2]] - x[t[0]], x[t[3]] - x[t[0]])) / 6;
        for (const int32_t v : t) force[v] += (volume / 4) * value;
        measure += volume;
      }
    }
    if (measure > 0) return {};
    const char* what = load.kind == SceneLoad::Kind::traction ? "face of the boundary" : "tetrahedron";
    return fault(
        path + format(".select: %zu vertices, but no %s has all of its vertices among them", chosen->size(), what),
        "select more of the object");
  }

  Status make_model() {
    input_.mesh = &out_.mesh;
    if (!input_.stiffness_factor.empty()) input_.stiffness_factor.resize(out_.mesh.tets.size(), 1.0);
    input_.gravity = to_vec(scene_.gravity);
    input_.damping_form = scene_.own_block_damping ? DampingForm::own_block : DampingForm::element;
    input_.cluster_vertices = scene_.solver.cluster_vertices;
    Result<Model> model = compile_model(input_);
    if (!model) return fault("objects", model.error());
    out_.model = std::move(*model);
    return {};
  }

  void start() {
    out_.start = rest_state(out_.model);
    const VertexOrder& order = out_.model.order;
    for (size_t k = 0; k < scene_.objects.size(); ++k) {
      const Vec3d stretch = to_vec(scene_.objects[k].stretch), velocity = to_vec(scene_.objects[k].velocity);
      for (int32_t v = out_.objects[k].first_vertex; v < out_.objects[k].last_vertex; ++v) {
        const auto slot = static_cast<int32_t>(order.slot(UserVertex{v}));
        const Vec3d x = out_.mesh.vertices[v];
        out_.start.x[slot] = {stretch.x * x.x, stretch.y * x.y, stretch.z * x.z};
        out_.start.v[slot] = velocity;
        out_.start.v_before[slot] = velocity;
      }
    }
  }

  Status add(const ScenePin& pin, const std::string& path) {
    Result<std::vector<int32_t>> chosen = select(pin.select, pin.object, path);
    if (!chosen) return chosen.error();
    PinScript script;
    Vec3d sum{};
    for (const int32_t v : *chosen) {
      const auto slot = static_cast<int32_t>(out_.model.order.slot(UserVertex{v}));
      script.slots.push_back(slot);
      script.start.push_back(out_.start.x[slot]);
      sum += out_.start.x[slot];
    }
    script.center = pin.motion.center ? to_vec(*pin.motion.center) : (1.0 / static_cast<double>(chosen->size())) * sum;
    script.axis = to_vec(pin.motion.axis);
    script.smooth = pin.motion.smooth;
    for (const Keyframe& k : pin.motion.keyframes)
      script.keys.push_back({k.time, to_vec(k.translate), k.rotate_degrees * std::numbers::pi / 180, to_vec(k.scale)});
    if (pin.release) script.release = *pin.release;
    out_.pins.push_back(std::move(script));
    return {};
  }

  void warn(std::string sentence) { out_.warnings.push_back(std::move(sentence)); }

  size_t mesh_bytes() const {
    size_t bytes = out_.mesh.vertices.capacity() * sizeof(Vec3d) + out_.mesh.tets.capacity() * sizeof(Tet) +
                   out_.mesh.regions.capacity() * sizeof(int32_t);
    for (const ObjectPart& part : out_.objects)
      bytes += part.surface.capacity() * sizeof(Triangle) + part.surface_materials.capacity() * sizeof(int32_t);
    return bytes;
  }
  size_t start_bytes() const {
    size_t bytes = 3 * out_.start.x.capacity() * sizeof(Vec3d);
    for (const PinScript& pin : out_.pins)
      bytes += pin.slots.capacity() * sizeof(int32_t) + pin.start.capacity() * sizeof(Vec3d);
    return bytes;
  }

  const Scene& scene_;
  CompiledScene out_;
  ModelInput input_;
  std::map<std::pair<std::string, std::string>, int32_t> blocks_;  // by material and owner
  std::vector<int32_t> material_of_block_;
  StageClock clock_;
};

}  // namespace

Result<CompiledScene> compile_scene(const Scene& scene) {
  return Compiler(scene).run();
}

}  // namespace sinew
