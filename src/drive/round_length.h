// Lengths that a picture states.
#pragma once

#include <string>

namespace sinew {

// The round number (1, 2 or 5 times a power of ten) next to a positive one.
double round_near(double wanted);

// "20 cm", "5 mm"
std::string length_text(double metres);

}  // namespace sinew
