#include "record/file_error.h"

#include <cerrno>
#include <system_error>

namespace sinew {

Error file_error(const std::filesystem::path& path, const std::string& what, int error_number) {
  std::string remedy;
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
      remedy = "free some space, or give an output folder on another disk with -o";
      break;
    case EFBIG:
      remedy = "raise the limit on the size of files (ulimit -f), or take a smaller scene";
      break;
    case EACCES:
    case EPERM:
    case EROFS:
      remedy = "give an output folder that you may write to with -o";
      break;
    case ENOTDIR:
    case EEXIST:
      remedy = "a file is in the way: give another output folder with -o";
      break;
    case ENAMETOOLONG:
      remedy = "give a shorter name";
      break;
    default:
      break;
  }
  return {path.string(), what + " (" + std::generic_category().message(error_number) + ")", remedy};
}

}  // namespace sinew
