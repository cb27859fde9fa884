#include "io/vtu_array.h"

#include <cmath>
#include <type_traits>

#ifdef SINEW_HAS_ZLIB
#include <zlib.h>
#endif

#include "base/format.h"
#include "io/base64.h"
#include "io/bytes.h"
#include "io/scanner.h"

namespace sinew {

namespace {

int width_of(std::string_view type) {
  if (type == "Int8" || type == "UInt8") return 1;
  if (type == "Int16" || type == "UInt16") return 2;
  if (type == "Int32" || type == "UInt32" || type == "Float32") return 4;
  if (type == "Int64" || type == "UInt64" || type == "Float64") return 8;
  return 0;
}

// The bytes at an array's position, decoded if they are base64.
class Source {
 public:
  explicit Source(const VtuArray& array) : array_(array) {}

  // The first `count` bytes; fewer if the data end earlier. The view is valid until the next call.
  std::string_view first(size_t count) {
    if (array_.storage == VtuArray::Storage::raw) return array_.data.substr(0, count);
    decoded_ = decode_base64(array_.data, count);
    return decoded_;
  }
  size_t available() const {
    return array_.storage == VtuArray::Storage::raw ? array_.data.size() : array_.data.size() / 4 * 3;
  }

 private:
  const VtuArray& array_;
  std::string decoded_;
};

Error truncated(const VtuArray& array) {
  return {array.where, "the array ends before its announced size", "the file may be truncated"};
}

Result<std::string> plain_bytes(const VtuArray& array, const VtuEncoding& encoding) {
  Source source(array);
  const size_t header = encoding.wide_header ? 8 : 4;
  const std::string_view start = source.first(header);
  if (start.size() < header) return truncated(array);
  const uint64_t size =
      encoding.wide_header ? load<uint64_t>(start.data(), encoding.swap) : load<uint32_t>(start.data(), encoding.swap);
  if (size > source.available()) return truncated(array);
  const std::string_view bytes = source.first(header + static_cast<size_t>(size));
  if (bytes.size() < header + size) return truncated(array);
  return std::string(bytes.substr(header));
}

#ifdef SINEW_HAS_ZLIB
// Header: number of blocks, size of a block, size of the last one if it is shorter, compressed size of each.
Result<std::string> inflated_bytes(const VtuArray& array, const VtuEncoding& encoding) {
  Source source(array);
  const size_t width = encoding.wide_header ? 8 : 4;
  const auto entry = [&](std::string_view bytes, size_t k) -> uint64_t {
    return encoding.wide_header ? load<uint64_t>(bytes.data() + 8 * k, encoding.swap)
                                : load<uint32_t>(bytes.data() + 4 * k, encoding.swap);
  };
  std::string_view header = source.first(width);
  if (header.size() < width) return truncated(array);
  const uint64_t blocks = entry(header, 0);
  if (blocks == 0) return std::string();
  if (blocks > source.available() / width) return truncated(array);
  const size_t header_size = (3 + static_cast<size_t>(blocks)) * width;
  header = source.first(header_size);
  if (header.size() < header_size) return truncated(array);

  const uint64_t block = entry(header, 1), last = entry(header, 2) == 0 ? block : entry(header, 2);
  std::vector<uint64_t> packed(blocks);
  uint64_t packed_total = 0;
  for (size_t k = 0; k < blocks; ++k) {
    packed[k] = entry(header, 3 + k);
    if (packed[k] > source.available() - packed_total) return truncated(array);
    packed_total += packed[k];
  }
  const Error damaged{array.where, "the compressed blocks do not have their announced sizes", "the file is damaged"};
  for (size_t k = 0; k < blocks; ++k) {
    const uint64_t size = k + 1 < blocks ? block : last;
    if (size > kTightestPacking * packed[k] + 64) return damaged;
  }

  const std::string_view all = source.first(header_size + static_cast<size_t>(packed_total));
  if (all.size() < header_size + packed_total) return truncated(array);
  std::string bytes;
  size_t at = header_size;
  for (size_t k = 0; k < blocks; ++k) {
    const uint64_t size = k + 1 < blocks ? block : last;
    const size_t before = bytes.size();
    bytes.resize(before + static_cast<size_t>(size));
    uLongf got = static_cast<uLongf>(size);
    const int code = uncompress(reinterpret_cast<Bytef*>(bytes.data() + before), &got,
                                reinterpret_cast<const Bytef*>(all.data() + at), static_cast<uLong>(packed[k]));
    if (code != Z_OK || got != size) return damaged;
    at += static_cast<size_t>(packed[k]);
  }
  return bytes;
}

#else
Result<std::string> inflated_bytes(const VtuArray& array, const VtuEncoding&) {
  return Error{array.where, "is compressed, and this build is without zlib", "save it without compression"};
}
#endif

Error wrong_count(const VtuArray& array, size_t found, int64_t wanted) {
  return {array.where, format("holds %zu numbers where %lld are expected", found, static_cast<long long>(wanted)),
          "the counts in the file do not fit each other"};
}

template <class Stored, class T>
void convert(std::string_view bytes, bool swap, std::vector<T>& values) {
  for (size_t k = 0; k < values.size(); ++k) {
    const Stored value = load<Stored>(bytes.data() + k * sizeof(Stored), swap);
    // A real number in place of an index: out of range for every mesh, but defined.
    if constexpr (std::is_floating_point_v<Stored> && !std::is_floating_point_v<T>)
      values[k] = std::abs(value) < 1e15 ? static_cast<T>(value) : T{-1};
    else
      values[k] = static_cast<T>(value);
  }
}

template <class T>
Result<std::vector<T>> read_text(const VtuArray& array, int64_t count) {
  Scanner scanner(array.data, array.where, Layout::free);
  std::vector<T> values;
  while (scanner.skip_space()) {
    T value;
    bool good;
    if constexpr (std::is_same_v<T, double>)
      good = scanner.real(value);
    else
      good = scanner.whole(value);
    if (!good)
      return Error{array.where, "expected a number, found " + in_quotes(scanner.peek_word()),
                   "the file may be damaged"};
    values.push_back(value);
  }
  if (count >= 0 && values.size() != static_cast<size_t>(count)) return wrong_count(array, values.size(), count);
  return values;
}

template <class T>
Result<std::vector<T>> read_array(const VtuArray& array, const VtuEncoding& encoding, int64_t count) {
  const int width = width_of(array.type);
  if (width == 0)
    return Error{array.where, "has the unknown type " + in_quotes(array.type),
                 "expected Float32, Float64, Int32, Int64, ..."};
  if (array.storage == VtuArray::Storage::text) return read_text<T>(array, count);

  const Result<std::string> bytes =
      encoding.compressed ? inflated_bytes(array, encoding) : plain_bytes(array, encoding);
  if (!bytes) return bytes.error();
  const size_t found = bytes->size() / static_cast<size_t>(width);
  if (bytes->size() % static_cast<size_t>(width) != 0 || (count >= 0 && found != static_cast<size_t>(count)))
    return wrong_count(array, found, count);

  std::vector<T> values(found);
  const bool is_signed = array.type[0] == 'I';
  if (array.type[0] == 'F')
    width == 4 ? convert<float>(*bytes, encoding.swap, values) : convert<double>(*bytes, encoding.swap, values);
  else if (width == 1)
    is_signed ? convert<int8_t>(*bytes, encoding.swap, values) : convert<uint8_t>(*bytes, encoding.swap, values);
  else if (width == 2)
    is_signed ? convert<int16_t>(*bytes, encoding.swap, values) : convert<uint16_t>(*bytes, encoding.swap, values);
  else if (width == 4)
    is_signed ? convert<int32_t>(*bytes, encoding.swap, values) : convert<uint32_t>(*bytes, encoding.swap, values);
  else
    is_signed ? convert<int64_t>(*bytes, encoding.swap, values) : convert<uint64_t>(*bytes, encoding.swap, values);
  return values;
}

}  // namespace

Result<std::vector<double>> read_reals(const VtuArray& array, const VtuEncoding& encoding, int64_t count) {
  return read_array<double>(array, encoding, count);
}
Result<std::vector<int64_t>> read_wholes(const VtuArray& array, const VtuEncoding& encoding, int64_t count) {
  return read_array<int64_t>(array, encoding, count);
}

}  // namespace sinew
