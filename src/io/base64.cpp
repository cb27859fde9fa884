#include "io/base64.h"

#include <array>
#include <cstdint>

namespace sinew {

namespace {

constexpr int8_t kNone = -1, kBlank = -2, kPadding = -3;

constexpr std::array<int8_t, 256> make_table() {
  std::array<int8_t, 256> table{};
  for (int8_t& value : table) value = kNone;
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t k = 0; k < kDigits.size(); ++k) table[static_cast<unsigned char>(kDigits[k])] = static_cast<int8_t>(k);
  for (const char c : {' ', '\t', '\r', '\n'}) table[static_cast<unsigned char>(c)] = kBlank;
  table[static_cast<unsigned char>('=')] = kPadding;
  return table;
}
constexpr std::array<int8_t, 256> kTable = make_table();

}  // namespace

std::string decode_base64(std::string_view text, size_t most) {
  std::string bytes;
  uint32_t bits = 0;
  int digits = 0, padding = 0;  // of the current group of four
  for (const char c : text) {
    if (bytes.size() >= most) break;
    const int8_t value = kTable[static_cast<unsigned char>(c)];
    if (value == kBlank) continue;
    if (value == kNone) break;
    if (value == kPadding) {
      ++padding;
      bits <<= 6;
    } else {
      bits = bits << 6 | static_cast<uint32_t>(value);
    }
    if (++digits < 4) continue;
    const char group[3] = {static_cast<char>(bits >> 16), static_cast<char>(bits >> 8), static_cast<char>(bits)};
    bytes.append(group, padding < 3 ? static_cast<size_t>(3 - padding) : 0);
    bits = 0;
    digits = padding = 0;
  }
  if (bytes.size() > most) bytes.resize(most);
  return bytes;
}

}  // namespace sinew
