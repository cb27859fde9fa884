// XPBD on a device: the rule, the layout and the orders of the CPU's solver (solver/by_constraint/compliant_solver.h),
// in time steps, with one graph for a whole sweep.
#pragma once

#include <memory>
#include <vector>

#include "cuda/constraint_sweep.h"
#include "cuda/device_solver.h"
#include "solver/by_constraint/color_groups.h"
#include "solver/by_constraint/constraint_order.h"
#include "solver/sweep_order.h"
#include "solver/ties/tie_sweep.h"

namespace sinew {

template <class Real>
class DeviceConstraintSolver : public DeviceSolver<Real> {
 public:
  DeviceConstraintSolver(std::shared_ptr<Device> device, int sweep_order, const ConstraintOrder& order);

  Status check(const Model& model) const override;
  void prepare(const Model& model, ThreadPool& pool) override;
  void iterate() override;
  void follow_multipliers() override;
  size_t memory_bytes() const override;

 protected:
  void begin(const StepProblem& problem) override;
  void start() override;
  std::string launches() const override;
  void forget_launches() override;
  size_t spare_slots() const override { return device_lanes; }

 private:
  // A block's stream in the device's memory.
  struct Stream {
    ElasticBlock block;
    std::vector<int32_t> color_begin;
    DeviceArray<int32_t> corners;
    DeviceArray<Real> frames, stiffness_factors;
    ConstraintStreamView<Real> view;  // of those
    size_t first_multiplier = 0;
    size_t bytes() const { return corners.bytes() + frames.bytes() + stiffness_factors.bytes(); }
  };
  struct Group {
    ColorGroup<Real> colors;
    DeviceArray<int32_t> begin;  // by slot, into places
    DeviceArray<uint32_t> places;
  };

  void prepare_group(Group& group, const std::vector<ConstraintStream<Real>>& streams, size_t slots);
  void place_at_target();
  void begin_ties(const StepProblem& problem);
  void sweep();
  void sweep_elements();
  void sweep_ties();
  SweepTies<Real> ties_from(int32_t first);
  void settle();
  void sweep_group(const Group& group);
  // Runs kernel_of(TetLanes of the block's material) over the lanes of some colours of a block.
  template <class KernelOf>
  void run(const Stream& stream, int first_color, int last_color, const KernelOf& kernel_of);
  ConstraintSweep<Real> sweep_of(const Stream& stream);

  ConstraintOrder constraint_order_;
  SweepOrder order_;
  bool random_;
  int colors_ = 0;
  std::vector<Stream> streams_;
  std::vector<Group> groups_;        // none: each colour is a group
  DeviceArray<Vec4<Real>> changes_;  // in a group
  DeviceArray<Vec4<Real>> at_;       // where follow_multipliers evaluates gradients
  size_t multiplier_count_ = 0;      // of elements; those of ties follow

  // Springs, weak constraints, fibres and grabs, which follow the elements in a forward sweep.
  TieSweep<Real> ties_;
  DeviceArray<TieItem<Real>> tie_items_;
  DeviceArray<TieEnd<Real>> tie_ends_;
  DeviceArray<uint32_t> tie_multipliers_;
  DeviceArray<Real> activation_;
  DeviceArray<Glide> glides_;
  double multiplier_scale_ = 1;  // times h
  Real h2_ = 0;                  // [s^2]

  // The launches of a forward and of a backward sweep.
  struct Recorded {
    std::unique_ptr<DeviceGraph> graph;
    const Vec4<Real>* x = nullptr;
    const Real* multipliers = nullptr;
    Real h2 = 0;
  };
  Recorded recorded_[2];
};

extern template class DeviceConstraintSolver<float>;
extern template class DeviceConstraintSolver<double>;

}  // namespace sinew
