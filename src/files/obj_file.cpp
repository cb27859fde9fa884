#include "files/obj_file.h"

#include <algorithm>

#include "files/atomic_file.h"
#include "io/obj.h"
#include "io/text_writer.h"

namespace sinew {

Status write_obj(const std::filesystem::path& path, std::span<const Vec3d> vertices,
                 std::span<const Triangle> triangles, const Vec3d& origin) {
  Result<AtomicFile> file = AtomicFile::create(path);
  if (!file) return file.error();
  const bool shifted = origin.x != 0 || origin.y != 0 || origin.z != 0;
  if (shifted) {
    TextWriter out;
    out.line("# coordinates are relative to", origin.x, origin.y, origin.z);
    if (Status status = file->write(out.take()); !status) return status;
  }
  const auto write = [&](const auto& items, const auto& put_item) {
    constexpr size_t piece = 65536;
    for (size_t first = 0; first < items.size(); first += piece) {
      TextWriter out;
      for (const auto& item : items.subspan(first, std::min(piece, items.size() - first))) put_item(out, item);
      if (Status status = file->write(out.take()); !status) return status;
    }
    return Status();
  };
  const auto put_vertex = [&](TextWriter& out, const Vec3d& x) { put_obj(out, shifted ? x - origin : x); };
  const auto put_triangle = [](TextWriter& out, const Triangle& t) { put_obj(out, t); };
  if (Status status = write(vertices, put_vertex); !status) return status;
  if (Status status = write(triangles, put_triangle); !status) return status;
  return file->commit();
}

}  // namespace sinew
