// The colour of each solver, the same in every figure, table and film. The first eight are those of Okabe and Ito
// (2008), distinct under the common forms of colour blindness, with the yellow darkened for legibility on white; curves
// also have labels, and variants of one solver differ in their dashes.
#pragma once

#include <string_view>

namespace sinew {

// "#rrggbb"; grey for a solver without a colour of its own.
std::string_view solver_color(std::string_view solver);

}  // namespace sinew
