// Shared by the accelerators: their rule is written once over the precision of the iterate, and most rules combine the
// last few iterates unknown by unknown.
#pragma once

#include "accel/accelerator.h"

namespace sinew {

// Rule<Real> is constructed from the options and has begin(iterate, pool) and apply(iterate, pool).
template <template <class> class Rule, class Options>
class AcceleratorByRule : public Accelerator {
 public:
  explicit AcceleratorByRule(const Options& options) : single_(options), double_(options) {}

  void begin_step(IterateRef iterate, ThreadPool& pool) override {
    visit(iterate, [&](auto& rule, auto& it) { rule.begin(it, pool); });
  }
  void apply(IterateRef iterate, int, ThreadPool& pool) override {
    visit(iterate, [&](auto& rule, auto& it) { rule.apply(it, pool); });
  }

 private:
  template <class Action>
  void visit(IterateRef iterate, const Action& action) {
    if (auto* single = std::get_if<Iterate<float>*>(&iterate)) action(single_, **single);
    if (auto* other = std::get_if<Iterate<double>*>(&iterate)) action(double_, **other);
  }
  Rule<float> single_;
  Rule<double> double_;
};

// next = mix(next, other) for every coordinate of vertices that are not held and have not collided, and every
// multiplier.
template <class Real, class Mix>
void combine(Iterate<Real>& next, const Iterate<Real>& other, ThreadPool& pool, const Mix& mix) {
  pool.parallel_for(static_cast<int64_t>(next.x.size()), reduction_chunk, [&](int64_t first, int64_t last) {
    for (int64_t s = first; s < last; ++s) {
      const Vec4<Real> a = next.x[s], b = other.x[s];
      if (a.w > 0 && (next.collided.empty() || !next.collided[static_cast<size_t>(s)]))
        next.x[s] = {mix(a.x, b.x), mix(a.y, b.y), mix(a.z, b.z), a.w};
    }
  });
  pool.parallel_for(static_cast<int64_t>(next.multipliers.size()), reduction_chunk, [&](int64_t first, int64_t last) {
    for (int64_t k = first; k < last; ++k) next.multipliers[k] = mix(next.multipliers[k], other.multipliers[k]);
  });
}

// `older` becomes `newer`, which becomes the iterate.
template <class Real>
void remember(const Iterate<Real>& iterate, Iterate<Real>& newer, Iterate<Real>& older) {
  older.x.swap(newer.x);
  older.multipliers.swap(newer.multipliers);
  newer = iterate;
}

}  // namespace sinew
