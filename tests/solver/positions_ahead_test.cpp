// Source: the promise of solver/by_vertex/positions_ahead.h: all lines of memory that a pass meets are asked for,
// before it meets them, each once.
#include "solver/by_vertex/positions_ahead.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "mesh/generators.h"
#include "mesh/middles.h"
#include "support/body.h"

namespace sinew {
namespace {

Model quadratic_box(int cells) {
  TetMesh mesh = make_box({.cells = {cells, cells, cells}, .size = {1, 1, 1}, .split = TetSplit::five}).value();
  add_middles(mesh);
  ModelInput input;
  input.mesh = &mesh;
  input.block_of_tet.assign(mesh.tets.size(), 0);
  input.blocks = {{.material = elastic_material(MaterialKind::NeoHookean, lame_from(1e5, 0.49))}};
  input.density_of_block = {1000};
  return compile_model(input).value();
}

TEST(PositionsAhead, AskForEachLineOnceBeforeItIsMet) {
  constexpr int32_t slots_of_line = 4;
  for (const int cells : {1, 2, 9}) {
    const Model model = quadratic_box(cells);
    const ElasticBlock& block = model.blocks.front();
    const PositionsAhead ahead = positions_ahead(model, block, slots_of_line);
    const auto tets = static_cast<size_t>(block.last_tet);
    const size_t rows = (tets + tets_of_row_ahead - 1) / tets_of_row_ahead;
    ASSERT_EQ(ahead.row_begin.size(), rows + 1);
    ASSERT_EQ(static_cast<size_t>(ahead.row_begin.back()), ahead.slots.size());
    std::set<int32_t> asked, met;
    for (size_t row = 0; row < rows; ++row) {
      for (int32_t k = ahead.row_begin[row]; k < ahead.row_begin[row + 1]; ++k) {
        const int32_t slot = ahead.slots[static_cast<size_t>(k)];
        EXPECT_EQ(slot % slots_of_line, 0);
        EXPECT_TRUE(asked.insert(slot).second) << "slot " << slot << " a second time, within a thousand rows";
      }
      for (size_t e = row * tets_of_row_ahead; e < std::min(tets, (row + 1) * tets_of_row_ahead); ++e) {
        for (const int32_t slot : model.tets[e]) met.insert(slot / slots_of_line * slots_of_line);
        for (const int32_t slot : model.middles[e]) met.insert(slot / slots_of_line * slots_of_line);
      }
      EXPECT_TRUE(std::includes(asked.begin(), asked.end(), met.begin(), met.end())) << "row " << row;
    }
    EXPECT_EQ(asked, met) << "nothing else";
  }
}

}  // namespace
}  // namespace sinew
