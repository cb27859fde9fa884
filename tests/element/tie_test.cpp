// Source: Hooke's law; Chen et al. 2023 (PBNG), eqs. 22-23 (weak constraints); Chen et al. 2024 (PXPBD), eqs. 6-8
// (fibres), with the corrections of docs/theory.md. Gradients and stiffness against differences.
#include "element/tie.h"

#include <gtest/gtest.h>

#include "support/random.h"

namespace sinew {
namespace {

using support::derivative;
using support::full;
using support::Random;
using support::size;
using support::unit_vector;

// The examples of every kind.
std::vector<TieLaw<double>> laws() {
  std::vector<TieLaw<double>> all;
  for (int kind = 0; kind < tie_kind_count; ++kind) {
    visit_tie(TieKind(kind), [&]<class Law>() {
      for (int k = 0; k < Law::example_count; ++k) all.push_back({Law::example(k), TieKind(kind)});
    });
  }
  return all;
}

constexpr double activation = 0.7;  // of fibres

// Springs far from their kink at C = 0, fibres and others from the jumps of their stiffness: lengths of about 1, on
// which differences resolve 1e-9.
TEST(Tie, GradientAndStiffnessAreDerivatives) {
  Random random(3);
  for (int trial = 0; trial < 20; ++trial) {
    for (const TieLaw<double>& law : laws()) {
      Vec3d c = random.vector();
      double length = 0.5 + random.between(0, 1);  // pressed and stretched
      for (const double jump : {0.6, 1.0, 1.4, law.rest_length})
        if (std::abs(length - jump) < 0.01) length += 0.02;
      c = (length / size(c)) * c;
      const Mat3d h = full(tie_stiffness(law, c, activation, false).matrix());
      for (int k = 0; k < 3; ++k) {
        const Vec3d e = unit_vector(k);
        const auto moved = [&](double t) { return c + t * e; };
        EXPECT_NEAR(dot(tie_gradient(law, c, activation), e),
                    derivative([&](double t) { return tie_energy(law, moved(t), activation); }), 1e-8);
        const Vec3d column = derivative([&](double t) { return tie_gradient(law, moved(t), activation); });
        EXPECT_LT(size(h * e - column), 1e-7);
      }
    }
  }
}

// Numbers that a law does not claim to use have no effect, as sweeps do not store them.
TEST(Tie, LawsUseTheNumbersThatTheySay) {
  Random random(5);
  for (const TieLaw<double>& law : laws()) {
    const unsigned uses = visit_tie(law.kind, []<class Law>() { return Law::uses; });
    TieLaw<double> other = law;
    double* const numbers[] = {&other.stiffness, &other.tangential, &other.rest_length, &other.normal.x,
                               &other.normal.y,  &other.normal.z,   &other.damping};
    for (int k = 0; k < tie_number_count; ++k)
      if (!uses_tie_number(uses, k)) *numbers[k] += 1;
    const Vec3d c = random.vector();
    EXPECT_EQ(tie_energy(law, c, activation), tie_energy(other, c, activation)) << law.traits().name;
    EXPECT_EQ(size(tie_gradient(law, c, activation) - tie_gradient(other, c, activation)), 0) << law.traits().name;
    const auto block = [&](const TieLaw<double>& l) { return tie_stiffness(l, c, activation, true).matrix(); };
    EXPECT_EQ(frobenius_squared(block(law) + -1.0 * block(other)), 0) << law.traits().name;
  }
}

// phi = stiffness C^2/2 up to a constant, where a law has that form.
TEST(Tie, ConstraintsHaveTheGradientOfTheEnergy) {
  Random random(6);
  for (const TieLaw<double>& law : laws()) {
    for (int trial = 0; trial < 20; ++trial) {
      const Vec3d c = random.vector();
      TieConstraint<double> form;
      if (!tie_constraint(law, c, activation, form)) continue;
      const Vec3d difference = law.stiffness * form.value * form.gradient - tie_gradient(law, c, activation);
      EXPECT_LT(size(difference), 1e-9) << law.traits().name;
      EXPECT_NEAR(form.square, dot(form.gradient, form.gradient), 1e-9) << law.traits().name;
    }
  }
}

// Across a pressed spring the block is k (1 - l0/|C|) < 0, and 0 where it is to be positive; along it k either way.
TEST(Tie, StiffnessOfAPressedSpringCanBeMadePositive) {
  const TieLaw<double> law = spring_law(10, 2);
  const Vec3d c{1, 0, 0};
  EXPECT_DOUBLE_EQ(tie_stiffness(law, c, 0.0, false).matrix().yy, -10);
  EXPECT_DOUBLE_EQ(tie_stiffness(law, c, 0.0, true).matrix().yy, 0);
  EXPECT_DOUBLE_EQ(tie_stiffness(law, c, 0.0, true).matrix().xx, 10);
  const Vec3d stretched{4, 0, 0};
  EXPECT_DOUBLE_EQ(tie_stiffness(law, stretched, 0.0, true).matrix().yy, 5);
}

TEST(Tie, HasNoDirectionAtAPointAndIsFiniteThere) {
  const TieLaw<double> law = spring_law(10, 2);
  EXPECT_DOUBLE_EQ(tie_energy(law, Vec3d{}, 0.0), 20);
  EXPECT_EQ(size(tie_gradient(law, Vec3d{}, 0.0)), 0);
  const Sym3<double> k = tie_stiffness(law, Vec3d{}, 0.0, true).matrix();
  EXPECT_DOUBLE_EQ(k.xx, 10);
  EXPECT_DOUBLE_EQ(k.xy, 0);
}

TEST(Tie, WeakConstraintsPullAlongTheirNormalAndAcrossIt) {
  const TieLaw<double> law = weak_constraint_law(100, 3, {0, 1, 0});
  const Vec3d g = tie_gradient(law, {1, 1, 0}, 0.0);
  EXPECT_DOUBLE_EQ(g.x, 3);
  EXPECT_DOUBLE_EQ(g.y, 100);
  EXPECT_DOUBLE_EQ(tie_energy(law, {1, 1, 0}, 0.0), 51.5);
}

// Across it a fibre is as stiff as it pulls; along it what falls is left out.
TEST(Tie, StiffnessOfAFibreCanBeMadePositive) {
  const TieLaw<double> law = fibre_law(10, 0);
  const Vec3d c{1.2, 0, 0};
  EXPECT_NEAR(tie_stiffness(law, c, 1.0, false).along, 10 * (-1.6 + 0.33 * std::exp(1.32)), 1e-12);
  EXPECT_EQ(tie_stiffness(law, c, 1.0, true).along, 0);
  EXPECT_NEAR(tie_stiffness(law, c, 0.0, true).along, 3.3 * std::exp(1.32), 1e-12);
  EXPECT_NEAR(tie_stiffness(law, c, 1.0, true).across, 10 * (0.84 + 0.05 * (std::exp(1.32) - 1)) / 1.2, 1e-12);
  EXPECT_EQ(size(tie_gradient(law, Vec3d{}, 1.0)), 0);
  EXPECT_EQ(tie_stiffness(law, Vec3d{}, 1.0, false).across, 0);
}

// (1 + t K)^-1 against K itself, for laws that differ along their axis and across it, and for one that has no axis.
TEST(Tie, StiffnessIsInvertedAlongItsAxisAndAcross) {
  Random random(4);
  for (const TieLaw<double>& law : laws()) {
    const Vec3d c = random.vector(), r = random.vector();
    const TieStiffness<double> k = tie_stiffness(law, c, activation, true);
    const Vec3d d = k.damped(0.3, r);
    EXPECT_LT(size(d + 0.3 * (full(k.matrix()) * d) - r), 1e-13);
    EXPECT_GE(k.along, 0);
    EXPECT_GE(k.across, 0);
    EXPECT_LE(std::max(k.along, k.across), largest_stiffness(law));
  }
}

}  // namespace
}  // namespace sinew
