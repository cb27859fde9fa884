// Source: docs/output.md, on figures.
#include "record/convergence_plot.h"

#include <gtest/gtest.h>

#include "record/convergence.h"

namespace sinew {
namespace {

// Two frames of one method and of the reference, with a probe.
Comparison two_frames() {
  Comparison comparison;
  comparison.steps = 2;
  comparison.iterations = 1;
  comparison.probes = {"tip"};
  comparison.reference.converged = true;
  Curve& curve = comparison.curves.emplace_back();
  curve.label = curve.solver = "vbd";
  curve.points.emplace_back().shape.probes = {{1, 2, 3}};
  for (std::vector<TrajectoryPoint>* points : {&curve.trajectory, &comparison.reference.trajectory}) {
    for (const double time : {0.1, 0.2}) {
      TrajectoryPoint& p = points->emplace_back();
      p.time = time;
      p.error = {0, 0};
      p.shape.probes = {{time, points == &curve.trajectory ? 1.0 : 2.0, 0}};
    }
  }
  return comparison;
}

TEST(ConvergencePlot, ShowsWhereTheReferenceGoes) {
  Comparison comparison = two_frames();
  comparison.plotted = {"residual", "tip_y"};
  LineFigure figure = trajectory_figure(comparison);
  ASSERT_EQ(figure.panels.size(), 2u);
  EXPECT_EQ(figure.panels[0].curves.size(), 1u) << "its residual would only stretch the axis";
  ASSERT_EQ(figure.panels[1].curves.size(), 2u);
  EXPECT_EQ(figure.panels[1].curves[1].label, "reference");
  EXPECT_EQ(figure.panels[1].curves[1].points, (std::vector<std::pair<double, double>>{{0.1, 2}, {0.2, 2}}));
  comparison.reference.trajectory.clear();
  figure = trajectory_figure(comparison);
  EXPECT_EQ(figure.panels[1].curves.size(), 1u);
}

TEST(ConvergencePlot, LeavesOutWhatNoMethodHasAndSaysSo) {
  Comparison comparison = two_frames();
  comparison.plotted = {"primary", "tip_y"};
  EXPECT_EQ(convergence_figure(comparison).panels.size(), 2u);  // over iterations and over time
  EXPECT_NE(comparison_text(comparison).find("no figure of primary: none of the methods has it\n"), std::string::npos);
  EXPECT_EQ(comparison_text(comparison).find("no figure of tip_y"), std::string::npos);
  comparison.plotted = {"primary"};
  EXPECT_TRUE(convergence_figure(comparison).panels.empty());
  comparison.curves[0].points[0].primary = 1;
  EXPECT_EQ(convergence_figure(comparison).panels.size(), 2u);
  EXPECT_EQ(comparison_text(comparison).find("no figure"), std::string::npos);
}

}  // namespace
}  // namespace sinew
