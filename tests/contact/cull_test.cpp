// Source: the definition: what is dropped is farther apart than the limit, or of edges closest beyond an end; by
// closest points in double precision.
#include "contact/cull.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "contact/distance.h"
#include "support/random.h"

namespace sinew {
namespace {

using support::Random;
using support::size;

// Triangles and edges of random points: of all sizes, thin, without area, far from the origin.
struct Shapes {
  std::vector<Vec3d> x;
  std::vector<Triangle> triangles;
  std::vector<Edge> edges;
  std::vector<double> sharpness;
  std::vector<CandidatePairs::VertexTriangle> vertex_triangle;
  std::vector<CandidatePairs::EdgeEdge> edge_edge;
  double limit = 0;

  explicit Shapes(Random& random) {
    const double scale = std::pow(10, random.between(-4, 2));
    const Vec3d origin = random.below(2) ? (1e3 * scale) * random.vector() : Vec3d{};
    limit = scale * std::pow(10, random.between(-3, 0));
    const auto add = [&](Vec3d p) {
      x.push_back(origin + scale * p);
      return static_cast<int32_t>(x.size()) - 1;
    };
    for (int k = 0; k < 150; ++k) {
      const Vec3d a = random.vector(), u = random.vector();
      const double thin = std::pow(10, random.between(-8, 0));
      Vec3d b = a + u, c = a + random.between(0, 1) * u + thin * random.vector();
      if (random.below(20) == 0) c = a;
      if (random.below(20) == 0) b = a;
      const int32_t p = add(a), q = add(b), r = add(c);
      triangles.push_back({p, q, r});
      edges.push_back({p, q});
      sharpness.push_back(random.below(5) ? 1 : 0);
      // A point nearby, in all directions.
      const double s = random.between(-0.3, 1.3), t = random.between(-0.3, 1.3);
      const int32_t v =
          add(a + s * (b - a) + t * (c - a) + (3 * random.between(0, 1) * limit / scale) * random.vector());
      vertex_triangle.push_back({v, k});
      vertex_triangle.push_back({v, random.below(k + 1)});
      if (k == 0) continue;
      edge_edge.push_back({random.below(k), k});
      // An edge nearly parallel, or across.
      const Vec3d along = random.below(2) ? (b - a) + thin * random.vector() : random.vector();
      const int32_t e = add((1 / scale) * (x[static_cast<size_t>(v)] - origin)),
                    f = add((1 / scale) * (x[static_cast<size_t>(e)] - origin) + along);
      edges.push_back({e, f});
      sharpness.push_back(1);
      edges.push_back(edges.back());
      sharpness.push_back(0);
    }
    for (int32_t a = 0; a < static_cast<int32_t>(edges.size()); ++a)
      for (int32_t b = a + 1; b < std::min(a + 4, static_cast<int32_t>(edges.size())); ++b) edge_edge.push_back({a, b});
  }
  CullInput input() const {
    // The last points are those of colliders.
    const size_t slots = x.size() / 2;
    CullInput input;
    input.slots = x.data();
    input.colliders = x.data() + slots;
    input.slot_count = static_cast<int32_t>(slots);
    input.triangles = triangles.data();
    input.edges = edges.data();
    input.sharpness = sharpness.data();
    input.reach = limit;
    return input;
  }
  Vec3d at(int32_t p) const { return x[static_cast<size_t>(p)]; }
};

TEST(Cull, DropsOnlyWhatIsTooFar) {
  Random random(1);
  int64_t near = 0, far = 0, kept_far = 0, crossing = 0, kept_edges = 0, edges = 0, above = 0, clear = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const Shapes s(random);
    for (const int lanes : {1, 4, 8, 16}) {
      const CullKernels* kernels = cull_kernels_with_lanes(lanes);
      if (!kernels) continue;
      std::vector<int32_t> kept(s.vertex_triangle.size() + cull_batch);
      const auto count = static_cast<int32_t>(s.vertex_triangle.size());
      kept.resize(static_cast<size_t>(
          kernels->vertex_triangle(s.input(), s.vertex_triangle.data(), count, kept.data(), nullptr)));
      // Of a smaller reach, at the same limit.
      CullInput nearer = s.input();
      nearer.reach = 0.3 * s.limit;
      nearer.depth = s.limit;
      std::vector<int32_t> same(s.vertex_triangle.size() + cull_batch);
      std::vector<uint8_t> is_clear(same.size(), 2);
      same.resize(static_cast<size_t>(
          kernels->vertex_triangle(nearer, s.vertex_triangle.data(), count, same.data(), is_clear.data())));
      EXPECT_EQ(same, kept);
      EXPECT_TRUE(std::is_sorted(kept.begin(), kept.end()));
      for (int32_t k = 0; k < count; ++k) {
        const auto [v, t] = s.vertex_triangle[static_cast<size_t>(k)];
        const Triangle& c = s.triangles[static_cast<size_t>(t)];
        const Vec3d p = s.at(v), a = s.at(c[0]), b = s.at(c[1]), g = s.at(c[2]);
        const TriangleFoot<double> foot = closest_on_triangle(p, a, b, g);
        const double d = size(foot.weights[0] * (p - a) + foot.weights[1] * (p - b) + foot.weights[2] * (p - g));
        const bool is_kept = std::binary_search(kept.begin(), kept.end(), k);
        near += d < s.limit;
        far += d > 1.01 * s.limit;
        kept_far += is_kept && d > 1.01 * s.limit;
        if (is_kept) {
          const auto number = std::lower_bound(kept.begin(), kept.end(), k) - kept.begin();
          const bool lies_above = dot(cross(b - a, g - a), p - a) > 0;
          above += lies_above && d > 1.01 * nearer.reach;
          if (is_clear[static_cast<size_t>(number)]) {
            ++clear;
            EXPECT_TRUE(lies_above && d > nearer.reach) << lanes;
          }
        }
        if (d < s.limit) {
          EXPECT_TRUE(is_kept) << lanes << " " << d / s.limit;
        }
      }

      std::vector<int32_t> kept_pairs(s.edge_edge.size() + cull_batch);
      const auto pairs = static_cast<int32_t>(s.edge_edge.size());
      kept_pairs.resize(
          static_cast<size_t>(kernels->edge_edge(s.input(), s.edge_edge.data(), pairs, kept_pairs.data())));
      EXPECT_TRUE(std::is_sorted(kept_pairs.begin(), kept_pairs.end()));
      edges += pairs;
      kept_edges += static_cast<int64_t>(kept_pairs.size());
      for (int32_t k = 0; k < pairs; ++k) {
        const auto [i, j] = s.edge_edge[static_cast<size_t>(k)];
        const Edge &e = s.edges[static_cast<size_t>(i)], &f = s.edges[static_cast<size_t>(j)];
        const Vec3d a = s.at(e[0]), b = s.at(e[1]), c = s.at(f[0]), d = s.at(f[1]);
        const SegmentFeet<double> feet = closest_on_segments(a, b, c, d);
        const bool touches = s.sharpness[static_cast<size_t>(i)] * s.sharpness[static_cast<size_t>(j)] > 0 &&
                             feet.p > 0 && feet.p < 1 && feet.q > 0 && feet.q < 1 &&
                             size((a + feet.p * (b - a)) - (c + feet.q * (d - c))) < s.limit;
        crossing += touches;
        if (touches) {
          EXPECT_TRUE(std::binary_search(kept_pairs.begin(), kept_pairs.end(), k)) << lanes;
        }
      }
    }
  }
  EXPECT_GT(near, 10000);
  EXPECT_GT(crossing, 1000);
  EXPECT_LT(static_cast<double>(kept_far), 0.1 * static_cast<double>(far));
  EXPECT_LT(kept_edges, edges / 2);
  EXPECT_GT(clear, above / 4);
}

// Of one body that has moved, a vertex and a triangle are near up to a share of their distance at rest, even if the way
// is longer; of two bodies, up to the way.
TEST(Cull, OfOneBodyDropsWhatIsNearAtRest) {
  Random random(2);
  const std::vector<BodyMotion> motion = {{{}, 1.0}, {{0.5, 0, 0}, 0.2}};
  const std::vector<Triangle> triangles = {{1, 2, 3}};
  const std::vector<CandidatePairs::VertexTriangle> pairs = {{0, 0}};
  int kept_of_one = 0, kept_of_two = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<Vec3d> x(4), rest(4);
    for (Vec3d& p : x) p = 0.3 * random.vector();
    for (Vec3d& p : rest) p = 3.0 * random.vector();
    const TriangleFoot<double> foot = closest_on_triangle(x[0], x[1], x[2], x[3]);
    Vec3d way{};
    double most = 0;
    for (size_t k = 0; k < 3; ++k) {
      way += foot.weights[k] * (x[0] - x[k + 1]);
      most = std::max(most, size(rest[0] - rest[k + 1]));
    }
    for (const int32_t other : {0, 1}) {
      const std::vector<int32_t> body_of = {0, other, other, other};
      CullInput input;
      input.slots = x.data();
      input.slot_count = 4;
      input.triangles = triangles.data();
      input.body_of = body_of.data();
      input.rest = rest.data();
      input.motion = motion.data();
      input.reach = 0.01;
      input.depth = 0.02;
      input.own_share = 0.02;
      input.own_slack = 0.01;
      const double limit = other == 0 ? std::max(0.01, std::min(2.02, 0.02 * most + 0.01)) : 0.02 + 0.5 + 1.2;
      for (const int lanes : {1, 4, 8, 16}) {
        const CullKernels* kernels = cull_kernels_with_lanes(lanes);
        if (!kernels) continue;
        int32_t kept[1 + cull_batch];
        const int32_t count = kernels->vertex_triangle(input, pairs.data(), 1, kept, nullptr);
        if (size(way) < limit) {
          EXPECT_EQ(count, 1) << lanes;
        }
        (other == 0 ? kept_of_one : kept_of_two) += count;
      }
    }
  }
  EXPECT_GT(kept_of_one, 100);
  EXPECT_LT(2 * kept_of_one, kept_of_two);
}

// What is not a number, or too large for a float, is kept: others judge it.
TEST(Cull, KeepsWhatItCannotJudge) {
  const double huge = 1e300, none = std::nan("");
  const std::vector<Vec3d> x = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {none, 0, 0}, {huge, huge, 0}, {0, 0, 5}};
  const std::vector<Triangle> triangles = {{0, 1, 2}};
  const std::vector<CandidatePairs::VertexTriangle> pairs = {{3, 0}, {4, 0}, {5, 0}};
  for (const int lanes : {1, 4, 8, 16}) {
    const CullKernels* kernels = cull_kernels_with_lanes(lanes);
    if (!kernels) continue;
    std::vector<int32_t> kept(pairs.size() + cull_batch);
    CullInput input;
    input.slots = x.data();
    input.slot_count = 6;
    input.triangles = triangles.data();
    input.reach = 0.1;
    const int32_t count = kernels->vertex_triangle(input, pairs.data(), 3, kept.data(), nullptr);
    EXPECT_EQ(count, 2) << lanes;
    EXPECT_EQ(kept[0], 0);
    CullInput endless = input;
    endless.reach = __builtin_inf();
    EXPECT_EQ(kernels->vertex_triangle(endless, pairs.data(), 3, kept.data(), nullptr), 3);
  }
}

}  // namespace
}  // namespace sinew
