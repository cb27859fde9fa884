// Source: the definition: the mesh with this cell has the requested number of tets.
#include "meshing/cell_size.h"

#include <gtest/gtest.h>

#include <utility>

#include "support/fields.h"

namespace sinew {
namespace {

void expect_found(const char* name, const DistanceField& field, int64_t wanted, int coarsest = 0) {
  ThreadPool& pool = ThreadPool::caller();
  const auto found = cell_for_tets(field, wanted, {.coarsest = coarsest}, pool);
  ASSERT_TRUE(found.ok()) << name << found.error().message();
  const auto mesh = stuff(field, {.cell = found->cell, .coarsest = coarsest}, pool);
  ASSERT_TRUE(mesh.ok());
  EXPECT_EQ(static_cast<int64_t>(mesh->tets.size()), found->tets) << name;
  // A small mesh with the lattice's symmetry, such as a ball's, changes by 48 or more tets at once.
  const double share = wanted < 10000 ? 0.1 : 0.05;
  EXPECT_NEAR(static_cast<double>(found->tets), static_cast<double>(wanted), share * static_cast<double>(wanted))
      << name;
}

TEST(CellSize, FindsTheNumberOfTets) {
  for (const int64_t wanted : {2000, 20000, 150000}) {
    expect_found("ball", support::ball_field(1, {3, 0.2, 0.7}), wanted);
    expect_found("torus", support::torus_field(0.01, 0.004), wanted);
    expect_found("balls", support::balls_field({{{0, 0, 0}, 50}, {{150, 0, 0}, 50}, {{30, 80, 30}, 60}}), wanted);
  }
  expect_found("box", support::box_field({1, 0.7, 0.411}), 50000);
  expect_found("plate", support::box_field({1, 0.8, 0.04}), 60000);
  expect_found("graded", support::ball_field(1), 100000, 2);
}

// In as few passes as promised: no more evaluations of the field than for a few meshes.
TEST(CellSize, TakesAFewPasses) {
  int64_t asked = 0;
  const support::FormulaField ball({{-1, -1, -1}, {1, 1, 1}}, [&](Vec3d p) {
    ++asked;
    return support::norm(p) - 1;
  });
  const auto found = cell_for_tets(ball, 100000, {}, ThreadPool::caller());
  ASSERT_TRUE(found.ok());
  const int64_t searching = std::exchange(asked, 0);
  ASSERT_TRUE(stuff(ball, {.cell = found->cell}, ThreadPool::caller()).ok());
  EXPECT_LT(searching, 4 * asked);
}

TEST(CellSize, CellsAcrossTheLongestSide) {
  EXPECT_NEAR(cell_for_cells(support::box_field({1, 2, 0.5}), 16).value(), 0.25, 1e-15);
  EXPECT_FALSE(cell_for_cells(support::ball_field(1), 0).ok());
  EXPECT_FALSE(cell_for_cells(support::ball_field(1), -3).ok());
  EXPECT_FALSE(cell_for_cells(support::FormulaField({}, [](Vec3d) { return 1.0; }), 10).ok());
}

TEST(CellSize, RefusesWhatHasNoTets) {
  ThreadPool& pool = ThreadPool::caller();
  EXPECT_FALSE(cell_for_tets(support::ball_field(1), 0, {}, pool).ok());
  const auto too_many =
      cell_for_tets(support::ball_field(1), 2000, {.max_tets = 1000, .limit = "fit into memory"}, pool);
  ASSERT_FALSE(too_many.ok());
  EXPECT_EQ(too_many.error().message(), "tets = 2000: must be 1 to 1000, which fit into memory");
  const auto nothing =
      cell_for_tets(support::FormulaField({{0, 0, 0}, {1, 1, 1}}, [](Vec3d) { return 0.01; }), 1000, {}, pool);
  ASSERT_FALSE(nothing.ok());
  EXPECT_NE(nothing.error().message().find("has no point inside"), std::string::npos);
}

// The smallest possible number, if fewer are requested.
TEST(CellSize, OneTetMakesAFew) {
  for (const double wanted : {1, 3, 10}) {
    const auto found = cell_for_tets(support::ball_field(1), static_cast<int64_t>(wanted), {}, ThreadPool::caller());
    ASSERT_TRUE(found.ok()) << found.error().message();
    EXPECT_LE(found->tets, 100);
  }
}

}  // namespace
}  // namespace sinew
