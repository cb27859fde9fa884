// Source: the table of shapes itself; faults written here.
#include "meshing/shape.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "meshing/shape_field.h"

namespace sinew {
namespace {

std::vector<std::string> messages(const Shape& shape) {
  std::vector<std::string> all;
  for (const Error& fault : shape_faults(shape)) all.push_back(fault.message());
  return all;
}

// With the minimum number of parts it is valid, and makes a field if it is bounded.
TEST(Shape, EveryKindHasSoundDefaults) {
  std::set<std::string_view> names;
  for (size_t kind = 0; kind < shape_kinds().size(); ++kind) {
    const ShapeKind& entry = shape_kinds()[kind];
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
    EXPECT_FALSE(entry.meaning.empty());
    Shape shape = default_shape(kind);
    EXPECT_EQ(shape.form.index(), kind);
    shape.parts.resize(entry.least_parts);
    EXPECT_EQ(messages(shape), std::vector<std::string>{}) << entry.name;
    EXPECT_EQ(make_shape_field(shape).ok(), entry.name != "half_space") << entry.name;
    std::set<std::string_view> parameters;
    for (const ShapeParameter& p : shape_parameters(kind)) {
      EXPECT_TRUE(parameters.insert(p.name).second) << p.name;
      EXPECT_FALSE(p.meaning.empty() || p.unit.empty()) << p.name;
    }
    EXPECT_FALSE(parameters.empty()) << entry.name;
  }
  EXPECT_EQ(placement_parameters().size(), 4u);
}

TEST(Shape, TableTellsDefaults) {
  const std::vector<ShapeParameter> torus = shape_parameters(Shape{shapes::Torus{}}.form.index());
  ASSERT_EQ(torus.size(), 2u);
  EXPECT_EQ(torus[1].name, "tube_radius");
  EXPECT_EQ(std::get<double>(torus[1].default_value), shapes::Torus{}.tube_radius);
  const std::vector<ShapeParameter> octopus = shape_parameters(Shape{shapes::Octopus{}}.form.index());
  EXPECT_TRUE(std::get<bool>(octopus.back().default_value));
  EXPECT_EQ(std::get<int>(octopus[1].default_value), 8);
}

TEST(Shape, FaultsTellTheirPlace) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Shape shape{.form = shapes::Union{.blend = -1},
              .parts = {{shapes::Ball{}},
                        {.form = shapes::Difference{}, .parts = {{shapes::Box{{1, -2, 1}}}, {shapes::Ball{nan}}}},
                        {.form = shapes::Ball{.radius = 0}, .placement = {.scale = 0}}}};
  EXPECT_EQ(messages(shape), (std::vector<std::string>{
                                 "blend = -1 [m]: must be at least 0 and at most 1000000000",
                                 "parts[1].parts[0].size = (1, -2, 1) [m]: each number must be above 0 and at most "
                                 "1000000000",
                                 "parts[1].parts[1].radius = nan [m]: must be a finite number",
                                 "parts[2].radius = 0 [m]: must be above 0 and at most 1000000000",
                                 "parts[2].scale = 0 [-]: must be above 0 and at most 1000000000",
                             }));
}

// Each number is valid by itself, but not together.
TEST(Shape, FaultsBetweenParameters) {
  const auto fault = [](ShapeForm form) {
    const std::vector<std::string> all = messages({.form = std::move(form)});
    return all.empty() ? "" : all[0];
  };
  EXPECT_EQ(fault(shapes::RoundedBox{{1, 0.2, 1}, 0.11}),
            "edge_radius = 0.11 [m]: must be at most 0.1 [m], half the least length");
  EXPECT_EQ(fault(shapes::Torus{0.4, 0.4}), "tube_radius = 0.4 [m]: must be below 0.4 [m], the radius");
  EXPECT_EQ(fault(shapes::Cone{0, 0, 1}), "radius = 0 [m]: must be above 0 where top_radius is 0");
  EXPECT_EQ(fault(shapes::RoundedCone{{}, {1, 0, 0}, 0, 0}),
            "from_radius = 0 [m]: must be above 0 where to_radius is 0");
  EXPECT_EQ(fault(shapes::HalfSpace{{0, 0, 0}, 0}), "normal = (0, 0, 0) [-]: must have a direction");
  EXPECT_EQ(fault(shapes::Spindle{1, 0.6, 0.1}), "radius = 0.6 [m]: must be at most 0.5 [m], half the length");
  EXPECT_EQ(fault(shapes::Bowl{0.5, 0.4, 0.4}), "thickness = 0.4 [m]: must be below 0.4 [m], the radius and the depth");
  EXPECT_EQ(fault(shapes::BallWithTentacles{.radius = 0.1, .tentacle_radius = 0.1}),
            "tentacle_radius = 0.1 [m]: must be below 0.1 [m], the radius");
  EXPECT_EQ(fault(shapes::BallWithTentacles{.tentacles = 0}),
            "tentacles = 0 [-]: must be at least 1 and at most 100000");
  EXPECT_EQ(fault(shapes::SpindleBundle{.gap = -0.08}), "gap = -0.08 [m]: must be above -0.08 [m]");
  const Shape turned{.form = shapes::Ball{}, .placement = {.rotation_axis = {0, 0, 0}, .rotation_degrees = 5}};
  EXPECT_EQ(messages(turned), std::vector<std::string>{"rotation_axis = (0, 0, 0) [-]: must have a direction"});
}

TEST(Shape, FaultsOfParts) {
  EXPECT_EQ(messages({.form = shapes::Union{}}),
            std::vector<std::string>{"parts: union has no parts; give at least one"});
  EXPECT_EQ(messages({.form = shapes::Ball{}, .parts = {Shape{}}}),
            std::vector<std::string>{"parts: ball takes no parts; leave them out"});
  EXPECT_EQ(messages({.form = shapes::Shell{}, .parts = {Shape{}, Shape{}}}),
            std::vector<std::string>{"parts: shell takes one part only; put a union of them there"});
  Shape deep{shapes::Ball{}};
  for (int k = 0; k < 100; ++k) deep = {.form = shapes::Union{}, .parts = {deep}};
  EXPECT_EQ(messages(deep).size(), 0u);
  deep = {.form = shapes::Union{}, .parts = {deep}};
  ASSERT_EQ(messages(deep).size(), 1u);
  EXPECT_NE(messages(deep)[0].find("more than 100 deep"), std::string::npos);
}

}  // namespace
}  // namespace sinew
