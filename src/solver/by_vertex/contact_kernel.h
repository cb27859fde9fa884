// Sums up what contacts add to vertices (vertex_contacts.h), in lanes over the ends of contacts. The ends of a vertex
// lie side by side and are added up in their order, whatever lanes they fall into.
#pragma once

#include "contact/contact.h"
#include "solver/sweep.h"
#include "solver/ties/tie_kernel.h"

namespace sinew::contact_kernel {

template <class T>
SINEW_INLINE ContactNumbers<T> numbers_of(const ContactEnds<ScalarOf<T>>& ends, const int32_t* contact) {
  const auto row = [&](int r) {
    return load_transposed<T>([&](int lane) { return ends.rows + rows_of_contact * int64_t{contact[lane]} + r; });
  };
  const Lane4<T> plane = row(0), slip = row(1), law = row(2), drag = row(3), weights = row(4);
  ContactNumbers<T> n;
  n.normal = plane.xyz;
  n.distance = plane.w;
  n.slip = slip.xyz;
  n.share = slip.w;
  n.law = {law.xyz.x, law.xyz.y, law.xyz.z};
  n.friction = law.w;
  n.creep = drag.xyz.x;
  n.hold = drag.xyz.y;
  n.weights = {weights.xyz.x, weights.xyz.y, weights.xyz.z, weights.w};
  return n;
}

// Contacts lie anywhere in memory: those of the next lanes are on their way while these are summed up.
template <class Real>
SINEW_INLINE void fetch(const ContactEnds<Real>& ends, int64_t contact) {
  prefetch<4 * rows_of_contact>(&ends.rows[rows_of_contact * contact].x);
  prefetch<4>(ends.places[contact].data());
}

// sum_j s_j of how far the corners have moved since their contacts were found.
template <class T>
SINEW_INLINE Vec3<T> change_of(const ContactEnds<ScalarOf<T>>& ends, const ContactNumbers<T>& numbers,
                               const int32_t* contact) {
  Vec3<T> change{};
  for (size_t j = 0; j < 4; ++j) {
    const Lane4<T> way = load_transposed<T>([&](int lane) {
      const int32_t place = ends.places[contact[lane]][j];
      return (place >= ends.first_own && place < ends.last_own ? ends.ways : ends.ways_elsewhere) + place;
    });
    change += numbers.weights[j] * way.xyz;
  }
  return change;
}

// Of the vertices at places [first, last).
template <class T>
void sum_ends(const VertexSweep<ScalarOf<T>>& sweep, const ContactEnds<ScalarOf<T>>& ends, int32_t first,
              int32_t last) {
  using Real = ScalarOf<T>;
  constexpr int w = lane_count<T>;
  alignas(64) Vec4<Real> some[w * rows_of_sums];
  Vec4<Real> sum[rows_of_sums] = {};
  const auto write = [&](int32_t place) {
    Vec4<Real>* const to =
        sweep.contact_sums + rows_of_sums * (sweep.own(int64_t{ends.slots[place]}) - sweep.first_sum);
    for (int r = 0; r < rows_of_sums; ++r) {
      to[r] = sum[r];
      sum[r] = {0, 0, 0, 0};
    }
  };
  const int32_t end = ends.begin[last];
  int32_t place = first;
  for (int32_t e = ends.begin[first]; e < end; e += w) {
    // Lanes beyond the end are another time the last one.
    const int32_t count = end - e < w ? end - e : w;
    int32_t contact[w];
    alignas(64) Real weight[w], size[w];
    for (int k = 0; k < w; ++k) {
      const ContactEnd<Real>& from = ends.ends[e + (k < count ? k : count - 1)];
      contact[k] = from.contact;
      weight[k] = from.weight;
      size[k] = from.size;
    }
    for (int k = 0; k < w && e + w + k < end; ++k) fetch(ends, ends.ends[e + w + k].contact);
    const ContactNumbers<T> numbers = numbers_of<T>(ends, contact);
    const ContactForce<T> f = contact_force(numbers, change_of<T>(ends, numbers, contact));
    const T across = load<T>(size) * f.across;
    tie_kernel::Sums<T> sums;
    sums.force = load<T>(weight) * f.force;
    add_identity(sums.stiffness, across);
    add_outer(sums.stiffness, load<T>(size) * f.along - across, f.axis);
    tie_kernel::store_sums([&](int lane) { return some + rows_of_sums * lane; }, sums);
    for (int k = 0; k < count; ++k) {
      for (; e + k >= ends.begin[place + 1]; ++place) write(place);
      for (int r = 0; r < rows_of_sums; ++r) {
        const Vec4<Real>& more = some[rows_of_sums * k + r];
        sum[r] = {sum[r].x + more.x, sum[r].y + more.y, sum[r].z + more.z, sum[r].w + more.w};
      }
    }
  }
  for (; place < last; ++place) write(place);
}

}  // namespace sinew::contact_kernel
