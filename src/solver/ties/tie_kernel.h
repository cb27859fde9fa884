// What ties add to a vertex sweep, in lanes over the vertices of packs (model/vertex_ties.h). The vertex kernel then
// loads the sums of its batch. As vertices of one colour share no tie, it does not matter to a sum which of them have
// moved.
#pragma once

#include "element/strain_rate.h"
#include "element/tie.h"
#include "math/lane.h"
#include "solver/sweep.h"

namespace sinew::tie_kernel {

// A vertex's sums; stored as three rows of four numbers, of which the last three mean nothing.
template <class T>
struct Sums {
  Vec3<T> force{};      // [N]
  Sym3<T> stiffness{};  // [N/m], positive
};

// at(lane): where a vertex's sums are
template <class T, class At>
SINEW_INLINE Sums<T> load_sums(const At& at) {
  const auto row = [&](int r) { return load_transposed<T>([&](int lane) { return at(lane) + r; }); };
  const Lane4<T> a = row(0), b = row(1), c = row(2);
  return {a.xyz, {a.w, b.xyz.x, b.xyz.y, b.xyz.z, b.w, c.xyz.x}};
}
template <class T, class At>
SINEW_INLINE void store_sums(const At& at, const Sums<T>& s) {
  const T zero{};
  const auto row = [&](int r, const Lane4<T>& a) { store_transposed([&](int lane) { return at(lane) + r; }, a); };
  row(0, {s.force, s.stiffness.xx});
  row(1, {{s.stiffness.xy, s.stiffness.xz, s.stiffness.yy}, s.stiffness.yz});
  row(2, {{s.stiffness.zz, zero, zero}, zero});
}
// slot: the first of a batch
template <class T, class Sweep>
SINEW_INLINE Sums<T> sums_of_batch(const Sweep& sweep, const Vec4<ScalarOf<T>>* sums, int64_t slot) {
  const auto* const first = sums + rows_of_sums * (sweep.own(slot) - sweep.first_sum);
  return load_sums<T>([=](int lane) { return first + rows_of_sums * lane; });
}

template <class Rows>
using RowsOf = std::remove_cvref_t<Rows>;

// One row.
template <class T, class Rows>
struct Row {
  using Real = ScalarOf<T>;
  const Rows& rows;
  int64_t number;

  SINEW_INLINE const auto* other(int k) const { return rows.corners + (number * rows.others + k) * lane_count<T>; }
  SINEW_INLINE T weight(int k) const { return load<T>(rows.weights + (number * rows.others + k) * lane_count<T>); }
  template <class Law>
  SINEW_INLINE TieNumbers<T> numbers() const {
    constexpr int used = __builtin_popcount(Law::uses);
    const Real* next = rows.numbers + number * used * lane_count<T>;
    const auto read = [&](int k) {
      if (!uses_tie_number(Law::uses, k)) return T{};
      const T n = load<T>(next);
      next += lane_count<T>;
      return n;
    };
    TieNumbers<T> n;
    n.stiffness = read(0);
    n.tangential = read(1);
    n.rest_length = read(2);
    n.normal.x = read(3);
    n.normal.y = read(4);
    n.normal.z = read(5);
    n.damping = read(6);
    return n;
  }
  template <class Law>
  SINEW_INLINE T activation(const Real* of_muscles) const {
    if constexpr (!Law::traits.is_muscle) return T{};
    const int32_t* muscle = rows.muscle + number * lane_count<T>;
    if constexpr (lane_count<T> == 1) {
      return of_muscles[*muscle];
    } else {
      T a{};
      for (int lane = 0; lane < lane_count<T>; ++lane) a[lane] = of_muscles[muscle[lane]];
      return a;
    }
  }
};

// C of a row's ties, and minus the weights of the vertices themselves.
template <class T>
struct TieVector {
  Vec3<T> c{};
  T others{};
};
// position(index) -> Vec3<T> of the vertices index[0..W)
template <class T, class Rows, class Position>
SINEW_INLINE TieVector<T> vector_of(const Row<T, Rows>& row, Vec3<T> own, const Position& position) {
  TieVector<T> v;
  for (int k = 0; k < row.rows.others; ++k) {
    const T weight = row.weight(k);
    v.c += weight * (position(row.other(k)) - own);
    v.others += weight;
  }
  return v;
}
// Positions may be displacements from a base.
template <class T, class Rows, class Sweep>
SINEW_INLINE TieVector<T> vector_now(const Sweep& sweep, const Row<T, Rows>& row, Vec3<T> own,
                                     [[maybe_unused]] Vec3<T> own_base) {
  TieVector<T> v = vector_of(row, own, [&](const auto* index) { return gather<T>(sweep.x, index).xyz; });
  if constexpr (requires { sweep.base; }) {
    if (sweep.base) [[unlikely]]
      v.c += vector_of(row, own_base, [&](const auto* index) { return gather<T>(sweep.base, index).xyz; }).c;
  }
  return v;
}

template <class T, class Law, class Rows, class Sweep>
SINEW_INLINE void add_elastic(const Sweep& sweep, const Row<T, Rows>& row, Vec3<T> own, Vec3<T> own_base,
                              Sums<T>& sums) {
  const TieVector<T> v = vector_now(sweep, row, own, own_base);
  const TieNumbers<T> numbers = row.template numbers<Law>();
  const T activation = row.template activation<Law>(sweep.activation);
  sums.force += v.others * Law::gradient(numbers, v.c, activation);
  const TieStiffness<T> k = Law::stiffness(numbers, v.c, activation).projected();
  const T square = v.others * v.others, across = square * k.across;
  add_identity(sums.stiffness, across);
  add_outer(sums.stiffness, square * k.along - across, k.axis);
}

// Of damping, in steps; differences are taken of the motion in the step, which is small beside positions.
template <class T, class Law, class Rows, class Sweep>
SINEW_INLINE void add_viscous(const Sweep& sweep, const Row<T, Rows>& row, Vec3<T> own_before, Vec3<T> own_motion,
                              Sums<T>& sums) {
  const auto before = [&](const auto* index) { return gather<T>(sweep.x_prev, index).xyz; };
  const auto motion = [&](const auto* index) { return gather<T>(sweep.x, index).xyz - before(index); };
  const TieVector<T> then = vector_of(row, own_before, before);
  const Vec3<T> change = vector_of(row, own_motion, motion).c;
  const auto viscous =
      StretchRate<T>::of(row.template numbers<Law>(), splat<T>(static_cast<double>(sweep.inverse_h)), then.c);
  sums.force += then.others * viscous.gradient(change);
  add_outer(sums.stiffness, then.others * then.others * viscous.stiffness, viscous.along);
}

template <class T, class Sweep>
SINEW_INLINE void sum_pack(const Sweep& sweep, int64_t pack) {
  using Real = ScalarOf<T>;
  const auto& ties = *sweep.ties;
  const auto* const own = ties.own + pack * lane_count<T>;
  const Vec3<T> x = gather<T>(sweep.x, own).xyz;
  Vec3<T> base{};
  if constexpr (requires { sweep.base; }) {
    if (sweep.base) [[unlikely]]
      base = gather<T>(sweep.base, own).xyz;
  }
  const auto at = [&](Vec4<Real>* sums) {
    return [=, &sweep](int lane) { return sums + rows_of_sums * (int64_t{own[lane]} - sweep.first_sum); };
  };
  Sums<T> sums;
  for (int kind = 0; kind < ties.kinds; ++kind) {
    const auto& rows = ties.rows[kind];
    visit_tie(rows.kind, [&]<class Law>() {
      for (int32_t row = rows.begin[pack]; row < rows.begin[pack + 1]; ++row)
        add_elastic<T, Law>(sweep, Row<T, RowsOf<decltype(rows)>>{rows, row}, x, base, sums);
    });
  }
  store_sums(at(sweep.tie_sums), sums);
  if (!sweep.ties_are_damped) return;

  const Vec3<T> before = gather<T>(sweep.x_prev, own).xyz;
  Sums<T> viscous;
  for (int kind = 0; kind < ties.kinds; ++kind) {
    const auto& rows = ties.rows[kind];
    if (!rows.damped) continue;
    visit_tie(rows.kind, [&]<class Law>() {
      if constexpr (Law::traits.has_damping) {
        for (int32_t row = rows.begin[pack]; row < rows.begin[pack + 1]; ++row)
          add_viscous<T, Law>(sweep, Row<T, RowsOf<decltype(rows)>>{rows, row}, before, x - before, viscous);
      }
    });
  }
  store_sums(at(sweep.quadratic_sums), viscous);
}
template <class T>
void sum_packs(const VertexSweep<ScalarOf<T>>& sweep, int64_t first, int64_t last) {
  for (int64_t pack = first; pack < last; ++pack) sum_pack<T>(sweep, pack);
}

// One end: lane `lane` of a row, as rows of one lane.
template <class Real, class Law, class Rows>
SINEW_INLINE TieNumbers<Real> numbers_of_end(const Rows& rows, int64_t row, int lane, int w) {
  constexpr int used = __builtin_popcount(Law::uses);
  TieNumbers<Real> n;
  Real* const to[] = {&n.stiffness, &n.tangential, &n.rest_length, &n.normal.x, &n.normal.y, &n.normal.z, &n.damping};
  int next = 0;
  for (int k = 0; k < tie_number_count; ++k)
    if (uses_tie_number(Law::uses, k)) *to[k] = rows.numbers[(row * used + next++) * w + lane];
  return n;
}

// [J] Of the ties at the vertices of a batch, were these at x. For line searches only, and one end at a time.
template <class T, class Sweep>
SINEW_HOST_DEVICE T local_energy(const Sweep& sweep, int64_t first_slot, Vec3<T> x) {
  using Real = ScalarOf<T>;
  constexpr int w = lane_count<T>;
  const auto& ties = *sweep.ties;
  alignas(64) Vec4<Real> at[w];
  alignas(64) Real sums[w] = {};
  store4(at, Lane4<T>{x, T{}});
  const auto difference = [](const Vec4<Real>& a, const Vec4<Real>& b) {
    return Vec3<Real>{a.x - b.x, a.y - b.y, a.z - b.z};
  };
  for (int v = 0; v < w; ++v) {
    const int64_t slot = first_slot + v, own = sweep.own(slot), pack = ties.place[slot] / w;
    const int lane = ties.place[slot] % w;
    for (int kind = 0; kind < ties.kinds; ++kind) {
      const auto& rows = ties.rows[kind];
      for (int32_t row = rows.begin[pack]; row < rows.begin[pack + 1]; ++row) {
        Vec3<Real> c{};
        for (int k = 0; k < rows.others; ++k) {
          const int64_t entry = (int64_t{row} * rows.others + k) * w + lane;
          const auto other = rows.corners[entry];
          const Real weight = rows.weights[entry];
          c += weight * difference(sweep.x[other], at[v]);
          if constexpr (requires { sweep.base; }) {
            if (sweep.base) c += weight * difference(sweep.base[other], sweep.base[own]);
          }
        }
        const Real activation = rows.muscle ? sweep.activation[rows.muscle[int64_t{row} * w + lane]] : Real{};
        sums[v] += visit_tie(rows.kind, [&]<class Law>() {
          return Law::energy(numbers_of_end<Real, Law>(rows, row, lane, w), c, activation);
        });
      }
    }
  }
  return load<T>(sums);
}

}  // namespace sinew::tie_kernel
