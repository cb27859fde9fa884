// Expectations: docs/theory.md, XPBD (a stretched bar, E h^2 / (rho l^2) = 1: its residual stagnates at about half of
// its first value, VBD's and Newton's fall to round-off) and the definitions in sinew/comparison.h.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <charconv>
#include <cmath>

#include "../io/temporary_folder.h"
#include "drive/compare.h"
#include "files/read_file.h"
#include "io/csv.h"
#include "record/convergence.h"
#include "sinew/compare.h"
#include "solver/solver_list.h"
#include "support/body.h"

namespace sinew {
namespace {

// A bar of cells of 0.1 m, held at one end, let go 20 % too long.
Scene stretched_bar() {
  Scene scene;
  scene.name = "stretched bar";
  scene.gravity = {0, -9.8, 0};
  SceneMaterial soft;
  soft.name = "soft";
  soft.set("youngs_modulus", 1000);
  soft.density = 10;
  scene.materials.push_back(soft);
  SceneObject bar;
  bar.name = "bar";
  bar.mesh = MeshBox{{0.6, 0.3, 0.3}, {6, 3, 3}};
  bar.material = "soft";
  bar.stretch = {1.2, 1, 1};
  scene.objects.push_back(bar);
  ScenePin pin;
  pin.object = "bar";
  pin.select = SelectBox{{-0.01, -1, -1}, {0.01, 1, 1}};
  scene.pins.push_back(pin);
  scene.time.frame_dt = 0.01;
  scene.time.duration = 1;
  return scene;
}

Comparison compared(const Scene& scene, const std::string& methods, ComparisonOptions options = {}) {
  Result<std::vector<ComparedMethod>> parsed = parse_methods(methods, scene);
  EXPECT_TRUE(parsed.ok()) << parsed.error().message();
  options.methods = *parsed;
  options.threads = 1;
  Result<Comparison> comparison = compare(scene, options);
  EXPECT_TRUE(comparison.ok()) << comparison.error().message();
  return std::move(*comparison);
}

ComparisonOptions iterations(int count) {
  ComparisonOptions options;
  options.iterations = count;
  return options;
}

TEST(Compare, NewtonAndVbdReachTheReferenceAndXpbdDoesNot) {
  const Comparison c = compared(stretched_bar(), "vbd:precision=double,xpbd:precision=double,newton", iterations(250));
  ASSERT_TRUE(c.reference.converged) << c.reference.remark;
  EXPECT_LE(c.reference.residual, 1e-11 * c.reference.first_residual);
  ASSERT_EQ(c.curves.size(), 3u);
  for (const Curve& curve : c.curves) {
    ASSERT_FALSE(curve.refused);
    EXPECT_EQ(curve.points.front().iteration, 0);
    EXPECT_GT(curve.points.front().error.max, 1e-3) << curve.label << " must not begin at the solution";
  }

  const CurvePoint &vbd = c.curves[0].points.back(), &xpbd = c.curves[1].points.back();
  EXPECT_LT(vbd.error.max, 1e-8);
  EXPECT_LE(vbd.error.rms, vbd.error.max);
  EXPECT_LT(vbd.relative_residual, 1e-6);
  EXPECT_LT(std::abs(vbd.relative_loss), 1e-10);
  EXPECT_EQ(c.curves[0].status, SolveStatus::converged);
  EXPECT_GT(xpbd.relative_residual, 0.05);
  EXPECT_GT(xpbd.error.max, 1e-4);
  EXPECT_EQ(c.curves[1].status, SolveStatus::stalled);

  // Newton stops by itself; from 1 % on, every step about squares the relative error: at 1.5 times the digits and more,
  // where linear convergence would add the same number of digits each time.
  const std::vector<CurvePoint>& newton = c.curves[2].points;
  EXPECT_LT(newton.size(), 20u);
  int squared = 0;
  for (size_t k = 0; k + 1 < newton.size(); ++k) {
    const double before = newton[k].error.max / newton[0].error.max,
                 after = newton[k + 1].error.max / newton[0].error.max;
    if (before > 1e-2 || before < 1e-6) continue;
    EXPECT_LT(std::log10(after), 1.5 * std::log10(before));
    ++squared;
  }
  EXPECT_GE(squared, 1);
  EXPECT_LT(newton.back().error.max, 1e-12);
}

// The scale of all relative values is the step's initial guess, where VBD begins.
// As stiff by factors as by the material, for one half of the tets.
// A method is timed in runs of the same step, of which friction that sticks would otherwise remember each.
TEST(Compare, StartsEveryRunFromOneStateOfContacts) {
  Scene scene = box_scene(2);
  scene.materials[0].set("youngs_modulus", 2000);
  scene.materials[0].density = 10;
  scene.gravity = {0, -9.8, 0};
  scene.objects[0].velocity = {0.3, -0.5, 0};
  scene.objects[0].transform.translate = {0, 0.01, 0};
  SceneCollider floor;
  floor.name = "floor";
  floor.shape = ColliderHalfSpace{};
  scene.colliders = {floor};
  ContactSettings& contact = scene.contact.emplace();
  contact.friction = 0.3;
  contact.friction_form = FrictionForm::stick;
  scene.time.frame_dt = 0.01;
  scene.time.duration = 1;
  ComparisonOptions options = iterations(200);
  options.at_frame = 4;
  options.steps = 2;
  const Comparison c = compared(scene, "newton", options);
  ASSERT_TRUE(c.reference.converged) << c.reference.remark;
  EXPECT_LT(c.curves[0].points.back().error.max, 1e-9);
  ASSERT_EQ(c.curves[0].trajectory.size(), 2u);
  EXPECT_LT(c.curves[0].trajectory.back().error.max, 1e-8);
}

TEST(Compare, RoundingKnowsTheStiffnessFactors) {
  const auto model = [](bool by_factors) {
    support::Body body = support::body_of(support::box({4, 2, 2}));
    body.blocks.push_back(body.blocks[0]);
    body.blocks[1].material =
        elastic_material(body.blocks[1].material.kind,
                         Lame{4 * body.blocks[0].material.lame.mu, 4 * body.blocks[0].material.lame.lambda});
    body.density.push_back(body.density[0]);
    for (size_t e = 0; e < body.mesh.tets.size(); ++e) {
      body.block_of_tet.push_back(by_factors ? 0 : static_cast<int32_t>(e % 2));
      if (by_factors) body.stiffness_factor.push_back(e % 2 == 1 ? 4 : 1);
    }
    return body.compile();
  };
  const double expected = residual_from_rounding(model(false), 0);
  EXPECT_NEAR(residual_from_rounding(model(true), 0), expected, 1e-12 * expected);
}

TEST(Compare, RelativeValuesBeginAtOne) {
  const Comparison c = compared(stretched_bar(), "vbd:precision=double,newton", iterations(3));
  for (const Curve& curve : c.curves) {
    EXPECT_NEAR(curve.points[0].relative_residual, 1, 1e-12);
    EXPECT_NEAR(curve.points[0].relative_loss, 1, 1e-12);
    EXPECT_EQ(curve.points[0].milliseconds, 0);
  }
  EXPECT_EQ(c.curves[0].points.size(), 4u);
  EXPECT_EQ(c.curves[0].points[0].error.max, c.curves[1].points[0].error.max);
}

// Single precision ends where its digits end: 1e-7 of the size of the bar, not at the reference.
TEST(Compare, SinglePrecisionIsSeenToEnd) {
  const Comparison c = compared(stretched_bar(), "vbd", iterations(250));
  EXPECT_LT(c.curves[0].points.back().error.max, 1e-4 * 0.72);
  EXPECT_GT(c.curves[0].points.back().error.max, 1e-9);
}

TEST(Compare, BudgetsEndEachSolverAndChangeNoIterate) {
  ComparisonOptions options;
  options.budget = 50;
  const Comparison timed = compared(stretched_bar(), "vbd,xpbd,newton", options);
  options.budget = 1e-6;
  const Comparison hurried = compared(stretched_bar(), "vbd,xpbd,newton", options);
  const Comparison counted = compared(stretched_bar(), "vbd,xpbd,newton", iterations(5));
  for (size_t k = 0; k < 2; ++k) {
    const std::vector<CurvePoint>& points = timed.curves[k].points;
    // How much is done in the time depends on the machine; that more is done than in next to none does not.
    EXPECT_EQ(hurried.curves[k].points.size(), 2u) << "the iteration begun last is completed";
    ASSERT_GT(points.size(), 2u);
    for (size_t i = 1; i < points.size(); ++i) EXPECT_GT(points[i].milliseconds, points[i - 1].milliseconds);
    for (size_t i = 0; i < std::min<size_t>(5, points.size()); ++i) {
      EXPECT_EQ(points[i].evaluation.residual, counted.curves[k].points[i].evaluation.residual);
      EXPECT_EQ(points[i].error.max, counted.curves[k].points[i].error.max);
    }
  }
}

TEST(Compare, ListsWhatASolverCannotTreat) {
  Scene scene = stretched_bar();
  scene.materials[0].model = "linear";
  const Comparison c = compared(scene, "xpbd,vbd", iterations(2));
  ASSERT_TRUE(c.curves[0].refused);
  EXPECT_NE(c.curves[0].refused->what.find("linear"), std::string::npos) << c.curves[0].refused->message();
  EXPECT_TRUE(c.curves[0].points.empty());
  EXPECT_EQ(c.curves[1].points.size(), 3u);
  const std::string table = comparison_table(c);
  EXPECT_NE(table.find("refused"), std::string::npos);
  EXPECT_NE(table.find("no constraint form"), std::string::npos) << table;
}

TEST(Compare, DivergenceIsAResult) {
  Scene scene = stretched_bar();
  scene.objects[0].stretch = {3, 1, 1};
  const Comparison c = compared(scene, "vbd+chebyshev:rho=0.9999,vbd", iterations(200));
  EXPECT_EQ(c.curves[0].status, SolveStatus::diverged);
  EXPECT_FALSE(c.curves[1].points.empty());
  EXPECT_NE(c.curves[1].status, SolveStatus::diverged);
}

// A stiff body near rest: XPBD's first sweep raises the residual far above ten times the first, and there it stays.
TEST(Compare, AJumpThatStaysIsNoDivergence) {
  Scene scene = stretched_bar();
  scene.materials[0].set("youngs_modulus", 1e6);
  scene.objects[0].stretch = {1.001, 1, 1};
  const Comparison c = compared(scene, "xpbd:precision=double", iterations(400));
  const std::vector<CurvePoint>& points = c.curves[0].points;
  ASSERT_GT(points.back().evaluation.residual, 10 * points.front().evaluation.residual);
  EXPECT_EQ(c.curves[0].status, SolveStatus::stalled);
}

// A stiff beam, let go at rest: the first sweep raises the residual a thousandfold. What comes after decides: 20
// iterations of B-PXPBD with a given zeta, from multipliers of 0, are on the way down, those of XPBD come to a
// standstill.
TEST(Compare, AJumpIsJudgedByWhatComesAfter) {
  Scene scene = stretched_bar();
  scene.materials[0].set("youngs_modulus", 1e5);
  scene.materials[0].set("poisson_ratio", 0.4);
  scene.materials[0].density = 1000;
  scene.objects[0].mesh = MeshBox{{0.4, 0.1, 0.1}, {8, 2, 2}};
  scene.objects[0].stretch = {1, 1, 1};
  scene.time.frame_dt = 1.0 / 60;
  const auto raised = [](const Curve& curve) {
    return curve.points.back().evaluation.residual > 10 * curve.points.front().evaluation.residual;
  };
  const auto remark = [](const Curve& curve) { return curve.remarks.empty() ? "" : curve.remarks[0]; };
  const Comparison few = compared(scene, "b_pxpbd:precision=double,zeta=0.98,vbd", iterations(20));
  ASSERT_TRUE(raised(few.curves[0]));
  EXPECT_EQ(few.curves[0].status, SolveStatus::budget);
  EXPECT_EQ(remark(few.curves[0]).find("ended with a residual "), 0u) << remark(few.curves[0]);
  EXPECT_NE(comparison_table(few).find("times that of its start: more iterations, "), std::string::npos);
  EXPECT_EQ(remark(few.curves[1]), "");
  const Comparison many = compared(scene, "b_pxpbd:precision=double,xpbd:precision=double", iterations(3000));
  EXPECT_EQ(many.curves[0].status, SolveStatus::converged);
  EXPECT_EQ(remark(many.curves[0]), "");
  ASSERT_TRUE(raised(many.curves[1]));
  EXPECT_EQ(many.curves[1].status, SolveStatus::stalled);
  EXPECT_NE(remark(many.curves[1]), "");
}

// L-BFGS that finds nothing but rounding left has not used up its iterations; without a reference only it can tell.
TEST(Compare, BelievesASolverThatEnds) {
  ComparisonOptions options = iterations(3000);
  options.reference = false;
  const Comparison c = compared(stretched_bar(), "quasi_newton", options);
  ASSERT_LT(c.curves[0].points.back().iteration, 3000);
  EXPECT_EQ(c.curves[0].status, SolveStatus::converged);
}

TEST(Compare, FollowsEachSolverOverFrames) {
  Scene scene = stretched_bar();
  scene.time.substeps = 2;
  ComparisonOptions options = iterations(200);
  options.frames = 3;
  options.at_frame = 1;
  const Comparison c = compared(scene, "vbd:precision=double,xpbd", options);
  EXPECT_EQ(c.first_step, 3);
  EXPECT_EQ(c.steps, 6);
  ASSERT_EQ(c.reference.trajectory.size(), 3u);
  for (const Curve& curve : c.curves) {
    ASSERT_EQ(curve.trajectory.size(), 3u);
    EXPECT_EQ(curve.trajectory[0].step, 4);
    EXPECT_NEAR(curve.trajectory[2].time, 0.04, 1e-12);
    EXPECT_EQ(curve.trajectory[1].iterations, 400);
  }
  EXPECT_LT(c.curves[0].trajectory[2].error.max, 1e-7);
  EXPECT_GT(c.curves[1].trajectory[2].error.max, 1e-4);
  // What XPBD loses in one step adds up.
  EXPECT_GT(c.curves[1].trajectory[2].error.max, c.curves[1].points.back().error.max);
}

TEST(Compare, WithoutPotentialThereIsNoLoss) {
  Scene scene = stretched_bar();
  scene.materials[0].damping = 1e-3;
  const Comparison damped = compared(scene, "vbd:precision=double", iterations(250));
  EXPECT_NEAR(damped.curves[0].points.front().relative_loss, 1, 1e-12) << "damping by the rate of strain has one";
  EXPECT_LT(std::abs(damped.curves[0].points.back().relative_loss), 1e-9);
  EXPECT_LT(damped.curves[0].points.back().error.max, 1e-8);
  scene.own_block_damping = true;
  const Comparison c = compared(scene, "vbd:precision=double", iterations(250));
  EXPECT_TRUE(std::isnan(c.curves[0].points.back().relative_loss));
  EXPECT_LT(c.curves[0].points.back().error.max, 1e-8);
}

TEST(Compare, CsvReadsBack) {
  const Comparison c = compared(stretched_bar(), "vbd,vbd+chebyshev:rho=0.5", iterations(6));
  const auto rows = parse_csv(convergence_csv(c));
  ASSERT_EQ(rows.size(), 1 + 2 * 7u);
  const auto column = [&](std::string_view name) {
    for (size_t k = 0; k < rows[0].size(); ++k)
      if (rows[0][k] == name) return k;
    ADD_FAILURE() << "no column " << name;
    return size_t{0};
  };
  const auto number = [](const std::string& text) {
    double value = -1;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
  };
  const size_t residual = column("residual [N]"), error = column("error_max [m]"), time = column("time [ms]");
  for (size_t k = 1; k < rows.size(); ++k) {
    ASSERT_EQ(rows[k].size(), rows[0].size());
    const Curve& curve = c.curves[(k - 1) / 7];
    const CurvePoint& point = curve.points[(k - 1) % 7];
    EXPECT_EQ(rows[k][0], curve.label);
    EXPECT_EQ(number(rows[k][residual]), point.evaluation.residual);
    EXPECT_EQ(number(rows[k][error]), point.error.max);
    EXPECT_EQ(number(rows[k][time]), point.milliseconds);
  }
}

class CompareFiles : public TemporaryFolder {};

TEST_F(CompareFiles, WithoutGnuplotTheDataAreThere) {
  const Comparison c = compared(stretched_bar(), "vbd,xpbd", iterations(5));
  const std::string path = ::getenv("PATH");
  ::setenv("PATH", "/nowhere", 1);
  const Result<ComparisonFiles> files = write_comparison(c, folder() / "out");
  ::setenv("PATH", path.c_str(), 1);
  ASSERT_TRUE(files.ok()) << files.error().message();
  ASSERT_TRUE(files->no_figures);
  EXPECT_NE(files->no_figures->remedy.find("gnuplot-nox"), std::string::npos);
  const Result<std::string> csv = read_file(folder() / "out" / "convergence.csv");
  ASSERT_TRUE(csv.ok());
  EXPECT_EQ(*csv, convergence_csv(c));
  EXPECT_FALSE(std::filesystem::exists(folder() / "out" / "convergence.svg"));
  EXPECT_EQ(files->written.size(), 2u);
}

TEST_F(CompareFiles, FiguresShowEveryCurve) {
  if (std::system("gnuplot --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "gnuplot is not installed";
  Comparison c = compared(stretched_bar(), "vbd,xpbd", iterations(5));
  c.scene = "it's `a` $(b) \"c\"\n\\";
  const Result<ComparisonFiles> files = write_comparison(c, folder());
  ASSERT_TRUE(files.ok());
  ASSERT_FALSE(files->no_figures) << files->no_figures->message();
  const Result<std::string> svg = read_file(folder() / "convergence.svg");
  ASSERT_TRUE(svg.ok());
  for (const char* text : {"vbd", "xpbd", "residual [N]", "it's `a` $(b)"})
    EXPECT_NE(svg->find(text), std::string::npos) << text;
  EXPECT_GT(std::filesystem::file_size(folder() / "convergence.png"), 10000u);
}

TEST(Methods, AreReadFromOneLine) {
  Scene scene = stretched_bar();
  scene.solver.type = "vbd";
  scene.solver.options = {{"initial_guess", std::string("inertia")}, {"line_search", true}};
  scene.solver.accelerator = "chebyshev";
  scene.solver.accelerator_options = {{"rho", 0.7}};
  const auto methods = parse_methods(
      "vbd:precision=double,line_search=false+chebyshev:delay=2,rho=1e-1,xpbd,vbd+chebyshev,newton:armijo=1e-3", scene);
  ASSERT_TRUE(methods.ok()) << methods.error().message();
  ASSERT_EQ(methods->size(), 4u);
  const SolverSettings& first = (*methods)[0].settings;
  EXPECT_EQ((*methods)[0].label, "vbd:precision=double,line_search=false+chebyshev:delay=2,rho=1e-1");
  EXPECT_EQ(first.type, "vbd");
  EXPECT_EQ(first.options, (std::vector<OptionValue>{{"initial_guess", std::string("inertia")},
                                                     {"line_search", false},
                                                     {"precision", std::string("double")}}));
  EXPECT_EQ(first.accelerator, "chebyshev");
  EXPECT_EQ(first.accelerator_options, (std::vector<OptionValue>{{"rho", 0.1}, {"delay", 2.0}}));
  // Of another solver's options only the common ones are taken over, and accelerators are used where they are named.
  EXPECT_EQ((*methods)[1].settings.options, (std::vector<OptionValue>{{"initial_guess", std::string("inertia")}}));
  EXPECT_EQ((*methods)[1].settings.accelerator, "none");
  EXPECT_EQ((*methods)[2].settings.accelerator_options, (std::vector<OptionValue>{{"rho", 0.7}}));
  // Newton has an option line_search too, which is not VBD's.
  EXPECT_EQ((*methods)[3].settings.options,
            (std::vector<OptionValue>{{"initial_guess", std::string("inertia")}, {"armijo", 1e-3}}));
}

TEST(Methods, MayStandBetweenBlanks) {
  const auto methods = parse_methods(" vbd:precision=double , line_search=true, newton ", stretched_bar());
  ASSERT_TRUE(methods.ok()) << methods.error().message();
  ASSERT_EQ(methods->size(), 2u);
  EXPECT_EQ((*methods)[0].label, "vbd:precision=double,line_search=true");
  EXPECT_EQ((*methods)[1].label, "newton");
}

TEST(Methods, AllAreThoseThatAreNotNamedOtherwise) {
  const auto all = parse_methods("all", stretched_bar());
  ASSERT_TRUE(all.ok()) << all.error().message();
  ASSERT_EQ(all->size(), solver_list().size());
  for (size_t k = 0; k < all->size(); ++k) EXPECT_EQ((*all)[k].label, solver_list()[k].name);
  const auto some = parse_methods("newton,all,vbd+chebyshev", stretched_bar());
  ASSERT_TRUE(some.ok()) << some.error().message();
  EXPECT_EQ(some->size(), solver_list().size() + 1);
  EXPECT_EQ(some->front().label, "newton");
  EXPECT_EQ(some->back().label, "vbd+chebyshev");
}

TEST(Methods, FaultsSayWhatWasMeant) {
  const Scene scene = stretched_bar();
  const auto says = [&](const char* list, const char* expected) {
    const auto methods = parse_methods(list, scene);
    ASSERT_FALSE(methods.ok()) << list;
    EXPECT_NE(methods.error().message().find(expected), std::string::npos) << methods.error().message();
  };
  says("vdb", "did you mean 'vbd'");
  says("vbd,,xpbd", "missing");
  says("", "missing");
  says("vbd+chebishev", "did you mean 'chebyshev'");
  says("vbd+", "missing");
  says("vbd:precison=double", "did you mean 'precision'");
  says("vbd:precision=half", "single, double");
  says("vbd+chebyshev:rho=2", "must be");
  says("vbd:precision", "OPTION=VALUE");
  says("vbd,xpbd,vbd", "listed twice");
  says("vbd:iterations=5", "--iterations");
}

TEST(Compare, RefusesWhatMakesNoSense) {
  const Scene scene = stretched_bar();
  const auto fails = [&](ComparisonOptions options) {
    if (options.methods.empty()) options.methods = *parse_methods("vbd", scene);
    return !compare(scene, options).ok();
  };
  EXPECT_FALSE(compare(scene, {}).ok());
  ComparisonOptions options;
  options.budget = -1;
  EXPECT_TRUE(fails(options));
  options = iterations(0);
  EXPECT_TRUE(fails(options));
  options = {};
  options.steps = 0;
  EXPECT_TRUE(fails(options));
}

TEST(Compare, AdvancesToAFrameOfTheSceneAndTellsHowFarItIs) {
  Scene scene = stretched_bar();
  scene.time.duration = 0.03;
  scene.time.substeps = 2;
  ComparisonOptions options = iterations(1);
  options.methods = parse_methods("vbd", scene).value();
  options.at_frame = 3;
  std::vector<std::string> stages;
  double share = 0;
  const Result<Comparison> at_end = compare(scene, options, {.on_progress = [&](const Progress& now) {
                                              if (stages.empty() || stages.back() != now.stage)
                                                stages.push_back(now.stage);
                                              EXPECT_GE(now.share, share);
                                              share = now.share;
                                            }});
  ASSERT_TRUE(at_end.ok()) << at_end.error().message();
  EXPECT_EQ(at_end->first_step, 7);
  EXPECT_EQ(share, 1);
  EXPECT_EQ(stages, (std::vector<std::string>{"scene", "frame 1 of 3 before", "frame 2 of 3 before",
                                              "frame 3 of 3 before", "reference", "vbd", ""}));
  options.at_frame = 4;
  const Result<Comparison> beyond = compare(scene, options);
  ASSERT_FALSE(beyond.ok());
  EXPECT_EQ(beyond.error().message(),
            "at_frame = 4: the scene has frames 0 to 3; choose one of them, or a longer time.duration");
}

// By the flag, which another thread may set, and by a listener that has seen enough.
TEST(Compare, AnInterruptEndsItWhereverItIs) {
  const Scene scene = stretched_bar();
  for (const bool by_flag : {true, false}) {
    for (const char* stage : {"scene", "frame 2 of 3 before", "reference", "vbd", "xpbd"}) {
      std::atomic<bool> interrupt{false};
      ComparisonOptions options = iterations(2);
      options.methods = parse_methods("vbd,xpbd", scene).value();
      options.at_frame = 3;
      options.interrupt = &interrupt;
      std::string last;
      const Result<Comparison> comparison = compare(scene, options, {.on_progress = [&](const Progress& now) {
                                                      last = now.stage;
                                                      if (now.stage != stage) return true;
                                                      interrupt = by_flag;
                                                      return by_flag;
                                                    }});
      ASSERT_FALSE(comparison.ok()) << stage;
      EXPECT_EQ(comparison.error().message(), "the comparison: was interrupted");
      EXPECT_EQ(last, stage);
    }
  }
}

TEST(Compare, TellsOfEachSolverWhenItIsDone) {
  const Scene scene = stretched_bar();
  ComparisonOptions options = iterations(2);
  options.methods = parse_methods("vbd,xpbd,newton", scene).value();
  std::vector<std::string> done;
  std::vector<size_t> points;
  const Result<Comparison> whole = compare(scene, options, {.on_curve = [&](const Curve& curve) {
                                             done.push_back(curve.label);
                                             points.push_back(curve.points.size());
                                           }});
  ASSERT_TRUE(whole.ok()) << whole.error().message();
  EXPECT_EQ(done, (std::vector<std::string>{"vbd", "xpbd", "newton"}));
  for (size_t k = 0; k < points.size(); ++k) EXPECT_EQ(points[k], whole->curves[k].points.size());
  // The first one is enough.
  const Result<Comparison> ended = compare(scene, options, {.on_curve = [](const Curve&) { return false; }});
  ASSERT_FALSE(ended.ok());
  EXPECT_EQ(ended.error().message(), "the comparison: was interrupted");
}

}  // namespace
}  // namespace sinew
