#include <algorithm>
#include <cmath>
#include <limits>

#include "base/format.h"
#include "compile/generated.h"
#include "compile/oddities.h"
#include "compile/precision.h"
#include "compile/spring_mesh.h"
#include "math/length.h"
#include "scene/material_values.h"
#include "scene/object_kinds.h"
#include "scene/places.h"
#include "scene/value_text.h"

namespace sinew {

double poisson_ratio_of(const SceneMaterial& m) {
  const Lame lame = elastic_material(m).lame;
  return value_of(m, "poisson_ratio").value_or(0.5 * lame.lambda / (lame.lambda + lame.mu));
}

namespace {

// [m] Atoms to planets: sizes outside are mistakes in units.
constexpr double least_size = 1e-8, most_size = 1e8;
// Larger bodies are rarely elastic, and large bodies that would sag by more than their size are rarely intended:
// lengths in millimetres have this effect.
constexpr double too_large = 50, large = 5;  // [m]
// Ratios of a body's weight to what its stiffness can bear, and of a step's motion to its size.
constexpr double too_heavy = 1e3, too_far = 1e3;
// Times its size, of a body that touches something, in a step from rest.
constexpr double falls_far = 3;
// Poisson's ratios from which linear elements lock: in any mesh, and in one that tolerates more.
constexpr double locks = 0.45, locks_mildly = 0.49;

// An even number of negative factors rotates the body, which is valid.
void odd_stretch(const OddityContext& in, const SceneObject& o, const std::string& path) {
  const double volume = o.stretch[0] * o.stretch[1] * o.stretch[2];
  if (volume > 0) return;
  in.warn(joined({path, ".stretch = ", vector_text(o.stretch),
                  volume == 0 ? ": presses the body flat" : ": turns the body inside out"}));
}

void odd_copies(const OddityContext& in, const Copies& c, const std::string& path) {
  for (size_t axis = 0; axis < 3; ++axis)
    if (c.count[axis] > 1 && c.spacing[axis] == 0)
      in.warn(path + format(".copies: %d bodies along %c lie in the same place; give copies.spacing", c.count[axis],
                            static_cast<char>('x' + axis)));
}

// Sizes that would be ordinary if their numbers were millimetres.
void odd_millimetres(const OddityContext& in, const SceneObject& o, const ObjectPart& part, double size,
                     const std::string& path) {
  double sag = 0, mass = 0;  // of its size, for the softest of its materials; [kg] of one body
  for (const SceneMaterial& m : in.scene.materials)
    if (uses(o, m))
      sag = std::max(sag, m.density * length(to_vec(in.scene.gravity)) * size /
                              (part.mean_stiffness_factor * stiffness_of(m).value));
  if (size < too_large && !(size >= large && sag > 1)) return;
  const Model& model = in.compiled.model;
  for (int32_t v = part.first_vertex; v < part.last_vertex; ++v)
    mass += model.mass[static_cast<size_t>(model.order.slot(UserVertex{v}))];
  std::string sentence =
      path + format(" is %.3g m large and weighs %.3g kg", size, mass / static_cast<double>(part.bodies));
  if (sag > 1) sentence += format(", and its own weight would squeeze it by %.2g times its size", sag);
  in.warn(sentence + ": lengths are in metres; if these are millimetres, " +
          (std::holds_alternative<MeshFile>(o.mesh) || std::holds_alternative<MeshTriangles>(o.mesh)
               ? "add \"transform\": { \"scale\": 0.001 } to it"
               : "write them in metres"));
}

void odd_weight(const OddityContext& in, const SceneObject& o, const ObjectPart& part, double size,
                const std::string& path) {
  for (const SceneMaterial& m : in.scene.materials) {
    const double pressure = m.density * length(to_vec(in.scene.gravity)) * size;
    const double stiffness = part.mean_stiffness_factor * stiffness_of(m).value;
    if (uses(o, m) && pressure > too_heavy * stiffness)
      in.warn(path +
              format(": its own weight (density * gravity * size = %.3g Pa) is %.3g times what %s has in stiffness",
                     pressure, pressure / stiffness, m.name.c_str()));
  }
}

// The largest acceleration of a vertex by gravity and loads [m/s^2].
double acceleration(const OddityContext& in, const ObjectPart& part) {
  const Model& model = in.compiled.model;
  double largest = 0;
  for (int32_t v = part.first_vertex; v < part.last_vertex; ++v) {
    const auto slot = static_cast<size_t>(model.order.slot(UserVertex{v}));
    if (model.mass[slot] > 0) largest = std::max(largest, length(model.external_force(slot)) / model.mass[slot]);
  }
  return largest;
}

void odd_motion(const OddityContext& in, const SceneObject& o, double g, double size, const std::string& path) {
  const double h = in.step(), reach = h * length(to_vec(o.velocity)) + h * h * g;
  if (reach > too_far * size)
    in.warn(path + format(": velocity, gravity and loads move it by %.3g m in a step of %g s, %.3g times its size",
                          reach, h, reach / size));
  else if (h * h * g > falls_far * size && !in.compiled.contact_surface.empty())
    in.warn(path + format(": gravity and loads move it by %.3g m in a step of %g s, %.3g times its size: where it "
                          "touches something it may fly apart; take more time.substeps",
                          h * h * g, h, h * h * g / size));
}

// [m] The least height of a tet over a face.
double least_height(const std::vector<Vec3d>& x, const Tet& t) {
  double widest = 0;
  for (size_t k = 0; k < 4; ++k) {
    const Vec3d a = x[t[(k + 1) % 4]], b = x[t[(k + 2) % 4]], c = x[t[(k + 3) % 4]];
    widest = std::max(widest, length(cross(b - a, c - a)));
  }
  return std::abs(dot(x[t[1]] - x[t[0]], cross(x[t[2]] - x[t[0]], x[t[3]] - x[t[0]]))) / widest;
}

// Tets whose corners are far from each other, and yet nearly in a plane.
void odd_flatness(const OddityContext& in, const ObjectPart& part, double grain, const char* remedy,
                  const std::string& path) {
  int32_t flat = 0, flattest = -1;
  double least = std::numeric_limits<double>::infinity();
  for (int32_t e = part.first_tet; e < part.last_tet; ++e) {
    const Tet& t = in.mesh.tets[static_cast<size_t>(e)];
    if (corner_count(t) != 4) continue;
    const double height = least_height(in.mesh.vertices, t);
    flat += grain > coarse_rounding * height;
    if (height < least) {
      least = height;
      flattest = e - part.first_tet;
    }
  }
  if (flat > 0)
    in.warn(path +
            format(": %d of its tets are so flat that rounding of %.3g m may turn them inside out; the flattest, tet "
                   "%d, has a height of %.3g m: improve the mesh%s",
                   flat, grain, flattest, least, remedy));
}

void odd_rounding(const OddityContext& in, const ObjectPart& part, double g, const std::string& path) {
  const std::vector<Vec3d>& x = in.mesh.vertices;
  const bool single = in_single_precision(in.scene.solver, in.compiled);
  const double epsilon = single ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
  double farthest = 0, shortest = std::numeric_limits<double>::infinity();
  for (int32_t v = part.first_vertex; v < part.last_vertex; ++v)
    farthest = std::max({farthest, std::abs(x[v].x), std::abs(x[v].y), std::abs(x[v].z)});
  for (int32_t e = part.first_tet; e < part.last_tet; ++e) {
    const Tet& t = in.mesh.tets[e];
    for (size_t a = 0; a < corner_count(t); ++a)
      for (size_t b = a + 1; b < corner_count(t); ++b) shortest = std::min(shortest, length(x[t[a]] - x[t[b]]));
  }
  const double grain = epsilon * farthest;
  const char* remedy = single ? "; use solver.precision = \"double\"" : "";
  if (grain > coarse_rounding * shortest)
    in.warn(path +
            format(": %.3g m from the origin %s precision resolves only %.3g m, and its shortest edge has %.3g m;"
                   " move it nearer%s",
                   farthest, single ? "single" : "double", grain, shortest, remedy));
  else
    odd_flatness(in, part, grain, remedy, path);
  const double fall = in.step() * in.step() * g;
  if (!in.scene.time.quasistatic && fall > 0 && fall < grain)
    in.warn(path +
            format(": gravity and loads move it by %.3g m in a step of %g s, and %s precision resolves no less than "
                   "%.3g m there: it may stand still%s",
                   fall, in.step(), single ? "single" : "double", grain, remedy));
}

// Locking by Poisson's ratio, as measured in docs/choosing-a-solver.md.
void odd_locking(const OddityContext& in, const SceneObject& o, const std::string& path) {
  if (is_of_springs(o.mesh) || o.quadratic) return;
  const auto* box = std::get_if<MeshBox>(&o.mesh);
  const auto* beam = std::get_if<MeshBeam>(&o.mesh);
  const bool six = (box && box->split == 6) || (beam && beam->split == 6);
  const bool mild = (box && box->split == 5) || (beam && beam->split == 5) ||
                    std::holds_alternative<MeshBall>(o.mesh) || std::holds_alternative<MeshSurface>(o.mesh) ||
                    std::holds_alternative<MeshShape>(o.mesh);
  for (const SceneMaterial& m : in.scene.materials) {
    if (!uses(o, m)) continue;
    const double ratio = poisson_ratio_of(m);
    if (ratio < (mild ? locks_mildly : locks)) continue;
    in.warn(path +
            format(" has nu = %.4g (materials.%s): linear elements lock there, the body is too stiff", ratio,
                   m.name.c_str()) +
            (six ? " and with six tets a cell sinks up to ten times too little" : "") +
            (is_plane(o) ? "; use " : R"(; use "element": "quadratic" with cells twice as large, )") +
            (six    ? "split = 5, "
             : mild ? ""
                    : "a mesh of five tets a cell or of `sinew mesh`, ") +
            "smaller cells, or a lower poisson_ratio");
  }
}

void odd_body(const OddityContext& in, const SceneObject& o, const ObjectPart& part, const std::string& path) {
  odd_stretch(in, o, path);
  odd_copies(in, o.copies, path);
  if (in.scene.time.quasistatic && o.velocity != Real3{}) in.warn(path + ".velocity has no effect in quasistatics");

  // The size of one body, if there are copies.
  const auto bodies = static_cast<int32_t>(copy_count(o));
  const int32_t last_vertex = part.first_vertex + (part.last_vertex - part.first_vertex) / bodies;
  const double size = bounds_of(in.mesh.vertices, part.first_vertex, last_vertex).diagonal();
  if (size < least_size || size > most_size)
    in.warn(path + format(" is %.3g m large: lengths are in metres", size));
  else
    odd_millimetres(in, o, part, size, path);
  odd_weight(in, o, part, size, path);
  const double g = acceleration(in, part);
  if (!in.scene.time.quasistatic) odd_motion(in, o, g, size, path);
  odd_rounding(in, part, g, path);
  odd_locking(in, o, path);
}

}  // namespace

void odd_bodies(const OddityContext& in) {
  for (size_t k = 0; k < in.scene.objects.size(); ++k)
    odd_body(in, in.scene.objects[k], in.compiled.objects[k], "objects." + in.scene.objects[k].name);
}

}  // namespace sinew
