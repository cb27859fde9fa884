// The solution on the lattice as a program: conjugate gradients preconditioned by V-cycles
// (solver/multilevel/lattice_cycle.cpp) as a list of operations, each of which many threads do, and one after the
// other. Lattices are small, so one group of threads does the whole list in one launch; large levels get launches of
// their own.
#pragma once

#include "cuda/device_sum.h"
#include "cuda/lattice_level.h"
#include "solver/multilevel/lattice_kernel.h"

namespace sinew {

enum class LatticeStep : int32_t {
  gather,      // right = sums of the cells' shares
  begin,       // b = right, left = 0
  start,       // the state
  rows,        // a pass over the rows of a level from `first` on
  restrict,    // to the next coarser level
  prolong,     // from it
  dense,       // the inverted parts of the coarsest level
  slope_sums,  // b . x
  slope,
  direct,   // direction = x + turn direction
  product,  // image = A direction
  curvature_sums,
  curvature,
  advance,  // left += length direction, b -= length image
  promise_sums,
  promise,
};

struct LatticeOperation {
  LatticeStep step;
  int32_t count;  // of threads
  int32_t level = 0;
  int32_t first = 0;
  RowPass pass = RowPass::product;
  bool always = false;  // also after the end of the solution
};

// The sums over places are computed by this many threads, then by one.
inline constexpr int32_t place_parts = 64;

struct LatticeOperations {
  const LatticeOperation* list = nullptr;
  int32_t first = 0, last = 0;  // those to do
  const LatticeLevel* levels = nullptr;
  DenseParts dense;
  const int32_t* share_begin = nullptr;  // of each place
  const int32_t* shares_of = nullptr;
  const Vec4<float>* shares = nullptr;  // by cell and corner
  Vec4<float>* right = nullptr;         // by places of the finest level
  Vec4<float>* left = nullptr;
  Vec4<float>* direction = nullptr;
  Vec4<float>* image = nullptr;
  double* sums = nullptr;           // 2 x place_parts
  const double* squares = nullptr;  // parts_of_sum
  double small_gain = 0;
  LatticeState* state = nullptr;

  SINEW_INLINE int32_t phases() const { return last - first; }
  SINEW_INLINE int32_t count(int32_t p) const {
    const LatticeOperation& o = list[first + p];
    return o.always || first + p < state->end ? o.count : 0;
  }

  SINEW_INLINE void operator()(int32_t p, int32_t i) const {
    const LatticeOperation& o = list[first + p];
    switch (o.step) {
      case LatticeStep::gather:
        return gather(i);
      case LatticeStep::begin:
        levels[0].rows.x[i] = {0, 0, 0, 0};
        levels[0].b[i] = right[i];
        left[i] = {0, 0, 0, 0};
        return;
      case LatticeStep::start:
        state->gained = 0;
        state->slope = 0;
        state->end = state->usable ? everything : 0;
        return;
      case LatticeStep::rows: {
        const int32_t node = o.first + i;
        lattice_kernel::pass_over_lanes<float>(levels[o.level].rows, o.pass, node / node_group, node % node_group);
        return;
      }
      case LatticeStep::restrict: {
        const LatticeLevel& fine = levels[o.level];
        const LatticeLevel& coarse = levels[o.level + 1];
        coarse.b[i] = weighted(fine.down_begin, fine.down, fine.rows.r, i, {0, 0, 0, 0});
        return;
      }
      case LatticeStep::prolong: {
        const LatticeLevel& fine = levels[o.level];
        fine.rows.x[i] = weighted(fine.up_begin, fine.up, levels[o.level + 1].rows.x, i, fine.rows.x[i]);
        return;
      }
      case LatticeStep::dense:
        return solve_dense(levels[o.level].rows, i);
      case LatticeStep::slope_sums:
        sums[i] = product_sum(i, levels[0].places, levels[0].rows.b, levels[0].rows.x);
        return;
      case LatticeStep::slope: {
        const double slope = total(0);
        state->turn = static_cast<float>(state->slope > 0 ? slope / state->slope : 0);
        state->slope = slope;
        if (!(slope > 0) || !is_finite(slope)) state->end = 0;
        return;
      }
      case LatticeStep::direct: {
        const Vec4<float> z = levels[0].rows.x[i], d = direction[i];
        const float turn = state->turn;
        direction[i] = {z.x + turn * d.x, z.y + turn * d.y, z.z + turn * d.z, 0};
        return;
      }
      case LatticeStep::product: {
        NodeRows rows = levels[0].rows;
        rows.x = direction;
        rows.r = image;
        lattice_kernel::pass_over_lanes<float>(rows, RowPass::product, i / node_group, i % node_group);
        return;
      }
      case LatticeStep::curvature_sums:
        sums[i] = product_sum(i, levels[0].places, direction, image);
        return;
      case LatticeStep::curvature: {
        const double curvature = total(0);
        const double length = state->slope / curvature, gain = length * state->slope;
        state->length = static_cast<float>(length);
        state->gained += gain;
        if (!(curvature > 0)) {
          state->end = 0;
        } else if (gain < small_gain * state->gained) {
          state->end = first + p + 2;  // the end is after the advance
        }
        return;
      }
      case LatticeStep::advance: {
        const Vec4<float> d = direction[i], q = image[i], u = left[i];
        Vec4<float>& b = levels[0].b[i];
        const float t = state->length;
        left[i] = {u.x + t * d.x, u.y + t * d.y, u.z + t * d.z, 0};
        b = {b.x - t * q.x, b.y - t * q.y, b.z - t * q.z, 0};
        return;
      }
      case LatticeStep::promise_sums:
        sums[i] = strided_sum(i, place_parts, levels[0].places, [&](int64_t n) SINEW_INLINE_LAMBDA {
          const Vec4<float>&b = right[n], &u = left[n];
          return static_cast<double>(b.x) * u.x + static_cast<double>(b.y) * u.y + static_cast<double>(b.z) * u.z;
        });
        sums[place_parts + i] =
            strided_sum(i, place_parts, parts_of_sum, [&](int64_t n) SINEW_INLINE_LAMBDA { return squares[n]; });
        return;
      case LatticeStep::promise:
        state->promise = state->usable ? total(0) : 0;
        state->square = total(place_parts);
        return;
    }
  }

 private:
  static constexpr int32_t everything = 2147483647;

  SINEW_INLINE void gather(int32_t place) const {
    Vec4<float> sum{0, 0, 0, 0};
    for (int32_t k = share_begin[place]; k < share_begin[place + 1]; ++k) {
      const Vec4<float> share = shares[shares_of[k]];
      sum = {sum.x + share.x, sum.y + share.y, sum.z + share.z, 0};
    }
    right[place] = sum;
  }
  static SINEW_INLINE Vec4<float> weighted(const int32_t* begin, const LatticeCycle::Weight* weights,
                                           const Vec4<float>* from, int32_t place, Vec4<float> sum) {
    for (int32_t k = begin[place]; k < begin[place + 1]; ++k) {
      const LatticeCycle::Weight w = weights[k];
      const Vec4<float> v = from[w.place];
      sum = {sum.x + w.weight * v.x, sum.y + w.weight * v.y, sum.z + w.weight * v.z, 0};
    }
    return sum;
  }
  SINEW_INLINE void solve_dense(const NodeRows& rows, int32_t i) const {
    const DenseRow row(dense, i);
    // The inverse is symmetric: threads side by side read its column side by side.
    const double* const column = dense.inverse + row.part.first_number + row.local;
    double sum = 0;
    for (int32_t k = 0; k < row.part.nodes; ++k) {
      const Vec4<float> b = rows.b[dense.node[row.part.first_node + k].place];
      const double* const numbers = column + static_cast<int64_t>(3 * k) * row.size;
      sum += numbers[0] * b.x + numbers[row.size] * b.y + numbers[2 * row.size] * b.z;
    }
    reinterpret_cast<float*>(rows.x + dense.node[i / 3].place)[i % 3] = static_cast<float>(sum);
  }
  static SINEW_INLINE double product_sum(int32_t i, int32_t places, const Vec4<float>* a, const Vec4<float>* b) {
    return strided_sum(i, place_parts, places, [&](int64_t n) SINEW_INLINE_LAMBDA {
      const Vec4<float> p = a[n], q = b[n];
      return static_cast<double>(p.x * q.x + p.y * q.y + p.z * q.z);
    });
  }
  SINEW_INLINE double total(int32_t from) const {
    return strided_sum(0, 1, place_parts, [&](int64_t n) SINEW_INLINE_LAMBDA { return sums[from + n]; });
  }
};

// The operation `first` alone, in a launch of its own.
struct OneLatticeOperation {
  LatticeOperations operations;
  SINEW_INLINE void operator()(int64_t i) const {
    if (operations.count(0) > 0) operations(0, static_cast<int32_t>(i));
  }
};

}  // namespace sinew
