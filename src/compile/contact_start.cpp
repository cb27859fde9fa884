#include "compile/contact_start.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include "base/format.h"
#include "base/nearest.h"
#include "contact/contact_sides.h"
#include "contact/contacts.h"
#include "contact/solid_angle.h"
#include "math/bounds.h"
#include "math/length.h"
#include "mesh/crossing_triangles.h"
#include "mesh/disjoint_sets.h"
#include "step/collider_script.h"

namespace sinew {

namespace {

// Rounds in which every pair is moved apart once.
constexpr int most_rounds = 200;
// A way out is looked for from a small share of it on, which is doubled so often; then the last step is halved so
// often.
constexpr int doublings = 6, halvings = 8;
// [-] Pairs are moved a little farther than they have to be, so that those that push each other back get there.
constexpr double margin = 1.01;
// [m] Signs are exact for coordinates that are 0 or not below this (mesh/exact_sign.h).
constexpr double smallest = 1e-90;
constexpr size_t most_told = 3;

// Two that may touch: bodies, by their numbers; or, behind all bodies, the colliders by theirs, for their planes.
using Pair = std::pair<int32_t, int32_t>;

struct Meeting {
  int32_t triangle_a = -1, triangle_b = -1;  // of the surface; none: a vertex lies inside
  Vec3d place{};                             // [m]
  int64_t count = 0;                         // of pairs of triangles, or of vertices below a plane
  Vec3d across{};                            // sum over these of the normal of b minus that of a
  double depth = 0;                          // [m] below a plane
};
struct Gap {
  double gap = 0, radius = 0;  // [m]
  Vec3d normal{};              // from b to a
};

class Start {
 public:
  Start(const Scene& scene, CompiledScene& compiled, std::vector<Vec3d> points, std::vector<ContactPlane> planes,
        ThreadPool& pool)
      : scene_(scene),
        compiled_(compiled),
        surface_(compiled.contact_surface),
        pool_(pool),
        points_(std::move(points)),
        planes_(std::move(planes)) {
    triangles_of_.resize(surface_.bodies.size());
    for (size_t t = 0; t < surface_.triangles.size(); ++t) {
      const size_t body = body_of(surface_.triangles[t][0]);
      triangles_of_[body].push_back(static_cast<int32_t>(t));
      of_bodies_.push_back(surface_.bodies[body].collider ? 0 : 1);
    }
    find_clusters();
  }

  Status refuse() const {
    const std::map<Pair, Meeting> all = meetings();
    if (!all.empty())
      return intersecting(all, "use contact.start = \"separate\", which moves bodies apart, or move one");
    tell_of_gaps();
    return {};
  }

  Status allow() {
    ignore(meetings());
    tell_of_gaps();
    return {};
  }

  Status look_at_added(std::span<const uint8_t> is_new) {
    std::map<Pair, Meeting> all = meetings();
    const auto is_old = [&](int32_t of) { return !is_new[static_cast<size_t>(object_of(of))]; };
    std::erase_if(all, [&](const auto& entry) { return is_old(entry.first.first) && is_old(entry.first.second); });
    if (compiled_.contact.start == ContactStart::allow) ignore(all);
    if (all.empty() || compiled_.contact.start == ContactStart::allow) return {};
    return intersecting(all, "add it where there is room", "");
  }

  Status look_at_placed() const {
    const std::map<Pair, Meeting> all = meetings();
    return all.empty() ? Status{} : intersecting(all, "place them apart", " there");
  }

  StartView view() const {
    StartView view{points_, planes_, std::vector<StartMark>(surface_.triangles.size(), StartMark::none)};
    const std::map<Pair, Meeting> all = meetings();
    const auto mark = [&](Pair pair, int32_t triangle) {
      StartMark& of = view.marks[static_cast<size_t>(triangle)];
      of = std::max(of, pair == all.begin()->first ? StartMark::first : StartMark::meets);
    };
    for (const auto& [a, b] :
         meeting_triangles(without_dust(points_), surface_.triangles, pool_, nullptr, of_bodies_)) {
      const Pair pair = std::minmax({body_at(a), body_at(b)});
      if (!all.contains(pair)) continue;
      mark(pair, a);
      mark(pair, b);
    }
    for (const auto& [pair, meeting] : all) {
      if (meeting.triangle_a >= 0) continue;
      const auto first = static_cast<size_t>(pair.first);
      if (is_body(pair.second)) {
        // The one that lies inside: its vertex is the place.
        const Vec3d way = at(some_point(first)) - meeting.place;
        for (const int32_t t : triangles_of_[dot(way, way) == 0 ? first : static_cast<size_t>(pair.second)])
          mark(pair, t);
        continue;
      }
      for (const int32_t t : triangles_of_[first])
        for (const int32_t v : surface_.triangles[static_cast<size_t>(t)])
          for (const ContactPlane& plane : planes_)
            if (number_of_planes_of(plane) == pair.second && dot(plane.normal, at(v) - plane.point) < 0) mark(pair, t);
    }
    return view;
  }

  Status separate() {
    const std::vector<Vec3d> before = points_;
    for (int round = 0;; ++round) {
      const std::map<Pair, Meeting> all = meetings();
      std::map<Pair, Gap> near;
      if (all.empty()) near = gaps();
      std::erase_if(near, [&](const auto& entry) { return !can_move(entry.first); });
      if (all.empty() && near.empty()) break;
      if (round == most_rounds) return not_parted(all, near);
      for (const auto& [pair, meeting] : all)
        if (Status s = move_out(pair, meeting); !s) return s;
      for (const auto& [pair, gap] : near) shift(pair, gap.normal, margin * gap.radius - gap.gap);
    }
    std::copy_n(points_.begin(), compiled_.start.x.size(), compiled_.start.x.begin());
    tell_of_moves(before);
    tell_of_gaps();
    return {};
  }

 private:
  size_t body_of(int32_t point) const { return static_cast<size_t>(surface_.body_of[static_cast<size_t>(point)]); }
  int32_t body_at(int32_t triangle) const {
    return static_cast<int32_t>(body_of(surface_.triangles[static_cast<size_t>(triangle)][0]));
  }
  Vec3d at(int32_t point) const { return points_[static_cast<size_t>(point)]; }
  bool is_body(int32_t of) const { return static_cast<size_t>(of) < surface_.bodies.size(); }
  // As the scene counts objects, then colliders.
  int32_t object_of(int32_t of) const {
    const auto bodies = static_cast<int32_t>(surface_.bodies.size());
    return of < bodies ? surface_.bodies[static_cast<size_t>(of)].object : of - bodies;
  }
  int32_t number_of_planes_of(const ContactPlane& plane) const {
    return static_cast<int32_t>(surface_.bodies.size()) + plane.collider;
  }
  std::string name(int32_t of) const {
    const auto object = static_cast<size_t>(object_of(of));
    return object < scene_.objects.size() ? "objects." + scene_.objects[object].name
                                          : "colliders." + scene_.colliders[object - scene_.objects.size()].name;
  }

  void ignore(const std::map<Pair, Meeting>& all) {
    for (const auto& [pair, meeting] : all) {
      if (is_body(pair.second)) {
        compiled_.ignored.push_back({pair.first, pair.second});
        continue;
      }
      for (size_t k = 0; k < planes_.size(); ++k)
        if (number_of_planes_of(planes_[k]) == pair.second && is_below(pair.first, planes_[k]))
          compiled_.ignored.push_back({pair.first, -1 - static_cast<int32_t>(k)});
    }
  }
  bool is_below(int32_t body, const ContactPlane& plane) const {
    return std::any_of(surface_.vertices.begin(), surface_.vertices.end(), [&](int32_t v) {
      return body_of(v) == static_cast<size_t>(body) && dot(plane.normal, at(v) - plane.point) < 0;
    });
  }

  // What moves as a whole: slots that elements and ties join.
  void find_clusters() {
    const Model& model = compiled_.model;
    DisjointSets sets(static_cast<size_t>(surface_.slot_count));
    for (const Tet& t : model.tets) {
      const std::span<const int32_t> corners = corners_of(t);
      for (const int32_t c : corners) sets.join(c, corners[0]);
    }
    for (int32_t t = 0; t < model.ties.count(); ++t) {
      const std::span<const int32_t> ends = model.ties.vertices_of(t);
      for (const int32_t end : ends) sets.join(end, ends[0]);
    }
    cluster_.resize(static_cast<size_t>(surface_.slot_count));
    for (size_t s = 0; s < cluster_.size(); ++s) cluster_[s] = sets.find(static_cast<int32_t>(s));
    held_.assign(cluster_.size(), 0);
    for (const PinScript& pin : compiled_.pins)
      for (const int32_t s : pin.slots) held_[static_cast<size_t>(cluster_[static_cast<size_t>(s)])] = 1;
  }
  // -1: a collider.
  int32_t cluster_of(int32_t of) const {
    if (!is_body(of) || surface_.bodies[static_cast<size_t>(of)].collider) return -1;
    const int32_t triangle = triangles_of_[static_cast<size_t>(of)][0];
    return cluster_[static_cast<size_t>(surface_.triangles[static_cast<size_t>(triangle)][0])];
  }
  bool is_free(int32_t of) const {
    const int32_t cluster = cluster_of(of);
    return cluster >= 0 && held_[static_cast<size_t>(cluster)] == 0;
  }
  bool can_move(Pair pair) const {
    return cluster_of(pair.first) != cluster_of(pair.second) && (is_free(pair.first) || is_free(pair.second));
  }
  // The first against the second, along `way`; by half each, if both are free.
  void shift(Pair pair, Vec3d way, double by) {
    const bool both = is_free(pair.first) && is_free(pair.second);
    const auto move = [&](int32_t of, Vec3d along) {
      if (!is_free(of)) return;
      const int32_t cluster = cluster_of(of);
      for (size_t s = 0; s < cluster_.size(); ++s)
        if (cluster_[s] == cluster) points_[s] += along;
    };
    const Vec3d share = ((both ? 0.5 : 1) * by) * way;
    move(pair.first, share);
    move(pair.second, -share);
  }

  std::map<Pair, Meeting> meetings() const {
    std::map<Pair, Meeting> all;
    const std::vector<Vec3d> exact = without_dust(points_);
    for (const auto& [a, b] : meeting_triangles(exact, surface_.triangles, pool_, nullptr, of_bodies_)) {
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

  static std::vector<Vec3d> without_dust(std::vector<Vec3d> points) {
    for (Vec3d& p : points)
      for (double* const c : {&p.x, &p.y, &p.z})
        if (std::abs(*c) < smallest) *c = 0;
    return points;
  }
  Vec3d middle(int32_t triangle) const {
    const Triangle& t = surface_.triangles[static_cast<size_t>(triangle)];
    return (1.0 / 3) * (at(t[0]) + at(t[1]) + at(t[2]));
  }
  Vec3d normal(int32_t triangle) const {
    const Triangle& t = surface_.triangles[static_cast<size_t>(triangle)];
    const Vec3d area = cross(at(t[1]) - at(t[0]), at(t[2]) - at(t[0]));
    const double size = length(area);
    return size > 0 ? (1 / size) * area : Vec3d{};
  }

  // How often a surface encloses a place that is not on it: the sum of the solid angles of its triangles over
  // 4 pi.
  double winding(size_t body, Vec3d place, Vec3d moved) const {
    double angle = 0;
    for (const int32_t k : triangles_of_[body]) {
      const Triangle& t = surface_.triangles[static_cast<size_t>(k)];
      angle += solid_angle(at(t[0]) + moved - place, at(t[1]) + moved - place, at(t[2]) + moved - place);
    }
    return angle / (4 * std::numbers::pi);
  }
  struct Extent {
    Bounds box;
    double volume = 0;  // [m^3] below 0: the surface faces inwards, and what is outside is solid
  };
  Extent extent_of(size_t body) const {
    Extent extent;
    for (const int32_t k : triangles_of_[body]) {
      const Triangle& t = surface_.triangles[static_cast<size_t>(k)];
      for (const int32_t p : t) extent.box.add(at(p));
      const Vec3d o = at(surface_.triangles[static_cast<size_t>(triangles_of_[body][0])][0]);
      extent.volume += dot(at(t[0]) - o, cross(at(t[1]) - o, at(t[2]) - o)) / 6;
    }
    return extent;
  }
  // Whether a place is inside a body whose surface it is not on. moved [m]: of the body.
  bool encloses(size_t body, const Extent& extent, Vec3d place, Vec3d moved = {}) const {
    if (!surface_.bodies[body].closed) return false;
    const Vec3d p = place - moved, low = extent.box.low, high = extent.box.high;
    const bool near = low.x <= p.x && p.x <= high.x && low.y <= p.y && p.y <= high.y && low.z <= p.z && p.z <= high.z;
    const bool inside = near && std::abs(winding(body, place, moved)) > 0.5;
    return extent.volume < 0 ? !inside : inside;
  }
  int32_t some_point(size_t body) const { return surface_.triangles[static_cast<size_t>(triangles_of_[body][0])][0]; }
  // Bodies of which no triangles meet: one lies inside the other if any of its vertices does.
  void add_inside(std::map<Pair, Meeting>& all) const {
    std::vector<Extent> extents;
    for (size_t k = 0; k < triangles_of_.size(); ++k) extents.push_back(extent_of(k));
    for (size_t a = 0; a < extents.size(); ++a)
      for (size_t b = a + 1; b < extents.size(); ++b) {
        const Pair pair{static_cast<int32_t>(a), static_cast<int32_t>(b)};
        if (!surface_.may_touch(pair.first, pair.second) || all.contains(pair)) continue;
        const Vec3d of_a = at(some_point(a)), of_b = at(some_point(b));
        if (encloses(b, extents[b], of_a))
          all[pair] = {.place = of_a, .count = 1};
        else if (encloses(a, extents[a], of_b))
          all[pair] = {.place = of_b, .count = 1};
      }
  }
  bool touches(const ContactPlane& plane, size_t body) const {
    return surface_.rule(static_cast<int32_t>(body), plane).touches;
  }
  // Of each pair, what lies deepest below a plane; of equal depths the first plane.
  void add_below(std::map<Pair, Meeting>& all) const {
    for (const int32_t v : surface_.vertices) {
      if (surface_.is_collider_point(v)) continue;
      for (const ContactPlane& plane : planes_) {
        const double depth = -dot(plane.normal, at(v) - plane.point);
        if (!(depth > 0) || !touches(plane, body_of(v))) continue;
        Meeting& meeting = all[{static_cast<int32_t>(body_of(v)), number_of_planes_of(plane)}];
        ++meeting.count;
        if (depth <= meeting.depth) continue;
        meeting.depth = depth;
        meeting.place = at(v);
        meeting.across = plane.normal;
      }
    }
  }

  // Gaps below the radius, of bodies that do not intersect: of each pair the one that lacks most.
  std::map<Pair, Gap> gaps() const {
    Contacts contacts(surface_, std::vector<double>(static_cast<size_t>(surface_.slot_count), 1), {}, pool_);
    const std::span<const Vec3d> all(points_), slots = all.first(static_cast<size_t>(surface_.slot_count)),
                                               colliders = all.subspan(slots.size());
    contacts.ignore(compiled_.ignored);
    contacts.begin_step(slots, colliders, colliders, planes_, planes_, 1);
    contacts.detect(slots, slots, pool_);
    std::vector<Contact> found;
    contacts.find(slots, pool_, found, nullptr);
    std::map<Pair, Gap> near;
    for (const Contact& contact : found) {
      const ContactNumbers<double>& n = contact.numbers;
      if (!(n.share > 0) || !(n.distance < n.law.radius)) continue;
      auto [first, second] = sides(contact);
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
  Pair sides(const Contact& contact) const {
    const auto number = [&](SideOfContact side) {
      return side.body >= 0 ? side.body : static_cast<int32_t>(surface_.bodies.size()) + side.object;
    };
    const std::array<SideOfContact, 2> both = sides_of(surface_, contact);
    return {number(both[0]), number(both[1])};
  }

  // Whether two bodies are apart if the first is moved.
  bool are_apart(Pair pair, Vec3d moved) const {
    const auto a = static_cast<size_t>(pair.first), b = static_cast<size_t>(pair.second);
    std::vector<Vec3d> points;
    std::vector<Triangle> triangles;
    for (const size_t body : {a, b})
      for (const int32_t k : triangles_of_[body]) {
        const auto first = static_cast<int32_t>(points.size());
        for (const int32_t p : surface_.triangles[static_cast<size_t>(k)])
          points.push_back(body == a ? at(p) + moved : at(p));
        triangles.push_back({first, first + 1, first + 2});
      }
    // Only where the boxes overlap can triangles of both meet; those of one body share no corners here. The smaller
    // surface asks, so that a crowd of triangles at a corner of the other costs little.
    const size_t first_of_b = triangles_of_[a].size();
    const bool a_asks = 2 * first_of_b <= triangles.size();
    std::vector<uint8_t> asking(triangles.size(), a_asks ? 0 : 1);
    std::fill_n(asking.begin(), first_of_b, a_asks ? 1 : 0);
    for (const auto& [t, u] : meeting_triangles(without_dust(points), triangles, pool_, nullptr, asking))
      if ((static_cast<size_t>(t) < first_of_b) != (static_cast<size_t>(u) < first_of_b)) return false;
    return !encloses(b, extent_of(b), at(some_point(a)) + moved) &&
           !encloses(a, extent_of(a), at(some_point(b)), moved);
  }
  // [m] How far the first has to move along `way` before it is surely apart: its box from that of the second.
  double way_out(Pair pair, Vec3d way) const {
    double low = Bounds::infinity, high = -Bounds::infinity;
    for (const int32_t k : triangles_of_[static_cast<size_t>(pair.first)])
      for (const int32_t p : surface_.triangles[static_cast<size_t>(k)]) low = std::min(low, dot(way, at(p)));
    for (const int32_t k : triangles_of_[static_cast<size_t>(pair.second)])
      for (const int32_t p : surface_.triangles[static_cast<size_t>(k)]) high = std::max(high, dot(way, at(p)));
    return margin * std::max(high - low, 0.0);
  }

  Status move_out(Pair pair, const Meeting& meeting) {
    if (!can_move(pair)) {
      const bool same = cluster_of(pair.first) == cluster_of(pair.second) && cluster_of(pair.first) >= 0;
      return intersecting({{pair, meeting}},
                          joined({"move one of them: contact.start = \"separate\" cannot, since ",
                                  same ? "they are one body, or are joined" : "pins or colliders hold both"}));
    }
    const double radius = rule_of(pair).law == ContactLaw::offset ? rule_of(pair).radius : 0;
    if (!is_body(pair.second)) {
      shift(pair, meeting.across, margin * (meeting.depth + radius));
      return {};
    }
    std::vector<Vec3d> ways;
    if (const double size = length(meeting.across); size > 0) {
      ways.push_back((1 / size) * meeting.across);
      ways.push_back(-ways[0]);
    }
    for (const double sign : {1.0, -1.0})
      for (const Vec3d axis : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}}) ways.push_back(sign * axis);
    double least = Bounds::infinity;
    Vec3d best{};
    for (const Vec3d& way : ways) {
      const double farthest = way_out(pair, way);
      // One that is not out after most of the shortest way so far is not shorter.
      if (std::isfinite(least) && !are_apart(pair, (0.99 * least) * way)) continue;
      double far = std::isfinite(least) ? 0.99 * least : std::ldexp(farthest, -doublings), near = 0;
      while (!std::isfinite(least) && far < farthest && !are_apart(pair, far * way)) {
        near = far;
        far = std::min(2 * far, farthest);
      }
      for (int k = 0; k < halvings; ++k) {
        const double half = 0.5 * (near + far);
        (are_apart(pair, half * way) ? far : near) = half;
      }
      least = far;
      best = way;
    }
    shift(pair, best, margin * (least + radius));
    return {};
  }
  Error not_parted(const std::map<Pair, Meeting>& all, const std::map<Pair, Gap>& near) const {
    if (!all.empty())
      return intersecting(
          all,
          format("make room for them: contact.start = \"separate\" has not parted them in %d rounds", most_rounds));
    const Pair pair = near.begin()->first;
    return {
        "contact.start",
        format("= \"separate\": after %d rounds %zu gaps are still smaller than the radius of contacts, that of %s and "
               "%s first",
               most_rounds, near.size(), name(pair.first).c_str(), name(pair.second).c_str()),
        "make room for bodies, or use a smaller contact.radius"};
  }
  const ContactRule& rule_of(Pair pair) const {
    const int32_t a = surface_.bodies[static_cast<size_t>(pair.first)].group;
    const int32_t b =
        is_body(pair.second) ? surface_.bodies[static_cast<size_t>(pair.second)].group : object_of(pair.second);
    return surface_.rules[static_cast<size_t>(a * surface_.group_count + b)];
  }

  // The number of a triangle within the surface of its object or collider.
  int64_t number_of(int32_t triangle) const {
    const int32_t object = object_of(body_at(triangle));
    int32_t first = triangle;
    while (first > 0 && object_of(body_at(first - 1)) == object) --first;
    return triangle - first;
  }
  Error intersecting(const std::map<Pair, Meeting>& all, const std::string& remedy,
                     const std::string& when = " at the start") const {
    const auto& [pair, meeting] = *all.begin();
    const std::string a = name(pair.first), b = name(pair.second);
    std::string what = pair.first == pair.second ? a + " intersects itself" : a + " and " + b + " intersect";
    if (a == b && pair.first != pair.second) what = "two bodies of " + a + " intersect";
    if (meeting.triangle_a >= 0)
      what += when + format(": triangle %lld of its surface and triangle %lld of %s",
                            static_cast<long long>(number_of(meeting.triangle_a)),
                            static_cast<long long>(number_of(meeting.triangle_b)), a == b ? "it" : b.c_str());
    else if (!is_body(pair.second))
      what += when +
              format(": %lld vertices are up to %.3g m inside", static_cast<long long>(meeting.count), meeting.depth);
    else
      what += when + ": one lies inside the other";
    what += format(", near [%.4g, %.4g, %.4g] m", meeting.place.x, meeting.place.y, meeting.place.z);
    if (meeting.triangle_a >= 0 && meeting.count > 1)
      what += format(", and %lld more pairs of triangles", static_cast<long long>(meeting.count - 1));
    if (all.size() > 1) what += format("; so do %zu more pairs of bodies", all.size() - 1);
    return {
        "contact", what,
        remedy +
            (pair.first == pair.second ? "; or a mesh that does not, or contact.self = false"
                                       : "; or let them pass through each other: \"touches\": false in contact.pairs") +
            "; `sinew check SCENE --picture FILE` shows the place"};
  }

  void tell_of_gaps() const {
    const std::map<Pair, Gap> near = gaps();
    size_t told = 0;
    for (const auto& [pair, gap] : near) {
      if (told++ == most_told) break;
      compiled_.warnings.push_back(
          joined({"contact: ", name(pair.first), " and ", name(pair.second),
                  format(" are %.3g m apart at the start, less than the radius of their contacts, %.3g m: they push "
                         "each other apart%s",
                         std::max(gap.gap, 0.0), gap.radius,
                         compiled_.contact.start == ContactStart::separate
                             ? "; neither can be moved"
                             : "; contact.start = \"separate\" moves them apart before")}));
    }
    if (near.size() > most_told)
      compiled_.warnings.push_back(format("contact: so are %zu more", near.size() - most_told));
  }
  void tell_of_moves(const std::vector<Vec3d>& before) const {
    struct Moves {
      int bodies = 0;
      Vec3d farthest{};
    };
    std::map<int32_t, Moves> of_object;
    for (size_t k = 0; k < surface_.bodies.size(); ++k) {
      const int32_t p = some_point(k);
      const Vec3d way = at(p) - before[static_cast<size_t>(p)];
      if (dot(way, way) == 0) continue;
      Moves& moves = of_object[surface_.bodies[k].object];
      ++moves.bodies;
      if (dot(way, way) > dot(moves.farthest, moves.farthest)) moves.farthest = way;
    }
    for (const auto& [object, moves] : of_object) {
      // What is round-off is not told.
      const double least = 1e-9 * length(moves.farthest);
      const auto told = [&](double a) { return std::abs(a) < least ? 0.0 : a; };
      const Vec3d way = {told(moves.farthest.x), told(moves.farthest.y), told(moves.farthest.z)};
      compiled_.warnings.push_back(
          joined({"contact.start = \"separate\": ", moves.bodies > 1 ? format("%d bodies of ", moves.bodies) : "",
                  "objects.", scene_.objects[static_cast<size_t>(object)].name,
                  moves.bodies > 1 ? " were moved, the farthest" : " was moved",
                  format(" by [%.4g, %.4g, %.4g] m", way.x, way.y, way.z)}));
    }
  }

  const Scene& scene_;
  CompiledScene& compiled_;
  const ContactSurface& surface_;
  ThreadPool& pool_;
  std::vector<Vec3d> points_;  // [m] where they are: slots first
  std::vector<ContactPlane> planes_;
  std::vector<std::vector<int32_t>> triangles_of_;  // of each body
  std::vector<uint8_t> of_bodies_;                  // by triangle; 0: of a collider
  std::vector<int32_t> cluster_;                    // by slot, named by a slot
  std::vector<char> held_;                          // by cluster
};

// Where the scene starts.
Start start_of(const Scene& scene, CompiledScene& compiled, ThreadPool& pool) {
  const ContactSurface& surface = compiled.contact_surface;
  std::vector<Vec3d> points = compiled.start.x;
  points.resize(surface.rest.size());
  std::vector<ContactPlane> planes = surface.planes;
  place_colliders(compiled.colliders, 0, surface, std::span(points).subspan(static_cast<size_t>(surface.slot_count)),
                  planes);
  return Start(scene, compiled, std::move(points), std::move(planes), pool);
}

}  // namespace

Status start_contact(const Scene& scene, CompiledScene& compiled, ThreadPool& pool) {
  if (compiled.contact_surface.empty()) return {};
  Start start = start_of(scene, compiled, pool);
  if (compiled.contact.start == ContactStart::allow) return start.allow();
  return compiled.contact.start == ContactStart::separate ? start.separate() : start.refuse();
}

Status check_added(const Scene& scene, CompiledScene& compiled, std::vector<Vec3d> points,
                   std::vector<ContactPlane> planes, std::span<const uint8_t> is_new, ThreadPool& pool) {
  return Start(scene, compiled, std::move(points), std::move(planes), pool).look_at_added(is_new);
}

Status check_placed(const Scene& scene, CompiledScene& compiled, std::vector<Vec3d> points,
                    std::vector<ContactPlane> planes, ThreadPool& pool) {
  return Start(scene, compiled, std::move(points), std::move(planes), pool).look_at_placed();
}

StartView view_start(const Scene& scene, CompiledScene& compiled, ThreadPool& pool) {
  if (compiled.contact_surface.empty()) return {};
  return start_of(scene, compiled, pool).view();
}

}  // namespace sinew
