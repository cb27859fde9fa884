#include "io/off.h"

#include "base/format.h"

namespace sinew {

namespace {

Status read_keyword(Scanner& scanner) {
  const std::string_view keyword = scanner.peek_word();
  if (keyword.empty() || (keyword[0] >= '0' && keyword[0] <= '9' && keyword.find("OFF") == std::string_view::npos))
    return {};  // the keyword is optional
  // ST, C and N announce further numbers after x y z; 4 and n change the number of coordinates.
  const size_t off = keyword.size() >= 3 ? keyword.size() - 3 : 0;
  if (keyword.substr(off) != "OFF") return scanner.expected("OFF", "only OFF files are read under this suffix");
  if (keyword.substr(0, off).find_first_not_of("STCN") != std::string_view::npos)
    return scanner.fault("the header " + in_quotes(keyword) + " announces other than three coordinates",
                         "save it as plain OFF");
  scanner.word();
  if (scanner.peek_word() == "BINARY") return scanner.fault("is a binary OFF file", "save it as text");
  return {};
}

}  // namespace

Result<MeshData> parse_off(std::string_view bytes, std::string_view name) {
  Scanner scanner(bytes, name, Layout::lines, '#');
  if (!scanner.skip_space()) return Error{std::string(name), "is empty", "save it again"};
  if (Status status = read_keyword(scanner); !status) return status.error();

  // Vertices, faces, edges; the last is often wrong or missing.
  scanner.skip_space();
  const size_t at = scanner.offset();
  int64_t vertices, faces;
  if (!scanner.whole(vertices)) return scanner.expected("the count of vertices");
  if (!scanner.whole(faces)) return scanner.expected("the count of faces");
  scanner.skip_line();
  if (vertices > most_items || !scanner.can_hold(vertices, 2)) return scanner.too_many("vertices", vertices, at);
  if (faces > most_items || !scanner.can_hold(faces, 2)) return scanner.too_many("faces", faces, at);

  MeshData data;
  data.vertices.resize(static_cast<size_t>(vertices));
  for (int64_t v = 0; v < vertices; ++v, scanner.skip_line()) {
    scanner.skip_space();
    if (!read_point(scanner, data.vertices[v])) return point_error(scanner, v);
  }

  std::vector<int32_t> corners;
  for (int64_t f = 0; f < faces; ++f, scanner.skip_line()) {
    scanner.skip_space();
    const size_t face_at = scanner.offset();
    int64_t count;
    if (!scanner.whole(count))
      return scanner.expected(format("the corner count of face %lld", static_cast<long long>(f)));
    if (!scanner.can_hold(count, 2)) return scanner.too_many("corners", count, face_at);
    if (count < 3) {  // points and lines
      data.count_other(count == 2 ? "lines" : "points");
      continue;
    }
    corners.resize(static_cast<size_t>(count));
    for (int32_t& corner : corners)
      if (!read_index(scanner, 0, data.vertices.size(), corner))
        return index_error(scanner, "face", f, 0, data.vertices.size());
    add_polygon(corners, data.triangles);
  }
  if (scanner.skip_space())
    return scanner.fault(
        "more lines follow than the vertices and faces announced, from " + in_quotes(scanner.peek_word()) + " on",
        "correct the counts in the header");
  return data;
}

}  // namespace sinew
