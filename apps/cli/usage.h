// What is wrong with a command line, in the words of all other errors, with what was probably meant.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "sinew/scene.h"

namespace sinew::cli {

// "sinew run: there is no option --oputput; did you mean '--output'?"
std::string usage_fault(const CLI::App& app, const CLI::ParseError& fault);

// What to do where memory ran out, by command.
std::string memory_fault(const CLI::App& app);

// --set PATH=VALUE, one value each time.
void add_overrides(CLI::App& command, std::vector<std::string>& overrides, const std::string& example);

// --lanes N, set for the whole program and kept in `lanes`; of a command without kernels for fewer, `least` or more.
void add_lanes(CLI::App& command, int& lanes, int least = 1);

// What is wrong where the scene asks for other lanes than the command line; "" otherwise.
std::string lanes_fault(int lanes, const Scene& scene);

// Accepts one of these words.
CLI::Validator one_of(std::vector<std::string> words);
// Refuses "", which scripts pass where a variable is not set.
CLI::Validator not_empty();
// Accepts a finite number above 0.
CLI::Validator above_zero();
// Accepts a whole number from `low` to `high`, to be given to transform(): "1e6" is made "1000000".
CLI::Validator whole(int64_t low, int64_t high);

}  // namespace sinew::cli
