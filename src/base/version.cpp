#include "sinew/version.h"

#include "base/version.h"

namespace sinew {

const char* library_version() {
  return version;
}
const char* library_commit() {
  return commit;
}

}  // namespace sinew
