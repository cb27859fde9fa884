// 64-bit FNV-1a, taken eight bytes at a time: fingerprints of states and scenes, not cryptography.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace sinew {

class Hash {
 public:
  // Hashes a leading part of data; bytes() with the rest then gives the hash of the whole. `count` is a multiple of
  // eight.
  Hash& front(const void* data, size_t count) {
    const auto* p = static_cast<const unsigned char*>(data);
    for (; count >= 8; p += 8, count -= 8) {
      uint64_t word;
      std::memcpy(&word, p, 8);
      mix(word);
    }
    return *this;
  }
  Hash& bytes(const void* data, size_t count) {
    front(data, count);
    const auto* p = static_cast<const unsigned char*>(data) + count / 8 * 8;
    count %= 8;
    uint64_t tail = count;
    for (size_t k = 0; k < count; ++k) tail = tail << 8 | p[k];
    mix(tail);
    return *this;
  }
  Hash& text(std::string_view s) { return bytes(s.data(), s.size()); }
  uint64_t value() const { return state_; }

 private:
  void mix(uint64_t word) {
    state_ = (state_ ^ word) * 0x100000001b3ull;
    state_ ^= state_ >> 29;  // FNV over words leaves the low bits of high bytes unmixed
  }
  uint64_t state_ = 0xcbf29ce484222325ull;
};

}  // namespace sinew
