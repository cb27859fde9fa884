// Sines with the same bits with every C library, whose own differ in the last digit: motions of pins and colliders, and
// placed meshes, are then the same everywhere. Within 1.5 units in the last place.
//
// The polynomials are the minimax ones of fdlibm (Sun Microsystems 1993, k_sin.c and k_cos.c) on [-pi/4, pi/4].
#pragma once

#include <cmath>

namespace sinew {
namespace sine_detail {

// Of x in [-pi/4, pi/4] [rad].
inline double sine(double x) {
  const double z = x * x;
  const double r =
      8.33333333332248946124e-03 +
      z * (-1.98412698298579493134e-04 +
           z * (2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)));
  return x + z * x * (-1.66666666666666324348e-01 + z * r);
}
inline double cosine(double x) {
  const double z = x * x;
  const double r = z * (4.16666666666666019037e-02 +
                        z * (-1.38888888888741095749e-03 +
                             z * (2.48015872894767294178e-05 +
                                  z * (-2.75573143513906633035e-07 +
                                       z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11)))));
  const double half = 0.5 * z, w = 1 - half;
  return w + (((1 - w) - half) + z * r);
}

// The sine of a right angle times `quarter` plus x.
inline double in_quarter(int quarter, double x) {
  const double s = (quarter & 1) != 0 ? cosine(x) : sine(x);
  return (quarter & 2) != 0 ? -s : s;
}

}  // namespace sine_detail

// Of an angle of any size; exact at multiples of 90 degrees.
inline double sine_of_degrees(double degrees) {
  constexpr double right = 90, radians = 0.017453292519943295;
  int quarter = 0;
  const double rest = std::remquo(degrees, right, &quarter);  // exact
  return sine_detail::in_quarter(quarter, rest * radians);
}

// Of an angle [rad] of at most some thousand turns.
inline double sine(double angle) {
  // pi/2 in two parts of 33 bits, whose multiples are exact, and the rest of it.
  constexpr double first = 1.57079632673412561417e+00, second = 6.07710050630396597660e-11,
                   third = 2.02226624879595063154e-21;
  const double quarters = std::round(angle * 0.63661977236758134308);
  const double rest = ((angle - quarters * first) - quarters * second) - quarters * third;
  return sine_detail::in_quarter(static_cast<int>(std::remainder(quarters, 4)), rest);
}

}  // namespace sinew
