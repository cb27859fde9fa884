// The kernels that compute the lattice's matrix on a device, in the order of sums of the CPU
// (solver/multilevel/lattice_cycle.cpp).
#pragma once

#include "cuda/lattice_level.h"
#include "solver/multilevel/coarse_cube.h"
#include "solver/multilevel/lattice_kernel.h"
#include "solver/multilevel/lattice_matrix.h"

namespace sinew {

// (cell, lane): what the lanes of its rim add to F, cells x 9 x 16.
template <class Real>
struct DeformLanes {
  DeformationSweep<Real> sweep;
  float* lanes = nullptr;

  SINEW_INLINE void operator()(int64_t i) const {
    const int64_t cell = i / member_group;
    if (sweep.rim_begin[cell] == sweep.rim_begin[cell + 1]) return;
    const int lane = static_cast<int>(i % member_group);
    const Mat3<float> f = lattice_kernel::deform_lanes<float>(sweep, cell, lane);
    float* const out = lanes + cell * 9 * member_group + lane;
    const float numbers[9] = {f.c0.x, f.c0.y, f.c0.z, f.c1.x, f.c1.y, f.c1.z, f.c2.x, f.c2.y, f.c2.z};
    for (int n = 0; n < 9; ++n) out[n * member_group] = numbers[n];
  }
};

// The frame of a cell: the numbers of its rotation and its cofactor by columns, and the pressure.
inline constexpr int frame_numbers = 19;
struct FrameCells {
  const int32_t* rim_begin = nullptr;
  const uint8_t* plane = nullptr;
  const float* lanes = nullptr;
  const float* ratios = nullptr;
  float* frames = nullptr;  // frame_numbers x stride
  int64_t stride = 0;

  SINEW_INLINE void operator()(int64_t cell) const {
    Mat3<float> f{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    if (rim_begin[cell] != rim_begin[cell + 1]) {
      const float* const own = lanes + cell * 9 * member_group;
      const auto at = [&](int n) SINEW_INLINE_LAMBDA { return lattice_kernel::sum_of_group(own + n * member_group); };
      f = {{at(0), at(1), at(2)}, {at(3), at(4), at(5)}, {at(6), at(7), at(8)}};
      if (plane[cell]) f.c2.z += 1;
    }
    const lattice_kernel::CellFrame<float> frame = lattice_kernel::cell_frame(f, ratios[cell]);
    const Mat3<float>&r = frame.rotation, &c = frame.cofactor;
    const float numbers[frame_numbers] = {r.c0.x, r.c0.y, r.c0.z, r.c1.x, r.c1.y,       r.c1.z, r.c2.x,
                                          r.c2.y, r.c2.z, c.c0.x, c.c0.y, c.c0.z,       c.c1.x, c.c1.y,
                                          c.c1.z, c.c2.x, c.c2.y, c.c2.z, frame.pressed};
    for (int n = 0; n < frame_numbers; ++n) frames[n * stride + cell] = numbers[n];
  }
};

// (group of cells, pair, cell of the group).
struct MatrixPairs {
  const float* frames = nullptr;
  int64_t stride = 0, cells = 0;
  const float* moments = nullptr;
  const float* damping = nullptr;       // null: nothing is damped by the rate of strain
  const Mat3<float>* before = nullptr;  // F at the start of the step, by cell; with `damping`
  Vec4<float>* matrix = nullptr;        // cells x 36 x 3 columns

  SINEW_INLINE void operator()(int64_t i) const {
    const int64_t lane = i % cell_group, group_pair = i / cell_group;
    const int64_t cell = group_pair / cell_pairs * cell_group + lane, pair = group_pair % cell_pairs;
    if (cell >= cells) return;
    const auto at = [&](int n) SINEW_INLINE_LAMBDA { return frames[n * stride + cell]; };
    const lattice_kernel::CellFrame<float> frame{
        {{at(0), at(1), at(2)}, {at(3), at(4), at(5)}, {at(6), at(7), at(8)}},
        {{at(9), at(10), at(11)}, {at(12), at(13), at(14)}, {at(15), at(16), at(17)}},
        at(18)};
    const int64_t first = group_pair * moment_numbers * cell_group + lane;
    const Mat3<float> k = lattice_kernel::cell_matrix(frame, moments + first);
    Vec4<float>* const out = matrix + (cell * cell_pairs + pair) * 3;
    out[0] = {k.c0.x, k.c0.y, k.c0.z, 0};
    out[1] = {k.c1.x, k.c1.y, k.c1.z, 0};
    out[2] = {k.c2.x, k.c2.y, k.c2.z, 0};
    if (damping) add_to_columns(out, damping_of_pair(before[cell], damping + first));
  }
};

// (coarse cube, pair, column): Galerkin's matrix of a coarse cube, the sum of W^T K W over its children.
struct JoinChildren {
  const int32_t* child_begin = nullptr;
  const int32_t* children = nullptr;
  const uint8_t* octants = nullptr;  // of the children
  const Vec4<float>* fine = nullptr;
  Vec4<float>* coarse = nullptr;

  SINEW_INLINE void operator()(int64_t i) const {
    const int64_t cube = i / (3 * cell_pairs);
    const int pair = static_cast<int>(i / 3 % cell_pairs), column = static_cast<int>(i % 3);
    int p = 0;
    while (cell_pair(p + 1, 0) <= pair) ++p;
    const int s = pair - cell_pair(p, 0);
    Vec3f sum{};
    for (int32_t n = child_begin[cube]; n < child_begin[cube + 1]; ++n) {
      const Vec4<float>* const k = fine + static_cast<int64_t>(children[n]) * cell_pairs * 3;
      const int o = octants[n];
      for (int a = 0; a < cell_corners; ++a) {
        const auto left = static_cast<float>(child_weight(o, a, p));
        if (left == 0) continue;
        Vec3f half{};
        for (int b = 0; b < cell_corners; ++b) {
          const auto right = static_cast<float>(child_weight(o, b, s));
          if (right != 0) half += right * column_of(k, a, b, column);
        }
        sum += left * half;
      }
    }
    coarse[i] = {sum.x, sum.y, sum.z, 0};
  }

  // Column c of K_ab.
  static SINEW_INLINE Vec3f column_of(const Vec4<float>* k, int a, int b, int c) {
    if (a >= b) {
      const Vec4<float>& v = k[cell_pair(a, b) * 3 + c];
      return {v.x, v.y, v.z};
    }
    const float* const row = reinterpret_cast<const float*>(k + cell_pair(b, a) * 3) + c;
    return {row[0], row[4], row[8]};
  }
};

// A block of the matrix for each lane of an entry, then for each place its own block and the inverse of that.
struct FillBlocks {
  const int64_t* source_begin = nullptr;
  const int32_t* sources = nullptr;
  const Vec4<float>* cubes = nullptr;
  int64_t entries = 0;  // lanes of entries
  float* block = nullptr;
  float* diagonal = nullptr;
  float* inverse = nullptr;

  SINEW_INLINE void operator()(int64_t i) const {
    Mat3<float> direct{}, turned{};
    for (int64_t k = source_begin[i]; k < source_begin[i + 1]; ++k) {
      const int32_t source = sources[k];
      const Vec4<float>* const m = cubes + static_cast<int64_t>(source >> 1) * 3;
      Mat3<float>& to = source & 1 ? turned : direct;
      to.c0 += Vec3f{m[0].x, m[0].y, m[0].z};
      to.c1 += Vec3f{m[1].x, m[1].y, m[1].z};
      to.c2 += Vec3f{m[2].x, m[2].y, m[2].z};
    }
    const Mat3<float> sum = direct + transpose(turned);
    if (i < entries) {
      put(block + block_of_entry(i / node_group, static_cast<int>(i % node_group)), pack_lanes, sum);
      return;
    }
    const int64_t place = i - entries, at = place / node_group * 9 * node_group + place % node_group;
    put(diagonal + at, node_group, sum);
    const auto widen = [](Vec3f v) SINEW_INLINE_LAMBDA { return Vec3d{v.x, v.y, v.z}; };
    const Mat3d own = inverse_of_node({widen(sum.c0), widen(sum.c1), widen(sum.c2)});
    const auto narrow = [](Vec3d v) SINEW_INLINE_LAMBDA {
      return Vec3f{static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
    };
    put(inverse + at, node_group, {narrow(own.c0), narrow(own.c1), narrow(own.c2)});
  }

  static SINEW_INLINE void put(float* out, int stride, const Mat3<float>& m) {
    const float numbers[9] = {m.c0.x, m.c0.y, m.c0.z, m.c1.x, m.c1.y, m.c1.z, m.c2.x, m.c2.y, m.c2.z};
    for (int n = 0; n < 9; ++n) out[n * stride] = numbers[n];
  }
};

// Inverts the matrices of the connected parts of the coarsest lattice in place, by Gauss and Jordan, node by node, in
// double precision. Pivots are those of Cholesky's factorization on the CPU, and replaced where those are.
struct InvertParts {
  NodeRows rows;
  DenseParts dense;
  LatticeState* state = nullptr;

  SINEW_INLINE int32_t phases() const { return 3 + 2 * dense.most_nodes; }
  SINEW_INLINE int32_t count(int32_t phase) const {
    if (phase == 0 || (phase > 2 && phase % 2 == 1)) return dense.nodes * 3 * dense.most_nodes;
    if (phase == 1) return dense.nodes;
    return phase == 2 ? dense.parts : 3 * dense.nodes + dense.parts;
  }
  SINEW_INLINE void operator()(int32_t phase, int32_t i) const {
    const int32_t columns = 3 * dense.most_nodes;
    if (phase == 0) {
      clear(NodeOfPart(dense, i / columns), i % columns);
      if (i == 0) state->usable = 1;
    } else if (phase == 1) {
      put_node(i);
    } else if (phase == 2) {
      shift(i);
      find_pivot(i, 0);
    } else if (phase % 2 == 1) {
      reduce(NodeOfPart(dense, i / columns), i % columns, (phase - 3) / 2);
    } else if (i < 3 * dense.nodes) {
      scale(NodeOfPart(dense, i / 3), i % 3, (phase - 4) / 2);
    } else {
      find_pivot(i - 3 * dense.nodes, (phase - 4) / 2 + 1);
    }
  }

 private:
  // A node's three rows.
  struct NodeOfPart {
    int32_t part_index;
    DensePart part;
    int32_t size, local;
    double* numbers;       // of the part
    const double* pivots;  // two

    SINEW_INLINE NodeOfPart(const DenseParts& dense, int32_t node)
        : part_index(dense.node[node].part),
          part(dense.part[part_index]),
          size(3 * part.nodes),
          local(node - part.first_node),
          numbers(dense.inverse + part.first_number),
          pivots(dense.pivot + 18 * int64_t{part_index}) {}
    SINEW_INLINE const double* pivot(int32_t node_of_part) const { return pivots + 9 * (node_of_part % 2); }
    SINEW_INLINE double* row(int32_t node_of_part, int r) const {
      return numbers + static_cast<int64_t>(3 * node_of_part + r) * size;
    }
  };

  static SINEW_INLINE void clear(const NodeOfPart& own, int32_t column) {
    if (column >= own.size) return;
    for (int r = 0; r < 3; ++r) own.row(own.local, r)[column] = 0;
  }
  SINEW_INLINE void put_node(int32_t node) const {
    const DenseNode own = dense.node[node];
    const int32_t group = own.place / node_group, lane = own.place % node_group;
    put(node, rows.diagonal + static_cast<int64_t>(group) * 9 * node_group + lane, node_group, own.place);
    for (int64_t e = rows.entry_begin[group]; e < rows.entry_begin[group + 1]; ++e) {
      const int32_t other = rows.column[e * node_group + lane];
      if (other != own.place) put(node, rows.block + block_of_entry(e, lane), pack_lanes, other);
    }
  }
  SINEW_INLINE void put(int32_t node, const float* m, int stride, int32_t other) const {
    const int32_t column = dense.local[other];
    const NodeOfPart own(dense, node);
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) own.row(own.local, r)[3 * column + c] = m[(3 * c + r) * stride];
  }
  SINEW_INLINE void shift(int32_t part) const {
    const DensePart own = dense.part[part];
    const int32_t n = 3 * own.nodes;
    double* const m = dense.inverse + own.first_number;
    double mean = 0;
    for (int32_t k = 0; k < n; ++k) mean += m[static_cast<int64_t>(k) * n + k];
    mean /= n;
    const double more = mean > 0 ? singular_shift * mean : 1;
    for (int32_t k = 0; k < n; ++k) m[static_cast<int64_t>(k) * n + k] += more;
    dense.least[part] = 0.1 * more;
    if (!is_finite(mean)) state->usable = 0;
  }
  // The inverse of the node's own block.
  SINEW_INLINE void find_pivot(int32_t part, int32_t node) const {
    const DensePart own = dense.part[part];
    if (node >= own.nodes) return;
    const int64_t n = 3 * own.nodes;
    const double* const block = dense.inverse + own.first_number + 3 * node * n + 3 * node;
    const double least = dense.least[part];
    double a[3][3];
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) a[r][c] = block[r * n + c];
    for (int k = 0; k < 3; ++k) {
      if (!is_finite(a[k][k])) state->usable = 0;
      const double pivot = 1 / (a[k][k] > least ? a[k][k] : least);
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
          if (r != k && c != k) a[r][c] -= a[r][k] * pivot * a[k][c];
      for (int c = 0; c < 3; ++c) {
        a[k][c] *= pivot;
        a[c][k] *= -pivot;
      }
      a[k][k] = pivot;
    }
    double* const to = dense.pivot + 18 * int64_t{part} + 9 * (node % 2);
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) to[3 * r + c] = a[r][c];
  }
  // A column of all rows but those of the pivot.
  static SINEW_INLINE void reduce(const NodeOfPart& own, int32_t column, int32_t node) {
    if (node >= own.part.nodes || column >= own.size || own.local == node || column / 3 == node) return;
    const double p[3] = {own.row(node, 0)[column], own.row(node, 1)[column], own.row(node, 2)[column]};
    const double* const pivot = own.pivot(node);
    double solved[3];
    for (int r = 0; r < 3; ++r) solved[r] = pivot[3 * r] * p[0] + pivot[3 * r + 1] * p[1] + pivot[3 * r + 2] * p[2];
    for (int r = 0; r < 3; ++r) {
      double* const row = own.row(own.local, r);
      const double* const before = row + 3 * node;
      row[column] -= before[0] * solved[0] + before[1] * solved[1] + before[2] * solved[2];
    }
  }
  // Row and column 3 local + k, where they cross those of the pivot.
  static SINEW_INLINE void scale(const NodeOfPart& own, int k, int32_t node) {
    if (node >= own.part.nodes) return;
    const double* const pivot = own.pivot(node);
    if (own.local == node) {
      for (int c = 0; c < 3; ++c) own.row(node, k)[3 * node + c] = pivot[3 * k + c];
      return;
    }
    double* const row = own.row(own.local, k) + 3 * node;
    const double before[3] = {row[0], row[1], row[2]};
    for (int c = 0; c < 3; ++c) row[c] = -(before[0] * pivot[c] + before[1] * pivot[3 + c] + before[2] * pivot[6 + c]);
    const int32_t column = 3 * own.local + k;
    const double p[3] = {own.row(node, 0)[column], own.row(node, 1)[column], own.row(node, 2)[column]};
    for (int r = 0; r < 3; ++r)
      own.row(node, r)[column] = pivot[3 * r] * p[0] + pivot[3 * r + 1] * p[1] + pivot[3 * r + 2] * p[2];
  }
};

}  // namespace sinew
