// What contact was chosen to be, for people to read.
#pragma once

#include <string>
#include <vector>

#include "compile/compile.h"

namespace sinew {

// A sentence about the surfaces, and one for each rule with the pairs that it is for, in SI units. None without
// contact.
std::vector<std::string> contact_notes(const Scene& scene, const CompiledScene& compiled);

// Who: "objects.a and colliders.b meet".
std::string ignored_text(const Scene& scene, const ContactSurface& surface, IgnoredPair pair);

}  // namespace sinew
