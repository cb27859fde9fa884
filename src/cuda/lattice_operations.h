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
  bool always = false;     // also after the end of the solution
  int32_t team_bits = -1;  // of what adds up: threads that share an item
};

// The sums over places are first computed in so many parts.
inline constexpr int32_t place_parts = 64;

// At once in fast memory.
inline constexpr int32_t most_operations = 128, most_levels = 24;
struct LatticeTables {
  LatticeOperation list[most_operations];
  LatticeLevel levels[most_levels];
};

struct LatticeOperations {
  const LatticeOperation* list = nullptr;
  int32_t first = 0, last = 0;  // those to do
  const LatticeLevel* levels = nullptr;
  int32_t level_count = 0;
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

  using Tables = LatticeTables;
  static constexpr int threads = 512;  // few, which have many registers
  // By thread `own` of so many.
  SINEW_INLINE void fill(Tables& tables, int32_t own, int32_t count) const {
    for (int32_t k = own; k < last - first; k += count) tables.list[k] = list[first + k];
    for (int32_t k = own; k < level_count; k += count) tables.levels[k] = levels[k];
  }
  SINEW_INLINE auto with(const Tables& tables) const;
};

// The operations, with what they read of each.
struct LatticeProgram {
  const LatticeOperations& all;
  const LatticeOperation* list;  // from all.first on
  const LatticeLevel* levels;

  using Part = Vec3d;
  static constexpr int threads = LatticeOperations::threads;

  SINEW_INLINE int32_t phases() const { return all.last - all.first; }
  SINEW_INLINE int32_t count(int32_t p) const {
    const LatticeOperation& o = list[p];
    return o.always || all.first + p < all.state->end ? o.count : 0;
  }
  SINEW_INLINE int team_bits(int32_t p) const { return list[p].team_bits; }

  // The operations that add nothing up.
  SINEW_INLINE void operator()(int32_t p, int32_t i) const {
    switch (list[p].step) {
      case LatticeStep::gather:
        return gather(i);
      case LatticeStep::begin:
        levels[0].rows.x[i] = {0, 0, 0, 0};
        levels[0].b[i] = all.right[i];
        all.left[i] = {0, 0, 0, 0};
        return;
      case LatticeStep::start:
        all.state->gained = 0;
        all.state->slope = 0;
        all.state->end = all.state->usable ? everything : 0;
        return;
      case LatticeStep::direct: {
        const Vec4<float> z = levels[0].rows.x[i], d = all.direction[i];
        const float turn = all.state->turn;
        all.direction[i] = {z.x + turn * d.x, z.y + turn * d.y, z.z + turn * d.z, 0};
        return;
      }
      case LatticeStep::advance: {
        const Vec4<float> d = all.direction[i], q = all.image[i], u = all.left[i];
        Vec4<float>& b = levels[0].b[i];
        const float t = all.state->length;
        all.left[i] = {u.x + t * d.x, u.y + t * d.y, u.z + t * d.z, 0};
        b = {b.x - t * q.x, b.y - t * q.y, b.z - t * q.z, 0};
        return;
      }
      default:
        return;
    }
  }

  // Those that do: the share of thread j of a team, and what becomes of the sum.
  SINEW_INLINE Vec3d part(int32_t p, int32_t i, int j) const {
    const LatticeOperation& o = list[p];
    const int stride = 1 << o.team_bits;
    const LatticeLevel& level = levels[o.level];
    switch (o.step) {
      case LatticeStep::rows:
        return row_part(level.rows, o.pass, o.first + i, j, stride);
      case LatticeStep::product:
        return row_part(product_rows(), RowPass::product, i, j, stride);
      case LatticeStep::restrict:
        return weighted(level.down_begin, level.down, level.rows.r, i, j, stride);
      case LatticeStep::prolong:
        return weighted(level.up_begin, level.up, levels[o.level + 1].rows.x, i, j, stride);
      case LatticeStep::dense:
        return {dense_part(level.rows, i, j, stride), 0, 0};
      case LatticeStep::slope_sums:
        return {product_part(i, j, stride, levels[0].rows.b, levels[0].rows.x), 0, 0};
      case LatticeStep::curvature_sums:
        return {product_part(i, j, stride, all.direction, all.image), 0, 0};
      case LatticeStep::promise_sums:
        return {product_part(i, j, stride, all.right, all.left),
                strided_sum(i * int64_t{stride} + j, int64_t{stride} * place_parts, parts_of_sum,
                            [&](int64_t n) SINEW_INLINE_LAMBDA { return all.squares[n]; }),
                0};
      case LatticeStep::slope:
      case LatticeStep::curvature:
      case LatticeStep::promise:
        return {total(0, j, stride), o.step == LatticeStep::promise ? total(place_parts, j, stride) : 0, 0};
      default:
        return {};
    }
  }
  SINEW_INLINE void finish(int32_t p, int32_t i, Vec3d sum) const {
    const LatticeOperation& o = list[p];
    const LatticeLevel& level = levels[o.level];
    const auto narrow = [](Vec3d v) SINEW_INLINE_LAMBDA {
      return Vec3f{static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
    };
    const Vec3f v = narrow(sum);
    switch (o.step) {
      case LatticeStep::rows:
        return finish_row(level.rows, o.pass, o.first + i, v);
      case LatticeStep::product:
        return finish_row(product_rows(), RowPass::product, i, v);
      case LatticeStep::restrict:
        levels[o.level + 1].b[i] = {v.x, v.y, v.z, 0};
        return;
      case LatticeStep::prolong: {
        Vec4<float>& x = level.rows.x[i];
        x = {x.x + v.x, x.y + v.y, x.z + v.z, 0};
        return;
      }
      case LatticeStep::dense:
        reinterpret_cast<float*>(level.rows.x + all.dense.node[i / 3].place)[i % 3] = v.x;
        return;
      case LatticeStep::slope_sums:
      case LatticeStep::curvature_sums:
        all.sums[i] = sum.x;
        return;
      case LatticeStep::promise_sums:
        all.sums[i] = sum.x;
        all.sums[place_parts + i] = sum.y;
        return;
      case LatticeStep::slope: {
        const double slope = sum.x;
        all.state->turn = static_cast<float>(all.state->slope > 0 ? slope / all.state->slope : 0);
        all.state->slope = slope;
        if (!(slope > 0) || !is_finite(slope)) all.state->end = 0;
        return;
      }
      case LatticeStep::curvature: {
        const double curvature = sum.x;
        const double length = all.state->slope / curvature, gain = length * all.state->slope;
        all.state->length = static_cast<float>(length);
        all.state->gained += gain;
        if (!(curvature > 0)) {
          all.state->end = 0;
        } else if (gain < all.small_gain * all.state->gained) {
          all.state->end = all.first + p + 2;  // the end is after the advance
        }
        return;
      }
      case LatticeStep::promise:
        all.state->promise = all.state->usable ? sum.x : 0;
        all.state->square = sum.y;
        return;
      default:
        return;
    }
  }

 private:
  static constexpr int32_t everything = 2147483647;

  SINEW_INLINE void gather(int32_t place) const {
    Vec4<float> sum{0, 0, 0, 0};
    for (int32_t k = all.share_begin[place]; k < all.share_begin[place + 1]; ++k) {
      const Vec4<float> share = all.shares[all.shares_of[k]];
      sum = {sum.x + share.x, sum.y + share.y, sum.z + share.z, 0};
    }
    all.right[place] = sum;
  }
  // A direction -> image
  SINEW_INLINE NodeRows product_rows() const {
    NodeRows rows = levels[0].rows;
    rows.x = all.direction;
    rows.r = all.image;
    return rows;
  }
  static constexpr int rows_at_once = 4;
  static SINEW_INLINE Vec3d wide(Vec3f v) { return {v.x, v.y, v.z}; }
  static SINEW_INLINE Vec3d row_part(const NodeRows& rows, RowPass pass, int32_t node, int j, int stride) {
    const auto entries = lattice_kernel::entries_of_pass(rows, pass, node / node_group);
    const int lane = node % node_group;
    Vec3f sum{};
    for (int64_t first = entries.first + j; first < entries.last; first += rows_at_once * stride) {
      // All loads, then all sums: what is missing is an entry read again, times 0.
      float a[rows_at_once][9];
      Vec3f x[rows_at_once];
      for (int k = 0; k < rows_at_once; ++k) {
        const int64_t wanted = first + k * stride;
        const int64_t e = wanted < entries.last ? wanted : first;
        const float* const block = rows.block + block_of_entry(e, lane);
        for (int n = 0; n < 9; ++n) a[k][n] = block[n * pack_lanes];
        const Vec4<float> p = rows.x[rows.column[e * node_group + lane]];
        const float share = wanted < entries.last ? 1.0f : 0.0f;
        x[k] = {share * p.x, share * p.y, share * p.z};
      }
      for (int k = 0; k < rows_at_once; ++k) {
        sum += x[k].x * Vec3f{a[k][0], a[k][1], a[k][2]};
        sum += x[k].y * Vec3f{a[k][3], a[k][4], a[k][5]};
        sum += x[k].z * Vec3f{a[k][6], a[k][7], a[k][8]};
      }
    }
    return wide(sum);
  }
  static SINEW_INLINE void finish_row(const NodeRows& rows, RowPass pass, int32_t node, Vec3f sum) {
    lattice_kernel::finish_pass<float>(rows, pass, node / node_group, node % node_group, sum);
  }
  static SINEW_INLINE Vec3d weighted(const int32_t* begin, const LatticeCycle::Weight* weights, const Vec4<float>* from,
                                     int32_t place, int j, int stride) {
    Vec3f sum{};
    for (int32_t k = begin[place] + j; k < begin[place + 1]; k += stride) {
      const LatticeCycle::Weight w = weights[k];
      const Vec4<float> v = from[w.place];
      sum += w.weight * Vec3f{v.x, v.y, v.z};
    }
    return wide(sum);
  }
  SINEW_INLINE double dense_part(const NodeRows& rows, int32_t i, int j, int stride) const {
    const DenseRow row(all.dense, i);
    // The inverse is symmetric: threads side by side read its column side by side.
    const double* const column = all.dense.inverse + row.part.first_number + row.local;
    double sum = 0;
    for (int32_t k = j; k < row.part.nodes; k += stride) {
      const Vec4<float> b = rows.b[all.dense.node[row.part.first_node + k].place];
      const double* const numbers = column + static_cast<int64_t>(3 * k) * row.size;
      sum += numbers[0] * b.x + numbers[row.size] * b.y + numbers[2 * row.size] * b.z;
    }
    return sum;
  }
  // Of sum i of place_parts.
  SINEW_INLINE double product_part(int32_t i, int j, int stride, const Vec4<float>* a, const Vec4<float>* b) const {
    return strided_sum(
        i * int64_t{stride} + j, int64_t{stride} * place_parts, levels[0].places, [&](int64_t n) SINEW_INLINE_LAMBDA {
          const Vec4<float> p = a[n], q = b[n];
          return static_cast<double>(p.x) * q.x + static_cast<double>(p.y) * q.y + static_cast<double>(p.z) * q.z;
        });
  }
  SINEW_INLINE double total(int32_t from, int j, int stride) const {
    return strided_sum(j, stride, place_parts, [&](int64_t n) SINEW_INLINE_LAMBDA { return all.sums[from + n]; });
  }
};

SINEW_INLINE auto LatticeOperations::with(const Tables& tables) const {
  return LatticeProgram{*this, tables.list, tables.levels};
}

// The operation `first` alone, in a launch of its own.
struct OneLatticeOperation {
  LatticeOperations operations;
  SINEW_INLINE void operator()(int64_t i) const {
    const LatticeProgram one{operations, operations.list + operations.first, operations.levels};
    if (one.count(0) > 0) one(0, static_cast<int32_t>(i));
  }
};
// One that adds up.
struct OneLatticeSum {
  LatticeOperations operations;
  using Part = LatticeProgram::Part;
  SINEW_INLINE LatticeProgram one() const {
    return {operations, operations.list + operations.first, operations.levels};
  }
  SINEW_INLINE int find(int64_t) const { return one().count(0); }
  SINEW_INLINE int ahead(int64_t, int) const { return 0; }
  SINEW_INLINE Part part(int64_t i, int j, int, int found) const {
    return found > 0 ? one().part(0, static_cast<int32_t>(i), j) : Part{};
  }
  SINEW_INLINE void finish(int64_t i, int found, Part sum) const {
    if (found > 0) one().finish(0, static_cast<int32_t>(i), sum);
  }
};

}  // namespace sinew
