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

constexpr const char* held_elsewhere = "is being written by another run";

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

}  // namespace

std::string OutputPaths::volume_frame_name(int64_t frame) {
  return "frames/" + frame_name(frame, ".vtu");
}
std::string OutputPaths::contact_frame_name(int64_t frame) {
  return "contacts/" + frame_name(frame, ".vtp");
}
std::string OutputPaths::surface_frame_name(int64_t frame) {
  return "surface/" + frame_name(frame, ".bin");
}
std::string OutputPaths::picture_name(int64_t frame) {
  return "pictures/" + frame_name(frame, ".png");
}
std::string OutputPaths::still_name(int64_t frame) {
  return "stills/" + frame_name(frame, ".png");
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

  const Result<Manifest> manifest = Manifest::open(folder, FolderKind::run);
  if (!manifest) return manifest.error();
  content.kind = manifest->exists() ? FolderContent::Kind::run : FolderContent::Kind::other;
  content.has_checkpoint = fs::exists(paths.checkpoint(), code);
  if (Result<RunSummary> summary = read_run_file(paths.run_file())) content.summary = std::move(*summary);
  const int descriptor = ::open(paths.lock().c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor >= 0) {
    content.being_written = ::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    ::close(descriptor);
  }
  return content;
}

Error refuse_existing_run(const fs::path& folder, const FolderContent& content) {
  if (content.being_written)
    return {folder.string(), held_elsewhere, "wait for it, or give another output folder with -o"};
  std::string what = content.summary ? "already holds a run" : "holds what is left of a run";
  if (content.summary) {
    const RunProgress& progress = content.summary->progress;
    what += format(" (%s, last frame %lld)", progress.state == RunState::running ? "killed" : name_of(progress.state),
                   static_cast<long long>(progress.last_frame));
  }
  std::string remedy = content.has_checkpoint ? "add --resume to continue it, --overwrite to replace it"
                                              : "add --overwrite to replace it";
  return {folder.string(), what, remedy + ", or give another output folder with -o"};
}

bool FolderLock::is_held(const Error& error) {
  return error.what == held_elsewhere;
}

Result<FolderLock> FolderLock::acquire(const fs::path& folder) {
  FolderLock lock;
  lock.path_ = OutputPaths(folder).lock();
  for (;;) {
    lock.descriptor_ = ::open(lock.path_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (lock.descriptor_ < 0 && errno == ELOOP)
      return Error{lock.path_.string(), "is a symbolic link, and nothing is written through links", "remove the link"};
    if (lock.descriptor_ < 0) return file_error(folder, "cannot be written to", errno);
    // A file that we create is empty, and is removed in the end.
    struct stat status {};
    if (::fstat(lock.descriptor_, &status) == 0 && status.st_size > 0) {
      ::close(std::exchange(lock.descriptor_, -1));
      return Error{lock.path_.string(), "is not the lock of a run: there is something in it", "move it away"};
    }
    if (::flock(lock.descriptor_, LOCK_EX | LOCK_NB) != 0) {
      const int code = errno;
      if (code == EINTR || code == EWOULDBLOCK) ::close(std::exchange(lock.descriptor_, -1));
      if (code == EINTR) continue;
      if (code == EWOULDBLOCK) {
        return Error{folder.string(), held_elsewhere, "wait for it, or give another output folder with -o"};
      }
      return lock;  // the file system has no locks
    }
    // The previous holder may have removed the file between our opening and locking it.
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
  Result<FolderLock> lock = acquire(folder);
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

Status clear_run(Manifest& manifest) {
  // First the files that refer to frames, so that they never name missing files; run.json last, so that the rest is
  // recognized as a run.
  const std::string first[] = {"frames.pvd", "contacts.pvd", "checkpoint.bin"}, last[] = {"stats.csv", "run.json"};
  return manifest.clear(first, last);
}

Status clear_film(const Manifest& manifest) {
  for (const std::string& name : manifest.names())
    if (name == "film.mp4" || name.starts_with("pictures/"))
      if (Status status = manifest.remove(name); !status) return status;
  // A film is listed when it is complete.
  const std::string film[] = {"film.mp4"};
  manifest.remove_abandoned(film);
  return {};
}

}  // namespace sinew
