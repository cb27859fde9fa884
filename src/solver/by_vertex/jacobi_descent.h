// Descent with all vertices at once, x <- x - alpha D^-1 dE/dx, where D are the 3x3 blocks of the stiffness or its
// diagonal: shared by block Jacobi and gradient descent (Wang & Yang 2016, "Descent methods for elastic body simulation
// on the GPU"; Chen et al. 2024, VBD, section 5.4). Such a step may overshoot. Therefore the energy is checked every
// eight iterations, and sooner at the start of a step and after it has grown: after one iteration, two more, four more;
// and at the end. If it has grown, the iterate returns to that of the last check and alpha shrinks by 0.7 (and an
// accelerator starts over). Wang & Yang update D every 32 iterations; here the sweep that sums the forces yields D at
// no cost, so it is always current.
#pragma once

#include <memory>
#include <vector>

#include "solver/by_vertex/vertex_solver.h"

namespace sinew {

struct JacobiRule {
  VertexRule vertices;
  int iterations;  // of a step, after which the iterate is checked too
};

template <class Real>
class JacobiDescent final : public VertexSolver<Real> {
 public:
  explicit JacobiDescent(const JacobiRule& rule) : VertexSolver<Real>(rule.vertices), iterations_(rule.iterations) {}

  void prepare(const Model& model, ThreadPool& pool) override;
  bool take_parameters(const Model& model) override;
  void begin_step(const Objective& objective) override;
  void iterate() override;
  bool restarted() const override { return restarted_; }
  size_t memory_bytes() const override;

 private:
  void look();
  bool improved();

  int iterations_;
  const Objective* objective_ = nullptr;
  std::vector<Vec3d> x_, gradient_;  // scratch
  Buffer<Vec4<Real>> kept_;          // the iterate with the least energy at a check
  double energy_scale_ = 0;          // [J]
  double least_ = 0;                 // that energy [J]
  double least_squares_ = 0;         // [N^2] of the residual at checks, with contacts
  double share_ = 1;                 // alpha
  int iteration_ = 0, next_look_ = 0, pause_ = 1;
  int64_t step_ = -1;
  bool begun_again_ = false, restarted_ = false;
};

extern template class JacobiDescent<float>;
extern template class JacobiDescent<double>;

}  // namespace sinew
