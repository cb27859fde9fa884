// Source: the definition: no angle worse than the worst before, the surface still on the surface.
#include "meshing/smoothing.h"

#include <gtest/gtest.h>

#include "base/hash.h"
#include "mesh/generators.h"
#include "mesh/quality.h"
#include "mesh/topology.h"
#include "meshing/dihedral.h"
#include "meshing/stuffing.h"
#include "support/fields.h"
#include "support/random.h"

namespace sinew {
namespace {

// mesh_quality computes the same angles in another way; 1e-9 degrees allows for the rounding of either.
constexpr double kRounding = 1e-9;

TEST(Smoothing, CosinesAreThoseOfTheAngles) {
  support::Random random(5);
  for (int trial = 0; trial < 100; ++trial) {
    std::array<Vec3d, 4> x{random.vector(), random.vector(), random.vector(), random.vector()};
    if (tet_shape(x[0], x[1], x[2], x[3]).volume < 0) std::swap(x[0], x[1]);
    const TetShape shape = tet_shape(x[0], x[1], x[2], x[3]);
    AngleCosines cosines;
    cosines.add(x);
    constexpr double degrees = 3.14159265358979323846 / 180;
    EXPECT_FALSE(cosines.inverted);
    EXPECT_NEAR(cosines.of_smallest, std::cos(shape.smallest_angle * degrees), 1e-10);
    EXPECT_NEAR(cosines.of_largest, std::cos(shape.largest_angle * degrees), 1e-10);
    std::swap(x[0], x[1]);
    AngleCosines turned;
    turned.add(x);
    EXPECT_TRUE(turned.inverted);
  }
}

TEST(Smoothing, NeverWorsensAndKeepsTheSurface) {
  support::Random random(19);
  double gained = 0;
  for (int trial = 0; trial < 8; ++trial) {
    std::vector<support::Ball> balls;
    for (int k = 0; k < 5; ++k)
      balls.push_back(
          {{random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)}, random.between(0.2, 0.6)});
    const support::FormulaField field = support::balls_field(balls);
    const double cell = 0.1;
    TetMesh mesh = stuff(field, {.cell = cell}, ThreadPool::caller()).value();
    const MeshQuality before = mesh_quality(mesh);
    EXPECT_GT(smooth(mesh, &field, {}, ThreadPool::caller()), 0);
    const MeshQuality after = mesh_quality(mesh);
    EXPECT_EQ(after.inverted_tets, 0);
    EXPECT_GE(after.worst_small_angle, before.worst_small_angle - kRounding);
    EXPECT_LE(after.worst_large_angle, before.worst_large_angle + kRounding);
    EXPECT_LT(after.mean_aspect, before.mean_aspect);
    gained += after.worst_small_angle - before.worst_small_angle;
    // On the surface, and the same volume up to what chords between other points cut off.
    for (const Triangle& t : extract_boundary(mesh).triangles)
      for (const int32_t v : t) EXPECT_LT(std::abs(field(mesh.vertices[v])), 2e-3 * cell);
    EXPECT_NEAR(after.volume, before.volume, 0.005 * before.volume);
  }
  // Worst angles improve, mostly by a few degrees; measured 2.4 on average.
  EXPECT_GT(gained / 8, 1);
}

TEST(Smoothing, WithoutAFieldTheSurfaceStays) {
  const support::FormulaField ball = support::ball_field(1);
  TetMesh mesh = stuff(ball, {.cell = 0.2}, ThreadPool::caller()).value();
  const std::vector<Vec3d> before = mesh.vertices;
  const MeshQuality quality = mesh_quality(mesh);
  EXPECT_GT(smooth(mesh, nullptr, {}, ThreadPool::caller()), 0);
  for (const Triangle& t : extract_boundary(mesh).triangles)
    for (const int32_t v : t) {
      EXPECT_EQ(mesh.vertices[v].x, before[v].x);
      EXPECT_EQ(mesh.vertices[v].y, before[v].y);
      EXPECT_EQ(mesh.vertices[v].z, before[v].z);
    }
  EXPECT_GE(mesh_quality(mesh).worst_small_angle, quality.worst_small_angle - kRounding);
  EXPECT_NEAR(mesh_quality(mesh).volume, quality.volume, 1e-12);
}

// Corners and edges of a box are not smooth: no vertex slides around them.
TEST(Smoothing, CreasesStay) {
  TetMesh box = make_box({.cells = {4, 4, 4}}).value();
  const support::FormulaField field({{0, 0, 0}, {1, 1, 1}}, [](Vec3d p) {
    return support::box_distance(p - Vec3d{0.5, 0.5, 0.5}, {0.5, 0.5, 0.5});
  });
  const double area_before = mesh_quality(box).volume;
  smooth(box, &field, {}, ThreadPool::caller());
  EXPECT_NEAR(mesh_quality(box).volume, area_before, 1e-6);
}

TEST(Smoothing, SameBitsForAnyNumberOfThreads) {
  const support::FormulaField torus = support::torus_field(1, 0.4);
  const TetMesh mesh = stuff(torus, {.cell = 0.08}, ThreadPool::caller()).value();
  const auto hash = [&](int threads) {
    ThreadPool pool(threads);
    TetMesh own = mesh;
    smooth(own, &torus, {.passes = 2}, pool);
    return Hash().bytes(own.vertices.data(), own.vertices.size() * sizeof(Vec3d)).value();
  };
  const uint64_t one = hash(1);
  for (const int threads : {2, 3, 4}) EXPECT_EQ(hash(threads), one) << threads;
}

}  // namespace
}  // namespace sinew
