// Shared by the solvers by constraint: the layout of each block, coloured by element, and the sweep over all of them.
#pragma once

#include <span>
#include <type_traits>
#include <vector>

#include "base/progress.h"
#include "mesh/coloring.h"
#include "model/constraint_stream.h"
#include "solver/sweep.h"
#include "solver/sweep_solver.h"

namespace sinew {

// The constraints of a tet: those of its material; one, the root of its energy (energy_root.h); or none, but the nine
// numbers of its stress (fp_kernel.h).
enum class ConstraintForm { of_material, energy_root, stress };

// The number of multipliers per tet.
template <ConstraintForm form>
int numbers_of_tet(MaterialKind kind) {
  const MaterialTraits& traits = traits_of(kind);
  if (form == ConstraintForm::stress) return 9;
  return form == ConstraintForm::of_material ? traits.multiplier_count : traits.energy_root() ? 1 : 0;
}

// The user's order needs the fewest colours on structured meshes.
inline Coloring coloring_of_tets(const Model& model) {
  std::vector<int32_t> visit(model.tets.size());
  for (size_t e = 0; e < visit.size(); ++e) visit[model.user_tet[e]] = static_cast<int32_t>(e);
  return color_tets(model.tets, static_cast<size_t>(model.slot_count()), visit);
}

template <class Real, ConstraintForm form = ConstraintForm::of_material>
class ConstraintBlocks {
 public:
  explicit ConstraintBlocks(int lanes) : kernels_(kernels_with_lanes(lanes)) {}

  void prepare(const Model& model, ThreadPool& pool, const ProgressListener& progress) {
    pool_ = &pool;
    tell(progress, "solver layouts", 0);
    const Coloring coloring = coloring_of_tets(model);
    streams_.clear();
    first_constraint_.assign(1, 0);
    for (const ElasticBlock& block : model.blocks) {
      if (block.on_grid || block.quadratic()) continue;  // embedded_blocks.h, quadratic_constraints.h
      streams_.push_back(build_constraint_stream<Real>(model, block, coloring, model.slot_count(), lanes(), pool));
      const int count = numbers_of_tet<form>(block.material.kind);
      first_constraint_.push_back(first_constraint_.back() + static_cast<size_t>(streams_.back().batch_count()) *
                                                                 static_cast<size_t>(count * lanes()));
    }
  }

  int lanes() const { return kernels_->lanes<Real>(); }
  ThreadPool& pool() const { return *pool_; }
  std::span<const ConstraintStream<Real>> streams() const { return streams_; }
  // Sizes of the multiplier array: block by block, batches x numbers x lanes.
  size_t constraint_count() const { return first_constraint_.back(); }
  size_t first_constraint(size_t block) const { return first_constraint_[block]; }
  // Numbers per tet.
  int numbers_in(const ConstraintStream<Real>& stream) const {
    const auto block = static_cast<size_t>(&stream - streams_.data());
    const auto lanes = static_cast<size_t>(stream.batch_count()) * static_cast<size_t>(stream.lanes);
    return lanes == 0 ? 0 : static_cast<int>((first_constraint_[block + 1] - first_constraint_[block]) / lanes);
  }

  // Loads x_start and inverse masses, then the spare slots of lanes without a tet.
  void load(const StepProblem& problem, Iterate<Real>& iterate) const {
    load_iterate(problem, lanes(), *pool_, iterate);
  }

  // The number of colours, common to all blocks.
  int color_count() const { return streams_.empty() ? 0 : static_cast<int>(streams_[0].color_begin.size()) - 1; }

  // One sweep of a kernel, a member of ConstraintKernels or a function; sweep_of(stream, first constraint) makes its
  // argument for a block. Forward, that is colour by colour and block by block.
  template <class Kernel, class SweepOf>
  void sweep(const Kernel& kernel, const SweepOf& sweep_of) const {
    sweep(kernel, sweep_of, 0, color_count());
  }
  // The same in this order of all colours of all blocks.
  template <class Kernel, class SweepOf>
  void sweep(const Kernel& kernel, const SweepOf& sweep_of, const SweepOrder& order) const {
    const int32_t colors = color_count();
    for (const int32_t k : order.visits(static_cast<int32_t>(streams_.size()) * colors)) {
      const auto b = static_cast<size_t>(k / colors);
      const int32_t* const begin = &streams_[b].color_begin[static_cast<size_t>(k % colors)];
      const auto kernel_of_block = kernel_of(kernel, streams_[b]);
      if (!exists(kernel_of_block)) continue;
      const auto sweep = sweep_of(streams_[b], first_constraint_[b]);
      pool_->parallel_for(begin[1] - begin[0], least_shared / lanes(), [&](int64_t first, int64_t last) {
        kernel_of_block(sweep, begin[0] + first, begin[0] + last);
      });
    }
  }
  // The same over the colours [first_color, last_color).
  template <class Kernel, class SweepOf>
  void sweep(const Kernel& kernel, const SweepOf& sweep_of, int first_color, int last_color) const {
    for (size_t b = 0; b < streams_.size(); ++b) {
      const auto kernel_of_block = kernel_of(kernel, streams_[b]);
      if (!exists(kernel_of_block)) continue;
      const auto sweep = sweep_of(streams_[b], first_constraint_[b]);
      const auto colors =
          std::span<const int32_t>(streams_[b].color_begin)
              .subspan(static_cast<size_t>(first_color), static_cast<size_t>(last_color - first_color) + 1);
      for_each_color(*pool_, colors, least_shared / lanes(),
                     [&](int32_t, int64_t first, int64_t last) { kernel_of_block(sweep, first, last); });
    }
  }

  size_t memory_bytes() const {
    size_t bytes = 0;
    for (const ConstraintStream<Real>& s : streams_) bytes += s.memory_bytes();
    return bytes;
  }

 private:
  template <class Kernel>
  auto kernel_of(const Kernel& kernel, const ConstraintStream<Real>& stream) const {
    if constexpr (std::is_member_object_pointer_v<Kernel>) {
      return kernels_->constraint<Real>(stream.block.material.kind).*kernel;
    } else {
      return kernel;
    }
  }
  template <class Kernel>
  static bool exists(const Kernel& kernel) {
    if constexpr (std::is_pointer_v<Kernel>) return kernel != nullptr;
    return true;
  }

  const Kernels* kernels_;
  ThreadPool* pool_ = nullptr;
  std::vector<ConstraintStream<Real>> streams_;
  std::vector<size_t> first_constraint_;
};

}  // namespace sinew
