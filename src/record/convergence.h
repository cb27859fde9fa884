// A comparison of solvers as tables: for a terminal, as CSV with units in the header, and as JSON. Unknown values are
// empty fields, or null.
#pragma once

#include <string>
#include <string_view>

#include "sinew/comparison.h"

namespace sinew {

// One row per iterate of the first step.
std::string convergence_csv(const Comparison& comparison);
// One row per step or frame.
std::string trajectory_csv(const Comparison& comparison);
// Everything, with the machine it was measured on.
std::string comparison_json(const Comparison& comparison);
// One line per solver, then lines about the reference and notes.
std::string comparison_text(const Comparison& comparison);

// "1 step of 0.01 s, 40 iterations each"
std::string conditions_text(const Comparison& comparison);
// "error against Newton (7 iterations, residual 3.1e-13 N)"; or that it did not converge.
std::string reference_text(const Comparison& comparison);

}  // namespace sinew
