// Source: the VTK User's Guide, figure "Quadratic tetrahedron" (cell type 24); the Gmsh reference manual, "Node
// ordering" (type 11); files of TetGen 1.5 with -o2; libMeshb's TetrahedraP2. Handwritten files of one tet whose ten
// nodes are at different places, so that any other order of nodes puts a middle off its edge.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "io/build_bytes.h"
#include "io/gmsh.h"
#include "io/medit.h"
#include "io/says.h"
#include "io/tetgen.h"
#include "io/two_tets.h"
#include "io/vtk_legacy.h"
#include "io/vtu.h"

namespace sinew {
namespace {

// The middles of the edges 01 12 02 03 13 23, then the corners.
const std::string kPlaces =
    "1 0 0\n1 2 0\n0 2 0\n0 0 4\n1 0 4\n0 2 4\n"
    "0 0 0\n2 0 0\n0 4 0\n0 0 8\n";
constexpr double places[10][3] = {{1, 0, 0}, {1, 2, 0}, {0, 2, 0}, {0, 0, 4}, {1, 0, 4},
                                  {0, 2, 4}, {0, 0, 0}, {2, 0, 0}, {0, 4, 0}, {0, 0, 8}};

void expect_middles_at_the_middles(const Result<MeshData>& data) {
  ASSERT_TRUE(data) << data.error().message();
  ASSERT_EQ(data->vertices.size(), 10u);
  ASSERT_EQ(data->tets, (std::vector<Tet>{{6, 7, 8, 9}}));
  ASSERT_EQ(data->middles.size(), 1u);
  const std::vector<Vec3d>& x = data->vertices;
  for (size_t k = 0; k < 6; ++k) {
    const Vec3d a = x[data->tets[0][edge_ends[k][0]]], b = x[data->tets[0][edge_ends[k][1]]];
    const Vec3d off = x[data->middles[0][k]] - 0.5 * (a + b);
    EXPECT_EQ(dot(off, off), 0) << k;
  }
  std::vector<std::string> warnings;
  MeshData copy = *data;
  const TetMesh mesh = take_tets(std::move(copy), "m", nullptr, &warnings).value();
  EXPECT_EQ(mesh.vertices.size(), 4u);
  EXPECT_EQ(mesh.vertices[3].z, 8);
  EXPECT_EQ(mesh.tets, (std::vector<Tet>{{0, 1, 2, 3}}));
  EXPECT_TRUE(mesh.middles.empty());
  EXPECT_TRUE(warnings.empty());
}

const std::string kVtk =
    "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 10 double\n" + kPlaces;
std::string vtk(const std::string& cells) {
  return kVtk + cells;
}

TEST(TenNodeTets, OfVtkHaveMiddlesInVtksOrder) {
  const std::string text = vtk("CELLS 1 11\n10 6 7 8 9 0 1 2 3 4 5\nCELL_TYPES 1\n24\n");
  expect_middles_at_the_middles(parse_vtk_legacy(text, "m.vtk"));
  expect_all_prefixes_survive(parse_vtk_legacy, text);
  expect_middles_at_the_middles(parse_vtk_legacy(
      "# vtk DataFile Version 5.1\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 10 float\n" + kPlaces +
          "CELLS 2 10\nOFFSETS vtktypeint64\n0 10\nCONNECTIVITY vtktypeint64\n6 7 8 9 0 1 2 3 4 5\nCELL_TYPES 1\n24\n",
      "m.vtk"));
  Bytes bytes(false);
  bytes.text("# vtk DataFile Version 3.0\nt\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 10 double\n");
  for (const auto& p : places) bytes.all<double>({p[0], p[1], p[2]});
  bytes.text("\nCELLS 1 11\n").all<int32_t>({10, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5});
  bytes.text("\nCELL_TYPES 1\n").add<int32_t>(24).text("\n");
  expect_middles_at_the_middles(parse_vtk_legacy(bytes.str(), "m.vtk"));
}

std::string vtu(const std::string& connectivity, const std::string& offsets, const std::string& types) {
  return "<VTKFile type=\"UnstructuredGrid\">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"10\" NumberOfCells=\"1\">\n"
         "<Points><DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">" +
         kPlaces + "</DataArray></Points>\n<Cells>\n<DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">" +
         connectivity + "</DataArray>\n<DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">" + offsets +
         "</DataArray>\n<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">" + types +
         "</DataArray>\n</Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";
}

TEST(TenNodeTets, OfVtksXmlHaveMiddlesInVtksOrder) {
  expect_middles_at_the_middles(parse_vtu(vtu("6 7 8 9 0 1 2 3 4 5", "10", "24"), "m.vtu"));
}

std::string numbered_nodes() {
  std::string text;
  for (int k = 0; k < 10; ++k) {
    text += std::to_string(k + 1);
    for (const double x : places[k]) text += ' ' + std::to_string(x);
    text += '\n';
  }
  return text;
}
std::string gmsh2(const std::string& elements) {
  return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n10\n" + numbered_nodes() + "$EndNodes\n$Elements\n" + elements +
         "$EndElements\n";
}
std::string gmsh4(const std::string& elements) {
  return "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 10 1 10\n3 1 0 10\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n" +
         kPlaces + "$EndNodes\n$Elements\n" + elements + "$EndElements\n";
}

// Unlike VTK's, the last two middles are those of 23 and 13.
TEST(TenNodeTets, OfGmshHaveMiddlesInGmshsOrder) {
  const std::string text2 = gmsh2("1\n1 11 2 7 1 7 8 9 10 1 2 3 4 6 5\n");
  expect_middles_at_the_middles(parse_gmsh(text2, "m.msh"));
  EXPECT_EQ(parse_gmsh(text2, "m.msh")->regions, (std::vector<int32_t>{7}));
  expect_all_prefixes_survive(parse_gmsh, text2);
  const std::string text4 = gmsh4("1 1 1 1\n3 1 11 1\n1 7 8 9 10 1 2 3 4 6 5\n");
  expect_middles_at_the_middles(parse_gmsh(text4, "m.msh"));
  expect_all_prefixes_survive(parse_gmsh, text4);
  for (const bool little : {true, false}) {
    Bytes old(little);
    old.text("$MeshFormat\n2.2 1 8\n").add<int32_t>(1).text("\n$EndMeshFormat\n$Nodes\n10\n");
    for (int32_t k = 0; k < 10; ++k) old.add<int32_t>(k + 1).all<double>({places[k][0], places[k][1], places[k][2]});
    old.text("\n$EndNodes\n$Elements\n1\n").all<int32_t>({11, 1, 2, /**/ 1, 7, 1, 7, 8, 9, 10, 1, 2, 3, 4, 6, 5});
    old.text("\n$EndElements\n");
    expect_middles_at_the_middles(parse_gmsh(old.str(), "m.msh"));
    expect_all_prefixes_survive(parse_gmsh, old.str());
    Bytes bytes(little);
    bytes.text("$MeshFormat\n4.1 1 8\n").add<int32_t>(1).text("\n$EndMeshFormat\n$Nodes\n");
    bytes.all<uint64_t>({1, 10, 1, 10}).all<int32_t>({3, 1, 0}).add<uint64_t>(10);
    bytes.all<uint64_t>({1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
    for (const auto& p : places) bytes.all<double>({p[0], p[1], p[2]});
    bytes.text("\n$EndNodes\n$Elements\n").all<uint64_t>({1, 1, 1, 1}).all<int32_t>({3, 1, 11}).add<uint64_t>(1);
    bytes.all<uint64_t>({1, 7, 8, 9, 10, 1, 2, 3, 4, 6, 5}).text("\n$EndElements\n");
    expect_middles_at_the_middles(parse_gmsh(bytes.str(), "m.msh"));
    expect_all_prefixes_survive(parse_gmsh, bytes.str());
  }
}

std::string tetgen_nodes() {
  return "10 3 0 0\n" + numbered_nodes();
}

// Middles of 23 03 01 12 13 02.
TEST(TenNodeTets, OfTetGenHaveMiddlesInTetGensOrder) {
  const std::string ele = "1 10 1\n1 7 8 9 10 6 4 1 2 5 3 -9\n";
  const Result<MeshData> data = parse_tetgen(tetgen_nodes(), "m.node", ele, "m.ele");
  expect_middles_at_the_middles(data);
  EXPECT_EQ(data->regions, (std::vector<int32_t>{-9}));
}

std::string medit(const std::string& sections) {
  std::string text = "MeshVersionFormatted 2\nDimension 3\nVertices\n10\n";
  for (const auto& p : places) {
    for (const double x : p) text += std::to_string(x) + ' ';
    text += "0\n";
  }
  return text + sections + "End\n";
}
const std::string kUsualOrder =
    "TetrahedraP2Ordering\n10\n2 0 0 0\n0 2 0 0\n0 0 2 0\n0 0 0 2\n1 1 0 0\n0 1 1 0\n1 0 1 0\n1 0 0 1\n0 1 0 1\n"
    "0 0 1 1\n";

TEST(TenNodeTets, OfMeditHaveMiddlesInVtksOrder) {
  const std::string tets = "TetrahedraP2\n1\n7 8 9 10 1 2 3 4 5 6 12\n";
  const Result<MeshData> data = parse_medit(medit(tets), "m.mesh");
  expect_middles_at_the_middles(data);
  EXPECT_EQ(data->regions, (std::vector<int32_t>{12}));
  expect_all_prefixes_survive(parse_medit, medit(tets));
  expect_middles_at_the_middles(parse_medit(medit(kUsualOrder + tets), "m.mesh"));
  std::string other = kUsualOrder;
  std::swap(other[other.size() - 8], other[other.size() - 4]);  // 0 0 1 1 -> 1 0 0 1
  EXPECT_TRUE(says(tet_fault(parse_medit, medit(other + tets), "m.mesh"),
                   "m.mesh:15: TetrahedraP2Ordering is not the order of the nodes that is read"));
}

// A linear tet before, between and after quadratic ones.
TEST(TenNodeTets, MixWithLinearOnes) {
  const auto expect_mixed = [](const Result<MeshData>& data) {
    ASSERT_TRUE(data) << data.error().message();
    EXPECT_EQ(data->tets.size(), 4u);
    ASSERT_EQ(data->middles.size(), 3u) << "the last is linear";
    EXPECT_EQ(data->middles[0], no_middles);
    EXPECT_EQ(data->middles[1], (Middles{0, 2, 3, 1, 4, 5}));
    EXPECT_EQ(data->middles[2], (Middles{0, 2, 3, 1, 4, 5}));
    std::vector<std::string> warnings;
    MeshData copy = *data;
    const TetMesh mesh = take_tets(std::move(copy), "m", nullptr, &warnings).value();
    EXPECT_EQ(mesh.tets, (std::vector<Tet>{{1, 2, 3, 4}, {1, 2, 3, 4}, {1, 2, 3, 4}, {0, 2, 3, 4}}));
    EXPECT_EQ(mesh.vertices.size(), 5u) << "the middle that is a corner stays";
    EXPECT_EQ(mesh.vertices[0].x, 1);
    EXPECT_TRUE(warnings.empty());
  };
  expect_mixed(parse_vtk_legacy(vtk("CELLS 4 32\n4 6 7 8 9\n10 6 7 8 9 0 1 2 3 4 5\n10 6 7 8 9 0 1 2 3 4 5\n"
                                    "4 0 7 8 9\nCELL_TYPES 4\n10\n24\n24\n10\n"),
                                "m.vtk"));
  const std::string ten = " 7 8 9 10 1 2 3 4 6 5\n";
  expect_mixed(parse_gmsh(gmsh2("4\n1 4 0 7 8 9 10\n2 11 0" + ten + "3 11 0" + ten + "4 4 0 1 8 9 10\n"), "m.msh"));
  expect_mixed(
      parse_gmsh(gmsh4("3 4 1 4\n3 1 4 1\n1 7 8 9 10\n3 1 11 2\n2" + ten + "3" + ten + "3 2 4 1\n4 1 8 9 10\n"), "m"));
}

// A clamped face of six nodes, a named edge of three and a named middle.
TEST(TenNodeTets, OfGmshBringGroupsOfTheirCorners) {
  const std::string names =
      "$PhysicalNames\n4\n0 4 \"spot\"\n1 3 \"edge\"\n2 2 \"clamp\"\n3 7 \"bone\"\n$EndPhysicalNames\n";
  const std::string bytes = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n" + names +
                            gmsh2(
                                "4\n1 15 2 4 1 1\n2 8 2 3 1 8 10 5\n3 9 2 2 1 7 8 9 1 2 3\n"
                                "4 11 2 7 1 7 8 9 10 1 2 3 4 6 5\n")
                                .substr(std::string("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n").size());
  std::vector<MeshGroup> groups;
  const Result<TetMesh> mesh = take_tets(parse_gmsh(bytes, "m.msh").value(), "m.msh", &groups);
  ASSERT_TRUE(mesh);
  ASSERT_EQ(groups.size(), 4u);
  EXPECT_EQ(groups[0].vertices, (std::vector<int32_t>{})) << "a middle is no vertex any more";
  EXPECT_EQ(groups[1].vertices, (std::vector<int32_t>{1, 3}));
  EXPECT_EQ(groups[2].vertices, (std::vector<int32_t>{0, 1, 2}));
  EXPECT_EQ(groups[3].vertices, (std::vector<int32_t>{0, 1, 2, 3}));
  EXPECT_TRUE(groups[3].is_region);
  EXPECT_EQ(groups[3].elements, 1);
}

TEST(TenNodeTets, NameThePlaceAndTheFault) {
  const auto of_vtk = [](const std::string& cells) { return tet_fault(parse_vtk_legacy, vtk(cells), "m.vtk"); };
  EXPECT_TRUE(
      says(of_vtk("CELLS 1 10\n9 6 7 8 9 0 1 2 3 4\nCELL_TYPES 1\n24\n"), "m.vtk: cell 0 of type 24 has 9 points"));
  EXPECT_TRUE(says(of_vtk("CELLS 1 12\n11 6 7 8 9 0 1 2 3 4 5 5\nCELL_TYPES 1\n24\n"), "type 24 has 11 points"));
  EXPECT_TRUE(says(of_vtk("CELLS 1 5\n4 6 7 8 9\nCELL_TYPES 1\n24\n"), "type 24 has 4 points"));
  EXPECT_TRUE(says(of_vtk("CELLS 1 11\n10 6 7 8 9 0 1 2 3 4 5\nCELL_TYPES 1\n10\n"), "type 10 has 10 points"));
  EXPECT_TRUE(says(of_vtk("CELLS 1 11\n10 6 7 8 9 0 1 2 3 4 10\nCELL_TYPES 1\n24\n"),
                   "cell 0 names vertex 10, out of range: vertices run from 0 to 9"));
  EXPECT_TRUE(says(of_vtk("CELLS 1 11\n10 6 7 8 9 0 1 2 -3 4 5\nCELL_TYPES 1\n24\n"), "names vertex -3"));
  EXPECT_TRUE(says(tet_fault(parse_vtu, vtu("6 7 8 9 0 1 2 3 4", "9", "24"), "m.vtu"), "type 24 has 9 points"));
  EXPECT_TRUE(says(tet_fault(parse_vtu, vtu("6 7 8 9 0 1 2 3 4 77", "10", "24"), "m.vtu"), "names vertex 77"));
  EXPECT_TRUE(says(tet_fault(parse_gmsh, gmsh2("1\n1 11 0 7 8 9 10 1 2 3 4 6 55\n"), "m.msh"),
                   "m.msh:19: element 1 names node 55, which is not among the 10 nodes of the file"));
  EXPECT_TRUE(says(tet_fault(parse_gmsh, gmsh2("1\n1 11 0 7 8 9 10 1 2 3 4 6\n"), "m.msh"),
                   "expected a node of element 1, found '$EndElements'"));
  EXPECT_TRUE(says(tet_fault(parse_gmsh, gmsh4("1 1 1 1\n3 1 11 1\n1 7 8 9 10 1 2 3 4 6 0\n"), "m.msh"),
                   "element 1 names node 0"));
  const auto of_tetgen = [](const std::string& ele) {
    const Result<MeshData> data = parse_tetgen(tetgen_nodes(), "m.node", ele, "m.ele");
    return data ? "read" : data.error().message();
  };
  EXPECT_TRUE(says(of_tetgen("1 10 0\n1 7 8 9 10 6 4 1 2 5 11\n"),
                   "m.ele:2: tetrahedron 1 names vertex 11, out of range: vertices run from 1 to 10"));
  EXPECT_TRUE(says(of_tetgen("1 10 0\n1 7 8 9 10 6 4 1 2 5\n"),
                   "the line ends where a vertex index of tetrahedron 1 was expected"));
  EXPECT_TRUE(says(of_tetgen("1 20 0\n1 7 8 9 10\n"), "elements have 20 nodes"));
  EXPECT_TRUE(says(tet_fault(parse_medit, medit("TetrahedraP2\n1\n7 8 9 10 1 2 3 4 5 11 12\n"), "m.mesh"),
                   "tetrahedron 1 names vertex 11, out of range: vertices run from 1 to 10"));
  EXPECT_TRUE(says(tet_fault(parse_medit, medit("TetrahedraP2\n1\n7 8 9 10 1 2 3 4 5 6\n"), "m.mesh"),
                   "expected the reference of tetrahedron 1"));
}

// Whatever is read of a damaged file is a mesh, and is taken straight.
template <class Parse>
void expect_damage_survives(Parse parse, const std::string& bytes, std::string_view letters) {
  std::mt19937 random(7);
  int read = 0;
  for (int k = 0; k < 3000; ++k) {
    std::string damaged = bytes;
    for (int n = 0; n <= k % 3; ++n) damaged[random() % damaged.size()] = letters[random() % letters.size()];
    Result<MeshData> data = parsed_by(parse, damaged, "damaged");
    if (!data) {
      EXPECT_FALSE(data.error().what.empty());
      continue;
    }
    const auto count = static_cast<int32_t>(data->vertices.size());
    ASSERT_LE(data->middles.size(), data->tets.size());
    for (const Middles& middles : data->middles)
      for (const int32_t v : middles) ASSERT_TRUE(v == no_middle || (v >= 0 && v < count));
    const Result<TetMesh> mesh = take_tets(std::move(*data), "damaged");
    if (!mesh) continue;
    ++read;
    for (const Tet& tet : mesh->tets)
      for (const int32_t v : tet) ASSERT_TRUE(v >= 0 && v < static_cast<int32_t>(mesh->vertices.size()));
  }
  EXPECT_GT(read, 100) << "the damage hits the numbers";
}

TEST(TenNodeTets, SurviveDamage) {
  const std::string digits = "0123456789 \n-";
  expect_damage_survives(parse_vtk_legacy, vtk("CELLS 2 16\n10 6 7 8 9 0 1 2 3 4 5\n4 6 7 8 9\nCELL_TYPES 2\n24\n10\n"),
                         digits);
  expect_damage_survives(parse_vtu, vtu("6 7 8 9 0 1 2 3 4 5", "10", "24"), digits);
  expect_damage_survives(parse_gmsh, gmsh2("2\n1 11 2 7 1 7 8 9 10 1 2 3 4 6 5\n2 4 2 7 1 7 8 9 10\n"), digits);
  expect_damage_survives(parse_gmsh, gmsh4("2 2 1 2\n3 1 11 1\n1 7 8 9 10 1 2 3 4 6 5\n3 1 4 1\n2 7 8 9 10\n"), digits);
  expect_damage_survives(parse_medit, medit("TetrahedraP2\n1\n7 8 9 10 1 2 3 4 5 6 12\n"), digits);
}

}  // namespace
}  // namespace sinew
