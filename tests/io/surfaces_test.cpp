// Source: Wavefront's OBJ, Turk's PLY, 3D Systems' STL and Geomview's OFF descriptions; small handwritten files.
#include <gtest/gtest.h>

#include <cmath>

#include "io/build_bytes.h"
#include "io/obj.h"
#include "io/off.h"
#include "io/ply.h"
#include "io/says.h"
#include "io/stl.h"
#include "io/two_tets.h"

namespace sinew {
namespace {

using Triangles = std::vector<Triangle>;

SurfaceMesh awkward_surface() {
  return {two_tets().vertices, {{0, 1, 2}, {4, 3, 2}}};
}

void expect_same(const MeshData& data, const SurfaceMesh& expected) {
  sinew::expect_same(TetMesh{data.vertices, {}, {}, {}}, TetMesh{expected.vertices, {}, {}, {}});
  EXPECT_EQ(data.triangles, expected.triangles);
}

std::string obj_fault(const std::string& bytes) {
  return surface_fault(parse_obj, bytes, "s.obj");
}

TEST(Obj, ReadsAllWaysToNameACorner) {
  const std::string bytes =
      "# by hand\nmtllib a.mtl\no thing\nv 0 0 0\nv 1 0 0 1.0\nv 1 1 0 0.5 0.5 0.5\r\nv 0 1 0\nvt 0 0\nvn 0 0 1\n"
      "g part\nusemtl red\ns 1\nf 1/1/1 2/1/1 3/1/1 4/1/1\nf -4//1 -3//1 \\\n -2//1\nf 1 2 5\nl 1 2\nv 0 0 1";
  const MeshData data = parse_obj(bytes, "s.obj").value();
  EXPECT_EQ(data.vertices.size(), 5u);
  EXPECT_EQ(data.triangles, (Triangles{{0, 1, 2}, {0, 2, 3}, {0, 1, 2}, {0, 1, 4}}));
  expect_all_prefixes_survive(parse_obj, bytes);
}

TEST(Obj, GoesRoundExactly) {
  expect_same(parse_obj(encode_obj(awkward_surface()), "s").value(), awkward_surface());
}

TEST(Obj, NamesTheLineAndTheFault) {
  EXPECT_TRUE(says(obj_fault(""), "is empty"));
  EXPECT_TRUE(says(obj_fault("v 0 0\n"), "s.obj:1: the line ends where a coordinate of vertex 1 was expected"));
  EXPECT_TRUE(says(obj_fault("v 0 0 nan\n"), "s.obj:1: vertex 1 has a coordinate that is not finite"));
  EXPECT_TRUE(says(obj_fault("v 0 0 0\nf 1 1\n"), "s.obj:2: a face of 2 corners"));
  EXPECT_TRUE(says(obj_fault("v 0 0 0\nf 1 1 2\n"), "s.obj:2: a face names vertex 2, but the file has 1 vertices"));
  EXPECT_TRUE(says(obj_fault("v 0 0 0\nf 0 1 1\n"), "a face names vertex 0"));
  EXPECT_TRUE(says(obj_fault("v 0 0 0\nf -2 1 1\n"), "a face names vertex -2, but 1 vertices stand before it"));
  EXPECT_TRUE(says(obj_fault("v 0 0 0\nf a b c\n"), "expected a vertex index, found 'a'"));
  EXPECT_TRUE(says(obj_fault("v 0 0 0\nf 1 1 99999999999\n"), "names vertex '99999999999'"));
  EXPECT_TRUE(says(obj_fault("v 0 0 0\nv 1 1 1\nl 1 2\n"), "holds no triangles, only 1 lines"));
}

std::string ply_fault(const std::string& bytes) {
  return surface_fault(parse_ply, bytes, "s.ply");
}

const std::string kPlyHead =
    "ply\nformat ascii 1.0\ncomment by hand\nobj_info x\nelement vertex 4\nproperty uchar red\nproperty float x\n"
    "property list uchar int extra\nproperty float y\nproperty double z\nelement edge 1\nproperty int a\n"
    "element face 2\nproperty list uchar int vertex_indices\nproperty float quality\nend_header\n";

TEST(Ply, ReadsTextWithOtherProperties) {
  const std::string bytes =
      kPlyHead + "255 0 0 0 0\n255 1 2 7 7 0 0\n0 1 0 1 0\n0 0 1 9 1 0\n12\n4 0 1 2 3 0.5\n3 2 1 0 .5\n";
  const MeshData data = parse_ply(bytes, "s.ply").value();
  EXPECT_EQ(data.triangles, (Triangles{{0, 1, 2}, {0, 2, 3}, {2, 1, 0}}));
  ASSERT_EQ(data.vertices.size(), 4u);
  EXPECT_EQ(data.vertices[3].y, 1);
  EXPECT_EQ(data.vertices[2].y, 1);
  expect_all_prefixes_survive(parse_ply, bytes);
}

TEST(Ply, ReadsBinaryOfEitherEndianness) {
  for (const bool little : {true, false}) {
    std::string head = kPlyHead;
    head.replace(head.find("ascii"), 5, little ? "binary_little_endian" : "binary_big_endian");
    Bytes bytes(little);
    bytes.text(head);
    bytes.add<uint8_t>(255).add<float>(0.5f).add<uint8_t>(2).all<int32_t>({7, 7}).add<float>(2).add<double>(-3);
    for (int k = 0; k < 3; ++k) bytes.add<uint8_t>(0).add<float>(0).add<uint8_t>(0).add<float>(0).add<double>(k);
    bytes.add<int32_t>(12);
    bytes.add<uint8_t>(4)
        .all<int32_t>({0, 1, 2, 3})
        .add<float>(1)
        .add<uint8_t>(3)
        .all<int32_t>({2, 1, 0})
        .add<float>(1);
    const MeshData data = parse_ply(bytes.str(), "s.ply").value();
    EXPECT_EQ(data.triangles, (Triangles{{0, 1, 2}, {0, 2, 3}, {2, 1, 0}}));
    EXPECT_EQ(data.vertices[0].x, 0.5);
    EXPECT_EQ(data.vertices[0].y, 2);
    EXPECT_EQ(data.vertices[0].z, -3);
    expect_all_prefixes_survive(parse_ply, bytes.str());
    EXPECT_TRUE(
        says(ply_fault(bytes.str().substr(0, bytes.str().size() - 1)), "the file ends where a value of 'face' 1"));
  }
}

TEST(Ply, GoesRoundExactly) {
  expect_same(parse_ply(encode_ply(awkward_surface()), "s").value(), awkward_surface());
}

TEST(Ply, NamesThePlaceAndTheFault) {
  const std::string head =
      "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\n";
  const std::string faces = "element face 1\nproperty list uchar int vertex_index\nend_header\n";
  EXPECT_TRUE(says(ply_fault(""), "is empty"));
  EXPECT_TRUE(says(ply_fault("solid\n"), "s.ply:1: expected ply, found 'solid'"));
  EXPECT_TRUE(says(ply_fault(head), "the file ends within its header"));
  EXPECT_TRUE(says(ply_fault("ply\nformat utf 1.0\n"), "expected ascii, binary_little_endian or"));
  EXPECT_TRUE(says(ply_fault("ply\nelement vertex 0\nend_header\n"), "no line 'format'"));
  EXPECT_TRUE(says(ply_fault("ply\nformat ascii 1.0\nend_header\n"), "no element 'vertex'"));
  EXPECT_TRUE(says(ply_fault("ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n0\n"),
                   "no properties x, y and z"));
  EXPECT_TRUE(says(ply_fault("ply\nformat ascii 1.0\nelement vertex 1\nproperty half x\nend_header\n0\n"),
                   "s.ply:4: expected a property's type, such as float, found 'half'"));
  EXPECT_TRUE(says(ply_fault("ply\nformat ascii 1.0\nelement vertex 1000000000000\n"),
                   "announces 1000000000000 elements 'vertex'"));
  EXPECT_TRUE(says(
      ply_fault(
          "ply\nformat ascii 1.0\nelement vertex 2000000000\nproperty float x\nproperty float y\nproperty float z\n" +
          faces),
      "2000000000 elements 'vertex' are announced, but only 0 bytes follow"));
  EXPECT_TRUE(says(ply_fault(head + faces + "0 0 0\n3 0 0 1\n"), "s.ply:11: face 0 names vertex 1, out of range"));
  EXPECT_TRUE(says(ply_fault(head + faces + "0 0 0\n3 0 0 0.5\n"), "face 0 names vertex 0.5"));
  EXPECT_TRUE(says(ply_fault(head + faces + "0 0 0\n-3 0 0 0\n"), "'face' 0 has a list of -3 values"));
  EXPECT_TRUE(says(ply_fault(head + faces + "0 0 0\n4000000 0 0 0\n"), "has a list of 4e+06 values"));
  EXPECT_TRUE(says(ply_fault(head + faces + "0 0 inf\n3 0 0 0\n"), "vertex 0 has a coordinate that is not finite"));
  EXPECT_TRUE(says(ply_fault(head + faces + "0 0\n3 0 0 0\n"), "s.ply:10: the line ends where a value of 'vertex' 0"));
  EXPECT_TRUE(
      says(ply_fault(head + faces + "0 0 0\n3 0 0 0\n3 0 0 0\n"), "more lines follow than the elements announced"));
  EXPECT_TRUE(says(ply_fault(head + "end_header\n0 0 0\n"), "has no triangles, only 1 point;"));
}

std::string stl_fault(const std::string& bytes) {
  return surface_fault(parse_stl, bytes, "s.stl");
}

std::string facet(const char* a, const char* b, const char* c) {
  return std::string(" facet normal 0 0 1\n  outer loop\n   vertex ") + a + "\n   vertex " + b + "\n   vertex " + c +
         "\n  endloop\n endfacet\n";
}

TEST(Stl, ReadsTextAndJoinsEqualVertices) {
  const std::string bytes = "solid a name\n" + facet("0 0 0", "1 0 0", "0 1e0 0") + facet("1 0 0", "1 1 0", "-0 1 0") +
                            "endsolid a name\nsolid b\n" + facet("0 0 0", "1 0 0", "0 0 1") + "endsolid b\n";
  const MeshData data = parse_stl(bytes, "s.stl").value();
  EXPECT_EQ(data.vertices.size(), 5u);
  EXPECT_EQ(data.triangles, (Triangles{{0, 1, 2}, {1, 3, 2}, {0, 1, 4}}));
  expect_all_prefixes_survive(parse_stl, bytes);
}

TEST(Stl, ReadsBinaryEvenIfItStartsWithSolid) {
  Bytes bytes(true);
  bytes.text("solid" + std::string(75, ' ')).add<uint32_t>(2);
  bytes.all<float>({0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0}).add<uint16_t>(0);
  bytes.all<float>({0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 0}).add<uint16_t>(7);
  const MeshData data = parse_stl(bytes.str(), "s.stl").value();
  EXPECT_EQ(data.vertices.size(), 4u);
  EXPECT_EQ(data.triangles, (Triangles{{0, 1, 2}, {1, 3, 2}}));
  expect_all_prefixes_survive(parse_stl, bytes.str());
}

TEST(Stl, NamesThePlaceAndTheFault) {
  EXPECT_TRUE(says(stl_fault(""), "is empty"));
  EXPECT_TRUE(says(stl_fault("abc"), "neither text that starts with 'solid' nor"));
  EXPECT_TRUE(says(stl_fault("solid x\nendsolid x\n"), "holds no faces"));
  EXPECT_TRUE(says(stl_fault("solid x\n" + facet("0 0 0", "1 0 0", "0 1 0")), "the file ends within a solid"));
  EXPECT_TRUE(says(stl_fault("solid x\n" + facet("0 0 0", "1 0 0", "0 nan 0") + "endsolid\n"),
                   "s.stl:6: vertex 2 has a coordinate"));
  EXPECT_TRUE(says(stl_fault("solid x\n" + facet("0 0 0", "1 0 0", "0 1") + "endsolid\n"),
                   "expected a coordinate of vertex 2, found 'endloop'"));
  EXPECT_TRUE(says(stl_fault("solid x\nfacet\nvertex 0 0 0\nendfacet\nendsolid\n"), "s.stl:4: a facet of 1 vertices"));
  EXPECT_TRUE(says(stl_fault("solid x\nvertex 0 0 0\nendsolid\n"), "a vertex outside a facet"));
  EXPECT_TRUE(says(stl_fault("solid x\nfoo\nendsolid\n"), "found 'foo'"));
  Bytes binary(true);
  binary.text(std::string(80, 'x')).add<uint32_t>(4000000000u).text(std::string(50, '\0'));
  EXPECT_TRUE(
      says(stl_fault(binary.str()), "announces 4000000000 triangles, which take 200000000000 bytes, but 50 follow"));
  Bytes nan(true);
  nan.text(std::string(80, 'x')).add<uint32_t>(1).all<float>({0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, NAN}).add<uint16_t>(0);
  EXPECT_TRUE(says(stl_fault(nan.str()), "s.stl: byte 96: vertex 2 has a coordinate that is not finite"));
}

std::string off_fault(const std::string& bytes) {
  return surface_fault(parse_off, bytes, "s.off");
}

TEST(Off, ReadsColorsCommentsPolygonsAndHeadersOnOneLine) {
  const std::string bytes =
      "COFF # colours\n# comment\n4 3 0\n0 0 0 255 0 0 255\n1 0 0 1 1 1 1\n\n1 1 0 0 0 0 0\n0 1 0 0 0 0 0\n"
      "4 0 1 2 3 0.5 0.5 0.5\n3  2 1 0 # back\n2 0 1\n";
  const MeshData data = parse_off(bytes, "s.off").value();
  EXPECT_EQ(data.vertices.size(), 4u);
  EXPECT_EQ(data.triangles, (Triangles{{0, 1, 2}, {0, 2, 3}, {2, 1, 0}}));
  expect_all_prefixes_survive(parse_off, bytes);
  EXPECT_EQ(parse_off("OFF 3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", "s")->triangles, (Triangles{{0, 1, 2}}));
  EXPECT_EQ(parse_off("3 1\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", "s")->triangles, (Triangles{{0, 1, 2}}));
}

TEST(Off, NamesTheLineAndTheFault) {
  EXPECT_TRUE(says(off_fault(""), "is empty"));
  EXPECT_TRUE(says(off_fault("solid\n"), "expected OFF, found 'solid'"));
  EXPECT_TRUE(says(off_fault("4OFF\n1 1 0\n"), "'4OFF' announces other than three coordinates"));
  EXPECT_TRUE(says(off_fault("OFF BINARY\n"), "binary OFF"));
  EXPECT_TRUE(says(off_fault("OFF\n1000000000000 1 0\n0 0 0\n"), "s.off:2: announces 1000000000000 vertices"));
  EXPECT_TRUE(says(off_fault("OFF\n1 -1 0\n0 0 0\n"), "announces -1 faces"));
  EXPECT_TRUE(says(off_fault("OFF\n2 1 0\n0 0 0\n"), "the file ends where a coordinate of vertex 1"));
  EXPECT_TRUE(says(off_fault("OFF\n1 1 0\n0 0 0\n"), "the file ends where the corner count of face 0"));
  EXPECT_TRUE(says(off_fault("OFF\n1 1 0\n0 0 0\n3 0 0 1\n"), "s.off:4: face 0 names vertex 1, out of range"));
  EXPECT_TRUE(says(off_fault("OFF\n1 1 0\n0 0 0\n3000000 0 0 0\n"), "announces 3000000 corners"));
  EXPECT_TRUE(says(off_fault("OFF\n1 1 0\n0 0 inf\n3 0 0 0\n"), "not finite"));
  EXPECT_TRUE(says(off_fault("OFF\n1 1 0\n0 0 0\n3 0 0 0\n3 0 0 0\n"), "s.off:5: more lines follow"));
  EXPECT_TRUE(says(off_fault("OFF\n1 1 0\n0 0 0\n2 0 0\n"), "only 1 lines"));
}

}  // namespace
}  // namespace sinew
