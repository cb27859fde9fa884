// The quadratic tetrahedra of a solver by vertex in the memory of a device: the layouts and multipliers that they have
// on the CPU (solver/by_vertex/quadratic_tets.h).
#pragma once

#include <utility>
#include <vector>

#include "cuda/device.h"
#include "cuda/quadratic_sweep.h"
#include "model/step_problem.h"
#include "solver/by_vertex/multiplier_law.h"

namespace sinew {

template <class Real>
class DeviceQuadraticTets {
 public:
  void prepare(Device& device, const Model& model, bool frames_only, bool multipliers, ThreadPool& pool);
  // The stiffness and damping of the model's blocks, if the layouts permit that.
  bool can_take(const Model& model) const;
  void take(const Model& model);
  // The multipliers from which the step starts.
  void begin_step(const StepProblem& problem);
  // Launches what brings the multipliers to x after a sweep; at once, or later, as on the CPU.
  void update(const Vec4<Real>* x);
  void update_in_next_sweep() { due_ = has_multipliers(); }
  void settle(const Vec4<Real>* x) {
    if (due_) update(x);
  }
  // For the next sweep: whether it updates multipliers in first visits.
  bool begin_sweep() { return std::exchange(due_, false); }

  bool any() const { return !blocks_.empty(); }
  bool links_only() const;
  // In the device's memory.
  const QuadraticBlock<Real, uint32_t>* views(bool updating) const {
    return views_there_.data() + (updating ? blocks_.size() : 0);
  }
  int count() const { return static_cast<int>(blocks_.size()); }
  bool has_multipliers() const { return pressures_.size() > 0; }
  void pressures(std::vector<double>& out) const;
  size_t memory_bytes() const;

 private:
  struct Block {
    QuadraticBlock<Real, uint32_t> view;  // of what follows
    MultiplierLaw law;
    DeviceArray<int32_t> row_begin, middle_begin, elements;
    DeviceArray<uint32_t> nodes, first_visits;
    DeviceArray<Real> numbers, laplacian;
    // Of blocks that may have multipliers, by tet.
    DeviceArray<Tet> tets;
    DeviceArray<Middles> middles;
    DeviceArray<Real> inverse_volumes;  // 1/(6 V)
    size_t bytes() const;
  };

  void upload(const Model& model, const ElasticBlock& block, Block& there, ThreadPool& pool);
  void find_laws(const Model& model);

  Device* device_ = nullptr;
  bool frames_only_ = false, multipliers_ = true;
  std::vector<Block> blocks_;
  DeviceArray<QuadraticBlock<Real, uint32_t>> views_there_;  // of all blocks, then the same updating multipliers
  DeviceArray<Real> pressures_;  // s p, by tet of the model, and one of none; empty without multipliers
  DeviceArray<Vec3d> rest_;      // [m] by slot, for the multipliers of linear elasticity
  bool due_ = false;             // multipliers are those before the last sweep
};

extern template class DeviceQuadraticTets<float>;
extern template class DeviceQuadraticTets<double>;

}  // namespace sinew
