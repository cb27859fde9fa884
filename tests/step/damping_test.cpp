// Source: docs/theory.md, Damping: damping by the rate of strain removes energy in every step, for every material, and
// never makes a run worse than without it.
//
// The campaign generates a case from each number: a material, a mesh, a state, loads, a damping and a step. Their
// number is SINEW_DAMPING_CASES, 10,000 for the table of docs/theory.md; SINEW_DAMPING_FIRST is the first. It prints a
// line for each kind of case, and one for every case that fails.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "objective/tie_terms.h"
#include "solver/multilevel/bodies.h"
#include "solver/multilevel/multilevel.h"
#include "solver/solver_list.h"
#include "support/tied.h"
#include "support/trial.h"

namespace sinew {
namespace {

using support::Body;
using support::body_of;
using support::box;
using support::chain;
using support::Method;
using support::on_left;
using support::plane_body_of;
using support::Random;
using support::rectangle;
using support::size;
using support::spring_grid;
using support::Trial;

double kinetic_energy(const Trial& run) {
  double sum = 0;
  for (size_t s = 0; s < run.state.v.size(); ++s) sum += 0.5 * run.model.mass[s] * dot(run.state.v[s], run.state.v[s]);
  return sum;
}

// [J] Elastic energy and that of the loads, relative to rest.
double potential_energy(const Trial& run, const Model& model) {
  ThreadPool pool(1);
  StepProblem still = support::problem_of(model, run.state.x, 0);
  return Objective(still, pool).energy(run.state.x);
}

// The result of a run.
struct Course {
  bool failed = false;     // not finite, or diverged
  int unconverged = 0;     // steps that ended neither at their tolerance nor at round-off
  double first = 0;        // [J] energy at the start
  double size = 0;         // [J] the size of its terms
  double rise = 0;         // [J] the largest energy above the first
  double least_power = 0;  // least power that damping removes in a step, over the error by rounding the positions
};

struct Draw {
  Body body;
  double h = 0.01;
  std::function<bool(Vec3d)> held{};
  std::vector<Vec3d> x, v;  // by user vertex
  std::string kind;
};

// Stiffness over inertia of a vertex, including damping (solver/multilevel/bodies.h). The number of sweeps is of that
// order; bodies above the limit are softened.
constexpr double any_kappa = std::numeric_limits<double>::infinity();

enum class Start { moderate, violent };

Draw draw(int number, double most_kappa, Start start) {
  Random random(static_cast<uint32_t>(number));
  const auto power = [&](double low, double high) { return std::pow(10, random.between(low, high)); };
  Draw d;
  const double modulus = power(2, 8), ratio = random.between(0, 0.49), damping = power(-6, 1), length = power(-2, 0.5);
  const auto material = MaterialKind(random.below(material_count));
  d.h = power(-4, -1);
  const int kind = random.below(10);
  if (kind < 7) {
    const std::array<int32_t, 3> cells{1 + random.below(3), 1 + random.below(2), 1 + random.below(2)};
    d.body = body_of(box(cells, {length * cells[0], length * cells[1], length * cells[2]}), material, modulus, ratio);
    d.kind = traits_of(material).name;
  } else if (kind == 7) {
    const std::array<int32_t, 2> cells{1 + random.below(4), 1 + random.below(3)};
    d.body = plane_body_of(rectangle(cells, {length * cells[0], length * cells[1]}), material, modulus, ratio);
    d.kind = "triangles";
  } else {
    d.body =
        kind == 8 ? chain(2 + random.below(6), length, modulus * length, 1) : spring_grid(2 + random.below(2), modulus);
    for (TieLaw<double>& law : d.body.ties.laws) law.damping = damping;
    d.kind = "springs";
  }
  d.body.blocks[0].damping = damping;
  d.body.density[0] = power(1, 4);
  d.body.gravity = {0, random.below(2) ? -9.8 : 0.0, 0};

  const Model model = d.body.compile();
  for (const BodySize& body : bodies_of(model).sizes) {
    const double kappa = body.stiffness_over_inertia(d.h);
    if (kappa <= most_kappa) continue;
    for (ElasticBlock& block : d.body.blocks) {
      block.material = scaled(block.material, most_kappa / kappa);
    }
    for (TieLaw<double>& law : d.body.ties.laws) law.stiffness *= most_kappa / kappa;
  }

  Vec3d least = d.body.mesh.vertices[0], most = least;
  for (const Vec3d& p : d.body.mesh.vertices) {
    least = {std::min(least.x, p.x), std::min(least.y, p.y), std::min(least.z, p.z)};
    most = {std::max(most.x, p.x), std::max(most.y, p.y), std::max(most.z, p.z)};
  }
  const int pins = random.below(3);
  if (pins == 1) d.held = [=](Vec3d r) { return r.x <= least.x; };
  if (pins == 2) d.held = [=](Vec3d r) { return r.x <= least.x && r.y <= least.y && r.z <= least.z; };

  const bool flat = d.body.mesh.tets.empty() ? kind != 8 : kind == 7;
  const auto way = [&] {
    Vec3d w = random.vector();
    if (flat) w.z = 0;
    return w;
  };
  // Stretched by up to 0.3 per axis, with noise, velocity and rotation of limited size per step. A violent start is
  // also sheared and compressed, and moves by edges and radians in a step.
  Mat3d f = support::identity();
  const double strain = random.between(0, 0.3),
               noise = length * random.between(0, start == Start::violent ? 0.15 : 0.03);
  Vec3d shift{}, spin = flat ? Vec3d{0, 0, random.normal()} : random.vector();
  double jitter = 0;
  if (start == Start::violent) {
    const double speed = length * power(-1, 1.5);
    f = f + strain * Mat3d{way(), way(), way()};
    shift = speed * way();
    spin = power(-1, 1) * spin;
    jitter = 0.3 * speed;
  } else {
    const auto stretch = [&] { return 1 + strain * random.between(0, 1); };
    const Mat3d turn = flat ? support::identity() : random.rotation();
    f = turn * diagonal(stretch(), stretch(), stretch()) * transpose(turn);
    shift = (length * power(-1, 1.5)) * way();
    spin = (random.between(0, 0.1) / d.h) * spin;
    jitter = random.between(0, 0.03) * length / d.h;
  }
  if (flat) f.c0.z = f.c1.z = 0, f.c2 = {0, 0, 1};
  for (const Vec3d& r : d.body.mesh.vertices) {
    const bool held = d.held && d.held(r);
    const Vec3d from = r - least;
    d.x.push_back(held ? r : least + f * from + noise * way());
    d.v.push_back(held ? Vec3d{} : shift + cross(spin, from) + jitter * way());
  }
  return d;
}

Course run(const Draw& d, const Method& method, bool damped, int steps) {
  Body body = d.body;
  if (!damped) {
    for (ElasticBlock& block : body.blocks) block.damping = 0;
    for (TieLaw<double>& law : body.ties.laws) law.damping = 0;
  }
  Trial trial(body, method);
  if (d.held) trial.hold(d.held);
  for (size_t v = 0; v < d.x.size(); ++v) {
    const auto slot = static_cast<size_t>(trial.model.order.slot(UserVertex{static_cast<int32_t>(v)}));
    if (trial.model.mass[slot] == 0) continue;
    trial.state.x[slot] = d.x[v];
    trial.state.v[slot] = d.v[v];
  }
  Model undamped = trial.model;
  for (ElasticBlock& block : undamped.blocks) block.damping = 0;
  for (TieLaw<double>& law : undamped.ties.laws) law.damping = 0;

  Course course;
  course.first = kinetic_energy(trial) + potential_energy(trial, undamped);
  Model weightless = undamped;
  weightless.gravity = {};
  course.size = kinetic_energy(trial) + potential_energy(trial, weightless);
  const double inverse_h2 = 1 / (d.h * d.h);
  const double stiffness =
      stiffness_norm(trial.model, inverse_h2, trial.pool) + tie_stiffness_norm(trial.model, inverse_h2);
  for (int step = 0; step < steps; ++step) {
    const Result<StepReport> report = trial.try_step();
    if (!report.ok() || report->status == SolveStatus::diverged) {
      course.failed = true;
      return course;
    }
    const double energy = kinetic_energy(trial) + potential_energy(trial, undamped);
    if (!std::isfinite(energy)) course.failed = true;
    course.rise = std::max(course.rise, energy - course.first);
    double places = 0;
    for (size_t s = 0; s < trial.state.x.size(); ++s)
      if (trial.model.mass[s] > 0) places += dot(trial.state.x[s], trial.state.x[s]);
    const double forces = 1e-16 * stiffness * std::sqrt(places);
    const double least = std::max(1e-8 * report->first_residual, 10 * forces);
    course.unconverged += report->status != SolveStatus::converged && !(report->evaluation.residual <= least);
    if (!damped) continue;
    // The force of damping is the difference from the gradient of the same problem without it.
    const size_t slots = trial.state.x.size();
    std::vector<Vec3d> with(slots), without(slots);
    StepProblem problem = trial.stepper->problem();
    Objective(problem, trial.pool).gradient(trial.state.x, with);
    problem.model = &undamped;
    Objective(problem, trial.pool).gradient(trial.state.x, without);
    double taken = 0, motion = 0;
    for (size_t s = 0; s < slots; ++s) {
      if (trial.model.mass[s] == 0) continue;
      const Vec3d moved = trial.state.x[s] - problem.x_prev[s];
      taken += dot(with[s] - without[s], moved);
      motion += dot(moved, moved);
    }
    course.least_power = std::min(course.least_power, taken / (forces * std::sqrt(motion) + 1e-300));
  }
  return course;
}

Method newton_method(double h) {
  Method m{.kind = Method::newton, .h = h};
  m.solve = {.iterations = 200, .relative_tolerance = 1e-9, .check_every = 1, .precision = double_precision};
  return m;
}
// Without a line search, which would end at residuals of 1e-8, as energies are accurate to 1e-16.
Method vbd_method(double h) {
  Method m{.h = h};
  m.solve = {.iterations = 4000, .relative_tolerance = 1e-9, .check_every = 20, .precision = double_precision};
  return m;
}

int from_environment(const char* name, int otherwise) {
  const char* text = std::getenv(name);
  return text ? std::atoi(text) : otherwise;
}

struct Tally {
  int cases = 0, ended = 0, compared = 0, fed = 0, failed = 0, risen = 0, undamped_rises = 0;
};

// Compares only runs in which every step has converged: differences of other runs mean nothing.
void campaign(const char* solver, Method (*method)(double), double most_kappa, int otherwise) {
  constexpr int steps = 20;
  const int first = from_environment("SINEW_DAMPING_FIRST", 0);
  const int count = from_environment("SINEW_DAMPING_CASES", otherwise);
  const Start start = from_environment("SINEW_DAMPING_VIOLENT", 0) ? Start::violent : Start::moderate;
  std::map<std::string, Tally> tallies;
  for (int number = first; number < first + count; ++number) {
    const Draw d = draw(number, most_kappa, start);
    const Course damped = run(d, method(d.h), true, steps), undamped = run(d, method(d.h), false, steps);
    Tally& t = tallies[d.kind];
    ++t.cases;
    const bool fed = damped.least_power < -100, failed = damped.failed && !undamped.failed;
    const bool compared = !damped.failed && !undamped.failed && damped.unconverged + undamped.unconverged == 0;
    const bool risen = compared && damped.rise > undamped.rise + 1e-9 * damped.size;
    t.ended += !damped.failed && damped.unconverged == 0;
    t.compared += compared;
    t.undamped_rises += undamped.rise > 1e-9 * undamped.size;
    t.fed += fed;
    t.failed += failed;
    t.risen += risen;
    EXPECT_FALSE(fed) << solver << " " << number << " " << d.kind << ": power " << damped.least_power;
    EXPECT_FALSE(failed) << solver << " " << number << " " << d.kind << ": failed";
    EXPECT_FALSE(risen) << solver << " " << number << " " << d.kind << ": rises by " << damped.rise << " J, without by "
                        << undamped.rise << ", of " << damped.size;
  }
  for (const auto& [kind, t] : tallies)
    std::printf(
        "%-8s %-20s cases %5d  damped converged %5d  both %5d  rise undamped %4d  fed %d  failed %d  risen %d\n",
        solver, kind.c_str(), t.cases, t.ended, t.compared, t.undamped_rises, t.fed, t.failed, t.risen);
  std::fflush(stdout);
}

TEST(DampingCampaign, NewtonNeverFeedsEnergyIn) {
  campaign("newton", newton_method, any_kappa, 300);
}

TEST(DampingCampaign, VbdNeverFeedsEnergyIn) {
  campaign("vbd", vbd_method, 100, 100);
}

Body held_body(TetMesh mesh, double modulus, double ratio, double damping) {
  Body body = body_of(std::move(mesh), MaterialKind::NeoHookean, modulus, ratio);
  body.density[0] = 1000;
  body.gravity = {0, -9.81, 0};
  body.blocks[0].damping = damping;
  return body;
}

// The sum of kinetic, elastic and potential energy, step by step, of a run whose every step must converge.
void expect_energy_falls(Trial& run, int steps, const std::string& what) {
  double before = kinetic_energy(run) + potential_energy(run, run.model);
  for (int step = 1; step <= steps; ++step) {
    const Result<StepReport> report = run.try_step();
    ASSERT_TRUE(report.ok()) << what << " step " << step << ": " << report.error().message();
    ASSERT_EQ(report->status, SolveStatus::converged) << what << " step " << step;
    const double energy = kinetic_energy(run) + potential_energy(run, run.model);
    ASSERT_LE(energy, before + 1e-9 * std::abs(before)) << what << " step " << step;
    before = energy;
  }
}

// A bar that sags. With the element's own tangent in place of the rate of strain, 156 of 180 of these steps would
// diverge.
TEST(Damping, OfASaggingBarNeverFeedsEnergyIn) {
  for (const double damping : {0.0, 0.05}) {
    Trial run(held_body(box({20, 2, 2}, {1, 0.1, 0.1}), 1e5, 0.3, damping), newton_method(1 / 60.0));
    run.hold(on_left);
    expect_energy_falls(run, 60, "damping " + std::to_string(damping));
  }
}

// A cube of jelly that hangs from two corners. With the element's own tangent step 61 would not be finite.
TEST(Damping, OfHangingJellyNeverFeedsEnergyIn) {
  const auto corners = [](Vec3d r) { return r.y > 0.2 - 1e-9 && r.z < 1e-9 && (r.x < 1e-9 || r.x > 0.2 - 1e-9); };
  for (const char* solver : {"multilevel", "vbd", "newton"}) {
    const bool newton = std::string(solver) == "newton";
    const int cells = newton ? 4 : 8;
    Method m{.h = 1 / 60.0};
    m.solve = {.iterations = 100, .relative_tolerance = 0.01, .check_every = 1, .precision = single_precision};
    if (newton) m = newton_method(1 / 60.0);
    if (std::string(solver) == "multilevel")
      m.make = [](const SolveOptions& options) { return make_multilevel(options, {}, make_linear_solver); };
    Trial run(held_body(box({cells, cells, cells}, {0.2, 0.2, 0.2}), 5e3, 0.45, 0.005), m);
    run.hold(corners);
    double most = 0, highest = -std::numeric_limits<double>::infinity();
    const double first = potential_energy(run, run.model);
    for (int step = 1; step <= 300; ++step) {
      const Result<StepReport> report = run.try_step();
      ASSERT_TRUE(report.ok()) << solver << ": " << report.error().message();
      ASSERT_NE(report->status, SolveStatus::diverged) << solver << " step " << step;
      most = std::max(most, kinetic_energy(run));
      highest = std::max(highest, kinetic_energy(run) + potential_energy(run, run.model));
    }
    // Steps that end at a hundredth of their residual are not exact.
    EXPECT_LT(highest, first + 1e-3 * most) << solver;
    EXPECT_LT(kinetic_energy(run) + potential_energy(run, run.model), first - 0.5 * most) << solver;
  }
}

// Two points on a spring, pulled apart: over-damped, they return without oscillation.
TEST(Damping, OfASpringIsThatOfADashpot) {
  // One step by hand: with the extension e and the reduced mass m/2,
  //   e1 (m/2/h^2 + k (1 + k_d/h)) = e0 (m/2/h^2 + k k_d/h).
  constexpr double k = 50, mass = 2, h = 0.01, damping = 0.3, first = 0.1;
  for (const char* solver : {"newton", "vbd", "quasi_newton", "multilevel"}) {
    Body body = chain(1, 1, k, mass);
    body.gravity = {};
    for (TieLaw<double>& law : body.ties.laws) law.damping = damping;
    Method m{.h = h};
    m.make = [&](const SolveOptions& options) {
      return std::move(make_solver(*find_solver(solver), options, {}, "solver", make_linear_solver).value());
    };
    m.solve = {.iterations = 2000, .relative_tolerance = 1e-12, .check_every = 1, .precision = double_precision};
    Trial run(body, m);
    run.state.x[static_cast<size_t>(run.model.order.slot(UserVertex{1}))].x += first;
    run.step();
    const std::vector<Vec3d> x = run.positions();
    const double inertia = 0.5 * mass / (h * h), viscous = k * damping / h;
    EXPECT_NEAR(size(x[1] - x[0]) - 1, first * (inertia + viscous) / (inertia + k + viscous), 1e-9) << solver;
  }
}

// Free fall is not slowed; a rotation by a in a step is resisted to the order of a^4.
TEST(Damping, SlowsNoFallAndHardlyASlowTurn) {
  for (const auto& [rate, damping] : {std::pair{0.5, 0.0}, {0.5, 0.01}, {5.0, 0.0}, {5.0, 0.01}}) {
    Trial run(held_body(box({3, 3, 3}, {0.2, 0.2, 0.2}), 1e5, 0.3, damping), newton_method(0.01));
    const Vec3d middle{0.1, 0.1, 0.1};
    for (size_t s = 0; s < run.state.x.size(); ++s) run.state.v[s] = cross(Vec3d{0, 0, rate}, run.state.x[s] - middle);
    const auto spin = [&] {
      Vec3d centre{}, momentum{};
      double total = 0;
      for (size_t s = 0; s < run.state.x.size(); ++s)
        total += run.model.mass[s], centre += run.model.mass[s] * run.state.x[s];
      for (size_t s = 0; s < run.state.x.size(); ++s)
        momentum += run.model.mass[s] * cross(run.state.x[s] - (1 / total) * centre, run.state.v[s]);
      return momentum.z;
    };
    const double first = spin();
    for (int step = 0; step < 100; ++step) run.step();
    Vec3d fallen{};
    double total = 0;
    for (size_t s = 0; s < run.state.v.size(); ++s)
      total += run.model.mass[s], fallen += run.model.mass[s] * run.state.v[s];
    EXPECT_NEAR(fallen.y / total, -9.81, 1e-9);
    EXPECT_GT(spin() / first, rate < 1 ? 0.99 : 0.6) << damping;
    EXPECT_LT(spin() / first, 1 + 1e-9);
  }
}

}  // namespace
}  // namespace sinew
