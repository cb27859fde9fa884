#include "io/npy.h"

#include <charconv>
#include <limits>

#include "base/format.h"
#include "io/bytes.h"

namespace sinew {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

// The content of the header's Python dictionary.
struct Header {
  char order = '<';  // < little, > big, | and = this machine's
  char kind = 0;     // f or i
  int width = 0;     // bytes per value
  bool fortran = false;
  std::vector<size_t> shape;
};

// The text after `'key':` in the dictionary, blanks skipped; empty if the key is missing.
std::string_view after_key(std::string_view dictionary, std::string_view key) {
  for (const char quote : {'\'', '"'}) {
    const std::string wanted = quote + std::string(key) + quote;
    size_t at = dictionary.find(wanted);
    if (at == std::string_view::npos) continue;
    at = dictionary.find_first_not_of(" \t", at + wanted.size());
    if (at == std::string_view::npos || dictionary[at] != ':') return {};
    at = dictionary.find_first_not_of(" \t", at + 1);
    return at == std::string_view::npos ? std::string_view{} : dictionary.substr(at);
  }
  return {};
}

// "(3, 4)" or "(3,)" or "()".
bool parse_shape(std::string_view text, std::vector<size_t>& shape) {
  const size_t close = text.find(')');
  if (text.empty() || text[0] != '(' || close == std::string_view::npos) return false;
  text = text.substr(1, close - 1);
  while (true) {
    const size_t start = text.find_first_not_of(" ,\t");
    if (start == std::string_view::npos) return true;
    text.remove_prefix(start);
    size_t extent = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), extent);
    if (fault != std::errc()) return false;
    shape.push_back(extent);
    text.remove_prefix(static_cast<size_t>(end - text.data()));
  }
}

Result<Header> parse_header(std::string_view dictionary, std::string_view name) {
  const std::string where(name);
  Header header;
  const std::string_view type = after_key(dictionary, "descr");
  // 'descr' is a quoted word such as '<f8'; a list means a structured array.
  if (type.size() < 4 || (type[0] != '\'' && type[0] != '"'))
    return Error{where, "has no plain element type in its header", "save a float64, float32 or int32 array"};
  header.order = type[1];
  header.kind = type[2];
  const auto [end, fault] = std::from_chars(type.data() + 3, type.data() + type.size(), header.width);
  const bool known = (header.kind == 'f' && (header.width == 4 || header.width == 8)) ||
                     (header.kind == 'i' && (header.width == 4 || header.width == 8));
  if (fault != std::errc() || !known || std::string_view("<>|=").find(header.order) == std::string_view::npos)
    return Error{where, "holds elements of type '" + std::string(type.substr(1, type.find(type[0], 1) - 1)) + "'",
                 "save a float64, float32 or int32 array (numpy: a.astype('float64'))"};

  const std::string_view order = after_key(dictionary, "fortran_order");
  header.fortran = order.substr(0, 4) == "True";
  if (!header.fortran && order.substr(0, 5) != "False")
    return Error{where, "has no fortran_order in its header", "the file may be damaged"};

  if (!parse_shape(after_key(dictionary, "shape"), header.shape))
    return Error{where, "has no readable shape in its header", "the file may be damaged"};
  if (header.shape.empty() || header.shape.size() > 2)
    return Error{where, format("has %zu dimensions", header.shape.size()), "save an array of one or two dimensions"};
  return header;
}

template <class Stored, class T>
Status convert(std::string_view data, const Header& header, std::string_view name, NpyArray& array) {
  const bool swap = header.order == (machine_is_little ? '>' : '<');
  std::vector<T> values(array.size());
  const size_t rows = values.empty() ? 0 : array.rows;  // 10^18 rows without columns must not cause a loop
  for (size_t r = 0; r < rows; ++r)
    for (size_t c = 0; c < array.columns; ++c) {
      const size_t at = header.fortran ? c * array.rows + r : r * array.columns + c;
      const Stored value = load<Stored>(data.data() + at * sizeof(Stored), swap);
      if constexpr (sizeof(Stored) > sizeof(T))
        if (value < std::numeric_limits<T>::min() || value > std::numeric_limits<T>::max())
          return Error{std::string(name), format("entry %zu does not fit into 32 bits", at), "save an int32 array"};
      values[r * array.columns + c] = static_cast<T>(value);
    }
  array.values = std::move(values);
  return {};
}

template <class T>
std::string encode(std::span<const T> values, size_t columns, const char* type) {
  SINEW_ASSERT(columns == 0 || values.size() % columns == 0);
  const std::string shape =
      columns == 0 ? format("(%zu,)", values.size()) : format("(%zu, %zu)", values.size() / columns, columns);
  std::string dictionary = "{'descr': '" + std::string(machine_is_little ? "<" : ">") + type +
                           "', 'fortran_order': False, 'shape': " + shape + ", }";
  // The data start at a multiple of 64 bytes and the dictionary ends with a new line.
  constexpr size_t kPreamble = 10;
  dictionary.append(63 - (kPreamble + dictionary.size()) % 64, ' ');
  dictionary += '\n';

  std::string bytes(kMagic);
  bytes += '\x01';
  bytes += '\0';
  bytes += static_cast<char>(dictionary.size() & 0xff);
  bytes += static_cast<char>(dictionary.size() >> 8);
  bytes += dictionary;
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  return bytes;
}

}  // namespace

std::vector<double> NpyArray::as_doubles() const {
  return std::visit([](const auto& v) { return std::vector<double>(v.begin(), v.end()); }, values);
}

Result<NpyArray> parse_npy(std::string_view bytes, std::string_view name) {
  const std::string where(name);
  if (bytes.empty()) return Error{where, "is empty", "save it again"};
  if (bytes.substr(0, kMagic.size()) != kMagic)
    return Error{where, "is not a .npy file: it does not start with \\x93NUMPY", "save it with numpy.save"};
  const Error truncated{where, format("ends within its header, at byte %zu", bytes.size()), "save it again"};
  if (bytes.size() < 10) return truncated;

  // Version 1.0 counts the dictionary in two bytes, later versions in four; both little endian.
  const int version = static_cast<unsigned char>(bytes[6]);
  if (version < 1 || version > 3)
    return Error{where, format("has .npy format version %d", version), "save it as version 1.0, 2.0 or 3.0"};
  if (version > 1 && bytes.size() < 12) return truncated;
  const size_t start = version == 1 ? 10 : 12;
  const size_t length = version == 1 ? load<uint16_t>(bytes.data() + 8, !machine_is_little)
                                     : load<uint32_t>(bytes.data() + 8, !machine_is_little);
  if (length > bytes.size() - start) return truncated;
  const Result<Header> header = parse_header(bytes.substr(start, length), name);
  if (!header) return header.error();

  NpyArray array;
  array.rows = header->shape[0];
  array.columns = header->shape.size() == 2 ? header->shape[1] : 1;
  const std::string_view data = bytes.substr(start + length);
  // Compared by division: the product of two announced extents may overflow.
  const size_t available = data.size() / static_cast<size_t>(header->width);
  const bool fits = array.columns == 0 || array.rows <= available / array.columns;
  if (!fits || data.size() != array.size() * static_cast<size_t>(header->width))
    return Error{where,
                 format("announces %zu x %zu values of %d bytes, but %zu bytes follow its header", array.rows,
                        array.columns, header->width, data.size()),
                 "the file may be truncated; save it again"};

  Status status;
  if (header->kind == 'f')
    status = header->width == 8 ? convert<double, double>(data, *header, name, array)
                                : convert<float, float>(data, *header, name, array);
  else
    status = header->width == 8 ? convert<int64_t, int32_t>(data, *header, name, array)
                                : convert<int32_t, int32_t>(data, *header, name, array);
  if (!status) return status.error();
  return array;
}

std::string encode_npy(std::span<const double> values, size_t columns) {
  return encode(values, columns, "f8");
}
std::string encode_npy(std::span<const float> values, size_t columns) {
  return encode(values, columns, "f4");
}
std::string encode_npy(std::span<const int32_t> values, size_t columns) {
  return encode(values, columns, "i4");
}

}  // namespace sinew
