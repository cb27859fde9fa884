#include "io/vtp.h"

#include <charconv>

#include "base/assert.h"
#include "base/format.h"
#include "io/bytes.h"

namespace sinew {

namespace {

// Arrays behind the head, which refers to them by their offsets.
class Arrays {
 public:
  template <class T>
  std::string add(const char* type, const std::string& name, int components, std::span<const T> values) {
    std::string entry = format(
        "        <DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" "
        "format=\"appended\" offset=\"%zu\"/>\n",
        type, name.c_str(), components, data_.size());
    append_bytes<uint64_t>(data_, values.size_bytes());
    for (const T value : values) append_bytes<T>(data_, value);
    return entry;
  }
  const std::string& data() const { return data_; }

 private:
  std::string data_;
};

}  // namespace

std::string encode_vtp(double time, std::span<const Vec3d> points, std::span<const VtpField> fields) {
  Arrays arrays;
  char digits[32];
  const auto [end, fault] = std::to_chars(digits, digits + sizeof digits, time);
  std::string text = "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"";
  text += machine_is_little ? "LittleEndian" : "BigEndian";
  text +=
      "\" header_type=\"UInt64\">\n  <PolyData>\n    <FieldData>\n      <DataArray type=\"Float64\" "
      "Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">";
  text.append(digits, end);
  text += "</DataArray>\n    </FieldData>\n";
  text += format(
      "    <Piece NumberOfPoints=\"%zu\" NumberOfVerts=\"%zu\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
      "NumberOfPolys=\"0\">\n      <PointData>\n",
      points.size(), points.size());
  for (const VtpField& field : fields) {
    const auto add = [&]<class T>(const std::vector<T>& values) {
      SINEW_ASSERT(values.size() == points.size() * static_cast<size_t>(field.components));
      const char* const type = std::is_same_v<T, double> ? "Float64" : "Int32";
      text += arrays.add<T>(type, field.name, field.components, values);
    };
    std::visit(add, field.values);
  }
  std::vector<double> coordinates;
  std::vector<int64_t> numbers, ends;
  for (const Vec3d& p : points) {
    coordinates.insert(coordinates.end(), {p.x, p.y, p.z});
    numbers.push_back(static_cast<int64_t>(numbers.size()));
    ends.push_back(static_cast<int64_t>(ends.size()) + 1);
  }
  text += "      </PointData>\n      <Points>\n";
  text += arrays.add<double>("Float64", "Points", 3, coordinates);
  text += "      </Points>\n      <Verts>\n";
  text += arrays.add<int64_t>("Int64", "connectivity", 1, numbers);
  text += arrays.add<int64_t>("Int64", "offsets", 1, ends);
  text += "      </Verts>\n    </Piece>\n  </PolyData>\n  <AppendedData encoding=\"raw\">\n_";
  return text + arrays.data() + "\n  </AppendedData>\n</VTKFile>\n";
}

}  // namespace sinew
