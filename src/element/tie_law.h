// What every kind of tie offers. A tie is an energy phi(C) of one vector C = sum_j s_j x_j of a few vertices, with
// sum_j s_j = 0. The force on vertex j is -s_j phi'(C), its stiffness block s_j^2 phi''(C), and s_i s_j phi''(C)
// couples two of them; so a law is written in terms of C alone. A law is a struct of static functions, over any lane
// type T:
//
//   traits                        a TieTraits: what others have to know without the type
//   uses                          which numbers it has, of TieNumberUse
//   energy(numbers, c, a)         phi(C) [J]; a: activation [-] of a muscle, which other laws ignore
//   gradient(numbers, c, a)       phi'(C) [N]
//   stiffness(numbers, c, a)      phi''(C), a TieStiffness [N/m]
//   largest_stiffness(numbers)    no eigenvalue of phi'' is larger, whatever C is
//   energy_scale(numbers)         an energy of the size of phi where it is large [J]; 0: has none
//   constraint(numbers, c, a)     optional: the tie as one constraint, a TieConstraint. Without it a sweep by
//                                 constraints takes C itself for three, with `stiffness` along `normal` and
//                                 `tangential` across it
//   example(k)                    numbers for the property tests: k = 0, 1, ... example_count - 1. These compare
//                                 with differences at lengths |C| of about 1, pass by jumps of phi'' at the rest
//                                 length and at 0.6, 1 and 1.4, and solve at 0.8: a tie that is slack on one side
//                                 needs a rest length on either side of that
//
// `elements.def` lists them all. Ties have no names in scenes: stages of compile/ make them (compile/springs.cpp).
#pragma once

#include <array>

#include "math/lane.h"
#include "math/vec.h"

namespace sinew {

struct TieTraits {
  const char* name;
  bool is_edge = false;      // connects two points of one body, as an edge of an element does
  bool binds = false;        // holds together points of different bodies
  bool is_muscle = false;    // its force depends on the activation of a muscle
  bool has_damping = false;  // can be damped by the rate of its length (strain_rate.h)
  bool softens = false;      // its force falls where it is longer
};

// The numbers that laws draw from; a law says what they mean to it, and ignores the others.
template <class T>
struct TieNumbers {
  T stiffness{};     // [N/m]; k of a fibre [J]
  T tangential{};    // [N/m]
  T rest_length{};   // [m]
  Vec3<T> normal{};  // of length 1, or 0
  T damping{};       // k_d [s]
};

// One behind the other.
inline constexpr int tie_number_count = 7;
inline std::array<double, tie_number_count> tie_numbers(const TieNumbers<double>& n) {
  return {n.stiffness, n.tangential, n.rest_length, n.normal.x, n.normal.y, n.normal.z, n.damping};
}
// Which of them a law uses; sweeps store these only.
enum TieNumberUse : unsigned {
  uses_stiffness = 1,
  uses_tangential = 2,
  uses_rest_length = 4,
  uses_normal = 8 + 16 + 32,
  uses_damping = 64
};
constexpr bool uses_tie_number(unsigned uses, int k) {
  return (uses >> k & 1) != 0;
}

// A vector in its length and direction; a vector of length 0 has the direction 0.
template <class T>
struct Direction {
  T length;
  Vec3<T> along;
};
template <class T>
SINEW_INLINE Direction<T> direction_of(Vec3<T> c) {
  const T length = sqrt(dot(c, c)), one = splat<T>(1);
  const auto there = length > T{};
  return {length, (select(there, one, T{}) / select(there, length, one)) * c};
}

// phi''(C) = along a a^T + across (1 - a a^T) [N/m]; |a| = 1, or 0 where both are the same.
template <class T>
struct TieStiffness {
  Vec3<T> axis;
  T along, across;

  SINEW_INLINE Sym3<T> matrix() const {
    Sym3<T> k{};
    add_identity(k, across);
    add_outer(k, along - across, axis);
    return k;
  }
  // Without its negative part.
  SINEW_INLINE TieStiffness projected() const { return {axis, max(along, T{}), max(across, T{})}; }
  // (1 + t phi'')^-1 r
  SINEW_INLINE Vec3<T> damped(T t, Vec3<T> r) const {
    const T one = splat<T>(1), less = one / (one + t * across);
    return less * r + ((one / (one + t * along) - less) * dot(axis, r)) * axis;
  }
};

// phi = stiffness C^2/2 up to a constant: the constraint's value, its derivative by the tie's vector, and the square of
// the derivative's length. All may be 0 where the tie is slack.
template <class T>
struct TieConstraint {
  T value;
  Vec3<T> gradient;
  T square;
};

}  // namespace sinew
