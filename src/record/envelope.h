// The form of Sinew's own binary files: a kind, an endianness mark, a format version, the size and a hash of the
// content, so that a file that is truncated, damaged, of another machine or not ours is told from a good one before it
// is used.
//   char kind[8], uint32 0x01020304, uint32 format version, uint64 size of the payload, uint64 hash, payload
// The hash is over kind, version and payload. Numbers are in the machine's order.
#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
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

// Appends numbers and texts to a payload.
class Packer {
 public:
  // Room for the envelope is kept in front, so that a large payload is not moved when it is sealed.
  Packer() : bytes_(envelope_size, '\0') {}

  template <class T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(T));
  }
  // The items without their number.
  template <class T>
  void put_all(std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  }
  void put_text(std::string_view text) {
    put<uint64_t>(text.size());
    bytes_ += text;
  }
  void reserve(size_t count) { bytes_.reserve(envelope_size + count); }
  // Zeros up to a multiple of eight bytes.
  void align() { bytes_.resize((bytes_.size() + 7) / 8 * 8, '\0'); }
  // The whole file.
  std::string seal(const FileKind& kind) &&;
  // The front of a file whose payload ends with large parts that are written from where they lie. All but the last
  // part, and what was put before them, are of a multiple of eight bytes.
  std::string seal_front(const FileKind& kind, std::span<const std::string_view> parts) &&;

 private:
  std::string bytes_;
};

// Takes them off again. Each call says whether there was enough left; a count is checked before memory is taken for it.
class Unpacker {
 public:
  explicit Unpacker(std::string_view payload) : rest_(payload), begin_(payload.size()) {}

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
  bool take_text(std::string& text) {
    uint64_t count = 0;
    if (!take(count) || count > rest_.size()) return false;
    text.assign(rest_.substr(0, count));
    rest_.remove_prefix(count);
    return true;
  }
  // Skips what align() added.
  bool align() {
    const size_t skipped = (begin_ - rest_.size()) % 8 == 0 ? 0 : 8 - (begin_ - rest_.size()) % 8;
    if (skipped > rest_.size()) return false;
    rest_.remove_prefix(skipped);
    return true;
  }
  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
  size_t begin_;  // bytes in all
};

// The payload within `file`. `remedy` is told where the content is unusable.
Result<std::string_view> open_envelope(std::string_view file, const FileKind& kind, const std::string& where,
                                       const std::string& remedy);

}  // namespace sinew
