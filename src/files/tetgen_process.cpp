#include "files/tetgen_process.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <vector>

#include "base/format.h"
#include "files/atomic_file.h"
#include "files/child_process.h"
#include "files/mesh_file.h"
#include "math/length.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

constexpr const char* work_folder = "sinew-tetgen-";
constexpr const char* lock_file = "lock";

// Removes folders left by this user's killed calls. One in use has a lock, which the system releases when its process
// ends.
void remove_abandoned_folders(const fs::path& temporary) {
  std::error_code none;
  std::vector<fs::path> found;
  for (fs::directory_iterator it(temporary, none), end; !none && it != end; it.increment(none))
    if (it->path().filename().string().starts_with(work_folder)) found.push_back(it->path());
  for (const fs::path& folder : found) {
    struct stat status {};
    if (::lstat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode) || status.st_uid != ::geteuid()) continue;
    const int lock = ::open((folder / lock_file).c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (lock < 0) continue;
    if (::flock(lock, LOCK_EX | LOCK_NB) == 0) fs::remove_all(folder, none);
    ::close(lock);
  }
}

// A temporary folder for the files of one call, removed by the destructor.
class WorkFolder {
 public:
  WorkFolder() {
    std::error_code none;
    const fs::path folder = fs::temp_directory_path(none);
    remove_abandoned_folders(folder);
    std::string pattern = (folder / (std::string(work_folder) + "XXXXXX")).string();
    if (folder.empty() || !mkdtemp(pattern.data())) return;
    path_ = pattern;
    lock_ = ::open((path_ / lock_file).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (lock_ >= 0) (void)::flock(lock_, LOCK_EX | LOCK_NB);
  }
  ~WorkFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
    if (lock_ >= 0) ::close(lock_);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  const fs::path& path() const { return path_; }  // empty: could not be created

 private:
  fs::path path_;
  int lock_ = -1;
};

std::string off_text(const SurfaceMesh& surface) {
  std::string text = format("OFF\n%zu %zu 0\n", surface.vertices.size(), surface.triangles.size());
  for (const Vec3d& p : surface.vertices) text += format("%.17g %.17g %.17g\n", p.x, p.y, p.z);
  for (const Triangle& t : surface.triangles) text += format("3 %d %d %d\n", t[0], t[1], t[2]);
  return text;
}

// TetGen's last message, which is the cause of the failure; not the message of the C++ library (Debian's TetGen ends by
// an uncaught exception).
std::string last_words(const std::string& text) {
  std::string words;
  size_t begin = 0;
  while (begin < text.size()) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    while (!line.empty() && (line.front() == ' ' || line.front() == '!')) line.erase(0, 1);
    if (!line.empty() && !line.starts_with("terminate called")) words = line;
    begin = end + 1;
  }
  constexpr size_t most = 200;
  if (words.size() > most) words = words.substr(0, most) + "...";
  return words.empty() ? " without a word" : "; it ended with: " + words;
}

ChildEnd run(const TetgenOptions& options, const std::string& switches, const fs::path& input, std::FILE* in,
             std::FILE* out) {
  const std::vector<std::string> words{options.program, switches, input.string()};
  // Its output buffer is lost when it crashes, unless stdbuf makes it line-buffered.
  std::vector<std::string> by_lines{"stdbuf", "-oL"};
  by_lines.insert(by_lines.end(), words.begin(), words.end());
  const ChildEnd end = run_child(by_lines, in, out, out, options.interrupt);
  return end.not_started == 0 ? end : run_child(words, in, out, out, options.interrupt);
}

constexpr const char* other_way = "repair the surface, or use the mesher \"stuffing\", which takes broken ones";

// TetGen crashes on such points. Those farthest apart span the plane.
bool lie_in_a_plane(const std::vector<Vec3d>& points) {
  constexpr double rounding = 1e-9;  // of the extent
  if (points.empty()) return true;
  const Vec3d first = points.front();
  const auto farthest = [&](auto distance) {
    Vec3d to{};
    for (const Vec3d& p : points)
      if (distance(p - first) > distance(to)) to = p - first;
    return to;
  };
  const Vec3d along = farthest([](const Vec3d& v) { return length(v); });
  const Vec3d across = farthest([&](const Vec3d& v) { return length(cross(along, v)); });
  const Vec3d normal = cross(along, across);
  const auto height = [&](const Vec3d& v) { return std::abs(dot(normal, v)); };
  return height(farthest(height)) <= rounding * length(normal) * length(along);
}

}  // namespace

Result<TetMesh> run_tetgen(const SurfaceMesh& surface, const TetgenOptions& options) {
  if (lie_in_a_plane(surface.vertices))
    return Error{"surface", "lies in a plane and encloses nothing", "give a surface that encloses a volume"};
  const auto no_space = [] {
    return Error{"tetgen", std::string("no temporary file: ") + std::strerror(errno),
                 "free some space, or name a folder that has some in the environment variable TMPDIR"};
  };
  errno = ENOENT;  // if TMPDIR is not a folder
  const WorkFolder work;
  if (work.path().empty()) return no_space();
  const fs::path input = work.path() / "surface.off";
  if (Status s = write_file_atomically(input, off_text(surface)); !s) return s.error();
  const NamelessFile in = make_nameless(), out = make_nameless();
  if (!in || !out) return no_space();

  // p: from a surface; q: quality; a: volume; z: count from 0. Without N and E, which omit results, and without Q,
  // because its output has the reason of a failure.
  const std::string switches =
      format("-pzq%.6g/%.6ga%.17g", options.radius_edge_ratio, options.smallest_angle, options.largest_volume);
  const ChildEnd end = run(options, switches, input, in.get(), out.get());
  if (end.not_started != 0)
    return Error{"tetgen", options.program + " cannot be run: " + std::strerror(end.not_started),
                 "install the package tetgen, or use the mesher \"stuffing\""};
  if (options.interrupt && options.interrupt->load()) return Error{"tetgen", "was interrupted", ""};
  const std::string words = last_words(content_of(out.get()));
  if (end.signal == SIGXFSZ)
    return Error{"tetgen", "its files are larger than the limit on the size of files",
                 "raise it (ulimit -f), or take a larger cell"};
  if (end.signal != 0)
    return Error{"tetgen", format("crashed (signal %d, %s)", end.signal, strsignal(end.signal)) + words, other_way};
  if (end.exit_code != 0) return Error{"tetgen", format("gave up (exit code %d)", end.exit_code) + words, other_way};
  const fs::path result = work.path() / "surface.1.node";
  std::error_code none;
  if (!fs::exists(result, none)) return Error{"tetgen", "wrote no mesh" + words, other_way};
  // Of an open surface it keeps nothing.
  if (!fs::exists(work.path() / "surface.1.ele", none))
    return Error{"tetgen", "filled nothing with tets, as if the surface were not closed",
                 "close it, or use the mesher \"stuffing\", which takes open ones"};
  Result<TetMesh> mesh = read_tet_mesh(result);
  if (!mesh) {
    // The folder no longer exists when the message is read.
    const std::string place = fs::path(mesh.error().where).filename().string();
    return Error{"tetgen", "wrote a mesh that cannot be read: " + place + ": " + mesh.error().what,
                 std::string("see that there is space for temporary files; ") + other_way};
  }
  return mesh;
}

}  // namespace sinew
