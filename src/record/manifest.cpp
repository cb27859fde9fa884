#include "record/manifest.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "files/atomic_file.h"
#include "files/read_file.h"
#include "record/file_error.h"

namespace sinew {

namespace fs = std::filesystem;

namespace {

constexpr const char* kKinds[] = {"run", "comparison", "experiment"};
constexpr const char* kArticles[] = {"a run", "a comparison", "an experiment"};
// A file that identifies each kind.
constexpr const char* kSigns[] = {"run.json", "comparison.json", "result.json"};
constexpr const char* kElsewhere = "move it away, or give another output folder with -o";

std::string head_of(FolderKind kind) {
  return std::string("sinew ") + kKinds[static_cast<int>(kind)] + " 1";
}

// A path below the folder and nothing else, since anyone may have edited the list.
bool is_inside(const std::string& name) {
  if (name.empty() || name.front() == '/') return false;
  for (const fs::path& part : fs::path(name))
    if (part == ".." || part == ".") return false;
  return true;
}

// The type of the path itself; does not follow links.
fs::file_type type_of(const fs::path& path) {
  std::error_code code;
  return fs::symlink_status(path, code).type();
}

Error link_in_the_way(const fs::path& path) {
  return {path.string(), "is a symbolic link, and nothing is written or removed through links",
          "remove the link, or give another output folder with -o"};
}

}  // namespace

Result<Manifest> Manifest::open(const fs::path& folder, FolderKind kind) {
  Manifest manifest(folder, kind);
  const fs::path path = folder / file_name;
  const fs::file_type type = type_of(path);
  if (type == fs::file_type::not_found) return manifest;
  if (type == fs::file_type::symlink) return link_in_the_way(path);
  const Result<std::string> text = read_file(path);
  if (!text) return text.error();

  const auto end_of_line = [&](size_t begin) { return std::min(text->find('\n', begin), text->size()); };
  const std::string head = text->substr(0, end_of_line(0));
  if (head != head_of(kind)) {
    for (int k = 0; k < 3; ++k)
      if (head == head_of(static_cast<FolderKind>(k)))
        return Error{folder.string(), std::string("is the folder of ") + kArticles[k],
                     "give another output folder with -o"};
    return Error{path.string(), "is no list of the files of Sinew", kElsewhere};
  }
  manifest.exists_ = true;
  manifest.cut_off_ = !text->ends_with('\n');
  for (size_t begin = end_of_line(0) + 1; begin < text->size();) {
    const size_t end = end_of_line(begin);
    const std::string name = text->substr(begin, end - begin);
    if (end < text->size() && is_inside(name)) manifest.names_.insert(name);
    begin = end + 1;
  }
  return manifest;
}

Status Manifest::check_way(const std::string& name) const {
  for (size_t slash = name.find('/'); slash != std::string::npos; slash = name.find('/', slash + 1)) {
    const fs::path above = folder_ / name.substr(0, slash);
    const fs::file_type type = type_of(above);
    if (type == fs::file_type::not_found) return {};
    if (type == fs::file_type::symlink) return link_in_the_way(above);
    if (type != fs::file_type::directory) return file_error(above, "cannot be used", ENOTDIR);
  }
  return {};
}

Status Manifest::check(const std::string& name) const {
  if (Status status = check_way(name); !status) return status;
  const fs::path path = folder_ / name;
  const fs::file_type type = type_of(path);
  if (type == fs::file_type::not_found) return {};
  if (type == fs::file_type::symlink) return link_in_the_way(path);
  if (type == fs::file_type::directory)
    return Error{path.string(), "is a folder, where a file is to be written", kElsewhere};
  if (type != fs::file_type::regular) return Error{path.string(), "is not a regular file", kElsewhere};
  if (names(name)) return {};
  return Error{folder_.string(),
               "holds " + name + ", which would be replaced and is not " +
                   (exists_ ? std::string("named in ") + file_name : std::string("a file of Sinew")),
               kElsewhere};
}

Status Manifest::check(std::span<const std::string> all) const {
  for (const std::string& name : all)
    if (Status status = check(name); !status) return status;
  return {};
}

Status Manifest::append(const std::string& text) {
  const fs::path path = folder_ / file_name;
  if (!exists_) {
    if (Status status = write_file_atomically(path, head_of(kind_) + "\n" + text); !status) return status;
    exists_ = true;
    return {};
  }
  if (text.empty()) return {};
  // In one write: another process may append too, for example one that renders the frames of this run.
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) return file_error(path, "cannot be opened for writing", errno);
  const std::string bytes = (cut_off_ ? "\n" : "") + text;
  const off_t before = ::lseek(descriptor, 0, SEEK_END);
  const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
  int code = written < 0 ? errno : static_cast<size_t>(written) < bytes.size() ? ENOSPC : 0;
  if (written > 0 && code != 0 && ::ftruncate(descriptor, before) != 0) code = errno;
  if (::close(descriptor) != 0 && code == 0) code = errno;
  if (code != 0) return file_error(path, "cannot be written", code);
  cut_off_ = false;
  return {};
}

Status Manifest::claim(std::span<const std::string> all) {
  if (Status status = check(all); !status) return status;
  std::string text;
  for (const std::string& name : all)
    if (!names(name)) text += name + "\n";
  if (text.empty() && exists_) return {};
  if (Status status = append(text); !status) return status;
  names_.insert(all.begin(), all.end());
  return {};
}

Status Manifest::make_folder(const std::string& name) {
  const std::string listed = name + "/";
  if (Status status = check_way(listed); !status) return status;
  const fs::path path = folder_ / name;
  if (type_of(path) == fs::file_type::directory) return {};
  if (!names(listed)) {
    if (Status status = append(listed + "\n"); !status) return status;
    names_.insert(listed);
  }
  std::error_code code;
  fs::create_directory(path, code);
  if (code) return file_error(path, "the folder cannot be made", code.value());
  return {};
}

Status Manifest::remove(const std::string& name) const {
  if (!names(name) || name.ends_with('/')) return {};
  if (Status status = check(name); !status) return status;
  std::error_code code;
  fs::remove(folder_ / name, code);
  if (code) return file_error(folder_ / name, "cannot be removed", code.value());
  return {};
}

Status Manifest::clear(std::span<const std::string> first, std::span<const std::string> last) {
  std::vector<std::string> folders;
  for (const std::string& name : names_) {
    if (Status status = name.ends_with('/') ? check_way(name) : check(name); !status) return status;
    if (name.ends_with('/')) folders.push_back(name);
  }
  remove_abandoned();
  std::vector<std::string> order(first.begin(), first.end());
  for (const std::string& name : names_)
    if (std::find(last.begin(), last.end(), name) == last.end()) order.push_back(name);
  order.insert(order.end(), last.begin(), last.end());
  for (const std::string& name : order)
    if (Status status = remove(name); !status) return status;
  // Nested folders first.
  std::sort(folders.begin(), folders.end(), std::greater<>());
  for (const std::string& name : folders) ::rmdir((folder_ / name.substr(0, name.size() - 1)).c_str());
  names_.clear();
  if (!exists_) return {};
  return write_file_atomically(folder_ / file_name, head_of(kind_) + "\n");
}

void Manifest::remove_abandoned(std::span<const std::string> also) const {
  std::set<std::string> all = names_;
  all.insert(also.begin(), also.end());
  all.insert(file_name);
  std::set<fs::path> folders;
  for (const std::string& name : all)
    if (!name.ends_with('/')) folders.insert(fs::path(name).parent_path());
  for (const fs::path& inner : folders) {
    const std::string before = inner.empty() ? "" : inner.string() + "/";
    if (!check_way(before)) continue;
    remove_abandoned_files(inner.empty() ? folder_ : folder_ / inner,
                           [&](const std::string& name) { return all.contains(before + name); });
  }
}

void Manifest::forget_if_all_is_gone() {
  const auto gone = [&](const std::string& name) {
    return type_of(folder_ / name.substr(0, name.size() - name.ends_with('/'))) == fs::file_type::not_found;
  };
  if (!exists_ || !std::all_of(names_.begin(), names_.end(), gone)) return;
  ::unlink((folder_ / file_name).c_str());
  exists_ = false;
  names_.clear();
}

Status check_folder(const fs::path& folder, FolderKind kind, std::span<const std::string> names) {
  const Result<Manifest> manifest = Manifest::open(folder, kind);
  if (!manifest) return manifest.error();
  for (int k = 0; k < 3; ++k)
    if (k != static_cast<int>(kind) && type_of(folder / kSigns[k]) != fs::file_type::not_found)
      return Error{folder.string(), std::string("holds the ") + kSigns[k] + " of " + kArticles[k],
                   "give another output folder with -o"};
  return manifest->check(names);
}

}  // namespace sinew
