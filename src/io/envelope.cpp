#include "io/envelope.h"

#include <algorithm>

#include "base/assert.h"
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

// The hash of the payload in pieces, independent of the cuts.
class PayloadHash {
 public:
  explicit PayloadHash(const FileKind& kind) { hash_.text(kind.magic).bytes(&kind.version, sizeof kind.version); }
  void add(std::string_view piece) {
    // An empty piece may have a null address, which memcpy does not allow.
    if (piece.empty()) return;
    if (kept_ > 0) {  // fill up the word begun before
      const size_t taken = std::min(sizeof word_ - kept_, piece.size());
      std::memcpy(word_ + kept_, piece.data(), taken);
      kept_ += taken;
      piece.remove_prefix(taken);
      if (kept_ < sizeof word_) return;
      hash_.front(word_, sizeof word_);
    }
    const size_t whole = piece.size() / sizeof word_ * sizeof word_;
    hash_.front(piece.data(), whole);
    kept_ = piece.size() - whole;
    std::memcpy(word_, piece.data() + whole, kept_);
  }
  uint64_t value() { return hash_.bytes(word_, kept_).value(); }

 private:
  Hash hash_;
  char word_[8];
  size_t kept_ = 0;
};

uint64_t hash_of(const FileKind& kind, std::string_view payload) {
  PayloadHash hash(kind);
  hash.add(payload);
  return hash.value();
}

}  // namespace

std::string envelope_head(const FileKind& kind, std::span<const std::string_view> parts) {
  SINEW_ASSERT(kind.magic.size() == sizeof Head::magic);
  uint64_t size = 0;
  PayloadHash hash(kind);
  for (const std::string_view part : parts) {
    hash.add(part);
    size += part.size();
  }
  Head head{{}, kEndianMark, kind.version, size, hash.value()};
  std::memcpy(head.magic, kind.magic.data(), sizeof head.magic);
  return {reinterpret_cast<const char*>(&head), sizeof head};
}

Result<std::string_view> open_envelope(std::string_view file, const FileKind& kind, const std::string& where,
                                       const std::string& remedy) {
  const std::string name(kind.name);
  Head head{};
  const size_t got = std::min(file.size(), sizeof head);
  std::memcpy(&head, file.data(), got);
  // A truncated head is reported as such if its beginning matches.
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
