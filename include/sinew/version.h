// What this build calls itself.
#pragma once

namespace sinew {

const char* library_version();  // "0.1.0"
const char* library_commit();   // twelve digits of the commit it was built from; "unknown" outside a repository

}  // namespace sinew
