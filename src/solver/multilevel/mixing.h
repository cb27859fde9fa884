// Anderson mixing (Anderson 1965; Walker & Ni 2011, type II, window 2) of whole iterations of a solver, over the
// vertices of a lattice in the order of its cells. With f_k the iterate before iteration k, r_k its change and g_k =
// f_k + r_k its image,
//   f_(k+1) = g_k - p dg_k - q dg_(k-1),   (p, q) = argmin |r_k - p dr_k - q dr_(k-1)|,
//   dr_k = r_k - r_(k-1),   dg_k = g_k - g_(k-1) = r_k - p_(k-1) dg_(k-1) - q_(k-1) dg_(k-2).
// The last form needs no images: only displacements are stored, and their rounding is relative to their own size.
#pragma once

#include <vector>

#include "exec/buffer.h"
#include "exec/thread_pool.h"
#include "solver/multilevel/lattice.h"
#include "solver/multilevel/mixing_rule.h"

namespace sinew {

template <class Real>
class Mixing {
 public:
  // Begins a new sequence at x; vectors are by slot.
  void begin(const Lattice& lattice, const Buffer<Vec4<Real>>& x, ThreadPool& pool);
  // To be called at the end of an iteration. x becomes the next iterate; if `corrects`, the lattice's correction is
  // still to be added to it.
  void mix(const Lattice& lattice, const LatticeKernels& kernels, bool corrects, Buffer<Vec4<Real>>& x,
           ThreadPool& pool);
  // Restores x as before the last iteration that was mixed; false if there is none.
  bool go_back(const Lattice& lattice, Buffer<Vec4<Real>>& x, ThreadPool& pool);
  size_t memory_bytes() const;

 private:
  bool has_change_ = false, has_before_ = false;
  int newest_ = 0;  // which of the two differences is the latest
  MixingRule rule_;
  Buffer<Real> from_, before_;  // the iterate before this iteration, and the one before that
  Buffer<float> change_, step_[2], image_[2];
  std::vector<MixingSums> sums_;
};

extern template class Mixing<float>;
extern template class Mixing<double>;

}  // namespace sinew
