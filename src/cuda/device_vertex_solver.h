// VBD, PBNG and what else sweeps by vertex, on a device: the rule and the layouts of the CPU's solver
// (solver/by_vertex/vertex_solver.h), colour by colour, one launch each, or one graph for a whole sweep.
#pragma once

#include <memory>
#include <vector>

#include "cuda/device_contacts.h"
#include "cuda/device_quadratic.h"
#include "cuda/device_solver.h"
#include "cuda/vertex_sweep.h"
#include "solver/by_vertex/vertex_grabs.h"
#include "solver/by_vertex/vertex_solver.h"

namespace sinew {

template <class Real>
class DeviceVertexSolver : public DeviceSolver<Real> {
 public:
  DeviceVertexSolver(std::shared_ptr<Device> device, const VertexRule& rule);

  Status check_step(const StepProblem& problem) const override;
  void prepare(const Model& model, ThreadPool& pool) override;
  bool take_parameters(const Model& model) override;
  void iterate() override;
  IterateRef iterate_ref() override {
    finish_iterations();
    return DeviceSolver<Real>::iterate_ref();
  }
  void pressures(std::vector<double>& out) override {
    finish_iterations();
    quadratic_.pressures(out);
  }
  size_t memory_bytes() const override;

 protected:
  void begin(const StepProblem& problem) override;
  void finish_iterations() override { quadratic_.settle(this->unknowns().x.data()); }
  std::string launches() const override;
  void forget_launches() override;
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
  // Ties in the device's memory, a lane each pack.
  struct DeviceTies {
    struct Rows {
      DeviceArray<int32_t> begin, muscle;
      DeviceArray<uint32_t> corners;
      DeviceArray<Real> weights, numbers;
    };
    std::vector<Rows> rows;
    DeviceArray<uint32_t> own;
    DeviceArray<int32_t> place;
    DeviceArray<uint8_t> any;
    DeviceArray<VertexTiesView<Real, uint32_t>> view;
    std::vector<int32_t> pack_begin;  // by colour
    std::vector<uint8_t> any_here;
    bool damped = false;
    size_t bytes() const;
  };
  // Slots that are swept at once, of a colour.
  struct Range {
    int64_t first, count;
    size_t color;
  };

  VertexLayout layout_of(const ElasticBlock& block) const;
  void upload_views();
  void upload_ties();
  void begin_summed(const StepProblem& problem);
  void find_passes();
  void sweep(const Visits& passes);
  template <bool forces_only>
  void launch(const DeviceSummedSweep<Real>& sweep, Range range);
  template <bool forces_only>
  void launch_summed(DeviceSummedSweep<Real> sweep, Range range, bool links);
  void launch_sums(const DeviceSummedSweep<Real>& sweep, Range range);
  void launch_quadratic(Range range);

  VertexRule rule_;
  SweepOrder order_;
  int team_bits_ = 0;
  std::vector<Stream> streams_;
  std::vector<View> views_;  // of those
  DeviceArray<View> views_there_;
  std::vector<std::vector<Range>> passes_;  // one after the other
  DeviceArray<Vec4<Real>> moved_;
  DeviceQuadraticTets<Real> quadratic_;
  DeviceQuadraticSweep<Real> sweep_;

  // What ties, grabs, contacts and gliding vertices add, if there are any.
  bool summed_ = false;
  DeviceTies ties_;
  VertexGrabs<uint32_t> grabs_;
  VertexGlides<Real> glides_;
  std::vector<Glide> glides_of_;   // that were uploaded
  bool has_that_of_ties_ = false;  // what was uploaded of quadratic terms
  DeviceArray<Vec4<Real>> tie_sums_, quadratic_sums_;
  DeviceArray<uint8_t> has_quadratic_;
  DeviceArray<GrabEnd> grab_ends_;
  DeviceArray<Grab> grabs_there_;
  DeviceArray<int32_t> glide_begin_;
  DeviceArray<VertexGlide<Real>> glide_items_;
  DeviceArray<VertexGlidesView<Real>> glides_there_;
  DeviceArray<Real> activation_;
  DeviceContacts<Real> contacts_;  // in this sweep

  // The launches of a forward and of a backward sweep, for the sweep's present parameters.
  struct Recorded {
    std::unique_ptr<DeviceGraph> graph;
    DeviceQuadraticSweep<Real> sweep;
  };
  Recorded recorded_[3];  // forward, backward, and forward with multipliers
};

extern template class DeviceVertexSolver<float>;
extern template class DeviceVertexSolver<double>;

}  // namespace sinew
