// A file that is being written, under a hidden name beside its final one: ".NAME.PROCESS.NUMBER.partial". It is removed
// when its writer gives up. A killed process leaves it; the lock, which the system releases, distinguishes it from a
// file that is being written, and the next writer removes it.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "sinew/folder.h"

namespace sinew {

class UnfinishedFile {
 public:
  // Errors: the target is a folder, a device or a symbolic link, the folder is missing or not writable.
  static Result<UnfinishedFile> create(const std::filesystem::path& target);

  UnfinishedFile(UnfinishedFile&& other) noexcept;
  UnfinishedFile& operator=(UnfinishedFile&& other) noexcept;
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;
  ~UnfinishedFile() { discard(); }

  const std::filesystem::path& path() const { return path_; }  // hidden
  int descriptor() const { return descriptor_; }               // open for writing as long as the file is unfinished
  // Renames the file to its final name, replacing what was there. Returns 0, or errno; the file is then removed.
  int put_in_place();
  void discard() noexcept;

 private:
  UnfinishedFile() = default;
  void close() noexcept;

  std::filesystem::path target_, path_;
  std::unique_ptr<std::string> listed_;  // in the list of files to be removed by a signal handler
  int descriptor_ = -1;
};

// The error of a failed write, with a remedy: "out/a.vtu: cannot be written (No space left on device); free ...".
Error write_error(const std::filesystem::path& target, const char* what, int error_number);

// Removes files that killed writers left in a folder, for the targets that `ours` accepts.
void remove_abandoned_files(const std::filesystem::path& folder, const std::function<bool(const std::string&)>& ours);
// The same for one target.
void remove_abandoned_files(const std::filesystem::path& target);

}  // namespace sinew
