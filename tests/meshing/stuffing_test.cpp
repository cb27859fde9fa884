// Source: Labelle and Shewchuk 2007: angle bounds, closed boundaries; volumes and Euler characteristics in closed form.
#include "meshing/stuffing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <numbers>

#include "base/hash.h"
#include "mesh/quality.h"
#include "mesh/repair.h"
#include "mesh/topology.h"
#include "support/fields.h"
#include "support/random.h"

namespace sinew {
namespace {

using support::FormulaField;

TetMesh stuffed(const DistanceField& field, double cell, StuffingReport* report = nullptr) {
  auto mesh = stuff(field, {.cell = cell}, ThreadPool::caller(), {}, report);
  EXPECT_TRUE(mesh.ok()) << mesh.error().message();
  return mesh.ok() ? std::move(*mesh) : TetMesh{};
}

struct Checked {
  MeshQuality quality;
  TetTopology tets;
  SurfaceTopology surface;
  Boundary boundary;
};

// Coincident boundary triangles: a crack, whose sides should be joined.
int64_t cracks(const TetMesh& mesh, const Boundary& boundary) {
  const auto place = [&](int32_t v) {
    const Vec3d p = mesh.vertices[v];
    return std::array{p.x, p.y, p.z};
  };
  std::map<std::array<std::array<double, 3>, 3>, int> faces;
  int64_t twice = 0;
  for (const Triangle& t : boundary.triangles) {
    std::array corners{place(t[0]), place(t[1]), place(t[2])};
    std::sort(corners.begin(), corners.end());
    twice += faces[corners]++ > 0;
  }
  return twice;
}

// Checks the invariants of every mesh, and returns its measures. `pinched`: the number of edges that may keep more than
// two faces.
Checked check(const TetMesh& mesh, int64_t pinched = 0) {
  Checked c;
  c.quality = mesh_quality(mesh);
  c.boundary = extract_boundary(mesh);
  c.tets = tet_topology(mesh, c.boundary);
  c.surface = surface_topology(c.boundary.triangles, mesh.vertices.size());
  EXPECT_EQ(c.quality.inverted_tets, 0);
  EXPECT_GT(c.quality.smallest_volume, 0);
  EXPECT_GE(c.quality.worst_small_angle, smallest_angle);
  EXPECT_LE(c.quality.worst_large_angle, largest_angle);
  EXPECT_EQ(c.surface.watertight(), pinched == 0);
  EXPECT_EQ(c.boundary.crowded_faces, 0);
  EXPECT_EQ(cracks(mesh, c.boundary), 0);
  EXPECT_EQ(c.boundary.folded_faces, 0);
  // No unused vertex.
  EXPECT_EQ(c.tets.vertices, static_cast<int64_t>(mesh.vertices.size()));
  TetMesh copy = mesh;
  const auto repaired = repair(copy);
  EXPECT_TRUE(repaired.ok());
  EXPECT_FALSE(repaired->changed());
  return c;
}

double farthest_from_surface(const TetMesh& mesh, const Boundary& boundary, const FormulaField& field) {
  double farthest = 0;
  for (const Triangle& t : boundary.triangles)
    for (const int32_t v : t) farthest = std::max(farthest, std::abs(field(mesh.vertices[v])));
  return farthest;
}

TEST(Stuffing, FillsABall) {
  const FormulaField ball = support::ball_field(1);
  const TetMesh mesh = stuffed(ball, 0.1);
  const Checked c = check(mesh);
  EXPECT_EQ(c.surface.euler_characteristic(), 2);
  EXPECT_EQ(c.tets.components, 1);
  EXPECT_EQ(c.tets.euler_characteristic(), 1);
  EXPECT_NEAR(c.quality.volume, 4 * std::numbers::pi / 3, 0.01 * 4);
  // Twelve tets per cell, more at the surface.
  const double cells = 4 * std::numbers::pi / 3 / 1e-3;
  EXPECT_GT(static_cast<double>(mesh.tets.size()), 12 * cells);
  EXPECT_LT(static_cast<double>(mesh.tets.size()), 18 * cells);
  EXPECT_LT(farthest_from_surface(mesh, c.boundary, ball), 1e-3 * 0.1);
}

// A surface interpolated between points of the true one loses volume in proportion to the square of the cell.
TEST(Stuffing, VolumeConvergesWithTheSquareOfTheCell) {
  const FormulaField ball = support::ball_field(1), torus = support::torus_field(1, 0.4);
  const double ball_volume = 4 * std::numbers::pi / 3, torus_volume = 2 * std::pow(std::numbers::pi * 0.4, 2);
  for (const auto& [field, volume] : {std::pair(&ball, ball_volume), std::pair(&torus, torus_volume)}) {
    const double coarse = volume - mesh_quality(stuffed(*field, 0.16)).volume;
    const double fine = volume - mesh_quality(stuffed(*field, 0.04)).volume;
    EXPECT_GT(coarse, 0);
    // 16, up to the position of the lattice; measured 15.7 and 16.2.
    EXPECT_NEAR(coarse / fine, 16, 2);
    EXPECT_LT(fine / volume, 0.01);
  }
}

TEST(Stuffing, KeepsHolesAndHandles) {
  const TetMesh torus = stuffed(support::torus_field(1, 0.4), 0.1);
  EXPECT_EQ(check(torus).surface.euler_characteristic(), 0);
  const TetMesh two = stuffed(support::double_torus_field(1, 0.3), 0.08);
  const Checked c = check(two);
  EXPECT_EQ(c.surface.euler_characteristic(), -2);
  EXPECT_EQ(c.tets.components, 1);
  // A shell: an inner and an outer sphere.
  const FormulaField shell({{-1, -1, -1}, {1, 1, 1}}, [](Vec3d p) { return std::abs(support::norm(p) - 0.8) - 0.2; });
  const Checked s = check(stuffed(shell, 0.1));
  EXPECT_EQ(s.surface.euler_characteristic(), 4);
  EXPECT_EQ(s.surface.components, 2);
  EXPECT_EQ(s.tets.components, 1);
}

// A box whose sides are multiples of the cell has its faces on lattice planes: the field there is 0 or rounding.
TEST(Stuffing, BoxesOnAndOffTheLattice) {
  const Vec3d half{0.5, 0.3, 0.2};
  for (const double cell : {0.05, 0.1, 0.0471, 0.0777}) {
    const FormulaField box = support::box_field(half);
    const TetMesh mesh = stuffed(box, cell);
    const Checked c = check(mesh);
    EXPECT_EQ(c.surface.euler_characteristic(), 2) << cell;
    // Along its edges, 8 m, up to 0.14 cells squared are cut off: more than a triangle of half a cell each way.
    EXPECT_NEAR(c.quality.volume, 0.24, 0.2 * 8 * cell * cell) << cell;
    EXPECT_LT(farthest_from_surface(mesh, c.boundary, box), 1e-3 * cell) << cell;
  }
}

// Edges through lattice points: inside points next to one move onto the faces of the solid, and the remaining tets
// there are joined by faces with all three corners on the surface.
TEST(Stuffing, SharpEdgesThroughTheLatticeAreWhole) {
  const FormulaField octahedron({{-1, -1, -1}, {1, 1, 1}}, [](Vec3d p) {
    return (std::abs(p.x) + std::abs(p.y) + std::abs(p.z) - 1) / std::numbers::sqrt3;
  });
  for (const int cells : {6, 24, 25}) {
    StuffingReport report;
    const Checked c = check(stuffed(octahedron, 2.0 / cells, &report));
    EXPECT_EQ(report.touching_vertices, 0) << cells;
    EXPECT_EQ(c.surface.euler_characteristic(), 2) << cells;
  }
}

TEST(Stuffing, ThinPlatesStayWhole) {
  for (const double thickness : {2.0, 1.5, 1.1}) {
    const FormulaField plate = support::box_field({1, 0.8, 0.05 * thickness});
    const Checked c = check(stuffed(plate, 0.1));
    EXPECT_EQ(c.tets.components, 1) << thickness;
    EXPECT_EQ(c.surface.euler_characteristic(), 2) << thickness;
  }
}

// Random unions of balls: creases, tangencies, thin bridges and slits. Checks bounds, closedness and the number of
// pieces.
TEST(Stuffing, RandomUnionsOfBallsKeepTheBounds) {
  support::Random random(7);
  int64_t halved = 0, split = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const FormulaField field = support::balls_field(support::random_balls(random));
    const double cell = random.between(0.04, 0.12);
    StuffingReport report;
    const TetMesh mesh = stuffed(field, cell, &report);
    const Checked c = check(mesh, report.pinched_edges);
    halved += report.halved_edges;
    split += report.touching_vertices;
    if (report.halved_edges == 0) {
      EXPECT_LT(farthest_from_surface(mesh, c.boundary, field), 1e-3 * cell);
    }
  }
  RecordProperty("halved", std::to_string(halved));
  RecordProperty("split", std::to_string(split));
}

// Noise at the scale of the lattice: every stencil, and solids that touch themselves everywhere. Only the sign is
// random; nothing is smooth.
TEST(Stuffing, NoiseIsClosedToo) {
  support::Random random(3);
  int64_t halved = 0, split = 0;
  for (int trial = 0; trial < 12; ++trial) {
    const Vec3d a = 20.0 * random.vector(), b = 20.0 * random.vector(), c = 20.0 * random.vector();
    const double level = random.between(-0.8, 0.8);
    const bool jumps = trial % 3 == 2;
    const FormulaField noise(
        {{-1, -1, -1}, {1, 1, 1}},
        [=](Vec3d p) {
          const double waves = std::sin(dot(a, p)) + std::sin(dot(b, p) + 1) + std::sin(dot(c, p) + 2) + level;
          const double inside = std::max(waves, support::box_distance(p, {0.95, 0.95, 0.95}));
          return jumps ? (inside < 0 ? -0.3 : 0.3) : inside;
        },
        false);
    StuffingReport report;
    check(stuffed(noise, random.between(0.08, 0.16), &report), report.pinched_edges);
    halved += report.halved_edges;
    split += report.touching_vertices;
  }
  // Both repairs occurred.
  EXPECT_GT(halved, 0);
  EXPECT_GT(split, 0);
}

// If the sign jumps, the surface is at the jump.
TEST(Stuffing, FindsWhereTheSignJumps) {
  const FormulaField ball(
      {{-1, -1, -1}, {1, 1, 1}}, [](Vec3d p) { return support::norm(p) < 0.8 ? -0.4 : 0.3; }, false);
  const TetMesh mesh = stuffed(ball, 0.1);
  const Checked c = check(mesh);
  EXPECT_EQ(c.surface.euler_characteristic(), 2);
  for (const Triangle& t : c.boundary.triangles)
    for (const int32_t v : t) EXPECT_NEAR(support::norm(mesh.vertices[v]), 0.8, 1e-3 * 0.1);
}

// Skipping parts of space changes nothing.
TEST(Stuffing, PruningChangesNothing) {
  const auto ball = [](bool continuous) {
    return FormulaField(
        {{-1, -1, -1}, {1, 1, 1}}, [](Vec3d p) { return support::norm(p) - 0.97; }, continuous);
  };
  const TetMesh pruned = stuffed(ball(true), 0.05), all = stuffed(ball(false), 0.05);
  // Vertices of blocks that were not sampled are in another order.
  ASSERT_EQ(pruned.tets.size(), all.tets.size());
  ASSERT_EQ(pruned.vertices.size(), all.vertices.size());
  EXPECT_EQ(mesh_quality(pruned).volume, mesh_quality(all).volume);
}

TEST(Stuffing, SeparatePiecesStaySeparate) {
  const TetMesh mesh = stuffed(support::balls_field({{{0, 0, 0}, 0.5}, {{1.5, 0, 0}, 0.5}, {{0, 1.4, 0.3}, 0.4}}), 0.1);
  EXPECT_EQ(check(mesh).tets.components, 3);
}

// Thin rods beside a ball: between lattice points, or so thin that inside points move onto the surface.
TEST(Stuffing, TellsOfPartsItMisses) {
  const auto rods = [](double radius) {
    return FormulaField({{-1, -1, -1}, {20, 1, 1}}, [=](Vec3d p) {
      double least = support::norm(p) - 1;
      for (const double x : {8.1, 16.0}) {
        const double along = std::max(0.0, std::abs(p.y) - 0.9);
        least = std::min(least, std::sqrt((p.x - x) * (p.x - x) + p.z * p.z + along * along) - radius);
      }
      return least;
    });
  };
  StuffingReport report;
  stuffed(rods(0.02), 0.2, &report);
  ASSERT_EQ(report.missed.size(), 2u);
  for (const Vec3d& p : report.missed) EXPECT_LT(std::min(std::abs(p.x - 8.1), std::abs(p.x - 16)), 8 * 0.2);
  stuffed(rods(0.02), 0.02, &report);
  EXPECT_EQ(report.missed.size(), 0u);
  // Coincident faces enclose nothing.
  const FormulaField halved({{-1, -1, -1}, {20, 1, 1}}, [](Vec3d p) {
    const double bar = support::box_distance(p - Vec3d{9.5, 0, 0}, {10.5, 1, 1});
    return std::max(bar, -support::box_distance(p - Vec3d{11, 0, 0}, {9, 1, 1}));
  });
  stuffed(halved, 0.2, &report);
  EXPECT_EQ(report.missed.size(), 0u);
}

// The same surface and bounds with fewer tets: their number grows only with the surface. A cube of 47 cells has room
// for leaves of one, two, four and eight.
TEST(Stuffing, GradingGrowsInnerTets) {
  const FormulaField cube = support::box_field({0.5, 0.5, 0.5});
  const double cell = 1.0 / 47;
  const TetMesh even = stuffed(cube, cell);
  const Checked e = check(even);
  size_t previous = even.tets.size();
  for (const int coarsest : {1, 2, 3}) {
    const StuffingOptions options{.cell = cell, .coarsest = coarsest};
    auto mesh = stuff(cube, options, ThreadPool::caller());
    ASSERT_TRUE(mesh.ok());
    const Checked c = check(*mesh);
    EXPECT_EQ(c.tets.euler_characteristic(), 1) << coarsest;
    EXPECT_NEAR(c.quality.volume, e.quality.volume, 1e-9);
    EXPECT_EQ(c.surface.faces, e.surface.faces);
    EXPECT_EQ(c.surface.vertices, e.surface.vertices);
    // The faces of this cube lie on lattice planes, so the worst are those between leaves of two sizes.
    EXPECT_GT(c.quality.worst_small_angle, 45 - 1e-9);
    EXPECT_LT(c.quality.worst_large_angle, 120 + 1e-9);
    EXPECT_LT(mesh->tets.size(), previous);
    EXPECT_NEAR(c.quality.longest_edge, cell * (1 << coarsest), 1e-12);
    previous = mesh->tets.size();
    EXPECT_EQ(count_tets(cube, options, ThreadPool::caller()).value(), static_cast<int64_t>(mesh->tets.size()));
  }
  EXPECT_LT(previous, even.tets.size() / 2);
}

TEST(Stuffing, GradedUnionsOfBallsKeepTheBounds) {
  support::Random random(23);
  for (int trial = 0; trial < 10; ++trial) {
    std::vector<support::Ball> balls;
    for (int k = 0; k < 5; ++k)
      balls.push_back(
          {{random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)}, random.between(0.3, 0.8)});
    const FormulaField field = support::balls_field(balls);
    const double cell = random.between(0.03, 0.05);
    StuffingReport report;
    auto even = stuff(field, {.cell = cell}, ThreadPool::caller());
    auto graded = stuff(field, {.cell = cell, .coarsest = 1 + trial % 3}, ThreadPool::caller(), {}, &report);
    ASSERT_TRUE(even.ok() && graded.ok());
    const Checked c = check(*graded, report.pinched_edges);
    EXPECT_NEAR(c.quality.volume, mesh_quality(*even).volume, 1e-9);
    EXPECT_LT(graded->tets.size(), even->tets.size());
  }
}

TEST(Stuffing, SameBitsForAnyNumberOfThreads) {
  std::vector<support::Ball> balls;
  support::Random random(11);
  for (int k = 0; k < 12; ++k)
    balls.push_back({{random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)}, random.between(0.1, 0.5)});
  const auto hash = [&](int threads, int coarsest = 0) {
    ThreadPool pool(threads);
    const TetMesh mesh = stuff(support::balls_field(balls), {.cell = 0.05, .coarsest = coarsest}, pool).value();
    return Hash()
        .bytes(mesh.vertices.data(), mesh.vertices.size() * sizeof(Vec3d))
        .bytes(mesh.tets.data(), mesh.tets.size() * sizeof(Tet))
        .value();
  };
  const uint64_t one = hash(1), graded = hash(1, 2);
  EXPECT_NE(one, graded);
  for (const int threads : {2, 3, 4}) {
    EXPECT_EQ(hash(threads), one) << threads;
    EXPECT_EQ(hash(threads, 2), graded) << threads;
  }
}

TEST(Stuffing, RefusesWhatItCannotMesh) {
  const FormulaField ball = support::ball_field(1);
  const auto refusal = [](const DistanceField& field, const StuffingOptions& options) {
    const auto mesh = stuff(field, options, ThreadPool::caller());
    EXPECT_FALSE(mesh.ok());
    return mesh.ok() ? std::string() : mesh.error().message();
  };
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = Bounds::infinity;
  EXPECT_EQ(refusal(ball, {.cell = 0}), "cell = 0 m; give a positive length");
  EXPECT_EQ(refusal(ball, {.cell = -1}), "cell = -1 m; give a positive length");
  EXPECT_EQ(refusal(ball, {.cell = 0.1, .coarsest = 4}), "coarsest = 4; give 0 to 3");
  EXPECT_EQ(refusal(ball, {.cell = nan}).substr(0, 6), "cell =");
  EXPECT_NE(refusal(support::balls_field({{{0.2, 0.4, 0.7}, 1}, {{3, 3, 3}, 1}}), {.cell = 10})
                .find("no lattice point is inside; take a cell of at most"),
            std::string::npos);
  EXPECT_NE(refusal(ball, {.cell = 0.1, .max_tets = 1000}).find("are allowed; take a cell of at least"),
            std::string::npos);
  for (const double cell : {1e-4, 1e-11}) {
    const std::string says = refusal(ball, {.cell = cell});
    EXPECT_NE(says.find("more tetrahedra than the 100000000 that are allowed; take a cell of at least 0.0"),
              std::string::npos)
        << says;
  }
  EXPECT_NE(refusal(ball, {.cell = 1e-30}).find("too small for coordinates of"), std::string::npos);
  EXPECT_NE(refusal(support::ball_field(1, {1e15, 0, 0}), {.cell = 0.1}).find("move the solid nearer to the origin"),
            std::string::npos);
  for (const double size : {1e-300, 1e101})
    EXPECT_NE(refusal(support::ball_field(size), {.cell = 0.1 * size}).find("scale it to between 1e-100 and 1e+100 m"),
              std::string::npos);
  EXPECT_NE(refusal(FormulaField({}, [](Vec3d) { return 1.0; }), {.cell = 1}).find("bounds are empty"),
            std::string::npos);
  EXPECT_NE(
      refusal(FormulaField({{0, 0, 0}, {infinity, 1, 1}}, [](Vec3d) { return 1.0; }), {.cell = 1}).find("not finite"),
      std::string::npos);
  EXPECT_NE(
      refusal(FormulaField({{0, 0, 0}, {1, 1, 1}}, [](Vec3d) { return nan; }), {.cell = 0.1}).find("is not finite at"),
      std::string::npos);
  EXPECT_NE(refusal(FormulaField(
                        {{0, 0, 0}, {1, 1, 1}}, [](Vec3d p) { return p.x > 0.9 ? nan : -1.0; }, false),
                    {.cell = 0.1})
                .find("is not finite at"),
            std::string::npos);
  EXPECT_NE(refusal(FormulaField({{-0.1, -0.1, -0.1}, {0.1, 0.1, 0.1}}, [](Vec3d p) { return support::norm(p) - 1; }),
                    {.cell = 0.05})
                .find("negative outside its bounds"),
            std::string::npos);
}

// Graded meshes have few tets in many cells; the number at the surface is unchanged.
TEST(Stuffing, RefusesBeforeItHasSampledMuchMoreThanIsAllowed) {
  for (const int coarsest : {0, 1, 3}) {
    int64_t asked = 0;
    const FormulaField hollow({{-1, -1, -1}, {1, 1, 1}}, [&](Vec3d p) {
      ++asked;
      return std::abs(support::norm(p) - 0.98) - 0.02;
    });
    constexpr int64_t most = 1'000'000;
    const auto mesh = stuff(hollow, {.cell = 1.0 / 1024, .coarsest = coarsest, .max_tets = most}, ThreadPool::caller());
    ASSERT_FALSE(mesh.ok());
    EXPECT_NE(mesh.error().message().find("take a cell of at least"), std::string::npos) << mesh.error().message();
    EXPECT_LT(asked, 3 * most);
  }
}

// The same mesh at any scale and place, up to rounding: exact for powers of two; at a distance of 1e6 x size half of
// the digits remain.
TEST(Stuffing, ScaleAndPlaceDoNotMatter) {
  const TetMesh unit = stuffed(support::ball_field(1), 0.2);
  constexpr double two20 = 1 << 20;
  for (const double scale : {1 / two20, two20}) {
    const TetMesh scaled = stuffed(support::ball_field(scale), 0.2 * scale);
    EXPECT_EQ(scaled.tets, unit.tets);
    for (size_t v = 0; v < unit.vertices.size(); ++v)
      ASSERT_EQ(support::norm(scaled.vertices[v] - scale * unit.vertices[v]), 0);
  }
  const TetMesh tiny = stuffed(support::ball_field(1e-6), 0.2e-6), huge = stuffed(support::ball_field(1e6), 0.2e6);
  EXPECT_EQ(tiny.tets, unit.tets);
  EXPECT_EQ(huge.tets, unit.tets);
  check(tiny);
  check(huge);
  const TetMesh far = stuffed(support::ball_field(1, {1e6, -2e6, 3e6}), 0.2);
  check(far);
  EXPECT_EQ(far.tets, unit.tets);
}

// The remedies of the errors work.
TEST(Stuffing, TheCellThatIsAdvisedWorks) {
  const FormulaField ball = support::ball_field(1);
  for (const FormulaField& solid :
       {ball, support::box_field({1, 0.01, 1}), support::ball_field(0.01, {0.3, 0.7, 0.9})}) {
    const auto coarse = stuff(solid, {.cell = 10}, ThreadPool::caller());
    ASSERT_FALSE(coarse.ok());
    const std::string remedy = coarse.error().remedy;
    const double cell = std::stod(remedy.substr(remedy.find("at most ") + 8));
    EXPECT_TRUE(stuff(solid, {.cell = cell}, ThreadPool::caller()).ok()) << remedy;
    EXPECT_GT(cell, 0.2 * std::min({solid.bounds().high.x - solid.bounds().low.x,
                                    solid.bounds().high.y - solid.bounds().low.y}))
        << "of a ball or a plate, two fit inside";
  }
  const auto uncountable = stuff(ball, {.cell = 1e-4, .max_tets = 50000}, ThreadPool::caller());
  ASSERT_FALSE(uncountable.ok());
  const std::string larger = uncountable.error().remedy;
  EXPECT_TRUE(stuff(ball, {.cell = std::stod(larger.substr(larger.find("at least ") + 9)), .max_tets = 50000},
                    ThreadPool::caller())
                  .ok())
      << larger;
  const auto refused = stuff(ball, {.cell = 0.05, .max_tets = 50000}, ThreadPool::caller());
  ASSERT_FALSE(refused.ok());
  const std::string advice = refused.error().remedy;
  const double cell = std::stod(advice.substr(advice.find("at least ") + 9));
  const auto mesh = stuff(ball, {.cell = cell, .max_tets = 50000}, ThreadPool::caller());
  ASSERT_TRUE(mesh.ok()) << mesh.error().message();
  EXPECT_GT(mesh->tets.size(), 40000u);
}

}  // namespace
}  // namespace sinew
