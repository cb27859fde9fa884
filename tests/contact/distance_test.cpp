// Source: the definition: the least distance over all pairs of points, by samples, and by all candidates (foot on the
// plane or crossing of the lines, feet on edges, ends) in long double; derivatives by differences.
#include "contact/distance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>

namespace sinew {
namespace {

using Real = long double;
using Point = Vec3<Real>;

template <class T>
Point exact(const Vec3<T>& a) {
  return {static_cast<Real>(a.x), static_cast<Real>(a.y), static_cast<Real>(a.z)};
}
Real length(const Point& a) {
  return std::sqrt(dot(a, a));
}
Real from_segment(const Point& p, const Point& a, const Point& b) {
  const Point u = b - a;
  const Real square = dot(u, u);
  const Real t = square > 0 ? std::clamp(dot(p - a, u) / square, Real(0), Real(1)) : Real(0);
  return length(p - a - t * u);
}
// The least over all candidates.
Real from_triangle(const Point& p, const Point& a, const Point& b, const Point& c) {
  Real least = std::min({from_segment(p, a, b), from_segment(p, b, c), from_segment(p, c, a)});
  const Point u = b - a, v = c - a, r = p - a, n = cross(u, v);
  const Real square = dot(n, n);
  if (!(square > 0)) return least;
  const Real s = dot(cross(r, v), n) / square, t = dot(cross(u, r), n) / square;
  if (s >= 0 && t >= 0 && s + t <= 1) least = std::min(least, length(r - s * u - t * v));
  return least;
}
Real between_segments(const Point& a, const Point& b, const Point& c, const Point& d) {
  Real least = std::min({from_segment(a, c, d), from_segment(b, c, d), from_segment(c, a, b), from_segment(d, a, b)});
  const Point u = b - a, v = d - c, r = c - a, n = cross(u, v);
  const Real square = dot(n, n);
  if (!(square > 0)) return least;
  const Real p = dot(cross(r, v), n) / square, q = dot(cross(r, u), n) / square;
  if (p >= 0 && p <= 1 && q >= 0 && q <= 1) least = std::min(least, length(r + q * v - p * u));
  return least;
}

// Positions of four points, of all kinds that are hard: thin, flat, parallel, touching, far apart, small and large.
template <class T>
class Cases {
 public:
  explicit Cases(uint64_t seed) : random_(seed) {}

  T number() { return static_cast<T>(2 * std::uniform_real_distribution<double>(0, 1)(random_) - 1); }
  Vec3<T> vector(T size = 1) { return {size * number(), size * number(), size * number()}; }
  int pick(int count) { return static_cast<int>(random_() % static_cast<uint64_t>(count)); }
  T small() { return static_cast<T>(std::pow(10., -pick(std::numeric_limits<T>::digits10 + 3))); }

  std::array<Vec3<T>, 4> next() {
    std::array<Vec3<T>, 4> x{vector(), vector(), vector(), vector()};
    switch (pick(10)) {
      case 0:
        break;
      case 1:
        x[3] = x[1] + number() * (x[2] - x[1]) + vector(small());
        break;  // a thin triangle
      case 2:
        x[3] = x[2] + vector(small());
        break;  // a needle
      case 3:
        x[3] = x[1] + number() * (x[2] - x[1]);
        break;  // without area, to rounding
      case 4:
        x[3] = x[2] + (x[1] - x[0]) + vector(small());
        break;  // nearly parallel edges
      case 5:   // nearly the same edge
        x[2] = x[0] + vector(small());
        x[3] = x[1] + vector(small());
        break;
      case 6: {  // nearly on a triangle, and edges that nearly cross
        const T s = number(), t = number();
        x[0] = x[1] + s * (x[2] - x[1]) + t * (x[3] - x[1]) + vector(small());
        break;
      }
      case 7:
        x[0] = vector(1 / std::max(small(), T(1e-4)));
        break;  // far away
      case 8:   // on a coarse grid: parallel, touching, identical, without length
        for (Vec3<T>& p : x) p = {T(pick(3)), T(pick(3)), T(pick(3))};
        break;
      case 9:  // a corner in common
        x[pick(2)] = x[2 + pick(2)];
        if (pick(2)) x[3] = x[2] + vector(small());
        break;
      default:
        break;
    }
    const T scale = static_cast<T>(std::pow(10., pick(13) - 6));
    const Vec3<T> shift = pick(4) == 0 ? vector(1000 * scale) : Vec3<T>{0, 0, 0};
    for (Vec3<T>& p : x) p = scale * p + shift;
    return x;
  }

 private:
  std::mt19937_64 random_;
};

Real size_of(const std::array<Point, 4>& x) {
  Real size = 0;
  for (const Point& p : x) size = std::max(size, length(p - x[0]));
  return size;
}

template <class T>
class Distance : public testing::Test {};
using Numbers = testing::Types<float, double>;
TYPED_TEST_SUITE(Distance, Numbers);

// Rounded weights put a foot off by about a rounding of the size, so 8 of them are allowed for.
TYPED_TEST(Distance, OfAPointAndATriangleIsTheLeastOfAllCandidates) {
  using T = TypeParam;
  Cases<T> cases(1);
  std::array<int, 7> seen{};
  for (int trial = 0; trial < 100000; ++trial) {
    const auto x = cases.next();
    const std::array<Point, 4> e{exact(x[0]), exact(x[1]), exact(x[2]), exact(x[3])};
    const TriangleFoot<T> foot = closest_on_triangle(x[0], x[1], x[2], x[3]);
    const Point at = static_cast<Real>(foot.weights[0]) * (e[1] - e[0]) +
                     static_cast<Real>(foot.weights[1]) * (e[2] - e[0]) +
                     static_cast<Real>(foot.weights[2]) * (e[3] - e[0]);
    for (const T w : foot.weights) ASSERT_TRUE(w >= 0 && w <= 1);
    constexpr auto eps = static_cast<Real>(std::numeric_limits<T>::epsilon());
    ASSERT_LE(std::abs(foot.weights[0] + foot.weights[1] + foot.weights[2] - 1), 2 * eps);
    ASSERT_LE(length(at), from_triangle(e[0], e[1], e[2], e[3]) + 8 * eps * size_of(e)) << trial;

    // The feature has the corners of the weights that are not 0.
    constexpr int corners[] = {1, 2, 4, 3, 6, 5, 7};
    for (int k = 0; k < 3; ++k) ASSERT_EQ(foot.weights[k] != 0, (corners[foot.feature] >> k & 1) != 0) << trial;
    ++seen[static_cast<size_t>(foot.feature)];
  }
  for (const int count : seen) EXPECT_GT(count, 2000);
}

TYPED_TEST(Distance, OfSegmentsIsTheLeastOfAllCandidates) {
  using T = TypeParam;
  Cases<T> cases(2);
  int inside = 0, ends = 0;
  for (int trial = 0; trial < 100000; ++trial) {
    const auto x = cases.next();
    const std::array<Point, 4> e{exact(x[0]), exact(x[1]), exact(x[2]), exact(x[3])};
    const SegmentFeet<T> feet = closest_on_segments(x[0], x[1], x[2], x[3]);
    ASSERT_TRUE(feet.p >= 0 && feet.p <= 1 && feet.q >= 0 && feet.q <= 1);
    const Point gap =
        (e[0] - e[2]) + static_cast<Real>(feet.p) * (e[1] - e[0]) - static_cast<Real>(feet.q) * (e[3] - e[2]);
    constexpr auto eps = static_cast<Real>(std::numeric_limits<T>::epsilon());
    ASSERT_LE(length(gap), between_segments(e[0], e[1], e[2], e[3]) + 8 * eps * size_of(e)) << trial;
    (feet.p > 0 && feet.p < 1 && feet.q > 0 && feet.q < 1 ? inside : ends) += 1;

    const T t = closest_on_segment(x[0], x[2], x[3]);
    ASSERT_TRUE(t >= 0 && t <= 1);
    ASSERT_LE(length(e[0] - e[2] - static_cast<Real>(t) * (e[3] - e[2])),
              from_segment(e[0], e[2], e[3]) + 8 * eps * size_of(e));
  }
  EXPECT_GT(inside, 10000);
  EXPECT_GT(ends, 10000);
}

// The candidates themselves, against samples.
TEST(Distance, IsNoLargerThanThatOfAnySample) {
  Cases<double> cases(3);
  for (int trial = 0; trial < 500; ++trial) {
    const auto x = cases.next();
    const TriangleFoot<double> foot = closest_on_triangle(x[0], x[1], x[2], x[3]);
    const SegmentFeet<double> feet = closest_on_segments(x[0], x[1], x[2], x[3]);
    const auto norm = [](const Vec3d& a) { return std::sqrt(dot(a, a)); };
    const auto on_triangle = [&](double s, double t) {
      return norm(x[1] + s * (x[2] - x[1]) + t * (x[3] - x[1]) - x[0]);
    };
    const auto on_segments = [&](double p, double q) {
      return norm(x[0] + p * (x[1] - x[0]) - x[2] - q * (x[3] - x[2]));
    };
    double size = 0;
    for (const Vec3d& p : x) size = std::max(size, std::sqrt(dot(p, p)));  // norm() of rounded positions
    const double rounding = 16 * std::numeric_limits<double>::epsilon() * size;
    const double triangle = on_triangle(foot.weights[1], foot.weights[2]), segments = on_segments(feet.p, feet.q);
    constexpr int samples = 40;
    double least_t = 1e300, least_s = 1e300;
    for (int i = 0; i <= samples; ++i) {
      for (int j = 0; j <= samples; ++j) {
        const double s = double(i) / samples, t = double(j) / samples;
        least_s = std::min(least_s, on_segments(s, t));
        if (i + j <= samples) least_t = std::min(least_t, on_triangle(s, t));
      }
    }
    EXPECT_LE(triangle, least_t + rounding);
    EXPECT_LE(segments, least_s + rounding);
    // Nor is it much less: a sample is within 1/40 of an edge of the foot in each direction.
    const double edges = norm(x[2] - x[1]) + norm(x[3] - x[1]), both = norm(x[1] - x[0]) + norm(x[3] - x[2]);
    EXPECT_GE(triangle, least_t - edges / samples - rounding);
    EXPECT_GE(segments, least_s - both / samples - rounding);
  }
}

// C = sum_j s_j x_j, d = |C|, n = C/d: the derivative by x_j is s_j n, as if the weights were constant.
TEST(Distance, HasTheDerivativeOfFrozenWeights) {
  Cases<double> cases(4);
  int features = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    std::array<Vec3d, 4> x{cases.vector(), cases.vector(), cases.vector(), cases.vector()};
    for (const bool edges : {false, true}) {
      const auto weights = [edges](const std::array<Vec3d, 4>& y) {
        if (edges) {
          const SegmentFeet<double> f = closest_on_segments(y[0], y[1], y[2], y[3]);
          return std::array<double, 4>{1 - f.p, f.p, f.q - 1, -f.q};
        }
        const TriangleFoot<double> f = closest_on_triangle(y[0], y[1], y[2], y[3]);
        return std::array<double, 4>{1, -f.weights[0], -f.weights[1], -f.weights[2]};
      };
      const auto separation = [&](const std::array<Vec3d, 4>& y) {
        const auto s = weights(y);
        return s[0] * y[0] + s[1] * y[1] + s[2] * y[2] + s[3] * y[3];
      };
      const auto distance = [&](const std::array<Vec3d, 4>& y) {
        const Vec3d c = separation(y);
        return std::sqrt(dot(c, c));
      };
      const double d = distance(x);
      // Second derivatives are up to 1/d, and for edges 1/sin^2 of their angle.
      const Vec3d across = cross(x[1] - x[0], x[3] - x[2]);
      if (d < .05 || (edges && dot(across, across) < .05)) continue;
      ++features;
      const auto s = weights(x);
      const Vec3d n = (1 / d) * separation(x);
      constexpr double h = 1e-6;
      for (size_t j = 0; j < 4; ++j) {
        for (double Vec3d::*axis : {&Vec3d::x, &Vec3d::y, &Vec3d::z}) {
          auto ahead = x, behind = x;
          ahead[j].*axis += h;
          behind[j].*axis -= h;
          EXPECT_NEAR((distance(ahead) - distance(behind)) / (2 * h), s[j] * (n.*axis), 1e-4);
        }
      }
    }
  }
  EXPECT_GT(features, 2000);
}

TYPED_TEST(Distance, DoesNotDependOnTheOrderOfCornersNorOnUnits) {
  using T = TypeParam;
  Cases<T> cases(5);
  for (int trial = 0; trial < 20000; ++trial) {
    const auto x = cases.next();
    const auto norm = [](const Vec3<T>& a) { return length(exact(a)); };
    const auto to_triangle = [&](size_t a, size_t b, size_t c) {
      const TriangleFoot<T> f = closest_on_triangle(x[0], x[a], x[b], x[c]);
      return norm(f.weights[0] * (x[a] - x[0]) + f.weights[1] * (x[b] - x[0]) + f.weights[2] * (x[c] - x[0]));
    };
    const auto to_segment = [&](size_t a, size_t b, size_t c, size_t d) {
      const SegmentFeet<T> f = closest_on_segments(x[a], x[b], x[c], x[d]);
      return norm((x[a] - x[c]) + f.p * (x[b] - x[a]) - f.q * (x[d] - x[c]));
    };
    const std::array<Point, 4> e{exact(x[0]), exact(x[1]), exact(x[2]), exact(x[3])};
    const Real rounding = 16 * static_cast<Real>(std::numeric_limits<T>::epsilon()) * size_of(e);
    const Real triangle = to_triangle(1, 2, 3), segments = to_segment(0, 1, 2, 3);
    ASSERT_LE(std::abs(triangle - to_triangle(2, 3, 1)), rounding);
    ASSERT_LE(std::abs(triangle - to_triangle(3, 2, 1)), rounding);
    ASSERT_LE(std::abs(segments - to_segment(1, 0, 2, 3)), rounding);
    ASSERT_LE(std::abs(segments - to_segment(3, 2, 0, 1)), rounding);

    // Powers of two only change exponents.
    auto y = x;
    for (Vec3<T>& p : y) p = T(0.0625) * p;
    const TriangleFoot<T> before = closest_on_triangle(x[0], x[1], x[2], x[3]),
                          after = closest_on_triangle(y[0], y[1], y[2], y[3]);
    if (size_of(e) > 1e-3L) {
      for (int k = 0; k < 3; ++k) ASSERT_EQ(before.weights[k], after.weights[k]);
      ASSERT_EQ(before.feature, after.feature);
    }
  }
}

TEST(Distance, NamesTheFeature) {
  const Vec3d a{0, 0, 0}, b{4, 0, 0}, c{0, 4, 0};
  const auto feature = [&](const Vec3d& p) { return closest_on_triangle(p, a, b, c).feature; };
  EXPECT_EQ(feature({-1, -1, 2}), corner_0);
  EXPECT_EQ(feature({6, 1, 2}), corner_1);
  EXPECT_EQ(feature({1, 6, 2}), corner_2);
  EXPECT_EQ(feature({2, -1, 2}), edge_01);
  EXPECT_EQ(feature({3, 3, 2}), edge_12);
  EXPECT_EQ(feature({-1, 2, 2}), edge_20);
  EXPECT_EQ(feature({1, 1, 2}), face_inside);
  EXPECT_EQ(feature({1, 1, -2}), face_inside);
  EXPECT_EQ(feature({1, 1, 0}), face_inside);
  EXPECT_EQ(feature({2, 0, 0}), edge_01);
  EXPECT_EQ(feature(b), corner_1);
}

}  // namespace
}  // namespace sinew
