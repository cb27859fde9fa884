// Multilevel vertex descent on a device: the decisions of the CPU's solver (solver/multilevel/multilevel.h). In each
// iteration the CPU waits once for the device, to see what the correction promises, and once more if its length must be
// measured. Equilibria, which turn their cells along circles, are not offered.
#pragma once

#include <memory>

#include "cuda/device_lattice.h"
#include "cuda/device_mixing.h"
#include "cuda/device_vertex_solver.h"
#include "solver/multilevel/multilevel.h"

namespace sinew {

template <class Real>
class DeviceMultilevel : public DeviceVertexSolver<Real> {
 public:
  DeviceMultilevel(std::shared_ptr<Device> device, const MultilevelOptions& options);
  Status check(const Model& model) const override;
  Status check_step(const StepProblem& problem) const override;
  void prepare(const Model& model, ThreadPool& pool) override;
  bool take_parameters(const Model& model) override;
  void begin_step(const Objective& objective) override;
  // The lattice and free bodies want the step on the CPU.
  ResidentState* resident() override { return nullptr; }
  void iterate() override;
  void positions(std::span<Vec3d> x) const override;
  CorrectionCounts corrections() const override { return counts_; }
  std::optional<double> residual_estimate() override;
  size_t memory_bytes() const override;

 protected:
  void begin(const StepProblem& problem) override;
  void start() override;

 private:
  void correct();
  double find_correction();
  bool refresh();
  void step_measured(double promise);
  void give_up_corrections(bool from_start);
  void read(const LatticeReport& report) { estimate_ = report.residual; }
  DeviceArray<Vec4<Real>>& x() { return this->unknowns().x; }

  MultilevelOptions options_;
  CorrectedBodies bodies_;
  Lattice lattice_;
  DeviceLattice<Real> there_;
  DeviceMixing<Real> mixing_;
  DeviceArray<Vec4<Real>> forces_, before_, start_;
  DeviceStage<Vec4<Real>> here_;

  // State of this step.
  bool corrects_ = false;    // until corrections are given up
  bool fresh_ = false;       // the mixing has seen the iterate
  bool stale_ = true;        // the matrix belongs to a distant state
  bool usable_ = true;       // the matrix is finite
  bool unmeasured_ = false;  // the last correction was taken unmeasured
  bool missed_ = false;      // the last measured length was wrong
  int iteration_ = 0;
  multilevel_rules::ResidualWatch watch_;
  double estimate_ = 0;                          // [N]
  double first_promise_ = 0, last_promise_ = 0;  // [J]
  const StepProblem* problem_ = nullptr;
  CorrectionCounts counts_;
};

extern template class DeviceMultilevel<float>;
extern template class DeviceMultilevel<double>;

}  // namespace sinew
