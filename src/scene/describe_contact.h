// The description of contact and colliders, part of describe.h.
#pragma once

#include "scene/describe_mesh.h"

namespace sinew {

inline constexpr Range contact_length{0, 1e18, true};
inline constexpr Range friction_range{0, 1e6};
inline constexpr Range slip_speed{1e-6, 1e9};

// Of an object, or of a collider, which does not touch itself.
template <class Visitor>
void describe_contact(Visitor& v, ObjectContact& c, bool collider) {
  choose(v, {"law", "as in `contact`; of two, offset"}, c.law);
  v.number({.name = "radius", .meaning = "distance at which forces begin", .unit = "m", .range = contact_length},
           c.radius);
  v.number({.name = "stiffness",
            .meaning = "force per distance of a contact, near the radius",
            .unit = "N/m",
            .range = spring_stiffness},
           c.stiffness);
  v.number({.name = "friction", .meaning = "Coulomb's coefficient", .unit = "-", .range = friction_range}, c.friction);
  v.number({.name = "friction_speed", .meaning = "slower slips are resisted less", .unit = "m/s", .range = slip_speed},
           c.friction_speed);
  choose(v, {"friction_form", "smooth: creeps; stick: holds until it slips"}, c.friction_form);
  choose(v, {"guarantee", "as in `contact`; of two, intersection_free"}, c.guarantee);
  choose(v, {"start", "as in `contact`; of two, allow, else separate"}, c.start);
  if (!collider) v.toggle({.name = "self", .meaning = "whether each of its bodies touches itself"}, c.self);
  v.toggle({.name = "touches", .meaning = "false: it passes through everything; default: true"}, c.touches);
}

template <class Visitor>
void describe(Visitor& v, SceneContactPair& p) {
  v.text({.name = "a", .meaning = "an object or a collider", .required = true}, p.a);
  v.text({.name = "b",
          .meaning = "another, of which one is an object; or the same object: what holds among its bodies and within "
                     "each",
          .required = true},
         p.b);
  choose(v, {"law", "as in `contact`"}, p.law);
  v.number({.name = "radius", .meaning = "distance at which forces begin", .unit = "m", .range = contact_length},
           p.radius);
  v.number({.name = "stiffness",
            .meaning = "force per distance of a contact, near the radius",
            .unit = "N/m",
            .range = spring_stiffness},
           p.stiffness);
  v.number({.name = "friction", .meaning = "Coulomb's coefficient", .unit = "-", .range = friction_range}, p.friction);
  v.number({.name = "friction_speed", .meaning = "slower slips are resisted less", .unit = "m/s", .range = slip_speed},
           p.friction_speed);
  choose(v, {"friction_form", "as in `contact`"}, p.friction_form);
  choose(v, {"guarantee", "as in `contact`"}, p.guarantee);
  choose(v, {"start", "as in `contact`"}, p.start);
  v.toggle({.name = "touches",
            .meaning = "false: the two pass through each other; true: they touch although a binding joins them"},
           p.touches);
}

template <class Visitor>
void describe(Visitor& v, ContactSettings& c) {
  choose(v,
         {"law",
          "offset: forces begin at the radius and grow without bound as the distance vanishes; penalty: they grow with "
          "the depth of penetration, which remains, and there is no radius"},
         c.law);
  v.number_or_auto({.name = "radius",
                    .meaning = "distance at which forces begin; auto: 0.15 of the mean edge of the surface, of two "
                               "objects the smaller",
                    .unit = "m",
                    .range = contact_length},
                   c.radius);
  v.number_or_auto({.name = "stiffness",
                    .meaning = "force per distance of a contact, near the radius; auto: from masses, time step and "
                               "elastic stiffness of the two sides",
                    .unit = "N/m",
                    .range = spring_stiffness},
                   c.stiffness);
  v.number({.name = "friction",
            .meaning = "Coulomb's coefficient: the largest friction over the normal force",
            .unit = "-",
            .range = friction_range},
           c.friction);
  v.number({.name = "friction_speed",
            .meaning = "slips below this speed are resisted less, in proportion: what friction holds creeps",
            .unit = "m/s",
            .range = slip_speed},
           c.friction_speed);
  choose(v,
         {"friction_form",
          "smooth: a force by the speed of the slip, so that what it holds creeps; stick: a spring to an anchor per "
          "contact, which is dragged along where it slips"},
         c.friction_form);
  choose(v, {"guarantee", "intersection_free: no state has triangles that cross, by limits on every motion"},
         c.guarantee);
  v.toggle({.name = "self", .meaning = "whether bodies touch themselves"}, c.self);
  choose(v,
         {"start",
          "of bodies that intersect or touch at the start. refuse: an error; separate: they are moved apart as wholes; "
          "allow: such pairs pass through each other until they are apart"},
         c.start);
  v.whole({.name = "detect_every",
           .meaning = "iterations between two checks of whether new contacts must be looked for; a quarter of those "
                      "done, once that is more",
           .unit = "-",
           .range = count_from_1},
          c.detect_every);
  v.list({.name = "pairs",
          .meaning = "what holds between two objects, or an object and a collider. It comes before what they have of "
                     "their own, and that before what is given here"},
         c.pairs);
}

template <class Visitor>
void describe(Visitor& v, GridSettings& g) {
  v.number({.name = "spacing",
            .meaning = "between nodes; about the mean edge of the meshes",
            .unit = "m",
            .range = contact_length,
            .required = true},
           g.spacing);
  choose(v,
         {"colliders",
          "what nodes inside colliders do. slip: they may leave, and move along them; sticky: they move with them"},
         g.colliders);
  v.number(
      {.name = "cfl",
       .meaning = "share of the spacing that a vertex moves at most at once; a step in which it would move further is "
                  "taken in parts",
       .unit = "-",
       .range = {1e-3, 1}},
      g.cfl);
}

template <class Visitor>
void describe(Visitor& v, ColliderShape& shape) {
  const auto corner = [&](std::string_view name, std::string_view meaning, Real3& value) {
    v.vector({.name = name, .meaning = meaning, .unit = "m", .range = in_reach, .required = true}, value);
  };
  const auto radius = [&](double& value) {
    v.number({.name = "radius", .meaning = "radius", .unit = "m", .range = contact_length, .required = true}, value);
  };
  size_t form = shape.index();
  v.alternatives(
      {{"half_space"}, {"box"}, {"sphere"}, {"capsule"}, {"inward_box"}, {"mesh"}, {"arrays"}, {"solid"}}, form, true,
      [&](size_t which) {
        switch (which) {
          case 0:
            v.object({.name = "half_space", .meaning = "solid up to a plane: a floor, a wall"}, [&] {
              auto& half = hold<ColliderHalfSpace>(shape);
              v.vector({.name = "point", .meaning = "a point of the plane", .unit = "m", .range = in_reach},
                       half.point);
              v.vector({.name = "normal", .meaning = "out of the solid, of any length but 0", .unit = "-"},
                       half.normal);
            });
            break;
          case 1:
            v.object({.name = "box", .meaning = "a box"}, [&] {
              auto& box = hold<ColliderBox>(shape);
              corner("min", "the lowest corner", box.min);
              corner("max", "the highest corner", box.max);
            });
            break;
          case 2:
            v.object({.name = "sphere", .meaning = "a ball of triangles, with edges of about an eighth of the radius"},
                     [&] {
                       auto& sphere = hold<ColliderSphere>(shape);
                       v.vector({.name = "center", .meaning = "centre", .unit = "m", .range = in_reach}, sphere.center);
                       radius(sphere.radius);
                     });
            break;
          case 3:
            v.object({.name = "capsule", .meaning = "a cylinder with rounded ends, of such triangles"}, [&] {
              auto& capsule = hold<ColliderCapsule>(shape);
              corner("a", "the centre of one end", capsule.a);
              corner("b", "the centre of the other", capsule.b);
              radius(capsule.radius);
            });
            break;
          case 4:
            v.object({.name = "inward_box", .meaning = "solid outside a box, so that bodies stay inside"}, [&] {
              auto& box = hold<ColliderInwardBox>(shape);
              corner("min", "the lowest corner", box.min);
              corner("max", "the highest corner", box.max);
            });
            break;
          case 5:
            v.text({.name = "mesh",
                    .meaning = "the file of a triangle surface, closed and counter-clockwise seen from outside: .obj, "
                               ".ply, .stl or .off",
                    .required = true},
                   hold<ColliderMesh>(shape).path);
            break;
          case 6:
            v.object({.name = "arrays", .meaning = "such a surface given here"}, [&] {
              auto& mesh = hold<ColliderArrays>(shape);
              v.numbers({.name = "vertices",
                         .meaning = "x, y and z of each, one after the other",
                         .unit = "m",
                         .range = in_reach,
                         .required = true},
                        mesh.vertices);
              v.indices({.name = "triangles", .meaning = "three vertices of each, from 0", .required = true},
                        mesh.triangles);
            });
            break;
          default:
            v.object({.name = "solid", .meaning = "the surface of a solid defined by formulas, as a mesher finds it"},
                     [&] {
                       auto& solid = hold<ColliderSolid>(shape);
                       v.shape({.name = "of", .meaning = "the shape (see Shapes)", .required = true}, solid.shape);
                       describe(v, solid.settings);
                     });
        }
      });
}

template <class Visitor>
void describe(Visitor& v, SceneCollider& c) {
  v.object({.name = "shape", .meaning = "what it is, before its transform", .required = true},
           [&] { describe(v, c.shape); });
  v.object({.name = "transform", .meaning = "placement in the world: scale, then rotate, then translate"},
           [&] { describe(v, c.transform); });
  v.object({.name = "motion", .meaning = "how it moves, relative to the start, as pins do; scales are above 0"},
           [&] { describe(v, c.motion); });
  v.object({.name = "contact", .meaning = "what it has of its own; the rest is as in `contact` of the scene"},
           [&] { describe_contact(v, c.contact, true); });
  v.vector(
      {.name = "color", .meaning = "red, green and blue (sRGB); by default grey", .unit = "-", .range = share_range},
      c.color);
}

}  // namespace sinew
