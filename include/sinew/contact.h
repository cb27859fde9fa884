// The choices there are for contact between bodies, by the words of scenes (docs/contact.md).
#pragma once

#include <cstdint>
#include <string_view>

#include "sinew/named.h"

namespace sinew {

enum class ContactLaw : uint8_t {
  offset,   // by distance, from the radius on, growing without bound as the distance vanishes
  penalty,  // by depth of penetration (Chen et al. 2024, VBD, eq. 12; Chen et al. 2023, PBNG, section 10.2)
};
template <>
struct EnumNames<ContactLaw> {
  static constexpr std::string_view names[] = {"offset", "penalty"};
};

enum class FrictionForm : uint8_t {
  smooth,  // creeps (Li et al. 2020, IPC)
  stick,   // an anchor per contact, dragged along where it slips
};
template <>
struct EnumNames<FrictionForm> {
  static constexpr std::string_view names[] = {"smooth", "stick"};
};

// What is guaranteed of every state.
enum class ContactGuarantee : uint8_t { none, intersection_free };
template <>
struct EnumNames<ContactGuarantee> {
  static constexpr std::string_view names[] = {"none", "intersection_free"};
};

// What happens to bodies that intersect at the start.
enum class ContactStart : uint8_t {
  refuse,    // an error
  separate,  // they are moved apart as wholes
  allow,     // such pairs are ignored until they are apart
};
template <>
struct EnumNames<ContactStart> {
  static constexpr std::string_view names[] = {"refuse", "separate", "allow"};
};

}  // namespace sinew
