// Source: the force and stiffness of a contact (contact/contact.h), added up contact by contact at each vertex, with
// the weights that vertex_contacts.h states.
#include "solver/by_vertex/vertex_contacts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "solver/sweep_case.h"
#include "support/touching.h"

namespace sinew {
namespace {

using support::size;
using support::Touching;

constexpr int cells = 11;
constexpr double radius = 0.15;
constexpr int32_t slot_count = 448;
// [m] How far vertices are moved at a time.
constexpr double move_by = 0.2 * radius;
// What no sum is.
constexpr double untouched = 12345;

// Of colours, which are whole batches, and of clusters, which are some colours each.
const std::vector<int32_t> color_begin = {0, 160, 176, 288, 320, 448};
const std::vector<int32_t> cluster_begin = {0, 176, 320, 448};
const std::vector<int32_t> cluster_of_color = {0, 0, 1, 1, 2};
const std::vector<int32_t> phase_of_cluster = {0, 0, 1};

// A bumpy sheet over two others, one of which is a collider, near each other and in places through each other; and a
// half space, which is everywhere near the upper sheet. Laws and friction are random, by the pair of sheets.
struct ContactScene {
  Model model;
  ContactSurface surface;
  std::vector<Vec3d> x;  // [m] by slot
  StepProblem problem;
  std::unique_ptr<Contacts> contacts;

  ContactScene(Random& random, bool clusters, FrictionForm form) {
    Touching made;
    const auto add_sheet = [&](int32_t body, int rows, bool up, int first) {
      made.add_grid(
          body, rows, cells, up,
          [&](int i, int j) {
            return Vec3d{first + i + 0.1 * random.between(-1, 1), (up ? 1 : -1) * random.between(-0.02, 0.1),
                         j - 0.5 * cells + 0.3};
          },
          [&](int, int) { return random.below(2) == 0; });
    };
    add_sheet(made.add_body(true, false, 0), 5, false, 0);
    add_sheet(made.add_body(true, false, 1), cells, true, 0);
    add_sheet(made.add_body(true, true, 2), 5, false, 6);
    made.finish();
    const auto groups = static_cast<size_t>(made.surface.group_count);
    for (size_t a = 0; a < groups; ++a)
      for (size_t b = 0; b <= a; ++b) {
        ContactRule rule;
        rule.law = random.below(2) ? ContactLaw::penalty : ContactLaw::offset;
        rule.form = form;
        rule.radius = rule.law == ContactLaw::penalty ? 0 : radius;
        rule.stiffness = random.below(2) ? random.between(1, 5) : 0;
        rule.friction = random.below(4) ? random.between(0.1, 1) : 0;
        rule.friction_speed = 1;
        made.surface.rules[a * groups + b] = made.surface.rules[b * groups + a] = rule;
      }
    place(made, random);

    ContactPlane plane;
    plane.group = 2;
    plane.point = {0, -0.05, 0};
    plane.normal = {0, 1, 0};
    plane.along = {1, 0, 0};
    surface.planes = {plane};

    std::vector<int32_t> order(slot_count);
    std::iota(order.begin(), order.end(), 0);
    model.order = VertexOrder(order, slot_count);
    model.color_begin = color_begin;
    if (clusters) {
      model.clusters.slot_begin = cluster_begin;
      model.clusters.phase_begin = {0, 2, 3};
    }
    std::vector<double> stiffness(slot_count);
    for (double& k : stiffness) k = random.between(0.1, 10);
    contacts = std::make_unique<Contacts>(surface, stiffness, ContactOptions{}, ThreadPool::caller());
    std::vector<Vec3d> before = x;
    for (Vec3d& p : before) p += 0.01 * random.vector();
    const std::vector<Vec3d> colliders(surface.rest.begin() + slot_count, surface.rest.end());
    contacts->begin_step(before, colliders, colliders, surface.planes, surface.planes, 0.01);
    contacts->detect(x, x, ThreadPool::caller());
    problem.model = &model;
    problem.contacts = contacts.get();
  }

  // Vertices of bodies at slots anywhere; others have none.
  void place(const Touching& made, Random& random) {
    const ContactSurface& from = made.surface;
    std::vector<int32_t> slots(slot_count);
    std::iota(slots.begin(), slots.end(), 0);
    for (size_t k = slots.size(); k > 1; --k)
      std::swap(slots[k - 1], slots[static_cast<size_t>(random.below(static_cast<int>(k)))]);
    surface.bodies = from.bodies;
    surface.rules = from.rules;
    surface.group_count = from.group_count;
    surface.slot_count = slot_count;
    surface.rest.assign(slot_count, Vec3d{});
    surface.body_of.assign(slot_count, -1);
    std::vector<int32_t> point_of;
    for (size_t p = 0; p < from.rest.size(); ++p) {
      if (from.is_collider_point(static_cast<int32_t>(p))) {
        point_of.push_back(surface.point_count());
        surface.rest.push_back(from.rest[p]);
        surface.body_of.push_back(from.body_of[p]);
        continue;
      }
      point_of.push_back(slots[p]);
      surface.rest[static_cast<size_t>(slots[p])] = from.rest[p];
      surface.body_of[static_cast<size_t>(slots[p])] = from.body_of[p];
    }
    for (Triangle t : from.triangles) {
      for (int32_t& p : t) p = point_of[static_cast<size_t>(p)];
      surface.triangles.push_back(t);
    }
    connect(surface);
    x.assign(surface.rest.begin(), surface.rest.begin() + slot_count);
  }
};

int32_t color_of(int32_t slot) {
  return static_cast<int32_t>(std::upper_bound(color_begin.begin(), color_begin.end(), slot) - color_begin.begin()) - 1;
}
int32_t cluster_of(int32_t slot) {
  return cluster_of_color[static_cast<size_t>(color_of(slot))];
}

// Whether neither of two vertices sees where the other one moves.
bool move_at_once(const ContactSweep& how, bool clusters, int32_t slot, int32_t other) {
  if (slot == other || how.at_once) return true;
  if (!clusters || cluster_of(slot) == cluster_of(other)) return color_of(slot) == color_of(other) && !how.recolored;
  return phase_of_cluster[static_cast<size_t>(cluster_of(slot))] ==
         phase_of_cluster[static_cast<size_t>(cluster_of(other))];
}

template <class Real>
Vec3d xyz(const Vec4<Real>& v) {
  return {v.x, v.y, v.z};
}

// What contacts add to each vertex, and the size of the numbers that it is summed up from.
struct PlainSums {
  std::vector<Vec3d> force;
  std::vector<Mat3d> stiffness;
  std::vector<double> force_scale, stiffness_scale;
  std::vector<uint8_t> has;  // by slot
};

// way(slot): how far the vertex is seen to have moved since the contacts were found. In the precision of the sweep, as
// the stiffness of a contact jumps where it begins to act.
template <class Real, class Way>
PlainSums plain_sums(std::span<const Contact> contacts, const ContactSweep& how, bool clusters, const Way& way) {
  PlainSums sums;
  sums.force.resize(slot_count);
  sums.stiffness.resize(slot_count);
  sums.force_scale.resize(slot_count);
  sums.stiffness_scale.resize(slot_count);
  sums.has.resize(slot_count);
  for (const Contact& contact : contacts) {
    const ContactNumbers<Real> numbers = in_precision<Real>(contact.numbers);
    const ContactNumbers<double>& n = contact.numbers;
    Vec3<Real> change{};
    for (size_t j = 0; j < 4; ++j)
      if (contact.slots[j] >= 0) change += numbers.weights[j] * way(contact.slots[j]);
    const ContactForce<Real> f = contact_force(numbers, change);
    const Vec3d force{f.force.x, f.force.y, f.force.z};
    const double along = f.along, across = f.across;
    const Mat3d stiffness = across * support::identity() + (along - across) * outer(n.normal, n.normal);
    // Rounding acts on lengths of this size, and on what they are multiplied by.
    const double moved = size(Vec3d{change.x, change.y, change.z}), k = std::abs(n.share) * n.law.stiffness;
    const double push = k * (n.law.radius + std::abs(n.distance) + moved);
    const double drag = n.friction > 0 ? (n.hold > 0 ? k : 2 * n.friction * push / n.creep) : 0;
    for (size_t j = 0; j < 4; ++j) {
      const int32_t slot = contact.slots[j];
      if (slot < 0) continue;
      const bool shared = how.shares_penalties && n.law.radius == 0;
      double all = 0;
      for (size_t m = 0; m < 4; ++m)
        if (contact.slots[m] >= 0 && (shared || move_at_once(how, clusters, slot, contact.slots[m])))
          all += std::abs(n.weights[m]);
      const double s = n.weights[j], square = std::abs(s) * all;
      const auto v = static_cast<size_t>(slot);
      sums.force[v] += s * force;
      sums.stiffness[v] = sums.stiffness[v] + square * stiffness;
      sums.force_scale[v] += std::abs(s) * (push + drag * (size(n.slip) + moved));
      sums.stiffness_scale[v] += square * (2 * k + drag);
      sums.has[v] = 1;
    }
  }
  return sums;
}

// Kernels may contract products and sums to one rounding; differences of up to 2 were seen.
template <class Real>
constexpr double tolerance = 8 * std::numeric_limits<Real>::epsilon();

// The rows of slots from `first` on.
template <class Real>
void expect_sums(const Vec4<Real>* rows, int32_t first, int32_t count, const PlainSums& expected) {
  for (int32_t slot = first; slot < first + count; ++slot, rows += rows_of_sums) {
    const auto s = static_cast<size_t>(slot);
    const Vec3d f = xyz(rows[0]), g = expected.force[s];
    const double force_error = tolerance<Real> * expected.force_scale[s];
    ASSERT_NEAR(f.x, g.x, force_error) << "slot " << slot;
    ASSERT_NEAR(f.y, g.y, force_error) << "slot " << slot;
    ASSERT_NEAR(f.z, g.z, force_error) << "slot " << slot;
    const Mat3d& k = expected.stiffness[s];
    const double error = tolerance<Real> * expected.stiffness_scale[s];
    ASSERT_NEAR(rows[0].w, k.c0.x, error) << "slot " << slot;
    ASSERT_NEAR(rows[1].x, k.c1.x, error) << "slot " << slot;
    ASSERT_NEAR(rows[1].y, k.c2.x, error) << "slot " << slot;
    ASSERT_NEAR(rows[1].z, k.c1.y, error) << "slot " << slot;
    ASSERT_NEAR(rows[1].w, k.c2.y, error) << "slot " << slot;
    ASSERT_NEAR(rows[2].x, k.c2.z, error) << "slot " << slot;
  }
}

// What has been compared, for a test that compares something.
struct Tally {
  int64_t vertices = 0, without = 0, contacts = 0, penalties = 0, of_colliders = 0, of_planes = 0, of_edges = 0;
  int64_t sliding = 0, of_part_lanes = 0, elsewhere = 0;

  void note(std::span<const Contact> found) {
    for (const Contact& c : found) {
      ++contacts;
      penalties += c.numbers.law.radius == 0;
      of_planes += c.kind == ContactKind::vertex_plane;
      of_edges += c.kind == ContactKind::edge_edge;
      of_colliders += c.kind == ContactKind::vertex_triangle && std::count(c.slots.begin(), c.slots.end(), -1) == 3;
      sliding += c.numbers.friction > 0;
    }
  }
};

template <class Real>
std::vector<Vec3d> positions(const Buffer<Vec4<Real>>& x, const Buffer<Vec4<Real>>& base) {
  std::vector<Vec3d> at;
  for (size_t s = 0; s < x.size(); ++s) at.push_back(base.empty() ? xyz(x[s]) : xyz(x[s]) + xyz(base[s]));
  return at;
}

// One width in one precision, on one scene: sweeps of colours, in which vertices of each move once their sums are
// compared. `x` may be displacements.
template <class Real>
struct SweepRun {
  const ContactScene& scene;
  const Kernels& kernels;
  const ContactSweep how;
  const bool clusters;
  Random& random;
  Tally& tally;
  Buffer<Vec4<Real>> x, base, found_at, at_phase;
  VertexContacts<Real> ends;
  ThreadPool three{3};

  SweepRun(const ContactScene& s, const Kernels& k, const ContactSweep& sweep, bool in_clusters, bool displaced,
           Random& r, Tally& t)
      : scene(s), kernels(k), how(sweep), clusters(in_clusters), random(r), tally(t) {
    const auto real = [](Vec3d p) {
      return Vec4<Real>{static_cast<Real>(p.x), static_cast<Real>(p.y), static_cast<Real>(p.z), 1};
    };
    for (const Vec3d& p : scene.x) {
      const Vec3d at = displaced ? xyz(real(p + random.vector())) : Vec3d{};
      if (displaced) base.push_back({real(at).x, real(at).y, real(at).z, 0});
      x.push_back(real(p - at));
    }
    ends.begin_step(scene.problem, kernels.template lanes<Real>(), how);
  }

  void find() {
    ends.find(x, base, ThreadPool::caller(), true);
    tally.note(ends.contacts());
    found_at = at_phase = x;
    std::vector<Contact> same;
    scene.contacts->find(positions(x, base), ThreadPool::caller(), same, nullptr);
    ASSERT_EQ(ends.contacts().size(), same.size());
    ASSERT_GT(same.size(), 20u);
    int64_t corners = 0;
    for (const Contact& c : same)
      for (const int32_t slot : c.slots) corners += slot >= 0;
    tally.of_part_lanes += corners % kernels.template lanes<Real>() != 0;
  }

  // How far each slot may go until contacts are found anew [m].
  std::vector<double> room() const {
    std::vector<double> room(x.size(), 0.005 * scene.surface.largest_radius());
    for (const Contact& c : ends.contacts())
      for (const int32_t slot : c.slots)
        if (slot >= 0)
          room[static_cast<size_t>(slot)] =
              std::min(room[static_cast<size_t>(slot)], 0.005 * std::abs(c.numbers.distance));
    return room;
  }
  // The contacts that there are serve where vertices have gone since by less; then they are not found.
  void move_a_little() {
    const std::vector<double> most = room();
    for (size_t s = 0; s < x.size(); ++s) {
      const Vec3d unit = random.vector();
      const Vec3d to = xyz(found_at[s]) + (0.9 * most[s] / std::sqrt(dot(unit, unit))) * unit;
      const Vec4<Real> moved{static_cast<Real>(to.x), static_cast<Real>(to.y), static_cast<Real>(to.z), x[s].w};
      const Vec3d way = xyz(moved) - xyz(found_at[s]);
      x[s] = std::sqrt(dot(way, way)) < most[s] ? moved : found_at[s];
    }
    const size_t before = ends.contacts().size();
    ASSERT_FALSE(ends.find(x, base, ThreadPool::caller(), false));
    ASSERT_EQ(ends.contacts().size(), before);
    at_phase = x;
  }

  Vec3<Real> way(int32_t slot, const Buffer<Vec4<Real>>& now) const {
    const Vec4<Real>&a = now[static_cast<size_t>(slot)], &b = found_at[static_cast<size_t>(slot)];
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  PlainSums expected_in(int32_t cluster) const {
    return plain_sums<Real>(ends.contacts(), how, clusters, [&](int32_t slot) {
      return way(slot, !clusters || cluster_of(slot) == cluster ? x : at_phase);
    });
  }
  static bool differ(const PlainSums& a, const PlainSums& b, int32_t slot) {
    const auto s = static_cast<size_t>(slot);
    return size(a.force[s] - b.force[s]) > 10 * tolerance<Real> * a.force_scale[s];
  }

  // The colour is that of a cluster that is swept in place.
  void sweep(int32_t color) {
    const int lanes = kernels.template lanes<Real>();
    const int32_t first = color_begin[static_cast<size_t>(color)], last = color_begin[static_cast<size_t>(color) + 1];
    const auto cluster = static_cast<size_t>(cluster_of(first));
    VertexSweep<Real> sweep;
    sweep.first_slot = clusters ? cluster_begin[cluster] : 0;
    sweep.own_count = clusters ? cluster_begin[cluster + 1] - cluster_begin[cluster] : slot_count;
    sweep.x = sweep.moved = x.data() + sweep.first_slot;
    sweep.first_sum = sweep.own(first);

    const PlainSums expected = expected_in(static_cast<int32_t>(cluster));
    const auto rows = static_cast<size_t>(rows_of_sums * (last - first));
    const auto nothing = static_cast<Real>(untouched);
    Buffer<Vec4<Real>> sums(rows, {nothing, nothing, nothing, nothing}), by_three = sums;
    // The whole colour, or from one batch to another.
    int32_t begin = first, end = last;
    if (random.below(3) == 0) {
      const int32_t batches = (last - first) / lanes, batch = random.below(batches);
      begin = first + batch * lanes;
      end = begin + (1 + random.below(batches - batch)) * lanes;
    }
    sweep.contact_sums = by_three.data();
    ends.add(kernels, sweep, begin, end, &three);
    sweep.contact_sums = sums.data();
    ends.add(kernels, sweep, begin, end, nullptr);
    const PlainSums all_as_they_are =
        plain_sums<Real>(ends.contacts(), how, clusters, [&](int32_t slot) { return way(slot, x); });
    for (int32_t slot = first; slot < last; slot += lanes) {
      const Vec4<Real>* const at = sums.data() + rows_of_sums * (slot - first);
      const bool has = std::any_of(expected.has.begin() + slot, expected.has.begin() + slot + lanes,
                                   [](uint8_t h) { return h != 0; });
      ASSERT_EQ(ends.has()[slot / lanes] != 0, has);
      if (has && slot >= begin && slot < end) {
        ASSERT_NO_FATAL_FAILURE(expect_sums(at, slot, lanes, expected));
        for (int32_t s = slot; s < slot + lanes; ++s) {
          ++(expected.has[static_cast<size_t>(s)] ? tally.vertices : tally.without);
          tally.elsewhere += differ(expected, all_as_they_are, s);
        }
      } else {
        for (int k = 0; k < rows_of_sums * lanes; ++k) ASSERT_EQ(at[k].x, nothing) << "slot " << slot;
      }
    }
    for (size_t k = 0; k < rows; ++k)
      ASSERT_TRUE(sums[k].x == by_three[k].x && sums[k].y == by_three[k].y && sums[k].z == by_three[k].z &&
                  sums[k].w == by_three[k].w);

    for (int32_t slot = begin; slot < end; ++slot) {
      if (random.below(4) == 0) continue;
      Vec4<Real>& at = x[static_cast<size_t>(slot)];
      const auto some = [&] { return static_cast<Real>(random.between(-move_by, move_by)); };
      at.x += some();
      at.y += some();
      at.z += some();
    }
    ends.note_moved(sweep, begin, end);
  }

  void sweep_all() {
    for (int32_t color = 0; color < static_cast<int32_t>(cluster_of_color.size()); ++color) {
      const auto phase = [](int32_t c) {
        return phase_of_cluster[static_cast<size_t>(cluster_of_color[static_cast<size_t>(c)])];
      };
      if (color == 0 || phase(color) != phase(color - 1)) {
        ends.begin_phase();
        at_phase = x;
      }
      ASSERT_NO_FATAL_FAILURE(sweep(color)) << "colour " << color;
    }
  }
};

const ContactSweep ways_to_move[] = {{},
                                     {.at_once = true},
                                     {.recolored = true},
                                     {.shares_penalties = true},
                                     {.recolored = true, .shares_penalties = true}};

template <class Real>
Tally compare(uint32_t seed, bool clusters) {
  Tally tally;
  Random random(seed);
  int way = 0;
  for (const FrictionForm form : {FrictionForm::smooth, FrictionForm::stick})
    for (const ContactSweep& how : ways_to_move) {
      const ContactScene scene(random, clusters, form);
      for (const int lanes : lane_counts()) {
        SweepRun<Real> run(scene, *kernels_with_lanes(lanes), how, clusters, way++ % 3 == 0, random, tally);
        // Contacts are found anew where vertices are by then.
        for (int finding = 0; finding < 2; ++finding) {
          run.find();
          run.move_a_little();
          for (int k = 0; k < 2; ++k) run.sweep_all();
          if (testing::Test::HasFatalFailure()) {
            ADD_FAILURE() << lanes << " lanes, at once " << how.at_once << ", recolored " << how.recolored
                          << ", shares penalties " << how.shares_penalties << ", sticks "
                          << (form == FrictionForm::stick);
            return tally;
          }
        }
      }
    }
  return tally;
}

template <class Real>
class VertexContactsIn : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(VertexContactsIn, Precisions);

TYPED_TEST(VertexContactsIn, AreTheSumOfAllContacts) {
  const Tally tally = compare<TypeParam>(1, false);
  EXPECT_GT(tally.vertices, 10000);
  EXPECT_GT(tally.without, 1000);
  EXPECT_EQ(tally.elsewhere, 0);
  EXPECT_GT(tally.penalties, 1000);
  EXPECT_GT(tally.contacts - tally.penalties, 1000);
  EXPECT_GT(tally.sliding, 1000);
  EXPECT_GT(tally.of_colliders, 100);
  EXPECT_GT(tally.of_planes, 100);
  EXPECT_GT(tally.of_edges, 100);
  if (lane_counts().size() > 1) {
    EXPECT_GT(tally.of_part_lanes, 5);
  }
}

// For a few sweeps, until a vertex that touches has gone too far.
TYPED_TEST(VertexContactsIn, ServeWhileLittleMoves) {
  Tally tally;
  Random random(3);
  int moved = 0;
  for (int trial = 0; trial < 10; ++trial) {
    const ContactScene scene(random, false, FrictionForm::smooth);
    SweepRun<TypeParam> run(scene, *kernels_with_lanes(1), {}, false, false, random, tally);
    ThreadPool& pool = ThreadPool::caller();
    const auto is_found = [&] { return run.ends.find(run.x, run.base, pool, false); };
    EXPECT_TRUE(is_found());
    for (int k = 0; k < 3; ++k) EXPECT_FALSE(is_found());
    EXPECT_TRUE(is_found());  // once in four sweeps
    EXPECT_TRUE(run.ends.find(run.x, run.base, pool, true));
    EXPECT_FALSE(is_found());
    const std::vector<double> most = run.room();
    for (const Contact& c : run.ends.contacts()) {
      const int32_t slot = c.slots[static_cast<size_t>(random.below(4))];
      if (slot < 0) continue;
      const auto s = static_cast<size_t>(slot);
      run.x[s].y += static_cast<TypeParam>(2 * most[s] + 1e-5);
      EXPECT_TRUE(is_found());
      ++moved;
      break;
    }
  }
  EXPECT_GT(moved, 5);
}

// What another cluster moves is seen when the next phase begins.
TYPED_TEST(VertexContactsIn, SeeOtherClustersAsThePhaseBegan) {
  const Tally tally = compare<TypeParam>(2, true);
  EXPECT_GT(tally.vertices, 10000);
  EXPECT_GT(tally.elsewhere, 1000);
}

}  // namespace
}  // namespace sinew
