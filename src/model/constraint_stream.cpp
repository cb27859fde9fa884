#include "model/constraint_stream.h"

#include <algorithm>
#include <utility>

#include "element/tet_frame.h"
#include "model/rest_shape.h"

namespace sinew {

namespace {

template <class Real, class Frame>
ConstraintStream<Real> build(const Model& model, const ElasticBlock& block, const Coloring& coloring,
                             int32_t spare_slot, int lanes, ThreadPool& pool) {
  ConstraintStream<Real> stream;
  stream.block = block;
  stream.lanes = lanes;

  // A counting sort by colour, in chunks of tets: first count the tets of each colour in each chunk, ...
  constexpr int64_t chunk_size = 1 << 14;
  const int64_t tets = block.last_tet - block.first_tet, chunks = (tets + chunk_size - 1) / chunk_size;
  const auto colors = static_cast<size_t>(coloring.count);
  std::vector<int32_t> place(static_cast<size_t>(chunks) * colors, 0);
  const auto for_each_tet = [&](const auto& visit) {
    pool.parallel_for(chunks, 1, [&](int64_t first, int64_t last) {
      for (int64_t chunk = first; chunk < last; ++chunk) {
        int32_t* places = place.data() + static_cast<size_t>(chunk) * colors;
        const int64_t end = std::min((chunk + 1) * chunk_size, tets);
        for (int64_t k = chunk * chunk_size; k < end; ++k) {
          const auto e = static_cast<size_t>(block.first_tet + k);
          visit(e, places[coloring.color[e]]);
        }
      }
    });
  };
  for_each_tet([](size_t, int32_t& count) { ++count; });

  // ... then sum the counts of each colour before each chunk, ...
  std::vector<int32_t> count(colors, 0);
  for (size_t k = 0; k < place.size(); ++k) {
    int32_t& before = count[k % colors];
    const int32_t here = place[k];
    place[k] = before;
    before += here;
  }
  stream.color_begin.push_back(0);
  for (const int32_t c : count) stream.color_begin.push_back(stream.color_begin.back() + (c + lanes - 1) / lanes);

  // ... and write each tet into its lane.
  stream.corners.resize(static_cast<size_t>(stream.batch_count()) * 4 * lanes);
  stream.frames.resize(static_cast<size_t>(stream.batch_count()) * Frame::number_count * lanes);
  if (model.has_stiffness_factors(block) || block.plane() || block.on_grid) {
    stream.stiffness_factors.resize(static_cast<size_t>(stream.batch_count()) * lanes);
  }
  for_each_tet([&](size_t e, int32_t& next) {
    const int32_t rank = next++;
    const auto batch = static_cast<size_t>(stream.color_begin[coloring.color[e]] + rank / lanes);
    int32_t* corners = &stream.corners[batch * 4 * lanes + rank % lanes];
    Real* frame = &stream.frames[batch * Frame::number_count * lanes + rank % lanes];
    const Tet& t = model.tets[e];
    double values[Frame::number_count];
    Frame::write(rest_shape(t, model.rest), values);
    // A triangle has another padding vertex for each lane, as lanes without a tet have.
    for (int j = 0; j < 4; ++j) corners[j * lanes] = t[j] == no_corner ? spare_slot + rank % lanes : t[j];
    for (int j = 0; j < Frame::number_count; ++j) frame[j * lanes] = static_cast<Real>(values[j]);
    if (!stream.stiffness_factors.empty()) {
      stream.stiffness_factors[batch * lanes + rank % lanes] =
          static_cast<Real>(model.stiffness_factor_of(static_cast<int32_t>(e)));
    }
  });

  // Fill the remaining lanes of each colour's last batch; their frames are 0 already.
  for (size_t c = 0; c < colors; ++c) {
    for (int lane = count[c] % lanes; lane > 0 && lane < lanes; ++lane) {
      int32_t* corners = &stream.corners[static_cast<size_t>(stream.color_begin[c + 1] - 1) * 4 * lanes + lane];
      for (int j = 0; j < 4; ++j) corners[j * lanes] = spare_slot + lane;
    }
  }
  return stream;
}

}  // namespace

template <class Real>
ConstraintStream<Real> build_constraint_stream(const Model& model, const ElasticBlock& block, const Coloring& coloring,
                                               int32_t spare_slot, int lanes, ThreadPool& pool) {
  return traits_of(block.material.kind).isotropic
             ? build<Real, AlignedTetFrame<double>>(model, block, coloring, spare_slot, lanes, pool)
             : build<Real, FullTetFrame<double>>(model, block, coloring, spare_slot, lanes, pool);
}

template ConstraintStream<float> build_constraint_stream(const Model&, const ElasticBlock&, const Coloring&, int32_t,
                                                         int, ThreadPool&);
template ConstraintStream<double> build_constraint_stream(const Model&, const ElasticBlock&, const Coloring&, int32_t,
                                                          int, ThreadPool&);

}  // namespace sinew
