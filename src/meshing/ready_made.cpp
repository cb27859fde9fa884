// The ready-made shapes, put together from primitives.
#include <cmath>
#include <numbers>

#include "meshing/shape.h"

namespace sinew {
namespace {

constexpr double pi = std::numbers::pi;

Shape primitive(const ShapeForm& form, Vec3d at = {0, 0, 0}) {
  return {.form = form, .placement = {.translate = at}};
}

Shape made(const shapes::Beam& s) {
  return primitive(shapes::RoundedBox{.size = {s.length, s.height, s.depth}, .edge_radius = s.edge_radius},
                   {s.length / 2, s.height / 2, s.depth / 2});
}

// Directions on a Fibonacci lattice (Swinbank and Purser 2006): as even as those of a regular solid, in any number.
// Tentacles taper to 0.6 x their radius and end in half a ball.
Shape made(const shapes::BallWithTentacles& s) {
  const double golden_angle = pi * (3 - std::sqrt(5.0)), tip = 0.6 * s.tentacle_radius;
  Shape all{.form = shapes::Union{.blend = s.tentacle_radius}, .parts = {primitive(shapes::Ball{s.radius})}};
  for (int k = 0; k < s.tentacles; ++k) {
    const double y = 1 - (2 * k + 1.0) / s.tentacles, r = std::sqrt(1 - y * y), around = k * golden_angle;
    const Vec3d direction{r * std::cos(around), y, r * std::sin(around)};
    const double from = s.radius - s.tentacle_radius;
    all.parts.push_back(
        primitive(shapes::RoundedCone{.from = from * direction,
                                      .to = std::max(from, s.radius + s.tentacle_length - tip) * direction,
                                      .from_radius = s.tentacle_radius,
                                      .to_radius = tip}));
  }
  return all;
}

// In units of the size: a body at the origin, a tall head above it. An arm leaves the body downwards, bends until it is
// level in its middle, and curls up from there with more bend, while it tapers to a fifth.
Shape made(const shapes::Octopus& s) {
  constexpr int joints = 16;
  constexpr double steepest = 45 * pi / 180, body = 0.16;
  Shape whole{.form = shapes::Union{.blend = 0.08},
              .parts = {primitive(shapes::Ellipsoid{{0.22, 0.3, 0.22}}, {0, 0.26, 0}),
                        primitive(shapes::Ellipsoid{{body, 0.12, body}})}};
  for (int arm = 0; arm < s.arms; ++arm) {
    const double around = 2 * pi * (arm + 0.5) / s.arms;
    const Vec3d outwards{std::cos(around), 0, std::sin(around)}, upwards{0, 1, 0};
    const double step = s.arm_length / joints;
    Vec3d at = (0.6 * body) * outwards;
    double radius = s.arm_radius;
    Shape chain{.form = shapes::Union{}};
    for (int k = 0; k < joints; ++k) {
      const double along = (k + 0.5) / joints, late = 2 * along - 1;
      const double heading = late < 0 ? steepest * late : 2 * pi * s.curl * late * late;
      const Vec3d next = at + step * (std::cos(heading) * outwards + std::sin(heading) * upwards);
      const double next_radius = s.arm_radius * (1 - 0.8 * (k + 1) / joints);
      chain.parts.push_back(
          primitive(shapes::RoundedCone{.from = at, .to = next, .from_radius = radius, .to_radius = next_radius}));
      at = next;
      radius = next_radius;
    }
    whole.parts.push_back(std::move(chain));
  }
  if (s.eyes) {
    // Half sunk in the head.
    Shape face{.form = shapes::Union{.blend = 0.015}, .parts = {std::move(whole)}};
    for (const double side : {-1, 1}) face.parts.push_back(primitive(shapes::Ball{0.045}, {side * 0.1, 0.27, 0.19}));
    whole = std::move(face);
  }
  whole.placement.scale = s.size;
  return whole;
}

// On a hexagonal lattice, in rings around the first; ring r has 6 r places.
Shape made(const shapes::SpindleBundle& s) {
  const shapes::Spindle one{.length = s.length, .radius = s.radius, .end_radius = s.end_radius};
  const double spacing = 2 * s.radius + s.gap;
  Shape all{.form = shapes::Union{}, .parts = {primitive(one)}};
  const auto corner = [&](int k) { return Vec3d{std::cos(k * pi / 3), 0, std::sin(k * pi / 3)}; };
  for (int ring = 1; static_cast<int>(all.parts.size()) < s.spindles; ++ring)
    for (int place = 0; place < 6 * ring && static_cast<int>(all.parts.size()) < s.spindles; ++place) {
      const int side = place / ring;
      const double part = static_cast<double>(place % ring) / ring;
      all.parts.push_back(primitive(one, (ring * spacing) * ((1 - part) * corner(side) + part * corner(side + 1))));
    }
  return all;
}

template <class Form>
std::nullopt_t made(const Form&) {
  return std::nullopt;
}

}  // namespace

std::optional<Shape> taken_apart(const Shape& shape) {
  std::optional<Shape> inner =
      std::visit([](const auto& form) { return std::optional<Shape>(made(form)); }, shape.form);
  if (!inner) return {};
  return Shape{.form = shapes::Union{}, .placement = shape.placement, .parts = {std::move(*inner)}};
}

}  // namespace sinew
