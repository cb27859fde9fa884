// Colours for patches on a grid (Chen et al. 2024, PXPBD, section 4, where each tet is one): two patches of one colour
// weigh on no common node, so that they can be swept at once. As nodes change from step to step, so do colours; each
// patch keeps its last one where it can.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "grid/grid_embedding.h"
#include "grid/tet_patches.h"
#include "mesh/coloring.h"

namespace sinew {

inline constexpr int32_t most_grid_colors = 1 << 20;

// `before`: the last colours; ignored if there are not as many.
Coloring color_on_grid(const TetPatches& patches, const GridEmbedding& embedding, std::span<const int32_t> before);

}  // namespace sinew
