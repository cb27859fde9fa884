// Source: psi(F Q) = psi(F), by which the aligned frame may stand for the full one.
#include "element/tet_frame.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "element/element.h"
#include "support/random.h"

namespace sinew {
namespace {

using support::identity;
using support::Random;
using support::size;

// Tets of any shape, positive volume, not too flat: the condition of the inverse stays below some hundred.
struct RandomTet {
  explicit RandomTet(Random& random) {
    do {
      p = random.vector(), q = random.vector(), r = random.vector();
    } while (dot(p, cross(q, r)) < 0.1);
  }
  Vec3d p, q, r;
};
constexpr double round_off = 1e-12;

TEST(TetFrame, FullFrameRecoversAnyAffineMap) {
  Random random(2);
  for (int k = 0; k < 1000; ++k) {
    const RandomTet t(random);
    double numbers[FullTetFrame<double>::number_count];
    FullTetFrame<double>::write(tet_rest_shape(t.p, t.q, t.r), numbers);
    const auto frame = FullTetFrame<double>::read(numbers);
    const Mat3d a = random.matrix();
    EXPECT_LT(size(frame.deformation_gradient(a * t.p, a * t.q, a * t.r) - a), 100 * round_off * size(a));
    const RestShape rest = tet_rest_shape(t.p, t.q, t.r);
    EXPECT_LT(size(frame.gradient() + rest.gradient[0] + rest.gradient[1] + rest.gradient[2]), round_off);
    EXPECT_EQ(frame.volume, rest.volume);
  }
}

// M g at the corners, and sum w g g^T, of either frame: those of the gradients, turned for the aligned one, F' = F Q.
TEST(TetFrame, FramesSumOverTheCorners) {
  Random random(4);
  for (int k = 0; k < 1000; ++k) {
    const RandomTet t(random);
    const RestShape rest = tet_rest_shape(t.p, t.q, t.r);
    double full_numbers[FullTetFrame<double>::number_count], numbers[AlignedTetFrame<double>::number_count];
    FullTetFrame<double>::write(rest, full_numbers);
    AlignedTetFrame<double>::write(rest, numbers);
    const auto full = FullTetFrame<double>::read(full_numbers);
    const auto aligned = AlignedTetFrame<double>::read(numbers);
    const Mat3d turn = aligned.deformation_gradient(t.p, t.q, t.r);  // of the rest state: Q
    const Vec3d g[4] = {-(rest.gradient[0] + rest.gradient[1] + rest.gradient[2]), rest.gradient[0], rest.gradient[1],
                        rest.gradient[2]};
    const Mat3d m = random.matrix();
    const CornerVectors<double> a = full.times_gradients(m), b = aligned.times_gradients(m * turn);
    const double w[4] = {random.normal(), random.normal(), random.normal(), random.normal()};
    Mat3d gram{};
    double unit = 1;
    for (int i = 0; i < 4; ++i) {
      unit += dot(g[i], g[i]);
      EXPECT_LT(size(a.at[i] - m * g[i]), round_off * unit * size(m));
      EXPECT_LT(size(b.at[i] - m * g[i]), 1000 * round_off * unit * size(m));
      gram = gram + w[i] * outer(g[i], g[i]);
    }
    EXPECT_LT(size(support::full(full.weighted_gram(w[0], w[1], w[2], w[3])) - gram), 10 * round_off * unit);
    const Mat3d turned = transpose(turn) * gram * turn;
    EXPECT_LT(size(support::full(aligned.weighted_gram(w[0], w[1], w[2], w[3])) - turned), 1000 * round_off * unit);
  }
}

// F' = F Q with the same g' = Q^T g along z: F F^T, det F, F g and cof F g are those of the full frame.
TEST(TetFrame, AlignedFrameIsTheFullOneTurned) {
  Random random(3);
  for (int k = 0; k < 1000; ++k) {
    const RandomTet t(random);
    const RestShape rest = tet_rest_shape(t.p, t.q, t.r);
    double full_numbers[FullTetFrame<double>::number_count], numbers[AlignedTetFrame<double>::number_count];
    FullTetFrame<double>::write(rest, full_numbers);
    AlignedTetFrame<double>::write(rest, numbers);
    const auto full = FullTetFrame<double>::read(full_numbers);
    const auto aligned = AlignedTetFrame<double>::read(numbers);
    EXPECT_EQ(aligned.volume, full.volume);

    const Vec3d x[3] = {random.vector(), random.vector(), random.vector()};
    const Mat3d f = full.deformation_gradient(x[0], x[1], x[2]);
    const Mat3d turned = aligned.deformation_gradient(x[0], x[1], x[2]);
    const double tolerance = 1000 * round_off * contract(f, f);
    EXPECT_LT(size(turned * transpose(turned) - f * transpose(f)), tolerance);
    const auto [j, c] = volume_gradient(turned, aligned.gradient());
    const auto [j_full, c_full] = volume_gradient(f, full.gradient());
    EXPECT_NEAR(j, j_full, tolerance * size(f));
    EXPECT_LT(size(c - c_full), tolerance * (1 + size(full.gradient())));
    EXPECT_LT(size(turned * aligned.gradient() - f * full.gradient()), tolerance * (1 + size(full.gradient())));
    EXPECT_NEAR(norm_squared(aligned.gradient()), norm_squared(full.gradient()),
                100 * round_off * norm_squared(full.gradient()));
  }
}

TEST(TetFrame, CornersMayBeTakenFirstWithoutTurningTheTetInsideOut) {
  for (int corner = 0; corner < 4; ++corner) {
    const int* order = corner_first[corner];
    EXPECT_EQ(order[0], corner);
    int inversions = 0;
    for (int i = 0; i < 4; ++i) {
      EXPECT_NE(std::find(order, order + 4, i), order + 4);
      for (int j = 0; j < i; ++j) inversions += order[j] > order[i];
    }
    EXPECT_EQ(inversions % 2, 0) << "an even permutation";
  }
}

// [e_x x g, e_y x g, e_z x g], in both forms of g.
TEST(TetFrame, RotationsOfAGradient) {
  Random random(4);
  const Vec3d g = random.vector(), v = random.vector();
  EXPECT_LT(size(rotations_of(g) * v - cross(v, g)), 1e-15 * size(v) * size(g));
  EXPECT_LT(size(rotations_of(AxisGradient<double>{g.z}) - rotations_of(Vec3d{0, 0, g.z})), 1e-15);
}

}  // namespace
}  // namespace sinew
