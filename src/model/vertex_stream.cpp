#include "model/vertex_stream.h"

#include <algorithm>

#include "element/tet.h"

namespace sinew {
namespace {

// The tets of a block at each slot: entries [begin, end) of the incidence, whose entries ascend.
struct Share {
  const int64_t* begin;
  const int64_t* end;
};
Share share_of(const Incidence& incidence, const ElasticBlock& block, int32_t slot) {
  const int64_t* all = incidence.entries.data();
  const int64_t* first = all + incidence.begin[slot];
  const int64_t* last = all + incidence.begin[slot + 1];
  return {std::lower_bound(first, last, int64_t{4} * block.first_tet),
          std::lower_bound(first, last, int64_t{4} * block.last_tet)};
}

template <class Real, template <class> class Frame>
void fill(const Model& model, const Incidence& incidence, ThreadPool& pool, VertexStream<Real>& stream) {
  constexpr int numbers = Frame<double>::number_count;
  const int w = stream.lanes;
  const int32_t batches = model.slot_count() / w;
  const auto rows = static_cast<size_t>(stream.row_begin.back());
  stream.corners.resize(rows * 3 * w);
  stream.frames.resize(rows * numbers * w);
  pool.parallel_for(batches, 64, [&](int64_t first, int64_t last) {
    for (int64_t b = first; b < last; ++b) {
      for (int lane = 0; lane < w; ++lane) {
        const auto slot = static_cast<int32_t>(b * w + lane);
        const Share share = share_of(incidence, stream.block, slot);
        const auto degree = static_cast<int32_t>(share.end - share.begin);
        for (int32_t k = 0; k < stream.row_begin[b + 1] - stream.row_begin[b]; ++k) {
          const auto row = static_cast<size_t>(stream.row_begin[b] + k);
          int32_t* corners = &stream.corners[row * 3 * w + lane];
          Real* frame = &stream.frames[row * numbers * w + lane];
          if (degree == 0) {  // a vertex of another block, or padding
            for (int j = 0; j < 3; ++j) corners[j * w] = slot;
            for (int j = 0; j < numbers; ++j) frame[j * w] = 0;
            continue;
          }
          const int64_t entry = share.begin[k < degree ? k : 0];
          const Tet& t = model.tets[entry >> 2];
          const int* c = corner_first[entry & 3];
          const Vec3d origin = model.rest[slot];
          const auto edge = [&](int j) { return model.rest[t[c[j]]] - origin; };
          double values[numbers];
          Frame<double>::write(tet_rest(edge(1), edge(2), edge(3)), values);
          if (k >= degree) values[numbers - 1] = 0;  // volume
          for (int j = 0; j < 3; ++j) corners[j * w] = t[c[j + 1]];
          for (int j = 0; j < numbers; ++j) frame[j * w] = static_cast<Real>(values[j]);
        }
      }
    }
  });
}

}  // namespace

template <class Real>
VertexStream<Real> build_vertex_stream(const Model& model, const ElasticBlock& block, const Incidence& incidence,
                                       int lanes, ThreadPool& pool) {
  VertexStream<Real> stream;
  stream.block = block;
  stream.lanes = lanes;
  const int32_t batches = model.slot_count() / lanes;
  stream.row_begin.assign(static_cast<size_t>(batches) + 1, 0);
  for (int32_t b = 0; b < batches; ++b) {
    int64_t rows = 0;
    for (int32_t s = b * lanes; s < (b + 1) * lanes; ++s) {
      const Share share = share_of(incidence, block, s);
      rows = std::max<int64_t>(rows, share.end - share.begin);
    }
    stream.row_begin[b + 1] = stream.row_begin[b] + static_cast<int32_t>(rows);
  }
  if (traits_of(block.material).isotropic) {
    fill<Real, AlignedTetFrame>(model, incidence, pool, stream);
  } else {
    fill<Real, FullTetFrame>(model, incidence, pool, stream);
  }
  return stream;
}

template VertexStream<float> build_vertex_stream(const Model&, const ElasticBlock&, const Incidence&, int, ThreadPool&);
template VertexStream<double> build_vertex_stream(const Model&, const ElasticBlock&, const Incidence&, int,
                                                  ThreadPool&);

}  // namespace sinew
