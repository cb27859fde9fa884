#include "contact/contacts.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "base/byte_lists.h"
#include "base/stopwatch.h"
#include "contact/add_pairs.h"
#include "contact/carry.h"
#include "contact/moved_planes.h"

namespace sinew {
namespace {

// Contacts are found up to this many radii, and vertices may leave their motion by this share of one before the next
// detection.
constexpr double reach_radii = 1.25, slack_radii = 0.5;
// [-] The floor of the offset law in radii, where surfaces may cross: with a lower one, contact below it is so stiff
// that sweeps over bodies that hit each other blow up. And where they may not, so low that it is never reached.
constexpr double crossing_floor = 0.4, least_floor = 1e-6;
// [-] The radius of the penalty law is 0; what it looks for is found within this share of the mean edge.
constexpr double penalty_share = 0.25;
// Where more than one of so many points have left their boxes, all are looked at again.
constexpr size_t most_grown = 8;

double mean_edge(const ContactSurface& surface) {
  double sum = 0;
  for (const Edge& e : surface.edges) {
    const Vec3d d = surface.rest[static_cast<size_t>(e[1])] - surface.rest[static_cast<size_t>(e[0])];
    sum += std::sqrt(dot(d, d));
  }
  return surface.edges.empty() ? 0 : sum / static_cast<double>(surface.edges.size());
}

std::vector<BodyMotion> motion_of_bodies(const ContactSurface& surface, PointPositions from, PointPositions to) {
  std::vector<BodyMotion> motion(surface.bodies.size());
  std::vector<int32_t> points(motion.size(), 0);
  for (const int32_t v : surface.vertices) {
    const auto b = static_cast<size_t>(surface.body_of[static_cast<size_t>(v)]);
    motion[b].mean += to[v] - from[v];
    ++points[b];
  }
  for (size_t b = 0; b < motion.size(); ++b)
    if (points[b] > 0) motion[b].mean = (1.0 / points[b]) * motion[b].mean;
  for (const int32_t v : surface.vertices) {
    BodyMotion& m = motion[static_cast<size_t>(surface.body_of[static_cast<size_t>(v)])];
    const Vec3d rest = to[v] - from[v] - m.mean;
    m.rest = std::max(m.rest, dot(rest, rest));
  }
  for (BodyMotion& m : motion) m.rest = std::sqrt(m.rest);
  return motion;
}

// Drops the pairs of two bodies for which it says so.
template <class OfBodies>
void drop(CandidatePairs& pairs, const ContactSurface& surface, const OfBodies& of_bodies) {
  const auto of_points = [&](int32_t p, int32_t q) {
    return of_bodies(surface.body_of[static_cast<size_t>(p)], surface.body_of[static_cast<size_t>(q)]);
  };
  std::erase_if(pairs.vertex_triangle, [&](const CandidatePairs::VertexTriangle& p) {
    return of_points(p.vertex, surface.triangles[static_cast<size_t>(p.triangle)][0]);
  });
  std::erase_if(pairs.edge_edge, [&](const CandidatePairs::EdgeEdge& p) {
    return of_points(surface.edges[static_cast<size_t>(p.a)][0], surface.edges[static_cast<size_t>(p.b)][0]);
  });
}

double largest_coordinate(std::span<const Vec3d> x) {
  double size = 0;
  for (const Vec3d& p : x) size = std::max({size, std::abs(p.x), std::abs(p.y), std::abs(p.z)});
  return size;
}

bool is_same_place(const ContactPlane& a, const ContactPlane& b) {
  return is_same_place(a.point, b.point) && is_same_place(a.normal, b.normal);
}

}  // namespace

Contacts::Contacts(ContactSurface surface, std::vector<double> stiffness, const ContactOptions& options,
                   ThreadPool& pool)
    : surface_(std::move(surface)), stiffness_(std::move(stiffness)), options_(options) {
  double radius = surface_.largest_radius();
  for (const ContactRule& rule : surface_.rules)
    if (rule.touches && rule.law == ContactLaw::penalty) radius = std::max(radius, penalty_share * mean_edge(surface_));
  reach_ = reach_radii * radius;
  slack_ = slack_radii * radius;
  for (int32_t b = 0; b < static_cast<int32_t>(surface_.bodies.size()); ++b)
    all_touch_themselves_ = all_touch_themselves_ && surface_.may_touch(b, b);
  sticks_ = std::any_of(surface_.rules.begin(), surface_.rules.end(),
                        [](const ContactRule& r) { return r.touches && r.form == FrictionForm::stick; });
  keeps_apart_ = surface_.keeps_any_apart();
  all_kept_apart_ = std::all_of(surface_.rules.begin(), surface_.rules.end(),
                                [](const ContactRule& r) { return !r.touches || r.apart; });
  if (!surface_.triangles.empty()) tree_.build(surface_, pool);
}

void Contacts::begin_step(std::span<const Vec3d> x_prev, std::span<const Vec3d> colliders_before,
                          std::span<const Vec3d> colliders_now, std::span<const ContactPlane> planes_before,
                          std::span<const ContactPlane> planes_now, double clock, std::span<const ColliderPath> paths) {
  x_prev = of_slots(x_prev);
  x_prev_.assign(x_prev.begin(), x_prev.end());
  if (keeps_apart_) {
    collider_targets_.assign(colliders_now.begin(), colliders_now.end());
    if (colliders_now_.empty()) colliders_now_.assign(colliders_before.begin(), colliders_before.end());
    colliders_before_ = colliders_now_;
    behind_ = !std::equal(colliders_now_.begin(), colliders_now_.end(), colliders_before.begin(),
                          colliders_before.end(), [](Vec3d a, Vec3d b) { return is_same_place(a, b); });
    paths_.assign(paths.begin(), paths.end());
    for (const ColliderPath& path : paths_) reached(path);
    plane_targets_.assign(planes_now.begin(), planes_now.end());
    if (planes_now_.empty()) planes_now_.assign(planes_before.begin(), planes_before.end());
    planes_before_ = planes_now_;
    behind_ = behind_ || !std::equal(planes_now_.begin(), planes_now_.end(), planes_before.begin(), planes_before.end(),
                                     [](const ContactPlane& a, const ContactPlane& b) { return is_same_place(a, b); });
  } else {
    colliders_before_.assign(colliders_before.begin(), colliders_before.end());
    colliders_now_.assign(colliders_now.begin(), colliders_now.end());
    planes_before_.assign(planes_before.begin(), planes_before.end());
    planes_now_.assign(planes_now.begin(), planes_now.end());
  }
  clock_ = clock;
}

// Where the collider of a path is; it begins where its script has it.
ColliderPlace& Contacts::reached(const ColliderPath& path) {
  const auto found = std::find_if(reached_.begin(), reached_.end(),
                                  [&](const Reached& r) { return r.first_point == path.first_point; });
  if (found != reached_.end()) return found->place;
  return reached_.emplace_back(Reached{path.first_point, path.before}).place;
}

void Contacts::move_planes() {
  const double least = least_gap(surface_.largest_radius(), largest_coordinate(from_), true);
  for (size_t first = 0, last = 0; first < planes_now_.size(); first = last) {
    bool there = true;
    for (; last < planes_now_.size() && planes_now_[last].collider == planes_now_[first].collider; ++last)
      there = there && is_same_place(planes_now_[last], plane_targets_[last]);
    if (there) continue;
    const std::span<const ContactPlane> now(planes_now_), targets(plane_targets_);
    const std::vector<ContactPlane> moved =
        moved_planes(surface_, now.subspan(first, last - first), targets.subspan(first, last - first), first,
                     {from_, colliders_now_}, least, ignored_);
    std::copy(moved.begin(), moved.end(), planes_now_.begin() + static_cast<std::ptrdiff_t>(first));
  }
}

void Contacts::detect_at(std::span<const Vec3d> x, ThreadPool& pool) {
  RestPlaces places = std::exchange(rest_places_, {});
  detect(x, x, pool);
  rest_places_ = std::move(places);
}

void Contacts::detect(std::span<const Vec3d> from, std::span<const Vec3d> to, ThreadPool& pool) {
  const AddsTime timing(times_.broad);
  from = of_slots(from);
  to = of_slots(to);
  from_.assign(from.begin(), from.end());
  to_.assign(to.begin(), to.end());
  if (keeps_apart_) move_planes();
  wide_.assign(from_.size(), 0);
  motion_ = motion_of_bodies(surface_, {x_prev_, colliders_before_}, {to, colliders_now_});
  std::vector<VertexPlane> planes = plane_pairs(surface_.vertices, from, to);
  const bool same_planes = planes == vertex_planes_;
  vertex_planes_ = std::move(planes);
  std::vector<int32_t> changed;
  if (!find_pairs(from, pool, changed)) {
    near_pairs_.forget();
  } else if (!changed.empty() || !same_planes || !near_pairs_.keep(query_at({}), slack_)) {
    near_pairs_.forget(changed);
  }
  if (keeps_apart_)
    limits_.set_boxes(surface_, {from_, colliders_now_}, {to_, collider_targets_}, slack_, planes_now_, ignored_);
  near_.assign(static_cast<size_t>(surface_.slot_count), 0);
  note_candidates(pairs_, vertex_planes_);
}

// All pairs that may touch, of points at `from`; of pairs that are ignored, those that are apart are so no more. If all
// but a few points have the boxes that they had, fills in which have others; false: all pairs are new.
bool Contacts::find_pairs(std::span<const Vec3d> from, ThreadPool& pool, std::vector<int32_t>& changed) {
  bool known = !surface_.triangles.empty();
  if (known) {
    const double margin = reach_ / 2 + slack_;
    // Limits hold for vertices by themselves: with them, no box may count on what others do.
    if (!keeps_apart_) rest_places_.hold(surface_.slots(), slack_, from_, to_, wide_, pool);
    const PointPositions start{from_, keeps_apart_ ? colliders_now_ : colliders_before_};
    const PointPositions end{to_, keeps_apart_ ? collider_targets_ : colliders_now_};
    known = !keeps_apart_ && !leaves_out_ignored_;
    if (known)
      known = tree_.find_changed(surface_, start, end, margin, EdgeChoice::sharp, pool, pairs_, wide_, changed);
    else if (keeps_apart_)
      tree_.find(surface_, start, end, margin, EdgeChoice::all, pool, pairs_);
    else
      tree_.find(surface_, start, end, margin, EdgeChoice::sharp, pool, pairs_, true, wide_);
  }
  if (!ignored_.empty()) ignored_.forget_apart(surface_, {from, colliders_now_}, pairs_, planes_now_, pool);
  leaves_out_ignored_ = !ignored_.empty();
  leave_out(pairs_);
  return known;
}

// Drops pairs that the tree does not know to be left out.
void Contacts::leave_out(CandidatePairs& pairs) const {
  if (all_touch_themselves_ && ignored_.empty()) return;
  drop(pairs, surface_, [&](int32_t a, int32_t b) { return !surface_.may_touch(a, b) || ignored_.has(a, b); });
}

// Drops pairs that may intersect.
void Contacts::leave_out_crossing(CandidatePairs& pairs) const {
  if (all_kept_apart_) return;
  drop(pairs, surface_, [&](int32_t a, int32_t b) { return !surface_.kept_apart(a, b); });
}

// Of some points, ascending, with the planes that they may touch between two positions.
std::vector<VertexPlane> Contacts::plane_pairs(std::span<const int32_t> points, std::span<const Vec3d> from,
                                               std::span<const Vec3d> to) const {
  std::vector<VertexPlane> pairs;
  for (const int32_t v : points) {
    if (surface_.is_collider_point(v)) continue;
    const auto s = static_cast<size_t>(v);
    for (size_t k = 0; k < planes_now_.size(); ++k) {
      if (ignored_.has_plane(surface_.body_of[s], k)) continue;
      const ContactPlane& plane = planes_now_[k];
      const double a = dot(plane.normal, from[s] - plane.point), b = dot(plane.normal, to[s] - plane.point);
      if (std::min(a, b) < reach_ + slack_) pairs.push_back({v, static_cast<int32_t>(k)});
    }
  }
  return pairs;
}

bool Contacts::follow(std::span<const Vec3d> earlier, std::span<const Vec3d> x, ThreadPool& pool) {
  earlier = of_slots(earlier);
  x = of_slots(x);
  std::vector<int32_t> outside;
  {
    const AddsTime timing(times_.broad);
    outside = points_outside(x, slack_, pool);
  }
  if (outside.empty()) return false;
  if (outside.size() * most_grown > surface_.vertices.size())
    detect(earlier, x, pool);
  else
    widen(outside, earlier, x, pool);
  return true;
}

// The points that have left what the candidates hold for, ascending.
std::vector<int32_t> Contacts::points_outside(std::span<const Vec3d> x, double slack, ThreadPool& pool) const {
  const auto is_outside = [&](int32_t v) {
    if (surface_.is_collider_point(v)) return false;
    const auto s = static_cast<size_t>(v);
    // Boxes of leaves that are carried reach back along their ways, of which only the end is sure.
    const bool whole = wide_[s] || keeps_apart_;
    const Vec3d a = whole ? from_[s] : to_[s], b = to_[s], now = x[s];
    const auto within = [&](double p, double q, double c) {
      return c >= std::min(p, q) - slack && c <= std::max(p, q) + slack;
    };
    return !(within(a.x, b.x, now.x) && within(a.y, b.y, now.y) && within(a.z, b.z, now.z));
  };
  constexpr int64_t chunk = 1024;
  const auto count = static_cast<int64_t>(surface_.vertices.size());
  std::vector<std::vector<int32_t>> found(static_cast<size_t>((count + chunk - 1) / chunk));
  pool.for_each(static_cast<int64_t>(found.size()), [&](size_t c) {
    const int64_t first = static_cast<int64_t>(c) * chunk;
    for (int64_t k = first; k < std::min(count, first + chunk); ++k)
      if (const int32_t v = surface_.vertices[static_cast<size_t>(k)]; is_outside(v)) found[c].push_back(v);
  });
  std::vector<int32_t> all;
  for (const std::vector<int32_t>& some : found) all.insert(all.end(), some.begin(), some.end());
  return all;
}

// Moves the boxes of some points, ascending, to where they have come.
void Contacts::widen(std::span<const int32_t> points, std::span<const Vec3d> earlier, std::span<const Vec3d> x,
                     ThreadPool& pool) {
  const AddsTime timing(times_.broad);
  for (const int32_t v : points) {
    const auto s = static_cast<size_t>(v);
    const Vec3d &was = earlier[s], &now = x[s];
    from_[s] = {std::min(was.x, now.x), std::min(was.y, now.y), std::min(was.z, now.z)};
    to_[s] = {std::max(was.x, now.x), std::max(was.y, now.y), std::max(was.z, now.z)};
    wide_[s] = 1;
  }
  motion_ = motion_of_bodies(surface_, {x_prev_, colliders_before_}, {x, colliders_now_});
  find_more(points, x, pool);
}

// Adds what may touch some points, ascending, in the boxes that they have now.
void Contacts::find_more(std::span<const int32_t> points, std::span<const Vec3d> x, ThreadPool& pool) {
  near_pairs_.forget(points);
  const bool apart = keeps_apart_;
  tree_.find_grown({from_, apart ? colliders_now_ : colliders_before_},
                   {to_, apart ? collider_targets_ : colliders_now_}, wide_, points,
                   apart ? EdgeChoice::all : EdgeChoice::sharp, pool, more_pairs_);
  leave_out(more_pairs_);
  add_pairs(pairs_.vertex_triangle, more_pairs_.vertex_triangle);
  add_pairs(pairs_.edge_edge, more_pairs_.edge_edge);
  const std::vector<VertexPlane> more_planes = plane_pairs(points, x, apart ? std::span<const Vec3d>(to_) : x);
  add_pairs(vertex_planes_, more_planes);
  note_candidates(more_pairs_, more_planes);
}

void Contacts::make_room(std::span<const Vec3d> x, std::span<const Vec3d> to, ThreadPool& pool) {
  std::vector<int32_t> points;
  {
    const AddsTime timing(times_.broad);
    points = points_outside(to, .5 * slack_, pool);
  }
  if (points.empty() || points.size() * most_grown > surface_.vertices.size()) return detect(x, to, pool);
  const AddsTime timing(times_.broad);
  for (const int32_t v : points) {
    const auto s = static_cast<size_t>(v);
    from_[s] = x[s];
    to_[s] = to[s];
    wide_[s] = 1;
  }
  find_more(points, x, pool);
  limits_.renew_boxes(surface_, points, {from_, colliders_now_}, {to_, collider_targets_}, slack_, planes_now_,
                      ignored_);
}

std::vector<Vec3d> Contacts::carry(std::span<const Vec3d> from, std::span<const Vec3d> to, bool single,
                                   ThreadPool& pool) {
  // What is in the way of a collider is not pressed on.
  if (surface_.triangles.empty() || behind_) return {};
  const AddsTime timing(times_.broad);
  // Boxes of short ways enclose little.
  const auto is_long = [&](int64_t k) {
    const int32_t v = surface_.vertices[static_cast<size_t>(k)];
    if (surface_.is_collider_point(v)) return 0;
    const Vec3d way = to[static_cast<size_t>(v)] - from[static_cast<size_t>(v)];
    return std::max({std::abs(way.x), std::abs(way.y), std::abs(way.z)}) > slack_ ? 1 : 0;
  };
  if (ordered_sum<int64_t>(pool, static_cast<int64_t>(surface_.vertices.size()), is_long) == 0) return {};
  const double least = least_gap(surface_.largest_radius(), largest_coordinate(from), single);
  return sinew::carry({.surface = &surface_,
                       .from = from,
                       .to = to,
                       .single = single,
                       .colliders = colliders_now_,
                       .planes = planes_now_,
                       .ignored = &ignored_,
                       .leave_out =
                           [&](CandidatePairs& pairs) {
                             leave_out(pairs);
                             leave_out_crossing(pairs);
                           },
                       .radius = surface_.largest_radius(),
                       .least_gap = narrowest_gap(least)},
                      tree_, pool);
}

Division Contacts::divide(std::span<const Vec3d> x, std::span<const Vec3d> goal, bool single, ThreadPool& pool) {
  const AddsTime timing(times_.limits);
  return limits_.divide(surface_, all_kept_apart_ ? pairs_ : apart_pairs_, {x, colliders_now_},
                        {goal, collider_targets_}, least_gap(surface_.largest_radius(), largest_coordinate(x), single),
                        pool);
}

int64_t Contacts::follow_scripts(ThreadPool& pool) {
  const AddsTime timing(times_.limits);
  constexpr int attempts = 8;
  int64_t short_of = 0;
  for (const ColliderPath& path : paths_) {
    const auto first = static_cast<size_t>(path.first_point - surface_.slot_count);
    const auto count = static_cast<size_t>(path.last_point - path.first_point);
    const std::span<Vec3d> now = std::span(colliders_now_).subspan(first, count);
    const std::span<const Vec3d> targets = std::span(collider_targets_).subspan(first, count);
    const auto missing = [&] {
      int64_t missed = 0;
      for (size_t k = 0; k < count; ++k) missed += !is_same_place(now[k], targets[k]);
      return missed;
    };
    if (missing() == 0) continue;
    ColliderPlace& place = reached(path);
    double t = limits_.longest_step<Vec3d>(now, targets, pool, path.first_point);
    for (int k = 0; k < attempts && t > 0; ++k, t /= 2) {
      const ColliderPlace next = t >= 1 ? path.now : place_between(place, path.now, t);
      std::vector<Vec3d> points(count);
      bool inside = true;
      for (size_t p = 0; p < count && inside; ++p) {
        const int32_t point = path.first_point + static_cast<int32_t>(p);
        points[p] = next.moved(surface_.rest[static_cast<size_t>(point)]);
        inside = limits_.inside(point, points[p]);
      }
      if (!inside) continue;
      place = next;
      std::copy(points.begin(), points.end(), now.begin());
      break;
    }
    short_of += missing();
  }
  for (size_t k = 0; k < planes_now_.size(); ++k) short_of += !is_same_place(planes_now_[k], plane_targets_[k]);
  return short_of;
}

// Of candidates that there are now, those that are new.
void Contacts::note_candidates(const CandidatePairs& pairs, std::span<const VertexPlane> planes) {
  ++revision_;
  if (keeps_apart_ && !all_kept_apart_) {
    apart_pairs_ = pairs_;
    leave_out_crossing(apart_pairs_);
  }
  const auto mark = [&](int32_t point) {
    if (!surface_.is_collider_point(point)) near_[static_cast<size_t>(point)] = 1;
  };
  for (const VertexPlane& p : planes) mark(p.vertex);
  for (const CandidatePairs::VertexTriangle& p : pairs.vertex_triangle) {
    mark(p.vertex);
    for (const int32_t q : surface_.triangles[static_cast<size_t>(p.triangle)]) mark(q);
  }
  for (const CandidatePairs::EdgeEdge& p : pairs.edge_edge)
    for (const int32_t e : {p.a, p.b})
      for (const int32_t q : surface_.edges[static_cast<size_t>(e)]) mark(q);
}

void Contacts::look(std::span<const Vec3d> x, ThreadPool& pool) const {
  const AddsTime timing(times_.narrow);
  // Some of the slack is left for the sweeps until the next look.
  x = of_slots(x);
  if (!near_pairs_.hold(surface_, {x, colliders_now_}, 0.5, pool)) near_pairs_.gather(query_at(x), slack_, pool);
}

void Contacts::find(std::span<const Vec3d> x, ThreadPool& pool, std::vector<Contact>& contacts,
                    ContactCounts* counts) const {
  x = of_slots(x);
  {
    const AddsTime timing(times_.narrow);
    if (!near_pairs_.hold(surface_, {x, colliders_now_}, 1, pool)) near_pairs_.gather(query_at(x), slack_, pool);
  }
  const std::span<const int32_t> near = near_slots();
  near_x_.resize(near.size());
  pool.for_each(static_cast<int64_t>(near.size()), [&](size_t k) { near_x_[k] = x[static_cast<size_t>(near[k])]; });
  find_near(near_x_, pool, contacts, counts);
}

void Contacts::find_near(std::span<const Vec3d> x, ThreadPool& pool, std::vector<Contact>& contacts,
                         ContactCounts* counts) const {
  const AddsTime timing(times_.narrow);
  near_pairs_.find(query_at({}), x, pool, contacts, counts);
  anchors_.add_to(surface_, contacts);
}

ContactQuery Contacts::query_at(std::span<const Vec3d> x) const {
  ContactQuery query;
  query.surface = &surface_;
  query.pairs = &pairs_;
  query.vertex_planes = vertex_planes_;
  query.stiffness = stiffness_;
  query.x = {x, colliders_now_};
  query.before = {x_prev_, colliders_before_};
  query.planes = planes_now_;
  query.planes_before = planes_before_;
  query.clock = clock_;
  query.floor = crossing_floor;
  query.apart_floor = least_floor;
  query.reach = reach_radii;
  query.depth = reach_;
  query.motion = motion_;
  return query;
}

void Contacts::end_step(std::span<const Vec3d> x, ThreadPool& pool) {
  if (!sticks_) return;
  std::vector<Contact> contacts;
  find(x, pool, contacts, nullptr);
  anchors_.follow(surface_, contacts);
}

std::string Contacts::save() const {
  const std::vector<RestPlaces::Place> rests = rest_places_.all();
  if (!keeps_apart_ && !sticks_ && ignored_.empty())
    return rests.empty() ? std::string() : ByteListWriter().add(rests).take();
  const std::span<const Anchor> anchors = anchors_.all();
  const bool keeps_places = keeps_apart_;
  return ByteListWriter()
      .add(keeps_places ? colliders_now_ : std::vector<Vec3d>())
      .add(keeps_places ? planes_now_ : std::vector<ContactPlane>())
      .add(reached_)
      .add(limits_.save())
      .add(std::vector<Anchor>(anchors.begin(), anchors.end()))
      .add(ignored_.all())
      .add(rests)
      .take();
}

bool Contacts::is_rest_alone(std::string_view bytes) {
  std::vector<RestPlaces::Place> rests;
  ByteListReader reader(bytes);
  return bytes.empty() || (reader.take(rests) && reader.at_end());
}

bool Contacts::restore(std::string_view bytes) {
  std::vector<RestPlaces::Place> rests;
  const auto take_rests = [&](ByteListReader& reader) {
    if (!reader.take(rests) || !reader.at_end()) return false;
    int64_t least = 0;
    for (const RestPlaces::Place& place : rests) {
      if (place.slot < least || place.slot >= surface_.slot_count) return false;
      least = place.slot + 1;
    }
    return true;
  };
  if (is_rest_alone(bytes)) {
    ByteListReader reader(bytes);
    if (keeps_apart_ || sticks_ || (!bytes.empty() && !take_rests(reader))) return false;
    ignored_.clear();
    rest_places_.set(rests);
    return true;
  }
  ByteListReader reader(bytes);
  std::vector<Vec3d> colliders;
  std::vector<ContactPlane> planes;
  std::vector<Reached> reached;
  std::string_view limits;
  std::vector<Anchor> anchors;
  std::vector<IgnoredPair> pairs;
  const auto points = surface_.rest.size() - static_cast<size_t>(surface_.slot_count);
  if (!reader.take(colliders) || !reader.take(planes) || !reader.take(reached) || !reader.take(limits) ||
      !reader.take(anchors) || !reader.take(pairs) || !take_rests(reader))
    return false;
  if (!colliders.empty() && colliders.size() != points) return false;
  if (!planes.empty() && planes.size() != surface_.planes.size()) return false;
  IgnoredPairs ignored;
  ignored.add(pairs);
  if (!ignored.fit(surface_)) return false;
  if (!limits_.restore(surface_, limits)) return false;
  if (keeps_apart_) {
    colliders_now_ = std::move(colliders);
    planes_now_ = std::move(planes);
    reached_ = std::move(reached);
  }
  anchors_.replace(std::move(anchors));
  ignored_ = std::move(ignored);
  rest_places_.set(rests);
  return true;
}

void Contacts::take_state_of(const Contacts& earlier) {
  if (sticks_) anchors_ = earlier.anchors_;
  ignored_ = earlier.ignored_;
  if (!keeps_apart_) rest_places_ = earlier.rest_places_;
  if (!keeps_apart_ || !earlier.keeps_apart_) return;
  colliders_now_ = earlier.colliders_now_;
  planes_now_ = earlier.planes_now_;
  reached_ = earlier.reached_;
  [[maybe_unused]] const bool same_surface = limits_.restore(surface_, earlier.limits_.save());
  SINEW_ASSERT(same_surface);
}

void Contacts::take_state_of(const Contacts& earlier, const SurfaceMap& map, std::span<const Vec3d> placed,
                             std::span<const ContactPlane> planes_placed) {
  if (sticks_) anchors_.take_of(earlier.anchors_, map, surface_);
  ignored_.add_of(earlier.ignored_, map);
  if (!keeps_apart_ || !earlier.keeps_apart_) return;
  limits_.take_of(earlier.limits_, map);
  const auto at = [&](int64_t point) {
    return point >= 0 && point < static_cast<int64_t>(map.points.size()) ? map.points[static_cast<size_t>(point)] : -1;
  };
  for (const Reached& was : earlier.reached_)
    if (at(was.first_point) >= 0) reached_.push_back({at(was.first_point), was.place});
  // Before any step all are where their scripts have them.
  if (earlier.colliders_now_.empty() && earlier.planes_now_.empty()) return;
  colliders_now_.assign(placed.begin(), placed.end());
  for (size_t k = 0; k < earlier.colliders_now_.size(); ++k) {
    const int32_t now = at(int64_t{earlier.surface_.slot_count} + static_cast<int64_t>(k));
    if (now >= 0) colliders_now_[static_cast<size_t>(now - surface_.slot_count)] = earlier.colliders_now_[k];
  }
  planes_now_.assign(planes_placed.begin(), planes_placed.end());
  for (size_t k = 0; k < earlier.planes_now_.size(); ++k) {
    if (map.planes[k] < 0) continue;
    ContactPlane& plane = planes_now_[static_cast<size_t>(map.planes[k])];
    plane.point = earlier.planes_now_[k].point;
    plane.normal = earlier.planes_now_[k].normal;
    plane.along = earlier.planes_now_[k].along;
  }
}

size_t Contacts::memory_bytes() const {
  return surface_.memory_bytes() + tree_.memory_bytes() + rest_places_.memory_bytes() + near_pairs_.memory_bytes() +
         pairs_.vertex_triangle.capacity() * sizeof(CandidatePairs::VertexTriangle) +
         pairs_.edge_edge.capacity() * sizeof(CandidatePairs::EdgeEdge) +
         apart_pairs_.vertex_triangle.capacity() * sizeof(CandidatePairs::VertexTriangle) +
         apart_pairs_.edge_edge.capacity() * sizeof(CandidatePairs::EdgeEdge) +
         (from_.capacity() + to_.capacity() + x_prev_.capacity()) * sizeof(Vec3d);
}

}  // namespace sinew
