// The measures of a comparison, by the names that claims, figures and users use.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sinew/comparison.h"

namespace sinew {

struct Measure {
  std::string name;
  std::string iterate_title, frame_title;  // on an axis, with the unit
  bool log = true;                         // positive, on a logarithmic axis
  // Either is empty if it does not exist there.
  std::function<double(const CurvePoint&)> of_iterate;
  std::function<double(const TrajectoryPoint&)> of_frame;
};

// PROBE_x, _y and _z for each probe, after all others. NaN for states that are not finite.
std::vector<Measure> measures_of(const std::vector<std::string>& probes);

// Those named, in that order; without names, residual and error. Errors: an unknown measure, with the nearest.
Result<std::vector<Measure>> measures_named(const std::vector<std::string>& names,
                                            const std::vector<std::string>& probes);

// Whether a method has it in any iterate or frame: a constraint residual, an error with a reference.
bool was_measured(const Measure& measure, const Comparison& comparison);

}  // namespace sinew
