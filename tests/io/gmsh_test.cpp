// Source: the Gmsh reference manual, "MSH file format" and its legacy version 2; small handwritten files.
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
  expect_same({data.vertices, data.tets, data.regions, {}}, two_tets());
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

// Two tets that share a face; "clamp" is a surface of two faces, "edge" a curve, "tip" a point, and the tets belong to
// "bone" and "fat tissue".
const std::string kNames =
    "$PhysicalNames\n6\n0 1 \"tip\"\n1 4 \"edge\"\n2 2 \"clamp\"\n3 7 \"bone\"\n3 8 \"fat tissue\"\n"
    "3 9 \"nothing\"\n$EndPhysicalNames\n";

struct Expected {
  const char* name;
  int dimension;
  int32_t label;
  bool is_region;
  int64_t elements;
  std::vector<int32_t> vertices;
};
void expect_groups(const Result<MeshData>& data) {
  ASSERT_TRUE(data.ok()) << data.error().message();
  const Expected expected[] = {{"tip", 0, 1, false, 1, {4}},
                               {"edge", 1, 4, false, 1, {1, 3}},
                               {"clamp", 2, 2, false, 2, {0, 1, 2, 3}},
                               {"bone", 3, 7, true, 1, {0, 1, 2, 3}},
                               {"fat tissue", 3, 8, true, 1, {1, 2, 3, 4}},
                               {"nothing", 3, 9, false, 0, {}}};
  ASSERT_EQ(data->groups.size(), std::size(expected));
  for (size_t k = 0; k < std::size(expected); ++k) {
    const MeshGroup& group = data->groups[k];
    EXPECT_EQ(group.name, expected[k].name);
    EXPECT_EQ(group.dimension, expected[k].dimension);
    EXPECT_EQ(group.label, expected[k].label);
    EXPECT_EQ(group.is_region, expected[k].is_region) << group.name;
    EXPECT_EQ(group.elements, expected[k].elements) << group.name;
    EXPECT_EQ(group.vertices, expected[k].vertices) << group.name;
  }
  EXPECT_EQ(data->regions, (std::vector<int32_t>{7, 8}));
  EXPECT_EQ(data->triangle_regions, (std::vector<int32_t>{2, 2}));
}

TEST(GmshGroups, AreReadFromVersion2InTextAndBinary) {
  const std::string text = kHead2 + kNames +
                           "$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n$EndNodes\n"
                           "$Elements\n6\n1 15 2 1 1 5\n2 1 2 4 1 2 4\n3 2 2 2 1 1 2 3\n4 2 2 2 1 1 2 4\n"
                           "5 4 2 7 1 1 2 3 4\n6 4 2 8 2 2 5 3 4\n$EndElements\n";
  expect_groups(parse_gmsh(text, "m.msh"));
  expect_all_prefixes_survive(parse_gmsh, text);
  for (const bool little : {true, false}) {
    Bytes bytes(little);
    bytes.text("$MeshFormat\n2.2 1 8\n").add<int32_t>(1).text("\n$EndMeshFormat\n" + kNames + "$Nodes\n5\n");
    const double places[5][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
    for (int32_t v = 0; v < 5; ++v) bytes.add<int32_t>(v + 1).all<double>({places[v][0], places[v][1], places[v][2]});
    bytes.text("\n$EndNodes\n$Elements\n6\n");
    bytes.all<int32_t>({15, 1, 2, /**/ 1, 1, 1, 5}).all<int32_t>({1, 1, 2, /**/ 2, 4, 1, 2, 4});
    bytes.all<int32_t>({2, 2, 2, /**/ 3, 2, 1, 1, 2, 3, /**/ 4, 2, 1, 1, 2, 4});
    bytes.all<int32_t>({4, 2, 2, /**/ 5, 7, 1, 1, 2, 3, 4, /**/ 6, 8, 2, 2, 5, 3, 4}).text("\n$EndElements\n");
    expect_groups(parse_gmsh(bytes.str(), "m.msh"));
    expect_all_prefixes_survive(parse_gmsh, bytes.str());
  }
}

// The surface is reversed, which Gmsh writes as a negative tag.
TEST(GmshGroups, AreReadFromVersion4InTextAndBinary) {
  const std::string text =
      kHead4 + kNames +
      "$Entities\n1 1 1 2\n5 1 1 1 1 1\n1 0 0 0 1 1 1 1 4 0\n1 0 0 0 1 1 1 1 -2 0\n"
      "1 0 0 0 1 1 1 1 7 0\n2 0 0 0 1 1 1 1 8 0\n$EndEntities\n"
      "$Nodes\n1 5 1 5\n3 1 0 5\n1\n2\n3\n4\n5\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n1 1 1\n$EndNodes\n"
      "$Elements\n5 6 1 6\n0 5 15 1\n1 5\n1 1 1 1\n2 2 4\n2 1 2 2\n3 1 2 3\n4 1 2 4\n3 1 4 1\n5 1 2 3 4\n"
      "3 2 4 1\n6 2 5 3 4\n$EndElements\n";
  expect_groups(parse_gmsh(text, "m.msh"));
  expect_all_prefixes_survive(parse_gmsh, text);
  for (const bool little : {true, false}) {
    Bytes bytes(little);
    bytes.text("$MeshFormat\n4.1 1 8\n").add<int32_t>(1).text("\n$EndMeshFormat\n" + kNames + "$Entities\n");
    bytes.all<uint64_t>({1, 1, 1, 2});
    bytes.add<int32_t>(5).all<double>({1, 1, 1}).add<uint64_t>(1).add<int32_t>(1);
    const auto entity = [&](int32_t tag, int32_t group) {
      bytes.add<int32_t>(tag).all<double>({0, 0, 0, 1, 1, 1}).add<uint64_t>(1).add<int32_t>(group).add<uint64_t>(0);
    };
    entity(1, 4);
    entity(1, 2);
    entity(1, 7);
    entity(2, 8);
    bytes.text("\n$EndEntities\n$Nodes\n").all<uint64_t>({1, 5, 1, 5});
    bytes.all<int32_t>({3, 1, 0}).add<uint64_t>(5).all<uint64_t>({1, 2, 3, 4, 5});
    bytes.all<double>({0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1}).text("\n$EndNodes\n$Elements\n");
    bytes.all<uint64_t>({5, 6, 1, 6}).all<int32_t>({0, 5, 15}).all<uint64_t>({1, 1, 5});
    bytes.all<int32_t>({1, 1, 1}).all<uint64_t>({1, 2, 2, 4});
    bytes.all<int32_t>({2, 1, 2}).all<uint64_t>({2, 3, 1, 2, 3, 4, 1, 2, 4});
    bytes.all<int32_t>({3, 1, 4}).all<uint64_t>({1, 5, 1, 2, 3, 4});
    bytes.all<int32_t>({3, 2, 4}).all<uint64_t>({1, 6, 2, 5, 3, 4}).text("\n$EndElements\n");
    expect_groups(parse_gmsh(bytes.str(), "m.msh"));
    expect_all_prefixes_survive(parse_gmsh, bytes.str());
  }
}

// A volume in two groups: its tets belong to the first, and both have its vertices.
TEST(GmshGroups, MayShareElements) {
  const std::string text = kHead4 + "$PhysicalNames\n2\n3 7 \"bone\"\n3 8 \"all\"\n$EndPhysicalNames\n" +
                           "$Entities\n0 0 0 2\n1 0 0 0 1 1 1 2 7 8 0\n2 0 0 0 1 1 1 1 8 0\n$EndEntities\n"
                           "$Nodes\n1 5 1 5\n3 1 0 5\n1\n2\n3\n4\n5\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n1 1 1\n$EndNodes\n"
                           "$Elements\n2 2 1 2\n3 1 4 1\n5 1 2 3 4\n3 2 4 1\n6 2 5 3 4\n$EndElements\n";
  const Result<MeshData> data = parse_gmsh(text, "m.msh");
  ASSERT_TRUE(data.ok()) << data.error().message();
  EXPECT_EQ(data->regions, (std::vector<int32_t>{7, 8}));
  ASSERT_EQ(data->groups.size(), 2u);
  EXPECT_TRUE(data->groups[0].is_region);
  EXPECT_FALSE(data->groups[1].is_region);
  EXPECT_EQ(data->groups[1].elements, 2);
  EXPECT_EQ(data->groups[1].vertices, (std::vector<int32_t>{0, 1, 2, 3, 4}));
}

TEST(GmshGroups, NameThePlaceOfAFault) {
  const auto names = [](const std::string& lines) {
    return fault(kHead2 + "$PhysicalNames\n" + lines + "$EndPhysicalNames\n" + kNodes2);
  };
  EXPECT_TRUE(says(names("x\n"), "m.msh:5: expected the count of physical names, found 'x'"));
  EXPECT_TRUE(says(names("1000000000\n"), "announces 1000000000 physical names"));
  EXPECT_TRUE(says(names("1\n3 7 bone\n"), "m.msh:6: expected the name of a physical group in quotes, found 'bone'"));
  EXPECT_TRUE(says(names("2\n3 7 \"bone\"\n"), "expected the dimension of a physical group"));
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
  EXPECT_TRUE(says(elements("1\n1 5 2 0 1 10 20 5 10 10 20 5 10\n$EndElements\n"),
                   "no tetrahedra of 4 or 10 nodes, only 1 hexahedra"));
  EXPECT_TRUE(
      says(elements("1\n1 29 0 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n$EndElements\n"), "1 third-order tetrahedra"));
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
