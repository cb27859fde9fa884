// Source: VTK's XML formats ("VTK File Formats", PolyData, appended data): the offsets lead to the arrays, each behind
// its number of bytes.
#include "io/vtp.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace sinew
