// The one description of a scene file: every key with its unit, range and meaning, bound to the member it fills. The
// reader, the checker of scenes built in code, the writer, the schema and the reference page are visitors of it.
// Defaults stand in sinew/scene.h and in the options structs, and nowhere else.
//
// A visitor offers, each with a Key first:
//   number, whole, toggle, text, vector, cells   one value
//   choice                                       one word of a list, kept as text or as the word's index
//   words, numbers, indices, labels              lists of words or numbers; region labels with materials
//   object, list, named                          keys inside; items; items under their names
//   word_or_object                               a word, or an object with keys
//   alternatives                                 of several groups of keys, one; the visited ones are given to the body
//   options                                      the table of the method that was chosen
#pragma once

#include <initializer_list>
#include <string_view>
#include <vector>

#include "base/parameters.h"
#include "model/clusters.h"
#include "render/picture_size.h"
#include "scene/methods.h"
#include "sinew/scene.h"

namespace sinew {

struct Key {
  std::string_view name;
  std::string_view meaning;
  std::string_view unit{};
  Range range{};
  std::string_view alias{};   // a second spelling
  std::string_view remedy{};  // advice when the value is out of range
  std::string_view inside{};  // of a word or an object: the keys that the object has
  bool required = false;
  bool uniform = false;  // of vectors: one number stands for all three
};

using Words = std::vector<std::string_view>;
// Groups of keys of which one is used; second spellings belong to them.
using Groups = std::initializer_list<std::initializer_list<std::string_view>>;

inline constexpr Range poisson_range{-1, 0.5, true, true};
inline constexpr Range share{0, 1};
inline constexpr Range count_from_1{1, 1e9};
inline constexpr Range count_from_0{0, 1e9};
// Squares of these stay within single precision.
inline constexpr Range in_reach{-1e18, 1e18};
inline constexpr Range factor{-1e9, 1e9};
// Of springs; squares of these stay within single precision.
inline constexpr Range spring_stiffness{0, 1e18, true};
inline constexpr Range link_count{1, 1e7};
// Of an angle beyond it too few digits are left within a turn.
inline constexpr Range turns{-1e9, 1e9};

// The alternative of a variant that a visitor is in: kept if it is held, made if not.
template <class T, class Variant>
T& hold(Variant& variant) {
  if (!std::holds_alternative<T>(variant)) variant.template emplace<T>();
  return *std::get_if<T>(&variant);
}

template <class Visitor>
void describe(Visitor& v, SceneMaterial& m) {
  v.choice({"model", "the elastic model"}, m.model, material_names());
  size_t form = m.mu || m.lambda ? 1 : 0;
  v.alternatives({{"youngs_modulus", "E", "poisson_ratio", "nu"}, {"mu", "lambda"}}, form, false, [&](size_t which) {
    if (which == 0) {
      m.mu.reset();
      m.lambda.reset();
      v.number({.name = "youngs_modulus",
                .meaning = "Young's modulus: stress per strain of a bar that is pulled",
                .unit = "Pa",
                .range = positive,
                .alias = "E"},
               m.youngs_modulus);
      v.number({.name = "poisson_ratio",
                .meaning = "Poisson's ratio: how much it thins per stretch; near 0.5 it keeps its volume",
                .unit = "-",
                .range = poisson_range,
                .alias = "nu",
                .remedy = "for nearly incompressible use 0.49"},
               m.poisson_ratio);
    } else {
      double mu = m.mu.value_or(0), lambda = m.lambda.value_or(0);
      v.number({.name = "mu",
                .meaning = "shear modulus, the second Lame parameter; with lambda, instead of youngs_modulus",
                .unit = "Pa",
                .range = positive,
                .required = true},
               mu);
      v.number({.name = "lambda",
                .meaning = "the first Lame parameter, above -2/3 mu; with mu, instead of poisson_ratio",
                .unit = "Pa",
                .required = true},
               lambda);
      m.mu = mu;
      m.lambda = lambda;
    }
  });
  v.number({.name = "density", .meaning = "mass per rest volume", .unit = "kg/m^3", .range = positive}, m.density);
  v.number(
      {.name = "damping",
       .meaning = "stiffness-proportional damping: the ratio of viscous to elastic stress per strain rate; 0: none",
       .unit = "s",
       .range = non_negative},
      m.damping);
}

template <class Visitor>
void describe(Visitor& v, MeshChain& chain) {
  v.whole({.name = "links", .meaning = "springs; there is one point more", .unit = "-", .range = link_count},
          chain.links);
  v.number({.name = "spacing", .meaning = "length of a link at rest", .unit = "m", .range = positive}, chain.spacing);
  v.vector({.name = "origin", .meaning = "the first point, number 0", .unit = "m"}, chain.origin);
  v.vector({.name = "direction", .meaning = "where the others lie, of any length but 0", .unit = "-"}, chain.direction);
  v.number({.name = "point_mass", .meaning = "mass of each point", .unit = "kg", .range = positive}, chain.point_mass);
  v.number({.name = "end_mass",
            .meaning = "mass of the last point; by default as the others",
            .unit = "kg",
            .range = positive},
           chain.end_mass);
  v.number(
      {.name = "stiffness", .meaning = "force per extension of each spring", .unit = "N/m", .range = spring_stiffness},
      chain.stiffness);
  v.number({.name = "far_stiffness",
            .meaning = "the same of the links from number links / 2, rounded down, on; by default as the others",
            .unit = "N/m",
            .range = spring_stiffness},
           chain.far_stiffness);
}

template <class Visitor>
void describe(Visitor& v, MeshGrid& grid) {
  const Range side{2, 10000};
  v.whole({.name = "columns", .meaning = "points along x", .unit = "-", .range = side}, grid.columns);
  v.whole({.name = "rows",
           .meaning = "points along y; point (i, j) has the number i + columns j",
           .unit = "-",
           .range = side},
          grid.rows);
  v.number({.name = "spacing", .meaning = "between neighbours at rest", .unit = "m", .range = positive}, grid.spacing);
  v.vector({.name = "origin", .meaning = "the lowest corner, point number 0", .unit = "m"}, grid.origin);
  v.number(
      {.name = "mass", .meaning = "of all points together, which have equal shares", .unit = "kg", .range = positive},
      grid.mass);
  v.number({.name = "stiffness",
            .meaning = "of the springs along the edges of its cells",
            .unit = "N/m",
            .range = spring_stiffness},
           grid.stiffness);
  v.number({.name = "shear_stiffness",
            .meaning = "of the springs along both diagonals of its cells; 0: there are none",
            .unit = "N/m",
            .range = {0, 1e18}},
           grid.shear_stiffness);
}

template <class Visitor>
void describe(Visitor& v, MeshRectangle& rectangle) {
  v.number({.name = "width", .meaning = "along x", .unit = "m", .range = positive}, rectangle.width);
  v.number({.name = "height", .meaning = "along y", .unit = "m", .range = positive}, rectangle.height);
  const Range cells{1, 10000};
  v.whole({.name = "cells_x", .meaning = "cells along x, of two triangles each", .unit = "-", .range = cells},
          rectangle.cells_x);
  v.whole({.name = "cells_y", .meaning = "cells along y", .unit = "-", .range = cells}, rectangle.cells_y);
  v.vector({.name = "origin", .meaning = "the lowest corner, vertex number 0", .unit = "m"}, rectangle.origin);
}

template <class Visitor>
void describe(Visitor& v, SceneMesh& mesh) {
  size_t form = mesh.index();
  v.alternatives(
      {{"file"}, {"box"}, {"beam"}, {"ball"}, {"chain"}, {"grid"}, {"rectangle"}}, form, true, [&](size_t which) {
        const Key cells_split{.name = "split", .meaning = "tetrahedra per cell: 5 or 6", .unit = "-", .range = {5, 6}};
        switch (which) {
          case 0:
            v.text({.name = "file",
                    .meaning = "a mesh file, relative to the scene: .node/.ele, .mesh, .msh, .vtk, .vtu or .t",
                    .required = true},
                   hold<MeshFile>(mesh).path);
            break;
          case 1:
            v.object({.name = "box", .meaning = "a box of cells"}, [&] {
              MeshBox& box = hold<MeshBox>(mesh);
              v.vector({.name = "size", .meaning = "edge lengths", .unit = "m", .range = positive, .uniform = true},
                       box.size);
              v.cells({.name = "cells",
                       .meaning = "cells along x, y and z",
                       .unit = "-",
                       .range = {1, 2000},
                       .uniform = true},
                      box.cells);
              v.vector({.name = "origin", .meaning = "the lowest corner", .unit = "m"}, box.origin);
              v.whole(cells_split, box.split);
            });
            break;
          case 2:
            v.object({.name = "beam", .meaning = "a beam along x with one end at x = 0"}, [&] {
              MeshBeam& beam = hold<MeshBeam>(mesh);
              v.number({.name = "length", .meaning = "along x", .unit = "m", .range = positive}, beam.length);
              v.number({.name = "height", .meaning = "along y", .unit = "m", .range = positive}, beam.height);
              v.number({.name = "depth", .meaning = "along z", .unit = "m", .range = positive}, beam.depth);
              v.whole({.name = "cells_across",
                       .meaning = "cells along y and z; along x so many that cells are nearly cubes",
                       .unit = "-",
                       .range = {1, 2000}},
                      beam.cells_across);
              v.whole(cells_split, beam.split);
            });
            break;
          case 4:
            v.object(
                {.name = "chain", .meaning = "points in a row, a spring from each to the next; one link: a pendulum"},
                [&] { describe(v, hold<MeshChain>(mesh)); });
            break;
          case 5:
            v.object(
                {.name = "grid", .meaning = "points in rows in the plane z = 0 with springs between them: a cloth"},
                [&] { describe(v, hold<MeshGrid>(mesh)); });
            break;
          case 6:
            v.object(
                {.name = "rectangle",
                 .meaning = "triangles in a plane of constant z, in which they stay: two dimensions, plane strain, 1 m "
                            "thick"},
                [&] { describe(v, hold<MeshRectangle>(mesh)); });
            break;
          default:
            v.object({.name = "ball", .meaning = "a ball of 20 shells^3 tetrahedra"}, [&] {
              MeshBall& ball = hold<MeshBall>(mesh);
              v.number({.name = "radius", .meaning = "radius", .unit = "m", .range = positive}, ball.radius);
              v.whole({.name = "shells",
                       .meaning = "layers of tetrahedra between centre and surface",
                       .unit = "-",
                       .range = {1, 475}},
                      ball.shells);
              v.vector({.name = "center", .meaning = "centre", .unit = "m"}, ball.center);
            });
        }
      });
}

template <class Visitor>
void describe(Visitor& v, Transform& t) {
  v.vector({.name = "scale",
            .meaning = "factors along x, y and z, first of all; not 0; an odd number of negative ones mirrors",
            .unit = "-",
            .uniform = true},
           t.scale);
  v.vector({.name = "rotation_axis", .meaning = "the axis of rotation, of any length", .unit = "-"}, t.rotation_axis);
  v.number({.name = "rotation_degrees",
            .meaning = "the angle, counter-clockwise where the axis points at the viewer",
            .unit = "deg",
            .range = turns},
           t.rotation_degrees);
  v.vector({.name = "translate", .meaning = "the displacement, last of all", .unit = "m", .range = in_reach},
           t.translate);
}

template <class Visitor>
void describe(Visitor& v, Copies& c) {
  v.cells({.name = "count", .meaning = "bodies along x, y and z", .unit = "-", .range = {1, 1000000}}, c.count);
  v.vector({.name = "spacing", .meaning = "the distance from one to the next", .unit = "m", .range = in_reach},
           c.spacing);
}

template <class Visitor>
void describe(Visitor& v, StiffnessFactors& factors) {
  size_t form = factors.index();
  v.alternatives({{"file"}, {"values"}}, form, true, [&](size_t which) {
    if (which == 0)
      v.text({.name = "file",
              .meaning = "a file relative to the scene with a number for each tetrahedron, as the mesh's file or "
                         "generator numbers them: .npy, or text, where # starts a comment",
              .required = true},
             hold<FactorFile>(factors).path);
    else
      v.numbers({.name = "values",
                 .meaning = "the numbers themselves, in the same order",
                 .unit = "-",
                 .range = positive,
                 .required = true},
                hold<FactorList>(factors).values);
  });
}

template <class Visitor>
void describe(Visitor& v, Selection& selection) {
  size_t form = selection.index();
  v.alternatives({{"box"}, {"sphere"}, {"plane"}, {"indices"}, {"file"}}, form, true, [&](size_t which) {
    switch (which) {
      case 0:
        v.object({.name = "box", .meaning = "vertices in a box, its faces included"}, [&] {
          SelectBox& box = hold<SelectBox>(selection);
          v.vector({.name = "min", .meaning = "the lowest corner", .unit = "m", .required = true}, box.min);
          v.vector({.name = "max", .meaning = "the highest corner", .unit = "m", .required = true}, box.max);
        });
        break;
      case 1:
        v.object({.name = "sphere", .meaning = "vertices in a sphere, its surface included"}, [&] {
          SelectSphere& sphere = hold<SelectSphere>(selection);
          v.vector({.name = "center", .meaning = "centre", .unit = "m", .required = true}, sphere.center);
          v.number({.name = "radius", .meaning = "radius", .unit = "m", .range = positive, .required = true},
                   sphere.radius);
        });
        break;
      case 2:
        v.object({.name = "plane", .meaning = "vertices on a plane and on the side that its normal points to"}, [&] {
          SelectPlane& plane = hold<SelectPlane>(selection);
          v.vector({.name = "point", .meaning = "a point of the plane", .unit = "m", .required = true}, plane.point);
          v.vector({.name = "normal", .meaning = "of any length but 0", .unit = "-", .required = true}, plane.normal);
        });
        break;
      case 3:
        v.indices({.name = "indices", .meaning = "numbers of vertices, from 0", .required = true},
                  hold<SelectIndices>(selection).indices);
        break;
      default:
        v.text({.name = "file",
                .meaning = "a file of vertex numbers, from 0, relative to the scene; # starts a comment",
                .required = true},
               hold<SelectFile>(selection).path);
    }
  });
}

inline constexpr std::string_view selection_forms = "box, sphere, plane, indices or file";

// "all" or an object with one kind of selection.
template <class Visitor>
void describe_selection(Visitor& v, const Key& key, Selection& selection) {
  static const Words all{"all"};
  int word = std::holds_alternative<SelectAll>(selection) ? 0 : -1;
  v.word_or_object(key, all, word, [&] {
    if (std::holds_alternative<SelectAll>(selection)) selection.emplace<SelectBox>();
    describe(v, selection);
  });
  if (word == 0) selection.emplace<SelectAll>();
}

template <class Visitor>
void describe(Visitor& v, FibreRegion& r) {
  v.whole(
      {.name = "region", .meaning = "the label", .unit = "-", .range = {-2147483648.0, 2147483647.0}, .required = true},
      r.region);
  v.vector({.name = "direction", .meaning = "of any length but 0", .unit = "-", .range = factor, .required = true},
           r.direction);
}

template <class Visitor>
void describe(Visitor& v, FibreHarmonic& ends) {
  describe_selection(v,
                     {.name = "from",
                      .meaning = "vertices of the one end, by their rest positions in the world or by number",
                      .inside = selection_forms,
                      .required = true},
                     ends.from);
  describe_selection(
      v, {.name = "to", .meaning = "vertices of the other end", .inside = selection_forms, .required = true}, ends.to);
}

template <class Visitor>
void describe(Visitor& v, SceneFibres& fibres) {
  size_t form = fibres.along.index();
  v.alternatives({{"direction"}, {"regions"}, {"file"}, {"harmonic"}}, form, true, [&](size_t which) {
    switch (which) {
      case 0:
        v.vector({.name = "direction",
                  .meaning = "along them, everywhere; in the axes of the mesh, which the object's transform turns and "
                             "stretches; of any length but 0",
                  .unit = "-",
                  .range = factor,
                  .required = true},
                 hold<FibreConstant>(fibres.along).direction);
        break;
      case 1:
        v.list({.name = "regions",
                .meaning = "the same by region label of the mesh; tetrahedra of other regions have no fibres",
                .required = true},
               hold<FibreRegions>(fibres.along).regions);
        break;
      case 2:
        v.text({.name = "file",
                .meaning = "the same by tetrahedron: a .npy file relative to the scene with three numbers for each, as "
                           "the mesh's file or generator numbers them",
                .required = true},
               hold<FibreFile>(fibres.along).path);
        break;
      default:
        v.object({.name = "harmonic",
                  .meaning = "along the gradient of a function without sources that is 0 at one end of the object and "
                             "1 at the other; tetrahedra within an end have no fibres"},
                 [&] { describe(v, hold<FibreHarmonic>(fibres.along)); });
    }
  });
  v.number({.name = "peak_stress",
            .meaning = "what they exert at their best length, fully activated: force per rest area across them",
            .unit = "Pa",
            .range = {0, 1e18, true}},
           fibres.peak_stress);
  v.number({.name = "optimal_stretch",
            .meaning = "that best length over their length at rest",
            .unit = "-",
            .range = {0, 1e3, true}},
           fibres.optimal_stretch);
  size_t activation = fibres.activation_curve ? 1 : 0;
  v.alternatives({{"activation"}, {"activation_curve"}}, activation, false, [&](size_t which) {
    if (which == 0) {
      fibres.activation_curve.reset();
      v.number({.name = "activation",
                .meaning = "how strongly they contract, from 0 (they resist being stretched, and no more) to 1",
                .unit = "-",
                .range = share},
               fibres.activation);
    } else {
      if (!fibres.activation_curve) fibres.activation_curve.emplace();
      v.object({.name = "activation_curve",
                .meaning = "the same over time: linear between times, as at the first before it and as at the last "
                           "after it; a step takes the value at its end"},
               [&] {
                 v.numbers(
                     {.name = "times", .meaning = "ascending", .unit = "s", .range = non_negative, .required = true},
                     fibres.activation_curve->times);
                 v.numbers({.name = "values", .meaning = "as many", .unit = "-", .range = share, .required = true},
                           fibres.activation_curve->values);
               });
    }
  });
}

template <class Visitor>
void describe(Visitor& v, SceneObject& o) {
  v.object({.name = "mesh", .meaning = "a file or a generator", .required = true}, [&] { describe(v, o.mesh); });
  v.text({.name = "material",
          .meaning = "the material of tetrahedra whose region has none of its own; needed but by chains and grids, "
                     "which are made of springs"},
         o.material);
  v.labels({.name = "regions", .meaning = "region label of the mesh -> material"}, o.regions);
  static const Words no_factors{"none"};
  int word = o.stiffness_factors ? -1 : 0;
  v.word_or_object({.name = "stiffness_factors",
                    .meaning = "what the stiffness of each tetrahedron's material is multiplied by, above 0: Young's "
                               "modulus or both Lame parameters; Poisson's ratio, density and damping stay",
                    .inside = "file or values"},
                   no_factors, word, [&] {
                     if (!o.stiffness_factors) o.stiffness_factors.emplace();
                     describe(v, *o.stiffness_factors);
                   });
  if (word == 0) o.stiffness_factors.reset();
  static const Words no_fibres{"none"};
  int fibres = o.fibres ? -1 : 0;
  v.word_or_object({.name = "fibres",
                    .meaning = "muscle fibres in its tetrahedra, which pull beside what the material does",
                    .inside = "direction, regions, file or harmonic"},
                   no_fibres, fibres, [&] {
                     if (!o.fibres) o.fibres.emplace();
                     describe(v, *o.fibres);
                   });
  if (fibres == 0) o.fibres.reset();
  v.object({.name = "transform", .meaning = "the place in the world: scale, then rotate, then translate"},
           [&] { describe(v, o.transform); });
  v.object({.name = "copies", .meaning = "more bodies of the same shape, in rows; together they are the object"},
           [&] { describe(v, o.copies); });
  v.vector({.name = "velocity", .meaning = "velocity at the start", .unit = "m/s", .range = in_reach}, o.velocity);
  v.vector({.name = "stretch",
            .meaning = "the start positions are the rest positions times these factors, about the world's origin; the "
                       "rest shape stays",
            .unit = "-",
            .range = factor},
           o.stretch);
  v.vector({.name = "color",
            .meaning = "red, green and blue (sRGB); by default one of the palette",
            .unit = "-",
            .range = share},
           o.color);
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
  v.list(
      {.name = "keyframes",
       .meaning = "ascending times; held at the first before it and at the last after it; none: held where they are"},
      m.keyframes);
}

template <class Visitor>
void describe(Visitor& v, ScenePin& p) {
  v.text({.name = "object", .meaning = "the object whose vertices are held", .required = true}, p.object);
  describe_selection(v,
                     {.name = "select",
                      .meaning = "which vertices, by their rest positions in the world or by number",
                      .inside = selection_forms,
                      .required = true},
                     p.select);
  v.object({.name = "motion", .meaning = "how they move, relative to the start"}, [&] { describe(v, p.motion); });
  v.number({.name = "release",
            .meaning = "set free from this time on; by default never",
            .unit = "s",
            .range = positive,
            .remedy = "leave out a pin that is to hold nothing"},
           p.release);
}

template <class Visitor>
void describe(Visitor& v, SceneLoad& l) {
  v.text({.name = "object", .meaning = "the object the load acts on", .required = true}, l.object);
  describe_selection(
      v,
      {.name = "select",
       .meaning = "a traction acts on boundary faces, a body force on tetrahedra, with all vertices selected",
       .inside = selection_forms},
      l.select);
  size_t kind = static_cast<size_t>(l.kind);
  v.alternatives({{"body_force"}, {"traction"}}, kind, true, [&](size_t which) {
    l.kind = static_cast<SceneLoad::Kind>(which);
    if (which == 0)
      v.vector({.name = "body_force",
                .meaning = "force per rest volume",
                .unit = "N/m^3",
                .range = in_reach,
                .required = true},
               l.value);
    else
      v.vector({.name = "traction",
                .meaning = "force per rest area; its direction stays",
                .unit = "Pa",
                .range = in_reach,
                .required = true},
               l.value);
  });
}

template <class Visitor>
void describe(Visitor& v, SceneProbe& p) {
  v.text({.name = "object", .meaning = "the object whose vertices are followed", .required = true}, p.object);
  describe_selection(v,
                     {.name = "select",
                      .meaning = "which vertices, by their rest positions in the world or by number",
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
  v.object({.name = "bind", .meaning = "whose surface vertices are held; of a chain all points", .required = true},
           [&] { describe(v, b.bind); });
  v.object({.name = "to",
            .meaning = "what they are held to: surface triangles with all three vertices selected; not of a chain",
            .required = true},
           [&] { describe(v, b.to); });
  v.number({.name = "distance",
            .meaning = "vertices that are farther from the surface at rest are left free. Those bound are drawn onto "
                       "it: what lies between is closed",
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
                .meaning = "force per distance from the point that a vertex is held to, in all directions",
                .unit = "N/m",
                .range = spring_stiffness,
                .required = true},
               b.stiffness);
    } else {
      double normal = b.normal_stiffness.value_or(0), tangential = b.tangential_stiffness.value_or(0);
      v.number({.name = "normal_stiffness",
                .meaning = "along the normal that the surface has there at rest, which does not turn with it",
                .unit = "N/m",
                .range = spring_stiffness,
                .required = true},
               normal);
      v.number({.name = "tangential_stiffness",
                .meaning = "across that normal; 0: slides freely",
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
  v.choice({"integrator", "backward Euler, or a state of equilibrium per step"}, integrator, integrators);
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
  // Written as a word where there are no options to write.
  const MethodEntry* accelerator = find_method(accelerator_methods(), s.accelerator);
  int word =
      accelerator && accelerator->options.empty() ? static_cast<int>(accelerator - accelerator_methods().data()) : -1;
  v.word_or_object({.name = "accelerator",
                    .meaning = "what speeds up the sequence of iterates: its name, or an object with its options",
                    .inside = "type and its options"},
                   accelerators, word, [&] {
                     v.choice({.name = "type", .meaning = "the accelerator", .required = true}, s.accelerator,
                              accelerators);
                     v.options(accelerator_methods(), s.accelerator, s.accelerator_options);
                   });
  if (word >= 0) s.accelerator = accelerators[static_cast<size_t>(word)];
  v.whole({.name = "cluster_vertices",
           .meaning = "the most vertices of a piece of the mesh that one thread of vbd sweeps at a time; 0: what is "
                      "fastest, which is one piece below 60000 vertices and many small ones above. Iterates depend on "
                      "it a little, as on every order of the vertices, and what they converge to does not",
           .unit = "-",
           .range = {0, largest_cluster}},
          s.cluster_vertices);
}

template <class Visitor>
void describe(Visitor& v, OutputSettings& o) {
  static const Words caches{"pc2", "mdd"}, vtu{"volume", "surface", "none"};
  v.whole({.name = "every", .meaning = "write each n-th frame", .unit = "-", .range = count_from_1}, o.every);
  v.choice({"vtu", "frames for ParaView, with a .pvd: all tetrahedra, only the boundary's triangles, or none"}, o.vtu,
           vtu);
  v.words({.name = "surface_caches", .meaning = "for Blender, beside an OBJ of the rest surface"}, o.surface_caches,
          caches);
  v.whole({.name = "statistics_every",
           .meaning = "steps between two measurements of residual, energy and inverted elements for stats.csv, which "
                      "has a row for every step; 0: only the last step of each frame, which is always measured. A "
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
}

inline const Words& color_choices() {
  static const Words choices{"object", "material", "strain", "displacement", "residual"};
  return choices;
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
  v.choice({"color_by", "what colours show"}, r.color_by, color_choices());
  v.toggle({.name = "smooth", .meaning = "smooth shading; false: flat"}, r.smooth);
  v.toggle({.name = "wireframe", .meaning = "show the edges of the surface"}, r.wireframe);
  v.toggle({.name = "ground", .meaning = "show a ground under the lowest point"}, r.ground);
  v.object({.name = "camera", .meaning = "by default fitted to all frames"}, [&] { describe(v, r.camera); });
}

template <class Visitor>
void describe(Visitor& v, Scene& s) {
  static const Words up{"y", "z"}, damping{"element", "own_block"};
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
  int axis = s.up == 'z' ? 1 : 0;
  v.choice({"up", "the axis that points up in pictures and for importers"}, axis, up);
  s.up = axis == 1 ? 'z' : 'y';
  v.vector({.name = "gravity", .meaning = "acceleration of everything", .unit = "m/s^2", .range = in_reach}, s.gravity);
  int form = s.own_block_damping ? 1 : 0;
  v.choice({"damping_form",
            "element: exerts no force on a rigid translation; own_block: the vertex's own stiffness only, "
            "which drags rigid motion"},
           form, damping);
  s.own_block_damping = form == 1;
  v.object({.name = "time", .meaning = "integrator and clock"}, [&] { describe(v, s.time); });
  v.named({.name = "materials", .meaning = "by their names; needed but by chains and grids"}, s.materials);
  v.named({.name = "objects", .meaning = "by their names; vertices are numbered in this order", .required = true},
          s.objects);
  v.list({.name = "pins",
          .meaning =
              "vertices that are held or moved; where pins share vertices the last in this list wins, and when it is "
              "released the one before it holds them again, where its own motion says"},
         s.pins);
  v.list({.name = "loads", .meaning = "forces beside gravity"}, s.loads);
  v.named(
      {.name = "probes", .meaning = "by their names: vertices whose mean position comparisons and experiments follow"},
      s.probes);
  v.list({.name = "bindings", .meaning = "surfaces that are held together by springs of length 0"}, s.bindings);
  v.object({.name = "solver", .meaning = "the method, its options and its accelerator"},
           [&] { describe(v, s.solver); });
  v.object({.name = "output", .meaning = "what is written"}, [&] { describe(v, s.output); });
  v.object({.name = "render", .meaning = "pictures and film"}, [&] { describe(v, s.render); });
}

}  // namespace sinew
