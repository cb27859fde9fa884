// Source: mesh/middles.h. Middles are checked against a map of edges.
#include "mesh/middles.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>

#include "support/body.h"

namespace sinew {
namespace {

TEST(Middles, AreSharedStraightAndNumberedAfterTheVertices) {
  const TetMesh linear = support::box({3, 2, 2}, {1, 2, 1.5});
  const TetMesh mesh = support::with_middles(linear);
  ASSERT_EQ(mesh.middles.size(), mesh.tets.size());
  std::map<std::pair<int32_t, int32_t>, int32_t> of_edge;
  auto next = static_cast<int32_t>(linear.vertices.size());
  for (size_t e = 0; e < mesh.tets.size(); ++e) {
    for (size_t k = 0; k < 6; ++k) {
      const int32_t a = mesh.tets[e][edge_ends[k][0]], b = mesh.tets[e][edge_ends[k][1]];
      const auto [at, is_new] = of_edge.try_emplace({std::min(a, b), std::max(a, b)}, next);
      next += is_new ? 1 : 0;
      EXPECT_EQ(mesh.middles[e][k], at->second);
      const Vec3d off = mesh.vertices[at->second] - 0.5 * (mesh.vertices[a] + mesh.vertices[b]);
      EXPECT_EQ(dot(off, off), 0);
    }
  }
  EXPECT_EQ(static_cast<size_t>(next), mesh.vertices.size());
  EXPECT_TRUE(std::equal(linear.vertices.begin(), linear.vertices.end(), mesh.vertices.begin(),
                         [](const Vec3d& a, const Vec3d& b) { return dot(a - b, a - b) == 0; }));
}

TEST(Middles, OfTheBoundaryMakeFourTrianglesOfEachFace) {
  const TetMesh mesh = support::with_middles(support::box({2, 2, 1}));
  const Boundary coarse = extract_boundary(mesh), fine = with_middles(coarse, mesh);
  ASSERT_EQ(fine.triangles.size(), 4 * coarse.triangles.size());
  const auto area = [&](const Triangle& t) {
    return cross(mesh.vertices[t[1]] - mesh.vertices[t[0]], mesh.vertices[t[2]] - mesh.vertices[t[0]]);
  };
  for (size_t f = 0; f < coarse.triangles.size(); ++f) {
    const Vec3d whole = area(coarse.triangles[f]);
    for (size_t k = 0; k < 4; ++k) {
      EXPECT_EQ(fine.tets[4 * f + k], coarse.tets[f]);
      const Vec3d off = 4.0 * area(fine.triangles[4 * f + k]) - whole;
      EXPECT_LT(dot(off, off), 1e-24);
    }
  }
  const SurfaceTopology topology = surface_topology(fine.triangles, mesh.vertices.size());
  EXPECT_TRUE(topology.closed());
}

}  // namespace
}  // namespace sinew
