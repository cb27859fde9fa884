// What can be read of a running simulation: in the user's order, into the caller's memory. Real: float or double.
#pragma once

#include <span>
#include <vector>

#include "base/result.h"
#include "engine/engine.h"
#include "sinew/live.h"

namespace sinew {

// Errors of all: a span of the wrong length, an object that is not there or has no skin.
template <class Real>
Status read_vertices(const Engine& engine, std::span<const Vec3d> slots, std::span<Real> xyz);
template <class Real>
Status read_elements(Engine& engine, ElementQuantity quantity, std::span<Real> values);
template <class Real>
Status read_reactions(Engine& engine, std::span<Real> xyz);
template <class Real>
Status read_probes(const Engine& engine, std::span<Real> xyz);
template <class Real>
Status read_skin(const Engine& engine, int32_t object, std::span<Real> xyz);

Result<const ObjectPart*> part_of(const Engine& engine, int32_t object);
Result<const Skin*> skin_of(const Engine& engine, int32_t object);
Energies energies_of(Engine& engine);
// In the order of contacts (contact/find_contacts.h).
std::vector<ContactPoint> contacts_of(Engine& engine);

}  // namespace sinew
