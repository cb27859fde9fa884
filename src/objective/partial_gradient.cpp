#include "objective/partial_gradient.h"

#include <algorithm>

#include "objective/element_terms.h"
#include "objective/objective.h"
#include "objective/tie_terms.h"

namespace sinew {
namespace {

// Elements are computed by groups: so few that touch none of the slots cost less than another group.
constexpr int32_t short_gap = 4;

}  // namespace

PartialGradient::PartialGradient(const Model& model, std::span<const int32_t> slots)
    : slots_(slots.begin(), slots.end()),
      is_wanted_(static_cast<size_t>(model.slot_count())),
      gradient_(is_wanted_.size()) {
  for (const int32_t s : slots_) is_wanted_[s] = 1;
  const auto touches = [&](const auto& corners) {
    return std::any_of(corners.begin(), corners.end(), [&](int32_t s) { return is_wanted_[s] != 0; });
  };
  size_t count = 0;
  for (size_t b = 0; b < model.blocks.size() && !slots_.empty(); ++b) {
    const ElasticBlock& block = model.blocks[b];
    bool open = false;  // the last run is of this block
    for (int32_t e = block.first_tet; e < block.last_tet; ++e) {
      if (!touches(model.nodes_of(e))) continue;
      if (!open || e - runs_.back().last > short_gap) runs_.push_back({static_cast<int32_t>(b), e, e, 0, 0});
      runs_.back().last = e + 1;
      open = true;
    }
  }
  size_t gradients = 0;
  for (Run& run : runs_) {
    run.begin = count;
    run.first_gradient = gradients;
    const auto elements = static_cast<size_t>(run.last - run.first);
    count += elements;
    gradients += static_cast<size_t>(gradients_each(model.blocks[static_cast<size_t>(run.block)])) * elements;
  }
  for (int32_t t = 0; t < model.ties.count(); ++t)
    if (touches(model.ties.vertices_of(t))) ties_.push_back(t);
  energy_.resize(count);
  det_f_.resize(count);
  gradients_.resize(gradients);
}

std::span<const Vec3d> PartialGradient::at(const StepProblem& problem, std::span<const Vec3d> x, ThreadPool& pool) {
  const Model& model = *problem.model;
  for (const int32_t s : slots_) gradient_[s] = vertex_gradient(problem, s, x[s]);

  ElementKernel* const kernel = element_kernel_with_lanes(0);
  constexpr int64_t grain = 64;
  pool.parallel_for(static_cast<int64_t>(runs_.size()), grain, [&](int64_t first, int64_t last) {
    for (int64_t k = first; k < last; ++k) {
      const Run& run = runs_[k];
      const ElasticBlock& block = model.blocks[run.block];
      const ElementTerms terms{ElementArrays::of(model),
                               &block,
                               x.data(),
                               problem.x_prev.data(),
                               damping_rate(problem, block),
                               energy_.data() + run.begin,
                               det_f_.data() + run.begin,
                               gradients_.data() + run.first_gradient};
      kernel(terms, run.first, run.last);
    }
  });
  // In the order of the elements, as the whole gradient is summed.
  for (const Run& run : runs_) {
    const auto each = static_cast<size_t>(gradients_each(model.blocks[static_cast<size_t>(run.block)]));
    for (int32_t e = run.first; e < run.last; ++e) {
      const Vec3d* const forces = gradients_.data() + run.first_gradient + each * static_cast<size_t>(e - run.first);
      const ElementNodes nodes = model.nodes_of(e);
      for (size_t c = 0; c < nodes.size(); ++c)
        if (const int32_t s = nodes[c]; is_wanted_[s]) gradient_[s] += forces[c];
    }
  }
  for (const int32_t t : ties_) {
    const Vec3d term = tie_term(problem, t, x).gradient;
    for (int32_t j = model.ties.begin[t]; j < model.ties.begin[t + 1]; ++j)
      if (const int32_t s = model.ties.vertices[j]; is_wanted_[s]) gradient_[s] += model.ties.weights[j] * term;
  }
  for (const Grab& grab : problem.grabs) {
    const Vec3d term = grab.stiffness * grab.stretch(x);
    for (int32_t j = 0; j < grab.count; ++j)
      if (const int32_t s = grab.vertices[j]; is_wanted_[s]) gradient_[s] += grab.weights[j] * term;
  }
  return gradient_;
}

}  // namespace sinew
