// Lists of plain items as bytes, one after the other, and back.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace sinew {

class ByteListWriter {
 public:
  template <class T>
  ByteListWriter& add(const std::vector<T>& list) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto bytes = static_cast<uint64_t>(list.size() * sizeof(T));
    bytes_.append(reinterpret_cast<const char*>(&bytes), sizeof bytes);
    if (bytes > 0) bytes_.append(reinterpret_cast<const char*>(list.data()), bytes);
    return *this;
  }
  ByteListWriter& add(std::string_view text) { return add(std::vector<char>(text.begin(), text.end())); }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class ByteListReader {
 public:
  explicit ByteListReader(std::string_view bytes) : rest_(bytes) {}

  // False: there is no such list.
  template <class T>
  bool take(std::vector<T>& list) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::string_view bytes;
    if (!take(bytes) || bytes.size() % sizeof(T) != 0) return false;
    list.resize(bytes.size() / sizeof(T));
    if (!bytes.empty()) std::memcpy(static_cast<void*>(list.data()), bytes.data(), bytes.size());
    return true;
  }
  bool take(std::string_view& bytes) {
    uint64_t count = 0;
    if (rest_.size() < sizeof count) return false;
    std::memcpy(&count, rest_.data(), sizeof count);
    if (count > rest_.size() - sizeof count) return false;
    bytes = rest_.substr(sizeof count, count);
    rest_.remove_prefix(sizeof count + count);
    return true;
  }
  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

}  // namespace sinew
