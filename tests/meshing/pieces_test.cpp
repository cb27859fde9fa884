// Source: the promises of meshing/pieces.h; balls of known depth.
#include "meshing/pieces.h"

#include <gtest/gtest.h>

#include "mesh/topology.h"
#include "meshing/stuffing.h"
#include "support/fields.h"

namespace sinew {
namespace {

constexpr double cell = 0.1;

TetMesh stuffed(const support::FormulaField& field) {
  return stuff(field, {.cell = cell}, ThreadPool::caller()).value();
}
int64_t components(const TetMesh& mesh) {
  return tet_topology(mesh, extract_boundary(mesh)).components;
}
double volume(const TetMesh& mesh) {
  double sum = 0;
  for (const Tet& t : mesh.tets) sum += volume_of(mesh.vertices, t);
  return sum;
}

TEST(ThinPieces, AreDroppedAndDeepOnesKept) {
  const auto field = support::balls_field(
      {{{-1.5, 0, 0}, 0.13}, {{0, 0, 0}, 0.6}, {{1.5, 0, 0}, 0.3}, {{0, 1.5, 0}, 0.12}, {{0, -1.5, 0}, 0.14}});
  TetMesh mesh = stuffed(field);
  ASSERT_EQ(components(mesh), 5);
  const TetMesh before = mesh;
  const ThinPieces thin = drop_thin_pieces(mesh, field, 2 * cell);
  EXPECT_EQ(thin.dropped, 3);
  EXPECT_EQ(thin.kept, 2);
  EXPECT_EQ(components(mesh), 2);
  EXPECT_NEAR(volume(mesh) + thin.volume, volume(before), 1e-12 * volume(before));
  for (const Vec3d& x : mesh.vertices) EXPECT_LT(std::abs(x.y), 1);
  // The rest is unchanged, in the same order.
  std::vector<std::array<Vec3d, 4>> kept, expected;
  const auto places = [](const TetMesh& of, const Tet& t) {
    return std::array{of.vertices[t[0]], of.vertices[t[1]], of.vertices[t[2]], of.vertices[t[3]]};
  };
  for (const Tet& t : mesh.tets) kept.push_back(places(mesh, t));
  for (const Tet& t : before.tets)
    if (const auto p = places(before, t); std::abs(p[0].y) < 1 && p[0].x > -1) expected.push_back(p);
  ASSERT_EQ(kept.size(), expected.size());
  for (size_t k = 0; k < kept.size(); ++k)
    for (int c = 0; c < 4; ++c) EXPECT_EQ(support::norm(kept[k][c] - expected[k][c]), 0) << k;
  // Every vertex is used.
  EXPECT_EQ(tet_topology(mesh, extract_boundary(mesh)).vertices, static_cast<int64_t>(mesh.vertices.size()));
}

TEST(ThinPieces, OfAllTheLargestIsKept) {
  const auto field = support::balls_field({{{0, 0, 0}, 0.12}, {{1, 0, 0}, 0.19}});
  TetMesh mesh = stuffed(field);
  const ThinPieces thin = drop_thin_pieces(mesh, field, 2 * cell);
  EXPECT_EQ(thin.dropped, 1);
  EXPECT_EQ(thin.kept, 1);
  ASSERT_FALSE(mesh.tets.empty());
  for (const Vec3d& x : mesh.vertices) EXPECT_GT(x.x, 0.5);
}

TEST(ThinPieces, NothingIsDroppedOfOnePiece) {
  const auto field = support::ball_field(0.15);
  TetMesh mesh = stuffed(field);
  const std::vector<Tet> before = mesh.tets;
  const ThinPieces thin = drop_thin_pieces(mesh, field, 1);
  EXPECT_EQ(thin.dropped, 0);
  EXPECT_EQ(thin.kept, 1);
  EXPECT_EQ(mesh.tets, before);
}

}  // namespace
}  // namespace sinew
