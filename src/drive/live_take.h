// A simulation as it is, as what pictures show: one frame, of everything that they can show.
#pragma once

#include <vector>

#include "engine/engine.h"
#include "record/shown_run.h"
#include "sinew/scene.h"

namespace sinew {

class LiveTake final : public ShownRun {
 public:
  // Measures what these settings show.
  LiveTake(Engine& engine, const RenderSettings& settings);

  const std::vector<RecordedSurface>& surfaces() const override { return surfaces_; }
  const std::vector<RecordedCollider>& colliders() const override { return colliders_; }
  size_t frame_count() const override { return 1; }
  Result<SurfaceFrame> frame(size_t) const override { return frame_; }
  Result<std::vector<RecordedContact>> contacts(size_t) const override { return contacts_; }

 private:
  std::vector<RecordedSurface> surfaces_;
  std::vector<RecordedCollider> colliders_;  // where they are now; none of them moves
  SurfaceFrame frame_;
  std::vector<RecordedContact> contacts_;
};

}  // namespace sinew
