#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "accel/accelerator_list.h"
#include "base/format.h"
#include "compile/check_compiled.h"
#include "compile/generated.h"
#include "compile/parts.h"
#include "compile/precision.h"
#include "compile/spring_mesh.h"
#include "math/length.h"
#include "model/vertex_stream.h"
#include "scene/material_values.h"
#include "scene/object_kinds.h"
#include "scene/places.h"
#include "scene/value_text.h"
#include "solver/by_vertex/vertex_solver.h"
#include "solver/solver_list.h"
#include "solver/sweep_order.h"

namespace sinew {

namespace {

// Ranges with ample room for everything that people simulate: atoms to planets, aerogel to osmium, slime to diamond.
// Values outside are mistakes in units.
struct Plausible {
  double low, high;
  bool contains(double v) const { return v >= low && v <= high; }
};
constexpr Plausible plausible_size{1e-8, 1e8};        // [m]
constexpr Plausible plausible_density{1e-3, 1e6};     // [kg/m^3]
constexpr Plausible plausible_stiffness{1e-3, 1e14};  // [Pa]
// Larger bodies are rarely elastic, and large bodies that would sag by more than their size are rarely intended:
// lengths in millimetres have this effect. Lighter solids have their density in g/cm^3; bodies as heavy as metal and as
// soft as rubber have their modulus in MPa or GPa.
constexpr double too_large = 50, large = 5;                 // [m]
constexpr double too_light = 10;                            // [kg/m^3]
constexpr double metal_density = 2500, soft_modulus = 1e7;  // [kg/m^3], [Pa]
// A fall of this many times a body's size shows nothing of its elasticity.
constexpr double far_fall = 2;
// Ratios of a body's weight to what its stiffness can bear, and of a step's motion to its size.
constexpr double too_heavy = 1e3, too_far = 1e3;
// Neo-Hookean under XPBD: its constraint |F| also pulls at rest, which goes unnoticed only if steps are shorter than
// sound takes through an element. With q = mu h^2 / (rho l^2), l^3 six times an element's volume, a free body of 8^3
// cells loses 1.7 q of its volume, for any number of iterations.
constexpr double volume_lost = 1.7, too_much_lost = 0.05;
// Poisson's ratios from which linear elements lock: in any mesh, and in one that tolerates more.
constexpr double locks = 0.45, locks_mildly = 0.49;
// Share of the shortest edge by which rounding may displace a vertex, which is 1 % of strain.
constexpr double coarse_rounding = 0.01;
// A binding this many times as stiff as a body's elements is practically rigid at that precision.
constexpr double rigid_enough_single = 1e2, rigid_enough_double = 1e6;

double length(const Real3& v) {
  return length(to_vec(v));
}

// What a material has in stiffness: its Young's modulus where it is given by it, else its shear modulus at rest [Pa].
struct Stiffness {
  double value;
  const char* key;
};
Stiffness stiffness_of(const SceneMaterial& m) {
  if (const auto young = value_of(m, "youngs_modulus")) return {*young, "youngs_modulus"};
  return {elastic_material(m).lame.mu, value_of(m, "mu") ? "mu" : "shear modulus"};
}
double youngs_modulus_of(const SceneMaterial& m) {
  const Lame lame = elastic_material(m).lame;
  return value_of(m, "youngs_modulus").value_or(lame.mu * (3 * lame.lambda + 2 * lame.mu) / (lame.lambda + lame.mu));
}
double poisson_ratio_of(const SceneMaterial& m) {
  const Lame lame = elastic_material(m).lame;
  return value_of(m, "poisson_ratio").value_or(0.5 * lame.lambda / (lame.lambda + lame.mu));
}
// Under XPBD such a body shrinks.
bool is_stressed_at_rest(const SceneMaterial& m) {
  return traits_of(elastic_material(m).kind).stressed_at_rest();
}

// Their names: "a, b".
std::string materials_with_links() {
  std::string names;
  for (int k = 0; k < material_count; ++k) {
    const MaterialTraits& traits = traits_of(MaterialKind(k));
    if (traits.links) names += (names.empty() ? "" : ", ") + std::string(traits.name);
  }
  return names;
}

class Oddities {
 public:
  Oddities(const Scene& scene, const TetMesh& mesh, const CompiledScene& compiled, std::vector<std::string>& warnings)
      : scene_(scene), mesh_(mesh), compiled_(compiled), warnings_(warnings) {}

  void look() {
    clock();
    gravity();
    clusters();
    layout();
    sweep_order();
    for (const SceneMaterial& m : scene_.materials) material(m, "materials." + m.name);
    for (size_t k = 0; k < scene_.pins.size(); ++k) {
      pin(scene_.pins[k], format("pins.%zu", k));
      held(compiled_.pins[k], format("pins.%zu", k));
    }
    shared_pins();
    for (size_t k = 0; k < scene_.objects.size(); ++k)
      object(scene_.objects[k], compiled_.objects[k], "objects." + scene_.objects[k].name);
    falling();
    for (size_t k = 0; k < scene_.bindings.size(); ++k) binding(scene_.bindings[k], format("bindings.%zu", k));
    for (size_t k = 0; k < scene_.loads.size(); ++k) {
      if (scene_.loads[k].kind == SceneLoad::Kind::wind && !scene_.time.quasistatic)
        wind(scene_.loads[k], format("loads.%zu.wind", k));
    }
  }

 private:
  double step() const { return scene_.time.frame_dt / scene_.time.substeps; }
  SolverTraits solver_traits() const {
    const SolverInfo* solver = find_solver(scene_.solver.type);
    return solver ? solver->traits : SolverTraits{};
  }
  void warn(std::string sentence) { warnings_.push_back(std::move(sentence)); }

  void clock() {
    const TimeSettings& time = scene_.time;
    const double frames = time.duration / time.frame_dt;
    if (std::abs(frames - std::round(frames)) > 1e-6 * frames)
      warn(format("time.duration = %g s is %g frames: the run ends after %.0f", time.duration, frames,
                  std::round(frames)));
  }

  void gravity() {
    const Real3& g = scene_.gravity;
    const double along = scene_.up == UpAxis::z ? g[2] : g[1];
    if (dot(to_vec(g), to_vec(g)) > 2 * along * along || along > 0)
      warn(joined({"gravity = ", vector_text(g), " does not point down, as up is ", name_of(scene_.up)}));
  }

  void clusters() {
    const SolverSettings& s = scene_.solver;
    const SolverInfo* solver = find_solver(s.type);
    if (s.cluster_vertices > 0 && solver && !solver->traits.by_vertex)
      warn(format("solver.cluster_vertices = %d has no effect on %s, which does not sweep the mesh in pieces",
                  s.cluster_vertices, s.type.c_str()));
  }

  void material(const SceneMaterial& m, const std::string& path) {
    const auto [stiffness, key] = stiffness_of(m);
    // Stiffness factors may be moduli in Pa, for a material of 1 Pa.
    const bool multiplied = std::any_of(scene_.objects.begin(), scene_.objects.end(),
                                        [&](const SceneObject& o) { return o.stiffness_factors && uses(o, m); });
    if (!plausible_stiffness.contains(stiffness) && !multiplied)
      warn(
          joined({path, key == std::string_view("youngs_modulus") || key == std::string_view("mu") ? "." : ": ", key}) +
          format(" = %g Pa: implausible for a solid; diamond has %s Pa, jelly 1e3 Pa", stiffness,
                 key == std::string_view("youngs_modulus") ? "1e12" : "5e11"));
    if (!plausible_density.contains(m.density))
      warn(path + format(".density = %g kg/m^3: implausible for a solid; water has 1000 kg/m^3", m.density));
    else if (m.density < too_light)
      warn(path + format(".density = %g kg/m^3: hardly more than air; if it is in g/cm^3, write %g", m.density,
                         1000 * m.density));
    if (plausible_stiffness.contains(stiffness) && stiffness < soft_modulus && m.density >= metal_density &&
        !multiplied)
      warn(path +
           format(": as heavy as stone or metal (density = %g kg/m^3) and as soft as rubber (%s = %g Pa): moduli "
                  "are in Pa; steel has 2e11, so if yours is in MPa, write %g",
                  m.density, key, stiffness, 1e6 * stiffness));
  }

  void pin(const ScenePin& p, const std::string& path) {
    if (p.release && *p.release <= step() * (1 + 1e-9))
      warn(path + format(".release = %g s is not after the first step, at %g s: it holds nothing", *p.release, step()));
    for (size_t k = 0; k < p.motion.keyframes.size(); ++k) {
      const Real3& scale = p.motion.keyframes[k].scale;
      const double least = *std::min_element(scale.begin(), scale.end());
      if (least > 0) continue;
      warn(
          joined({path, format(".motion.keyframes.%zu.scale = ", k), vector_text(scale),
                  least == 0 ? ": presses the held vertices flat" : ": takes the held vertices through a flat state"}));
    }
  }

  void held(const PinScript& pin, const std::string& path) {
    const bool loose = std::all_of(pin.slots.begin(), pin.slots.end(),
                                   [&](int32_t s) { return compiled_.model.mass[static_cast<size_t>(s)] == 0; });
    if (loose) warn(path + ".select: no tetrahedron has any of its vertices: it holds nothing");
  }

  // Reports each pin with earlier pins that hold some of its vertices; for three on one vertex, each with the next.
  void shared_pins() {
    std::vector<int32_t> last(compiled_.model.mass.size(), -1);  // for each slot: the latest pin that holds it
    for (size_t k = 0; k < compiled_.pins.size(); ++k) {
      const PinScript& pin = compiled_.pins[k];
      std::map<int32_t, size_t> shared;
      for (const int32_t slot : pin.slots) {
        int32_t& before = last[static_cast<size_t>(slot)];
        // Pins along which vertices glide are combined.
        if (before >= 0 && pin.fixed.empty() && compiled_.pins[static_cast<size_t>(before)].fixed.empty())
          ++shared[before];
        before = static_cast<int32_t>(k);
      }
      for (const auto& [before, count] : shared) {
        std::string sentence = format("pins.%zu shares %zu vert%s with pins.%d and wins there", k, count,
                                      count == 1 ? "ex" : "ices", before);
        if (pin.release < compiled_.pins[static_cast<size_t>(before)].release)
          sentence += format("; from %g s on pins.%d holds %s again, where its own motion says", pin.release, before,
                             count == 1 ? "it" : "them");
        warn(std::move(sentence));
      }
    }
  }

  // A requested layout that some materials do not support.
  void layout() {
    const SolverSettings& s = scene_.solver;
    const std::string* asked = nullptr;
    for (const OptionValue& option : s.options)
      if (option.name == "layout") asked = std::get_if<std::string>(&option.value);
    const bool packed = asked && *asked == vertex_layout_names[layout_packed];
    if (!packed && !(asked && *asked == vertex_layout_names[layout_links])) return;
    const std::string path = joined({"solver.layout = \"", *asked, "\""});
    if (packed && !in_single_precision(s, compiled_))
      warn(path + ": strips are packed in single precision only; links it is");
    for (const ElasticBlock& block : compiled_.model.blocks) {
      const char* material = traits_of(block.material.kind).name;
      if (!has_links(block))
        warn(joined({path, ": strips are for undamped ", materials_with_links(), "; ", material,
                     block.damping > 0 ? " with damping" : "", " is swept as rest frames"}));
      else if (packed && compiled_.model.has_stiffness_factors(block))
        warn(joined({path, ": stiffness factors do not pack; ", material, " with them is swept in full strips"}));
    }
  }

  // Accelerators extrapolate from iterates of one map, which symmetric and random sweeps are not.
  void sweep_order() {
    const SolverSettings& s = scene_.solver;
    if (s.accelerator == accelerator_list().front().name) return;
    for (const OptionValue& option : s.options) {
      const std::string* order = option.name == "sweep_order" ? std::get_if<std::string>(&option.value) : nullptr;
      if (!order || (*order != sweep_order_names[sweep_symmetric] && *order != sweep_order_names[sweep_random]))
        continue;
      warn(joined({"solver.sweep_order = \"", *order, "\": accelerators expect one sweep to be like another: ",
                   s.accelerator, " gains more from forward or backward ones"}));
    }
  }

  void copies(const Copies& c, const std::string& path) {
    for (size_t axis = 0; axis < 3; ++axis)
      if (c.count[axis] > 1 && c.spacing[axis] == 0)
        warn(path + format(".copies: %d bodies along %c lie in the same place; give copies.spacing", c.count[axis],
                           static_cast<char>('x' + axis)));
  }

  // An even number of negative factors rotates the body, which is valid.
  void stretch(const SceneObject& o, const std::string& path) {
    const double volume = o.stretch[0] * o.stretch[1] * o.stretch[2];
    if (volume > 0) return;
    warn(joined({path, ".stretch = ", vector_text(o.stretch),
                 volume == 0 ? ": presses the body flat" : ": turns the body inside out"}));
  }

  void object(const SceneObject& o, const ObjectPart& part, const std::string& path) {
    stretch(o, path);
    copies(o.copies, path);
    if (scene_.time.quasistatic && o.velocity != Real3{}) warn(path + ".velocity has no effect in quasistatics");

    const std::vector<Vec3d>& x = mesh_.vertices;
    // The size of one body, if there are copies.
    const auto bodies = static_cast<int32_t>(copy_count(o));
    const int32_t last_vertex = part.first_vertex + (part.last_vertex - part.first_vertex) / bodies;
    const double size = bounds_of(x, part.first_vertex, last_vertex).diagonal();
    if (!plausible_size.contains(size))
      warn(path + format(" is %.3g m large: lengths are in metres", size));
    else
      millimetres(o, part, size, path);
    weight(o, part, size, path);
    const double g = acceleration(part);
    if (!scene_.time.quasistatic) motion(o, g, size, path);
    const SolverTraits traits = solver_traits();
    if (!scene_.time.quasistatic && traits.dynamic && traits.shrinks_at_rest) shrinking(o, part, path);
    if (scene_.time.quasistatic && traits.quasistatic && traits.shrinks_at_rest) collapsing(o, path);
    if (!scene_.time.quasistatic && traits.carried_by_iteration > 0) hanging(o, part, path);
    rounding(part, g, path);
    locking(o, path);
  }

  // Sizes that would be ordinary if their numbers were millimetres.
  void millimetres(const SceneObject& o, const ObjectPart& part, double size, const std::string& path) {
    double sag = 0, mass = 0;  // of its size, for the softest of its materials; [kg] of one body
    for (const SceneMaterial& m : scene_.materials)
      if (uses(o, m))
        sag = std::max(
            sag, m.density * length(scene_.gravity) * size / (part.mean_stiffness_factor * stiffness_of(m).value));
    if (size < too_large && !(size >= large && sag > 1)) return;
    const Model& model = compiled_.model;
    for (int32_t v = part.first_vertex; v < part.last_vertex; ++v)
      mass += model.mass[static_cast<size_t>(model.order.slot(UserVertex{v}))];
    std::string sentence =
        path + format(" is %.3g m large and weighs %.3g kg", size, mass / static_cast<double>(part.bodies));
    if (sag > 1) sentence += format(", and its own weight would squeeze it by %.2g times its size", sag);
    warn(sentence + ": lengths are in metres; if these are millimetres, " +
         (std::holds_alternative<MeshFile>(o.mesh) || std::holds_alternative<MeshTriangles>(o.mesh)
              ? "add \"transform\": { \"scale\": 0.001 } to it"
              : "write them in metres"));
  }

  // Bodies that nothing holds and that fall far.
  void falling() {
    if (scene_.time.quasistatic) return;
    const Model& model = compiled_.model;
    DisjointSets parts = parts_of(mesh_, model);
    struct Part {
      double mass = 0;  // [kg]
      Vec3d force{};    // [N]
      bool held = false;
    };
    // There are few parts with many vertices, so only the parts are stored.
    std::vector<Part> all;
    std::vector<int32_t> number(mesh_.vertices.size(), -1);
    const auto part_of = [&](int32_t v) -> Part& {
      int32_t& k = number[static_cast<size_t>(parts.find(v))];
      if (k < 0) {
        k = static_cast<int32_t>(all.size());
        all.emplace_back();
      }
      return all[static_cast<size_t>(k)];
    };
    for (int32_t v = 0; v < model.order.vertex_count(); ++v) {
      const auto slot = static_cast<size_t>(model.order.slot(UserVertex{v}));
      part_of(v).mass += model.mass[slot];
      part_of(v).force += model.external_force(slot);
    }
    for (const PinScript& pin : compiled_.pins)
      for (const int32_t slot : pin.slots) part_of(static_cast<int32_t>(model.order.vertex(Slot{slot}))).held = true;
    // Loads that change over time or with the body's position may hold it.
    const auto carry = [&](int32_t slot) { part_of(static_cast<int32_t>(model.order.vertex(Slot{slot}))).held = true; };
    for (const LoadScript& script : compiled_.loads)
      std::visit(
          [&]<class Load>(const Load& load) {
            if constexpr (std::is_same_v<Load, ForceLoad>) {
              for (const int32_t slot : load.slots) carry(slot);
            } else {
              for (const Face& face : load.faces) carry(face[0]);
            }
          },
          script.load);

    const double t = scene_.time.duration;
    for (const ObjectPart& object : compiled_.objects) {
      const auto body = (object.last_vertex - object.first_vertex) / object.bodies;
      const double size = bounds_of(mesh_.vertices, object.first_vertex, object.first_vertex + body).diagonal();
      int64_t loose = 0, in_all = 0;
      double farthest = 0;
      for (int32_t v = object.first_vertex; v < object.last_vertex; ++v) {
        if (parts.find(v) != v) continue;
        const Part& part = part_of(v);
        if (part.mass == 0) continue;
        ++in_all;
        // Downwards means along gravity.
        const double g = length(model.gravity), down = g > 0 ? dot(part.force, model.gravity) / (g * part.mass) : 0;
        const double fall = 0.5 * down * t * t;
        if (part.held || !(fall > far_fall * size)) continue;
        ++loose;
        farthest = std::max(farthest, fall);
      }
      if (loose == 0) continue;
      const std::string what = loose == in_all ? " is not pinned and falls freely"
                                               : format(": %lld of its %lld parts %s not pinned and fall%s freely",
                                                        static_cast<long long>(loose), static_cast<long long>(in_all),
                                                        loose == 1 ? "is" : "are", loose == 1 ? "s" : "");
      warn(joined(
          {"objects.", object.name, what,
           format(": %.3g m by the end of the run, %.2g times its size; pin some of its vertices, bind it to what is "
                  "held, or set gravity = [0, 0, 0] (there are no floors yet)",
                  farthest, farthest / size)}));
    }
  }

  // The largest acceleration of a vertex by gravity and loads [m/s^2].
  double acceleration(const ObjectPart& part) const {
    const Model& model = compiled_.model;
    double largest = 0;
    for (int32_t v = part.first_vertex; v < part.last_vertex; ++v) {
      const auto slot = static_cast<size_t>(model.order.slot(UserVertex{v}));
      if (model.mass[slot] > 0) largest = std::max(largest, length(model.external_force(slot)) / model.mass[slot]);
    }
    return largest;
  }

  static bool uses(const SceneObject& o, const SceneMaterial& m) {
    return m.name == o.material ||
           std::any_of(o.regions.begin(), o.regions.end(), [&](const auto& region) { return region.second == m.name; });
  }

  // Locking by Poisson's ratio, as measured in docs/choosing-a-solver.md.
  void locking(const SceneObject& o, const std::string& path) {
    if (is_of_springs(o.mesh)) return;
    const auto* box = std::get_if<MeshBox>(&o.mesh);
    const auto* beam = std::get_if<MeshBeam>(&o.mesh);
    const bool six = (box && box->split == 6) || (beam && beam->split == 6);
    const bool mild = (box && box->split == 5) || (beam && beam->split == 5) ||
                      std::holds_alternative<MeshBall>(o.mesh) || std::holds_alternative<MeshSurface>(o.mesh) ||
                      std::holds_alternative<MeshShape>(o.mesh);
    for (const SceneMaterial& m : scene_.materials) {
      if (!uses(o, m)) continue;
      const double ratio = poisson_ratio_of(m);
      if (ratio < (mild ? locks_mildly : locks)) continue;
      warn(path +
           format(" has nu = %.4g (materials.%s): linear elements lock there, the body is too stiff", ratio,
                  m.name.c_str()) +
           (six ? " and with six tets a cell sinks up to ten times too little; split = 5 is much better, then "
                : "; use ") +
           (six    ? ""
            : mild ? ""
                   : "a mesh of five tets a cell or of `sinew mesh`, ") +
           "smaller cells, or a lower poisson_ratio");
    }
  }

  // [m] Edge of a body's elements, as if six made a cube.
  double edge(const ObjectPart& part) const {
    double volume = 0;
    for (int32_t e = part.first_tet; e < part.last_tet; ++e) volume += volume_of(mesh_.vertices, mesh_.tets[e]);
    return std::cbrt(6 * volume / std::max(part.last_tet - part.first_tet, 1));
  }

  void collapsing(const SceneObject& o, const std::string& path) {
    for (const SceneMaterial& m : scene_.materials)
      if (is_stressed_at_rest(m) && uses(o, m))
        warn(path + format(": %s with %s lets it shrink even at rest, by half its volume or more, the more the "
                           "longer it iterates; take \"model\": \"fixed_corotated\" for %s, or the solver multilevel",
                           scene_.solver.type.c_str(), m.model.c_str(), m.name.c_str()));
  }

  // Measured on bars of 10 kPa to 100 MPa and 0.2 to 0.8 m that swing down for half a second: with less than what the
  // iterations carry they are within 6 % of their length of Newton's solution, with two or three times as much up to
  // 35 % off, and hang far too low.
  void hanging(const SceneObject& o, const ObjectPart& part, const std::string& path) {
    const Model& model = compiled_.model;
    std::vector<uint8_t> held(model.mass.size());
    for (const PinScript& pin : compiled_.pins)
      for (const int32_t slot : pin.slots) held[static_cast<size_t>(slot)] = 1;
    bool pinned = !scene_.bindings.empty();
    for (int32_t v = part.first_vertex; v < part.last_vertex && !pinned; ++v)
      pinned = held[static_cast<size_t>(model.order.slot(UserVertex{v}))];
    const SolverInfo* solver = find_solver(scene_.solver.type);
    if (!pinned || part.first_tet == part.last_tet) return;
    double iterations = solver->common.iterations;
    for (const OptionValue& option : scene_.solver.options)
      if (const double* number = std::get_if<double>(&option.value); number && option.name == "iterations")
        iterations = *number;
    const double l = edge(part), carried = iterations * solver->traits.carried_by_iteration;
    for (const SceneMaterial& m : scene_.materials) {
      if (!uses(o, m)) continue;
      const double young = youngs_modulus_of(m);
      const double q = part.mean_stiffness_factor * young * step() * step() / (m.density * l * l);
      if (q <= carried) continue;
      warn(path +
           format(": E h^2 / (density edge^2) = %.2g, and %.0f iterations of %s carry forces through no more than "
                  "%.2g: it hangs as if it were soft; take the solver multilevel, or time.substeps = %.0f",
                  q, iterations, scene_.solver.type.c_str(), carried,
                  std::ceil(scene_.time.substeps * std::sqrt(q / carried))));
    }
  }

  void shrinking(const SceneObject& o, const ObjectPart& part, const std::string& path) {
    const double l = edge(part);
    for (const SceneMaterial& m : scene_.materials) {
      if (!is_stressed_at_rest(m) || !uses(o, m)) continue;
      const double mu = part.mean_stiffness_factor * elastic_material(m).lame.mu;
      const double q = mu * step() * step() / (m.density * l * l), lost = volume_lost * q;
      if (lost < too_much_lost) continue;
      const double substeps = std::ceil(scene_.time.substeps * std::sqrt(lost / too_much_lost));
      warn(path + format(": %s with %s in steps of %g s lets it shrink by %s of its volume even at rest; take "
                         "time.substeps = %.0f, \"model\": \"fixed_corotated\" for %s, or the solver vbd",
                         scene_.solver.type.c_str(), m.model.c_str(), step(),
                         lost < 0.5 ? format("some %.0f %%", 100 * lost).c_str() : "most", substeps, m.name.c_str()));
    }
  }

  void weight(const SceneObject& o, const ObjectPart& part, double size, const std::string& path) {
    for (const SceneMaterial& m : scene_.materials) {
      const double pressure = m.density * length(scene_.gravity) * size;
      const double stiffness = part.mean_stiffness_factor * stiffness_of(m).value;
      if (uses(o, m) && pressure > too_heavy * stiffness)
        warn(path +
             format(": its own weight (density * gravity * size = %.3g Pa) is %.3g times what %s has in stiffness",
                    pressure, pressure / stiffness, m.name.c_str()));
    }
  }

  void motion(const SceneObject& o, double g, double size, const std::string& path) {
    const double h = step(), reach = h * length(o.velocity) + h * h * g;
    if (reach > too_far * size)
      warn(path + format(": velocity, gravity and loads move it by %.3g m in a step of %g s, %.3g times its size",
                         reach, h, reach / size));
  }

  void rounding(const ObjectPart& part, double g, const std::string& path) {
    const std::vector<Vec3d>& x = mesh_.vertices;
    const bool single = in_single_precision(scene_.solver, compiled_);
    const double epsilon = single ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
    double farthest = 0, shortest = std::numeric_limits<double>::infinity();
    for (int32_t v = part.first_vertex; v < part.last_vertex; ++v)
      farthest = std::max({farthest, std::abs(x[v].x), std::abs(x[v].y), std::abs(x[v].z)});
    for (int32_t e = part.first_tet; e < part.last_tet; ++e) {
      const Tet& t = mesh_.tets[e];
      for (size_t a = 0; a < corner_count(t); ++a)
        for (size_t b = a + 1; b < corner_count(t); ++b) shortest = std::min(shortest, length(x[t[a]] - x[t[b]]));
    }
    const double grain = epsilon * farthest;
    const char* remedy = single ? "; use solver.precision = \"double\"" : "";
    if (grain > coarse_rounding * shortest)
      warn(path + format(": %.3g m from the origin %s precision resolves only %.3g m, and its shortest edge has %.3g m;"
                         " move it nearer%s",
                         farthest, single ? "single" : "double", grain, shortest, remedy));
    const double fall = step() * step() * g;
    if (!scene_.time.quasistatic && fall > 0 && fall < grain)
      warn(path +
           format(": gravity and loads move it by %.3g m in a step of %g s, and %s precision resolves no less than "
                  "%.3g m there: it may stand still%s",
                  fall, step(), single ? "single" : "double", grain, remedy));
  }

  // A binding's force is its stiffness times the difference of two positions, both of them rounded.
  void binding(const SceneBinding& b, const std::string& path) {
    const bool single = in_single_precision(scene_.solver, compiled_);
    const double epsilon = single ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
    // Sweeps by vertex hardly move two vertices tied by a stiff binding, in either precision.
    const char* remedy = !single ? ""
                         : solver_traits().stiff_ties
                             ? ", or use solver.precision = \"double\""
                             : ", or use the solver newton, or fp_pxpbd with precision = \"double\"";
    const double k = std::max({b.stiffness, b.normal_stiffness.value_or(0), b.tangential_stiffness.value_or(0)});
    for (size_t n = 0; n < scene_.objects.size(); ++n) {
      const SceneObject& o = scene_.objects[n];
      const ObjectPart& part = compiled_.objects[n];
      if ((o.name != b.bind.object && o.name != b.to.object) || part.first_tet == part.last_tet) continue;
      double volume = 0, farthest = 0, modulus = std::numeric_limits<double>::infinity();
      for (int32_t e = part.first_tet; e < part.last_tet; ++e) volume += volume_of(mesh_.vertices, mesh_.tets[e]);
      for (int32_t v = part.first_vertex; v < part.last_vertex; ++v)
        farthest = std::max(farthest, length(mesh_.vertices[v]));
      for (const SceneMaterial& m : scene_.materials)
        if (uses(o, m)) modulus = std::min(modulus, part.mean_stiffness_factor * stiffness_of(m).value);
      const double edge = std::cbrt(6 * volume / (part.last_tet - part.first_tet));
      const double grain = epsilon * farthest * k, softness = modulus * edge;
      if (grain > coarse_rounding * edge * softness)
        warn(path + format(".stiffness = %g N/m: %s precision rounds its forces to %.2g N, which is enough to move "
                           "objects.%s by %.2g m; %.0e N/m holds as well%s",
                           k, single ? "single" : "double", grain, o.name.c_str(), grain / softness,
                           (single ? rigid_enough_single : rigid_enough_double) * softness, remedy));
    }
  }

  // Wind is limited when a step of it would reverse the motion of a light surface (step/load_script.h).
  void wind(const SceneLoad& l, const std::string& path) {
    const SceneWind& w = l.wind;
    double most = 1;
    if (l.curve) {
      most = 0;
      for (const double value : l.curve->values) most = std::max(most, std::abs(value));
    }
    for (const ObjectPart& part : compiled_.objects) {
      if (part.name != l.object) continue;
      std::vector<double> rate(static_cast<size_t>(part.last_vertex - part.first_vertex));
      for (const Triangle& t : part.surface) {
        const std::vector<Vec3d>& x = mesh_.vertices;
        const double area = length(cross(x[t[1]] - x[t[0]], x[t[2]] - x[t[0]])) / 2;
        for (const int32_t v : t)
          rate[static_cast<size_t>(v - part.first_vertex)] +=
              most * w.density / 6 * area * length(w.velocity) * std::hypot(w.drag, w.lift);
      }
      double worst = 0;
      for (int32_t v = part.first_vertex; v < part.last_vertex; ++v) {
        const double mass = compiled_.model.mass[static_cast<size_t>(compiled_.model.order.slot(UserVertex{v}))];
        if (mass > 0) worst = std::max(worst, step() * rate[static_cast<size_t>(v - part.first_vertex)] / mass);
      }
      if (worst <= 1) continue;
      warn(path + format(": in a step of %g s it would blow '%s', which is light, to more than its own speed; it is "
                         "limited to less. Take time.substeps = %.0f",
                         step(), l.object.c_str(), std::ceil(worst * scene_.time.substeps)));
    }
  }

  const Scene& scene_;
  const TetMesh& mesh_;
  const CompiledScene& compiled_;
  std::vector<std::string>& warnings_;
};

}  // namespace

void look_for_oddities(const Scene& scene, const TetMesh& mesh, const CompiledScene& compiled,
                       std::vector<std::string>& warnings) {
  Oddities(scene, mesh, compiled, warnings).look();
}

}  // namespace sinew
