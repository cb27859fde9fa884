// The bodies in the memory of a device, and what a step does with them before and after its iterations.
#pragma once

#include <span>
#include <vector>

#include "cuda/device.h"
#include "cuda/state_kernels.h"
#include "exec/thread_pool.h"
#include "math/lane.h"

namespace sinew {

// What a solver reads of a step, in its precision.
template <class Real>
struct SolverArrays {
  Vec4<Real>* x;       // by slot: (x, 1/m)
  Vec4<Real>* target;  // (y, m/h^2), or (f_ext, 0) in quasistatics
  Vec4<Real>* x_prev;  // null: nothing is damped
};

class DeviceState {
 public:
  DeviceState(Device& device) : device_(device) {}

  void prepare(const Model& model, ThreadPool& pool);
  void take(const State& state);
  Status give(State& state) const;
  Status give(StepProblem& problem) const;
  Status give(std::span<Vec3d> accelerations) const;

  // Waits.
  template <class T>
  void download(std::vector<T>& here, const DeviceArray<T>& there) const {
    here.resize(there.size());
    download(here.data(), there.data(), there.bytes());
  }

  // Copies what scripts say, where it has changed.
  void follow(const StepProblem& problem, const StepScripts& scripts);
  // The rest only launches, and may be recorded. It reads what `follow` was given last.
  template <class Real>
  void pose(const SolverArrays<Real>& arrays);
  template <class Real>
  void finish(const Vec4<Real>* x);
  // Waits.
  Result<StepEnd> end();

  // What `pose` and `finish` depend on, to tell whether a recording still holds.
  struct Step {
    ResidentBodies bodies;
    double h = 0;  // [s]
    bool quasistatic = false;
    int initial_guess = 0;
    int64_t scripted_count = 0, idle_count = 0;
    const ScriptedVertex* scripted = nullptr;
    const int32_t* idle = nullptr;
    Vec3d* accelerations = nullptr;
    StepEnd* parts = nullptr;
  };
  const Step& step() const { return step_; }
  size_t memory_bytes() const;

 private:
  size_t window_for(size_t bytes) const;
  void upload(void* to, const void* from, size_t bytes) const;
  void download(void* to, const void* from, size_t bytes) const;
  double inverse_h2() const { return step_.quasistatic ? 0 : 1 / (step_.h * step_.h); }
  int64_t slots() const { return static_cast<int64_t>(x_.size()); }

  Device& device_;
  const Model* model_ = nullptr;
  ThreadPool* pool_ = nullptr;
  Step step_;
  DeviceArray<Vec3d> x_, v_, x_prev_, target_, extra_force_, accelerations_;
  DeviceArray<double> fall_, mass_;
  DeviceArray<uint8_t> scripted_;
  DeviceArray<ScriptedVertex> vertices_;
  DeviceArray<int32_t> idle_;
  DeviceArray<Glide> glides_;
  std::vector<ScriptedVertex> vertices_here_;  // what was copied last
  std::vector<int32_t> idle_here_;
  std::vector<Glide> glides_here_;
  DeviceArray<StepEnd> parts_;
  DeviceStage<StepEnd> end_;
  mutable State given_;               // what was given before, to be overwritten
  mutable DeviceStage<char> window_;  // through which large arrays are copied
};

}  // namespace sinew
