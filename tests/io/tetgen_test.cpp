// Source: the TetGen manual, section 5.2; small handwritten files.
#include "io/tetgen.h"

#include <gtest/gtest.h>

#include "io/says.h"

namespace sinew {
namespace {

const std::string kNode = "# a tet\n4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1e0 0\n3 0 0 +1.0\n";
const std::string kEle = "1 4 0\n0 0 1 2 3\n";

Result<TetMesh> parse(const std::string& node, const std::string& ele) {
  Result<MeshData> data = parse_tetgen(node, "m.node", ele, "m.ele");
  if (!data) return data.error();
  return take_tets(std::move(*data), "m");
}
std::string fault(const std::string& node, const std::string& ele) {
  const Result<TetMesh> mesh = parse(node, ele);
  return mesh ? "read" : mesh.error().message();
}

TEST(TetGen, ReadsIdsFromZero) {
  const TetMesh mesh = parse(kNode, kEle).value();
  ASSERT_EQ(mesh.vertices.size(), 4u);
  EXPECT_EQ(mesh.vertices[3].z, 1);
  EXPECT_EQ(mesh.tets, (std::vector<Tet>{{0, 1, 2, 3}}));
  EXPECT_TRUE(mesh.regions.empty());
}

TEST(TetGen, ReadsIdsFromOneCommentsAttributesMarkersAndRegions) {
  const std::string node =
      "4  3  2  1 # header\r\n\r\n# comment\r\n1 0 0 0 7.5 1e3 -1\r\n2 1 0 0 7 8 0 # x\r\n3 0 1 0 7 8 0\r\n4 0 0 1 7 8 "
      "1";
  const std::string ele = "2 4 1\n1 1 2 3 4 12\n2 2 1 3 4 -3.0\n";
  const TetMesh mesh = parse(node, ele).value();
  EXPECT_EQ(mesh.tets, (std::vector<Tet>{{0, 1, 2, 3}, {1, 0, 2, 3}}));
  EXPECT_EQ(mesh.regions, (std::vector<int32_t>{12, -3}));
}

TEST(TetGen, GoesRoundExactly) {
  TetMesh mesh;
  mesh.vertices = {{0.1, -0.0, 1e-300}, {1.0 / 3, 5e-324, 1e300}, {3, 4, 5}, {6, 7, 8}};
  mesh.tets = {{0, 1, 2, 3}, {3, 2, 1, 0}};
  mesh.regions = {4, -4};
  const TetMesh back = parse(encode_tetgen_node(mesh), encode_tetgen_ele(mesh)).value();
  EXPECT_EQ(back.tets, mesh.tets);
  EXPECT_EQ(back.regions, mesh.regions);
  for (size_t v = 0; v < 4; ++v) {
    EXPECT_EQ(back.vertices[v].x, mesh.vertices[v].x);
    EXPECT_EQ(back.vertices[v].y, mesh.vertices[v].y);
    EXPECT_EQ(back.vertices[v].z, mesh.vertices[v].z);
  }
}

TEST(TetGen, NamesTheLineAndTheFault) {
  EXPECT_TRUE(says(fault("", kEle), "m.node: is empty"));
  EXPECT_TRUE(says(fault("# only a comment\n", kEle), "m.node: is empty"));
  EXPECT_TRUE(says(fault("vertices\n", kEle), "m.node:1: expected the count of vertices, found 'vertices'"));
  EXPECT_TRUE(says(fault("1000000000000 3 0 0\n0 0 0 0\n", kEle), "announces 1000000000000 vertices, but only"));
  EXPECT_TRUE(says(fault("-4 3 0 0\n", kEle), "announces -4 vertices"));
  EXPECT_TRUE(says(fault("4 2 0 0\n0 0 0\n1 1 1\n2 1 1\n3 1 1\n", kEle), "dimension 2"));
  // Fewer and more than announced.
  EXPECT_TRUE(says(fault("# a tet\n5" + kNode.substr(9), kEle), "the file ends after 4 of 5 vertex lines"));
  EXPECT_TRUE(says(fault(kNode + "4 1 1 1\n", kEle), "m.node:7: more vertices follow than the 4 announced"));
  EXPECT_TRUE(says(fault(kNode, kEle + "1 0 1 2 3\n"), "m.ele:3: more tetrahedra follow than the 1 announced"));
  EXPECT_TRUE(says(fault(kNode, "2 4 0\n0 0 1 2 3\n"), "the file ends after 1 of 2 tetrahedron lines"));
  // Ids.
  EXPECT_TRUE(says(fault("2 3 0 0\n0 0 0 0\n0 1 1 1\n", kEle), "m.node:3: expected the vertex with id 1, found id 0"));
  EXPECT_TRUE(says(fault("1 3 0 0\n7 0 0 0\n", kEle), "the first vertex has id 7"));
  EXPECT_TRUE(says(fault(kNode, "1 4 0\n0 0 1 2 4\n"),
                   "m.ele:2: tetrahedron 0 names vertex 4, out of range: vertices run from 0 to 3"));
  EXPECT_TRUE(says(fault(kNode, "1 4 0\n0 0 1 2 -1\n"), "names vertex -1"));
  EXPECT_TRUE(says(fault(kNode, "1 4 0\n0 0 1 2 99999999999999999999\n"), "found '99999999999999999999'"));
  // Numbers.
  EXPECT_TRUE(
      says(fault("1 3 0 0\n0 0 nan 0\n", kEle), "m.node:2: vertex 0 has a coordinate that is not finite (nan)"));
  EXPECT_TRUE(says(fault("1 3 0 0\n0 0 -inf 0\n", kEle), "not finite (-inf)"));
  EXPECT_TRUE(says(fault("1 3 0 0\n0 0 1e999 0\n", kEle), "not finite (inf)"));
  EXPECT_TRUE(
      says(fault("1 3 0 0\n0 0 0\n", kEle), "m.node:2: the line ends where a coordinate of vertex 0 was expected"));
  EXPECT_TRUE(says(fault("1 3 0 0\n0 0 0 1x\n", kEle), "expected a coordinate of vertex 0, found '1x'"));
  EXPECT_TRUE(says(fault(kNode, "1 4 0\n0 0 1 2 3.5\n"), "found '3.5'"));
  EXPECT_TRUE(says(fault(kNode, "1 4 0\n0 0 1 2"),
                   "m.ele:2: the file ends where a vertex index of tetrahedron 0 was expected"));
  EXPECT_TRUE(says(fault(kNode, "1 20 0\n0 0 1 2 3\n"), "elements have 20 nodes"));
  EXPECT_TRUE(says(fault(kNode, "1 4 1\n0 0 1 2 3 0.5\n"), "region 0.5"));
  EXPECT_TRUE(says(fault(kNode, "1 4 1\n0 0 1 2 3\n"), "the region of tetrahedron 0"));
  EXPECT_TRUE(says(fault(kNode, "0 4 0\n"), "holds no tetrahedra"));
}

TEST(TetGen, FindsThePairFromEitherNameOrNone) {
  for (const char* name : {"a/b.1", "a/b.1.node", "a/b.1.ele"}) {
    EXPECT_EQ(tetgen_pair(name).node, "a/b.1.node");
    EXPECT_EQ(tetgen_pair(name).ele, "a/b.1.ele");
  }
}

}  // namespace
}  // namespace sinew
