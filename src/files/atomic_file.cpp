#include "files/atomic_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/assert.h"

namespace sinew {

namespace fs = std::filesystem;

Result<AtomicFile> AtomicFile::create(const fs::path& target) {
  Result<UnfinishedFile> unfinished = UnfinishedFile::create(target);
  if (!unfinished) return unfinished.error();
  AtomicFile file(target, std::move(*unfinished));
  // A second descriptor, so that the lock lasts until the file is renamed.
  const int descriptor = ::fcntl(file.file_.descriptor(), F_DUPFD_CLOEXEC, 0);
  if (descriptor >= 0) file.stream_ = ::fdopen(descriptor, "wb");
  if (!file.stream_) {
    const int reason = errno;
    if (descriptor >= 0) ::close(descriptor);
    return write_error(target, "cannot be created", reason);
  }
  std::setvbuf(file.stream_, nullptr, _IOFBF, 1 << 18);
  return file;
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : target_(std::move(other.target_)),
      file_(std::move(other.file_)),
      stream_(std::exchange(other.stream_, nullptr)),
      status_(std::move(other.status_)) {}

AtomicFile& AtomicFile::operator=(AtomicFile&& other) noexcept {
  if (this == &other) return *this;
  discard();
  target_ = std::move(other.target_);
  file_ = std::move(other.file_);
  stream_ = std::exchange(other.stream_, nullptr);
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
    status_ = write_error(target_, "cannot be written", errno);
    discard();
  }
  return status_;
}

Status AtomicFile::commit() {
  if (!status_) return status_;
  SINEW_ASSERT(stream_);
  // The last bytes leave the buffer here, so a full disk may only be detected now.
  errno = 0;
  if (std::fclose(std::exchange(stream_, nullptr)) != 0)
    status_ = write_error(target_, "cannot be written", errno);
  else if (const int reason = file_.put_in_place(); reason != 0)
    status_ = write_error(target_, "cannot be put in place", reason);
  if (!status_) discard();
  return status_;
}

void AtomicFile::discard() noexcept {
  if (stream_) std::fclose(std::exchange(stream_, nullptr));
  file_.discard();
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
