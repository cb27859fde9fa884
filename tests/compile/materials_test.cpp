// Source: docs/theory.md, section 3. Everything runs over materials.def and the solvers' list: a new material is tested
// by being listed.
#include <algorithm>
#include <cmath>
#include <utility>

#include "base/format.h"
#include "base/nearest.h"
#include "scene/material_values.h"
#include "scene/methods.h"
#include "solver/solver_list.h"
#include "support/box_scene.h"
#include "support/simulated.h"

namespace sinew {
namespace {

class MaterialInScenes : public testing::TestWithParam<int> {
 protected:
  MaterialKind kind() const { return MaterialKind(GetParam()); }
  // Each form's parameters, a tenth more than their defaults.
  std::vector<SceneMaterial> variants() const {
    std::vector<SceneMaterial> result;
    for (const MaterialForm& form : material_forms(kind())) {
      SceneMaterial m;
      m.name = "rubber";
      m.model = traits_of(kind()).name;
      for (const MaterialParameter& p : form.parameters) m.set(p.name, 1.1 * p.default_value.value_or(1e4));
      result.push_back(m);
    }
    return result;
  }
};
INSTANTIATE_TEST_SUITE_P(All, MaterialInScenes, testing::Range(0, material_count),
                         [](const auto& test) { return std::string(traits_of(MaterialKind(test.param)).name); });

TEST_P(MaterialInScenes, ParametersAreReadAsTheyWereWrittenAndReachTheModel) {
  for (const SceneMaterial& m : variants()) {
    Scene scene = box_scene();
    scene.materials[0] = m;
    const Result<Scene> read = parse_scene(resolved_json(scene), "scene.json", "");
    ASSERT_TRUE(read.ok()) << read.error().message();
    EXPECT_EQ(read->materials[0], m);
    const CompiledScene c = compiled(*read);
    const ElasticMaterial expected = elastic_material(m);
    EXPECT_EQ(c.model.blocks[0].material.kind, kind());
    EXPECT_EQ(c.model.blocks[0].material.moduli, expected.moduli);
    for (const ParameterValue& p : m.parameters) {
      SceneMaterial softer = m;
      softer.set(p.name, 0.95 * p.value);
      const std::string change = joined({"materials.rubber.", p.name, "=", number_text(0.95 * p.value)});
      const Result<Scene> changed = parse_scene(resolved_json(scene), "scene.json", "", std::span(&change, 1));
      ASSERT_TRUE(changed.ok()) << changed.error().message();
      EXPECT_NEAR(*value_of(changed->materials[0], p.name), 0.95 * p.value, 1e-5 * p.value);
      EXPECT_NE(elastic_material(softer).moduli, expected.moduli) << p.name << " changes nothing";
    }
  }
}

TEST_P(MaterialInScenes, WhatIsLeftOutHasItsDefault) {
  Scene scene = box_scene();
  scene.materials[0] = SceneMaterial{"rubber", traits_of(kind()).name, {}};
  const MaterialForm& form = material_forms(kind())[0];
  const Result<Scene> read = parse_scene(resolved_json(scene), "scene.json", "");
  ASSERT_TRUE(read.ok()) << read.error().message();
  for (const MaterialParameter& p : form.parameters) EXPECT_EQ(value_of(read->materials[0], p.name), p.default_value);
}

TEST_P(MaterialInScenes, RefusesWhatItDoesNotHave) {
  for (int other = 0; other < material_count; ++other) {
    for (const MaterialForm& form : material_forms(MaterialKind(other))) {
      const std::string name(form.parameters[0].name);
      const auto groups = parameter_groups(kind());
      const bool own = std::any_of(groups.begin(), groups.end(), [&](const auto& group) {
        return std::find(group.begin(), group.end(), name) != group.end();
      });
      if (own) continue;
      Scene scene = box_scene();
      scene.materials[0] = SceneMaterial{"rubber", traits_of(kind()).name, {{name, 1e4}}};
      const std::string what = joined({"materials.rubber.", name, ": is no parameter of ", traits_of(kind()).name,
                                       "; it has ", parameter_list(kind())});
      EXPECT_HAS(error_of(scene), what);
      const Result<Scene> read =
          parse_scene(joined({R"({"sinew": 1, "materials": {"rubber": {"model": ")", traits_of(kind()).name, R"(", ")",
                              name, R"(": 1e4}}, "objects": {}})"}),
                      "scene.json", "");
      ASSERT_FALSE(read.ok());
      EXPECT_HAS(read.error().message(), what);
    }
  }
}

TEST_P(MaterialInScenes, RefusesNumbersOutOfRangeAndTwoFormsAtOnce) {
  for (const SceneMaterial& m : variants()) {
    Scene scene = box_scene();
    scene.materials[0] = m;
    for (ParameterValue& p : scene.materials[0].parameters) {
      const double before = std::exchange(p.value, std::nan(""));
      EXPECT_HAS(error_of(scene), joined({"materials.rubber.", p.name, " = nan"}));
      p.value = before;
    }
    for (const SceneMaterial& other : variants()) {
      if (other.parameters[0].name == m.parameters[0].name) continue;
      Scene both = scene;
      both.materials[0].set(other.parameters[0].name, other.parameters[0].value);
      EXPECT_HAS(error_of(both), "does not go together with the other parameters");
    }
  }
}

TEST(MaterialsInScenes, ParametersLimitEachOther) {
  Scene scene = box_scene();
  scene.materials[0] = SceneMaterial{"rubber", "mooney_rivlin", {{"c10", 1e3}, {"c01", 1e5}, {"bulk_modulus", 1e5}}};
  EXPECT_HAS(error_of(scene),
             "materials.rubber.bulk_modulus = 100000 [Pa]: must be above 4/3 c01 - 2/3 c10 = 132666.6");
}

bool solves_steps(const SolverInfo& info) {
  return info.traits.dynamic && info.traits.converges;
}

// Three steps of a block that hangs from a side, by every solver that takes the material.
TEST_P(MaterialInScenes, EverySolverTakesTheStepsThatNewtonsMethodTakes) {
  for (const SceneMaterial& m : variants()) {
    const auto after_steps = [&](const std::string& solver) {
      Scene scene = box_scene(2);
      scene.materials[0] = m;
      scene.materials[0].density = 200;
      scene.gravity = {3, -9.81, 1};
      scene.time.frame_dt = 0.01;
      scene.pins = {pin_of(SelectBox{{0, 0, 0}, {0, 1, 1}})};
      scene.solver.type = solver;
      // Forces balance to 1e-5 N, where a displacement of 1e-6 m takes a hundred times that.
      scene.solver.options = {{"iterations", 4000.0}, {"tolerance", 1e-5}};
      if (find_solver(solver)->traits.single_precision)
        scene.solver.options.push_back({"precision", std::string("double")});
      Simulation s = simulation_of(scene);
      take(s, 3);
      return s.positions();
    };
    const std::vector<Real3> exact = after_steps(reference_solver().name);
    Scene alone = box_scene(1);
    alone.materials[0] = m;
    const Model model = compiled(alone).model;
    int compared = 0;
    for (const SolverInfo& info : solver_list()) {
      if (!solves_steps(info)) continue;
      if (!check_solver(info, model, false).ok()) continue;
      const std::vector<Real3> x = after_steps(info.name);
      ASSERT_EQ(x.size(), exact.size()) << info.name;
      double worst = 0;
      for (size_t v = 0; v < x.size(); ++v)
        for (size_t k = 0; k < 3; ++k) worst = std::max(worst, std::abs(x[v][k] - exact[v][k]));
      EXPECT_LT(worst, 1e-6) << info.name;
      ++compared;
    }
    EXPECT_GE(compared, 7);
  }
}

}  // namespace
}  // namespace sinew
