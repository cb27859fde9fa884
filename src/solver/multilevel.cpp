#include "solver/multilevel.h"

#include <cmath>

#include "solver/sweep_solver.h"

namespace sinew {
namespace {

// Sweeps alone do better below.
constexpr double soft_kappa = 12;
// What they are done with.
constexpr double omega_alone = 1.7;

}  // namespace

template <class Real>
Multilevel<Real>::Multilevel(const MultilevelOptions& options)
    : VertexSolver<Real>(VertexRule{.layout = options.layout, .lanes = options.lanes}), options_(options) {}

template <class Real>
void Multilevel<Real>::prepare(const Model& model, ThreadPool& pool) {
  VertexSolver<Real>::prepare(model, pool);
  model_ = &model;
  bodies_ = bodies_of(model);
  prepared_ = false;
}

// By the model and the time step alone, so that a run does the same on every machine.
template <class Real>
void Multilevel<Real>::choose_bodies(const StepProblem& problem) {
  std::vector<uint8_t> wanted(static_cast<size_t>(bodies_.count()));
  bool any = false;
  for (size_t b = 0; b < wanted.size(); ++b) {
    const bool soft = options_.corrections == corrections_auto && !problem.quasistatic &&
                      bodies_.sizes[b].stiffness_over_inertia(problem.h) < soft_kappa;
    wanted[b] = !soft && bodies_.sizes[b].vertices > 1;
    any = any || wanted[b];
  }
  if (prepared_ && wanted == wanted_) return;
  wanted_ = wanted;
  corrects_ = any;
  prepared_ = true;
  if (any) lattice_.prepare(*model_, bodies_, wanted_, options_.spacing, this->kernels().lattice, this->pool());
}

template <class Real>
void Multilevel<Real>::begin_step(const Objective& objective) {
  VertexSolver<Real>::begin_step(objective);
  choose_bodies(objective.problem());
  const bool exact = corrects_ && options_.blocks == blocks_exact;
  this->set_rule(exact ? NodalStiffness::exact : NodalStiffness::stiffer, corrects_ ? options_.omega : omega_alone);
  if (!corrects_) return;
  forces_.resize(this->iterate_now().x.size());
  lattice_.begin_step(objective.problem(), this->pool());
  fresh_ = false;
  stale_ = true;
  missed_ = false;
  iteration_ = 0;
  first_promise_ = last_promise_ = 0;
}

template <class Real>
void Multilevel<Real>::iterate() {
  Buffer<Vec4<Real>>& x = this->iterate_now().x;
  if (corrects_ && options_.mix && !fresh_) mixing_.begin(lattice_, x, this->pool());
  fresh_ = true;
  for (int k = 0; k < options_.sweeps; ++k) VertexSolver<Real>::iterate();
  if (corrects_) correct();
}

template <class Real>
void Multilevel<Real>::correct() {
  ThreadPool& pool = this->pool();
  Buffer<Vec4<Real>>& x = this->iterate_now().x;
  const std::span<Vec4<Real>> at{x.data(), x.size()};
  const std::span<const Vec4<Real>> forces{forces_.data(), forces_.size()};
  if (stale_) usable_ = lattice_.template refresh<Real>(at, pool);
  stale_ = false;

  this->residual(forces_);
  const double promise = usable_ ? lattice_.template solve<Real>(forces, options_.cycles, pool) : 0;
  const bool sound = std::isfinite(promise) && promise > 0;
  // The promise of a sound sequence shrinks. Where it does not, and at first, a second residual tells by the secant of
  // the slopes whether the step had the right length.
  const bool measures =
      sound && (iteration_ == 0 || missed_ || (promise > 0.9 * last_promise_ && promise > 1e-9 * first_promise_));
  bool moved = false;
  if (measures) {
    lattice_.template move<Real>(at, 1, pool);
    moved = true;
    this->residual(forces_);
    const double after = lattice_.template slope<Real>(forces, pool);
    missed_ = false;
    if (!std::isfinite(after)) {
      lattice_.template move<Real>(at, -0.9, pool);
      stale_ = missed_ = true;
    } else if (after < -0.3 * promise) {
      lattice_.template move<Real>(at, promise / (promise - after) - 1, pool);
      stale_ = missed_ = true;
    } else if (after > 0.5 * promise) {
      lattice_.template move<Real>(at, 1, pool);
      stale_ = missed_ = true;
    }
  }
  if (sound) {
    if (first_promise_ == 0) first_promise_ = promise;
    last_promise_ = promise;
  }
  ++iteration_;
  if (options_.mix && !stale_) {
    mixing_.mix(lattice_, this->kernels().lattice, sound && !moved, x, pool);
  } else {  // a sequence that still turns and bends has no differences to learn from
    if (sound && !moved) lattice_.template move<Real>(at, 1, pool);
    fresh_ = false;
  }
}

template <class Real>
size_t Multilevel<Real>::memory_bytes() const {
  return VertexSolver<Real>::memory_bytes() + (corrects_ ? lattice_.memory_bytes() : 0) + mixing_.memory_bytes() +
         forces_.capacity() * sizeof(Vec4<Real>);
}

template class Multilevel<float>;
template class Multilevel<double>;

std::unique_ptr<Solver> make_multilevel(const SolveOptions& common, const MultilevelOptions& options,
                                        LinearSolverFactory) {
  return make_in_precision<Multilevel>(common, options);
}

}  // namespace sinew
