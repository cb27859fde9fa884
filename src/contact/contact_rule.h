// How two surfaces act on each other where they touch.
#pragma once

#include "sinew/contact.h"

namespace sinew {

// Of a pair of groups (ContactSurface::rule).
struct ContactRule {
  bool touches = true;  // false: the two pass through each other
  bool apart = false;   // the guarantee: they never intersect
  ContactLaw law = ContactLaw::offset;
  FrictionForm form = FrictionForm::smooth;
  double radius = 0;             // [m] r: forces begin at this distance
  double stiffness = 0;          // [N/m] of a contact; 0: from the stiffness of the two sides
  double friction = 0;           // [-] mu
  double friction_speed = 1e-2;  // [m/s] eps_v: slower slips are resisted less
  ContactStart start = ContactStart::refuse;

  bool operator==(const ContactRule&) const = default;
};

}  // namespace sinew
