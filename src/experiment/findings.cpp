#include "experiment/findings.h"

#include <functional>
#include <type_traits>

namespace sinew {
namespace {

// Measures that iterates and ends of frames have alike.
template <class Point>
struct PointMeasure {
  const char* name;
  double (*value)(const Point&);
};

template <class Point>
constexpr PointMeasure<Point> common_measures[] = {
    {"residual", [](const Point& p) { return p.evaluation.residual; }},
    {"residual_max", [](const Point& p) { return p.evaluation.residual_max; }},
    {"energy", [](const Point& p) { return p.evaluation.energy; }},
    {"inverted", [](const Point& p) { return static_cast<double>(p.evaluation.inverted); }},
    {"min_j", [](const Point& p) { return p.evaluation.min_j; }},
    {"error", [](const Point& p) { return p.error.max; }},
    {"error_rms", [](const Point& p) { return p.error.rms; }},
    {"volume", [](const Point& p) { return p.shape.volume; }},
};

constexpr PointMeasure<CurvePoint> curve_measures[] = {
    {"relative", [](const CurvePoint& p) { return p.relative_residual; }},
    {"loss", [](const CurvePoint& p) { return p.relative_loss; }},
    {"change", [](const CurvePoint& p) { return p.change; }},
    {"primary", [](const CurvePoint& p) { return p.primary; }},
    {"secondary", [](const CurvePoint& p) { return p.secondary; }},
    {"time", [](const CurvePoint& p) { return p.milliseconds; }},
};

double place_of(const CurvePoint& p) {
  return p.iteration;
}
double place_of(const TrajectoryPoint& p) {
  return p.time;
}

template <class Point>
void add_series(const std::string& name, const std::vector<Point>& points, const std::function<double(const Point&)>& f,
                Findings& findings) {
  Series series;
  double spent = 0;
  for (const Point& p : points) {
    // Of frames, what was spent since the one before.
    spent = std::is_same_v<Point, TrajectoryPoint> ? spent + p.milliseconds : p.milliseconds;
    series.place.push_back(place_of(p));
    series.milliseconds.push_back(spent);
    series.value.push_back(f(p));
  }
  findings.series[name] = std::move(series);
}

template <class Point>
void add_points(const std::string& prefix, const std::vector<Point>& points, const std::vector<std::string>& probes,
                Findings& findings) {
  for (const auto& measure : common_measures<Point>)
    add_series<Point>(prefix + measure.name, points, measure.value, findings);
  for (size_t k = 0; k < probes.size(); ++k) {
    for (size_t axis = 0; axis < 3; ++axis) {
      add_series<Point>(
          prefix + probes[k] + "_" + static_cast<char>('x' + axis), points,
          [=](const Point& p) { return p.shape.probes[k][axis]; }, findings);
    }
  }
}

}  // namespace

void add_comparison(const std::string& run, const Comparison& comparison, Findings& findings) {
  findings.numbers[run + ".vertices"] = comparison.vertices;
  findings.numbers[run + ".tets"] = comparison.tets;
  const std::string reference = run + ".reference.";
  findings.numbers[reference + "converged"] = comparison.reference.converged;
  findings.numbers[reference + "ms"] = comparison.reference.milliseconds;
  findings.numbers[reference + "first_residual"] = comparison.reference.first_residual;
  add_points(reference + "frames.", comparison.reference.trajectory, comparison.probes, findings);
  for (const Curve& curve : comparison.curves) {
    const std::string method = run + "." + curve.label + ".";
    findings.numbers[method + "refused"] = curve.refused.has_value();
    if (curve.refused) continue;
    findings.numbers[method + "setup_ms"] = curve.setup_milliseconds;
    findings.numbers[method + "diverged"] =
        curve.status == SolveStatus::diverged || (comparison.steps > 1 && curve.trajectory.empty());
    // Of the frames that were to be taken, those that were: a state that is not finite ends a run.
    findings.numbers[method + "frames_taken"] = static_cast<double>(curve.trajectory.size());
    const CurvePoint& last = curve.points.back();
    if (last.iteration > 0) findings.numbers[method + "ms_per_iteration"] = last.milliseconds / last.iteration;
    add_points(method, curve.points, comparison.probes, findings);
    for (const auto& measure : curve_measures)
      add_series<CurvePoint>(method + measure.name, curve.points, measure.value, findings);
    add_points(method + "frames.", curve.trajectory, comparison.probes, findings);
  }
}

}  // namespace sinew
