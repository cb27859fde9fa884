// Source: docs/theory.md, Damping: damping by the rate of strain takes energy out of every step, whatever the material,
// and never makes a run worse than it is without.
//
// The campaign draws a case from each number: a material, a mesh, a state, loads, a damping and a step. As many as
// SINEW_DAMPING_CASES says, 10,000 for the table of docs/theory.md; SINEW_DAMPING_FIRST is the first. It prints a line
// for each kind of case, and one for every case that fails.
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

#include "solver/bodies.h"
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

// What happened in a run.
struct Course {
  bool failed = false;     // not finite, or diverged
  int unconverged = 0;     // steps
  double first = 0;        // [J] energy of the start
  double size = 0;         // [J] the terms that it is the sum of
  double rise = 0;         // [J] the most above the first
  double least_power = 0;  // of what damping takes from the step, in what its terms are rounded by; 0 or more
};

struct Draw {
  Body body;
  double h = 0.01;
  std::function<bool(Vec3d)> held{};
  std::vector<Vec3d> x, v;  // by user vertex
  std::string kind;
};

// Stiffness over inertia of a vertex, damping included (solver/bodies.h); sweeps need about as many as this, and bodies
// that have more than the most of it are softened.
constexpr double any_kappa = std::numeric_limits<double>::infinity();

Draw draw(int number, double most_kappa) {
  Random random(static_cast<uint32_t>(number));
  const auto power = [&](double low, double high) { return std::pow(10, random.between(low, high)); };
  Draw d;
  const double modulus = power(2, 8), ratio = random.between(-0.2, 0.49), damping = power(-6, 1),
               length = power(-2, 0.5);
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
      block.lame.mu *= most_kappa / kappa;
      block.lame.lambda *= most_kappa / kappa;
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
  // Stretched, sheared and shaken; and moving as a whole, turning and jittering.
  Mat3d f = support::identity();
  const double strain = random.between(0, 0.3), noise = length * random.between(0, 0.15),
               speed = length * power(-1, 1.5);
  f = f + strain * Mat3d{way(), way(), way()};
  if (flat) f.c0.z = f.c1.z = 0, f.c2 = {0, 0, 1};
  const Vec3d shift = speed * way(), spin = power(-1, 1) * (flat ? Vec3d{0, 0, random.normal()} : random.vector());
  for (const Vec3d& r : d.body.mesh.vertices) {
    const bool held = d.held && d.held(r);
    const Vec3d from = r - least;
    d.x.push_back(held ? r : least + f * from + noise * way());
    d.v.push_back(held ? Vec3d{} : shift + cross(spin, from) + 0.3 * speed * way());
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
  lift_apexes(trial.model, trial.state.x);
  // Held where they start, which is their rest.
  Model undamped = trial.model;
  for (ElasticBlock& block : undamped.blocks) block.damping = 0;
  for (TieLaw<double>& law : undamped.ties.laws) law.damping = 0;

  Course course;
  course.first = kinetic_energy(trial) + potential_energy(trial, undamped);
  Model weightless = undamped;
  weightless.gravity = {};
  course.size = kinetic_energy(trial) + potential_energy(trial, weightless);
  for (int step = 0; step < steps; ++step) {
    const Result<StepReport> report = trial.try_step();
    if (!report.ok() || report->status == SolveStatus::diverged) {
      course.failed = true;
      return course;
    }
    course.unconverged += report->status != SolveStatus::converged;
    const double energy = kinetic_energy(trial) + potential_energy(trial, undamped);
    if (!std::isfinite(energy)) course.failed = true;
    course.rise = std::max(course.rise, energy - course.first);
    if (!damped) continue;
    // The force of damping is what the gradient has more than that of the same problem without.
    const size_t slots = trial.state.x.size();
    std::vector<Vec3d> with(slots), without(slots);
    StepProblem problem = trial.stepper->problem();
    Objective(problem, trial.pool).gradient(trial.state.x, with);
    problem.model = &undamped;
    Objective(problem, trial.pool).gradient(trial.state.x, without);
    double taken = 0, terms = 0;
    for (size_t s = 0; s < slots; ++s) {
      const Vec3d moved = trial.state.x[s] - problem.x_prev[s];
      taken += dot(with[s] - without[s], moved);
      terms += size(moved) * (size(with[s]) + size(without[s]));
    }
    // Two gradients of which each is summed from some dozens of terms.
    course.least_power = std::min(course.least_power, taken / (1e-16 * terms + 1e-300));
  }
  return course;
}

Method newton_method(double h) {
  Method m{.kind = Method::newton, .h = h};
  m.solve = {.iterations = 200, .relative_tolerance = 1e-9, .check_every = 1, .precision = double_precision};
  return m;
}
// Without a line search, which energies known to 1e-16 would end at residuals of 1e-8.
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

// Of those compared every step of both runs has converged: how two solutions differ that are none says nothing.
void campaign(const char* solver, Method (*method)(double), double most_kappa, int otherwise) {
  constexpr int steps = 20;
  const int first = from_environment("SINEW_DAMPING_FIRST", 0);
  const int count = from_environment("SINEW_DAMPING_CASES", otherwise);
  std::map<std::string, Tally> tallies;
  for (int number = first; number < first + count; ++number) {
    const Draw d = draw(number, most_kappa);
    const Course damped = run(d, method(d.h), true, steps), undamped = run(d, method(d.h), false, steps);
    Tally& t = tallies[d.kind];
    ++t.cases;
    const bool fed = damped.least_power < -1e3, failed = damped.failed && !undamped.failed;
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

}  // namespace
}  // namespace sinew
