// Source: VTK's XML formats ("VTK File Formats", PolyData, appended data): the offsets lead to the arrays, each behind
// its number of bytes.
#include "io/vtp.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "io/bytes.h"
#include "io/says.h"
#include "io/vtu_array.h"

namespace sinew {
namespace {

// The numbers of an array, by the type that its entry names.
std::vector<double> numbers(const std::string& file, const std::string& name) {
  const size_t entry = file.find("Name=\"" + name + "\"");
  EXPECT_NE(entry, std::string::npos) << name;
  const size_t type = file.rfind("type=\"", entry) + 6;
  const std::string type_name = file.substr(type, file.find('"', type) - type);
  const size_t offset = std::stoul(file.substr(file.find("offset=\"", entry) + 8));
  const size_t data = file.find("<AppendedData encoding=\"raw\">\n_") + 31 + offset;
  const VtuArray array{name, type_name, VtuArray::Storage::raw, std::string_view(file).substr(data)};
  const VtuEncoding encoding{!machine_is_little, true, false};
  if (type_name == "Float64") return read_reals(array, encoding, -1).value();
  const std::vector<int64_t> wholes = read_wholes(array, encoding, -1).value();
  return {wholes.begin(), wholes.end()};
}

TEST(Vtp, HasPointsWithTheirNumbers) {
  const std::vector<Vec3d> points = {{1, 2, 3}, {-4, 0.1, 6}};
  const std::vector<VtpField> fields = {{"force [N]", 3, std::vector<double>{1, 0, 0, 0, 2, 0}},
                                        {"first", 1, std::vector<int32_t>{7, -8}}};
  const std::string file = encode_vtp(0.5, points, fields);
  EXPECT_TRUE(says(file, "<VTKFile type=\"PolyData\" version=\"1.0\""));
  EXPECT_TRUE(says(file, "format=\"ascii\">0.5</DataArray>"));
  EXPECT_TRUE(says(file, "<Piece NumberOfPoints=\"2\" NumberOfVerts=\"2\""));
  EXPECT_TRUE(says(file, "type=\"Float64\" Name=\"force [N]\" NumberOfComponents=\"3\""));
  EXPECT_TRUE(says(file, "type=\"Int32\" Name=\"first\" NumberOfComponents=\"1\""));
  EXPECT_EQ(numbers(file, "Points"), (std::vector<double>{1, 2, 3, -4, 0.1, 6}));
  EXPECT_EQ(numbers(file, "force [N]"), (std::vector<double>{1, 0, 0, 0, 2, 0}));
  EXPECT_EQ(numbers(file, "first"), (std::vector<double>{7, -8}));
  EXPECT_EQ(numbers(file, "connectivity"), (std::vector<double>{0, 1}));
  EXPECT_EQ(numbers(file, "offsets"), (std::vector<double>{1, 2}));
  EXPECT_TRUE(file.ends_with("\n  </AppendedData>\n</VTKFile>\n"));
}

TEST(Vtp, MayBeEmpty) {
  const std::string file = encode_vtp(0, {}, {});
  EXPECT_TRUE(says(file, "<Piece NumberOfPoints=\"0\" NumberOfVerts=\"0\""));
  EXPECT_TRUE(numbers(file, "Points").empty());
}

TEST(Vtp, IsReadBack) {
  const std::vector<Vec3d> points = {{1, 2, 3}, {-4, 0.1, 6}};
  const std::vector<VtpField> fields = {{"gap [m]", 1, std::vector<double>{1, 2}},
                                        {"force [N]", 3, std::vector<double>{1, 0, 0, 0, 2, -0.3}}};
  const std::string file = encode_vtp(0.5, points, fields);
  const auto at = read_vtp_vectors(file, "a.vtp", "Points"), forces = read_vtp_vectors(file, "a.vtp", "force [N]");
  ASSERT_TRUE(at && forces);
  ASSERT_EQ(at->size(), 2u);
  ASSERT_EQ(forces->size(), 2u);
  EXPECT_EQ((*at)[1].y, 0.1);
  EXPECT_EQ((*forces)[1].z, -0.3);
  EXPECT_EQ(read_vtp_vectors(encode_vtp(0, {}, {}), "a.vtp", "Points").value().size(), 0u);
}

TEST(Vtp, ThatIsDamagedIsRefused) {
  const std::vector<VtpField> fields = {{"force [N]", 3, std::vector<double>{1, 0, std::nan("")}},
                                        {"gap [m]", 1, std::vector<double>{1}}};
  const std::string file = encode_vtp(0.5, std::vector<Vec3d>{{1, 2, 3}}, fields);
  const auto fault = [](const std::string& bytes, const std::string& field) {
    const auto read = read_vtp_vectors(bytes, "a.vtp", field);
    return read ? "" : read.error().message();
  };
  EXPECT_EQ(fault(file, "Points"), "");
  EXPECT_TRUE(says(fault(file, "force [N]"), "not finite"));
  EXPECT_TRUE(says(fault(file, "gap [m]"), "no array"));  // not of vectors
  EXPECT_TRUE(says(fault(file, "normal"), "no array"));
  EXPECT_TRUE(says(fault("", "Points"), "a.vtp"));
  const size_t data = file.find("<AppendedData");
  EXPECT_TRUE(says(fault(file.substr(0, data + 60), "Points"), "a.vtp"));
  std::string more = file;
  more.replace(more.find("NumberOfPoints=\"1\""), 18, "NumberOfPoints=\"3\"");
  EXPECT_TRUE(says(fault(more, "Points"), "3 numbers where 9 are expected"));
}

}  // namespace
}  // namespace sinew
