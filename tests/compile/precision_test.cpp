// Source: the interface in compile/precision.h, and its threshold.
#include "compile/precision.h"

#include <gtest/gtest.h>

#include "support/box_scene.h"

namespace sinew {
namespace {

bool is_single(const std::function<void(Scene&)>& change) {
  Scene scene = box_scene();
  scene.gravity = {0, -9.81, 0};
  scene.objects[0].mesh = MeshBox{{1, 1, 1}, {8, 8, 8}};
  scene.pins = {pin_of(SelectIndices{{0}})};
  change(scene);
  return in_single_precision(scene.solver, compiled(scene));
}

// The rounding of positions, a metre times 6e-8, times the stiffness of a vertex, a few times E times an edge of an
// eighth of a metre, equals its weight of 20 N at about 1e9 Pa.
TEST(Precision, IsDoubleForStiffBodies) {
  for (const double modulus : {1e4, 1e6, 1e7}) {
    EXPECT_TRUE(is_single([&](Scene& s) { s.materials[0].set("youngs_modulus", modulus); })) << modulus;
  }
  for (const double modulus : {1e10, 2e11}) {
    EXPECT_FALSE(is_single([&](Scene& s) { s.materials[0].set("youngs_modulus", modulus); })) << modulus;
  }
}

TEST(Precision, IsDoubleFarFromTheOrigin) {
  EXPECT_FALSE(is_single([](Scene& s) { s.objects[0].transform.translate = {4.5e6, 0, 0}; }));
}

// What creeps by rounding does not stick.
TEST(Precision, IsDoubleWhereFrictionSticksUnlessTheBodyIsVerySoft) {
  const auto with = [](FrictionForm form, double modulus, double friction = 0.3) {
    return [=](Scene& s) {
      s.materials[0].set("youngs_modulus", modulus);
      s.contact = ContactSettings{};
      s.contact->friction = friction;
      s.contact->friction_form = form;
    };
  };
  EXPECT_TRUE(is_single(with(FrictionForm::smooth, 1e7)));
  EXPECT_FALSE(is_single(with(FrictionForm::stick, 1e7)));
  EXPECT_TRUE(is_single(with(FrictionForm::stick, 1e7, 0))) << "there is no friction";
  EXPECT_TRUE(is_single(with(FrictionForm::stick, 1e4)));
}

TEST(Precision, DependsOnTheLargestLoad) {
  const auto stiff = [](Scene& s) {
    s.materials[0].set("youngs_modulus", 1e10);
    s.gravity = {0, 0, 0};
  };
  EXPECT_TRUE(is_single(stiff)) << "there is nothing to be small beside";
  const auto loaded = [&](double traction) {
    return [&stiff, traction](Scene& s) {
      stiff(s);
      s.loads = {load_of(SceneLoad::Kind::traction, {0, traction, 0}, SelectAll{})};
      s.loads[0].curve = LoadCurve{{0, 0.5, 1}, {0, 1, 0}};
    };
  };
  EXPECT_FALSE(is_single(loaded(1)));
  EXPECT_TRUE(is_single(loaded(1e6)));
}

TEST(Precision, IsAsAsked) {
  const auto asked = [](const char* word, double modulus) {
    return [=](Scene& s) {
      s.solver.options = {{"precision", std::string(word)}};
      s.materials[0].set("youngs_modulus", modulus);
    };
  };
  EXPECT_TRUE(is_single(asked("single", 1e11)));
  EXPECT_FALSE(is_single(asked("double", 1e5)));
  EXPECT_FALSE(is_single(asked("auto", 1e11)));
  EXPECT_TRUE(is_single(asked("auto", 1e5)));
  EXPECT_FALSE(is_single([](Scene& s) { s.solver.type = "newton"; })) << "it has no other";
}

}  // namespace
}  // namespace sinew
