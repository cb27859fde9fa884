// Pairs of edges: what they add to what their ends see.
#include <algorithm>
#include <cmath>

#include "contact/contact_finder.h"

namespace sinew::contact_finding {
namespace {

// The excess at which the weight of an edge pair becomes linear, and the share below which it is left out.
constexpr double excess_ramp = 0.3, least_excess = 1e-6;

}  // namespace

void Finder::add_edges(std::span<const CandidatePairs::EdgeEdge> pairs, std::span<const Inside> all_inside,
                       std::span<const uint8_t> is_inside) {
  kept_.resize(pairs.size() + cull_batch);
  const int32_t count = kernels_->edge_edge(cull_, pairs.data(), static_cast<int32_t>(pairs.size()), kept_.data());
  for (int32_t k = 0; k < count; ++k)
    add_edge_pair(pairs[static_cast<size_t>(kept_[static_cast<size_t>(k)])], all_inside, is_inside);
}

void Finder::add_edge_pair(const CandidatePairs::EdgeEdge& pair, std::span<const Inside> all_inside,
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
  if (!rule.apart) {
    if (is_closed(body_e) && is_closed(body_f)) {
      for (const int32_t end : e)
        if (is_inside[static_cast<size_t>(end)] && lies_inside(all_inside, end, body_f)) return;
      for (const int32_t end : f)
        if (is_inside[static_cast<size_t>(end)] && lies_inside(all_inside, end, body_e)) return;
      crossed = is_below(pair.b, normal) && is_below(pair.a, -normal) && distance < own_inside_share * rest_distance &&
                (pierces(e, pair.b) || pierces(f, pair.a));
    } else {
      crossed = has_passed(e, f);
    }
  }
  double share = sharp;
  if (crossed) {
    normal = -normal;
    distance = -distance;
  } else {
    share *= excess(e, f, pair, rule, r, distance);
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

double Finder::nearest_square(int32_t point, int32_t edge, double distance, double r) const {
  double least = infinite;
  for (const int32_t t : surface_->edge_triangles[static_cast<size_t>(edge)]) {
    if (t < 0) continue;
    const Triangle& c = triangle(t);
    // Of its own body: a vertex has no contact with its own triangles.
    if (point == c[0] || point == c[1] || point == c[2]) continue;
    const Vec3d p = q_->x[point], a = q_->x[c[0]] - p, b = q_->x[c[1]] - p, g = q_->x[c[2]] - p;
    const Vec3d u = b - a, v = g - a, n = cross(u, v);
    const double square = dot(n, n), height = dot(n, a);
    const bool over = dot(n, cross(a, b)) > 0 && dot(n, cross(b, g)) > 0 && dot(n, cross(g, a)) > 0;
    if (over && height * height <= distance * distance * square) return 0;
    // A sliver has no reliable plane.
    if (square > 1e-12 * dot(u, u) * dot(v, v)) {
      if (height * height > r * r * square) continue;
      if (over) {
        least = std::min(least, height * height / square);
        continue;
      }
    }
    const TriangleFoot<double> foot = closest_on_triangle(Vec3d{}, a, b, g);
    const Vec3d way = foot.weights[0] * a + foot.weights[1] * b + foot.weights[2] * g;
    least = std::min(least, dot(way, way));
  }
  return least;
}

double Finder::excess(const Edge& e, const Edge& f, const CandidatePairs::EdgeEdge& pair, const ContactRule& rule,
                      double r, double distance) const {
  const LawNumbers<double> law{r, 1, floor_of(rule) * r};
  const double own = law_energy(law, distance);
  if (!(own > 0)) return 0;
  double fourth = 0;
  const auto sees_less = [&](int32_t point, int32_t edge) {
    const double square = nearest_square(point, edge, distance, r);
    if (!(square < r * r)) return true;
    if (square <= distance * distance) return false;
    const double phi = law_energy(law, std::sqrt(square)) / own;
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

}  // namespace sinew::contact_finding
