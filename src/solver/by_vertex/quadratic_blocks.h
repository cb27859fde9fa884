// Blocks of quadratic tetrahedra in the sweep by vertex: which kernel they take, and their damping.
#pragma once

#include "material/materials.h"
#include "solver/by_vertex/quadratic_kernel.h"
#include "solver/by_vertex/quadratic_links.h"
#include "solver/by_vertex/vertex_sums.h"
#include "solver/sweep.h"

namespace sinew::vertex_kernel {

template <class T, class Formulas, int W, class Sweep>
SINEW_HOST_DEVICE T local_energy_quadratic(const Sweep& sweep, const Batch<T, W>& batch, const Place<T>& at) {
  T sum{};
  for (int b = 0; b < sweep.quadratic_count; ++b) {
    const auto& stream = sweep.quadratic[b];
    const WaysTo<T, Sweep> way{sweep, at};
    if (stream.layout != VertexLayout::frames) {
      sum += quadratic_links::local_energy<T, W>(stream, batch.number, batch.lane, way);
      continue;
    }
    sum += Formulas::visit(stream.block.material.kind, [&]<template <class> class Material>() {
      return quadratic_kernel::local_energy<T, Material, W>(stream, batch.number, batch.lane, way);
    });
  }
  return sum;
}

// Of other vertices at the start of the step relative to `from`, and what they have moved since, beside `own`.
template <class T, class Sweep>
struct WaysBefore {
  const Sweep& sweep;
  const Vec3<T>& from;
  template <class Index>
  SINEW_INLINE Vec3<T> operator()(const Index* index) const {
    return gather<T>(sweep.x_prev, index).xyz - from;
  }
};
template <class T, class Sweep>
struct MotionsOf {
  const Sweep& sweep;
  const Vec3<T>& own;
  template <class Index>
  SINEW_INLINE Vec3<T> operator()(const Index* index) const {
    return (gather<T>(sweep.x, index).xyz - gather<T>(sweep.x_prev, index).xyz) - own;
  }
};

// What a block adds at the vertices of a batch.
template <class T, bool forces_only, class Formulas, int W, class Sweep, class Stream>
SINEW_HOST_DEVICE void add_quadratic(const Sweep& sweep, const Stream& stream, const Batch<T, W>& batch,
                                     const Place<T>& at, Accumulator<T>& a, Sym3<T>& damping_stiffness) {
  if (stream.row_begin[batch.number] == stream.row_begin[batch.number + 1]) return;
  const bool damped = Formulas::damps && stream.block.damping > 0 && !sweep.quasistatic;
  const bool own_block = damped && sweep.own_block_damping;
  const bool stiffer = sweep.stiffness == NodalStiffness::stiffer && !own_block;
  const bool stiffness_unused = forces_only && !own_block;
  const WaysTo<T, Sweep> way{sweep, at};
  if (stream.layout != VertexLayout::frames) {
    return quadratic_links::accumulate<T, forces_only, W>(stream, batch.number, batch.lane, stiffer, way, a);
  }
  const NodalStiffness kind = stiffness_unused ? NodalStiffness::none
                              : stiffer        ? NodalStiffness::stiffer
                                               : NodalStiffness::exact;
  Accumulator<T> own;
  Formulas::visit(stream.block.material.kind, [&]<template <class> class Material>() {
    quadratic_kernel::accumulate<T, Material, W>(stream, batch.number, batch.lane, kind, !own_block, way, own);
  });
  a.force += own.force;
  a.stiffness = a.stiffness + own.stiffness;
  if constexpr (!Formulas::damps) return;
  if (!damped) return;
  const Vec3<T> before = load4<T>(sweep.x_prev + sweep.own(batch.slot())).xyz;
  const Vec3<T> motion = load4<T>(sweep.x + sweep.own(batch.slot())).xyz - before;
  if (own_block) {
    const T rate = splat<T>(stream.block.damping) * splat<T>(static_cast<double>(sweep.inverse_h));
    damping_stiffness = damping_stiffness + rate * own.stiffness;
    a.damping -= (rate * own.stiffness) * motion;
    return;
  }
  Viscous<T> viscous;
  quadratic_kernel::accumulate_strain_rate<T, W>(stream, batch.number, batch.lane, static_cast<double>(sweep.inverse_h),
                                                 WaysBefore<T, Sweep>{sweep, before},
                                                 MotionsOf<T, Sweep>{sweep, motion}, viscous);
  a.damping += viscous.force;
  damping_stiffness = damping_stiffness + viscous.stiffness;
}

}  // namespace sinew::vertex_kernel
