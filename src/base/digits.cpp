#include "base/digits.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>

namespace sinew {
namespace {

// 0.d1 d2 d3 ... 10^exponent, without zeros at the end.
struct Decimal {
  char digits[20] = {};
  int count = 0, exponent = 0;
};

// The value, above 0, correctly rounded to `count` digits.
Decimal rounded(double value, int count) {
  char text[40];
  std::snprintf(text, sizeof text, "%.*e", count - 1, value);
  Decimal decimal;
  const char* at = text;
  for (; *at != 'e'; ++at)
    if (*at != '.') decimal.digits[decimal.count++] = *at;
  decimal.exponent = std::atoi(at + 1) + 1;
  while (decimal.count > 1 && decimal.digits[decimal.count - 1] == '0') decimal.digits[--decimal.count] = 0;
  return decimal;
}

double value_of(const Decimal& decimal) {
  char text[40];
  std::snprintf(text, sizeof text, "0.%se%d", decimal.digits, decimal.exponent);
  return std::strtod(text, nullptr);
}

// One more in the last of `count` digits.
Decimal next_above(Decimal decimal, int count) {
  for (; decimal.count < count; ++decimal.count) decimal.digits[decimal.count] = '0';
  int k = count - 1;
  for (; k >= 0 && decimal.digits[k] == '9'; --k) decimal.digits[k] = 0;
  decimal.count = k + 1;
  if (k >= 0) {
    ++decimal.digits[k];
  } else {
    decimal.digits[0] = '1';
    decimal.count = 1;
    ++decimal.exponent;
  }
  return decimal;
}

// The fewest digits that read back to the value, above 0, and of those the nearest.
Decimal shortest(double value) {
  constexpr int always_kept =
      std::numeric_limits<double>::digits10;  // a decimal of so many digits is read back from 15
  int part;
  // The doubles below a power of two are nearer than those above: what reads back may not be the nearest decimal.
  const bool lopsided = std::frexp(value, &part) == 0.5;
  const int first = value < std::numeric_limits<double>::min() || lopsided ? 1 : always_kept;
  for (int count = first; count < std::numeric_limits<double>::max_digits10; ++count) {
    const Decimal decimal = rounded(value, count);
    if (value_of(decimal) == value) return decimal;
    if (!lopsided) continue;
    const Decimal above = next_above(decimal, count);
    if (value_of(above) == value) return above;
  }
  return rounded(value, std::numeric_limits<double>::max_digits10);
}

std::to_chars_result put(char* first, char* last, const std::string& text) {
  if (static_cast<size_t>(last - first) < text.size()) return {last, std::errc::value_too_large};
  std::memcpy(first, text.data(), text.size());
  return {first + text.size(), std::errc()};
}

// Whether the range goes on with a word, in either case of letters.
bool has_word(const char* at, const char* last, const char* word) {
  for (; *word; ++word, ++at)
    if (at == last || (*at | 0x20) != *word) return false;
  return true;
}
const char* skip_digits(const char* at, const char* last) {
  while (at != last && *at >= '0' && *at <= '9') ++at;
  return at;
}

}  // namespace

std::to_chars_result write_digits_by_c(char* first, char* last, double value) {
  std::string text = std::signbit(value) ? "-" : "";
  if (std::isnan(value)) return put(first, last, text + "nan");
  if (std::isinf(value)) return put(first, last, text + "inf");
  if (value == 0) return put(first, last, text + "0");
  const Decimal decimal = shortest(std::abs(value));
  const std::string digits(decimal.digits, static_cast<size_t>(decimal.count));
  const int count = decimal.count, point = decimal.exponent;
  // Whichever is shorter; as it is written both ways in as many characters, without an exponent.
  const int exponent = point - 1;
  const int power = std::abs(exponent) < 100 ? 2 : 3;
  const int scientific = count + (count > 1) + 2 + power;
  const int fixed = point <= 0 ? 2 - point + count : point >= count ? point : count + 1;
  if (scientific < fixed) {
    text += digits[0];
    if (count > 1) text += "." + digits.substr(1);
    char tail[16];
    std::snprintf(tail, sizeof tail, "e%+03d", exponent);
    return put(first, last, text + tail);
  }
  if (point <= 0) return put(first, last, text + "0." + std::string(static_cast<size_t>(-point), '0') + digits);
  if (point < count)
    return put(first, last,
               text + digits.substr(0, static_cast<size_t>(point)) + "." + digits.substr(static_cast<size_t>(point)));
  char whole[40];  // a large whole number with all its digits
  std::snprintf(whole, sizeof whole, "%.0f", std::abs(value));
  return put(first, last, text + whole);
}

std::from_chars_result read_digits_by_c(const char* first, const char* last, double& value) {
  const char* at = first;
  if (at != last && *at == '-') ++at;
  const bool negative = at != first;
  if (has_word(at, last, "inf")) {
    value = negative ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
    return {at + (has_word(at, last, "infinity") ? 8 : 3), std::errc()};
  }
  if (has_word(at, last, "nan")) {
    value = std::copysign(std::numeric_limits<double>::quiet_NaN(), negative ? -1.0 : 1.0);
    at += 3;
    if (at == last || *at != '(') return {at, std::errc()};
    const char* end = at + 1;
    while (end != last &&
           ((*end >= '0' && *end <= '9') || ((*end | 0x20) >= 'a' && (*end | 0x20) <= 'z') || *end == '_'))
      ++end;
    return {end != last && *end == ')' ? end + 1 : at, std::errc()};
  }
  const char* const digits = at;
  at = skip_digits(at, last);
  bool any = at != digits;
  if (at != last && *at == '.') {
    const char* const end = skip_digits(at + 1, last);
    any = any || end != at + 1;
    if (any) at = end;
  }
  if (!any) return {first, std::errc::invalid_argument};
  const char* const mantissa_end = at;
  if (at != last && (*at | 0x20) == 'e') {
    const char* power = at + 1;
    if (power != last && (*power == '+' || *power == '-')) ++power;
    const char* const end = skip_digits(power, last);
    if (end != power) at = end;
  }
  const double read = std::strtod(std::string(first, at).c_str(), nullptr);
  const bool zero = std::string(digits, mantissa_end).find_first_of("123456789") == std::string::npos;
  if (std::isinf(read) || (read == 0 && !zero)) return {at, std::errc::result_out_of_range};
  value = read;
  return {at, std::errc()};
}

#if defined(__cpp_lib_to_chars)

std::to_chars_result write_digits(char* first, char* last, double value) {
  return std::to_chars(first, last, value);
}
std::from_chars_result read_digits(const char* first, const char* last, double& value) {
  return std::from_chars(first, last, value);
}

#else

std::to_chars_result write_digits(char* first, char* last, double value) {
  return write_digits_by_c(first, last, value);
}
std::from_chars_result read_digits(const char* first, const char* last, double& value) {
  return read_digits_by_c(first, last, value);
}

#endif

}  // namespace sinew
