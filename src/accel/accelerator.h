// The interface of every accelerator. It observes the sequence of iterates and changes the last one, and knows nothing
// of the rule that produces them.
#pragma once

#include <memory>

#include "exec/thread_pool.h"
#include "model/iterate.h"

namespace sinew {

class Accelerator {
 public:
  virtual ~Accelerator() = default;
  // `iterate` holds the initial guess; or, within a step, an earlier iterate to which the solver has returned
  // (Solver::restarted). What came before is to be forgotten.
  virtual void begin_step(IterateRef iterate, ThreadPool& pool) = 0;
  // To be called after the solver's iteration number 1, 2, ... of the step: replaces the iterate by the accelerated
  // one. Slots with w = 0 are held and must not move.
  virtual void apply(IterateRef iterate, int iteration, ThreadPool& pool) = 0;
  // Whether `apply` changes multipliers and lets the positions follow from them, which the solver must support.
  virtual bool moves_multipliers_alone() const { return false; }
  // Whether it changes positions and leaves the multipliers as they are.
  virtual bool moves_positions_alone() const { return false; }
};

}  // namespace sinew
