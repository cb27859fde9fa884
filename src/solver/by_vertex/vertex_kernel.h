// The vertex sweep over W vertices of one colour, in registers: inertia, then each block in order accumulates force and
// stiffness, those of ties in the lanes that have any, then the local solve, then the commit. Written once over the
// lane type T.
#pragma once

#include "element/strain_rate.h"
#include "element/tet_frame.h"
#include "material/materials.h"
#include "math/polar.h"
#include "math/solve.h"
#include "solver/by_vertex/glide_kernel.h"
#include "solver/by_vertex/links_ahead.h"
#include "solver/by_vertex/quadratic_blocks.h"
#include "solver/sweep.h"
#include "solver/ties/tie_kernel.h"

namespace sinew::vertex_kernel {

// How far ahead the stream is asked for: the gathers in between defeat the hardware's own prefetching.
inline constexpr int prefetch_rows = 16;
inline constexpr int prefetch_link_rows = 48;
inline constexpr int prefetch_packed_rows = 64;

// What a tet adds to its vertex's stiffness, per rest volume.
template <NodalStiffness kind, class T, template <class> class Material, class Gradient>
SINEW_INLINE Sym3<T> nodal_stiffness(const Material<T>& material, const Lame& lame, const Mat3<T>& f, Gradient g,
                                     const Sym3<T>& exact) {
  if constexpr (kind != NodalStiffness::stiffer) return exact;
  return stiffer_block(material, lame, f, g);
}

template <class T, template <class> class Material, NodalStiffness kind, int w, class Sweep, class Stream>
SINEW_HOST_DEVICE void accumulate(const Sweep& sweep, const Stream& stream, const Batch<T, w>& batch,
                                  const Place<T>& at, Accumulator<T>& result) {
  using Frame = TetFrameOf<Material, T>;
  const auto material = coefficients_of<Material>(stream.block.material).template as<T>();

  Accumulator<T> a = result;
  const int32_t last = stream.row_begin[batch.number + 1];
  for (int32_t row = stream.row_begin[batch.number]; row < last; ++row) {
    const auto* corner = stream.corners + static_cast<size_t>(row) * 3 * w + batch.lane;
    const auto* numbers = stream.numbers + static_cast<size_t>(row) * Frame::number_count * w + batch.lane;
    prefetch<3 * w>(corner + prefetch_rows * 3 * w);
    prefetch<Frame::number_count * w>(numbers + prefetch_rows * Frame::number_count * w);

    const Vec3<T> p = way_to(sweep, corner, at);
    const Vec3<T> q = way_to(sweep, corner + w, at);
    const Vec3<T> r = way_to(sweep, corner + 2 * w, at);
    const Frame frame = Frame::template read<w>(numbers, stream.plane);
    const Mat3<T> f = frame.deformation_gradient(p, q, r);
    const auto g = frame.gradient();
    const VertexResponse<T> response = material.vertex(f, g);
    a.force -= frame.volume * response.stress_times_gradient;
    if constexpr (kind != NodalStiffness::none) {
      a.stiffness = a.stiffness + frame.volume * nodal_stiffness<kind, T>(material, stream.block.material.lame, f, g,
                                                                          response.stiffness);
    }
  }
  result = a;
}

// Force [N] and block [N/m] of damping by the rate of strain, which knows no material: of all in frames of one kind.
// What a corner has moved is small beside where it is, and so the differences are of displacements.
template <class T, class Frame, int w, class Sweep, class Stream>
SINEW_HOST_DEVICE Viscous<T> accumulate_strain_rate(const Sweep& sweep, const Stream& stream,
                                                    const Batch<T, w>& batch) {
  const T rate = splat<T>(stream.block.damping) * splat<T>(static_cast<double>(sweep.inverse_h));
  const Vec3<T> own_before = load4<T>(sweep.x_prev + sweep.own(batch.slot())).xyz;
  const Vec3<T> own_motion = load4<T>(sweep.x + sweep.own(batch.slot())).xyz - own_before;

  Viscous<T> sum;
  const int32_t last = stream.row_begin[batch.number + 1];
  for (int32_t row = stream.row_begin[batch.number]; row < last; ++row) {
    const auto* corner = stream.corners + static_cast<size_t>(row) * 3 * w + batch.lane;
    const Frame frame = Frame::template read<w>(
        stream.numbers + static_cast<size_t>(row) * Frame::number_count * w + batch.lane, stream.plane);
    Vec3<T> before[3], motion[3];
    for (int k = 0; k < 3; ++k) {
      const Vec3<T> p = gather<T>(sweep.x_prev, corner + k * w).xyz;
      before[k] = p - own_before;
      motion[k] = (gather<T>(sweep.x, corner + k * w).xyz - p) - own_motion;
    }
    const auto viscous = StrainRate<T>::of(stream.block.material.lame, rate,
                                           frame.deformation_gradient(before[0], before[1], before[2]));
    const auto g = frame.gradient();
    const Mat3<T> change = frame.displacement_gradient(motion[0], motion[1], motion[2]);
    sum.force -= frame.volume * viscous.stress_times_gradient(change, g);
    sum.stiffness = sum.stiffness + frame.volume * viscous.vertex_stiffness(g);
  }
  return sum;
}

// The same for materials that solve for the stretch: a few rows at a time, so that their solutions, each a
// chain of operations that wait for each other, overlap.
template <class T, template <class> class Material, NodalStiffness kind, int w, class Sweep, class Stream>
SINEW_HOST_DEVICE void accumulate_by_stretch(const Sweep& sweep, const Stream& stream, const Batch<T, w>& batch,
                                             const Place<T>& at, Accumulator<T>& result) {
  using Frame = TetFrameOf<Material, T>;
  constexpr int at_once = lane_count<T> == w ? 4 : 1;  // more would leave a GPU's threads too few registers
  const auto material = coefficients_of<Material>(stream.block.material).template as<T>();
  Mat3<T> f[at_once];
  StretchEquation<T> equations[at_once];
  StretchInvariants<T> stretches[at_once];

  VertexSums<T> sums;
  Sym3<T> stiffer{};
  const int32_t last = stream.row_begin[batch.number + 1];
  for (int32_t row = stream.row_begin[batch.number]; row < last; row += at_once) {
    const int count = last - row < at_once ? last - row : at_once;
    const auto* corners = stream.corners + static_cast<size_t>(row) * 3 * w + batch.lane;
    const auto* numbers = stream.numbers + static_cast<size_t>(row) * Frame::number_count * w + batch.lane;
    for (int k = 0; k < count; ++k) {
      const auto* corner = corners + k * 3 * w;
      const auto* own = numbers + k * Frame::number_count * w;
      prefetch<3 * w>(corner + prefetch_rows * 3 * w);
      prefetch<Frame::number_count * w>(own + prefetch_rows * Frame::number_count * w);
      const Vec3<T> p = way_to(sweep, corner, at);
      const Vec3<T> q = way_to(sweep, corner + w, at);
      const Vec3<T> r = way_to(sweep, corner + 2 * w, at);
      const Frame frame = Frame::template read<w>(own, stream.plane);
      f[k] = frame.deformation_gradient(p, q, r);
      StretchEquation<T> e = stretch_equation(f[k]);
      // Lanes without a tet have F = 0, whose rotation only the careful way finds: the rest state's stretch instead.
      const auto filled = frame.volume > T{};
      e.norm2 = select(filled, e.norm2, splat<T>(3));
      e.minors2 = select(filled, e.minors2, splat<T>(3));
      e.j = select(filled, e.j, splat<T>(1));
      equations[k] = e;
    }
    for (int k = 0; k < count; ++k) stretches[k] = stretch_invariants(equations[k]);
    for (int k = 0; k < count; ++k) {
      const Frame frame = Frame::template read<w>(numbers + k * Frame::number_count * w, stream.plane);
      const auto g = frame.gradient();
      material.add_vertex(frame.volume, f[k], g, equations[k].gram, stretches[k], sums);
      if constexpr (kind == NodalStiffness::stiffer) {
        stiffer = stiffer + frame.volume * stiffer_block(material, stream.block.material.lame, f[k], g);
      }
    }
  }
  result.force -= sums.stress_times_gradient;
  if constexpr (kind == NodalStiffness::stiffer) {
    result.stiffness = result.stiffness + stiffer;
  } else if constexpr (kind == NodalStiffness::exact) {
    result.stiffness = result.stiffness + sums.stiffness;
    add_identity(result.stiffness, sums.identity);
  }
}

// What packed links are counted in, a unit for each vertex; and their w |c|.
template <class T, bool packed>
struct LinkUnits {
  T unit, w_c;
  template <class Stream, int w>
  static SINEW_INLINE LinkUnits of(const Stream& stream, const Batch<T, w>& batch) {
    if constexpr (packed) {
      const T unit = load<T>(stream.units + batch.first_lane());
      return {unit, splat<T>(static_cast<double>(stream.volume_stiffness)) / unit};
    } else {
      return {T{}, T{}};
    }
  }
  template <class Sum>
  SINEW_INLINE Sum in_newtons(Sum sum) const {
    if constexpr (packed) return unit * sum;
    return sum;
  }
};

// An entry of a link strip: the way to the new neighbour, and k, w and w c.
template <class T>
struct LinkEntryRow {
  Vec3<T> next;
  T k, w, w_c;
};
template <class T, bool packed, int W, class Sweep, class Stream>
SINEW_INLINE LinkEntryRow<T> read_link(const Sweep& sweep, const Stream& stream, const Batch<T, W>& batch, int32_t row,
                                       const Place<T>& at, const LinkUnits<T, packed>& units) {
  using Real = ScalarOf<T>;
  LinkEntryRow<T> entry;
  if constexpr (packed) {
    const uint32_t* words = stream.packed + static_cast<size_t>(row) * 2 * W + batch.lane;
    prefetch<2 * W>(words + prefetch_packed_rows * 2 * W);
    entry.next = load_transposed<T>([=](int lane) { return sweep.x + (words[lane] & 0xffff); }).xyz - at.x;
    if (sweep.base) [[unlikely]]
      entry.next += load_transposed<T>([=](int lane) { return sweep.base + (words[lane] & 0xffff); }).xyz - at.base;
    entry.k = load_integers<T>(words);
    entry.w = load<T>(reinterpret_cast<const Real*>(words + W));
    entry.w_c = select(abs(entry.w) > splat<T>(1e-36), flip_by_lowest_bit(units.w_c, entry.w), T{});
  } else {
    const auto* neighbour = stream.corners + static_cast<size_t>(row) * W + batch.lane;
    const Real* numbers = stream.numbers + static_cast<size_t>(row) * 3 * W + batch.lane;
    prefetch<W>(neighbour + prefetch_link_rows * W);
    prefetch<3 * W>(numbers + prefetch_link_rows * 3 * W);
    entry.next = way_to(sweep, neighbour, at);
    entry.k = load<T>(numbers);
    entry.w = load<T>(numbers + W);
    entry.w_c = load<T>(numbers + 2 * W);
  }
  return entry;
}

// A walk along a link strip (model/vertex_stream.h), one new neighbour an entry. Of the window (p, q, r) registers keep
// q - p and r, which give the face's normal n = (q-p) x (r-q), on which p.n = r.n. Calls body(r, n, k, w, w c).
template <class T>
struct LinkWalk {
  Vec3<T> q_p{}, r{};

  template <class Body>
  SINEW_INLINE void visit(const LinkEntryRow<T>& entry, const Body& body) {
    const Vec3<T> r_q = entry.next - r;
    r = entry.next;
    body(r, cross(q_p, r_q), entry.k, abs(entry.w), entry.w_c);
    q_p = select(sign_bit(entry.w), q_p + r_q, r_q);
  }
};
template <class T, bool packed, int W, class Sweep, class Stream, class Body>
SINEW_INLINE void walk_links(const Sweep& sweep, const Stream& stream, const Batch<T, W>& batch, const Place<T>& at,
                             const LinkUnits<T, packed>& units, const Body& body) {
  LinkWalk<T> walk;
  const int32_t last = stream.row_begin[batch.number + 1];
  for (int32_t row = stream.row_begin[batch.number]; row < last; ++row)
    walk.visit(read_link<T, packed>(sweep, stream, batch, row, at, units), body);
}

template <class T, bool forces_only>
struct LinkSums {
  Vec3<T> force{};
  Sym3<T> stiffness{};

  SINEW_INLINE void add(Vec3<T> r, Vec3<T> n, T k, T w, T w_c) {
    const Vec3<T> wn = w * n;
    force += k * r;
    force += (r.x * wn.x + (r.y * wn.y + (r.z * wn.z - w_c))) * n;
    if constexpr (!forces_only) add_outer(stiffness, wn, n);
  }
  template <bool packed, class Sweep>
  SINEW_INLINE void add_to(Accumulator<T>& result, const Sweep& sweep, const Lame& lame,
                           const LinkUnits<T, packed>& units, T laplacian) const {
    result.force += units.in_newtons(force);
    if constexpr (forces_only) return;
    // PBNG's block differs in its coefficients only: 2 mu for mu, and lambda for lambda_hat.
    const bool stiffer = sweep.stiffness == NodalStiffness::stiffer;
    const T volume_share = splat<T>(stiffer ? lame.lambda / (lame.lambda + lame.mu) : 1.0);
    const T laplacian_share = splat<T>(stiffer ? 2.0 : 1.0);
    result.stiffness = result.stiffness + volume_share * units.in_newtons(stiffness);
    add_identity(result.stiffness, laplacian_share * laplacian);
  }
};
template <class T, bool packed, bool forces_only, int W, class Sweep, class Stream>
SINEW_INLINE void accumulate_links(const Sweep& sweep, const Stream& stream, const Batch<T, W>& batch,
                                   const Place<T>& at, Accumulator<T>& result) {
  const auto units = LinkUnits<T, packed>::of(stream, batch);
  LinkSums<T, forces_only> sums;
  walk_links<T, packed>(sweep, stream, batch, at, units,
                        [&](Vec3<T> r, Vec3<T> n, T k, T w, T w_c) { sums.add(r, n, k, w, w_c); });
  sums.add_to(result, sweep, stream.block.material.lame, units, load<T>(stream.laplacian + batch.first_lane()));
}

// The same by a thread of a GPU, from what it has read ahead.
template <class Real, bool forces_only, int W, class Sweep, class Stream, class Links>
SINEW_INLINE void accumulate_links(const Sweep& sweep, const Stream& stream, const Batch<Real, W>& batch,
                                   const Place<Real>& at, Links links, Accumulator<Real>& result) {
  LinkSums<Real, forces_only> sums;
  LinkWalk<Real> walk;
  for (;;) {
    Vec3<Real> next[Links::count];
    for (int n = 0; n < Links::count; ++n) next[n] = way_to(sweep, links.neighbour + n, at);
    for (int n = 0; n < Links::count; ++n)
      walk.visit({next[n], links.k[n], links.w[n], links.w_c[n]},
                 [&](Vec3<Real> r, Vec3<Real> normal, Real k, Real w, Real w_c) { sums.add(r, normal, k, w, w_c); });
    links.row += Links::count;
    if (links.row >= links.last) break;
    links.read(stream, batch);
  }
  sums.add_to(result, sweep, stream.block.material.lame, LinkUnits<Real, false>{}, links.laplacian);
}

// Calls body.operator()<packed>(). Neither double precision nor indices of 32 bits are ever packed.
template <class Real, class Corner, class Body>
SINEW_INLINE auto visit_links(const VertexStreamView<Real, Corner>& stream, const Body& body) {
  if constexpr (sizeof(Real) == 4 && sizeof(Corner) == 2) {
    if (stream.layout == VertexLayout::packed) return body.template operator()<true>();
  }
  return body.template operator()<false>();
}

// Local energy up to a constant: k |r|^2 / 2 + w (p.n - c)^2 / 2.
template <class T, bool packed, int W, class Sweep, class Stream>
SINEW_HOST_DEVICE T local_energy_links(const Sweep& sweep, const Stream& stream, const Batch<T, W>& batch,
                                       const Place<T>& at) {
  const auto units = LinkUnits<T, packed>::of(stream, batch);
  T sum{};
  walk_links<T, packed>(sweep, stream, batch, at, units, [&](Vec3<T> r, Vec3<T> n, T k, T w, T w_c) {
    const T c = select(w > splat<T>(1e-36), w_c / w, T{}), d = dot(r, n) - c;
    sum += k * dot(r, r) + w * d * d;
  });
  return splat<T>(0.5) * units.in_newtons(sum);
}

// Elastic energy of the tets at the vertices, were these at x.
template <class T, template <class> class Material, int w, class Sweep, class Stream>
SINEW_HOST_DEVICE T local_energy(const Sweep& sweep, const Stream& stream, const Batch<T, w>& batch,
                                 const Place<T>& at) {
  using Frame = TetFrameOf<Material, T>;
  const auto coefficients = coefficients_of<Material>(stream.block.material);
  const auto material = coefficients.template as<T>();
  const T rest = splat<T>(coefficients.energy(diagonal(1.0, 1.0, 1.0)));
  T sum{};
  for (int32_t row = stream.row_begin[batch.number]; row < stream.row_begin[batch.number + 1]; ++row) {
    const auto* corner = stream.corners + static_cast<size_t>(row) * 3 * w + batch.lane;
    const Frame frame = Frame::template read<w>(
        stream.numbers + static_cast<size_t>(row) * Frame::number_count * w + batch.lane, stream.plane);
    const Mat3<T> f = frame.deformation_gradient(way_to(sweep, corner, at), way_to(sweep, corner + w, at),
                                                 way_to(sweep, corner + 2 * w, at));
    sum += frame.volume * (material.energy(f) - rest);
  }
  return sum;
}

template <class T, class Formulas, int W, class Sweep>
SINEW_INLINE T local_objective(const Sweep& sweep, const Batch<T, W>& batch, const Place<T>& at, Lane4<T> target) {
  const Vec3<T> x = at.x;
  T energy = sweep.quasistatic ? -dot(target.xyz, x) : splat<T>(0.5) * target.w * dot(x - target.xyz, x - target.xyz);
  for (int b = 0; b < sweep.block_count; ++b) {
    const auto& stream = sweep.blocks[b];
    if (stream.row_begin[batch.number] == stream.row_begin[batch.number + 1]) continue;
    if (stream.layout != VertexLayout::frames) {
      energy +=
          visit_links(stream, [&]<bool packed>() { return local_energy_links<T, packed>(sweep, stream, batch, at); });
      continue;
    }
    energy += Formulas::visit(stream.block.material.kind, [&]<template <class> class Material>() {
      return local_energy<T, Material>(sweep, stream, batch, at);
    });
  }
  if constexpr (requires { sweep.quadratic; }) {
    if (sweep.quadratic_count > 0) [[unlikely]]
      energy += local_energy_quadratic<T, Formulas>(sweep, batch, at);
  }
  if constexpr (requires { sweep.ties; }) {
    if (sweep.ties && sweep.ties->has(batch.owner())) energy += tie_kernel::local_energy<T>(sweep, batch.slot(), x);
  }
  return energy;
}

// Shortens steps until the local objective does not grow: t = 1, 1/2, ... ; 0 after eight tries.
template <class T, class Formulas, int W, class Sweep>
SINEW_HOST_DEVICE T backtrack(const Sweep& sweep, const Batch<T, W>& batch, const Place<T>& at, Vec3<T> dx,
                              Lane4<T> target, Vec3<T> damping, Sym3<T> damping_stiffness) {
  const T one = splat<T>(1), half = splat<T>(0.5);
  const T before = local_objective<T, Formulas>(sweep, batch, at, target);
  const T linear = -dot(damping, dx);
  const T quadratic = half * dot(dx, damping_stiffness * dx);
  T t = one, accepted{};
  for (int k = 0; k < 8; ++k) {
    const Place<T> there{at.x + t * dx, at.base};
    const T after = local_objective<T, Formulas>(sweep, batch, there, target) + t * (linear + t * quadratic);
    accepted = select(accepted > T{}, accepted, select(after <= before, t, T{}));
    t = half * t;
  }
  return accepted;
}

// Those of one block in rest frames.
template <class T, template <class> class Material, NodalStiffness kind, int W, class Sweep, class Stream>
SINEW_INLINE void accumulate_frames(const Sweep& sweep, const Stream& stream, const Batch<T, W>& batch,
                                    const Place<T>& at, Accumulator<T>& sums) {
  if constexpr (requires { Material<T>::by_stretch; }) {
    accumulate_by_stretch<T, Material, kind>(sweep, stream, batch, at, sums);
  } else {
    accumulate<T, Material, kind>(sweep, stream, batch, at, sums);
  }
}

// H^-1 f, or with the diagonal of H alone; 0 where that is singular or not positive. What is tied may be stiff one way
// and nearly free the others, and moves all the same, as if what is down to rounding were a thousandth of the largest
// (math/solve.h).
template <class T, class Sweep>
SINEW_INLINE Vec3<T> local_step(const Sweep& sweep, Sym3<T> stiffness, Vec3<T> force, bool tied) {
  if (!sweep.diagonal)
    return tied ? solve_downhill(stiffness, force)
                : solve_or_skip(stiffness, force, static_cast<double>(sweep.singular));
  const T zero{}, one = splat<T>(1);
  if (tied) return solve_downhill(Sym3<T>{stiffness.xx, zero, zero, stiffness.yy, zero, stiffness.zz}, force);
  const auto divided = [&](T f, T h) {
    const auto usable = h > zero;
    return select(usable, f, zero) / select(usable, h, one);
  };
  return {divided(force.x, stiffness.xx), divided(force.y, stiffness.yy), divided(force.z, stiffness.zz)};
}

// Which formulas a kernel knows: all of them, chosen by the block; and whether it knows damping and line searches.
struct EveryFormula {
  static constexpr bool damps = true, searches = true;
  template <class Visitor>
  static SINEW_INLINE decltype(auto) visit(MaterialKind kind, Visitor&& visitor) {
    return visit_formula(kind, visitor);
  }
};

// What the vertices of a batch get from one block.
template <class T, bool forces_only, class Formulas, int W, class Sweep, class Stream>
SINEW_INLINE void add_block(const Sweep& sweep, const Stream& stream, const Batch<T, W>& batch, const Place<T>& at,
                            Accumulator<T>& a, Sym3<T>& damping_stiffness) {
  if (stream.row_begin[batch.number] == stream.row_begin[batch.number + 1]) return;
  if (stream.layout != VertexLayout::frames) {
    if constexpr (lane_count<T> == W) {
      visit_links(stream,
                  [&]<bool packed>() { accumulate_links<T, packed, forces_only>(sweep, stream, batch, at, a); });
    } else {
      accumulate_links<T, forces_only>(sweep, stream, batch, at, LinksAhead<T, 8>::of(stream, batch), a);
    }
    return;
  }
  const Sym3<T> before = a.stiffness;
  const bool damped = Formulas::damps && stream.block.damping > 0 && !sweep.quasistatic;
  const bool own_block = damped && sweep.own_block_damping;
  Accumulator<T> sums = a;  // so that `a` itself, no function having its address, stays in registers
  // The own-block form of damping is made of the exact block, and so is the stiffness where it acts.
  const bool stiffer = sweep.stiffness == NodalStiffness::stiffer && !own_block;
  Formulas::visit(stream.block.material.kind, [&]<template <class> class Material>() {
    if constexpr (forces_only) {
      if (!own_block) {
        accumulate_frames<T, Material, NodalStiffness::none>(sweep, stream, batch, at, sums);
        return;
      }
    }
    if (stiffer) {
      accumulate_frames<T, Material, NodalStiffness::stiffer>(sweep, stream, batch, at, sums);
    } else {
      accumulate_frames<T, Material, NodalStiffness::exact>(sweep, stream, batch, at, sums);
    }
  });
  a = sums;
  if constexpr (!Formulas::damps) return;
  if (damped && !own_block) {
    Formulas::visit(stream.block.material.kind, [&]<template <class> class Material>() {
      using Frame = TetFrameOf<Material, T>;
      const Viscous<T> viscous = accumulate_strain_rate<T, Frame>(sweep, stream, batch);
      a.damping += viscous.force;
      damping_stiffness = damping_stiffness + viscous.stiffness;
    });
  }
  if (own_block) {
    const T rate = splat<T>(stream.block.damping) * splat<T>(static_cast<double>(sweep.inverse_h));
    const Sym3<T> k = rate * (a.stiffness + splat<T>(-1) * before);
    damping_stiffness = damping_stiffness + k;
    a.damping -= k * (at.x - load4<T>(sweep.x_prev + sweep.own(batch.slot())).xyz);
  }
}

template <class T, int W, class Sweep>
SINEW_INLINE Place<T> place_of(const Sweep& sweep, const Batch<T, W>& batch, Vec3<T> x) {
  Place<T> at{x, {}};
  if constexpr (requires { sweep.base; }) {
    if (sweep.base) [[unlikely]]
      at.base = load4<T>(sweep.base + sweep.own(batch.slot())).xyz;
  }
  return at;
}

// Elastic force, stiffness and damping, block by block.
template <class T, bool forces_only, class Formulas, int W, class Sweep>
SINEW_INLINE void add_blocks(const Sweep& sweep, const Batch<T, W>& batch, const Place<T>& at, Accumulator<T>& a,
                             Sym3<T>& damping_stiffness) {
  for (int b = 0; b < sweep.block_count; ++b)
    add_block<T, forces_only, Formulas>(sweep, sweep.blocks[b], batch, at, a, damping_stiffness);
  if constexpr (requires { sweep.quadratic; }) {
    if (sweep.quadratic_count == 0) return;
    Accumulator<T> sums = a;  // as in add_block
    Sym3<T> of_damping = damping_stiffness;
    for (int b = 0; b < sweep.quadratic_count; ++b)
      add_quadratic<T, forces_only, Formulas>(sweep, sweep.quadratic[b], batch, at, sums, of_damping);
    a = sums;
    damping_stiffness = of_damping;
  }
}

// Moves the vertices by what blocks add to them. forces_only: writes the forces out of balance and moves nobody. Sweeps
// without ties, contacts or gliding vertices have no members for them.
template <class T, bool forces_only, class Formulas, int W, class Sweep>
SINEW_INLINE void move_by(const Sweep& sweep, const Batch<T, W>& batch, const Place<T>& at, Lane4<T> own,
                          Lane4<T> target, Accumulator<T> a, Sym3<T> damping_stiffness) {
  const Vec3<T> x = at.x;
  bool tied = false;
  if constexpr (requires { sweep.ties; }) {
    tied = sweep.ties && sweep.ties->has(batch.owner());
    if (tied) {
      const auto sums = tie_kernel::sums_of_batch<T>(sweep, sweep.tie_sums, batch.slot());
      a.force += sums.force;
      a.stiffness = a.stiffness + sums.stiffness;
    }
    // Quadratic as damping is, also for a line search.
    if (sweep.quadratic_sums && sweep.has_quadratic[batch.owner()]) [[unlikely]] {
      const auto sums = tie_kernel::sums_of_batch<T>(sweep, sweep.quadratic_sums, batch.slot());
      a.damping += sums.force;
      damping_stiffness = damping_stiffness + sums.stiffness;
    }
  }

  T relaxation = splat<T>(static_cast<double>(sweep.relaxation));
  bool touches = false;
  if constexpr (requires { sweep.contact_sums; }) {
    touches = sweep.contact_sums && sweep.has_contact[batch.owner()];
    if (touches) [[unlikely]] {
      const auto sums = tie_kernel::sums_of_batch<T>(sweep, sweep.contact_sums, batch.slot());
      a.damping += sums.force;
      damping_stiffness = damping_stiffness + sums.stiffness;
      // What goes beyond the end of a contact's force finds nothing there that holds it, and comes back too deep.
      const T one = splat<T>(1), trace = sums.stiffness.xx + sums.stiffness.yy + sums.stiffness.zz;
      relaxation = select(trace > T{}, select(relaxation < one, relaxation, one), relaxation);
    }
  }

  // Inertia, or external force; then the local rule.
  Vec3<T> force = a.force + a.damping;
  Sym3<T> stiffness = a.stiffness + damping_stiffness;
  force += sweep.quasistatic ? target.xyz : target.w * (target.xyz - x);
  const auto free = own.w > T{};
  bool glides = false;
  if constexpr (requires { sweep.glides; }) glides = sweep.glides && sweep.glides->has(batch.owner());
  if constexpr (forces_only) {
    if constexpr (requires { sweep.glides; }) {
      if (glides) [[unlikely]]
        glide_kernel::project<T>(sweep, batch.owner(), force);
    }
    store4(sweep.moved + sweep.own(batch.slot()), Lane4<T>{select(free, force, Vec3<T>{}), own.w});
    return;
  }
  add_identity(stiffness, target.w);
  Vec3<T> dx = local_step(sweep, stiffness, force, tied || touches);
  if constexpr (requires { sweep.glides; }) {
    if (glides) [[unlikely]]
      glide_kernel::step<T>(sweep, batch.owner(), force, stiffness, tied || touches, dx);
  }
  dx = select(free, dx, Vec3<T>{});
  if constexpr (Formulas::searches) {
    if (sweep.line_search) dx = backtrack<T, Formulas>(sweep, batch, at, dx, target, a.damping, damping_stiffness) * dx;
  }
  store4(sweep.moved + sweep.own(batch.slot()), Lane4<T>{x + relaxation * dx, own.w});
}

template <class T, bool forces_only, class Formulas, int W, class Sweep>
SINEW_INLINE void move_batch(const Sweep& sweep, const Batch<T, W>& batch) {
  const Lane4<T> own = load4<T>(sweep.x + sweep.own(batch.slot()));
  const Lane4<T> target = load4<T>(sweep.target + batch.slot());
  const Place<T> at = place_of(sweep, batch, own.xyz);
  Accumulator<T> a;
  Sym3<T> damping_stiffness{};
  add_blocks<T, forces_only, Formulas>(sweep, batch, at, a, damping_stiffness);
  move_by<T, forces_only, Formulas>(sweep, batch, at, own, target, a, damping_stiffness);
}

template <class T, bool forces_only>
void sweep_batches(const VertexSweep<ScalarOf<T>>& sweep, int64_t first, int64_t last) {
  for (int64_t number = first; number < last; ++number)
    move_batch<T, forces_only, EveryFormula>(sweep, Batch<T, lane_count<T>>{number});
}

}  // namespace sinew::vertex_kernel
