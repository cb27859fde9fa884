// A sweep by constraints over springs and weak constraints, coloured apart from the elements: whoever sweeps both says
// which come first. Macklin et al. 2016 (XPBD); Chen et al. 2023 (PBNG), section 5, for weak constraints. With
// W = sum_j w_j s_j^2 and a = 1 / (stiffness h^2),
//   spring            C = |x_1 - x_2| - l0:  dl = -(C + a l) / (W + a),  l += dl,  x_j += w_j s_j n dl
//   weak constraint   the same along n and across it, which are independent: C is the vector's part along n, or across;
//                     a stiffness of 0 does nothing
#pragma once

#include <span>
#include <vector>

#include "exec/thread_pool.h"
#include "math/lane.h"
#include "model/ties.h"

namespace sinew {

template <class Real>
class TieSweep {
 public:
  // `ties` between slots. Linear in their number.
  void prepare(const Ties& ties, size_t slot_count);

  bool empty() const { return color_begin_.size() < 2; }
  // Of a spring one [N s^2], of a weak constraint three: a vector.
  size_t multiplier_count() const { return multiplier_count_; }
  // x by slot, w = 1/m. The same bits for any number of threads.
  void sweep(ThreadPool& pool, Vec4<Real>* x, Real* multipliers, Real h2) const;
  // x_j += w_j l grad_j C, with gradients at `at`.
  void follow(ThreadPool& pool, const Vec4<Real>* at, Vec4<Real>* x, const Real* multipliers) const;
  // Takes l grad C [N s^2] off g at slots that are not held; returns the sum of (C + a l)^2 [m^2].
  double add_residuals(const Vec4<Real>* x, const Real* multipliers, Real h2, std::span<const uint8_t> held,
                       std::span<Vec3d> g) const;
  size_t memory_bytes() const;

 private:
  struct Item {
    TieLaw<Real> law;
    int32_t first_end, last_end;
    uint32_t first_multiplier;
  };
  struct End {
    int32_t slot;
    Real weight;
  };
  template <class Visit>
  void for_each_item(ThreadPool& pool, const Visit& visit) const;
  Vec3<Real> vector_of(const Item& item, const Vec4<Real>* x) const;
  Vec3<Real> impulse_of(const Item& item, Vec3<Real> c, const Real* multipliers) const;
  void push(const Item& item, Vec3<Real> impulse, Vec4<Real>* x) const;
  void project(const Item& item, Vec4<Real>* x, Real* multipliers, Real h2) const;

  std::vector<int32_t> color_begin_;  // items of colour c: [color_begin_[c], color_begin_[c + 1])
  std::vector<Item> items_;
  std::vector<End> ends_;
  size_t multiplier_count_ = 0;
};

extern template class TieSweep<float>;
extern template class TieSweep<double>;

}  // namespace sinew
