#include "io/records.h"

#include <string_view>
#include <vector>

namespace sinew {

namespace {

// Shorter pieces are not worth waking a thread for; longer ones would leave its cache between counting and reading.
constexpr int64_t shortest_piece = 1 << 15, longest_piece = 1 << 20;

// Typical size of a word or a line, so that a window is not much longer than the remaining records.
constexpr int64_t usual_word = 8, usual_line = 32;

struct Piece {
  size_t begin = 0, end = 0;    // [bytes]
  int64_t units = 0;            // words or lines in it
  int64_t skip = 0;             // words at its beginning that belong to a record of the previous piece
  int64_t first = 0, last = 0;  // records that begin in it
  size_t stop = 0;              // end position of its reader
  bool whole = true;            // it was read exactly to its end
  Status status;
};

// The next window, in pieces; empty if one thread is enough.
std::vector<Piece> cut(const Scanner& scanner, int64_t left, int64_t words, int threads) {
  const int64_t usual = left * (words == one_line ? usual_line : words * usual_word);
  const int64_t text = std::min(static_cast<int64_t>(scanner.remaining()), usual);
  const int64_t count = std::min<int64_t>(threads, text / shortest_piece);
  if (count < 2) return {};
  const auto length = static_cast<size_t>(std::min(text / count, longest_piece));
  const std::string_view bytes = scanner.bytes();
  std::vector<Piece> pieces(static_cast<size_t>(count));
  size_t at = scanner.offset();
  for (Piece& piece : pieces) {
    piece.begin = piece.end = at;
    if (at == bytes.size()) continue;
    at = std::min(at + length, bytes.size());
    const std::string_view rest = bytes.substr(at - 1, length);
    const size_t line_end = rest.find('\n');
    // Comments end with their line, so no cut is within one; the search for a line end is limited in long texts.
    if (line_end == std::string_view::npos && rest.size() == length) return {};
    at = line_end == std::string_view::npos ? bytes.size() : at + line_end;
    piece.end = at;
  }
  return pieces;
}

}  // namespace

Status read_record_ranges(ThreadPool& pool, Scanner& scanner, int64_t count, int64_t words,
                          const ReadRange& read_range) {
  const int64_t units = std::max<int64_t>(words, 1);  // of a record
  int64_t done = 0;
  for (;;) {
    std::vector<Piece> pieces = cut(scanner, count - done, words, pool.size());
    const auto for_each_piece = [&](const auto& body) {
      pool.parallel_for(static_cast<int64_t>(pieces.size()), 1, [&](int64_t first, int64_t last) {
        for (int64_t p = first; p < last; ++p) {
          Scanner reader = scanner;
          reader.seek(pieces[p].begin);
          body(pieces[p], reader);
        }
      });
    };
    for_each_piece([&](Piece& piece, const Scanner& reader) {
      piece.units = words == one_line ? reader.lines_before(piece.end) : reader.words_before(piece.end);
    });

    int64_t before = 0;
    for (Piece& piece : pieces) {
      const int64_t begun = (before + units - 1) / units;
      piece.skip = begun * units - before;
      before += piece.units;
      piece.first = std::min(done + begun, count);
      piece.last = std::min(done + (before + units - 1) / units, count);
    }
    for_each_piece([&](Piece& piece, Scanner& reader) {
      if (piece.first == piece.last) return;
      for (int64_t k = 0; k < piece.skip; ++k) reader.word();
      piece.status = read_range(reader, piece.first, piece.last);
      piece.stop = reader.offset();
      piece.whole = words != one_line ||
                    (piece.stop <= piece.end && (piece.last == count || reader.lines_before(piece.end) == 0));
    });

    // Up to the first piece with a fault, or whose lines turn out not to be records.
    const int64_t start = done;
    bool aligned = true;
    for (const Piece& piece : pieces) {
      if (!aligned || piece.first == piece.last) continue;
      scanner.seek(piece.stop);
      if (!piece.status) return piece.status;
      done = piece.last;
      aligned = piece.whole;
    }
    if (!aligned || done == start) break;
  }
  return read_range(scanner, done, count);
}

}  // namespace sinew
