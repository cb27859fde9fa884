// Source: the definition of near pairs: all candidates within the limits of cull.h, by closest points; while points
// move, as if they were gathered anew.
#include "contact/near_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <span>
#include <tuple>
#include <vector>

#include "contact/distance.h"
#include "support/random.h"
#include "support/touching.h"

namespace sinew {
namespace {

using support::Random;
using support::size;
using support::Touching;

constexpr double radius = 0.15, slack = 0.075;
// [-] What finders look for (find_contacts.h): the reach in radii, and of one body the share of a distance at rest.
constexpr double reach = 1.25 * radius, own_share = 0.02;

using VertexTriangle = CandidatePairs::VertexTriangle;
using EdgeEdge = CandidatePairs::EdgeEdge;

// Ascending, each once.
template <class Item>
bool is_ascending(std::span<const Item> items) {
  return std::adjacent_find(items.begin(), items.end(), std::greater_equal<>()) == items.end();
}
template <class Item>
bool includes(const std::vector<Item>& all, const std::vector<Item>& some) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}
bool includes(const CandidatePairs& all, const CandidatePairs& some) {
  return includes(all.vertex_triangle, some.vertex_triangle) && includes(all.edge_edge, some.edge_edge);
}
bool operator==(const CandidatePairs& a, const CandidatePairs& b) {
  return a.vertex_triangle == b.vertex_triangle && a.edge_edge == b.edge_edge;
}
int64_t count(const CandidatePairs& pairs) {
  return static_cast<int64_t>(pairs.vertex_triangle.size() + pairs.edge_edge.size());
}

// A bumpy sheet over two others, one of which is a collider, and a half space below. Points wander about where they
// began; candidates are some of all pairs that are not far apart.
struct Walk {
  Touching scene;
  std::vector<Vec3d> home;
  CandidatePairs all;
  std::vector<BodyMotion> motion;

  Walk(Random& random, bool crossings, int cells) {
    scene.keep_apart(!crossings);
    scene.rule.radius = radius;
    const auto add_sheet = [&](int32_t body, bool up, double first, int rows) {
      scene.add_grid(
          body, rows, cells, up,
          [&](int i, int j) {
            return Vec3d{first + i, (up ? 1 : -1) * random.between(-0.05, 0.2), j + 0.3};
          },
          [&](int, int) { return random.below(2) == 0; });
    };
    add_sheet(scene.add_body(true), false, 0, cells / 2);
    add_sheet(scene.add_body(true), true, 0.2, cells);
    add_sheet(scene.add_body(true, true), false, cells / 2 + 1, cells / 2);
    scene.finish();
    ContactPlane plane;
    plane.point = {0, -0.1, 0};
    plane.normal = {0, 1, 0};
    scene.planes = scene.planes_before = {plane};
    home = scene.x;
    scene.find_pairs(1);
    all = scene.pairs;
    choose(random);
  }

  // Other candidates.
  void choose(Random& random) {
    const auto some = [&](const auto& of, auto& chosen) {
      chosen.clear();
      std::copy_if(of.begin(), of.end(), std::back_inserter(chosen), [&](const auto&) { return random.below(5) > 1; });
    };
    some(all.vertex_triangle, scene.pairs.vertex_triangle);
    some(all.edge_edge, scene.pairs.edge_edge);
    scene.vertex_planes.clear();
    for (int32_t v = 0; v < scene.surface.slot_count; ++v)
      if (random.below(2)) scene.vertex_planes.push_back({v, 0});
  }
  bool has(const VertexTriangle& p, const std::vector<uint8_t>& is) const {
    const Triangle& t = scene.surface.triangles[static_cast<size_t>(p.triangle)];
    return is[static_cast<size_t>(p.vertex)] || is[static_cast<size_t>(t[0])] || is[static_cast<size_t>(t[1])] ||
           is[static_cast<size_t>(t[2])];
  }
  bool has(const EdgeEdge& p, const std::vector<uint8_t>& is) const {
    const Edge &e = scene.surface.edges[static_cast<size_t>(p.a)], &f = scene.surface.edges[static_cast<size_t>(p.b)];
    return is[static_cast<size_t>(e[0])] || is[static_cast<size_t>(e[1])] || is[static_cast<size_t>(f[0])] ||
           is[static_cast<size_t>(f[1])];
  }
  // Adds candidates of some points; returns these.
  std::vector<int32_t> add(Random& random) {
    std::vector<int32_t> points;
    std::vector<uint8_t> is(scene.x.size(), 0);
    for (const int32_t v : scene.surface.vertices)
      if (random.below(20) == 0) {
        points.push_back(v);
        is[static_cast<size_t>(v)] = 1;
      }
    const auto add_to = [&](const auto& of, auto& chosen) {
      auto more = chosen;
      std::copy_if(of.begin(), of.end(), std::back_inserter(more),
                   [&](const auto& p) { return has(p, is) && random.below(3) > 0; });
      std::sort(more.begin(), more.end());
      more.erase(std::unique(more.begin(), more.end()), more.end());
      chosen = more;
    };
    add_to(all.vertex_triangle, scene.pairs.vertex_triangle);
    add_to(all.edge_edge, scene.pairs.edge_edge);
    return points;
  }

  // All points a little, or some farther, or a few far, or a body as a whole.
  void move(Random& random) {
    const int kind = random.below(4);
    const auto points = static_cast<int>(scene.x.size());
    const auto some = [&](double most) {
      return Vec3d{random.between(-most, most), random.between(-most, most), random.between(-most, most)};
    };
    // No farther than this from where it began: what is near changes for ever.
    const auto place = [&](int p, Vec3d by) {
      Vec3d& x = scene.x[static_cast<size_t>(p)];
      const Vec3d away = x + by - home[static_cast<size_t>(p)];
      if (size(away) < 3 * slack) x += by;
    };
    if (kind == 0)
      for (int p = 0; p < points; ++p) place(p, some(0.2 * slack));
    if (kind == 1)
      for (int p = 0; p < points; ++p)
        if (random.below(8) == 0) place(p, some(slack));
    if (kind == 2)
      for (int k = random.below(20); k >= 0; --k) {
        const int p = random.below(points);
        scene.x[static_cast<size_t>(p)] = home[static_cast<size_t>(p)] + some(6 * slack);
      }
    if (kind == 3) {
      const int32_t body = random.below(3);
      const Vec3d way = some(random.below(2) ? 0.1 * slack : slack);
      for (int p = 0; p < points; ++p)
        if (scene.surface.body_of[static_cast<size_t>(p)] == body) scene.x[static_cast<size_t>(p)] += way;
    }
  }
  // Since the walk began.
  void note_motion() {
    if (scene.rule.apart) return;
    motion.assign(scene.surface.bodies.size(), {});
    std::vector<double> points(motion.size(), 0);
    const auto body = [&](size_t p) { return static_cast<size_t>(scene.surface.body_of[p]); };
    for (size_t p = 0; p < home.size(); ++p) {
      motion[body(p)].mean += scene.x[p] - home[p];
      ++points[body(p)];
    }
    for (size_t b = 0; b < motion.size(); ++b) motion[b].mean = (1 / points[b]) * motion[b].mean;
    for (size_t p = 0; p < home.size(); ++p) {
      double& rest = motion[body(p)].rest;
      rest = std::max(rest, size(scene.x[p] - home[p] - motion[body(p)].mean));
    }
  }
  // By how much the limits of a pair of bodies have grown, at the most.
  double growth(const std::vector<BodyMotion>& earlier) const {
    double most = 0;
    for (size_t b = 0; b < earlier.size(); ++b)
      most = std::max(most, size(motion[b].mean - earlier[b].mean) + motion[b].rest - earlier[b].rest);
    return most;
  }

  ContactQuery query() const {
    ContactQuery q = scene.query();
    q.depth = reach;
    q.motion = motion;
    return q;
  }

  Vec3d at(int32_t p) const { return scene.x[static_cast<size_t>(p)]; }
  double way(int32_t p, int32_t q) const {
    const auto of = [&](int32_t point) { return motion[static_cast<size_t>(body(point))]; };
    return motion.empty() ? 0 : way_between(of(p), of(q));
  }
  int32_t body(int32_t p) const { return scene.surface.body_of[static_cast<size_t>(p)]; }
  bool is_near(const VertexTriangle& p) const {
    const Triangle& t = scene.surface.triangles[static_cast<size_t>(p.triangle)];
    double limit = !scene.rule.apart ? reach + way(p.vertex, t[0]) : reach;
    if (!scene.rule.apart && body(p.vertex) == body(t[0])) {
      double most = 0;
      const std::vector<Vec3d>& rest = scene.surface.rest;
      for (const int32_t c : t)
        most = std::max(most, size(rest[static_cast<size_t>(c)] - rest[static_cast<size_t>(p.vertex)]));
      limit = std::max(reach, std::min(limit, own_share * most));
    }
    const Vec3d v = at(p.vertex), a = at(t[0]), b = at(t[1]), c = at(t[2]);
    const TriangleFoot<double> foot = closest_on_triangle(v, a, b, c);
    return size(foot.weights[0] * (v - a) + foot.weights[1] * (v - b) + foot.weights[2] * (v - c)) <= limit;
  }
  bool is_near(const EdgeEdge& p) const {
    if (!(scene.surface.sharpness[static_cast<size_t>(p.a)] * scene.surface.sharpness[static_cast<size_t>(p.b)] > 0))
      return false;
    const Edge &e = scene.surface.edges[static_cast<size_t>(p.a)], &f = scene.surface.edges[static_cast<size_t>(p.b)];
    const double limit = !scene.rule.apart && body(e[0]) != body(f[0]) ? reach + way(e[0], f[0]) : reach;
    const Vec3d a = at(e[0]), b = at(e[1]), c = at(f[0]), d = at(f[1]);
    const SegmentFeet<double> feet = closest_on_segments(a, b, c, d);
    return size((a + feet.p * (b - a)) - (c + feet.q * (d - c))) <= limit;
  }
  CandidatePairs near() const {
    CandidatePairs found;
    const auto find = [&](const auto& of, auto& in) {
      std::copy_if(of.begin(), of.end(), std::back_inserter(in), [&](const auto& p) { return is_near(p); });
    };
    find(scene.pairs.vertex_triangle, found.vertex_triangle);
    find(scene.pairs.edge_edge, found.edge_edge);
    return found;
  }
  std::vector<VertexPlane> near_planes() const {
    std::vector<VertexPlane> found;
    for (const VertexPlane& p : scene.vertex_planes)
      if (dot(scene.planes[0].normal, at(p.vertex) - scene.planes[0].point) <= reach) found.push_back(p);
    return found;
  }
};

std::vector<VertexPlane> planes_of(const NearPairs& pairs) {
  return {pairs.vertex_planes().begin(), pairs.vertex_planes().end()};
}

// What is gathered has all that is near, and nothing that is no candidate.
void expect_all(const Walk& walk, const NearPairs& gathered, const CandidatePairs& near) {
  const CandidatePairs& pairs = gathered.pairs();
  ASSERT_TRUE(is_ascending<VertexTriangle>(pairs.vertex_triangle) && is_ascending<EdgeEdge>(pairs.edge_edge));
  ASSERT_TRUE(includes(pairs, near)) << "missed";
  ASSERT_TRUE(includes(walk.scene.pairs, pairs)) << "no candidate";
  const std::vector<VertexPlane> planes = planes_of(gathered);
  ASSERT_TRUE(is_ascending<VertexPlane>(planes));
  ASSERT_TRUE(includes(planes, walk.near_planes()) && includes(walk.scene.vertex_planes, planes));
}
// Of all these.
void expect_slots(const Walk& walk, const NearPairs& gathered) {
  const std::span<const int32_t> slots = gathered.slots();
  ASSERT_TRUE(is_ascending(slots));
  const ContactSurface& surface = walk.scene.surface;
  const auto expect = [&](int32_t point) {
    ASSERT_TRUE(surface.is_collider_point(point) || std::binary_search(slots.begin(), slots.end(), point));
  };
  for (const VertexTriangle& p : gathered.pairs().vertex_triangle) {
    expect(p.vertex);
    for (const int32_t q : surface.triangles[static_cast<size_t>(p.triangle)]) expect(q);
  }
  for (const EdgeEdge& p : gathered.pairs().edge_edge)
    for (const int32_t e : {p.a, p.b})
      for (const int32_t t : surface.edge_triangles[static_cast<size_t>(e)])
        if (t >= 0)
          for (const int32_t q : surface.triangles[static_cast<size_t>(t)]) expect(q);
  for (const VertexPlane& p : gathered.vertex_planes()) expect(p.vertex);
}

auto parts_of(const Contact& c) {
  const ContactNumbers<double>& n = c.numbers;
  const auto list = [](Vec3d v) { return std::array{v.x, v.y, v.z}; };
  return std::tuple(c.kind, c.first, c.second, c.slots, n.weights, list(n.normal), n.distance, list(n.slip), n.share,
                    n.law.stiffness, list(c.place));
}

// The contacts of what is near are those of all candidates.
void expect_contacts(const Walk& walk, NearPairs& gathered, ThreadPool& pool, int64_t& found) {
  const ContactQuery query = walk.query();
  std::vector<Vec3d> x;
  for (const int32_t slot : gathered.slots()) x.push_back(walk.at(slot));
  std::vector<Contact> near, all;
  ContactCounts of_near, of_all;
  gathered.find(query, x, pool, near, &of_near);
  find_contacts(query, pool, all, &of_all);
  ASSERT_EQ(near.size(), all.size());
  for (size_t c = 0; c < near.size(); ++c) ASSERT_TRUE(parts_of(near[c]) == parts_of(all[c])) << c;
  ASSERT_EQ(of_near.touching, of_all.touching);
  ASSERT_EQ(of_near.smallest_gap, of_all.smallest_gap);
  found += static_cast<int64_t>(near.size());
}

TEST(NearPairs, AreAllThatIsNearWhilePointsMove) {
  Random random(1);
  ThreadPool one(1), three(3);
  int64_t near_pairs = 0, gatherings = 0, held = 0, grown = 0, kept_more = 0, kept_less = 0, left_out = 0, contacts = 0;
  for (int trial = 0; trial < 8; ++trial) {
    Walk walk(random, trial % 4 != 3, 12);
    ASSERT_GT(walk.scene.pairs.vertex_triangle.size(), 4096u);  // more than a thread takes at a time
    ASSERT_GT(walk.scene.pairs.edge_edge.size(), 4096u);
    NearPairs by_one, by_three;
    std::vector<BodyMotion> earlier;
    for (int round = 0; round < 50; ++round) {
      if (round > 0) walk.move(random);
      if (random.below(4) == 0) {
        const std::vector<int32_t> points = walk.add(random);
        by_one.forget(points);
        by_three.forget(points);
      }
      if (random.below(20) == 0) {
        walk.choose(random);
        by_one.forget();
        by_three.forget();
      }
      const double share = random.below(2) ? 0.5 : 1;
      const bool holds = by_one.hold(walk.scene.surface, walk.scene.at(walk.scene.x), share, one);
      ASSERT_EQ(holds, by_three.hold(walk.scene.surface, walk.scene.at(walk.scene.x), share, three));
      if (!holds) {
        walk.note_motion();
        grown += !earlier.empty() && walk.growth(earlier) > slack;
        earlier = walk.motion;
        by_one.gather(walk.query(), slack, one);
        by_three.gather(walk.query(), slack, three);
        ++gatherings;
        // As far as they may move before the next look.
        ASSERT_TRUE(by_one.hold(walk.scene.surface, walk.scene.at(walk.scene.x), 0.5, one));
        ASSERT_NO_FATAL_FAILURE(expect_slots(walk, by_one));
      } else {
        ++held;
      }
      NearPairs fresh;
      fresh.gather(walk.query(), slack, one);

      const CandidatePairs near = walk.near();
      ASSERT_NO_FATAL_FAILURE(expect_all(walk, by_one, near)) << "trial " << trial << " round " << round;
      ASSERT_NO_FATAL_FAILURE(expect_all(walk, fresh, near)) << "trial " << trial << " round " << round;
      ASSERT_TRUE(by_one.pairs() == by_three.pairs());
      ASSERT_EQ(planes_of(by_one), planes_of(by_three));
      ASSERT_TRUE(std::ranges::equal(by_one.slots(), by_three.slots()));
      ASSERT_NO_FATAL_FAILURE(expect_contacts(walk, by_one, one, contacts)) << "trial " << trial << " round " << round;
      ASSERT_NO_FATAL_FAILURE(expect_contacts(walk, by_three, three, contacts));
      near_pairs += count(near);
      left_out += count(walk.scene.pairs) - count(by_one.pairs());
      kept_more += !holds && !includes(fresh.pairs(), by_one.pairs());
      kept_less += !holds && !includes(by_one.pairs(), fresh.pairs());
    }
  }
  EXPECT_GT(near_pairs, 100000);
  EXPECT_GT(contacts, 1000);
  EXPECT_GT(left_out, near_pairs);
  EXPECT_GT(gatherings, 100);
  EXPECT_GT(held, 20);
  EXPECT_GT(grown, 20);
  // They were not gathered anew each time.
  EXPECT_GT(kept_more, 50);
  EXPECT_GT(kept_less, 50);
}

// One that is said to be added is found; one that is not, of points that stand, is not looked at.
TEST(NearPairs, LookOnlyAtWhatHasMovedOrIsAdded) {
  Random random(2);
  ThreadPool one(1);
  Walk walk(random, true, 4);
  walk.scene.pairs = walk.all;
  walk.note_motion();
  CandidatePairs near = walk.near();
  ASSERT_GT(near.vertex_triangle.size(), 10u);
  const VertexTriangle left = near.vertex_triangle[near.vertex_triangle.size() / 2];
  std::erase(walk.scene.pairs.vertex_triangle, left);
  NearPairs gathered;
  const auto has = [&] {
    const std::vector<VertexTriangle>& found = gathered.pairs().vertex_triangle;
    return std::binary_search(found.begin(), found.end(), left);
  };
  const auto gather = [&] { gathered.gather(walk.query(), slack, one); };
  for (const int32_t p : {left.vertex, walk.scene.surface.triangles[static_cast<size_t>(left.triangle)][2]}) {
    walk.scene.pairs = walk.all;
    std::erase(walk.scene.pairs.vertex_triangle, left);
    gathered.forget();
    gather();
    EXPECT_FALSE(has());
    const int64_t others = count(gathered.pairs());
    walk.scene.pairs = walk.all;
    gathered.forget(std::span<const int32_t>());
    EXPECT_FALSE(gathered.any());
    gather();
    EXPECT_FALSE(has());
    gathered.forget({&p, 1});
    EXPECT_FALSE(gathered.any());
    gather();
    EXPECT_TRUE(gathered.any());
    EXPECT_TRUE(has());
    EXPECT_EQ(count(gathered.pairs()), others + 1);
  }
}

// A point of a body goes far: others of it may then have come as far, though they stand.
TEST(NearPairs, LookAtAllWhereTheMotionOfABodyHasGrown) {
  Random random(3);
  ThreadPool one(1);
  Walk walk(random, true, 6);
  walk.scene.pairs = walk.all;
  walk.note_motion();
  NearPairs gathered;
  gathered.gather(walk.query(), slack, one);
  const int64_t before = count(walk.near());
  int64_t more = 0;
  for (int step = 0; step < 20; ++step) {
    walk.scene.x[0].y -= 0.6 * slack;
    walk.note_motion();
    gathered.forget(std::span<const int32_t>());
    gathered.gather(walk.query(), slack, one);
    const CandidatePairs near = walk.near();
    ASSERT_NO_FATAL_FAILURE(expect_all(walk, gathered, near)) << step;
    more = count(near) - before;
  }
  EXPECT_GT(more, 100);
}

// What comes near by ways of which none is long is looked at in time.
TEST(NearPairs, SeeWhatDriftsSlowly) {
  Random random(4);
  ThreadPool one(1);
  Walk walk(random, false, 6);
  walk.scene.pairs = walk.all;
  const auto raise = [&](double by) {
    for (size_t p = 0; p < walk.scene.x.size(); ++p)
      if (walk.scene.surface.body_of[p] == 1) walk.scene.x[p].y += by;
  };
  raise(8 * slack);
  NearPairs gathered;
  gathered.gather(walk.query(), slack, one);
  const int64_t before = count(walk.near());
  for (int step = 0; step < 26; ++step) {
    raise(-0.3 * slack);
    // Another point goes so far that all are asked whether they have moved.
    walk.scene.x[0].z += (step % 2 ? 2 : -2) * slack;
    ASSERT_FALSE(gathered.hold(walk.scene.surface, walk.scene.at(walk.scene.x), 1, one));
    gathered.gather(walk.query(), slack, one);
    ASSERT_NO_FATAL_FAILURE(expect_all(walk, gathered, walk.near())) << step;
  }
  EXPECT_GT(count(walk.near()), before + 50);
}

// Two triangles, whose bodies have moved by more than they had when the pair was gathered, and whose points have gone
// as far as they may.
TEST(NearPairs, CountMotionsThatGrow) {
  ThreadPool one(1);
  const double way = 0.1, part = 0.99;
  const double gap = reach + way + (2 + 0.45) * slack;
  Touching scene;
  scene.rule.radius = radius;
  for (const double height : {0., gap}) {
    const int32_t body = scene.add_body(true);
    const int32_t first = scene.add_point(body, {-1, height, -1});
    scene.add_point(body, {1, height, -1});
    scene.add_point(body, {0, height, 1});
    scene.surface.triangles.push_back({first, first + 1, first + 2});
  }
  scene.finish();
  scene.pairs.vertex_triangle = {{0, 1}, {1, 1}, {2, 1}, {3, 0}, {4, 0}, {5, 0}};
  std::vector<BodyMotion> motion(2);
  motion[1].mean = {0, -way, 0};
  const auto query = [&] {
    ContactQuery q = scene.query();
    q.depth = reach;
    q.motion = motion;
    return q;
  };
  const auto approach = [&] {
    for (size_t p = 0; p < 6; ++p) scene.x[p].y += (p < 3 ? 0.5 : -0.5) * part * slack;
  };
  NearPairs gathered;
  gathered.gather(query(), slack, one);
  approach();
  for (BodyMotion& m : motion) m.rest = 0.25 * part * slack;
  gathered.forget(std::span<const int32_t>());
  gathered.gather(query(), slack, one);
  approach();
  if (!gathered.hold(scene.surface, scene.at(scene.x), 1, one)) gathered.gather(query(), slack, one);
  ASSERT_LT(scene.x[3].y - scene.x[0].y, reach + way_between(motion[0], motion[1]));
  EXPECT_EQ(gathered.pairs().vertex_triangle, scene.pairs.vertex_triangle);
}

}  // namespace
}  // namespace sinew
