#include "io/medit.h"

#include <array>
#include <span>

#include "base/format.h"
#include "io/records.h"
#include "io/text_writer.h"

namespace sinew {

namespace {

// Of TetrahedraP2: edges 12 23 13 14 24 34.
constexpr MiddleOrder medit_middles{0, 3, 1, 2, 4, 5};

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

class MeditReader {
 public:
  MeditReader(std::string_view bytes, std::string_view name, ThreadPool& pool)
      : scanner_(bytes, name, Layout::free, '#'), pool_(pool) {}

  Result<MeshData> run() {
    if (!scanner_.skip_space()) return Error{std::string(scanner_.name()), "is empty", "save it again"};
    if (scanner_.peek_word() != "MeshVersionFormatted")
      return scanner_.expected("MeshVersionFormatted", "only Medit's text format is read under this suffix");
    while (scanner_.skip_space()) {
      keyword_at_ = scanner_.offset();
      const std::string_view keyword = scanner_.word();
      if (keyword == "End") break;
      if (!is_letter(keyword[0]))
        return scanner_.fault_at(keyword_at_, "expected a keyword, found " + in_quotes(keyword) + last_section_,
                                 "the count of the section before may be wrong");
      if (Status status = section(keyword); !status) return status.error();
    }
    if (!has_vertices_) return scanner_.fault("the file ends without a section Vertices", "the file may be truncated");
    drop_zero_regions(data_.regions);
    return std::move(data_);
  }

 private:
  Status section(std::string_view keyword) {
    if (keyword == "Dimension") {
      int64_t dimension;
      if (!scanner_.whole(dimension)) return scanner_.expected("the dimension");
      if (dimension == 3) return {};
      return scanner_.fault_at(keyword_at_, format("Dimension is %lld", static_cast<long long>(dimension)),
                               "vertices need three coordinates");
    }
    if (keyword == "Vertices") return vertices();
    if (keyword == "Tetrahedra") return tetrahedra(false);
    if (keyword == "TetrahedraP2") return tetrahedra(true);
    if (keyword == "Triangles") return polygons("Triangles", "triangle", 3);
    if (keyword == "Quadrilaterals") return polygons("Quadrilaterals", "quadrilateral", 4);
    if (keyword == "Hexahedra" || keyword == "HexahedraQ2") return pass_over("hexahedra");
    if (keyword == "Prisms") return pass_over("prisms");
    if (keyword == "Pyramids") return pass_over("pyramids");
    if (keyword == "TetrahedraP2Ordering") return p2_ordering();
    skip_numbers();  // edges, corners, normals, required vertices, ...
    return {};
  }

  // Skips to the next word that begins with a letter.
  void skip_numbers() {
    for (; scanner_.skip_space(); scanner_.word())
      if (is_letter(scanner_.peek_word()[0])) return;
  }

  Status count(const char* items, int64_t& count) {
    if (!scanner_.whole(count)) return scanner_.expected(std::string("the count of ") + items);
    if (count > most_items || !scanner_.can_hold(count, 2)) return scanner_.too_many(items, count, keyword_at_);
    last_section_ = format(" behind the %lld %s announced", static_cast<long long>(count), items);
    return {};
  }

  Status pass_over(const char* kind) {
    int64_t items;
    if (Status status = count(kind, items); !status) return status;
    data_.count_other(kind, items);
    skip_numbers();
    return {};
  }

  Status vertices() {
    if (has_vertices_) return scanner_.fault_at(keyword_at_, "a second section Vertices", "remove one of them");
    has_vertices_ = true;
    int64_t items;
    if (Status status = count("vertices", items); !status) return status;
    data_.vertices.resize(static_cast<size_t>(items));
    return read_records(pool_, scanner_, items, 4, [&](Scanner& scanner, int64_t v) -> Status {
      if (!read_point(scanner, data_.vertices[v])) return point_error(scanner, v + 1);
      int64_t reference;
      if (scanner.whole(reference)) return {};
      return scanner.expected(format("the reference of vertex %lld", static_cast<long long>(v + 1)));
    });
  }

  Status tetrahedra(bool quadratic) {
    int64_t items;
    if (Status status = element_count(quadratic ? "TetrahedraP2" : "Tetrahedra", items); !status) return status;
    const size_t first = data_.tets.size(), node_count = quadratic ? 10 : 4;
    const auto words = static_cast<int64_t>(node_count) + 1;
    if (quadratic) data_.middles.resize(first, no_middles);
    data_.tets.resize(first + room_for(scanner_, items, words));
    data_.regions.resize(data_.tets.size());
    if (quadratic) data_.middles.resize(data_.tets.size());
    return read_records(pool_, scanner_, items, words, [&](Scanner& scanner, int64_t t) -> Status {
      std::array<int32_t, 10> nodes;
      int64_t reference;
      const std::span<int32_t> used(nodes.data(), node_count);
      if (Status status = element(scanner, "tetrahedron", t + 1, used, reference); !status) return status;
      if (reference != static_cast<int32_t>(reference))
        return scanner.fault(
            format("the reference of tetrahedron %lld does not fit into 32 bits", static_cast<long long>(t + 1)));
      data_.tets[first + t] = {nodes[0], nodes[1], nodes[2], nodes[3]};
      if (quadratic) data_.middles[first + t] = middles_from(nodes.data() + 4, medit_middles);
      data_.regions[first + t] = static_cast<int32_t>(reference);
      return {};
    });
  }

  // The order of the nodes, by twice their barycentric coordinates: only the usual one is read.
  Status p2_ordering() {
    int64_t items, number;
    if (Status status = count("nodes", items); !status) return status;
    bool usual = items == 10;
    for (size_t k = 0; k < 4 * static_cast<size_t>(items); ++k) {
      if (!scanner_.whole(number)) return scanner_.expected("a number of TetrahedraP2Ordering");
      if (!usual) continue;
      const size_t node = k / 4, corner = k % 4;
      const int* const ends = node < 4 ? nullptr : edge_ends[medit_middles[node - 4]];
      const auto at = static_cast<int>(corner);
      usual = number == (ends ? (at == ends[0]) + (at == ends[1]) : 2 * (corner == node));
    }
    if (usual) return {};
    return scanner_.fault_at(keyword_at_, "TetrahedraP2Ordering is not the order of the nodes that is read",
                             "save corners 1 2 3 4, then middles of 12 23 13 14 24 34");
  }

  // Memory grows with the items read: a section may announce one per two bytes.
  Status polygons(const char* section, const char* polygon, size_t corner_count) {
    int64_t items, reference;
    if (Status status = element_count(section, items); !status) return status;
    for (int64_t e = 0; e < items; ++e) {
      std::array<int32_t, 4> corners;
      const std::span<int32_t> used(corners.data(), corner_count);
      if (Status status = element(scanner_, polygon, e + 1, used, reference); !status) return status;
      add_polygon(used, data_.triangles);
    }
    return {};
  }

  Status element_count(const char* section, int64_t& items) {
    if (!has_vertices_)
      return scanner_.fault_at(keyword_at_, std::string(section) + " come before Vertices",
                               "move the section Vertices to the front");
    return count(section, items);
  }

  Status element(Scanner& scanner, const char* kind, int64_t number, std::span<int32_t> nodes, int64_t& reference) {
    for (int32_t& node : nodes)
      if (!read_index(scanner, 1, data_.vertices.size(), node))
        return index_error(scanner, kind, number, 1, data_.vertices.size());
    if (scanner.whole(reference)) return {};
    return scanner.expected(format("the reference of %s %lld", kind, static_cast<long long>(number)));
  }

  Scanner scanner_;
  ThreadPool& pool_;
  MeshData data_;
  size_t keyword_at_ = 0;
  std::string last_section_;
  bool has_vertices_ = false;
};

}  // namespace

Result<MeshData> parse_medit(std::string_view bytes, std::string_view name, ThreadPool& pool) {
  return MeditReader(bytes, name, pool).run();
}

std::string encode_medit(const TetMesh& mesh) {
  TextWriter out;
  out.line("MeshVersionFormatted", 2);
  out.line("Dimension", 3);
  out.line("Vertices");
  out.line(mesh.vertices.size());
  for (const Vec3d& x : mesh.vertices) out.line(x.x, x.y, x.z, 0);
  out.line("Tetrahedra");
  out.line(mesh.tets.size());
  for (size_t t = 0; t < mesh.tets.size(); ++t) {
    const Tet& tet = mesh.tets[t];
    out.line(tet[0] + 1, tet[1] + 1, tet[2] + 1, tet[3] + 1, mesh.regions.empty() ? 0 : mesh.regions[t]);
  }
  out.line("End");
  return out.take();
}

}  // namespace sinew
