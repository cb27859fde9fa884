// Converts numbers from and to raw bytes of either endianness.
#pragma once

#include <bit>
#include <cstddef>
#include <cstring>
#include <string>
#include <type_traits>

namespace sinew {

// The number of type T stored at p; `swap` if its bytes are in the opposite order to this machine's.
template <class T>
inline T load(const char* p, bool swap) {
  static_assert(std::is_arithmetic_v<T>);
  char raw[sizeof(T)];
  if (swap)
    for (size_t k = 0; k < sizeof(T); ++k) raw[k] = p[sizeof(T) - 1 - k];
  else
    std::memcpy(raw, p, sizeof(T));
  T value;
  std::memcpy(&value, raw, sizeof(T));
  return value;
}

template <class T>
inline void append_bytes(std::string& bytes, T value) {
  static_assert(std::is_arithmetic_v<T>);
  char raw[sizeof(T)];
  std::memcpy(raw, &value, sizeof(T));
  bytes.append(raw, sizeof(T));
}

inline constexpr bool machine_is_little = std::endian::native == std::endian::little;

}  // namespace sinew
