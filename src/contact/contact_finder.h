// Finds contacts among candidates, one after the other (find_contacts.h). Its parts are in files of their own: what
// vertices touch (find_vertex_contacts.cpp), edges (find_edge_contacts.cpp), and what has crossed (find_crossed.cpp).
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "contact/cull.h"
#include "contact/distance.h"
#include "contact/feature.h"
#include "contact/find_contacts.h"
#include "math/length.h"

namespace sinew::contact_finding {

inline constexpr double infinite = std::numeric_limits<double>::infinity();
// Within a body, the radius is at most this share of the distance at rest.
inline constexpr double rest_share = 0.9;
// What lies inside its own body by this share of its distance at rest, or more, lies there as it was built.
inline constexpr double own_inside_share = 0.02;

inline double radius_of(const ContactRule& rule) {
  return rule.law == ContactLaw::penalty ? 0 : rule.radius;
}
// [m] How deep inside a body a vertex is found in any case.
inline double sure_depth_of(const ContactQuery& query, const ContactRule& rule) {
  if (query.depth > 0) return query.depth;
  return rule.law == ContactLaw::penalty ? infinite : query.reach * rule.radius;
}

// A vertex inside a body.
struct Inside {
  int32_t vertex, body;

  auto operator<=>(const Inside&) const = default;
};

// Finds the contacts of candidates, one after the other.
class Finder {
 public:
  std::vector<Contact> found;
  std::vector<Inside> inside;
  ContactCounts counts;

  void begin(const ContactQuery& query, std::vector<Contact>* contacts);
  int64_t found_count() const { return static_cast<int64_t>(contacts_->size()); }

  void add_plane(const VertexPlane& pair);

  // All pairs of some vertices.
  void add_vertices(std::span<const CandidatePairs::VertexTriangle> pairs);

  // all_inside: of all vertices, ascending; is_inside: by point.
  void add_edges(std::span<const CandidatePairs::EdgeEdge> pairs, std::span<const Inside> all_inside,
                 std::span<const uint8_t> is_inside);

 private:
  // Whether a vertex surely has no contact: kept_[first, last) are its pairs.
  bool touches_nothing(std::span<const CandidatePairs::VertexTriangle> pairs, size_t first, size_t last) const;

  // The pairs of one vertex.
  void add_vertex(std::span<const CandidatePairs::VertexTriangle> pairs, std::span<const int32_t> kept);

  void add_edge_pair(const CandidatePairs::EdgeEdge& pair, std::span<const Inside> all_inside,
                     std::span<const uint8_t> is_inside);

  // A triangle within reach of a vertex.
  struct Near {
    int32_t triangle, body;
    TriangleFoot<double> foot;
    Vec3d way;      // from the closest point to the vertex
    double square;  // |way|^2
  };
  struct Term {
    Feature feature;
    int32_t share, near;  // near: of the triangle that has it as its closest feature, or -1
  };
  // What has been counted at a point.
  struct Tally {
    int32_t sum = 0;
    bool any = false;
  };
  // The point of the surface that a vertex touches.
  struct Place {
    int32_t points[3] = {-1, -1, -1};
    double weights[3] = {0, 0, 0};
    Vec3d way{};
  };

  // The closest points of the lines a + p u and c + q v, times the square of u x v.
  struct LineFeet {
    Vec3d normal;  // u x v
    double square, height, p, q;

    LineFeet(Vec3d a, Vec3d b, Vec3d c, Vec3d d) {
      const Vec3d u = b - a, v = d - c, r = a - c;
      normal = cross(u, v);
      square = dot(normal, normal);
      height = dot(normal, r);
      p = dot(cross(v, r), normal);
      q = dot(cross(u, r), normal);
      if (!(square > 1e-20 * dot(u, u) * dot(v, v))) square = 0;
    }
    bool within() const { return p > 0 && p < square && q > 0 && q < square; }
  };

  const Triangle& triangle(int32_t t) const { return surface_->triangles[static_cast<size_t>(t)]; }
  int32_t body_of(int32_t point) const { return surface_->body_of[static_cast<size_t>(point)]; }
  bool is_closed(int32_t body) const { return surface_->bodies[static_cast<size_t>(body)].closed; }
  double side(int32_t point) const {
    return surface_->is_collider_point(point) ? infinite : q_->stiffness[static_cast<size_t>(point)];
  }
  static double mean(double k, double w, double l, double v) { return (w > 0 ? w * k : 0) + (v > 0 ? v * l : 0); }
  double floor_of(const ContactRule& rule) const { return rule.apart ? q_->apart_floor : q_->floor; }
  // How deep a vertex of one body is found in another.
  double depth_of(int32_t a, int32_t b) const {
    const double sure = sure_depth_of(*q_, surface_->rule(a, b));
    if (q_->motion.empty()) return sure;
    return sure + way_between(q_->motion[static_cast<size_t>(a)], q_->motion[static_cast<size_t>(b)]);
  }
  // The distance up to which a triangle matters, squared.
  double square_limit(int32_t a, int32_t b) const {
    const ContactRule& rule = surface_->rule(a, b);
    if (!rule.touches) return 0;
    const double limit = std::max(q_->reach * radius_of(rule), rule.apart ? 0 : depth_of(a, b));
    return limit * limit;
  }

  void set_end(Contact& contact, size_t k, int32_t point, double weight) const {
    contact.slots[k] = point < 0 || surface_->is_collider_point(point) || weight == 0 ? -1 : point;
    contact.numbers.weights[k] = weight;
  }

  // The way of the point of a plane that is at `foot` now, since the start of the step.
  static Vec3d carried(Vec3d foot, const ContactPlane& plane, const ContactPlane& before);

  Vec3d area_normal(const PointPositions& x, int32_t t) const {
    const Triangle& c = triangle(t);
    return cross(x[c[1]] - x[c[0]], x[c[2]] - x[c[0]]);
  }
  static Vec3d unit(Vec3d v) {
    const double size = length(v);
    return size > 0 ? (1 / size) * v : Vec3d{};
  }

  Feature feature_at(const Near& near) const;

  // Outward at a feature: the mean of the normals of the triangles at it, by their angle at a corner (Baerentzen &
  // Aanaes 2005, "Signed distance computation using the angle weighted pseudonormal"). `whole`: whether all triangles
  // of a closed surface that are at the feature are near.
  struct Outward {
    Vec3d normal{};
    bool whole = false;
  };
  Outward outward(const PointPositions& x, std::span<const Near> near, Feature feature) const;

  // The point of the surface at a feature that is closest to v.
  Place place_at(int32_t v, Feature feature, const Near* near) const;
  double rest_distance(int32_t v, const Place& place) const;
  double rest_square(int32_t v, const Near& near) const;

  // What one vertex meets of one body.
  void add_body(int32_t v, std::span<const Near> near);

  // Whether what is this way from a feature is surely on the outer side there: of all its triangles that are near.
  bool lies_above(std::span<const Near> near, Feature feature, Vec3d way) const;

  // Whether the vertex lies inside a closed body, or has passed through an open one in this step; then its contact is
  // added.
  bool add_crossed(int32_t v, std::span<const Near> near, const ContactRule& rule, bool own);

  // From what is a triangle's closest point now to the vertex when the step began.
  Vec3d way_before(int32_t v, const Near& s) const;
  // On which side of a triangle's closest feature the vertex was when the step began; positive: outside.
  double side_before(int32_t v, std::span<const Near> near, const Near& s) const;

  void count(int32_t v, std::span<const Near> near, const ContactRule& rule, bool own);

  // Of contacts of one vertex: those of negative share, whose friction pushes forward, push by no more than the others
  // resist.
  static void keep_friction_passive(std::span<Contact> contacts);

  // Adds to the term of a feature, if it is one of the last, or makes one.
  void add_term(const Term& term);
  // The terms of edges and corners.
  void take_off(int32_t v, std::span<const Near> near);

  // sign: -1 of what has crossed.
  void add_contact(int32_t v, Feature feature, const Place& place, const ContactRule& rule, bool own, int sign,
                   int share, std::span<const Near> near);

  // Appends a contact, with what the rule says; a, b: the stiffness of its sides [N/m].
  void finish(Contact& contact, const ContactRule& rule, double r, double a, double b);

  static bool lies_inside(std::span<const Inside> all, int32_t vertex, int32_t body) {
    return std::binary_search(all.begin(), all.end(), Inside{vertex, body});
  }
  // Whether a direction from an edge leads below both faces there.
  bool is_below(int32_t edge, Vec3d direction) const;
  // Whether an edge passes through one of the faces at another edge.
  bool pierces(const Edge& e, int32_t edge) const;
  // Whether two edges, on straight ways since the start of the step, have passed through each other.
  bool has_passed(const Edge& e, const Edge& f) const;

  // The squared distance of a point from the faces at an edge, infinite beyond r; 0 where it lies straight above or
  // below one, at this distance or less.
  double nearest_square(int32_t point, int32_t edge, double distance, double r) const;

  // sigma of the excess of an edge pair.
  double excess(const Edge& e, const Edge& f, const CandidatePairs::EdgeEdge& pair, const ContactRule& rule, double r,
                double distance) const;

  const ContactQuery* q_ = nullptr;
  const ContactSurface* surface_ = nullptr;
  std::vector<Contact>* contacts_ = nullptr;
  const CullKernels* kernels_ = nullptr;
  CullInput cull_{};
  std::vector<int32_t> kept_;
  std::vector<uint8_t> is_clear_;  // of each that is kept
  std::vector<Near> near_;
  std::vector<Term> terms_;
  // Edges and points that something has been counted at, and what, by edge and by point; elsewhere it is nothing.
  std::vector<int32_t> edges_, points_, faces_at_;
  std::vector<Tally> tallies_;
};

}  // namespace sinew::contact_finding
