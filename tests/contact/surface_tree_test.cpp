// Source: the definition of the pairs: primitives whose boxes of motion overlap, by trying all pairs.
#include "contact/surface_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
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
    box.add(scene.from[static_cast<size_t>(p)]);
    box.add(scene.to[static_cast<size_t>(p)]);
  }
  const Vec3d grown{margin, margin, margin};
  return {box.low - grown, box.high + grown};
}
bool overlap(const Bounds& a, const Bounds& b) {
  return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y && b.low.y <= a.high.y &&
         a.low.z <= b.high.z && b.low.z <= a.high.z;
}
bool may_touch(const Scene& scene, int32_t p, int32_t q) {
  const ContactSurface& s = scene.surface;
  const int32_t a = s.body_of[static_cast<size_t>(p)], b = s.body_of[static_cast<size_t>(q)];
  return s.rule(a, b).touches &&
         !(s.bodies[static_cast<size_t>(a)].collider && s.bodies[static_cast<size_t>(b)].collider);
}

CandidatePairs all_pairs(const Scene& scene, double margin, EdgeChoice choice) {
  const ContactSurface& s = scene.surface;
  CandidatePairs pairs;
  std::vector<Bounds> triangles, edges;
  for (const Triangle& t : s.triangles) triangles.push_back(box_of(scene, t, margin));
  for (const Edge& e : s.edges) edges.push_back(box_of(scene, e, margin));
  for (const int32_t v : s.vertices) {
    const Bounds box = box_of(scene, {&v, 1}, margin);
    for (size_t t = 0; t < triangles.size(); ++t) {
      const Triangle& corners = s.triangles[t];
      if (!overlap(box, triangles[t]) || !may_touch(scene, v, corners[0])) continue;
      if (std::find(corners.begin(), corners.end(), v) == corners.end())
        pairs.vertex_triangle.push_back({v, static_cast<int32_t>(t)});
    }
  }
  for (size_t a = 0; a < edges.size() && choice != EdgeChoice::none; ++a)
    for (size_t b = a + 1; b < edges.size(); ++b) {
      const Edge &e = s.edges[a], &f = s.edges[b];
      if (choice == EdgeChoice::sharp && !(s.sharpness[a] > 0 && s.sharpness[b] > 0)) continue;
      if (e[0] == f[0] || e[0] == f[1] || e[1] == f[0] || e[1] == f[1]) continue;
      if (overlap(edges[a], edges[b]) && may_touch(scene, e[0], f[0]))
        pairs.edge_edge.push_back({static_cast<int32_t>(a), static_cast<int32_t>(b)});
    }
  return pairs;
}

constexpr EdgeChoice choices[] = {EdgeChoice::none, EdgeChoice::sharp, EdgeChoice::all};
// Boxes are rounded outwards: what overlaps is found, and what is found overlaps if its box is a little larger.
constexpr double coarse = 1e-5;

// Ascending, each once.
template <class Pair>
bool is_ascending(const std::vector<Pair>& pairs) {
  return std::adjacent_find(pairs.begin(), pairs.end(), std::greater_equal<>()) == pairs.end();
}
bool includes(const CandidatePairs& all, const CandidatePairs& some) {
  const auto has = [](const auto& a, const auto& b) { return std::includes(a.begin(), a.end(), b.begin(), b.end()); };
  return has(all.vertex_triangle, some.vertex_triangle) && has(all.edge_edge, some.edge_edge);
}
void expect_between(const CandidatePairs& found, const CandidatePairs& least, const CandidatePairs& most) {
  ASSERT_TRUE(is_ascending(found.vertex_triangle) && is_ascending(found.edge_edge));
  ASSERT_TRUE(includes(found, least)) << "missed";
  ASSERT_TRUE(includes(most, found)) << "too much";
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

// What two lists have together.
CandidatePairs joined(const CandidatePairs& a, const CandidatePairs& b) {
  CandidatePairs all;
  std::set_union(a.vertex_triangle.begin(), a.vertex_triangle.end(), b.vertex_triangle.begin(), b.vertex_triangle.end(),
                 std::back_inserter(all.vertex_triangle));
  std::set_union(a.edge_edge.begin(), a.edge_edge.end(), b.edge_edge.begin(), b.edge_edge.end(),
                 std::back_inserter(all.edge_edge));
  return all;
}

// Leaves that are carried: whatever is near at any time, and little else. Then some points leave their boxes.
TEST(SurfaceTree, FindsWhatMeetsOnTheWay) {
  Random random(6);
  ThreadPool one(1), three(3);
  SurfaceTree trees[] = {SurfaceTree(1), SurfaceTree(4), SurfaceTree(8), SurfaceTree(16)};
  CandidatePairs found, again, swept, more, more_again;
  int64_t pairs = 0, all_swept = 0, added = 0;
  for (int scenes = 0; scenes < 300; ++scenes) {
    Scene scene = random_scene(random);
    SurfaceTree& tree = trees[scenes % 4];
    tree.build(scene.surface, three);
    for (int state = 0; state < 6; ++state) {
      const double spread = std::pow(10, random.between(-3, 0.5)), noise = state % 2 ? 0.05 * spread : 0;
      const Vec3d common = random.below(2) ? 10 * spread * random.vector() : Vec3d{};
      std::vector<Vec3d> shift(scene.surface.bodies.size() + 1);
      for (Vec3d& s : shift) s = common + (random.below(3) ? spread * random.vector() : Vec3d{});
      Vec3d farthest{};
      for (size_t p = 0; p < scene.from.size(); ++p) {
        const Vec3d off = noise * random.vector();
        farthest = {std::max(farthest.x, std::abs(off.x)), std::max(farthest.y, std::abs(off.y)),
                    std::max(farthest.z, std::abs(off.z))};
        scene.from[p] = scene.surface.rest[p];
        scene.to[p] = scene.from[p] + shift[static_cast<size_t>(scene.surface.body_of[p] + 1)] + off;
      }
      const double margin = 0.02 * random.between(0, 1);
      const EdgeChoice choice = choices[random.below(3)];
      const PointPositions from = scene.at(scene.from), to = scene.at(scene.to);
      tree.find(scene.surface, from, to, margin, choice, one, found, true);
      // From where a leaf was carried, points are off by no more than twice the noise.
      const double off = 2 * std::max({farthest.x, farthest.y, farthest.z});
      const CandidatePairs most = all_pairs(scene, margin + off + 10 * coarse, choice);
      ASSERT_NO_FATAL_FAILURE(expect_between(found, {}, most)) << "scene " << scenes << " state " << state;
      const auto expect_near = [&](const std::vector<Vec3d>& start, const CandidatePairs& all) {
        for (const double time : {0.0, 0.4, 0.8, 1.0}) {
          Scene now = scene;
          for (size_t p = 0; p < now.to.size(); ++p)
            now.to[p] = now.from[p] = (1 - time) * start[p] + time * scene.to[p];
          ASSERT_TRUE(includes(all, all_pairs(now, margin, choice))) << "scene " << scenes << " at " << time;
        }
      };
      ASSERT_NO_FATAL_FAILURE(expect_near(scene.from, found));
      tree.find(scene.surface, from, to, margin, choice, one, swept);
      tree.find(scene.surface, from, to, margin, choice, three, again, true);
      ASSERT_TRUE(found == again);
      pairs += static_cast<int64_t>(found.vertex_triangle.size() + found.edge_edge.size());
      all_swept += static_cast<int64_t>(swept.vertex_triangle.size() + swept.edge_edge.size());

      // Some points are elsewhere.
      const std::vector<Vec3d> earlier = scene.to;
      std::vector<uint8_t> stays_put(scene.surface.rest.size(), 0);
      std::vector<int32_t> points;
      for (const int32_t v : scene.surface.vertices) {
        const auto p = static_cast<size_t>(v);
        if (scene.surface.is_collider_point(v) || random.below(5)) continue;
        const Vec3d now = scene.to[p] + spread * random.vector(), then = scene.to[p];
        scene.from[p] = {std::min(now.x, then.x), std::min(now.y, then.y), std::min(now.z, then.z)};
        scene.to[p] = {std::max(now.x, then.x), std::max(now.y, then.y), std::max(now.z, then.z)};
        stays_put[p] = 1;
        points.push_back(v);
      }
      tree.find_grown(scene.at(scene.from), scene.at(scene.to), stays_put, points, choice, one, more);
      ASSERT_TRUE(is_ascending(more.vertex_triangle) && is_ascending(more.edge_edge));
      tree.find_grown(scene.at(scene.from), scene.at(scene.to), stays_put, points, choice, three, more_again);
      ASSERT_TRUE(more == more_again);
      const CandidatePairs all = joined(found, more);
      ASSERT_NO_FATAL_FAILURE(expect_near(earlier, all));
      added += static_cast<int64_t>(all.vertex_triangle.size() - found.vertex_triangle.size());
    }
  }
  EXPECT_GT(pairs, 100000);
  EXPECT_LT(pairs, all_swept);
  EXPECT_GT(added, 1000);
}

// Most points rest. Now some move or come to rest, now some leave their boxes between two queries: what is kept and
// what is looked for are together what a query of all finds.
TEST(SurfaceTree, KeepsWhatHasNotChanged) {
  Random random(7);
  ThreadPool one(1), three(3);
  SurfaceTree trees[] = {SurfaceTree(1), SurfaceTree(4), SurfaceTree(8), SurfaceTree(16)};
  CandidatePairs kept, kept_by_three, all, more;
  std::vector<int32_t> changed, changed_by_three;
  int64_t pairs = 0, kept_some = 0, kept_all = 0, carried = 0;
  for (int scenes = 0; scenes < 60; ++scenes) {
    Scene scene;
    for (int b = 0; b < 24; ++b)
      scene.add_octahedron(scene.add_body(0, false, true), 0.7 * random.vector(), 0.2 * random.rotation());
    for (int b = 0; b < 3; ++b)
      scene.add_octahedron(scene.add_body(0, true, true), 0.7 * random.vector(), 0.2 * random.rotation());
    connect(scene.surface);
    scene.set_rules(1, random, 1);
    SurfaceTree &tree = trees[scenes % 4], by_three(16), fresh(4);
    for (SurfaceTree* t : {&tree, &by_three, &fresh}) t->build(scene.surface, three);
    scene.from = scene.to = scene.surface.rest;
    std::vector<uint8_t> rests(scene.surface.rest.size(), 1);
    const double margin = 0.02, spread = 0.05;
    const EdgeChoice choice = choices[random.below(3)];
    const auto expect_all = [&] {
      const PointPositions from = scene.at(scene.from), to = scene.at(scene.to);
      const bool known = tree.find_changed(scene.surface, from, to, margin, choice, one, kept, rests, changed);
      ASSERT_EQ(
          by_three.find_changed(scene.surface, from, to, margin, choice, three, kept_by_three, rests, changed_by_three),
          known);
      fresh.find(scene.surface, from, to, margin, choice, one, all, true, rests);
      ASSERT_TRUE(kept == all && kept_by_three == all) << "scene " << scenes;
      ASSERT_EQ(changed, changed_by_three);
      pairs += static_cast<int64_t>(kept.vertex_triangle.size() + kept.edge_edge.size());
      kept_some += known && !changed.empty();
      kept_all += known && changed.empty();
    };
    for (int state = 0; state < 12; ++state) {
      const int32_t mover = random.below(27);
      for (const int32_t v : scene.surface.vertices) {
        const auto p = static_cast<size_t>(v);
        const bool is_collider = scene.surface.is_collider_point(v);
        if (state % 3 == 1 && scene.surface.body_of[p] == mover) {
          scene.from[p] = scene.to[p];
          scene.to[p] += spread * random.vector();
          rests[p] = is_collider;
          ++carried;
        } else if (is_collider) {
          scene.from[p] = scene.to[p];
        } else if (!rests[p] || (state % 4 == 2 && random.below(30) == 0)) {
          scene.from[p] = scene.to[p] = scene.to[p] + 0.1 * spread * random.vector();
          rests[p] = 1;
        }
      }
      ASSERT_NO_FATAL_FAILURE(expect_all());
      // What is added is gone with the boxes that it was found in.
      std::vector<int32_t> points;
      for (const int32_t v : scene.surface.vertices)
        if (!scene.surface.is_collider_point(v) && random.below(40) == 0) points.push_back(v);
      const std::vector<Vec3d> from = scene.from, to = scene.to;
      const std::vector<uint8_t> rested = rests;
      for (const int32_t v : points) {
        const auto p = static_cast<size_t>(v);
        scene.to[p] += spread * random.vector();
        rests[p] = 1;
      }
      if (state % 4 == 1) {
        for (SurfaceTree* t : {&tree, &by_three}) {
          t->find_grown(scene.at(scene.from), scene.at(scene.to), rests, points, choice, one, more);
          CandidatePairs& list = t == &tree ? kept : kept_by_three;
          list = joined(list, more);
        }
      }
      if (state % 4 != 1 || state % 3 == 0) {
        scene.from = from;
        scene.to = to;
        rests = rested;
      }
    }
  }
  EXPECT_GT(pairs, 50000);
  EXPECT_GT(kept_some, 100);
  EXPECT_GT(kept_all, 20);
  EXPECT_GT(carried, 1000);
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
// Points that have flown beyond what a float can hold: pairs are of what there is.
TEST(SurfaceTree, BearsPositionsBeyondFloats) {
  Random random(7);
  ThreadPool one(1);
  SurfaceTree trees[] = {SurfaceTree(1), SurfaceTree(4), SurfaceTree(8), SurfaceTree(16)};
  CandidatePairs found;
  for (int scenes = 0; scenes < 200; ++scenes) {
    Scene scene = random_scene(random);
    SurfaceTree& tree = trees[scenes % 4];
    tree.build(scene.surface, one);
    for (std::vector<Vec3d>* x : {&scene.from, &scene.to})
      for (Vec3d& p : *x)
        if (random.below(3) == 0) p = std::pow(10, random.between(30, 300)) * random.vector();
    std::vector<uint8_t> stays_put(scene.surface.rest.size(), 0);
    const std::vector<int32_t> points(scene.surface.vertices.begin(), scene.surface.vertices.begin() + 1);
    if (!scene.surface.is_collider_point(points[0])) stays_put[static_cast<size_t>(points[0])] = 1;
    for (const int kind : {0, 1, 2}) {
      const PointPositions from = scene.at(scene.from), to = scene.at(scene.to);
      if (kind < 2)
        tree.find(scene.surface, from, to, 0.1, EdgeChoice::all, one, found, kind == 1);
      else
        tree.find_grown(from, to, stays_put, points, EdgeChoice::all, one, found);
      const auto vertices = static_cast<int32_t>(scene.surface.point_count()),
                 triangles = static_cast<int32_t>(scene.surface.triangles.size()),
                 edges = static_cast<int32_t>(scene.surface.edges.size());
      for (const auto& [v, t] : found.vertex_triangle)
        ASSERT_TRUE(v >= 0 && v < vertices && t >= 0 && t < triangles) << scenes << " " << kind;
      for (const auto& [a, b] : found.edge_edge) ASSERT_TRUE(a >= 0 && a < b && b < edges) << scenes << " " << kind;
    }
  }
}

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
