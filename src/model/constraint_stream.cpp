#include "model/constraint_stream.h"

#include <algorithm>
#include <utility>

#include "element/tet_frame.h"
#include "model/rest_shape.h"

namespace sinew {

namespace {

template <class Real, class Frame>
ConstraintStream<Real> laid_out(const Model& model, const ElasticBlock& block, std::span<const int32_t> tet_of_lane,
                                int32_t spare_slot, int lanes, ThreadPool& pool) {
  ConstraintStream<Real> stream;
  stream.block = block;
  stream.lanes = lanes;
  const size_t batches = tet_of_lane.size() / static_cast<size_t>(lanes);
  stream.corners.resize(batches * 4 * lanes);
  stream.frames.resize(batches * Frame::number_count * lanes);
  if (model.has_stiffness_factors(block) || block.plane()) stream.stiffness_factors.resize(batches * lanes);
  pool.parallel_for(static_cast<int64_t>(tet_of_lane.size()), 1 << 14, [&](int64_t first, int64_t last) {
    for (int64_t k = first; k < last; ++k) {
      const int64_t batch = k / lanes, lane = k % lanes;
      const int32_t e = tet_of_lane[static_cast<size_t>(k)];
      int32_t* corners = &stream.corners[static_cast<size_t>(batch * 4 * lanes + lane)];
      if (e < 0) {  // its frame is 0 already
        for (int j = 0; j < 4; ++j) corners[j * lanes] = spare_slot + static_cast<int32_t>(lane);
        continue;
      }
      const Tet& t = model.tets[static_cast<size_t>(e)];
      double values[Frame::number_count];
      Frame::write(rest_shape(t, model.rest), values);
      // A triangle has another padding vertex for each lane, as lanes without a tet have.
      for (int j = 0; j < 4; ++j)
        corners[j * lanes] = t[j] == no_corner ? spare_slot + static_cast<int32_t>(lane) : t[j];
      Real* frame = &stream.frames[static_cast<size_t>(batch * Frame::number_count * lanes + lane)];
      for (int j = 0; j < Frame::number_count; ++j) frame[j * lanes] = static_cast<Real>(values[j]);
      if (!stream.stiffness_factors.empty())
        stream.stiffness_factors[static_cast<size_t>(k)] = static_cast<Real>(model.stiffness_factor_of(e));
    }
  });
  return stream;
}

template <class Real, class Frame>
Buffer<Real> frames_one_by_one(const Model& model, std::span<const int32_t> tets, ThreadPool& pool) {
  constexpr size_t count = Frame::number_count;
  Buffer<Real> frames(count * tets.size());
  pool.parallel_for(static_cast<int64_t>(tets.size()), 1 << 10, [&](int64_t first, int64_t last) {
    for (auto k = static_cast<size_t>(first); k < static_cast<size_t>(last); ++k) {
      double values[count];
      Frame::write(rest_shape(model.tets[static_cast<size_t>(tets[k])], model.rest), values);
      for (size_t j = 0; j < count; ++j) frames[count * k + j] = static_cast<Real>(values[j]);
    }
  });
  return frames;
}

// The tets of a block in the lanes of batches of one colour; -1: none.
std::vector<int32_t> lanes_by_color(const ElasticBlock& block, const Coloring& coloring, int lanes, ThreadPool& pool,
                                    std::vector<int32_t>& color_begin) {
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
  color_begin.assign(1, 0);
  for (const int32_t c : count) color_begin.push_back(color_begin.back() + (c + lanes - 1) / lanes);

  // ... and put each tet into its lane.
  std::vector<int32_t> tet_of_lane(static_cast<size_t>(color_begin.back()) * static_cast<size_t>(lanes), -1);
  for_each_tet([&](size_t e, int32_t& next) {
    const auto first = static_cast<size_t>(color_begin[coloring.color[e]]) * static_cast<size_t>(lanes);
    tet_of_lane[first + static_cast<size_t>(next++)] = static_cast<int32_t>(e);
  });
  return tet_of_lane;
}

}  // namespace

template <class Real>
ConstraintStream<Real> build_constraint_stream(const Model& model, const ElasticBlock& block, const Coloring& coloring,
                                               int32_t spare_slot, int lanes, ThreadPool& pool) {
  std::vector<int32_t> color_begin;
  const std::vector<int32_t> tet_of_lane = lanes_by_color(block, coloring, lanes, pool, color_begin);
  ConstraintStream<Real> stream =
      traits_of(block.material.kind).isotropic
          ? laid_out<Real, AlignedTetFrame<double>>(model, block, tet_of_lane, spare_slot, lanes, pool)
          : laid_out<Real, FullTetFrame<double>>(model, block, tet_of_lane, spare_slot, lanes, pool);
  stream.color_begin = std::move(color_begin);
  return stream;
}

int numbers_in_frame(const ElasticBlock& block) {
  return traits_of(block.material.kind).isotropic ? AlignedTetFrame<double>::number_count
                                                  : FullTetFrame<double>::number_count;
}

template <class Real>
Buffer<Real> frames_of_tets(const Model& model, const ElasticBlock& block, std::span<const int32_t> tets,
                            ThreadPool& pool) {
  return traits_of(block.material.kind).isotropic ? frames_one_by_one<Real, AlignedTetFrame<double>>(model, tets, pool)
                                                  : frames_one_by_one<Real, FullTetFrame<double>>(model, tets, pool);
}

template Buffer<float> frames_of_tets(const Model&, const ElasticBlock&, std::span<const int32_t>, ThreadPool&);
template Buffer<double> frames_of_tets(const Model&, const ElasticBlock&, std::span<const int32_t>, ThreadPool&);
template ConstraintStream<float> build_constraint_stream(const Model&, const ElasticBlock&, const Coloring&, int32_t,
                                                         int, ThreadPool&);
template ConstraintStream<double> build_constraint_stream(const Model&, const ElasticBlock&, const Coloring&, int32_t,
                                                          int, ThreadPool&);

}  // namespace sinew
