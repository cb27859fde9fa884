// Source: the defining properties of the polar decomposition F = R S; the signed SVD, R = U V^T, computed by Jacobi
// rotations (math/svd.h); Irving et al. 2004 for inverted F.
#include "math/polar.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "support/random.h"

namespace sinew {
namespace {

using support::full;
using support::identity;
using support::Random;
using support::size;

template <class Real>
Mat3<Real> to(Mat3d m) {
  const auto column = [](Vec3d a) {
    return Vec3<Real>{static_cast<Real>(a.x), static_cast<Real>(a.y), static_cast<Real>(a.z)};
  };
  return {column(m.c0), column(m.c1), column(m.c2)};
}
Mat3d wide(Mat3<double> m) {
  return m;
}
Mat3d wide(Mat3<float> m) {
  const auto column = [](Vec3f a) { return Vec3d{a.x, a.y, a.z}; };
  return {column(m.c0), column(m.c1), column(m.c2)};
}

template <class Real>
class PolarOf : public testing::Test {
 protected:
  static constexpr double epsilon = std::numeric_limits<Real>::epsilon();

  // A rotation to round-off: a product of a few rotations, each of a few roundings.
  static void expect_rotation(Mat3d r, Mat3d f) {
    EXPECT_LT(size(transpose(r) * r - identity()), 20 * epsilon) << "|F| = " << size(f);
    EXPECT_NEAR(determinant(r), 1, 20 * epsilon) << "|F| = " << size(f);
  }
  static Mat3d rotation_of(Mat3d f) { return wide(polar_decomposition(to<Real>(f)).rotation); }

  // F determines its rotation only to epsilon |F| / (s1 + s2). If this is ill-conditioned, with two stretches of equal
  // magnitude and opposite sign, Newton's method stops early: then R:F need only be close to its maximum over
  // rotations, tr S.
  static void expect_like_svd(Mat3d f) {
    constexpr double well_conditioned = sizeof(Real) == 4 ? 10 : 30;
    const Mat3d rounded = wide(to<Real>(f));
    const SignedSvd d = signed_svd(rounded);
    const Mat3d r = rotation_of(f);
    expect_rotation(r, f);
    const double condition = d.s.x / (d.s.y + d.s.z);
    if (condition < well_conditioned) {
      EXPECT_LT(size(r - d.u * transpose(d.v)), 20 * epsilon * condition)
          << "s = " << d.s.x << ' ' << d.s.y << ' ' << d.s.z;
    }
    EXPECT_GT(contract(r, rounded), d.s.x + d.s.y + d.s.z - 0.01 * d.s.x)
        << "s = " << d.s.x << ' ' << d.s.y << ' ' << d.s.z;
  }
};
using Reals = testing::Types<float, double>;
struct RealName {
  template <class Real>
  static std::string GetName(int) {
    return sizeof(Real) == 4 ? "single" : "double";
  }
};
TYPED_TEST_SUITE(PolarOf, Reals, RealName);

TYPED_TEST(PolarOf, RandomMatricesHaveTheRotationOfTheSvd) {
  Random random(2);
  for (int k = 0; k < 20000; ++k) this->expect_like_svd(random.matrix());
}

TYPED_TEST(PolarOf, RotationsAreTheirOwn) {
  Random random(3);
  for (int k = 0; k < 1000; ++k) {
    const Mat3d q = random.rotation();
    EXPECT_LT(size(this->rotation_of(q) - q), 20 * this->epsilon);
    // Mirrored along a separate axis: the two larger stretches determine the rotation.
    this->expect_like_svd(q * diagonal(1.0, 1.1, -0.7) * random.rotation());
  }
}

// Closed forms lose accuracy where stretches are equal, or equal and opposite in pairs.
TYPED_TEST(PolarOf, RepeatedStretches) {
  Random random(4);
  for (const Vec3d& s :
       {Vec3d{1, 1, 1}, {2, 2, 1}, {2, 1, 1}, {3, 3, -1}, {3, 1, -0.5}, {5, 5, 1e-3}, {1, 1, -0.999}}) {
    for (int k = 0; k < 200; ++k) {
      this->expect_like_svd(random.rotation() * diagonal(s.x, s.y, s.z) * transpose(random.rotation()));
    }
  }
}

TYPED_TEST(PolarOf, FlatElements) {
  Random random(5);
  for (const double thin : {1e-2, 1e-4, 1e-7, 0.0, -1e-7, -1e-4}) {
    for (int k = 0; k < 200; ++k) {
      this->expect_like_svd(random.rotation() * diagonal(1.5, 0.8, thin) * transpose(random.rotation()));
    }
  }
}

// The rotation is not unique or ill-conditioned: the result must still be a rotation.
TYPED_TEST(PolarOf, DegenerateMatricesGetSomeRotation) {
  Random random(6);
  std::vector<Mat3d> degenerate = {diagonal(0.0, 0.0, 0.0), diagonal(-1.0, -1.0, -1.0), diagonal(1.0, 1.0, -1.0),
                                   diagonal(1.0, 0.0, 0.0)};
  for (int k = 0; k < 500; ++k) {
    const Mat3d a = random.rotation(), b = random.rotation();
    for (const Vec3d& s : {Vec3d{1, 0, 0}, {1, 1e-8, 0}, {1, 1, -1}, {2, 1, -1}, {2, 1, -1 + 1e-9}, {1, 1e-3, -1e-3}}) {
      degenerate.push_back(a * diagonal(s.x, s.y, s.z) * b);
    }
    degenerate.push_back(outer(random.vector(), random.vector()));
  }
  for (const Mat3d& f : degenerate) {
    for (const double unit : {1.0, 1e6, 1e-6}) {
      const Polar<TypeParam> p = polar_decomposition(to<TypeParam>(unit * f));
      this->expect_rotation(wide(p.rotation), unit * f);
      const Sym3<TypeParam> c = p.twist_compliance;
      EXPECT_TRUE(std::isfinite(c.xx + c.xy + c.xz + c.yy + c.yz + c.zz));
    }
  }
}

TYPED_TEST(PolarOf, SizeDoesNotMatter) {
  Random random(7);
  for (int k = 0; k < 2000; ++k) {
    const Mat3d f = random.matrix();
    this->expect_like_svd(1e6 * f);
    this->expect_like_svd(1e-6 * f);
  }
}

// (tr(S) 1 - S)^-1 has the eigenvalues 1/(s_i + s_j) in the frame of V.
TYPED_TEST(PolarOf, TwistComplianceIsThatOfTheSvd) {
  Random random(8);
  for (int k = 0; k < 2000; ++k) {
    const Mat3d f = wide(to<TypeParam>(random.matrix()));
    const auto [u, s, v] = signed_svd(f);
    const double condition = s.x / (s.y + s.z);
    if (condition > 100) continue;
    const Mat3d expected = v * diagonal(1 / (s.y + s.z), 1 / (s.x + s.z), 1 / (s.x + s.y)) * transpose(v);
    const Sym3<TypeParam> c = polar_decomposition(to<TypeParam>(f)).twist_compliance;
    const Sym3<double> found{c.xx, c.xy, c.xz, c.yy, c.yz, c.zz};
    // The guard adds 1e-6 |F| (double: 1e-12 |F|) to each s_i + s_j.
    const double guard = sizeof(TypeParam) == 4 ? 1e-6 : 1e-12;
    EXPECT_LT(size(full(found) - expected), 4 * (guard + 20 * this->epsilon) * condition * size(expected));
  }
}

// For a gradient g: R g and M (tr(S) 1 - S)^-1 M^T with M = R [e_x x g, e_y x g, e_z x g], from the SVD.
struct Turned {
  Vec3d value;
  Mat3d derivative;
};
Turned turned_by_svd(Mat3d f, Vec3d g) {
  const auto [u, s, v] = signed_svd(f);
  const Mat3d r = u * transpose(v), m = r * rotations_of(g);
  const Mat3d c = v * diagonal(1 / (s.y + s.z), 1 / (s.x + s.z), 1 / (s.x + s.y)) * transpose(v);
  return {r * g, m * c * transpose(m)};
}
// The same for every F, with the derivative assembled.
template <class T>
struct Rotated {
  Vec3<T> value;
  Sym3<T> derivative;
};
template <class T, class Gradient>
Rotated<T> rotated(Mat3<T> f, Gradient g, T factor) {
  const StretchEquation<T> equation = stretch_equation(f);
  const StretchInvariants<T> s = stretch_invariants(equation);
  RotatedGradient<T> r = rotated_gradient(f, g, volume_gradient(f, g).c, factor, equation.gram, s);
  if (!every_lane(s.known)) mend_rotated_gradient(f, as_vector<T>(g), factor, s.known, r);
  Sym3<T> derivative = r.gram_part * r.gram;
  add_symmetric_product(derivative, r.value, r.v);
  add_identity(derivative, r.identity);
  return {r.value, derivative};
}
template <class Real, class Gradient>
Turned turned(Mat3d f, Gradient g) {
  const Rotated<Real> found = rotated(to<Real>(f), g, Real{1});
  const Sym3<Real>& k = found.derivative;
  return {{found.value.x, found.value.y, found.value.z}, full(Sym3<double>{k.xx, k.xy, k.xz, k.yy, k.yz, k.zz})};
}

// The fast formulas of the invariants are used down to s1 + s2 of about s0 / 13, where they have lost a digit or two:
// 85 epsilon, in single precision the 1e-5 that a sweep needs.
TYPED_TEST(PolarOf, RotatedGradientIsThatOfTheSvd) {
  using Real = TypeParam;
  Random random(10);
  const double tolerance = 170 * this->epsilon;
  const auto check = [&](Mat3d m) {
    const Mat3d f = wide(to<Real>(m));
    const Vec3d s = signed_svd(f).s;
    const double condition = s.x / (s.y + s.z);
    if (condition > 10) return;
    const Vec3<Real> across = to<Real>(random.matrix()).c0;
    for (const bool axis : {true, false}) {
      const Vec3d g = axis ? Vec3d{0, 0, 1} : Vec3d{across.x, across.y, across.z};
      const Turned expected = turned_by_svd(f, g);
      const Turned found = axis ? turned<Real>(f, ZAxis{}) : turned<Real>(f, across);
      EXPECT_LT(size(found.value - expected.value), tolerance / 2 * size(g)) << s.x << ' ' << s.y << ' ' << s.z;
      // The guard of the robust method adds 1e-6 |F| (double: 1e-12 |F|) to each s_i + s_j.
      const double guard = sizeof(Real) == 4 ? 1e-6 : 1e-12;
      EXPECT_LT(size(found.derivative - expected.derivative),
                (tolerance + 4 * guard) * condition * (size(expected.derivative) + dot(g, g) / s.x))
          << s.x << ' ' << s.y << ' ' << s.z;
    }
  };
  const auto made_of = [&](Vec3d s) { return random.rotation() * diagonal(s.x, s.y, s.z) * random.rotation(); };
  for (int k = 0; k < 5000; ++k) check(random.matrix());
  for (const Vec3d& s : {Vec3d{1, 1, 1},
                         {3, 1, 1},
                         {4, 0.5, 0.5},
                         {10, 0.7, 0.7},
                         {2, 1, 0},
                         {1, 1, 1e-5},
                         {10, 10, 0.1},
                         {1, 1, -0.1},
                         {1, 1, -0.5},
                         {1, 1, -0.8},
                         {1.3, 1, -0.6},
                         {0.1, 0.1, 0.1},
                         {30, 20, 10}}) {
    for (int k = 0; k < 300; ++k) {
      for (const double unit : {1.0, 1e6, 1e-6}) check(unit * made_of(s));
    }
  }
}

// Near rest the stress is a small difference, F g - R g, which must not cancel. R g is as accurate as the rounding of
// F.
TYPED_TEST(PolarOf, NearRotationsTheDifferenceSurvives) {
  using Real = TypeParam;
  Random random(11);
  const auto near = [&] { return 1 + 1e-4 * random.between(-1, 1); };
  for (int k = 0; k < 5000; ++k) {
    const Mat3d f = wide(to<Real>(random.rotation() * diagonal(near(), near(), near()) * random.rotation()));
    const Turned expected = turned_by_svd(f, {0, 0, 1});
    EXPECT_LT(size(turned<Real>(f, ZAxis{}).value - expected.value), 10 * this->epsilon * size(f.c2));
  }
}

TYPED_TEST(PolarOf, NothingTurnsAnElementThatIsAPoint) {
  const Polar<TypeParam> p = polar_decomposition(Mat3<TypeParam>{});
  EXPECT_EQ(size(wide(p.rotation) - identity()), 0);
  const Turned at_point = turned<TypeParam>(Mat3d{}, ZAxis{});
  EXPECT_EQ(size(at_point.value - Vec3d{0, 0, 1}), 0);
  EXPECT_EQ(size(at_point.derivative), 0);
}

// Bit-identical whatever the neighbours hold, even if they need more steps, or the robust method.
TYPED_TEST(PolarOf, NeighboursDoNotMatter) {
  constexpr int width = 16 / sizeof(TypeParam);
  using T = Lane<TypeParam, width>;
  Random random(12);
  const auto batch = [&](Mat3d first, Mat3d others) {
    const Mat3<TypeParam> a = to<TypeParam>(first), b = to<TypeParam>(others);
    const auto mixed = [](Vec3<TypeParam> p, Vec3<TypeParam> q) {
      Vec3<T> v{splat<T>(q.x), splat<T>(q.y), splat<T>(q.z)};
      v.x[0] = p.x;
      v.y[0] = p.y;
      v.z[0] = p.z;
      return v;
    };
    return Mat3<T>{mixed(a.c0, b.c0), mixed(a.c1, b.c1), mixed(a.c2, b.c2)};
  };
  const std::vector<Mat3d> kinds = {identity(),
                                    diagonal(0.0, 0.0, 0.0),
                                    diagonal(1.0, 1.0, -1.0),
                                    diagonal(1.0, 1.0, -0.6),
                                    diagonal(100.0, 0.1, 0.1),
                                    diagonal(7.0, 0.5, 0.4),
                                    random.matrix()};
  for (const Mat3d& own : kinds) {
    const Mat3d f = random.rotation() * own * random.rotation();
    const Mat3<T> alone = batch(f, f);
    const Rotated<T> expected = rotated(alone, ZAxis{}, splat<T>(2));
    const Polar<T> expected_polar = polar_decomposition(alone);
    for (const Mat3d& other : kinds) {
      const Mat3<T> among = batch(f, other);
      const Rotated<T> found = rotated(among, ZAxis{}, splat<T>(2));
      EXPECT_EQ(found.value.x[0], expected.value.x[0]);
      EXPECT_EQ(found.derivative.xy[0], expected.derivative.xy[0]);
      EXPECT_EQ(found.derivative.zz[0], expected.derivative.zz[0]);
      const Polar<T> polar = polar_decomposition(among);
      EXPECT_EQ(polar.rotation.c1.y[0], expected_polar.rotation.c1.y[0]);
      EXPECT_EQ(polar.twist_compliance.xz[0], expected_polar.twist_compliance.xz[0]);
    }
  }
}

// Lanes of four floats and of two doubles: each lane equals the scalar result, whatever its neighbours hold.
TYPED_TEST(PolarOf, LanesAreTheScalar) {
  constexpr int width = 16 / sizeof(TypeParam);
  using T = Lane<TypeParam, width>;
  Random random(9);
  for (int k = 0; k < 1000; ++k) {
    Mat3<TypeParam> f[width];
    for (int i = 0; i < width; ++i) f[i] = to<TypeParam>(i == k % 8 ? diagonal(0.0, 0.0, 0.0) : random.matrix());
    const auto gathered = [&](auto column) {
      alignas(16) TypeParam xyz[3][width];
      for (int i = 0; i < width; ++i) {
        xyz[0][i] = column(f[i]).x;
        xyz[1][i] = column(f[i]).y;
        xyz[2][i] = column(f[i]).z;
      }
      return Vec3<T>{load<T>(xyz[0]), load<T>(xyz[1]), load<T>(xyz[2])};
    };
    const Mat3<T> all{gathered([](auto m) { return m.c0; }), gathered([](auto m) { return m.c1; }),
                      gathered([](auto m) { return m.c2; })};
    const Mat3<T> r = polar_decomposition(all).rotation;
    for (int i = 0; i < width; ++i) {
      const Mat3d one = wide(polar_decomposition(f[i]).rotation);
      const Mat3d lane{
          {r.c0.x[i], r.c0.y[i], r.c0.z[i]}, {r.c1.x[i], r.c1.y[i], r.c1.z[i]}, {r.c2.x[i], r.c2.y[i], r.c2.z[i]}};
      const Vec3d s = signed_svd(wide(f[i])).s;
      const double condition = s.y + s.z > 0 ? s.x / (s.y + s.z) : 1;
      EXPECT_LT(size(lane - one), 20 * this->epsilon * condition);
    }
  }
}

}  // namespace
}  // namespace sinew
