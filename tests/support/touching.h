// Surfaces that touch, for tests of contact: points and triangles of bodies, and candidates by trying all pairs.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "contact/find_contacts.h"

namespace sinew::support {

// Bodies come first, then colliders. All bodies share one group, unless told otherwise.
struct Touching {
  ContactSurface surface;
  std::vector<Vec3d> x, before;  // by point
  std::vector<double> stiffness;
  std::vector<VertexPlane> vertex_planes;
  std::vector<ContactPlane> planes, planes_before;
  CandidatePairs pairs;
  ContactRule rule;
  double clock = 0.01;

  int32_t add_body(bool closed, bool collider = false, int32_t group = 0) {
    surface.bodies.push_back({.object = static_cast<int32_t>(surface.bodies.size()),
                              .group = group,
                              .closed = closed,
                              .collider = collider});
    surface.group_count = std::max(surface.group_count, group + 1);
    return static_cast<int32_t>(surface.bodies.size()) - 1;
  }
  int32_t add_point(int32_t body, Vec3d at) {
    surface.rest.push_back(at);
    surface.body_of.push_back(body);
    x.push_back(at);
    if (!surface.bodies[static_cast<size_t>(body)].collider) ++surface.slot_count;
    return surface.point_count() - 1;
  }
  // rows x columns cells with corners place(i, j); `up` is the side on which corners run counter-clockwise, if i, j and
  // up are right-handed. diagonal(i, j): which way a cell is cut.
  template <class Place, class Diagonal>
  void add_grid(int32_t body, int rows, int columns, bool up, const Place& place, const Diagonal& diagonal) {
    const int32_t first = surface.point_count();
    for (int i = 0; i <= rows; ++i)
      for (int j = 0; j <= columns; ++j) add_point(body, place(i, j));
    const auto add = [&](int32_t a, int32_t b, int32_t c) {
      surface.triangles.push_back(up ? Triangle{a, b, c} : Triangle{a, c, b});
    };
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) {
        const int32_t a = first + i * (columns + 1) + j, b = a + columns + 1, c = b + 1, d = a + 1;
        if (diagonal(i, j)) {
          add(a, b, c);
          add(a, c, d);
        } else {
          add(a, b, d);
          add(b, c, d);
        }
      }
  }
  // A closed box of nx x ny x nz cells at map(u, v, w), each from 0 to 1.
  template <class Map>
  void add_box(int32_t body, int nx, int ny, int nz, const Map& map) {
    const int n[3] = {nx, ny, nz};
    std::vector<int32_t> number(static_cast<size_t>((nx + 1) * (ny + 1) * (nz + 1)), -1);
    const auto point = [&](const int(&at)[3]) {
      int32_t& p = number[static_cast<size_t>(at[0] + (nx + 1) * (at[1] + (ny + 1) * at[2]))];
      if (p < 0) p = add_point(body, map(double(at[0]) / nx, double(at[1]) / ny, double(at[2]) / nz));
      return p;
    };
    for (int axis = 0; axis < 3; ++axis)
      for (int end = 0; end < 2; ++end) {
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        for (int i = 0; i < n[u]; ++i)
          for (int j = 0; j < n[v]; ++j) {
            int at[3];
            at[axis] = end * n[axis];
            const auto corner = [&](int a, int b) {
              at[u] = i + a;
              at[v] = j + b;
              return point(at);
            };
            const int32_t a = corner(0, 0), b = corner(1, 0), c = corner(1, 1), d = corner(0, 1);
            if (end == 1) {
              surface.triangles.push_back({a, b, c});
              surface.triangles.push_back({a, c, d});
            } else {
              surface.triangles.push_back({a, c, b});
              surface.triangles.push_back({a, d, c});
            }
          }
      }
  }
  // Whether bodies are guaranteed not to cross.
  void keep_apart(bool apart) {
    rule.apart = apart;
    for (ContactRule& r : surface.rules) r.apart = apart;
  }
  // After all bodies: all rules are `rule`; nothing has moved.
  void finish() {
    surface.rules.assign(static_cast<size_t>(surface.group_count * surface.group_count), rule);
    connect(surface);
    stiffness.assign(static_cast<size_t>(surface.slot_count), 1);
    before = x;
  }

  PointPositions at(const std::vector<Vec3d>& positions) const {
    const auto slots = static_cast<size_t>(surface.slot_count);
    return {{positions.data(), slots}, {positions.data() + slots, positions.size() - slots}};
  }

  // Pairs whose boxes, from where points are to `to`, come within `reach`, but for those that share a point.
  void find_pairs(double reach, const std::vector<Vec3d>& to) {
    struct Box {
      Vec3d low, high;
    };
    const auto box_of = [&](const auto& points) {
      Box box{{1e300, 1e300, 1e300}, {-1e300, -1e300, -1e300}};
      for (const int32_t p : points)
        for (const std::vector<Vec3d>* positions : {static_cast<const std::vector<Vec3d>*>(&x), &to}) {
          const Vec3d q = (*positions)[static_cast<size_t>(p)];
          box.low = {std::min(box.low.x, q.x), std::min(box.low.y, q.y), std::min(box.low.z, q.z)};
          box.high = {std::max(box.high.x, q.x), std::max(box.high.y, q.y), std::max(box.high.z, q.z)};
        }
      return box;
    };
    const auto near = [&](const Box& a, const Box& b) {
      return a.low.x <= b.high.x + reach && b.low.x <= a.high.x + reach && a.low.y <= b.high.y + reach &&
             b.low.y <= a.high.y + reach && a.low.z <= b.high.z + reach && b.low.z <= a.high.z + reach;
    };
    const auto touches = [&](int32_t p, int32_t q) {
      return surface.rule(surface.body_of[static_cast<size_t>(p)], surface.body_of[static_cast<size_t>(q)]).touches;
    };
    std::vector<Box> triangles, edges;
    for (const Triangle& t : surface.triangles) triangles.push_back(box_of(t));
    for (const Edge& e : surface.edges) edges.push_back(box_of(e));
    pairs = {};
    for (int32_t v = 0; v < surface.point_count(); ++v) {
      const Box box = box_of(std::array{v});
      for (size_t t = 0; t < triangles.size(); ++t) {
        const Triangle& c = surface.triangles[t];
        if (!near(box, triangles[t]) || v == c[0] || v == c[1] || v == c[2] || !touches(v, c[0])) continue;
        pairs.vertex_triangle.push_back({v, static_cast<int32_t>(t)});
      }
    }
    for (size_t a = 0; a < edges.size(); ++a)
      for (size_t b = a + 1; b < edges.size(); ++b) {
        const Edge &e = surface.edges[a], &f = surface.edges[b];
        if (!near(edges[a], edges[b]) || e[0] == f[0] || e[0] == f[1] || e[1] == f[0] || e[1] == f[1] ||
            !touches(e[0], f[0]))
          continue;
        pairs.edge_edge.push_back({static_cast<int32_t>(a), static_cast<int32_t>(b)});
      }
  }
  void find_pairs(double reach) { find_pairs(reach, x); }

  ContactQuery query() const {
    ContactQuery q;
    q.surface = &surface;
    q.pairs = &pairs;
    q.vertex_planes = vertex_planes;
    q.stiffness = stiffness;
    q.x = at(x);
    q.before = at(before);
    q.planes = planes;
    q.planes_before = planes_before;
    q.clock = clock;
    return q;
  }
  std::vector<Contact> contacts(ContactCounts* counts = nullptr) const {
    std::vector<Contact> contacts;
    find_contacts(query(), ThreadPool::caller(), contacts, counts);
    return contacts;
  }
};

// phi, for contacts of that rule and floor.
inline double phi(const ContactRule& rule, double d, double floor = 0.1) {
  return law_energy(LawNumbers<double>{rule.radius, rule.stiffness, floor * rule.radius}, d);
}
inline double slope_of_phi(const ContactRule& rule, double d, double floor = 0.1) {
  return law_slope(LawNumbers<double>{rule.radius, rule.stiffness, floor * rule.radius}, d).slope;
}

}  // namespace sinew::support
