#include "compile/contact_start.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/format.h"
#include "base/nearest.h"
#include "compile/placed_surfaces.h"
#include "compile/separator.h"
#include "math/length.h"
#include "step/collider_script.h"

namespace sinew {

namespace {

// Rounds in which every pair is moved apart once.
constexpr int most_rounds = 200;
constexpr size_t most_told = 3;
// [-] Share of a radius by which a gap may be too small without a word.
constexpr double unseen = 1e-6;

class Start {
 public:
  Start(const Scene& scene, CompiledScene& compiled, std::vector<Vec3d> points, std::vector<ContactPlane> planes,
        ThreadPool& pool)
      : scene_(scene),
        compiled_(compiled),
        surfaces_(compiled.contact_surface, std::move(points), std::move(planes), pool) {}

  Status settle() {
    const std::vector<ContactRule>& rules = surfaces_.surface().rules;
    if (std::any_of(rules.begin(), rules.end(),
                    [](const ContactRule& r) { return r.touches && r.start == ContactStart::separate; }))
      if (Status s = separate(); !s) return s;
    const Meetings all = surfaces_.meetings();
    ignore(those_to(ContactStart::allow, all));
    if (const Meetings refused = those_to(ContactStart::refuse, all); !refused.empty()) {
      const MeetingPair first = refused.begin()->first;
      return intersecting(refused, first.first == first.second
                                       ? "take a pose in which it does not cross itself"
                                       : "use contact.start = \"separate\", which moves bodies apart, or move one");
    }
    tell_of_gaps();
    return {};
  }

  Status look_at_added(std::span<const uint8_t> is_new) {
    Meetings all = surfaces_.meetings();
    const auto is_old = [&](int32_t of) { return !is_new[static_cast<size_t>(surfaces_.object_of(of))]; };
    std::erase_if(all, [&](const auto& entry) { return is_old(entry.first.first) && is_old(entry.first.second); });
    ignore(those_to(ContactStart::allow, all));
    std::erase_if(all, [&](const auto& entry) { return start_of(entry.first) == ContactStart::allow; });
    return all.empty() ? Status{} : intersecting(all, "add it where there is room", "");
  }

  Status look_at_placed() const {
    Meetings all = surfaces_.meetings();
    std::erase_if(all, [&](const auto& entry) {
      return !surfaces_.rule_of(entry.first).apart || start_of(entry.first) == ContactStart::allow;
    });
    return all.empty() ? Status{} : intersecting(all, "place them apart", " there");
  }

  StartView view() const {
    StartView view{surfaces_.points(), surfaces_.planes(),
                   std::vector<StartMark>(surfaces_.surface().triangles.size(), StartMark::none)};
    const Meetings all = surfaces_.meetings();
    const auto mark = [&](MeetingPair pair, int32_t triangle) {
      StartMark& of = view.marks[static_cast<size_t>(triangle)];
      of = std::max(of, pair == all.begin()->first ? StartMark::first : StartMark::meets);
    };
    for (const auto& [a, b] : surfaces_.crossings()) {
      const MeetingPair pair = std::minmax({surfaces_.body_at(a), surfaces_.body_at(b)});
      if (!all.contains(pair)) continue;
      mark(pair, a);
      mark(pair, b);
    }
    for (const auto& [pair, meeting] : all) {
      if (meeting.triangle_a >= 0) continue;
      if (surfaces_.is_body(pair.second)) {
        // The one that lies inside: its vertex is the place.
        const Vec3d way = surfaces_.at(surfaces_.some_point(pair.first)) - meeting.place;
        for (const int32_t t : surfaces_.triangles_of(dot(way, way) == 0 ? pair.first : pair.second)) mark(pair, t);
        continue;
      }
      for (const int32_t t : surfaces_.triangles_of(pair.first))
        for (const int32_t v : surfaces_.surface().triangles[static_cast<size_t>(t)])
          for (const ContactPlane& plane : surfaces_.planes())
            if (surfaces_.number_of_planes_of(plane) == pair.second &&
                dot(plane.normal, surfaces_.at(v) - plane.point) < 0)
              mark(pair, t);
    }
    return view;
  }

 private:
  ContactStart start_of(MeetingPair pair) const { return surfaces_.rule_of(pair).start; }
  Meetings those_to(ContactStart start, const Meetings& all) const {
    Meetings some;
    for (const auto& entry : all)
      if (start_of(entry.first) == start) some.insert(entry);
    return some;
  }

  Status separate() {
    const std::vector<Vec3d> before = surfaces_.points();
    Separator separator(compiled_, surfaces_);
    for (int round = 0;; ++round) {
      const Meetings all = those_to(ContactStart::separate, surfaces_.meetings());
      std::map<MeetingPair, Gap> near;
      if (all.empty()) near = surfaces_.gaps(compiled_.ignored);
      std::erase_if(near, [&](const auto& entry) {
        return start_of(entry.first) != ContactStart::separate || !separator.can_move(entry.first);
      });
      if (all.empty() && near.empty()) break;
      if (round == most_rounds) return not_parted(all, near);
      for (const auto& [pair, meeting] : all) {
        if (!separator.can_move(pair))
          return intersecting({{pair, meeting}},
                              joined({"move one of them: contact.start = \"separate\" cannot, since ",
                                      separator.are_joined(pair) ? "they are one body, or are joined"
                                                                 : "pins or colliders hold both"}));
        separator.move_out(pair, meeting);
      }
      for (const auto& [pair, gap] : near) separator.widen(pair, gap);
    }
    std::copy_n(surfaces_.points().begin(), compiled_.start.x.size(), compiled_.start.x.begin());
    tell_of_moves(before);
    return {};
  }

  std::string name(int32_t of) const {
    const auto object = static_cast<size_t>(surfaces_.object_of(of));
    return object < scene_.objects.size() ? "objects." + scene_.objects[object].name
                                          : "colliders." + scene_.colliders[object - scene_.objects.size()].name;
  }

  void ignore(const Meetings& all) {
    for (const auto& [pair, meeting] : all) {
      if (surfaces_.is_body(pair.second)) {
        compiled_.ignored.push_back({pair.first, pair.second});
        continue;
      }
      for (size_t k = 0; k < surfaces_.planes().size(); ++k)
        if (surfaces_.number_of_planes_of(surfaces_.planes()[k]) == pair.second &&
            surfaces_.is_below(pair.first, surfaces_.planes()[k]))
          compiled_.ignored.push_back({pair.first, -1 - static_cast<int32_t>(k)});
    }
  }
  Error not_parted(const Meetings& all, const std::map<MeetingPair, Gap>& near) const {
    if (!all.empty())
      return intersecting(
          all,
          format("make room for them: contact.start = \"separate\" has not parted them in %d rounds", most_rounds));
    const MeetingPair pair = near.begin()->first;
    return {
        "contact.start",
        format("= \"separate\": after %d rounds %zu gaps are still smaller than the radius of contacts, that of %s and "
               "%s first",
               most_rounds, near.size(), name(pair.first).c_str(), name(pair.second).c_str()),
        "make room for bodies, or use a smaller contact.radius"};
  }
  // The number of a triangle within the surface of its object or collider.
  int64_t number_of(int32_t triangle) const {
    const int32_t object = surfaces_.object_of(surfaces_.body_at(triangle));
    int32_t first = triangle;
    while (first > 0 && surfaces_.object_of(surfaces_.body_at(first - 1)) == object) --first;
    return triangle - first;
  }
  Error intersecting(const Meetings& all, const std::string& remedy, const std::string& when = " at the start") const {
    const auto& [pair, meeting] = *all.begin();
    const std::string a = name(pair.first), b = name(pair.second);
    std::string what = pair.first == pair.second ? a + " intersects itself" : a + " and " + b + " intersect";
    if (a == b && pair.first != pair.second) what = "two bodies of " + a + " intersect";
    if (meeting.triangle_a >= 0)
      what += when + format(": triangle %lld of its surface and triangle %lld of %s",
                            static_cast<long long>(number_of(meeting.triangle_a)),
                            static_cast<long long>(number_of(meeting.triangle_b)), a == b ? "it" : b.c_str());
    else if (!surfaces_.is_body(pair.second))
      what += when +
              format(": %lld vertices are up to %.3g m inside", static_cast<long long>(meeting.count), meeting.depth);
    else
      what += when + ": one lies inside the other";
    what += format(", near [%.4g, %.4g, %.4g] m", meeting.place.x, meeting.place.y, meeting.place.z);
    if (meeting.triangle_a >= 0 && meeting.count > 1)
      what += format(", and %lld more pairs of triangles", static_cast<long long>(meeting.count - 1));
    if (all.size() > 1) what += format("; so do %zu more pairs of bodies", all.size() - 1);
    return {"contact", what,
            remedy +
                (pair.first == pair.second ? "; or a mesh that does not, or contact.self = false"
                                           : "; or let them pass through each other: \"touches\": false in "
                                             "contact.pairs, or until they are apart: "
                                             "contact.start = \"allow\"") +
                "; `sinew check SCENE --picture FILE` shows the place"};
  }

  void tell_of_gaps() const {
    std::map<MeetingPair, Gap> near = surfaces_.gaps(compiled_.ignored);
    std::erase_if(near, [](const auto& entry) { return entry.second.gap > (1 - unseen) * entry.second.radius; });
    size_t told = 0;
    for (const auto& [pair, gap] : near) {
      if (told++ == most_told) break;
      compiled_.warnings.push_back(
          joined({"contact: ", name(pair.first), " and ", name(pair.second),
                  format(" are %.3g m apart at the start, less than the radius of their contacts, %.3g m: they push "
                         "each other apart%s",
                         std::max(gap.gap, 0.0), gap.radius,
                         start_of(pair) == ContactStart::separate
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
    for (size_t k = 0; k < surfaces_.surface().bodies.size(); ++k) {
      const int32_t p = surfaces_.some_point(static_cast<int32_t>(k));
      const Vec3d way = surfaces_.at(p) - before[static_cast<size_t>(p)];
      if (dot(way, way) == 0) continue;
      Moves& moves = of_object[surfaces_.surface().bodies[k].object];
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
  PlacedSurfaces surfaces_;
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
  return start_of(scene, compiled, pool).settle();
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
