#include "io/vtu.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <pugixml.hpp>

#include "base/format.h"
#include "io/bytes.h"
#include "io/vtk_cells.h"
#include "io/vtu_array.h"

namespace sinew {

namespace {

class VtuReader {
 public:
  VtuReader(std::string_view bytes, std::string_view name)
      : bytes_(bytes), name_(name), text_(bytes, name, Layout::free) {}

  Result<MeshData> run() {
    if (!text_.skip_space()) return Error{std::string(name_), "is empty", "save it again"};
    if (Status status = load_document(); !status) return status.error();
    const pugi::xml_node file = document_.child("VTKFile");
    if (!file)
      return Error{std::string(name_), "has no element VTKFile", "only VTK's XML files are read under this suffix"};
    if (Status status = encoding(file); !status) return status.error();
    const pugi::xml_node grid = file.child("UnstructuredGrid");
    if (!grid)
      return fault(file, "holds " + in_quotes(file.attribute("type").value()) + ", not an UnstructuredGrid",
                   "save it as an unstructured grid");
    bool any = false;
    for (const pugi::xml_node piece : grid.children("Piece")) {
      any = true;
      if (Status status = read_piece(piece); !status) return status.error();
    }
    if (!any) return fault(grid, "UnstructuredGrid has no Piece", "the file may be truncated");
    if (!labelled_) data_.regions.clear();
    return std::move(data_);
  }

 private:
  // Appended raw bytes are not XML: the document is parsed without them.
  Status load_document() {
    std::string_view head = bytes_;
    std::string closed;
    const size_t tag = bytes_.find("<AppendedData");
    if (tag != std::string_view::npos) {
      const size_t end = bytes_.find('>', tag);
      const size_t mark = bytes_.find('_', end == std::string_view::npos ? tag : end);
      if (end == std::string_view::npos || mark == std::string_view::npos)
        return text_.fault_at(tag, "AppendedData has no '_' before its bytes", "the file may be truncated");
      appended_ = bytes_.substr(mark + 1);
      closed = std::string(bytes_.substr(0, end + 1)) + "</AppendedData></VTKFile>";
      if (bytes_[end - 1] == '/') closed = std::string(bytes_.substr(0, end + 1)) + "</VTKFile>";
      head = closed;
    }
    const pugi::xml_parse_result result =
        document_.load_buffer(head.data(), head.size(), pugi::parse_default, pugi::encoding_utf8);
    if (!result)
      return text_.fault_at(std::min(static_cast<size_t>(result.offset), bytes_.size()),
                            std::string("is not well-formed XML: ") + result.description(),
                            "the file may be truncated");
    return {};
  }

  Status encoding(pugi::xml_node file) {
    const std::string_view order = file.attribute("byte_order").as_string("LittleEndian");
    if (order != "LittleEndian" && order != "BigEndian")
      return fault(file, "has the unknown byte_order " + in_quotes(order), "expected LittleEndian or BigEndian");
    encoding_.swap = (order == "LittleEndian") != machine_is_little;
    const std::string_view header = file.attribute("header_type").as_string("UInt32");
    if (header != "UInt32" && header != "UInt64")
      return fault(file, "has the unknown header_type " + in_quotes(header), "expected UInt32 or UInt64");
    encoding_.wide_header = header == "UInt64";
    const std::string_view compressor = file.attribute("compressor").as_string();
    encoding_.compressed = !compressor.empty();
    if (!compressor.empty() && compressor != "vtkZLibDataCompressor")
      return fault(file, "is compressed with " + in_quotes(compressor), "save it with zlib compression or with none");
    const pugi::xml_node appended = file.child("AppendedData");
    const std::string_view how = appended.attribute("encoding").as_string("base64");
    if (how != "raw" && how != "base64")
      return fault(appended, "has the unknown encoding " + in_quotes(how), "expected raw or base64");
    appended_is_raw_ = how == "raw";
    return {};
  }

  Status read_piece(pugi::xml_node piece) {
    int64_t points, cells;
    if (Status status = announced(piece, "NumberOfPoints", points); !status) return status;
    if (Status status = announced(piece, "NumberOfCells", cells); !status) return status;
    const auto first = static_cast<int64_t>(data_.vertices.size());
    // Pieces may share appended bytes, but must not announce more numbers in total than the file can hold.
    announced_numbers_ += static_cast<uint64_t>(3 * points) + static_cast<uint64_t>(cells);
    if (announced_numbers_ > bytes_.size() * (encoding_.compressed ? kTightestPacking : 1))
      return fault(piece,
                   format("announces %lld points and %lld cells, more than the file can hold",
                          static_cast<long long>(points), static_cast<long long>(cells)),
                   "the file may be truncated or damaged");

    if (points > 0) {
      const pugi::xml_node node = piece.child("Points").child("DataArray");
      if (!node) return fault(piece, "the Piece has no array in Points", "the file may be damaged");
      VtuArray array;
      if (Status status = locate(node, "Points", array); !status) return status;
      const auto values = read_reals(array, encoding_, 3 * points);
      if (!values) return values.error();
      if (first + points > most_items) return fault(piece, "the pieces hold more than 2^31 points", "");
      data_.vertices.reserve(static_cast<size_t>(first + points));
      for (size_t v = 0; v < values->size(); v += 3) {
        for (size_t a = 0; a < 3; ++a)
          if (!std::isfinite((*values)[v + a]))
            return bad_coordinate(array.where, static_cast<int64_t>(v / 3), (*values)[v + a]);
        data_.vertices.push_back({(*values)[v], (*values)[v + 1], (*values)[v + 2]});
      }
    }
    return cells > 0 ? read_cells(piece, first, points, cells) : Status();
  }

  Status read_cells(pugi::xml_node piece, int64_t first, int64_t points, int64_t cells) {
    const auto wholes = [&](const char* name, int64_t count, std::vector<int64_t>& values) -> Status {
      const pugi::xml_node node = piece.child("Cells").find_child_by_attribute("DataArray", "Name", name);
      if (!node)
        return fault(piece, "the Piece has no array " + in_quotes(name) + " in Cells", "the file may be damaged");
      VtuArray array;
      if (Status status = locate(node, name, array); !status) return status;
      auto read = read_wholes(array, encoding_, count);
      if (!read) return read.error();
      values = std::move(*read);
      return {};
    };
    std::vector<int64_t> connectivity, ends, types;
    if (Status status = wholes("offsets", cells, ends); !status) return status;
    bool rising = ends.front() >= 0;
    for (size_t c = 1; c < ends.size(); ++c) rising = rising && ends[c] >= ends[c - 1];
    if (!rising) return fault(piece, "the offsets of the cells do not rise", "the file is damaged");
    if (Status status = wholes("connectivity", ends.back(), connectivity); !status) return status;
    if (Status status = wholes("types", cells, types); !status) return status;

    std::vector<double> labels;
    if (Status status = read_labels(piece, cells, labels); !status) return status;
    const std::string where = place(piece);
    for (size_t c = 0; c < ends.size(); ++c) {
      const auto start = static_cast<size_t>(c == 0 ? 0 : ends[c - 1]);
      const auto corners = std::span<const int64_t>(connectivity).subspan(start, static_cast<size_t>(ends[c]) - start);
      int32_t region = 0;
      if (!labels.empty() && std::abs(labels[c]) <= std::numeric_limits<int32_t>::max())
        region = static_cast<int32_t>(labels[c]);
      if (Status status = add_vtk_cell(types[c], corners, static_cast<int64_t>(c), first, points, region, where, data_);
          !status)
        return status;
    }
    return {};
  }

  Status read_labels(pugi::xml_node piece, int64_t cells, std::vector<double>& labels) {
    pugi::xml_node best;
    size_t best_rank = kRegionNames.size();
    for (const pugi::xml_node node : piece.child("CellData").children("DataArray")) {
      const size_t rank = region_rank(node.attribute("Name").value());
      if (rank >= best_rank || node.attribute("NumberOfComponents").as_int(1) != 1) continue;
      best = node;
      best_rank = rank;
    }
    if (!best) return {};
    VtuArray array;
    if (Status status = locate(best, best.attribute("Name").value(), array); !status) return status;
    auto values = read_reals(array, encoding_, cells);
    if (!values) return values.error();
    labels = std::move(*values);
    labelled_ = true;
    return {};
  }

  Status announced(pugi::xml_node piece, const char* attribute, int64_t& count) {
    const std::string_view word = piece.attribute(attribute).value();
    if (!to_whole(word, count) || count < 0)
      return fault(piece, std::string(attribute) + " is " + in_quotes(word), "expected a count");
    if (count > most_items)
      return fault(piece, format("announces %s = %lld", attribute, static_cast<long long>(count)),
                   "the file is damaged");
    return {};
  }

  // Locates the characters of an array.
  Status locate(pugi::xml_node node, const char* name, VtuArray& array) {
    array.where = place(node) + ": " + in_quotes(name);
    array.type = node.attribute("type").value();
    const std::string_view how = node.attribute("format").as_string("ascii");
    if (how == "appended") {
      int64_t offset;
      if (!to_whole(node.attribute("offset").value(), offset) || offset < 0 ||
          offset > static_cast<int64_t>(appended_.size()))
        return Error{array.where,
                     "its offset " + in_quotes(node.attribute("offset").value()) + " is not in the appended data",
                     "the file may be truncated"};
      array.storage = appended_is_raw_ ? VtuArray::Storage::raw : VtuArray::Storage::base64;
      array.data = appended_.substr(static_cast<size_t>(offset));
      return {};
    }
    if (how != "ascii" && how != "binary")
      return Error{array.where, "has the unknown format " + in_quotes(how), "expected ascii, binary or appended"};
    array.storage = how == "ascii" ? VtuArray::Storage::text : VtuArray::Storage::base64;
    array.data = node.child_value();  // without a copy: it lives as long as the document
    return {};
  }

  // Lines are counted from the last place requested: a file of many pieces requests many places.
  std::string place(pugi::xml_node node) const {
    const size_t offset = std::min(static_cast<size_t>(std::max<ptrdiff_t>(0, node.offset_debug())), bytes_.size());
    if (offset < counted_to_) counted_to_ = 0, line_ = 1;
    const std::string_view between = bytes_.substr(counted_to_, offset - counted_to_);
    line_ += std::count(between.begin(), between.end(), '\n');
    counted_to_ = offset;
    return std::string(name_) + ":" + std::to_string(line_);
  }
  Error fault(pugi::xml_node node, const std::string& what, const std::string& remedy) const {
    return {place(node), what, remedy};
  }

  std::string_view bytes_;
  std::string_view name_;
  Scanner text_;
  pugi::xml_document document_;
  VtuEncoding encoding_;
  std::string_view appended_;
  bool appended_is_raw_ = false;
  bool labelled_ = false;
  uint64_t announced_numbers_ = 0;
  mutable size_t counted_to_ = 0;
  mutable int64_t line_ = 1;
  MeshData data_;
};

}  // namespace

Result<MeshData> parse_vtu(std::string_view bytes, std::string_view name) {
  return VtuReader(bytes, name).run();
}

}  // namespace sinew
