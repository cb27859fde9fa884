// Source: the interfaces in compile/spring_mesh.h and describe.h for chains and grids; docs/theory.md, Reference
// solutions (the heavy chain).
#include <cmath>

#include "compile/generated.h"
#include "compile/spring_mesh.h"
#include "sinew/compare.h"
#include "sinew/simulation.h"
#include "support/box_scene.h"
#include "support/random.h"

namespace sinew {
namespace {

Scene spring_scene(SceneMesh mesh) {
  Scene scene;
  SceneObject object;
  object.name = "springs";
  object.mesh = std::move(mesh);
  scene.objects = {object};
  scene.time.duration = 0.25;  // nothing falls far
  return scene;
}
std::vector<double> user_masses(const CompiledScene& c) {
  return c.model.order.to_user(c.model.mass);
}
// The user's numbers of a spring's points.
std::pair<int32_t, int32_t> points_of(const CompiledScene& c, int32_t tie) {
  const auto at = [&](int k) {
    return static_cast<int32_t>(c.model.order.vertex(Slot{c.model.ties.vertices_of(tie)[k]}));
  };
  return {at(0), at(1)};
}

TEST(Springs, AChainIsPointsInARow) {
  const CompiledScene c = compiled(spring_scene(MeshChain{.links = 4,
                                                          .spacing = 0.5,
                                                          .origin = {1, 0, 0},
                                                          .direction = {0, -2, 0},
                                                          .point_mass = 2,
                                                          .end_mass = 7,
                                                          .stiffness = 100,
                                                          .far_stiffness = 900}));
  EXPECT_EQ(user_masses(c), (std::vector<double>{2, 2, 2, 2, 7}));
  EXPECT_TRUE(c.model.tets.empty());
  ASSERT_EQ(c.model.ties.count(), 4);
  for (int32_t t = 0; t < 4; ++t) {
    EXPECT_EQ(points_of(c, t), (std::pair{t, t + 1}));
    EXPECT_EQ(c.model.ties.laws[t].kind, TieKind::Spring);
    EXPECT_EQ(c.model.ties.laws[t].stiffness, t < 2 ? 100 : 900);
    EXPECT_DOUBLE_EQ(c.model.ties.laws[t].rest_length, 0.5);
    EXPECT_EQ(rest_of(c, t).y, -0.5 * t);
  }
  EXPECT_TRUE(c.objects[0].surface.empty());
  EXPECT_TRUE(c.warnings.empty()) << c.warnings[0];
}

TEST(Springs, AGridHasEdgesDiagonalsAndASurface) {
  const MeshGrid grid{.columns = 4, .rows = 3, .spacing = 0.1, .mass = 6, .stiffness = 50, .shear_stiffness = 5};
  const CompiledScene c = compiled(spring_scene(grid));
  EXPECT_EQ(user_masses(c), std::vector<double>(12, 0.5));
  EXPECT_EQ(c.objects[0].surface.size(), 2u * 3 * 2);
  int edges = 0, diagonals = 0;
  for (int32_t t = 0; t < c.model.ties.count(); ++t) {
    const TieLaw<double>& law = c.model.ties.laws[t];
    const auto [a, b] = points_of(c, t);
    const int di = std::abs(a % 4 - b % 4), dj = std::abs(a / 4 - b / 4);
    EXPECT_LE(std::max(di, dj), 1);
    const bool is_edge = di + dj == 1;
    (is_edge ? edges : diagonals) += 1;
    EXPECT_EQ(law.stiffness, is_edge ? 50 : 5);
    EXPECT_NEAR(law.rest_length, is_edge ? 0.1 : 0.1 * std::sqrt(2), 1e-15);
  }
  EXPECT_EQ(edges, 3 * 3 + 4 * 2);
  EXPECT_EQ(diagonals, 2 * 3 * 2);
  EXPECT_EQ(generated_size(grid).vertices, 12);
  EXPECT_EQ(generated_size(grid).springs, edges + diagonals);
}

// Placed in the world like the tets of other objects; each copy has its own springs and masses.
TEST(Springs, AreAtRestWhereTheyArePlacedAndCopied) {
  Scene scene = spring_scene(MeshChain{.links = 2, .spacing = 1, .point_mass = 3, .end_mass = {}, .far_stiffness = {}});
  scene.objects[0].transform.scale = {2, 1, 1};
  scene.objects[0].transform.translate = {0, 5, 0};
  scene.objects[0].copies = {{1, 2, 1}, {0, 10, 0}};
  Scene block = box_scene(1);
  scene.materials = block.materials;
  scene.objects.insert(scene.objects.begin(), block.objects[0]);
  scene.objects.push_back(block.objects[0]);
  scene.objects.back().name = "other";
  const CompiledScene c = compiled(scene);
  ASSERT_EQ(c.model.ties.count(), 4);
  EXPECT_EQ(points_of(c, 0), (std::pair{8, 9}));
  EXPECT_EQ(points_of(c, 3), (std::pair{12, 13}));
  for (const TieLaw<double>& law : c.model.ties.laws) EXPECT_EQ(law.rest_length, 2);
  EXPECT_EQ(rest_of(c, 13).y, 15);
  const std::vector<double> masses = user_masses(c);
  for (int32_t v = 8; v < 14; ++v) EXPECT_EQ(masses[v], 3);
  EXPECT_EQ(masses[0], masses[14]);  // the boxes have masses from their tets
  EXPECT_GT(masses[0], 0);
}

TEST(Springs, OfChainsAndGridsMayBeDamped) {
  for (const SceneMesh& mesh : {SceneMesh{MeshChain{.end_mass = {}, .far_stiffness = {}, .damping = 0.25}},
                                SceneMesh{MeshGrid{.damping = 0.25}}}) {
    const CompiledScene c = compiled(spring_scene(mesh));
    EXPECT_GT(c.model.ties.count(), 9);
    for (const TieLaw<double>& law : c.model.ties.laws) EXPECT_EQ(law.damping, 0.25);
  }
  EXPECT_HAS(error_of(spring_scene(MeshChain{.end_mass = {}, .far_stiffness = {}, .damping = -1})),
             "objects.springs.mesh.chain.damping = -1 [s]");
  const Scene thick = spring_scene(MeshGrid{.damping = 1e300});
  EXPECT_HAS(error_of(thick), "objects.springs.mesh: damping / time step times the stiffness of a spring is ");
}

TEST(Springs, NeedNoMaterialAndTakeNone) {
  Scene scene = spring_scene(MeshChain{});
  EXPECT_EQ(error_of(scene), "");
  scene.materials = box_scene().materials;
  scene.objects[0].material = "rubber";
  EXPECT_HAS(error_of(scene), "objects.springs.material: chains and grids are made of springs");
  scene.objects[0].material = "";
  scene.objects[0].stiffness_factors = FactorList{{1}};
  EXPECT_HAS(error_of(scene), "objects.springs.stiffness_factors: chains and grids");
  scene = box_scene();
  scene.objects[0].material = "";
  EXPECT_HAS(error_of(scene), "objects.block.material: missing");
  scene = spring_scene(MeshChain{.origin = {}, .direction = {0, 0, 0}, .end_mass = {}, .far_stiffness = {}});
  EXPECT_HAS(error_of(scene), "objects.springs.mesh.chain.direction = [0, 0, 0]: has no direction");
}

// Quasistatics: a pin on the first point holds the whole chain.
TEST(Springs, HoldWhatHangsFromThem) {
  Scene scene = spring_scene(MeshChain{});
  scene.time.quasistatic = true;
  EXPECT_HAS(error_of(scene), "no pin holds the part");
  scene.pins = {pin_of(SelectIndices{{0}}, "springs")};
  EXPECT_EQ(error_of(scene), "");
}

// A spring resists only along itself, and in quasistatics nothing else holds its points: hanging straight down, and
// between two pins, where only the tension that builds up carries the weight.
TEST(Springs, HangLikeNewtonUnderSweepsByVertices) {
  for (const bool between : {false, true}) {
    Scene scene = spring_scene(MeshChain{.links = 4,
                                         .origin = {},
                                         .direction = {between ? 1.0 : 0.0, between ? 0.0 : -1.0, 0},
                                         .end_mass = {},
                                         .stiffness = 1000,
                                         .far_stiffness = {}});
    scene.time.quasistatic = true;
    scene.time.frame_dt = scene.time.duration = 0.1;
    scene.pins = {pin_of(between ? SelectIndices{{0, 4}} : SelectIndices{{0}}, "springs")};
    ComparisonOptions options;
    options.iterations = 1000;
    options.threads = 1;
    options.methods =
        parse_methods("vbd:precision=double,pbng:precision=double,block_jacobi:precision=double,vbd", scene).value();
    const Result<Comparison> comparison = compare(scene, options);
    ASSERT_TRUE(comparison.ok()) << comparison.error().message();
    EXPECT_TRUE(comparison->reference.converged);
    for (const Curve& curve : comparison->curves) {
      EXPECT_GT(curve.points.front().error.max, 1e-3) << curve.label;
      EXPECT_LT(curve.points.back().error.max, curve.label == "vbd" ? 1e-6 : 1e-12) << curve.label;
    }
  }
}

TEST(Springs, TheHeavyChainIsTheReference) {
  const Result<Scene> scene = read_scene(SINEW_SOURCE_DIR "/scenes/reference_chain.json", {});
  ASSERT_TRUE(scene.ok()) << scene.error().message();
  Result<Simulation> simulation = Simulation::create(*scene, 1);
  ASSERT_TRUE(simulation.ok()) << simulation.error().message();
  for (int step = 0; step < 60; ++step) {
    const Result<StepReport> report = simulation->step();
    ASSERT_TRUE(report.ok());
    EXPECT_EQ(report->status, SolveStatus::converged);
  }
  const Real3 end = simulation->positions()[19];
  EXPECT_NEAR(end[0], -.9152012, 2e-7);
  EXPECT_NEAR(end[1], -1.6768921, 2e-7);
}

}  // namespace
}  // namespace sinew
