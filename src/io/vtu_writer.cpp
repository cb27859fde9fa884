#include "io/vtu_writer.h"

#include <algorithm>
#include <charconv>

#include "base/format.h"
#include "io/atomic_file.h"
#include "io/bytes.h"
#include "io/deflate.h"

namespace sinew {

namespace {

// Connectivity shrinks to a quarter at level 1, and to no less at level 6, which takes seven times as long. Digits of
// fields shrink by a fifth at 40 MB/s; storing them runs at memory speed.
constexpr int kTopologyLevel = 1;
constexpr int kFieldLevel = 0;
constexpr size_t kBlockSize = size_t{1} << 20;

template <class T>
std::string_view bytes_of(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

// An array as it lies in the file, put together from pieces of a megabyte (but the last).
// Plain: the number of bytes, then the bytes. Deflated: number of pieces, size of a piece, size of the last piece if
// it is not full (else 0), the deflated size of each, then the pieces.
class Block {
 public:
  Block(size_t bytes, int level) : level_(level) {
    if (!can_deflate()) {
      append_bytes<uint64_t>(text_, bytes);
      text_.reserve(text_.size() + bytes);
      return;
    }
    const size_t count = (bytes + kBlockSize - 1) / kBlockSize;
    append_bytes<uint64_t>(text_, count);
    append_bytes<uint64_t>(text_, kBlockSize);
    append_bytes<uint64_t>(text_, bytes % kBlockSize);
    sizes_at_ = text_.size();
    text_.resize(text_.size() + count * sizeof(uint64_t));
    text_.reserve(text_.size() + (level == 0 ? bytes + 1024 * (count + 1) : 0));
  }
  void add(std::string_view piece) {
    if (!can_deflate()) {
      text_ += piece;
      return;
    }
    const size_t before = text_.size();
    append_deflated(text_, piece, level_);
    const uint64_t size = text_.size() - before;
    std::copy_n(reinterpret_cast<const char*>(&size), sizeof size, text_.data() + sizes_at_ + added_ * sizeof size);
    ++added_;
  }
  std::string take() { return std::move(text_); }

 private:
  int level_;
  std::string text_;
  size_t sizes_at_ = 0, added_ = 0;
};

std::string encode_block(std::string_view bytes, int level) {
  Block block(bytes.size(), level);
  for (size_t at = 0; at < bytes.size(); at += kBlockSize) block.add(bytes.substr(at, kBlockSize));
  return block.take();
}

// The field's values for items 0 .. count-1.
std::string encode_field(const VtuField& field, size_t count) {
  constexpr size_t piece = kBlockSize / sizeof(float);
  const auto components = static_cast<size_t>(field.components);
  Block block(count * components * sizeof(float), kFieldLevel);
  std::vector<float> values(piece + components);
  size_t filled = 0;
  for (size_t item = 0; item < count; ++item) {
    field.value(item, values.data() + filled);
    filled += components;
    if (filled < piece) continue;
    block.add(bytes_of(std::span<const float>(values.data(), piece)));
    std::copy(values.begin() + piece, values.begin() + static_cast<std::ptrdiff_t>(filled), values.begin());
    filled -= piece;
  }
  if (filled > 0) block.add(bytes_of(std::span<const float>(values.data(), filled)));
  return block.take();
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
  const auto [end, fault] = std::to_chars(digits, digits + sizeof digits, value);
  return {digits, end};
}

}  // namespace

VtuWriter::VtuWriter(std::span<const Tet> cells, size_t point_count, const std::vector<Label>& labels)
    : point_count_(point_count), cell_count_(cells.size()) {
  set_topology({reinterpret_cast<const int32_t*>(cells.data()), cells.size() * 4}, 4, 10, labels);
}

VtuWriter::VtuWriter(std::span<const Triangle> cells, size_t point_count, const std::vector<Label>& labels)
    : point_count_(point_count), cell_count_(cells.size()) {
  set_topology({reinterpret_cast<const int32_t*>(cells.data()), cells.size() * 3}, 3, 5, labels);
}

void VtuWriter::set_topology(std::span<const int32_t> corners, int corners_per_cell, uint8_t cell_type,
                             const std::vector<Label>& labels) {
  const bool offsets_fit = corners.size() <= 0x7fffffff;
  std::string offsets;
  offsets.reserve(cell_count_ * (offsets_fit ? 4 : 8));
  for (size_t c = 1; c <= cell_count_; ++c) {
    if (offsets_fit)
      append_bytes<int32_t>(offsets, static_cast<int32_t>(c * corners_per_cell));
    else
      append_bytes<int64_t>(offsets, static_cast<int64_t>(c * corners_per_cell));
  }
  const std::string types(cell_count_, static_cast<char>(cell_type));
  topology_.push_back({"Int32", "connectivity", 1, encode_block(bytes_of(corners), kTopologyLevel)});
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
  std::vector<Array> fresh;  // of this frame
  for (const VtuField& field : point_fields)
    fresh.push_back({"Float32", escaped(field.name), field.components, encode_field(field, point_count_)});
  for (const VtuField& field : cell_fields)
    fresh.push_back({"Float32", escaped(field.name), field.components, encode_field(field, cell_count_)});
  fresh.push_back({"Float32", "Points", 3, encode_field(points, point_count_)});

  std::string head = "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"";
  head += machine_is_little ? "LittleEndian" : "BigEndian";
  head += "\" header_type=\"UInt64\"";
  if (can_deflate()) head += " compressor=\"vtkZLibDataCompressor\"";
  head += ">\n  <UnstructuredGrid>\n    <FieldData>\n      <DataArray type=\"Float64\" Name=\"TimeValue\"";
  head += " NumberOfTuples=\"1\" format=\"ascii\">" + shortest(time) + "</DataArray>\n    </FieldData>\n";
  head += format("    <Piece NumberOfPoints=\"%zu\" NumberOfCells=\"%zu\">\n", point_count_, cell_count_);

  std::vector<const std::string*> blocks;  // in the order of the file
  uint64_t offset = 0;
  const auto refer = [&](const Array& array) {
    head += format(
        "        <DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" offset=\"%llu\"/>\n",
        array.type.c_str(), array.name.c_str(), array.components, static_cast<unsigned long long>(offset));
    offset += array.block.size();
    blocks.push_back(&array.block);
  };
  head += "      <PointData>\n";
  for (size_t k = 0; k < point_fields.size(); ++k) refer(fresh[k]);
  head += "      </PointData>\n      <CellData>\n";
  for (size_t k = 0; k < cell_fields.size(); ++k) refer(fresh[point_fields.size() + k]);
  for (const Array& label : labels_) refer(label);
  head += "      </CellData>\n      <Points>\n";
  refer(fresh.back());
  head += "      </Points>\n      <Cells>\n";
  for (const Array& array : topology_) refer(array);
  head += "      </Cells>\n    </Piece>\n  </UnstructuredGrid>\n  <AppendedData encoding=\"raw\">\n_";

  Result<AtomicFile> file = AtomicFile::create(path);
  if (!file) return file.error();
  if (Status status = file->write(head); !status) return status;
  for (const std::string* block : blocks)
    if (Status status = file->write(*block); !status) return status;
  if (Status status = file->write(std::string_view("\n  </AppendedData>\n</VTKFile>\n")); !status) return status;
  return file->commit();
}

}  // namespace sinew
