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

namespace sinew {

template <class Real>
class ColoredTies {
 public:
  struct Item {
    TieLaw<Real> law;
    int32_t first_end, last_end;
    bool is_grab = false;
    Vec3<Real> anchor{};  // of a grab
  };

  // `ties` between slots. Linear in their number.
  void prepare(const Ties& ties, size_t slot_count);
  // Takes the activations and grabs of a step.
  void begin_step(const StepProblem& problem);

  std::span<const Item> items() const { return items_; }
  size_t count() const { return items_.size(); }

  // visit(number, item), colour by colour: the same bits for any number of threads.
  template <class Visit>
  void for_each(ThreadPool& pool, const Visit& visit, const SweepOrder& order = {}) const {
    if (items_.empty()) return;
    constexpr int32_t list = 1;  // that of the tets is 0
    const Visits colors = order.visits(static_cast<int32_t>(color_begin_.size()) - 1, list);
    for_each_color(pool, color_begin_, least_shared, colors, [&](int32_t, int64_t first, int64_t last) {
      for (auto k = static_cast<size_t>(first); k < static_cast<size_t>(last); ++k) visit(k, items_[k]);
    });
  }
  // visit(slot, weight)
  template <class Visit>
  SINEW_INLINE void for_each_end(const Item& item, const Visit& visit) const {
    for (int32_t k = item.first_end; k < item.last_end; ++k) visit(static_cast<size_t>(ends_[k].slot), ends_[k].weight);
  }

  Real activation_of(const Item& item) const { return item.law.activation(activation_.data()); }
  // These three are inlined into a sweep, whose vectors then stay in registers: two thirds of its time for springs in a
  // browser.
  // C, of a grab C - b; of differences.
  SINEW_INLINE Vec3<Real> vector_of(const Item& item, const Vec4<Real>* x) const {
    const auto at = [&](int32_t end) {
      const Vec4<Real>& p = x[ends_[end].slot];
      return Vec3<Real>{p.x, p.y, p.z};
    };
    const Vec3<Real> origin = at(item.first_end);
    Vec3<Real> c = item.is_grab ? origin - item.anchor : Vec3<Real>{};
    for (int32_t k = item.first_end + 1; k < item.last_end; ++k) c += ends_[k].weight * (at(k) - origin);
    return c;
  }
  // sum_j w_j s_j^2, w = 1/m; 0 where all vertices of it are held.
  SINEW_INLINE Real mobility(const Item& item, const Vec4<Real>* x) const {
    Real w = 0;
    for_each_end(item, [&](size_t slot, Real weight) { w += x[slot].w * weight * weight; });
    return w;
  }
  // x_j += w_j s_j times the impulse.
  SINEW_INLINE void push(const Item& item, Vec3<Real> impulse, Vec4<Real>* x) const {
    for_each_end(item, [&](size_t slot, Real weight) {
      Vec4<Real>& p = x[slot];
      const Real share = p.w * weight;
      p.x += share * impulse.x;
      p.y += share * impulse.y;
      p.z += share * impulse.z;
    });
  }
  // g_j += s_j times the impulse, at slots that are not held.
  void add(const Item& item, Vec3<Real> impulse, std::span<const uint8_t> held, std::span<Vec3d> g) const;

  size_t memory_bytes() const;

 private:
  struct End {
    int32_t slot;
    Real weight;
  };

  std::vector<int32_t> color_begin_;  // items of colour c: [color_begin_[c], color_begin_[c + 1])
  std::vector<Item> items_;
  std::vector<End> ends_;
  size_t tie_count_ = 0, tie_colors_ = 0, tie_ends_ = 0;  // without the grabs
  std::vector<Real> activation_;
};

extern template class ColoredTies<float>;
extern template class ColoredTies<double>;

}  // namespace sinew
