#include "record/output_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/format.h"
#include "io/scanner.h"
#include "record/file_error.h"

namespace sinew {

namespace fs = std::filesystem;

namespace {

std::string frame_name(int64_t frame, const char* suffix) {
  return format("frame_%06lld%s", static_cast<long long>(frame), suffix);
}

// The number in "frame_<number><suffix>", or -1.
int64_t frame_number(const std::string& name, const std::string& suffix) {
  const std::string prefix = "frame_";
  if (!name.starts_with(prefix) || !name.ends_with(suffix) || name.size() < prefix.size() + 6 + suffix.size())
    return -1;
  const std::string digits = name.substr(prefix.size(), name.size() - prefix.size() - suffix.size());
  int64_t number = -1;
  if (digits.find_first_not_of("0123456789") != std::string::npos || !to_whole(digits, number)) return -1;
  return number;
}

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code code;
  for (fs::directory_iterator it(folder, code), end; !code && it != end; it.increment(code))
    files.push_back(it->path());
  return files;
}

// Would a run write a file of this name into frames/ or surface/?
bool is_frame_file(const fs::path& file) {
  return frame_number(file.filename().string(), ".vtu") >= 0;
}
bool is_surface_file(const fs::path& file) {
  const std::string name = file.filename().string(), suffix = file.extension().string();
  return name == "rest.bin" || frame_number(name, ".bin") >= 0 || suffix == ".obj" || suffix == ".pc2" ||
         suffix == ".mdd";
}

// A file that a run would replace, relative to the folder; empty: none.
std::string file_in_the_way(const OutputPaths& paths) {
  std::error_code code;
  for (const fs::path& file : {paths.run_file(), paths.stats(), paths.pvd(), paths.checkpoint()})
    if (fs::exists(file, code)) return file.filename().string();
  for (const fs::path& file : files_in(paths.frames()))
    if (is_frame_file(file)) return "frames/" + file.filename().string();
  for (const fs::path& file : files_in(paths.surface()))
    if (is_surface_file(file)) return "surface/" + file.filename().string();
  return "";
}

Status remove_file(const fs::path& file) {
  std::error_code code;
  fs::remove(file, code);
  if (code) return file_error(file, "cannot be removed", code.value());
  return {};
}

// What a killed writer of a file whose name begins so left.
bool is_partial(const fs::path& file, std::string_view beginning) {
  const std::string name = file.filename().string();
  return name.starts_with("." + std::string(beginning)) && name.ends_with(".partial");
}

// And the folder, if nothing else is in it.
Status clear_pictures(const fs::path& folder) {
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) return {};
  for (const fs::path& file : files_in(folder))
    if (frame_number(file.filename().string(), ".png") >= 0 || is_partial(file, "frame_"))
      if (Status status = remove_file(file); !status) return status;
  fs::remove(folder, ignored);
  return {};
}

}  // namespace

fs::path OutputPaths::surface_frame(int64_t frame) const {
  return surface() / frame_name(frame, ".bin");
}
fs::path OutputPaths::picture(int64_t frame) const {
  return pictures() / frame_name(frame, ".png");
}
fs::path OutputPaths::still(int64_t frame) const {
  return stills() / frame_name(frame, ".png");
}
std::string OutputPaths::volume_frame_name(int64_t frame) {
  return "frames/" + frame_name(frame, ".vtu");
}

std::vector<int64_t> list_frames(const fs::path& folder, const std::string& suffix) {
  std::vector<int64_t> frames;
  for (const fs::path& file : files_in(folder)) {
    const int64_t number = frame_number(file.filename().string(), suffix);
    if (number >= 0) frames.push_back(number);
  }
  std::sort(frames.begin(), frames.end());
  return frames;
}

Result<FolderContent> inspect_output_folder(const fs::path& folder) {
  const OutputPaths paths(folder);
  std::error_code code;
  const fs::file_status status = fs::status(folder, code);
  FolderContent content;
  if (status.type() == fs::file_type::not_found) return content;
  if (status.type() == fs::file_type::none) return file_error(folder, "cannot be looked into", code.value());
  if (!fs::is_directory(status))
    return Error{folder.string(), "is a file, not a folder", "give another output folder with -o"};
  fs::directory_iterator it(folder, code);
  if (code) return file_error(folder, "cannot be looked into", code.value());
  if (it == fs::directory_iterator{}) return content;

  content.kind = FolderContent::Kind::other;
  content.has_checkpoint = fs::exists(paths.checkpoint(), code);
  Result<RunSummary> summary = read_run_file(paths.run_file());
  if (summary) {
    content.kind = FolderContent::Kind::run;
    content.summary = std::move(*summary);
  } else {
    content.in_the_way = file_in_the_way(paths);
  }
  const int descriptor = ::open(paths.lock().c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor >= 0) {
    content.being_written = ::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    ::close(descriptor);
  }
  return content;
}

Error refuse_existing_run(const fs::path& folder, const FolderContent& content) {
  if (content.being_written)
    return {folder.string(), "is being written by another run", "wait for it, or give another output folder with -o"};
  if (content.kind == FolderContent::Kind::other)
    return {folder.string(), "holds no run.json of Sinew, but a file that a run would replace: " + content.in_the_way,
            "move it away, or give another output folder with -o"};
  std::string what = "already holds a run";
  if (content.summary) {
    const RunProgress& progress = content.summary->progress;
    what += format(" (%s, last frame %lld)", progress.state == RunState::running ? "killed" : name_of(progress.state),
                   static_cast<long long>(progress.last_frame));
  }
  std::string remedy = content.has_checkpoint ? "add --resume to continue it, --overwrite to replace it"
                                              : "add --overwrite to replace it";
  return {folder.string(), what, remedy + ", or give another output folder with -o"};
}

Result<FolderLock> FolderLock::acquire(const OutputPaths& paths) {
  FolderLock lock;
  lock.path_ = paths.lock();
  for (;;) {
    lock.descriptor_ = ::open(lock.path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (lock.descriptor_ < 0) return file_error(paths.root, "cannot be written to", errno);
    if (::flock(lock.descriptor_, LOCK_EX | LOCK_NB) != 0) {
      const int code = errno;
      if (code == EINTR || code == EWOULDBLOCK) ::close(std::exchange(lock.descriptor_, -1));
      if (code == EINTR) continue;
      if (code == EWOULDBLOCK) {
        return Error{paths.root.string(), "is being written by another run",
                     "wait for it, or give another output folder with -o"};
      }
      return lock;  // a file system without locks
    }
    // The holder before us may have removed the file between our opening and our locking it.
    struct stat held {
    }, named{};
    if (::fstat(lock.descriptor_, &held) == 0 && ::stat(lock.path_.c_str(), &named) == 0 &&
        held.st_ino == named.st_ino && held.st_dev == named.st_dev)
      return lock;
    ::close(std::exchange(lock.descriptor_, -1));
  }
}

Result<FolderLock> FolderLock::claim(const fs::path& folder) {
  std::error_code code;
  const bool made = fs::create_directories(folder, code);
  if (code || !fs::is_directory(folder, code))
    return file_error(folder, "cannot be created", code ? code.value() : ENOTDIR);
  Result<FolderLock> lock = acquire(OutputPaths(folder));
  if (lock) lock->made_folder_ = made;
  return lock;
}

FolderLock::FolderLock(FolderLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      path_(std::move(other.path_)),
      made_folder_(other.made_folder_) {}

FolderLock& FolderLock::operator=(FolderLock&& other) noexcept {
  if (this == &other) return *this;
  release();
  descriptor_ = std::exchange(other.descriptor_, -1);
  path_ = std::move(other.path_);
  made_folder_ = other.made_folder_;
  return *this;
}

void FolderLock::release() noexcept {
  if (descriptor_ < 0) return;
  ::unlink(path_.c_str());
  ::close(std::exchange(descriptor_, -1));
  if (made_folder_) ::rmdir(path_.parent_path().c_str());
}

Status make_folders(const OutputPaths& paths) {
  for (const fs::path& folder : {paths.root, paths.frames(), paths.surface()}) {
    std::error_code code;
    fs::create_directories(folder, code);
    if (code) return file_error(folder, "cannot be created", code.value());
    if (!fs::is_directory(folder, code)) return file_error(folder, "cannot be created", ENOTDIR);
  }
  return {};
}

Status clear_run(const OutputPaths& paths) {
  // First what refers to frames, so that it never names what is gone; run.json last, so that what is left is known for
  // a run.
  for (const fs::path& file : {paths.pvd(), paths.checkpoint()})
    if (Status status = remove_file(file); !status) return status;
  for (const fs::path& file : files_in(paths.frames()))
    if (is_frame_file(file))
      if (Status status = remove_file(file); !status) return status;
  for (const fs::path& file : files_in(paths.surface()))
    if (is_surface_file(file))
      if (Status status = remove_file(file); !status) return status;
  if (Status status = clear_film(paths); !status) return status;
  if (Status status = clear_pictures(paths.stills()); !status) return status;
  remove_partial_files(paths);
  for (const fs::path& file : {paths.stats(), paths.run_file()})
    if (Status status = remove_file(file); !status) return status;
  return {};
}

Status clear_film(const OutputPaths& paths) {
  if (Status status = remove_file(paths.film()); !status) return status;
  for (const fs::path& file : files_in(paths.root))
    if (is_partial(file, "film.mp4."))
      if (Status status = remove_file(file); !status) return status;
  return clear_pictures(paths.pictures());
}

void remove_partial_files(const OutputPaths& paths) {
  for (const fs::path& folder : {paths.root, paths.frames(), paths.surface()})
    for (const fs::path& file : files_in(folder)) {
      const std::string name = file.filename().string();
      std::error_code ignored;
      if (is_partial(file, "") || name == "checkpoint.next.bin") fs::remove(file, ignored);
    }
}

}  // namespace sinew
