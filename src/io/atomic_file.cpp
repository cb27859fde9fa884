#include "io/atomic_file.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <system_error>
#include <utility>

#include "base/format.h"

namespace sinew {

namespace fs = std::filesystem;

namespace {

std::string errno_text(int error_number) {
  return std::generic_category().message(error_number);
}

// Unique among the threads of this process and the processes of this machine.
std::string partial_name(const fs::path& target) {
  static std::atomic<unsigned> counter{0};
  return format(".%s.%ld.%u.partial", target.filename().c_str(), static_cast<long>(::getpid()), counter++);
}

}  // namespace

Result<AtomicFile> AtomicFile::create(const fs::path& target) {
  AtomicFile file;
  file.target_ = target;
  file.final_ = target;
  if (!target.has_filename()) return Error{target.string(), "does not name a file", "append a file name"};

  // Renaming over a device would replace the device itself.
  std::error_code code;
  const fs::file_status status = fs::status(target, code);
  if (fs::is_directory(status)) return Error{target.string(), "is a folder", "name a file to write"};
  if (fs::exists(status) && !fs::is_regular_file(status))
    return Error{target.string(), "is not a regular file", "name an ordinary file to write"};
  if (fs::is_symlink(fs::symlink_status(target, code))) {
    const fs::path resolved = fs::weakly_canonical(target, code);
    if (!code) file.final_ = resolved;
  }

  file.partial_ = file.final_.parent_path() / partial_name(file.final_);
  errno = 0;
  file.stream_ = std::fopen(file.partial_.c_str(), "wb");
  if (!file.stream_) return file.failure("cannot be created", errno);
  std::setvbuf(file.stream_, nullptr, _IOFBF, 1 << 18);
  return file;
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : stream_(std::exchange(other.stream_, nullptr)),
      target_(std::move(other.target_)),
      final_(std::move(other.final_)),
      partial_(std::move(other.partial_)),
      status_(std::move(other.status_)) {}

AtomicFile& AtomicFile::operator=(AtomicFile&& other) noexcept {
  if (this == &other) return *this;
  discard();
  stream_ = std::exchange(other.stream_, nullptr);
  target_ = std::move(other.target_);
  final_ = std::move(other.final_);
  partial_ = std::move(other.partial_);
  status_ = std::move(other.status_);
  return *this;
}

Status AtomicFile::write(std::string_view text) {
  return write(std::as_bytes(std::span(text.data(), text.size())));
}

Status AtomicFile::write(std::span<const std::byte> bytes) {
  if (!status_) return status_;
  SINEW_ASSERT(stream_);
  if (bytes.empty()) return {};
  errno = 0;
  if (std::fwrite(bytes.data(), 1, bytes.size(), stream_) != bytes.size()) {
    status_ = failure("cannot be written", errno);
    discard();
  }
  return status_;
}

Status AtomicFile::commit() {
  if (!status_) return status_;
  SINEW_ASSERT(stream_);
  // The last bytes leave the buffer here, so a full disk may only show now.
  errno = 0;
  if (std::fclose(std::exchange(stream_, nullptr)) != 0) {
    status_ = failure("cannot be written", errno);
  } else {
    std::error_code code;
    fs::rename(partial_, final_, code);
    if (code) status_ = failure("cannot be put in place", code.value());
  }
  if (!status_) discard();
  partial_.clear();
  return status_;
}

Error AtomicFile::failure(const char* action, int error_number) const {
  std::string what = action;
  if (error_number != 0) what += " (" + errno_text(error_number) + ")";
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
      remedy = fs::exists(target_.parent_path().empty() ? "." : target_.parent_path(), ignored)
                   ? "choose a folder that you may write to"
                   : "create the folder first";
      break;
    case EACCES:
    case EPERM:
    case EROFS:
      remedy = "choose a folder that you may write to";
      break;
    default:
      break;
  }
  return {target_.string(), what, remedy};
}

void AtomicFile::discard() noexcept {
  if (stream_) std::fclose(std::exchange(stream_, nullptr));
  if (!partial_.empty()) {
    std::error_code ignored;
    fs::remove(partial_, ignored);
    partial_.clear();
  }
}

Status write_file_atomically(const fs::path& target, std::span<const std::byte> bytes) {
  Result<AtomicFile> file = AtomicFile::create(target);
  if (!file) return file.error();
  if (Status status = file->write(bytes); !status) return status;
  return file->commit();
}

Status write_file_atomically(const fs::path& target, std::string_view text) {
  return write_file_atomically(target, std::as_bytes(std::span(text.data(), text.size())));
}

}  // namespace sinew
