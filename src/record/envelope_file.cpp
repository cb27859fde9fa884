#include "record/envelope_file.h"

#include "files/atomic_file.h"

namespace sinew {

Status write_envelope(const std::filesystem::path& path, const FileKind& kind,
                      std::span<const std::string_view> parts) {
  Result<AtomicFile> file = AtomicFile::create(path);
  if (!file) return file.error();
  if (Status status = file->write(envelope_head(kind, parts)); !status) return status;
  for (const std::string_view part : parts)
    if (Status status = file->write(part); !status) return status;
  return file->commit();
}

}  // namespace sinew
