// The arrays of a VTK XML file: text, inline base64, or appended as base64 or raw bytes; plain or zlib-compressed
// (VTK User's Guide, "XML file formats"). Independent of XML: the caller locates an array's characters.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace sinew {

// zlib never compresses more than this (its technical notes): a larger announced size is false.
inline constexpr uint64_t kTightestPacking = 1032;

// The encoding of all arrays, from the file's first line.
struct VtuEncoding {
  bool swap = false;         // bytes in the opposite order to this machine's
  bool wide_header = false;  // block sizes of 8 bytes instead of 4
  bool compressed = false;
};

struct VtuArray {
  std::string where;      // for messages: file, line and the array's name
  std::string_view type;  // "Float32", "Int64", ...
  enum class Storage { text, base64, raw } storage = Storage::text;
  std::string_view data;  // from the array's first character to at most the end of the file
};

// The array's numbers. Errors: not `count` numbers (any number if negative), or not of the requested type.
Result<std::vector<double>> read_reals(const VtuArray& array, const VtuEncoding& encoding, int64_t count);
Result<std::vector<int64_t>> read_wholes(const VtuArray& array, const VtuEncoding& encoding, int64_t count);

}  // namespace sinew
