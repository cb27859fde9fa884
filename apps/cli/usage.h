// Errors in a command line, in the style of all other errors, with a suggestion.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "sinew/named.h"

namespace sinew {
struct Scene;
}

namespace sinew::cli {

// "sinew run: there is no option --oputput; did you mean '--output'?"
std::string usage_fault(const CLI::App& app, const CLI::ParseError& fault);

// The remedy when memory runs out, by command.
std::string memory_fault(const CLI::App& app);

// --set PATH=VALUE, one value each time.
void add_overrides(CLI::App& command, std::vector<std::string>& overrides, const std::string& example);

// --device NAME, for --set solver.device=NAME.
void add_device(CLI::App& command, std::string& device);
std::vector<std::string> with_device(std::vector<std::string> overrides, const std::string& device);

// --lanes N, set for the whole program and stored in `lanes`; at least `least`, for commands without narrower kernels.
void add_lanes(CLI::App& command, int& lanes, int least = 1);

// The fault if the scene requests other lanes than the command line; else "".
std::string lanes_fault(int lanes, const Scene& scene);

// Accepts one of these words.
CLI::Validator one_of(std::vector<std::string> words);
// Those of an enum.
template <NamedEnum E>
std::vector<std::string> words_of() {
  return {names_of<E>().begin(), names_of<E>().end()};
}
// Rejects "", which scripts pass if a variable is not set.
CLI::Validator not_empty();
// Accepts a finite number above 0.
CLI::Validator above_zero();
// Accepts a whole number from `low` to `high`, for transform(): "1e6" becomes "1000000".
CLI::Validator whole(int64_t low, int64_t high);

}  // namespace sinew::cli
