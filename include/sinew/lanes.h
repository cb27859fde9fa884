// How many single-precision numbers are worked on at once (SIMD lanes): by the sweeps, the objective and the pictures.
//
// The widest is the fastest. A narrower one repeats what a lesser processor computes: widths agree but for the last
// digits (not even these differ in a build with SINEW_DETERMINISTIC), and each by itself gives the same bits every
// time.
#pragma once

#include <vector>

#include "sinew/result.h"

namespace sinew {

// Ascending: 1 (scalar code) and 4; 8 (AVX2 and FMA) and 16 (AVX-512) where the processor has them.
std::vector<int> available_lanes();

// The width wherever nothing else is said: the widest available, or the one that was set.
int lanes_in_use();

// For the whole program, from now on; 0: the widest available. A solver's own option `lanes` goes before it, and
// pictures are made by 4 at least. Call it before a simulation is made: one that is there keeps its sweeps as they are.
// Errors: not available, with those that are.
Status set_lanes(int lanes);

}  // namespace sinew
