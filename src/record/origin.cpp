#include "record/origin.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "math/bounds.h"

namespace sinew {

namespace {

// There single precision loses 3e-6 x size.
constexpr double far_away = 64;

double largest(const Vec3d& v) {
  return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
}

}  // namespace

Vec3d origin_of(std::span<const RecordedSurface> surfaces) {
  Bounds box;
  for (const RecordedSurface& surface : surfaces) box.add(std::span<const Vec3d>(surface.rest));
  if (box.empty()) return {};
  const Vec3d middle = 0.5 * box.low + 0.5 * box.high;
  const double size = largest(0.5 * (box.high - box.low));
  if (!(size > 0) || !(largest(middle) > far_away * size)) return {};
  const double unit = std::pow(10, std::ceil(std::log10(size)));
  const auto near = [&](double c) { return std::round(c / unit) * unit; };
  return {near(middle.x), near(middle.y), near(middle.z)};
}

std::string encode_origin(const Vec3d& origin) {
  nlohmann::ordered_json json;
  json["format"] = "sinew origin";
  json["origin"] = {origin.x, origin.y, origin.z};
  json["unit"] = "m";
  json["of"] = "the coordinates of all .obj, .pc2 and .mdd files in this folder: add it to them";
  return json.dump(2) + "\n";
}

}  // namespace sinew
