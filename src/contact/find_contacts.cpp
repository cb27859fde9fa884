#include "contact/find_contacts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/cull.h"
#include "contact/distance.h"
#include "math/length.h"

namespace sinew {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
// Within a body, the radius is at most this share of the distance at rest.
constexpr double rest_share = 0.9;
// What lies inside its own body by this share of its distance at rest, or more, lies there as it was built.
constexpr double own_inside_share = 0.02;
// The excess at which the weight of an edge pair becomes linear, and the share below which it is left out.
constexpr double excess_ramp = 0.3, least_excess = 1e-6;
// Candidates that one thread takes at a time.
constexpr int64_t find_chunk = 1024;

double radius_of(const ContactRule& rule) {
  return rule.law == ContactLaw::penalty ? 0 : rule.radius;
}
// [m] How deep inside a body a vertex is found in any case.
double sure_depth_of(const ContactQuery& query, const ContactRule& rule) {
  if (query.depth > 0) return query.depth;
  return rule.law == ContactLaw::penalty ? infinite : query.reach * rule.radius;
}

// Sorts few items by insertion.
template <class T, class Less>
void sort_few(std::vector<T>& items, const Less& less) {
  if (items.size() > 32) return std::sort(items.begin(), items.end(), less);
  for (size_t k = 1; k < items.size(); ++k) {
    const T item = items[k];
    size_t to = k;
    for (; to > 0 && less(item, items[to - 1]); --to) items[to] = items[to - 1];
    items[to] = item;
  }
}

// A face, an edge or a corner of the surface, whichever triangle it is seen from: 3 number + kind, by the number of the
// triangle, the edge or the point.
enum FeatureKind : int { on_face, on_edge, on_corner };
using Feature = int64_t;
Feature feature_of(FeatureKind kind, int32_t number) {
  return 3 * int64_t{number} + kind;
}
FeatureKind kind_of(Feature feature) {
  return static_cast<FeatureKind>(feature % 3);
}
int32_t number_of(Feature feature) {
  return static_cast<int32_t>(feature / 3);
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

  void begin(const ContactQuery& query, std::vector<Contact>* contacts) {
    q_ = &query;
    surface_ = query.surface;
    contacts_ = contacts;
    kernels_ = cull_kernels_with_lanes(0);
    cull_ = cull_input(query, 0);
    if (contacts == &found) found.clear();
    inside.clear();
    counts = {0, 0, infinite, 0};
  }
  int64_t found_count() const { return static_cast<int64_t>(contacts_->size()); }

  void add_plane(const VertexPlane& pair) {
    const ContactPlane& plane = q_->planes[static_cast<size_t>(pair.plane)];
    const ContactPlane& plane_before = q_->planes_before[static_cast<size_t>(pair.plane)];
    const ContactBody& body = surface_->bodies[static_cast<size_t>(body_of(pair.vertex))];
    const ContactRule& rule = surface_->rules[static_cast<size_t>(body.group * surface_->group_count + plane.group)];
    if (!rule.touches) return;
    const Vec3d x = q_->x[pair.vertex];
    const double d = dot(plane.normal, x - plane.point);
    const double r = radius_of(rule);
    if (!(d < q_->reach * r) || (rule.law == ContactLaw::penalty && d >= 0)) return;
    Contact contact;
    contact.kind = ContactKind::vertex_plane;
    contact.first = pair.vertex;
    contact.second = pair.plane;
    contact.place = x;
    set_end(contact, 0, pair.vertex, 1);
    ContactNumbers<double>& n = contact.numbers;
    n.normal = plane.normal;
    n.distance = d;
    n.slip = (x - q_->before[pair.vertex]) - carried(x - d * plane.normal, plane, plane_before);
    n.share = 1;
    finish(contact, rule, r, side(pair.vertex), infinite);
  }

  // All pairs of some vertices.
  void add_vertices(std::span<const CandidatePairs::VertexTriangle> pairs) {
    kept_.resize(pairs.size() + cull_batch);
    const auto count = static_cast<size_t>(
        kernels_->vertex_triangle(cull_, pairs.data(), static_cast<int32_t>(pairs.size()), kept_.data()));
    for (size_t first = 0; first < count;) {
      const int32_t v = pairs[static_cast<size_t>(kept_[first])].vertex;
      size_t last = first + 1;
      while (last < count && pairs[static_cast<size_t>(kept_[last])].vertex == v) ++last;
      add_vertex(pairs, std::span(kept_).subspan(first, last - first));
      first = last;
    }
  }

  // all_inside: of all vertices, ascending; is_inside: by point.
  void add_edges(std::span<const CandidatePairs::EdgeEdge> pairs, std::span<const Inside> all_inside,
                 std::span<const uint8_t> is_inside) {
    kept_.resize(pairs.size() + cull_batch);
    const int32_t count = kernels_->edge_edge(cull_, pairs.data(), static_cast<int32_t>(pairs.size()), kept_.data());
    for (int32_t k = 0; k < count; ++k)
      add_edge_pair(pairs[static_cast<size_t>(kept_[static_cast<size_t>(k)])], all_inside, is_inside);
  }

 private:
  // The pairs of one vertex.
  void add_vertex(std::span<const CandidatePairs::VertexTriangle> pairs, std::span<const int32_t> kept) {
    const int32_t v = pairs[static_cast<size_t>(kept.front())].vertex;
    near_.clear();
    const Vec3d p = q_->x[v];
    const int32_t own_body = body_of(v);
    int32_t body = -1;
    bool one_body = true;
    double limit = 0;  // squared
    for (const int32_t number : kept) {
      const CandidatePairs::VertexTriangle& pair = pairs[static_cast<size_t>(number)];
      const Triangle& t = triangle(pair.triangle);
      if (const int32_t other = body_of(t[0]); other != body) {
        body = other;
        limit = surface_->may_touch(own_body, body) ? square_limit(own_body, body) : 0;
      }
      const Vec3d a = q_->x[t[0]], b = q_->x[t[1]], c = q_->x[t[2]];
      const TriangleFoot<double> foot = closest_on_triangle(p, a, b, c);
      const Vec3d way = foot.weights[0] * (p - a) + foot.weights[1] * (p - b) + foot.weights[2] * (p - c);
      const double square = dot(way, way);
      if (!(square < limit)) continue;
      one_body = one_body && (near_.empty() || near_.back().body == body);
      near_.push_back({pair.triangle, body, foot, way, square});
    }
    if (near_.empty()) return;
    const auto before = [](const Near& a, const Near& b) {
      return a.body != b.body ? a.body < b.body : a.triangle < b.triangle;
    };
    if (!one_body || !std::is_sorted(near_.begin(), near_.end(), before)) sort_few(near_, before);
    for (size_t first = 0; first < near_.size();) {
      size_t last = first + 1;
      while (last < near_.size() && near_[last].body == near_[first].body) ++last;
      add_body(v, std::span(near_).subspan(first, last - first));
      first = last;
    }
  }

  void add_edge_pair(const CandidatePairs::EdgeEdge& pair, std::span<const Inside> all_inside,
                     std::span<const uint8_t> is_inside) {
    const double sharp =
        surface_->sharpness[static_cast<size_t>(pair.a)] * surface_->sharpness[static_cast<size_t>(pair.b)];
    if (!(sharp > 0)) return;
    const Edge &e = surface_->edges[static_cast<size_t>(pair.a)], &f = surface_->edges[static_cast<size_t>(pair.b)];
    const int32_t body_e = body_of(e[0]), body_f = body_of(f[0]);
    const ContactRule& rule = surface_->rule(body_e, body_f);
    if (!surface_->may_touch(body_e, body_f) || rule.law == ContactLaw::penalty) return;
    double r = rule.radius;
    const Vec3d a = q_->x[e[0]], b = q_->x[e[1]], c = q_->x[f[0]], d = q_->x[f[1]];
    const LineFeet feet(a, b, c, d);
    // The lines' closest points must be between the ends: at an end, the distance is that of a vertex. What is parallel
    // adds nothing to what its ends see.
    if (!(feet.height * feet.height < q_->reach * q_->reach * r * r * feet.square) || !feet.within()) return;
    const double p = feet.p / feet.square, s = feet.q / feet.square;
    if (!(p > 0 && p < 1 && s > 0 && s < 1)) return;
    const double size = std::sqrt(feet.square);
    double distance = std::abs(feet.height) / size;
    const auto between = [&](Vec3d a0, Vec3d b0, Vec3d c0, Vec3d d0) {
      return (1 - p) * (1 - s) * (a0 - c0) + (1 - p) * s * (a0 - d0) + p * (1 - s) * (b0 - c0) + p * s * (b0 - d0);
    };
    const auto& rest = surface_->rest;
    const auto at_rest = [&](int32_t point) { return rest[static_cast<size_t>(point)]; };
    double rest_distance = infinite;
    if (body_e == body_f) {
      rest_distance = length(between(at_rest(e[0]), at_rest(e[1]), at_rest(f[0]), at_rest(f[1])));
      r = std::min(r, rest_share * rest_distance);
      if (!(distance < q_->reach * r)) return;
    }
    Vec3d normal = ((feet.height < 0 ? -1 : 1) / size) * feet.normal;
    bool crossed = false;
    if (q_->crossings) {
      if (is_closed(body_e) && is_closed(body_f)) {
        for (const int32_t end : e)
          if (is_inside[static_cast<size_t>(end)] && lies_inside(all_inside, end, body_f)) return;
        for (const int32_t end : f)
          if (is_inside[static_cast<size_t>(end)] && lies_inside(all_inside, end, body_e)) return;
        crossed = is_below(pair.b, normal) && is_below(pair.a, -normal) &&
                  distance < own_inside_share * rest_distance && (pierces(e, pair.b) || pierces(f, pair.a));
      } else {
        crossed = has_passed(e, f);
      }
    }
    double share = sharp;
    if (crossed) {
      normal = -normal;
      distance = -distance;
    } else {
      share *= excess(e, f, pair, r, distance);
      if (!(share > least_excess)) return;
    }
    Contact contact;
    contact.kind = ContactKind::edge_edge;
    contact.first = pair.a;
    contact.second = pair.b;
    contact.place = a + p * (b - a);
    set_end(contact, 0, e[0], 1 - p);
    set_end(contact, 1, e[1], p);
    set_end(contact, 2, f[0], s - 1);
    set_end(contact, 3, f[1], -s);
    ContactNumbers<double>& n = contact.numbers;
    n.normal = normal;
    n.distance = distance;
    n.slip = between(a, b, c, d) - between(q_->before[e[0]], q_->before[e[1]], q_->before[f[0]], q_->before[f[1]]);
    n.share = share;
    finish(contact, rule, r, mean(side(e[0]), 1 - p, side(e[1]), p), mean(side(f[0]), 1 - s, side(f[1]), s));
  }

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
  struct Tally {
    int32_t point, sum;
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
    const double limit = std::max(q_->reach * radius_of(rule), q_->crossings ? depth_of(a, b) : 0);
    return limit * limit;
  }

  // Whether the plane of a triangle is farther than the limit from its corner + p; for slivers, which have no reliable
  // plane, false.
  static bool is_beyond(Vec3d p, Vec3d u, Vec3d v, double limit) {
    const Vec3d n = cross(u, v);
    const double square = dot(n, n), height = dot(n, p);
    return height * height > limit * square && square > 1e-12 * dot(u, u) * dot(v, v);
  }

  void set_end(Contact& contact, size_t k, int32_t point, double weight) const {
    contact.slots[k] = point < 0 || surface_->is_collider_point(point) || weight == 0 ? -1 : point;
    contact.numbers.weights[k] = weight;
  }

  // The way of the point of a plane that is at `foot` now, since the start of the step.
  static Vec3d carried(Vec3d foot, const ContactPlane& plane, const ContactPlane& before) {
    const Vec3d arm = foot - plane.point;
    const double along = dot(arm, plane.along), across = dot(arm, cross(plane.normal, plane.along));
    const Vec3d then = before.point + along * before.along + across * cross(before.normal, before.along);
    return foot - then;
  }

  Vec3d area_normal(const PointPositions& x, int32_t t) const {
    const Triangle& c = triangle(t);
    return cross(x[c[1]] - x[c[0]], x[c[2]] - x[c[0]]);
  }
  static Vec3d unit(Vec3d v) {
    const double size = length(v);
    return size > 0 ? (1 / size) * v : Vec3d{};
  }

  Feature feature_at(const Near& near) const {
    const auto t = static_cast<size_t>(near.triangle);
    const auto k = static_cast<size_t>(near.foot.feature);
    if (near.foot.feature == face_inside) return feature_of(on_face, near.triangle);
    return k < edge_01 ? feature_of(on_corner, surface_->triangles[t][k])
                       : feature_of(on_edge, surface_->triangle_edges[t][k - edge_01]);
  }

  // Outward at a feature: the mean of the normals of the triangles at it, by their angle at a corner (Baerentzen &
  // Aanaes 2005, "Signed distance computation using the angle weighted pseudonormal"). `whole`: whether all triangles
  // of a closed surface that are at the feature are near.
  struct Outward {
    Vec3d normal{};
    bool whole = false;
  };
  Outward outward(const PointPositions& x, std::span<const Near> near, Feature feature) const {
    const int32_t number = number_of(feature);
    if (kind_of(feature) == on_face) return {unit(area_normal(x, number)), true};
    Vec3d sum{};
    int sides = 0;
    int32_t odd = 0;  // of the edges at a corner: those of one triangle only
    for (const Near& s : near) {
      const Triangle& t = triangle(s.triangle);
      const std::array<int32_t, 3>& edges = surface_->triangle_edges[static_cast<size_t>(s.triangle)];
      for (size_t k = 0; k < 3; ++k) {
        if (kind_of(feature) == on_edge) {
          if (edges[k] != number) continue;
          sum += unit(area_normal(x, s.triangle));
          ++sides;
        } else if (t[k] == number) {
          const Vec3d p = x[t[(k + 1) % 3]] - x[t[k]], r = x[t[(k + 2) % 3]] - x[t[k]], across = cross(p, r);
          sum += std::atan2(length(across), dot(p, r)) * unit(across);
          odd ^= edges[k] ^ edges[(k + 2) % 3];
        }
      }
    }
    return {unit(sum), kind_of(feature) == on_edge ? sides == 2 : odd == 0};
  }

  // The point of the surface at a feature that is closest to v.
  Place place_at(int32_t v, Feature feature, const Near* near) const {
    Place place;
    const int32_t number = number_of(feature);
    if (kind_of(feature) == on_face) {
      for (size_t k = 0; k < 3; ++k) {
        place.points[k] = triangle(number)[k];
        place.weights[k] = near->foot.weights[k];
      }
      place.way = near->way;
    } else if (kind_of(feature) == on_edge) {
      const Edge& ends = surface_->edges[static_cast<size_t>(number)];
      const Vec3d x = q_->x[v], a = q_->x[ends[0]], b = q_->x[ends[1]];
      const double t = closest_on_segment(x, a, b);
      place = {{ends[0], ends[1], -1}, {1 - t, t, 0}, (1 - t) * (x - a) + t * (x - b)};
    } else {
      place = {{number, -1, -1}, {1, 0, 0}, q_->x[v] - q_->x[number]};
    }
    return place;
  }
  double rest_distance(int32_t v, const Place& place) const {
    const Vec3d x = surface_->rest[static_cast<size_t>(v)];
    Vec3d way{};
    for (size_t k = 0; k < 3; ++k)
      if (place.points[k] >= 0) way += place.weights[k] * (x - surface_->rest[static_cast<size_t>(place.points[k])]);
    return length(way);
  }
  double rest_square(int32_t v, const Near& near) const {
    const Vec3d x = surface_->rest[static_cast<size_t>(v)];
    const Triangle& t = triangle(near.triangle);
    Vec3d way{};
    for (size_t k = 0; k < 3; ++k) way += near.foot.weights[k] * (x - surface_->rest[static_cast<size_t>(t[k])]);
    return dot(way, way);
  }

  // What one vertex meets of one body.
  void add_body(int32_t v, std::span<const Near> near) {
    const int32_t body = near.front().body, own_body = body_of(v);
    const ContactRule& rule = surface_->rule(own_body, body);
    if (q_->crossings && add_crossed(v, near, rule, body == own_body)) return;
    if (rule.law != ContactLaw::penalty) count(v, near, rule, body == own_body);
  }

  // Whether the vertex lies inside a closed body, or has passed through an open one in this step; then its contact is
  // added.
  bool add_crossed(int32_t v, std::span<const Near> near, const ContactRule& rule, bool own) {
    const int32_t body = near.front().body;
    const double depth = depth_of(body_of(v), body);
    const Near* nearest = nullptr;
    for (const Near& s : near) {
      if (!(s.square < depth * depth) || (nearest && s.square >= nearest->square)) continue;
      if (own && !(s.square < own_inside_share * own_inside_share * rest_square(v, s))) continue;
      nearest = &s;
    }
    if (!nearest) return false;
    const Feature feature = feature_at(*nearest);
    const Outward out = outward(q_->x, near, feature);
    const double side_now = dot(out.normal, nearest->way);
    if (is_closed(body)) {
      if (!(side_now < 0) || (own && !out.whole)) return false;
      // Nearer triangles may be no candidates; but it did pass through this one.
      const double sure = sure_depth_of(*q_, rule);
      if (nearest->square > sure * sure && !(side_before(v, near, *nearest) > 0)) return false;
      inside.push_back({v, body});
    } else {
      if (!out.whole) return false;
      if (!(side_now * side_before(v, near, *nearest) < 0)) return false;
    }
    add_contact(v, feature, place_at(v, feature, nearest), rule, own, -1, 1, near);
    return true;
  }

  // On which side of a triangle's closest feature the vertex was when the step began; positive: outside.
  double side_before(int32_t v, std::span<const Near> near, const Near& s) const {
    Vec3d way{};
    for (size_t k = 0; k < 3; ++k) way += s.foot.weights[k] * (q_->before[v] - q_->before[triangle(s.triangle)[k]]);
    return dot(outward(q_->before, near, feature_at(s)).normal, way);
  }

  void count(int32_t v, std::span<const Near> near, const ContactRule& rule, bool own) {
    const double limit = q_->reach * rule.radius, square = limit * limit;
    terms_.clear();
    for (size_t k = 0; k < near.size(); ++k)
      if (near[k].square < square) terms_.push_back({feature_at(near[k]), 1, static_cast<int32_t>(k)});
    if (terms_.empty()) return;
    if (terms_.size() > 1) {
      take_off(v, near);
      sort_few(terms_, [](const Term& a, const Term& b) {
        return a.feature != b.feature ? a.feature < b.feature : a.near < b.near;
      });
    }
    const size_t first_contact = contacts_->size();
    bool negative = false;
    for (size_t first = 0; first < terms_.size();) {
      const Feature feature = terms_[first].feature;
      int32_t share = 0, at = -1;
      for (; first < terms_.size() && terms_[first].feature == feature; ++first) {
        share += terms_[first].share;
        at = terms_[first].near;
      }
      if (share == 0) continue;
      negative = negative || share < 0;
      add_contact(v, feature, place_at(v, feature, at < 0 ? nullptr : &near[static_cast<size_t>(at)]), rule, own, 1,
                  share, near);
    }
    if (negative && rule.friction > 0) keep_friction_passive(std::span(*contacts_).subspan(first_contact));
  }

  // Of contacts of one vertex: those of negative share, whose friction pushes forward, push by no more than the others
  // resist.
  static void keep_friction_passive(std::span<Contact> contacts) {
    double resists = 0, pushes = 0;
    for (const Contact& contact : contacts) {
      const ContactNumbers<double>& n = contact.numbers;
      const Vec3d u = n.slip - dot(n.normal, n.slip) * n.normal;
      const double power = dot(u, contact_force(n, Vec3d{}).force);
      (n.share > 0 ? resists : pushes) += std::abs(power);
    }
    if (!(pushes > resists)) return;
    for (Contact& contact : contacts)
      if (contact.numbers.share < 0) contact.numbers.friction *= resists / pushes;
  }

  // The terms of edges and corners.
  void take_off(int32_t v, std::span<const Near> near) {
    edges_.clear();
    tallies_.clear();
    const size_t faces = terms_.size();
    for (size_t k = 0; k < faces; ++k) {
      const int32_t t = near[static_cast<size_t>(terms_[k].near)].triangle;
      for (const int32_t e : surface_->triangle_edges[static_cast<size_t>(t)]) edges_.push_back(e);
      for (const int32_t p : triangle(t)) tallies_.push_back({p, -1});
    }
    sort_few(edges_, std::less<>());
    for (size_t first = 0; first < edges_.size();) {
      const int32_t e = edges_[first];
      int32_t others = -1;
      for (; first < edges_.size() && edges_[first] == e; ++first) ++others;
      if (others == 0) continue;
      const Edge& ends = surface_->edges[static_cast<size_t>(e)];
      for (const int32_t p : ends) tallies_.push_back({p, others});
      const double t = closest_on_segment(q_->x[v], q_->x[ends[0]], q_->x[ends[1]]);
      const Feature feature = t <= 0   ? feature_of(on_corner, ends[0])
                              : t >= 1 ? feature_of(on_corner, ends[1])
                                       : feature_of(on_edge, e);
      terms_.push_back({feature, -others, -1});
    }
    sort_few(tallies_, [](const Tally& a, const Tally& b) { return a.point < b.point; });
    for (size_t first = 0; first < tallies_.size();) {
      const int32_t p = tallies_[first].point;
      int32_t kappa = 1;
      for (; first < tallies_.size() && tallies_[first].point == p; ++first) kappa += tallies_[first].sum;
      if (kappa != 0) terms_.push_back({feature_of(on_corner, p), kappa, -1});
    }
  }

  // sign: -1 of what has crossed.
  void add_contact(int32_t v, Feature feature, const Place& place, const ContactRule& rule, bool own, int sign,
                   int share, std::span<const Near> near) {
    const double distance = length(place.way);
    double r = radius_of(rule);
    if (own) r = std::min(r, rest_share * rest_distance(v, place));
    if (sign > 0 && !(distance < q_->reach * r)) return;
    Contact contact;
    contact.kind = ContactKind::vertex_triangle;
    contact.first = v;
    contact.second = feature;
    contact.place = q_->x[v];
    set_end(contact, 0, v, 1);
    double other = 0, size = 0;
    Vec3d before{};
    for (size_t k = 0; k < 3; ++k) {
      const double w = place.weights[k];
      const int32_t point = place.points[k];
      set_end(contact, k + 1, point, -w);
      if (w == 0) continue;
      other += w * side(point);
      before += w * (q_->before[v] - q_->before[point]);
      const Vec3d arm = q_->x[v] - q_->x[point];
      size += std::abs(arm.x) + std::abs(arm.y) + std::abs(arm.z);
    }
    ContactNumbers<double>& n = contact.numbers;
    // The direction of a way that is all round-off says nothing.
    n.normal = distance > 1e-11 * size ? (sign / distance) * place.way : outward(q_->x, near, feature).normal;
    n.distance = sign * distance;
    n.slip = place.way - before;
    n.share = share;
    finish(contact, rule, r, side(v), other);
  }

  void finish(Contact& contact, const ContactRule& rule, double r, double a, double b) {
    ContactNumbers<double>& n = contact.numbers;
    if (contact.slots[0] < 0 && contact.slots[1] < 0 && contact.slots[2] < 0 && contact.slots[3] < 0) return;
    const double harmonic = 2 / (1 / a + 1 / b);
    n.law.radius = r;
    n.law.stiffness = rule.stiffness > 0 ? rule.stiffness : harmonic;
    n.law.floor = rule.law == ContactLaw::penalty ? r / 2 : q_->floor * r;
    n.friction = rule.friction;
    n.creep = rule.friction_speed * q_->clock;
    n.hold = rule.form == FrictionForm::stick ? n.law.stiffness : 0;
    counts.touching += n.distance < r ? 1 : 0;
    counts.penetrating += n.distance < 0 ? 1 : 0;
    counts.smallest_gap = std::min(counts.smallest_gap, n.distance);
    counts.deepest = std::max(counts.deepest, -n.distance);
    contacts_->push_back(contact);
  }

  static bool lies_inside(std::span<const Inside> all, int32_t vertex, int32_t body) {
    return std::binary_search(all.begin(), all.end(), Inside{vertex, body});
  }
  // Whether a direction from an edge leads below both faces there.
  bool is_below(int32_t edge, Vec3d direction) const {
    for (const int32_t t : surface_->edge_triangles[static_cast<size_t>(edge)])
      if (t < 0 || !(dot(area_normal(q_->x, t), direction) < 0)) return false;
    return true;
  }
  // Whether an edge passes through one of the faces at another edge.
  bool pierces(const Edge& e, int32_t edge) const {
    const Vec3d a = q_->x[e[0]], b = q_->x[e[1]];
    for (const int32_t t : surface_->edge_triangles[static_cast<size_t>(edge)]) {
      const Triangle& corners = triangle(t);
      const Vec3d p = q_->x[corners[0]], n = area_normal(q_->x, t);
      if (!(dot(n, a - p) * dot(n, b - p) < 0)) continue;
      int sides = 0;
      for (size_t k = 0; k < 3; ++k)
        sides += dot(b - a, cross(q_->x[corners[k]] - a, q_->x[corners[(k + 1) % 3]] - a)) > 0 ? 1 : -1;
      if (sides == 3 || sides == -3) return true;
    }
    return false;
  }
  // Whether two edges, on straight ways since the start of the step, have passed through each other.
  bool has_passed(const Edge& e, const Edge& f) const {
    const auto at = [&](int32_t point, double time) { return (1 - time) * q_->before[point] + time * q_->x[point]; };
    const auto lines = [&](double time) {
      return LineFeet(at(e[0], time), at(e[1], time), at(f[0], time), at(f[1], time));
    };
    double early = 0, late = 1;
    const double start = lines(early).height;
    if (!(start * lines(late).height < 0)) return false;
    for (int k = 0; k < 30; ++k) {
      const double middle = (early + late) / 2;
      (start * lines(middle).height > 0 ? early : late) = middle;
    }
    return lines(late).within();
  }

  // Whether a point lies straight above or below a face at an edge, at this distance or less.
  bool lies_over(int32_t point, int32_t edge, double distance) const {
    for (const int32_t t : surface_->edge_triangles[static_cast<size_t>(edge)]) {
      if (t < 0) continue;
      const Triangle& c = triangle(t);
      if (point == c[0] || point == c[1] || point == c[2]) continue;
      const Vec3d p = q_->x[point], a = q_->x[c[0]] - p, b = q_->x[c[1]] - p, g = q_->x[c[2]] - p;
      const Vec3d n = cross(b - a, g - a);
      const double height = dot(n, a);
      if (height * height <= distance * distance * dot(n, n) && dot(n, cross(a, b)) > 0 && dot(n, cross(b, g)) > 0 &&
          dot(n, cross(g, a)) > 0)
        return true;
    }
    return false;
  }

  // sigma of the excess of an edge pair.
  double excess(const Edge& e, const Edge& f, const CandidatePairs::EdgeEdge& pair, double r, double distance) const {
    const LawNumbers<double> law{r, 1, q_->floor * r};
    const double own = law_energy(law, distance);
    if (!(own > 0)) return 0;
    for (const int32_t p : e)
      if (lies_over(p, pair.b, distance)) return 0;
    for (const int32_t p : f)
      if (lies_over(p, pair.a, distance)) return 0;
    double fourth = 0;
    const auto sees_less = [&](int32_t point, int32_t edge) {
      double least = infinite;
      for (const int32_t t : surface_->edge_triangles[static_cast<size_t>(edge)]) {
        if (t < 0) continue;
        const Triangle& c = triangle(t);
        // Of its own body: a vertex has no contact with its own triangles.
        if (point == c[0] || point == c[1] || point == c[2]) continue;
        const Vec3d p = q_->x[point], a = q_->x[c[0]], b = q_->x[c[1]], g = q_->x[c[2]];
        if (is_beyond(p - a, b - a, g - a, r * r)) continue;
        const TriangleFoot<double> foot = closest_on_triangle(p, a, b, g);
        const Vec3d way = foot.weights[0] * (p - a) + foot.weights[1] * (p - b) + foot.weights[2] * (p - g);
        least = std::min(least, dot(way, way));
      }
      if (!(least < r * r)) return true;
      least = std::sqrt(least);
      if (least <= distance) return false;
      const double phi = law_energy(law, least) / own;
      fourth += phi * phi * phi * phi;
      return true;
    };
    for (const int32_t p : e)
      if (!sees_less(p, pair.b)) return 0;
    for (const int32_t p : f)
      if (!sees_less(p, pair.a)) return 0;
    const double u = 1 - std::sqrt(std::sqrt(fourth));
    if (!(u > 0)) return 0;
    return (u < excess_ramp ? u * u / (2 * excess_ramp) : u - excess_ramp / 2) / (1 - excess_ramp / 2);
  }

  const ContactQuery* q_ = nullptr;
  const ContactSurface* surface_ = nullptr;
  std::vector<Contact>* contacts_ = nullptr;
  const CullKernels* kernels_ = nullptr;
  CullInput cull_{};
  std::vector<int32_t> kept_;
  std::vector<Near> near_;
  std::vector<Term> terms_;
  std::vector<int32_t> edges_;
  std::vector<Tally> tallies_;
};

// What a thread has found in a chunk.
struct FoundChunk {
  int thread;
  int64_t first, last;
};

}  // namespace

struct FindScratch::Buffers {
  std::vector<Finder> finders;
  std::vector<FoundChunk> chunks;
  std::vector<Inside> inside;
  std::vector<uint8_t> is_inside;

  // Runs find(finder, first, last) over [0, count) in chunks. The contacts are in the order of the chunks, behind those
  // there are.
  template <class Find>
  void in_chunks(ThreadPool& pool, int64_t count, std::vector<Contact>& contacts, const Find& find) {
    const int64_t chunk_count = (count + find_chunk - 1) / find_chunk;
    chunks.resize(static_cast<size_t>(chunk_count));
    pool.parallel_for(chunk_count, 1, [&](int thread, int64_t first, int64_t last) {
      Finder& finder = finders[static_cast<size_t>(thread)];
      for (int64_t k = first; k < last; ++k) {
        FoundChunk& chunk = chunks[static_cast<size_t>(k)];
        chunk.thread = thread;
        chunk.first = finder.found_count();
        find(finder, k * find_chunk, std::min(count, (k + 1) * find_chunk));
        chunk.last = finder.found_count();
      }
    });
    if (pool.size() == 1) return;
    for (const FoundChunk& chunk : chunks) {
      const auto from = finders[static_cast<size_t>(chunk.thread)].found.begin();
      contacts.insert(contacts.end(), from + chunk.first, from + chunk.last);
    }
  }
};

CullInput cull_input(const ContactQuery& query, double slack) {
  const ContactSurface& surface = *query.surface;
  double reach = 0, depth = 0;
  for (const ContactRule& rule : surface.rules) {
    if (!rule.touches) continue;
    reach = std::max(reach, query.reach * radius_of(rule));
    if (query.crossings) depth = std::max(depth, sure_depth_of(query, rule));
  }
  CullInput input;
  input.slots = query.x.slots.data();
  input.colliders = query.x.colliders.data();
  input.slot_count = static_cast<int32_t>(query.x.slots.size());
  input.triangles = surface.triangles.data();
  input.edges = surface.edges.data();
  input.sharpness = surface.sharpness.data();
  input.body_of = surface.body_of.data();
  input.rest = surface.rest.data();
  input.motion = query.crossings && !query.motion.empty() ? query.motion.data() : nullptr;
  input.reach = reach + 2 * slack;
  input.depth = depth + 2 * slack;
  input.own_share = own_inside_share;
  input.own_slack = 2 * slack;
  input.points_move = slack > 0;
  return input;
}

FindScratch::FindScratch() : buffers(std::make_unique<Buffers>()) {}
FindScratch::~FindScratch() = default;

void find_contacts(const ContactQuery& query, ThreadPool& pool, std::vector<Contact>& contacts, ContactCounts* counts,
                   FindScratch* scratch) {
  thread_local FindScratch kept;
  FindScratch::Buffers& buffers = scratch ? *scratch->buffers : *kept.buffers;
  contacts.clear();
  buffers.finders.resize(static_cast<size_t>(pool.size()));
  for (Finder& finder : buffers.finders) finder.begin(query, pool.size() == 1 ? &contacts : &finder.found);

  const std::span<const CandidatePairs::VertexTriangle> pairs = query.pairs->vertex_triangle;
  const auto pair_count = static_cast<int64_t>(pairs.size());
  buffers.in_chunks(pool, pair_count, contacts, [&](Finder& finder, int64_t first, int64_t last) {
    // Pairs of one vertex are together: they belong to the chunk in which they begin.
    const auto starts = [&](int64_t k) {
      return k == 0 || pairs[static_cast<size_t>(k)].vertex != pairs[static_cast<size_t>(k - 1)].vertex;
    };
    while (first < last && !starts(first)) ++first;
    if (first == last) return;
    while (last < pair_count && !starts(last)) ++last;
    finder.add_vertices(pairs.subspan(static_cast<size_t>(first), static_cast<size_t>(last - first)));
  });
  buffers.in_chunks(pool, static_cast<int64_t>(query.vertex_planes.size()), contacts,
                    [&](Finder& finder, int64_t first, int64_t last) {
                      for (int64_t k = first; k < last; ++k)
                        finder.add_plane(query.vertex_planes[static_cast<size_t>(k)]);
                    });

  std::vector<Inside>& inside = buffers.inside;
  inside.clear();
  for (const Finder& finder : buffers.finders) inside.insert(inside.end(), finder.inside.begin(), finder.inside.end());
  std::sort(inside.begin(), inside.end());
  buffers.is_inside.resize(query.surface->rest.size(), 0);
  for (const Inside& i : inside) buffers.is_inside[static_cast<size_t>(i.vertex)] = 1;
  const std::span<const CandidatePairs::EdgeEdge> edge_pairs = query.pairs->edge_edge;
  buffers.in_chunks(
      pool, static_cast<int64_t>(edge_pairs.size()), contacts, [&](Finder& finder, int64_t first, int64_t last) {
        finder.add_edges(edge_pairs.subspan(static_cast<size_t>(first), static_cast<size_t>(last - first)), inside,
                         buffers.is_inside);
      });
  for (const Inside& i : inside) buffers.is_inside[static_cast<size_t>(i.vertex)] = 0;

  if (!counts) return;
  *counts = {0, 0, infinite, 0};
  for (const Finder& finder : buffers.finders) {
    counts->touching += finder.counts.touching;
    counts->penetrating += finder.counts.penetrating;
    counts->smallest_gap = std::min(counts->smallest_gap, finder.counts.smallest_gap);
    counts->deepest = std::max(counts->deepest, finder.counts.deepest);
  }
}

}  // namespace sinew
