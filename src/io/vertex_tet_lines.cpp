#include "io/vertex_tet_lines.h"

#include <array>

#include "base/format.h"
#include "io/tag_map.h"

namespace sinew {

namespace {

// A tetrahedron by the file's ids: its corners may be defined further down.
struct NamedTet {
  std::array<int64_t, 4> corners;
  size_t at;
};

}  // namespace

Result<MeshData> parse_vertex_tet_lines(std::string_view bytes, std::string_view name) {
  Scanner scanner(bytes, name, Layout::lines, '#');
  if (!scanner.skip_space()) return Error{std::string(name), "is empty", "save it again"};
  MeshData data;
  TagMap vertex_ids, tet_ids;
  std::vector<size_t> vertex_at;
  std::vector<NamedTet> tets;

  for (; scanner.skip_space(); scanner.skip_line()) {
    const size_t at = scanner.offset();
    const std::string_view keyword = scanner.word();
    int64_t id;
    if (keyword == "Vertex") {
      if (!scanner.whole(id)) return scanner.expected("the id of a vertex");
      Vec3d point;
      if (!read_point(scanner, point)) return point_error(scanner, id);
      vertex_ids.add(id);
      vertex_at.push_back(at);
      data.vertices.push_back(point);
    } else if (keyword == "Tet") {
      if (!scanner.whole(id)) return scanner.expected("the id of a tetrahedron");
      NamedTet tet{{}, at};
      for (int64_t& corner : tet.corners)
        if (!scanner.whole(corner))
          return scanner.expected(format("a vertex id of tetrahedron %lld", static_cast<long long>(id)));
      tet_ids.add(id);
      tets.push_back(tet);
    } else if (keyword != "Edge" && keyword != "Face" && keyword != "Corner") {
      return scanner.fault_at(at, "expected 'Vertex' or 'Tet', found " + in_quotes(keyword),
                              "lines read 'Vertex id x y z' or 'Tet id a b c d'");
    }
  }

  if (const auto twice = vertex_ids.build())
    return scanner.fault_at(vertex_at[*twice],
                            format("a second vertex with id %lld", static_cast<long long>(vertex_ids.tag(*twice))),
                            "give every vertex an id of its own");
  if (const auto twice = tet_ids.build())
    return scanner.fault_at(tets[*twice].at,
                            format("a second tetrahedron with id %lld", static_cast<long long>(tet_ids.tag(*twice))),
                            "give every tetrahedron an id of its own");
  for (size_t t = 0; t < tets.size(); ++t) {
    Tet tet;
    for (int k = 0; k < 4; ++k) {
      tet[k] = vertex_ids.find(tets[t].corners[k]);
      if (tet[k] < 0)
        return scanner.fault_at(
            tets[t].at,
            format("tetrahedron %lld names vertex %lld, which is not in the file",
                   static_cast<long long>(tet_ids.tag(t)), static_cast<long long>(tets[t].corners[k])),
            "the file may be truncated");
    }
    data.tets.push_back(tet);
  }
  return data;
}

}  // namespace sinew
