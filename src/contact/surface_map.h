// What of one surface is what of another, where bodies or colliders were added or removed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "contact/contact_surface.h"

namespace sinew {

// By number in the earlier surface; -1: is not in the later one.
struct SurfaceMap {
  std::vector<int32_t> points, bodies, triangles, planes;
  std::vector<int32_t> edges;  // whose ends may be the other way around: bodies' points are renumbered
};

// `points` and `planes`: where those of the earlier surface are in the later one, or -1. Bodies are mapped as wholes.
SurfaceMap map_surface(const ContactSurface& earlier, const ContactSurface& later, std::span<const int32_t> points,
                       std::span<const int32_t> planes);

}  // namespace sinew
