// What bench/irregular_mesh.h promises of its mesh, by the definition of a triangulation: tets of positive volume that
// fill the cube, every face shared by two of them or on the cube's surface.
#include "irregular_mesh.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "mesh/quality.h"
#include "mesh/topology.h"

namespace sinew::bench {
namespace {

TEST(IrregularMesh, FillsTheCubeOnce) {
  const TetMesh mesh = make_irregular({.cells = 12});
  const MeshQuality quality = mesh_quality(mesh);
  EXPECT_EQ(quality.inverted_tets, 0);
  EXPECT_GT(quality.smallest_volume, 1e-3 / (6 * 12 * 12 * 12));
  EXPECT_GT(quality.worst_small_angle, 2);  // degrees
  EXPECT_NEAR(quality.volume, 1, 1e-10);    // sums of 10^4 products, round-off 1e-16 each

  const Boundary boundary = extract_boundary(mesh);
  EXPECT_EQ(boundary.crowded_faces, 0);
  EXPECT_EQ(boundary.folded_faces, 0);
  EXPECT_EQ(boundary.triangles.size(), 6u * 2 * 12 * 12);
  const TetTopology topology = tet_topology(mesh, boundary);
  EXPECT_EQ(topology.euler_characteristic(), 1);
  EXPECT_EQ(topology.vertices, 13 * 13 * 13);
  EXPECT_EQ(topology.components, 1);
}

// Tets per inner vertex: 24 at all of them in the cells; in a Delaunay mesh of points at random 27 on average, and
// spread widely.
TEST(IrregularMesh, SpreadsTheTetsOfVertices) {
  const TetMesh mesh = make_irregular({.cells = 12});
  std::vector<int> tets(mesh.vertices.size());
  for (const Tet& t : mesh.tets) {
    for (const int32_t v : t) ++tets[v];
  }
  double count = 0, sum = 0, squares = 0;
  for (size_t v = 0; v < tets.size(); ++v) {
    const Vec3d x = mesh.vertices[v];
    const auto deep = [](double a) { return std::abs(a - 0.5) < 0.4; };
    if (!deep(x.x) || !deep(x.y) || !deep(x.z)) continue;
    count += 1;
    sum += tets[v];
    squares += tets[v] * tets[v];
  }
  const double mean = sum / count, spread = std::sqrt(squares / count - mean * mean);
  EXPECT_GT(mean, 25);
  EXPECT_LT(mean, 30);
  EXPECT_GT(spread, 4);
  RecordProperty("tets_per_vertex", std::to_string(mean) + " +- " + std::to_string(spread));
}

TEST(IrregularMesh, IsTheSameForTheSameSeedAndInNoOrder) {
  const TetMesh a = make_irregular({.cells = 6, .seed = 3}), b = make_irregular({.cells = 6, .seed = 3});
  EXPECT_EQ(a.tets, b.tets);
  EXPECT_NE(a.tets, make_irregular({.cells = 6, .seed = 4}).tets);
  // Neighbours in a tet are far apart in number: a third of all vertices, on average, in a random order.
  double apart = 0;
  for (const Tet& t : a.tets) apart += std::abs(t[0] - t[1]);
  EXPECT_GT(apart / static_cast<double>(a.tets.size() * a.vertices.size()), 0.25);
}

}  // namespace
}  // namespace sinew::bench
