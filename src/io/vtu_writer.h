// Frames for ParaView: unstructured grids in VTK's XML format (.vtu, version 1.0, "VTK File Formats", section "XML"),
// appended raw data, 64-bit block headers.
//
// The format repeats the topology in every file. It is therefore deflated once and its bytes are reused by each frame,
// which makes it both small and free; the fields, whose digits hardly compress, are stored (deflate level 0), since
// all arrays of a file must be of one kind. Without zlib all arrays are plain.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "mesh/tet_mesh.h"

namespace sinew {

// values[i * components + c] of point or cell i.
struct VtuField {
  std::string_view name;
  std::span<const float> values;
  int components = 1;
};

class VtuWriter {
 public:
  // An integer for each cell, the same in all frames.
  using Label = std::pair<std::string, std::vector<int32_t>>;

  VtuWriter(std::span<const Tet> cells, size_t point_count, const std::vector<Label>& labels = {});
  VtuWriter(std::span<const Triangle> cells, size_t point_count, const std::vector<Label>& labels = {});

  // The file appears whole or not at all. `time` in seconds is kept in it as the field TimeValue.
  Status write(const std::filesystem::path& path, double time, std::span<const Vec3f> points,
               std::span<const VtuField> point_fields, std::span<const VtuField> cell_fields) const;

 private:
  // An array as it lies in the appended section, block header included.
  struct Array {
    std::string type;
    std::string name;
    int components;
    std::string block;
  };
  void set_topology(std::span<const int32_t> corners, int corners_per_cell, uint8_t cell_type,
                    const std::vector<Label>& labels);

  size_t point_count_ = 0;
  size_t cell_count_ = 0;
  std::vector<Array> labels_;
  std::vector<Array> topology_;  // connectivity, offsets, types
};

}  // namespace sinew
