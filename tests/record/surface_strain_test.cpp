// Source: the definition: the mean over the tets around a point by rest volume, or over its springs.
#include "record/surface_strain.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "mesh/generators.h"
#include "objective/strain.h"
#include "support/body.h"
#include "support/tied.h"

namespace sinew {
namespace {

TEST(SurfaceStrain, IsTheMeanByVolume) {
  const TetMesh mesh = make_box({{20, 10, 10}, {1, 1, 1}, {}, TetSplit::six}).value();
  const Model model = support::body_of(mesh).compile();
  std::vector<Vec3d> x;
  for (const Vec3d& p : model.rest) x.push_back({p.x * p.x + 0.1 * p.y, 1.5 * p.y, p.z});
  std::vector<double> j(mesh.tets.size()), strain(mesh.tets.size());
  ThreadPool pool(3);
  measure_strain(model, x, pool, j, strain);

  const std::vector<int32_t> points{7, 0, 300};
  std::vector<int32_t> slots;
  for (const int32_t v : points) slots.push_back(static_cast<int32_t>(model.order.slot(UserVertex{v})));
  const SurfaceStrain surface(model, slots);
  const std::vector<double> mean = surface.measure(model, x, pool);
  ThreadPool one(1);
  EXPECT_EQ(surface.measure(model, x, one), mean);
  for (size_t k = 0; k < points.size(); ++k) {
    double sum = 0, volume = 0;
    for (size_t e = 0; e < mesh.tets.size(); ++e) {
      const Tet& t = mesh.tets[e];
      if (std::find(t.begin(), t.end(), points[k]) == t.end()) continue;
      const auto edge = [&](int c) { return mesh.vertices[t[c]] - mesh.vertices[t[0]]; };
      const double v = dot(edge(1), cross(edge(2), edge(3))) / 6;
      sum += v * strain[e];
      volume += v;
    }
    EXPECT_NEAR(mean[k], sum / volume, 1e-6);
  }
}

// A point without tets has the mean of its springs.
TEST(SurfaceStrain, OfSpringsIsTheMeanOfTheirExtensions) {
  const Model model = support::tet_with_a_tail().compile();
  std::vector<Vec3d> x = model.rest;
  const auto slot = [&](int32_t v) { return static_cast<int32_t>(model.order.slot(UserVertex{v})); };
  x[slot(4)].x += 0.25;  // springs of length 1.25 and 0.75
  const std::vector<int32_t> slots{slot(0), slot(4), slot(5)};
  ThreadPool pool(1);
  const std::vector<double> strain = SurfaceStrain(model, slots).measure(model, x, pool);
  EXPECT_DOUBLE_EQ(strain[0], 0);  // that of its tet, which is at rest
  EXPECT_DOUBLE_EQ(strain[1], 0.25);
  EXPECT_DOUBLE_EQ(strain[2], 0.125);
}

}  // namespace
}  // namespace sinew
