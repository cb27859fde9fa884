#include "compile/placed_surfaces.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "contact/contact_sides.h"
#include "contact/contacts.h"
#include "contact/solid_angle.h"
#include "math/length.h"
#include "mesh/crossing_triangles.h"

namespace sinew {
namespace {

// [m] Signs are exact for coordinates that are 0 or not below this (mesh/exact_sign.h).
constexpr double smallest = 1e-90;

std::vector<Vec3d> without_dust(std::vector<Vec3d> points) {
  for (Vec3d& p : points)
    for (double* const c : {&p.x, &p.y, &p.z})
      if (std::abs(*c) < smallest) *c = 0;
  return points;
}

}  // namespace

PlacedSurfaces::PlacedSurfaces(const ContactSurface& surface, std::vector<Vec3d> points,
                               std::vector<ContactPlane> planes, ThreadPool& pool)
    : surface_(surface), points_(std::move(points)), planes_(std::move(planes)), pool_(pool) {
  triangles_of_.resize(surface_.bodies.size());
  for (size_t t = 0; t < surface_.triangles.size(); ++t) {
    const size_t body = body_of(surface_.triangles[t][0]);
    triangles_of_[body].push_back(static_cast<int32_t>(t));
    of_bodies_.push_back(surface_.bodies[body].collider ? 0 : 1);
  }
}

const ContactRule& PlacedSurfaces::rule_of(MeetingPair pair) const {
  const auto group = [&](int32_t of) {
    return is_body(of) ? surface_.bodies[static_cast<size_t>(of)].group : object_of(of);
  };
  return surface_.rules[static_cast<size_t>(group(pair.first) * surface_.group_count + group(pair.second))];
}

bool PlacedSurfaces::is_below(int32_t body, const ContactPlane& plane) const {
  return std::any_of(surface_.vertices.begin(), surface_.vertices.end(), [&](int32_t v) {
    return body_of(v) == static_cast<size_t>(body) && dot(plane.normal, at(v) - plane.point) < 0;
  });
}

std::vector<std::pair<int32_t, int32_t>> PlacedSurfaces::crossings() const {
  std::vector<std::pair<int32_t, int32_t>> pairs;
  for (const auto& [a, b] : meeting_triangles(without_dust(points_), surface_.triangles, pool_, nullptr, of_bodies_))
    pairs.push_back({a, b});
  return pairs;
}

Meetings PlacedSurfaces::meetings() const {
  Meetings all;
  for (const auto& [a, b] : crossings()) {
    const int32_t of_a = body_at(a), of_b = body_at(b), first = std::min(of_a, of_b), second = std::max(of_a, of_b);
    if (!surface_.may_touch(first, second)) continue;
    Meeting& meeting = all[{first, second}];
    const bool swapped = of_a != first;
    const int32_t t = swapped ? b : a, u = swapped ? a : b;
    if (meeting.count++ == 0) {
      meeting.triangle_a = t;
      meeting.triangle_b = u;
      meeting.place = 0.5 * (middle(t) + middle(u));
    }
    meeting.across += normal(u) - normal(t);
  }
  add_inside(all);
  add_below(all);
  return all;
}

Vec3d PlacedSurfaces::middle(int32_t triangle) const {
  const Triangle& t = surface_.triangles[static_cast<size_t>(triangle)];
  return (1.0 / 3) * (at(t[0]) + at(t[1]) + at(t[2]));
}
Vec3d PlacedSurfaces::normal(int32_t triangle) const {
  const Triangle& t = surface_.triangles[static_cast<size_t>(triangle)];
  const Vec3d area = cross(at(t[1]) - at(t[0]), at(t[2]) - at(t[0]));
  const double size = length(area);
  return size > 0 ? (1 / size) * area : Vec3d{};
}

// How often a surface encloses a place that is not on it: the sum of the solid angles of its triangles over 4 pi.
double PlacedSurfaces::winding(int32_t body, Vec3d place, Vec3d moved) const {
  double angle = 0;
  for (const int32_t k : triangles_of(body)) {
    const Triangle& t = surface_.triangles[static_cast<size_t>(k)];
    angle += solid_angle(at(t[0]) + moved - place, at(t[1]) + moved - place, at(t[2]) + moved - place);
  }
  return angle / (4 * std::numbers::pi);
}

PlacedSurfaces::Extent PlacedSurfaces::extent_of(int32_t body) const {
  Extent extent;
  const Vec3d o = at(some_point(body));
  for (const int32_t k : triangles_of(body)) {
    const Triangle& t = surface_.triangles[static_cast<size_t>(k)];
    for (const int32_t p : t) extent.box.add(at(p));
    extent.volume += dot(at(t[0]) - o, cross(at(t[1]) - o, at(t[2]) - o)) / 6;
  }
  return extent;
}

// Whether a place is inside a body whose surface it is not on. moved [m]: of the body.
bool PlacedSurfaces::encloses(int32_t body, const Extent& extent, Vec3d place, Vec3d moved) const {
  const ContactBody& of = surface_.bodies[static_cast<size_t>(body)];
  if (!of.closed) return false;
  const Vec3d p = place - moved, low = extent.box.low, high = extent.box.high;
  const bool near = low.x <= p.x && p.x <= high.x && low.y <= p.y && p.y <= high.y && low.z <= p.z && p.z <= high.z;
  const bool inside = near && std::abs(winding(body, place, moved)) > 0.5;
  // A collider that faces inwards is solid outside; a body that starts mirrored is not.
  return of.collider && extent.volume < 0 ? !inside : inside;
}

// Bodies of which no triangles meet: one lies inside the other if any of its vertices does.
void PlacedSurfaces::add_inside(Meetings& all) const {
  const auto count = static_cast<int32_t>(triangles_of_.size());
  std::vector<Extent> extents;
  for (int32_t k = 0; k < count; ++k) extents.push_back(extent_of(k));
  const auto extent = [&](int32_t body) -> const Extent& { return extents[static_cast<size_t>(body)]; };
  for (int32_t a = 0; a < count; ++a)
    for (int32_t b = a + 1; b < count; ++b) {
      const MeetingPair pair{a, b};
      if (!surface_.may_touch(a, b) || all.contains(pair)) continue;
      const Vec3d of_a = at(some_point(a)), of_b = at(some_point(b));
      if (encloses(b, extent(b), of_a))
        all[pair] = {.place = of_a, .count = 1};
      else if (encloses(a, extent(a), of_b))
        all[pair] = {.place = of_b, .count = 1};
    }
}

// Of each pair, what lies deepest below a plane; of equal depths the first plane.
void PlacedSurfaces::add_below(Meetings& all) const {
  for (const int32_t v : surface_.vertices) {
    if (surface_.is_collider_point(v)) continue;
    const auto body = static_cast<int32_t>(body_of(v));
    for (const ContactPlane& plane : planes_) {
      const double depth = -dot(plane.normal, at(v) - plane.point);
      if (!(depth > 0) || !surface_.rule(body, plane).touches) continue;
      Meeting& meeting = all[{body, number_of_planes_of(plane)}];
      ++meeting.count;
      if (depth <= meeting.depth) continue;
      meeting.depth = depth;
      meeting.place = at(v);
      meeting.across = plane.normal;
    }
  }
}

std::map<MeetingPair, Gap> PlacedSurfaces::gaps(std::span<const IgnoredPair> ignored) const {
  Contacts contacts(surface_, std::vector<double>(static_cast<size_t>(surface_.slot_count), 1), {}, pool_);
  const std::span<const Vec3d> all(points_), slots = all.first(static_cast<size_t>(surface_.slot_count)),
                                             colliders = all.subspan(slots.size());
  contacts.ignore(ignored);
  contacts.begin_step(slots, colliders, colliders, planes_, planes_, 1);
  contacts.detect(slots, slots, pool_);
  std::vector<Contact> found;
  contacts.find(slots, pool_, found, nullptr);
  std::map<MeetingPair, Gap> near;
  for (const Contact& contact : found) {
    const ContactNumbers<double>& n = contact.numbers;
    if (!(n.share > 0) || !(n.distance < n.law.radius)) continue;
    const std::array<SideOfContact, 2> both = sides_of(surface_, contact);
    const auto number = [&](SideOfContact side) {
      return side.body >= 0 ? side.body : static_cast<int32_t>(surface_.bodies.size()) + side.object;
    };
    int32_t first = number(both[0]), second = number(both[1]);
    if (first == second) continue;  // within a body the radius is below what there is at rest
    Vec3d normal = n.normal;
    if (first > second) {
      std::swap(first, second);
      normal = -normal;
    }
    const Gap gap{n.distance, n.law.radius, normal};
    const auto [entry, is_new] = near.try_emplace({first, second}, gap);
    if (!is_new && gap.radius - gap.gap > entry->second.radius - entry->second.gap) entry->second = gap;
  }
  return near;
}

bool PlacedSurfaces::are_apart(MeetingPair pair, Vec3d moved) const {
  const auto [a, b] = pair;
  std::vector<Vec3d> points;
  std::vector<Triangle> triangles;
  for (const int32_t body : {a, b})
    for (const int32_t k : triangles_of(body)) {
      const auto first = static_cast<int32_t>(points.size());
      for (const int32_t p : surface_.triangles[static_cast<size_t>(k)])
        points.push_back(body == a ? at(p) + moved : at(p));
      triangles.push_back({first, first + 1, first + 2});
    }
  // Only where the boxes overlap can triangles of both meet; those of one body share no corners here. The smaller
  // surface asks, so that a crowd of triangles at a corner of the other costs little.
  const size_t first_of_b = triangles_of(a).size();
  const bool a_asks = 2 * first_of_b <= triangles.size();
  std::vector<uint8_t> asking(triangles.size(), a_asks ? 0 : 1);
  std::fill_n(asking.begin(), first_of_b, a_asks ? 1 : 0);
  for (const auto& [t, u] : meeting_triangles(without_dust(points), triangles, pool_, nullptr, asking))
    if ((static_cast<size_t>(t) < first_of_b) != (static_cast<size_t>(u) < first_of_b)) return false;
  return !encloses(b, extent_of(b), at(some_point(a)) + moved) && !encloses(a, extent_of(a), at(some_point(b)), moved);
}

double PlacedSurfaces::way_out(MeetingPair pair, Vec3d way) const {
  double low = Bounds::infinity, high = -Bounds::infinity;
  for (const int32_t k : triangles_of(pair.first))
    for (const int32_t p : surface_.triangles[static_cast<size_t>(k)]) low = std::min(low, dot(way, at(p)));
  for (const int32_t k : triangles_of(pair.second))
    for (const int32_t p : surface_.triangles[static_cast<size_t>(k)]) high = std::max(high, dot(way, at(p)));
  return std::max(high - low, 0.0);
}

}  // namespace sinew
