// Source: the promises of sinew/lists.h. What is listed is what scenes accept, with the defaults that they have.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "linear/linear_solvers.h"
#include "sinew/check.h"
#include "sinew/lists.h"
#include "sinew/scene_file.h"
#include "support/box_scene.h"

namespace sinew {
namespace {

const ParameterInfo* named_in(const std::vector<ParameterInfo>& list, std::string_view name) {
  const auto at = std::find_if(list.begin(), list.end(), [&](const ParameterInfo& p) { return p.name == name; });
  return at == list.end() ? nullptr : &*at;
}

TEST(Lists, DefaultsOfSolversAreThoseOfScenes) {
  ASSERT_GE(solvers().size(), 10u);
  for (const SolverDescription& solver : solvers()) {
    EXPECT_FALSE(solver.summary.empty());
    Scene left_out = box_scene(), written = left_out;
    left_out.solver = {};
    left_out.solver.type = solver.name;
    written.solver = left_out.solver;
    for (const auto* options : {&solver.common_options, &solver.options}) {
      for (const ParameterInfo& option : *options) {
        ASSERT_TRUE(option.default_value) << solver.name << "." << option.name;
        EXPECT_FALSE(option.meaning.empty());
        // Given with the others, which end a step, it has no default of its own.
        if (option.name != "relative_tolerance") written.solver.options.set(option.name, *option.default_value);
        if (option.name == "relative_tolerance") left_out.solver.options.set(option.name, *option.default_value);
      }
    }
    written.solver.options.set("relative_tolerance", *left_out.solver.options.find("relative_tolerance"));
    EXPECT_EQ(resolved_json(written), resolved_json(left_out)) << solver.name;
  }
}

TEST(Lists, SaysWhichOptionsTakeWhat) {
  const std::vector<ParameterInfo>& common = solvers().front().common_options;
  const ParameterInfo* iterations = named_in(common, "iterations");
  ASSERT_NE(iterations, nullptr);
  EXPECT_EQ(iterations->kind, ParameterInfo::Kind::whole);
  EXPECT_EQ(iterations->range.text(), "at least 1, at most 1000000000");
  EXPECT_TRUE(iterations->range.contains(1));
  EXPECT_FALSE(iterations->range.contains(0));
  const ParameterInfo* precision = named_in(common, "precision");
  ASSERT_NE(precision, nullptr);
  EXPECT_EQ(precision->kind, ParameterInfo::Kind::choice);
  EXPECT_EQ(precision->choices, (std::vector<std::string>{"auto", "single", "double"}));
  EXPECT_EQ(precision->default_text(), "auto");
  EXPECT_EQ(precision->range.text(), "");
  EXPECT_EQ((NumberRange{0, 1, true, false}.text()), "above 0, at most 1");
  EXPECT_FALSE((NumberRange{0, 1, true, false}.contains(0)));
}

TEST(Lists, TraitsOfSolversAreWhatScenesAreCheckedFor) {
  for (const SolverDescription& solver : solvers()) {
    Scene scene = box_scene(1);
    scene.materials[0].model = "neo_hookean";
    scene.solver.type = solver.name;
    if (solver.needs_constraints || solver.needs_zero_at_rest) continue;
    for (const bool quasistatic : {false, true}) {
      scene.time.quasistatic = quasistatic;
      EXPECT_EQ(check_scene(scene, {.threads = 1}).ok(), quasistatic ? solver.quasistatic : solver.dynamic)
          << solver.name;
    }
    scene.time.quasistatic = !solver.dynamic;
    SceneObject rope;
    rope.name = "rope";
    rope.mesh = MeshChain{.links = 2};
    scene.objects.push_back(rope);
    EXPECT_EQ(check_scene(scene, {.threads = 1}).ok(), solver.springs) << solver.name;
  }
}

TEST(Lists, AcceleratorsAndMaterialsAreThoseOfScenes) {
  ASSERT_GE(accelerators().size(), 3u);
  EXPECT_EQ(accelerators().front().name, "none");
  for (const AcceleratorDescription& accelerator : accelerators()) {
    Scene scene = box_scene(1);
    scene.solver.type = "vbd";
    scene.solver.accelerator = accelerator.name;
    for (const ParameterInfo& option : accelerator.options)
      scene.solver.accelerator_options.set(option.name, option.default_value.value());
    EXPECT_TRUE(check_scene(scene, {.threads = 1}).ok()) << accelerator.name;
  }
  for (const MaterialDescription& material : materials()) {
    ASSERT_FALSE(material.forms.empty()) << material.name;
    for (const std::vector<ParameterInfo>& form : material.forms) {
      Scene scene = box_scene(1);
      scene.materials[0].model = material.name;
      for (const ParameterInfo& p : form)
        scene.materials[0].set(p.name, p.default_value ? std::get<double>(*p.default_value) : 1e5);
      EXPECT_EQ(error_of(scene), "") << material.name;
    }
  }
  const auto corotated = std::find_if(materials().begin(), materials().end(),
                                      [](const MaterialDescription& m) { return m.constraints > 0; });
  EXPECT_NE(corotated, materials().end());
}

TEST(Lists, ElementsHaveTheParametersOfTheirKeys) {
  const std::string reference = scene_reference();
  ASSERT_EQ(elements().size(), 5u);
  for (const ElementDescription& element : elements()) {
    EXPECT_GE(element.vertices, 2);
    const bool elastic = element.name == "tetrahedron" || element.name == "triangle";
    EXPECT_EQ(element.parameters.empty(), elastic) << element.name;
    for (const ParameterInfo& p : element.parameters) {
      EXPECT_FALSE(p.meaning.empty());
      EXPECT_FALSE(p.unit.empty());
      EXPECT_NE(reference.find("`" + p.name + "`"), std::string::npos) << p.name;
    }
  }
  const ElementDescription& spring = elements()[2];
  ASSERT_EQ(spring.parameters.size(), 2u);
  EXPECT_EQ(spring.parameters[0].name, "stiffness");
  EXPECT_EQ(spring.parameters[0].unit, "N/m");
  EXPECT_EQ(std::get<double>(spring.parameters[0].default_value.value()), MeshChain{}.stiffness);
  EXPECT_EQ(elements()[3].parameters.size(), 4u);
  EXPECT_EQ(elements()[4].parameters.size(), 3u);
}

TEST(Lists, NamesTheSparseSolversOfThisBuild) {
  const std::vector<std::string_view> names = sparse_solvers();
  ASSERT_FALSE(names.empty());
  for (const std::string_view name : names) EXPECT_NE(make_linear_solver(name), nullptr) << name;
}

}  // namespace
}  // namespace sinew
