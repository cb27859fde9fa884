// The rule of accel/chebyshev.h.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "accel/chebyshev.h"
#include "accel/rule.h"

namespace sinew {

template <class Unknowns>
class ChebyshevRule {
 public:
  explicit ChebyshevRule(const ChebyshevOptions& options) : options_(options) {}

  void begin(const Unknowns& iterate, ThreadPool&) {
    last_ = iterate;
    before_last_ = iterate;
    changes_.clear();
    rho_ = options_.rho;
    omega_ = 1;
    plain_ = 0;
  }

  void apply(Unknowns& iterate, ThreadPool& pool) {
    ++plain_;
    if (options_.gamma != 1) combine(iterate, last_, pool, options_.gamma);
    const bool measuring = options_.rho == 0;
    if (measuring) {
      changes_.push_back(change(iterate, last_, pool));
      if (rho_ == 0 && plain_ >= probe_sweeps) {
        const double ratio = changes_.back() / changes_[changes_.size() - 1 - probe_span];
        rho_ = ratio > 0 && ratio < 1 ? std::min(std::pow(ratio, 1.0 / probe_span), rho_cap) : 0;
        plain_ = rho_ > 0 ? options_.delay : 0;
        smallest_ = changes_.back();
      } else if (rho_ > 0) {
        smallest_ = std::min(smallest_, changes_.back());
        if (!(changes_.back() <= growth_limit * smallest_)) {  // the estimate is wrong: measure again
          rho_ = 0;
          omega_ = 1;
          plain_ = 0;
          changes_.clear();
        }
      }
    }
    if (rho_ > 0 && plain_ > options_.delay) {
      omega_ = plain_ == options_.delay + 1 ? 2 / (2 - rho_ * rho_) : 4 / (4 - rho_ * rho_ * omega_);
      combine(iterate, before_last_, pool, omega_);
    }
    remember(iterate, last_, before_last_);
  }

 private:
  static constexpr int probe_sweeps = 8;  // plain sweeps before rho is measured
  static constexpr int probe_span = 4;    // measured over the last of these
  static constexpr double rho_cap = 0.9992;
  static constexpr double growth_limit = 2;  // start over if changes exceed the smallest so far by this factor
  ChebyshevOptions options_;
  Unknowns last_, before_last_;
  std::vector<double> changes_;  // |x~^(n) - x^(n-1)|, since the start or the last restart
  double rho_ = 0, omega_ = 1, smallest_ = 0;
  int plain_ = 0;  // sweeps since the start or the last restart
};

}  // namespace sinew
