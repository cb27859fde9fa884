// Source: Chen et al. 2024 (PXPBD), section 5.5: bodies on a grid do not get into each other by more than a cell, here
// in experiments/S2-8.json and S2-10.json; they stay in their box, and no energy is made.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <numeric>

#include "contact/distance.h"
#include "math/length.h"
#include "mesh/topology.h"
#include "sinew/experiment.h"
#include "sinew/scene_file.h"
#include "sinew/simulation.h"

namespace sinew {
namespace {

// As the run `main` has it.
Scene scene_of(const char* experiment) {
  const Result<Experiment> read = read_experiment(std::string(SINEW_SOURCE_DIR "/experiments/") + experiment + ".json");
  EXPECT_TRUE(read.ok()) << read.error().message();
  Result<Scene> scene = read_scene(std::filesystem::path(read->folder) / read->scene, read->runs[0].set);
  EXPECT_TRUE(scene.ok()) << scene.error().message();
  scene->solver.options.set("iterations", read->runs[0].iterations);
  return *scene;
}

// How deep vertices are in tets of other bodies: their distance to the surface of that body.
class Overlap {
 public:
  explicit Overlap(const Simulation& s) : tets_(s.tets()), body_(static_cast<size_t>(s.vertex_count())) {
    std::iota(body_.begin(), body_.end(), 0);
    for (const auto& t : tets_)
      for (size_t k = 1; k < 4; ++k) body_[static_cast<size_t>(root(t[k]))] = root(t[0]);
    for (size_t v = 0; v < body_.size(); ++v) body_[v] = root(static_cast<int32_t>(v));
    for (size_t k = 0; k < s.objects().size(); ++k) {
      const auto surface = s.surface(static_cast<int32_t>(k));
      for (const auto& t : *surface) surface_[body_[static_cast<size_t>(t[0])]].push_back(t);
    }
  }
  size_t bodies() const { return surface_.size(); }

  double deepest(const std::vector<Real3>& positions) const {
    std::vector<Vec3d> x;
    for (const Real3& p : positions) x.push_back({p[0], p[1], p[2]});
    std::vector<int32_t> by_x(x.size());
    std::iota(by_x.begin(), by_x.end(), 0);
    const auto at = [&](int32_t v) { return x[static_cast<size_t>(v)]; };
    std::sort(by_x.begin(), by_x.end(), [&](int32_t a, int32_t b) { return at(a).x < at(b).x; });
    double deepest = 0;
    for (const auto& t : tets_) {
      const Vec3d a = at(t[0]), p = at(t[1]) - a, q = at(t[2]) - a, r = at(t[3]) - a;
      const double volume = dot(p, cross(q, r)), low = a.x + std::min({0.0, p.x, q.x, r.x}),
                   high = a.x + std::max({0.0, p.x, q.x, r.x});
      auto v =
          std::lower_bound(by_x.begin(), by_x.end(), low, [&](int32_t k, double least) { return at(k).x < least; });
      for (; v != by_x.end() && at(*v).x <= high; ++v) {
        const int32_t body = body_[static_cast<size_t>(t[0])];
        if (body == body_[static_cast<size_t>(*v)]) continue;
        const Vec3d d = at(*v) - a;
        const double b = dot(d, cross(q, r)) / volume, c = dot(p, cross(d, r)) / volume,
                     e = dot(p, cross(q, d)) / volume;
        if (!(b > 0 && c > 0 && e > 0 && b + c + e < 1)) continue;
        double depth = 1e9;
        for (const auto& f : surface_.at(body)) {
          const TriangleFoot<double> foot = closest_on_triangle(at(*v), at(f[0]), at(f[1]), at(f[2]));
          const Vec3d there = foot.weights[0] * at(f[0]) + foot.weights[1] * at(f[1]) + foot.weights[2] * at(f[2]);
          depth = std::min(depth, length(at(*v) - there));
        }
        deepest = std::max(deepest, depth);
      }
    }
    return deepest;
  }

 private:
  int32_t root(int32_t v) const {
    while (body_[static_cast<size_t>(v)] != v) v = body_[static_cast<size_t>(v)];
    return v;
  }
  std::vector<std::array<int32_t, 4>> tets_;
  std::vector<int32_t> body_;  // of each vertex: one of its vertices
  std::map<int32_t, std::vector<std::array<int32_t, 3>>> surface_;
};

TEST(GridCrowd, OfThirtyBodiesStaysApartAndInItsBox) {
  const Scene scene = scene_of("S2-8");
  Result<Simulation> s = Simulation::create(scene, 2);
  ASSERT_TRUE(s.ok()) << s.error().message();
  const Overlap overlap(*s);
  EXPECT_EQ(overlap.bodies(), 30);
  const double cell = scene.grid->spacing;
  double deepest = 0, outside = 0, largest = 0, start = 0, most = -1e9;
  for (int frame = 0; frame <= 100; ++frame) {
    if (frame > 0) {
      ASSERT_TRUE(s->advance_frame().ok());
    }
    const std::vector<Real3> x = s->positions();
    if (frame % 4 == 0) deepest = std::max(deepest, overlap.deepest(x));
    for (const Real3& p : x) outside = std::max({outside, std::abs(p[0]) - 0.6, std::abs(p[2]) - 0.6, -p[1]});
    const Energies e = s->energies();
    const double total = e.kinetic + e.elastic + e.gravity;
    if (frame == 0) start = total;
    largest = std::max({largest, e.kinetic, e.elastic, std::abs(e.gravity)});
    most = std::max(most, total);
  }
  EXPECT_LT(deepest, cell);
  EXPECT_LT(outside, cell);
  EXPECT_LE(most - start, 1e-3 * largest);
}

TEST(GridCrowd, OfFourTwistedBarsStaysApart) {
  const Scene scene = scene_of("S2-10");
  Result<Simulation> s = Simulation::create(scene, 2);
  ASSERT_TRUE(s.ok()) << s.error().message();
  const Overlap overlap(*s);
  EXPECT_EQ(overlap.bodies(), 4);
  double deepest = 0;
  for (int64_t frame = 1; frame <= s->frame_count(); ++frame) {
    ASSERT_TRUE(s->advance_frame().ok());
    if (frame % 20 == 0) deepest = std::max(deepest, overlap.deepest(s->positions()));
  }
  EXPECT_LT(deepest, scene.grid->spacing);
}

}  // namespace
}  // namespace sinew
