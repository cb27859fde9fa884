// Source: the VTK User's Guide, "Simple legacy formats", and handwritten files in the form of VTK 9 (version 5.1).
#include "io/vtk_legacy.h"

#include <gtest/gtest.h>

#include "io/build_bytes.h"
#include "io/says.h"
#include "io/two_tets.h"

namespace sinew {
namespace {

std::string fault(const std::string& bytes) {
  return tet_fault(parse_vtk_legacy, bytes, "m.vtk");
}

const std::string kHead = "# vtk DataFile Version 2.0\ntitle\nASCII\nDATASET UNSTRUCTURED_GRID\n";
const std::string kPoints = "POINTS 4 float\n0 0 0 1 0 0\n0 1 0 0 0 1\n";

TEST(VtkLegacy, ReadsTextWithOtherCellsAndData) {
  const std::string bytes =
      kHead + "FIELD FieldData 1\nTIME 1 1 double\n0.5\n" + kPoints +
      "METADATA\nINFORMATION 0\n\nCELLS 3 12\n2 0 1\n4 0 1 2 3\n3 0 1 2\nCELL_TYPES 3\n3\n10\n5\n"
      "POINT_DATA 4\nVECTORS u float\n0 0 0 0 0 0 0 0 0 0 0 0\nSCALARS s double 1\nLOOKUP_TABLE default\n1 2 3 4\n"
      "CELL_DATA 3\nSCALARS material int\nLOOKUP_TABLE default\n1 2 3\nFIELD f 1\nregion 1 3 int\n5 6 7\nUNKNOWN "
      "stuff\n";
  const Result<MeshData> data = parse_vtk_legacy(bytes, "m.vtk");
  expect_corner_tet(data, {6});
  EXPECT_EQ(data->triangles, (std::vector<Triangle>{{0, 1, 2}}));
  expect_all_prefixes_survive(parse_vtk_legacy, bytes);
}

TEST(VtkLegacy, ReadsBinary) {
  Bytes bytes(false);
  bytes.text("# vtk DataFile Version 3.0\nt\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 double\n");
  bytes.all<double>({0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}).text("\nCELLS 2 8\n").all<int32_t>({4, 0, 1, 2, 3, 2, 0, 1});
  bytes.text("\nCELL_TYPES 2\n").all<int32_t>({10, 3}).text("\nPOINT_DATA 4\nSCALARS s float\nLOOKUP_TABLE default\n");
  bytes.all<float>({1, 2, 3, 4}).text("\nCELL_DATA 2\nSCALARS region short 1\nLOOKUP_TABLE default\n");
  bytes.all<int16_t>({42, 1}).text("\n");
  expect_corner_tet(parse_vtk_legacy(bytes.str(), "m.vtk"), {42});
  expect_all_prefixes_survive(parse_vtk_legacy, bytes.str());
}

TEST(VtkLegacy, ReadsOffsetsAndConnectivity) {
  expect_corner_tet(
      parse_vtk_legacy("# vtk DataFile Version 5.1\nt\nASCII\nDATASET UNSTRUCTURED_GRID\n" + kPoints +
                           "CELLS 3 6\nOFFSETS vtktypeint64\n0 2 6\nCONNECTIVITY vtktypeint64\n0 1 0 1 2 3\n"
                           "CELL_TYPES 2\n3 10\n",
                       "m.vtk"));
  Bytes bytes(false);
  bytes.text("# vtk DataFile Version 5.1\nt\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n");
  bytes.all<float>({0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}).text("\nMETADATA\nINFORMATION 0\n\nCELLS 2 4\n");
  bytes.text("OFFSETS vtktypeint64\n").all<int64_t>({0, 4}).text("\nCONNECTIVITY vtktypeint64\n");
  bytes.all<int64_t>({0, 1, 2, 3}).text("\nCELL_TYPES 1\n").add<int32_t>(10).text("\n");
  expect_corner_tet(parse_vtk_legacy(bytes.str(), "m.vtk"));
  expect_all_prefixes_survive(parse_vtk_legacy, bytes.str());
}

TEST(VtkLegacy, ReadsPolygonalDataAsASurface) {
  const MeshData data =
      parse_vtk_legacy("# vtk DataFile Version 2.0\nt\nASCII\nDATASET POLYDATA\n" + kPoints +
                           "POLYGONS 2 9\n4 0 1 2 3\n3 0 2 1\nTRIANGLE_STRIPS 1 5\n4 0 1 2 3\nLINES 1 3\n2 0 1\n",
                       "m.vtk")
          .value();
  EXPECT_EQ(data.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}, {0, 2, 1}, {0, 1, 2}, {2, 1, 3}}));
}

TEST(VtkLegacy, TurnsPixelsRight) {
  const MeshData data = parse_vtk_legacy(kHead + kPoints + "CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n8\n", "m.vtk").value();
  EXPECT_EQ(data.triangles, (std::vector<Triangle>{{0, 1, 3}, {0, 3, 2}}));
}

TEST(VtkLegacy, GoesRoundExactly) {
  const MeshData data = parse_vtk_legacy(encode_vtk_legacy(two_tets()), "m").value();
  expect_same({data.vertices, data.tets, data.regions, {}}, two_tets());
}

TEST(VtkLegacy, NamesThePlaceAndTheFault) {
  EXPECT_TRUE(says(fault(""), "is empty"));
  EXPECT_TRUE(says(fault("solid\n"), "expected '# vtk DataFile Version', found 'solid'"));
  EXPECT_TRUE(says(fault("# vtk DataFile Version 2.0\ntitle\nHEX\n"),
                   "expected ASCII or BINARY in the third line, found 'HEX'"));
  EXPECT_TRUE(says(fault("# vtk DataFile Version 2.0\nt\nASCII\nDATASET STRUCTURED_POINTS\n"),
                   "m.vtk:4: expected UNSTRUCTURED_GRID or POLYDATA, found 'STRUCTURED_POINTS'"));
  EXPECT_TRUE(says(fault(kHead), "has no section POINTS"));
  EXPECT_TRUE(says(fault(kHead + "POINTS 1000000000000 float\n0 0 0\n"), "m.vtk:5: announces 1000000000000 points"));
  EXPECT_TRUE(says(fault(kHead + "POINTS 2 float\n0 0 0 1 1"), "the file ends where a coordinate was expected"));
  EXPECT_TRUE(says(fault(kHead + "POINTS 1 float\n0 0 0\n1 1 1\n"), "found '1'"));
  EXPECT_TRUE(
      says(fault(kHead + "POINTS 1 float\n0 nan 0\n"), "m.vtk:6: vertex 0 has a coordinate that is not finite"));
  EXPECT_TRUE(
      says(fault(kHead + "POINTS 1 string\n0 0 0\n"), "expected a type of numbers, such as double, found 'string'"));
  const auto cells = [](const std::string& text) { return fault(kHead + kPoints + text); };
  EXPECT_TRUE(says(cells("CELLS 1 5\n4 0 1 2 4\nCELL_TYPES 1\n10\n"),
                   "cell 0 names vertex 4, out of range: vertices run from 0 to 3"));
  EXPECT_TRUE(says(cells("CELLS 1 5\n4 0 1 2 -1\nCELL_TYPES 1\n10\n"), "names vertex -1"));
  EXPECT_TRUE(says(cells("CELLS 1 4\n3 0 1 2\nCELL_TYPES 1\n10\n"), "cell 0 of type 10 has 3 points"));
  EXPECT_TRUE(says(cells("CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 2\n10\n10\n"), "has 1 cells but 2 cell types"));
  EXPECT_TRUE(says(cells("CELLS 1 5\n4 0 1 2 3\n"), "has 1 cells but 0 cell types"));
  EXPECT_TRUE(says(cells("CELLS 2 5\n4 0 1 2 3\nCELL_TYPES 2\n10 10\n"), "announces 2 cells, but 1 follow"));
  EXPECT_TRUE(says(cells("CELLS 1 5\n9 0 1 2 3\nCELL_TYPES 1\n10\n"), "do not fit the 1 cells and 5 numbers"));
  EXPECT_TRUE(says(cells("CELLS 1 9\n8 0 1 2 3 0 1 2 3\nCELL_TYPES 1\n12\n"),
                   "no tetrahedra of 4 or 10 nodes, only 1 hexahedra"));
  EXPECT_TRUE(says(cells("CELLS 3 4\nOFFSETS vtktypeint64\n0 4 2\nCONNECTIVITY vtktypeint64\n0 1 2 3\n"),
                   "OFFSETS do not rise"));
  EXPECT_TRUE(says(cells("GARBAGE\n"), "expected POINTS, CELLS or CELL_TYPES, found 'GARBAGE'"));
}

}  // namespace
}  // namespace sinew
