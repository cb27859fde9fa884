// How long something takes.
#pragma once

#include <chrono>

namespace sinew {

class Stopwatch {
 public:
  double milliseconds() const { return std::chrono::duration<double, std::milli>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

// Adds its lifetime to a sum [ms].
class AddsTime {
 public:
  explicit AddsTime(double& sum) : sum_(sum) {}
  ~AddsTime() { sum_ += watch_.milliseconds(); }
  AddsTime(const AddsTime&) = delete;
  AddsTime& operator=(const AddsTime&) = delete;

 private:
  double& sum_;
  Stopwatch watch_;
};

}  // namespace sinew
