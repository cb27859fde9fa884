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

// Plain: the number of bytes, then the bytes. Deflated: number of blocks, size of a block, size of the last block if
// it is not full (else 0), the deflated size of each, then the blocks.
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
  block.reserve(block.size() + (level == 0 ? bytes.size() + 1024 * (count + 1) : 0));
  for (size_t k = 0; k < count; ++k) {
    const size_t before = block.size();
    append_deflated(block, bytes.substr(k * kBlockSize, kBlockSize), level);
    const uint64_t size = block.size() - before;
    std::copy_n(reinterpret_cast<const char*>(&size), sizeof size, block.data() + sizes_at + k * sizeof size);
  }
  return block;
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

Status VtuWriter::write(const std::filesystem::path& path, double time, std::span<const Vec3f> points,
                        std::span<const VtuField> point_fields, std::span<const VtuField> cell_fields) const {
  SINEW_ASSERT(points.size() == point_count_);
  static_assert(sizeof(Vec3f) == 3 * sizeof(float));

  std::vector<Array> fresh;  // of this frame
  const auto encode_fields = [&](std::span<const VtuField> fields, [[maybe_unused]] size_t count) {
    for (const VtuField& field : fields) {
      SINEW_ASSERT(field.values.size() == count * static_cast<size_t>(field.components));
      fresh.push_back(
          {"Float32", escaped(field.name), field.components, encode_block(bytes_of(field.values), kFieldLevel)});
    }
  };
  encode_fields(point_fields, point_count_);
  encode_fields(cell_fields, cell_count_);
  fresh.push_back({"Float32", "Points", 3, encode_block(bytes_of(points), kFieldLevel)});

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
