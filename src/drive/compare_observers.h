// Who looks on while a comparison (compare.h) takes its steps.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "sinew/report.h"

namespace sinew {

// Up to here every iterate is evaluated, and then every 1 % further.
inline constexpr int dense_points = 400;
inline constexpr double sparse_growth = 1.01;

// Reads the clock before every iteration, where the stepper asks, and never wants an evaluation.
class IterationClock final : public Observer {
 public:
  bool wants(int64_t, int) const override {
    read_.push_back(std::chrono::steady_clock::now());
    return false;
  }
  void on_iteration(const IterationReport&) override {}

  // What was spent when iteration k was done, 0 for k = 0.
  std::vector<double> milliseconds() const {
    std::vector<double> result;
    for (const std::chrono::steady_clock::time_point t : read_)
      result.push_back(std::chrono::duration<double, std::milli>(t - read_.front()).count());
    return result;
  }

 private:
  mutable std::vector<std::chrono::steady_clock::time_point> read_;
};

// Which of the iterations 0 .. last are evaluated: all of a short run, evenly spread in the logarithm of a long one.
inline std::vector<int> evaluated_iterations(int last) {
  std::vector<int> chosen;
  for (int k = 0; k < last; k = k < dense_points ? k + 1 : static_cast<int>(std::ceil(k * sparse_growth)))
    chosen.push_back(k);
  chosen.push_back(last);
  return chosen;
}

// Hands every report of one step on.
class StepObserver final : public Observer {
 public:
  StepObserver(int64_t step, std::vector<int> iterations, std::function<void(const IterationReport&)> sink)
      : step_(step), iterations_(std::move(iterations)), sink_(std::move(sink)) {}

  bool wants(int64_t step, int iteration) const override {
    return step == step_ && std::binary_search(iterations_.begin(), iterations_.end(), iteration);
  }
  bool wants_positions() const override { return true; }
  void on_iteration(const IterationReport& report) override { sink_(report); }

 private:
  int64_t step_;
  std::vector<int> iterations_;
  std::function<void(const IterationReport&)> sink_;
};

// The first evaluation of every step.
class StartObserver final : public Observer {
 public:
  bool wants(int64_t, int iteration) const override { return iteration == 0; }
  void on_iteration(const IterationReport& report) override { evaluation = report.evaluation; }

  Evaluation evaluation;
};

}  // namespace sinew
