// NumPy's .npy arrays, one- and two-dimensional (format 1.0-3.0 of NEP 1): for reference data and results.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"

namespace sinew {

// values[r * columns + c]; a one-dimensional array has one column. Files in Fortran order, of the other endianness,
// and of 64-bit integers that fit into 32 bits are converted.
struct NpyArray {
  size_t rows = 0;
  size_t columns = 1;
  std::variant<std::vector<double>, std::vector<float>, std::vector<int32_t>> values;

  // The values as doubles, whatever their type in the file.
  std::vector<double> as_doubles() const;
  size_t size() const { return rows * columns; }
};

Result<NpyArray> parse_npy(std::string_view bytes, std::string_view name);

// columns = 0 writes a one-dimensional array; otherwise values.size() is a multiple of columns.
std::string encode_npy(std::span<const double> values, size_t columns = 0);
std::string encode_npy(std::span<const float> values, size_t columns = 0);
std::string encode_npy(std::span<const int32_t> values, size_t columns = 0);

}  // namespace sinew
