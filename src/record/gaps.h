// The missing numbers of a sequence as text: "3, 5 to 9".
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace sinew {

class Gaps {
 public:
  // In ascending order; [first, last].
  void add(int64_t first, int64_t last);
  void add(int64_t number) { add(number, number); }
  bool empty() const { return ranges_.empty(); }
  // The first ten ranges.
  std::string text() const;

 private:
  std::vector<std::pair<int64_t, int64_t>> ranges_;
};

}  // namespace sinew
