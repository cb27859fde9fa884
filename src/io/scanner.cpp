#include "io/scanner.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "base/digits.h"
#include "base/format.h"

namespace sinew {

namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}
// Blanks, line ends and zeros; the characters 9 to 13 are \t \n \v \f \r.
bool is_separator(char c) {
  return (c == ' ') | (c == '\0') | (static_cast<uint8_t>(c - 9) < 5);
}

// Counts the words of a text without comments. Blocks that a byte can count, without branches: sixteen characters at a
// time.
int64_t word_starts(std::string_view text) {
  constexpr size_t block = 128;
  const auto starts = [&](size_t k) -> uint8_t { return is_separator(text[k - 1]) > is_separator(text[k]); };
  int64_t words = !is_separator(text[0]);
  size_t at = 1;
  for (; at + block <= text.size(); at += block) {
    uint8_t found = 0;
    for (size_t k = at; k < at + block; ++k) found = static_cast<uint8_t>(found + starts(k));
    words += found;
  }
  for (; at < text.size(); ++at) words += starts(at);
  return words;
}

// from_chars does not accept a leading plus.
const char* skip_plus(const char* first, const char* last) {
  return last - first > 1 && *first == '+' && first[1] != '-' ? first + 1 : first;
}

// The value of a number outside the range of doubles: zero if it is too small, otherwise infinity.
double out_of_range(std::string_view text) {
  const size_t exponent = text.find_first_of("eE");
  const bool small = exponent != std::string_view::npos ? exponent + 1 < text.size() && text[exponent + 1] == '-'
                                                        : text.find_first_of("123456789") > text.find('.');
  if (small) return 0;
  const double infinity = std::numeric_limits<double>::infinity();
  return text[0] == '-' ? -infinity : infinity;
}

}  // namespace

bool Scanner::skip_blanks() {
  while (at_ < bytes_.size() && (is_blank(bytes_[at_]) || bytes_[at_] == '\0')) ++at_;
  return at_ < bytes_.size() && bytes_[at_] != '\n' && (comment_ == 0 || bytes_[at_] != comment_);
}

bool Scanner::skip_space() {
  while (!skip_blanks()) {
    if (at_end()) return false;
    skip_line();
  }
  return true;
}

void Scanner::skip_line() {
  const size_t end = bytes_.find('\n', at_);
  at_ = end == std::string_view::npos ? bytes_.size() : end + 1;
}

std::string_view Scanner::peek_word() {
  if (!skip()) return {};
  size_t end = at_;
  while (end < bytes_.size() && !is_separator(bytes_[end]) && (comment_ == 0 || bytes_[end] != comment_)) ++end;
  return bytes_.substr(at_, end - at_);
}

std::string_view Scanner::word() {
  const std::string_view text = peek_word();
  at_ += text.size();
  return text;
}

std::string_view Scanner::rest_of_line() {
  size_t end = std::min(bytes_.find('\n', at_), bytes_.size());
  std::string_view text = bytes_.substr(at_, end - at_);
  at_ = end;
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

bool Scanner::whole(int64_t& value) {
  if (!skip()) return false;
  const char* last = bytes_.data() + bytes_.size();
  const auto [end, fault] = std::from_chars(skip_plus(bytes_.data() + at_, last), last, value);
  if (fault != std::errc()) return false;
  // "3.5" and "3x" are not whole numbers.
  if (end != last && !is_separator(*end) && (comment_ == 0 || *end != comment_)) return false;
  at_ = static_cast<size_t>(end - bytes_.data());
  return true;
}

bool Scanner::real(double& value) {
  if (!skip()) return false;
  const char* last = bytes_.data() + bytes_.size();
  const char* first = bytes_.data() + at_;
  const auto [end, fault] = read_digits(skip_plus(first, last), last, value);
  if (fault == std::errc::result_out_of_range)
    value = out_of_range(std::string_view(first, static_cast<size_t>(end - first)));
  else if (fault != std::errc())
    return false;
  if (end != last && !is_separator(*end) && (comment_ == 0 || *end != comment_)) return false;
  at_ = static_cast<size_t>(end - bytes_.data());
  return true;
}

int64_t Scanner::words_before(size_t end) const {
  const std::string_view text = bytes_.substr(at_, std::max(at_, end) - at_);
  if (text.empty()) return 0;
  if (comment_ == 0 || text.find(comment_) == std::string_view::npos) return word_starts(text);
  Scanner scanner = *this;
  int64_t words = 0;
  for (; scanner.skip_space() && scanner.at_ < end; scanner.word()) ++words;
  return words;
}

int64_t Scanner::lines_before(size_t end) const {
  Scanner scanner = *this;
  int64_t lines = 0;
  for (; scanner.skip_space() && scanner.at_ < end; scanner.skip_line()) ++lines;
  return lines;
}

Error Scanner::expected(const std::string& what, const std::string& remedy) {
  const std::string_view found = peek_word();
  if (!found.empty()) return fault("expected " + what + ", found " + in_quotes(found), remedy);
  if (at_end()) return fault("the file ends where " + what + " was expected", "the file may be truncated");
  return fault("the line ends where " + what + " was expected", remedy);
}

Error Scanner::fault_at(size_t offset, const std::string& what, const std::string& remedy) const {
  return {place(offset), what, remedy};
}

Error Scanner::too_many(const char* items, int64_t count, size_t at) const {
  if (count < 0)
    return fault_at(at, format("announces %lld %s", static_cast<long long>(count), items), "counts are not negative");
  return fault_at(at,
                  format("announces %lld %s, but only %zu bytes follow", static_cast<long long>(count), items,
                         bytes_.size() - std::min(at, bytes_.size())),
                  "the file may be truncated or its header damaged");
}

std::string Scanner::place(size_t offset) const {
  const std::string_view before = bytes_.substr(0, offset);
  return std::string(name_) + ":" + std::to_string(std::count(before.begin(), before.end(), '\n') + 1);
}

std::string in_quotes(std::string_view text) {
  constexpr size_t kLongest = 40;
  std::string out = "'";
  for (const char c : text.substr(0, kLongest)) out += c >= 32 && c < 127 ? c : '?';
  if (text.size() > kLongest) out += "...";
  return out + "'";
}

bool to_whole(std::string_view word, int64_t& value) {
  Scanner scanner(word, "", Layout::lines);
  return scanner.whole(value) && scanner.at_end();
}

bool to_real(std::string_view word, double& value) {
  Scanner scanner(word, "", Layout::lines);
  return scanner.real(value) && scanner.at_end();
}

}  // namespace sinew
