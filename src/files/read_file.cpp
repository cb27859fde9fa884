#include "files/read_file.h"

#include <cerrno>
#include <cstdio>
#include <memory>
#include <new>
#include <stdexcept>
#include <system_error>

namespace sinew {

namespace fs = std::filesystem;

Result<std::string> read_file(const fs::path& path) {
  const std::string name = path.string();
  std::error_code code;
  const fs::file_status status = fs::status(path, code);
  if (status.type() == fs::file_type::not_found) return Error{name, "no such file", "check the path"};
  if (code) return Error{name, "cannot be read (" + code.message() + ")", ""};
  if (fs::is_directory(status)) return Error{name, "is a folder, not a file", "name a file in it"};
  // A device or a pipe has no size and may never end.
  if (!fs::is_regular_file(status)) return Error{name, "is not a regular file", "copy its content to a file first"};

  const uintmax_t size = fs::file_size(path, code);
  if (code) return Error{name, "cannot be read (" + code.message() + ")", ""};
  errno = 0;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!stream) return Error{name, "cannot be opened (" + std::generic_category().message(errno) + ")", ""};

  std::string bytes;
  try {
    bytes.resize(size);
  } catch (const std::bad_alloc&) {
    return Error{name, "does not fit in memory (" + std::to_string(size) + " bytes)", ""};
  } catch (const std::length_error&) {
    return Error{name, "does not fit in memory (" + std::to_string(size) + " bytes)", ""};
  }
  const size_t got = std::fread(bytes.data(), 1, bytes.size(), stream.get());
  if (std::ferror(stream.get()))
    return Error{name, "cannot be read (" + std::generic_category().message(errno) + ")", ""};
  if (got != bytes.size()) return Error{name, "became shorter while it was read", "try again"};
  return bytes;
}

}  // namespace sinew
