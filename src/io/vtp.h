// Points with numbers for ParaView (.vtp): "PolyData" of VTK's XML format, version 1.0, appended raw data in double
// precision, uncompressed. Each point is a cell of its own, so that it is shown.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "math/vec.h"

namespace sinew {

struct VtpField {
  std::string name;
  int components = 1;
  std::variant<std::vector<double>, std::vector<int32_t>> values;  // values[i * components + c] of point i
};

// time [s] is stored as the field TimeValue; points [m].
std::string encode_vtp(double time, std::span<const Vec3d> points, std::span<const VtpField> fields);

}  // namespace sinew
