#include "cuda/device_solver.h"

#include <algorithm>
#include <cmath>

#include "base/nearest.h"
#include "cuda/device_sum.h"

namespace sinew {

template <class Real>
Error DeviceSolver<Real>::not_offered(const char* what) {
  return Error{"solver.device", joined({what, " only on the CPU as yet"}), "use device \"cpu\""};
}

template <class Real>
Status DeviceSolver<Real>::check_linear(const Model& model, const char* solver) {
  if (model.middles.empty()) return {};
  return Error{"solver.device", joined({"solver \"", solver, "\" solves quadratic tets only on the CPU as yet"}),
               "use device \"cpu\", or solver \"vbd\" or \"pbng\""};
}

template <class Real>
Status DeviceSolver<Real>::check_step(const StepProblem& problem) const {
  if (problem.contacts) return not_offered("contact is found");
  return {};
}

template <class Real>
void DeviceSolver<Real>::prepare(const Model& model, ThreadPool& pool) {
  model_ = &model;
  pool_ = &pool;
  forget_launches();
  if (!resident()) return;
  bodies_.prepare(model, pool);
  objective_.prepare(model);
}

template <class Real>
void DeviceSolver<Real>::forget_launches() {
  whole_step_.reset();
  whole_step_of_.clear();
}

template <class Real>
void DeviceSolver<Real>::make_room(const StepProblem& problem) {
  const auto slots = static_cast<size_t>(model_->slot_count()), all = slots + spare_slots();
  DeviceArray<Vec4<Real>>& x = unknowns().x;
  if (x.size() != all) {
    x.resize(*device_, all);
    x.fill_zero();
  }
  target_.resize(*device_, slots);
  x_prev_.resize(*device_, model_->is_damped() && !problem.quasistatic ? slots : 0);
}

// Rounded to the solver's precision here, so that less is copied.
template <class Real>
void DeviceSolver<Real>::begin_step(const Objective& objective) {
  const StepProblem& problem = objective.problem();
  const auto slots = static_cast<size_t>(model_->slot_count());
  device_->wait();  // until then the last step's copies are read
  make_room(problem);
  start_here_.resize(*device_, slots);
  target_here_.resize(*device_, slots);
  x_prev_here_.resize(*device_, x_prev_.size());
  if (!device_->status()) return;  // `fault` tells

  pool_->for_each(static_cast<int64_t>(slots), [&](size_t s) {
    const double mass = model_->mass[s];
    start_here_.data()[s] = narrowed<Real>(problem.x_start[s], problem.held[s] ? 0 : 1 / mass);
    target_here_.data()[s] = narrowed<Real>(problem.quasistatic ? problem.external_force(s) : problem.x_target[s],
                                            mass * problem.inverse_h2());
  });
  pool_->for_each(static_cast<int64_t>(x_prev_here_.size()),
                  [&](size_t s) { x_prev_here_.data()[s] = narrowed<Real>(problem.x_prev[s], 0); });
  start_here_.upload_to(unknowns().x.data());
  target_here_.upload_to(target_.data());
  x_prev_here_.upload_to(x_prev_.data());
  begin(problem);
  start();
}

template <class Real>
void DeviceSolver<Real>::pose_step(const StepProblem& problem, const StepScripts& scripts) {
  finished_ = false;
  make_room(problem);
  bodies_.follow(problem, scripts);
  if (!device_->status()) return;  // `end_step` tells
  begin(problem);
  bodies_.pose(arrays());
  objective_.begin_step();
  start();
}

// One graph from the pose to the new velocities. When anything that its launches hold changes it is recorded anew, once
// that has lasted for a step.
template <class Real>
bool DeviceSolver<Real>::whole_step(const StepProblem& problem, const StepScripts& scripts, int iterations) {
  if (iterations > most_iterations) return false;
  make_room(problem);
  bodies_.follow(problem, scripts);
  if (!device_->status()) return false;
  begin(problem);
  std::string of = launches();
  if (of.empty()) return false;
  const auto add = [&](const auto& part) { of.append(reinterpret_cast<const char*>(&part), sizeof part); };
  add(bodies_.step());
  add(iterations);
  add(arrays());
  if (of != whole_step_of_ && of != last_step_of_) {
    last_step_of_ = std::move(of);
    return false;
  }
  if (of != whole_step_of_) {
    device_->begin_graph();
    bodies_.pose(arrays());
    start();
    for (int k = 0; k < iterations; ++k) iterate();
    finish_iterations();
    bodies_.finish(unknowns().x.data());
    whole_step_ = device_->end_graph();
    whole_step_of_ = std::move(of);
  }
  device_->play(*whole_step_);
  finished_ = true;
  return true;
}

template <class Real>
std::optional<ResidentState::Tested> DeviceSolver<Real>::evaluate(bool tested) {
  if (!objective_.offered()) return {};
  const auto result = objective_.evaluate(bodies_.step(), unknowns().x.data(), tested);
  return Tested{result.evaluation, result.motion};
}

template <class Real>
std::optional<Evaluation> DeviceSolver<Real>::evaluate_end(std::vector<Vec3d>* forces) {
  if (!objective_.offered()) return {};
  const Vec4<Real>* const at_the_end = nullptr;
  DeviceState::Step step = bodies_.step();
  step.bodies.gravity = model_->gravity;  // which may have changed since
  const Evaluation evaluation = objective_.evaluate(step, at_the_end, false).evaluation;
  if (forces) bodies_.download(*forces, objective_.forces());
  if (!device_->status()) return {};
  return evaluation;
}

template <class Real>
ResidentState::Norms DeviceSolver<Real>::norms() {
  double positions = 0, external = 0;
  const int64_t slots = model_->slot_count();
  device_sums(*device_, slots, SquareOfVector<Real>{unknowns().x.data()}, std::span(&positions, 1));
  device_sums(*device_, slots, SquareOfExternal{bodies_.step().bodies}, std::span(&external, 1));
  return {std::sqrt(positions), std::sqrt(external)};
}

template <class Real>
Result<StepEnd> DeviceSolver<Real>::end_step() {
  if (!finished_) bodies_.finish(unknowns().x.data());
  finished_ = false;
  return bodies_.end();
}

template <class Real>
void DeviceSolver<Real>::positions(std::span<Vec3d> x) const {
  positions_here_.resize(*device_, x.size());
  positions_here_.download_from(unknowns().x.data());
  if (!device_->status()) return;  // `fault` tells
  const Vec4<Real>* const here = positions_here_.data();
  pool_->for_each(static_cast<int64_t>(x.size()), [&](size_t s) { x[s] = {here[s].x, here[s].y, here[s].z}; });
}

template <class Real>
size_t DeviceSolver<Real>::memory_bytes() const {
  return bodies_.memory_bytes() + objective_.memory_bytes() + start_here_.bytes() + target_here_.bytes() +
         x_prev_here_.bytes() + positions_here_.bytes() + target_.bytes() + x_prev_.bytes() + unknowns().x.bytes() +
         unknowns().multipliers.bytes();
}

template class DeviceSolver<float>;
template class DeviceSolver<double>;

}  // namespace sinew
