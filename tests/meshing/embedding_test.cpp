// Source: the definition of barycentric coordinates (x = sum w_j x_j, sum w_j = 1, preserved by every affine map);
// distances by a search of all tets, written here.
#include "meshing/embedding.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "io/says.h"
#include "mesh/generators.h"
#include "mesh/topology.h"
#include "mesh/triangle_tree.h"
#include "support/random.h"

namespace sinew {
namespace {

using support::Random;
using support::size;

// A unit cube of 6 * 4^3 tets whose inner vertices are moved at random, so that tets differ.
TetMesh crooked_cube(int cells = 4) {
  TetMesh mesh = make_box({{cells, cells, cells}, {1, 1, 1}, {0, 0, 0}, TetSplit::six}).value();
  Random random(3);
  const auto inner = [](double c) { return c > 1e-9 && c < 1 - 1e-9; };
  for (Vec3d& x : mesh.vertices) {
    const Vec3d by = (0.1 / cells) * random.vector();
    if (inner(x.x) && inner(x.y) && inner(x.z)) x += by;
  }
  return mesh;
}

// In the cube and around it.
std::vector<Vec3d> cloud(int count, double reach) {
  Random random(11);
  std::vector<Vec3d> points;
  for (int k = 0; k < count; ++k) points.push_back(Vec3d{0.5, 0.5, 0.5} + reach * random.vector());
  return points;
}

Vec3d carried(const Embedding& embedding, const TetMesh& mesh, const std::vector<Vec3d>& x, size_t k) {
  Vec3d sum{};
  for (int j = 0; j < 4; ++j) sum += embedding.weights[k][j] * x[mesh.tets[embedding.tets[k]][j]];
  return sum;
}

double distance_by_all(const TetMesh& mesh, Vec3d p) {
  const Boundary boundary = extract_boundary(mesh);
  double least = std::numeric_limits<double>::infinity();
  for (const Triangle& t : boundary.triangles) {
    const Vec3d a = mesh.vertices[t[0]], b = mesh.vertices[t[1]], c = mesh.vertices[t[2]];
    const auto w = closest_weights(p, a, b, c);
    least = std::min(least, size(w[0] * a + w[1] * b + w[2] * c - p));
  }
  return least;
}

bool in_cube(Vec3d p) {
  return std::min({p.x, p.y, p.z}) >= 0 && std::max({p.x, p.y, p.z}) <= 1;
}

TEST(Embedding, FollowsAffineMotionExactlyInsideAndOutside) {
  const TetMesh mesh = crooked_cube();
  const std::vector<Vec3d> points = cloud(2000, 1);
  const Embedding embedding = embed(points, mesh).value();
  const Mat3d turn_and_stretch{{0.3, 1.2, -0.1}, {-0.9, 0.4, 0.2}, {0.5, 0, 2}};
  const auto moved = [&](Vec3d x) { return turn_and_stretch * x + Vec3d{5, -3, 1}; };
  std::vector<Vec3d> x;
  for (const Vec3d& rest : mesh.vertices) x.push_back(moved(rest));
  for (size_t k = 0; k < points.size(); ++k) {
    const auto& w = embedding.weights[k];
    EXPECT_NEAR(w[0] + w[1] + w[2] + w[3], 1, 1e-13);
    // Weights up to about 20, of coordinates up to 10.
    EXPECT_LT(size(carried(embedding, mesh, x, k) - moved(points[k])), 1e-12) << k;
  }
}

TEST(Embedding, BindsToTheTetThatContainsThePoint) {
  const TetMesh mesh = crooked_cube();
  const std::vector<Vec3d> points = cloud(2000, 0.7);
  const Embedding embedding = embed(points, mesh).value();
  int64_t outside = 0, far = 0;
  double farthest = 0;
  for (size_t k = 0; k < points.size(); ++k) {
    const double least = *std::min_element(embedding.weights[k].begin(), embedding.weights[k].end());
    EXPECT_EQ(least >= 0, in_cube(points[k])) << k;
    if (in_cube(points[k])) continue;
    ++outside;
    const double distance = distance_by_all(mesh, points[k]);
    farthest = std::max(farthest, distance);
    if (distance > embedding.mean_edge) ++far;
  }
  ASSERT_GT(outside, 100);
  ASSERT_LT(outside, 1900);
  EXPECT_EQ(embedding.outside, outside);
  EXPECT_EQ(embedding.far, far);
  EXPECT_NEAR(embedding.farthest, farthest, 1e-12);
}

TEST(Embedding, BindsWhatIsOutsideToTheClosestTet) {
  const TetMesh mesh = crooked_cube(3);
  std::vector<Vec3d> points;
  for (const Vec3d& p : cloud(500, 1.5))
    if (!in_cube(p)) points.push_back(p);
  ASSERT_GT(points.size(), 100u);
  const Embedding embedding = embed(points, mesh).value();
  for (size_t k = 0; k < points.size(); ++k) {
    // The tet alone is as close as all of them.
    TetMesh alone{.vertices = mesh.vertices, .tets = {mesh.tets[embedding.tets[k]]}, .regions = {}, .middles = {}};
    const double closest = distance_by_all(mesh, points[k]);
    EXPECT_NEAR(distance_by_all(alone, points[k]), closest, 1e-12) << k;
    // Among equally close tets none has a larger minimum weight.
    const auto least = [](const std::array<double, 4>& w) { return *std::min_element(w.begin(), w.end()); };
    for (const Tet& t : mesh.tets) {
      alone.tets = {t};
      if (distance_by_all(alone, points[k]) > closest + 1e-12) continue;
      const Embedding other = embed(std::span(points).subspan(k, 1), alone).value();
      EXPECT_GE(least(embedding.weights[k]), least(other.weights[0])) << k;
    }
  }
}

// The mesh's own vertices lie on the faces of many tets, where rounding may put them outside all of them.
TEST(Embedding, PointsOnFacesAreInside) {
  TetMesh mesh = crooked_cube(5);
  const Mat3d turn{{0.36, 0.48, -0.8}, {-0.8, 0.6, 0}, {0.48, 0.64, 0.6}};
  for (Vec3d& x : mesh.vertices) x = turn * x + Vec3d{100, 200, 300};
  std::vector<Vec3d> points = mesh.vertices;
  for (const Tet& t : mesh.tets)
    for (const auto& face : kTetFaces)
      points.push_back((1.0 / 3) * (mesh.vertices[t[face[0]]] + mesh.vertices[t[face[1]]] + mesh.vertices[t[face[2]]]));
  const Embedding embedding = embed(points, mesh).value();
  EXPECT_EQ(embedding.outside, 0);
  // The mesh is 1.7 m large and 370 m away: coordinates are off by 6e-14 m, weights in tets of 0.05 m by 1e-12.
  EXPECT_LT(embedding.farthest, 1e-12);
  for (size_t k = 0; k < points.size(); ++k) {
    EXPECT_GE(*std::min_element(embedding.weights[k].begin(), embedding.weights[k].end()), -1e-10) << k;
    EXPECT_LT(size(carried(embedding, mesh, mesh.vertices, k) - points[k]), 1e-11) << k;
  }
}

TEST(Embedding, TellsTheMeanEdge) {
  const TetMesh one{
      .vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .tets = {{0, 1, 2, 3}}, .regions = {}, .middles = {}};
  const std::vector<Vec3d> points{{0.25, 0.25, 0.25}, {-3, 0, 0}};
  const Embedding embedding = embed(points, one).value();
  EXPECT_NEAR(embedding.mean_edge, (3 + 3 * std::sqrt(2)) / 6, 1e-15);
  EXPECT_EQ(embedding.farthest, 3);
  EXPECT_EQ(embedding.outside, 1);
  EXPECT_EQ(embedding.far, 1);
  EXPECT_EQ(embedding.weights[0], (std::array<double, 4>{0.25, 0.25, 0.25, 0.25}));
  EXPECT_EQ(embedding.weights[1], (std::array<double, 4>{4, -3, 0, 0}));
}

TEST(Embedding, SameBitsForAnyNumberOfThreads) {
  const TetMesh mesh = crooked_cube(10);
  const std::vector<Vec3d> points = cloud(5000, 0.8);
  const Embedding one = embed(points, mesh).value();
  for (const int threads : {2, 5}) {
    ThreadPool pool(threads);
    const Embedding many = embed(points, mesh, pool).value();
    EXPECT_EQ(many.tets, one.tets);
    EXPECT_EQ(many.weights, one.weights);
    EXPECT_EQ(many.farthest, one.farthest);
    EXPECT_EQ(many.mean_edge, one.mean_edge);
  }
}

TEST(Embedding, SaysWhatIsWrong) {
  const TetMesh cube = crooked_cube(1);
  const std::vector<Vec3d> inside{{0.5, 0.5, 0.5}};
  const auto fault = [](const Result<Embedding>& result) { return result ? "none" : result.error().message(); };

  EXPECT_TRUE(says(fault(embed(inside, TetMesh{})), "has no tetrahedra"));
  TetMesh plane = cube;
  plane.tets = {{0, 1, 2, no_corner}};
  EXPECT_TRUE(says(fault(embed(inside, plane)), "is a plane body"));
  TetMesh flat = cube;
  flat.tets.push_back({0, 1, 2, 0});
  EXPECT_TRUE(says(fault(embed(inside, flat)), "tetrahedron 6: has the volume 0 m^3"));
  TetMesh broken = cube;
  broken.tets.push_back({0, 1, 2, 8});
  EXPECT_TRUE(says(fault(embed(inside, broken)), "tetrahedron 6: names a vertex that is none of the 8"));
  const std::vector<Vec3d> lost{{0, 0, 0}, {std::nan(""), 0, 0}}, far{{0, 1e9, 0}};
  EXPECT_TRUE(says(fault(embed(lost, cube)), "vertex 1: lies at"));
  EXPECT_TRUE(says(fault(embed(far, cube)), "check the units"));
  TetMesh tiny = cube;
  for (Vec3d& x : tiny.vertices) x = 1e-100 * x;
  const std::vector<Vec3d> beside{{2e-100, 0.3e-100, 0.3e-100}};
  EXPECT_TRUE(says(fault(embed(beside, tiny)), "is beyond what numbers hold"));
  EXPECT_TRUE(embed({}, cube)) << "nothing to carry";
}

}  // namespace
}  // namespace sinew
