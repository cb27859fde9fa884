#include "record/durable.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace sinew {

namespace fs = std::filesystem;

Status bring_to_disk(const fs::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  // Some file systems do not support this for folders; real disk faults are EIO and ENOSPC.
  const int result = descriptor < 0 ? 0 : ::fsync(descriptor);
  const int code = errno;
  if (descriptor >= 0) ::close(descriptor);
  if (result != 0 && (code == EIO || code == ENOSPC || code == EDQUOT))
    return Error{path.string(), "cannot be brought to the disk (" + std::generic_category().message(code) + ")",
                 "free some space or check the disk"};
  return {};
}

}  // namespace sinew
