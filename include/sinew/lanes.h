// The number of SIMD lanes, in single precision, that the sweeps, the objective and the renderer use.
//
// The widest is the fastest. A narrower one reproduces the results of a processor without the wider instructions:
// widths agree up to the last digits (exactly in a build with SINEW_DETERMINISTIC), and each width is bit-reproducible.
#pragma once

#include <vector>

#include "sinew/result.h"

namespace sinew {

// Ascending: 1 (scalar code) and 4; 8 (AVX2 and FMA) and 16 (AVX-512) if the processor has them.
std::vector<int> available_lanes();

// The default width: the widest available, or the one set by set_lanes.
int lanes_in_use();

// Sets the width for the whole program from now on; 0: the widest available. A solver's own option `lanes` takes
// precedence, and the renderer uses at least 4. Call it before creating a simulation: existing ones keep their sweeps.
// Errors: an unavailable width, with the available ones.
Status set_lanes(int lanes);

}  // namespace sinew
