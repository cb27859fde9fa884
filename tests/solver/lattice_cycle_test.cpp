// Source: the definitions in solver/multilevel/lattice.h and lattice_cycle.h: what a correction is, which nodes and
// pieces it joins, and how accurately cycles and conjugate gradients solve for it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "solver/lattice_case.h"

namespace sinew {
namespace {

using namespace lattice_support;

// f . P u = P^T f . u for any f and u; a vertex without lattice or mass contributes to neither.
TEST(Lattice, RestrictionIsTheTransposeOfProlongation) {
  Random random(12);
  for (const auto& [name, entry] : every_body()) {
    How how = entry.second;
    how.held = [](Vec3d r) { return r.x < 0.2; };
    Case c(entry.first, how);
    for (int k = 0; k < 3; ++k) {
      const Field u = random_field(c.nodes(), random), moved = c.motion(u);
      const Field f = random_field(c.model.rest.size(), random);
      const auto forces = c.forces_of(f);
      const double expected = inner(f, moved), bound = 10 * rounding * norm(f) * norm(moved);
      EXPECT_NEAR(c.lattice.slope<double>(forces, c.pool), expected, bound) << name;
      EXPECT_NEAR(inner(c.right(), u), expected, bound) << name;
      std::vector<Vec4<float>> narrow;
      for (const Vec4<double>& v : forces)
        narrow.push_back({static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z), 0});
      EXPECT_NEAR(c.lattice.slope<float>(narrow, c.pool), expected, bound) << name;
      EXPECT_GT(std::abs(expected), 100 * bound) << name;
    }
  }
}

// A body of one cell and a linear material: its boundary moves affinely, and one correction moves the inside likewise.
TEST(Lattice, OneCorrectionPassesThePatchTest) {
  Random random(13);
  for (const bool slivers : {false, true}) {
    Body body = slivers ? irregular({6, 6, 6}, {1, 1, 1}, random) : body_of(box({6, 6, 6}));
    body.blocks[0].material = elastic_material(MaterialKind::LinearElastic, body.blocks[0].material.lame);
    body.gravity = {};
    Case c(body, {.spacing = 100, .held = [](Vec3d r) {
                    const auto outside = [](double a) { return a < 1e-9 || a > 1 - 1e-9; };
                    return outside(r.x) || outside(r.y) || outside(r.z);
                  }});
    ASSERT_EQ(c.nodes(), 8u);
    const Mat3d m = 0.2 * random.matrix();
    Field x = c.model.rest;
    for (size_t s = 0; s < x.size(); ++s) {
      if (c.problem.held[s] && c.model.mass[s] > 0) x[s] = x[s] + m * x[s];
    }
    Field g(x.size());
    Objective(c.problem, c.pool).gradient_unconstrained(x, g);
    for (Vec3d& v : g) v = -v;
    const double promise = c.solve(g, 50);
    const Field moved = c.motion();
    double error = 0;
    for (size_t s = 0; s < x.size(); ++s) {
      if (!c.problem.held[s]) error = std::fmax(error, size(moved[s] - m * x[s]));
    }
    EXPECT_LT(error, 1e-4 * size(m)) << slivers;
    EXPECT_NEAR(promise, inner(g, moved), 1e-5 * promise);
  }
}

// Solves for u from P^T f by conjugate gradients that do not stop early, `times` times, the later ones for the
// remainder. Returns |b - A u| / |b|; the correction is then u.
double solved(Case& c, const Field& f, int times, int cycles) {
  c.solve(f, 1);
  const Field b = c.right();
  Field u(b.size()), rest = b;
  for (int k = 0; k < times; ++k) {
    for (size_t n = 0; n < rest.size(); ++n)
      c.lattice.cycle().right()[c.place_of(n)] = {static_cast<float>(rest[n].x), static_cast<float>(rest[n].y),
                                                  static_cast<float>(rest[n].z), 0};
    c.lattice.cycle().solve(cycles, 0, kernels_with_lanes(0)->lattice, c.pool);
    const Field more = c.correction();
    for (size_t n = 0; n < u.size(); ++n) u[n] += more[n];
    rest = difference(b, c.product(u));
  }
  c.set_correction(u);
  return norm(rest) / norm(b);
}

// Only cells with changes are summed again.
TEST(Lattice, PinsThatComeAndGoLeaveTheMatrixOfThoseThatAreThere) {
  for (const char* name : {"box", "box in a step", "triangles", "ties", "springs", "fibres", "damped by own block"}) {
    const auto list = every_body();
    const auto& [body, how] = list.at(name);
    const std::function<bool(Vec3d)> pins[] = {[](Vec3d r) { return r.x < 0.2; }, [](Vec3d r) { return r.y > 0.7; },
                                               [](Vec3d r) { return r.x > 0.3 && r.x < 0.5; },
                                               [](Vec3d) { return false; }};
    Case c(body, how);
    for (const auto& pin : pins) {
      c.hold(pin);
      c.lattice.begin_step(c.problem, c.pool);
      ASSERT_TRUE(c.set(c.model.rest));
      How fresh = how;
      fresh.held = pin;
      EXPECT_EQ(dense_matrix(c).largest_difference(dense_matrix(Case(body, fresh))), 0) << name;
    }
    if (how.h == 0) continue;
    c.problem.h *= 2;
    c.lattice.begin_step(c.problem, c.pool);
    ASSERT_TRUE(c.set(c.model.rest));
    How slower = how;
    slower.h *= 2;
    EXPECT_EQ(dense_matrix(c).largest_difference(dense_matrix(Case(body, slower))), 0) << name;
  }
}

// Two arms of unit squares along x, one above the other, that grow out of one block at x < `root`. They touch at rest
// but share nothing where x > root.
Body two_arms(int length, double root) {
  TetMesh mesh = box({length, 4, 2}, {double(length), 4, 2});
  const auto middle_y = [&](const Tet& t) {
    double sum = 0;
    for (const int32_t v : t) sum += mesh.vertices[v].y / 4;
    return sum;
  };
  std::vector<int32_t> copy(mesh.vertices.size(), -1);
  for (Tet& t : mesh.tets) {
    if (middle_y(t) < 2) continue;
    for (int32_t& v : t) {
      const Vec3d x = mesh.vertices[v];
      if (std::abs(x.y - 2) > 1e-9 || x.x < root + 1e-9) continue;
      if (copy[v] < 0) {
        copy[v] = static_cast<int32_t>(mesh.vertices.size());
        mesh.vertices.push_back(x);
      }
      v = copy[v];
    }
  }
  return body_of(std::move(mesh));
}

// The gap runs through the middle of cubes of edge 4.
TEST(Lattice, NothingIsJoinedAcrossAGap) {
  const Body body = two_arms(24, 6);
  // All tets with a free vertex are in cells whose nodes exist twice.
  const auto held = [](Vec3d r) { return r.x < 13 + 1e-9; };
  Case c(body, {.spacing = 4 / std::cbrt(24.0 * 8 / static_cast<double>(body.mesh.vertices.size())), .held = held});
  const LatticeCells& cells = c.lattice.cells();
  ASSERT_NEAR(cells.frames[0].edge, 4, 1e-6);
  // Of six cubes in a row those beyond the root exist twice, as do their nodes except those at the root.
  EXPECT_EQ(c.lattice.cell_count(), 6 + 4);
  EXPECT_EQ(c.nodes(), 4u * (7 + 4));
  // Each vertex is in a cell of its own arm. Slots are marked by tets above the middle.
  std::vector<int> arm(c.model.rest.size(), 0);
  for (const Tet& t : c.model.tets) {
    double y = 0;
    for (const int32_t s : t) y += c.model.rest[s].y / 4;
    for (const int32_t s : t) {
      if (c.model.rest[s].x > 8 + 1e-9) arm[s] = y > 2 ? 1 : -1;
    }
  }
  std::map<int32_t, std::set<int>> arms_of_cell;
  for (size_t s = 0; s < arm.size(); ++s) {
    if (arm[s] != 0) arms_of_cell[cells.of_slot[s]].insert(arm[s]);
  }
  EXPECT_EQ(arms_of_cell.size(), 8u);
  for (const auto& [cell, arms] : arms_of_cell) EXPECT_EQ(arms.size(), 1u);
  // No entry of the matrix connects the arms.
  const Dense a = dense_matrix(c);
  std::vector<int> reached(c.nodes(), 0);
  std::vector<size_t> next;
  for (const auto& [cell, arms] : arms_of_cell) {
    for (const int32_t n : cells.cubes[cell].node) {
      if (*arms.begin() > 0 && a(3 * static_cast<size_t>(n), 3 * static_cast<size_t>(n)) > 0)
        next.push_back(static_cast<size_t>(n));
    }
  }
  size_t count = 0;
  while (!next.empty()) {
    const size_t n = next.back();
    next.pop_back();
    if (reached[n]++ > 0) continue;
    ++count;
    for (size_t i = 0; i < a.n; ++i)
      for (size_t k = 0; k < 3; ++k)
        if (a(3 * n + k, i) != 0) next.push_back(i / 3);
  }
  EXPECT_EQ(count, 4u * 4);
  // Therefore a force on one arm does not move the other, except for the error of conjugate gradients.
  Field f(c.model.rest.size());
  for (size_t s = 0; s < f.size(); ++s) {
    if (arm[s] > 0) f[s] = {0.1, 0.2, 0.3};
  }
  EXPECT_LT(solved(c, f, 10, 30), 1e-4);
  const Field moved = c.motion();
  double most[2] = {0, 0};
  for (size_t s = 0; s < f.size(); ++s) most[arm[s] > 0] = std::fmax(most[arm[s] > 0], size(moved[s]));
  EXPECT_GT(most[1], 0.1);
  EXPECT_LT(most[0], 1e-3 * most[1]);
}

// Two boxes that touch but are not joined are two bodies with separate lattices, at the same places.
TEST(Lattice, BodiesThatTouchHaveLatticesOfTheirOwn) {
  TetMesh upper = box({4, 4, 4});
  const auto first = static_cast<int32_t>(upper.vertices.size());
  for (Vec3d& v : upper.vertices) v.y += 1;
  Case c(body_of(together(std::move(upper), box({4, 4, 4}))), {.h = time_step_of_cases});
  EXPECT_EQ(c.bodies.count(), 2);
  EXPECT_EQ(c.nodes(), 16u);
  Field f(c.model.rest.size());
  for (int32_t v = 0; v < first; ++v) f[static_cast<size_t>(c.model.order.slot(UserVertex{v}))] = {1, 0, 0};
  c.solve(f, 10);
  const Field moved = c.motion();
  for (int32_t v = 0; v < c.model.order.vertex_count(); ++v)
    EXPECT_EQ(size(moved[static_cast<size_t>(c.model.order.slot(UserVertex{v}))]) > 0, v < first);
}

// A body that is not wanted has no nodes and does not move; nor does a body coupled to it alone.
TEST(Lattice, BodiesThatAreNotWantedHaveNoLattice) {
  const Body body = bound_boxes(3, 0.05, weak_constraint_law(200));
  const Model model = body.compile();
  const Bodies bodies = bodies_of(model);
  ASSERT_EQ(bodies.count(), 2);
  ThreadPool pool(1);
  const StepProblem problem = problem_of(model, model.rest, time_step_of_cases);
  Lattice lattice;
  for (const bool first : {true, false}) {
    const std::vector<uint8_t> wanted{static_cast<uint8_t>(first), static_cast<uint8_t>(!first)};
    lattice.prepare(model, bodies, wanted, 100, kernels_with_lanes(0)->lattice, pool);
    lattice.begin_step(problem, pool);
    EXPECT_EQ(lattice.node_count(), 8);
    std::vector<Vec4<double>> x, forces(model.rest.size(), {1, 0, 0, 0});
    for (size_t s = 0; s < model.rest.size(); ++s)
      x.push_back({model.rest[s].x, model.rest[s].y, model.rest[s].z, model.mass[s] > 0 ? 1.0 : 0.0});
    ASSERT_TRUE(lattice.refresh<double>(x, pool));
    EXPECT_GT(lattice.solve<double>(forces, 3, pool), 0);
    lattice.move<double>(x, 1, pool);
    for (size_t s = 0; s < x.size(); ++s) {
      if (model.mass[s] == 0) continue;
      EXPECT_EQ(x[s].x != model.rest[s].x, bodies.of_slot[s] == (first ? 0 : 1));
    }
    int32_t members = 0;  // all that are mixed
    for (int64_t cell = 0; cell < lattice.cell_count(); ++cell) members += lattice.members().cells[cell].count;
    EXPECT_EQ(members, bodies.sizes[0].vertices + bodies.sizes[1].vertices);
  }
}

// If a body has no extent along an axis, both layers of nodes are one.
TEST(Lattice, FlatBodiesHaveOneLayerOfNodes) {
  // 8 x 6 cells of 1/8: the mean distance is (3/4 / 63)^(1/2) = 0.109, a cube about 0.44, and 1 / 0.44 is rounded to 2.
  Case sheet(plane_body_of(rectangle({8, 6}, {1, 0.75})));
  EXPECT_EQ(sheet.lattice.cell_count(), 2 * 2);
  EXPECT_EQ(sheet.nodes(), 3u * 3);
  // 12 x 12 springs of 1/12: three cubes of 1/3.
  Case grid(spring_grid(12, 100));
  EXPECT_EQ(grid.lattice.cell_count(), 3 * 3);
  EXPECT_EQ(grid.nodes(), 4u * 4);
  // Twenty springs of 0.1: five cubes of 0.4.
  Case line(chain(20, 0.1, 1e3));
  EXPECT_EQ(line.lattice.cell_count(), 5);
  EXPECT_EQ(line.nodes(), 6u);
  // The same with coarser lattices: under equal forces all vertices move alike.
  Case fine(chain(200, 0.1, 1e3), {.h = time_step_of_cases, .spacing = 2});
  EXPECT_EQ(fine.nodes(), 101u);
  EXPECT_GT(fine.lattice.cycle().level_count(), 2);
  Field f(fine.model.rest.size(), {1, 2, 3});
  fine.solve(f, 20);
  const double h2 = time_step_of_cases * time_step_of_cases;
  const Field moved = fine.motion();
  for (size_t s = 0; s < moved.size(); ++s) {
    if (fine.model.mass[s] == 0) continue;
    EXPECT_LT(size(moved[s] - h2 * Vec3d{1, 2, 3}), 0.01 * h2);
  }
}

// Two separate boxes of several cells each; the left end is held.
Case two_boxes() {
  TetMesh other = box({3, 3, 3});
  for (Vec3d& v : other.vertices) v.x += 1.5;
  return Case(body_of(together(box({4, 4, 4}), other)),
              {.h = time_step_of_cases, .spacing = 2, .held = [](Vec3d r) { return r.x < 1e-9; }});
}

// A pair adds w_i w_j K between the nodes of the points that it joins, with the weights of their vertices; held
// vertices do not count.
TEST(Lattice, PairsAddTheirStiffness) {
  Random random(14);
  Case c = two_boxes();
  const Dense without = dense_matrix(c);
  const auto slot = [&](int32_t v) { return static_cast<int32_t>(c.model.order.slot(UserVertex{v})); };
  const auto nearest = [&](Vec3d place) {
    int32_t best = 0;
    for (int32_t v = 0; v < c.model.order.vertex_count(); ++v) {
      if (size(c.model.rest[slot(v)] - place) < size(c.model.rest[slot(best)] - place)) best = v;
    }
    return slot(best);
  };
  struct Pair {
    std::vector<int32_t> slots;
    std::vector<double> weights;
    Mat3d k;
  };
  const auto stiffness = [&] {
    const Mat3d m = 100.0 * random.matrix();
    return m * transpose(m);
  };
  const std::vector<Pair> pairs{
      {{nearest({1, 0, 0}), nearest({1.5, 0, 0})}, {1, -1}, stiffness()},
      {{nearest({1, 1, 1}), nearest({1.5, 1, 1}), nearest({1.5, 0.6, 1})}, {1, -0.7, -0.3}, stiffness()},
      {{nearest({0.5, 0, 0}), nearest({0.5, 1, 0})}, {1, -1}, stiffness()},
      {{nearest({0, 0, 0}), nearest({2.5, 0, 0})}, {1, -1}, stiffness()},  // from a held vertex
      {{nearest({0, 1, 0})}, {1}, stiffness()}};                           // a held vertex only
  Dense expected = without;
  std::vector<Field> motions;
  for (size_t i = 0; i < expected.n; ++i) {
    Field unit(c.nodes());
    unit[i / 3] = unit_vector(static_cast<int>(i % 3));
    motions.push_back(c.motion(unit));
  }
  for (const Pair& pair : pairs) {
    c.lattice.add_pair(pair.slots, pair.weights, pair.k);
    for (size_t i = 0; i < expected.n; ++i) {
      for (size_t j = 0; j < expected.n; ++j) {
        Vec3d p{}, q{};
        for (size_t e = 0; e < pair.slots.size(); ++e) {
          p += pair.weights[e] * motions[i][pair.slots[e]];
          q += pair.weights[e] * motions[j][pair.slots[e]];
        }
        expected(i, j) += dot(p, pair.k * q);
      }
    }
  }
  EXPECT_GT(expected.largest_difference(without), 1e3);
  EXPECT_EQ(dense_matrix(c).largest_difference(without), 0) << "from the next matrix on";
  for (int again = 0; again < 2; ++again) {
    ASSERT_TRUE(c.set(c.model.rest));
    const Dense found = dense_matrix(c);
    EXPECT_LT(found.largest_difference(expected), 10 * rounding * expected.largest());
    EXPECT_LT(asymmetry(found), sums_of_rounding);
    EXPECT_TRUE(is_positive(found, sums_of_rounding));
  }
  c.lattice.clear_pairs();
  ASSERT_TRUE(c.set(c.model.rest));
  EXPECT_EQ(dense_matrix(c).largest_difference(without), 0);
}

// A pair as stiff as the boxes: a force on one also moves the other, on all levels.
TEST(Lattice, PairsCoupleBodies) {
  Case c = two_boxes();
  Field f(c.model.rest.size());
  std::vector<uint8_t> second(f.size(), 0);
  for (size_t s = 0; s < f.size(); ++s) second[s] = c.model.mass[s] > 0 && c.model.rest[s].x > 1.2;
  std::vector<int32_t> near, far;
  for (size_t s = 0; s < f.size(); ++s) {
    if (c.model.mass[s] == 0) continue;
    if (std::abs(c.model.rest[s].x - 1) < 1e-9) near.push_back(static_cast<int32_t>(s));
    if (std::abs(c.model.rest[s].x - 1.5) < 1e-9) far.push_back(static_cast<int32_t>(s));
    if (second[s]) f[s] = {1, 0, 0};
  }
  const auto of_first = [&] {
    const Field moved = c.motion();
    double most = 0;
    for (size_t s = 0; s < f.size(); ++s) {
      if (!second[s]) most = std::fmax(most, size(moved[s]));
    }
    return most;
  };
  c.solve(f, 30);
  EXPECT_EQ(of_first(), 0);
  const Mat3d k = diagonal(1e3, 1e3, 1e3);
  for (size_t n = 0; n < std::min(near.size(), far.size()); ++n)
    c.lattice.add_pair(std::array{near[n], far[n]}, std::array{1.0, -1.0}, k);
  ASSERT_TRUE(c.set(c.model.rest));
  c.solve(f, 30);
  double most = 0;
  for (const Vec3d& v : c.motion()) most = std::fmax(most, size(v));
  EXPECT_GT(of_first(), 0.05 * most);
}

std::map<std::string, std::pair<Body, How>> larger_bodies() {
  const auto on_the_left = [](Vec3d r) { return r.x < 1e-9; };
  std::map<std::string, std::pair<Body, How>> list;
  list["cube"] = {body_of(box({14, 14, 14})), {.spacing = 2.5, .held = on_the_left}};
  list["cube in a step"] = {body_of(box({14, 14, 14})), {.h = time_step_of_cases, .spacing = 2.5}};
  list["beam"] = {body_of(box({60, 6, 6}, {10, 1, 1})), {.spacing = 2, .held = on_the_left}};
  list["bound"] = {bound_boxes(7, 0.05, weak_constraint_law(200)),
                   {.spacing = 2, .held = [](Vec3d r) { return r.y > 0.99; }}};
  list["grid"] = {spring_grid(30, 100), {.h = time_step_of_cases, .spacing = 2}};
  return list;
}

// To the accuracy of floats; solving again for the remainder continues. A soft beam is the hardest case.
TEST(Lattice, ConjugateGradientsSolve) {
  Random random(15);
  for (const auto& [name, entry] : larger_bodies()) {
    Case c(entry.first, entry.second);
    ASSERT_GT(c.lattice.cycle().level_count(), 2) << name;
    const Field f = random_field(c.model.rest.size(), random);
    const bool compact = name.starts_with("cube");
    EXPECT_LT(solved(c, f, 1, compact ? 8 : 30), compact ? 1e-5 : 0.02) << name;
    EXPECT_LT(solved(c, f, 3, 30), 1e-7) << name;
  }
}

// The promise of a correction, twice the decrease of energy, grows with the cycles and remains below the possible one.
TEST(Lattice, MoreCyclesPromiseMore) {
  Random random(16);
  for (const auto& [name, entry] : larger_bodies()) {
    Case c(entry.first, entry.second);
    const Field f = random_field(c.model.rest.size(), random);
    solved(c, f, 10, 30);
    const double all = c.lattice.slope<double>(c.forces_of(f), c.pool);
    double last = 0;
    for (const int cycles : {1, 2, 4, 8}) {
      const double promise = c.solve(f, cycles);
      EXPECT_GE(promise, last) << name;
      EXPECT_LT(promise, all * (1 + 1e-4)) << name;
      last = promise;
    }
    EXPECT_GT(last, 0.9 * all) << name;
  }
}

uint64_t hash_of(const Case& c, const Field& moved) {
  const std::span<const Vec4<float>> u = c.lattice.correction();
  return Hash().bytes(u.data(), u.size() * sizeof u[0]).bytes(moved.data(), moved.size() * sizeof moved[0]).value();
}

// Above the size from which threads share the cycles.
TEST(LatticeSameBits, ForAnyNumberOfThreads) {
  auto list = larger_bodies();
  list["large"] = {body_of(box({20, 20, 20})), {.spacing = 1.8}};
  for (const auto& [name, entry] : list) {
    uint64_t first = 0;
    for (const int threads : {1, 2, 7}) {
      How how = entry.second;
      how.threads = threads;
      Case c(entry.first, how);
      if (name == "large") {
        EXPECT_GT(c.nodes(), 1500u);
      }
      Random random(17);
      ASSERT_TRUE(c.set(shaken(c.model.rest, 0.01, random)));
      c.solve(random_field(c.model.rest.size(), random), 6);
      c.lattice.find_turns(c.pool);
      c.lattice.curve(0.5, 6, c.pool);
      const uint64_t hash = hash_of(c, c.motion());
      if (threads == 1) first = hash;
      EXPECT_EQ(hash, first) << name << ", " << threads << " threads";
    }
  }
}

// Equal up to fused operations, whose effect the cycles propagate.
TEST(Lattice, EveryLaneWidthDoesTheSame) {
  for (const auto& [name, entry] : larger_bodies()) {
    Dense scalar_matrix;
    Field scalar;
    for (const int lanes : lane_counts()) {
      How how = entry.second;
      how.lanes = lanes;
      Case c(entry.first, how);
      Random random(18);
      ASSERT_TRUE(c.set(shaken(c.model.rest, 0.02, random)));
      Field u = random_field(c.nodes(), random);
      const Field image = c.product(u);
      c.solve(random_field(c.model.rest.size(), random), 2);
      const Field moved = c.motion();
      if (lanes == 1) {
        scalar = image;
        scalar.insert(scalar.end(), moved.begin(), moved.end());
        continue;
      }
      const auto middle = scalar.begin() + static_cast<std::ptrdiff_t>(image.size());
      EXPECT_LE(norm(difference(image, Field(scalar.begin(), middle))), lane_error(single_precision, 10 * norm(image)));
      EXPECT_LE(norm(difference(moved, Field(middle, scalar.end()))), lane_error(single_precision, 1e5 * norm(moved)))
          << name << ", " << lanes << " lanes";
    }
  }
}

// Disconnected pieces, of one body or of several, are solved like each piece alone.
TEST(Lattice, CoarserLatticesKeepPiecesApart) {
  Random random(19);
  const Body beam = body_of(box({40, 4, 4}, {10, 1, 1}));
  // The same beam three times, in rows so close that their cubes overlap.
  TetMesh mesh = beam.mesh;
  for (int k = 1; k < 3; ++k) {
    TetMesh other = beam.mesh;
    for (Vec3d& v : other.vertices) v.y += 1.1 * k;
    mesh = together(std::move(mesh), other);
  }
  const size_t vertices = beam.mesh.vertices.size();
  const auto held = [](Vec3d r) { return r.x < 1e-9; };
  Case alone(beam, {.spacing = 2, .held = held}), bodies(body_of(mesh), {.spacing = 2, .held = held});
  ASSERT_EQ(bodies.bodies.count(), 3);
  ASSERT_GT(bodies.lattice.cycle().level_count(), 2);
  EXPECT_EQ(bodies.nodes(), 3 * alone.nodes());
  // One body held together by weak springs: loose pieces.
  Body loose = body_of(mesh);
  for (const int32_t k : {1, 2})
    loose.ties.add_spring(static_cast<int32_t>(vertices) * (k - 1), static_cast<int32_t>(vertices) * k, 0, 1);
  const double fit = std::cbrt(3.0 * (10 * 1 * 1) / static_cast<double>(mesh.vertices.size()));
  Case pieces(loose, {.spacing = alone.lattice.cells().frames[0].edge / fit, .held = held});
  ASSERT_EQ(pieces.bodies.count(), 1);

  Field pull(vertices);
  for (Vec3d& v : pull) v = {0.1 * random.normal(), -1, 0.3};
  const auto solve = [&](Case& c, size_t which) {
    Field f(c.model.rest.size());
    const auto slot = [&](size_t v) {
      return static_cast<size_t>(c.model.order.slot(UserVertex{static_cast<int32_t>(which * vertices + v)}));
    };
    for (size_t v = 0; v < vertices; ++v) f[slot(v)] = pull[v];
    EXPECT_LT(solved(c, f, 20, 30), 1e-4);
    const Field moved = c.motion();
    Field result;
    for (size_t v = 0; v < vertices; ++v) result.push_back(moved[slot(v)]);
    double others = 0;
    for (const Vec3d& v : moved) others += dot(v, v);
    EXPECT_NEAR(others, inner(result, result), 1e-6 * others) << "no other moves";
    return result;
  };
  const Field expected = solve(alone, 0);
  EXPECT_GT(norm(expected), 0.1);
  for (size_t k = 0; k < 3; ++k) {
    EXPECT_LT(norm(difference(solve(bodies, k), expected)), 0.01 * norm(expected)) << k;
    // Its cubes are elsewhere: another space with the same spacing.
    EXPECT_LT(norm(difference(solve(pieces, k), expected)), 0.2 * norm(expected)) << k;
  }
}

// The mean rotation of a correction that rotates the whole body, whatever the body's current orientation.
TEST(Lattice, FindsHowFarACorrectionTurns) {
  Random random(20);
  for (int k = 0; k < 4; ++k) {
    Case c(body_of(box({8, 4, 4}, {2, 1, 1})), {.spacing = 2});
    const Mat3d before = random.rotation() * diagonal(1.2, 0.9, 1.0);
    ASSERT_TRUE(c.set(c.mapped(before)));
    Field u = c.node_places();
    for (Vec3d& p : u) p = 0.1 * (k + 1) * cross(Vec3d{0.6, 0, 0.8}, before * p);
    c.set_correction(u);
    EXPECT_NEAR(c.lattice.find_turns(c.pool), 0.1 * (k + 1), 1e-5);
  }
}

// A cantilever that bends far: along straight lines its axis would grow, along circles it keeps its length.
TEST(Lattice, CurvedCorrectionsBendWithoutStretching) {
  for (const double spacing : {2.0, 4.0}) {
    Case c(body_of(box({24, 4, 4}, {12, 2, 2})), {.spacing = spacing, .held = [](Vec3d r) { return r.x < 1e-9; }});
    std::vector<size_t> line;  // slots along the axis
    for (int i = 0; i <= 24; ++i) {
      const Vec3d place{0.5 * i, 1, 1};
      for (size_t s = 0; s < c.model.rest.size(); ++s) {
        if (c.model.mass[s] > 0 && size(c.model.rest[s] - place) < 1e-9) line.push_back(s);
      }
    }
    ASSERT_EQ(line.size(), 25u);
    const auto longer = [&](const Field& moved) {
      double length = 0;
      for (size_t k = 1; k < line.size(); ++k)
        length += size(c.model.rest[line[k]] + moved[line[k]] - c.model.rest[line[k - 1]] - moved[line[k - 1]]);
      return length / 12 - 1;
    };
    Field f(c.model.rest.size(), {0, -1, 0});
    solved(c, f, 20, 30);
    // Scaled to a mean rotation of half a radian.
    Field u = c.correction();
    const double turn = c.lattice.find_turns(c.pool);
    for (Vec3d& v : u) v = (0.5 / turn) * v;
    const Field straight = c.motion(u);
    EXPECT_NEAR(c.lattice.find_turns(c.pool), 0.5, 1e-4);
    c.lattice.curve(1, 100, c.pool);
    const Field curved = c.motion();
    EXPECT_GT(longer(straight), 0.1);
    EXPECT_LT(std::abs(longer(curved)), 0.2 * longer(straight));
    const size_t tip = line.back();
    EXPECT_GT(size(curved[tip]), 0.6 * size(straight[tip])) << "nearly as far";
    EXPECT_LT(curved[tip].x, -0.1) << "and back towards where it is held";
  }
}

// A pure stretch has no rotation, and is unchanged.
TEST(Lattice, CorrectionsThatTurnNothingStayStraight) {
  Case c(body_of(box({8, 4, 4}, {2, 1, 1})), {.spacing = 2});
  Mat3d stretch = diagonal(0.1, -0.05, 0.02);
  stretch.c0.y = stretch.c1.x = 0.03;
  Field u = c.node_places();
  for (Vec3d& p : u) p = stretch * p;
  c.set_correction(u);
  EXPECT_LT(c.lattice.find_turns(c.pool), 1e-6);
  c.lattice.curve(0.5, 20, c.pool);
  for (Vec3d& v : u) v = 0.5 * v;
  EXPECT_LT(norm(difference(c.correction(), u)), 1e-5 * norm(u));
}

}  // namespace
}  // namespace sinew
