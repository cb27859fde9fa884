#include "io/tetgen.h"

#include <cmath>
#include <limits>

#include "base/format.h"
#include "io/records.h"
#include "io/suffix.h"
#include "io/text_writer.h"

namespace sinew {

namespace {

// Of edges 23 03 01 12 13 02, which TetGen 1.5 writes with -o2.
constexpr MiddleOrder tetgen_middles{5, 2, 0, 3, 4, 1};

// A lower bound of the length of a line; deliberately loose, so that precise errors come from the line itself.
constexpr int64_t kShortestLine = 2;

// The numbers of a file's first line; missing ones are zero.
struct Counts {
  int64_t count = 0;
  int64_t second = 0;  // dimension, or nodes per tetrahedron
  int64_t attributes = 0;
  size_t at = 0;
};

Status read_header(Scanner& scanner, const char* items, Counts& header) {
  if (!scanner.skip_space())
    return Error{std::string(scanner.name()), std::string("is empty: no count of ") + items, "save it again"};
  header.at = scanner.offset();
  if (!scanner.whole(header.count)) return scanner.expected(std::string("the count of ") + items);
  scanner.whole(header.second);
  scanner.whole(header.attributes);
  scanner.skip_line();
  if (header.count > most_items || !scanner.can_hold(header.count, kShortestLine))
    return scanner.too_many(items, header.count, header.at);
  return {};
}

// The id at the start of the first line: 0 or 1. The scanner does not move.
Status peek_first_id(Scanner& scanner, const char* item, int64_t count, int64_t& first) {
  if (count == 0 || !scanner.skip_space()) return {};  // nothing follows, or read_id reports what is missing
  const size_t at = scanner.offset();
  if (!scanner.whole(first)) return scanner.expected(format("the id of a %s", item));
  scanner.seek(at);
  if (first != 0 && first != 1)
    return scanner.fault_at(at, format("the first %s has id %lld", item, static_cast<long long>(first)),
                            "ids run by one from 0 or from 1");
  return {};
}

// The id at the start of a line.
Status read_id(Scanner& scanner, const char* item, int64_t position, int64_t count, int64_t first) {
  const auto where = static_cast<long long>(position);
  if (!scanner.skip_space())
    return scanner.fault(
        format("the file ends after %lld of %lld %s lines", where, static_cast<long long>(count), item),
        "the file may be truncated");
  const size_t at = scanner.offset();
  int64_t id;
  if (!scanner.whole(id)) return scanner.expected(format("the id of a %s", item));
  if (id != first + position)
    return scanner.fault_at(at,
                            format("expected the %s with id %lld, found id %lld", item,
                                   static_cast<long long>(first + position), static_cast<long long>(id)),
                            "ids run by one, none twice and none left out");
  return {};
}

Status expect_end(Scanner& scanner, const char* items, int64_t count) {
  if (!scanner.skip_space()) return {};
  return scanner.fault(format("more %s follow than the %lld announced, from %s on", items,
                              static_cast<long long>(count), in_quotes(scanner.peek_word()).c_str()),
                       "correct the count in the first line");
}

Status read_region(Scanner& scanner, int64_t tet, int32_t& region) {
  double label;
  scanner.skip_blanks();
  const size_t at = scanner.offset();
  if (!scanner.real(label))
    return scanner.expected(format("the region of tetrahedron %lld", static_cast<long long>(tet)));
  // TetGen writes attributes as real numbers; labels are whole numbers.
  if (!(std::abs(label) <= std::numeric_limits<int32_t>::max()) || label != std::floor(label))
    return scanner.fault_at(at, format("tetrahedron %lld has region %g", static_cast<long long>(tet), label),
                            "region labels are whole numbers; remove the attribute if it is not a label");
  region = static_cast<int32_t>(label);
  return {};
}

}  // namespace

Result<MeshData> parse_tetgen(std::string_view node, std::string_view node_name, std::string_view ele,
                              std::string_view ele_name, ThreadPool& pool) {
  MeshData data;

  Scanner nodes(node, node_name, Layout::lines, '#');
  Counts header;
  if (Status status = read_header(nodes, "vertices", header); !status) return status.error();
  if (header.second != 3 && header.second != 0)
    return nodes.fault_at(header.at, format("vertices have dimension %lld", static_cast<long long>(header.second)),
                          "a tetrahedral mesh needs dimension 3");
  data.vertices.resize(static_cast<size_t>(header.count));
  int64_t first = 0;
  if (Status status = peek_first_id(nodes, "vertex", header.count, first); !status) return status.error();
  Status read = read_records(pool, nodes, header.count, one_line, [&](Scanner& line, int64_t v) -> Status {
    if (Status status = read_id(line, "vertex", v, header.count, first); !status) return status;
    if (!read_point(line, data.vertices[v])) return point_error(line, first + v);
    line.skip_line();  // attributes and the boundary marker
    return {};
  });
  if (!read) return read.error();
  if (Status status = expect_end(nodes, "vertices", header.count); !status) return status.error();

  Scanner tets(ele, ele_name, Layout::lines, '#');
  if (Status status = read_header(tets, "tetrahedra", header); !status) return status.error();
  if (header.second != 4 && header.second != 10 && header.second != 0)
    return tets.fault_at(header.at, format("elements have %lld nodes", static_cast<long long>(header.second)),
                         "tetrahedra of 4 nodes are read, and of 10 nodes, which TetGen writes with -o2");
  data.tets.resize(static_cast<size_t>(header.count));
  const bool quadratic = header.second == 10;
  if (quadratic) data.middles.resize(data.tets.size());
  if (header.attributes > 0) data.regions.resize(data.tets.size());
  int64_t first_tet = 0;
  if (Status status = peek_first_id(tets, "tetrahedron", header.count, first_tet); !status) return status.error();
  read = read_records(pool, tets, header.count, one_line, [&](Scanner& line, int64_t t) -> Status {
    if (Status status = read_id(line, "tetrahedron", t, header.count, first_tet); !status) return status;
    for (int32_t& corner : data.tets[t])
      if (!read_index(line, first, data.vertices.size(), corner))
        return index_error(line, "tetrahedron", first_tet + t, first, data.vertices.size());
    std::array<int32_t, 6> middles;
    for (size_t k = 0; quadratic && k < 6; ++k)
      if (!read_index(line, first, data.vertices.size(), middles[k]))
        return index_error(line, "tetrahedron", first_tet + t, first, data.vertices.size());
    if (quadratic) data.middles[t] = middles_from(middles.data(), tetgen_middles);
    if (header.attributes > 0)
      if (Status status = read_region(line, first_tet + t, data.regions[t]); !status) return status;
    line.skip_line();
    return {};
  });
  if (!read) return read.error();
  if (Status status = expect_end(tets, "tetrahedra", header.count); !status) return status.error();
  return data;
}

TetgenPair tetgen_pair(const std::filesystem::path& path) {
  std::filesystem::path stem = path;
  const std::string suffix = suffix_of(path);
  const bool is_node = suffix == ".node", is_ele = suffix == ".ele";
  const std::string written = path.extension().string();
  // The suffix of the named file is kept, and its partner's is in the same case.
  const bool capitals = (is_node || is_ele) && written[1] >= 'A' && written[1] <= 'Z';
  if (is_node || is_ele) stem.replace_extension();
  TetgenPair pair{stem, stem};
  pair.node += is_node ? written : capitals ? ".NODE" : ".node";
  pair.ele += is_ele ? written : capitals ? ".ELE" : ".ele";
  return pair;
}

std::string encode_tetgen_node(const TetMesh& mesh) {
  TextWriter out;
  out.line(mesh.vertices.size(), 3, 0, 0);
  for (size_t v = 0; v < mesh.vertices.size(); ++v) {
    const Vec3d& x = mesh.vertices[v];
    out.line(v, x.x, x.y, x.z);
  }
  return out.take();
}

std::string encode_tetgen_ele(const TetMesh& mesh) {
  TextWriter out;
  const bool labelled = !mesh.regions.empty();
  out.line(mesh.tets.size(), 4, labelled ? 1 : 0);
  for (size_t t = 0; t < mesh.tets.size(); ++t) {
    const Tet& tet = mesh.tets[t];
    if (labelled)
      out.line(t, tet[0], tet[1], tet[2], tet[3], mesh.regions[t]);
    else
      out.line(t, tet[0], tet[1], tet[2], tet[3]);
  }
  return out.take();
}

}  // namespace sinew
