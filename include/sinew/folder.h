// Output folders: checks before long work, a lock for its duration, and what must not be left behind.
#pragma once

#include <filesystem>
#include <string>

#include "sinew/result.h"

namespace sinew {

// Leaves nothing behind: missing folders are created as a test, and removed again. Errors: a file is in the way, no
// permission, a file system that is read-only or full.
Status check_writable(const std::filesystem::path& folder);

// Held while a folder is written, so that no second program writes into it; a run locks its folder itself. The system
// releases it when the process ends, however it ends.
class FolderLock {
 public:
  // Errors: held by another program, the lock is a link or the user's file.
  static Result<FolderLock> acquire(const std::filesystem::path& folder);
  // Whether such an error is of a lock that another program holds, so that waiting may help.
  static bool is_held(const Error& error);
  // Creates the folder if missing, and removes it again if it is still empty when the lock is released. Errors: as
  // above; a file is in the way, no permission.
  static Result<FolderLock> claim(const std::filesystem::path& folder);
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&& other) noexcept;
  ~FolderLock() { release(); }

 private:
  FolderLock() = default;
  void release() noexcept;
  int descriptor_ = -1;
  std::filesystem::path path_;
  bool made_folder_ = false;
};

// Removes the hidden files that this process is writing, under the names that they have until they are complete. For
// handlers of signals that end the program: async-signal-safe.
void remove_unfinished_files() noexcept;

}  // namespace sinew
