// Plots by gnuplot, run as a child process without a shell: script in, picture out.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace sinew {

// Runs `script`, which must set a terminal and no output, and writes the picture to `target`, whole or not at all. The
// user's gnuplot settings are ignored. Errors: gnuplot is missing (with the package), a script error with gnuplot's
// message, an unwritable target, an interrupt (`interrupt`, if given, became true; gnuplot is ended).
Status draw_with_gnuplot(std::string_view script, const std::filesystem::path& target,
                         const std::string& program = "gnuplot", const std::atomic<bool>* interrupt = nullptr);

// Any text as a gnuplot string: in single quotes, where nothing is expanded and no command is run. Control characters
// become blanks.
std::string gnuplot_quoted(std::string_view text);

}  // namespace sinew
