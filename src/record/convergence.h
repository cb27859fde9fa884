// A comparison of solvers as tables: for a terminal, as CSV with units in the header, and as JSON. What is not known is
// an empty field, or null.
#pragma once

#include <string>
#include <string_view>

#include "sinew/comparison.h"

namespace sinew {

// A row per iterate of the first step.
std::string convergence_csv(const Comparison& comparison);
// A row per step or frame.
std::string trajectory_csv(const Comparison& comparison);
// Everything, with the machine it was measured on.
std::string comparison_json(const Comparison& comparison);
// A line per solver, and lines about the reference and about what a reader should know.
std::string comparison_text(const Comparison& comparison);

// "1 step of 0.01 s, 40 iterations each"
std::string conditions_text(const Comparison& comparison);
// "error against Newton (7 iterations, residual 3.1e-13 N)"; says so where that did not converge.
std::string reference_text(const Comparison& comparison);

}  // namespace sinew
