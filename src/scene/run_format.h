// The value of "format" in every run.json, whose scene may be read as a scene.
#pragma once

namespace sinew {

inline constexpr const char* run_file_format = "sinew run";

}  // namespace sinew
