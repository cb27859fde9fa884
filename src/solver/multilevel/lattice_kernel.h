// The kernels of the lattice (lattice_sweep.h), written once over the single-precision lane type T; positions may be in
// double precision. The work of one lane type, or of one cell or node, is a function of its own, which devices share
// (cuda/lattice_kernels.h): their threads are lanes.
#pragma once

#include "math/lane.h"
#include "math/lane_svd.h"
#include "solver/multilevel/lattice_sweep.h"

namespace sinew::lattice_kernel {

// Sum of 16 numbers, in the same order for every lane width.
SINEW_INLINE float sum_of_group(const float* p) {
  float s[8];
  for (int k = 0; k < 8; ++k) s[k] = p[k] + p[k + 8];
  return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

// Three-vectors at W slots, minus `origin`.
template <class T, class Real>
SINEW_INLINE Vec3<T> gather_vectors(const Vec4<Real>* x, const int32_t* slot, const Vec3<Real>& origin) {
  constexpr int W = lane_count<T>;
  if constexpr (sizeof(Real) == 4) {
    const Vec3<T> p = gather<T>(x, slot).xyz;
    return {p.x - origin.x, p.y - origin.y, p.z - origin.z};
  } else {
    alignas(64) float v[3][W];
    for (int k = 0; k < W; ++k) {
      const Vec4<Real>& p = x[slot[k]];
      v[0][k] = static_cast<float>(p.x - origin.x);
      v[1][k] = static_cast<float>(p.y - origin.y);
      v[2][k] = static_cast<float>(p.z - origin.z);
    }
    return {load<T>(v[0]), load<T>(v[1]), load<T>(v[2])};
  }
}

template <class T>
SINEW_INLINE Vec3<T> load_vector(const float* p) {
  return {load<T>(p), load<T>(p + member_group), load<T>(p + 2 * member_group)};
}
template <class T>
SINEW_INLINE void store_vector(float* p, const Vec3<T>& v) {
  store<T>(p, v.x);
  store<T>(p + member_group, v.y);
  store<T>(p + 2 * member_group, v.z);
}

// The coefficients of 1, u, v, uv, w, uw, vw, uvw of a trilinear function from its values at the corners.
struct Trilinear {
  Vec3f c[cell_corners];

  static SINEW_INLINE Trilinear of(const CellMembers& cell, const Vec4<float>* u, float scale) {
    Trilinear t;
    for (int a = 0; a < cell_corners; ++a) {
      const Vec4<float>& at = u[cell.node[a]];
      t.c[a] = {scale * at.x, scale * at.y, scale * at.z};
    }
    for (int bit = 1; bit < cell_corners; bit <<= 1) {
      for (int a = 0; a < cell_corners; ++a) {
        if (a & bit) t.c[a] -= t.c[a ^ bit];
      }
    }
    return t;
  }
  template <class T>
  SINEW_INLINE Vec3<T> at(const float* place) const {
    const T u = load<T>(place), v = load<T>(place + member_group), w = load<T>(place + 2 * member_group);
    const auto along_u = [&](int a) SINEW_INLINE_LAMBDA {
      return Vec3<T>{c[a].x + u * c[a + 1].x, c[a].y + u * c[a + 1].y, c[a].z + u * c[a + 1].z};
    };
    return (along_u(0) + v * along_u(2)) + w * (along_u(4) + v * along_u(6));
  }
};

SINEW_INLINE int64_t group_count(const CellMembers& own) {
  return (own.count + member_group - 1) / member_group;
}

// The moments 1, u, v, uv, w, uw, vw and uvw of the forces on a cell's members in the lanes from `part` on.
template <class T, class Real>
SINEW_INLINE void restrict_lanes(const RestrictSweep<Real>& sweep, const CellMembers& own, int part,
                                 Vec3<T> (&m)[cell_corners]) {
  const int64_t groups = group_count(own);
  for (int64_t g = own.first_group; g < own.first_group + groups; ++g) {
    const float* place = sweep.members.place + g * 4 * member_group + part;
    const Vec3<T> f = load<T>(place + 3 * member_group) *
                      gather_vectors<T, Real>(sweep.forces, sweep.members.slot + g * member_group + part, {});
    const T u = load<T>(place), v = load<T>(place + member_group), w = load<T>(place + 2 * member_group);
    const T uv = u * v;
    m[0] += f;
    m[1] += u * f;
    m[2] += v * f;
    m[3] += uv * f;
    const Vec3<T> wf = w * f;
    m[4] += wf;
    m[5] += u * wf;
    m[6] += v * wf;
    m[7] += uv * wf;
  }
}

// The corners' shares from the moments, in place.
template <class T>
SINEW_INLINE void to_corners(T (&m)[cell_corners]) {
  for (int bit = 1; bit < cell_corners; bit <<= 1) {
    for (int a = 0; a < cell_corners; ++a) {
      if (!(a & bit)) m[a] -= m[a | bit];
    }
  }
}

template <class T, class Real>
void restrict_cells(const RestrictSweep<Real>& sweep, int64_t first, int64_t last) {
  constexpr int W = lane_count<T>;
  for (int64_t cell = first; cell < last; ++cell) {
    const CellMembers& own = sweep.members.cells[cell];
    if (own.node[0] < 0) continue;
    alignas(64) float sums[3 * cell_corners][member_group];
    for (int part = 0; part < member_group; part += W) {
      Vec3<T> m[cell_corners]{};
      restrict_lanes(sweep, own, part, m);
      for (int a = 0; a < cell_corners; ++a) {
        store<T>(sums[3 * a] + part, m[a].x);
        store<T>(sums[3 * a + 1] + part, m[a].y);
        store<T>(sums[3 * a + 2] + part, m[a].z);
      }
    }
    Vec3f corner[cell_corners];
    for (int a = 0; a < cell_corners; ++a)
      corner[a] = {sum_of_group(sums[3 * a]), sum_of_group(sums[3 * a + 1]), sum_of_group(sums[3 * a + 2])};
    to_corners(corner);
    for (int a = 0; a < cell_corners; ++a)
      sweep.shares[cell * cell_corners + a] = {corner[a].x, corner[a].y, corner[a].z, 0};
  }
}

template <class T, class Real>
void prolong_cells(const ProlongSweep<Real>& sweep, int64_t first, int64_t last) {
  constexpr int W = lane_count<T>;
  for (int64_t cell = first; cell < last; ++cell) {
    const CellMembers& own = sweep.members.cells[cell];
    if (own.node[0] < 0) continue;
    const Trilinear u = Trilinear::of(own, sweep.u, sweep.scale);
    for (int32_t k = 0; k < own.count; k += W) {
      const int64_t at = static_cast<int64_t>(own.first_group) * member_group + k;
      const int64_t g = at / member_group;
      alignas(64) float d[3][W];
      const Vec3<T> move = u.at<T>(sweep.members.place + g * 4 * member_group + at % member_group);
      store<T>(d[0], move.x);
      store<T>(d[1], move.y);
      store<T>(d[2], move.z);
      for (int i = 0; i < W && k + i < own.count; ++i) {
        Vec4<Real>& x = sweep.x[sweep.members.slot[at + i]];
        if (x.w == 0) continue;
        x = {x.x + d[0][i], x.y + d[1][i], x.z + d[2][i], x.w};
      }
    }
  }
}

// What one lane type adds to the sums of a cell.
template <class T>
struct LaneSums {
  T change{}, step{}, other{}, right{}, other_right{};
};

template <class T, class Real>
SINEW_INLINE LaneSums<T> change_lanes(const ChangeSweep<Real>& sweep, const CellMembers& own, const Trilinear& u,
                                      int part) {
  [[maybe_unused]] constexpr int W = lane_count<T>;
  const bool moves = sweep.u && own.node[0] >= 0;
  const int64_t groups = group_count(own);
  LaneSums<T> sums;
  for (int64_t g = own.first_group; g < own.first_group + groups; ++g) {
    const int32_t* slot = sweep.members.slot + g * member_group + part;
    const Real* from = sweep.from + g * 4 * member_group + part;
    Vec3<T> r;
    T free;
    if constexpr (sizeof(Real) == 4) {
      const Vec3<T> x = gather<T>(sweep.x, slot).xyz;
      r = {x.x - load<T>(from), x.y - load<T>(from + member_group), x.z - load<T>(from + 2 * member_group)};
      free = load<T>(from + 3 * member_group);
    } else {
      alignas(64) float v[4][W];
      for (int k = 0; k < W; ++k) {
        const Vec4<Real>& x = sweep.x[slot[k]];
        v[0][k] = static_cast<float>(x.x - from[k]);
        v[1][k] = static_cast<float>(x.y - from[k + member_group]);
        v[2][k] = static_cast<float>(x.z - from[k + 2 * member_group]);
        v[3][k] = static_cast<float>(from[k + 3 * member_group]);
      }
      r = {load<T>(v[0]), load<T>(v[1]), load<T>(v[2])};
      free = load<T>(v[3]);
    }
    if (moves) r += u.at<T>(sweep.members.place + g * 4 * member_group + part);
    const auto held = free == T{};
    r = {select(held, T{}, r.x), select(held, T{}, r.y), select(held, T{}, r.z)};
    float* const at = sweep.change + g * 3 * member_group + part;
    sums.change += dot(r, r);
    if (sweep.has_last) {
      const Vec3<T> d = r - load_vector<T>(at);
      store_vector<T>(sweep.step + g * 3 * member_group + part, d);
      sums.step += dot(d, d);
      sums.right += dot(d, r);
      if (sweep.has_other) {
        const Vec3<T> o = load_vector<T>(sweep.other + g * 3 * member_group + part);
        sums.other += dot(d, o);
        sums.other_right += dot(o, r);
      }
    }
    store_vector<T>(at, r);
  }
  return sums;
}

template <class T, class Real>
void change_cells(const ChangeSweep<Real>& sweep, int64_t first, int64_t last) {
  constexpr int W = lane_count<T>;
  for (int64_t cell = first; cell < last; ++cell) {
    const CellMembers& own = sweep.members.cells[cell];
    const Trilinear u = sweep.u && own.node[0] >= 0 ? Trilinear::of(own, sweep.u, 1) : Trilinear{};
    alignas(64) float sums[5][member_group];
    for (int part = 0; part < member_group; part += W) {
      const LaneSums<T> lanes = change_lanes<T>(sweep, own, u, part);
      store<T>(sums[0] + part, lanes.change);
      store<T>(sums[1] + part, lanes.step);
      store<T>(sums[2] + part, lanes.other);
      store<T>(sums[3] + part, lanes.right);
      store<T>(sums[4] + part, lanes.other_right);
    }
    sweep.sums[cell] = {sum_of_group(sums[0]), sum_of_group(sums[1]), sum_of_group(sums[2]), sum_of_group(sums[3]),
                        sum_of_group(sums[4])};
  }
}

// Moves the members at lane `part` of group g and after it, as many as the lane type has and at most `count`.
template <class T, class Real>
SINEW_INLINE void mix_lanes(const MixSweep<Real>& sweep, int64_t g, int64_t part, int32_t count) {
  constexpr int W = lane_count<T>;
  const T p_last = splat<T>(sweep.last[0]), q_last = splat<T>(sweep.last[1]);
  const T p = splat<T>(sweep.now[0]), q = splat<T>(sweep.now[1]);
  const int64_t three = g * 3 * member_group + part;
  const Vec3<T> r = load_vector<T>(sweep.change + three);
  Vec3<T> move = r;
  if (sweep.has_last) {
    const Vec3<T> last_image = load_vector<T>(sweep.image_last + three);
    const Vec3<T> image = r - p_last * last_image - q_last * load_vector<T>(sweep.image + three);
    store_vector<T>(sweep.image + three, image);
    if (sweep.mixes) move = r - p * image - q * last_image;
  }
  const int64_t four = g * 4 * member_group + part;
  const Real* const from = sweep.from + four;
  Real* const next = sweep.next + four;
  const int32_t* slot = sweep.members.slot + g * member_group + part;
  if constexpr (sizeof(Real) == 4) {
    const Vec3<T> x = load_vector<T>(from) + move;
    const T w = load<T>(from + 3 * member_group);
    store_vector<T>(next, x);
    store<T>(next + 3 * member_group, w);
    if (W <= count) {
      scatter<T>(sweep.x, slot, {x, w});
      return;
    }
  } else {
    alignas(64) float d[4][W] = {};
    store<T>(d[0], move.x);
    store<T>(d[1], move.y);
    store<T>(d[2], move.z);
    for (int c = 0; c < 4; ++c)
      for (int i = 0; i < W; ++i) next[c * member_group + i] = from[c * member_group + i] + d[c][i];
  }
  for (int i = 0; i < W && i < count; ++i)
    sweep.x[slot[i]] = {next[i], next[member_group + i], next[2 * member_group + i], next[3 * member_group + i]};
}

template <class T, class Real>
void mix_cells(const MixSweep<Real>& sweep, int64_t first, int64_t last) {
  constexpr int W = lane_count<T>;
  for (int64_t cell = first; cell < last; ++cell) {
    const CellMembers& own = sweep.members.cells[cell];
    for (int32_t k = 0; k < own.count; k += W)
      mix_lanes<T>(sweep, own.first_group + k / member_group, k % member_group, own.count - k);
  }
}

// What the rim of a cell in the lanes from `part` on adds to F.
template <class T, class Real>
SINEW_INLINE Mat3<T> deform_lanes(const DeformationSweep<Real>& sweep, int64_t cell, int part) {
  const int64_t begin = sweep.rim_begin[cell], end = sweep.rim_begin[cell + 1];
  // Positions relative to one of them are exact far from the origin, and equivalent because the b sum to 0.
  const Vec4<Real>& one = sweep.x[sweep.slot[begin * member_group]];
  const Vec3<Real> origin{one.x, one.y, one.z};
  Mat3<T> sum{};
  for (int64_t g = begin; g < end; ++g) {
    const Vec3<T> x = gather_vectors<T, Real>(sweep.x, sweep.slot + g * member_group + part, origin);
    const Vec3<T> b = load_vector<T>(sweep.b + g * 3 * member_group + part);
    sum.c0 += b.x * x;
    sum.c1 += b.y * x;
    sum.c2 += b.z * x;
  }
  return sum;
}

template <class T, class Real>
void deform_cells(const DeformationSweep<Real>& sweep, int64_t first, int64_t last) {
  constexpr int W = lane_count<T>;
  for (int64_t cell = first; cell < last; ++cell) {
    float* const f = sweep.f + cell / cell_group * 9 * cell_group + cell % cell_group;
    if (sweep.rim_begin[cell] == sweep.rim_begin[cell + 1]) {
      for (int n = 0; n < 9; ++n) f[n * cell_group] = n % 4 == 0 ? 1.0f : 0.0f;
      continue;
    }
    alignas(64) float sums[9][member_group];
    for (int part = 0; part < member_group; part += W) {
      const Mat3<T> sum = deform_lanes<T>(sweep, cell, part);
      const T numbers[9] = {sum.c0.x, sum.c0.y, sum.c0.z, sum.c1.x, sum.c1.y, sum.c1.z, sum.c2.x, sum.c2.y, sum.c2.z};
      for (int n = 0; n < 9; ++n) store<T>(sums[n] + part, numbers[n]);
    }
    for (int n = 0; n < 9; ++n) f[n * cell_group] = sum_of_group(sums[n]);
    if (sweep.plane[cell]) f[8 * cell_group] += 1;
  }
}

// A_ab = p (s_ab 1 + [R w_ab]x) + C C_ab C^T + m_ab 1 with F = U S V^T, R = U V^T, C = cof(U max(S, 1) V^T) and p = 1 +
// lambda / (2 mu) (1 - J) if J < 1, else 1: positive semi-definite for any F. The projected tangent at F itself is not
// suitable: in it, stretched bodies lose shear stiffness.
template <class T>
struct CellFrame {
  Mat3<T> rotation, cofactor;
  T pressed;
};
template <class T>
SINEW_INLINE CellFrame<T> cell_frame(const Mat3<T>& f, T ratio) {
  const StretchFrame<T> frame = stretch_frame(f);
  // In a compressed cell the volumetric stress, about lambda (J - 1), also resists shear.
  const T volume = dot(f.c0, cross(f.c1, f.c2));
  const T lack = max(T{}, min(splat<T>(1), splat<T>(1) - volume));
  return {frame.rotation, frame.cofactor, splat<T>(1) + splat<T>(0.5) * (lack * ratio)};
}

// Of one pair of corners; m: its moments, cell_group apart.
template <class T>
SINEW_INLINE Mat3<T> cell_matrix(const CellFrame<T>& frame, const float* m) {
  const auto number = [&](int n) SINEW_INLINE_LAMBDA { return load<T>(m + n * cell_group); };
  const Vec3<T> a = frame.pressed * (frame.rotation * Vec3<T>{number(1), number(2), number(3)});
  const Mat3<T> g{
      {number(4), number(5), number(6)}, {number(7), number(8), number(9)}, {number(10), number(11), number(12)}};
  Mat3<T> k = frame.cofactor * (g * transpose(frame.cofactor));
  const T s = frame.pressed * number(0) + number(13);
  k.c0 += Vec3<T>{s, a.z, -a.y};
  k.c1 += Vec3<T>{-a.z, s, a.x};
  k.c2 += Vec3<T>{a.y, -a.x, s};
  return k;
}

template <class T>
void matrices_of_cells(const CellMatrixSweep& sweep, int64_t first, int64_t last) {
  constexpr int w = lane_count<T>;
  for (int64_t group = first; group < last; ++group) {
    for (int part = 0; part < cell_group; part += w) {
      const float* f = sweep.f + group * 9 * cell_group + part;
      const auto at = [&](int n) SINEW_INLINE_LAMBDA { return load<T>(f + n * cell_group); };
      const CellFrame<T> frame =
          cell_frame(Mat3<T>{{at(0), at(1), at(2)}, {at(3), at(4), at(5)}, {at(6), at(7), at(8)}},
                     load<T>(sweep.ratios + group * cell_group + part));
      for (int pair = 0; pair < cell_pairs; ++pair) {
        const Mat3<T> k =
            cell_matrix(frame, sweep.moments + (group * cell_pairs + pair) * moment_numbers * cell_group + part);
        Vec4<float>* const out = sweep.matrix + ((group * cell_group + part) * cell_pairs + pair) * 3;
        const T zero{};
        store_transposed([=](int i) { return out + i * cell_pairs * 3; }, Lane4<T>{k.c0, zero});
        store_transposed([=](int i) { return out + i * cell_pairs * 3 + 1; }, Lane4<T>{k.c1, zero});
        store_transposed([=](int i) { return out + i * cell_pairs * 3 + 2; }, Lane4<T>{k.c2, zero});
      }
    }
  }
}

// Sum of A x over every `stride`th of the entries [first, last).
template <class T>
SINEW_INLINE Vec3<T> row_sum(const NodeRows& rows, int64_t first, int64_t last, int part, int stride = 1) {
  Vec3<T> sum{};
  for (int64_t e = first; e < last; e += stride) {
    const float* a = rows.block + e * 9 * node_group + part;
    const auto at = [&](int n) SINEW_INLINE_LAMBDA { return load<T>(a + n * node_group); };
    const Vec3<T> x = gather<T>(rows.x, rows.column + e * node_group + part).xyz;
    sum += x.x * Vec3<T>{at(0), at(1), at(2)};
    sum += x.y * Vec3<T>{at(3), at(4), at(5)};
    sum += x.z * Vec3<T>{at(6), at(7), at(8)};
  }
  return sum;
}

// The entries of group g that a pass sums over.
struct RowEntries {
  int64_t first, last;
};
SINEW_INLINE RowEntries entries_of_pass(const NodeRows& rows, RowPass pass, int64_t g) {
  if (pass == RowPass::residual_from_zero) return {rows.upper_begin[g], rows.entry_begin[g + 1]};
  return {rows.entry_begin[g], pass == RowPass::forward_from_zero ? rows.upper_begin[g] : rows.entry_begin[g + 1]};
}

// What a pass writes to the rows of the lane type at lane `part` of group g, given their sums.
template <class T>
SINEW_INLINE void finish_pass(const NodeRows& rows, RowPass pass, int64_t g, int part, Vec3<T> sum) {
  const int64_t node = g * node_group + part;
  const auto diagonal_block = [&](const float* blocks) SINEW_INLINE_LAMBDA {
    const float* d = blocks + g * 9 * node_group + part;
    const auto at = [&](int n) SINEW_INLINE_LAMBDA { return load<T>(d + n * node_group); };
    return Mat3<T>{{at(0), at(1), at(2)}, {at(3), at(4), at(5)}, {at(6), at(7), at(8)}};
  };
  if (pass == RowPass::residual_from_zero) {
    store4(rows.r + node, Lane4<T>{-sum, T{}});
  } else if (pass == RowPass::product) {
    const Vec3<T> own = diagonal_block(rows.diagonal) * load4<T>(rows.x + node).xyz;
    store4(rows.r + node, Lane4<T>{own + sum, T{}});
  } else {
    const Vec3<T> b = load4<T>(rows.b + node).xyz - sum;
    store4(rows.x + node, Lane4<T>{diagonal_block(rows.inverse) * b, T{}});
  }
}

// Own: the widest vector type of the instruction set, which distinguishes its copy of the function from others.
template <class Own, class T>
void pass_over_rows(const NodeRows& rows, RowPass pass, int64_t first, int64_t last) {
  constexpr int w = lane_count<T>;
  for (int64_t g = first; g < last; ++g)
    for (int part = 0; part < node_group; part += w) {
      const RowEntries entries = entries_of_pass(rows, pass, g);
      finish_pass<T>(rows, pass, g, part, row_sum<T>(rows, entries.first, entries.last, part));
    }
}

template <int W>
constexpr LatticeKernels lattice_kernels() {
  using T = Lane<float, W>;
  return {.restrict = {restrict_cells<T, float>, restrict_cells<T, double>},
          .prolong = {prolong_cells<T, float>, prolong_cells<T, double>},
          .change = {change_cells<T, float>, change_cells<T, double>},
          .mix = {mix_cells<T, float>, mix_cells<T, double>},
          .deformation = {deform_cells<T, float>, deform_cells<T, double>},
          .matrices = matrices_of_cells<T>,
          .rows = pass_over_rows<T, Lane<float, (W < node_group ? W : node_group)>>};
}

}  // namespace sinew::lattice_kernel
