// Source: meshes damaged on purpose; findings counted by hand.
#include "mesh/repair.h"

#include <gtest/gtest.h>

#include <cmath>

#include "io/says.h"
#include "mesh/generators.h"
#include "mesh/quality.h"

namespace sinew {
namespace {

TEST(Repair, LeavesAGoodMeshAsItIs) {
  TetMesh mesh = make_box({.cells = {2, 2, 2}}).value();
  const std::vector<Tet> before = mesh.tets;
  const RepairReport report = repair(mesh).value();
  EXPECT_EQ(mesh.tets, before);
  EXPECT_FALSE(report.changed());
  EXPECT_TRUE(report.sentences().empty());
}

TEST(Repair, MendsOrientationBySwappingTheLastTwo) {
  TetMesh mesh = make_box({.cells = {2, 2, 2}}).value();
  const std::vector<Tet> before = mesh.tets;
  for (const int t : {3, 7, 20}) std::swap(mesh.tets[t][2], mesh.tets[t][3]);
  const RepairReport report = repair(mesh).value();
  EXPECT_EQ(mesh.tets, before);
  EXPECT_EQ(report.flipped_tets.count, 3);
  EXPECT_TRUE(report.kept_tets.empty()) << "all";
  EXPECT_EQ(report.flipped_tets.first, (std::vector<int32_t>{3, 7, 20}));
  ASSERT_EQ(report.sentences().size(), 1u);
  EXPECT_TRUE(says(report.sentences()[0], "3 tets had negative volume"));
  EXPECT_TRUE(says(report.sentences()[0], "(3, 7, 20)"));
}

TEST(Repair, RemovesDegenerateAndDuplicateTetsWithTheirRegions) {
  TetMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {0, 1, 1e-12}, {1, 1, 1}};
  mesh.tets = {{0, 1, 2, 3},   // good
               {0, 1, 1, 3},   // a vertex twice
               {0, 1, 4, 2},   // flat
               {0, 1, 4, 5},   // nearly flat
               {3, 2, 1, 0},   // the first one again, in another order
               {1, 4, 2, 6}};  // good
  mesh.regions = {10, 11, 12, 13, 14, 15};
  const RepairReport report = repair(mesh).value();
  EXPECT_EQ(mesh.tets.size(), 2u);
  EXPECT_EQ(mesh.regions, (std::vector<int32_t>{10, 15}));
  EXPECT_EQ(report.kept_tets, (std::vector<int32_t>{0, 5}));
  EXPECT_EQ(report.degenerate_tets.first, (std::vector<int32_t>{1, 2, 3}));
  EXPECT_EQ(report.duplicate_tets.first, (std::vector<int32_t>{4}));
  EXPECT_EQ(report.unreferenced_vertices.first, (std::vector<int32_t>{5}));
  EXPECT_EQ(mesh.vertices.size(), 7u);
  EXPECT_GT(mesh_quality(mesh).smallest_volume, 0);
  EXPECT_TRUE(says(report.sentences().at(1), "1 tet removed: the same corners as an earlier one"));
}

TEST(Repair, JudgesVolumeRelativeToSize) {
  for (const double size : {1e-120, 1e-6, 1.0, 1e6, 1e120}) {
    TetMesh mesh = make_box({.cells = {1, 1, 1}, .size = {size, size, size}}).value();
    EXPECT_EQ(repair(mesh).value().degenerate_tets.count, 0) << size;
    EXPECT_EQ(mesh.tets.size(), 5u);
  }
}

TEST(Repair, DropsUnreferencedVerticesOnRequestOnly) {
  TetMesh mesh = make_box({.cells = {1, 1, 1}}).value();
  mesh.vertices.insert(mesh.vertices.begin() + 3, {9, 9, 9});
  for (Tet& tet : mesh.tets)
    for (int32_t& v : tet) v += v >= 3;
  const std::vector<Tet> numbered = mesh.tets;
  EXPECT_EQ(repair(mesh).value().unreferenced_vertices.first, std::vector<int32_t>{3});
  EXPECT_EQ(mesh.tets, numbered);

  const RepairReport report = repair(mesh, {.drop_unreferenced = true}).value();
  EXPECT_EQ(mesh.vertices.size(), 8u);
  EXPECT_EQ(mesh.tets, make_box({.cells = {1, 1, 1}}).value().tets);
  EXPECT_EQ(report.vertex_map, (std::vector<int32_t>{0, 1, 2, -1, 3, 4, 5, 6, 7}));
}

TEST(Repair, ReportsCoincidentVertices) {
  TetMesh mesh = make_box({.cells = {1, 1, 1}}).value();
  mesh.vertices.push_back({1, 1, 1});
  mesh.vertices.push_back({-0.0, 0, 0});  // -0 is 0
  const RepairReport report = repair(mesh).value();
  EXPECT_EQ(report.coincident_vertices.first, (std::vector<int32_t>{8, 9}));
  EXPECT_EQ(mesh.vertices.size(), 10u);
}

TEST(Repair, ShowsTheFirstFewOnly) {
  TetMesh mesh = make_box({.cells = {3, 3, 3}}).value();
  for (Tet& tet : mesh.tets) std::swap(tet[2], tet[3]);
  const RepairReport report = repair(mesh).value();
  EXPECT_EQ(report.flipped_tets.count, 135);
  EXPECT_EQ(report.flipped_tets.first.size(), RepairFindings::kShown);
  EXPECT_TRUE(says(report.sentences()[0], "135 tets"));
  EXPECT_TRUE(says(report.sentences()[0], "7, ...)"));
}

TEST(Repair, RefusesWhatCannotBeMended) {
  const TetMesh good = make_box({.cells = {1, 1, 1}}).value();
  TetMesh mesh = good;
  mesh.vertices[5].y = std::nan("");
  EXPECT_TRUE(says(repair(mesh).error().message(), "vertex 5 is at"));
  EXPECT_TRUE(says(repair(mesh).error().message(), "finite"));
  mesh = good;
  mesh.tets[2][1] = 8;
  EXPECT_TRUE(says(repair(mesh).error().message(), "tet 2 names vertex 8, but there are 8 vertices"));
  mesh = good;
  mesh.tets[2][1] = -1;
  EXPECT_TRUE(says(repair(mesh).error().message(), "names vertex -1"));
  mesh = good;
  mesh.regions = {1};
  EXPECT_TRUE(says(repair(mesh).error().message(), "1 region labels for 5 tets"));
  mesh = good;
  for (Vec3d& x : mesh.vertices) x.z = 0;
  const std::vector<Tet> before = mesh.tets;
  EXPECT_TRUE(says(repair(mesh).error().message(), "all 5 tets are degenerate"));
  EXPECT_EQ(mesh.tets, before);
  mesh.tets[2][3] = no_corner;
  EXPECT_TRUE(says(repair(mesh).error().message(), "element 0 is a tet, element 2 a triangle"));
  mesh.tets.clear();
  EXPECT_TRUE(says(repair(mesh).error().message(), "no tets"));
}

// A square of two triangles, one flipped, one without area, one duplicated.
TEST(Repair, TrianglesOfAPlaneAreMendedAsTetsAre) {
  TetMesh mesh;
  mesh.vertices = {{0, 0, 2}, {1, 0, 2}, {1, 1, 2}, {0, 1, 2}, {0.5, 0, 2}};
  mesh.tets = {{0, 2, 1, no_corner}, {0, 2, 3, no_corner}, {0, 1, 4, no_corner}, {2, 3, 0, no_corner}};
  const Result<RepairReport> report = repair(mesh, {.drop_unreferenced = true});
  ASSERT_TRUE(report.ok()) << report.error().message();
  EXPECT_EQ(mesh.tets, (std::vector<Tet>{{0, 1, 2, no_corner}, {0, 2, 3, no_corner}}));
  EXPECT_EQ(mesh.vertices.size(), 4u);
  EXPECT_EQ(report->flipped_tets.first, std::vector<int32_t>{0});
  EXPECT_EQ(report->degenerate_tets.first, std::vector<int32_t>{2});
  EXPECT_EQ(report->duplicate_tets.first, std::vector<int32_t>{3});
  EXPECT_EQ(report->sentences()[0], "1 triangle faced down; two corners of each were swapped (0)");
}

}  // namespace
}  // namespace sinew
