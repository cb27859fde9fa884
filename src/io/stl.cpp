#include "io/stl.h"

#include <cmath>
#include <unordered_map>

#include "base/format.h"
#include "base/hash.h"
#include "io/byte_cursor.h"

namespace sinew {

namespace {

constexpr size_t kHeader = 84;  // 80 bytes of text and the triangle count
constexpr size_t kFacet = 50;   // normal, three corners, two bytes of attributes

struct PointHash {
  size_t operator()(const std::array<double, 3>& p) const { return Hash().bytes(p.data(), sizeof p).value(); }
};

// Vertices in the order of their first use.
class Welder {
 public:
  explicit Welder(MeshData& data) : data_(data) {}

  int32_t vertex(Vec3d x) {
    // -0 and 0 are the same place.
    const std::array<double, 3> key{x.x + 0.0, x.y + 0.0, x.z + 0.0};
    const auto [place, is_new] = places_.try_emplace(key, static_cast<int32_t>(data_.vertices.size()));
    if (is_new) data_.vertices.push_back({key[0], key[1], key[2]});
    return place->second;
  }

 private:
  MeshData& data_;
  std::unordered_map<std::array<double, 3>, int32_t, PointHash> places_;
};

int64_t facets_announced(std::string_view bytes) {
  if (bytes.size() < kHeader) return -1;
  return load<uint32_t>(bytes.data() + 80, !machine_is_little);
}

// Binary files may start with "solid" too; their size identifies them.
bool is_binary(std::string_view bytes) {
  const int64_t facets = facets_announced(bytes);
  if (facets >= 0 && bytes.size() == kHeader + kFacet * static_cast<size_t>(facets)) return true;
  const size_t start = bytes.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos || bytes.substr(start, 5) != "solid") return true;
  return bytes.substr(0, 1024).find('\0') != std::string_view::npos;
}

Result<MeshData> parse_binary(std::string_view bytes, std::string_view name) {
  const int64_t facets = facets_announced(bytes);
  if (facets < 0)
    return Error{std::string(name),
                 format("is neither text that starts with 'solid' nor long enough for a binary "
                        "header: %zu bytes",
                        bytes.size()),
                 "the file may be truncated"};
  if (bytes.size() != kHeader + kFacet * static_cast<size_t>(facets))
    return Error{
        std::string(name) + ": byte 80",
        format("announces %lld triangles, which take %lld bytes, but %zu follow", static_cast<long long>(facets),
               static_cast<long long>(facets * int64_t{kFacet}), bytes.size() - kHeader),
        "the file may be truncated or damaged"};
  MeshData data;
  Welder welder(data);
  data.triangles.reserve(static_cast<size_t>(facets));
  for (int64_t f = 0; f < facets; ++f) {
    const size_t at = kHeader + kFacet * static_cast<size_t>(f) + 12;
    Triangle triangle;
    for (int k = 0; k < 3; ++k) {
      float x[3];
      for (int a = 0; a < 3; ++a) {
        x[a] = load<float>(bytes.data() + at + 12 * k + 4 * a, !machine_is_little);
        if (!std::isfinite(x[a])) return bad_coordinate(std::string(name) + format(": byte %zu", at), 3 * f + k, x[a]);
      }
      triangle[k] = welder.vertex({x[0], x[1], x[2]});
    }
    data.triangles.push_back(triangle);
  }
  return data;
}

Result<MeshData> parse_text(std::string_view bytes, std::string_view name) {
  Scanner scanner(bytes, name, Layout::free);
  MeshData data;
  Welder welder(data);
  Triangle triangle{};
  int corners = 0;
  bool in_facet = false, closed = true;
  while (scanner.skip_space()) {
    const size_t at = scanner.offset();
    const std::string_view keyword = scanner.word();
    if (keyword == "vertex") {
      Vec3d point;
      if (!read_point(scanner, point))
        return point_error(scanner, static_cast<int64_t>(data.triangles.size()) * 3 + corners);
      if (!in_facet || corners == 3)
        return scanner.fault_at(at, "a vertex outside a facet of three", "a facet is a triangle");
      triangle[corners++] = welder.vertex(point);
    } else if (keyword == "facet" && !in_facet) {
      in_facet = true;
      corners = 0;
      scanner.skip_line();  // the normal follows from the corners
    } else if (keyword == "endfacet" && in_facet) {
      if (corners != 3) return scanner.fault_at(at, format("a facet of %d vertices", corners), "a facet has three");
      in_facet = false;
      data.triangles.push_back(triangle);
    } else if (keyword == "solid" || keyword == "endsolid") {
      closed = keyword == "endsolid";
      scanner.skip_line();  // the solid's name
    } else if (keyword != "outer" && keyword != "loop" && keyword != "endloop") {
      return scanner.fault_at(
          at, "expected facet, outer loop, vertex, endloop, endfacet or endsolid, found " + in_quotes(keyword),
          "the file may be damaged");
    }
  }
  if (in_facet || !closed) return scanner.fault("the file ends within a solid", "the file may be truncated");
  return data;
}

}  // namespace

Result<MeshData> parse_stl(std::string_view bytes, std::string_view name) {
  if (bytes.empty()) return Error{std::string(name), "is empty", "save it again"};
  return is_binary(bytes) ? parse_binary(bytes, name) : parse_text(bytes, name);
}

}  // namespace sinew
