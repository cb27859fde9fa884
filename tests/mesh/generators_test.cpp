// Source: the numbering and the splits of the reference meshes (5 tets per cell, alternating); Kuhn's subdivision;
// exact volumes; counts by hand.
#include "mesh/generators.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace sinew {
namespace {

double volume(const TetMesh& mesh) {
  double total = 0;
  for (const Tet& t : mesh.tets) {
    const Vec3d o = mesh.vertices[t[0]];
    const double det = dot(mesh.vertices[t[1]] - o, cross(mesh.vertices[t[2]] - o, mesh.vertices[t[3]] - o));
    EXPECT_GT(det, 0);
    total += det / 6;
  }
  return total;
}

TEST(Box, FirstCellIsCutLikeTheReference) {
  const TetMesh mesh = make_box({.cells = {2, 1, 1}, .size = {2, 1, 1}}).value();
  ASSERT_EQ(mesh.vertices.size(), 12u);
  ASSERT_EQ(mesh.tets.size(), 10u);
  // A box of 2 x 1 x 1 cells by an independent program (numpy).
  const std::vector<Tet> expected{{0, 4, 9, 7},  {1, 0, 7, 4}, {3, 0, 4, 9},  {6, 0, 9, 7},  {10, 4, 7, 9},
                                  {2, 4, 7, 11}, {1, 2, 4, 7}, {5, 2, 11, 4}, {8, 2, 7, 11}, {10, 4, 11, 7}};
  EXPECT_EQ(mesh.tets, expected);
  EXPECT_EQ(mesh.vertices[1 + 3 * (1 + 2 * 1)].x, 1);
}

TEST(Box, VerticesLieWhereTheReferencePutsThem) {
  const TetMesh mesh = make_box({.cells = {3, 2, 4}, .size = {0.4, 0.1, 0.3}, .origin = {1, -2, 0.5}}).value();
  for (int k = 0; k <= 4; ++k)
    for (int j = 0; j <= 2; ++j)
      for (int i = 0; i <= 3; ++i) {
        const Vec3d x = mesh.vertices[i + 4 * (j + 3 * k)];
        // The same operations in the same order are bit-identical.
        EXPECT_EQ(x.x, 1 + 0.4 * i / 3);
        EXPECT_EQ(x.y, -2 + 0.1 * j / 2);
        EXPECT_EQ(x.z, 0.5 + 0.3 * k / 4);
      }
}

TEST(Box, IsTheSameForAnyNumberOfThreads) {
  for (const TetSplit split : {TetSplit::five, TetSplit::six}) {
    const BoxOptions options{.cells = {5, 4, 7}, .size = {0.5, 2, 1}, .split = split};
    const TetMesh one = make_box(options).value();
    for (const int threads : {2, 3, 4}) {
      ThreadPool pool(threads);
      const TetMesh mesh = make_box(options, pool).value();
      EXPECT_EQ(mesh.tets, one.tets);
      ASSERT_EQ(mesh.vertices.size(), one.vertices.size());
      for (size_t v = 0; v < one.vertices.size(); ++v) {
        const Vec3d d = mesh.vertices[v] - one.vertices[v];
        EXPECT_EQ(dot(d, d), 0);
      }
    }
  }
}

TEST(Box, FillsItsVolume) {
  for (const TetSplit split : {TetSplit::five, TetSplit::six}) {
    const TetMesh mesh = make_box({.cells = {5, 4, 3}, .size = {0.5, 2, 1}, .split = split}).value();
    EXPECT_EQ(mesh.tets.size(), 5u * 4 * 3 * (split == TetSplit::five ? 5 : 6));
    EXPECT_NEAR(volume(mesh), 1, 1e-13);  // 300 additions of rounded terms
  }
}

TEST(Box, OfThirtyTwoVerticesPerSideHasTheKnownCount) {
  const TetMesh mesh = make_box({.cells = {31, 31, 31}}).value();
  EXPECT_EQ(mesh.vertices.size(), 32768u);
  EXPECT_EQ(mesh.tets.size(), 148955u);
}

TEST(Box, RefusesAbsurdNumbers) {
  const auto message = [](const BoxOptions& options) { return make_box(options).error().message(); };
  EXPECT_NE(message({.cells = {0, 1, 1}}).find("cells = [0, 1, 1]"), std::string::npos);
  EXPECT_NE(message({.cells = {1, -3, 1}}).find("cells = [1, -3, 1]"), std::string::npos);
  EXPECT_NE(message({.cells = {100000, 100000, 100000}}).find("fewer cells"), std::string::npos);
  EXPECT_NE(message({.cells = {2147483647, 1, 1}}).find("fewer cells"), std::string::npos);
  EXPECT_NE(message({.size = {1, 0, 1}}).find("positive"), std::string::npos);
  EXPECT_NE(message({.size = {1, std::nan(""), 1}}).find("positive"), std::string::npos);
  EXPECT_NE(message({.origin = {INFINITY, 0, 0}}).find("origin"), std::string::npos);
}

TEST(Beam, HasCellsCloseToCubes) {
  const TetMesh mesh = make_beam({}).value();
  EXPECT_EQ(mesh.vertices.size(), 17u * 5 * 5);
  EXPECT_NEAR(volume(mesh), 0.4 * 0.1 * 0.1, 1e-15);
  EXPECT_EQ(make_beam({.length = 1e-9}).value().vertices.size(), 2u * 5 * 5);
  EXPECT_FALSE(make_beam({.length = -1}).ok());
  EXPECT_FALSE(make_beam({.length = 1e300}).ok());
  EXPECT_FALSE(make_beam({.cells_across = 0}).ok());
}

TEST(Ball, HasTheCountsOfARefinedIcosahedron) {
  for (const int shells : {1, 2, 3, 7}) {
    const TetMesh mesh = make_ball({.shells = shells}).value();
    EXPECT_EQ(mesh.tets.size(), 20u * shells * shells * shells);
    size_t vertices = 1;
    for (int k = 1; k <= shells; ++k) vertices += 10 * k * k + 2;
    EXPECT_EQ(mesh.vertices.size(), vertices);
    volume(mesh);  // checks the orientation
  }
}

TEST(Ball, ApproachesTheVolumeOfTheSphere) {
  const double exact = 4 * std::numbers::pi / 3 * 8;
  const double coarse = volume(make_ball({.radius = 2, .centre = {5, 6, 7}, .shells = 6}).value());
  const double fine = volume(make_ball({.radius = 2, .shells = 12}).value());
  EXPECT_LT(fine, exact);
  // The surface is flat between points on the sphere: the error is proportional to the square of the edge length.
  EXPECT_NEAR((exact - coarse) / (exact - fine), 4, 0.2);
}

TEST(Ball, RefusesAbsurdNumbers) {
  EXPECT_FALSE(make_ball({.radius = 0}).ok());
  EXPECT_FALSE(make_ball({.radius = std::nan("")}).ok());
  EXPECT_FALSE(make_ball({.centre = {0, INFINITY, 0}}).ok());
  EXPECT_FALSE(make_ball({.shells = 0}).ok());
  EXPECT_FALSE(make_ball({.shells = 100000}).ok());
}

TEST(Grid, NumbersVerticesAndTrianglesAsTheReferenceSquare) {
  const SurfaceMesh mesh = make_grid({.cells = {2, 1}, .size = {2, 1}, .origin = {0, 0, 3}}).value();
  ASSERT_EQ(mesh.vertices.size(), 6u);
  EXPECT_EQ(mesh.vertices[4].x, 1);
  EXPECT_EQ(mesh.vertices[4].y, 1);
  EXPECT_EQ(mesh.vertices[4].z, 3);
  const std::vector<Triangle> expected{{0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {1, 5, 4}};
  EXPECT_EQ(mesh.triangles, expected);
  EXPECT_FALSE(make_grid({.cells = {0, 1}}).ok());
  EXPECT_FALSE(make_grid({.cells = {100000, 100000}}).ok());
  EXPECT_FALSE(make_grid({.size = {1, -1}}).ok());
}

}  // namespace
}  // namespace sinew
