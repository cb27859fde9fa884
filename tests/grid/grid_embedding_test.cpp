// Sources: Jiang et al. 2015 (APIC): weights reproduce linear functions, affine velocities survive a transfer to the
// nodes and back, and momenta are conserved.
#include "grid/grid_embedding.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>
#include <tuple>

#include "grid/grid_boundary.h"
#include "grid/grid_coloring.h"
#include "math/length.h"
#include "mesh/generators.h"

namespace sinew {
namespace {

Model box_on_grid(double spacing, Vec3d at) {
  TetMesh mesh = *make_box({.cells = {4, 3, 5}});
  for (Vec3d& x : mesh.vertices) x += at;
  ModelInput input;
  input.mesh = &mesh;
  input.block_of_tet.assign(mesh.tets.size(), 0);
  ElasticBlock block;
  block.on_grid = true;
  input.blocks = {block};
  input.density_of_block = {10};
  input.grid_spacing = spacing;
  Result<Model> model = compile_model(input);
  EXPECT_TRUE(model.ok()) << model.error().message();
  return std::move(*model);
}

TEST(NodeSet, NumbersEachNodeOnce) {
  std::mt19937 random(1);
  std::vector<NodeIndex> bases;
  const auto coordinate = [&] { return static_cast<int32_t>(random() % 23) - 11; };
  for (int k = 0; k < 200; ++k) bases.push_back({coordinate(), coordinate(), coordinate()});
  bases.push_back({-largest_cell + 4, largest_cell - 5, 0});
  NodeSet nodes;
  nodes.build(bases);
  std::set<std::tuple<int, int, int>> expected;
  for (const NodeIndex& base : bases) {
    std::array<int32_t, spline_columns> found{};
    nodes.find(base, found);
    for (int n = 0; n < spline_nodes; ++n) {
      const NodeIndex c{base.i + n / 9, base.j + n / 3 % 3, base.k + n % 3};
      ASSERT_EQ(nodes.index(found[static_cast<size_t>(n / 3)] + n % 3), c);
      expected.insert({c.i, c.j, c.k});
    }
  }
  EXPECT_EQ(static_cast<size_t>(nodes.size()), expected.size());
}

TEST(GridEmbedding, ReproducesAffineMotionAndConservesMomenta) {
  const Model model = box_on_grid(0.21, {-3.3, 0.4, 7.7});
  GridEmbedding grid(model);
  State state = rest_state(model);
  const Vec3d v0{0.3, -1, 2};
  const Mat3d a{{0.5, 1, -2}, {0.1, -0.7, 0.3}, {2, 0.4, 0.9}};  // velocity v0 + a x
  for (size_t s = 0; s < state.x.size(); ++s) state.v[s] = v0 + a * state.x[s];
  const double d = inertia_of_spline(grid.spacing());
  for (Mat3d& b : state.affine) b = d * a;
  ASSERT_TRUE(grid.place(state.x, ThreadPool::caller()).ok());
  std::vector<Vec3d> v(static_cast<size_t>(grid.node_count())), x(v.size());
  grid.to_nodes(state.v, state.affine, ThreadPool::caller(), v);
  double mass = 0, total = 0;
  Vec3d momentum{}, before{}, turning{}, turning_before{};
  for (int32_t i = 0; i < grid.node_count(); ++i) {
    const auto n = static_cast<size_t>(i);
    x[n] = grid.position(i);
    if (!grid.is_empty(i)) {
      EXPECT_LT(length(v[n] - (v0 + a * x[n])), 1e-10);
    }
    mass += grid.mass(i);
    momentum += grid.mass(i) * v[n];
    turning += grid.mass(i) * cross(x[n], v[n]);
  }
  for (int32_t r = 0; r < grid.row_count(); ++r) {
    const auto s = static_cast<size_t>(grid.slot(r));
    EXPECT_LT(length(grid.at(r, x) - state.x[s]), 1e-12);
    EXPECT_LT(length(grid.at(r, v) - state.v[s]), 1e-10);
    const GridEmbedding::Motion motion = grid.motion(r, v);
    EXPECT_LT(length(motion.velocity - state.v[s]), 1e-10);
    const Mat3d b = motion.affine - state.affine[static_cast<size_t>(r)];
    EXPECT_LT(length(b.c0) + length(b.c1) + length(b.c2), 1e-10);
    total += model.mass[s];
    before += model.mass[s] * state.v[s];
    const Mat3d& of = state.affine[static_cast<size_t>(r)];
    const Vec3d own{of.c1.z - of.c2.y, of.c2.x - of.c0.z, of.c0.y - of.c1.x};
    turning_before += model.mass[s] * (cross(state.x[s], state.v[s]) + own);
  }
  EXPECT_NEAR(mass, total, 1e-12 * total);
  EXPECT_LT(length(momentum - before), 1e-11 * length(before));
  EXPECT_LT(length(turning - turning_before), 1e-11 * length(turning_before));
}

TEST(GridEmbedding, RefusesWhatNodesDoNotReach) {
  const Model model = box_on_grid(1e-3, {2e3, 0, 0});
  GridEmbedding grid(model);
  const Status s = grid.place(model.rest, ThreadPool::caller());
  ASSERT_FALSE(s.ok());
  EXPECT_NE(s.error().remedy.find("grid.spacing"), std::string::npos);
}

TEST(TetPatches, HaveEachTetOnceWithItsCorners) {
  const Model model = box_on_grid(0.3, {});
  const TetPatches patches(model);
  ASSERT_GT(patches.count(), 1);
  EXPECT_EQ(patches.first_of_block(1), patches.count());
  std::set<int32_t> tets;
  for (int32_t p = 0; p < patches.count(); ++p) {
    const auto slots = patches.slots(p);
    ASSERT_LE(slots.size(), static_cast<size_t>(patch_vertices));
    EXPECT_EQ(std::set<int32_t>(slots.begin(), slots.end()).size(), slots.size());
    for (size_t k = 0; k < patches.tets(p).size(); ++k) {
      const int32_t e = patches.tets(p)[k];
      EXPECT_TRUE(tets.insert(e).second);
      for (size_t j = 0; j < 4; ++j) EXPECT_EQ(slots[patches.corners(p)[k][j]], model.tets[static_cast<size_t>(e)][j]);
    }
  }
  EXPECT_EQ(tets.size(), model.tets.size());
}

TEST(GridColoring, SeparatesPatchesThatShareNodes) {
  const Model model = box_on_grid(0.3, {});
  const TetPatches patches(model);
  GridEmbedding grid(model);
  std::vector<Vec3d> x = model.rest;
  std::vector<int32_t> before;
  for (int step = 0; step < 3; ++step) {
    ASSERT_TRUE(grid.place(x, ThreadPool::caller()).ok());
    const Coloring coloring = color_on_grid(patches, grid, before);
    std::set<std::pair<int32_t, int32_t>> used;  // colour and node
    for (int32_t p = 0; p < patches.count(); ++p) {
      std::set<int32_t> nodes;
      for (const int32_t s : patches.slots(p))
        for (const int32_t n : grid.nodes(grid.row_of(s))) nodes.insert(n);
      for (const int32_t n : nodes) EXPECT_TRUE(used.insert({coloring.color[static_cast<size_t>(p)], n}).second);
    }
    before = coloring.color;
    for (Vec3d& p : x) p += Vec3d{0.17, 0.05, -0.11};
  }
}

TEST(GridBoundary, LeavesWhatCollidersPermit) {
  const NodeInside floor{{0, 1, 0}, {0, 0.5, 0}, false}, wall{{1, 0, 0}, {}, false};
  NodeBounds b = bounded({1, 2, 3}, std::vector{floor});  // it leaves
  EXPECT_EQ(b.rank, 0);
  b = bounded({1, -2, 3}, std::vector{floor});
  EXPECT_EQ(b.rank, 1);
  EXPECT_LT(length(b.velocity - Vec3d{1, 0.5, 3}), 1e-15);
  b = bounded({-1, -2, 3}, std::vector{floor, wall});
  EXPECT_EQ(b.rank, 2);
  EXPECT_LT(length(b.velocity - Vec3d{0, 0.5, 3}), 1e-15);
  EXPECT_LT(length(b.fixed * Vec3d{0, 0, 1}), 1e-15);
  NodeInside sticky = floor;
  sticky.sticky = true;
  b = bounded({1, 2, 3}, std::vector{sticky});
  EXPECT_EQ(b.rank, 3);
  EXPECT_LT(length(b.velocity - floor.velocity), 1e-15);
}

}  // namespace
}  // namespace sinew
