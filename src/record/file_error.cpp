#include "record/file_error.h"

#include <cerrno>
#include <system_error>

namespace sinew {

Error file_error(const std::filesystem::path& path, const std::string& what, int error_number) {
  std::string remedy;
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
      remedy = "free some space, or choose a folder on another disk";
      break;
    case EFBIG:
      remedy = "raise the limit on the size of files (ulimit -f), or take a smaller scene";
      break;
    case EACCES:
    case EPERM:
    case EROFS:
      remedy = "make the folder writable, or choose another one";
      break;
    case ENOTDIR:
    case EEXIST:
      remedy = "a file is in the way: move it, or choose another folder";
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
