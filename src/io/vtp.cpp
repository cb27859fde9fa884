#include "io/vtp.h"

#include <charconv>

#include "base/assert.h"
#include "base/digits.h"
#include "base/format.h"
#include "base/nearest.h"
#include "io/bytes.h"
#include "io/scanner.h"
#include "io/vtu_array.h"
#include "math/length.h"

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
  const auto [end, fault] = write_digits(digits, digits + sizeof digits, time);
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

Result<std::vector<Vec3d>> read_vtp_vectors(std::string_view bytes, std::string_view name, std::string_view field) {
  const auto fault = [&](const std::string& what) {
    return Error{std::string(name), what, "the file is damaged, or not written by Sinew"};
  };
  constexpr std::string_view mark = "<AppendedData encoding=\"raw\">\n_";
  const size_t data = bytes.find(mark);
  if (data == std::string_view::npos) return fault("has no appended data");
  const std::string_view head = bytes.substr(0, data);
  // The number behind `key="` from a place on; -1: none.
  const auto number = [&](std::string_view key, size_t from) -> int64_t {
    const std::string quoted = joined({key, "=\""});
    const size_t at = head.find(quoted, from);
    int64_t value = -1;
    if (at != std::string_view::npos)
      std::from_chars(head.data() + at + quoted.size(), head.data() + head.size(), value);
    return value;
  };
  const int64_t points = number("NumberOfPoints", 0);
  // Each takes 24 bytes and more.
  if (points < 0 || static_cast<uint64_t>(points) > bytes.size() / 24)
    return fault("does not say how many points it has");
  const size_t entry = head.find(joined({"type=\"Float64\" Name=\"", field, "\" NumberOfComponents=\"3\""}));
  const int64_t offset = entry == std::string_view::npos ? -1 : number("offset", entry);
  const std::string_view arrays = bytes.substr(data + mark.size());
  if (offset < 0 || static_cast<uint64_t>(offset) > arrays.size())
    return fault(joined({"has no array ", in_quotes(field), " of vectors"}));
  const bool little = head.find("byte_order=\"LittleEndian\"") != std::string_view::npos;
  const VtuArray array{joined({name, ": ", in_quotes(field)}), "Float64", VtuArray::Storage::raw,
                       arrays.substr(static_cast<size_t>(offset))};
  const Result<std::vector<double>> numbers = read_reals(array, {little != machine_is_little, true, false}, 3 * points);
  if (!numbers) return numbers.error();
  std::vector<Vec3d> vectors;
  for (size_t k = 0; k < numbers->size(); k += 3) {
    vectors.push_back({(*numbers)[k], (*numbers)[k + 1], (*numbers)[k + 2]});
    if (!is_finite(vectors.back())) return fault(joined({"has numbers in ", in_quotes(field), " that are not finite"}));
  }
  return vectors;
}

}  // namespace sinew
