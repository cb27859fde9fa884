// Source: the Gmsh reference manual, "MSH file format" and its legacy version 2; small files by hand.
#include "io/gmsh.h"

#include <gtest/gtest.h>

#include "io/build_bytes.h"
#include "io/says.h"
#include "io/two_tets.h"

namespace sinew {
namespace {

std::string fault(const std::string& bytes) {
  return tet_fault(parse_gmsh, bytes, "m.msh");
}

const std::string kHead2 = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n";
const std::string kNodes2 = "$Nodes\n4\n10 0 0 0\n20 1 0 0\n5 0 1 0\n1000000 0 0 1\n$EndNodes\n";

TEST(Gmsh2, ReadsSparseTagsPhysicalGroupsAndPassesOverOtherElements) {
  const std::string bytes = kHead2 + "$PhysicalNames\n1\n3 7 \"rubber\"\n$EndPhysicalNames\n" + kNodes2 +
                            "$Elements\n4\n1 15 2 0 1 10\n2 2 2 3 1 10 20 5\n3 5 2 7 1 1 1 1 1 1 1 1 1\n"
                            "4 4 2 7 1 10 20 5 1000000\n$EndElements\n$NodeData\n1\n2\n$EndNodeData\n";
  const Result<MeshData> data = parse_gmsh(bytes, "m.msh");
  expect_corner_tet(data, {7});
  EXPECT_EQ(data->triangles, (std::vector<Triangle>{{0, 1, 2}}));
  expect_all_prefixes_survive(parse_gmsh, bytes);
}

TEST(Gmsh2, ReadsBinaryOfEitherEndianness) {
  for (const bool little : {true, false}) {
    Bytes bytes(little);
    bytes.text("$MeshFormat\n2.2 1 8\n").add<int32_t>(1).text("\n$EndMeshFormat\n$Nodes\n4\n");
    bytes.add<int32_t>(3).all<double>({0, 0, 0}).add<int32_t>(1).all<double>({1, 0, 0});
    bytes.add<int32_t>(4).all<double>({0, 1, 0}).add<int32_t>(2).all<double>({0, 0, 1});
    bytes.text("\n$EndNodes\n$Elements\n3\n");
    // A block of two lines, then one of a tet.
    bytes.all<int32_t>({1, 2, 2, /**/ 1, 0, 1, 3, 1, /**/ 2, 0, 1, 1, 4});
    bytes.all<int32_t>({4, 1, 2, /**/ 3, 9, 1, 3, 1, 4, 2}).text("\n$EndElements\n");
    expect_corner_tet(parse_gmsh(bytes.str(), "m.msh"), {9});
    expect_all_prefixes_survive(parse_gmsh, bytes.str());
  }
}

TEST(Gmsh2, GoesRoundExactly) {
  const MeshData data = parse_gmsh(encode_gmsh(two_tets()), "m").value();
  expect_same({data.vertices, data.tets, data.regions}, two_tets());
}

const std::string kHead4 = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n";
const std::string kEntities4 =
    "$Entities\n1 1 1 2\n1 0 0 0 0\n1 0 0 0 1 0 0 0 2 1 -1\n1 0 0 0 1 1 0 1 4 1 1\n"
    "1 0 0 0 1 1 1 2 31 32 1 1\n2 0 0 0 1 1 1 0 0\n$EndEntities\n";
const std::string kNodes4 = "$Nodes\n2 4 1 40\n0 1 0 1\n40\n0 0 0\n3 1 0 3\n7\n9\n1\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n";

TEST(Gmsh4, ReadsEntitiesAndBlocks) {
  const std::string bytes =
      kHead4 + kEntities4 + kNodes4 +
      "$Elements\n3 3 1 3\n2 1 2 1\n1 40 7 9\n3 1 4 1\n2 40 7 9 1\n0 1 15 1\n3 40\n$EndElements\n";
  const Result<MeshData> data = parse_gmsh(bytes, "m.msh");
  expect_corner_tet(data, {31});
  EXPECT_EQ(data->triangles, (std::vector<Triangle>{{0, 1, 2}}));
  expect_all_prefixes_survive(parse_gmsh, bytes);
}

TEST(Gmsh4, ReadsParametricNodesAndVolumesWithoutGroup) {
  const std::string nodes =
      "$Nodes\n1 4 1 4\n2 1 1 4\n1\n2\n3\n4\n0 0 0 .5 .5\n1 0 0 .5 .5\n0 1 0 .5 .5\n0 0 1 .5 .5\n$EndNodes\n";
  expect_corner_tet(parse_gmsh(kHead4 + nodes + "$Elements\n1 1 1 1\n3 2 4 1\n1 1 2 3 4\n$EndElements\n", "m.msh"));
}

TEST(Gmsh4, ReadsBinaryOfEitherEndianness) {
  for (const bool little : {true, false}) {
    Bytes bytes(little);
    bytes.text("$MeshFormat\n4.1 1 8\n").add<int32_t>(1).text("\n$EndMeshFormat\n$Entities\n");
    bytes.all<uint64_t>({1, 0, 0, 1});
    bytes.add<int32_t>(1).all<double>({0, 0, 0}).add<uint64_t>(0);
    bytes.add<int32_t>(5).all<double>({0, 0, 0, 1, 1, 1}).add<uint64_t>(1).add<int32_t>(12).add<uint64_t>(0);
    bytes.text("\n$EndEntities\n$Nodes\n").all<uint64_t>({1, 4, 1, 4});
    bytes.all<int32_t>({3, 5, 0}).add<uint64_t>(4).all<uint64_t>({4, 3, 2, 1});
    bytes.all<double>({0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}).text("\n$EndNodes\n$Elements\n");
    bytes.all<uint64_t>({1, 1, 1, 1}).all<int32_t>({3, 5, 4}).add<uint64_t>(1).all<uint64_t>({1, 4, 3, 2, 1});
    bytes.text("\n$EndElements\n");
    expect_corner_tet(parse_gmsh(bytes.str(), "m.msh"), {12});
    expect_all_prefixes_survive(parse_gmsh, bytes.str());
  }
}

TEST(Gmsh, NamesThePlaceAndTheFault) {
  EXPECT_TRUE(says(fault(""), "is empty"));
  EXPECT_TRUE(says(fault("(0 \"Fluent\")\n"), "$MeshFormat"));
  EXPECT_TRUE(says(fault("$MeshFormat\n4 0 8\n$EndMeshFormat\n"), "has MSH version 4; 2.x and 4.1 are read"));
  EXPECT_TRUE(says(fault("$MeshFormat\n4.1 0 4\n$EndMeshFormat\n"), "numbers of 4 bytes"));
  EXPECT_TRUE(says(fault("$MeshFormat\n4.1 1 8\nabcd\n$EndMeshFormat\n"), "m.msh: byte 20: expected the integer 1"));
  EXPECT_TRUE(says(fault(kHead2), "has no section $Nodes"));
  EXPECT_TRUE(says(fault(kHead2 + kNodes2), "has no section $Elements"));
  EXPECT_TRUE(says(fault(kHead2 + "$Elements\n0\n$EndElements\n"), "$Elements come before $Nodes"));
  EXPECT_TRUE(says(fault(kHead2 + "$Nodes\n1000000000000\n$EndNodes\n"), "announces 1000000000000 nodes"));
  EXPECT_TRUE(
      says(fault(kHead2 + "$Nodes\n1\n1 0 0 0\n1 0 0 0\n$EndNodes\n"), "m.msh:7: expected $EndNodes, found '1'"));
  EXPECT_TRUE(says(fault(kHead2 + "$Nodes\n2\n1 0 0 0\n$EndNodes\n"), "expected the tag of node 2, found '$EndNodes'"));
  EXPECT_TRUE(says(fault(kHead2 + "$Nodes\n2\n1 0 0 0\n1 0 0 0\n$EndNodes\n"), "two nodes have the tag 1"));
  EXPECT_TRUE(says(fault(kHead2 + "$Nodes\n1\n1 0 nan 0\n$EndNodes\n"), "not finite (nan)"));
  const auto elements = [](const std::string& lines) { return fault(kHead2 + kNodes2 + "$Elements\n" + lines); };
  EXPECT_TRUE(
      says(elements("1\n1 4 2 0 1 10 20 5 6\n$EndElements\n"), "element 1 names node 6, which is not among the 4"));
  EXPECT_TRUE(says(elements("2\n1 4 2 0 1 10 20 5 10\n$EndElements\n"), "expected element 2, found '$EndElements'"));
  EXPECT_TRUE(
      says(elements("1\n1 5 2 0 1 10 20 5 10 10 20 5 10\n$EndElements\n"), "no 4-node tetrahedra, only 1 hexahedra"));
  EXPECT_TRUE(says(elements("1\n1 11 0 1 1 1 1 1 1 1 1 1 1\n$EndElements\n"), "1 second-order tetrahedra"));
  EXPECT_TRUE(says(elements("1\n1 555 0 1 1\n$EndElements\n"), "elements of type 555"));
  EXPECT_TRUE(says(fault(kHead2 + "$Comments\nno end\n"), "'$Comments' has no end"));
  EXPECT_TRUE(says(fault(kHead4 + "$Nodes\n1 2 1 2\n3 1 0 1\n1\n0 0 0\n$EndNodes\n"),
                   "announces 2 nodes, but its blocks hold 1"));
  EXPECT_TRUE(says(fault(kHead4 + "$Nodes\n1 4 1 4\n3 1 0 99999999999\n"), "announces 99999999999 nodes in a block"));
}

TEST(Gmsh, ListsKindsWithoutEnd) {
  std::string lines = "2000\n";
  for (int k = 0; k < 2000; ++k) lines += std::to_string(k + 1) + " " + std::to_string(1000 + k) + " 0 1\n";
  EXPECT_TRUE(says(fault(kHead2 + kNodes2 + "$Elements\n" + lines + "$EndElements\n"), "1968 of further kinds"));
}

}  // namespace
}  // namespace sinew
