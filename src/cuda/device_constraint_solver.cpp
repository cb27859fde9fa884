#include "cuda/device_constraint_solver.h"

#include <algorithm>
#include <cmath>

#include "solver/by_constraint/constraint_blocks.h"
#include "solver/by_constraint/multiplier_scale.h"
#include "solver/by_constraint/visit_constraints.h"

namespace sinew {

template <class Real>
DeviceConstraintSolver<Real>::DeviceConstraintSolver(std::shared_ptr<Device> device, int sweep_order,
                                                     const ConstraintOrder& order)
    : DeviceSolver<Real>(std::move(device)),
      constraint_order_(order),
      order_(sweep_order),
      random_(sweep_order == sweep_random) {}

template <class Real>
Status DeviceConstraintSolver<Real>::check(const Model& model) const {
  return this->check_linear(model, "xpbd");
}

template <class Real>
void DeviceConstraintSolver<Real>::prepare(const Model& model, ThreadPool& pool) {
  DeviceSolver<Real>::prepare(model, pool);
  tell(this->progress, "solver layouts", 0);
  const Coloring coloring = coloring_of_tets(model);
  colors_ = coloring.count;
  streams_.clear();
  multiplier_count_ = 0;
  std::vector<ConstraintStream<Real>> here;
  for (const ElasticBlock& block : model.blocks) {
    here.push_back(build_constraint_stream<Real>(model, block, coloring, model.slot_count(), device_lanes, pool));
    const ConstraintStream<Real>& from = here.back();
    Stream& there = streams_.emplace_back();
    there.block = block;
    there.color_begin = from.color_begin;
    there.corners.upload(this->device(), from.corners);
    there.frames.upload(this->device(), from.frames);
    there.stiffness_factors.upload(this->device(), from.stiffness_factors);
    there.view = view_of(from);
    there.view.corners = there.corners.data();
    there.view.frames = there.frames.data();
    there.view.stiffness_factors = there.stiffness_factors.data();
    there.first_multiplier = multiplier_count_;
    multiplier_count_ += static_cast<size_t>(from.batch_count()) * device_lanes *
                         static_cast<size_t>(numbers_of_tet<ConstraintForm::of_material>(block.material.kind));
  }
  groups_.clear();
  changes_.resize(this->device(), 0);
  const size_t slots = static_cast<size_t>(model.slot_count()) + device_lanes;
  for (const ColorGroup<Real>& colors :
       color_groups(constraint_order_, std::span<const ConstraintStream<Real>>(here), colors_, slots)) {
    groups_.emplace_back().colors = colors;
    prepare_group(groups_.back(), here, slots);
  }
  this->device().wait();  // until then what is here is read
  multiplier_scale_ = multiplier_scale(model, pool);
  ties_.prepare(model.ties, static_cast<size_t>(model.slot_count()));
  tie_items_.resize(this->device(), 0);
}

// A counting sort by vertex, which keeps the order of blocks and colours.
template <class Real>
void DeviceConstraintSolver<Real>::prepare_group(Group& group, const std::vector<ConstraintStream<Real>>& streams,
                                                 size_t slots) {
  std::vector<int32_t> begin(slots + 1, 0);
  size_t changes = 0;
  const auto for_each_change = [&](const auto& visit) {
    changes = 0;
    for (const ConstraintStream<Real>& stream : streams) {
      const int corners = traits_of(stream.block.element).corners;
      const int64_t first = stream.color_begin[group.colors.first_color],
                    last = stream.color_begin[group.colors.last_color];
      for (int64_t row = first * 4; row < last * 4; ++row) {
        const int32_t* const slot = &stream.corners[static_cast<size_t>(row * device_lanes)];
        const int32_t* const corner = slot - row % 4 * device_lanes;  // of the batch, the first row
        for (int lane = 0; lane < device_lanes; ++lane) {
          if (row % 4 < corners && corner[lane] != corner[device_lanes + lane])
            visit(static_cast<size_t>(slot[lane]), static_cast<uint32_t>(changes + static_cast<size_t>(lane)));
        }
        changes += device_lanes;
      }
    }
  };
  for_each_change([&](size_t slot, uint32_t) { ++begin[slot + 1]; });
  for (size_t s = 0; s < slots; ++s) begin[s + 1] += begin[s];
  std::vector<uint32_t> places(static_cast<size_t>(begin[slots]));
  std::vector<int32_t> next(begin.begin(), begin.end() - 1);
  for_each_change([&](size_t slot, uint32_t place) { places[static_cast<size_t>(next[slot]++)] = place; });
  group.begin.upload(this->device(), begin);
  group.places.upload(this->device(), places);
  if (changes > changes_.size()) changes_.resize(this->device(), changes);
  this->device().wait();
}

template <class Real>
void DeviceConstraintSolver<Real>::begin(const StepProblem& problem) {
  h2_ = static_cast<Real>(problem.h * problem.h);
  order_.begin_step(problem.step);
  begin_ties(problem);
  this->unknowns().multipliers.resize(this->device(), multiplier_count_ + ties_.multiplier_count());
  this->unknowns().multiplier_scale = multiplier_scale_ / std::sqrt(static_cast<double>(h2_));
}

template <class Real>
void DeviceConstraintSolver<Real>::start() {
  place_at_target();
  DeviceArray<Real>& multipliers = this->unknowns().multipliers;
  this->device().run(static_cast<int64_t>(multipliers.size()), ClearMultipliers<Real>{multipliers.data()});
}

template <class Real>
void DeviceConstraintSolver<Real>::forget_launches() {
  DeviceSolver<Real>::forget_launches();
  for (Recorded& recorded : recorded_) recorded = {};
}

template <class Real>
std::string DeviceConstraintSolver<Real>::launches() const {
  if (random_) return {};
  const struct {
    const void *multipliers, *glides, *ties;
    size_t glide_count, tie_count;
    double h2;
  } held{this->unknowns().multipliers.data(),
         glides_.data(),
         tie_items_.data(),
         glides_.size(),
         tie_items_.size(),
         static_cast<double>(h2_)};
  return {reinterpret_cast<const char*>(&held), sizeof held};
}

// For any guess: the multipliers start at 0, and only this x is consistent with them.
template <class Real>
void DeviceConstraintSolver<Real>::place_at_target() {
  this->device().run(this->model().slot_count(), PlaceAtTarget<Real>{this->target(), this->unknowns().x.data()});
  settle();
}

// Grabs are ties of the step.
template <class Real>
void DeviceConstraintSolver<Real>::begin_ties(const StepProblem& problem) {
  Device& device = this->device();
  ties_.begin_step(problem);
  const ColoredTies<Real>& ties = ties_.ties();
  if (tie_items_.size() != ties.count() || !problem.grabs.empty() || glides_.size() != problem.glides.size()) {
    tie_items_.upload(device, ties.items());
    tie_ends_.upload(device, ties.ends());
    tie_multipliers_.upload(device, ties_.first_multipliers());
    forget_launches();
  }
  activation_.upload(device, ties.activation());
  glides_.upload(device, problem.glides);
  device.wait();  // until then what is here is read
}

template <class Real>
template <class KernelOf>
void DeviceConstraintSolver<Real>::run(const Stream& stream, int first_color, int last_color,
                                       const KernelOf& kernel_of) {
  visit_constraints<ConstraintForm::of_material>(stream.block.material.kind, [&]<template <class> class Material>() {
    const int64_t first = stream.color_begin[static_cast<size_t>(first_color)],
                  last = stream.color_begin[static_cast<size_t>(last_color)];
    const TetLanes<Real, Material> tets{
        stream.view, coefficients_of<Material>(stream.block.material).template as<Real>(), first * device_lanes};
    this->device().run((last - first) * device_lanes, kernel_of(tets));
  });
}

template <class Real>
ConstraintSweep<Real> DeviceConstraintSolver<Real>::sweep_of(const Stream& stream) {
  return {nullptr, this->unknowns().x.data(), this->unknowns().multipliers.data() + stream.first_multiplier, h2_};
}

template <class Real>
void DeviceConstraintSolver<Real>::sweep_group(const Group& group) {
  Vec4<Real>* changes = changes_.data();
  for (const Stream& stream : streams_) {
    run(stream, group.colors.first_color, group.colors.last_color,
        [&]<template <class> class Material>(const TetLanes<Real, Material>& tets) {
          return ChangeTets<Real, Material>{tets, {sweep_of(stream), nullptr, group.colors.scale}, changes};
        });
    changes += static_cast<int64_t>(stream.color_begin[static_cast<size_t>(group.colors.last_color)] -
                                    stream.color_begin[static_cast<size_t>(group.colors.first_color)]) *
               4 * device_lanes;
  }
  this->device().run(this->model().slot_count(),
                     SumChanges<Real>{group.begin.data(), group.places.data(), changes_.data(),
                                      this->unknowns().x.data(), group.colors.scale});
}

template <class Real>
SweepTies<Real> DeviceConstraintSolver<Real>::ties_from(int32_t first) {
  return {{tie_items_.data(), tie_ends_.data(), activation_.data()},
          tie_multipliers_.data(),
          this->unknowns().multipliers.data() + multiplier_count_,
          this->unknowns().x.data(),
          h2_,
          first};
}

template <class Real>
void DeviceConstraintSolver<Real>::sweep_ties() {
  if (ties_.ties().count() == 0) return;
  const std::span<const int32_t> begin = ties_.ties().color_begin();
  for (const int32_t c : ties_.ties().visits(order_)) {
    const int32_t first = begin[static_cast<size_t>(c)], last = begin[static_cast<size_t>(c) + 1];
    this->device().run(last - first, ties_from(first));
  }
}

template <class Real>
void DeviceConstraintSolver<Real>::settle() {
  this->device().run(static_cast<int64_t>(glides_.size()),
                     SettleGlides<Real>{glides_.data(), this->unknowns().x.data()});
}

template <class Real>
void DeviceConstraintSolver<Real>::sweep() {
  if (order_.reversed()) sweep_ties();
  sweep_elements();
  if (!order_.reversed()) sweep_ties();
  settle();
}

template <class Real>
void DeviceConstraintSolver<Real>::sweep_elements() {
  if (!groups_.empty()) {
    for (const int32_t g : order_.visits(static_cast<int32_t>(groups_.size())))
      sweep_group(groups_[static_cast<size_t>(g)]);
    return;
  }
  for (const int32_t k : order_.visits(static_cast<int32_t>(streams_.size()) * colors_)) {
    const Stream& stream = streams_[static_cast<size_t>(k / colors_)];
    run(stream, k % colors_, k % colors_ + 1,
        [&]<template <class> class Material>(const TetLanes<Real, Material>& tets) {
          return SweepTets<Real, Material>{tets, sweep_of(stream)};
        });
  }
}

template <class Real>
void DeviceConstraintSolver<Real>::iterate() {
  if (random_ || this->device().recording()) {
    sweep();
  } else {
    Recorded& recorded = recorded_[order_.reversed() ? 1 : 0];
    const Vec4<Real>* const x = this->unknowns().x.data();
    const Real* const multipliers = this->unknowns().multipliers.data();
    if (!recorded.graph || recorded.x != x || recorded.multipliers != multipliers || recorded.h2 != h2_) {
      this->device().begin_graph();
      sweep();
      recorded = {this->device().end_graph(), x, multipliers, h2_};
    }
    this->device().play(*recorded.graph);
  }
  order_.end_sweep();
}

template <class Real>
void DeviceConstraintSolver<Real>::follow_multipliers() {
  Vec4<Real>* const x = this->unknowns().x.data();
  at_.copy(this->device(), this->unknowns().x);
  place_at_target();
  for (const Stream& stream : streams_) {
    for (int color = 0; color < colors_; ++color) {
      run(stream, color, color + 1, [&]<template <class> class Material>(const TetLanes<Real, Material>& tets) {
        return FollowMultipliers<Real, Material>{tets, {nullptr, at_.data(), x, sweep_of(stream).multipliers}};
      });
    }
  }
  const std::span<const int32_t> begin = ties_.ties().color_begin();
  for (size_t c = 0; c + 1 < begin.size(); ++c)
    this->device().run(begin[c + 1] - begin[c], FollowTies<Real>{ties_from(begin[c]), at_.data()});
  settle();
}

template <class Real>
size_t DeviceConstraintSolver<Real>::memory_bytes() const {
  size_t bytes = DeviceSolver<Real>::memory_bytes() + changes_.bytes() + at_.bytes() + ties_.memory_bytes() +
                 tie_items_.bytes() + tie_ends_.bytes() + tie_multipliers_.bytes() + activation_.bytes() +
                 glides_.bytes();
  for (const Stream& stream : streams_) bytes += stream.bytes();
  for (const Group& group : groups_) bytes += group.begin.bytes() + group.places.bytes();
  return bytes;
}

template class DeviceConstraintSolver<float>;
template class DeviceConstraintSolver<double>;

}  // namespace sinew
