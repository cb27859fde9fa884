// The order of a Gauss-Seidel sweep: which of its parts, such as colours, comes when. A part shares nothing within
// itself, so this is all that there is to choose.
//   forward    ascending
//   backward   descending
//   symmetric  forward and backward in turn, a sweep each: two sweeps are one of symmetric Gauss-Seidel (Saad 2003,
//              "Iterative methods for sparse linear systems", section 4.1), and an iteration costs what it always does
//   random     a permutation drawn anew for each sweep (Lee & Wright 2019, "Random permutations fix a worst case for
//              cyclic coordinate descent")
// The order follows from the numbers of the step and of the sweep in it and from nothing else: it is the same for any
// number of threads, and after a resume.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "base/parameters.h"

namespace sinew {

inline constexpr std::string_view sweep_order_names[] = {"forward", "backward", "symmetric", "random"};
enum SweepOrderKind : int { sweep_forward, sweep_backward, sweep_symmetric, sweep_random };

template <class Options>
constexpr Parameter<Options> sweep_order_parameter(int Options::*member) {
  return {
      "sweep_order",
      member,
      "-",
      {},
      "order within a sweep, which is one of colours: forward, backward, symmetric (forward and backward in turn, a "
      "sweep each) or random (drawn anew for each sweep, the same in every run)",
      sweep_order_names};
}

// The numbers 0 .. count - 1 in some order, for a range-based for.
class Visits {
 public:
  explicit Visits(int32_t count, bool reversed = false) : count_(count), reversed_(reversed) {}
  explicit Visits(std::vector<int32_t> permutation)
      : count_(static_cast<int32_t>(permutation.size())), reversed_(false), permutation_(std::move(permutation)) {}

  int32_t operator[](int32_t k) const {
    if (!permutation_.empty()) return permutation_[static_cast<size_t>(k)];
    return reversed_ ? count_ - 1 - k : k;
  }

  class Iterator {
   public:
    Iterator(const Visits& visits, int32_t k) : visits_(&visits), k_(k) {}
    int32_t operator*() const { return (*visits_)[k_]; }
    Iterator& operator++() {
      ++k_;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return k_ != other.k_; }

   private:
    const Visits* visits_;
    int32_t k_;
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, count_}; }

 private:
  int32_t count_;
  bool reversed_;
  std::vector<int32_t> permutation_;  // empty: ascending or reversed
};

class SweepOrder {
 public:
  // Forward.
  SweepOrder() = default;
  explicit SweepOrder(int kind) : kind_(kind) {}

  // `step`: its number.
  void begin_step(int64_t step) {
    step_ = step;
    sweep_ = 0;
  }
  void end_sweep() { ++sweep_; }

  // Whether this sweep does last what a forward one does first.
  bool reversed() const { return kind_ == sweep_backward || (kind_ == sweep_symmetric && sweep_ % 2 == 1); }
  // False in the second of two symmetric sweeps, which leads back from the first.
  bool begins_round() const { return kind_ != sweep_symmetric || sweep_ % 2 == 0; }
  // The order of `count` parts in this sweep. `list` tells lists of one sweep apart, so that random orders differ.
  Visits visits(int32_t count, int32_t list = 0) const {
    return kind_ == sweep_random ? Visits(permutation(count, list)) : Visits(count, reversed());
  }

 private:
  std::vector<int32_t> permutation(int32_t count, int32_t list) const;

  int kind_ = sweep_forward;
  int64_t step_ = 0, sweep_ = 0;
};

}  // namespace sinew
