// What solvers on devices share: the iterate there, and a copy of the problem of the step.
#pragma once

#include <memory>
#include <vector>

#include "cuda/device.h"
#include "cuda/device_iterate.h"
#include "cuda/device_step.h"
#include "solver/solver.h"

namespace sinew {

template <class Real>
class DeviceSolver : public Solver {
 public:
  explicit DeviceSolver(std::shared_ptr<Device> device) : device_(std::move(device)), iterate_(*device_) {}

  Status check_step(const StepProblem& problem) const override;
  void prepare(const Model& model, ThreadPool& pool) override;
  void begin_step(const Objective& objective) override;
  IterateRef iterate_ref() override { return &iterate_; }
  void positions(std::span<Vec3d> x) const override;
  void wait() override { device_->wait(); }
  Status fault() const override { return device_->status(); }
  size_t memory_bytes() const override;

 protected:
  // The rest of begin_step, with the large parts of the problem on the device.
  virtual void begin(const DeviceStep& step, const StepProblem& problem) = 0;
  static Error not_offered(const char* what);
  Device& device() const { return *device_; }
  const Model& model() const { return *model_; }
  ThreadPool& pool() const { return *pool_; }
  DeviceUnknowns<Real>& unknowns() { return iterate_.template in<Real>(); }
  const DeviceUnknowns<Real>& unknowns() const { return iterate_.template in<Real>(); }
  // Loads x_start into the iterate, followed by `extra` more slots, all held.
  void load(const DeviceStep& step, size_t extra = 0);

 private:
  std::shared_ptr<Device> device_;
  const Model* model_ = nullptr;
  ThreadPool* pool_ = nullptr;
  DeviceIterate iterate_;

  // The problem of the step, copied.
  DeviceArray<double> mass_;
  DeviceArray<uint8_t> held_;
  DeviceArray<Vec3d> x_prev_, x_start_, x_target_, force_;
  mutable std::vector<Vec4<Real>> here_;
};

extern template class DeviceSolver<float>;
extern template class DeviceSolver<double>;

}  // namespace sinew
