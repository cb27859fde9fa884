#include "solver/by_constraint/quadratic_constraints.h"

#include <algorithm>

#include "solver/by_constraint/constraint_blocks.h"

namespace sinew {

template <class Real>
void QuadraticConstraints<Real>::prepare(const Model& model, ThreadPool& pool) {
  pool_ = &pool;
  streams_.clear();
  first_multiplier_.assign(1, 0);
  const auto quadratic = [](const ElasticBlock& block) { return block.quadratic(); };
  if (std::none_of(model.blocks.begin(), model.blocks.end(), quadratic)) return;
  const Coloring coloring = coloring_of_tets(model);
  for (const ElasticBlock& block : model.blocks) {
    if (!block.quadratic()) continue;
    streams_.push_back(build_quadratic_constraint_stream<Real>(model, block, coloring, model.slot_count(),
                                                               kernels_->lanes<Real>(), pool));
    const int count = quadratic_multiplier_count(numbers_of_tet<ConstraintForm::of_material>(block.material.kind));
    first_multiplier_.push_back(first_multiplier_.back() + static_cast<size_t>(streams_.back().batch_count()) *
                                                               static_cast<size_t>(count * kernels_->lanes<Real>()));
  }
}

template <class Real>
void QuadraticConstraints<Real>::sweep_color(QuadraticConstraintSweep<Real> sweep, Real* multipliers, size_t block,
                                             int color) const {
  const QuadraticConstraintStream<Real>& stream = streams_[block];
  const auto* const kernels = kernels_->constraint<Real>(stream.block.material.kind).quadratic;
  if (!kernels) return;
  sweep.block = &stream;
  sweep.multipliers = multipliers + first_multiplier_[block];
  const int32_t* const begin = &stream.color_begin[static_cast<size_t>(color)];
  pool_->parallel_for(begin[1] - begin[0], least_batches(), [&](int64_t first, int64_t last) {
    kernels->compliant(sweep, begin[0] + first, begin[0] + last);
  });
}

template <class Real>
void QuadraticConstraints<Real>::sweep(Vec4<Real>* x, Real* multipliers, Real h2, const SweepOrder& order) const {
  if (!any()) return;
  constexpr int32_t list = 2;  // those of linear tets and of ties are 0 and 1
  const int colors = color_count();
  for (const int32_t k : order.visits(static_cast<int32_t>(streams_.size()) * colors, list))
    sweep_color({.x = x, .h2 = h2}, multipliers, static_cast<size_t>(k / colors), k % colors);
}

template <class Real>
void QuadraticConstraints<Real>::sweep_at_once(Vec4<Real>* x, Real* multipliers, Real h2, Vec4<Real>* sums, Real scale,
                                               int first_color, int last_color) const {
  for (size_t b = 0; b < streams_.size(); ++b)
    for (int color = first_color; color < last_color; ++color)
      sweep_color({.x = x, .h2 = h2, .sums = sums, .scale = scale}, multipliers, b, color);
}

template <class Real>
void QuadraticConstraints<Real>::follow(const Vec4<Real>* at, Vec4<Real>* x, const Real* multipliers) const {
  for (size_t b = 0; b < streams_.size(); ++b) {
    const auto* const kernels = kernels_->constraint<Real>(streams_[b].block.material.kind).quadratic;
    if (!kernels) continue;
    const QuadraticMultiplierSweep<Real> sweep{&streams_[b], at, x, multipliers + first_multiplier_[b]};
    for_each_color(*pool_, streams_[b].color_begin, least_batches(),
                   [&](int32_t, int64_t first, int64_t last) { kernels->multiplier(sweep, first, last); });
  }
}

template <class Real>
size_t QuadraticConstraints<Real>::memory_bytes() const {
  size_t bytes = 0;
  for (const QuadraticConstraintStream<Real>& stream : streams_) bytes += stream.memory_bytes();
  return bytes;
}

template class QuadraticConstraints<float>;
template class QuadraticConstraints<double>;

}  // namespace sinew
