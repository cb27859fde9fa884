#include "mesh/straight_edges.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/assert.h"
#include "base/format.h"
#include "math/length.h"

namespace sinew {
namespace {

constexpr double straight_enough = 1e-3;  // of the edge
constexpr double single_digits = 2.4e-7;  // of the coordinates: half a last digit of the middle and of both ends

double largest_coordinate(Vec3d p) {
  return std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)});
}

// The largest of a measure, and the tet where it is found.
struct Farthest {
  double by = 0;
  size_t tet = 0;

  void add(double other, size_t at) {
    if (other > by) *this = {other, at};
  }
};

// A middle beside the edge that it is compared with.
struct Middle {
  double edge, off;  // [m] the length, and how far the middle is off
  bool straight;

  // Middle m of tet e at edge k of it.
  static Middle at(const TetMesh& mesh, size_t e, size_t m, size_t k) {
    const Vec3d a = mesh.vertices[mesh.tets[e][edge_ends[k][0]]], b = mesh.vertices[mesh.tets[e][edge_ends[k][1]]];
    const Vec3d middle = mesh.vertices[mesh.middles[e][m]];
    const double edge = length(b - a), off = length(middle - 0.5 * (a + b));
    const double rounding =
        single_digits * std::max({largest_coordinate(a), largest_coordinate(b), largest_coordinate(middle)});
    return {edge, off, off <= straight_enough * edge + rounding};
  }
};

// Whether every middle of a tet is at the middle of some edge of it.
bool is_reordered(const TetMesh& mesh, size_t e) {
  std::array<bool, 6> taken{};
  for (size_t m = 0; m < 6; ++m) {
    if (mesh.middles[e][m] == no_middle) return false;
    size_t k = 0;
    while (k < 6 && (taken[k] || !Middle::at(mesh, e, m, k).straight)) ++k;
    if (k == 6) return false;
    taken[k] = true;
  }
  return true;
}
// Whether the order is that of VTK where Gmsh's is expected, or the other way round.
bool has_last_two_swapped(const TetMesh& mesh, size_t e) {
  for (size_t m = 0; m < 6; ++m)
    if (!Middle::at(mesh, e, m, m < 4 ? m : 9 - m).straight) return false;
  return true;
}

std::string describe_curves(const TetMesh& mesh) {
  Farthest distance, share;  // [m], [-] of the edge
  int64_t curved = 0, reordered = 0, swapped = 0;
  for (size_t e = 0; e < mesh.tets.size(); ++e) {
    bool is_curved = false;
    for (size_t k = 0; k < 6; ++k) {
      if (mesh.middles[e][k] == no_middle) continue;
      const Middle middle = Middle::at(mesh, e, k, k);
      if (middle.straight) continue;
      is_curved = true;
      distance.add(middle.off, e);
      if (middle.edge > 0) share.add(middle.off / middle.edge, e);
    }
    if (!is_curved) continue;
    ++curved;
    if (!is_reordered(mesh, e)) continue;
    ++reordered;
    swapped += has_last_two_swapped(mesh, e);
  }
  if (curved == 0) return {};
  const std::string which =
      curved == 1 ? "a 10-node tet has" : format("%lld 10-node tets have", static_cast<long long>(curved));
  return format(
      "%s middles off the middles of the edges, by %.3g m at most (tet %zu) and %.3g of an edge at most (tet %zu): the "
      "edges are taken straight%s",
      which.c_str(), distance.by, distance.tet, share.by, share.tet,
      reordered < curved ? ""
      : swapped == curved
          ? "; those of edges 13 and 23, corners counted from 0, are swapped: the order looks like that of Gmsh where "
            "VTK's is due, or the other way round"
          : "; each is at the middle of another edge of its tet: the order looks like that of another format");
}

void drop_middles(TetMesh& mesh, std::vector<MeshGroup>& groups) {
  std::vector<uint8_t> dropped(mesh.vertices.size(), 0);
  for (const Middles& middles : mesh.middles)
    for (const int32_t v : middles)
      if (v != no_middle) dropped[v] = 1;
  for (const Tet& tet : mesh.tets)
    for (const int32_t v : tet) dropped[v] = 0;

  std::vector<int32_t> number(mesh.vertices.size(), -1);  // of the vertices that are kept
  int32_t kept = 0;
  for (size_t v = 0; v < mesh.vertices.size(); ++v) {
    if (dropped[v]) continue;
    mesh.vertices[kept] = mesh.vertices[v];
    number[v] = kept++;
  }
  mesh.vertices.resize(static_cast<size_t>(kept));
  mesh.vertices.shrink_to_fit();
  mesh.middles = {};
  for (Tet& tet : mesh.tets)
    for (int32_t& v : tet) v = number[v];
  for (MeshGroup& group : groups) {
    std::erase_if(group.vertices, [&](int32_t v) { return dropped[v] != 0; });
    for (int32_t& v : group.vertices) v = number[v];
  }
}

}  // namespace

std::string take_straight(TetMesh& mesh, std::vector<MeshGroup>& groups) {
  if (mesh.middles.empty()) return {};
  SINEW_ASSERT(mesh.middles.size() == mesh.tets.size());
  std::string sentence = describe_curves(mesh);
  mesh.ten_node_tets = std::count_if(mesh.middles.begin(), mesh.middles.end(), [](const Middles& middles) {
    return std::any_of(middles.begin(), middles.end(), [](int32_t v) { return v != no_middle; });
  });
  drop_middles(mesh, groups);
  return sentence;
}

}  // namespace sinew
