// The iteration x <- lambda x with one eigenvalue per coordinate; the solution is 0.
#pragma once

#include <cmath>
#include <vector>

#include "model/iterate.h"

namespace sinew {

class LinearIteration {
 public:
  // Three eigenvalues per vertex; all coordinates start at 1.
  explicit LinearIteration(std::vector<double> eigenvalues) : eigenvalues_(std::move(eigenvalues)) {
    iterate.x.assign(eigenvalues_.size() / 3, {1, 1, 1, 1});
  }
  // Multipliers, if any, shrink by the first eigenvalue.
  void sweep() {
    for (size_t s = 0; s < iterate.x.size(); ++s) {
      Vec4<double>& p = iterate.x[s];
      if (p.w == 0) continue;
      p.x *= eigenvalues_[3 * s];
      p.y *= eigenvalues_[3 * s + 1];
      p.z *= eigenvalues_[3 * s + 2];
    }
    for (double& l : iterate.multipliers) l *= eigenvalues_[0];
  }
  double error(size_t k) const {
    const Vec4<double>& p = iterate.x[k / 3];
    return k % 3 == 0 ? p.x : k % 3 == 1 ? p.y : p.z;
  }
  double largest_error() const {
    double largest = 0;
    for (size_t k = 0; k < eigenvalues_.size(); ++k) largest = std::fmax(largest, std::abs(error(k)));
    return largest;
  }

  Iterate<double> iterate;

 private:
  std::vector<double> eigenvalues_;
};

}  // namespace sinew
