#include "files/vtu_writer.h"

#include <algorithm>

#include "base/digits.h"
#include "base/format.h"
#include "files/atomic_file.h"
#include "io/bytes.h"
#include "io/deflate.h"
#include "io/vtk_cells.h"

namespace sinew {

namespace {

// Connectivity shrinks to a quarter at level 1, and no further at level 6, which takes seven times as long. Digits of
// fields shrink by a fifth at 40 MB/s; storing them runs at memory speed.
constexpr int kTopologyLevel = 1;
constexpr int kFieldLevel = 0;
constexpr size_t kBlockSize = size_t{1} << 20;

template <class T>
std::string_view bytes_of(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

// An array as it lies in the file.
// Plain: the number of bytes, then the bytes. Deflated: number of pieces, size of a piece, size of the last piece if
// it is not full (else 0), the deflated size of each, then the pieces.
std::string encode_block(std::string_view bytes, int level) {
  std::string block;
  if (!can_deflate()) {
    append_bytes<uint64_t>(block, bytes.size());
    block += bytes;
    return block;
  }
  const size_t count = (bytes.size() + kBlockSize - 1) / kBlockSize;
  append_bytes<uint64_t>(block, count);
  append_bytes<uint64_t>(block, kBlockSize);
  append_bytes<uint64_t>(block, bytes.size() % kBlockSize);
  const size_t sizes_at = block.size();
  block.resize(block.size() + count * sizeof(uint64_t));
  for (size_t k = 0; k < count; ++k) {
    const size_t before = block.size();
    append_deflated(block, bytes.substr(k * kBlockSize, kBlockSize), level);
    const uint64_t size = block.size() - before;
    std::copy_n(reinterpret_cast<const char*>(&size), sizeof size, block.data() + sizes_at + k * sizeof size);
  }
  return block;
}

// Fields are written as they are evaluated. Their size is known in advance, since stored pieces are not compressed.
size_t stored_size(size_t bytes) {
  if (!can_deflate()) return bytes;
  std::string stored;
  append_deflated(stored, std::string(bytes, '\0'), kFieldLevel);
  return stored.size();
}

struct FieldSize {
  std::vector<uint64_t> pieces;  // as stored
  uint64_t total;                // with the header
};
FieldSize size_of(const VtuField& field, size_t count, size_t bytes_of_number) {
  const size_t bytes = count * static_cast<size_t>(field.components) * bytes_of_number;
  if (!can_deflate()) return {{}, sizeof(uint64_t) + bytes};
  FieldSize size;
  size.pieces.assign(bytes / kBlockSize, bytes < kBlockSize ? 0 : stored_size(kBlockSize));
  if (bytes % kBlockSize > 0) size.pieces.push_back(stored_size(bytes % kBlockSize));
  size.total = (3 + size.pieces.size()) * sizeof(uint64_t);
  for (const uint64_t piece : size.pieces) size.total += piece;
  return size;
}

// The field's values for items 0 .. count-1, as numbers of type T.
template <class T>
Status write_field(AtomicFile& file, const VtuField& field, size_t count) {
  const auto components = static_cast<size_t>(field.components);
  const size_t bytes = count * components * sizeof(T);
  std::string text;
  if (can_deflate()) {
    const FieldSize size = size_of(field, count, sizeof(T));
    append_bytes<uint64_t>(text, size.pieces.size());
    append_bytes<uint64_t>(text, kBlockSize);
    append_bytes<uint64_t>(text, bytes % kBlockSize);
    for (const uint64_t piece : size.pieces) append_bytes<uint64_t>(text, piece);
  } else {
    append_bytes<uint64_t>(text, bytes);
  }

  constexpr size_t piece = kBlockSize / sizeof(T);
  std::vector<T> values(piece + components);
  std::vector<double> item_values(components);
  size_t filled = 0;
  const auto flush = [&](size_t number) {
    const std::string_view raw = bytes_of(std::span<const T>(values.data(), number));
    if (!can_deflate())
      text += raw;
    else if (number > 0)
      append_deflated(text, raw, kFieldLevel);
    const Status status = file.write(text);
    text.clear();
    return status;
  };
  for (size_t item = 0; item < count; ++item) {
    field.value(item, item_values.data());
    for (const double value : item_values) values[filled++] = static_cast<T>(value);
    if (filled < piece) continue;
    if (Status status = flush(piece); !status) return status;
    std::copy(values.begin() + piece, values.begin() + static_cast<std::ptrdiff_t>(filled), values.begin());
    filled -= piece;
  }
  return flush(filled);
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '"')
      result += "&quot;";
    else
      result += c;
  }
  return result;
}

std::string shortest(double value) {
  char digits[32];
  const auto [end, fault] = write_digits(digits, digits + sizeof digits, value);
  return {digits, end};
}

}  // namespace

VtuWriter::VtuWriter(std::span<const Tet> cells, size_t point_count, const std::vector<Label>& labels)
    : VtuWriter(cells, {}, {}, point_count, labels) {}

VtuWriter::VtuWriter(std::span<const Tet> cells, std::span<const Middles> middles, std::span<const Line> lines,
                     size_t point_count, const std::vector<Label>& labels)
    : point_count_(point_count), cell_count_(cells.size() + lines.size()) {
  SINEW_ASSERT(middles.empty() || middles.size() == cells.size());
  const auto type_of = [&](size_t c) {
    if (is_triangle(cells[c])) return kVtkTriangle;
    return middles.empty() || middles[c][0] == no_middle ? kVtkTet : kVtkQuadraticTet;
  };
  // Runs of one type, in order.
  std::vector<Cells> groups;
  std::vector<std::vector<int32_t>> gathered;
  for (size_t first = 0; first < cells.size();) {
    const int type = type_of(first);
    size_t last = first + 1;
    while (last < cells.size() && type_of(last) == type) ++last;
    if (type == kVtkTet) {
      groups.push_back({{cells[first].data(), 4 * (last - first)}, 4, kVtkTet});
      first = last;
      continue;
    }
    const size_t point_count_of_cell = type == kVtkTriangle ? 3 : 10;
    std::vector<int32_t>& points = gathered.emplace_back();
    points.reserve(point_count_of_cell * (last - first));
    for (; first < last; ++first) {
      const auto corners = corners_of(cells[first]);
      points.insert(points.end(), corners.begin(), corners.end());
      if (type == kVtkTriangle) continue;
      for (const size_t edge : kVtkMiddles) points.push_back(middles[first][edge]);
    }
    groups.push_back({points, point_count_of_cell, static_cast<uint8_t>(type)});
  }
  groups.push_back({{reinterpret_cast<const int32_t*>(lines.data()), lines.size() * 2}, 2, kVtkLine});
  set_topology(groups, labels);
}

VtuWriter::VtuWriter(std::span<const Triangle> cells, size_t point_count, const std::vector<Label>& labels)
    : point_count_(point_count), cell_count_(cells.size()) {
  const Cells groups[] = {{{reinterpret_cast<const int32_t*>(cells.data()), cells.size() * 3}, 3, kVtkTriangle}};
  set_topology(groups, labels);
}

void VtuWriter::set_topology(std::span<const Cells> groups, const std::vector<Label>& labels) {
  size_t corner_count = 0;
  for (const Cells& cells : groups) corner_count += cells.corners.size();
  const bool offsets_fit = corner_count <= 0x7fffffff;
  std::string corners, offsets, types;
  corners.reserve(corner_count * sizeof(int32_t));
  offsets.reserve(cell_count_ * (offsets_fit ? 4 : 8));
  size_t end = 0;
  for (const Cells& cells : groups) {
    corners += bytes_of(cells.corners);
    for (size_t c = 0; c < cells.corners.size() / cells.corners_per_cell; ++c) {
      end += cells.corners_per_cell;
      if (offsets_fit)
        append_bytes<int32_t>(offsets, static_cast<int32_t>(end));
      else
        append_bytes<int64_t>(offsets, static_cast<int64_t>(end));
    }
    types.append(cells.corners.size() / cells.corners_per_cell, static_cast<char>(cells.type));
  }
  topology_.push_back({"Int32", "connectivity", 1, encode_block(corners, kTopologyLevel)});
  topology_.push_back({offsets_fit ? "Int32" : "Int64", "offsets", 1, encode_block(offsets, kTopologyLevel)});
  topology_.push_back({"UInt8", "types", 1, encode_block(types, kTopologyLevel)});
  for (const auto& [name, values] : labels) {
    SINEW_ASSERT(values.size() == cell_count_);
    labels_.push_back({"Int32", name, 1, encode_block(bytes_of(std::span(values)), kTopologyLevel)});
  }
}

Status VtuWriter::write(const std::filesystem::path& path, double time, const VtuField& points,
                        std::span<const VtuField> point_fields, std::span<const VtuField> cell_fields) const {
  SINEW_ASSERT(points.components == 3);
  std::string head = "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"";
  head += machine_is_little ? "LittleEndian" : "BigEndian";
  head += "\" header_type=\"UInt64\"";
  if (can_deflate()) head += " compressor=\"vtkZLibDataCompressor\"";
  head += ">\n  <UnstructuredGrid>\n    <FieldData>\n      <DataArray type=\"Float64\" Name=\"TimeValue\"";
  head += " NumberOfTuples=\"1\" format=\"ascii\">" + shortest(time) + "</DataArray>\n";
  for (const auto& [name, number] : numbers_)
    head += "      <DataArray type=\"Int32\" Name=\"" + escaped(name) +
            format("\" NumberOfTuples=\"1\" format=\"ascii\">%d</DataArray>\n", number);
  head += "    </FieldData>\n";
  head += format("    <Piece NumberOfPoints=\"%zu\" NumberOfCells=\"%zu\">\n", point_count_, cell_count_);

  // In the order of the file: the head refers to the data after it.
  uint64_t offset = 0;
  const auto refer = [&](const std::string& type, const std::string& name, int components, uint64_t size,
                         std::span<const char* const> component_names = {}) {
    head += format("        <DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\"", type.c_str(), name.c_str(),
                   components);
    for (size_t c = 0; c < component_names.size(); ++c)
      head += format(" ComponentName%zu=\"%s\"", c, component_names[c]);
    head += format(" format=\"appended\" offset=\"%llu\"/>\n", static_cast<unsigned long long>(offset));
    offset += size;
  };
  const auto refer_field = [&](const VtuField& field, size_t count) {
    const size_t bytes_of_number = in_double_ ? sizeof(double) : sizeof(float);
    refer(in_double_ ? "Float64" : "Float32", escaped(field.name), field.components,
          size_of(field, count, bytes_of_number).total, field.component_names);
  };
  const auto refer_array = [&](const Array& array) {
    refer(array.type, array.name, array.components, array.block.size());
  };
  head += "      <PointData>\n";
  for (const VtuField& field : point_fields) refer_field(field, point_count_);
  head += "      </PointData>\n      <CellData>\n";
  for (const VtuField& field : cell_fields) refer_field(field, cell_count_);
  for (const Array& label : labels_) refer_array(label);
  head += "      </CellData>\n      <Points>\n";
  refer_field(points, point_count_);
  head += "      </Points>\n      <Cells>\n";
  for (const Array& array : topology_) refer_array(array);
  head += "      </Cells>\n    </Piece>\n  </UnstructuredGrid>\n  <AppendedData encoding=\"raw\">\n_";

  // The first failure is kept, so one check at the end is enough.
  Result<AtomicFile> file = AtomicFile::create(path);
  if (!file) return file.error();
  (void)file->write(head);
  const auto write_all = [&](const VtuField& field, size_t count) {
    (void)(in_double_ ? write_field<double>(*file, field, count) : write_field<float>(*file, field, count));
  };
  for (const VtuField& field : point_fields) write_all(field, point_count_);
  for (const VtuField& field : cell_fields) write_all(field, cell_count_);
  for (const Array& label : labels_) (void)file->write(label.block);
  write_all(points, point_count_);
  for (const Array& array : topology_) (void)file->write(array.block);
  (void)file->write(std::string_view("\n  </AppendedData>\n</VTKFile>\n"));
  return file->commit();
}

}  // namespace sinew
