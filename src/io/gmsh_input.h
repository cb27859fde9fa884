// A common interface to MSH files, text or binary: sections by name, and the numbers in them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/byte_cursor.h"
#include "io/records.h"
#include "io/scanner.h"

namespace sinew {

class GmshInput {
 public:
  GmshInput(std::string_view bytes, std::string_view name)
      : bytes_(bytes), name_(name), scanner_(bytes, name, Layout::free), cursor_(bytes, name, 0, false) {}

  // Reads $MeshFormat: version, text or binary, endianness.
  Status header();
  double version() const { return version_; }

  // Moves into the next section, and returns its name without '$'. False at the end of the file.
  bool next_section(std::string& section);
  // Moves past the end of the section: directly if it was read, else by searching for the end.
  Status end_section(const std::string& section);
  Status skip_section(const std::string& section);
  // The content of $PhysicalNames, which is text even in binary files.
  struct PhysicalName {
    int64_t dimension, tag;
    std::string name;
  };
  Status physical_names(std::vector<PhysicalName>& names);
  // A number at the start of a section is text in version 2 even in binary files.
  bool text_count(int64_t& count);

  // int and size_t differ in width in binary files.
  bool integer(int64_t& value) { return binary_ ? narrow<int32_t>(value) : scanner_.whole(value); }
  bool size(int64_t& value) { return binary_ ? narrow<int64_t>(value) : scanner_.whole(value); }
  bool real(double& value) { return binary_ ? cursor_.get(value) : scanner_.real(value); }
  bool binary() const { return binary_; }
  void skip_line() { scanner_.skip_line(); }

  // Reads `count` records of `words` numbers each: read(input, k) -> Status; text by all threads, as in records.h.
  template <class Read>
  Status records(ThreadPool& pool, int64_t count, int64_t words, const Read& read) {
    const auto range = [&](GmshInput& input, int64_t first, int64_t last) -> Status {
      for (int64_t k = first; k < last; ++k)
        if (Status status = read(input, k); !status) return status;
      return {};
    };
    if (binary_) return range(*this, 0, count);
    return read_record_ranges(pool, scanner_, count, words, [&](Scanner& scanner, int64_t first, int64_t last) {
      GmshInput piece = *this;
      piece.scanner_ = scanner;
      const Status status = range(piece, first, last);
      scanner = piece.scanner_;
      return status;
    });
  }
  // The number of records to make room for.
  size_t room_for(int64_t count, int64_t words) const {
    return binary_ ? static_cast<size_t>(count) : sinew::room_for(scanner_, count, words);
  }

  // Whether the rest can hold `count` items of so many bytes each; a number in text takes at least two bytes.
  bool can_hold(int64_t count, int64_t binary_width) const {
    return binary_ ? cursor_.can_hold(count, binary_width) : scanner_.can_hold(count, 2);
  }

  size_t offset() const { return binary_ ? cursor_.offset() : scanner_.offset(); }
  Error expected(const std::string& what) { return binary_ ? cursor_.ends(what) : scanner_.expected(what); }
  Error fault_at(size_t offset, const std::string& what, const std::string& remedy = "") const {
    return {binary_ ? cursor_.place(offset) : scanner_.place(offset), what, remedy};
  }
  Error too_many(const char* items, int64_t count, size_t at) const;

 private:
  template <class T>
  bool narrow(int64_t& value) {
    T raw;
    if (!cursor_.get(raw)) return false;
    value = raw;
    return true;
  }
  void move_to(size_t offset);

  std::string_view bytes_;
  std::string_view name_;
  Scanner scanner_;
  ByteCursor cursor_;
  double version_ = 0;
  bool binary_ = false;
  bool swap_ = false;
};

}  // namespace sinew
