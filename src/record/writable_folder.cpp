#include "sinew/folder.h"

#include <unistd.h>

#include <cerrno>
#include <vector>

#include "record/file_error.h"

namespace sinew {

namespace fs = std::filesystem;

Status check_writable(const fs::path& folder) {
  std::error_code code;
  fs::path there = folder.empty() ? "." : folder;
  std::vector<fs::path> missing;  // the innermost first
  // A name below a file does not exist either; the file itself is found later in the loop.
  while (!fs::exists(there, code) && there.has_relative_path()) {
    missing.push_back(there);
    there = there.has_parent_path() ? there.parent_path() : fs::path(".");
  }
  if (!fs::is_directory(there, code))
    return Error{there.string(), "is a file, not a folder", "give another output folder with -o"};
  if (::access(there.c_str(), W_OK | X_OK) != 0) return file_error(there, "cannot be written to", errno);

  size_t made = missing.size();
  std::error_code fault;
  while (made > 0 && !fault)
    if (fs::create_directory(missing[made - 1], fault); !fault) --made;
  for (size_t k = made; k < missing.size(); ++k) fs::remove(missing[k], code);
  if (fault) return file_error(missing[made - 1], "the folder cannot be made", fault.value());
  return {};
}

}  // namespace sinew
