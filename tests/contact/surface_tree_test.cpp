// Source: the definition of the pairs: primitives whose boxes of motion overlap, by trying all pairs.
#include "contact/surface_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "math/bounds.h"
#include "support/random.h"

namespace sinew {
namespace {

using support::Random;

// A surface under construction: a grid of points for each body, then points of colliders.
struct Scene {
  ContactSurface surface;
  std::vector<Vec3d> from, to;
  std::vector<Vec3d> shift;  // by body; empty: none

  Vec3d shift_of(int32_t p) const {
    return shift.empty() ? Vec3d{} : shift[static_cast<size_t>(surface.body_of[static_cast<size_t>(p)])];
  }
  PointPositions at(const std::vector<Vec3d>& x) const {
    const auto slots = static_cast<size_t>(surface.slot_count);
    return {{x.data(), slots}, {x.data() + slots, x.size() - slots}};
  }
  int32_t add_body(int32_t group, bool collider, bool closed) {
    surface.bodies.push_back({.object = static_cast<int32_t>(surface.bodies.size()),
                              .group = group,
                              .closed = closed,
                              .collider = collider});
    return static_cast<int32_t>(surface.bodies.size()) - 1;
  }
  int32_t add_point(int32_t body, Vec3d x) {
    surface.rest.push_back(x);
    surface.body_of.push_back(body);
    if (body < 0 || !surface.bodies[static_cast<size_t>(body)].collider) ++surface.slot_count;
    return surface.point_count() - 1;
  }
  // A sheet of rows x columns cells.
  template <class Place>
  void add_sheet(int32_t body, int rows, int columns, const Place& place) {
    const int32_t first = surface.point_count();
    for (int i = 0; i <= rows; ++i)
      for (int j = 0; j <= columns; ++j) add_point(body, place(double(i) / rows, double(j) / columns));
    const auto at = [&](int i, int j) { return first + i * (columns + 1) + j; };
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) {
        surface.triangles.push_back({at(i, j), at(i + 1, j), at(i, j + 1)});
        surface.triangles.push_back({at(i + 1, j + 1), at(i, j + 1), at(i + 1, j)});
      }
  }
  void add_octahedron(int32_t body, Vec3d centre, const Mat3d& axes) {
    const int32_t first = surface.point_count();
    for (const Vec3d& axis : {axes.c0, axes.c1, axes.c2}) {
      add_point(body, centre + axis);
      add_point(body, centre - axis);
    }
    for (int x = 0; x < 2; ++x)
      for (int y = 2; y < 4; ++y)
        for (int z = 4; z < 6; ++z) surface.triangles.push_back({first + x, first + y, first + z});
  }
  void set_rules(int groups, Random& random, double touching) {
    surface.group_count = groups;
    surface.rules.assign(static_cast<size_t>(groups * groups), {});
    for (int a = 0; a < groups; ++a)
      for (int b = 0; b <= a; ++b) {
        const bool touches = random.between(0, 1) < touching;
        surface.rules[static_cast<size_t>(a * groups + b)].touches = touches;
        surface.rules[static_cast<size_t>(b * groups + a)].touches = touches;
      }
  }
};

// Up to some hundred primitives of several kinds.
Scene random_scene(Random& random) {
  Scene scene;
  const int groups = 1 + random.below(3), bodies = 1 + random.below(4), colliders = random.below(3);
  for (int b = 0; b < bodies + colliders; ++b) {
    const bool collider = b >= bodies;  // points of colliders come last
    const int32_t body = scene.add_body(random.below(groups), collider, random.below(2) == 0);
    const Vec3d centre = 0.4 * random.vector();
    const Mat3d axes = random.rotation();
    if (!collider && random.below(3) == 0) scene.add_point(-1, random.vector());  // of no surface
    switch (random.below(6)) {
      case 0:  // flat, along the axes
        scene.add_sheet(body, 1 + random.below(6), 1 + random.below(6), [&](double u, double v) {
          return centre + Vec3d{u - 0.5, v - 0.5, 0};
        });
        break;
      case 1:  // bumpy
        scene.add_sheet(body, 1 + random.below(6), 1 + random.below(6), [&](double u, double v) {
          return centre + axes * Vec3d{u - 0.5, v - 0.5, 0.1 * random.normal()};
        });
        break;
      case 2:  // slivers
        scene.add_sheet(body, 1 + random.below(20), 1, [&](double u, double v) {
          return centre + axes * Vec3d{0.02 * (u - 0.5), 2 * v - 1, 0};
        });
        break;
      case 3: {  // a fan: many triangles at a point
        const int count = 3 + random.below(60);
        const int32_t middle = scene.add_point(body, centre);
        for (int k = 0; k <= count; ++k)
          scene.add_point(body, centre + axes * Vec3d{std::cos(6.0 * k / count), std::sin(6.0 * k / count), 0});
        for (int k = 0; k < count; ++k) scene.surface.triangles.push_back({middle, middle + k + 1, middle + k + 2});
        break;
      }
      case 4:  // closed, or squeezed flat
        for (int k = 1 + random.below(4); k > 0; --k)
          scene.add_octahedron(body, centre + 0.3 * random.vector(),
                               axes * diagonal(0.2, 0.2, random.below(2) ? 0.2 : 0.0));
        break;
      default:  // large triangles
        scene.add_sheet(body, 1, 1, [&](double u, double v) {
          return Vec3d{10 * u - 5, 10 * v - 5, 0.1 * random.normal()};
        });
    }
  }
  connect(scene.surface);
  scene.set_rules(groups, random, 0.8);
  scene.from = scene.to = scene.surface.rest;
  return scene;
}

Bounds box_of(const Scene& scene, std::span<const int32_t> points, double margin) {
  Bounds box;
  for (const int32_t p : points) {
    box.add(scene.from[static_cast<size_t>(p)] + scene.shift_of(p));
    box.add(scene.to[static_cast<size_t>(p)]);
  }
  const Vec3d grown{margin, margin, margin};
  return {box.low - grown, box.high + grown};
}
bool overlap(const Bounds& a, const Bounds& b) {
  return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y && b.low.y <= a.high.y &&
         a.low.z <= b.high.z && b.low.z <= a.high.z;
}
// Whether boxes overlap while one moves along `way` to where it is, as seen from the other: at any time, or by its box
// of motion.
bool overlap(const Bounds& a, const Bounds& b, Vec3d way, bool at_a_time) {
  if (way.x == 0 && way.y == 0 && way.z == 0) return overlap(a, b);
  if (!at_a_time) {
    Bounds all = a;
    all.add(a.low - way);
    all.add(a.high - way);
    return overlap(all, b);
  }
  double first = 0, last = 1;  // of the way back
  const auto meet = [&](double low, double high, double other_low, double other_high, double w) {
    // low - s w <= other_high and high - s w >= other_low
    for (const auto& [c, d] : {std::pair(w, low - other_high), std::pair(-w, other_low - high)}) {  // s c >= d
      if (c > 0) first = std::max(first, d / c);
      if (c < 0) last = std::min(last, d / c);
      if (c == 0 && d > 0) last = -1;
    }
  };
  meet(a.low.x, a.high.x, b.low.x, b.high.x, way.x);
  meet(a.low.y, a.high.y, b.low.y, b.high.y, way.y);
  meet(a.low.z, a.high.z, b.low.z, b.high.z, way.z);
  return first <= last;
}
bool may_touch(const Scene& scene, int32_t p, int32_t q) {
  const ContactSurface& s = scene.surface;
  const int32_t a = s.body_of[static_cast<size_t>(p)], b = s.body_of[static_cast<size_t>(q)];
  return s.rule(a, b).touches &&
         !(s.bodies[static_cast<size_t>(a)].collider && s.bodies[static_cast<size_t>(b)].collider);
}

// at_a_time: as `overlap`.
CandidatePairs all_pairs(const Scene& scene, double margin, EdgeChoice choice, bool at_a_time = false) {
  const ContactSurface& s = scene.surface;
  CandidatePairs pairs;
  std::vector<Bounds> triangles, edges;
  for (const Triangle& t : s.triangles) triangles.push_back(box_of(scene, t, margin));
  for (const Edge& e : s.edges) edges.push_back(box_of(scene, e, margin));
  for (const int32_t v : s.vertices) {
    const Bounds box = box_of(scene, {&v, 1}, margin);
    for (size_t t = 0; t < triangles.size(); ++t) {
      const Triangle& corners = s.triangles[t];
      const Vec3d way = scene.shift_of(v) - scene.shift_of(corners[0]);
      if (!overlap(box, triangles[t], way, at_a_time) || !may_touch(scene, v, corners[0])) continue;
      if (std::find(corners.begin(), corners.end(), v) == corners.end())
        pairs.vertex_triangle.push_back({v, static_cast<int32_t>(t)});
    }
  }
  for (size_t a = 0; a < edges.size() && choice != EdgeChoice::none; ++a)
    for (size_t b = a + 1; b < edges.size(); ++b) {
      const Edge &e = s.edges[a], &f = s.edges[b];
      if (choice == EdgeChoice::sharp && !(s.sharpness[a] > 0 && s.sharpness[b] > 0)) continue;
      if (e[0] == f[0] || e[0] == f[1] || e[1] == f[0] || e[1] == f[1]) continue;
      const Vec3d way = scene.shift_of(e[0]) - scene.shift_of(f[0]);
      if (overlap(edges[a], edges[b], way, at_a_time) && may_touch(scene, e[0], f[0]))
        pairs.edge_edge.push_back({static_cast<int32_t>(a), static_cast<int32_t>(b)});
    }
  return pairs;
}

constexpr EdgeChoice choices[] = {EdgeChoice::none, EdgeChoice::sharp, EdgeChoice::all};
// Boxes are rounded outwards: what overlaps is found, and what is found overlaps if its box is a little larger.
constexpr double coarse = 1e-5;

void expect_between(const CandidatePairs& found, const CandidatePairs& least, const CandidatePairs& most) {
  const auto before = [](const auto& a, const auto& b) {
    const auto [a1, a2] = a;
    const auto [b1, b2] = b;
    return a1 != b1 ? a1 < b1 : a2 < b2;
  };
  const auto check = [&](const auto& list, const auto& low, const auto& high) {
    // Ascending, each once.
    ASSERT_EQ(std::adjacent_find(list.begin(), list.end(), [&](const auto& a, const auto& b) { return !before(a, b); }),
              list.end());
    ASSERT_TRUE(std::includes(list.begin(), list.end(), low.begin(), low.end(), before)) << "missed";
    ASSERT_TRUE(std::includes(high.begin(), high.end(), list.begin(), list.end(), before)) << "too much";
  };
  check(found.vertex_triangle, least.vertex_triangle, most.vertex_triangle);
  check(found.edge_edge, least.edge_edge, most.edge_edge);
}

bool operator==(const CandidatePairs& a, const CandidatePairs& b) {
  return a.vertex_triangle == b.vertex_triangle && a.edge_edge == b.edge_edge;
}

TEST(SurfaceTree, FindsWhatAllPairsFind) {
  Random random(1);
  ThreadPool one(1), three(3);
  SurfaceTree trees[] = {SurfaceTree(1), SurfaceTree(4), SurfaceTree(8), SurfaceTree(16)};
  CandidatePairs found, again;
  int64_t pairs = 0;
  for (int scenes = 0; scenes < 1000; ++scenes) {
    Scene scene = random_scene(random);
    SurfaceTree& tree = trees[scenes % 4];
    tree.build(scene.surface, scenes % 3 ? one : three);
    for (int state = 0; state < 10; ++state) {
      // From rest to positions far from it; some bodies moved as a whole, some points by themselves, some not at all.
      const double spread = state == 0 ? 0 : std::pow(10, random.between(-3, 0.5));
      std::vector<Vec3d> shift(scene.surface.bodies.size() + 1);
      for (Vec3d& s : shift) s = random.below(2) ? spread * random.vector() : Vec3d{};
      for (size_t p = 0; p < scene.from.size(); ++p) {
        scene.from[p] = scene.surface.rest[p] + shift[static_cast<size_t>(scene.surface.body_of[p] + 1)];
        if (state % 2) scene.from[p] += 0.3 * spread * random.vector();
        scene.to[p] = scene.from[p];
        if (state % 3 == 0) scene.to[p] += 0.2 * spread * random.vector();
      }
      const double margin = random.below(4) ? 0.05 * random.between(0, 1) : 0;
      const EdgeChoice choice = choices[random.below(3)];
      tree.find(scene.surface, scene.at(scene.from), scene.at(scene.to), margin, choice, one, found);
      ASSERT_NO_FATAL_FAILURE(
          expect_between(found, all_pairs(scene, margin, choice), all_pairs(scene, margin + coarse, choice)))
          << "scene " << scenes << " state " << state;
      tree.find(scene.surface, scene.at(scene.from), scene.at(scene.to), margin, choice, three, again);
      ASSERT_TRUE(found == again);
      pairs += static_cast<int64_t>(found.vertex_triangle.size() + found.edge_edge.size());
    }
  }
  EXPECT_GT(pairs, 1000000);
}

// Bodies that move as wholes: of themselves as at rest, of others whatever comes near at any time.
TEST(SurfaceTree, FindsWhatMeetsOnTheWay) {
  Random random(6);
  ThreadPool one(1), three(3);
  SurfaceTree trees[] = {SurfaceTree(1), SurfaceTree(4), SurfaceTree(8), SurfaceTree(16)};
  CandidatePairs found, again;
  int64_t pairs = 0, swept = 0;
  for (int scenes = 0; scenes < 300; ++scenes) {
    Scene scene = random_scene(random);
    SurfaceTree& tree = trees[scenes % 4];
    tree.build(scene.surface, three);
    for (int state = 0; state < 10; ++state) {
      const double spread = std::pow(10, random.between(-3, 0.5));
      const Vec3d common = random.below(2) ? 10 * spread * random.vector() : Vec3d{};
      scene.shift.resize(scene.surface.bodies.size());
      for (Vec3d& s : scene.shift) s = common + (random.below(3) ? spread * random.vector() : Vec3d{});
      for (size_t p = 0; p < scene.from.size(); ++p) {
        scene.from[p] = scene.surface.rest[p];
        scene.to[p] = scene.from[p];
        if (scene.surface.body_of[p] >= 0) scene.to[p] += scene.shift_of(static_cast<int32_t>(p));
        if (state % 2) scene.to[p] += 0.05 * spread * random.vector();
      }
      const double margin = 0.02 * random.between(0, 1);
      const EdgeChoice choice = choices[random.below(3)];
      const auto find = [&](ThreadPool& pool, std::span<const Vec3d> shift, CandidatePairs& out) {
        tree.find(scene.surface, scene.at(scene.from), scene.at(scene.to), margin, choice, pool, out, shift);
      };
      find(one, scene.shift, found);
      ASSERT_NO_FATAL_FAILURE(expect_between(found, all_pairs(scene, margin, choice, true),
                                             all_pairs(scene, margin + 10 * coarse, choice, false)))
          << "scene " << scenes << " state " << state;
      find(three, scene.shift, again);
      ASSERT_TRUE(found == again);
      pairs += static_cast<int64_t>(found.vertex_triangle.size() + found.edge_edge.size());
      find(one, {}, again);
      swept += static_cast<int64_t>(again.vertex_triangle.size() + again.edge_edge.size());
    }
  }
  EXPECT_GT(pairs, 100000);
  EXPECT_LT(pairs, swept);
}

// Small bodies scattered anew for every query, so that nodes are built anew.
TEST(SurfaceTree, FindsAllPairsAfterNodesWereBuiltAnew) {
  Random random(2);
  ThreadPool one(1), three(3);
  Scene scene;
  for (int b = 0; b < 300; ++b)
    scene.add_octahedron(scene.add_body(0, false, true), 6.0 * random.vector(), 0.2 * random.rotation());
  connect(scene.surface);
  scene.set_rules(1, random, 1);
  SurfaceTree tree;
  tree.build(scene.surface, three);
  CandidatePairs found, again;
  for (int state = 0; state < 4; ++state) {
    std::vector<Vec3d> shift(scene.surface.bodies.size());
    for (Vec3d& s : shift) s = 3.0 * state * random.vector();
    scene.from.resize(scene.surface.rest.size());
    for (size_t p = 0; p < scene.from.size(); ++p)
      scene.from[p] = scene.surface.rest[p] + shift[static_cast<size_t>(scene.surface.body_of[p])];
    scene.to = scene.from;
    for (Vec3d& x : scene.to) x += 0.02 * random.vector();
    tree.find(scene.surface, scene.at(scene.from), scene.at(scene.to), 0.05, EdgeChoice::all, three, found);
    expect_between(found, all_pairs(scene, 0.05, EdgeChoice::all), all_pairs(scene, 0.05 + coarse, EdgeChoice::all));
    SurfaceTree fresh;
    fresh.build(scene.surface, one);
    fresh.find(scene.surface, scene.at(scene.from), scene.at(scene.to), 0.05, EdgeChoice::all, one, again);
    EXPECT_TRUE(found == again);
  }
  EXPECT_GT(tree.counts().rebuilt, 0);
}

// More than 32 leaves at one point, some of whose pairs share others besides.
TEST(SurfaceTree, LeavesOutPairsThatShareACrowdedPoint) {
  Random random(3);
  ThreadPool one(1);
  for (const int count : {500, 600}) {
    Scene scene;
    const int32_t body = scene.add_body(0, false, false);
    const int32_t middle = scene.add_point(body, {});
    for (int k = 0; k <= count; ++k) scene.add_point(body, random.vector());
    for (int k = 0; k < count; ++k) scene.surface.triangles.push_back({middle, middle + k + 1, middle + k + 2});
    connect(scene.surface);
    scene.set_rules(1, random, 1);
    scene.from = scene.to = scene.surface.rest;
    for (const int lanes : {1, 4, 8, 16}) {
      SurfaceTree tree(lanes);
      tree.build(scene.surface, one);
      CandidatePairs found;
      tree.find(scene.surface, scene.at(scene.from), scene.at(scene.to), 0, EdgeChoice::all, one, found);
      expect_between(found, all_pairs(scene, 0, EdgeChoice::all), all_pairs(scene, coarse, EdgeChoice::all));
    }
  }
}

TEST(SurfaceTree, FindsEveryPairOfPointsInOnePlace) {
  Random random(4);
  ThreadPool three(3);
  Scene scene;
  scene.add_sheet(scene.add_body(0, false, false), 16, 16, [](double u, double v) { return Vec3d{u, v, 0}; });
  connect(scene.surface);
  scene.set_rules(1, random, 1);
  scene.from.assign(scene.surface.rest.size(), Vec3d{1, 2, 3});
  scene.to = scene.from;
  SurfaceTree tree;
  tree.build(scene.surface, three);
  CandidatePairs found;
  tree.find(scene.surface, scene.at(scene.from), scene.at(scene.to), 0, EdgeChoice::all, three, found);
  const CandidatePairs all = all_pairs(scene, 0, EdgeChoice::all);
  EXPECT_TRUE(found == all);
  EXPECT_GT(found.edge_edge.size(), 300000);
}

// Far from the origin boxes are as fine as near it; what is not finite touches nothing and hides nothing.
TEST(SurfaceTree, BearsFarAwayAndUnboundedPositions) {
  Random random(5);
  ThreadPool one(1);
  Scene scene = random_scene(random);
  for (Vec3d& x : scene.surface.rest) x += Vec3d{1e6, -1e6, 0};
  scene.from = scene.to = scene.surface.rest;
  SurfaceTree tree;
  tree.build(scene.surface, one);
  CandidatePairs found;
  const auto find = [&] {
    tree.find(scene.surface, scene.at(scene.from), scene.at(scene.to), 0.1, EdgeChoice::all, one, found);
  };
  find();
  expect_between(found, all_pairs(scene, 0.1, EdgeChoice::all), all_pairs(scene, 0.1 + coarse, EdgeChoice::all));

  const CandidatePairs before = found;
  const int32_t lost = scene.surface.vertices[0];
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    scene.to[static_cast<size_t>(lost)].y = bad;
    find();
    const auto has_lost = [&](std::span<const int32_t> points) {
      return std::find(points.begin(), points.end(), lost) != points.end();
    };
    for (const auto& [vertex, triangle] : found.vertex_triangle) EXPECT_NE(vertex, lost);
    const auto expect_found = [](const auto& list, const auto& pair) {
      EXPECT_EQ(std::count(list.begin(), list.end(), pair), 1);
    };
    const ContactSurface& s = scene.surface;
    for (const auto& pair : before.vertex_triangle) {
      const bool is_lost = pair.vertex == lost || has_lost(s.triangles[static_cast<size_t>(pair.triangle)]);
      if (!is_lost) expect_found(found.vertex_triangle, pair);
    }
    for (const auto& pair : before.edge_edge) {
      const bool is_lost =
          has_lost(s.edges[static_cast<size_t>(pair.a)]) || has_lost(s.edges[static_cast<size_t>(pair.b)]);
      if (!is_lost) expect_found(found.edge_edge, pair);
    }
  }
  scene.to = scene.from;
  for (Vec3d& x : scene.to) x = {1e300, -1e300, 1e300};
  find();  // all boxes reach there
  EXPECT_FALSE(found.vertex_triangle.empty());
}

TEST(SurfaceTree, FindsNothingInAnEmptySurface) {
  ThreadPool one(1);
  Scene scene;
  SurfaceTree tree;
  tree.build(scene.surface, one);
  CandidatePairs found{.vertex_triangle = {{1, 2}}, .edge_edge = {{1, 2}}};
  tree.find(scene.surface, {}, {}, 1, EdgeChoice::all, one, found);
  EXPECT_TRUE(found.vertex_triangle.empty() && found.edge_edge.empty());
}

}  // namespace
}  // namespace sinew
