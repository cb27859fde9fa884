// Pictures drawn by gnuplot, run as a child process without a shell. A script goes in, the bytes of a picture come out.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace sinew {

// Runs the program on `script`, which must set a terminal and no output, and writes what it draws to `target`, whole or
// not at all. The user's own gnuplot settings have no say. Errors: gnuplot is missing (with the package), a fault in
// the script with gnuplot's words, an unwritable target; `interrupt`, where given, became true, and gnuplot was ended.
Status draw_with_gnuplot(std::string_view script, const std::filesystem::path& target,
                         const std::string& program = "gnuplot", const std::atomic<bool>* interrupt = nullptr);

// Any text as a gnuplot string: single quotes, in which nothing is expanded and no command is run. Control characters
// become blanks.
std::string gnuplot_quoted(std::string_view text);

}  // namespace sinew
