#include "cuda/device_multilevel.h"

#include <cmath>
#include <limits>

#include "cuda/device_sum.h"
#include "solver/multilevel/multilevel_rules.h"

namespace sinew {

using namespace multilevel_rules;

template <class Real>
DeviceMultilevel<Real>::DeviceMultilevel(std::shared_ptr<Device> device, const MultilevelOptions& options)
    : DeviceVertexSolver<Real>(std::move(device), VertexRule{.jacobi = options.order == sweeps_jacobi,
                                                             .sweep_order = options.sweep_order,
                                                             .layout = options.layout,
                                                             .lanes = options.lanes}),
      options_(options) {}

template <class Real>
Status DeviceMultilevel<Real>::check(const Model& model) const {
  if (Status s = this->check_linear(model, MultilevelOptions::name); !s) return s;
  return check_lattice_size(model, options_.spacing);
}

template <class Real>
Status DeviceMultilevel<Real>::check_step(const StepProblem& problem) const {
  if (problem.quasistatic) {
    return Error{"solver.device", "solver \"multilevel\" finds equilibria only on the CPU as yet",
                 "use device \"cpu\", or the integrator \"backward_euler\""};
  }
  if (problem.contacts) return this->not_offered("multilevel descent with contact runs");
  return {};
}

template <class Real>
void DeviceMultilevel<Real>::prepare(const Model& model, ThreadPool& pool) {
  DeviceVertexSolver<Real>::prepare(model, pool);
  bodies_.prepare(model, options_);
}

// The lattice is built anew in the next step.
template <class Real>
bool DeviceMultilevel<Real>::take_parameters(const Model& model) {
  if (!DeviceVertexSolver<Real>::take_parameters(model)) return false;
  bodies_.prepare(model, options_);
  return true;
}

// What the lattice and free bodies need of the step is found on the CPU; they keep it.
template <class Real>
void DeviceMultilevel<Real>::begin_step(const Objective& objective) {
  problem_ = &objective.problem();
  bodies_.free.begin_step(*problem_);
  if (bodies_.choose(options_, *problem_) && bodies_.any()) {
    lattice_.prepare(this->model(), bodies_.bodies(), bodies_.wanted(), options_.spacing,
                     kernels_with_lanes(0)->lattice, this->pool());
    there_.prepare(this->device(), lattice_, options_.cycles);
  }
  if (bodies_.any()) {
    lattice_.begin_step(*problem_, this->pool());
    there_.begin_step(lattice_);
  }
  DeviceVertexSolver<Real>::begin_step(objective);
}

template <class Real>
void DeviceMultilevel<Real>::begin(const StepProblem& problem) {
  DeviceVertexSolver<Real>::begin(problem);
  counts_ = {};
  iteration_ = 0;
  watch_ = {};
  estimate_ = std::numeric_limits<double>::infinity();
  corrects_ = bodies_.any();
  this->set_rule(options_.blocks == blocks_exact ? NodalStiffness::exact : NodalStiffness::stiffer,
                 bodies_.omega(options_, corrects_));
  if (!corrects_) return;
  counts_.nodes = lattice_.node_count();
  fresh_ = false;
  stale_ = true;
  missed_ = unmeasured_ = false;
  first_promise_ = last_promise_ = 0;
}

template <class Real>
void DeviceMultilevel<Real>::start() {
  if (corrects_) start_.copy(this->device(), x());
}

template <class Real>
void DeviceMultilevel<Real>::iterate() {
  if (corrects_ && !fresh_ && options_.mix) mixing_.begin(there_, x());
  fresh_ = true;
  for (int k = 0; k < options_.sweeps; ++k) DeviceVertexSolver<Real>::iterate();
  if (corrects_) correct();
  ++iteration_;
  if (!corrects_) return;
  const auto verdict = watch_.after(iteration_, estimate_, missed_, false);
  if (verdict != ResidualWatch::Verdict::go_on)
    give_up_corrections(verdict == ResidualWatch::Verdict::go_back_and_give_up);
}

// Continues with sweeps of VBD for the rest of the step, from its start or from here.
template <class Real>
void DeviceMultilevel<Real>::give_up_corrections(bool from_start) {
  if (from_start) x().copy(this->device(), start_);
  this->set_rule(NodalStiffness::exact, bodies_.omega_given_up(options_));
  corrects_ = false;
}

// The promise [J] of the lattice's correction for the current forces out of balance.
template <class Real>
double DeviceMultilevel<Real>::find_correction() {
  this->residual(forces_);
  if (stale_) {
    usable_ = refresh();
    ++counts_.matrices;
    stale_ = false;
  }
  if (!usable_) return 0;
  there_.solve(forces_);
  const LatticeReport report = there_.report();
  read(report);
  return report.promise;
}

// The CPU computes the matrices of ties and gliding vertices, which are few.
template <class Real>
bool DeviceMultilevel<Real>::refresh() {
  if (!lattice_.has_more_than_cells()) {
    there_.refresh(x());
    return true;
  }
  here_.resize(this->device(), x().size());
  here_.download_from(x().data());
  if (!this->device().status()) return false;
  if (!lattice_.template refresh<Real>(std::span<const Vec4<Real>>(here_.data(), here_.size()), this->pool()))
    return false;
  if (!there_.has_structure_of(lattice_)) {
    there_.prepare(this->device(), lattice_, options_.cycles);
    there_.begin_step(lattice_);
  }
  there_.take_matrix(lattice_);
  return true;
}

template <class Real>
void DeviceMultilevel<Real>::step_measured(double promise) {
  before_.copy(this->device(), x());
  there_.move(x(), 1);
  this->residual(forces_);
  there_.slope(forces_);
  const LatticeReport report = there_.report();
  read(report);
  if (!std::isfinite(report.promise)) x().copy(this->device(), before_);
  const double more = more_of_step(report.promise, promise, first_promise_);
  missed_ = more != 0;
  if (!missed_) return;
  there_.move(x(), more);
  stale_ = true;
  ++counts_.lengths;
}

// As of Multilevel, without turns.
template <class Real>
void DeviceMultilevel<Real>::correct() {
  const double promise = find_correction();
  const bool astray = !(promise <= lost * last_promise_ || promise <= rounding_share * first_promise_);
  if (astray && unmeasured_ && mixing_.go_back(there_, x())) {
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
    if (doubtful) {
      step_measured(promise);
      moved = true;
    }
  }
  unmeasured_ = !moved;
  // For vertices that glide, mixing must see their own motion, not the lattice's.
  if (options_.mix && !stale_ && !moved && lattice_.has_glides()) {
    there_.move(x(), 1);
    moved = true;
  }
  if (options_.mix && !stale_) {
    mixing_.mix(there_, !moved, x());
  } else {
    if (!moved) there_.move(x(), 1);
    fresh_ = false;
  }
}

// As of Multilevel: after the sweeps, before the correction, or after it if its length was measured.
template <class Real>
std::optional<double> DeviceMultilevel<Real>::residual_estimate() {
  if (iteration_ == 0) return {};
  if (!corrects_ && iteration_ % 2 == 0) {
    this->residual(forces_);
    double square = 0;
    device_sums(this->device(), static_cast<int64_t>(forces_.size()), SquareOfVector<Real>{forces_.data()},
                std::span(&square, 1));
    estimate_ = std::sqrt(square);
  }
  return estimate_;
}

// The momentum of free bodies is exact in every iterate that is seen from outside.
template <class Real>
void DeviceMultilevel<Real>::positions(std::span<Vec3d> x) const {
  DeviceVertexSolver<Real>::positions(x);
  if (bodies_.free.any()) bodies_.free.balance(*problem_, this->pool(), x);
}

template <class Real>
size_t DeviceMultilevel<Real>::memory_bytes() const {
  return DeviceVertexSolver<Real>::memory_bytes() +
         (bodies_.any() ? lattice_.memory_bytes() + there_.memory_bytes() : 0) + mixing_.memory_bytes() +
         forces_.bytes() + before_.bytes() + start_.bytes() + here_.bytes() + bodies_.free.memory_bytes();
}

template class DeviceMultilevel<float>;
template class DeviceMultilevel<double>;

}  // namespace sinew
