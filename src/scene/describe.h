// The only description of a scene file: every key with its unit, range and meaning, bound to the member it fills. The
// reader, the checker of scenes built in code, the writer, the schema and the reference page are visitors of it.
// Defaults are in sinew/scene.h and in the options structs, and nowhere else.
//
// The functions of a visitor, each with a Key as first argument:
//   number, whole, toggle, text, vector, cells   one value
//   number_or_auto                               a number, or the word "auto", which is no value
//   choice                                       one word of a list, kept as text or as the word's index
//   words, numbers, indices, labels              lists of words or numbers; region labels with materials
//   object, list, named                          keys inside; items; items under their names
//   word_or_object                               a word, or an object with keys
//   alternatives                                 one of several groups of keys; the visited ones are given to the body
//   options                                      the table of the method that was chosen
//   parameters                                   those of a material's model
#pragma once

#include <string_view>
#include <vector>

#include "base/picture_size.h"
#include "model/clusters.h"
#include "scene/describe_object.h"
#include "scene/material_values.h"
#include "scene/methods.h"

namespace sinew {

template <class Visitor>
void describe(Visitor& v, SceneMaterial& m) {
  v.choice({"model", "the elastic model"}, m.model, material_names());
  v.parameters(m);
  v.number({.name = "density", .meaning = "mass per rest volume", .unit = "kg/m^3", .range = positive}, m.density);
  v.number({.name = "damping",
            .meaning = "stiffness-proportional damping: the ratio of viscous to elastic stress per strain rate; not of "
                       "fibres; 0: none",
            .unit = "s",
            .range = non_negative},
           m.damping);
}

template <class Visitor>
void describe(Visitor& v, Keyframe& k) {
  v.number({.name = "time", .meaning = "when", .unit = "s", .range = non_negative, .required = true}, k.time);
  v.vector({.name = "translate", .meaning = "displacement from the start", .unit = "m", .range = in_reach},
           k.translate);
  v.number({.name = "rotate_degrees",
            .meaning = "rotation about the axis, any number of turns",
            .unit = "deg",
            .range = turns},
           k.rotate_degrees);
  v.vector({.name = "scale", .meaning = "factors about the centre", .unit = "-", .range = factor, .uniform = true},
           k.scale);
}

template <class Visitor>
void describe(Visitor& v, Motion& m) {
  v.vector({.name = "axis", .meaning = "axis of rotation, of any length but 0", .unit = "-"}, m.axis);
  v.vector({.name = "center",
            .meaning = "centre of rotation and scale; by default the centroid of the selected vertices",
            .unit = "m",
            .range = in_reach},
           m.center);
  v.toggle({.name = "smooth", .meaning = "ease in and out between keyframes; false: linear"}, m.smooth);
  v.list({.name = "keyframes",
          .meaning = "in ascending order of time; constant before the first and after the last; none: held in place"},
         m.keyframes);
}

template <class Visitor>
void describe(Visitor& v, ScenePin& p) {
  v.text({.name = "object", .meaning = "the object whose vertices are held", .required = true}, p.object);
  describe_selection(v,
                     {.name = "select",
                      .meaning = "which vertices, by rest position in the world, by number or by group",
                      .inside = selection_forms,
                      .required = true},
                     p.select);
  v.object({.name = "motion", .meaning = "how they move, relative to the start"}, [&] { describe(v, p.motion); });
  v.number({.name = "release",
            .meaning = "time of release; default: never",
            .unit = "s",
            .range = positive,
            .remedy = "leave out a pin that is to hold nothing"},
           p.release);
  static const Words directions{"nothing", "plane", "axis", "x", "y", "z", "xy", "xz", "yz"};
  int free = static_cast<int>(p.free);
  v.choice({"free",
            "in what the vertices stay free: plane: they glide in the plane across `normal` (a symmetry plane, a "
            "table); axis: along `direction` (a guide); x, yz, ...: along these axes of the world. The motion moves "
            "them in the other directions"},
           free, directions);
  p.free = static_cast<ScenePin::Free>(free);
  v.vector({.name = "normal",
            .meaning = "with free = \"plane\": its normal, of any length but 0; it does not turn with the motion",
            .unit = "-"},
           p.normal);
  v.vector({.name = "direction",
            .meaning = "with free = \"axis\": along it, of any length but 0; it does not turn with the motion",
            .unit = "-"},
           p.direction);
  v.text({.name = "name", .meaning = "of its force in stats.csv; \"\" is pin_0, pin_1, ... by its place in the list"},
         p.name);
}

template <class Visitor>
void describe(Visitor& v, SceneWind& w) {
  v.vector({.name = "velocity", .meaning = "of the air", .unit = "m/s", .range = in_reach, .required = true},
           w.velocity);
  v.number({.name = "density", .meaning = "of the air", .unit = "kg/m^3", .range = positive}, w.density);
  v.number({.name = "drag",
            .meaning = "drag coefficient, by the area seen along the wind: about 0.5 of a ball, 1 of a cube or a flag",
            .unit = "-",
            .range = non_negative},
           w.drag);
  v.number({.name = "lift",
            .meaning = "lift coefficient, by the same area: across the wind, towards where the surface leans",
            .unit = "-",
            .range = non_negative},
           w.lift);
}

template <class Visitor>
void describe_load(Visitor& v, SceneLoad& l, SceneLoad::Kind kind) {
  l.kind = kind;
  const auto vector = [&](std::string_view name, std::string_view meaning, std::string_view unit) {
    v.vector({.name = name, .meaning = meaning, .unit = unit, .range = in_reach, .required = true}, l.value);
  };
  switch (kind) {
    case SceneLoad::Kind::body_force:
      vector("body_force", "force per rest volume", "N/m^3");
      break;
    case SceneLoad::Kind::traction:
      vector("traction", "force per rest area, of constant direction", "Pa");
      break;
    case SceneLoad::Kind::force:
      vector("force",
             "total force, of constant direction. Shared by rest area where the selected vertices are those of whole "
             "boundary faces, else by mass",
             "N");
      break;
    case SceneLoad::Kind::acceleration:
      vector("acceleration", "force per mass, as gravity is; of chains and grids too", "m/s^2");
      break;
    case SceneLoad::Kind::pressure:
      v.number({.name = "pressure",
                .meaning = "pushes against the outside of faces as they lie and as large as they are at the start of "
                           "each step; below 0 it pulls",
                .unit = "Pa",
                .range = in_reach,
                .required = true},
               l.pressure);
      break;
    case SceneLoad::Kind::wind:
      v.object({.name = "wind",
                .meaning = "air that moves past faces: those of a solid feel it from outside, those of a grid from "
                           "either side; nothing shelters anything",
                .required = true},
               [&] { describe(v, l.wind); });
      break;
  }
}

template <class Visitor>
void describe(Visitor& v, SceneLoad& l) {
  v.text({.name = "object", .meaning = "the object the load acts on", .required = true}, l.object);
  describe_selection(
      v,
      {.name = "select",
       .meaning =
           "traction, pressure and wind act on boundary faces and a body force on tetrahedra whose vertices are all "
           "selected; a force and an acceleration on the vertices themselves",
       .inside = selection_forms},
      l.select);
  size_t kind = static_cast<size_t>(l.kind);
  v.alternatives({{"body_force"}, {"traction"}, {"force"}, {"acceleration"}, {"pressure"}, {"wind"}}, kind, true,
                 [&](size_t which) { describe_load(v, l, static_cast<SceneLoad::Kind>(which)); });
  static const Words constant{"constant"};
  int word = l.curve ? -1 : 0;
  v.word_or_object(
      {.name = "curve",
       .meaning = "a factor over time: linear between times, as at the first before it and as at the last "
                  "after it; a step takes the value at its end",
       .inside = "times and values"},
      constant, word, [&] {
        if (!l.curve) l.curve.emplace();
        v.numbers({.name = "times", .meaning = "ascending", .unit = "s", .range = non_negative, .required = true},
                  l.curve->times);
        v.numbers({.name = "values", .meaning = "as many", .unit = "-", .range = factor, .required = true},
                  l.curve->values);
      });
  if (word >= 0) l.curve.reset();
}

template <class Visitor>
void describe(Visitor& v, SceneProbe& p) {
  v.text({.name = "object", .meaning = "the object whose vertices are followed", .required = true}, p.object);
  describe_selection(v,
                     {.name = "select",
                      .meaning = "which vertices, by rest position in the world, by number or by group",
                      .inside = selection_forms,
                      .required = true},
                     p.select);
}

template <class Visitor>
void describe(Visitor& v, SceneRegion& r) {
  v.text({.name = "object", .meaning = "the object", .required = true}, r.object);
  describe_selection(v, {.name = "select", .meaning = "which of its vertices", .inside = selection_forms}, r.select);
}

template <class Visitor>
void describe(Visitor& v, SceneBinding& b) {
  v.object({.name = "bind",
            .meaning = "the object whose surface vertices are bound; all points of a chain",
            .required = true},
           [&] { describe(v, b.bind); });
  v.object({.name = "to",
            .meaning = "the surface they are bound to: triangles with all three vertices selected; not of a chain",
            .required = true},
           [&] { describe(v, b.to); });
  v.number({.name = "distance",
            .meaning = "vertices that are farther from the surface at rest stay free. Bound vertices are drawn onto "
                       "it, which closes the gap",
            .unit = "m",
            .range = non_negative,
            .required = true},
           b.distance);
  size_t form = b.normal_stiffness || b.tangential_stiffness ? 1 : 0;
  v.alternatives({{"stiffness"}, {"normal_stiffness", "tangential_stiffness"}}, form, true, [&](size_t which) {
    if (which == 0) {
      b.normal_stiffness.reset();
      b.tangential_stiffness.reset();
      v.number({.name = "stiffness",
                .meaning = "force per distance between a vertex and the point it is bound to, in all directions",
                .unit = "N/m",
                .range = spring_stiffness,
                .required = true},
               b.stiffness);
    } else {
      double normal = b.normal_stiffness.value_or(0), tangential = b.tangential_stiffness.value_or(0);
      v.number({.name = "normal_stiffness",
                .meaning = "along the surface's normal at rest, which does not turn with it",
                .unit = "N/m",
                .range = spring_stiffness,
                .required = true},
               normal);
      v.number({.name = "tangential_stiffness",
                .meaning = "perpendicular to that normal; 0: slides freely",
                .unit = "N/m",
                .range = {0, 1e18}},
               tangential);
      b.normal_stiffness = normal;
      b.tangential_stiffness = tangential;
    }
  });
}

template <class Visitor>
void describe(Visitor& v, TimeSettings& t) {
  static const Words integrators{"backward_euler", "quasistatic"};
  int integrator = t.quasistatic ? 1 : 0;
  v.choice({"integrator", "backward Euler, or an equilibrium in each step"}, integrator, integrators);
  t.quasistatic = integrator == 1;
  size_t form = 0;
  v.alternatives({{"frame_dt"}, {"fps"}}, form, false, [&](size_t which) {
    if (which == 0) {
      v.number({.name = "frame_dt", .meaning = "time between frames", .unit = "s", .range = positive}, t.frame_dt);
    } else {
      double fps = 1 / t.frame_dt;
      v.number({.name = "fps", .meaning = "frames per second, instead of frame_dt", .unit = "1/s", .range = positive},
               fps);
      t.frame_dt = 1 / fps;
    }
  });
  v.whole({.name = "substeps",
           .meaning = "steps per frame; the time step is frame_dt / substeps",
           .unit = "-",
           .range = {1, 1e6}},
          t.substeps);
  v.number({.name = "duration", .meaning = "simulated time", .unit = "s", .range = positive}, t.duration);
}

template <class Visitor>
void describe(Visitor& v, SolverSettings& s) {
  static const Words solvers = method_names(solver_methods()), accelerators = method_names(accelerator_methods());
  v.choice({"type", "the method; see `sinew solvers`"}, s.type, solvers);
  v.options(solver_methods(), s.type, s.options);
  // Written as a word if there are no options.
  const MethodEntry* accelerator = find_method(accelerator_methods(), s.accelerator);
  int word =
      accelerator && accelerator->options.empty() ? static_cast<int>(accelerator - accelerator_methods().data()) : -1;
  v.word_or_object({.name = "accelerator",
                    .meaning = "acceleration of the iteration: a name, or an object with options",
                    .inside = "type and its options"},
                   accelerators, word, [&] {
                     v.choice({.name = "type", .meaning = "the accelerator", .required = true}, s.accelerator,
                              accelerators);
                     v.options(accelerator_methods(), s.accelerator, s.accelerator_options);
                   });
  if (word >= 0) s.accelerator = accelerators[static_cast<size_t>(word)];
  v.whole({.name = "cluster_vertices",
           .meaning = "maximum number of vertices in a piece of the mesh that one thread sweeps at a time; 0: the "
                      "fastest choice, one piece below 60000 vertices and many small ones above. Iterates depend "
                      "slightly on it, as on any order of the vertices; the solution does not",
           .unit = "-",
           .range = {0, largest_cluster}},
          s.cluster_vertices);
}

template <class Visitor>
void describe(Visitor& v, OutputSettings& o) {
  v.whole({.name = "every", .meaning = "write each n-th frame", .unit = "-", .range = count_from_1}, o.every);
  choose(v, {"vtu", "frames for ParaView, with a .pvd: all tetrahedra, only the triangles of surfaces, or none"},
         o.vtu);
  choose(v,
         {.name = "fields",
          .meaning = "what these frames hold beside motion, strain and energy: Cauchy's stress (24 bytes a tetrahedron "
                     "in single precision), principal_stress (12), von_mises (4); the reaction at pinned vertices (12 "
                     "bytes a vertex) and which are pinned (4)"},
         o.fields);
  v.toggle({.name = "contacts",
            .meaning = "write the contacts of each frame too, for ParaView: their points, normals, forces, gaps and "
                       "what touches"},
           o.contacts);
  choose(v, {.name = "surface_caches", .meaning = "for Blender, beside an OBJ of the rest surface"}, o.surface_caches);
  v.whole({.name = "statistics_every",
           .meaning = "steps between measurements of residual, energy and inverted elements for stats.csv, which has a "
                      "row for every step; 0: only the last step of each frame, which is always measured. A "
                      "measurement costs about as much as five sweeps",
           .unit = "-",
           .range = count_from_0},
          o.statistics_every);
  v.whole({.name = "checkpoint_every",
           .meaning = "frames between checkpoints; 0: only at the start and at the end",
           .unit = "-",
           .range = count_from_0},
          o.checkpoint_every);
}

template <class Visitor>
void describe(Visitor& v, CameraSettings& c) {
  v.vector({.name = "eye", .meaning = "where the camera stands; by default so that all frames fit", .unit = "m"},
           c.eye);
  v.vector({.name = "target", .meaning = "what it looks at; by default the middle of all frames", .unit = "m"},
           c.target);
  v.vector(
      {.name = "direction", .meaning = "the view direction where eye is not given, of any length but 0", .unit = "-"},
      c.direction);
  v.number({.name = "vertical_fov_degrees", .meaning = "vertical angle of view", .unit = "deg", .range = {1, 120}},
           c.vertical_fov_degrees);
  v.number({.name = "orbit_degrees",
            .meaning = "what a fitted camera turns about the up axis from the first frame to the last",
            .unit = "deg",
            .range = {-3600, 3600}},
           c.orbit_degrees);
  choose(v, {"follow", "whether a fitted camera goes along with what moves; auto: with what travels far"}, c.follow);
}

template <class Visitor>
void describe(Visitor& v, RenderSettings& r) {
  v.whole({.name = "width",
           .meaning = "of the pictures, which have at most 4096 x 4096 pixels and sides in a ratio below 20",
           .unit = "px",
           .range = {least_side, most_side}},
          r.width);
  v.whole({.name = "height", .meaning = "of the pictures", .unit = "px", .range = {least_side, most_side}}, r.height);
  v.whole({.name = "samples", .meaning = "paths per pixel", .unit = "-", .range = {1, 4096}}, r.samples);
  choose(v, {"color_by", "what colours stand for"}, r.color_by);
  v.toggle({.name = "smooth", .meaning = "smooth shading; false: flat; default: skins are smooth, meshes flat"},
           r.smooth);
  v.toggle({.name = "wireframe", .meaning = "show the edges of the surface"}, r.wireframe);
  v.toggle({.name = "contacts",
            .meaning = "show the forces of contacts as arrows, on the first of the two; needs `output.contacts`"},
           r.contacts);
  v.toggle({.name = "ground", .meaning = "show a ground under the lowest point"}, r.ground);
  choose(v, {"ground_pattern", "of the ground; squares have a round length, which the picture states"},
         r.ground_pattern);
  v.object({.name = "camera", .meaning = "by default fitted to all frames"}, [&] { describe(v, r.camera); });
}

template <class Visitor>
void describe(Visitor& v, Scene& s) {
  static const Words damping{"strain_rate", "own_block"};
  int version = 1;
  v.whole({.name = "sinew",
           .meaning = "version of the format",
           .unit = "-",
           .range = {1, 1},
           .remedy = "this program reads version 1",
           .required = true},
          version);
  v.ignored({"$schema", "the JSON Schema, for editors; otherwise unused"});
  v.text({.name = "name", .meaning = "by default the name of the file"}, s.name);
  choose(v, {"up", "the axis that points up in pictures and for importers"}, s.up);
  v.vector({.name = "gravity", .meaning = "acceleration of everything", .unit = "m/s^2", .range = in_reach}, s.gravity);
  int form = s.own_block_damping ? 1 : 0;
  v.choice(
      {.name = "damping_form",
       .meaning = "strain_rate: viscous stress by the rate of strain in each element, which exerts no force on a "
                  "translation and never feeds energy in; own_block: each vertex by its own stiffness, as in the "
                  "paper on VBD, which drags rigid motion. Springs are damped by the rate of strain",
       .remedy = "strain_rate has taken the place of \"element\", which fed energy in; own_block drags rigid motion"},
      form, damping);
  s.own_block_damping = form == 1;
  v.object({.name = "time", .meaning = "integrator and clock"}, [&] { describe(v, s.time); });
  v.named({.name = "materials", .meaning = "by name; required except for chains and grids"}, s.materials);
  v.named({.name = "objects",
           .meaning = "by name; vertices are numbered in this order",
           .missing = "define at least one object",
           .required = true},
          s.objects);
  v.list({.name = "pins",
          .meaning = "vertices that are held or moved. Where pins share vertices, the last in this list wins; when it "
                     "is released, the one before it takes over, at the place that its own motion prescribes. Pins "
                     "with `free` hold vertices in some directions, and add up: three planes hold a corner"},
         s.pins);
  v.list({.name = "loads", .meaning = "forces beside gravity"}, s.loads);
  v.named({.name = "probes",
           .meaning = "by name: vertices whose mean position stats.csv, comparisons and experiments report"},
          s.probes);
  v.list({.name = "bindings", .meaning = "surfaces that are held together by springs of length 0"}, s.bindings);
  static const Words whether{"auto", "none"};
  int contact = s.contact ? -1 : s.no_contact ? 1 : 0;
  v.word_or_object({.name = "contact",
                    .meaning = "bodies touch each other, themselves and colliders; {} has the defaults. Auto: as {} in "
                               "scenes with colliders, else none. None: all pass through each other",
                    .inside = "radius, friction and others"},
                   whether, contact, [&] {
                     if (!s.contact) s.contact.emplace();
                     describe(v, *s.contact);
                   });
  if (contact >= 0) s.contact.reset();
  s.no_contact = contact == 1;
  v.named(
      {.name = "colliders", .meaning = "by name: what bodies touch and no force moves; no object has the same name"},
      s.colliders);
  static const Words no_grid{"none"};
  int grid = s.grid ? -1 : 0;
  v.word_or_object({.name = "grid",
                    .meaning = "a background grid in which objects are embedded: its nodes are unknowns in place of "
                               "their vertices, and bodies touch each other by sharing them",
                    .inside = "spacing, and others"},
                   no_grid, grid, [&] {
                     if (!s.grid) s.grid.emplace();
                     describe(v, *s.grid);
                   });
  if (grid >= 0) s.grid.reset();
  v.object({.name = "solver", .meaning = "the method, its options and its accelerator"},
           [&] { describe(v, s.solver); });
  v.object({.name = "output", .meaning = "what is written"}, [&] { describe(v, s.output); });
  v.object({.name = "render", .meaning = "pictures and film"}, [&] { describe(v, s.render); });
}

}  // namespace sinew
