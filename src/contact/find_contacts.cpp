#include "contact/find_contacts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/distance.h"

namespace sinew {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
// Within a body, the radius is at most this share of the distance at rest.
constexpr double rest_share = 0.9;
// What lies inside its own body by less than this share of its distance at rest lies there as it was built.
constexpr double own_inside_share = 0.5;
// The excess at which the weight of an edge pair becomes linear.
constexpr double excess_ramp = 0.3;
// Vertices that one thread takes at a time.
constexpr int64_t chunk = 256;

double length(Vec3d v) {
  return std::sqrt(dot(v, v));
}

// The features of a triangle as an edge and a corner are named, whichever triangle they are seen from.
struct Feature {
  enum Kind { face, edge, corner } kind;
  int32_t number;  // of the triangle, of the edge, or the point

  bool operator==(const Feature&) const = default;
};

class Finder {
 public:
  explicit Finder(const ContactQuery& query) : q_(query), surface_(*query.surface), anywhere_(query.crossings) {}

  std::vector<Contact> contacts;
  std::vector<int32_t> inside;  // points inside a body

  // The pairs of one vertex.
  void add_vertex(std::span<const CandidatePairs::VertexTriangle> pairs) {
    const int32_t v = pairs.front().vertex;
    seen_.clear();
    for (const CandidatePairs::VertexTriangle& pair : pairs) {
      const Triangle& t = triangle(pair.triangle);
      const Vec3d a = q_.x[t[0]], b = q_.x[t[1]], c = q_.x[t[2]], p = q_.x[v];
      const TriangleFoot<double> foot = closest_on_triangle(p, a, b, c);
      const Vec3d way = foot.weights[0] * (p - a) + foot.weights[1] * (p - b) + foot.weights[2] * (p - c);
      const int32_t body = body_of(t[0]);
      const ContactRule& rule = surface_.rule(body_of(v), body);
      if (surface_.may_touch(body_of(v), body)) seen_.push_back({pair.triangle, body, foot, way, length(way), &rule});
    }
    if (seen_.empty()) return;
    std::stable_sort(seen_.begin(), seen_.end(), [](const Seen& a, const Seen& b) { return a.body < b.body; });
    for (size_t first = 0; first < seen_.size();) {
      size_t last = first + 1;
      while (last < seen_.size() && seen_[last].body == seen_[first].body) ++last;
      add_body(v, std::span(seen_).subspan(first, last - first));
      first = last;
    }
  }

  void add_plane(const VertexPlane& pair) {
    const ContactPlane& plane = q_.planes[static_cast<size_t>(pair.plane)];
    const ContactPlane& plane_before = q_.planes_before[static_cast<size_t>(pair.plane)];
    const ContactBody& body = surface_.bodies[static_cast<size_t>(body_of(pair.vertex))];
    const ContactRule& rule = surface_.rules[static_cast<size_t>(body.group * surface_.group_count + plane.group)];
    if (!rule.touches) return;
    const Vec3d x = q_.x[pair.vertex];
    const double d = dot(plane.normal, x - plane.point);
    const double r = radius_of(rule);
    if (!(d < q_.reach * r) || (rule.law == ContactLaw::penalty && d >= 0)) return;
    Contact contact;
    contact.kind = ContactKind::vertex_plane;
    contact.first = pair.vertex;
    contact.second = pair.plane;
    contact.place = x;
    set_end(contact, 0, pair.vertex, 1);
    ContactNumbers<double>& n = contact.numbers;
    n.normal = plane.normal;
    n.distance = d;
    n.slip = (x - q_.before[pair.vertex]) - carried(x - d * plane.normal, plane, plane_before);
    n.share = 1;
    finish(contact, rule, r, side(pair.vertex), infinite);
  }

  void add_edges(const CandidatePairs::EdgeEdge& pair, std::span<const uint8_t> is_inside) {
    const double sharp =
        surface_.sharpness[static_cast<size_t>(pair.a)] * surface_.sharpness[static_cast<size_t>(pair.b)];
    if (!(sharp > 0)) return;
    const Edge &e = surface_.edges[static_cast<size_t>(pair.a)], &f = surface_.edges[static_cast<size_t>(pair.b)];
    const int32_t body_e = body_of(e[0]), body_f = body_of(f[0]);
    const ContactRule& rule = surface_.rule(body_e, body_f);
    if (!surface_.may_touch(body_e, body_f) || rule.law == ContactLaw::penalty) return;
    const Vec3d a = q_.x[e[0]], b = q_.x[e[1]], c = q_.x[f[0]], d = q_.x[f[1]];
    const SegmentFeet<double> feet = closest_on_segments(a, b, c, d);
    const double p = feet.p, s = feet.q;
    const auto between = [&](Vec3d a0, Vec3d b0, Vec3d c0, Vec3d d0) {
      return (1 - p) * (1 - s) * (a0 - c0) + (1 - p) * s * (a0 - d0) + p * (1 - s) * (b0 - c0) + p * s * (b0 - d0);
    };
    Vec3d way = between(a, b, c, d);
    double distance = length(way);
    double r = radius_of(rule);
    if (!(distance < q_.reach * r)) return;
    // With a foot at an end, the distance is that of a vertex.
    if (p <= 0 || p >= 1 || s <= 0 || s >= 1) return;
    if (body_e == body_f) {
      r = std::min(r, rest_share * rest_distance(e, f));
      if (!(distance < q_.reach * r)) return;
    }
    const Vec3d way_before = between(q_.before[e[0]], q_.before[e[1]], q_.before[f[0]], q_.before[f[1]]);
    double share = sharp;
    Vec3d normal = distance > 0 ? (1 / distance) * way : edge_normal(b - a, d - c, way_before);
    const bool crossed = anywhere_ && dot(normal, way_before) < 0;
    if (crossed) {
      normal = -normal;
      distance = -distance;
    } else {
      if (anywhere_)
        for (const int32_t point : {e[0], e[1], f[0], f[1]})
          if (is_inside[static_cast<size_t>(point)]) return;
      share *= excess(e, f, pair, r, distance);
      if (!(share > 1e-6)) return;
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
    n.slip = way - way_before;
    n.share = share;
    finish(contact, rule, r, mean(side(e[0]), 1 - p, side(e[1]), p), mean(side(f[0]), 1 - s, side(f[1]), s));
  }

 private:
  struct Seen {
    int32_t triangle, body;
    TriangleFoot<double> foot;
    Vec3d way;  // from the closest point to the vertex
    double distance;
    const ContactRule* rule;
  };
  struct Counted {
    Feature feature;
    int share = 0;
    double distance = infinite, radius = infinite;
    int32_t triangle = 0;
    TriangleFoot<double> foot{};
    Vec3d way{};
  };

  const Triangle& triangle(int32_t t) const { return surface_.triangles[static_cast<size_t>(t)]; }
  int32_t body_of(int32_t point) const { return surface_.body_of[static_cast<size_t>(point)]; }
  double side(int32_t point) const {
    return surface_.is_collider_point(point) ? infinite : q_.stiffness[static_cast<size_t>(point)];
  }
  static double mean(double k, double w, double l, double v) { return (w > 0 ? w * k : 0) + (v > 0 ? v * l : 0); }
  double radius_of(const ContactRule& rule) const { return rule.law == ContactLaw::penalty ? 0 : rule.radius; }

  void set_end(Contact& contact, size_t k, int32_t point, double weight) const {
    contact.slots[k] = surface_.is_collider_point(point) || weight == 0 ? -1 : point;
    contact.numbers.weights[k] = weight;
  }

  // The way of the point of a plane that is at `foot` now, since the start of the step.
  static Vec3d carried(Vec3d foot, const ContactPlane& plane, const ContactPlane& before) {
    const Vec3d arm = foot - plane.point;
    const double along = dot(arm, plane.along), across = dot(arm, cross(plane.normal, plane.along));
    const Vec3d then = before.point + along * before.along + across * cross(before.normal, before.along);
    return foot - then;
  }

  // A unit vector across both edges, on the side where they were.
  static Vec3d edge_normal(Vec3d e, Vec3d f, Vec3d before) {
    Vec3d n = cross(e, f);
    if (!(dot(n, n) > 1e-24 * dot(e, e) * dot(f, f))) n = before;
    const double size = length(n);
    if (!(size > 0)) return {0, 0, 0};
    return (dot(n, before) < 0 ? -1 / size : 1 / size) * n;
  }

  double rest_distance(const Edge& e, const Edge& f) const {
    const auto at = [&](int32_t point) { return surface_.rest[static_cast<size_t>(point)]; };
    const Vec3d a = at(e[0]), b = at(e[1]), c = at(f[0]), d = at(f[1]);
    const SegmentFeet<double> feet = closest_on_segments(a, b, c, d);
    return length((a + feet.p * (b - a)) - (c + feet.q * (d - c)));
  }
  double rest_distance(int32_t v, int32_t t) const {
    const auto at = [&](int32_t point) { return surface_.rest[static_cast<size_t>(point)]; };
    const Triangle& corners = triangle(t);
    const Vec3d p = at(v), a = at(corners[0]), b = at(corners[1]), c = at(corners[2]);
    const TriangleFoot<double> foot = closest_on_triangle(p, a, b, c);
    return length(foot.weights[0] * (p - a) + foot.weights[1] * (p - b) + foot.weights[2] * (p - c));
  }

  Vec3d area_normal(int32_t t) const {
    const Triangle& c = triangle(t);
    return cross(q_.x[c[1]] - q_.x[c[0]], q_.x[c[2]] - q_.x[c[0]]);
  }
  static Vec3d unit(Vec3d v) {
    const double size = length(v);
    return size > 0 ? (1 / size) * v : Vec3d{};
  }

  static Feature feature_of(const ContactSurface& surface, int32_t t, TriangleFeature f) {
    const auto k = static_cast<size_t>(t);
    if (f == face_inside) return {Feature::face, t};
    if (f < edge_01) return {Feature::corner, surface.triangles[k][static_cast<size_t>(f)]};
    return {Feature::edge, surface.triangle_edges[k][static_cast<size_t>(f - edge_01)]};
  }

  // Outward at a feature: the mean of the normals of the triangles at it that are near, by their angle at a corner
  // (Baerentzen & Aanaes 2005, "Signed distance computation using the angle weighted pseudonormal").
  Vec3d outward(std::span<const Seen> near, Feature feature) const {
    Vec3d sum{};
    for (const Seen& s : near) {
      const Triangle& t = triangle(s.triangle);
      const Vec3d n = unit(area_normal(s.triangle));
      if (feature.kind == Feature::face) {
        if (s.triangle == feature.number) return n;
        continue;
      }
      for (size_t k = 0; k < 3; ++k) {
        if (feature.kind == Feature::edge) {
          if (surface_.triangle_edges[static_cast<size_t>(s.triangle)][k] == feature.number) sum += n;
        } else if (t[k] == feature.number) {
          const Vec3d p = q_.x[t[(k + 1) % 3]] - q_.x[t[k]], r = q_.x[t[(k + 2) % 3]] - q_.x[t[k]];
          const Vec3d across = cross(p, r);
          sum += std::atan2(length(across), dot(p, r)) * n;
        }
      }
    }
    return unit(sum);
  }

  // What one vertex meets of one body.
  void add_body(int32_t v, std::span<const Seen> near) {
    const ContactRule& rule = *near.front().rule;
    const int32_t body = near.front().body;
    const bool own = body == body_of(v);
    const Seen& nearest = *std::min_element(near.begin(), near.end(),
                                            [](const Seen& a, const Seen& b) { return a.distance < b.distance; });
    if (anywhere_ && surface_.bodies[static_cast<size_t>(body)].closed) {
      const Feature feature = feature_of(surface_, nearest.triangle, nearest.foot.feature);
      const Vec3d out = outward(near, feature);
      const bool is_inside = dot(out, nearest.way) < 0;
      const bool as_built = own && nearest.distance >= own_inside_share * rest_distance(v, nearest.triangle);
      if (is_inside && !as_built) {
        inside.push_back(v);
        add_contact(v, nearest, feature, rule, radius_of(rule), -nearest.distance, 1, out);
        return;
      }
      if (is_inside) return;
    }
    if (rule.law == ContactLaw::penalty) return;
    count(v, near, rule, own);
  }

  void count(int32_t v, std::span<const Seen> all, const ContactRule& rule, bool own) {
    counted_.clear();
    near_.clear();
    const double whole = rule.radius;
    for (const Seen& s : all) {
      if (!(s.distance < q_.reach * whole)) continue;
      near_.push_back(s);
      Counted& c = entry(feature_of(surface_, s.triangle, s.foot.feature));
      ++c.share;
      if (c.share == 1 || s.distance < c.distance) {
        c.distance = s.distance;
        c.triangle = s.triangle;
        c.foot = s.foot;
        c.way = s.way;
      }
    }
    if (near_.empty()) return;
    if (near_.size() > 1 || near_.front().foot.feature != face_inside) take_off(v);
    for (const Counted& c : counted_) {
      if (c.share == 0 || !(c.distance < q_.reach * whole)) continue;
      double r = whole;
      if (own) r = std::min(r, rest_share * rest_distance(v, c.triangle));
      if (!(c.distance < q_.reach * r)) continue;
      const Seen seen{c.triangle, body_of(triangle(c.triangle)[0]), c.foot, c.way, c.distance, &rule};
      add_contact(v, seen, c.feature, rule, r, c.distance, c.share, {});
    }
  }

  // The terms of edges and corners.
  void take_off(int32_t v) {
    edges_.clear();
    corners_.clear();
    for (const Seen& s : near_) {
      for (const int32_t e : surface_.triangle_edges[static_cast<size_t>(s.triangle)]) raise(edges_, e, s.triangle);
      for (const int32_t p : triangle(s.triangle)) raise(corners_, p, s.triangle);
    }
    for (Tally& p : corners_) p.sum = 1 - p.count;
    for (const Tally& e : edges_) {
      const Edge& ends = surface_.edges[static_cast<size_t>(e.number)];
      for (Tally& p : corners_)
        if (p.number == ends[0] || p.number == ends[1]) p.sum += e.count - 1;
      if (e.count == 1) continue;
      const double t = closest_on_segment(q_.x[v], q_.x[ends[0]], q_.x[ends[1]]);
      const Feature feature = t <= 0   ? Feature{Feature::corner, ends[0]}
                              : t >= 1 ? Feature{Feature::corner, ends[1]}
                                       : Feature{Feature::edge, e.number};
      subtract(v, feature, e.triangle, e.count - 1);
    }
    for (const Tally& p : corners_)
      if (p.sum != 0) subtract(v, {Feature::corner, p.number}, p.triangle, -p.sum);
  }

  struct Tally {
    int32_t number, triangle;
    int count, sum;
  };
  static void raise(std::vector<Tally>& tallies, int32_t number, int32_t triangle) {
    for (Tally& t : tallies) {
      if (t.number != number) continue;
      ++t.count;
      return;
    }
    tallies.push_back({number, triangle, 1, 0});
  }

  Counted& entry(Feature feature) {
    for (Counted& c : counted_)
      if (c.feature == feature) return c;
    counted_.push_back({feature});
    return counted_.back();
  }
  void subtract(int32_t v, Feature feature, int32_t t, int share) {
    Counted& c = entry(feature);
    c.share -= share;
    if (c.distance < infinite) return;
    // Not the closest feature of any of its triangles.
    c.triangle = t;
    const Triangle& corners = triangle(t);
    c.foot = {{0, 0, 0}, corner_0};
    if (feature.kind == Feature::corner) {
      for (size_t k = 0; k < 3; ++k)
        if (corners[k] == feature.number) c.foot = foot_at(k, 1, k);
    } else {
      for (size_t k = 0; k < 3; ++k) {
        if (surface_.triangle_edges[static_cast<size_t>(t)][k] != feature.number) continue;
        const double along = closest_on_segment(q_.x[v], q_.x[corners[k]], q_.x[corners[(k + 1) % 3]]);
        c.foot = foot_at(k, 1 - along, (k + 1) % 3);
        c.foot.feature = static_cast<TriangleFeature>(edge_01 + static_cast<int>(k));
      }
    }
    c.way = {};
    for (size_t k = 0; k < 3; ++k) c.way += c.foot.weights[k] * (q_.x[v] - q_.x[corners[k]]);
    c.distance = length(c.way);
  }
  static TriangleFoot<double> foot_at(size_t k, double weight, size_t l) {
    TriangleFoot<double> foot{{0, 0, 0}, static_cast<TriangleFeature>(k)};
    foot.weights[k] = weight;
    if (l != k) foot.weights[l] = 1 - weight;
    return foot;
  }

  void add_contact(int32_t v, const Seen& seen, Feature feature, const ContactRule& rule, double r, double d, int share,
                   Vec3d out) {
    const Triangle& t = triangle(seen.triangle);
    Contact contact;
    contact.kind = ContactKind::vertex_triangle;
    contact.first = v;
    contact.second = 3 * int64_t{feature.number} + feature.kind;
    contact.place = q_.x[v];
    set_end(contact, 0, v, 1);
    double other = 0;
    Vec3d before{};
    for (size_t k = 0; k < 3; ++k) {
      const double w = seen.foot.weights[k];
      set_end(contact, k + 1, t[k], -w);
      if (w != 0) other += w * side(t[k]);
      before += w * (q_.before[v] - q_.before[t[k]]);
    }
    ContactNumbers<double>& n = contact.numbers;
    n.normal = seen.distance > 0 ? ((d < 0 ? -1 : 1) / seen.distance) * seen.way : out;
    if (dot(n.normal, n.normal) == 0) n.normal = unit(area_normal(seen.triangle));
    n.distance = d;
    n.slip = seen.way - before;
    n.share = share;
    finish(contact, rule, r, side(v), other);
  }

  void finish(Contact& contact, const ContactRule& rule, double r, double a, double b) {
    ContactNumbers<double>& n = contact.numbers;
    if (contact.slots[0] < 0 && contact.slots[1] < 0 && contact.slots[2] < 0 && contact.slots[3] < 0) return;
    const double harmonic = 2 / (1 / a + 1 / b);
    n.law.radius = r;
    n.law.stiffness = rule.stiffness > 0 ? rule.stiffness : harmonic;
    n.law.floor = rule.law == ContactLaw::penalty ? r / 2 : q_.floor * r;
    n.friction = rule.friction;
    n.creep = rule.friction_speed * q_.clock;
    contacts.push_back(contact);
  }

  // sigma of the excess of an edge pair.
  double excess(const Edge& e, const Edge& f, const CandidatePairs::EdgeEdge& pair, double r, double distance) const {
    const LawNumbers<double> law{r, 1, q_.floor * r};
    const double own = law_energy(law, distance);
    if (!(own > 0)) return 0;
    double fourth = 0;
    const auto end = [&](int32_t point, int32_t edge) {
      double least = infinite;
      for (const int32_t t : surface_.edge_triangles[static_cast<size_t>(edge)]) {
        if (t < 0) continue;
        const Triangle& c = triangle(t);
        const Vec3d p = q_.x[point], a = q_.x[c[0]], b = q_.x[c[1]], g = q_.x[c[2]];
        const TriangleFoot<double> foot = closest_on_triangle(p, a, b, g);
        least =
            std::min(least, length(foot.weights[0] * (p - a) + foot.weights[1] * (p - b) + foot.weights[2] * (p - g)));
      }
      const double phi = law_energy(law, least);
      fourth += phi * phi * phi * phi;
    };
    for (const int32_t p : e) end(p, pair.b);
    for (const int32_t p : f) end(p, pair.a);
    const double u = 1 - std::sqrt(std::sqrt(fourth)) / own;
    if (!(u > 0)) return 0;
    return (u < excess_ramp ? u * u / (2 * excess_ramp) : u - excess_ramp / 2) / (1 - excess_ramp / 2);
  }

  const ContactQuery& q_;
  const ContactSurface& surface_;
  bool anywhere_;
  std::vector<Seen> seen_, near_;
  std::vector<Counted> counted_;
  std::vector<Tally> edges_, corners_;
};

// Runs find(finder, first, last) over [0, count) in chunks; appends what each has found, in the order of the chunks.
template <class Find>
void in_chunks(const ContactQuery& query, ThreadPool& pool, int64_t count, std::vector<Contact>& contacts,
               std::vector<int32_t>* inside, const Find& find) {
  const int64_t chunks = (count + chunk - 1) / chunk;
  std::vector<Finder> finders(static_cast<size_t>(chunks), Finder(query));
  pool.parallel_for(chunks, 1, [&](int64_t first, int64_t last) {
    for (int64_t k = first; k < last; ++k)
      find(finders[static_cast<size_t>(k)], k * chunk, std::min(count, (k + 1) * chunk));
  });
  for (const Finder& finder : finders) {
    contacts.insert(contacts.end(), finder.contacts.begin(), finder.contacts.end());
    if (inside) inside->insert(inside->end(), finder.inside.begin(), finder.inside.end());
  }
}

}  // namespace

void find_contacts(const ContactQuery& query, ThreadPool& pool, std::vector<Contact>& contacts, ContactCounts* counts) {
  contacts.clear();
  const auto& vertex_pairs = query.pairs->vertex_triangle;
  // The pairs of each vertex.
  std::vector<size_t> begin;
  for (size_t k = 0; k < vertex_pairs.size(); ++k)
    if (k == 0 || vertex_pairs[k].vertex != vertex_pairs[k - 1].vertex) begin.push_back(k);
  begin.push_back(vertex_pairs.size());
  std::vector<int32_t> inside;
  in_chunks(query, pool, static_cast<int64_t>(begin.size()) - 1, contacts, &inside,
            [&](Finder& finder, int64_t first, int64_t last) {
              for (auto k = static_cast<size_t>(first); k < static_cast<size_t>(last); ++k)
                finder.add_vertex(std::span(vertex_pairs).subspan(begin[k], begin[k + 1] - begin[k]));
            });
  in_chunks(query, pool, static_cast<int64_t>(query.vertex_planes.size()), contacts, nullptr,
            [&](Finder& finder, int64_t first, int64_t last) {
              for (int64_t k = first; k < last; ++k) finder.add_plane(query.vertex_planes[static_cast<size_t>(k)]);
            });
  std::vector<uint8_t> is_inside(query.pairs->edge_edge.empty() ? 0 : query.surface->rest.size(), 0);
  if (!is_inside.empty())
    for (const int32_t v : inside) is_inside[static_cast<size_t>(v)] = 1;
  in_chunks(query, pool, static_cast<int64_t>(query.pairs->edge_edge.size()), contacts, nullptr,
            [&](Finder& finder, int64_t first, int64_t last) {
              for (int64_t k = first; k < last; ++k)
                finder.add_edges(query.pairs->edge_edge[static_cast<size_t>(k)], is_inside);
            });
  if (!counts) return;
  *counts = {0, 0, infinite, 0};
  for (const Contact& contact : contacts) {
    const double d = contact.numbers.distance;
    counts->touching += d < contact.numbers.law.radius ? 1 : 0;
    counts->penetrating += d < 0 ? 1 : 0;
    counts->smallest_gap = std::min(counts->smallest_gap, d);
    counts->deepest = std::max(counts->deepest, -d);
  }
}

}  // namespace sinew
