// Source: signed_svd of math/svd.h, in double precision, and the definitions R = U V^T, C = cof(U max(S, 1) V^T).
#include "math/lane_svd.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "support/random.h"

namespace sinew {
namespace {

using support::identity;
using support::Random;
using support::size;

// The rounding of a float is 2^-23. V is the product of about twenty rotations, each with a few roundings.
constexpr double rounding = 1.2e-7, roundings = 40;

template <class T>
class LaneSvdOf : public testing::Test {};
using Types = testing::Types<float, Lane<float, 4>, Lane<float, 8>, Lane<float, 16>>;
struct TypeName {
  template <class T>
  static std::string GetName(int) {
    return "lanes" + std::to_string(lane_count<T>);
  }
};
TYPED_TEST_SUITE(LaneSvdOf, Types, TypeName);

void set(float& a, int, double v) {
  a = static_cast<float>(v);
}
template <class T>
void set(T& a, int lane, double v) {
  a[lane] = static_cast<float>(v);
}
double get(const float& a, int) {
  return a;
}
template <class T>
double get(const T& a, int lane) {
  return a[lane];
}
template <class T>
Vec3d vector_of(const Vec3<T>& v, int lane) {
  return {get(v.x, lane), get(v.y, lane), get(v.z, lane)};
}
template <class T>
Mat3d matrix_of(const Mat3<T>& m, int lane) {
  return {vector_of(m.c0, lane), vector_of(m.c1, lane), vector_of(m.c2, lane)};
}

struct Frame {
  Mat3d rotation, cofactor;
};
// Processes as many matrices at a time as there are lanes.
template <class T>
std::vector<Frame> frames_of(const std::vector<Mat3d>& matrices) {
  constexpr int w = lane_count<T>;
  std::vector<Frame> frames;
  for (size_t first = 0; first < matrices.size(); first += w) {
    Mat3<T> f{};
    for (int k = 0; k < w; ++k) {
      const Mat3d& m = matrices[std::min(first + static_cast<size_t>(k), matrices.size() - 1)];
      const Vec3d columns[3] = {m.c0, m.c1, m.c2};
      Vec3<T>* const out[3] = {&f.c0, &f.c1, &f.c2};
      for (int c = 0; c < 3; ++c) {
        set(out[c]->x, k, columns[c].x);
        set(out[c]->y, k, columns[c].y);
        set(out[c]->z, k, columns[c].z);
      }
    }
    const StretchFrame<T> found = stretch_frame(f);
    for (int k = 0; k < w && first + static_cast<size_t>(k) < matrices.size(); ++k)
      frames.push_back({matrix_of(found.rotation, k), matrix_of(found.cofactor, k)});
  }
  return frames;
}

// Properties that hold for every matrix in the supported range, including singular ones.
void expect_sound(const Mat3d& f, const Frame& frame) {
  const Vec3d s = signed_svd(f).s;
  const Mat3d& r = frame.rotation;
  EXPECT_LT(size(transpose(r) * r - identity()), roundings * rounding);
  EXPECT_NEAR(determinant(r), 1, roundings * rounding);
  // R^T F is the stretch. If two singular values are below sqrt(rounding) x the largest, F^T F cannot distinguish them.
  const Mat3d stretch = transpose(r) * f;
  EXPECT_LT(size(stretch - transpose(stretch)), 2 * std::sqrt(rounding) * s.x);
  // Singular values are accurate even if U and V are not.
  const auto at_least_one = [](double a) { return std::fmax(a, 1); };
  const double a = at_least_one(s.x), b = at_least_one(s.y), c = at_least_one(s.z);
  const Vec3d found = signed_svd(frame.cofactor).s;
  const double error = 2 * std::sqrt(rounding) * a * b;
  EXPECT_NEAR(found.x, a * b, error);
  EXPECT_NEAR(found.y, a * c, error);
  EXPECT_NEAR(found.z, b * c, error);
}

// The error allowed in R. The rounding of F^T F turns v1 and v2 by about s0^2/(s1^2 - s2^2) roundings in their plane,
// and u1 by s2/s1 times that.
double rotation_error(const Vec3d& s) {
  return roundings * rounding * s.x * s.x / (s.y * (s.y + s.z));
}

// Properties that hold if the rotation is determined.
void expect_close(const Mat3d& f, const Frame& frame) {
  expect_sound(f, frame);
  const SignedSvd d = signed_svd(f);
  const double error = rotation_error(d.s);
  EXPECT_LT(size(frame.rotation - d.u * transpose(d.v)), error);
  const Mat3d stretched =
      d.u * diagonal(std::fmax(d.s.x, 1), std::fmax(d.s.y, 1), std::fmax(d.s.z, 1)) * transpose(d.v);
  EXPECT_LT(size(frame.cofactor - cofactor(stretched)), error * size(cofactor(stretched)));
}

template <class T>
int expect_all_close(const std::vector<Mat3d>& matrices) {
  const std::vector<Frame> frames = frames_of<T>(matrices);
  int compared = 0;
  for (size_t k = 0; k < matrices.size(); ++k) {
    const Vec3d s = signed_svd(matrices[k]).s;
    if (s.y + s.z > 0 && rotation_error(s) < 0.01) {
      expect_close(matrices[k], frames[k]);
      ++compared;
    } else {
      expect_sound(matrices[k], frames[k]);
    }
  }
  return compared;
}

// Floats as the kernel gets them.
Mat3d rounded(const Mat3d& m) {
  const auto narrow = [](Vec3d v) {
    return Vec3d{static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
  };
  return {narrow(m.c0), narrow(m.c1), narrow(m.c2)};
}
Mat3d with_stretches(Random& random, double a, double b, double c) {
  return rounded(random.rotation() * diagonal(a, b, c) * random.rotation());
}

TYPED_TEST(LaneSvdOf, RandomMatricesHalfOfThemInverted) {
  Random random(1);
  std::vector<Mat3d> matrices;
  for (int k = 0; k < 4003; ++k) matrices.push_back(rounded(random.matrix()));  // the last batch is not full
  EXPECT_GT(expect_all_close<TypeParam>(matrices), 3500);
}

TYPED_TEST(LaneSvdOf, NearRest) {
  Random random(2);
  std::vector<Mat3d> matrices{identity()};
  for (const double amount : {1e-7, 1e-4, 0.01, 0.3})
    for (int k = 0; k < 200; ++k)
      matrices.push_back(rounded(random.rotation() * (identity() + amount * random.matrix())));
  EXPECT_GT(expect_all_close<TypeParam>(matrices), 790);
}

TYPED_TEST(LaneSvdOf, StretchedPressedFlatAndInvertedOnes) {
  Random random(3);
  std::vector<Mat3d> matrices;
  int determined = 0;
  for (const Vec3d s : {Vec3d{30, 1, 1},
                        {100, 50, 0.1},
                        {1, 1, 0},
                        {2, 1, 1e-3},
                        {5, 5, 5},
                        {0.1, 0.1, 0.1},
                        {0.01, 0.01, 0.005},
                        {1, 0.5, -0.3},
                        {3, 1, -0.9},
                        {1, 1, -0.5},
                        {20, 20, -10}}) {
    for (int k = 0; k < 50; ++k) matrices.push_back(with_stretches(random, s.x, s.y, s.z));
    determined += 50;
  }
  EXPECT_EQ(expect_all_close<TypeParam>(matrices), determined);
}

// R is not unique, or nearly so: any of them is valid.
TYPED_TEST(LaneSvdOf, LinesPointsAndMirrorsHaveSomeFrame) {
  Random random(4);
  std::vector<Mat3d> matrices{identity() - 2.0 * outer(Vec3d{0, 0, 1}, Vec3d{0, 0, 1}),
                              diagonal(-1.0, -1.0, -1.0),
                              diagonal(2.0, 0.0, 0.0),
                              diagonal(0.0, 0.0, -3.0),
                              outer(Vec3d{1, 2, -0.5}, Vec3d{0.3, -1, 2}),
                              {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}},
                              {{0, 0, 0}, {0, 0, 0}, {0, 1, 0}}};
  for (const Vec3d s : {Vec3d{1, 0, 0}, {50, 0, 0}, {1, 1e-4, 1e-5}, {1, 1, -1}, {3, 1, -1}, {1, 1e-3, -1e-3}})
    for (int k = 0; k < 50; ++k) matrices.push_back(with_stretches(random, s.x, s.y, s.z));
  const std::vector<Frame> frames = frames_of<TypeParam>(matrices);
  for (size_t k = 0; k < matrices.size(); ++k) expect_sound(matrices[k], frames[k]);
  // The remaining direction of a line is its own.
  for (size_t k = 0; k < matrices.size(); ++k) {
    const SignedSvd d = signed_svd(matrices[k]);
    if (d.s.y > 1e-3 * d.s.x) continue;
    EXPECT_LT(size(frames[k].rotation * d.v.c0 - d.u.c0), roundings * rounding);
  }
}

// Extreme entries, whose squares overflow, and NaN get the frame of rest, and other lanes are not affected.
TYPED_TEST(LaneSvdOf, WhatIsFarOffHasTheFrameOfTheRest) {
  Random random(5);
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  const Mat3d sound = rounded(random.deformation(0.3));
  std::vector<Mat3d> matrices;
  for (const double scale : {0.0, 1e-8, 1e-30, 1e-45, 1e8, 1e19, 1e30, 1e38, infinity, -infinity, nan}) {
    matrices.push_back(diagonal(scale, scale, scale));
    matrices.push_back(sound);
    matrices.push_back(identity());
    matrices.back().c1.z = scale;
  }
  const std::vector<Frame> frames = frames_of<TypeParam>(matrices);
  for (size_t k = 0; k < matrices.size(); ++k) {
    if (k % 3 == 1) {
      expect_close(sound, frames[k]);
    } else if (k % 3 == 0 || !(std::abs(matrices[k].c1.z) < 1)) {
      EXPECT_EQ(size(frames[k].rotation - identity()), 0) << k;
      EXPECT_EQ(size(frames[k].cofactor - identity()), 0) << k;
    } else {
      expect_close(matrices[k], frames[k]);
    }
  }
}

// Within this range it holds as for others.
TYPED_TEST(LaneSvdOf, FromAThousandthOfAPercentToAHundredThousandTimesTheSize) {
  Random random(6);
  std::vector<Mat3d> matrices;
  for (const double scale : {1e-5, 1e-3, 1e3, 1e5})
    for (int k = 0; k < 50; ++k) matrices.push_back(rounded(scale * random.deformation(0.3)));
  EXPECT_EQ(expect_all_close<TypeParam>(matrices), 200);
}

}  // namespace
}  // namespace sinew
