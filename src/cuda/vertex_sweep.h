// The sweep by vertex on a device: the kernel of the CPU's lanes (solver/by_vertex/vertex_kernel.h), of which a thread
// is one.
#pragma once

#include "cuda/device_lanes.h"
#include "solver/by_vertex/contact_kernel.h"
#include "solver/by_vertex/grab_kernel.h"
#include "solver/by_vertex/vertex_kernel.h"

namespace sinew {

// What VertexSweep has for the CPU, without ties, grabs, gliding vertices and contacts. Indices are slots.
template <class Real>
struct DeviceVertexSweep {
  const VertexStreamView<Real, uint32_t>* blocks = nullptr;
  int block_count = 0;
  VertexStreamView<Real, uint32_t> only;  // the first block
  int team_bits = 0;
  const Vec4<Real>* x = nullptr;
  Vec4<Real>* moved = nullptr;
  const Vec4<Real>* x_prev = nullptr;
  const Vec4<Real>* target = nullptr;
  Real inverse_h = 0;
  bool quasistatic = false;
  bool own_block_damping = false;
  NodalStiffness stiffness = NodalStiffness::exact;
  bool diagonal = false;
  Real relaxation = 1;
  bool line_search = false;
  Real singular = 0;

  SINEW_INLINE int64_t own(int64_t slot) const { return slot; }
};

// The same with ties, grabs, gliding vertices and contacts, whose lists are by slot.
template <class Real>
struct DeviceSummedSweep : DeviceVertexSweep<Real> {
  const VertexTiesView<Real, uint32_t>* ties = nullptr;  // null: no ties
  Vec4<Real>* tie_sums = nullptr;                        // of the slots from first_sum on
  Vec4<Real>* quadratic_sums = nullptr;
  const uint8_t* has_quadratic = nullptr;
  bool ties_are_damped = false;
  Vec4<Real>* contact_sums = nullptr;    // as tie_sums
  const uint8_t* has_contact = nullptr;  // of each slot
  int64_t first_sum = 0;
  const VertexGlidesView<Real>* glides = nullptr;  // null: no vertex glides
  const Real* activation = nullptr;
};

// What ties add to the vertices of some packs, and grabs to theirs, before these move.
template <class Real>
struct SumTies {
  DeviceSummedSweep<Real> sweep;
  int64_t first_pack = 0;
  SINEW_INLINE void operator()(int64_t i) const { tie_kernel::sum_pack<Real>(sweep, first_pack + i); }
};
template <class Real>
struct SumGrabs {
  DeviceSummedSweep<Real> sweep;
  const GrabEnd* ends = nullptr;
  const Grab* grabs = nullptr;
  int64_t count = 0;
  // One after the other: they are few, and may share a vertex.
  SINEW_INLINE void operator()(int64_t) const {
    for (int64_t k = 0; k < count; ++k) add_grab<Real>(sweep, ends[k], grabs[ends[k].grab], 1);
  }
};

// What contacts add to the vertices at places from `first` on, before these move; slots: of all places.
template <class Real>
struct SumContacts {
  DeviceSummedSweep<Real> sweep;
  ContactEnds<Real> ends;
  const int32_t* slots = nullptr;
  int64_t first = 0;
  SINEW_INLINE void operator()(int64_t i) const {
    const int64_t place = first + i;
    tie_kernel::Sums<Real> all;
    for (int32_t e = ends.begin[place]; e < ends.begin[place + 1]; ++e) {
      const auto one = contact_kernel::sums_of<Real, false>(ends, ends.contacts + e, ends.weights[e], ends.sizes[e]);
      all.force += one.force;
      all.stiffness = all.stiffness + one.stiffness;
    }
    Vec4<Real>* const to = sweep.contact_sums + rows_of_sums * (slots[place] - sweep.first_sum);
    tie_kernel::store_sums([=](int) { return to; }, all);
  }
};
// How far these vertices have moved since their contacts were found.
template <class Real>
struct NoteMoved {
  const Vec4<Real>*x = nullptr, *found_at = nullptr;  // the latter by place
  const int32_t* slots = nullptr;
  Vec4<Real>* ways = nullptr;
  int64_t first = 0;
  SINEW_INLINE void operator()(int64_t i) const {
    const int64_t place = first + i;
    const Vec4<Real> now = x[slots[place]], then = found_at[place];
    ways[place] = {now.x - then.x, now.y - then.y, now.z - then.z, 0};
  }
};

// A kernel for one material, undamped, needs fewer registers than one for all.
template <template <class> class Material>
struct OneMaterial {
  static constexpr bool damps = false, searches = false;
  template <class Visitor>
  static SINEW_INLINE decltype(auto) visit(MaterialKind, Visitor&& visitor) {
    return visit_formula_of<Material>(visitor);
  }
};
// Where all blocks are link strips.
struct NoMaterial {
  static constexpr bool damps = false, searches = false;
  template <class Visitor>
  static SINEW_INLINE void visit(MaterialKind, Visitor&&) {}
};
// Where in addition there is one block: its links are read ahead, `at_once` rows at a time.
template <int at_once>
struct OneBlockOfLinks : NoMaterial {
  template <class Real>
  using Links = vertex_kernel::LinksAhead<Real, at_once>;
};
using vertex_kernel::EveryFormula;

// What the threads of a team add up for their vertex, which is all that its move needs.
template <class Real, bool forces_only, bool damps>
struct VertexShare {
  static constexpr int count = (forces_only ? 3 : 9) * (damps ? 2 : 1);
  Real numbers[count] = {};

  static SINEW_INLINE VertexShare of(const vertex_kernel::Accumulator<Real>& a, const Sym3<Real>& damping_stiffness) {
    VertexShare share;
    Real* to = share.numbers;
    const auto put = [&](auto... values) { ((*to++ = values), ...); };
    const auto put_block = [&](const Sym3<Real>& h) {
      if constexpr (!forces_only) put(h.xx, h.xy, h.xz, h.yy, h.yz, h.zz);
    };
    put(a.force.x, a.force.y, a.force.z);
    put_block(a.stiffness);
    if constexpr (damps) {
      put(a.damping.x, a.damping.y, a.damping.z);
      put_block(damping_stiffness);
    }
    return share;
  }
  SINEW_INLINE void read(vertex_kernel::Accumulator<Real>& a, Sym3<Real>& damping_stiffness) const {
    const Real* from = numbers;
    const auto get = [&](auto&... values) { ((values = *from++), ...); };
    const auto get_block = [&](Sym3<Real>& h) {
      if constexpr (!forces_only) get(h.xx, h.xy, h.xz, h.yy, h.yz, h.zz);
    };
    get(a.force.x, a.force.y, a.force.z);
    get_block(a.stiffness);
    if constexpr (damps) {
      get(a.damping.x, a.damping.y, a.damping.z);
      get_block(damping_stiffness);
    }
  }
  SINEW_INLINE VertexShare& operator+=(const VertexShare& other) {
#pragma GCC unroll 18
    for (int k = 0; k < count; ++k) numbers[k] += other.numbers[k];
    return *this;
  }
};

// Moves the vertices from `first_slot` on, which share no element, or with forces_only writes their forces to `moved`.
template <class Real, class Formulas, bool forces_only, class Sweep = DeviceVertexSweep<Real>>
struct MoveVertices {
  Sweep sweep;
  int64_t first_slot = 0;

  using Part = VertexShare<Real, forces_only, Formulas::damps>;
  // A vertex.
  struct Found {
    Lane4<Real> own, target;
  };
  SINEW_INLINE Found find(int64_t i) const {
    const int64_t slot = first_slot + i;
    return {load4<Real>(sweep.x + slot), load4<Real>(sweep.target + slot)};
  }
  SINEW_INLINE auto ahead(int64_t i, int j) const {
    if constexpr (requires { typename Formulas::template Links<Real>; }) {
      return Formulas::template Links<Real>::of(sweep.only, batch_of(i, j));
    } else {
      return 0;
    }
  }
  template <class Ahead>
  SINEW_INLINE Part part(int64_t i, int j, const Ahead& ahead, const Found& vertex) const {
    const auto batch = batch_of(i, j);
    const vertex_kernel::Place<Real> at{vertex.own.xyz, {}};
    vertex_kernel::Accumulator<Real> a;
    Sym3<Real> damping_stiffness{};
    if constexpr (requires { typename Formulas::template Links<Real>; }) {
      vertex_kernel::accumulate_links<Real, forces_only>(sweep, sweep.only, batch, at, ahead, a);
    } else {
      vertex_kernel::add_blocks<Real, forces_only, Formulas>(sweep, batch, at, a, damping_stiffness);
    }
    return Part::of(a, damping_stiffness);
  }
  SINEW_INLINE void finish(int64_t i, const Found& vertex, const Part& sum) const {
    vertex_kernel::Accumulator<Real> a;
    Sym3<Real> damping_stiffness{};
    sum.read(a, damping_stiffness);
    vertex_kernel::move_by<Real, forces_only, Formulas>(sweep, batch_of(i, 0), {vertex.own.xyz, {}}, vertex.own,
                                                        vertex.target, a, damping_stiffness);
  }

 private:
  SINEW_INLINE Batch<Real, device_lanes> batch_of(int64_t i, int j) const {
    const int64_t lane = ((first_slot + i) << sweep.team_bits) + j;
    return {lane / device_lanes, static_cast<int>(lane % device_lanes), sweep.team_bits};
  }
};

}  // namespace sinew
