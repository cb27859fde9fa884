// Sums up what contacts add to vertices (vertex_contacts.h), in lanes over the ends of contacts. The ends of a vertex
// lie side by side and are added up in their order, whatever lanes they fall into.
#pragma once

#include "contact/contact.h"
#include "solver/sweep.h"
#include "solver/ties/tie_kernel.h"

namespace sinew::contact_kernel {

template <class T>
SINEW_INLINE ContactNumbers<T> numbers_of(const ContactEnds<ScalarOf<T>>& ends, const int32_t* contact) {
  const auto row = [&](int r) SINEW_INLINE_LAMBDA {
    return load_transposed<T>([&](int lane) { return ends.rows + rows_of_contact * int64_t{contact[lane]} + r; });
  };
  const Lane4<T> plane = row(0), slip = row(1), law = row(2), weights = row(3);
  const T zero{}, creep = weights.w;
  ContactNumbers<T> n;
  n.normal = plane.xyz;
  n.distance = plane.w;
  n.slip = slip.xyz;
  n.share = slip.w;
  n.law = {law.xyz.x, law.xyz.y, law.xyz.z};
  n.friction = law.w;
  n.creep = creep;
  n.hold = select(creep < zero, n.law.stiffness, zero);
  n.weights = {-(weights.xyz.x + weights.xyz.y + weights.xyz.z), weights.xyz.x, weights.xyz.y, weights.xyz.z};
  return n;
}

// Contacts lie anywhere in memory: those of the next lanes are on their way while these are summed up.
template <class Real>
SINEW_INLINE void fetch(const ContactEnds<Real>& ends, int64_t contact) {
  prefetch<4 * rows_of_contact>(&ends.rows[rows_of_contact * contact].x);
  prefetch<4>(ends.places[contact].data());
}

// sum_j s_j of how far the corners have moved since their contacts were found; in_phases: there are ways elsewhere.
template <class T, bool in_phases>
SINEW_INLINE Vec3<T> change_of(const ContactEnds<ScalarOf<T>>& ends, const ContactNumbers<T>& numbers,
                               const int32_t* contact) {
  Vec3<T> change{};
  for (size_t j = 0; j < 4; ++j) {
    const Lane4<T> way = load_transposed<T>([&](int lane) {
      const int32_t place = ends.places[contact[lane]][j];
      const bool own = !in_phases || (place >= ends.first_own && place < ends.last_own);
      return (own ? ends.ways : ends.ways_elsewhere) + place;
    });
    change += numbers.weights[j] * way.xyz;
  }
  return change;
}

// Of ends of these contacts; weight, size: theirs.
template <class T, bool in_phases>
SINEW_INLINE tie_kernel::Sums<T> sums_of(const ContactEnds<ScalarOf<T>>& ends, const int32_t* contact, T weight,
                                         T size) {
  const ContactNumbers<T> numbers = numbers_of<T>(ends, contact);
  const ContactForce<T> f = contact_force(numbers, change_of<T, in_phases>(ends, numbers, contact));
  const T across = size * f.across;
  tie_kernel::Sums<T> sums;
  sums.force = weight * f.force;
  add_identity(sums.stiffness, across);
  add_outer(sums.stiffness, size * f.along - across, f.axis);
  return sums;
}

// Of the vertices at places [first, last), to what is there.
template <class T, bool in_phases>
void add_ends(const VertexSweep<ScalarOf<T>>& sweep, const ContactEnds<ScalarOf<T>>& ends, int32_t first,
              int32_t last) {
  using Real = ScalarOf<T>;
  constexpr int w = lane_count<T>;
  using Row = Lane<Real, 4>;
  alignas(64) Vec4<Real> some[w * rows_of_sums];
  const int32_t end = ends.begin[last];
  for (int32_t e = ends.begin[first]; e < end; e += w) {
    const int32_t count = end - e < w ? end - e : w;
    int32_t contact[w];
    alignas(64) Real weight[w], size[w];
    const auto copy = [&](int k, int32_t from) SINEW_INLINE_LAMBDA {
      contact[k] = ends.contacts[from];
      weight[k] = ends.weights[from];
      size[k] = ends.sizes[from];
    };
    if (count == w) {
      for (int k = 0; k < w; ++k) copy(k, e + k);
    } else {
      // Lanes beyond the end are another time the last one.
      for (int k = 0; k < w; ++k) copy(k, e + (k < count ? k : count - 1));
    }
    for (int k = 0; k < w && e + w + k < end; ++k) fetch(ends, ends.contacts[e + w + k]);
    const tie_kernel::Sums<T> sums = sums_of<T, in_phases>(ends, contact, load<T>(weight), load<T>(size));
    tie_kernel::store_sums([&](int lane) { return some + rows_of_sums * lane; }, sums);
    for (int k = 0; k < count; ++k) {
      Vec4<Real>* const to = sweep.contact_sums + rows_of_sums * (sweep.own(ends.slots[e + k]) - sweep.first_sum);
      for (int r = 0; r < rows_of_sums; ++r)
        store<Row>(&to[r].x, load<Row>(&to[r].x) + load<Row>(&some[rows_of_sums * k + r].x));
    }
  }
}
template <class T>
void add_ends(const VertexSweep<ScalarOf<T>>& sweep, const ContactEnds<ScalarOf<T>>& ends, int32_t first,
              int32_t last) {
  if (ends.ways_elsewhere) {
    add_ends<T, true>(sweep, ends, first, last);
  } else {
    add_ends<T, false>(sweep, ends, first, last);
  }
}

}  // namespace sinew::contact_kernel
