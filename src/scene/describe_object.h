// The description of the objects of a scene, part of describe.h: their place, their materials, and selections of their
// vertices.
#pragma once

#include <string_view>

#include "scene/describe_contact.h"

namespace sinew {

template <class Visitor>
void describe(Visitor& v, Transform& t) {
  v.vector({.name = "scale",
            .meaning = "factors along x, y and z, applied first; not 0; an odd number of negative ones mirrors",
            .unit = "-",
            .uniform = true},
           t.scale);
  v.vector({.name = "rotation_axis", .meaning = "the axis of rotation, of any length", .unit = "-"}, t.rotation_axis);
  v.number({.name = "rotation_degrees",
            .meaning = "the angle, counter-clockwise where the axis points at the viewer",
            .unit = "deg",
            .range = turns},
           t.rotation_degrees);
  v.vector({.name = "translate", .meaning = "displacement, applied last", .unit = "m", .range = in_reach}, t.translate);
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
                 .meaning = "the numbers, in the same order",
                 .unit = "-",
                 .range = positive,
                 .required = true},
                hold<FactorList>(factors).values);
  });
}

template <class Visitor>
void describe(Visitor& v, Selection& selection) {
  size_t form = selection.index();
  v.alternatives({{"box"}, {"sphere"}, {"plane"}, {"indices"}, {"file"}, {"group"}}, form, true, [&](size_t which) {
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
        v.object({.name = "plane", .meaning = "vertices on a plane or on the side that its normal points to"}, [&] {
          SelectPlane& plane = hold<SelectPlane>(selection);
          v.vector({.name = "point", .meaning = "a point of the plane", .unit = "m", .required = true}, plane.point);
          v.vector({.name = "normal", .meaning = "of any length but 0", .unit = "-", .required = true}, plane.normal);
        });
        break;
      case 3:
        v.indices({.name = "indices", .meaning = "numbers of vertices, from 0", .required = true},
                  hold<SelectIndices>(selection).indices);
        break;
      case 4:
        v.text({.name = "file",
                .meaning = "a file of vertex numbers, from 0, relative to the scene; # starts a comment",
                .required = true},
               hold<SelectFile>(selection).path);
        break;
      default:
        v.text(
            {.name = "group",
             .meaning = "the name of a physical group in the mesh's Gmsh file, of points, curves, surfaces or volumes: "
                        "all vertices of its elements; `sinew info` lists the groups",
             .required = true},
            hold<SelectGroup>(selection).name);
    }
  });
}

inline constexpr std::string_view selection_forms = "box, sphere, plane, indices, file or group";

// "all", or an object with one kind of selection.
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
  v.region({.name = "region", .meaning = "its label, or its name in the mesh's file", .required = true}, r.region);
  v.vector({.name = "direction", .meaning = "of any length but 0", .unit = "-", .range = factor, .required = true},
           r.direction);
}

template <class Visitor>
void describe(Visitor& v, FibreHarmonic& ends) {
  describe_selection(v,
                     {.name = "from",
                      .meaning = "vertices of one end, by rest position in the world, by number or by group",
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
                  .meaning = "fibre direction everywhere, in the axes of the mesh, before the object's transform; of "
                             "any length but 0",
                  .unit = "-",
                  .range = factor,
                  .required = true},
                 hold<FibreConstant>(fibres.along).direction);
        break;
      case 1:
        v.list({.name = "regions",
                .meaning = "fibre direction by region of the mesh; elements of other regions have no fibres",
                .required = true},
               hold<FibreRegions>(fibres.along).regions);
        break;
      case 2:
        v.text({.name = "file",
                .meaning = "the same by tetrahedron or triangle: a .npy file relative to the scene with three numbers "
                           "for each, as the mesh's file or generator numbers them",
                .required = true},
               hold<FibreFile>(fibres.along).path);
        break;
      default:
        v.object({.name = "harmonic",
                  .meaning = "along the gradient of a harmonic function that is 0 at one end of the object and 1 at "
                             "the other; elements within an end have no fibres"},
                 [&] { describe(v, hold<FibreHarmonic>(fibres.along)); });
    }
  });
  v.number({.name = "peak_stress",
            .meaning = "Cauchy stress along the fibres at their optimal length, fully activated and at unchanged "
                       "volume; per rest area it is peak_stress / optimal_stretch",
            .unit = "Pa",
            .range = {0, 1e18, true}},
           fibres.peak_stress);
  v.number({.name = "optimal_stretch",
            .meaning = "fibre stretch at which they pull hardest: that length over the length at rest",
            .unit = "-",
            .range = {0, 1e3, true}},
           fibres.optimal_stretch);
  size_t activation = fibres.activation_curve ? 1 : 0;
  v.alternatives({{"activation"}, {"activation_curve"}}, activation, false, [&](size_t which) {
    if (which == 0) {
      fibres.activation_curve.reset();
      v.number({.name = "activation",
                .meaning = "how strongly they contract, from 0 (passive) to 1",
                .unit = "-",
                .range = share_range},
               fibres.activation);
    } else {
      if (!fibres.activation_curve) fibres.activation_curve.emplace();
      v.object(
          {.name = "activation_curve",
           .meaning = "activation over time, piecewise linear, constant before the first and after the last time; a "
                      "step uses the value at its end"},
          [&] {
            v.numbers({.name = "times", .meaning = "ascending", .unit = "s", .range = non_negative, .required = true},
                      fibres.activation_curve->times);
            v.numbers(
                {.name = "values", .meaning = "one for each time", .unit = "-", .range = share_range, .required = true},
                fibres.activation_curve->values);
          });
    }
  });
}

template <class Visitor>
void describe(Visitor& v, SceneObject& o) {
  v.object({.name = "mesh", .meaning = "a file or a generator", .required = true}, [&] { describe(v, o.mesh); });
  v.text({.name = "skin",
          .meaning = "a surface file, relative to the scene, that moves with the tetrahedra and is shown instead of "
                     "their boundary: a detailed model on a coarse mesh. It has the coordinates of the mesh and is "
                     "transformed with it; \"\": none"},
         o.skin);
  v.text({.name = "material",
          .meaning = "the material of tetrahedra whose region has none of its own; not required where all regions have "
                     "one, or for chains and grids, which consist of springs"},
         o.material);
  static const Words elements{"linear", "quadratic"};
  static constexpr OtherNames other_elements[] = {
      {"linear", {"p1", "t4", "tet4", "tetra4", "c3d4", "constantstrain", "firstorder"}},
      {"quadratic", {"p2", "t10", "tet10", "tetra10", "c3d10", "tennode", "secondorder", "higherorder"}}};
  int element = o.quadratic ? 1 : 0;
  v.choice(
      {.name = "element",
       .meaning = "of its tetrahedra; quadratic: each has a vertex at the middle of each edge, numbered after those "
                  "of the mesh, and does not lock: one across a beam bends right at every Poisson ratio",
       .others = other_elements},
      element, elements);
  o.quadratic = element == 1;
  v.labels(
      {.name = "regions",
       .meaning = "region of the mesh -> material; a region is named by its label, or by the name that a Gmsh file "
                  "gives it"},
      o.regions);
  static const Words no_factors{"none"};
  int word = o.stiffness_factors ? -1 : 0;
  v.word_or_object({.name = "stiffness_factors",
                    .meaning = "positive factor of each tetrahedron's stiffness, Young's modulus or both Lame "
                               "parameters; Poisson's ratio, density and damping stay the same",
                    .inside = "file or values"},
                   no_factors, word, [&] {
                     if (!o.stiffness_factors) o.stiffness_factors.emplace();
                     describe(v, *o.stiffness_factors);
                   });
  if (word == 0) o.stiffness_factors.reset();
  static const Words no_fibres{"none"};
  int fibres = o.fibres ? -1 : 0;
  v.word_or_object(
      {.name = "fibres",
       .meaning = "muscle fibres in its tetrahedra or triangles, whose stress is added to that of the material",
       .inside = "direction, regions, file or harmonic"},
      no_fibres, fibres, [&] {
        if (!o.fibres) o.fibres.emplace();
        describe(v, *o.fibres);
      });
  if (fibres == 0) o.fibres.reset();
  v.object({.name = "transform", .meaning = "placement in the world: scale, then rotate, then translate"},
           [&] { describe(v, o.transform); });
  v.object({.name = "copies", .meaning = "more bodies of the same shape, in rows; together they form the object"},
           [&] { describe(v, o.copies); });
  v.vector({.name = "velocity", .meaning = "velocity at the start", .unit = "m/s", .range = in_reach}, o.velocity);
  v.vector(
      {.name = "stretch",
       .meaning =
           "factors from rest positions to initial positions, about the world's origin; the rest shape does not change",
       .unit = "-",
       .range = factor},
      o.stretch);
  v.number({.name = "scatter",
            .meaning = "instead of a stretch: radius of a sphere about the world's origin on which the vertices begin, "
                       "each at a random place, the same in every run; the rest shape does not change",
            .unit = "m",
            .range = {0, 1e9, true}},
           o.scatter);
  v.vector({.name = "color",
            .meaning = "red, green and blue (sRGB); by default one of the palette",
            .unit = "-",
            .range = share_range},
           o.color);
  v.object({.name = "contact", .meaning = "what it has of its own; the rest is as in `contact` of the scene"},
           [&] { describe_contact(v, o.contact, false); });
  v.toggle({.name = "on_grid", .meaning = "whether it is embedded in the grid, if the scene has one"}, o.on_grid);
}

}  // namespace sinew
