// The form of Sinew's own binary data: a kind, an endianness mark, a format version, the size and a hash of the
// content, so that a file that is truncated, damaged, from another machine or not ours is detected before it is used.
//   char kind[8], uint32 0x01020304, uint32 format version, uint64 size of the payload, uint64 hash, payload
// The hash is over kind, version and payload. Numbers are in the machine's byte order.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/result.h"

namespace sinew {

struct FileKind {
  std::string_view magic;  // eight characters
  uint32_t version;
  std::string_view name;  // for messages, "a checkpoint"
};

inline constexpr size_t envelope_size = 32;

// Concatenates small numbers and texts.
class Packer {
 public:
  template <class T>
  Packer& put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(T));
    return *this;
  }
  Packer& put_text(std::string_view text) {
    put<uint64_t>(text.size());
    bytes_ += text;
    return *this;
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// The items without their count, uncopied.
template <class T>
std::string_view bytes_of(const std::vector<T>& values) {
  static_assert(std::is_trivially_copyable_v<T>);
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

// What stands before a payload that is the concatenated parts.
std::string envelope_head(const FileKind& kind, std::span<const std::string_view> parts);

// Reads them back. Each call returns whether enough was left; a count is checked before memory is allocated for it.
class Unpacker {
 public:
  explicit Unpacker(std::string_view payload) : rest_(payload) {}

  template <class T>
  bool take(T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (rest_.size() < sizeof(T)) return false;
    std::memcpy(&value, rest_.data(), sizeof(T));
    rest_.remove_prefix(sizeof(T));
    return true;
  }
  template <class T>
  bool take_all(std::vector<T>& values, uint64_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (count > rest_.size() / sizeof(T)) return false;
    values.resize(count);
    if (count > 0) std::memcpy(values.data(), rest_.data(), count * sizeof(T));
    rest_.remove_prefix(count * sizeof(T));
    return true;
  }
  // After their number.
  template <class T>
  bool take_list(std::vector<T>& values) {
    uint64_t count = 0;
    return take(count) && take_all(values, count);
  }
  bool take_text(std::string& text) {
    uint64_t count = 0;
    if (!take(count) || count > rest_.size()) return false;
    text.assign(rest_.substr(0, count));
    rest_.remove_prefix(count);
    return true;
  }
  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

// The payload within `file`. `remedy` goes into errors about unusable content.
Result<std::string_view> open_envelope(std::string_view file, const FileKind& kind, const std::string& where,
                                       const std::string& remedy);

}  // namespace sinew
