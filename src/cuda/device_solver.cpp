#include "cuda/device_solver.h"

#include <algorithm>

#include "base/nearest.h"

namespace sinew {

template <class Real>
Error DeviceSolver<Real>::not_offered(const char* what) {
  return Error{"solver.device", joined({what, " only on the CPU as yet"}), "use device \"cpu\""};
}

template <class Real>
Status DeviceSolver<Real>::check(const Model& model) const {
  if (!model.middles.empty()) return not_offered("quadratic tets are solved");
  return {};
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
}

// Rounded to the solver's precision here, so that less is copied.
template <class Real>
void DeviceSolver<Real>::begin_step(const Objective& objective) {
  const StepProblem& problem = objective.problem();
  const auto slots = static_cast<size_t>(model_->slot_count()), all = slots + spare_slots();
  device_->wait();  // until then the last step's copies are read
  start_here_.resize(*device_, all);
  target_here_.resize(*device_, slots);
  x_prev_here_.resize(*device_, model_->is_damped() && !problem.quasistatic ? slots : 0);
  DeviceArray<Vec4<Real>>& x = unknowns().x;
  x.resize(*device_, all);
  target_.resize(*device_, slots);
  x_prev_.resize(*device_, x_prev_here_.size());
  if (!device_->status()) return;  // `fault` tells

  const auto narrowed = [](Vec3d p, double w) {
    return Vec4<Real>{static_cast<Real>(p.x), static_cast<Real>(p.y), static_cast<Real>(p.z), static_cast<Real>(w)};
  };
  pool_->for_each(static_cast<int64_t>(slots), [&](size_t s) {
    const double mass = model_->mass[s];
    start_here_.data()[s] = narrowed(problem.x_start[s], problem.held[s] ? 0 : 1 / mass);
    target_here_.data()[s] =
        narrowed(problem.quasistatic ? problem.external_force(s) : problem.x_target[s], mass * problem.inverse_h2());
  });
  std::fill(start_here_.data() + slots, start_here_.data() + all, Vec4<Real>{0, 0, 0, 0});
  pool_->for_each(static_cast<int64_t>(x_prev_here_.size()),
                  [&](size_t s) { x_prev_here_.data()[s] = narrowed(problem.x_prev[s], 0); });
  start_here_.upload_to(x.data());
  target_here_.upload_to(target_.data());
  x_prev_here_.upload_to(x_prev_.data());
  begin(problem);
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
  return start_here_.bytes() + target_here_.bytes() + x_prev_here_.bytes() + positions_here_.bytes() + target_.bytes() +
         x_prev_.bytes() + unknowns().x.bytes() + unknowns().multipliers.bytes();
}

template class DeviceSolver<float>;
template class DeviceSolver<double>;

}  // namespace sinew
