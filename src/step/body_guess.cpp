#include "step/body_guess.h"

#include <algorithm>
#include <cmath>

#include "math/rotation.h"
#include "math/solve.h"
#include "objective/element_terms.h"
#include "solver/multilevel/bodies.h"

namespace sinew {
namespace {

constexpr int64_t piece_size = 1024;  // tets that a thread measures at once
// A body whose moments of inertia are smaller than the largest by this factor and more has no rotation of its own.
constexpr double flat = 1e-9;

}  // namespace

BodyGuess::BodyGuess(const Model& model) : model_(model) {
  if (model.middles.empty()) return;
  const std::vector<int32_t> of_slot = bodies_of(model).of_slot;
  std::vector<int32_t> number(of_slot.size(), -1);  // of each body, among those that have quadratic tets
  for (int32_t e = 0; e < static_cast<int32_t>(model.tets.size()); ++e) {
    const int32_t body = of_slot[model.tets[e][0]];
    if (body < 0 || !model.is_quadratic(e)) continue;
    if (number[body] < 0) {
      number[body] = static_cast<int32_t>(bodies_.size());
      bodies_.emplace_back();
    }
    bodies_[number[body]].tets.push_back(e);
  }
  for (int32_t s = 0; s < model.slot_count(); ++s)
    if (of_slot[s] >= 0 && number[of_slot[s]] >= 0) bodies_[number[of_slot[s]]].slots.push_back(s);
  energy_.resize(model.tets.size());
  det_f_.resize(model.tets.size());
}

void BodyGuess::mend(const StepProblem& problem, ThreadPool& pool,
                     const std::function<double(std::span<const Vec3d>)>& contact_energy, std::span<Vec3d> x) {
  if (bodies_.empty()) return;
  const Measure of_guess = measure(pool, x);
  if (std::none_of(of_guess.inverted.begin(), of_guess.inverted.end(), [](uint8_t i) { return i != 0; })) return;

  std::vector<Vec3d> rigid(x.begin(), x.end()), before(x.begin(), x.end());
  for (size_t b = 0; b < bodies_.size(); ++b) {
    if (!of_guess.inverted[b]) continue;
    for (const int32_t s : bodies_[b].slots)
      if (!problem.held[s]) before[s] = problem.x_prev[s];
    move_rigidly(problem, bodies_[b], x, rigid);
  }
  const Measure of_rigid = measure(pool, rigid), of_before = measure(pool, before);
  std::vector<Vec3d> mended(x.begin(), x.end()), still(x.begin(), x.end());
  double won = 0;  // [J] by those that are moved
  for (size_t b = 0; b < bodies_.size(); ++b) {
    if (!of_guess.inverted[b]) continue;
    const auto energy = [&](const Measure& of, std::span<const Vec3d> there) {
      return of.elastic[b] + inertia(problem, bodies_[b], there);
    };
    const double as_rigid = energy(of_rigid, rigid), as_before = energy(of_before, before);
    if (energy(of_guess, x) <= std::min(as_rigid, as_before)) continue;
    won += std::max(as_before - as_rigid, 0.0);
    const std::vector<Vec3d>& better = as_rigid < as_before ? rigid : before;
    for (const int32_t s : bodies_[b].slots) {
      mended[s] = better[s];
      still[s] = before[s];
    }
  }
  const bool blocked = won > 0 && contact_energy && contact_energy(mended) - contact_energy(still) > won;
  std::copy_n((blocked ? still : mended).begin(), x.size(), x.begin());
}

BodyGuess::Measure BodyGuess::measure(ThreadPool& pool, std::span<const Vec3d> x) {
  for (const ElasticBlock& block : model_.blocks) {
    if (!block.quadratic()) continue;
    pool.parallel_for(block.last_tet - block.first_tet, piece_size, [&](int64_t begin, int64_t end) {
      const auto first = static_cast<int32_t>(block.first_tet + begin);
      const ElementTerms terms{ElementArrays::of(model_), &block,         x.data(), nullptr, 0,
                               &energy_[first],           &det_f_[first], nullptr};
      element_kernel_with_lanes(0)(terms, first, static_cast<int32_t>(block.first_tet + end));
    });
  }
  Measure sums{std::vector<double>(bodies_.size()), std::vector<uint8_t>(bodies_.size())};
  for (size_t b = 0; b < bodies_.size(); ++b) {
    for (const int32_t e : bodies_[b].tets) {
      sums.elastic[b] += energy_[e];
      if (!(det_f_[e] > 0)) sums.inverted[b] = 1;
    }
  }
  return sums;
}

// [J] What the objective has beside elements.
double BodyGuess::inertia(const StepProblem& problem, const Body& body, std::span<const Vec3d> x) const {
  double sum = 0;
  for (const int32_t s : body.slots) {
    const Vec3d way = x[s] - problem.x_target[s];
    if (!problem.held[s]) sum += 0.5 * model_.mass[s] * problem.inverse_h2() * dot(way, way);
  }
  return sum;
}

// Writes where the free vertices of a body are that moves from x_prev as a whole, with the momentum and the angular
// momentum of the way to the guess.
void BodyGuess::move_rigidly(const StepProblem& problem, const Body& body, std::span<const Vec3d> guess,
                             std::span<Vec3d> x) const {
  double mass = 0;
  Vec3d center{}, way{};
  for (const int32_t s : body.slots) {
    mass += model_.mass[s];
    center += model_.mass[s] * problem.x_prev[s];
    way += model_.mass[s] * (guess[s] - problem.x_prev[s]);
  }
  center = (1 / mass) * center;
  way = (1 / mass) * way;
  Vec3d turning{};
  Sym3<double> inertia{};
  for (const int32_t s : body.slots) {
    const Vec3d r = problem.x_prev[s] - center;
    turning += model_.mass[s] * cross(r, guess[s] - problem.x_prev[s]);
    add_identity(inertia, model_.mass[s] * dot(r, r));
    add_outer(inertia, -model_.mass[s], r);
  }
  const Vec3d turn = solve_or_skip(inertia, turning, flat);
  const double angle = std::sqrt(dot(turn, turn));
  const Mat3d bend = angle > 0 ? rotation_minus_identity((1 / angle) * turn, angle) : Mat3d{};
  for (const int32_t s : body.slots)
    if (!problem.held[s]) x[s] = problem.x_prev[s] + way + bend * (problem.x_prev[s] - center);
}

}  // namespace sinew
