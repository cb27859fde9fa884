// What every accelerator offers: it looks at the sequence of iterates and moves the last one, and knows nothing of the
// rule that makes them.
#pragma once

#include <memory>

#include "exec/thread_pool.h"
#include "model/iterate.h"

namespace sinew {

class Accelerator {
 public:
  virtual ~Accelerator() = default;
  // `iterate` holds the initial guess.
  virtual void begin_step(IterateRef iterate, ThreadPool& pool) = 0;
  // After the solver's iteration number 1, 2, ...: replaces the iterate by the accelerated one.
  virtual void apply(IterateRef iterate, int iteration, ThreadPool& pool) = 0;
  // Does `apply` move multipliers and leave the positions to follow from them? Then the solver must be able to do that.
  virtual bool moves_multipliers_alone() const { return false; }
  // Or the positions, and leaves the multipliers as they are?
  virtual bool moves_positions_alone() const { return false; }
};

}  // namespace sinew
