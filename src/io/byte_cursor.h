// Reads binary data: numbers of a given width in either endianness, never beyond the end.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/format.h"
#include "io/bytes.h"
#include "sinew/error.h"

namespace sinew {

class ByteCursor {
 public:
  ByteCursor(std::string_view bytes, std::string_view name, size_t at, bool swap)
      : bytes_(bytes), name_(name), at_(at), swap_(swap) {}

  template <class T>
  bool get(T& value) {
    if (remaining() < sizeof(T)) return false;
    value = load<T>(bytes_.data() + at_, swap_);
    at_ += sizeof(T);
    return true;
  }
  bool skip(size_t count) {
    if (remaining() < count) return false;
    at_ += count;
    return true;
  }
  bool can_hold(int64_t count, int64_t size) const {
    return count >= 0 && count <= static_cast<int64_t>(remaining()) / size;
  }

  size_t offset() const { return at_; }
  size_t remaining() const { return bytes_.size() - at_; }
  std::string place(size_t at) const { return std::string(name_) + format(": byte %zu", at); }
  std::string place() const { return place(at_); }

  Error ends(const std::string& where_what) const {
    return {place(bytes_.size()), "the file ends where " + where_what + " was expected", "the file may be truncated"};
  }

 private:
  std::string_view bytes_;
  std::string_view name_;
  size_t at_;
  bool swap_;
};

}  // namespace sinew
