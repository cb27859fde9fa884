// The list of what is ours in an output folder. Files that it does not name are never replaced or removed, and nothing
// is written or removed through symbolic links.
//
//   sinew run 1                    whose folder it is (run, comparison, experiment), and the format's version
//   frames/                        folders that were made
//   frames/frame_000000.vtu        files, by their path in the folder
//
// A name is on the list before its file is there, so that a killed writer leaves no file that nobody knows. Names stay
// on it though their files are gone.
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

  // Without a list in the folder, or without the folder, it is empty. Errors: the folder is of another kind, or holds a
  // file of this name that is no such list; it cannot be read.
  static Result<Manifest> open(const std::filesystem::path& folder, FolderKind kind);

  const std::filesystem::path& folder() const { return folder_; }
  bool exists() const { return exists_; }
  bool names(const std::string& name) const { return names_.contains(name); }
  const std::set<std::string>& names() const { return names_; }

  // Errors: a folder on the way to this is a link or a file.
  Status check_way(const std::string& name) const;
  // Can this be written? Errors: a file lies there that is not on the list, or a folder, or a link; a folder on the way
  // is a link or a file.
  Status check(const std::string& name) const;
  Status check(std::span<const std::string> names) const;
  // The same, and puts them on the list, which is made where there is none. The folder must be there.
  Status claim(std::span<const std::string> names);
  Status claim(const std::string& name) { return claim(std::span(&name, 1)); }
  // Makes a folder, where there is none of this name, and puts it on the list. Errors: a file or a link is in the way.
  Status make_folder(const std::string& name);

  // Removes the file, if it is there and on the list. Errors: a link is in its place, no permission.
  Status remove(const std::string& name) const;
  // All files on the list, `first` before the others and `last` after them, then the folders, where nothing else is
  // left in them, and the names. Errors, before anything is removed: links in their places; no permission.
  Status clear(std::span<const std::string> first = {}, std::span<const std::string> last = {});
  // What killed writers left of files on the list, or of those named here.
  void remove_abandoned(std::span<const std::string> also = {}) const;
  // Removes the list itself where nothing on it is there.
  void forget_if_all_is_gone();

 private:
  Manifest(std::filesystem::path folder, FolderKind kind) : folder_(std::move(folder)), kind_(kind) {}
  Status append(const std::string& text);

  std::filesystem::path folder_;
  FolderKind kind_;
  bool exists_ = false, cut_off_ = false;  // cut_off_: its last line has no end
  std::set<std::string> names_;            // folders with a slash at the end
};

// Errors: the folder holds what is of another command, or what this one would replace and is not on its list. Asked
// before long work.
Status check_folder(const std::filesystem::path& folder, FolderKind kind, std::span<const std::string> names);

}  // namespace sinew
