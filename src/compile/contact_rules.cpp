#include "compile/contact_rules.h"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

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
                 of.touches.value_or(!bound && a.own.touches.value_or(true) && b.own.touches.value_or(true));
  rule.law = of.law.value_or(settings.law);
  // Penalties begin where the surfaces meet.
  if (rule.law == ContactLaw::offset)
    rule.radius = given_radius(settings, a, b, pair).value_or(std::min(a.auto_radius, b.auto_radius));
  if (!std::isfinite(rule.radius)) rule.radius = 0;  // of two colliders

  const auto value = [](const auto& of_pair, const auto& own, const auto& of_scene) {
    return of_pair ? *of_pair : own ? *own : of_scene;
  };
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
  return rule;
}

}  // namespace sinew
