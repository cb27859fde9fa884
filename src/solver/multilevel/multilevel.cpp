#include "solver/multilevel/multilevel.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/contacts.h"
#include "mesh/simplices.h"
#include "solver/multilevel/multilevel_rules.h"
#include "solver/solver_info.h"
#include "solver/sweep_solver.h"

namespace sinew {

using namespace multilevel_rules;

namespace {

// The base is moved again when the promise has fallen to this share of that at its last move.
constexpr double rebase_share = 1e-4;
// [rad] Root mean square rotation of the cells: below the first, straight lines can stand for circles; the second is
// the most of a correction; from the third on, the matrix is that of another state.
constexpr double least_turn = 0.02, most_turn = 0.15, turned_matrix = 0.05;

}  // namespace

template <class Real>
Multilevel<Real>::Multilevel(const MultilevelOptions& options)
    : VertexSolver<Real>(VertexRule{.jacobi = options.order == sweeps_jacobi,
                                    .sweep_order = options.sweep_order,
                                    .shares_penalties = true,
                                    .multipliers = has_multipliers(options),
                                    .refines = true,
                                    .layout = options.layout,
                                    .lanes = options.lanes}),
      options_(options) {}

template <class Real>
Status Multilevel<Real>::check(const Model& model) const {
  return check_lattice_size(model, options_.spacing);
}

template <class Real>
void Multilevel<Real>::prepare(const Model& model, ThreadPool& pool) {
  VertexSolver<Real>::prepare(model, pool);
  model_ = &model;
  bodies_.prepare(model, options_);
}

// The lattice is built anew in the next step.
template <class Real>
bool Multilevel<Real>::take_parameters(const Model& model) {
  if (!VertexSolver<Real>::take_parameters(model)) return false;
  bodies_.prepare(model, options_);
  return true;
}

template <class Real>
void Multilevel<Real>::begin_step(const Objective& objective) {
  VertexSolver<Real>::begin_step(objective);
  counts_ = {};
  iteration_ = 0;
  watch_ = {};
  estimate_ = std::numeric_limits<double>::infinity();
  problem_ = &objective.problem();
  bodies_.free.begin_step(*problem_);
  contacts_seen_ = problem_->contacts ? problem_->contacts->revision() : 0;
  coupled_.clear();
  lattice_.clear_pairs();
  if (bodies_.choose(options_, *problem_) && bodies_.any()) {
    lattice_.prepare(*model_, bodies_.bodies(), bodies_.wanted(), options_.spacing, this->kernels().lattice,
                     this->pool(), has_multipliers(options_));
  }
  corrects_ = bodies_.any();
  this->set_rule(options_.blocks == blocks_exact ? NodalStiffness::exact : NodalStiffness::stiffer,
                 bodies_.omega(options_, corrects_));
  forces_.resize(this->iterate_now().x.size());
  if (!corrects_) return;
  start_ = this->iterate_now().x;
  start_base_ = this->base();
  keep(start_pressures_);
  counts_.nodes = lattice_.node_count();
  lattice_.begin_step(objective.problem(), this->pool());
  quasistatic_ = objective.problem().quasistatic;
  trust_ = most_turn;
  fresh_ = false;
  stale_ = true;
  missed_ = unmeasured_ = false;
  first_promise_ = last_promise_ = rebased_promise_ = 0;
}

template <class Real>
void Multilevel<Real>::iterate() {
  Buffer<Vec4<Real>>& x = this->iterate_now().x;
  if (problem_->contacts && problem_->contacts->revision() != contacts_seen_) {
    bodies_.free.begin_step(*problem_);
    contacts_seen_ = problem_->contacts->revision();
  }
  if (corrects_ && !fresh_) {
    if (this->has_base()) this->rebase();
    rebased_promise_ = last_promise_;
    if (options_.mix) mixing_.begin(lattice_, x, this->pool());
  }
  fresh_ = true;
  if (corrects_) {
    pressures_before_.swap(pressures_now_);
    keep(pressures_now_);
  }
  for (int k = 0; k < options_.sweeps; ++k) VertexSolver<Real>::iterate();
  if (corrects_ && this->has_limits()) {
    const Buffer<Vec4<Real>> swept = x;
    correct();
    this->keep_limits(swept);
  } else if (corrects_) {
    correct();
  }
  ++iteration_;
  if (!corrects_) return;
  measure();
  const auto verdict = watch_.after(iteration_, estimate_, missed_, quasistatic_);
  if (verdict != ResidualWatch::Verdict::go_on)
    give_up_corrections(verdict == ResidualWatch::Verdict::go_back_and_give_up);
}

// Continues with sweeps of VBD for the rest of the step, from its start or from here: slow, but each lowers the energy.
template <class Real>
void Multilevel<Real>::give_up_corrections(bool from_start) {
  if (from_start) {
    const Buffer<Vec4<Real>> before = this->iterate_now().x;
    this->restore(start_, start_base_);
    this->restore_pressures(start_pressures_);
    this->keep_limits(before);
  }
  this->set_rule(NodalStiffness::exact, bodies_.omega_given_up(options_));
  corrects_ = false;
}

// The momentum of free bodies is exact in every iterate that is seen from outside.
template <class Real>
void Multilevel<Real>::positions(std::span<Vec3d> x) const {
  VertexSolver<Real>::positions(x);
  // Balancing would move vertices past their limits.
  if (bodies_.free.any() && !this->has_limits()) bodies_.free.balance(*problem_, this->pool(), x);
}

template <class Real>
std::span<const Vec4<Real>> Multilevel<Real>::positions_now() {
  const Buffer<Vec4<Real>>& x = this->iterate_now().x;
  if (!this->has_base()) return {x.data(), x.size()};
  where_.resize(x.size());
  this->pool().for_each(static_cast<int64_t>(x.size()), [&](size_t s) {
    const Vec4<Real>& b = this->base()[s];
    where_[s] = {b.x + x[s].x, b.y + x[s].y, b.z + x[s].z, x[s].w};
  });
  return {where_.data(), where_.size()};
}

// Finds the lattice's correction for the current forces out of balance and returns its promise [J]: 0 if there is no
// matrix, and not finite if the state has left the range of numbers.
template <class Real>
double Multilevel<Real>::find_correction() {
  ThreadPool& pool = this->pool();
  this->residual(forces_);
  couple_contacts();
  if (stale_) {
    usable_ = lattice_.template refresh<Real>(positions_now(), pool);
    ++counts_.matrices;
    stale_ = false;
  }
  return usable_ ? lattice_.template solve<Real>(forces_now(), options_.cycles, pool) : 0;
}

// Makes the contacts at the current iterate part of the matrix: those that join the same two cells as one, at their
// mean place. The matrix is stale where other cells touch than it knows of.
template <class Real>
void Multilevel<Real>::couple_contacts() {
  if (!problem_->contacts) return;
  struct Joined {
    std::array<int32_t, 2> cells;
    const Contact* contact;
    double sign;  // so that all of them point from the first cell to the second
  };
  std::vector<Joined> joined;
  for (const Contact& contact : this->contacts()) {
    const ContactForce<double> f = contact_force(contact.numbers, Vec3d{});
    if (!(f.along > 0)) continue;
    std::array<int32_t, 2> cells{-1, -1};
    for (size_t j = 0; j < 4; ++j) {
      if (contact.slots[j] < 0) continue;
      const int32_t cell = lattice_.cells().of_slot[static_cast<size_t>(contact.slots[j])];
      (contact.numbers.weights[j] > 0 ? cells[0] : cells[1]) = cell;
    }
    if (cells[0] < 0 && cells[1] < 0) continue;
    joined.push_back({rising(cells), &contact, cells[0] <= cells[1] ? 1.0 : -1.0});
  }
  std::stable_sort(joined.begin(), joined.end(), [](const Joined& a, const Joined& b) { return a.cells < b.cells; });
  std::vector<std::array<int32_t, 2>> coupled;
  for (const Joined& j : joined)
    if (coupled.empty() || coupled.back() != j.cells) coupled.push_back(j.cells);
  if (!stale_ && coupled == coupled_) return;
  coupled_ = std::move(coupled);
  stale_ = true;
  lattice_.clear_pairs();
  std::vector<int32_t> slots;
  std::vector<double> weights;
  for (size_t first = 0; first < joined.size();) {
    size_t last = first;
    double whole = 0;
    for (; last < joined.size() && joined[last].cells == joined[first].cells; ++last)
      whole += contact_force(joined[last].contact->numbers, Vec3d{}).along;
    Sym3<double> sum{};
    slots.clear();
    weights.clear();
    for (; first < last; ++first) {
      const Contact& contact = *joined[first].contact;
      const double sign = joined[first].sign;
      const ContactForce<double> f = contact_force(contact.numbers, Vec3d{});
      add_identity(sum, f.across);
      add_outer(sum, f.along - f.across, f.axis);
      for (size_t j = 0; j < 4; ++j) {
        if (contact.slots[j] < 0) continue;
        slots.push_back(contact.slots[j]);
        weights.push_back(sign * contact.numbers.weights[j] * f.along / whole);
      }
    }
    lattice_.add_pair(slots, weights, {{sum.xx, sum.xy, sum.xz}, {sum.xy, sum.yy, sum.yz}, {sum.xz, sum.yz, sum.zz}});
  }
}

// x += P u. The promise of a sound sequence shrinks. If it does not, and at first, the slope at the end tells by the
// secant whether the step was too long, as for tets that it inverts, or too short.
template <class Real>
void Multilevel<Real>::step_measured(double promise) {
  ThreadPool& pool = this->pool();
  before_ = this->iterate_now().x;
  lattice_.template move<Real>(iterate_span(), 1, pool);
  this->residual(forces_);
  const double slope = lattice_.template slope<Real>(forces_now(), pool);
  if (!std::isfinite(slope)) this->iterate_now().x = before_;
  const double more = more_of_step(slope, promise, first_promise_);
  missed_ = more != 0;
  if (!missed_) return;
  lattice_.template move<Real>(iterate_span(), more, pool);
  stale_ = true;
  ++counts_.lengths;
}

// The same along the circles of rotating cells, no farther than the trust in such steps permits.
template <class Real>
void Multilevel<Real>::step_curved(double promise, double turn) {
  ThreadPool& pool = this->pool();
  const double s = std::fmin(1, trust_ / turn);
  before_ = this->iterate_now().x;
  lattice_.curve(s, options_.cycles, pool);
  lattice_.template move<Real>(iterate_span(), 1, pool);
  this->residual(forces_);
  const double slope = lattice_.template slope<Real>(forces_now(), pool) / s;
  stale_ = stale_ || s * turn > turned_matrix;
  missed_ = !(slope > -far_past * promise && slope < far_short * promise);
  if (slope > -far_past * promise) {
    trust_ = std::fmin(1.5 * trust_, most_turn);
    return;
  }
  const double t = s * (std::isfinite(slope) ? promise / (promise - slope) : 0.1);
  trust_ = std::fmax(0.5 * s * turn, least_turn);
  this->iterate_now().x = before_;
  lattice_.curve(t, options_.cycles, pool);
  lattice_.template move<Real>(iterate_span(), 1, pool);
  stale_ = true;
  ++counts_.lengths;
}

template <class Real>
void Multilevel<Real>::correct() {
  ThreadPool& pool = this->pool();
  const double promise = find_correction();
  // An unmeasured step, by the matrix of another state, may go astray: then return, and continue with measured steps.
  const bool astray = !(promise <= lost * last_promise_ || promise <= rounding_share * first_promise_);
  if (astray && unmeasured_ && mixing_.go_back(lattice_, this->iterate_now().x, pool)) {
    this->restore_pressures(pressures_before_);
    fresh_ = false;
    stale_ = missed_ = true;
    unmeasured_ = false;
    ++counts_.lengths;
    return;
  }
  bool moved = !(promise > 0 && std::isfinite(promise));
  if (!moved) {
    if (first_promise_ == 0) first_promise_ = promise;
    const bool doubtful = is_doubtful(iteration_, missed_, promise, last_promise_, first_promise_);
    last_promise_ = promise;
    missed_ = false;
    const double turn = quasistatic_ ? lattice_.find_turns(pool) : 0;
    if (turn > least_turn) {
      step_curved(promise, turn);
      moved = true;
    } else if (doubtful) {
      step_measured(promise);
      moved = true;
    }
  }
  unmeasured_ = !moved;
  // For vertices that glide, mixing must see their own motion, not the lattice's.
  if (options_.mix && !stale_ && !moved && lattice_.has_glides()) {
    lattice_.template move<Real>(iterate_span(), 1, pool);
    moved = true;
  }
  if (options_.mix && !stale_) {
    mixing_.mix(lattice_, this->kernels().lattice, !moved, this->iterate_now().x, pool);
    // Displacements far smaller than at first are rebased, to be exact again.
    if (this->has_base() && promise < rebase_share * rebased_promise_) fresh_ = false;
  } else {  // a sequence that still rotates and bends has no useful differences
    if (!moved) lattice_.template move<Real>(iterate_span(), 1, pool);
    fresh_ = false;
  }
}

// The residual after the sweeps, before the correction, or after it if its length was measured; without corrections,
// the current one.
template <class Real>
std::optional<double> Multilevel<Real>::residual_estimate() {
  if (iteration_ == 0) return {};
  if (!corrects_) {
    // Here it costs half an iteration, so it is computed every other one.
    if (iteration_ % 2 == 1) return estimate_;
    this->residual(forces_);
    measure();
  }
  return estimate_;
}

// Sets the estimate to the norm of the forces out of balance.
template <class Real>
void Multilevel<Real>::measure() {
  const auto square = [&](int64_t s) {
    const Vec3d f{forces_[s].x, forces_[s].y, forces_[s].z};
    return dot(f, f);
  };
  estimate_ = std::sqrt(ordered_sum<double>(this->pool(), static_cast<int64_t>(forces_.size()), square));
}

// Differences of positions are exact, and their rounding is that of numbers of the size of an edge.
template <class Real>
double Multilevel<Real>::position_rounding() const {
  if (!this->has_base()) return 0;
  double distance = 0;
  for (const BodySize& size : bodies_.bodies().sizes) distance = std::fmax(distance, size.distance);
  constexpr double terms = 4;  // the square root of the number of terms of a force
  return terms * std::numeric_limits<Real>::epsilon() * distance;
}

template <class Real>
size_t Multilevel<Real>::memory_bytes() const {
  return VertexSolver<Real>::memory_bytes() + (bodies_.any() ? lattice_.memory_bytes() : 0) + mixing_.memory_bytes() +
         (forces_.capacity() + start_.capacity() + start_base_.capacity()) * sizeof(Vec4<Real>) +
         (start_pressures_.capacity() + pressures_now_.capacity() + pressures_before_.capacity()) * sizeof(double) +
         bodies_.free.memory_bytes();
}

template class Multilevel<float>;
template class Multilevel<double>;

std::unique_ptr<Solver> make_multilevel(const SolveOptions& common, const MultilevelOptions& options,
                                        LinearSolverFactory) {
  return make_in_precision<Multilevel>(common, options);
}

SolverInfo multilevel_info() {
  return solver_info<MultilevelOptions, multilevel_parameters, make_multilevel>();
}

}  // namespace sinew
