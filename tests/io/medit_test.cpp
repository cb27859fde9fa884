// Source: Medit's format description (INRIA RT-0253); small handwritten files.
#include "io/medit.h"

#include <gtest/gtest.h>

#include "io/says.h"
#include "io/two_tets.h"

namespace sinew {
namespace {

const std::string kHead = "MeshVersionFormatted 1\nDimension 3\n";
const std::string kVertices = "Vertices\n4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n";

std::string fault(const std::string& bytes) {
  return tet_fault(parse_medit, bytes, "m.mesh");
}

TEST(Medit, ReadsTetsAndPassesOverOtherSections) {
  const std::string bytes = "# by hand\nMeshVersionFormatted\n2\n\nDimension\n3\n" + kVertices +
                            "Corners 2\n1\n2\nEdges\n1\n1 2 9\nTriangles\n1\n1 2 3 5 # a face\nRidges 1 1\n"
                            "Tetrahedra 1\n1 2 3 4 12\nNormals\n1\n0 0 -1.5e0\nSomethingNew 2 1 2 3 4\nEnd\nrubbish";
  const Result<MeshData> data = parse_medit(bytes, "m.mesh");
  expect_corner_tet(data, {12});
  EXPECT_EQ(data->triangles, (std::vector<Triangle>{{0, 1, 2}}));
  expect_all_prefixes_survive(parse_medit, bytes);
}

TEST(Medit, CutsQuadrilateralsAndTakesZeroReferencesForNone) {
  const std::string bytes = kHead + kVertices + "Quadrilaterals 1\n1 2 3 4 0\nTetrahedra 1\n1 2 3 4 0\n";
  const Result<MeshData> data = parse_medit(bytes, "m.mesh");
  expect_corner_tet(data);
  EXPECT_EQ(data->triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}}));
}

TEST(Medit, GoesRoundExactly) {
  const MeshData data = parse_medit(encode_medit(two_tets()), "m").value();
  expect_same({data.vertices, data.tets, data.regions, {}}, two_tets());
}

TEST(Medit, NamesTheLineAndTheFault) {
  EXPECT_TRUE(says(fault(""), "m.mesh: is empty"));
  EXPECT_TRUE(says(fault("solid x"), "expected MeshVersionFormatted, found 'solid'"));
  EXPECT_TRUE(says(fault("MeshVersionFormatted 1\nDimension 2\n"), "m.mesh:2: Dimension is 2"));
  EXPECT_TRUE(says(fault(kHead), "ends without a section Vertices"));
  EXPECT_TRUE(says(fault(kHead + "Vertices\n1000000000000\n0 0 0 0\n"), "announces 1000000000000 vertices, but only"));
  EXPECT_TRUE(says(fault(kHead + "Vertices\n-1\n"), "announces -1 vertices"));
  EXPECT_TRUE(says(fault(kHead + "Vertices\n2\n0 0 0 0\n1 1"), "the file ends where a coordinate of vertex 2"));
  EXPECT_TRUE(says(fault(kHead + "Vertices\n1\n0 0 0 0\n1 1 1 0\nEnd\n"), "m.mesh:6: expected a keyword, found '1'"));
  EXPECT_TRUE(says(fault(kHead + "Vertices\n2\n0 0 0 0\nEnd\n"), "expected a coordinate of vertex 2, found 'End'"));
  EXPECT_TRUE(
      says(fault(kHead + "Vertices\n1\n0 NaN 0 0\n"), "m.mesh:5: vertex 1 has a coordinate that is not finite"));
  EXPECT_TRUE(says(fault(kHead + kVertices + kVertices), "a second section Vertices"));
  EXPECT_TRUE(says(fault(kHead + "Tetrahedra\n1\n1 2 3 4 0\n"), "Tetrahedra come before Vertices"));
  const std::string range = fault(kHead + kVertices + "Tetrahedra\n1\n1 2 3 5 0\n");
  EXPECT_TRUE(says(range, "m.mesh:11: tetrahedron 1 names vertex 5, out of range: vertices run from 1 to 4"));
  EXPECT_TRUE(says(fault(kHead + kVertices + "Tetrahedra\n1\n0 1 2 3 0\n"), "names vertex 0"));
  EXPECT_TRUE(
      says(fault(kHead + kVertices + "Tetrahedra\n2\n1 2 3 4 0\n"), "the file ends where a vertex index of tetr"));
  EXPECT_TRUE(
      says(fault(kHead + kVertices + "Tetrahedra\n1\n1 2 3 4\nEnd\n"), "expected the reference of tetrahedron 1"));
  EXPECT_TRUE(says(fault(kHead + kVertices + "Hexahedra\n1\n1 2 3 4 1 2 3 4 0\n"), "only 1 hexahedra"));
  EXPECT_TRUE(says(fault(kHead + kVertices), "holds no tetrahedra"));
}

}  // namespace
}  // namespace sinew
