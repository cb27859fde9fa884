// Colours for elements on a grid (Chen et al. 2024, PXPBD, section 4): two elements of one colour weigh on no common
// node, so that they can be swept at once. As nodes change from step to step, so do colours; each element keeps its
// last one where it can.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "grid/grid_embedding.h"
#include "mesh/coloring.h"
#include "model/model.h"

namespace sinew {

inline constexpr int32_t most_grid_colors = 1 << 20;

// Of the tets of blocks that are on the grid, one after the other; others have colour 0. `before`: the last colours, or
// empty.
Coloring color_on_grid(const Model& model, const GridEmbedding& embedding, std::span<const int32_t> before);

}  // namespace sinew
