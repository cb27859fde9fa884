// Files in the form of io/envelope.h.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "base/result.h"
#include "io/envelope.h"

namespace sinew {

// Writes a file whose payload is the concatenated parts, without copying them. The file appears whole or not at all.
Status write_envelope(const std::filesystem::path& path, const FileKind& kind, std::span<const std::string_view> parts);

}  // namespace sinew
