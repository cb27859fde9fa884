#include "record/envelope.h"

#include "base/format.h"
#include "base/hash.h"

namespace sinew {

namespace {

constexpr uint32_t kEndianMark = 0x01020304;

struct Head {
  char magic[8];
  uint32_t mark;
  uint32_t version;
  uint64_t size;
  uint64_t hash;
};
static_assert(sizeof(Head) == envelope_size);

uint64_t hash_of(const FileKind& kind, std::string_view payload) {
  return Hash().text(kind.magic).bytes(&kind.version, sizeof kind.version).text(payload).value();
}

}  // namespace

std::string Packer::seal(const FileKind& kind) && {
  return std::move(*this).seal_front(kind, {});
}

std::string Packer::seal_front(const FileKind& kind, std::span<const std::string_view> parts) && {
  SINEW_ASSERT(kind.magic.size() == sizeof Head::magic);
  std::string_view last = std::string_view(bytes_).substr(envelope_size);
  size_t size = last.size();
  Hash hash = Hash().text(kind.magic).bytes(&kind.version, sizeof kind.version);
  for (const std::string_view part : parts) {
    SINEW_ASSERT(last.size() % 8 == 0);
    hash.front(last.data(), last.size());
    last = part;
    size += part.size();
  }
  Head head{{}, kEndianMark, kind.version, size, hash.text(last).value()};
  std::memcpy(head.magic, kind.magic.data(), sizeof head.magic);
  std::memcpy(bytes_.data(), &head, sizeof head);
  return std::move(bytes_);
}

Result<std::string_view> open_envelope(std::string_view file, const FileKind& kind, const std::string& where,
                                       const std::string& remedy) {
  const std::string name(kind.name);
  Head head{};
  const size_t got = std::min(file.size(), sizeof head);
  std::memcpy(&head, file.data(), got);
  // A truncated head is told as such where what there is of it fits.
  if (got == 0) return Error{where, "is empty", remedy};
  if (std::memcmp(head.magic, kind.magic.data(), std::min(got, sizeof head.magic)) != 0)
    return Error{where, "is not " + name + " of Sinew", remedy};
  if (got < sizeof head) return Error{where, format("is truncated: it ends at byte %zu", file.size()), remedy};
  if (head.mark != kEndianMark) return Error{where, "was written on a machine of the other byte order", remedy};
  if (head.version != kind.version)
    return Error{where, format("has format version %u; this program reads version %u", head.version, kind.version),
                 remedy};
  const std::string_view payload = file.substr(sizeof head);
  if (payload.size() < head.size)
    return Error{
        where,
        format("is truncated: %zu of %llu bytes are there", payload.size(), static_cast<unsigned long long>(head.size)),
        remedy};
  if (payload.size() > head.size || hash_of(kind, payload) != head.hash)
    return Error{where, "is damaged: its content does not match its hash", remedy};
  return payload;
}

}  // namespace sinew
