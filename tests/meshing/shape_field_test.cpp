// Source: the definition of a distance: it changes by no more than the point moves, and moving by it leads to the
// surface; sets, volumes and boxes of the shapes by formulas written here.
#include "meshing/shape_field.h"

#include <gtest/gtest.h>

#include <functional>
#include <numbers>

#include "meshing/smooth_minimum.h"
#include "support/random.h"

namespace sinew {
namespace {

using support::Random;
using support::size;

constexpr double pi = std::numbers::pi;

std::unique_ptr<ShapeField> field_of(const Shape& shape) {
  auto field = make_shape_field(shape);
  EXPECT_TRUE(field) << (field ? "" : field.error().message());
  return std::move(*field);
}
double value_at(const DistanceField& field, Vec3d x) {
  double value = 0;
  field.distances(std::span(&x, 1), std::span(&value, 1));
  return value;
}
Vec3d gradient_at(const DistanceField& field, Vec3d x) {
  const auto slope = [&](Vec3d u) {
    constexpr double h = 1e-5;
    return (value_at(field, x + h * u) - value_at(field, x - h * u)) / (2 * h);
  };
  return {slope({1, 0, 0}), slope({0, 1, 0}), slope({0, 0, 1})};
}
bool within(const Bounds& box, Vec3d x, double tolerance) {
  return x.x >= box.low.x - tolerance && x.y >= box.low.y - tolerance && x.z >= box.low.z - tolerance &&
         x.x <= box.high.x + tolerance && x.y <= box.high.y + tolerance && x.z <= box.high.z + tolerance;
}
double radial(Vec3d x) {
  return std::hypot(x.x, x.z);
}

// A primitive and the set of its points, by another formula.
struct Case {
  Shape shape;
  std::function<bool(Vec3d)> contains;
};
std::vector<Case> primitives() {
  const auto segment_parameter = [](Vec3d x, Vec3d a, Vec3d b) {
    return std::clamp(dot(x - a, b - a) / dot(b - a, b - a), 0.0, 1.0);
  };
  const Vec3d a{-0.3, 0.1, 0}, b{0.4, 0.5, 0.2};
  return {
      {{shapes::Ball{0.7}}, [](Vec3d x) { return size(x) < 0.7; }},
      {{shapes::Box{{1, 0.6, 1.4}}},
       [](Vec3d x) { return std::abs(x.x) < 0.5 && std::abs(x.y) < 0.3 && std::abs(x.z) < 0.7; }},
      {{shapes::RoundedBox{{1, 0.6, 1.4}, 0.2}},
       [](Vec3d x) {
         const Vec3d inner{std::clamp(x.x, -0.3, 0.3), std::clamp(x.y, -0.1, 0.1), std::clamp(x.z, -0.5, 0.5)};
         return size(x - inner) < 0.2;
       }},
      {{shapes::Torus{0.6, 0.2}},
       [](Vec3d x) {  // the quartic
         const double s = dot(x, x) + 0.6 * 0.6 - 0.2 * 0.2;
         return s * s < 4 * 0.6 * 0.6 * (x.x * x.x + x.z * x.z);
       }},
      {{shapes::Capsule{a, b, 0.25}},
       [=](Vec3d x) { return size(x - a - segment_parameter(x, a, b) * (b - a)) < 0.25; }},
      {{shapes::Cylinder{0.4, 1.2}}, [](Vec3d x) { return radial(x) < 0.4 && std::abs(x.y) < 0.6; }},
      {{shapes::Cone{0.6, 0.2, 1}}, [](Vec3d x) { return std::abs(x.y) < 0.5 && radial(x) < 0.4 - 0.4 * x.y; }},
      {{shapes::Cone{0, 0.7, 0.8}}, [](Vec3d x) { return std::abs(x.y) < 0.4 && radial(x) < 0.7 * (x.y + 0.4) / 0.8; }},
      {{shapes::RoundedCone{a, b, 0.3, 0.1}},
       [=](Vec3d x) {  // balls of all radii between
         for (int k = 0; k <= 2000; ++k)
           if (size(x - a - (k / 2000.0) * (b - a)) < 0.3 - 0.2 * k / 2000.0) return true;
         return false;
       }},
      {{shapes::RoundedCone{{0, 0, 0}, {0, 0.1, 0}, 0.1, 0.4}},
       [](Vec3d x) {
         return size(x - Vec3d{0, 0.1, 0}) < 0.4;
       }},
      {{shapes::Ellipsoid{{0.8, 0.3, 0.5}}},
       [](Vec3d x) { return x.x * x.x / 0.64 + x.y * x.y / 0.09 + x.z * x.z / 0.25 < 1; }},
      {{shapes::Ellipsoid{{0.5, 0.5, 0.02}}},
       [](Vec3d x) { return x.x * x.x / 0.25 + x.y * x.y / 0.25 + x.z * x.z / 0.0004 < 1; }},
      {{shapes::Spindle{1.6, 0.3, 0}},
       [](Vec3d x) {  // a circle through both tips and the belly
         const double radius = (0.64 + 0.09) / 0.6;
         return std::abs(x.y) < 0.8 && std::hypot(radial(x) + radius - 0.3, x.y) < radius;
       }},
      {{shapes::Bowl{0.7, 0.9, 0.2}},
       [](Vec3d x) {  // the wall, and the rim about a circle of the middle sphere
         const double rim = 0.9 - 0.1 - 0.7, out = std::sqrt(0.36 - rim * rim);
         const bool below = x.y * out < rim * radial(x);
         return (below && size(x) > 0.5 && size(x) < 0.7) || std::hypot(radial(x) - out, x.y - rim) < 0.1;
       }},
  };
}

// With various placements. Near surfaces, no closer than the steps of the formulas (rounded cones).
TEST(Shape, PrimitivesAreExact) {
  Random random(1);
  for (const Case& c : primitives()) {
    SCOPED_TRACE(shape_kinds()[c.shape.form.index()].name);
    const auto field = field_of(c.shape);
    int walked = 0;
    for (int trial = 0; trial < 3000; ++trial) {
      const Vec3d x = 0.6 * random.vector();
      const double value = value_at(*field, x);
      if (std::abs(value) > 1e-4) {
        EXPECT_EQ(value < 0, c.contains(x)) << x.x << ' ' << x.y << ' ' << x.z;
      }
      const Vec3d gradient = gradient_at(*field, x);
      // Halfway between two sides there is no gradient.
      if (std::abs(size(gradient) - 1) > 1e-9) continue;
      ++walked;
      EXPECT_NEAR(value_at(*field, x - value * gradient), 0, 1e-4);  // the tangential error is sqrt(2e-9)
    }
    EXPECT_GT(walked, 2800);
  }
}

// Flat and long ellipsoids, also on their planes of symmetry: compared with the nearest of many points of the surface.
TEST(Shape, EllipsoidsAreExactOnTheirPlanes) {
  for (const Vec3d radii : {Vec3d{0.5, 0.5, 0.5}, Vec3d{1, 0.1, 0.5}, Vec3d{0.05, 0.05, 1}, Vec3d{1, 1, 0.02}}) {
    const auto field = field_of({shapes::Ellipsoid{radii}});
    EXPECT_NEAR(value_at(*field, {0, 0, 0}), -std::min({radii.x, radii.y, radii.z}), 1e-12);
    // In the plane y = 0 the foot is in it too, for points outside.
    for (const Vec3d x : {Vec3d{1.2, 0, 0.3}, Vec3d{0, 0, 1.5}, Vec3d{0.7, 0, 0.9}, Vec3d{30, 0, 40}}) {
      double least = 1e9;
      for (int k = 0; k <= 100000; ++k) {
        const double t = k * pi / 200000;
        least = std::min(least, size(x - Vec3d{radii.x * std::cos(t), 0, radii.z * std::sin(t)}));
      }
      EXPECT_NEAR(value_at(*field, x), least, 1e-8);
    }
  }
}

Shape placed(ShapeForm form, Random& random) {
  return {.form = std::move(form),
          .placement = {.scale = random.between(0.3, 2),
                        .rotation_axis = random.vector(),
                        .rotation_degrees = random.between(-200, 200),
                        .translate = random.vector()}};
}

// The box contains the surface, which touches all six sides.
TEST(Shape, BoxesOfPrimitivesAreTight) {
  Random random(2);
  for (const Case& c : primitives()) {
    SCOPED_TRACE(shape_kinds()[c.shape.form.index()].name);
    const auto field = field_of(placed(c.shape.form, random));
    const Bounds box = field->bounds();
    const Vec3d middle = 0.5 * (box.low + box.high), half = 0.5 * (box.high - box.low);
    Bounds met;
    for (int trial = 0; trial < 20000; ++trial) {
      Vec3d x = middle + Vec3d{random.between(-1.2, 1.2) * half.x, random.between(-1.2, 1.2) * half.y,
                               random.between(-1.2, 1.2) * half.z};
      for (int step = 0; step < 2; ++step) x -= value_at(*field, x) * gradient_at(*field, x);
      if (std::abs(value_at(*field, x)) > 1e-6 * box.diagonal()) continue;
      met.add(x);
    }
    EXPECT_TRUE(within(box, met.low, 1e-5 * box.diagonal()) && within(box, met.high, 1e-5 * box.diagonal()));
    // The gap left by 20000 foot points; the tips of spindles are the hardest to hit.
    const Vec3d low = met.low - box.low, high = box.high - met.high;
    EXPECT_LT(std::max({low.x, low.y, low.z, high.x, high.y, high.z}), 0.03 * box.diagonal());
  }
}

// As scenes place objects: scaled, then rotated, then moved.
TEST(Shape, IsPlacedLikeAnObject) {
  const auto field = field_of(
      {.form = shapes::Box{{2, 1, 1}},
       .placement = {.scale = 2, .rotation_axis = {0, 0, 5}, .rotation_degrees = 90, .translate = {10, 0, 0}}});
  EXPECT_NEAR(field->bounds().low.x, 9, 1e-14);
  EXPECT_NEAR(field->bounds().high.y, 2, 1e-14);
  EXPECT_NEAR(value_at(*field, {10, 1.9, 0}), -0.1, 1e-14);
  EXPECT_NEAR(value_at(*field, {12, 0, 0}), 1, 1e-14);
  // Nested: the outer one is applied last, and scales blends and walls too.
  const Shape inner{.form = shapes::Shell{0.1}, .placement = {.translate = {1, 0, 0}}, .parts = {{shapes::Ball{1}}}};
  const auto outer =
      field_of({.form = shapes::Union{}, .placement = {.scale = 2, .rotation_degrees = 90}, .parts = {inner}});
  EXPECT_NEAR(value_at(*outer, {0, 2, 0}), 1.8, 1e-14);
  EXPECT_NEAR(value_at(*outer, {0, 3.9, 0}), -0.1, 1e-14);
}

Shape random_tree(Random& random, int depth) {
  static const std::vector<Case> leaves = primitives();
  if (depth == 0) return placed(leaves[random.below(static_cast<int>(leaves.size()))].shape.form, random);
  const double blend = random.below(2) ? random.between(0.01, 0.8) : 0;
  const int kind = random.below(6);
  Shape shape;
  int parts = 1;
  if (kind <= 1) shape = placed(shapes::Union{blend}, random), parts = 1 + random.below(20);
  if (kind == 2) shape = placed(shapes::Difference{blend}, random), parts = 1 + random.below(4);
  if (kind == 3) shape = placed(shapes::Intersection{blend}, random), parts = 1 + random.below(2);
  if (kind == 4) shape = placed(shapes::Offset{random.between(0, 0.2)}, random);
  if (kind == 5) shape = placed(shapes::Shell{random.between(0.05, 0.4)}, random);
  for (int k = 0; k < parts; ++k) shape.parts.push_back(random_tree(random, depth - 1));
  return shape;
}

// Values change no more than points move, solids stay in their boxes, and grouping of points does not matter.
TEST(Shape, SameBitsOfRandomTreesHoweverPointsAreDealtOut) {
  Random random(3);
  int solids = 0, crossings = 0;
  for (int tree = 0; tree < 200; ++tree) {
    auto made = make_shape_field(random_tree(random, 1 + tree % 3));
    if (!made) {
      EXPECT_NE(made.error().what.find("is empty"), std::string::npos) << made.error().message();
      continue;
    }
    const DistanceField& field = **made;
    ++solids;
    const Bounds box = field.bounds();
    std::vector<Vec3d> points;
    for (int k = 0; k < 151; ++k) {
      const Vec3d x{random.between(1.2 * box.low.x - 0.2 * box.high.x, 1.2 * box.high.x - 0.2 * box.low.x),
                    random.between(1.2 * box.low.y - 0.2 * box.high.y, 1.2 * box.high.y - 0.2 * box.low.y),
                    random.between(1.2 * box.low.z - 0.2 * box.high.z, 1.2 * box.high.z - 0.2 * box.low.z)};
      points.push_back(x);
      points.push_back(x + std::pow(10, random.between(-4, -0.5)) * random.vector());
    }
    std::vector<double> values(points.size()), backwards(points.size());
    field.distances(points, values);
    for (size_t k = 0; k < points.size(); k += 2) {
      ASSERT_LE(std::abs(values[k] - values[k + 1]), size(points[k] - points[k + 1]) * (1 + 1e-9) + 1e-13);
      crossings += (values[k] < 0) != (values[k + 1] < 0);
    }
    for (size_t k = 0; k < points.size(); ++k) {
      ASSERT_EQ(values[k], value_at(field, points[k]));
      if (!within(box, points[k], 1e-12)) {
        ASSERT_GT(values[k], 0);
      }
    }
    std::reverse(points.begin(), points.end());
    field.distances(points, backwards);
    std::reverse(backwards.begin(), backwards.end());
    ASSERT_EQ(values, backwards);
  }
  EXPECT_GT(solids, 120);
  EXPECT_GT(crossings, 200);  // pairs on both sides of a surface
}

// A union of many parts equals the combination of its parts, each no nearer than its box.
TEST(Shape, UnionsOfManyPartsLeaveNothingOut) {
  Random random(4);
  for (const double blend : {0.0, 0.3}) {
    Shape all{.form = shapes::Union{blend}};
    std::vector<std::unique_ptr<ShapeField>> alone;
    for (int k = 0; k < 100; ++k) {
      Shape part = placed(shapes::Capsule{{0, 0, 0}, {0.5, 0, 0}, 0.1}, random);
      part.placement.translate = 3.0 * part.placement.translate;
      alone.push_back(field_of(part));
      all.parts.push_back(std::move(part));
    }
    const auto field = field_of(all);
    for (int trial = 0; trial < 1000; ++trial) {
      const Vec3d x = 4.0 * random.vector();
      SmoothMinimum<double> least(blend);
      // Capsules are exact: no nearer than their boxes anyway.
      for (const auto& part : alone) least.add(value_at(*part, x));
      EXPECT_NEAR(value_at(*field, x), least.value(), 1e-13);
    }
  }
}

// By 200000 points of a randomly offset lattice in the box: accurate to about 0.3 %, less in emptier boxes.
double volume_of(const Shape& shape) {
  const auto field = field_of(shape);
  const Bounds box = field->bounds();
  const Vec3d extent = box.high - box.low;
  Random random(5);
  constexpr int count = 200000;
  std::vector<Vec3d> points;
  for (int k = 0; k < count; ++k)
    points.push_back(box.low + Vec3d{extent.x * random.between(0, 1), extent.y * random.between(0, 1),
                                     extent.z * random.between(0, 1)});
  std::vector<double> values(points.size());
  field->distances(points, values);
  const auto inside = std::count_if(values.begin(), values.end(), [](double v) { return v < 0; });
  return extent.x * extent.y * extent.z * double(inside) / count;
}

TEST(Shape, VolumesAreThoseOfTheFormulas) {
  const auto ball = [](double r) { return 4 * pi / 3 * r * r * r; };
  const Shape unit{shapes::Ball{1}};
  const Shape upper{.form = shapes::HalfSpace{{0, 1, 0}, 0}};
  const std::vector<std::pair<Shape, double>> known{
      {unit, ball(1)},
      {{shapes::Torus{0.6, 0.2}}, 2 * pi * pi * 0.6 * 0.04},
      {{shapes::Capsule{{0, 0, 0}, {1, 0, 0}, 0.3}}, pi * 0.09 + ball(0.3)},
      {{shapes::Cone{0.6, 0.2, 1}}, pi / 3 * (0.36 + 0.12 + 0.04)},
      {{shapes::Ellipsoid{{0.8, 0.3, 0.5}}}, ball(1) * 0.12},
      {{shapes::Beam{0.4, 0.1, 0.2}}, 0.008},
      {{shapes::Bowl{1, 1 + 0.1, 0.2}},
       (ball(1) - ball(0.8)) / 2 + 2 * pi * 0.9 * pi * 0.01 / 2},  // half a ring on top
      {{.form = shapes::Intersection{}, .parts = {unit, upper}}, ball(1) / 2},
      {{.form = shapes::Difference{}, .parts = {unit, {shapes::Ball{0.5}}, upper}}, (ball(1) - ball(0.5)) / 2},
      {{.form = shapes::Shell{0.25}, .parts = {unit}}, ball(1) - ball(0.75)},
      {{.form = shapes::Offset{0.25}, .parts = {{shapes::Box{{1, 1, 1}}}}},
       1 + 6 * 0.25 + 12 * pi * 0.0625 / 4 + ball(0.25)},  // Steiner's formula
      {{.form = shapes::Offset{-0.25}, .parts = {unit}}, ball(0.75)},
  };
  for (const auto& [shape, volume] : known)
    EXPECT_NEAR(volume_of(shape) / volume, 1, 0.015) << shape_kinds()[shape.form.index()].name;
}

// Connected pieces of the solid on a lattice with `cells` along the box's longest side; neighbours share a face.
int components_of(const DistanceField& field, int cells) {
  const Bounds box = field.bounds();
  const Vec3d extent = box.high - box.low;
  const double cell = std::max({extent.x, extent.y, extent.z}) / cells;
  const std::array<int, 3> n{int(extent.x / cell) + 2, int(extent.y / cell) + 2, int(extent.z / cell) + 2};
  std::vector<Vec3d> points;
  for (int k = 0; k < n[2]; ++k)
    for (int j = 0; j < n[1]; ++j)
      for (int i = 0; i < n[0]; ++i) points.push_back(box.low + cell * Vec3d{double(i), double(j), double(k)});
  std::vector<double> values(points.size());
  field.distances(points, values);
  const std::array<int, 3> stride{1, n[0], n[0] * n[1]};
  int components = 0;
  std::vector<int> open;
  for (size_t start = 0; start < values.size(); ++start) {
    if (!(values[start] < 0)) continue;
    ++components;
    open = {int(start)};
    values[start] = 1;
    while (!open.empty()) {
      const int at = open.back();
      open.pop_back();
      for (int axis = 0; axis < 3; ++axis)
        for (const int side : {-1, 1}) {
          const int place = at / stride[axis] % n[axis] + side, next = at + side * stride[axis];
          if (place < 0 || place >= n[axis] || !(values[next] < 0)) continue;
          values[next] = 1;
          open.push_back(next);
        }
    }
  }
  return components;
}

TEST(Shape, CreaturesAreOfOnePiece) {
  EXPECT_EQ(components_of(*field_of({shapes::BallWithTentacles{}}), 100), 1);
  EXPECT_EQ(
      components_of(
          *field_of({shapes::BallWithTentacles{.tentacles = 20, .tentacle_length = 0.5, .tentacle_radius = 0.05}}),
          100),
      1);
  EXPECT_EQ(components_of(*field_of({shapes::Octopus{}}), 120), 1);
  EXPECT_EQ(components_of(*field_of({shapes::Octopus{.arms = 5, .arm_length = 1.2, .curl = 0.2, .eyes = false}}), 120),
            1);
  EXPECT_EQ(components_of(*field_of({shapes::SpindleBundle{}}), 200), 7);
  EXPECT_EQ(components_of(*field_of({shapes::SpindleBundle{.spindles = 4, .gap = -0.02}}), 100), 1);
  EXPECT_EQ(components_of(*field_of({shapes::Bowl{}}), 60), 1);
}

// Their sizes are as requested.
TEST(Shape, CreaturesFillTheirBoxes) {
  const Bounds ball = field_of({shapes::BallWithTentacles{.tentacles = 500}})->bounds();
  EXPECT_NEAR(ball.high.y, 0.5, 0.012);  // no tentacle is at the pole; a blend may reach beyond
  EXPECT_NEAR(ball.high.x - ball.low.x, 1, 0.025);
  const auto field = field_of({shapes::BallWithTentacles{}});
  EXPECT_LT(value_at(*field, {0, 0, 0}), -0.3);
  EXPECT_EQ(field_of({shapes::SpindleBundle{.spindles = 7}})->bounds().high.y, 0.5);
  const Bounds beam = field_of({shapes::Beam{}})->bounds();
  EXPECT_NEAR(beam.low.x, 0, 1e-15);
  EXPECT_NEAR(beam.high.x, 0.4, 1e-15);
}

TEST(Shape, RefusesWhatHasNoEndOrIsEmpty) {
  const auto said = [](const Shape& shape) {
    const auto field = make_shape_field(shape);
    return field ? "a field" : field.error().message();
  };
  EXPECT_EQ(said({shapes::HalfSpace{}}),
            "shape: has no end; intersect its half-spaces with something that has, such as a box");
  const Shape far{.form = shapes::Ball{}, .placement = {.translate = {5, 0, 0}}};
  EXPECT_EQ(said({.form = shapes::Union{},
                  .parts = {far, {.form = shapes::Intersection{}, .parts = {far, {shapes::Ball{}}}}}}),
            "parts[1]: is empty: its parts do not meet; move them together");
  EXPECT_EQ(said({.form = shapes::Offset{-0.6}, .parts = {far}}),
            "shape: is empty: its part shrinks to nothing; take a distance nearer to 0");
  EXPECT_EQ(said({.form = shapes::Offset{-0.5}, .parts = {{shapes::Ball{}}}}),
            "shape: is empty: its part shrinks to nothing; take a distance nearer to 0")
      << "to a point";
  // Empty shapes that boxes do not reveal: a ball minus one that contains it, or minus itself, or intersected with one
  // beside it.
  for (const Shape& nothing :
       {Shape{.form = shapes::Difference{}, .parts = {{shapes::Ball{0.3}}, {shapes::Ball{0.5}}}},
        Shape{.form = shapes::Difference{0.1}, .parts = {{shapes::Ball{0.3}}, {shapes::Ball{0.5}}}},
        Shape{.form = shapes::Difference{}, .parts = {{shapes::Octopus{}}, {shapes::Octopus{}}}},
        Shape{.form = shapes::Intersection{},
        .parts = {{shapes::Ball{}}, {.form = shapes::Ball{}, .placement = {.translate = {0.8, 0.8, 0}}}}}})
    EXPECT_EQ(
        said(nothing),
        "shape: is empty: no point is inside by more than rounding; where parts are taken away or intersected, look "
        "whether anything is left of them; where it is thin, make it thicker");
  // Nearly empty is not empty.
  EXPECT_EQ(said({.form = shapes::Difference{}, .parts = {{shapes::Ball{0.5}}, {shapes::Ball{0.5 - 1e-7}}}}),
            "a field");
  EXPECT_EQ(said({shapes::Box{{1, 1e-9, 1}}}), "a field");
  EXPECT_EQ(said({shapes::Ball{-1}}), "radius = -1 [m]: must be above 0 and at most 1000000000");
}

// By differences: for a ball the planes perpendicular to the radii, up to the curvature within a step, at most 0.001 /
// 0.4.
TEST(ShapeField, TangentPlanes) {
  const auto field = field_of({.form = shapes::Ball{0.5}, .placement = {.translate = {1, 2, 3}}});
  Random random(2);
  std::vector<Vec3d> points;
  for (int k = 0; k < 100; ++k) {
    const Vec3d u = random.vector();
    points.push_back(Vec3d{1, 2, 3} + (random.between(0.4, 0.6) / size(u)) * u);
  }
  std::vector<TangentPlane> planes(points.size());
  field->tangent_planes(points, 0.001, planes);
  for (size_t k = 0; k < points.size(); ++k) {
    const Vec3d out = points[k] - Vec3d{1, 2, 3};
    EXPECT_NEAR(planes[k].height, size(out) - 0.5, 2.5e-3 * 0.1);
    EXPECT_LT(size(planes[k].normal - (1 / size(out)) * out), 2.5e-3);
    EXPECT_EQ(size(planes[k].outwards - planes[k].normal), 0);
  }
  // At the centre no direction is outward.
  const Vec3d centre{1, 2, 3};
  field->tangent_planes(std::span(&centre, 1), 0.001, std::span(planes).first(1));
  EXPECT_EQ(size(planes[0].normal), 0);
}

}  // namespace
}  // namespace sinew
