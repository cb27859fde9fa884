// Source: the definition of a colouring; 5 vertex and 37 tet colours on boxes of five tets per cell, by an independent
// program (numpy).
#include "mesh/coloring.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

#include "mesh/generators.h"
#include "mesh/space_filling.h"
#include "support/body.h"

namespace sinew {
namespace {

using support::box;

bool valid_for_vertices(const std::vector<Tet>& tets, const Coloring& c) {
  for (const Tet& t : tets) {
    std::set<int32_t> seen;
    for (const int32_t v : t) {
      if (c.color[v] < 0 || c.color[v] >= c.count || !seen.insert(c.color[v]).second) return false;
    }
  }
  return true;
}
bool valid_for_tets(const std::vector<Tet>& tets, size_t vertex_count, const Coloring& c) {
  std::vector<std::set<int32_t>> at(vertex_count);
  for (size_t e = 0; e < tets.size(); ++e) {
    if (c.color[e] < 0 || c.color[e] >= c.count) return false;
    for (const int32_t v : tets[e]) {
      if (!at[v].insert(c.color[e]).second) return false;
    }
  }
  return true;
}
std::vector<int32_t> shuffled(size_t count) {
  std::vector<int32_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(5));
  return order;
}

TEST(Coloring, BoxesNeedFiveAndThirtySevenColors) {
  for (const int32_t n : {15, 31}) {  // the paper's 16^3 and 32^3 vertices
    const TetMesh mesh = box({n, n, n});
    const Incidence incidence = incidence_of(mesh.tets, mesh.vertices.size());
    const Coloring vertices = color_vertices(mesh.tets, incidence, {});
    EXPECT_TRUE(valid_for_vertices(mesh.tets, vertices));
    EXPECT_EQ(vertices.count, 5);
    const Coloring tets = color_tets(mesh.tets, mesh.vertices.size(), {});
    EXPECT_TRUE(valid_for_tets(mesh.tets, mesh.vertices.size(), tets));
    EXPECT_EQ(tets.count, 37);
  }
}

TEST(Coloring, IsValidInAnyOrderOnAnyMesh) {
  for (const TetMesh& mesh : {box({6, 5, 4}), box({5, 5, 5}, {1, 1, 1}, TetSplit::six),
                              make_ball({.shells = 4}).value(), support::one_tet(), support::fan(9, 8)}) {
    const size_t count = mesh.vertices.size();
    const Incidence incidence = incidence_of(mesh.tets, count);
    for (const std::vector<int32_t>& order :
         {std::vector<int32_t>{}, shuffled(count), space_filling_order(mesh.vertices)}) {
      const Coloring c = color_vertices(mesh.tets, incidence, order);
      EXPECT_TRUE(valid_for_vertices(mesh.tets, c));
      EXPECT_EQ(c.count, *std::max_element(c.color.begin(), c.color.end()) + 1);
    }
    for (const std::vector<int32_t>& order : {std::vector<int32_t>{}, shuffled(mesh.tets.size())}) {
      EXPECT_TRUE(valid_for_tets(mesh.tets, count, color_tets(mesh.tets, count, order)));
    }
  }
}

// More tets at one vertex than the initial 128 colours of the sets: each needs its own colour.
TEST(Coloring, WidensItsSetsAtCrowdedVertices) {
  const TetMesh mesh = support::fan(9, 20);
  ASSERT_GT(mesh.tets.size(), 300u);
  const Coloring c = color_tets(mesh.tets, mesh.vertices.size(), {});
  EXPECT_TRUE(valid_for_tets(mesh.tets, mesh.vertices.size(), c));
  EXPECT_EQ(c.count, static_cast<int32_t>(mesh.tets.size()));
}

TEST(Coloring, UnreferencedVerticesHaveTheFirstColor) {
  TetMesh mesh = support::one_tet();
  mesh.vertices.resize(6);
  const Coloring c = color_vertices(mesh.tets, incidence_of(mesh.tets, 6), {});
  EXPECT_EQ(c.color, (std::vector<int32_t>{0, 1, 2, 3, 0, 0}));
  const TetMesh empty;
  EXPECT_EQ(color_vertices(empty.tets, incidence_of(empty.tets, 0), {}).count, 0);
  EXPECT_EQ(color_tets(empty.tets, 0, {}).count, 0);
}

TEST(Incidence, ListsEveryCornerOnceAscending) {
  const TetMesh mesh = box({3, 2, 2});
  const Incidence incidence = incidence_of(mesh.tets, mesh.vertices.size());
  ASSERT_EQ(incidence.entries.size(), 4 * mesh.tets.size());
  for (size_t v = 0; v < mesh.vertices.size(); ++v) {
    for (int64_t k = incidence.begin[v]; k < incidence.begin[v + 1]; ++k) {
      const int64_t entry = incidence.entries[k];
      EXPECT_EQ(mesh.tets[entry >> 2][entry & 3], static_cast<int32_t>(v));
      EXPECT_TRUE(k == incidence.begin[v] || entry > incidence.entries[k - 1]);
    }
  }
}

}  // namespace
}  // namespace sinew
