#include "solver/by_vertex/quadratic_tets.h"

#include <algorithm>

#include "material/material_kind.h"
#include "model/rest_shape.h"
#include "solver/by_vertex/quadratic_pressure.h"

namespace sinew {
template <class Real>
void QuadraticTets<Real>::prepare(const Model& model, const Kernels& kernels, bool frames_only, ThreadPool& pool) {
  model_ = &model;
  kernels_ = &kernels;
  pool_ = &pool;
  frames_only_ = frames_only;
  streams_.clear();
  for_each_quadratic_block(model, [&](size_t, const ElasticBlock& block) {
    streams_.push_back(build_quadratic_stream<Real>(model, block, quadratic_layout(model, block, frames_only),
                                                    kernels.lanes<Real>(), pool));
  });
  constexpr auto slots_of_line = static_cast<int32_t>(64 / sizeof(Vec4<Real>));
  ahead_.clear();
  for (const QuadraticStream<Real>& stream : streams_)
    ahead_.push_back(stream.elements.empty() ? PositionsAhead{} : positions_ahead(model, stream.block, slots_of_line));
  inverse_volumes_.resize(streams_.empty() ? 0 : model.tets.size());
  for (const QuadraticStream<Real>& stream : streams_)
    pool.for_each(stream.block.last_tet - stream.block.first_tet, [&](size_t n) {
      const auto e = static_cast<size_t>(stream.block.first_tet) + n;
      inverse_volumes_[e] = static_cast<Real>(1 / (6 * volume_of(model.rest, model.tets[e])));
    });
}

template <class Real>
bool QuadraticTets<Real>::can_take(const Model& model) const {
  bool all = true;
  for_each_quadratic_block(model, [&](size_t k, const ElasticBlock& block) {
    all = all && quadratic_layout(model, block, frames_only_) == streams_[k].layout && can_rescale(streams_[k], block);
  });
  return all;
}

template <class Real>
void QuadraticTets<Real>::take(const Model& model) {
  for_each_quadratic_block(model, [&](size_t k, const ElasticBlock& block) { rescale(streams_[k], block); });
}

template <class Real>
void QuadraticTets<Real>::begin_step(const StepProblem& problem, bool multipliers) {
  views_.clear();
  laws_.clear();
  bool any = false;
  for (const QuadraticStream<Real>& stream : streams_) {
    const MultiplierLaw law = MultiplierLaw::of(*model_, stream.block, multipliers);
    any |= law.any();
    laws_.push_back(law);
    views_.push_back(view_of(stream, law.slope(stream.points.mean_lambda)));
  }
  due_ = false;
  pressures_.resize(any ? model_->tets.size() + 1 : 0);
  for (size_t k = 0; k < streams_.size(); ++k) {
    if (!laws_[k].any()) continue;
    views_[k].pressures = pressures_.data();
    views_[k].shrink = laws_[k].shrink;
  }
  restore(problem.pressures);
}

template <class Real>
void QuadraticTets<Real>::restore(std::span<const double> pressures) {
  due_ = false;
  if (!has_multipliers()) return;
  std::fill(pressures_.begin(), pressures_.end(), Real{});
  if (pressures.empty()) return;
  for (size_t k = 0; k < streams_.size(); ++k) {
    const ElasticBlock& block = streams_[k].block;
    for (auto e = static_cast<size_t>(block.first_tet); e < static_cast<size_t>(block.last_tet); ++e)
      pressures_[e] = static_cast<Real>(laws_[k].shrink * pressures[e]);
  }
}

template <class Real>
void QuadraticTets<Real>::pressures(std::vector<double>& out) const {
  out.assign(has_multipliers() ? model_->tets.size() : 0, 0.0);
  if (!has_multipliers()) return;
  for (size_t k = 0; k < streams_.size(); ++k) {
    const ElasticBlock& block = streams_[k].block;
    for (auto e = static_cast<size_t>(block.first_tet); e < static_cast<size_t>(block.last_tet); ++e)
      out[e] = static_cast<double>(pressures_[e]) / laws_[k].shrink;
  }
}

template <class Real>
void QuadraticTets<Real>::begin_sweep() {
  for (QuadraticBlock<Real>& view : views_) view.updates = due_ && view.pressures;
  due_ = false;
}

template <class Real>
void QuadraticTets<Real>::end_sweep() {
  for (QuadraticBlock<Real>& view : views_) view.updates = false;
}

template <class Real>
void QuadraticTets<Real>::update(const Buffer<Vec4<Real>>& x, const Buffer<Vec4<Real>>& base) {
  constexpr int64_t grain = 1024;
  due_ = false;
  for (size_t k = 0; k < streams_.size(); ++k) {
    if (!laws_[k].any()) continue;
    const ElasticBlock& block = streams_[k].block;
    const auto first_tet = static_cast<size_t>(block.first_tet);
    const PressureUpdate<Real> update{model_->tets.data() + first_tet,
                                      model_->middles.data() + first_tet,
                                      inverse_volumes_.data() + first_tet,
                                      x.data(),
                                      base.empty() ? nullptr : base.data(),
                                      views_[k].slope,
                                      laws_[k].shrink,
                                      pressures_.data() + first_tet,
                                      ahead_[k].row_begin.data(),
                                      ahead_[k].slots.data()};
    const int64_t count = block.last_tet - block.first_tet;
    if (traits_of(block.material.kind).rotation_invariant) {
      pool_->parallel_for(count, grain, [&](int64_t first, int64_t last) { kernels_->pressures(update, first, last); });
    } else {
      pool_->for_each(count, [&](size_t e) { update_linear_pressure(update, model_->rest.data(), e); });
    }
  }
}

template <class Real>
size_t QuadraticTets<Real>::memory_bytes() const {
  size_t bytes = (inverse_volumes_.size() + pressures_.size()) * sizeof(Real);
  for (const QuadraticStream<Real>& stream : streams_) bytes += stream.memory_bytes();
  for (const PositionsAhead& ahead : ahead_) bytes += ahead.memory_bytes();
  return bytes;
}

template class QuadraticTets<float>;
template class QuadraticTets<double>;

}  // namespace sinew
