#include "contact/contacts.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "base/byte_lists.h"

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

double mean_edge(const ContactSurface& surface) {
  double sum = 0;
  for (const Edge& e : surface.edges) {
    const Vec3d d = surface.rest[static_cast<size_t>(e[1])] - surface.rest[static_cast<size_t>(e[0])];
    sum += std::sqrt(dot(d, d));
  }
  return surface.edges.empty() ? 0 : sum / static_cast<double>(surface.edges.size());
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
  all_touch_themselves_ =
      std::all_of(surface_.bodies.begin(), surface_.bodies.end(), [](const ContactBody& b) { return b.self; });
  sticks_ = std::any_of(surface_.rules.begin(), surface_.rules.end(),
                        [](const ContactRule& r) { return r.touches && r.form == FrictionForm::stick; });
  if (!surface_.triangles.empty()) tree_.build(surface_, pool);
}

void Contacts::begin_step(std::span<const Vec3d> x_prev, std::span<const Vec3d> colliders_before,
                          std::span<const Vec3d> colliders_now, std::span<const ContactPlane> planes_before,
                          std::span<const ContactPlane> planes_now, double clock) {
  x_prev_.assign(x_prev.begin(), x_prev.end());
  if (options_.intersection_free) {
    collider_targets_.assign(colliders_now.begin(), colliders_now.end());
    if (colliders_now_.empty()) colliders_now_.assign(colliders_before.begin(), colliders_before.end());
    colliders_before_ = colliders_now_;
  } else {
    colliders_before_.assign(colliders_before.begin(), colliders_before.end());
    colliders_now_.assign(colliders_now.begin(), colliders_now.end());
  }
  planes_before_.assign(planes_before.begin(), planes_before.end());
  planes_now_.assign(planes_now.begin(), planes_now.end());
  clock_ = clock;
}

void Contacts::detect(std::span<const Vec3d> from, std::span<const Vec3d> to, ThreadPool& pool) {
  from_.assign(from.begin(), from.end());
  to_.assign(to.begin(), to.end());
  vertex_planes_.clear();
  double longest = 0;  // squared
  for (const int32_t v : surface_.vertices) {
    if (surface_.is_collider_point(v)) continue;
    const auto s = static_cast<size_t>(v);
    const Vec3d way = to_[s] - x_prev_[s];
    longest = std::max(longest, dot(way, way));
  }
  for (size_t k = 0; k < colliders_now_.size(); ++k) {
    const Vec3d way = colliders_now_[k] - colliders_before_[k];
    longest = std::max(longest, dot(way, way));
  }
  longest_way_ = std::sqrt(longest);
  for (const int32_t v : surface_.vertices) {
    if (surface_.is_collider_point(v)) continue;
    const auto s = static_cast<size_t>(v);
    for (size_t k = 0; k < planes_now_.size(); ++k) {
      const ContactPlane& plane = planes_now_[k];
      const double a = dot(plane.normal, from_[s] - plane.point), b = dot(plane.normal, to_[s] - plane.point);
      if (std::min(a, b) < reach_ + slack_) vertex_planes_.push_back({v, static_cast<int32_t>(k)});
    }
  }
  if (!surface_.triangles.empty()) {
    const EdgeChoice edges = options_.intersection_free ? EdgeChoice::all : EdgeChoice::sharp;
    const std::vector<Vec3d>& start = options_.intersection_free ? colliders_now_ : colliders_before_;
    const std::vector<Vec3d>& end = options_.intersection_free ? collider_targets_ : colliders_now_;
    tree_.find(surface_, {from_, start}, {to_, end}, reach_ / 2 + slack_, edges, pool, pairs_);
    const auto apart = [&](int32_t p, int32_t q) {
      return !surface_.may_touch(surface_.body_of[static_cast<size_t>(p)], surface_.body_of[static_cast<size_t>(q)]);
    };
    if (!all_touch_themselves_) {
      std::erase_if(pairs_.vertex_triangle, [&](const CandidatePairs::VertexTriangle& p) {
        return apart(p.vertex, surface_.triangles[static_cast<size_t>(p.triangle)][0]);
      });
      std::erase_if(pairs_.edge_edge, [&](const CandidatePairs::EdgeEdge& p) {
        return apart(surface_.edges[static_cast<size_t>(p.a)][0], surface_.edges[static_cast<size_t>(p.b)][0]);
      });
    }
  }
  if (options_.intersection_free)
    limits_.set_boxes(surface_, {from_, colliders_now_}, {to_, collider_targets_}, slack_, planes_now_);
  note_near();
  ++revision_;
}

Division Contacts::divide(std::span<const Vec3d> x, std::span<const Vec3d> goal, bool single, ThreadPool& pool) {
  double size = 0;
  for (const Vec3d& p : x) size = std::max({size, std::abs(p.x), std::abs(p.y), std::abs(p.z)});
  return limits_.divide(surface_, pairs_, {x, colliders_now_}, {goal, collider_targets_},
                        least_gap(surface_.largest_radius(), size, single), pool);
}

int64_t Contacts::follow_scripts() {
  int64_t short_of = 0;
  for (size_t k = 0; k < colliders_now_.size(); ++k) {
    Vec3d& x = colliders_now_[k];
    const Vec3d to = collider_targets_[k];
    if (x.x == to.x && x.y == to.y && x.z == to.z) continue;
    const LimitedMove<double> move = limits_.limited<double>(surface_.slot_count + static_cast<int32_t>(k), x, to);
    x = move.to;
    short_of += move.by != StoppedBy::none;
  }
  return short_of;
}

void Contacts::note_near() {
  near_.assign(static_cast<size_t>(surface_.slot_count), 0);
  const auto mark = [&](int32_t point) {
    if (!surface_.is_collider_point(point)) near_[static_cast<size_t>(point)] = 1;
  };
  for (const VertexPlane& p : vertex_planes_) mark(p.vertex);
  for (const CandidatePairs::VertexTriangle& p : pairs_.vertex_triangle) {
    mark(p.vertex);
    for (const int32_t q : surface_.triangles[static_cast<size_t>(p.triangle)]) mark(q);
  }
  for (const CandidatePairs::EdgeEdge& p : pairs_.edge_edge)
    for (const int32_t e : {p.a, p.b})
      for (const int32_t q : surface_.edges[static_cast<size_t>(e)]) mark(q);
}

bool Contacts::covers(std::span<const Vec3d> x, ThreadPool& pool) const {
  const auto count = static_cast<int64_t>(surface_.vertices.size());
  const auto outside = [&](int64_t k) {
    const int32_t v = surface_.vertices[static_cast<size_t>(k)];
    if (surface_.is_collider_point(v)) return 0;
    const auto s = static_cast<size_t>(v);
    const auto within = [&](double a, double b, double c) {
      return c >= std::min(a, b) - slack_ && c <= std::max(a, b) + slack_;
    };
    return within(from_[s].x, to_[s].x, x[s].x) && within(from_[s].y, to_[s].y, x[s].y) &&
                   within(from_[s].z, to_[s].z, x[s].z)
               ? 0
               : 1;
  };
  return ordered_sum<int64_t>(pool, count, outside) == 0;
}

void Contacts::find(std::span<const Vec3d> x, ThreadPool& pool, std::vector<Contact>& contacts,
                    ContactCounts* counts) const {
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
  query.floor = options_.intersection_free ? least_floor : crossing_floor;
  query.crossings = !options_.intersection_free;
  query.reach = reach_radii;
  query.depth = reach_;
  query.way = longest_way_;
  find_contacts(query, pool, contacts, counts);
  anchors_.add_to(surface_, contacts);
}

void Contacts::end_step(std::span<const Vec3d> x, ThreadPool& pool) {
  if (!sticks_) return;
  std::vector<Contact> contacts;
  find(x, pool, contacts, nullptr);
  anchors_.follow(surface_, contacts);
}

std::string Contacts::save() const {
  if (!options_.intersection_free && !sticks_) return {};
  const std::span<const Anchor> anchors = anchors_.all();
  return ByteListWriter()
      .add(colliders_now_)
      .add(limits_.save())
      .add(std::vector<Anchor>(anchors.begin(), anchors.end()))
      .take();
}

bool Contacts::restore(std::string_view bytes) {
  if (!options_.intersection_free && !sticks_) return bytes.empty();
  ByteListReader reader(bytes);
  std::vector<Vec3d> colliders;
  std::string_view limits;
  std::vector<Anchor> anchors;
  const auto points = surface_.rest.size() - static_cast<size_t>(surface_.slot_count);
  if (!reader.take(colliders) || !reader.take(limits) || !reader.take(anchors) || !reader.at_end()) return false;
  if (!colliders.empty() && colliders.size() != points) return false;
  if (!limits_.restore(surface_, limits)) return false;
  colliders_now_ = std::move(colliders);
  anchors_.replace(std::move(anchors));
  return true;
}

void Contacts::take_state_of(const Contacts& earlier) {
  if (sticks_) anchors_ = earlier.anchors_;
  if (!options_.intersection_free || !earlier.options_.intersection_free) return;
  colliders_now_ = earlier.colliders_now_;
  [[maybe_unused]] const bool same_surface = limits_.restore(surface_, earlier.limits_.save());
  SINEW_ASSERT(same_surface);
}

void Contacts::take_state_of(const Contacts& earlier, const SurfaceMap& map, std::span<const Vec3d> placed) {
  if (sticks_) anchors_.take_of(earlier.anchors_, map, surface_);
  if (!options_.intersection_free || !earlier.options_.intersection_free) return;
  limits_.take_of(earlier.limits_, map);
  if (earlier.colliders_now_.empty()) return;  // before any step all are where their scripts have them
  colliders_now_.assign(placed.begin(), placed.end());
  for (size_t k = 0; k < earlier.colliders_now_.size(); ++k) {
    const int32_t now = map.points[static_cast<size_t>(earlier.surface_.slot_count) + k];
    if (now >= 0) colliders_now_[static_cast<size_t>(now - surface_.slot_count)] = earlier.colliders_now_[k];
  }
}

size_t Contacts::memory_bytes() const {
  return surface_.memory_bytes() + tree_.memory_bytes() +
         pairs_.vertex_triangle.capacity() * sizeof(CandidatePairs::VertexTriangle) +
         pairs_.edge_edge.capacity() * sizeof(CandidatePairs::EdgeEdge) +
         (from_.capacity() + to_.capacity() + x_prev_.capacity()) * sizeof(Vec3d);
}

}  // namespace sinew
