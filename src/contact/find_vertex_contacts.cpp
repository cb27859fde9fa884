// What a vertex touches: of each body near it, counted once whatever its tessellation.
#include <algorithm>
#include <cmath>
#include <utility>

#include "contact/contact_finder.h"

namespace sinew::contact_finding {
namespace {

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

}  // namespace

void Finder::add_plane(const VertexPlane& pair) {
  const ContactPlane& plane = q_->planes[static_cast<size_t>(pair.plane)];
  const ContactPlane& plane_before = q_->planes_before[static_cast<size_t>(pair.plane)];
  const ContactRule& rule = surface_->rule(body_of(pair.vertex), plane);
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

void Finder::add_vertices(std::span<const CandidatePairs::VertexTriangle> pairs) {
  kept_.resize(pairs.size() + cull_batch);
  is_clear_.resize(kept_.size());
  if (!q_->vertex_squares.empty())
    cull_.vertex_squares = q_->vertex_squares.data() + (pairs.data() - q_->pairs->vertex_triangle.data());
  const auto count = static_cast<size_t>(kernels_->vertex_triangle(
      cull_, pairs.data(), static_cast<int32_t>(pairs.size()), kept_.data(), is_clear_.data()));
  for (size_t first = 0; first < count;) {
    const int32_t v = pairs[static_cast<size_t>(kept_[first])].vertex;
    size_t last = first + 1;
    while (last < count && pairs[static_cast<size_t>(kept_[last])].vertex == v) ++last;
    if (!touches_nothing(pairs, first, last)) add_vertex(pairs, std::span(kept_).subspan(first, last - first));
    first = last;
  }
}

// What is beyond the reach of all triangles, and above their planes, is above the mean of their normals.
bool Finder::touches_nothing(std::span<const CandidatePairs::VertexTriangle> pairs, size_t first, size_t last) const {
  for (size_t k = first; k < last; ++k)
    if (!is_clear_[k] || !is_closed(body_of(triangle(pairs[static_cast<size_t>(kept_[k])].triangle)[0]))) return false;
  return true;
}

void Finder::add_vertex(std::span<const CandidatePairs::VertexTriangle> pairs, std::span<const int32_t> kept) {
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

Vec3d Finder::carried(Vec3d foot, const ContactPlane& plane, const ContactPlane& before) {
  const Vec3d arm = foot - plane.point;
  const double along = dot(arm, plane.along), across = dot(arm, cross(plane.normal, plane.along));
  const Vec3d then = before.point + along * before.along + across * cross(before.normal, before.along);
  return foot - then;
}

Feature Finder::feature_at(const Near& near) const {
  const auto t = static_cast<size_t>(near.triangle);
  const auto k = static_cast<size_t>(near.foot.feature);
  if (near.foot.feature == face_inside) return {on_face, near.triangle};
  return k < edge_01 ? Feature{on_corner, surface_->triangles[t][k]}
                     : Feature{on_edge, surface_->triangle_edges[t][k - edge_01]};
}

Finder::Outward Finder::outward(const PointPositions& x, std::span<const Near> near, Feature feature) const {
  const auto [kind, number] = feature;
  if (kind == on_face) return {unit(area_normal(x, number)), true};
  Vec3d sum{};
  int sides = 0;
  int32_t odd = 0;  // of the edges at a corner: those of one triangle only
  for (const Near& s : near) {
    const Triangle& t = triangle(s.triangle);
    const std::array<int32_t, 3>& edges = surface_->triangle_edges[static_cast<size_t>(s.triangle)];
    for (size_t k = 0; k < 3; ++k) {
      if (kind == on_edge) {
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
  return {unit(sum), kind == on_edge ? sides == 2 : odd == 0};
}

Finder::Place Finder::place_at(int32_t v, Feature feature, const Near* near) const {
  Place place;
  const auto [kind, number] = feature;
  if (kind == on_face) {
    for (size_t k = 0; k < 3; ++k) {
      place.points[k] = triangle(number)[k];
      place.weights[k] = near->foot.weights[k];
    }
    place.way = near->way;
  } else if (kind == on_edge) {
    const Edge& ends = surface_->edges[static_cast<size_t>(number)];
    const Vec3d x = q_->x[v], a = q_->x[ends[0]], b = q_->x[ends[1]];
    const double t = closest_on_segment(x, a, b);
    place = {{ends[0], ends[1], -1}, {1 - t, t, 0}, (1 - t) * (x - a) + t * (x - b)};
  } else {
    place = {{number, -1, -1}, {1, 0, 0}, q_->x[v] - q_->x[number]};
  }
  return place;
}

double Finder::rest_distance(int32_t v, const Place& place) const {
  const Vec3d x = surface_->rest[static_cast<size_t>(v)];
  Vec3d way{};
  for (size_t k = 0; k < 3; ++k)
    if (place.points[k] >= 0) way += place.weights[k] * (x - surface_->rest[static_cast<size_t>(place.points[k])]);
  return length(way);
}

double Finder::rest_square(int32_t v, const Near& near) const {
  const Vec3d x = surface_->rest[static_cast<size_t>(v)];
  const Triangle& t = triangle(near.triangle);
  Vec3d way{};
  for (size_t k = 0; k < 3; ++k) way += near.foot.weights[k] * (x - surface_->rest[static_cast<size_t>(t[k])]);
  return dot(way, way);
}

void Finder::add_body(int32_t v, std::span<const Near> near) {
  const int32_t body = near.front().body, own_body = body_of(v);
  const ContactRule& rule = surface_->rule(own_body, body);
  if (!rule.apart && add_crossed(v, near, rule, body == own_body)) return;
  if (rule.law != ContactLaw::penalty) count(v, near, rule, body == own_body);
}

void Finder::count(int32_t v, std::span<const Near> near, const ContactRule& rule, bool own) {
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

void Finder::keep_friction_passive(std::span<Contact> contacts) {
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

void Finder::add_term(const Term& term) {
  constexpr size_t looked_at = 16;
  const size_t last = terms_.size(), first = last - std::min(last, looked_at);
  for (size_t k = last; k-- > first;) {
    if (terms_[k].feature != term.feature) continue;
    terms_[k].share += term.share;
    return;
  }
  terms_.push_back(term);
}

void Finder::take_off(int32_t v, std::span<const Near> near) {
  edges_.clear();
  points_.clear();
  const auto add_to = [&](int32_t point, int32_t sum) {
    Tally& tally = tallies_[static_cast<size_t>(point)];
    if (!tally.any) points_.push_back(point);
    tally = {tally.sum + sum, true};
  };
  const size_t faces = terms_.size();
  for (size_t k = 0; k < faces; ++k) {
    const int32_t t = near[static_cast<size_t>(terms_[k].near)].triangle;
    for (const int32_t e : surface_->triangle_edges[static_cast<size_t>(t)])
      if (faces_at_[static_cast<size_t>(e)]++ == 0) edges_.push_back(e);
    for (const int32_t p : triangle(t)) add_to(p, -1);
  }
  const Vec3d x = q_->x[v];
  for (const int32_t e : edges_) {
    const int32_t others = std::exchange(faces_at_[static_cast<size_t>(e)], 0) - 1;
    if (others == 0) continue;
    const Edge& ends = surface_->edges[static_cast<size_t>(e)];
    for (const int32_t p : ends) add_to(p, others);
    // Where closest_on_segment is.
    const Vec3d a = q_->x[ends[0]], ab = q_->x[ends[1]] - a;
    const double square = dot(ab, ab), along = dot(x - a, ab);
    const Feature feature = !(along > 0) || !(square > 0) ? Feature{on_corner, ends[0]}
                            : along >= square             ? Feature{on_corner, ends[1]}
                                                          : Feature{on_edge, e};
    add_term({feature, -others, -1});
  }
  for (const int32_t p : points_) {
    const int32_t kappa = 1 + std::exchange(tallies_[static_cast<size_t>(p)], {}).sum;
    if (kappa != 0) add_term({{on_corner, p}, kappa, -1});
  }
}

void Finder::add_contact(int32_t v, Feature feature, const Place& place, const ContactRule& rule, bool own, int sign,
                         int share, std::span<const Near> near) {
  const double distance = length(place.way);
  double r = radius_of(rule);
  if (own) r = std::min(r, rest_share * rest_distance(v, place));
  if (sign > 0 && !(distance < q_->reach * r)) return;
  Contact contact;
  contact.kind = ContactKind::vertex_triangle;
  contact.first = v;
  contact.second = name_of(feature);
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

}  // namespace sinew::contact_finding
