// The rule of accel/anderson.h.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "accel/anderson.h"
#include "accel/least_squares.h"
#include "accel/rule.h"

namespace sinew {

template <class Unknowns>
class AndersonRule {
 public:
  using Real = typename Unknowns::Number;
  explicit AndersonRule(const AndersonOptions& options) : options_(options) {}

  void begin(const Unknowns& iterate, ThreadPool& pool) {
    rule_.coordinates = options_.on != anderson_multipliers;
    rule_.multipliers = options_.on != anderson_positions;
    // Multiplication by a power of two rounds nothing.
    rule_.scale = std::exp2(std::round(std::log2(iterate.multiplier_scale)));
    forget();
    last_size_ = std::numeric_limits<double>::infinity();
    pack(iterate, rule_, u_, pool);
  }

  void apply(Unknowns& iterate, ThreadPool& pool) {
    pack(iterate, rule_, image_, pool);
    subtract(image_, u_, change_, pool);
    const double size = Window::norm(change_, pool);
    if (!(size <= most_growth * last_size_)) forget();
    last_size_ = size;

    if (has_last_) add_differences(pool);
    u_ = image_;
    last_image_.swap(image_);
    last_change_.swap(change_);
    has_last_ = true;
    if (window_.size() == 0) return;

    const auto gamma = window_.solve(last_change_, pool);
    const auto size_of_window = static_cast<size_t>(window_.size());
    subtract(std::span<const Column>(image_steps_.data(), size_of_window), std::span(gamma.data(), size_of_window), u_,
             pool);
    unpack(u_, rule_, iterate, pool);
  }

 private:
  using Column = typename Unknowns::Column;
  using Window = ColumnWindow<Column, largest_anderson_window>;

  void forget() {
    window_.clear();
    has_last_ = false;
  }

  // Adds image_ and change_, minus the previous ones, to the window.
  void add_differences(ThreadPool& pool) {
    if (window_.size() == options_.window) drop_oldest(pool);
    subtract(change_, last_change_, last_change_, pool);
    if (!window_.add(last_change_, pool)) return;
    subtract(image_, last_image_, image_steps_[window_.size() - 1], pool);
    while (window_.size() > 1 && window_.diagonal_ratio() < least_ratio) drop_oldest(pool);
  }

  void drop_oldest(ThreadPool& pool) {
    window_.drop_oldest(pool);
    std::rotate(image_steps_.begin(), image_steps_.begin() + 1, image_steps_.begin() + window_.size() + 1);
  }

  static constexpr double most_growth = 2;  // of the change, per iteration
  // Columns that depend more on each other are dropped; in single precision the last two digits of a change are noise.
  static constexpr double least_ratio = sizeof(Real) == sizeof(float) ? 1e-5 : 1e-10;

  AndersonOptions options_;
  ColumnRule rule_;
  Column u_;               // u^k
  Column image_, change_;  // G(u^k), R^k
  Column last_image_, last_change_;
  bool has_last_ = false;
  double last_size_ = 0;                                     // |R^(k-1)|
  Window window_;                                            // dR
  std::array<Column, largest_anderson_window> image_steps_;  // dG
};

}  // namespace sinew
