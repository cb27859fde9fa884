#include "io/vtk_legacy.h"

#include <cmath>
#include <limits>
#include <optional>

#include "base/format.h"
#include "io/byte_cursor.h"
#include "io/records.h"
#include "io/text_writer.h"
#include "io/vtk_cells.h"

namespace sinew {

namespace {

enum class Type { int8, uint8, int16, uint16, int32, uint32, int64, uint64, float32, float64 };
constexpr int kWidth[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};

std::optional<Type> type_of(std::string_view word) {
  struct Name {
    std::string_view word;
    Type type;
  };
  constexpr Name kNames[] = {{"char", Type::int8},
                             {"signed_char", Type::int8},
                             {"unsigned_char", Type::uint8},
                             {"short", Type::int16},
                             {"unsigned_short", Type::uint16},
                             {"int", Type::int32},
                             {"unsigned_int", Type::uint32},
                             {"long", Type::int64},
                             {"unsigned_long", Type::uint64},
                             {"vtktypeint64", Type::int64},
                             {"vtktypeuint64", Type::uint64},
                             {"vtkIdType", Type::int32},
                             {"vtkidtype", Type::int32},
                             {"float", Type::float32},
                             {"double", Type::float64}};
  for (const Name& name : kNames)
    if (name.word == word) return name.type;
  return {};
}

// Cells of one kind of section: the points of cell c end at ends[c].
struct Cells {
  std::vector<int64_t> points;
  std::vector<int64_t> ends;
};

class VtkReader {
 public:
  VtkReader(std::string_view bytes, std::string_view name, ThreadPool& pool)
      : name_(name), scanner_(bytes, name, Layout::free), pool_(pool) {}

  Result<MeshData> run() {
    if (scanner_.at_end()) return Error{std::string(name_), "is empty", "save it again"};
    if (Status status = header(); !status) return status.error();
    bool going_on = true;
    while (going_on && scanner_.skip_space()) {
      section_at_ = scanner_.offset();
      const std::string keyword(scanner_.word());
      if (Status status = section(keyword, going_on); !status) return status.error();
    }
    return finish();
  }

 private:
  Status header() {
    if (scanner_.rest_of_line().substr(0, 14) != "# vtk DataFile") {
      scanner_.seek(0);
      return scanner_.expected("'# vtk DataFile Version'", "only legacy VTK files start without it");
    }
    scanner_.skip_line();
    scanner_.skip_line();  // the title
    const std::string_view encoding = scanner_.word();
    if (encoding != "ASCII" && encoding != "BINARY")
      return scanner_.fault("expected ASCII or BINARY in the third line, found " + in_quotes(encoding),
                            "the file may be truncated");
    binary_ = encoding == "BINARY";
    return {};
  }

  Status section(const std::string& keyword, bool& going_on) {
    if (keyword == "DATASET") return dataset();
    if (keyword == "POINTS") return points();
    if (keyword == "CELLS") return cells(0);
    if (keyword == "CELL_TYPES") return cell_types();
    if (keyword == "POLYGONS") return cells(kVtkPolygon);
    if (keyword == "VERTICES") return cells(1);
    if (keyword == "LINES") return cells(4);
    if (keyword == "TRIANGLE_STRIPS") return cells(6);
    if (keyword == "METADATA") return metadata();
    if (keyword == "FIELD") return field();
    if (keyword == "POINT_DATA" || keyword == "CELL_DATA") {
      in_cell_data_ = keyword == "CELL_DATA";
      return count("values", 0, values_);
    }
    if (Status status = attribute(keyword, going_on); !status || going_on) return status;
    // Only data follow the cells; an unknown keyword there ends reading without an error.
    if (has_cells_) return {};
    return scanner_.fault_at(section_at_, "expected POINTS, CELLS or CELL_TYPES, found " + in_quotes(keyword),
                             "the count of the section before may be wrong");
  }

  Status dataset() {
    const std::string_view kind = scanner_.peek_word();
    if (kind == "UNSTRUCTURED_GRID" || kind == "POLYDATA") {
      scanner_.word();
      return {};
    }
    return scanner_.expected("UNSTRUCTURED_GRID or POLYDATA", "other data sets hold no tetrahedra or triangles");
  }

  // `width` bytes each in binary files, 0 if the file gives it only later.
  Status count(const char* items, int width, int64_t& count) {
    if (!scanner_.whole(count)) return scanner_.expected(std::string("the count of ") + items);
    const int64_t least = binary_ ? std::max(1, width) : 2;
    if (count > 4 * most_items || !scanner_.can_hold(count, least) || (!binary_ && count > most_items * 4))
      return scanner_.too_many(items, count, section_at_);
    return {};
  }

  Status points() {
    if (has_points_) return scanner_.fault_at(section_at_, "a second section POINTS", "remove one of them");
    has_points_ = true;
    int64_t items;
    if (Status status = count("points", 6, items); !status) return status;
    if (items > most_items) return scanner_.too_many("points", items, section_at_);
    Type type;
    if (Status status = read_type(type); !status) return status;
    data_.vertices.resize(static_cast<size_t>(items));
    const size_t start = scanner_.offset();
    return read<double>(type, 3 * items, "a coordinate", [&](int64_t k, double value, const Scanner& at) -> Status {
      if (!std::isfinite(value)) return bad_coordinate(place(at, start, k, type), k / 3, value);
      Vec3d& x = data_.vertices[static_cast<size_t>(k / 3)];
      (k % 3 == 0 ? x.x : k % 3 == 1 ? x.y : x.z) = value;
      return {};
    });
  }

  // CELLS n size, where each cell is its number of points followed by the points; or, since version 5.0,
  // CELLS n+1 size, OFFSETS type ..., CONNECTIVITY type ... Polygons etc. are stored in the same way and have a type.
  Status cells(int64_t fixed_type) {
    Cells cells;
    int64_t items, size;
    if (Status status = count("cells", 4, items); !status) return status;
    if (Status status = count("cell entries", 4, size); !status) return status;
    const size_t here = scanner_.offset();
    if (scanner_.peek_word() == "OFFSETS") {
      if (Status status = modern_cells(items, size, cells); !status) return status;
    } else {
      scanner_.seek(here);
      if (Status status = listed_cells(items, size, cells); !status) return status;
    }
    if (fixed_type == 0) {
      if (!cells_.ends.empty()) return scanner_.fault_at(section_at_, "a second section CELLS", "remove one of them");
      cells_ = std::move(cells);
      has_cell_list_ = true;
      return {};
    }
    has_cells_ = true;
    for (size_t c = 0; c < cells.ends.size(); ++c)
      if (Status status = add_cell(cells, c, fixed_type, 0); !status) return status;
    return {};
  }

  Status modern_cells(int64_t items, int64_t size, Cells& cells) {
    const auto integers = [&](const char* keyword, int64_t wanted, std::vector<int64_t>& values) -> Status {
      if (scanner_.peek_word() != keyword) return scanner_.expected(keyword);
      scanner_.word();
      Type type;
      if (Status status = read_type(type); !status) return status;
      values.resize(static_cast<size_t>(wanted));
      return read<int64_t>(type, wanted, "an index", [&](int64_t k, int64_t value, const Scanner&) -> Status {
        values[static_cast<size_t>(k)] = value;
        return {};
      });
    };
    if (Status status = integers("OFFSETS", items, cells.ends); !status) return status;
    if (Status status = integers("CONNECTIVITY", size, cells.points); !status) return status;
    if (!cells.ends.empty()) {
      bool rising = cells.ends.front() == 0 && cells.ends.back() == size;
      for (size_t c = 1; c < cells.ends.size(); ++c) rising = rising && cells.ends[c] >= cells.ends[c - 1];
      if (!rising)
        return scanner_.fault_at(section_at_,
                                 format("OFFSETS do not rise from 0 to %lld", static_cast<long long>(size)),
                                 "the file is damaged");
      cells.ends.erase(cells.ends.begin());
    }
    return {};
  }

  Status listed_cells(int64_t items, int64_t size, Cells& cells) {
    if (items > size)
      return scanner_.fault_at(section_at_,
                               format("announces %lld cells, but only %lld numbers for them",
                                      static_cast<long long>(items), static_cast<long long>(size)),
                               "correct the counts");
    cells.ends.reserve(static_cast<size_t>(items));
    cells.points.resize(static_cast<size_t>(size));
    const size_t start = scanner_.offset();
    const Status status =
        read<int64_t>(Type::int32, size, "a point index", [&](int64_t k, int64_t value, const Scanner&) -> Status {
          cells.points[static_cast<size_t>(k)] = value;
          return {};
        });
    // Also before an invalid number: counts that do not fit are reported first.
    if (Status fits = part_cells(items, status ? size : binary_ ? 0 : words_since(start), cells); !fits) return fits;
    if (!status) return status;
    if (static_cast<int64_t>(cells.ends.size()) != items)
      return scanner_.fault_at(
          section_at_, format("announces %lld cells, but %zu follow", static_cast<long long>(items), cells.ends.size()),
          "correct the counts");
    return {};
  }

  // Converts the first `known` numbers of a list, where each cell is its number of points followed by the points.
  Status part_cells(int64_t items, int64_t known, Cells& cells) {
    const auto size = static_cast<int64_t>(cells.points.size());
    int64_t points = 0;  // kept so far, before the current ones
    for (int64_t k = 0; k < known;) {
      const int64_t value = cells.points[k++];
      if (static_cast<int64_t>(cells.ends.size()) == items || value < 0 || value > size - k)
        return scanner_.fault_at(
            section_at_,
            format("the point counts of the cells do not fit the %lld cells and %lld numbers announced",
                   static_cast<long long>(items), static_cast<long long>(size)),
            "correct the counts");
      for (const int64_t end = std::min(k + value, known); k < end; ++k) cells.points[points++] = cells.points[k];
      cells.ends.push_back(points);
    }
    cells.points.resize(static_cast<size_t>(points));
    return {};
  }

  // The number of words between `start` and the scanner.
  int64_t words_since(size_t start) const {
    Scanner scanner = scanner_;
    scanner.seek(start);
    return scanner.words_before(scanner_.offset());
  }

  Status cell_types() {
    int64_t items;
    if (Status status = count("cell types", 4, items); !status) return status;
    types_.resize(static_cast<size_t>(items));
    has_cells_ = true;
    return read<int64_t>(Type::int32, items, "a cell type", [&](int64_t k, int64_t value, const Scanner&) -> Status {
      types_[static_cast<size_t>(k)] = value;
      return {};
    });
  }

  // Skips text up to an empty line, in binary files too.
  Status metadata() {
    scanner_.skip_line();
    while (!scanner_.at_end()) {
      const bool empty = scanner_.rest_of_line().empty();
      scanner_.skip_line();
      if (empty) break;
    }
    return {};
  }

  Status field() {
    int64_t arrays;
    scanner_.word();  // its name
    if (Status status = count("arrays", 0, arrays); !status) return status;
    for (int64_t a = 0; a < arrays; ++a) {
      scanner_.skip_space();
      section_at_ = scanner_.offset();
      std::string name(scanner_.word());
      if (name == "METADATA") {
        if (Status status = metadata(); !status) return status;
        --a;
        continue;
      }
      int64_t components, tuples;
      if (!scanner_.whole(components) || !scanner_.whole(tuples)) return scanner_.expected("the size of an array");
      const std::string_view word = scanner_.peek_word();
      if (word == "string") return scanner_.expected("an array of numbers", "remove the array of strings");
      Type type;
      if (Status status = read_type(type); !status) return status;
      if (components < 0 || tuples < 0 || (components > 0 && tuples > std::numeric_limits<int64_t>::max() / components))
        return scanner_.too_many("values", tuples, section_at_);
      if (Status status = cell_values(name, type, components, components * tuples); !status) return status;
    }
    return {};
  }

  // SCALARS and its relatives under POINT_DATA and CELL_DATA. going_on = false: not one of these.
  Status attribute(const std::string& keyword, bool& going_on) {
    int64_t components = 0;
    if (keyword == "SCALARS" || keyword == "GLOBAL_IDS" || keyword == "PEDIGREE_IDS" || keyword == "EDGE_FLAGS")
      components = 1;
    else if (keyword == "VECTORS" || keyword == "NORMALS")
      components = 3;
    else if (keyword == "TENSORS")
      components = 9;
    else if (keyword == "TENSORS6")
      components = 6;
    going_on = components > 0 || keyword == "LOOKUP_TABLE";
    if (!going_on) return {};
    const std::string name(scanner_.word());
    if (keyword == "LOOKUP_TABLE") {
      int64_t size;
      if (Status status = count("colours", 4, size); !status) return status;
      return skip_values(binary_ ? Type::uint8 : Type::float32, 4 * size);
    }
    Type type;
    scanner_.skip_space();
    const std::optional<Type> known = type_of(scanner_.peek_word());
    if (!known) {
      going_on = false;
      return {};
    }
    scanner_.word();
    type = *known;
    if (keyword == "SCALARS") {
      // "SCALARS name type [components]" and, on the next line, the name of its colours.
      const std::string_view rest = scanner_.rest_of_line();
      to_whole(rest, components);
      if (components < 1 || components > 4) components = 1;
      scanner_.skip_space();
      if (scanner_.peek_word() == "LOOKUP_TABLE") {
        scanner_.word();
        scanner_.word();
      }
    }
    return cell_values(name, type, components, components * values_);
  }

  Status cell_values(const std::string& name, Type type, int64_t components, int64_t total) {
    const size_t rank = region_rank(name);
    if (!in_cell_data_ || components != 1 || rank >= best_region_) return skip_values(type, total);
    if (!scanner_.can_hold(total, binary_ ? kWidth[int(type)] : 2))
      return scanner_.too_many("values", total, section_at_);
    best_region_ = rank;
    labels_.resize(static_cast<size_t>(total));
    return read<double>(type, total, "a value", [&](int64_t k, double value, const Scanner&) -> Status {
      labels_[static_cast<size_t>(k)] = value;
      return {};
    });
  }

  Status skip_values(Type type, int64_t total) {
    if (total < 0 || !scanner_.can_hold(total, binary_ ? kWidth[int(type)] : 1))
      return scanner_.too_many("values", total, section_at_);
    if (!binary_) {
      return read_records(pool_, scanner_, total, 1, [](Scanner& scanner, int64_t) -> Status {
        return scanner.word().empty() ? Status(scanner.expected("a value")) : Status();
      });
    }
    scanner_.skip_line();
    scanner_.seek(scanner_.offset() + std::min(scanner_.remaining(), static_cast<size_t>(total * kWidth[int(type)])));
    return {};
  }

  Status read_type(Type& type) {
    const std::optional<Type> known = type_of(scanner_.peek_word());
    if (!known) return scanner_.expected("a type of numbers, such as double");
    scanner_.word();
    type = *known;
    return {};
  }

  // Passes `total` numbers to use(k, value, scanner), in text by all threads with a scanner each. Binary numbers start
  // on the next line and are big endian.
  template <class T, class Use>
  Status read(Type type, int64_t total, const char* what, const Use& use) {
    if (!binary_) {
      if (!scanner_.can_hold(total, 1)) return scanner_.too_many("values", total, section_at_);
      return read_records(pool_, scanner_, total, 1, [&](Scanner& scanner, int64_t k) -> Status {
        T value;
        bool good;
        if constexpr (std::is_same_v<T, double>)
          good = scanner.real(value);
        else
          good = scanner.whole(value);
        return good ? use(k, value, scanner) : Status(scanner.expected(what));
      });
    }
    scanner_.skip_line();
    ByteCursor cursor(scanner_.bytes(), name_, scanner_.offset(), machine_is_little);
    if (!cursor.can_hold(total, kWidth[int(type)])) return scanner_.too_many("values", total, section_at_);
    for (int64_t k = 0; k < total; ++k) {
      T value{};
      switch (type) {
        case Type::int8:
          value = get<int8_t, T>(cursor);
          break;
        case Type::uint8:
          value = get<uint8_t, T>(cursor);
          break;
        case Type::int16:
          value = get<int16_t, T>(cursor);
          break;
        case Type::uint16:
          value = get<uint16_t, T>(cursor);
          break;
        case Type::int32:
          value = get<int32_t, T>(cursor);
          break;
        case Type::uint32:
          value = get<uint32_t, T>(cursor);
          break;
        case Type::int64:
          value = get<int64_t, T>(cursor);
          break;
        case Type::uint64:
          value = get<uint64_t, T>(cursor);
          break;
        case Type::float32:
          value = get<float, T>(cursor);
          break;
        case Type::float64:
          value = get<double, T>(cursor);
          break;
      }
      if (Status status = use(k, value, scanner_); !status) return status;
    }
    scanner_.seek(cursor.offset());
    return {};
  }

  template <class Stored, class T>
  static T get(ByteCursor& cursor) {
    Stored value{};
    cursor.get(value);
    // A real number in place of an index: out of range for every mesh, but defined.
    if constexpr (std::is_floating_point_v<Stored> && !std::is_floating_point_v<T>)
      return std::abs(value) < 1e15 ? static_cast<T>(value) : T{-1};
    else
      return static_cast<T>(value);
  }

  // The place of the k-th number of an array that began at `start`; in text it was just read.
  std::string place(Scanner scanner, size_t start, int64_t k, Type type) const {
    if (!binary_) return scanner.place(scanner.offset());
    scanner.seek(start);
    scanner.skip_line();
    return std::string(name_) + format(": byte %zu", scanner.offset() + static_cast<size_t>(k * kWidth[int(type)]));
  }

  Status add_cell(const Cells& cells, size_t c, int64_t type, int32_t region) {
    const auto start = static_cast<size_t>(c == 0 ? 0 : cells.ends[c - 1]);
    const auto end = static_cast<size_t>(cells.ends[c]);
    return add_vtk_cell(type, std::span(cells.points).subspan(start, end - start), static_cast<int64_t>(c), 0,
                        static_cast<int64_t>(data_.vertices.size()), region, where_, data_);
  }

  Result<MeshData> finish() {
    if (!has_points_) return Error{std::string(name_), "has no section POINTS", "the file may be truncated"};
    if (has_cell_list_ && types_.size() != cells_.ends.size())
      return Error{std::string(name_), format("has %zu cells but %zu cell types", cells_.ends.size(), types_.size()),
                   "the file may be truncated"};
    const bool labelled = labels_.size() == cells_.ends.size();
    data_.tets.reserve(cells_.points.size() / 4);
    data_.regions.reserve(cells_.points.size() / 4);
    for (size_t c = 0; c < cells_.ends.size(); ++c) {
      int32_t region = 0;
      if (labelled && std::abs(labels_[c]) <= std::numeric_limits<int32_t>::max())
        region = static_cast<int32_t>(labels_[c]);
      if (Status status = add_cell(cells_, c, types_[c], region); !status) return status.error();
    }
    if (!labelled || labels_.empty()) data_.regions.clear();
    return std::move(data_);
  }

  std::string_view name_;
  std::string where_{name_};
  Scanner scanner_;
  ThreadPool& pool_;
  MeshData data_;
  Cells cells_;
  std::vector<int64_t> types_;
  std::vector<double> labels_;
  size_t best_region_ = kRegionNames.size();
  size_t section_at_ = 0;
  int64_t values_ = 0;
  bool binary_ = false, has_points_ = false, has_cells_ = false, has_cell_list_ = false, in_cell_data_ = false;
};

}  // namespace

Result<MeshData> parse_vtk_legacy(std::string_view bytes, std::string_view name, ThreadPool& pool) {
  return VtkReader(bytes, name, pool).run();
}

std::string encode_vtk_legacy(const TetMesh& mesh) {
  TextWriter out;
  out.line("# vtk DataFile Version 3.0");
  out.line("tetrahedral mesh");
  out.line("ASCII");
  out.line("DATASET UNSTRUCTURED_GRID");
  out.line("POINTS", mesh.vertices.size(), "double");
  for (const Vec3d& x : mesh.vertices) out.line(x.x, x.y, x.z);
  out.line("CELLS", mesh.tets.size(), 5 * mesh.tets.size());
  for (const Tet& tet : mesh.tets) out.line(4, tet[0], tet[1], tet[2], tet[3]);
  out.line("CELL_TYPES", mesh.tets.size());
  for (size_t t = 0; t < mesh.tets.size(); ++t) out.line(kVtkTet);
  if (!mesh.regions.empty()) {
    out.line("CELL_DATA", mesh.tets.size());
    out.line("SCALARS region int 1");
    out.line("LOOKUP_TABLE default");
    for (const int32_t region : mesh.regions) out.line(region);
  }
  return out.take();
}

}  // namespace sinew
