// Source: the scalar operations of the language and of <cmath>, lane by lane.
#include "math/lane.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "exec/buffer.h"

namespace sinew {
namespace {

template <class T>
class LanesOf : public testing::Test {};

using Types = testing::Types<float, double, Lane<float, 4>, Lane<float, 8>, Lane<float, 16>, Lane<double, 2>,
                             Lane<double, 4>, Lane<double, 8>>;
struct TypeName {
  template <class T>
  static std::string GetName(int) {
    return (sizeof(ScalarOf<T>) == 4 ? "single" : "double") + std::to_string(lane_count<T>);
  }
};
TYPED_TEST_SUITE(LanesOf, Types, TypeName);

template <class T>
auto at(const T& a, int k) {
  if constexpr (lane_count<T> == 1) {
    (void)k;
    return a;
  } else {
    return a[k];
  }
}
// a, a + step, a + 2 step, ...
template <class T>
T ramp(double a, double step) {
  T r{};
  for (int k = 0; k < lane_count<T>; ++k) {
    const auto v = static_cast<ScalarOf<T>>(a + k * step);
    if constexpr (lane_count<T> == 1) {
      r = v;
    } else {
      r[k] = v;
    }
  }
  return r;
}

TYPED_TEST(LanesOf, EveryLaneMeansAllOfThem) {
  using T = TypeParam;
  const T a = ramp<T>(0, 1);
  constexpr int last = lane_count<T> - 1;
  EXPECT_TRUE(every_lane(a < splat<T>(last + 0.5)));
  EXPECT_FALSE(every_lane(a > splat<T>(last + 0.5)));
  EXPECT_FALSE(every_lane(a < splat<T>(last - 0.5))) << "all but the last";
  EXPECT_EQ(every_lane(a > splat<T>(0.5)), false) << "all but the first";
}

TYPED_TEST(LanesOf, SplatSelectAndOrder) {
  using T = TypeParam;
  const T a = ramp<T>(-1.5, 1), b = splat<T>(0.25);
  for (int k = 0; k < lane_count<T>; ++k) {
    const auto x = at(a, k);
    EXPECT_EQ(at(b, k), 0.25);
    EXPECT_EQ(at(select(a < b, a, b), k), x < 0.25 ? x : 0.25);
    EXPECT_EQ(at(min(a, b), k), x < 0.25 ? x : 0.25);
    EXPECT_EQ(at(max(a, b), k), x > 0.25 ? x : 0.25);
    EXPECT_EQ(at(abs(a), k), std::abs(x));
  }
}

TYPED_TEST(LanesOf, SquareRootAndLogarithm) {
  using T = TypeParam;
  const T a = ramp<T>(0.0, 2.7), b = ramp<T>(0.3, 1.9);
  for (int k = 0; k < lane_count<T>; ++k) {
    EXPECT_EQ(at(sqrt(a), k), std::sqrt(at(a, k)));  // correctly rounded by IEEE 754
    EXPECT_EQ(at(log(b), k), std::log(at(b, k)));    // the same function
  }
}

TYPED_TEST(LanesOf, LoadAndStore) {
  using T = TypeParam;
  Buffer<ScalarOf<T>> numbers(2 * lane_count<T>);
  store<T>(numbers.data() + lane_count<T>, ramp<T>(3, 1));
  for (int k = 0; k < lane_count<T>; ++k) {
    EXPECT_EQ(numbers[k], 0);
    EXPECT_EQ(numbers[lane_count<T> + k], 3 + k);
  }
  EXPECT_EQ(at(load<T>(numbers.data() + lane_count<T>), lane_count<T> - 1), 2 + lane_count<T>);
}

TYPED_TEST(LanesOf, GatherFetchesAndScatterPutsBack) {
  using T = TypeParam;
  using Real = ScalarOf<T>;
  constexpr int w = lane_count<T>;
  Buffer<Vec4<Real>> points;
  for (int k = 0; k < 40; ++k) points.push_back({Real(k), Real(100 + k), Real(200 + k), Real(300 + k)});
  int32_t index[w];
  for (int k = 0; k < w; ++k) index[k] = (7 * k + 5) % 40;

  const Lane4<T> a = gather<T>(points.data(), index), b = load4<T>(points.data() + w);
  for (int k = 0; k < w; ++k) {
    EXPECT_EQ(at(a.xyz.x, k), index[k]);
    EXPECT_EQ(at(a.xyz.y, k), 100 + index[k]);
    EXPECT_EQ(at(a.xyz.z, k), 200 + index[k]);
    EXPECT_EQ(at(a.w, k), 300 + index[k]);
    EXPECT_EQ(at(b.xyz.x, k), w + k);
    EXPECT_EQ(at(b.xyz.y, k), 100 + w + k);
    EXPECT_EQ(at(b.xyz.z, k), 200 + w + k);
    EXPECT_EQ(at(b.w, k), 300 + w + k);
  }

  Buffer<Vec4<Real>> copy(40);
  scatter(copy.data(), index, a);
  for (int k = 0; k < 40; ++k) {
    const bool written = std::find(index, index + w, k) != index + w;
    EXPECT_EQ(copy[k].x, written ? points[k].x : 0);
    EXPECT_EQ(copy[k].z, written ? points[k].z : 0);
    EXPECT_EQ(copy[k].w, written ? points[k].w : 0);
  }
  store4(copy.data(), b);
  for (int k = 0; k < w; ++k) EXPECT_EQ(copy[k].y, points[w + k].y);
}

}  // namespace
}  // namespace sinew
