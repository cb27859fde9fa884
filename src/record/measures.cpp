#include "record/measures.h"

#include <algorithm>
#include <cmath>

#include "base/format.h"
#include "base/nearest.h"

namespace sinew {
namespace {

// What iterates and ends of frames have in common.
struct Common {
  const char *name, *iterate_title, *frame_title;
  bool log;
  double (*value)(const Evaluation&, const StateError&, const ShapeMeasures&);
};
constexpr Common common[] = {
    {"residual", "residual [N]", "residual of its own step [N]", true,
     [](const Evaluation& e, const StateError&, const ShapeMeasures&) { return e.residual; }},
    {"residual_max", "largest residual [N]", "largest residual [N]", true,
     [](const Evaluation& e, const StateError&, const ShapeMeasures&) { return e.residual_max; }},
    {"vertex_residual", "residual on vertices of a grid [N]", "residual on vertices of a grid [N]", true,
     [](const Evaluation& e, const StateError&, const ShapeMeasures&) { return e.vertex_residual; }},
    {"energy", "energy [J]", "energy of its own step [J]", false,
     [](const Evaluation& e, const StateError&, const ShapeMeasures&) { return e.energy; }},
    {"inverted", "inverted elements [-]", "inverted elements [-]", false,
     [](const Evaluation& e, const StateError&, const ShapeMeasures&) { return static_cast<double>(e.inverted); }},
    {"min_j", "smallest det F [-]", "smallest det F [-]", false,
     [](const Evaluation& e, const StateError&, const ShapeMeasures&) { return e.min_j; }},
    {"error", "largest error [m]", "largest distance to Newton [m]", true,
     [](const Evaluation&, const StateError& error, const ShapeMeasures&) { return error.max; }},
    {"error_rms", "error, root mean square [m]", "distance to Newton, root mean square [m]", true,
     [](const Evaluation&, const StateError& error, const ShapeMeasures&) { return error.rms; }},
    {"volume", "volume [-]", "volume [-]", false,
     [](const Evaluation&, const StateError&, const ShapeMeasures& shape) { return shape.volume; }},
    {"contacts", "contacts [-]", "contacts [-]", false,
     [](const Evaluation& e, const StateError&, const ShapeMeasures&) { return static_cast<double>(e.contacts); }},
    {"penetrations", "penetrating contacts [-]", "penetrating contacts [-]", false,
     [](const Evaluation& e, const StateError&, const ShapeMeasures&) { return static_cast<double>(e.penetrations); }},
    {"depth", "deepest penetration [m]", "deepest penetration [m]", false,
     [](const Evaluation& e, const StateError&, const ShapeMeasures&) { return e.deepest; }},
};

struct OfIterate {
  const char *name, *title;
  double (*value)(const CurvePoint&);
};
constexpr OfIterate of_iterates[] = {
    {"relative", "relative residual [-]", [](const CurvePoint& p) { return p.relative_residual; }},
    {"loss", "relative loss [-]", [](const CurvePoint& p) { return p.relative_loss; }},
    {"change", "change of an iteration [m]", [](const CurvePoint& p) { return p.change; }},
    {"primary", "primary residual g [N]", [](const CurvePoint& p) { return p.primary; }},
    {"secondary", "secondary residual h [-]", [](const CurvePoint& p) { return p.secondary; }},
    {"time", "time [ms]", [](const CurvePoint& p) { return p.milliseconds; }},
};

// The value at a point whose state is finite.
template <class Point, class Value>
std::function<double(const Point&)> where_finite(const Value& value) {
  return [value](const Point& p) { return p.evaluation.finite ? value(p) : unknown_value; };
}

}  // namespace

std::vector<Measure> measures_of(const std::vector<std::string>& probes) {
  std::vector<Measure> all;
  for (const Common& c : common) {
    const auto value = [f = c.value](const auto& p) { return f(p.evaluation, p.error, p.shape); };
    all.push_back({c.name, c.iterate_title, c.frame_title, c.log, where_finite<CurvePoint>(value),
                   where_finite<TrajectoryPoint>(value)});
  }
  for (const OfIterate& o : of_iterates)
    all.push_back({o.name, o.title, "", true, where_finite<CurvePoint>(o.value), {}});
  for (size_t k = 0; k < probes.size(); ++k) {
    for (size_t axis = 0; axis < 3; ++axis) {
      const std::string name = probes[k] + "_" + static_cast<char>('x' + axis);
      const auto value = [k, axis](const auto& p) { return p.shape.probes[k][axis]; };
      all.push_back({name, name + " [m]", name + " [m]", false, where_finite<CurvePoint>(value),
                     where_finite<TrajectoryPoint>(value)});
    }
  }
  return all;
}

Result<std::vector<Measure>> measures_named(const std::vector<std::string>& names,
                                            const std::vector<std::string>& probes) {
  const std::vector<Measure> all = measures_of(probes);
  std::vector<Measure> chosen;
  for (const std::string& name : names.empty() ? std::vector<std::string>{"residual", "error"} : names) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const Measure& m) { return m.name == name; });
    if (found == all.end()) {
      std::vector<std::string_view> known;
      for (const Measure& m : all) known.push_back(m.name);
      return Error{"plot", "there is no measure '" + name + "'", did_you_mean(name, known)};
    }
    chosen.push_back(*found);
  }
  return chosen;
}

bool was_measured(const Measure& measure, const Comparison& comparison) {
  const auto is_known = [](const auto& of, const auto& points) {
    return of && std::any_of(points.begin(), points.end(), [&](const auto& p) { return std::isfinite(of(p)); });
  };
  return std::any_of(comparison.curves.begin(), comparison.curves.end(), [&](const Curve& curve) {
    return is_known(measure.of_iterate, curve.points) || is_known(measure.of_frame, curve.trajectory);
  });
}

}  // namespace sinew
