// Source: "VTK File Formats" (Kitware), XML formats: structure, appended data, block headers. The arrays are read back
// by Sinew's own reader, which is tested on files of other programs.
#include "files/vtu_writer.h"

#include <gtest/gtest.h>

#include "files/read_file.h"
#include "io/bytes.h"
#include "io/deflate.h"
#include "io/says.h"
#include "io/temporary_folder.h"
#include "io/vtu.h"
#include "io/vtu_arrays.h"
#include "mesh/generators.h"
#include "mesh/middles.h"

namespace sinew {
namespace {

VtuField places(const std::vector<Vec3f>& points) {
  return VtuField::of("Points", {reinterpret_cast<const float*>(points.data()), points.size() * 3}, 3);
}

class VtuWriterTest : public TemporaryFolder {
 protected:
  std::filesystem::path path() const { return folder() / "frame.vtu"; }
};

TEST_F(VtuWriterTest, ReadsBackAsTheMesh) {
  TetMesh mesh = make_box({{3, 2, 2}, {1, 2, 3}, {0.1, 0, 0}, TetSplit::six}).value();
  std::vector<Vec3f> points;
  for (const Vec3d& p : mesh.vertices)
    points.push_back({static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)});
  for (size_t e = 0; e < mesh.tets.size(); ++e) mesh.regions.push_back(static_cast<int32_t>(e % 5));
  std::vector<float> velocity, strain;
  for (size_t k = 0; k < 3 * points.size(); ++k) velocity.push_back(0.25f * static_cast<float>(k) - 3);
  for (size_t k = 0; k < mesh.tets.size(); ++k) strain.push_back(1 / (1 + static_cast<float>(k)));

  const VtuWriter writer(mesh.tets, points.size(),
                         {{"object", std::vector<int32_t>(mesh.tets.size(), 7)}, {"region", mesh.regions}});
  const std::vector<VtuField> point_fields = {VtuField::of("velocity", velocity, 3)},
                              cell_fields = {VtuField::of("a<b>&\"c\"", strain)};
  ASSERT_TRUE(writer.write(path(), 0.1, places(points), point_fields, cell_fields));

  const std::string file = read_file(path()).value();
  EXPECT_TRUE(says(file,
                   "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
                   "header_type=\"UInt64\""));
  EXPECT_TRUE(says(file, "Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">0.1</DataArray>"));
  EXPECT_TRUE(file.ends_with("\n  </AppendedData>\n</VTKFile>\n"));

  const Result<MeshData> data = parse_vtu(file, "frame.vtu");
  ASSERT_TRUE(data) << data.error().message();
  EXPECT_EQ(data->tets, mesh.tets);
  EXPECT_EQ(data->regions, mesh.regions);
  ASSERT_EQ(data->vertices.size(), points.size());
  for (size_t k = 0; k < points.size(); ++k) {
    EXPECT_EQ(data->vertices[k].x, points[k].x);
    EXPECT_EQ(data->vertices[k].y, points[k].y);
    EXPECT_EQ(data->vertices[k].z, points[k].z);
  }
  EXPECT_EQ(array_of(file, "velocity", "Float32"), std::vector<double>(velocity.begin(), velocity.end()));
  EXPECT_EQ(array_of(file, "a&lt;b>&amp;&quot;c&quot;", "Float32"), std::vector<double>(strain.begin(), strain.end()));
  EXPECT_EQ(array_of(file, "types", "UInt8"), std::vector<double>(mesh.tets.size(), 10));
}

TEST_F(VtuWriterTest, WritesDoublesWhereAskedFor) {
  const TetMesh mesh = make_box({{2, 2, 2}, {1, 2, 3}, {4.5e6, 0, 0}, TetSplit::six}).value();
  std::vector<double> field;
  for (size_t k = 0; k < mesh.vertices.size(); ++k) field.push_back(1 / (3.0 + static_cast<double>(k)));
  VtuWriter writer(mesh.tets, mesh.vertices.size());
  writer.set_double(true);
  const VtuField points = VtuField::of("Points", {&mesh.vertices[0].x, 3 * mesh.vertices.size()}, 3);
  ASSERT_TRUE(writer.write(path(), 0, points, std::vector{VtuField::of("field", field)}, {}));
  const std::string file = read_file(path()).value();
  EXPECT_FALSE(says(file, "Float32"));
  EXPECT_EQ(array_of(file, "field", "Float64"), field);
  const MeshData read = parse_vtu(file, "frame").value();
  for (size_t k = 0; k < mesh.vertices.size(); ++k) {
    EXPECT_EQ(read.vertices[k].x, mesh.vertices[k].x);
    EXPECT_EQ(read.vertices[k].y, mesh.vertices[k].y);
  }
}

TEST_F(VtuWriterTest, WritesTriangles) {
  const SurfaceMesh grid = make_grid({{2, 2}, {1, 1}, {}}).value();
  std::vector<Vec3f> points(grid.vertices.size());
  const VtuWriter writer{std::span<const Triangle>(grid.triangles), points.size()};
  ASSERT_TRUE(writer.write(path(), 0, places(points), {}, {}));
  const std::string file = read_file(path()).value();
  EXPECT_EQ(array_of(file, "types", "UInt8"), std::vector<double>(grid.triangles.size(), 5));
  EXPECT_EQ(array_of(file, "offsets", "Int32").back(), 3.0 * static_cast<double>(grid.triangles.size()));
  const Result<MeshData> data = parse_vtu(file, "frame.vtu");
  ASSERT_TRUE(data) << data.error().message();
  EXPECT_EQ(data->triangles, grid.triangles);
}

TEST_F(VtuWriterTest, WritesTetsThenLines) {
  const std::vector<Vec3f> points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {2, 0, 0}};
  const std::vector<Tet> tets{{0, 1, 2, 3}};
  const std::vector<Line> lines{{1, 4}, {4, 0}};
  const VtuWriter writer(tets, {}, lines, points.size(), {{"object", {5, 6, 7}}});
  const std::vector<float> strain{0.5f, 1, 2};
  ASSERT_TRUE(writer.write(path(), 0, places(points), {}, std::vector{VtuField::of("strain", strain)}));
  const std::string file = read_file(path()).value();
  EXPECT_EQ(array_of(file, "connectivity", "Int32"), (std::vector<double>{0, 1, 2, 3, 1, 4, 4, 0}));
  EXPECT_EQ(array_of(file, "offsets", "Int32"), (std::vector<double>{4, 6, 8}));
  EXPECT_EQ(array_of(file, "types", "UInt8"), (std::vector<double>{10, 3, 3}));
  EXPECT_EQ(array_of(file, "strain", "Float32"), (std::vector<double>{0.5, 1, 2}));
}

// In VTK's order of nodes: middles of 01 12 02 03 13 23.
TEST_F(VtuWriterTest, WritesQuadraticTetsAmongLinearOnesAndTriangles) {
  TetMesh quadratic;
  quadratic.vertices = {{0, 0, 0}, {2, 0, 0}, {0, 4, 0}, {0, 0, 8}};
  quadratic.tets = {{0, 1, 2, 3}};
  add_middles(quadratic);
  std::vector<Vec3f> points;
  for (const Vec3d& p : quadratic.vertices)
    points.push_back({static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)});
  const Tet tet = quadratic.tets[0], triangle{0, 1, 2, no_corner};
  const std::vector<Tet> tets{tet, tet, triangle, tet};
  const std::vector<Middles> middles{no_middles, quadratic.middles[0], no_middles, quadratic.middles[0]};
  const std::vector<Line> lines{{1, 3}};
  ASSERT_TRUE(VtuWriter(tets, middles, lines, points.size()).write(path(), 0, places(points), {}, {}));
  const std::string file = read_file(path()).value();
  EXPECT_EQ(array_of(file, "types", "UInt8"), (std::vector<double>{10, 24, 5, 24, 3}));
  EXPECT_EQ(array_of(file, "offsets", "Int32"), (std::vector<double>{4, 14, 17, 27, 29}));
  const std::vector<double> connectivity = array_of(file, "connectivity", "Int32");
  ASSERT_EQ(connectivity.size(), 29u);
  const double expected[10][3] = {{0, 0, 0}, {2, 0, 0}, {0, 4, 0}, {0, 0, 8}, {1, 0, 0},
                                  {1, 2, 0}, {0, 2, 0}, {0, 0, 4}, {1, 0, 4}, {0, 2, 4}};
  for (size_t k = 0; k < 10; ++k) {
    const Vec3f p = points[static_cast<size_t>(connectivity[4 + k])];
    EXPECT_EQ(p.x, expected[k][0]) << k;
    EXPECT_EQ(p.y, expected[k][1]) << k;
    EXPECT_EQ(p.z, expected[k][2]) << k;
    EXPECT_EQ(connectivity[17 + k], connectivity[4 + k]) << k;
  }
  const MeshData data = parse_vtu(file, "frame.vtu").value();
  EXPECT_EQ(data.tets, (std::vector<Tet>{tet, tet, tet}));
  EXPECT_EQ(data.middles, (std::vector<Middles>{no_middles, quadratic.middles[0], quadratic.middles[0]}));
}

// Blocks of 1 MiB: one that is not full, full ones only, and more than one.
TEST_F(VtuWriterTest, CutsLargeArraysIntoBlocks) {
  for (const size_t count : {size_t{1} << 18, (size_t{1} << 18) + 1, size_t{3} << 18}) {
    const std::vector<Vec3f> points(count);
    std::vector<float> field(count);
    for (size_t k = 0; k < count; ++k) field[k] = static_cast<float>(k);
    const VtuWriter writer{std::span<const Tet>{}, count};
    const std::vector<VtuField> fields = {VtuField::of("field", field)};
    ASSERT_TRUE(writer.write(path(), 0, places(points), fields, {}));
    EXPECT_EQ(array_of(read_file(path()).value(), "field", "Float32"), std::vector<double>(field.begin(), field.end()));
  }
}

TEST_F(VtuWriterTest, SameContentSameBytes) {
  const TetMesh mesh = make_box({}).value();
  const std::vector<Vec3f> points(mesh.vertices.size());
  ASSERT_TRUE(VtuWriter(mesh.tets, points.size()).write(path(), 1, places(points), {}, {}));
  ASSERT_TRUE(VtuWriter(mesh.tets, points.size()).write(folder() / "again.vtu", 1, places(points), {}, {}));
  EXPECT_EQ(read_file(path()).value(), read_file(folder() / "again.vtu").value());
}

}  // namespace
}  // namespace sinew
