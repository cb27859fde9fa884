// The objective of a step on a device, in double precision whatever that of the solver is.
#pragma once

#include <optional>
#include <span>

#include "cuda/device_state.h"
#include "cuda/objective_kernels.h"
#include "sinew/report.h"

namespace sinew {

class DeviceObjective {
 public:
  explicit DeviceObjective(Device& device) : device_(device) {}

  void prepare(const Model& model);
  // Where it is not: elements that are not linear, and ties, whose terms the CPU finds; too little memory.
  bool offered() const;

  struct Result {
    Evaluation evaluation;
    double motion = 0;  // [m] since the last test of the step; infinite at the first
  };
  // At the iterate of a solver, or where `x` is null where the step has brought the bodies. `tested`: the next motion
  // counts from here. Waits.
  template <class Real>
  Result evaluate(const DeviceState::Step& step, const Vec4<Real>* x, bool tested);
  void begin_step() { tested_ = false; }
  // [N] By slot, without zeroing, of the last evaluation.
  const DeviceArray<Vec3d>& forces() const { return forces_; }
  size_t memory_bytes() const;

 private:
  bool is_there() const { return elements_ != 0; }
  size_t bytes_needed() const;
  void upload();

  Device& device_;
  const Model* model_ = nullptr;
  int64_t elements_ = 0;  // that were uploaded
  DeviceArray<Tet> tets_;
  DeviceArray<Vec3d> rest_, gradient_, x_, tested_at_, forces_;
  DeviceArray<double> stiffness_factor_, energy_, det_f_;
  DeviceArray<int32_t> begin_, places_;
  DeviceArray<EvaluationSum> parts_;
  bool tested_ = false;  // in this step
};

}  // namespace sinew
