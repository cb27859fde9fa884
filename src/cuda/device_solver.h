// What solvers on devices share: the bodies and the iterate there, and of the problem of the step what sweeps read, in
// their precision.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cuda/device.h"
#include "cuda/device_iterate.h"
#include "cuda/device_objective.h"
#include "cuda/device_state.h"
#include "solver/resident_state.h"
#include "solver/solver.h"

namespace sinew {

template <class Real>
class DeviceSolver : public Solver, public ResidentState {
 public:
  explicit DeviceSolver(std::shared_ptr<Device> device)
      : device_(std::move(device)), bodies_(*device_), objective_(*device_), iterate_(*device_) {}

  Status check_step(const StepProblem& problem) const override;
  void prepare(const Model& model, ThreadPool& pool) override;
  void begin_step(const Objective& objective) override;
  IterateRef iterate_ref() override { return &iterate_; }
  void positions(std::span<Vec3d> x) const override;
  void wait() override { device_->wait(); }
  Status fault() const override { return device_->status(); }
  size_t memory_bytes() const override;

  ResidentState* resident() override { return this; }
  void take(const State& state) override { bodies_.take(state); }
  Status give(State& state) const override { return bodies_.give(state); }
  Status give(StepProblem& problem) const override { return bodies_.give(problem); }
  Status give(std::span<Vec3d> accelerations) const override { return bodies_.give(accelerations); }
  void pose_step(const StepProblem& problem, const StepScripts& scripts) override;
  bool whole_step(const StepProblem& problem, const StepScripts& scripts, int iterations) override;
  std::optional<Tested> evaluate(bool tested) override;
  std::optional<Evaluation> evaluate_end(std::vector<Vec3d>* forces) override;
  Norms norms() override;
  Result<StepEnd> end_step() override;

 protected:
  // Of begin_step, what the CPU does or copies. The arrays of the step are there, but not yet what is in them.
  virtual void begin(const StepProblem& problem) = 0;
  // The rest, which only launches: the iterate is at x_start, and target and x_prev are there.
  virtual void start() {}
  // To be called after iterations, before the iterate is moved otherwise: what they have left to be done.
  virtual void finish_iterations() {}
  // What the launches of `start`, `iterate` and `finish_iterations` depend on, as bytes; empty: they cannot be
  // recorded.
  virtual std::string launches() const { return {}; }
  // To be called when they change otherwise.
  virtual void forget_launches();
  static Error not_offered(const char* what);
  // Of solvers that sweep over linear elements alone.
  static Status check_linear(const Model& model, const char* solver);
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
  void make_room(const StepProblem& problem);
  SolverArrays<Real> arrays() { return {unknowns().x.data(), target_.data(), x_prev_.data()}; }

  std::shared_ptr<Device> device_;
  const Model* model_ = nullptr;
  ThreadPool* pool_ = nullptr;
  DeviceState bodies_;
  DeviceObjective objective_;
  DeviceIterate iterate_;

  DeviceArray<Vec4<Real>> target_, x_prev_;
  // Of those and of the iterate.
  DeviceStage<Vec4<Real>> start_here_, target_here_, x_prev_here_;
  mutable DeviceStage<Vec4<Real>> positions_here_;

  // The launches of a whole step, and what they depend on.
  std::unique_ptr<DeviceGraph> whole_step_;
  std::string whole_step_of_, last_step_of_;
  bool finished_ = false;  // by them
};

extern template class DeviceSolver<float>;
extern template class DeviceSolver<double>;

}  // namespace sinew
