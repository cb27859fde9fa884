// Claims about findings, in the language of experiments:
//   last(main.pbng.residual) < 1e-4 * first(main.pbng.residual) and last(main.xpbd.residual) > 0.1 * ...
//
//   claim       comparisons (< <= > >=) of numbers, joined by `and`, `or`, `not` and parentheses
//   number      + - * / of numbers, of names of numbers, and of functions of series:
//     first last min max mean median (s)   of the values; min to median skip unknown values (NaN)
//     count(s)                             the number of values
//     at(s, place)                         the value at the last iteration or time not after `place`
//     reach(s, limit)                      the first iteration (or time [s]) at which the value is at most `limit`
//     reach_ms(s, limit)                   the milliseconds spent until then; both infinite if it never is
//     abs sqrt log10 (number)
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "experiment/findings.h"

namespace sinew {

struct Judgement {
  bool holds = false;
  // The functions and names of numbers in the claim, as written, with their values. Each once.
  std::vector<std::pair<std::string, double>> figures;
};

// Errors (where: the claim): syntax, with the place; unknown names, with the nearest.
Result<Judgement> judge_claim(std::string_view claim, const Findings& findings);
// The value of a numeric expression. Errors: as above.
Result<double> evaluate_number(std::string_view expression, const Findings& findings);

}  // namespace sinew
