#include "record/convergence_plot.h"

#include <algorithm>
#include <map>

#include "record/convergence.h"
#include "record/solver_style.h"

namespace sinew {
namespace {

// From here on iterations are told by their magnitude.
constexpr int most_linear_iterations = 250;

// One curve per solver that ran; `points` fills it. Variants of one solver differ by their dashes.
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

std::vector<std::string> lines_of(const Comparison& comparison) {
  return {conditions_text(comparison), reference_text(comparison)};
}

}  // namespace

LineFigure convergence_figure(const Comparison& comparison) {
  int most = 0;
  for (const Curve& curve : comparison.curves)
    for (const CurvePoint& p : curve.points) most = std::max(most, p.iteration);
  const bool log_iterations = most > most_linear_iterations;

  const auto iteration = [](const CurvePoint& p) { return static_cast<double>(p.iteration); };
  const auto milliseconds = [](const CurvePoint& p) { return p.milliseconds; };
  const auto residual = [](const CurvePoint& p) { return p.evaluation.residual; };
  const auto error = [](const CurvePoint& p) { return p.error.max; };
  const std::string residual_title = "residual [N]", error_title = "largest error [m]";
  const std::string iterations_title = "iterations", time_title = "time [ms]";

  LineFigure figure;
  figure.title = comparison.scene;
  figure.lines = lines_of(comparison);
  figure.panels = {
      {iterations_title, residual_title, log_iterations, true, over(comparison, iteration, residual)},
      {time_title, residual_title, true, true, over(comparison, milliseconds, residual)},
      {iterations_title, error_title, log_iterations, true, over(comparison, iteration, error)},
      {time_title, error_title, true, true, over(comparison, milliseconds, error)},
  };
  if (!comparison.reference.wanted) figure.panels.resize(2);
  return figure;
}

LineFigure trajectory_figure(const Comparison& comparison) {
  const auto panel = [&](const char* title, const auto& value) {
    return FigurePanel{"simulated time [s]", title, false, false,
                       curves_of(comparison, [&](const Curve& curve, auto& points) {
                         for (const TrajectoryPoint& p : curve.trajectory) points.emplace_back(p.time, value(p));
                       })};
  };
  LineFigure figure;
  figure.title = comparison.scene;
  figure.lines = lines_of(comparison);
  figure.panels = {
      panel("residual of its own step [N]", [](const TrajectoryPoint& p) { return p.evaluation.residual; }),
      panel("largest distance to Newton [m]", [](const TrajectoryPoint& p) { return p.error.max; }),
  };
  if (!comparison.reference.wanted) figure.panels.resize(1);
  return figure;
}

}  // namespace sinew
