// What contact was chosen to be, for people to read.
#pragma once

#include <string>
#include <vector>

#include "compile/compile.h"

namespace sinew {

// A sentence about the surfaces, and one for each rule with the pairs that it is for, in SI units. None without
// contact.
std::vector<std::string> contact_notes(const Scene& scene, const CompiledScene& compiled);

}  // namespace sinew
