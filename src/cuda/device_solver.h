// What solvers on devices share: the iterate there, and of the problem of the step what sweeps read, in their
// precision.
#pragma once

#include <memory>
#include <vector>

#include "cuda/device.h"
#include "cuda/device_iterate.h"
#include "solver/solver.h"

namespace sinew {

template <class Real>
class DeviceSolver : public Solver {
 public:
  explicit DeviceSolver(std::shared_ptr<Device> device) : device_(std::move(device)), iterate_(*device_) {}

  Status check(const Model& model) const override;
  Status check_step(const StepProblem& problem) const override;
  void prepare(const Model& model, ThreadPool& pool) override;
  void begin_step(const Objective& objective) override;
  IterateRef iterate_ref() override { return &iterate_; }
  void positions(std::span<Vec3d> x) const override;
  void wait() override { device_->wait(); }
  Status fault() const override { return device_->status(); }
  size_t memory_bytes() const override;

 protected:
  // The rest of begin_step: the iterate is at x_start, and target and x_prev are there.
  virtual void begin(const StepProblem& problem) = 0;
  static Error not_offered(const char* what);
  Device& device() const { return *device_; }
  const Model& model() const { return *model_; }
  ThreadPool& pool() const { return *pool_; }
  DeviceUnknowns<Real>& unknowns() { return iterate_.template in<Real>(); }
  const DeviceUnknowns<Real>& unknowns() const { return iterate_.template in<Real>(); }
  // Of the iterate, beyond those of the model; all held.
  virtual size_t spare_slots() const { return 0; }
  // By slot: (y, m/h^2), or (f_ext, 0) in quasistatics.
  const Vec4<Real>* target() const { return target_.data(); }
  // Null in quasistatics, and where nothing is damped.
  const Vec4<Real>* x_prev() const { return x_prev_.data(); }

 private:
  std::shared_ptr<Device> device_;
  const Model* model_ = nullptr;
  ThreadPool* pool_ = nullptr;
  DeviceIterate iterate_;

  DeviceArray<Vec4<Real>> target_, x_prev_;
  // Of those and of the iterate.
  DeviceStage<Vec4<Real>> start_here_, target_here_, x_prev_here_;
  mutable DeviceStage<Vec4<Real>> positions_here_;
};

extern template class DeviceSolver<float>;
extern template class DeviceSolver<double>;

}  // namespace sinew
