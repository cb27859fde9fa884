// The ties of a model as sweeps by constraints walk through them: coloured apart from the elements, so that ties of one
// colour share no vertex. The grabs of a step follow (model/grab.h), as weak constraints with the vector C - b, each a
// colour of its own. What a sweep does with a tie is the matter of tie_sweep.h and tie_forces.h.
#pragma once

#include <span>
#include <vector>

#include "exec/thread_pool.h"
#include "math/lane.h"
#include "model/step_problem.h"
#include "solver/sweep_solver.h"
#include "solver/ties/tie_items.h"

namespace sinew {

template <class Real>
class ColoredTies {
 public:
  using Item = TieItem<Real>;

  // `ties` between slots. Linear in their number.
  void prepare(const Ties& ties, size_t slot_count);
  // Takes the activations and grabs of a step.
  void begin_step(const StepProblem& problem);

  std::span<const Item> items() const { return items_; }
  size_t count() const { return items_.size(); }

  // The colours in the order of a sweep.
  Visits visits(const SweepOrder& order) const {
    constexpr int32_t list = 1;  // that of the tets is 0
    return order.visits(static_cast<int32_t>(color_begin_.size()) - 1, list);
  }
  // visit(number, item), colour by colour: the same bits for any number of threads.
  template <class Visit>
  void for_each(ThreadPool& pool, const Visit& visit, const SweepOrder& order = {}) const {
    if (items_.empty()) return;
    const Visits colors = visits(order);
    for_each_color(pool, color_begin_, least_shared, colors, [&](int32_t, int64_t first, int64_t last) {
      for (auto k = static_cast<size_t>(first); k < static_cast<size_t>(last); ++k) visit(k, items_[k]);
    });
  }
  // For one item, also on GPUs.
  TieItems<Real> view() const { return {items_.data(), ends_.data(), activation_.data()}; }
  std::span<const TieEnd<Real>> ends() const { return ends_; }
  std::span<const Real> activation() const { return activation_; }
  // Items of colour c: [color_begin()[c], color_begin()[c + 1]).
  std::span<const int32_t> color_begin() const { return color_begin_; }

  // g_j += s_j times the impulse, at slots that are not held.
  void add(const Item& item, Vec3<Real> impulse, std::span<const uint8_t> held, std::span<Vec3d> g) const;

  size_t memory_bytes() const;

 private:
  std::vector<int32_t> color_begin_;
  std::vector<Item> items_;
  std::vector<TieEnd<Real>> ends_;
  size_t tie_count_ = 0, tie_colors_ = 0, tie_ends_ = 0;  // without the grabs
  std::vector<Real> activation_;
};

extern template class ColoredTies<float>;
extern template class ColoredTies<double>;

}  // namespace sinew
