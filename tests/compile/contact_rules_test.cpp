// Source: docs/contact.md, What holds for a pair: the entry, then what both sides have, then the scene.
#include "compile/contact_rules.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sinew {
namespace {

ContactSide side(double auto_radius, ObjectContact own = {}) {
  return {.own = own, .auto_radius = auto_radius};
}

TEST(ContactRules, AutomaticRadiusIsTheSmallerOfTheTwo) {
  const ContactSettings settings;
  EXPECT_EQ(contact_rule(settings, side(0.2), side(0.1), nullptr, false).radius, 0.1);
  EXPECT_EQ(contact_rule(settings, side(0.2), ContactSide{}, nullptr, false).radius, 0.2) << "a collider has none";
  EXPECT_EQ(contact_rule(settings, ContactSide{}, ContactSide{}, nullptr, false).radius, 0);
  EXPECT_EQ(contact_rule(settings, side(0.2), side(0.1), nullptr, false).stiffness, 0) << "automatic too";
}

TEST(ContactRules, WhatBothHaveIsCombined) {
  ContactSettings settings;
  settings.radius = 0.5;
  settings.stiffness = 7;
  settings.friction = 0.9;
  settings.friction_speed = 0.02;
  ObjectContact a, b;
  const auto rule = [&] { return contact_rule(settings, side(0.2, a), side(0.1, b), nullptr, false); };
  ContactRule r = rule();
  EXPECT_EQ(r.radius, 0.5);
  EXPECT_EQ(r.stiffness, 7);
  EXPECT_EQ(r.friction, 0.9);
  EXPECT_EQ(r.friction_speed, 0.02);
  EXPECT_EQ(r.form, FrictionForm::smooth);
  a = {ContactLaw::penalty, 0.3, 100, 0.25, 0.001, FrictionForm::stick, {}, {}, {}, {}};
  r = rule();
  EXPECT_EQ(r.law, ContactLaw::penalty) << "one has a value, which comes before the scene's";
  EXPECT_EQ(r.radius, 0) << "penalties begin where surfaces meet";
  a.law = ContactLaw::offset;
  settings.law = ContactLaw::penalty;
  r = rule();
  EXPECT_EQ(r.law, ContactLaw::offset);
  EXPECT_EQ(r.radius, 0.3);
  EXPECT_EQ(r.stiffness, 100);
  EXPECT_EQ(r.friction, 0.25);
  EXPECT_EQ(r.friction_speed, 0.001);
  EXPECT_EQ(r.form, FrictionForm::stick);
  b = {ContactLaw::penalty, 0.4, 300, 1, 0.002, FrictionForm::smooth, {}, {}, {}, {}};
  r = rule();
  EXPECT_EQ(r.law, ContactLaw::offset) << "the one that leaves no penetration";
  EXPECT_EQ(r.radius, 0.4) << "the larger";
  EXPECT_DOUBLE_EQ(r.stiffness, 150) << "the harmonic mean";
  EXPECT_DOUBLE_EQ(r.friction, 0.5) << "the geometric mean";
  EXPECT_EQ(r.friction_speed, 0.001) << "the lower";
  EXPECT_EQ(r.form, FrictionForm::stick);
  b.friction = 0;
  EXPECT_EQ(rule().friction, 0) << "ice is slippery for all";

  settings.guarantee = ContactGuarantee::intersection_free;
  settings.start = ContactStart::separate;
  EXPECT_TRUE(rule().apart) << "the scene's, where neither has its own";
  EXPECT_EQ(rule().start, ContactStart::separate);
  a.guarantee = ContactGuarantee::none;
  a.start = ContactStart::refuse;
  EXPECT_FALSE(rule().apart);
  EXPECT_EQ(rule().start, ContactStart::refuse);
  b.guarantee = ContactGuarantee::intersection_free;
  b.start = ContactStart::allow;
  EXPECT_TRUE(rule().apart) << "whoever asks for it gets it";
  EXPECT_EQ(rule().start, ContactStart::allow) << "the more lenient";
}

TEST(ContactRules, AnEntryComesFirst) {
  ContactSettings settings;
  ObjectContact own{{}, 0.3, 100, 0.25, 0.001, FrictionForm::stick, {}, {}, {}, {}};
  SceneContactPair pair;
  const auto rule = [&] { return contact_rule(settings, side(0.2, own), side(0.1, own), &pair, false); };
  EXPECT_EQ(rule(), contact_rule(settings, side(0.2, own), side(0.1, own), nullptr, false)) << "it says nothing";
  pair = {"a", "b", ContactLaw::offset, 1, 2, 3, 4, FrictionForm::smooth, {}, {}, {}};
  const ContactRule r = rule();
  EXPECT_EQ(r.radius, 1);
  EXPECT_EQ(r.stiffness, 2);
  EXPECT_EQ(r.friction, 3);
  EXPECT_EQ(r.friction_speed, 4);
  EXPECT_EQ(r.form, FrictionForm::smooth);
  EXPECT_FALSE(r.apart);
  pair.guarantee = ContactGuarantee::intersection_free;
  pair.start = ContactStart::allow;
  EXPECT_TRUE(rule().apart);
  EXPECT_EQ(rule().start, ContactStart::allow);
  own.guarantee = ContactGuarantee::intersection_free;
  pair.guarantee = ContactGuarantee::none;
  EXPECT_FALSE(rule().apart);
  pair.law = ContactLaw::penalty;
  EXPECT_EQ(rule().law, ContactLaw::penalty);
  EXPECT_EQ(rule().radius, 0) << "penalties begin where surfaces meet";
}

TEST(ContactRules, WhoTouches) {
  const ContactSettings settings;
  ObjectContact ghost;
  ghost.touches = false;
  SceneContactPair yes, no;
  yes.touches = true;
  no.touches = false;
  const auto touches = [&](const ContactSide& a, const ContactSide& b, const SceneContactPair* pair, bool bound) {
    const bool both_ways = contact_rule(settings, b, a, pair, bound).touches;
    EXPECT_EQ(contact_rule(settings, a, b, pair, bound).touches, both_ways);
    return both_ways;
  };
  EXPECT_TRUE(touches(side(1), side(1), nullptr, false));
  EXPECT_FALSE(touches(side(1), side(1), nullptr, true)) << "bound together";
  EXPECT_TRUE(touches(side(1), side(1), &yes, true));
  EXPECT_FALSE(touches(side(1), side(1), &no, false));
  EXPECT_FALSE(touches(side(1), side(1, ghost), nullptr, false));
  EXPECT_TRUE(touches(side(1), side(1, ghost), &yes, false)) << "but with this one";
  ContactSide springs = side(1);
  springs.touchable = false;
  EXPECT_FALSE(touches(side(1), springs, &yes, false));
}

}  // namespace
}  // namespace sinew
