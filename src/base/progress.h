// Progress of long operations, and giving them up.
#pragma once

#include <functional>

#include "base/result.h"

namespace sinew {

// Receives the current stage and the completed share of the whole, in [0, 1]; returns whether to go on. May be empty.
using ProgressListener = std::function<bool(const char* what, double share)>;

// A listener for the part of `whole` from `first` to `last`. `whole` must outlive it.
inline ProgressListener part_of(const ProgressListener& whole, double first, double last) {
  if (!whole) return {};
  return [&whole, first, last](const char* what, double share) { return whole(what, first + share * (last - first)); };
}

// False: the operation is to be given up. Where it cannot be, the next call says so again.
inline bool tell(const ProgressListener& listener, const char* what, double share) {
  return !listener || listener(what, share);
}

// The result of an operation that was given up.
inline Error given_up() {
  return {"", "was interrupted", ""};
}

}  // namespace sinew
