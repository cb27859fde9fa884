// Contacts in the pictures of a film: an arrow for the force of each, from the point where it acts.
#pragma once

#include <string>
#include <vector>

#include "record/shown_run.h"
#include "render/render_scene.h"

namespace sinew {

// How long the arrows of a film are.
struct ForceScale {
  double length = 0, force = 0;  // [m] an arrow, both round, that stands for this force [N]

  std::string text() const;  // "arrow of 10 cm: 50 N"
};

// That of the contacts of all frames: most of them have an arrow up to a few lengths. Errors: a run without contacts,
// damaged files.
Result<ForceScale> force_scale(ShownRuns runs, double length);

// Those of frame k, relative to `origin`.
Result<std::vector<RenderLine>> contact_arrows(const ShownRun& run, size_t k, const ForceScale& scale,
                                               const Vec3d& origin);

}  // namespace sinew
