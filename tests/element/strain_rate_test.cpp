// Source: docs/theory.md, Damping: the force is the derivative of D and the blocks those of the force, by differences;
// D is convex, and 0 for translations and linearised rotations alone.
#include "element/strain_rate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "element/element.h"
#include "element/tie.h"
#include "support/random.h"

namespace sinew {
namespace {

using support::Random;

constexpr Lame moduli{3e4, 7e4};
constexpr double rate = 1.2;  // k_d / h
constexpr double volume = 0.3;

struct Element {
  Vec3d gradient[4];
  Mat3d before;
};

Element random_element(Random& random) {
  Element e;
  const auto rest = tet_rest_shape(random.vector(), random.vector(), random.vector());
  for (int k = 0; k < 3; ++k) e.gradient[k + 1] = rest.gradient[k];
  e.gradient[0] = -(rest.gradient[0] + rest.gradient[1] + rest.gradient[2]);
  e.before = random.matrix();
  return e;
}

Vec3d unit(int axis) {
  return {axis == 0 ? 1.0 : 0, axis == 1 ? 1.0 : 0, axis == 2 ? 1.0 : 0};
}
double component(Vec3d v, int axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

// By pivots of Gaussian elimination, largest first: how many are not 0. -1 if one is negative.
int rank_of_positive(std::vector<std::vector<double>> a) {
  const size_t n = a.size();
  double largest = 0;
  for (size_t i = 0; i < n; ++i) largest = std::fmax(largest, a[i][i]);
  std::vector<bool> done(n);
  for (int rank = 0;; ++rank) {
    size_t pivot = n;
    for (size_t i = 0; i < n; ++i) {
      if (!done[i] && a[i][i] < -1e-10 * largest) return -1;
      if (!done[i] && a[i][i] > 1e-10 * largest && (pivot == n || a[i][i] > a[pivot][pivot])) pivot = i;
    }
    if (pivot == n) {
      for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j)
          if (!done[i] && !done[j] && std::abs(a[i][j]) > 1e-8 * largest) return -1;
      return rank;
    }
    done[pivot] = true;
    for (size_t i = 0; i < n; ++i) {
      if (done[i]) continue;
      const double share = a[i][pivot] / a[pivot][pivot];
      for (size_t j = 0; j < n; ++j) a[i][j] -= share * a[pivot][j];
    }
  }
}

std::vector<std::vector<double>> matrix_of(const Element& e, int corners, int axes) {
  const auto viscous = StrainRate<double>::of(moduli, rate, e.before);
  const auto n = static_cast<size_t>(corners * axes);
  std::vector<std::vector<double>> a(n, std::vector<double>(n));
  for (int i = 0; i < corners; ++i)
    for (int j = 0; j < corners; ++j)
      for (int q = 0; q < axes; ++q) {
        const Vec3d column = viscous.pair_stiffness(e.gradient[i], e.gradient[j]) * unit(q);
        for (int p = 0; p < axes; ++p)
          a[static_cast<size_t>(axes * i + p)][static_cast<size_t>(axes * j + q)] = volume * component(column, p);
      }
  return a;
}

// D and the stress of the definition: S = sym(F^tT (F - F^t)), sigma = 2 mu S + lambda tr(S) 1.
TEST(StrainRate, IsKelvinVoigtAboutTheStartOfTheStep) {
  Random random(1);
  for (int k = 0; k < 20; ++k) {
    const Mat3d before = random.matrix(), motion = random.matrix();
    const Mat3d product = transpose(before) * motion, s = 0.5 * (product + transpose(product));
    const double tr = trace(s);
    const Mat3d sigma = (2 * moduli.mu) * s + (moduli.lambda * tr) * diagonal(1.0, 1.0, 1.0);
    const auto viscous = StrainRate<double>::of(moduli, rate, before);
    const double d = rate * (moduli.mu * contract(s, s) + 0.5 * moduli.lambda * tr * tr);
    EXPECT_NEAR(viscous.energy(motion), d, 1e-12 * d);
    const Mat3d off = viscous.stress(motion) - rate * (before * sigma);
    EXPECT_LT(contract(off, off), 1e-20 * contract(sigma, sigma));
  }
}

TEST(StrainRate, StressIsTheDerivativeOfTheEnergy) {
  Random random(2);
  for (int k = 0; k < 20; ++k) {
    const auto viscous = StrainRate<double>::of(moduli, rate, random.matrix());
    const Mat3d motion = random.matrix(), way = random.matrix();
    // Of a quadratic the central difference is exact but for rounding.
    const double slope = 0.5 * (viscous.energy(motion + way) - viscous.energy(motion - way));
    EXPECT_NEAR(contract(viscous.stress(motion), way), slope, 1e-11 * viscous.energy(motion + way));
  }
}

TEST(StrainRate, BlocksAreTheDerivativesOfTheForces) {
  Random random(3);
  for (int k = 0; k < 20; ++k) {
    const Element e = random_element(random);
    const auto viscous = StrainRate<double>::of(moduli, rate, e.before);
    for (const Vec3d& gi : e.gradient) {
      for (const Vec3d& gj : e.gradient) {
        const Vec3d way = random.vector();
        const Vec3d force = viscous.stress(outer(way, gj)) * gi;
        const Vec3d off = force - viscous.pair_stiffness(gi, gj) * way;
        EXPECT_LT(std::sqrt(dot(off, off)), 1e-12 * std::sqrt(dot(force, force)) + 1e-6);
      }
      const Vec3d way = random.vector();
      const Vec3d own = viscous.vertex_stiffness(gi) * way, off = own - viscous.pair_stiffness(gi, gi) * way;
      EXPECT_LT(dot(off, off), 1e-22 * dot(own, own));
      const Mat3d motion = random.matrix();
      const Vec3d at_once = viscous.stress_times_gradient(motion, gi) - viscous.stress(motion) * gi;
      EXPECT_LT(std::sqrt(dot(at_once, at_once)), 1e-6);
    }
    // Along an axis.
    const AxisGradient<double> z{1.7};
    const Vec3d as_vector{0, 0, 1.7};
    const Mat3d motion = random.matrix();
    const Vec3d off = viscous.stress_times_gradient(motion, z) - viscous.stress_times_gradient(motion, as_vector);
    EXPECT_LT(dot(off, off), 1e-12);
    EXPECT_NEAR(viscous.vertex_stiffness(z).xy, viscous.vertex_stiffness(as_vector).xy, 1e-7);
    EXPECT_NEAR(viscous.vertex_stiffness(z).zz, viscous.vertex_stiffness(as_vector).zz, 1e-6);
  }
}

TEST(StrainRate, OfATetIsConvexWithSixZeroModes) {
  Random random(4);
  for (int k = 0; k < 50; ++k) {
    Element e = random_element(random);
    if (std::abs(determinant(e.before)) < 0.1) continue;
    EXPECT_EQ(rank_of_positive(matrix_of(e, 4, 3)), 6);
    // Crushed flat it resists less, and still nothing pushes.
    e.before.c2 = e.before.c0 + e.before.c1;
    EXPECT_GE(rank_of_positive(matrix_of(e, 4, 3)), 0);
    // Turned inside out it resists as ever.
    e = random_element(random);
    e.before = diagonal(-1.0, 1.0, 1.2);
    EXPECT_EQ(rank_of_positive(matrix_of(e, 4, 3)), 6);
  }
}

TEST(StrainRate, OfATriangleIsConvexWithThreeZeroModes) {
  Random random(5);
  for (int k = 0; k < 50; ++k) {
    const Vec3d p{random.between(0.5, 1), random.between(-0.2, 0.2), 0}, q{random.between(-0.2, 0.2), 0.8, 0};
    const auto rest = PlaneTriangle::rest_of_edges(p, q);
    Element e;
    e.gradient[1] = rest.gradient[0];
    e.gradient[2] = rest.gradient[1];
    e.gradient[0] = -(rest.gradient[0] + rest.gradient[1] + rest.gradient[2]);
    const Mat3d m = random.matrix();
    e.before = {{m.c0.x, m.c0.y, 0}, {m.c1.x, m.c1.y, 0}, {0, 0, 1}};
    if (std::abs(determinant(e.before)) < 0.1) continue;
    EXPECT_EQ(rank_of_positive(matrix_of(e, 3, 2)), 3);
  }
}

// Rotations x^t + w x x^t cost nothing; a turn by a costs about what strains of a^2/2 would.
TEST(StrainRate, TurnsCostTheFourthPowerOfTheirAngle) {
  Random random(6);
  const Mat3d before = random.matrix();
  const auto viscous = StrainRate<double>::of(moduli, rate, before);
  const auto turned_by = [&](double a) {
    const Mat3d turn{{std::cos(a), std::sin(a), 0}, {-std::sin(a), std::cos(a), 0}, {0, 0, 1}};
    return viscous.energy(turn * before - before);
  };
  const Mat3d linear{{0, 0.3, 0}, {-0.3, 0, 0}, {0, 0, 0}};
  EXPECT_LT(viscous.energy(linear * before), 1e-28 * moduli.lambda);
  EXPECT_NEAR(turned_by(0.02) / turned_by(0.01), 16, 0.01);
}

TEST(StretchRate, IsDampedAlongTheSpringAlone) {
  Random random(7);
  const TieLaw<double> law = spring_law(50, 0.7, 0.02);
  for (int k = 0; k < 20; ++k) {
    const Vec3d before = random.vector(), motion = random.vector(), way = random.vector();
    const auto viscous = StretchRate<double>::of(law, 100, before);
    const double along = dot(before, motion) / std::sqrt(dot(before, before));
    EXPECT_NEAR(viscous.energy(motion), 0.5 * (0.02 * 100 * 50) * along * along, 1e-12);
    EXPECT_NEAR(dot(viscous.gradient(motion), way), 0.5 * (viscous.energy(motion + way) - viscous.energy(motion - way)),
                1e-11);
    const Vec3d off = viscous.matrix() * motion - viscous.gradient(motion);
    EXPECT_LT(dot(off, off), 1e-24);
    EXPECT_NEAR(viscous.energy(cross(before, motion)), 0, 1e-24);
  }
  EXPECT_EQ(StretchRate<double>::of(law, 100, {}).energy({1, 2, 3}), 0) << "without a direction";
}

}  // namespace
}  // namespace sinew
