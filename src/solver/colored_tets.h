// What the sweeps by tets share: the model's blocks as constraint streams, all of one colouring, and where in one array
// the numbers lie that the method keeps for each tet, its multipliers or its stress.
#pragma once

#include <vector>

#include "mesh/coloring.h"
#include "model/constraint_stream.h"

namespace sinew {

template <class Real>
struct ColoredTets {
  std::vector<ConstraintStream<Real>> streams;  // of each block
  std::vector<size_t> number_begin{0};          // of each block's numbers: batches x count x W of them; and the end

  // numbers_of(block): how many numbers a tet of it has.
  template <class NumbersOf>
  void build(const Model& model, int lanes, ThreadPool& pool, const NumbersOf& numbers_of) {
    // In the user's order: on structured meshes it needs the fewest colours.
    std::vector<int32_t> visit(model.tets.size());
    for (size_t e = 0; e < visit.size(); ++e) visit[model.user_tet[e]] = static_cast<int32_t>(e);
    const Coloring coloring = color_tets(model.tets, static_cast<size_t>(model.slot_count()), visit);
    streams.clear();
    number_begin.assign(1, 0);
    for (const ElasticBlock& block : model.blocks) {
      streams.push_back(build_constraint_stream<Real>(model, block, coloring, model.slot_count(), lanes, pool));
      const size_t count = static_cast<size_t>(streams.back().batch_count()) * static_cast<size_t>(lanes);
      number_begin.push_back(number_begin.back() + count * static_cast<size_t>(numbers_of(block)));
    }
  }

  size_t number_count() const { return number_begin.back(); }
  size_t memory_bytes() const {
    size_t bytes = 0;
    for (const ConstraintStream<Real>& s : streams) bytes += s.memory_bytes();
    return bytes;
  }
};

}  // namespace sinew
