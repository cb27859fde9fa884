// Equilibria under loads that depend on where the body is: a step solves for loads where it began, so that one step
// after the other leads from x to g(x), and x = g(x) is sought. Plain repetition may swing for ever; Aitken's
// relaxation (Kuettler, Wall 2008) damps it.
#pragma once

#include <vector>

#include "math/vec.h"

namespace sinew {

class Settling {
 public:
  // From where the next step begins, given where the last one began and ended.
  std::vector<Vec3d> next(const std::vector<Vec3d>& began, const std::vector<Vec3d>& ended) {
    std::vector<Vec3d> way(began.size());
    double change = 0, along = 0;
    for (size_t s = 0; s < began.size(); ++s) {
      way[s] = ended[s] - began[s];
      if (way_.empty()) continue;
      const Vec3d d = way[s] - way_[s];
      change += dot(d, d);
      along += dot(way_[s], d);
    }
    if (change > 0) share_ *= -along / change;
    way_ = way;
    for (size_t s = 0; s < began.size(); ++s) way[s] = began[s] + share_ * way[s];
    return way;
  }

 private:
  std::vector<Vec3d> way_;
  double share_ = 1;
};

}  // namespace sinew
