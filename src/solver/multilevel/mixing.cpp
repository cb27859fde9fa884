#include "solver/multilevel/mixing.h"

namespace sinew {
template <class Real>
void Mixing<Real>::begin(const Lattice& lattice, const Buffer<Vec4<Real>>& x, ThreadPool& pool) {
  const auto groups = static_cast<size_t>(lattice.group_count());
  if (change_.size() != groups * 3 * member_group) {
    from_.assign(groups * 4 * member_group, Real{0});
    before_ = from_;
    for (Buffer<float>* b : {&change_, &step_[0], &step_[1], &image_[0], &image_[1]})
      b->assign(groups * 3 * member_group, 0.0f);
    sums_.assign(static_cast<size_t>(lattice.cell_count()), {});
  }
  const Members members = lattice.members();
  pool.parallel_for(lattice.cell_count(), 16, [&](int64_t first, int64_t last) {
    for (int64_t c = first; c < last; ++c) {
      const int64_t begin = static_cast<int64_t>(members.cells[c].first_group) * member_group;
      for (int64_t k = begin; k < begin + members.cells[c].count; ++k) {
        const Vec4<Real>& p = x[members.slot[k]];
        Real* const out = from_.data() + k / member_group * 4 * member_group + k % member_group;
        out[0] = p.x;
        out[member_group] = p.y;
        out[2 * member_group] = p.z;
        out[3 * member_group] = p.w;
      }
    }
  });
  has_change_ = has_before_ = false;
  rule_ = {};
}

template <class Real>
void Mixing<Real>::mix(const Lattice& lattice, const LatticeKernels& kernels, bool corrects, Buffer<Vec4<Real>>& x,
                       ThreadPool& pool) {
  const bool has_last = has_change_;
  if (has_last) newest_ = 1 - newest_;
  const int older = 1 - newest_;
  const auto over_cells = [&](const auto& work) { pool.parallel_for(lattice.cell_count(), 16, work); };

  ChangeSweep<Real> changes;
  changes.members = lattice.members();
  changes.u = corrects ? lattice.correction().data() : nullptr;
  changes.x = x.data();
  changes.from = from_.data();
  changes.change = change_.data();
  changes.has_last = has_last;
  changes.has_other = has_last && rule_.has_other();
  changes.step = step_[newest_].data();
  changes.other = step_[older].data();
  changes.sums = sums_.data();
  over_cells([&](int64_t first, int64_t last) { kernels.change(changes, first, last); });
  MixingSums s;
  for (const MixingSums& own : sums_) s += own;

  has_change_ = true;
  rule_.choose(s, has_last, newest_);
  MixSweep<Real> mixes;
  mixes.members = changes.members;
  mixes.x = x.data();
  mixes.from = from_.data();
  mixes.next = before_.data();
  mixes.change = change_.data();
  mixes.image = image_[newest_].data();
  mixes.image_last = image_[older].data();
  rule_.give(mixes);
  over_cells([&](int64_t first, int64_t last) { kernels.mix(mixes, first, last); });
  from_.swap(before_);
  has_before_ = true;
}

template <class Real>
bool Mixing<Real>::go_back(const Lattice& lattice, Buffer<Vec4<Real>>& x, ThreadPool& pool) {
  if (!has_before_) return false;
  const Members members = lattice.members();
  pool.parallel_for(lattice.cell_count(), 16, [&](int64_t first, int64_t last) {
    for (int64_t c = first; c < last; ++c) {
      const int64_t begin = static_cast<int64_t>(members.cells[c].first_group) * member_group;
      for (int64_t k = begin; k < begin + members.cells[c].count; ++k) {
        const Real* p = before_.data() + k / member_group * 4 * member_group + k % member_group;
        x[members.slot[k]] = {p[0], p[member_group], p[2 * member_group], p[3 * member_group]};
      }
    }
  });
  return true;
}

template <class Real>
size_t Mixing<Real>::memory_bytes() const {
  size_t floats = change_.capacity();
  for (int k = 0; k < 2; ++k) floats += step_[k].capacity() + image_[k].capacity();
  return (from_.capacity() + before_.capacity()) * sizeof(Real) + floats * sizeof(float) +
         sums_.capacity() * sizeof(MixingSums);
}

template class Mixing<float>;
template class Mixing<double>;

}  // namespace sinew
