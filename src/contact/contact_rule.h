// How two surfaces act on each other where they touch.
#pragma once

#include <cstdint>

namespace sinew {

enum class ContactLaw : uint8_t {
  offset,   // by distance, from the radius on, growing without bound as the distance vanishes (contact_law.h)
  penalty,  // by depth of penetration (Chen et al. 2024, VBD, eq. 12; Chen et al. 2023, PBNG, section 10.2)
};
enum class FrictionForm : uint8_t {
  smooth,  // creeps (Li et al. 2020, IPC)
  stick,   // an anchor per contact, dragged along where it slips
};

// Of a pair of groups (ContactSurface::rule).
struct ContactRule {
  bool touches = true;  // false: the two pass through each other
  ContactLaw law = ContactLaw::offset;
  FrictionForm form = FrictionForm::smooth;
  double radius = 0;             // [m] r: forces begin at this distance
  double stiffness = 0;          // [N/m] of a contact; 0: from the stiffness of the two sides
  double friction = 0;           // [-] mu
  double friction_speed = 1e-2;  // [m/s] eps_v: slower slips are resisted less

  bool operator==(const ContactRule&) const = default;
};

}  // namespace sinew
