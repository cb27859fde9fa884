// The list of Sinew's own files in an output folder. Other files are never replaced or removed, and nothing is written
// or removed through symbolic links.
//
//   sinew run 1                    the kind of folder (run, comparison, experiment), and the format's version
//   frames/                        folders created
//   frames/frame_000000.vtu        files, by path within the folder
//
// A name is listed before its file exists, so that a killed writer leaves no unlisted file. Names stay listed after
// their files are removed.
#pragma once

#include <filesystem>
#include <set>
#include <span>
#include <string>

#include "base/result.h"

namespace sinew {

enum class FolderKind { run, comparison, experiment };

class Manifest {
 public:
  static constexpr const char* file_name = "manifest.txt";

  // Empty if the folder or its list does not exist. Errors: the folder is of another kind; a file of this name is not
  // such a list; it cannot be read.
  static Result<Manifest> open(const std::filesystem::path& folder, FolderKind kind);

  const std::filesystem::path& folder() const { return folder_; }
  bool exists() const { return exists_; }
  bool names(const std::string& name) const { return names_.contains(name); }
  const std::set<std::string>& names() const { return names_; }

  // Errors: a folder on the way to this is a link or a file.
  Status check_way(const std::string& name) const;
  // Checks that the file can be written. Errors: an unlisted file, a folder or a link of this name; a folder on the way
  // is a link or a file.
  Status check(const std::string& name) const;
  Status check(std::span<const std::string> names) const;
  // The same, and adds the names to the list, which is created if missing. The folder must exist.
  Status claim(std::span<const std::string> names);
  Status claim(const std::string& name) { return claim(std::span(&name, 1)); }
  // Creates a folder, unless it exists, and adds it to the list. Errors: a file or a link is in the way.
  Status make_folder(const std::string& name);

  // Removes the file, if it exists and is listed. Errors: a link in its place, no permission.
  Status remove(const std::string& name) const;
  // Removes all listed files, `first` before the others and `last` after them, then listed folders that are empty, and
  // clears the list. Errors, before anything is removed: links in place of files; no permission.
  Status clear(std::span<const std::string> first = {}, std::span<const std::string> last = {});
  // Removes what killed writers left of listed files and of those named here.
  void remove_abandoned(std::span<const std::string> also = {}) const;
  // Removes the list itself if none of its files exists.
  void forget_if_all_is_gone();

 private:
  Manifest(std::filesystem::path folder, FolderKind kind) : folder_(std::move(folder)), kind_(kind) {}
  Status append(const std::string& text);

  std::filesystem::path folder_;
  FolderKind kind_;
  bool exists_ = false, cut_off_ = false;  // cut_off_: its last line is incomplete
  std::set<std::string> names_;            // folders end with a slash
};

// Checks a folder before long work. Errors: the folder belongs to another command; a file that would be replaced is not
// listed.
Status check_folder(const std::filesystem::path& folder, FolderKind kind, std::span<const std::string> names);

}  // namespace sinew
