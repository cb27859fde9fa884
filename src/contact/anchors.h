// Friction that sticks. A contact that sticks pulls its two sides back across its normal to where they touched, its
// *anchor*, like a spring as stiff as the contact; where that is more than friction holds, it slips, and the anchor is
// dragged along: a return mapping (Simo & Laursen 1992, "An augmented Lagrangian treatment of contact problems
// involving friction", section 3). Nothing creeps.
//
// From one step to the next, the contact of a vertex or of two edges is known again by what touches. A vertex that has
// got to another face, edge or corner of the same body goes on from where it was.
//
// Between steps, anchors are state.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "contact/contact.h"
#include "contact/contact_surface.h"
#include "contact/surface_map.h"

namespace sinew {

// What a contact was stretched across its normal at the end of a step, by its friction.
struct Anchor {
  int64_t kind = 0;             // ContactKind
  int64_t second = 0;           // Contact::second
  int32_t first = 0, body = 0;  // Contact::first; the other body, or -1 - plane
  double force = 0;             // [N] lambda then
  Vec3d stretch{};              // [m]
};
static_assert(sizeof(Anchor) == 56, "without padding, for it is saved as bytes");

class Anchors {
 public:
  // Adds to the slip of contacts that stick what they were stretched when the step began.
  void add_to(const ContactSurface& surface, std::span<Contact> contacts) const;
  // Takes over where contacts hold as a step ends, with slips that contain what `add_to` added.
  void follow(const ContactSurface& surface, std::span<const Contact> contacts);

  std::span<const Anchor> all() const { return anchors_; }
  void replace(std::vector<Anchor> anchors);
  // Those of another surface that are still there.
  void take_of(const Anchors& earlier, const SurfaceMap& map, const ContactSurface& surface);
  size_t memory_bytes() const { return anchors_.capacity() * sizeof(Anchor); }

 private:
  std::vector<Anchor> anchors_;  // by what they are anchors of
};

}  // namespace sinew
