// How far something long is, for somebody who waits.
#pragma once

#include <functional>

namespace sinew {

// Told what is being done, and the share of the whole, in [0, 1], that is done by then. May be empty.
using ProgressListener = std::function<void(const char* what, double share)>;

// For a part of what `whole` listens to, which goes from `first` to `last` of it. `whole` outlives it.
inline ProgressListener part_of(const ProgressListener& whole, double first, double last) {
  if (!whole) return {};
  return [&whole, first, last](const char* what, double share) { whole(what, first + share * (last - first)); };
}

inline void tell(const ProgressListener& listener, const char* what, double share) {
  if (listener) listener(what, share);
}

}  // namespace sinew
