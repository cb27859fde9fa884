// Long runs of records in a text, read by all threads of a pool.
//
// A record is a number of words, wherever they stand, or a line. The text is taken in windows: each is cut at ends of
// lines into a piece per thread, the words or lines in the pieces are counted, which says where the records begin and
// what their numbers are, and every thread reads those that begin in its piece. A record that depends on nothing but
// its number and its text is then read as by one thread; and the fault that is told is the first in the file.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>

#include "base/result.h"
#include "exec/thread_pool.h"
#include "io/scanner.h"

namespace sinew {

// In place of a number of words: records of any length, one a line. In a free layout lines may hold more or less than a
// record; they are then read by one thread.
inline constexpr int64_t one_line = 0;

// `count` records of `words` words each, which follow in the text. read_range(scanner, first, last) -> Status reads
// those with the numbers first .. last-1 from where the scanner stands, and moves it behind them. It is called by all
// threads at once, and takes no memory: room is made before. After a fault what it left behind is of no use, and the
// scanner stands where that of one thread would.
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

// For how many of `count` records of at least so many words room is to be made: no more than the text can hold, and one
// more that it may cut short.
inline size_t room_for(const Scanner& scanner, int64_t count, int64_t words) {
  const int64_t shortest = 2 * words;  // a digit and a blank each; the very last blank may be missing
  return static_cast<size_t>(std::min(count, (static_cast<int64_t>(scanner.remaining()) + 1) / shortest + 1));
}

}  // namespace sinew
