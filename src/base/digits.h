// Doubles to and from text as std::to_chars and std::from_chars have it: the shortest digits that read back to the same
// number, in any locale. Standard libraries that lack these for doubles (libc++ before 14, 20) get the same results.
#pragma once

#include <charconv>

namespace sinew {

std::to_chars_result write_digits(char* first, char* last, double value);
std::from_chars_result read_digits(const char* first, const char* last, double& value);

// What takes their place. They call the C library: in a program that sets another locale for numbers than "C" with
// setlocale(), they are wrong where the C library has locales; Emscripten's has none.
std::to_chars_result write_digits_by_c(char* first, char* last, double value);
std::from_chars_result read_digits_by_c(const char* first, const char* last, double& value);

}  // namespace sinew
