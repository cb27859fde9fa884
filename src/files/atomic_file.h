// Files that appear whole or not at all: written under another name in the same folder, and renamed at the end. A
// killed run leaves at most a hidden "*.partial" file; the final name never refers to an incomplete file.
#pragma once

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <span>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "files/unfinished_file.h"

namespace sinew {

// A file written piece by piece. Without `commit` its content is discarded. The first failure (disk full, ...) is kept
// and reported by every later call, so that a writer may check only once.
class AtomicFile {
 public:
  // Errors: those of UnfinishedFile::create.
  static Result<AtomicFile> create(const std::filesystem::path& target);

  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&& other) noexcept;
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile() { discard(); }

  Status write(std::string_view text);
  Status write(std::span<const std::byte> bytes);
  // Renames the file to its final name, replacing what was there. Nothing can be written afterwards.
  Status commit();

 private:
  AtomicFile(std::filesystem::path target, UnfinishedFile file) : target_(std::move(target)), file_(std::move(file)) {}
  void discard() noexcept;

  std::filesystem::path target_;  // for messages
  UnfinishedFile file_;
  std::FILE* stream_ = nullptr;
  Status status_;
};

Status write_file_atomically(const std::filesystem::path& target, std::span<const std::byte> bytes);
Status write_file_atomically(const std::filesystem::path& target, std::string_view text);

}  // namespace sinew
