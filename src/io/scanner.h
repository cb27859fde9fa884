// Scans the text of a file: words, whole and real numbers (std::from_chars: no locale, no streams), and errors with the
// line, what was found and what was expected.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sinew/error.h"

namespace sinew {

// Whether words and numbers are searched on the current line only, or across lines.
enum class Layout { lines, free };

class Scanner {
 public:
  // `comment` starts a comment that runs to the end of the line; 0 if the format has none.
  Scanner(std::string_view bytes, std::string_view name, Layout layout, char comment = 0)
      : bytes_(bytes), name_(name), comment_(comment), layout_(layout) {}

  // Moves to the next word; false at the end of the line (skip_blanks) or of the file (skip_space).
  bool skip_blanks();
  bool skip_space();
  // Moves past the end of the line.
  void skip_line();

  // The next word without moving past it; empty if the line (or, in a free layout, the file) has no more.
  std::string_view peek_word();
  std::string_view word();
  // The rest of this line, without its end and without trailing blanks, comment included.
  std::string_view rest_of_line();

  // Reads the next number. Returns false, and does not move, if the word is not a number. A real number too large
  // becomes infinite.
  bool whole(int64_t& value);
  bool real(double& value);

  // The number of words, or of lines with words, from here to `end`, in either layout. Both places are between words;
  // lines are counted from the beginning of one to the beginning of another.
  int64_t words_before(size_t end) const;
  int64_t lines_before(size_t end) const;

  bool at_end() const { return at_ >= bytes_.size(); }
  size_t offset() const { return at_; }
  void seek(size_t offset) { at_ = offset; }
  size_t remaining() const { return bytes_.size() - at_; }
  std::string_view bytes() const { return bytes_; }
  std::string_view name() const { return name_; }

  // Whether the rest can hold `count` items of at least `size` bytes each; checked before allocating memory for them.
  bool can_hold(int64_t count, int64_t size) const {
    return count >= 0 && count <= static_cast<int64_t>(remaining()) / size;
  }

  // "file:line: expected X, found 'y'", or that the file ends.
  Error expected(const std::string& what, const std::string& remedy = "");
  Error fault(const std::string& what, const std::string& remedy = "") { return fault_at(at_, what, remedy); }
  Error fault_at(size_t offset, const std::string& what, const std::string& remedy = "") const;
  // For counts that the file cannot hold.
  Error too_many(const char* items, int64_t count, size_t at) const;
  // "file:line" of a position.
  std::string place(size_t offset) const;

 private:
  std::string_view bytes_;
  std::string_view name_;
  char comment_;
  Layout layout_;
  size_t at_ = 0;

  bool skip() { return layout_ == Layout::free ? skip_space() : skip_blanks(); }
};

// An excerpt of a file for a message: quoted, shortened, control characters replaced.
std::string in_quotes(std::string_view text);

// Converts a word that is a number and nothing else.
bool to_whole(std::string_view word, int64_t& value);
bool to_real(std::string_view word, double& value);

}  // namespace sinew
