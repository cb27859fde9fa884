// What pictures show: surfaces and colliders over time, from a folder (record/run_reader.h) or from a simulation.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/result.h"
#include "record/collider_store.h"
#include "record/surface_store.h"

namespace sinew {

struct RecordedContact {
  Vec3d point, force;  // [m], [N] on the first of the two that touch
};

class ShownRun {
 public:
  virtual ~ShownRun() = default;
  virtual const std::vector<RecordedSurface>& surfaces() const = 0;
  virtual const std::vector<RecordedCollider>& colliders() const = 0;
  virtual size_t frame_count() const = 0;
  virtual Result<SurfaceFrame> frame(size_t k) const = 0;
  virtual Result<std::vector<RecordedContact>> contacts(size_t k) const = 0;

 protected:
  ShownRun() = default;
  ShownRun(const ShownRun&) = default;
  ShownRun(ShownRun&&) = default;
  ShownRun& operator=(const ShownRun&) = default;
  ShownRun& operator=(ShownRun&&) = default;
};
// They have the same objects.
using ShownRuns = std::span<const ShownRun* const>;

// The part of one surface in an array over the points of all surfaces.
template <class T>
std::span<const T> points_of(const RecordedSurface& surface, const std::vector<T>& all) {
  return std::span(all).subspan(static_cast<size_t>(surface.first), static_cast<size_t>(surface.point_count));
}
// The displacement of each point from rest [m], over the points of all surfaces.
std::vector<float> displacement_of(std::span<const RecordedSurface> surfaces, const SurfaceFrame& frame);

}  // namespace sinew
