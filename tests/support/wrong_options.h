// What an option must refuse.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "base/option_table.h"

namespace sinew::support {

// Values of the wrong kind, words that are no choice, numbers out of range.
inline std::vector<OptionScalar> wrong_values(const Option& option) {
  std::vector<OptionScalar> wrong{std::string("no such word")};
  switch (option.kind) {
    case Option::Kind::toggle:
    case Option::Kind::choice:
      wrong.emplace_back(1.0);
      break;
    case Option::Kind::whole:
      wrong.emplace_back(1.5);
      [[fallthrough]];
    case Option::Kind::number:
      wrong.emplace_back(true);
      wrong.emplace_back(std::nan(""));
      if (option.range.low > -no_limit)
        wrong.emplace_back(option.range.low_open ? option.range.low : option.range.low - 1);
      if (option.range.high < no_limit)
        wrong.emplace_back(option.range.high_open ? option.range.high : option.range.high + 1);
      break;
  }
  return wrong;
}

}  // namespace sinew::support
