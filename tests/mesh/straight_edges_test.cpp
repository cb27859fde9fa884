// Source: the definition of a quadratic tet (docs/theory.md): its middles are at the middles of its edges. Distances
// are those by which the tests move them.
#include "mesh/straight_edges.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <utility>

#include "mesh/generators.h"
#include "mesh/middles.h"

namespace sinew {
namespace {

TetMesh quadratic_box() {
  TetMesh mesh = make_box({{2, 1, 1}, {2, 2, 2}, {}, TetSplit::six}).value();
  add_middles(mesh);
  return mesh;
}

TEST(StraightEdges, AreTakenInSilence) {
  TetMesh mesh = quadratic_box();
  const TetMesh box = make_box({{2, 1, 1}, {2, 2, 2}, {}, TetSplit::six}).value();
  std::vector<MeshGroup> groups(1);
  groups[0].vertices = {0, 5, static_cast<int32_t>(mesh.vertices.size()) - 1};
  EXPECT_EQ(take_straight(mesh, groups), "");
  EXPECT_EQ(mesh.tets, box.tets);
  EXPECT_EQ(mesh.vertices.size(), box.vertices.size());
  EXPECT_TRUE(mesh.middles.empty());
  EXPECT_EQ(groups[0].vertices, (std::vector<int32_t>{0, 5}));
  EXPECT_EQ(take_straight(mesh, groups), "") << "a mesh without middles is left as it is";
  EXPECT_EQ(mesh.vertices.size(), box.vertices.size());
}

// One far edge is off by more metres, one short edge by more of itself.
TEST(CurvedEdges, AreReportedWithTheirFarthestMiddles) {
  std::vector<MeshGroup> none;
  TetMesh mesh;
  mesh.vertices = {{0, 0, 0}, {100, 0, 0}, {0, 100, 0}, {0, 0, 100}, {7, 7, 7}, {8, 7, 7}, {7, 8, 7}, {7, 7, 8}};
  mesh.tets = {{0, 1, 2, 3}, {4, 5, 6, 7}};
  add_middles(mesh);
  TetMesh one = mesh;
  one.vertices[one.middles[1][0]].y -= 0.25;
  EXPECT_EQ(take_straight(one, none),
            "a 10-node tet has middles off the middles of the edges, by 0.25 m at most (tet 1) and 0.25 of an edge at "
            "most (tet 1): the edges are taken straight");
  mesh.vertices[mesh.middles[1][0]].y -= 0.25;
  mesh.vertices[mesh.middles[0][5]].x += 3;
  EXPECT_EQ(take_straight(mesh, none),
            "2 10-node tets have middles off the middles of the edges, by 3 m at most (tet 0) and 0.25 of an edge at "
            "most (tet 1): the edges are taken straight");
  EXPECT_EQ(mesh.vertices.size(), 8u);
}

// The orders of VTK and Gmsh differ in the last two middles.
TEST(CurvedEdges, AreTakenForTheOrderOfAnotherFormat) {
  std::vector<MeshGroup> none;
  TetMesh swapped = quadratic_box();
  for (Middles& m : swapped.middles) std::swap(m[4], m[5]);
  TetMesh turned = quadratic_box();
  for (Middles& m : turned.middles) std::rotate(m.begin(), m.begin() + 1, m.end());
  TetMesh one_bent = swapped;
  one_bent.vertices[one_bent.middles[0][0]].x += 0.1;
  const std::string of_swapped = take_straight(swapped, none), of_turned = take_straight(turned, none);
  EXPECT_NE(
      of_swapped.find("; those of edges 13 and 23, corners counted from 0, are swapped: the order looks like that "
                      "of Gmsh where VTK's is due, or the other way round"),
      std::string::npos)
      << of_swapped;
  EXPECT_NE(of_turned.find("the order looks like that of another format"), std::string::npos) << of_turned;
  EXPECT_EQ(take_straight(one_bent, none).find("the order"), std::string::npos);
}

// A box far from the origin, in the digits of single precision, and digits of text.
TEST(StraightEdges, AreThoseThatRoundingMoved) {
  std::vector<MeshGroup> none;
  for (const double far : {0.0, 1000.0}) {
    TetMesh mesh = quadratic_box();
    for (Vec3d& p : mesh.vertices) {
      for (double* const c : {&p.x, &p.y, &p.z}) *c = static_cast<float>(*c / 3 + far);
    }
    EXPECT_EQ(take_straight(mesh, none), "") << far;
  }
  TetMesh mesh = quadratic_box();
  mesh.vertices.back().x += 0.002 * 2;
  EXPECT_NE(take_straight(mesh, none), "") << "two thousandths of an edge are no rounding";
}

TEST(Middles, BelongToGroupsWithBothEnds) {
  TetMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  mesh.tets = {{0, 1, 2, 3}};
  add_middles(mesh);
  std::vector<MeshGroup> groups(2);
  groups[0] = {"face", 2, 1, false, 1, {0, 2, 3}};
  groups[1] = {"points", 0, 1, false, 2, {1, 2}};
  add_middles(mesh, groups);
  EXPECT_EQ(groups[0].vertices, (std::vector<int32_t>{0, 2, 3, 5, 6, 9}));  // of edges 02 03 23
  EXPECT_EQ(groups[1].vertices, (std::vector<int32_t>{1, 2}));
}

}  // namespace
}  // namespace sinew
