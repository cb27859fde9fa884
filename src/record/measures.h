// What a comparison measures, by the names that claims, figures and users know it by.
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
  bool log = true;                         // positive, and told by its magnitude
  // Either is empty where it has no such thing.
  std::function<double(const CurvePoint&)> of_iterate;
  std::function<double(const TrajectoryPoint&)> of_frame;
};

// PROBE_x, _y and _z for each probe, behind all others. What is left of a state that is not finite is no number.
std::vector<Measure> measures_of(const std::vector<std::string>& probes);

// Those named, in that order; without names residual and error. Errors: there is no such measure, with the nearest.
Result<std::vector<Measure>> measures_named(const std::vector<std::string>& names,
                                            const std::vector<std::string>& probes);

// Whether a method has it at all, in an iterate or a frame: a residual of constraints, an error with a reference.
bool was_measured(const Measure& measure, const Comparison& comparison);

}  // namespace sinew
