// Source: the format of the files of the VBD authors; small handwritten files.
#include "io/vertex_tet_lines.h"

#include <gtest/gtest.h>

#include "io/says.h"
#include "io/two_tets.h"

namespace sinew {
namespace {

std::string fault(const std::string& bytes) {
  return tet_fault(parse_vertex_tet_lines, bytes, "m.t");
}

TEST(VertexTetLines, ReadsIdsInAnyOrderWithGaps) {
  expect_corner_tet(parse_vertex_tet_lines(
      "# comment\nTet 3 5 -7 1000000000000000 9\nVertex 5 0 0 0 {rgb=(1 1 1)}\r\nVertex -7 1 0 0\r\n"
      "Vertex 1000000000000000 0 1 0\nEdge 1 2 {sharp}\n\nVertex 9 0 0 1",
      "m.t"));
  expect_corner_tet(
      parse_vertex_tet_lines("Vertex 1 0 0 0\nVertex 2 1 0 0\nVertex 3 0 1 0\nVertex 4 0 0 1\nTet 1 1 2 3 4\n", "m.t"));
}

TEST(VertexTetLines, NamesTheLineAndTheFault) {
  EXPECT_TRUE(says(fault(""), "is empty"));
  EXPECT_TRUE(says(fault("v 1 2 3\n"), "m.t:1: expected 'Vertex' or 'Tet', found 'v'"));
  EXPECT_TRUE(says(fault("Vertex 0 0 0 0\nVertex 0 1 1 1\n"), "m.t:2: a second vertex with id 0"));
  EXPECT_TRUE(says(fault("Vertex 0 0 0 0\nTet 5 0 0 0 0\nTet 5 0 0 0 0\n"), "m.t:3: a second tetrahedron with id 5"));
  EXPECT_TRUE(says(fault("Vertex 0 0 0 0\nTet 5 0 0 0 1\n"), "m.t:2: tetrahedron 5 names vertex 1, which is not in"));
  EXPECT_TRUE(says(fault("Vertex 0 0 inf 0\n"), "m.t:1: vertex 0 has a coordinate that is not finite (inf)"));
  EXPECT_TRUE(says(fault("Vertex 0 0 0\n"), "m.t:1: the line ends where a coordinate of vertex 0"));
  EXPECT_TRUE(says(fault("Vertex x 0 0 0\n"), "expected the id of a vertex, found 'x'"));
  EXPECT_TRUE(says(fault("Vertex 0 0 0 0\nTet 1 0 0 0"), "the file ends where a vertex id of tetrahedron 1"));
  EXPECT_TRUE(says(fault("Vertex 0 0 0 0\n"), "holds no tetrahedra"));
}

}  // namespace
}  // namespace sinew
