// Frames for ParaView: unstructured grids in VTK's XML format (.vtu, version 1.0, "VTK File Formats", section "XML"),
// appended raw data, 64-bit block headers.
//
// The format repeats the topology in every file. It is therefore compressed once and its bytes are reused by each
// frame, which makes it both small and free; the fields, whose digits hardly compress, are stored (deflate level 0),
// since all arrays of a file must have the same encoding. Without zlib all arrays are plain.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "mesh/tet_mesh.h"

namespace sinew {

using Line = std::array<int32_t, 2>;

// One or more numbers for each point or cell. Evaluated item by item while the file is written, so that no array is
// needed. Written in the precision of the file.
struct VtuField {
  std::string_view name;
  int components = 1;
  std::function<void(size_t item, double* values)> value;
  std::span<const char* const> component_names{};  // one per component; or none

  // values[i * components + c] of item i.
  static VtuField of(std::string_view name, std::span<const float> values, int components = 1) {
    return of_values(name, values, components);
  }
  static VtuField of(std::string_view name, std::span<const double> values, int components = 1) {
    return of_values(name, values, components);
  }

 private:
  template <class T>
  static VtuField of_values(std::string_view name, std::span<const T> values, int components) {
    return {name,
            components,
            [=](size_t item, double* out) {
              std::copy_n(values.data() + item * static_cast<size_t>(components), components, out);
            },
            {}};
  }
};

class VtuWriter {
 public:
  // An integer for each cell, the same in all frames.
  using Label = std::pair<std::string, std::vector<int32_t>>;

  VtuWriter(std::span<const Tet> cells, size_t point_count, const std::vector<Label>& labels = {});
  // Tets, with their middles if there are any, and triangles (mesh/tet_mesh.h), then lines.
  VtuWriter(std::span<const Tet> cells, std::span<const Middles> middles, std::span<const Line> lines,
            size_t point_count, const std::vector<Label>& labels = {});
  VtuWriter(std::span<const Triangle> cells, size_t point_count, const std::vector<Label>& labels = {});

  // Named numbers, written to every file as field data of one value each.
  void set_numbers(std::vector<std::pair<std::string, int32_t>> numbers) { numbers_ = std::move(numbers); }
  // Whether fields are in double precision, with twice the size, or in single.
  void set_double(bool in_double) { in_double_ = in_double; }

  // The file appears whole or not at all. `time` [s] is stored as the field TimeValue. `points`: three components, [m].
  Status write(const std::filesystem::path& path, double time, const VtuField& points,
               std::span<const VtuField> point_fields, std::span<const VtuField> cell_fields) const;

 private:
  // An array as stored in the appended section, block header included.
  struct Array {
    std::string type;
    std::string name;
    int components;
    std::string block;
  };
  // Cells of one type, by the indices of their points.
  struct Cells {
    std::span<const int32_t> corners;
    size_t corners_per_cell;
    uint8_t type;
  };
  void set_topology(std::span<const Cells> groups, const std::vector<Label>& labels);

  bool in_double_ = false;
  size_t point_count_ = 0;
  size_t cell_count_ = 0;
  std::vector<Array> labels_;
  std::vector<std::pair<std::string, int32_t>> numbers_;
  std::vector<Array> topology_;  // connectivity, offsets, types
};

}  // namespace sinew
