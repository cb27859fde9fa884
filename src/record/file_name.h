// Names of the scene as names of files.
#pragma once

#include <set>
#include <string>

namespace sinew {

// "left/arm" and "Left:arm" become left_arm and Left_arm_2: some file systems ignore case. `taken`: the names given so
// far, in lower case.
std::string file_name(const std::string& name, std::set<std::string>& taken);

}  // namespace sinew
