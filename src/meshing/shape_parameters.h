// The description of the parameters of shapes: the name, meaning, unit, range and place of each. A visitor is called as
// v(key, value), where value is a double, an int, a bool or a Vec3d; readers, checks, the schema and the reference page
// are visitors. Defaults are those of the structs.
#pragma once

#include "meshing/shape.h"

namespace sinew {

struct ShapeKey {
  std::string_view name, meaning, unit;
  Range range{};  // of each component of a vector
};

inline constexpr Range shape_length{0, 1e9, true};  // more than 0
inline constexpr Range shape_distance{0, 1e9};
inline constexpr Range shape_position{-1e9, 1e9};

namespace shapes {

template <class Visitor>
void describe(Visitor& v, Ball& s) {
  v(ShapeKey{"radius", "of the ball", "m", shape_length}, s.radius);
}
template <class Visitor>
void describe(Visitor& v, Box& s) {
  v(ShapeKey{"size", "edge lengths", "m", shape_length}, s.size);
}
template <class Visitor>
void describe(Visitor& v, RoundedBox& s) {
  v(ShapeKey{"size", "lengths from face to face", "m", shape_length}, s.size);
  v(ShapeKey{"edge_radius", "of its edges, at most half the least length", "m", shape_distance}, s.edge_radius);
}
template <class Visitor>
void describe(Visitor& v, Torus& s) {
  v(ShapeKey{"radius", "of the circle that the tube lies around", "m", shape_length}, s.radius);
  v(ShapeKey{"tube_radius", "of the tube, less than the circle's", "m", shape_length}, s.tube_radius);
}
template <class Visitor>
void describe(Visitor& v, Capsule& s) {
  v(ShapeKey{"from", "the centre of one end", "m", shape_position}, s.from);
  v(ShapeKey{"to", "the centre of the other", "m", shape_position}, s.to);
  v(ShapeKey{"radius", "of the capsule", "m", shape_length}, s.radius);
}
template <class Visitor>
void describe(Visitor& v, Cylinder& s) {
  v(ShapeKey{"radius", "of the cylinder", "m", shape_length}, s.radius);
  v(ShapeKey{"length", "along the axis", "m", shape_length}, s.length);
}
template <class Visitor>
void describe(Visitor& v, Cone& s) {
  v(ShapeKey{"radius", "at the lower end", "m", shape_distance}, s.radius);
  v(ShapeKey{"top_radius", "at the upper end", "m", shape_distance}, s.top_radius);
  v(ShapeKey{"length", "along the axis", "m", shape_length}, s.length);
}
template <class Visitor>
void describe(Visitor& v, RoundedCone& s) {
  v(ShapeKey{"from", "the centre of one end, a ball", "m", shape_position}, s.from);
  v(ShapeKey{"to", "the centre of the other", "m", shape_position}, s.to);
  v(ShapeKey{"from_radius", "of the one end", "m", shape_distance}, s.from_radius);
  v(ShapeKey{"to_radius", "of the other", "m", shape_distance}, s.to_radius);
}
template <class Visitor>
void describe(Visitor& v, Ellipsoid& s) {
  v(ShapeKey{"radii", "along x, y and z", "m", shape_length}, s.radii);
}
template <class Visitor>
void describe(Visitor& v, HalfSpace& s) {
  v(ShapeKey{"normal", "of the plane, pointing out of the solid; of any length but 0", "-", shape_position}, s.normal);
  v(ShapeKey{"offset", "of the plane from the origin, along the normal", "m", shape_position}, s.offset);
}
template <class Visitor>
void describe(Visitor& v, Spindle& s) {
  v(ShapeKey{"length", "from end to end", "m", shape_length}, s.length);
  v(ShapeKey{"radius", "in the middle, at most half the length", "m", shape_length}, s.radius);
  v(ShapeKey{"end_radius", "of the rounded ends, less than in the middle", "m", shape_distance}, s.end_radius);
}
template <class Visitor>
void describe(Visitor& v, Bowl& s) {
  v(ShapeKey{"radius", "of the outer surface, a part of a sphere", "m", shape_length}, s.radius);
  v(ShapeKey{"depth", "from the lowest point to the top of the rounded rim, at most the diameter", "m", shape_length},
    s.depth);
  v(ShapeKey{"thickness", "of the wall, less than radius and depth", "m", shape_length}, s.thickness);
}
template <class Visitor>
void describe(Visitor& v, Union& s) {
  v(ShapeKey{"blend", "how far apart surfaces are that flow into each other; 0: sharp", "m", shape_distance}, s.blend);
}
template <class Visitor>
void describe(Visitor& v, Intersection& s) {
  v(ShapeKey{"blend", "how far apart surfaces are whose edge is rounded; 0: sharp", "m", shape_distance}, s.blend);
}
template <class Visitor>
void describe(Visitor& v, Difference& s) {
  v(ShapeKey{"blend", "how far apart surfaces are whose edge is rounded; 0: sharp", "m", shape_distance}, s.blend);
}
template <class Visitor>
void describe(Visitor& v, Offset& s) {
  v(ShapeKey{"distance", "by which the part grows, its edges rounded, or shrinks if negative", "m", shape_position},
    s.distance);
}
template <class Visitor>
void describe(Visitor& v, Shell& s) {
  v(ShapeKey{"thickness", "of the wall, inwards from the part's surface", "m", shape_length}, s.thickness);
}
template <class Visitor>
void describe(Visitor& v, Beam& s) {
  v(ShapeKey{"length", "along x, from the origin", "m", shape_length}, s.length);
  v(ShapeKey{"height", "along y, from the origin", "m", shape_length}, s.height);
  v(ShapeKey{"depth", "along z, from the origin", "m", shape_length}, s.depth);
  v(ShapeKey{"edge_radius", "of its edges, at most half the least length", "m", shape_distance}, s.edge_radius);
}
template <class Visitor>
void describe(Visitor& v, BallWithTentacles& s) {
  v(ShapeKey{"radius", "of the ball without tentacles", "m", shape_length}, s.radius);
  v(ShapeKey{"tentacles", "how many, evenly spread", "-", {1, 100000}}, s.tentacles);
  v(ShapeKey{"tentacle_length", "beyond the ball", "m", shape_length}, s.tentacle_length);
  v(ShapeKey{"tentacle_radius", "at the ball, less than the ball's", "m", shape_length}, s.tentacle_radius);
}
template <class Visitor>
void describe(Visitor& v, Octopus& s) {
  v(ShapeKey{"size", "factor on all lengths", "-", shape_length}, s.size);
  v(ShapeKey{"arms", "how many, around the head", "-", {1, 32}}, s.arms);
  v(ShapeKey{"arm_length", "along each arm, times the size", "m", {0.2, 5}}, s.arm_length);
  v(ShapeKey{"arm_radius", "of each arm where it begins, times the size", "m", {0.01, 0.2}}, s.arm_radius);
  v(ShapeKey{"curl", "turns of each arm from its lowest point to its end", "-", {0, 0.75}}, s.curl);
  v(ShapeKey{"eyes", "whether it has two", "-"}, s.eyes);
}
template <class Visitor>
void describe(Visitor& v, SpindleBundle& s) {
  v(ShapeKey{"spindles", "how many, side by side in rings around the first", "-", {1, 10000}}, s.spindles);
  v(ShapeKey{"length", "of each, from end to end", "m", shape_length}, s.length);
  v(ShapeKey{"radius", "of each in the middle, at most half the length", "m", shape_length}, s.radius);
  v(ShapeKey{"end_radius", "of their rounded ends, less than in the middle", "m", shape_distance}, s.end_radius);
  v(ShapeKey{"gap", "between neighbours; negative: they grow together", "m", shape_position}, s.gap);
}

}  // namespace shapes

template <class Visitor>
void describe(Visitor& v, ShapePlacement& p) {
  v(ShapeKey{"scale", "factor, first of all", "-", shape_length}, p.scale);
  v(ShapeKey{"rotation_axis", "the axis of rotation, of any length but 0", "-", shape_position}, p.rotation_axis);
  v(ShapeKey{"rotation_degrees", "the angle, counter-clockwise where the axis points at the viewer", "deg",
             shape_position},
    p.rotation_degrees);
  v(ShapeKey{"translate", "displacement, applied last", "m", shape_position}, p.translate);
}

// The parameters of the shape's kind.
template <class Visitor>
void describe(Visitor& v, ShapeForm& form) {
  std::visit([&](auto& s) { shapes::describe(v, s); }, form);
}

}  // namespace sinew
