// A contact as solvers see it until it is found anew: the vector C = sum_j s_j x_j between two closest points, whose
// weights s_j, direction n and share are fixed in the meantime. With d its length along n and u what it has slipped
// across n since the start of the step,
//   force on C   f = lambda n - mu lambda f1(|u|) u / |u|,   lambda = -share phi'(d),   on each vertex s_j f
//   stiffness    share phi''(d) n n^T + mu lambda f1(|u|)/|u| (1 - n n^T),              of each vertex s_j^2 of it
// where f1(u) = 2 z - z^2, z = u / (eps_v h), up to z = 1 and 1 beyond (Li et al. 2020, IPC, eq. 16; Chen et al. 2024,
// VBD, eqs. 13-16, with lambda the size of the contact's force). That is smooth friction. Friction that sticks pulls
// back to an anchor (anchors.h): u is what it is stretched from there, and the force across n is that of a spring up to
// what Coulomb's law allows,
//   min(share k_t, mu lambda / |u|) u,   and its stiffness across n the factor of u.
// Its share is -1 where an edge or a corner is taken off
// that several faces have counted (find_contacts.h); then its force counts and its stiffness, which is negative, does
// not.
#pragma once

#include <array>
#include <cstdint>

#include "contact/contact_law.h"
#include "math/lane.h"
#include "math/vec.h"

namespace sinew {

enum class ContactKind : uint8_t { vertex_triangle, edge_edge, vertex_plane };

template <class Real>
struct ContactNumbers {
  std::array<Real, 4> weights{};  // s_j [-]
  Vec3<Real> normal{};            // n of length 1: d grows along it
  Real distance{};                // d [m] where the contact was found; negative: a depth
  Vec3<Real> slip{};              // C - C^t [m] there, since the start of the step; or from the anchor
  LawNumbers<Real> law{};
  Real share{};     // [-]
  Real friction{};  // mu [-]
  Real creep{};     // eps_v h [m]
  Real hold{};      // k_t [N/m] of friction that sticks; 0: smooth
};

struct Contact {
  // Slots of bodies; -1: none, or a point of a collider, which adds nothing until the contact is found anew.
  std::array<int32_t, 4> slots{-1, -1, -1, -1};
  ContactNumbers<double> numbers;
  ContactKind kind{};
  // What touches: a point and a feature of a surface (its name, contact/feature.h), two edges, or a point and a plane.
  int32_t first = 0;
  int64_t second = 0;
  Vec3d place{};  // [m] the closest point of the first
};

template <class T>
struct ContactForce {
  Vec3<T> force;        // on C [N]
  Vec3<T> axis;         // n
  T along{}, across{};  // stiffness along n and across it [N/m], never negative
};

// change: sum_j s_j (x_j - x_j^0), of positions since the contact was found.
template <class T>
SINEW_INLINE ContactForce<T> contact_force(const ContactNumbers<T>& c, Vec3<T> change) {
  const T zero{}, one = splat<T>(1), two = splat<T>(2);
  const Vec3<T> n = c.normal;
  const LawSlope<T> law = law_slope(c.law, c.distance + dot(n, change));
  const T lambda = -c.share * law.slope;
  const Vec3<T> w = c.slip + change, u = w - dot(n, w) * n;
  const T length = sqrt(dot(u, u));
  const auto springs = c.hold > zero;
  const T creep = select(springs, zero, c.creep);
  const auto creeps = length < creep;
  // f1(|u|) / |u|
  const T largest = select(creeps, creep, length);
  const T inverse = one / select(largest > zero, largest, one);
  const T rate = select(creeps, (two - length * inverse) * inverse, select(largest > zero, inverse, zero));
  const T smooth = c.friction * lambda * rate;
  // Stretched by nothing, a spring pulls by nothing.
  const T spring = c.share * c.hold;
  const T slides = c.friction * lambda * inverse;
  const T sticks = select(length > zero, select(abs(slides) < abs(spring), slides, spring),
                          select(abs(lambda) > zero, spring, zero));
  const T drag = select(c.friction > zero, select(springs, sticks, smooth), zero);
  const auto whole = c.share > zero;
  return {lambda * n - drag * u, n, select(whole, c.share * law.curvature, zero), select(whole, drag, zero)};
}

// [J] of the law; friction has none.
template <class T>
SINEW_INLINE T contact_energy(const ContactNumbers<T>& c, Vec3<T> change) {
  return c.share * law_energy(c.law, c.distance + dot(c.normal, change));
}

template <class To, class From>
ContactNumbers<To> in_precision(const ContactNumbers<From>& c) {
  const auto as = [](From a) { return static_cast<To>(a); };
  const auto vec = [&](Vec3<From> v) { return Vec3<To>{as(v.x), as(v.y), as(v.z)}; };
  return {{as(c.weights[0]), as(c.weights[1]), as(c.weights[2]), as(c.weights[3])},
          vec(c.normal),
          as(c.distance),
          vec(c.slip),
          {as(c.law.radius), as(c.law.stiffness), as(c.law.floor)},
          as(c.share),
          as(c.friction),
          as(c.creep),
          as(c.hold)};
}

}  // namespace sinew
