// Source: boxes and balls of known volume, area and topology.
#include "mesh/summary.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "io/says.h"
#include "mesh/generators.h"
#include "support/surface.h"

namespace sinew {
namespace {

std::string text(const std::vector<std::pair<std::string, std::string>>& rows) {
  std::string all;
  for (const auto& [name, value] : rows) all += name + "=" + value + "\n";
  return all;
}

TEST(Summary, OfABox) {
  TetMesh mesh = make_box({.cells = {2, 2, 2}, .size = {1, 2, 3}, .origin = {0, 0, -1}}).value();
  mesh.vertices.push_back({9, 0, 0});
  mesh.regions.assign(mesh.tets.size(), 4);
  mesh.regions[0] = 2;
  const MeshSummary summary = summarize(mesh);
  EXPECT_EQ(summary.vertices, 28);
  EXPECT_EQ(summary.unreferenced_vertices, 1);
  EXPECT_EQ(summary.tets, 40);
  EXPECT_NEAR(summary.quality.volume, 6, 1e-13);
  EXPECT_NEAR(summary.boundary_area, 2 * (2 + 3 + 6), 1e-12);
  EXPECT_EQ(summary.regions, (std::vector<std::pair<int32_t, int64_t>>{{2, 1}, {4, 39}}));
  EXPECT_EQ(summary.box.low[2], -1);
  EXPECT_EQ(summary.box.high[0], 9);
  const std::string rows = text(summary.rows());
  for (const char* words : {"tets=40\n", "volume=6 m^3\n", "regions=2 (1 tet), 4 (39 tets)\n", "components=1\n",
                            "boundary closed=yes\n", "unreferenced vertices=1\n", "boundary Euler characteristic=2\n"})
    EXPECT_TRUE(says(rows, words));
}

TEST(Summary, OfASurface) {
  const TetMesh box = make_box({.cells = {2, 2, 2}, .origin = {100, 100, 100}}).value();
  SurfaceMesh surface = support::boundary_surface(box);
  SurfaceSummary summary = summarize(surface);
  EXPECT_NEAR(summary.area, 6, 1e-12);
  EXPECT_NEAR(summary.volume, 1, 1e-12);
  EXPECT_TRUE(says(text(summary.rows()), "closed=yes"));
  for (Triangle& t : surface.triangles) std::swap(t[0], t[1]);
  EXPECT_NEAR(summarize(surface).volume, -1, 1e-12);
  EXPECT_TRUE(says(text(summarize(surface).rows()), "face inwards"));
  surface.triangles.pop_back();
  surface.triangles.push_back({0, 0, 1});
  summary = summarize(surface);
  EXPECT_EQ(summary.volume, 0);
  EXPECT_EQ(summary.degenerate_triangles, 1);
  EXPECT_TRUE(says(text(summary.rows()), "closed=no: "));
  EXPECT_EQ(summarize(SurfaceMesh{}).area, 0);
}

}  // namespace
}  // namespace sinew
