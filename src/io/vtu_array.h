// The arrays of a VTK XML file: text, inline base64, or appended as base64 or raw bytes; plain or zlib-compressed
// (VTK User's Guide, "XML file formats"). Knows nothing of XML: it is told where an array's characters are.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace sinew {

// zlib never packs tighter than this (its technical notes): a size announced beyond it is a lie.
inline constexpr uint64_t kTightestPacking = 1032;

// What the file's first line says of all its arrays.
struct VtuEncoding {
  bool swap = false;         // bytes in the other order than this machine's
  bool wide_header = false;  // block sizes of 8 bytes instead of 4
  bool compressed = false;
};

struct VtuArray {
  std::string where;      // for messages: file, line and the array's name
  std::string_view type;  // "Float32", "Int64", ...
  enum class Storage { text, base64, raw } storage = Storage::text;
  std::string_view data;  // from the array's first character to at most the end of the file
};

// The array's numbers; an Error where they are not `count` (any number if negative), or not of the type asked for.
Result<std::vector<double>> read_reals(const VtuArray& array, const VtuEncoding& encoding, int64_t count);
Result<std::vector<int64_t>> read_wholes(const VtuArray& array, const VtuEncoding& encoding, int64_t count);

}  // namespace sinew
