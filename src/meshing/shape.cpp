#include "meshing/shape.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/option_table.h"
#include "meshing/shape_parameters.h"

namespace sinew {
namespace {

constexpr size_t any_number = std::numeric_limits<size_t>::max();

constexpr std::array<ShapeKind, std::variant_size_v<ShapeForm>> kinds{{
    {"ball", "a ball"},
    {"box", "a box"},
    {"rounded_box", "a box with rounded edges"},
    {"torus", "a ring"},
    {"capsule", "a cylinder between two half balls"},
    {"cylinder", "a cylinder"},
    {"cone", "a cone, cut off above if top_radius is not 0"},
    {"rounded_cone", "the hull of two balls: a tapering capsule"},
    {"ellipsoid", "an ellipsoid"},
    {"half_space", "all on one side of a plane; to intersect with, or to take away"},
    {"spindle", "a body that tapers towards both of its rounded ends, like a muscle"},
    {"bowl", "a part of a hollow ball, open above, its rim rounded; the ball's centre is the origin"},
    {"union", "what is in any part", 1, any_number},
    {"intersection", "what is in all parts", 1, any_number},
    {"difference", "what is in the first part and in no other", 1, any_number},
    {"offset", "a part grown or shrunk", 1, 1},
    {"shell", "the wall of a part that is hollow", 1, 1},
    {"beam", "a box from the origin on, its long side along x"},
    {"ball_with_tentacles", "a ball with many tapering tentacles, all around"},
    {"octopus", "a head and arms around it that curl up"},
    {"spindle_bundle", "spindles side by side, as in a muscle"},
}};

// A vector is out of range if a component is.
template <class Value>
std::string value_fault(const ShapeKey& key, const Value& value) {
  if constexpr (std::is_same_v<Value, bool>) {
    return {};
  } else if constexpr (std::is_same_v<Value, Vec3d>) {
    for (const double component : {value.x, value.y, value.z})
      if (const std::string fault = range_fault(component, key.range); !fault.empty())
        return format("= (%g, %g, %g) [", value.x, value.y, value.z) + std::string(key.unit) + "]: each number " +
               fault;
    return {};
  } else {
    const std::string fault = range_fault(static_cast<double>(value), key.range);
    if (fault.empty()) return {};
    return "= " + number_text(static_cast<double>(value)) + " [" + std::string(key.unit) + "]: " + fault;
  }
}

// A conflict between the parameters of one shape, each of which is in its range.
struct Fault {
  std::string_view key;
  std::string what;
};
Fault at_most(std::string_view key, double value, double limit, std::string_view what) {
  if (value <= limit) return {};
  return {key,
          "= " + number_text(value) + " [m]: must be at most " + number_text(limit) + " [m], " + std::string(what)};
}
Fault below(std::string_view key, double value, double limit, std::string_view what) {
  if (value < limit) return {};
  return {key, "= " + number_text(value) + " [m]: must be below " + number_text(limit) + " [m], " + std::string(what)};
}
double least(Vec3d a) {
  return std::min({a.x, a.y, a.z});
}
bool zero(Vec3d a) {
  return a.x == 0 && a.y == 0 && a.z == 0;
}

template <class Form>
std::vector<Fault> relations(const Form&) {
  return {};
}
std::vector<Fault> relations(const shapes::RoundedBox& s) {
  return {at_most("edge_radius", s.edge_radius, least(s.size) / 2, "half the least length")};
}
std::vector<Fault> relations(const shapes::Torus& s) {
  return {below("tube_radius", s.tube_radius, s.radius, "the radius")};
}
std::vector<Fault> relations(const shapes::Cone& s) {
  if (s.radius + s.top_radius > 0) return {};
  return {{"radius", "= 0 [m]: must be above 0 where top_radius is 0"}};
}
std::vector<Fault> relations(const shapes::RoundedCone& s) {
  if (s.from_radius + s.to_radius > 0) return {};
  return {{"from_radius", "= 0 [m]: must be above 0 where to_radius is 0"}};
}
std::vector<Fault> relations(const shapes::HalfSpace& s) {
  if (!zero(s.normal)) return {};
  return {{"normal", "= (0, 0, 0) [-]: must have a direction"}};
}
std::vector<Fault> spindle_relations(double length, double radius, double end_radius) {
  return {at_most("radius", radius, length / 2, "half the length"),
          below("end_radius", end_radius, radius, "the radius")};
}
std::vector<Fault> relations(const shapes::Spindle& s) {
  return spindle_relations(s.length, s.radius, s.end_radius);
}
std::vector<Fault> relations(const shapes::Bowl& s) {
  return {below("thickness", s.thickness, std::min(s.radius, s.depth), "the radius and the depth"),
          at_most("depth", s.depth, 2 * s.radius, "the diameter")};
}
std::vector<Fault> relations(const shapes::Beam& s) {
  return {at_most("edge_radius", s.edge_radius, std::min({s.length, s.height, s.depth}) / 2, "half the least length")};
}
std::vector<Fault> relations(const shapes::BallWithTentacles& s) {
  return {below("tentacle_radius", s.tentacle_radius, s.radius, "the radius")};
}
std::vector<Fault> relations(const shapes::SpindleBundle& s) {
  std::vector<Fault> faults = spindle_relations(s.length, s.radius, s.end_radius);
  if (!(s.gap > -s.radius))
    faults.push_back({"gap", "= " + number_text(s.gap) + " [m]: must be above -" + number_text(s.radius) + " [m]"});
  return faults;
}
std::vector<Fault> relations(const ShapePlacement& p) {
  if (p.rotation_degrees == 0 || !zero(p.rotation_axis)) return {};
  return {{"rotation_axis", "= (0, 0, 0) [-]: must have a direction"}};
}

// Parameters out of range, or else parameters in conflict.
template <class Described>
void find_faults(const Described& described, const std::string& prefix, std::vector<Error>& faults) {
  const size_t before = faults.size();
  const auto check = [&](const ShapeKey& key, const auto& value) {
    if (std::string fault = value_fault(key, value); !fault.empty())
      faults.push_back({prefix + std::string(key.name), std::move(fault), ""});
  };
  Described copy = described;  // visitors take non-const references
  describe(check, copy);
  if (faults.size() > before) return;
  for (const Fault& fault : relations(described))
    if (!fault.what.empty()) faults.push_back({prefix + std::string(fault.key), fault.what, ""});
}

void find_faults(const Shape& shape, const std::string& path, int depth, std::vector<Error>& faults) {
  const std::string prefix = path.empty() ? "" : path + ".";
  std::visit([&](const auto& form) { find_faults(form, prefix, faults); }, shape.form);
  find_faults(shape.placement, prefix, faults);
  const ShapeKind& kind = kinds[shape.form.index()];
  const std::string name(kind.name);
  if (shape.parts.size() < kind.least_parts)
    faults.push_back({prefix + "parts", name + " has no parts", "give at least one"});
  if (shape.parts.size() > kind.most_parts)
    faults.push_back({prefix + "parts", name + (kind.most_parts == 0 ? " takes no parts" : " takes one part only"),
                      kind.most_parts == 0 ? "leave them out" : "put a union of them there"});
  if (depth == deepest_shape) {
    if (!shape.parts.empty())
      faults.push_back({prefix + "parts", format("parts lie within each other more than %d deep", deepest_shape),
                        "put more parts side by side"});
    return;
  }
  for (size_t k = 0; k < shape.parts.size(); ++k)
    find_faults(shape.parts[k], prefix + format("parts[%zu]", k), depth + 1, faults);
}

template <class Described>
std::vector<ShapeParameter> parameters_of(Described described) {
  std::vector<ShapeParameter> parameters;
  const auto note = [&](const ShapeKey& key, const auto& value) {
    parameters.push_back({key.name, key.meaning, key.unit, key.range, value});
  };
  describe(note, described);
  return parameters;
}

template <size_t... K>
ShapeForm form_of_kind(size_t kind, std::index_sequence<K...>) {
  ShapeForm form;
  ((K == kind ? void(form.emplace<K>()) : void()), ...);
  return form;
}

}  // namespace

std::span<const ShapeKind> shape_kinds() {
  return kinds;
}

Shape default_shape(size_t kind) {
  return {.form = form_of_kind(kind, std::make_index_sequence<std::variant_size_v<ShapeForm>>())};
}

std::vector<ShapeParameter> shape_parameters(size_t kind) {
  return parameters_of(default_shape(kind).form);
}

std::vector<ShapeParameter> placement_parameters() {
  return parameters_of(ShapePlacement{});
}

std::vector<Error> shape_faults(const Shape& shape) {
  std::vector<Error> faults;
  find_faults(shape, "", 0, faults);
  return faults;
}

}  // namespace sinew
