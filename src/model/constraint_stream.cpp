#include "model/constraint_stream.h"

#include "element/tet.h"

namespace sinew {

template <class Real>
ConstraintStream<Real> build_constraint_stream(const Model& model, const ElasticBlock& block,
                                               const std::vector<int32_t>& color, int32_t color_count,
                                               int32_t spare_slot, int lanes) {
  using Frame = FullTetFrame<double>;
  ConstraintStream<Real> stream;
  stream.block = block;
  stream.lanes = lanes;

  std::vector<std::vector<int32_t>> by_color(static_cast<size_t>(color_count));
  for (int32_t e = block.first_tet; e < block.last_tet; ++e) by_color[color[e]].push_back(e);
  stream.color_begin.push_back(0);
  for (const std::vector<int32_t>& tets : by_color) {
    const auto batches = static_cast<int32_t>((tets.size() + lanes - 1) / lanes);
    stream.color_begin.push_back(stream.color_begin.back() + batches);
  }

  stream.corners.resize(static_cast<size_t>(stream.batch_count()) * 4 * lanes);
  stream.frames.resize(static_cast<size_t>(stream.batch_count()) * Frame::number_count * lanes);
  for (int32_t c = 0; c < color_count; ++c) {
    for (int32_t b = stream.color_begin[c]; b < stream.color_begin[c + 1]; ++b) {
      for (int lane = 0; lane < lanes; ++lane) {
        int32_t* corners = &stream.corners[static_cast<size_t>(b) * 4 * lanes + lane];
        Real* frame = &stream.frames[static_cast<size_t>(b) * Frame::number_count * lanes + lane];
        const size_t k = static_cast<size_t>(b - stream.color_begin[c]) * lanes + lane;
        if (k >= by_color[c].size()) {
          for (int j = 0; j < 4; ++j) corners[j * lanes] = spare_slot + lane;
          for (int j = 0; j < Frame::number_count; ++j) frame[j * lanes] = 0;
          continue;
        }
        const Tet& t = model.tets[by_color[c][k]];
        const auto edge = [&](int j) { return model.rest[t[j]] - model.rest[t[0]]; };
        double values[Frame::number_count];
        Frame::write(tet_rest(edge(1), edge(2), edge(3)), values);
        for (int j = 0; j < 4; ++j) corners[j * lanes] = t[j];
        for (int j = 0; j < Frame::number_count; ++j) frame[j * lanes] = static_cast<Real>(values[j]);
      }
    }
  }
  return stream;
}

template ConstraintStream<float> build_constraint_stream(const Model&, const ElasticBlock&, const std::vector<int32_t>&,
                                                         int32_t, int32_t, int);
template ConstraintStream<double> build_constraint_stream(const Model&, const ElasticBlock&,
                                                          const std::vector<int32_t>&, int32_t, int32_t, int);

}  // namespace sinew
