// Source: the promises of record/measures.h.
#include "record/measures.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sinew {
namespace {

const Measure& named(const std::vector<Measure>& all, const std::string& name) {
  for (const Measure& m : all)
    if (m.name == name) return m;
  ADD_FAILURE() << name;
  return all.front();
}

TEST(Measures, AreThoseOfIteratesAndFrames) {
  CurvePoint p;
  p.evaluation = {.energy = 3, .residual = 2, .residual_max = 1, .inverted = 4, .min_j = -0.5};
  p.evaluation.contacts = 7;
  p.evaluation.penetrations = 2;
  p.evaluation.deepest = 0.003;
  p.relative_loss = 0.25;
  p.secondary = 1e-3;
  p.error = {0.1, 0.01};
  p.shape = {0.9, {{1, 2, 3}, {4, 5, 6}}};
  TrajectoryPoint t;
  t.evaluation = p.evaluation;
  t.shape = p.shape;
  const std::vector<Measure> all = measures_of({"tip", "end"});
  EXPECT_EQ(named(all, "residual").of_iterate(p), 2);
  EXPECT_EQ(named(all, "inverted").of_frame(t), 4);
  EXPECT_EQ(named(all, "loss").of_iterate(p), 0.25);
  EXPECT_FALSE(named(all, "loss").of_frame);
  EXPECT_EQ(named(all, "secondary").of_iterate(p), 1e-3);
  EXPECT_EQ(named(all, "volume").of_frame(t), 0.9);
  EXPECT_EQ(named(all, "contacts").of_frame(t), 7);
  EXPECT_EQ(named(all, "penetrations").of_iterate(p), 2);
  EXPECT_EQ(named(all, "depth").of_frame(t), 0.003);
  EXPECT_EQ(named(all, "end_y").of_frame(t), 5);
  EXPECT_EQ(named(all, "tip_z").of_iterate(p), 3);
}

TEST(Measures, OfWhatIsNotFiniteAreNoNumbers) {
  CurvePoint p;
  p.evaluation.finite = false;
  p.evaluation.min_j = 1;
  p.shape.volume = 1;
  for (const Measure& m : measures_of({})) {
    if (m.of_iterate) {
      EXPECT_TRUE(std::isnan(m.of_iterate(p))) << m.name;
    }
  }
}

// Constraint residuals without a constraint method; probe positions of a curve that has them.
TEST(Measures, AreThoseThatAMethodHas) {
  Comparison comparison;
  comparison.probes = {"tip"};
  comparison.curves.resize(2);  // the first was rejected
  CurvePoint& p = comparison.curves[1].points.emplace_back();
  p.shape.probes = {{1, 2, 3}};
  const std::vector<Measure> all = measures_of(comparison.probes);
  EXPECT_FALSE(was_measured(named(all, "primary"), comparison));
  EXPECT_FALSE(was_measured(named(all, "error"), comparison));
  EXPECT_TRUE(was_measured(named(all, "tip_x"), comparison));
  p.primary = 1;
  EXPECT_TRUE(was_measured(named(all, "primary"), comparison));
}

TEST(Measures, AreChosenByName) {
  EXPECT_EQ(measures_named({}, {})->size(), 2u);
  const auto chosen = measures_named({"tip_x", "change"}, {"tip"});
  ASSERT_TRUE(chosen.ok());
  EXPECT_EQ((*chosen)[0].name, "tip_x");
  EXPECT_EQ((*chosen)[1].name, "change");
  const auto wrong = measures_named({"volum"}, {});
  ASSERT_FALSE(wrong.ok());
  EXPECT_NE(wrong.error().message().find("did you mean 'volume'"), std::string::npos) << wrong.error().message();
}

}  // namespace
}  // namespace sinew
