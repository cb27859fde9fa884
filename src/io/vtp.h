// Points with numbers for ParaView (.vtp): "PolyData" of VTK's XML format, version 1.0, appended raw data in double
// precision, uncompressed. Each point is a cell of its own, so that it is shown.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "math/vec.h"

namespace sinew {

struct VtpField {
  std::string name;
  int components = 1;
  std::variant<std::vector<double>, std::vector<int32_t>> values;  // values[i * components + c] of point i
};

// time [s] is stored as the field TimeValue; points [m].
std::string encode_vtp(double time, std::span<const Vec3d> points, std::span<const VtpField> fields);

// Back from such a file: its points, "Points", or a field of three doubles. Errors: not of encode_vtp, no such field,
// damaged, a number that is not finite.
Result<std::vector<Vec3d>> read_vtp_vectors(std::string_view bytes, std::string_view name, std::string_view field);

}  // namespace sinew
