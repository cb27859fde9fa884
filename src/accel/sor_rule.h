// The rule of accel/sor.h.
#pragma once

#include "accel/rule.h"
#include "accel/sor.h"

namespace sinew {

template <class Unknowns>
class SorRule {
 public:
  explicit SorRule(const SorOptions& options) : options_(options) {}

  void begin(const Unknowns& iterate, ThreadPool&) {
    last_ = iterate;
    first_sweep_ = true;
  }

  void apply(Unknowns& iterate, ThreadPool& pool) {
    const bool richardson = options_.form == sor_richardson;
    if (!(richardson && first_sweep_)) combine(iterate, richardson ? before_last_ : last_, pool, options_.omega);
    first_sweep_ = false;
    if (richardson) {
      remember(iterate, last_, before_last_);
    } else {
      last_ = iterate;
    }
  }

 private:
  SorOptions options_;
  Unknowns last_, before_last_;
  bool first_sweep_ = true;
};

}  // namespace sinew
