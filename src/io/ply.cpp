#include "io/ply.h"

#include <cmath>
#include <optional>

#include "base/format.h"
#include "io/byte_cursor.h"

namespace sinew {

namespace {

enum class PlyType { int8, uint8, int16, uint16, int32, uint32, float32, float64 };
constexpr int kPlyWidth[] = {1, 1, 2, 2, 4, 4, 4, 8};

std::optional<PlyType> ply_type(std::string_view word) {
  constexpr std::string_view kOld[] = {"char", "uchar", "short", "ushort", "int", "uint", "float", "double"};
  constexpr std::string_view kNew[] = {"int8", "uint8", "int16", "uint16", "int32", "uint32", "float32", "float64"};
  for (int k = 0; k < 8; ++k)
    if (word == kOld[k] || word == kNew[k]) return static_cast<PlyType>(k);
  return {};
}

// The use of a property.
enum class Role { none, x, y, z, corners };

struct Property {
  PlyType type = PlyType::float32;
  std::optional<PlyType> count;  // of lists
  Role role = Role::none;
};

struct Element {
  std::string name;
  int64_t count = 0;
  std::vector<Property> properties;
};

enum class Encoding { text, little, big };

class PlyReader {
 public:
  PlyReader(std::string_view bytes, std::string_view name)
      : name_(name), scanner_(bytes, name, Layout::lines), cursor_(bytes, name, 0, false) {}

  Result<MeshData> run() {
    if (scanner_.at_end()) return Error{std::string(name_), "is empty", "save it again"};
    if (Status status = header(); !status) return status.error();
    for (const Element& element : elements_)
      if (Status status = rows(element); !status) return status.error();
    if (encoding_ == Encoding::text && scanner_.skip_space())
      return scanner_.fault(
          "more lines follow than the elements announced, from " + in_quotes(scanner_.peek_word()) + " on",
          "correct the counts in the header");
    return std::move(data_);
  }

 private:
  Status header() {
    if (scanner_.word() != "ply") {
      scanner_.seek(0);
      return scanner_.expected("ply", "only PLY files are read under this suffix");
    }
    bool has_format = false;
    for (scanner_.skip_line();; scanner_.skip_line()) {
      if (!scanner_.skip_space()) return scanner_.fault("the file ends within its header", "the file may be truncated");
      const size_t at = scanner_.offset();
      const std::string_view keyword = scanner_.word();
      if (keyword == "end_header") break;
      if (keyword == "comment" || keyword == "obj_info") continue;
      if (keyword == "format") {
        const std::string_view encoding = scanner_.peek_word();
        if (encoding == "ascii")
          encoding_ = Encoding::text;
        else if (encoding == "binary_little_endian")
          encoding_ = Encoding::little;
        else if (encoding == "binary_big_endian")
          encoding_ = Encoding::big;
        else
          return scanner_.expected("ascii, binary_little_endian or binary_big_endian");
        has_format = true;
      } else if (keyword == "element") {
        Element element;
        element.name = scanner_.word();
        if (!scanner_.whole(element.count)) return scanner_.expected("the count of element " + in_quotes(element.name));
        if (element.count < 0 || element.count > most_items)
          return scanner_.too_many(("elements " + in_quotes(element.name)).c_str(), element.count, at);
        elements_.push_back(std::move(element));
      } else if (keyword == "property") {
        if (elements_.empty()) return scanner_.fault_at(at, "a property before the first element");
        if (Status status = property(elements_.back()); !status) return status;
      } else {
        return scanner_.fault_at(at, "expected element, property, comment or end_header, found " + in_quotes(keyword));
      }
    }
    if (!has_format) return scanner_.fault("the header has no line 'format'", "the file may be damaged");
    scanner_.skip_line();
    cursor_ =
        ByteCursor(scanner_.bytes(), name_, scanner_.offset(), (encoding_ == Encoding::little) != machine_is_little);
    return coordinates_present();
  }

  Status property(Element& element) {
    Property property;
    const auto read_type = [&](PlyType& type) {
      const auto found = ply_type(scanner_.peek_word());
      if (found) {
        type = *found;
        scanner_.word();
      }
      return found.has_value();
    };
    if (scanner_.peek_word() == "list") {
      scanner_.word();
      property.count = PlyType::uint8;
      if (!read_type(*property.count)) return scanner_.expected("the type of a list's length, such as uchar");
    }
    if (!read_type(property.type)) return scanner_.expected("a property's type, such as float");
    const std::string_view name = scanner_.word();
    if (property.count) {
      if (element.name == "face" && (name == "vertex_indices" || name == "vertex_index")) property.role = Role::corners;
    } else if (element.name == "vertex") {
      property.role = name == "x" ? Role::x : name == "y" ? Role::y : name == "z" ? Role::z : Role::none;
    }
    element.properties.push_back(property);
    return {};
  }

  Status coordinates_present() {
    bool found = false;
    for (const Element& element : elements_) {
      if (element.name != "vertex") continue;
      if (found) return Error{std::string(name_), "the header has two elements 'vertex'", "remove one of them"};
      found = true;
      bool has[3] = {};
      for (const Property& property : element.properties)
        if (property.role >= Role::x && property.role <= Role::z) has[int(property.role) - int(Role::x)] = true;
      if (!has[0] || !has[1] || !has[2])
        return Error{std::string(name_), "the vertices have no properties x, y and z", "save it with coordinates"};
      vertices_ = element.count;
    }
    if (!found) return Error{std::string(name_), "the header has no element 'vertex'", "save it with vertices"};
    return {};
  }

  Status rows(const Element& element) {
    if (element.properties.empty()) return {};  // no bytes are stored, however many there are
    const bool is_vertex = element.name == "vertex";
    // A list takes at least the width of its length; in text every value takes at least two bytes.
    int64_t least = 0;
    for (const Property& property : element.properties)
      least += encoding_ == Encoding::text ? 1 : kPlyWidth[int(property.count.value_or(property.type))];
    const bool fits =
        encoding_ == Encoding::text ? scanner_.can_hold(element.count, least) : cursor_.can_hold(element.count, least);
    if (!fits)
      return Error{place(),
                   format("%lld elements %s are announced, but only %zu bytes follow",
                          static_cast<long long>(element.count), in_quotes(element.name).c_str(),
                          encoding_ == Encoding::text ? scanner_.remaining() : cursor_.remaining()),
                   "the file may be truncated or its header damaged"};
    if (is_vertex) data_.vertices.reserve(static_cast<size_t>(element.count));

    for (int64_t row = 0; row < element.count; ++row) {
      if (encoding_ == Encoding::text) scanner_.skip_space();
      double xyz[3] = {};
      for (const Property& property : element.properties) {
        if (property.count) {
          if (Status status = list(element, row, property); !status) return status;
          continue;
        }
        double value;
        const size_t at = encoding_ == Encoding::text ? 0 : cursor_.offset();
        if (!number(property.type, value)) return missing(element, row);
        if (property.role == Role::none) continue;
        if (!std::isfinite(value))
          return bad_coordinate(encoding_ == Encoding::text ? place() : cursor_.place(at), row, value);
        xyz[int(property.role) - int(Role::x)] = value;
      }
      if (is_vertex) data_.vertices.push_back({xyz[0], xyz[1], xyz[2]});
      if (encoding_ == Encoding::text) scanner_.skip_line();
    }
    return {};
  }

  Status list(const Element& element, int64_t row, const Property& property) {
    double length;
    const size_t at = encoding_ == Encoding::text ? scanner_.offset() : cursor_.offset();
    if (!number(*property.count, length)) return missing(element, row);
    const size_t left = encoding_ == Encoding::text ? scanner_.remaining() : cursor_.remaining();
    if (!(length >= 0) || length != std::floor(length) || length > static_cast<double>(left))
      return Error{place(at),
                   format("%s %lld has a list of %g values", in_quotes(element.name).c_str(),
                          static_cast<long long>(row), length),
                   "the file may be truncated or damaged"};
    const bool wanted = property.role == Role::corners;
    corners_.clear();
    for (int64_t k = 0; k < static_cast<int64_t>(length); ++k) {
      double value;
      if (!number(property.type, value)) return missing(element, row);
      if (!wanted) continue;
      if (value != std::floor(value) || std::abs(value) > 1e15)
        return Error{place(), format("face %lld names vertex %g", static_cast<long long>(row), value),
                     "vertex indices are whole numbers"};
      const auto index = static_cast<int64_t>(value);
      if (index < 0 || index >= vertices_)
        return bad_index(place(), "face", row, index, 0, static_cast<size_t>(vertices_));
      corners_.push_back(static_cast<int32_t>(index));
    }
    if (wanted && corners_.size() < 3)
      data_.count_other(corners_.size() == 2 ? "lines" : "points");
    else
      add_polygon(corners_, data_.triangles);
    return {};
  }

  template <class T>
  bool binary(double& value) {
    T raw;
    if (!cursor_.get(raw)) return false;
    value = static_cast<double>(raw);
    return true;
  }

  bool number(PlyType type, double& value) {
    if (encoding_ == Encoding::text) return scanner_.real(value);
    switch (type) {
      case PlyType::int8:
        return binary<int8_t>(value);
      case PlyType::uint8:
        return binary<uint8_t>(value);
      case PlyType::int16:
        return binary<int16_t>(value);
      case PlyType::uint16:
        return binary<uint16_t>(value);
      case PlyType::int32:
        return binary<int32_t>(value);
      case PlyType::uint32:
        return binary<uint32_t>(value);
      case PlyType::float32:
        return binary<float>(value);
      case PlyType::float64:
        return binary<double>(value);
    }
    return false;
  }

  std::string place(size_t at) const { return encoding_ == Encoding::text ? scanner_.place(at) : cursor_.place(at); }
  std::string place() const { return place(encoding_ == Encoding::text ? scanner_.offset() : cursor_.offset()); }
  Error missing(const Element& element, int64_t row) {
    const std::string what = format("a value of %s %lld", in_quotes(element.name).c_str(), static_cast<long long>(row));
    return encoding_ == Encoding::text ? scanner_.expected(what) : cursor_.ends(what);
  }

  std::string_view name_;
  Scanner scanner_;
  ByteCursor cursor_;
  Encoding encoding_ = Encoding::text;
  std::vector<Element> elements_;
  int64_t vertices_ = 0;
  std::vector<int32_t> corners_;
  MeshData data_;
};

}  // namespace

Result<MeshData> parse_ply(std::string_view bytes, std::string_view name) {
  return PlyReader(bytes, name).run();
}

std::string encode_ply(const SurfaceMesh& mesh) {
  std::string bytes = format(
      "ply\nformat %s 1.0\nelement vertex %zu\nproperty double x\nproperty double y\nproperty double z\n"
      "element face %zu\nproperty list uchar int vertex_indices\nend_header\n",
      machine_is_little ? "binary_little_endian" : "binary_big_endian", mesh.vertices.size(), mesh.triangles.size());
  bytes.reserve(bytes.size() + 24 * mesh.vertices.size() + 13 * mesh.triangles.size());
  for (const Vec3d& x : mesh.vertices)
    for (const double value : {x.x, x.y, x.z}) append_bytes(bytes, value);
  for (const Triangle& triangle : mesh.triangles) {
    append_bytes(bytes, uint8_t{3});
    for (const int32_t corner : triangle) append_bytes(bytes, corner);
  }
  return bytes;
}

}  // namespace sinew
