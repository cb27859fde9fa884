#include "io/obj.h"

#include "base/format.h"
#include "io/text_writer.h"

namespace sinew {

namespace {

// The largest vertex number in a face, and its place: a face may refer to vertices that follow later.
struct Highest {
  int64_t number = 0;
  size_t at = 0;
};

// "7", "7/1", "7//3" or "-2/1/3" after an 'f': the index of the vertex.
Status read_corner(Scanner& scanner, std::string_view word, size_t vertices, Highest& highest, int32_t& corner) {
  int64_t number;
  const std::string_view index = word.substr(0, word.find('/'));
  if (!to_whole(index, number)) return scanner.expected("a vertex index");
  // Negative numbers count back from the last vertex read.
  if (number < 0) {
    if (number < -static_cast<int64_t>(vertices))
      return scanner.fault(format("a face names vertex %lld, but %zu vertices stand before it",
                                  static_cast<long long>(number), vertices),
                           "negative indices count back from the last vertex");
    number += static_cast<int64_t>(vertices) + 1;
  }
  if (number == 0) return scanner.fault("a face names vertex 0", "vertices are numbered from 1");
  if (number > most_items) return scanner.fault("a face names vertex " + in_quotes(index), "the file may be damaged");
  if (number > highest.number) highest = {number, scanner.offset()};
  corner = static_cast<int32_t>(number - 1);
  return {};
}

}  // namespace

Result<MeshData> parse_obj(std::string_view bytes, std::string_view name) {
  Scanner scanner(bytes, name, Layout::lines, '#');
  if (!scanner.skip_space()) return Error{std::string(name), "is empty", "save it again"};
  MeshData data;
  Highest highest;
  std::vector<int32_t> corners;
  for (; scanner.skip_space(); scanner.skip_line()) {
    const size_t at = scanner.offset();
    const std::string_view keyword = scanner.word();
    if (keyword == "v") {
      Vec3d point;
      if (!read_point(scanner, point)) return point_error(scanner, static_cast<int64_t>(data.vertices.size()) + 1);
      data.vertices.push_back(point);
    } else if (keyword == "f") {
      corners.clear();
      for (std::string_view word; !(word = scanner.peek_word()).empty(); scanner.word()) {
        if (word == "\\") {  // the face continues on the next line
          scanner.skip_line();
          if (scanner.peek_word().empty()) break;
          word = scanner.peek_word();
        }
        corners.push_back(0);
        if (Status status = read_corner(scanner, word, data.vertices.size(), highest, corners.back()); !status)
          return status.error();
      }
      if (corners.size() < 3)
        return scanner.fault_at(at, format("a face of %zu corners", corners.size()), "faces have at least three");
      add_polygon(corners, data.triangles);
    } else if (keyword == "l" || keyword == "p") {
      data.count_other(keyword == "l" ? "lines" : "points");
    }
  }
  if (highest.number > static_cast<int64_t>(data.vertices.size()))
    return scanner.fault_at(highest.at,
                            format("a face names vertex %lld, but the file has %zu vertices",
                                   static_cast<long long>(highest.number), data.vertices.size()),
                            "the file may be truncated");
  return data;
}

void put_obj(TextWriter& out, const Vec3d& x) {
  out.line("v", x.x, x.y, x.z);
}
void put_obj(TextWriter& out, const Triangle& f) {
  out.line("f", f[0] + 1, f[1] + 1, f[2] + 1);
}

std::string encode_obj(const SurfaceMesh& mesh) {
  TextWriter out;
  for (const Vec3d& x : mesh.vertices) put_obj(out, x);
  for (const Triangle& f : mesh.triangles) put_obj(out, f);
  return out.take();
}

}  // namespace sinew
