// The narrow phase of contact: contacts of given positions out of candidate pairs (contact/find_contacts.h).
//   sheets  two bumpy sheets, half a radius apart
//   balls   a pile of balls that touch
//   flight  balls apart: nothing touches
// contact_refresh is the same of the candidates that are near (contact/near_pairs.h), as each sweep does it.
// ns_per_pair: nanoseconds per candidate, of which there are `pairs`; contacts: how many are found;
// ns_per_contact: nanoseconds per contact.
#include <cmath>
#include <memory>
#include <random>

#include "contact/cull.h"
#include "contact/find_contacts.h"
#include "contact/near_pairs.h"
#include "contact/surface_tree.h"
#include "contact_sheets.h"
#include "register.h"
#include "sinew/lanes.h"

namespace sinew::bench {
namespace {

constexpr double edge = contact_edge;

struct FindScene {
  ContactSurface surface;
  std::vector<Vec3d> before;
  std::vector<double> stiffness;
  SurfaceTree tree;
  CandidatePairs pairs;

  int32_t add_body() {
    surface.bodies.push_back({.object = static_cast<int32_t>(surface.bodies.size()), .closed = true});
    return static_cast<int32_t>(surface.bodies.size()) - 1;
  }
  int32_t add_point(int32_t body, Vec3d x) {
    surface.rest.push_back(x);
    surface.body_of.push_back(body);
    return surface.point_count() - 1;
  }
  void find_pairs() {
    before = surface.rest;
    stiffness.assign(before.size(), 1000.0);
    tree.build(surface, ThreadPool::caller());
    // As between two detections: contacts up to 1.25 radii, and half a radius of motion.
    const PointPositions x{surface.rest, {}};
    tree.find(surface, x, x, (1.25 / 2 + 0.5) * contact_radius, EdgeChoice::sharp, ThreadPool::caller(), pairs);
  }
};

std::shared_ptr<FindScene> sheets() {
  auto scene = std::make_shared<FindScene>();
  scene->surface = bumpy_sheets();
  scene->find_pairs();
  return scene;
}

// Balls of about 600 triangles on a lattice, `gap` apart.
std::shared_ptr<FindScene> balls(double gap) {
  auto scene = std::make_shared<FindScene>();
  constexpr int n = 7, rings = 14, around = 22;
  constexpr double ball = 5 * edge, pi = 3.14159265358979;
  std::mt19937 engine(2);
  std::uniform_real_distribution<double> shift(-0.3, 0.3);
  for (int k = 0; k < n * n * n; ++k) {
    const int32_t body = scene->add_body(), first = scene->surface.point_count();
    const double pitch = 2 * ball + gap;
    const Vec3d centre = pitch * Vec3d{double(k % n), double(k / n % n), double(k / n / n)} +
                         (0.2 * contact_radius) * Vec3d{shift(engine), shift(engine), shift(engine)};
    const double turn = 10 * shift(engine);
    for (int i = 0; i <= rings; ++i)
      for (int j = 0; j < (i == 0 || i == rings ? 1 : around); ++j) {
        const double a = pi * i / rings, b = 2 * pi * j / around + turn;
        scene->add_point(body,
                         centre + ball * Vec3d{std::sin(a) * std::cos(b), std::sin(a) * std::sin(b), std::cos(a)});
      }
    const auto at = [&](int i, int j) {
      return i == 0 ? first : i == rings ? first + 1 + (rings - 1) * around : first + 1 + (i - 1) * around + j % around;
    };
    for (int i = 0; i < rings; ++i)
      for (int j = 0; j < around; ++j) {
        if (i > 0) scene->surface.triangles.push_back({at(i, j), at(i + 1, j), at(i, j + 1)});
        if (i < rings - 1) scene->surface.triangles.push_back({at(i, j + 1), at(i + 1, j), at(i + 1, j + 1)});
      }
  }
  finish(scene->surface);
  scene->find_pairs();
  return scene;
}

ContactQuery query_of(const FindScene& s) {
  ContactQuery query;
  query.surface = &s.surface;
  query.pairs = &s.pairs;
  query.stiffness = s.stiffness;
  query.x = {s.surface.rest, {}};
  query.before = {s.before, {}};
  query.clock = 0.01;
  return query;
}

// What a sweep does before it begins: contacts anew out of the candidates that are near.
void time_refresh(benchmark::State& state, const FindScene& s, int lanes, int threads) {
  ThreadPool& pool = pool_of(threads);
  if (!set_lanes(lanes)) return state.SkipWithError("no such lanes");
  const ContactQuery query = query_of(s);
  NearPairs near;
  near.gather(query, 0.5 * contact_radius, pool);
  std::vector<Vec3d> x;
  for (const int32_t slot : near.slots()) x.push_back(query.x[slot]);
  std::vector<Contact> contacts;
  ContactCounts counts;
  near.find(query, x, pool, contacts, &counts);
  for (auto _ : state) near.find(query, x, pool, contacts, &counts);
  (void)set_lanes(0);
  using benchmark::Counter;
  const auto pairs = static_cast<double>(near.pairs().vertex_triangle.size() + near.pairs().edge_edge.size());
  const auto found = static_cast<double>(contacts.size());
  state.counters["pairs"] = pairs;
  state.counters["contacts"] = found;
  state.counters["ns_per_pair"] = Counter(1e-9 * pairs, Counter::kIsIterationInvariantRate | Counter::kInvert);
  if (found > 0)
    state.counters["ns_per_contact"] = Counter(1e-9 * found, Counter::kIsIterationInvariantRate | Counter::kInvert);
}

}  // namespace

void register_contact_find() {
  const std::pair<const char*, std::shared_ptr<FindScene> (*)()> kinds[] = {
      {"sheets", sheets}, {"balls", [] { return balls(0.5 * contact_radius); }}, {"flight", [] {
                                                                                    return balls(2.1 * contact_radius);
                                                                                  }}};
  for (const auto& [name, make] : kinds) {
    for (const int threads : {1, 2}) {
      add("contact_find/" + std::string(name) + "/threads:" + std::to_string(threads), [=](benchmark::State& state) {
        const std::shared_ptr<FindScene> s = make();
        ThreadPool& pool = pool_of(threads);
        const ContactQuery query = query_of(*s);
        std::vector<Contact> contacts;
        ContactCounts counts;
        FindScratch scratch;
        find_contacts(query, pool, contacts, &counts, &scratch);
        for (auto _ : state) find_contacts(query, pool, contacts, &counts, &scratch);
        using benchmark::Counter;
        const auto pairs = static_cast<double>(s->pairs.vertex_triangle.size() + s->pairs.edge_edge.size());
        state.counters["pairs"] = pairs;
        state.counters["edge_pairs"] = static_cast<double>(s->pairs.edge_edge.size());
        state.counters["contacts"] = static_cast<double>(contacts.size());
        state.counters["ns_per_pair"] = Counter(1e-9 * pairs, Counter::kIsIterationInvariantRate | Counter::kInvert);
      });
    }
    // In flight there is nothing to renew.
    if (name == std::string("flight")) continue;
    for (const auto& [lanes, threads] : {std::pair(1, 1), std::pair(16, 1), std::pair(16, 2)}) {
      if (!cull_kernels_with_lanes(lanes)) continue;
      add("contact_refresh/" + std::string(name) + "/lanes:" + std::to_string(lanes) +
              "/threads:" + std::to_string(threads),
          [=](benchmark::State& state) { time_refresh(state, *make(), lanes, threads); });
    }
  }
}

}  // namespace sinew::bench
