#include "meshing/orientation.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {

namespace {

// One side of a triangle.
struct TriangleSide {
  uint64_t edge;     // its vertices, the lower first
  int32_t triangle;  // whose side it is
  bool rising;       // runs from the lower to the higher
};

// The sides by edge.
std::vector<TriangleSide> sides_of(const std::vector<Triangle>& triangles) {
  std::vector<TriangleSide> sides;
  sides.reserve(3 * triangles.size());
  for (size_t t = 0; t < triangles.size(); ++t)
    for (size_t k = 0; k < 3; ++k) {
      const auto a = static_cast<uint64_t>(triangles[t][k]), b = static_cast<uint64_t>(triangles[t][(k + 1) % 3]);
      sides.push_back({std::min(a, b) << 32 | std::max(a, b), static_cast<int32_t>(t), a < b});
    }
  std::sort(sides.begin(), sides.end(), [](const TriangleSide& s, const TriangleSide& t) {
    return s.edge != t.edge ? s.edge < t.edge : s.triangle < t.triangle;
  });
  return sides;
}

// The triangles across the edges of a triangle.
struct Neighbour {
  int32_t triangle = -1;
  bool agrees = false;  // on the outside, as given
};
std::vector<std::array<Neighbour, 3>> neighbours_of(const std::vector<Triangle>& triangles) {
  const std::vector<TriangleSide> sides = sides_of(triangles);
  std::vector<std::array<Neighbour, 3>> neighbours(triangles.size());
  const auto add = [&](int32_t to, const Neighbour& neighbour) {
    for (Neighbour& n : neighbours[to])
      if (n.triangle < 0) {
        n = neighbour;
        return;
      }
  };
  for (size_t first = 0, last = 0; first < sides.size(); first = last) {
    while (last < sides.size() && sides[last].edge == sides[first].edge) ++last;
    const TriangleSide &s = sides[first], &t = sides[last - 1];
    if (last - first != 2 || s.triangle == t.triangle) continue;
    add(s.triangle, {t.triangle, s.rising != t.rising});
    add(t.triangle, {s.triangle, s.rising != t.rising});
  }
  return neighbours;
}

}  // namespace

int64_t orient(std::span<const Vec3d> vertices, std::vector<Triangle>& triangles) {
  const std::vector<std::array<Neighbour, 3>> neighbours = neighbours_of(triangles);
  constexpr char unseen = 2;
  std::vector<char> turned(triangles.size(), unseen);
  std::vector<int32_t> part;
  int64_t count = 0;
  for (size_t seed = 0; seed < triangles.size(); ++seed) {
    if (turned[seed] != unseen) continue;
    part.assign(1, static_cast<int32_t>(seed));
    turned[seed] = 0;
    bool has_sides = true;
    double area[2] = {0, 0};  // of those kept, and of those turned
    for (size_t k = 0; k < part.size(); ++k) {
      const int32_t t = part[k];
      const Vec3d a = vertices[triangles[t][0]];
      const Vec3d n = cross(vertices[triangles[t][1]] - a, vertices[triangles[t][2]] - a);
      area[static_cast<size_t>(turned[t])] += std::sqrt(dot(n, n));
      for (const Neighbour& other : neighbours[t]) {
        if (other.triangle < 0) continue;
        const char wanted = other.agrees ? turned[t] : static_cast<char>(1 - turned[t]);
        char& is = turned[other.triangle];
        if (is == unseen) {
          is = wanted;
          part.push_back(other.triangle);
        } else if (is != wanted) {
          has_sides = false;
        }
      }
    }
    if (!has_sides) continue;
    const char turn = area[1] > area[0] ? 0 : 1;
    for (const int32_t t : part)
      if (turned[t] == turn) {
        std::swap(triangles[t][1], triangles[t][2]);
        ++count;
      }
  }
  return count;
}

}  // namespace sinew
