// Counts the floating-point operations of a sweep: its scalar body, run over a number type that counts them. An
// addition, a multiplication, a division and a square root are one each, so a fused multiplication with addition is
// two. Comparisons, sign changes and lanes without a vertex or a tet do not count.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "math/vec.h"

namespace sinew::bench {

struct Counted {
  float value = 0;
  static inline uint64_t operations = 0;

  Counted() = default;
  Counted(double number) : value(static_cast<float>(number)) {}
  explicit operator double() const { return static_cast<double>(value); }

  friend Counted operator-(Counted a) { return Counted(-a.value); }
  friend Counted operator+(Counted a, Counted b) {
    ++operations;
    return Counted(a.value + b.value);
  }
  friend Counted operator-(Counted a, Counted b) {
    ++operations;
    return Counted(a.value - b.value);
  }
  friend Counted operator*(Counted a, Counted b) {
    ++operations;
    return Counted(a.value * b.value);
  }
  friend Counted operator/(Counted a, Counted b) {
    ++operations;
    return Counted(a.value / b.value);
  }
  friend Counted& operator+=(Counted& a, Counted b) { return a = a + b; }
  friend Counted& operator-=(Counted& a, Counted b) { return a = a - b; }
  friend Counted& operator*=(Counted& a, Counted b) { return a = a * b; }
  friend Counted sqrt(Counted a) {
    ++operations;
    return Counted(std::sqrt(a.value));
  }
  friend Counted exp(Counted a) {
    ++operations;
    return Counted(std::exp(a.value));
  }
  friend Counted log(Counted a) {
    ++operations;
    return Counted(std::log(a.value));
  }
  // Lanes do this on the bits.
  friend Counted flip_by_lowest_bit(Counted a, Counted b) { return std::bit_cast<uint32_t>(b.value) & 1 ? -a : a; }
  friend bool operator<(Counted a, Counted b) { return a.value < b.value; }
  friend bool operator>(Counted a, Counted b) { return a.value > b.value; }
  friend bool operator<=(Counted a, Counted b) { return a.value <= b.value; }
  friend bool operator>=(Counted a, Counted b) { return a.value >= b.value; }
  friend bool operator==(Counted a, Counted b) { return a.value == b.value; }
};

}  // namespace sinew::bench

template <>
struct std::numeric_limits<sinew::bench::Counted> : std::numeric_limits<float> {};
