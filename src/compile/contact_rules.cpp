#include "compile/contact_rules.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "base/format.h"

namespace sinew {

namespace {

// Times the radius that a mesh suggests: three of its mean edges.
constexpr double largest_radius = 20, smallest_radius = 1e-3;

template <class T, class Combine>
std::optional<T> of_both(const std::optional<T>& a, const std::optional<T>& b, const Combine& combine) {
  if (a && b) return combine(*a, *b);
  return a ? a : b;
}

}  // namespace

std::optional<double> given_radius(const ContactSettings& settings, const ContactSide& a, const ContactSide& b,
                                   const SceneContactPair* pair) {
  if (pair && pair->radius) return pair->radius;
  const auto larger = [](double r, double s) { return std::max(r, s); };
  const std::optional<double> own = of_both(a.own.radius, b.own.radius, larger);
  return own ? own : settings.radius;
}

ContactRule contact_rule(const ContactSettings& settings, const ContactSide& a, const ContactSide& b,
                         const SceneContactPair* pair, bool bound) {
  const SceneContactPair none;
  const SceneContactPair& of = pair ? *pair : none;
  ContactRule rule;
  rule.touches = a.touchable && b.touchable &&
                 of.touches.value_or(!bound && !(a.on_grid && b.on_grid) && a.own.touches.value_or(true) &&
                                     b.own.touches.value_or(true));
  const auto value = [](const auto& of_pair, const auto& own, const auto& of_scene) {
    return of_pair ? *of_pair : own ? *own : of_scene;
  };
  // Penalties leave bodies in each other: whoever asks for more gets it.
  const auto stronger = [](ContactLaw l, ContactLaw m) { return l == m ? l : ContactLaw::offset; };
  rule.law = value(of.law, of_both(a.own.law, b.own.law, stronger), settings.law);
  // Penalties begin where the surfaces meet.
  if (rule.law == ContactLaw::offset)
    rule.radius = given_radius(settings, a, b, pair).value_or(std::min(a.auto_radius, b.auto_radius));
  if (!std::isfinite(rule.radius)) rule.radius = 0;  // of two colliders

  // Springs in series; of each side half the displacement.
  const auto harmonic = [](double k, double l) { return 2 / (1 / k + 1 / l); };
  rule.stiffness =
      value(of.stiffness, of_both(a.own.stiffness, b.own.stiffness, harmonic), settings.stiffness.value_or(0));
  rule.friction =
      value(of.friction, of_both(a.own.friction, b.own.friction, [](double m, double n) { return std::sqrt(m * n); }),
            settings.friction);
  rule.friction_speed =
      value(of.friction_speed,
            of_both(a.own.friction_speed, b.own.friction_speed, [](double u, double v) { return std::min(u, v); }),
            settings.friction_speed);
  rule.form = value(
      of.friction_form,
      of_both(a.own.friction_form, b.own.friction_form, [](FrictionForm f, FrictionForm g) { return std::max(f, g); }),
      settings.friction_form);
  const ContactGuarantee guarantee = value(
      of.guarantee,
      of_both(a.own.guarantee, b.own.guarantee, [](ContactGuarantee g, ContactGuarantee h) { return std::max(g, h); }),
      settings.guarantee);
  rule.apart = guarantee == ContactGuarantee::intersection_free;
  rule.start =
      value(of.start, of_both(a.own.start, b.own.start, [](ContactStart s, ContactStart t) { return std::max(s, t); }),
            settings.start);
  return rule;
}

namespace {

class Rules {
 public:
  Rules(const Scene& scene, const ContactSettings& settings, std::span<const ContactSide> sides)
      : settings_(settings), sides_(sides) {
    std::map<std::string_view, size_t> number;
    for (const SceneObject& o : scene.objects) number.emplace(o.name, number.size());
    for (const SceneCollider& c : scene.colliders) number.emplace(c.name, number.size());
    for (const SceneContactPair& p : settings.pairs) pairs_[std::minmax({number.at(p.a), number.at(p.b)})] = &p;
    // Two parts of one object that are bound together still touch: only pairs of objects have a rule.
    for (const SceneBinding& b : scene.bindings)
      if (b.bind.object != b.to.object) bound_.insert(std::minmax({number.at(b.bind.object), number.at(b.to.object)}));
  }

  ContactRule of(size_t a, size_t b) const {
    const std::pair<size_t, size_t> both{std::min(a, b), std::max(a, b)};
    return contact_rule(settings_, sides_[a], sides_[b], entry(both), bound_.contains(both));
  }
  std::optional<double> radius_given(size_t a, size_t b) const {
    return given_radius(settings_, sides_[a], sides_[b], entry({std::min(a, b), std::max(a, b)}));
  }

 private:
  const SceneContactPair* entry(std::pair<size_t, size_t> both) const {
    const auto at = pairs_.find(both);
    return at == pairs_.end() ? nullptr : at->second;
  }

  const ContactSettings& settings_;
  std::span<const ContactSide> sides_;
  std::map<std::pair<size_t, size_t>, const SceneContactPair*> pairs_;
  std::set<std::pair<size_t, size_t>> bound_;
};

}  // namespace

Status set_rules(const Scene& scene, std::span<const ContactSide> all, ContactSurface& surface,
                 std::vector<std::string>& warnings) {
  const ContactSettings settings = scene.contact.value_or(ContactSettings{});
  const size_t objects = scene.objects.size(), groups = all.size();
  std::vector<ContactSide> sides(all.begin(), all.end());
  for (size_t k = 0; k < groups; ++k)
    sides[k].own = k < objects ? scene.objects[k].contact : scene.colliders[k - objects].contact;
  const Rules rules(scene, settings, sides);
  surface.group_count = static_cast<int32_t>(groups);
  surface.rules.resize(groups * groups);
  for (size_t a = 0; a < groups; ++a)
    for (size_t b = a; b < groups; ++b) {
      ContactRule rule = rules.of(a, b);
      if (a >= objects) rule.touches = false;  // two colliders
      if (a == b && sides[a].bodies == 1 && !sides[a].self) rule.touches = false;
      surface.rules[a * groups + b] = surface.rules[b * groups + a] = rule;
    }
  for (size_t a = 0; a < objects; ++a)
    for (size_t b = a; b < groups; ++b) {
      const ContactRule& rule = surface.rules[a * groups + b];
      if (rule.touches && rule.apart && rule.law == ContactLaw::penalty)
        return Error{sides[a].path + (a == b ? "" : " with " + sides[b].path),
                     "penalties push only what has crossed, which the guarantee intersection_free forbids: nothing "
                     "would push at all",
                     "use the law offset for them, or the guarantee none"};
    }
  for (size_t a = 0; a < objects; ++a) {
    double given = 0;
    for (size_t b = 0; b < groups; ++b) {
      const ContactRule& rule = surface.rules[a * groups + b];
      if (rule.touches && rule.law == ContactLaw::offset) given = std::max(given, rules.radius_given(a, b).value_or(0));
    }
    if (given > largest_radius * sides[a].auto_radius)
      return Error{sides[a].path,
                   format("contacts begin at a radius of %g m, %.0f times what suits its mesh: each vertex would touch "
                          "hundreds of triangles",
                          given, given / sides[a].auto_radius),
                   format("take contact.radius = \"auto\", here %.3g m, or at most %.3g m", sides[a].auto_radius,
                          largest_radius * sides[a].auto_radius)};
    if (given > 0 && given < smallest_radius * sides[a].auto_radius)
      warnings.push_back(
          sides[a].path +
          format(": contacts begin at a radius of %g m, far below the edges of its mesh: gaps stay as "
                 "narrow, and sweeps hardly find what pushes; take contact.radius = \"auto\", here %.3g m",
                 given, sides[a].auto_radius));
    if (given > sides[a].shortest_edge)
      warnings.push_back(sides[a].path +
                         format(": contacts begin at a radius of %g m, more than the shortest edge of its surface, %g "
                                "m: finer features are rounded off and touch each other; take contact.radius = "
                                "\"auto\", here %.3g m, or a coarser mesh",
                                given, sides[a].shortest_edge, sides[a].auto_radius));
  }
  return {};
}

}  // namespace sinew
