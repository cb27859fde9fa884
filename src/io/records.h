// Long runs of records in a text, read by all threads of a pool.
//
// A record is a fixed number of words, in any layout, or a line. The text is processed in windows: each is cut at line
// ends into a piece per thread, the words or lines of the pieces are counted, which gives the start and the number of
// each record, and every thread reads the records that begin in its piece. If a record depends only on its number and
// its text, the result is that of one thread, and the fault reported is the first in the file.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>

#include "base/result.h"
#include "exec/thread_pool.h"
#include "io/scanner.h"

namespace sinew {

// In place of a number of words: records of any length, one per line. In a free layout lines may hold more or less than
// a record; they are then read by one thread.
inline constexpr int64_t one_line = 0;

// Reads `count` records of `words` words each. read_range(scanner, first, last) -> Status reads the records first ..
// last-1 at the scanner and moves it past them. It is called by all threads at once and must not allocate: memory is
// reserved before. After a fault its results are invalid, and the scanner is where that of one thread would be.
using ReadRange = std::function<Status(Scanner& scanner, int64_t first, int64_t last)>;
Status read_record_ranges(ThreadPool& pool, Scanner& scanner, int64_t count, int64_t words,
                          const ReadRange& read_range);

// The same record by record: read(scanner, k) -> Status.
template <class Read>
Status read_records(ThreadPool& pool, Scanner& scanner, int64_t count, int64_t words, const Read& read) {
  return read_record_ranges(pool, scanner, count, words, [&](Scanner& piece, int64_t first, int64_t last) -> Status {
    for (int64_t k = first; k < last; ++k)
      if (Status status = read(piece, k); !status) return status;
    return {};
  });
}

// The number of records to reserve, of `count` records of at least so many words: no more than the text can hold, plus
// one that may be cut short.
inline size_t room_for(const Scanner& scanner, int64_t count, int64_t words) {
  const int64_t shortest = 2 * words;  // a digit and a blank each; the last blank may be missing
  return static_cast<size_t>(std::min(count, (static_cast<int64_t>(scanner.remaining()) + 1) / shortest + 1));
}

}  // namespace sinew
