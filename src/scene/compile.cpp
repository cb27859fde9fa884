#include "scene/compile.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <set>
#include <span>
#include <tuple>

#include "base/format.h"
#include "base/nearest.h"
#include "io/available_memory.h"
#include "math/rotation.h"
#include "mesh/topology.h"
#include "scene/bind.h"
#include "scene/check.h"
#include "scene/check_compiled.h"
#include "scene/check_size.h"
#include "scene/describe_keys.h"
#include "scene/fibres.h"
#include "scene/generated.h"
#include "scene/load_forces.h"
#include "scene/object_mesh.h"
#include "scene/places.h"
#include "scene/region_labels.h"
#include "scene/selection.h"
#include "scene/skin.h"
#include "scene/spring_mesh.h"
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

Tet shifted(Tet t, int32_t by) {
  for (size_t k = 0; k < corner_count(t); ++k) t[k] += by;
  return t;
}

// Behind the last `count` items, theirs of the copies 1 .. copies-1.
template <class T, class Of>
void repeat(std::vector<T>& items, size_t count, size_t copies, const Of& of_copy) {
  const size_t first = items.size() - count;
  items.reserve(first + count * copies);
  for (size_t copy = 1; copy < copies; ++copy)
    for (size_t k = 0; k < count; ++k) items.push_back(of_copy(items[first + k], copy));
}

class Compiler {
 public:
  Compiler(const Scene& scene, ThreadPool& pool, const ProgressListener& progress)
      : scene_(scene), pool_(pool), progress_(progress), clock_(out_.stages) {}

  Result<CompiledScene> run() {
    Faults faults;
    check_values(scene_, faults);
    check_meaning(scene_, faults);
    if (!faults.empty()) return faults.error(scene_.source);
    if (const std::optional<int64_t> available = available_memory()) {
      if (Status s = check_size(scene_, *available); !s.ok()) return s.error();
    }

    // Meshes take about a third of the time.
    for (size_t k = 0; k < scene_.objects.size(); ++k) {
      const auto share = [&](size_t n) {
        return 0.35 * static_cast<double>(n) / static_cast<double>(scene_.objects.size());
      };
      mesh_progress_ = sinew::part_of(progress_, share(k), share(k + 1));
      tell(mesh_progress_, "meshes", 0);
      if (Status s = add(scene_.objects[k]); !s) return s.error();
    }
    for (const Muscle& muscle : muscles_)
      if (Status s = add_fibres(muscle); !s) return s.error();
    clock_.finish("meshes", mesh_bytes());
    for (size_t k = 0; k < scene_.loads.size(); ++k) {
      if (!is_constant_density(scene_.loads[k])) continue;
      input_.extra_force.resize(mesh_.vertices.size());
      if (Status s = spread(scene_.loads[k], format("loads.%zu", k), input_.extra_force); !s) return s.error();
    }
    for (size_t k = 0; k < scene_.bindings.size(); ++k)
      if (Status s = add(scene_.bindings[k], k); !s) return s.error();
    tell(progress_, "order", 0.35);
    if (Status s = make_model(); !s) return s.error();
    clock_.finish("model", out_.model.memory_bytes());
    tell(progress_, "start and pins", 0.9);
    start();
    for (size_t k = 0; k < scene_.loads.size(); ++k) {
      if (is_constant_density(scene_.loads[k])) continue;
      if (Status s = add(scene_.loads[k], format("loads.%zu", k)); !s) return s.error();
    }
    for (size_t k = 0; k < scene_.pins.size(); ++k)
      if (Status s = add(scene_.pins[k], format("pins.%zu", k)); !s) return s.error();
    for (const SceneProbe& probe : scene_.probes) {
      Result<std::vector<int32_t>> chosen = select(probe.select, probe.object, "probes." + probe.name);
      if (!chosen) return chosen.error();
      out_.probes.push_back({probe.name, std::move(*chosen)});
    }
    clock_.finish("start and pins", start_bytes());
    if (Status s = check_range(scene_, mesh_, out_); !s) return s.error();
    if (Status s = check_equilibrium(scene_, mesh_, out_, out_.warnings); !s) return s.error();
    look_for_oddities(scene_, mesh_, out_, out_.warnings);
    return std::move(out_);
  }

 private:
  Error fault(const std::string& line, const std::string& remedy = "") const { return {scene_.source, line, remedy}; }
  // A fault that was found below a path.
  Error fault(const std::string& path, const Error& error) const {
    return fault(joined({path, ": ", error.where, error.where.empty() ? "" : ": ", error.what}), error.remedy);
  }

  const ObjectPart& part(const std::string& name) const {
    return *std::find_if(out_.objects.begin(), out_.objects.end(), [&](const ObjectPart& p) { return p.name == name; });
  }
  VertexRange range(const std::string& name) const {
    const ObjectPart& p = part(name);
    return {p.name, p.first_vertex, p.last_vertex, p.groups, p.bodies};
  }

  Status add(const SceneObject& object) {
    const std::string path = "objects." + object.name;
    if (is_of_springs(object.mesh)) return add_springs(object, path);
    Result<ObjectMesh> loaded = load_object_mesh(object, scene_.base_folder, pool_, mesh_progress_);
    if (!loaded) return fault(path + ".mesh", loaded.error());
    for (const std::string& sentence : loaded->warnings) warn(joined({path, ".mesh: ", sentence}));
    TetMesh& mesh = loaded->mesh;
    if (Status s = check_count(object, mesh, path); !s) return s;
    ObjectPart part = part_of(object);
    part.groups = std::move(loaded->groups);
    if (Status s = assign_materials(object, mesh, part.groups, path); !s) return s;
    if (object.stiffness_factors) {
      if (Status s = add_factors(object, *loaded, path, part); !s) return s;
    }
    add_surface(object, mesh, path, part);
    if (!object.skin.empty()) {
      if (Status s = add_skin(object, mesh, path, part); !s) return s;
    }
    append_copies(object, mesh, part);
    if (object.fibres)
      muscles_.push_back({&object, out_.objects.size(), loaded->tets_in_file, std::move(loaded->kept_tets)});
    out_.objects.push_back(std::move(part));
    return {};
  }

  Status check_count(const SceneObject& object, const TetMesh& mesh, const std::string& path) const {
    const double copies = copy_count(object);
    if (static_cast<double>(mesh_.vertices.size()) + skin_points_ + copies * static_cast<double>(mesh.vertices.size()) >
            kMostItems ||
        static_cast<double>(mesh_.tets.size()) + copies * static_cast<double>(mesh.tets.size()) > kMostItems)
      return fault(path + ".mesh: all meshes together have more than 2^31 vertices or tetrahedra", "use coarser ones");
    return {};
  }

  // What comes behind all that is there.
  ObjectPart part_of(const SceneObject& object) const {
    ObjectPart part;
    part.name = object.name;
    part.color = object.color;
    part.bodies = static_cast<int32_t>(copy_count(object));
    part.first_vertex = static_cast<int32_t>(mesh_.vertices.size());
    part.first_tet = static_cast<int32_t>(mesh_.tets.size());
    return part;
  }

  // Springs are at rest as they lie in the world.
  Status add_springs(const SceneObject& object, const std::string& path) {
    SpringMesh springs = make_springs(object.mesh);
    TetMesh mesh{.vertices = std::move(springs.points), .tets = {}, .regions = {}};
    place(object.transform, mesh.vertices);
    if (Status s = check_count(object, mesh, path); !s) return s;
    ObjectPart part = part_of(object);
    part.surface = std::move(springs.triangles);
    for (Triangle& triangle : part.surface)
      for (int32_t& v : triangle) v += part.first_vertex;
    append_copies(object, mesh, part);

    input_.point_mass.resize(static_cast<size_t>(part.first_vertex), 0.0);
    const auto points = static_cast<int32_t>(mesh.vertices.size());
    for (int32_t first = part.first_vertex; first < part.last_vertex; first += points) {
      input_.point_mass.insert(input_.point_mass.end(), springs.masses.begin(), springs.masses.end());
      for (const SpringMesh::Spring& spring : springs.springs) {
        const Vec3d along = mesh.vertices[spring.a] - mesh.vertices[spring.b];
        input_.ties.add_spring(first + spring.a, first + spring.b, spring.stiffness, std::sqrt(dot(along, along)),
                               springs.damping);
      }
    }
    out_.objects.push_back(std::move(part));
    return {};
  }

  // Of the tets that the repair has kept, behind those of the objects before.
  Status add_factors(const SceneObject& object, const ObjectMesh& loaded, const std::string& path, ObjectPart& part) {
    Result<std::vector<double>> read =
        read_stiffness_factors(*object.stiffness_factors, loaded.tets_in_file, scene_.base_folder);
    if (!read) return fault(path + ".stiffness_factors" + read.error().where + read.error().what, read.error().remedy);
    std::vector<double>& factors = *read;
    const std::vector<int32_t>& kept = loaded.kept_tets;
    for (size_t k = 0; k < kept.size(); ++k) factors[k] = factors[static_cast<size_t>(kept[k])];
    if (!kept.empty()) factors.resize(kept.size());
    part.mean_stiffness_factor =
        std::accumulate(factors.begin(), factors.end(), 0.0) / static_cast<double>(factors.size());
    input_.stiffness_factor.resize(static_cast<size_t>(part.first_tet), 1.0);
    input_.stiffness_factor.insert(input_.stiffness_factor.end(), factors.begin(), factors.end());
    return {};
  }

  // An object with fibres, and which of its file's tets it has.
  struct Muscle {
    const SceneObject* object;
    size_t part;  // of out_.objects
    size_t tets_in_file;
    std::vector<int32_t> kept_tets;  // empty: all
  };

  // When all objects are in the world: ends of fibres are selected there.
  Status add_fibres(const Muscle& muscle) {
    const SceneFibres& fibres = *muscle.object->fibres;
    const ObjectPart& object = out_.objects[muscle.part];
    const std::string path = "objects." + object.name + ".fibres";
    const Transform& t = muscle.object->transform;
    const Vec3d s = to_vec(t.scale);
    const auto first = static_cast<size_t>(object.first_tet), count = static_cast<size_t>(object.last_tet) - first;
    const FibreBody body{
        .rest = mesh_.vertices,
        .tets = std::span(mesh_.tets).subspan(first, count),
        .regions = out_.regions.empty() ? std::span<const int32_t>() : std::span(out_.regions).subspan(first, count),
        .groups = object.groups,
        .placing = rotation(to_vec(t.rotation_axis), t.rotation_degrees) * diagonal(s.x, s.y, s.z),
        .tets_in_file = muscle.tets_in_file,
        .kept_tets = muscle.kept_tets};
    const auto chosen = [&](const Selection& selection, const std::string& at) {
      Result<std::vector<int32_t>> vertices =
          select_vertices(selection, mesh_.vertices, range(object.name), scene_.base_folder);
      if (vertices) return vertices;
      const Error& e = vertices.error();
      return Result<std::vector<int32_t>>(Error{at + e.where, e.what, e.remedy});
    };
    const Result<std::vector<Vec3d>> along = fibre_directions(fibres.along, body, scene_.base_folder, chosen);
    if (!along) return fault(path + along.error().where + along.error().what, along.error().remedy);
    const auto number = static_cast<int32_t>(input_.muscles.size());
    input_.muscles.push_back(fibres.activation_curve
                                 ? Activation{fibres.activation_curve->times, fibres.activation_curve->values}
                                 : Activation{{0}, {fibres.activation}});
    for (size_t e = 0; e < count; ++e) {
      const Vec3d v = (*along)[e];
      if (dot(v, v) == 0) continue;
      out_.fibre_tets.push_back(static_cast<int32_t>(first + e));
      input_.ties.add_fibre(body.tets[e], mesh_.vertices, v, fibres.peak_stress, fibres.optimal_stretch, number);
    }
    return {};
  }

  // The bodies, one behind the other. What is known of the first is known of all.
  void append_copies(const SceneObject& object, const TetMesh& mesh, ObjectPart& part) {
    const Copies& copies = object.copies;
    const auto count = static_cast<size_t>(copies.count[0]) * copies.count[1] * copies.count[2];
    mesh_.vertices.reserve(mesh_.vertices.size() + count * mesh.vertices.size());
    mesh_.tets.reserve(mesh_.tets.size() + count * mesh.tets.size());
    if (!mesh.regions.empty()) out_.regions.resize(mesh_.tets.size());
    const auto labels = [&] {
      if (mesh.regions.empty() && out_.regions.empty()) return;
      out_.regions.insert(out_.regions.end(), mesh.regions.begin(), mesh.regions.end());
      out_.regions.resize(mesh_.tets.size());
    };
    const Vec3d spacing = to_vec(copies.spacing);
    for (int k = 0; k < copies.count[2]; ++k) {
      for (int j = 0; j < copies.count[1]; ++j) {
        for (int i = 0; i < copies.count[0]; ++i) {
          const Vec3d offset{i * spacing.x, j * spacing.y, k * spacing.z};
          const auto first = static_cast<int32_t>(mesh_.vertices.size());
          for (const Vec3d& x : mesh.vertices) mesh_.vertices.push_back(x + offset);
          for (const Tet& t : mesh.tets) mesh_.tets.push_back(shifted(t, first));
          labels();
        }
      }
    }
    const auto same = [](int32_t value, size_t) { return value; };
    repeat(input_.block_of_tet, mesh.tets.size(), count, same);
    if (object.stiffness_factors)
      repeat(input_.stiffness_factor, mesh.tets.size(), count, [](double value, size_t) { return value; });
    repeat(part.surface_materials, part.surface_materials.size(), count, same);
    repeat(part.surface, part.surface.size(), count, [&](const Triangle& t, size_t copy) {
      const auto shift = static_cast<int32_t>(copy * mesh.vertices.size());
      return Triangle{t[0] + shift, t[1] + shift, t[2] + shift};
    });
    part.last_vertex = static_cast<int32_t>(mesh_.vertices.size());
    part.last_tet = static_cast<int32_t>(mesh_.tets.size());
  }

  void add_surface(const SceneObject& object, const TetMesh& mesh, const std::string& path, ObjectPart& part) {
    if (is_plane(object)) {
      for (size_t e = 0; e < mesh.tets.size(); ++e) {
        const Tet& t = mesh.tets[e];
        part.surface.push_back({t[0] + part.first_vertex, t[1] + part.first_vertex, t[2] + part.first_vertex});
        part.surface_materials.push_back(material_of_block_[input_.block_of_tet[part.first_tet + e]]);
      }
      return;
    }
    Boundary boundary = extract_boundary(mesh, pool_);
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

  // Its triangles are of the material of the tets that carry their first corners.
  Status add_skin(const SceneObject& object, const TetMesh& mesh, const std::string& path, ObjectPart& part) {
    Result<CarriedSkin> read = read_skin(resolved_path(object.skin, scene_.base_folder), object.transform, mesh, pool_);
    if (!read) return fault(path + ".skin", read.error());
    if (!read->warning.empty()) warn(path + ".skin: " + read->warning);
    Skin& skin = read->skin;
    const double bodies = copy_count(object);
    skin.bodies = static_cast<int32_t>(bodies);
    skin_points_ += bodies * static_cast<double>(skin.point_count());
    if (skin_points_ + bodies * static_cast<double>(mesh.vertices.size()) + static_cast<double>(mesh_.vertices.size()) >
        kMostItems)
      return fault(path + ".skin: all skins and meshes together have more than 2^31 vertices", "use coarser ones");
    for (const Triangle& t : skin.triangles) {
      const int32_t tet = part.first_tet + read->tets[t[0]];
      skin.materials.push_back(material_of_block_[input_.block_of_tet[tet]]);
    }
    part.skin = std::make_shared<const Skin>(std::move(skin));
    return {};
  }

  // The block of each tet: by its region's material, or the object's.
  Status assign_materials(const SceneObject& object, const TetMesh& mesh, std::span<const MeshGroup> groups,
                          const std::string& path) {
    std::map<int32_t, int32_t> block_of_label;
    std::set<int32_t> labels(mesh.regions.begin(), mesh.regions.end());
    for (const auto& [region, material] : object.regions) {
      const std::string at = joined({path, ".regions.", region_text(region)});
      const Result<int32_t> label = label_of(region, labels, groups);
      if (!label) return fault(at + label.error().what, label.error().remedy);
      if (block_of_label.contains(*label))
        return fault(joined({at, ": the region has a material already, under its ",
                             std::holds_alternative<int>(region) ? "name" : "label"}),
                     "keep one of them");
      block_of_label[*label] = block_of(material, object);
    }
    const bool all_mapped = !labels.empty() && block_of_label.size() == labels.size();
    if (!all_mapped && object.material.empty()) return without_material(labels, block_of_label, groups, path);
    const int32_t own = all_mapped ? 0 : block_of(object.material, object);
    for (size_t e = 0; e < mesh.tets.size(); ++e) {
      const auto at = mesh.regions.empty() ? block_of_label.end() : block_of_label.find(mesh.regions[e]);
      input_.block_of_tet.push_back(at == block_of_label.end() ? own : at->second);
    }
    return {};
  }

  Error without_material(const std::set<int32_t>& labels, const std::map<int32_t, int32_t>& block_of_label,
                         std::span<const MeshGroup> groups, const std::string& path) const {
    constexpr size_t shown = 8;
    std::vector<std::string> missing;
    for (const int32_t label : labels) {
      if (block_of_label.contains(label)) continue;
      const auto named = std::find_if(groups.begin(), groups.end(),
                                      [&](const MeshGroup& g) { return g.is_region && g.label == label; });
      if (missing.size() < shown) missing.push_back(named == groups.end() ? std::to_string(label) : named->name);
    }
    if (missing.empty()) return fault(path + ".material: missing", "its mesh has no regions");
    if (labels.size() - block_of_label.size() > shown) missing.emplace_back("...");
    return fault(path + ".material: missing, for regions without a material of their own: " + word_list(missing),
                 "give each of them one in regions, or the object a material for all others");
  }

  // Blocks are made when first used: materials that nothing is made of take no part. An object with stiffness factors
  // has blocks of its own, so that others of its materials keep the layouts that such factors preclude.
  int32_t block_of(const std::string& material, const SceneObject& object) {
    const std::string owner = object.stiffness_factors ? object.name : "";
    const int dimension = is_plane(object) ? 2 : 3;
    const auto [at, is_new] =
        blocks_.try_emplace({material, owner, dimension}, static_cast<int32_t>(input_.blocks.size()));
    if (is_new) {
      const auto found = std::find_if(scene_.materials.begin(), scene_.materials.end(),
                                      [&](const SceneMaterial& other) { return other.name == material; });
      const SceneMaterial& m = *found;
      material_of_block_.push_back(static_cast<int32_t>(found - scene_.materials.begin()));
      ElasticBlock block;
      block.material = *material_named(m.model);
      block.lame = m.mu ? Lame{*m.mu, *m.lambda} : lame_from(m.youngs_modulus, m.poisson_ratio);
      block.lame.dimension = dimension;
      block.damping = m.damping;
      input_.blocks.push_back(block);
      input_.density_of_block.push_back(m.density);
    }
    return at->second;
  }

  Result<std::vector<int32_t>> select(const Selection& selection, const std::string& object, const std::string& path) {
    Result<std::vector<int32_t>> chosen = select_vertices(selection, mesh_.vertices, range(object), scene_.base_folder);
    if (!chosen) return fault(path + ".select" + chosen.error().where + chosen.error().what, chosen.error().remedy);
    return chosen;
  }

  // Of volumes or areas at rest, and not over time: it goes into the model. What else needs the model's masses or
  // slots.
  static bool is_constant_density(const SceneLoad& load) {
    return !load.curve && (load.kind == SceneLoad::Kind::body_force || load.kind == SceneLoad::Kind::traction);
  }
  Status spread(const SceneLoad& load, const std::string& path, std::vector<Vec3d>& force) {
    Result<std::vector<int32_t>> chosen = select(load.select, load.object, path);
    if (!chosen) return chosen.error();
    if (add_load(load, part(load.object), mesh_, *chosen, force) > 0) return {};
    return load.kind == SceneLoad::Kind::traction ? no_face(path, chosen->size())
                                                  : nothing_whole(path, chosen->size(), "tetrahedron");
  }
  Error nothing_whole(const std::string& path, size_t chosen, const char* what) const {
    return fault(path + format(".select: %zu vertices, but no %s has all of its vertices among them", chosen, what),
                 "select more of the object");
  }
  Error no_face(const std::string& path, size_t chosen) const {
    return nothing_whole(path, chosen, "face of the boundary");
  }

  int32_t slot_of(int32_t vertex) const { return static_cast<int32_t>(out_.model.order.slot(UserVertex{vertex})); }

  Status add(const SceneLoad& load, const std::string& path) {
    LoadScript script;
    if (load.curve) script.factor = {load.curve->times, load.curve->values};
    if (load.kind == SceneLoad::Kind::pressure || load.kind == SceneLoad::Kind::wind) {
      Result<std::vector<int32_t>> chosen = select(load.select, load.object, path);
      if (!chosen) return chosen.error();
      std::vector<Face> faces;
      for (const Triangle& t : chosen_faces(part(load.object), mesh_, *chosen))
        faces.push_back({slot_of(t[0]), slot_of(t[1]), slot_of(t[2])});
      if (faces.empty()) return no_face(path, chosen->size());
      if (load.kind == SceneLoad::Kind::pressure) {
        script.load = PressureLoad{std::move(faces), load.pressure};
      } else {
        const SceneWind& w = load.wind;
        const ObjectPart& object = part(load.object);
        script.load = WindLoad{
            std::move(faces), to_vec(w.velocity), w.density, w.drag, w.lift, object.first_tet == object.last_tet};
      }
      out_.loads.push_back(std::move(script));
      return {};
    }
    std::vector<Vec3d> force(mesh_.vertices.size());
    if (Status s = forces_of(load, path, force); !s) return s;
    if (!load.curve) {
      std::vector<Vec3d>& constant = out_.model.extra_force;
      constant.resize(static_cast<size_t>(out_.model.slot_count()));
      for (size_t v = 0; v < force.size(); ++v) constant[slot_of(static_cast<int32_t>(v))] += force[v];
      return {};
    }
    ForceLoad given;
    for (size_t v = 0; v < force.size(); ++v) {
      if (dot(force[v], force[v]) == 0) continue;
      given.slots.push_back(slot_of(static_cast<int32_t>(v)));
      given.forces.push_back(force[v]);
    }
    script.load = std::move(given);
    out_.loads.push_back(std::move(script));
    return {};
  }

  // At vertices, in the user's order.
  Status forces_of(const SceneLoad& load, const std::string& path, std::vector<Vec3d>& force) {
    if (load.kind == SceneLoad::Kind::body_force || load.kind == SceneLoad::Kind::traction)
      return spread(load, path, force);
    Result<std::vector<int32_t>> chosen = select(load.select, load.object, path);
    if (!chosen) return chosen.error();
    const Vec3d value = to_vec(load.value);
    std::vector<double> mass(mesh_.vertices.size());
    for (size_t v = 0; v < mass.size(); ++v) mass[v] = out_.model.mass[slot_of(static_cast<int32_t>(v))];
    if (load.kind == SceneLoad::Kind::acceleration) {
      for (const int32_t v : *chosen) force[v] = mass[v] * value;
      return {};
    }
    const std::vector<double> shares = shares_of_force(part(load.object), mesh_, *chosen, mass);
    for (size_t k = 0; k < shares.size(); ++k) force[(*chosen)[k]] = shares[k] * value;
    return {};
  }

  // The vertices on the object's surface; of a chain all that were chosen.
  static std::vector<int32_t> on_surface(const std::vector<int32_t>& chosen, const ObjectPart& object) {
    if (object.surface.empty()) return chosen;
    std::vector<int32_t> surface, both;
    for (const Triangle& t : object.surface) surface.insert(surface.end(), t.begin(), t.end());
    std::sort(surface.begin(), surface.end());
    surface.erase(std::unique(surface.begin(), surface.end()), surface.end());
    std::set_intersection(chosen.begin(), chosen.end(), surface.begin(), surface.end(), std::back_inserter(both));
    return both;
  }

  Status add(const SceneBinding& binding, size_t number) {
    const std::string path = format("bindings.%zu", number);
    Result<std::vector<int32_t>> first = select(binding.bind.select, binding.bind.object, path + ".bind");
    if (!first) return first.error();
    const std::vector<int32_t> vertices = on_surface(*first, part(binding.bind.object));
    if (vertices.empty())
      return fault(path + format(".bind.select: %zu vertices, but none of them lies on the surface", first->size()),
                   "select some that do");
    Result<std::vector<int32_t>> second = select(binding.to.select, binding.to.object, path + ".to");
    if (!second) return second.error();
    std::vector<Triangle> triangles;
    const auto is_chosen = [&](int32_t v) { return std::binary_search(second->begin(), second->end(), v); };
    for (const Triangle& t : part(binding.to.object).surface)
      if (is_chosen(t[0]) && is_chosen(t[1]) && is_chosen(t[2])) triangles.push_back(t);
    if (triangles.empty())
      return fault(path + format(".to.select: %zu vertices, but no triangle of the surface has all of its vertices "
                                 "among them",
                                 second->size()),
                   "select more of the object");

    const Bound bound = bind_vertices(binding, vertices, triangles, mesh_.vertices, input_.ties);
    if (std::isinf(bound.nearest))
      return fault(path + ".bind.select: all of its vertices belong to the triangles that they would be bound to",
                   "select others");
    if (bound.vertices.empty())
      return fault(
          path + format(".distance = %g [m]: no vertex of '%s' lies so near to the surface of '%s': the "
                        "smallest distance there is is %.6g m",
                        binding.distance, binding.bind.object.c_str(), binding.to.object.c_str(), bound.nearest),
          "use a larger distance, or move the objects nearer to each other");
    warn_of_bound_twice(bound.vertices, number);
    return {};
  }

  void warn_of_bound_twice(const std::vector<int32_t>& vertices, size_t number) {
    bound_by_.resize(mesh_.vertices.size(), -1);
    std::map<int32_t, size_t> shared;
    for (const int32_t v : vertices) {
      if (bound_by_[v] >= 0) ++shared[bound_by_[v]];
      bound_by_[v] = static_cast<int32_t>(number);
    }
    for (const auto& [before, count] : shared)
      warn(format("bindings.%zu binds %zu vert%s that bindings.%d binds too: both pull", number, count,
                  count == 1 ? "ex" : "ices", before));
  }

  Status make_model() {
    input_.mesh = &mesh_;
    if (!input_.point_mass.empty()) input_.point_mass.resize(mesh_.vertices.size(), 0.0);
    if (!input_.stiffness_factor.empty()) input_.stiffness_factor.resize(mesh_.tets.size(), 1.0);
    input_.gravity = to_vec(scene_.gravity);
    input_.damping_form = scene_.own_block_damping ? DampingForm::own_block : DampingForm::strain_rate;
    input_.cluster_vertices = scene_.solver.cluster_vertices;
    Result<Model> model = compile_model(input_, pool_);
    if (!model) return fault("objects", model.error());
    out_.model = std::move(*model);
    out_.material_of_block = material_of_block_;
    return {};
  }

  void start() {
    out_.start = rest_state(out_.model);
    const VertexOrder& order = out_.model.order;
    for (size_t k = 0; k < scene_.objects.size(); ++k) {
      const Vec3d stretch = to_vec(scene_.objects[k].stretch), velocity = to_vec(scene_.objects[k].velocity);
      for (int32_t v = out_.objects[k].first_vertex; v < out_.objects[k].last_vertex; ++v) {
        const auto slot = static_cast<int32_t>(order.slot(UserVertex{v}));
        const Vec3d x = mesh_.vertices[v];
        out_.start.x[slot] = {stretch.x * x.x, stretch.y * x.y, stretch.z * x.z};
        out_.start.v[slot] = velocity;
      }
    }
    lift_apexes(out_.model, out_.start.x);
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
    script.fixed = fixed_directions(pin);
    out_.pins.push_back(std::move(script));
    return {};
  }

  // Orthonormal; none where the pin holds its vertices altogether. A plane body is held in its plane besides.
  std::vector<Vec3d> fixed_directions(const ScenePin& pin) const {
    const Vec3d x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
    const auto unit = [](Vec3d v) { return (1 / std::sqrt(dot(v, v))) * v; };
    using Free = ScenePin::Free;
    std::vector<Vec3d> fixed;
    switch (pin.free) {
      case Free::nothing:
        return {};
      case Free::plane:
        fixed = {unit(to_vec(*pin.normal))};
        break;
      case Free::axis: {
        const Vec3d along = unit(to_vec(*pin.direction));
        // The axis of the world that is farthest from it gives the first direction across.
        const double a = std::abs(along.x), b = std::abs(along.y), c = std::abs(along.z);
        const Vec3d across = unit(cross(along, a <= b && a <= c ? x : b <= c ? y : z));
        fixed = {across, cross(along, across)};
        break;
      }
      case Free::x:
        fixed = {y, z};
        break;
      case Free::y:
        fixed = {x, z};
        break;
      case Free::z:
        fixed = {x, y};
        break;
      case Free::xy:
        fixed = {z};
        break;
      case Free::xz:
        fixed = {y};
        break;
      case Free::yz:
        fixed = {x};
        break;
    }
    const auto object = std::find_if(scene_.objects.begin(), scene_.objects.end(),
                                     [&](const SceneObject& o) { return o.name == pin.object; });
    const bool has_z = std::any_of(fixed.begin(), fixed.end(), [](Vec3d n) { return n.z != 0; });
    if (is_plane(*object) && !has_z) fixed.push_back(z);
    return fixed;
  }

  void warn(std::string sentence) { out_.warnings.push_back(std::move(sentence)); }

  size_t mesh_bytes() const {
    size_t bytes = mesh_.vertices.capacity() * sizeof(Vec3d) + mesh_.tets.capacity() * sizeof(Tet) +
                   out_.regions.capacity() * sizeof(int32_t);
    for (const ObjectPart& part : out_.objects) {
      bytes += part.surface.capacity() * sizeof(Triangle) + part.surface_materials.capacity() * sizeof(int32_t);
      if (part.skin) bytes += part.skin->memory_bytes();
    }
    return bytes;
  }
  size_t start_bytes() const {
    size_t bytes = out_.start.x.capacity() * (2 * sizeof(Vec3d) + sizeof(double));
    for (const PinScript& pin : out_.pins)
      bytes += pin.slots.capacity() * sizeof(int32_t) + pin.start.capacity() * sizeof(Vec3d);
    return bytes;
  }

  const Scene& scene_;
  ThreadPool& pool_;
  const ProgressListener& progress_;
  ProgressListener mesh_progress_;  // of the object that is being added
  CompiledScene out_;
  TetMesh mesh_;  // of all objects, in the world, user order
  ModelInput input_;
  std::map<std::tuple<std::string, std::string, int>, int32_t> blocks_;  // by material, owner and dimension
  std::vector<int32_t> material_of_block_;
  std::vector<Muscle> muscles_;
  std::vector<int32_t> bound_by_;  // of each vertex the last binding; -1: none
  double skin_points_ = 0;         // of all skins
  StageClock clock_;
};

}  // namespace

Result<CompiledScene> compile_scene(const Scene& scene, ThreadPool& pool, const ProgressListener& progress) {
  return Compiler(scene, pool, progress).run();
}

}  // namespace sinew
