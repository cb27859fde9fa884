// VBD, PBNG and what else sweeps by vertex, on a device: the rule and the layouts of the CPU's solver
// (solver/by_vertex/vertex_solver.h), colour by colour, one launch each, or one graph for a whole sweep.
#pragma once

#include <memory>
#include <vector>

#include "cuda/device_solver.h"
#include "cuda/vertex_sweep.h"
#include "solver/by_vertex/vertex_solver.h"

namespace sinew {

template <class Real>
class DeviceVertexSolver : public DeviceSolver<Real> {
 public:
  DeviceVertexSolver(std::shared_ptr<Device> device, const VertexRule& rule);

  void prepare(const Model& model, ThreadPool& pool) override;
  bool take_parameters(const Model& model) override;
  void begin(const DeviceStep& step) override;
  void iterate() override;
  size_t memory_bytes() const override;

 protected:
  void set_rule(NodalStiffness stiffness, double relaxation);
  // The forces out of balance [N] at the current iterate, by slot, 0 at held vertices.
  void residual(DeviceArray<Vec4<Real>>& forces);

 private:
  using View = VertexStreamView<Real, uint32_t>;
  // A block's stream in the device's memory.
  struct Stream {
    DeviceArray<int32_t> row_begin;
    DeviceArray<uint32_t> corners;
    DeviceArray<Real> numbers, laplacian;
    size_t bytes() const { return row_begin.bytes() + corners.bytes() + numbers.bytes() + laplacian.bytes(); }
  };
  // Slots that are swept at once.
  struct Range {
    int64_t first, count;
  };

  VertexLayout layout_of(const ElasticBlock& block) const;
  void upload_views();
  void find_passes();
  void sweep(const Visits& passes);
  template <bool forces_only>
  void launch(const DeviceVertexSweep<Real>& sweep, Range range);

  VertexRule rule_;
  SweepOrder order_;
  int team_bits_ = 0;
  std::vector<Stream> streams_;
  std::vector<View> views_;  // of those
  DeviceArray<View> views_there_;
  std::vector<std::vector<Range>> passes_;  // one after the other
  DeviceArray<Vec4<Real>> moved_, target_, x_prev_;
  DeviceVertexSweep<Real> sweep_;

  // The launches of a forward and of a backward sweep, for the sweep's present parameters.
  struct Recorded {
    std::unique_ptr<DeviceGraph> graph;
    DeviceVertexSweep<Real> sweep;
  };
  Recorded recorded_[2];
};

extern template class DeviceVertexSolver<float>;
extern template class DeviceVertexSolver<double>;

}  // namespace sinew
