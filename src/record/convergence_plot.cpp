#include "record/convergence_plot.h"

#include <algorithm>
#include <map>

#include "base/assert.h"
#include "record/convergence.h"
#include "record/measures.h"
#include "record/solver_style.h"

namespace sinew {
namespace {

// From here on the axis of iterations is logarithmic.
constexpr int most_linear_iterations = 250;

constexpr const char* reference_color = "#000000";

// One curve per solver that ran; `points` fills it. Variants of one solver differ in their dashes.
template <class Points>
std::vector<FigureCurve> curves_of(const Comparison& comparison, const Points& points) {
  std::vector<FigureCurve> curves;
  std::map<std::string, int> variants;
  for (const Curve& curve : comparison.curves) {
    const int variant = variants[curve.solver]++;
    if (curve.refused) continue;
    curves.push_back({curve.label, std::string(solver_color(curve.solver)), variant, {}});
    points(curve, curves.back().points);
  }
  return curves;
}

template <class X, class Y>
std::vector<FigureCurve> over(const Comparison& comparison, const X& x, const Y& y) {
  return curves_of(comparison, [&](const Curve& curve, auto& points) {
    for (const CurvePoint& p : curve.points) points.emplace_back(x(p), y(p));
  });
}

// The measures to plot, without those that have no values.
std::vector<Measure> shown(const Comparison& comparison) {
  Result<std::vector<Measure>> measures = measures_named(comparison.plotted, comparison.probes);
  SINEW_ASSERT(measures.ok());  // checked by `compare`
  std::erase_if(*measures, [&](const Measure& m) { return !was_measured(m, comparison); });
  return std::move(*measures);
}

std::vector<std::string> lines_of(const Comparison& comparison) {
  return {conditions_text(comparison), reference_text(comparison)};
}

}  // namespace

LineFigure convergence_figure(const Comparison& comparison) {
  int most = 0;
  for (const Curve& curve : comparison.curves)
    for (const CurvePoint& p : curve.points) most = std::max(most, p.iteration);
  const bool log_iterations = most > most_linear_iterations;

  LineFigure figure;
  figure.title = comparison.scene;
  figure.lines = lines_of(comparison);
  for (const Measure& m : shown(comparison)) {
    if (!m.of_iterate) continue;
    const auto iteration = [](const CurvePoint& p) { return static_cast<double>(p.iteration); };
    const auto milliseconds = [](const CurvePoint& p) { return p.milliseconds; };
    figure.panels.push_back({.x_title = "iterations",
                             .y_title = m.iterate_title,
                             .log_x = log_iterations,
                             .log_y = m.log,
                             .curves = over(comparison, iteration, m.of_iterate)});
    figure.panels.push_back({.x_title = "time [ms]",
                             .y_title = m.iterate_title,
                             .log_x = true,
                             .log_y = m.log,
                             .curves = over(comparison, milliseconds, m.of_iterate)});
  }
  return figure;
}

LineFigure trajectory_figure(const Comparison& comparison) {
  LineFigure figure;
  figure.title = comparison.scene;
  figure.lines = lines_of(comparison);
  for (const Measure& m : shown(comparison)) {
    if (!m.of_frame) continue;
    std::vector<FigureCurve> curves = curves_of(comparison, [&](const Curve& curve, auto& points) {
      for (const TrajectoryPoint& p : curve.trajectory) points.emplace_back(p.time, m.of_frame(p));
    });
    // Positions and volumes are compared with the reference's; its residual would only stretch the axis.
    if (!m.log && !comparison.reference.trajectory.empty()) {
      FigureCurve& reference = curves.emplace_back(FigureCurve{"reference", reference_color, 2, {}});
      for (const TrajectoryPoint& p : comparison.reference.trajectory)
        reference.points.emplace_back(p.time, m.of_frame(p));
    }
    figure.panels.push_back({.x_title = "simulated time [s]",
                             .y_title = m.frame_title,
                             .log_y = m.log,
                             .common_start = false,
                             .curves = std::move(curves)});
  }
  return figure;
}

}  // namespace sinew
