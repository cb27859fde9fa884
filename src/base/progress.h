// Progress of long operations.
#pragma once

#include <functional>

namespace sinew {

// Receives the current stage and the completed share of the whole, in [0, 1]. May be empty.
using ProgressListener = std::function<void(const char* what, double share)>;

// A listener for the part of `whole` from `first` to `last`. `whole` must outlive it.
inline ProgressListener part_of(const ProgressListener& whole, double first, double last) {
  if (!whole) return {};
  return [&whole, first, last](const char* what, double share) { whole(what, first + share * (last - first)); };
}

inline void tell(const ProgressListener& listener, const char* what, double share) {
  if (listener) listener(what, share);
}

}  // namespace sinew
