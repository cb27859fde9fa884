// Source: the kernel with one element at a time, which objective_test.cpp compares with differences and its own loops.
#include "objective/element_terms.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sinew/lanes.h"
#include "support/body.h"

namespace sinew {
namespace {

using support::box;
using support::Random;
using support::shaken;
using support::size;

struct Results {
  std::vector<double> energy, det_f;
  std::vector<Vec3d> gradient;
};

class ElementTermsOf : public testing::TestWithParam<MaterialKind> {
 protected:
  ElementTermsOf() {
    auto body = support::body_of(box({3, 2, 2}, {1.5, 1, 1}), GetParam());
    body.blocks[0].damping = 0.1;
    support::vary_stiffness(body, random_);
    model_ = body.compile();
    x_prev_ = shaken(model_.rest, 0.1, random_);
    x_ = shaken(model_.rest, 0.3, random_);  // inverts some tets
  }

  // Runs the kernel with these lanes; the results have room for one more element, which must not be written.
  Results terms(int lanes, int32_t first, int32_t last, DampingForm form, double rate) {
    const auto count = static_cast<size_t>(last - first) + 1;
    constexpr double untouched = -12345;
    Results r{std::vector<double>(count, untouched), std::vector<double>(count, untouched),
              std::vector<Vec3d>(4 * count, Vec3d{untouched, untouched, untouched})};
    model_.damping_form = form;
    element_kernel_with_lanes(lanes)({ElementArrays::of(model_), &model_.blocks[0], x_.data(), x_prev_.data(), rate,
                                      r.energy.data(), r.det_f.data(), r.gradient.data()},
                                     first, last);
    EXPECT_EQ(r.energy.back(), untouched);
    EXPECT_EQ(r.det_f.back(), untouched);
    for (size_t k = 0; k < 4; ++k) EXPECT_EQ(r.gradient[4 * count - 1 - k].x, untouched);
    return r;
  }

  Random random_{3};
  Model model_;
  std::vector<Vec3d> x_, x_prev_;
};

TEST_P(ElementTermsOf, AgreeForEveryWidth) {
  for (const int lanes : {0, 4, 8, 16}) {
    if (!element_kernel_with_lanes(lanes)) continue;
    for (const auto& [first, last] : {std::pair{0, 60}, {3, 16}, {5, 6}, {7, 7}}) {
      for (const auto form : {DampingForm::strain_rate, DampingForm::own_block}) {
        const Results one = terms(1, first, last, form, 0.7), many = terms(lanes, first, last, form, 0.7);
        double largest = 0;
        for (const Vec3d& g : one.gradient) largest = std::max(largest, size(g));
        for (size_t k = 0; k < one.energy.size(); ++k) {
          EXPECT_NEAR(many.energy[k], one.energy[k], 1e-12 * std::abs(one.energy[k]) + 1e-9)
              << lanes << " lanes, " << k;
          EXPECT_NEAR(many.det_f[k], one.det_f[k], 1e-13 * (1 + std::abs(one.det_f[k]))) << lanes << " lanes, " << k;
        }
        // A singular polar decomposition amplifies round-off by |F| / (s1 + s2).
        for (size_t k = 0; k < one.gradient.size(); ++k) {
          EXPECT_LT(size(many.gradient[k] - one.gradient[k]), 1e-9 * largest) << lanes << " lanes, corner " << k;
        }
      }
    }
  }
}

TEST_P(ElementTermsOf, LeaveOutForcesThatNobodyWants) {
  std::vector<double> energy(60), det_f(60);
  const ElementTerms wanted{
      ElementArrays::of(model_), &model_.blocks[0], x_.data(), nullptr, 0, energy.data(), det_f.data(), nullptr};
  element_kernel_with_lanes(0)(wanted, 0, 60);
  const Results all = terms(0, 0, 60, DampingForm::strain_rate, 0);
  for (size_t k = 0; k < 60; ++k) {
    EXPECT_EQ(energy[k], all.energy[k]);
    EXPECT_EQ(det_f[k], all.det_f[k]);
  }
}

INSTANTIATE_TEST_SUITE_P(All, ElementTermsOf, testing::ValuesIn(support::every_material()),
                         [](const auto& test) { return std::string(traits_of(test.param).name); });

TEST(ElementKernel, ThereIsOneForEachWidthThatTheSweepsHave) {
  EXPECT_NE(element_kernel_with_lanes(0), nullptr);
  EXPECT_NE(element_kernel_with_lanes(1), element_kernel_with_lanes(4));
  for (const int lanes : available_lanes()) {
    ASSERT_TRUE(set_lanes(lanes).ok());
    EXPECT_EQ(element_kernel_with_lanes(0), element_kernel_with_lanes(lanes)) << "the one that was chosen";
  }
  ASSERT_TRUE(set_lanes(0).ok());
  for (const int lanes : {2, 3, 5, 32, -1}) EXPECT_EQ(element_kernel_with_lanes(lanes), nullptr);
}

}  // namespace
}  // namespace sinew
