// Source: the definition in model/link_strip.h: windows (p, q, r) -> (q, r, new), or with `keep` (p, r, new), among
// which each face of the link occurs exactly once.
#include "model/link_strip.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "element/tet_frame.h"
#include "irregular_mesh.h"
#include "mesh/coloring.h"
#include "support/body.h"

namespace sinew {
namespace {

// Walks the strip as the kernel does; returns the number of entries.
size_t expect_strip(const std::vector<LinkFace>& faces, LinkStripper& stripper) {
  int32_t vertices = 0;
  for (const LinkFace& face : faces) vertices = std::max({vertices, face[0] + 1, face[1] + 1, face[2] + 1});
  const std::vector<StripEntry>& strip = stripper.strip(faces, vertices);
  std::vector<int> closed(faces.size());
  std::array<int32_t, 3> window{-1, -1, -1};
  for (const StripEntry& e : strip) {
    window = {e.keep ? window[0] : window[1], window[2], e.vertex};
    EXPECT_EQ(window, e.window);
    if (e.face < 0) continue;
    ++closed[e.face];
    LinkFace face = faces[e.face];
    std::sort(face.begin(), face.end());
    std::sort(window.begin(), window.end());
    EXPECT_EQ(window, face);
    window = e.window;
  }
  EXPECT_EQ(closed, std::vector<int>(faces.size(), 1));
  return strip.size();
}

std::vector<LinkFace> link_of(const TetMesh& mesh, const Incidence& incidence, size_t vertex) {
  std::vector<LinkFace> faces;
  for (int64_t k = incidence.begin[vertex]; k < incidence.begin[vertex + 1]; ++k) {
    const Tet& t = mesh.tets[incidence.entries[k] >> 2];
    const int* c = corner_first[incidence.entries[k] & 3];
    faces.push_back({t[c[1]], t[c[2]], t[c[3]]});
  }
  return faces;
}

TEST(LinkStrip, ClosesEveryFaceOfEveryLinkOnce) {
  LinkStripper stripper;
  for (const TetMesh& mesh :
       {support::box({6, 6, 6}), support::box({6, 6, 6}, {1, 1, 1}, TetSplit::six), make_ball({.shells = 4}).value(),
        support::fan(4, 8), support::fan(9, 20), bench::make_irregular({.cells = 6})}) {
    const Incidence incidence = incidence_of(mesh.tets, mesh.vertices.size());
    size_t entries = 0, one_walk = 0;
    for (size_t v = 0; v < mesh.vertices.size(); ++v) {
      const std::vector<LinkFace> faces = link_of(mesh, incidence, v);
      entries += expect_strip(faces, stripper);
      one_walk += faces.size() + 2;
    }
    // One walk each, except for a few links: where a corner is cut off, its four faces have none.
    EXPECT_LE(static_cast<double>(entries), 1.02 * static_cast<double>(one_walk));
  }
}

TEST(LinkStrip, TakesAnySetOfFaces) {
  LinkStripper stripper;
  EXPECT_EQ(expect_strip({}, stripper), 0u);
  EXPECT_EQ(expect_strip({{3, 1, 2}}, stripper), 3u);
  // Separate faces; three faces at one edge; the same face twice.
  expect_strip({{0, 1, 2}, {3, 4, 5}, {6, 7, 8}}, stripper);
  expect_strip({{0, 1, 2}, {1, 0, 3}, {0, 1, 4}, {0, 4, 5}}, stripper);
  expect_strip({{0, 1, 2}, {2, 0, 1}, {1, 2, 3}}, stripper);
  std::mt19937 engine(3);
  for (int round = 0; round < 300; ++round) {
    std::vector<LinkFace> faces;
    for (int k = 0; k < 20; ++k) {
      const auto a = static_cast<int32_t>(engine() % 7), b = static_cast<int32_t>(1 + engine() % 3);
      faces.push_back({a, a + b, a + b + 1 + static_cast<int32_t>(engine() % 3)});
    }
    expect_strip(faces, stripper);
  }
}

}  // namespace
}  // namespace sinew
