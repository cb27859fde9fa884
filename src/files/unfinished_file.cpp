#include "files/unfinished_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "base/format.h"

namespace sinew {

namespace fs = std::filesystem;

namespace {

// The paths of all unfinished files. Files beyond this number are not removed by a signal handler.
std::array<std::atomic<const char*>, 256> listed;

std::unique_ptr<std::string> list(const fs::path& path) {
  auto name = std::make_unique<std::string>(path.string());
  for (std::atomic<const char*>& place : listed)
    if (const char* none = nullptr; place.compare_exchange_strong(none, name->c_str())) break;
  return name;
}

void unlist(const std::unique_ptr<std::string>& name) noexcept {
  if (!name) return;
  for (std::atomic<const char*>& place : listed)
    if (const char* own = name->c_str(); place.compare_exchange_strong(own, nullptr)) return;
}

// Unique among the threads of this process and the processes of this machine.
std::string hidden_name(const fs::path& target) {
  static std::atomic<unsigned> counter{0};
  return format(".%s.%ld.%u.partial", target.filename().c_str(), static_cast<long>(::getpid()), counter++);
}

// The name of the target of a hidden file.
std::optional<std::string> target_of(const std::string& hidden) {
  constexpr std::string_view end = ".partial";
  if (!hidden.starts_with('.') || !hidden.ends_with(end)) return std::nullopt;
  std::string name = hidden.substr(1, hidden.size() - 1 - end.size());
  for (int k = 0; k < 2; ++k) {
    const size_t dot = name.rfind('.');
    if (dot == std::string::npos || dot + 1 == name.size()) return std::nullopt;
    if (name.find_first_not_of("0123456789", dot + 1) != std::string::npos) return std::nullopt;
    name.resize(dot);
  }
  return name.empty() ? std::nullopt : std::optional(name);
}

}  // namespace

Error write_error(const fs::path& target, const char* action, int error_number) {
  std::string what = action;
  if (error_number != 0) what += " (" + std::generic_category().message(error_number) + ")";
  std::string remedy;
  std::error_code ignored;
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
      remedy = "free some space or write elsewhere";
      break;
    case EFBIG:
      remedy = "raise the limit on the size of files (ulimit -f), or write elsewhere";
      break;
    case ENOENT:
      remedy = fs::exists(target.parent_path().empty() ? "." : target.parent_path(), ignored)
                   ? "choose a folder that you may write to"
                   : "create the folder first";
      break;
    case EACCES:
    case EPERM:
    case EROFS:
      remedy = "choose a folder that you may write to";
      break;
    case ENAMETOOLONG:
      remedy = "choose a shorter name";
      break;
    default:
      break;
  }
  return {target.string(), what, remedy};
}

Result<UnfinishedFile> UnfinishedFile::create(const fs::path& target) {
  if (!target.has_filename()) return Error{target.string(), "does not name a file", "append a file name"};
  // Renaming over a device would replace the device itself; over a link, something that others rely on.
  std::error_code code;
  const fs::file_status status = fs::status(target, code);
  if (fs::is_directory(status)) return Error{target.string(), "is a folder", "name a file to write"};
  if (fs::exists(status) && !fs::is_regular_file(status))
    return Error{target.string(), "is not a regular file", "name an ordinary file to write"};
  if (fs::is_symlink(fs::symlink_status(target, code)))
    return Error{target.string(), "is a symbolic link, and nothing is written through links",
                 "name the file itself, or remove the link"};

  UnfinishedFile file;
  file.target_ = target;
  file.path_ = target.parent_path() / hidden_name(target);
  file.listed_ = list(file.path_);
  file.descriptor_ = ::open(file.path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (file.descriptor_ < 0) {
    const int reason = errno;
    file.path_.clear();
    return write_error(target, "cannot be created", reason);
  }
  // On file systems without locks, files of killed writers remain.
  (void)::flock(file.descriptor_, LOCK_EX | LOCK_NB);
  return file;
}

UnfinishedFile::UnfinishedFile(UnfinishedFile&& other) noexcept
    : target_(std::move(other.target_)),
      path_(std::exchange(other.path_, {})),
      listed_(std::move(other.listed_)),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

UnfinishedFile& UnfinishedFile::operator=(UnfinishedFile&& other) noexcept {
  if (this == &other) return *this;
  discard();
  target_ = std::move(other.target_);
  path_ = std::exchange(other.path_, {});
  listed_ = std::move(other.listed_);
  descriptor_ = std::exchange(other.descriptor_, -1);
  return *this;
}

int UnfinishedFile::put_in_place() {
  if (std::rename(path_.c_str(), target_.c_str()) != 0) {
    const int reason = errno;
    discard();
    return reason;
  }
  path_.clear();
  close();
  return 0;
}

void UnfinishedFile::discard() noexcept {
  if (!path_.empty()) ::unlink(path_.c_str());
  path_.clear();
  close();
}

void UnfinishedFile::close() noexcept {
  unlist(listed_);
  listed_.reset();
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

void remove_unfinished_files() noexcept {
  for (const std::atomic<const char*>& place : listed)
    if (const char* name = place.load()) ::unlink(name);
}

void remove_abandoned_files(const fs::path& folder, const std::function<bool(const std::string&)>& ours) {
  std::error_code code;
  std::vector<fs::path> found;
  for (fs::directory_iterator it(folder.empty() ? "." : folder, code), end; !code && it != end; it.increment(code)) {
    const auto target = target_of(it->path().filename().string());
    if (target && ours(*target)) found.push_back(it->path());
  }
  for (const fs::path& path : found) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) continue;
    struct stat status {};
    const bool file = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
    if (file && ::flock(descriptor, LOCK_EX | LOCK_NB) == 0) ::unlink(path.c_str());
    ::close(descriptor);
  }
}

void remove_abandoned_files(const fs::path& target) {
  remove_abandoned_files(target.parent_path(),
                         [own = target.filename().string()](const std::string& name) { return name == own; });
}

}  // namespace sinew
