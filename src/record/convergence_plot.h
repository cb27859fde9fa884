// The figures of a comparison: its measures over iterations and milliseconds of the first step, and over time if there
// are several steps.
#pragma once

#include "record/line_figure.h"
#include "sinew/comparison.h"

namespace sinew {

LineFigure convergence_figure(const Comparison& comparison);
LineFigure trajectory_figure(const Comparison& comparison);

}  // namespace sinew
