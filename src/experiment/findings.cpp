#include "experiment/findings.h"

#include <functional>
#include <type_traits>

#include "record/measures.h"

namespace sinew {
namespace {

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
    // For frames, the time since the previous one.
    spent = std::is_same_v<Point, TrajectoryPoint> ? spent + p.milliseconds : p.milliseconds;
    series.place.push_back(place_of(p));
    series.milliseconds.push_back(spent);
    series.value.push_back(f(p));
  }
  findings.series[name] = std::move(series);
}

}  // namespace

void add_colors(const std::string& run, const MeshColors& colors, Findings& findings) {
  findings.numbers[run + ".vertices"] = colors.vertices;
  findings.numbers[run + ".tets"] = colors.tets;
  findings.numbers[run + ".vertex_colors"] = colors.vertex_colors;
  findings.numbers[run + ".element_colors"] = colors.element_colors;
  findings.numbers[run + ".most_tets_at_a_vertex"] = colors.most_tets_at_a_vertex;
}

void add_comparison(const std::string& run, const Comparison& comparison, Findings& findings) {
  findings.numbers[run + ".vertices"] = comparison.vertices;
  findings.numbers[run + ".tets"] = comparison.tets;
  const std::string reference = run + ".reference.";
  findings.numbers[reference + "converged"] = comparison.reference.converged;
  findings.numbers[reference + "ms"] = comparison.reference.milliseconds;
  findings.numbers[reference + "first_residual"] = comparison.reference.first_residual;
  const std::vector<Measure> measures = measures_of(comparison.probes);
  const auto add_frames = [&](const std::string& whose, const std::vector<TrajectoryPoint>& points) {
    for (const Measure& m : measures)
      if (m.of_frame) add_series<TrajectoryPoint>(whose + "frames." + m.name, points, m.of_frame, findings);
  };
  add_frames(reference, comparison.reference.trajectory);
  for (const Curve& curve : comparison.curves) {
    const std::string method = run + "." + curve.label + ".";
    findings.numbers[method + "refused"] = curve.refused.has_value();
    if (curve.refused) continue;
    findings.numbers[method + "setup_ms"] = curve.setup_milliseconds;
    findings.numbers[method + "diverged"] =
        curve.status == SolveStatus::diverged || (comparison.steps > 1 && curve.trajectory.empty());
    // The frames taken may be fewer than requested: a state that is not finite ends a run.
    findings.numbers[method + "frames_taken"] = static_cast<double>(curve.trajectory.size());
    const CurvePoint& last = curve.points.back();
    if (last.iteration > 0) findings.numbers[method + "ms_per_iteration"] = last.milliseconds / last.iteration;
    for (const Measure& m : measures)
      if (m.of_iterate) add_series<CurvePoint>(method + m.name, curve.points, m.of_iterate, findings);
    add_frames(method, curve.trajectory);
  }
}

}  // namespace sinew
