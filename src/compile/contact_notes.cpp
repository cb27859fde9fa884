#include "compile/contact_notes.h"

#include <algorithm>
#include <limits>

#include "base/format.h"
#include "base/nearest.h"
#include "contact/contact_stiffness.h"

namespace sinew {

namespace {

constexpr size_t most_shown = 3;

struct SameRule {
  ContactRule rule;
  std::vector<std::pair<int32_t, int32_t>> pairs;  // of groups
};

// In the order of the first pair of each.
std::vector<SameRule> rules_by_value(const ContactSurface& surface) {
  std::vector<char> has_surface(static_cast<size_t>(surface.group_count), 0);
  for (const ContactBody& body : surface.bodies) has_surface[static_cast<size_t>(body.group)] = 1;
  for (const ContactPlane& plane : surface.planes) has_surface[static_cast<size_t>(plane.group)] = 1;
  std::vector<SameRule> all;
  for (int32_t a = 0; a < surface.group_count; ++a)
    for (int32_t b = a; b < surface.group_count; ++b) {
      const ContactRule& rule =
          surface.rules[static_cast<size_t>(a) * static_cast<size_t>(surface.group_count) + static_cast<size_t>(b)];
      if (!rule.touches || !has_surface[static_cast<size_t>(a)] || !has_surface[static_cast<size_t>(b)]) continue;
      const auto at = std::find_if(all.begin(), all.end(), [&](const SameRule& same) { return same.rule == rule; });
      SameRule& same = at == all.end() ? all.emplace_back(SameRule{rule, {}}) : *at;
      same.pairs.emplace_back(a, b);
    }
  return all;
}

// [N/m] What holds the surface vertices of a group by themselves.
struct StiffnessRange {
  double low = std::numeric_limits<double>::infinity(), high = 0;
};
std::vector<StiffnessRange> ranges_of(const Scene& scene, const CompiledScene& compiled) {
  const ContactSurface& surface = compiled.contact_surface;
  const double h = scene.time.frame_dt / scene.time.substeps;
  const std::vector<double> of_slot = contact_stiffness(compiled.model, scene.time.quasistatic ? 0 : 1 / (h * h));
  std::vector<StiffnessRange> ranges(static_cast<size_t>(surface.group_count));
  for (const int32_t point : surface.vertices) {
    if (surface.is_collider_point(point)) continue;
    const int32_t body = surface.body_of[static_cast<size_t>(point)];
    StiffnessRange& range = ranges[static_cast<size_t>(surface.bodies[static_cast<size_t>(body)].group)];
    range.low = std::min(range.low, of_slot[static_cast<size_t>(point)]);
    range.high = std::max(range.high, of_slot[static_cast<size_t>(point)]);
  }
  return ranges;
}

std::string_view guarantee_of(const ContactSurface& surface) {
  const auto may_cross = [](const ContactRule& rule) { return rule.touches && !rule.apart; };
  if (!surface.keeps_any_apart()) return name_of(ContactGuarantee::none);
  return std::any_of(surface.rules.begin(), surface.rules.end(), may_cross)
             ? "intersection_free of some"
             : name_of(ContactGuarantee::intersection_free);
}

std::string law_text(const ContactRule& rule) {
  return rule.law == ContactLaw::penalty ? "penalties" : format("from %.3g m on", rule.radius);
}

}  // namespace

std::vector<std::string> contact_notes(const Scene& scene, const CompiledScene& compiled) {
  const ContactSurface& surface = compiled.contact_surface;
  if (surface.empty()) return {};
  const auto name = [&](int32_t group) {
    const auto g = static_cast<size_t>(group);
    return g < scene.objects.size() ? scene.objects[g].name : scene.colliders[g - scene.objects.size()].name;
  };
  const auto bodies = std::count_if(surface.bodies.begin(), surface.bodies.end(),
                                    [](const ContactBody& body) { return !body.collider; });
  std::vector<std::string> notes{
      format("contact: %zu triangles, %lld %s, %zu collider%s; guarantee %s", surface.triangles.size(),
             static_cast<long long>(bodies), bodies == 1 ? "body" : "bodies", compiled.colliders.size(),
             compiled.colliders.size() == 1 ? "" : "s", std::string(guarantee_of(surface)).c_str())};
  const std::vector<StiffnessRange> ranges = ranges_of(scene, compiled);
  for (const SameRule& same : rules_by_value(surface)) {
    std::string who;
    StiffnessRange range;
    for (size_t k = 0; k < same.pairs.size(); ++k) {
      const auto [a, b] = same.pairs[k];
      if (k < most_shown)
        who += joined({k > 0 ? ", " : "", name(a), " with ", a == b ? std::string("itself") : name(b)});
      for (const int32_t group : {a, b}) {
        range.low = std::min(range.low, ranges[static_cast<size_t>(group)].low);
        range.high = std::max(range.high, ranges[static_cast<size_t>(group)].high);
      }
    }
    if (same.pairs.size() > most_shown) who += format(" and %zu more", same.pairs.size() - most_shown);
    const ContactRule& rule = same.rule;
    const std::string stiffness = rule.stiffness > 0
                                      ? format("%.3g N/m", rule.stiffness)
                                      : format("from that of vertices, %.3g to %.3g N/m", range.low, range.high);
    const std::string friction = rule.friction > 0
                                     ? format("friction %.3g, %s", rule.friction,
                                              rule.form == FrictionForm::stick
                                                  ? "stick"
                                                  : format("smooth, below %.3g m/s less", rule.friction_speed).c_str())
                                     : std::string("no friction");
    notes.push_back(joined({"contact of ", who, ": ", law_text(rule), ", stiffness ", stiffness, ", ", friction,
                            rule.apart ? ", never intersecting" : "",
                            rule.start == ContactStart::refuse ? "" : joined({", start ", name_of(rule.start)})}));
  }
  if (scene.grid && compiled.grid)
    notes.push_back(joined({"contact of bodies on the grid with each other and with colliders: by its nodes, which ",
                            compiled.grid->sticky ? "stick to colliders" : "slip along colliders",
                            "; pairs with \"touches\": true have contact by surfaces besides"}));
  for (size_t k = 0; k < compiled.ignored.size(); ++k) {
    if (k == most_shown) {
      notes.push_back(format("contact: so do %zu more", compiled.ignored.size() - most_shown));
      break;
    }
    notes.push_back(joined({"contact: ", ignored_text(scene, surface, compiled.ignored[k]),
                            " at the start and pass through each other until they are apart"}));
  }
  return notes;
}

std::string ignored_text(const Scene& scene, const ContactSurface& surface, IgnoredPair pair) {
  const auto name = [&](int32_t object) {
    const auto o = static_cast<size_t>(object);
    return o < scene.objects.size() ? "objects." + scene.objects[o].name
                                    : "colliders." + scene.colliders[o - scene.objects.size()].name;
  };
  const auto object = [&](int32_t body) { return surface.bodies[static_cast<size_t>(body)].object; };
  const int32_t first = object(pair.first);
  const int32_t second =
      pair.second >= 0 ? object(pair.second) : surface.planes[static_cast<size_t>(-1 - pair.second)].collider;
  if (pair.first == pair.second) return "parts of a body of " + name(first) + " meet";
  return first == second ? "two bodies of " + name(first) + " meet" : name(first) + " and " + name(second) + " meet";
}

}  // namespace sinew
