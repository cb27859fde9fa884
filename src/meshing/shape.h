// Solids made of formulas: balls, boxes and others, and their unions, differences and the like. A shape is a plain
// value for scenes and programs; shape_field.h makes a distance field of it.
//
// Lengths are in metres. Shapes with an axis have it along y and their centre at the origin, unless stated otherwise.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/parameters.h"
#include "base/result.h"
#include "math/vec.h"

namespace sinew {

namespace shapes {

struct Ball {
  double radius = 0.5;
};
struct Box {
  Vec3d size{1, 1, 1};
};
struct RoundedBox {
  Vec3d size{1, 1, 1};
  double edge_radius = 0.1;
};
struct Torus {
  double radius = 0.4, tube_radius = 0.1;
};
struct Capsule {
  Vec3d from{0, -0.3, 0}, to{0, 0.3, 0};
  double radius = 0.2;
};
struct Cylinder {
  double radius = 0.25, length = 1;
};
struct Cone {
  double radius = 0.5, top_radius = 0, length = 1;
};
struct RoundedCone {
  Vec3d from{0, -0.3, 0}, to{0, 0.3, 0};
  double from_radius = 0.2, to_radius = 0.1;
};
struct Ellipsoid {
  Vec3d radii{0.5, 0.3, 0.3};
};
struct HalfSpace {
  Vec3d normal{0, 1, 0};
  double offset = 0;
};
struct Spindle {
  double length = 1, radius = 0.15, end_radius = 0.03;
};
struct Bowl {
  double radius = 0.5, depth = 0.4, thickness = 0.06;
};

struct Union {
  double blend = 0;
};
struct Intersection {
  double blend = 0;
};
struct Difference {
  double blend = 0;
};
struct Offset {
  double distance = 0.05;
};
struct Shell {
  double thickness = 0.05;
};

struct Beam {
  double length = 0.4, height = 0.1, depth = 0.1, edge_radius = 0;
};
struct BallWithTentacles {
  double radius = 0.35;
  int tentacles = 200;
  double tentacle_length = 0.15, tentacle_radius = 0.02;
};
struct Octopus {
  double size = 1;
  int arms = 8;
  double arm_length = 0.8, arm_radius = 0.075, curl = 0.6;
  bool eyes = true;
};
struct SpindleBundle {
  int spindles = 7;
  double length = 1, radius = 0.08, end_radius = 0.02, gap = 0.01;
};

}  // namespace shapes

// x -> rotate(scale x) + translate, as for the objects of a scene, with a uniform scale.
struct ShapePlacement {
  double scale = 1;
  Vec3d rotation_axis{0, 0, 1};
  double rotation_degrees = 0;
  Vec3d translate{0, 0, 0};
};

using ShapeForm =
    std::variant<shapes::Ball, shapes::Box, shapes::RoundedBox, shapes::Torus, shapes::Capsule, shapes::Cylinder,
                 shapes::Cone, shapes::RoundedCone, shapes::Ellipsoid, shapes::HalfSpace, shapes::Spindle, shapes::Bowl,
                 shapes::Union, shapes::Intersection, shapes::Difference, shapes::Offset, shapes::Shell, shapes::Beam,
                 shapes::BallWithTentacles, shapes::Octopus, shapes::SpindleBundle>;

struct Shape {
  ShapeForm form;
  ShapePlacement placement{};
  std::vector<Shape> parts{};  // of a union and other combinations
};

// The kinds of shapes by their number in ShapeForm, how many parts each takes, and its parameters with the defaults:
// readers, the schema and the reference page are made from this (shape_parameters.h describes one shape to a visitor).
struct ShapeParameter {
  std::string_view name, meaning, unit;
  Range range;
  std::variant<double, int, bool, Vec3d> default_value;
};
struct ShapeKind {
  std::string_view name, meaning;
  size_t least_parts = 0, most_parts = 0;
};
std::span<const ShapeKind> shape_kinds();
std::vector<ShapeParameter> shape_parameters(size_t kind);
std::vector<ShapeParameter> placement_parameters();
// The default shape of a kind, without parts.
Shape default_shape(size_t kind);

// Nesting of parts; deeper shapes are rejected, so that the stack does not overflow.
inline constexpr int deepest_shape = 100;

// All faults, with their place in the shape: "parts[2].radius", "= -1 [m]: must be above 0".
std::vector<Error> shape_faults(const Shape& shape);

// The primitives of a ready-made shape (beam, ball_with_tentacles, octopus, spindle_bundle) without faults; nullopt for
// other kinds.
std::optional<Shape> taken_apart(const Shape& shape);

}  // namespace sinew
