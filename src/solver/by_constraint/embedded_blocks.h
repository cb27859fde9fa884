// Shared by the solvers by constraint: the tets that are embedded in a grid. As weights, nodes and colours change from
// step to step, so do their layouts.
#pragma once

#include <span>
#include <vector>

#include "exec/buffer.h"
#include "exec/thread_pool.h"
#include "grid/spline.h"
#include "model/constraint_stream.h"
#include "model/iterate.h"
#include "model/step_problem.h"
#include "solver/sweep.h"
#include "solver/sweep_order.h"

namespace sinew {

template <class Real>
class EmbeddedBlocks {
 public:
  explicit EmbeddedBlocks(int lanes) : kernels_(kernels_with_lanes(lanes)) {}

  // Appends the nodes to the iterate, at x_target, and lays out the tets. Without a grid it does nothing.
  void begin_step(const StepProblem& problem, ThreadPool& pool, Iterate<Real>& iterate);
  bool any() const { return !streams_.empty(); }

  // As those of ConstraintBlocks: batches x numbers x lanes, block by block.
  size_t multiplier_count() const { return any() ? first_multiplier_.back() : 0; }

  // One sweep of a kernel, a member of ConstraintKernels, over all colours of all blocks in this order, then over pins
  // and grabs; sweep_of(ConstraintSweep, first multiplier) makes its argument.
  template <template <class> class Sweep, class SweepOf>
  void sweep(ThreadPool& pool, Iterate<Real>& iterate, Real* multipliers, Real h2,
             typename ConstraintKernels<Real>::template Kernel<Sweep> ConstraintKernels<Real>::*kernel,
             const SweepOf& sweep_of, const SweepOrder& order) {
    if (!any()) return;
    const EmbeddedTets<Real> free = view(false), gliding = view(true);
    Vec4<Real>* const x = nodes_of(iterate);
    for (const int32_t k : order.visits(static_cast<int32_t>(streams_.size()) * color_count_)) {
      const auto b = static_cast<size_t>(k / color_count_);
      const int32_t color = k % color_count_;
      const ConstraintStream<Real>& stream = streams_[b];
      const auto run = kernels_->constraint<Real>(stream.block.material.kind).*kernel;
      if (!run) continue;
      const bool glides = color % 2 != 0;
      EmbeddedTets<Real> tets = glides ? gliding : free;
      if (glides) {
        tets.gliding_mobility = gliding_mobility_[b].data();
      } else {
        tets.mobility = mobility_[b].data();
      }
      ConstraintSweep<Real> one{&stream, x, multipliers + first_multiplier_[b], h2};
      one.embedded = &tets;
      const auto sweep = sweep_of(one, first_multiplier_[b]);
      const int32_t* const begin = &stream.color_begin[static_cast<size_t>(color)];
      pool.parallel_for(begin[1] - begin[0], least_batches,
                        [&](int64_t first, int64_t last) { run(sweep, begin[0] + first, begin[0] + last); });
    }
    sweep_springs(x, h2);
  }

  // The streams, whose corners are rows, the first multiplier of each, and their kernels.
  std::span<const ConstraintStream<Real>> streams() const { return streams_; }
  size_t first_multiplier(size_t stream) const { return first_multiplier_[stream]; }
  const ConstraintKernels<Real>& kernels(const ConstraintStream<Real>& stream) const {
    return kernels_->constraint<Real>(stream.block.material.kind);
  }
  // By row, embedded vertices at these positions by slot, where nothing moves them: what the kernels of tets that are
  // not embedded take.
  Vec4<Real>* fixed_rows_at(std::span<const Vec3d> x);

  // Writes slots and nodes, of an iterate that begin_step extended, and moves embedded vertices with the nodes.
  void positions(const Iterate<Real>& iterate, ThreadPool& pool, std::span<Vec3d> x) const;

  size_t memory_bytes() const;

 private:
  static constexpr int64_t least_batches = 8;  // that a thread takes at a time

  // Pins and grabs: isotropic springs at embedded vertices, as constraints of three numbers.
  struct Spring {
    Grab grab;
    Vec3<Real> multiplier{};
  };

  EmbeddedTets<Real> view(bool gliding) const {
    EmbeddedTets<Real> v;
    v.rows = static_cast<int64_t>(nodes_.size()) / spline_nodes;
    v.nodes = nodes_.data();
    v.weights = weights_.data();
    v.fixed = gliding ? fixed_rows_.data() : nullptr;
    return v;
  }
  Vec4<Real>* nodes_of(Iterate<Real>& iterate) const { return iterate.x.data() + first_node_; }
  void read_glides();
  void read_rows();
  void build_mobility(ConstraintStream<Real>& stream);
  void sweep_springs(Vec4<Real>* x, Real h2);

  const Kernels* kernels_;
  const StepProblem* problem_ = nullptr;
  ThreadPool* pool_ = nullptr;
  size_t first_node_ = 0;
  int32_t color_count_ = 0;  // twice that of the grid: tets that glide come after the others of their colour
  Buffer<int32_t> nodes_;    // 27 a row
  Buffer<Real> weights_;
  Buffer<Vec4<Real>> rows_;           // fixed_rows_at
  Buffer<Vec4<Real>> fixed_rows_;     // three a node, if any node glides
  std::vector<double> inverse_mass_;  // by node; 0: held or empty
  std::vector<Sym3<double>> fixed_;   // by node, if any node glides
  std::vector<uint8_t> glides_;       // by node
  std::vector<ConstraintStream<Real>> streams_;
  std::vector<size_t> first_multiplier_;
  std::vector<Buffer<Real>> mobility_, gliding_mobility_;  // by block
  std::vector<Spring> springs_;
};

extern template class EmbeddedBlocks<float>;
extern template class EmbeddedBlocks<double>;

}  // namespace sinew
