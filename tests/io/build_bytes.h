// Binary fixtures, byte by byte, in either endianness.
#pragma once

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <string>

namespace sinew {

class Bytes {
 public:
  explicit Bytes(bool little) : little_(little) {}

  Bytes& text(const std::string& words) {
    bytes_ += words;
    return *this;
  }
  template <class T>
  Bytes& add(T value) {
    char raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof(T));
    const int one = 1;
    char first;
    std::memcpy(&first, &one, 1);
    if ((first == 1) != little_) std::reverse(raw, raw + sizeof(T));
    bytes_.append(raw, sizeof(T));
    return *this;
  }
  template <class T>
  Bytes& all(std::initializer_list<T> values) {
    for (const T value : values) add(value);
    return *this;
  }
  const std::string& str() const { return bytes_; }

 private:
  bool little_;
  std::string bytes_;
};

}  // namespace sinew
