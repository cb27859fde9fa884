// Sources: step/script.h (pins held, scripted, released); Rodrigues' formula; the cubic 3t^2 - 2t^3.
#include "step/script.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace sinew {
namespace {

constexpr double pi = std::numbers::pi;

struct Outcome {
  std::vector<uint8_t> held;
  std::vector<Vec3d> x;
  std::vector<Glide> glides{};
};
Outcome at(const std::vector<PinScript>& pins, double time, size_t slots = 3) {
  Outcome o{std::vector<uint8_t>(slots), std::vector<Vec3d>(slots, Vec3d{9, 9, 9})};
  apply_pins(pins, time, o.held, o.x, o.glides);
  return o;
}

void expect_near(Vec3d a, Vec3d b, double tolerance = 1e-15) {
  EXPECT_NEAR(a.x, b.x, tolerance);
  EXPECT_NEAR(a.y, b.y, tolerance);
  EXPECT_NEAR(a.z, b.z, tolerance);
}

PinScript pin_of(std::vector<MotionKey> keys, bool smooth = false) {
  PinScript pin;
  pin.slots = {1};
  pin.start = {{0.1, 0.2, 0.3}};
  pin.smooth = smooth;
  pin.keys = std::move(keys);
  return pin;
}
constexpr Vec3d one{1, 1, 1}, zero{0, 0, 0};

TEST(Script, WithoutKeyframesHoldsTheStartToTheLastBit) {
  const Outcome o = at({pin_of({})}, 3);
  EXPECT_EQ(o.held, (std::vector<uint8_t>{0, 1, 0}));
  EXPECT_EQ(o.x[1].x, 0.1);
  EXPECT_EQ(o.x[1].y, 0.2);
  EXPECT_EQ(o.x[1].z, 0.3);
  EXPECT_EQ(o.x[0].x, 9);  // slots without a pin are unchanged
}

TEST(Script, KeyframesThatSayNothingMoveNothing) {
  PinScript pin = pin_of({{0, zero, 0, one}, {1, zero, 0, one}}, true);
  pin.center = {0.3333, 1e9, -7};
  for (const double t : {0.0, 0.3, 1.0, 2.0}) {
    EXPECT_EQ(at({pin}, t).x[1].x, 0.1);
    EXPECT_EQ(at({pin}, t).x[1].y, 0.2);
  }
}

TEST(Script, HeldAtTheFirstKeyBeforeAndAtTheLastAfter) {
  const PinScript pin = pin_of({{1, {1, 0, 0}, 0, one}, {2, {3, 0, 0}, 0, one}});
  EXPECT_DOUBLE_EQ(at({pin}, 0).x[1].x, 1.1);
  EXPECT_DOUBLE_EQ(at({pin}, 1).x[1].x, 1.1);
  EXPECT_DOUBLE_EQ(at({pin}, 1.25).x[1].x, 1.6);
  EXPECT_DOUBLE_EQ(at({pin}, 2).x[1].x, 3.1);
  EXPECT_DOUBLE_EQ(at({pin}, 99).x[1].x, 3.1);
}

TEST(Script, SmoothEasesInAndOut) {
  const PinScript pin = pin_of({{0, zero, 0, one}, {2, {1, 0, 0}, 0, one}}, true);
  const auto moved = [&](double t) { return at({pin}, t).x[1].x - 0.1; };
  EXPECT_NEAR(moved(0.5), 3 * 0.0625 - 2 * 0.015625, 1e-15);  // t = 1/4
  EXPECT_NEAR(moved(1), 0.5, 1e-15);
  EXPECT_NEAR((moved(1e-4) - moved(0)) / 1e-4, 0, 1e-3);  // zero velocity at the keys
  EXPECT_NEAR((moved(2) - moved(2 - 1e-4)) / 1e-4, 0, 1e-3);
}

TEST(Script, RotatesAboutTheAxisThroughTheCenter) {
  PinScript pin = pin_of({{0, zero, 0, one}, {1, zero, pi / 2, one}});
  pin.axis = {0, 0, 7};  // of any length
  pin.center = {1, 0, 0};
  pin.start = {{2, 0, 5}};
  expect_near(at({pin}, 1).x[1], {1, 1, 5});
  expect_near(at({pin}, 0.5).x[1], {1 + std::sqrt(0.5), std::sqrt(0.5), 5});
  // Rotations by more than one turn are not reduced: half way to 4 pi is 2 pi.
  pin.keys = {{0, zero, 0, one}, {1, zero, 4 * pi, one}};
  expect_near(at({pin}, 0.125).x[1], {1, 1, 5});
}

TEST(Script, ScalesThenRotatesThenTranslates) {
  PinScript pin = pin_of({{0, {10, 20, 30}, pi / 2, {2, 3, 4}}});
  pin.center = {1, 1, 1};
  pin.start = {{2, 2, 2}};
  // scale (1,1,1) -> (2,3,4); rotate by 90 degrees about z -> (-3,2,4)
  expect_near(at({pin}, 0).x[1], {1 - 3 + 10, 1 + 2 + 20, 1 + 4 + 30}, 1e-14);
}

TEST(Script, ReleaseIsInclusive) {
  PinScript pin = pin_of({});
  pin.release = 1;
  EXPECT_EQ(at({pin}, 1 - 1e-6).held[1], 1);
  EXPECT_EQ(at({pin}, 1).held[1], 0);
  EXPECT_EQ(at({pin}, 2).held[1], 0);
  // A clock that sums steps of 1/60 may be a rounding error behind.
  double clock = 0;
  for (int k = 0; k < 60; ++k) clock += 1.0 / 60;
  EXPECT_EQ(at({pin}, clock).held[1], 0);
}

TEST(Script, ALaterPinWins) {
  const PinScript first = pin_of({}), second = pin_of({{0, {1, 0, 0}, 0, one}});
  EXPECT_DOUBLE_EQ(at({first, second}, 0).x[1].x, 1.1);
  EXPECT_DOUBLE_EQ(at({second, first}, 0).x[1].x, 0.1);
  // If the later pin is released, the earlier one holds the vertex.
  PinScript gone = second;
  gone.release = 0;
  EXPECT_DOUBLE_EQ(at({first, gone}, 0).x[1].x, 0.1);
  EXPECT_EQ(at({first, gone}, 0).held[1], 1);
}

PinScript gliding(std::vector<Vec3d> fixed, Vec3d start = {0.1, 0.2, 0.3}) {
  PinScript pin = pin_of({});
  pin.start = {start};
  pin.fixed = std::move(fixed);
  return pin;
}

TEST(Script, AGlidingPinHoldsItsDirectionsAndNoMore) {
  const Outcome o = at({gliding({{0, 1, 0}})}, 0);
  EXPECT_EQ(o.held, (std::vector<uint8_t>{0, 0, 0}));
  ASSERT_EQ(o.glides.size(), 1u);
  EXPECT_EQ(o.glides[0].slot, 1);
  const Vec3d settled = o.glides[0].settled({7, 8, 9});
  EXPECT_EQ(settled.x, 7);
  EXPECT_NEAR(settled.y, 0.2, 1e-15);
  EXPECT_EQ(settled.z, 9);
  expect_near(o.glides[0].free_part({7, 8, 9}), {7, 0, 9});
}

TEST(Script, GlidingPinsOfOneVertexAddUp) {
  // Planes that are not at right angles: on their line both equations hold.
  const Vec3d n{0.6, 0.8, 0};
  const Outcome two = at({gliding({{0, 1, 0}}), gliding({n}, {1, 2, 3})}, 0);
  ASSERT_EQ(two.glides.size(), 1u);
  const Vec3d on_line = two.glides[0].settled({-5, 6, 9});
  EXPECT_NEAR(on_line.y, 0.2, 1e-14);
  EXPECT_NEAR(dot(n, on_line), dot(n, Vec3d{1, 2, 3}), 1e-14);
  EXPECT_NEAR(on_line.z, 9, 1e-14);
  // Three planes hold it entirely.
  const Outcome three = at({gliding({{0, 1, 0}}), gliding({n}, {1, 2, 3}), gliding({{0, 0, 1}})}, 0);
  EXPECT_TRUE(three.glides.empty());
  EXPECT_EQ(three.held[1], 1);
  EXPECT_NEAR(three.x[1].z, 0.3, 1e-14);
  EXPECT_NEAR(dot(n, three.x[1]), dot(n, Vec3d{1, 2, 3}), 1e-14);
}

TEST(Script, TheLaterOfTwoPinsWinsInTheDirectionsTheyShare) {
  const Outcome glides = at({gliding({{0, 1, 0}}), gliding({{0, 1, 0}}, {5, 5, 5})}, 0);
  ASSERT_EQ(glides.glides.size(), 1u);
  EXPECT_EQ(glides.glides[0].settled(zero).y, 5);
  PinScript all = pin_of({});
  const Outcome held_last = at({gliding({{0, 1, 0}}, {5, 5, 5}), all}, 0);
  EXPECT_TRUE(held_last.glides.empty());
  expect_near(held_last.x[1], {0.1, 0.2, 0.3});
  const Outcome held_first = at({all, gliding({{0, 1, 0}}, {5, 5, 5})}, 0);
  EXPECT_TRUE(held_first.glides.empty());
  EXPECT_EQ(held_first.held[1], 1);
  expect_near(held_first.x[1], {0.1, 5, 0.3});
}

TEST(Script, AGlidingPinMovesByItsKeyframesAndIsReleased) {
  PinScript pin = pin_of({{0, zero, 0, one}, {1, {1, 2, 3}, 0, one}});
  pin.fixed = {{0, 1, 0}};
  pin.release = 2;
  EXPECT_NEAR(at({pin}, 0.5).glides[0].settled(zero).y, 1.2, 1e-15);
  EXPECT_EQ(at({pin}, 0.5).glides[0].settled(zero).x, 0);
  EXPECT_TRUE(at({pin}, 2).glides.empty());
}

}  // namespace
}  // namespace sinew
