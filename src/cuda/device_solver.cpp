#include "cuda/device_solver.h"

#include "base/nearest.h"

namespace sinew {

template <class Real>
Error DeviceSolver<Real>::not_offered(const char* what) {
  return Error{"solver.device", joined({what, " only on the CPU as yet"}), "use device \"cpu\""};
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
  mass_.upload(*device_, model.mass);
  device_->wait();
}

template <class Real>
void DeviceSolver<Real>::begin_step(const Objective& objective) {
  const StepProblem& problem = objective.problem();
  held_.upload(*device_, problem.held);
  x_prev_.upload(*device_, problem.x_prev);
  x_start_.upload(*device_, problem.x_start);
  x_target_.upload(*device_, problem.x_target);
  std::vector<Vec3d> force;
  if (problem.quasistatic) {
    force.resize(problem.x_start.size());
    pool_->for_each(static_cast<int64_t>(force.size()), [&](size_t s) { force[s] = problem.external_force(s); });
    force_.upload(*device_, force);
  }
  device_->wait();
  DeviceStep step;
  step.number = problem.step;
  step.slots = model_->slot_count();
  step.quasistatic = problem.quasistatic;
  step.h = problem.h;
  step.mass = mass_.data();
  step.held = held_.data();
  step.x_prev = x_prev_.data();
  step.x_start = x_start_.data();
  step.x_target = x_target_.data();
  step.force = problem.quasistatic ? force_.data() : nullptr;
  begin(step, problem);
}

template <class Real>
void DeviceSolver<Real>::load(const DeviceStep& step, size_t extra) {
  DeviceArray<Vec4<Real>>& x = unknowns().x;
  if (x.size() != static_cast<size_t>(step.slots) + extra) {
    x.resize(*device_, static_cast<size_t>(step.slots) + extra);
    x.fill_zero();
  }
  device_->run(step.slots, LoadIterate<Real>{step, x.data()});
}

template <class Real>
void DeviceSolver<Real>::positions(std::span<Vec3d> x) const {
  unknowns().x.download(here_);
  if (here_.size() < x.size()) return;  // a fault, which `fault` tells
  pool_->for_each(static_cast<int64_t>(x.size()), [&](size_t s) { x[s] = {here_[s].x, here_[s].y, here_[s].z}; });
}

template <class Real>
size_t DeviceSolver<Real>::memory_bytes() const {
  return here_.capacity() * sizeof(here_[0]) + mass_.bytes() + held_.bytes() + x_prev_.bytes() + x_start_.bytes() +
         x_target_.bytes() + force_.bytes() + unknowns().x.bytes() + unknowns().multipliers.bytes();
}

template class DeviceSolver<float>;
template class DeviceSolver<double>;

}  // namespace sinew
