// A file that is being written, under a hidden name beside the one that it will have: ".NAME.PROCESS.NUMBER.partial".
// It is gone when its writer gives up. A process that is killed leaves it; it is then told from one that is being
// written by its lock, which the system takes back, and the next writer removes it.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "base/result.h"

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
  // Gives the file its name, replacing what was there. 0, or errno's number; the file is gone then.
  int put_in_place();
  void discard() noexcept;

 private:
  UnfinishedFile() = default;
  void close() noexcept;

  std::filesystem::path target_, path_;
  std::unique_ptr<std::string> listed_;  // in the list of those to be removed by a signal's handler
  int descriptor_ = -1;
};

// What cannot be written, with what to do about it: "out/a.vtu: cannot be written (No space left on device); free ...".
Error write_error(const std::filesystem::path& target, const char* what, int error_number);

// Removes all of this process that are unfinished. For handlers of signals that end the program: safe in them.
void remove_unfinished_files() noexcept;

// Removes those that killed writers left in a folder, of the targets in it that `ours` names.
void remove_abandoned_files(const std::filesystem::path& folder, const std::function<bool(const std::string&)>& ours);
// Those of one target.
void remove_abandoned_files(const std::filesystem::path& target);

}  // namespace sinew
