#include "io/tetgen_process.h"

#include <stdlib.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "base/format.h"
#include "io/atomic_file.h"
#include "io/child_process.h"
#include "io/mesh_file.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

// A folder of its own for the files of one call; gone with it.
class WorkFolder {
 public:
  WorkFolder() {
    std::error_code none;
    std::string pattern = (fs::temp_directory_path(none) / "sinew-tetgen-XXXXXX").string();
    if (mkdtemp(pattern.data())) path_ = pattern;
  }
  ~WorkFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  const fs::path& path() const { return path_; }  // empty: there is none

 private:
  fs::path path_;
};

std::string off_text(const SurfaceMesh& surface) {
  std::string text = format("OFF\n%zu %zu 0\n", surface.vertices.size(), surface.triangles.size());
  for (const Vec3d& p : surface.vertices) text += format("%.17g %.17g %.17g\n", p.x, p.y, p.z);
  for (const Triangle& t : surface.triangles) text += format("3 %d %d %d\n", t[0], t[1], t[2]);
  return text;
}

// What TetGen says last, which is what it fell over.
std::string last_words(const std::string& text) {
  std::string words;
  size_t begin = 0;
  while (begin < text.size()) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    while (!line.empty() && (line.front() == ' ' || line.front() == '!')) line.erase(0, 1);
    if (!line.empty()) words = line;
    begin = end + 1;
  }
  return words;
}

constexpr const char* other_way = "mend the surface, or use the mesher \"stuffing\", which takes any";

}  // namespace

Result<TetMesh> run_tetgen(const SurfaceMesh& surface, const TetgenOptions& options) {
  const auto no_space = [] {
    return Error{"tetgen", std::string("no temporary file: ") + std::strerror(errno), "free some space"};
  };
  const WorkFolder work;
  if (work.path().empty()) return no_space();
  const fs::path input = work.path() / "surface.off";
  if (Status s = write_file_atomically(input, off_text(surface)); !s) return s.error();
  const NamelessFile in = make_nameless(), out = make_nameless();
  if (!in || !out) return no_space();

  // p: of a surface; q: quality; a: volume; z: count from 0; N and E would leave the results out; Q is not given, for
  // the reason of a failure stands in what it prints.
  const std::string switches =
      format("-pzq%.6g/%.6ga%.17g", options.radius_edge_ratio, options.smallest_angle, options.largest_volume);
  const ChildEnd end =
      run_child({options.program, switches, input.string()}, in.get(), out.get(), out.get(), options.interrupt);
  if (end.not_started != 0)
    return Error{"tetgen", options.program + " cannot be run: " + std::strerror(end.not_started),
                 "install the package tetgen, or use the mesher \"stuffing\""};
  if (options.interrupt && options.interrupt->load()) return Error{"tetgen", "was interrupted", ""};
  if (end.signal != 0) return Error{"tetgen", format("crashed (signal %d)", end.signal), other_way};
  const fs::path result = work.path() / "surface.1.node";
  std::error_code none;
  if (end.exit_code != 0 || !fs::exists(result, none))
    return Error{"tetgen", "gave up: " + last_words(content_of(out.get())), other_way};
  Result<TetMesh> mesh = read_tet_mesh(result);
  // Its files are gone when somebody reads the message.
  if (!mesh) return Error{"tetgen", "wrote a mesh that cannot be read: " + mesh.error().what, other_way};
  return mesh;
}

}  // namespace sinew
