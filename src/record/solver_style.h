// The colour of each solver, the same in every figure, table and film. The first eight are those of Okabe and Ito
// (2008), distinct under the common forms of colour blindness, with their yellow darkened to be read on white; curves
// are labelled besides, and variants of one solver differ by their dashes.
#pragma once

#include <string_view>

namespace sinew {

// "#rrggbb"; grey for a solver that has none of its own yet.
std::string_view solver_color(std::string_view solver);

}  // namespace sinew
