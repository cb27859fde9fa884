// Source: Jacobson et al. (2013), eq. 5: the sum of all solid angles, written here; analytic values.
#include "mesh/winding_number.h"

#include <gtest/gtest.h>

#include <limits>

#include "meshing/surfaces.h"
#include "support/random.h"

namespace sinew {
namespace {

using support::Random;
using support::size;

constexpr double exactly = std::numeric_limits<double>::infinity();

// Van Oosterom and Strackee (1983), eq. 8, triangle by triangle.
double sum_of_all(const SurfaceMesh& surface, Vec3d q) {
  double half = 0;
  for (const Triangle& t : surface.triangles) {
    const Vec3d a = surface.vertices[t[0]] - q, b = surface.vertices[t[1]] - q, c = surface.vertices[t[2]] - q;
    const double la = size(a), lb = size(b), lc = size(c);
    half += std::atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
  }
  return half / (2 * std::numbers::pi);
}

// Random triangles of many sizes and orientations; some duplicated, some without area.
SurfaceMesh soup(int count) {
  Random random(5);
  SurfaceMesh soup;
  const auto add = [&](Vec3d a, Vec3d b, Vec3d c) {
    const auto v = static_cast<int32_t>(soup.vertices.size());
    soup.vertices.insert(soup.vertices.end(), {a, b, c});
    soup.triangles.push_back({v, v + 1, v + 2});
  };
  for (int k = 0; k < count; ++k) {
    const Vec3d x = random.vector();
    const double length = std::pow(10, random.between(-3, 0));
    add(x, x + length * random.vector(), x + length * random.vector());
    if (k % 7 == 0) soup.triangles.push_back(soup.triangles.back());
    if (k % 11 == 0) add(x, x, x + random.vector());
  }
  return soup;
}

TEST(WindingNumber, OfASoupIsTheSumOfAllSolidAngles) {
  const SurfaceMesh surface = soup(2000);
  const TriangleTree tree(surface.vertices, surface.triangles);
  const WindingNumber exact(tree, ThreadPool::caller(), exactly), fast(tree), faster(tree, ThreadPool::caller(), 1.3);
  Random random(6);
  double error = 0, error_faster = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const Vec3d q = random.between(0, 3) * random.vector();
    const double sum = sum_of_all(surface, q);
    EXPECT_NEAR(exact.at(q), sum, 1e-11);  // rounding of 2000 angles
    error = std::max(error, std::abs(fast.at(q) - sum));
    error_faster = std::max(error_faster, std::abs(faster.at(q) - sum));
  }
  // The truncation error of a group is of order (R / r)^5, beta^-5 of its share; here groups of all sizes add up.
  EXPECT_LT(error, 2e-2);
  EXPECT_GT(error, 1e-6);  // there are groups
  EXPECT_GT(error_faster, 2 * error);
}

// For a closed surface it is an integer, however near.
TEST(WindingNumber, OfAClosedSurfaceIsOneInsideAndZeroOutside) {
  const SurfaceMesh ball = support::dome(60, 120, std::numbers::pi);
  const TriangleTree tree(ball.vertices, ball.triangles);
  const WindingNumber winding(tree);
  Random random(8);
  for (int trial = 0; trial < 2000; ++trial) {
    const Vec3d direction = random.vector();
    const double radius =
        trial % 2 ? random.between(0, 0.998) : random.between(1.0001, 3);  // facets lie up to 0.0014 inside
    EXPECT_NEAR(winding.at((radius / size(direction)) * direction), trial % 2 ? 1 : 0, 2e-2);  // beta = 2
  }
}

TEST(WindingNumber, OfACubeTwiceOrTurned) {
  SurfaceMesh cube = support::cube();
  const std::vector<Triangle> once = cube.triangles;
  cube.triangles.insert(cube.triangles.end(), once.begin(), once.end());
  const TriangleTree twice(cube.vertices, cube.triangles);
  EXPECT_NEAR(WindingNumber(twice).at({0.3, -0.2, 0.9}), 2, 1e-12);
  EXPECT_NEAR(WindingNumber(twice).at({1.1, 0, 0}), 0, 1e-12);
  for (size_t t = 0; t < once.size(); ++t) std::swap(cube.triangles[t][0], cube.triangles[t][1]);
  const TriangleTree neither(cube.vertices, cube.triangles);
  EXPECT_NEAR(WindingNumber(neither).at({0.3, -0.2, 0.9}), 0, 1e-12);
}

// An open half sphere, seen from its axis: the missing disk has the solid angle 2 pi (1 - |z| / sqrt(z^2 + 1)), a share
// d = (1 - |z| / sqrt(z^2 + 1)) / 2 of the sphere, so w = 1 - d inside and d below.
TEST(WindingNumber, PassesSmoothlyThroughAHole) {
  const SurfaceMesh half = support::dome(90, 720, std::numbers::pi / 2);
  const TriangleTree tree(half.vertices, half.triangles);
  const WindingNumber winding(tree);
  for (const double z : {0.9, 0.5, 0.1, 0.0, -0.1, -0.5, -2.0}) {
    const double disk = (1 - std::abs(z) / std::sqrt(z * z + 1)) / 2;
    EXPECT_NEAR(winding.at({0, 0, z}), z >= 0 ? 1 - disk : disk, 2e-2) << z;  // beta = 2, and a rim of 720 corners
  }
  EXPECT_NEAR(WindingNumber(tree, ThreadPool::caller(), exactly).at({0, 0, 0}), 0.5, 1e-12);
}

// On corners, edges and faces: a limit from some side, never NaN.
TEST(WindingNumber, IsFiniteOnTheTriangles) {
  const SurfaceMesh cube = support::cube();
  const TriangleTree tree(cube.vertices, cube.triangles);
  const WindingNumber winding(tree);
  for (const Vec3d q : {Vec3d{1, 1, 1}, Vec3d{1, 1, 0}, Vec3d{1, 0, 0}, Vec3d{0.2, -0.3, -1}, Vec3d{-1, -1, 0.5}}) {
    EXPECT_GE(winding.at(q), -1e-12);
    EXPECT_LE(winding.at(q), 1 + 1e-12);
  }
}

TEST(WindingNumber, SameBitsForAnyNumberOfThreads) {
  const SurfaceMesh surface = soup(20000);
  const TriangleTree tree(surface.vertices, surface.triangles);
  const WindingNumber one(tree);
  ThreadPool pool(3);
  const TriangleTree tree_by_three(surface.vertices, surface.triangles, pool);
  const WindingNumber three(tree_by_three, pool);
  Random random(9);
  for (int trial = 0; trial < 200; ++trial) {
    const Vec3d q = random.vector();
    EXPECT_EQ(one.at(q), three.at(q));
  }
}

}  // namespace
}  // namespace sinew
