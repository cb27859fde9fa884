// The points of all surfaces, object by object: those of a boundary are vertices of the model, those of a skin
// (meshing/skin.h) are carried by vertices.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "meshing/skin.h"
#include "model/model.h"
#include "record/surface_store.h"

namespace sinew {

class SurfacePoints {
 public:
  SurfacePoints() = default;
  // surfaces: made from the objects (make_surfaces).
  SurfacePoints(const Model& model, std::span<const RecordedSurface> surfaces, std::span<const RecordedObject> objects);

  size_t count() const { return count_; }
  // The slots of points and of their carriers, each once.
  std::span<const int32_t> carriers() const { return slots_; }

  // The value at point k of a vector per slot.
  Vec3d vector(size_t k, std::span<const Vec3d> of_slots) const {
    const auto& [part, point, first] = place_of(k);
    const int32_t* slots = slots_.data() + first;
    if (!part->skin) return of_slots[slots[point]];
    return part->skin->sum(point, [&](int32_t c) { return of_slots[slots[c]]; });
  }
  // The value at point k of a non-negative number: of(c) is that of carriers()[c].
  template <class Of>
  double mean(size_t k, const Of& of) const {
    const auto& [part, point, first] = place_of(k);
    if (!part->skin) return of(first + point);
    return part->skin->mean(point, [&, slot = first](int32_t c) { return of(slot + static_cast<size_t>(c)); });
  }

 private:
  struct Part {
    size_t first_point, first_slot;
    std::shared_ptr<const Skin> skin;  // null: a point for each slot
  };
  // A point of a part's body, whose slots begin at first_slot.
  struct Place {
    const Part* part;
    size_t point, first_slot;
  };
  Place place_of(size_t k) const;

  std::vector<Part> parts_;
  std::vector<int32_t> slots_;
  size_t count_ = 0;
};

}  // namespace sinew
