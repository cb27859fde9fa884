#include "model/vertex_stream.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <span>
#include <type_traits>
#include <utility>

#include "element/tet_frame.h"
#include "material/materials.h"
#include "math/lane.h"
#include "model/link_builder.h"

namespace sinew {
namespace {

// Links are built from the coefficients of Neo-Hookean.
template <template <class> class Material>
constexpr bool can_be_linked() {
  if constexpr (requires { Material<double>::links; }) return std::is_same_v<Material<double>, NeoHookean<double>>;
  return true;
}
#define SINEW_MATERIAL(Type, file) static_assert(can_be_linked<Type>(), "the trait `links` needs another formula");
#include "material/materials.def"
#undef SINEW_MATERIAL

template <class Stream>
int64_t batches_of(const Model& model, const Stream& stream) {
  return int64_t{model.slot_count()} * stream.team / stream.lanes;
}

// A batch has as many rows as the largest count of its lanes.
template <class Stream, class Count>
void set_rows(const Model& model, Stream& stream, const Count& count) {
  const auto batches = static_cast<int32_t>(batches_of(model, stream));
  const int32_t slots = stream.lanes / stream.team;
  stream.row_begin.assign(static_cast<size_t>(batches) + 1, 0);
  for (int32_t b = 0; b < batches; ++b) {
    int32_t rows = 0;
    for (int32_t s = b * slots; s < (b + 1) * slots; ++s) rows = std::max(rows, count(s));
    stream.row_begin[b + 1] = stream.row_begin[b] + (rows + stream.team - 1) / stream.team;
  }
}

template <template <class> class Frame, class Real, class Corner>
void fill_frames(const Model& model, const Incidence& incidence, ThreadPool& pool, VertexStream<Real, Corner>& stream) {
  constexpr int numbers = Frame<double>::number_count;
  const int w = stream.lanes;
  const bool plane = stream.block.plane();
  const int others = traits_of(stream.block.element).corners - 1;
  const auto rows = static_cast<size_t>(stream.row_begin.back());
  stream.corners.resize(rows * 3 * w);
  stream.numbers.resize(rows * numbers * w);
  pool.parallel_for(batches_of(model, stream), 64, [&](int64_t first, int64_t last) {
    for (int64_t b = first; b < last; ++b) {
      const int32_t cluster = model.clusters.cluster_of(static_cast<int32_t>(b * w / stream.team));
      for (int lane = 0; lane < w; ++lane) {
        const auto slot = static_cast<int32_t>((b * w + lane) / stream.team);
        const auto own = corner_of<Corner>(model.clusters, cluster, slot);
        const TetsAt share = tets_at(incidence, stream.block, slot);
        const auto degree = static_cast<int32_t>(share.end - share.begin);
        for (int32_t row = stream.row_begin[b]; row < stream.row_begin[b + 1]; ++row) {
          const int32_t k = (row - stream.row_begin[b]) * stream.team + lane % stream.team;
          Corner* corners = &stream.corners[static_cast<size_t>(row) * 3 * w + lane];
          Real* frame = &stream.numbers[static_cast<size_t>(row) * numbers * w + lane];
          if (degree == 0) {  // a vertex of another block, or padding
            for (int j = 0; j < 3; ++j) corners[j * w] = own;
            for (int j = 0; j < numbers; ++j) frame[j * w] = 0;
            continue;
          }
          const uint32_t entry = share.begin[k < degree ? k : 0];
          const Tet& t = model.tets[entry >> 2];
          const int* c = plane ? triangle_corner_first[entry & 3] : corner_first[entry & 3];
          const Vec3d origin = model.rest[slot];
          const auto edge = [&](int j) { return model.rest[t[c[j]]] - origin; };
          double values[numbers];
          Frame<double>::write(
              plane ? PlaneTriangle::rest_of_edges(edge(1), edge(2)) : tet_rest_shape(edge(1), edge(2), edge(3)),
              values);
          double& volume = values[numbers - 1];
          volume *= k < degree ? model.stiffness_factor_of(static_cast<int32_t>(entry >> 2)) : 0;
          for (int j = 0; j < others; ++j) corners[j * w] = corner_of<Corner>(model.clusters, cluster, t[c[j + 1]]);
          if (plane) corners[2 * w] = own;
          for (int j = 0; j < numbers; ++j) frame[j * w] = static_cast<Real>(values[j]);
        }
      }
    }
  });
}

// The unit in which a vertex's packed weights are 32-bit integers. It is a power of two, so that neighbours mostly
// round the weight between them alike, and tiny if there are no weights, because the lower half of a word counts too.
constexpr double smallest_unit = 1e-30;  // [N/m]
double unit_of(double largest) {
  int exponent = 0;
  std::frexp(largest, &exponent);
  return largest > 0 ? std::ldexp(1.0, exponent - 31) : smallest_unit;
}
uint32_t packed_word(uint32_t vertex, double k, double per_unit) {
  const double upper = std::min(std::max((k * per_unit - vertex) / 65536, -32768.0), 32767.0);
  return static_cast<uint32_t>(static_cast<int32_t>(upper + std::copysign(0.5, upper))) << 16 | vertex;
}
// The bits of w, with the sign of c in the lowest bit and the next entry's "keep" in the highest.
uint32_t packed_weight(const LinkEntry& e, double per_unit) {
  return (bit_cast<uint32_t>(static_cast<float>(e.w * per_unit)) & ~1u) | (e.c < 0 ? 1u : 0u) |
         (e.next_keeps ? 1u << 31 : 0u);
}
// Whether the block can be packed: w |c|, which packed entries do not store, must be the same for all tets, that is
// without stiffness factors; and weights in a vertex's unit, of size 2^31 lambda/mu / edge^4, must not exceed floats,
// which end at 3e38.
bool packs(const Model& model, const ElasticBlock& block, ThreadPool& pool) {
  constexpr double least_volume = 1e-18;  // [m^3]
  if (model.has_stiffness_factors(block) || !(block.material.lame.mu > 1e-4 * std::abs(block.material.lame.lambda)))
    return false;
  std::atomic<bool> large{true};
  pool.parallel_for(block.last_tet - block.first_tet, 16384, [&](int64_t first, int64_t last) {
    bool all = true;
    for (int64_t e = block.first_tet + first; e < block.first_tet + last && all; ++e) {
      const auto edge = [&](int k) { return model.rest[model.tets[e][k]] - model.rest[model.tets[e][0]]; };
      all = dot(edge(1), cross(edge(2), edge(3))) / 6 > least_volume;
    }
    if (!all) large = false;
  });
  return large;
}

// Writes the entries of a lane from `row` on, and entries without effect up to `rows`.
template <class Real, class Corner>
void write_lane(VertexStream<Real, Corner>& stream, size_t row, size_t rows, int lane, const LinkRow& link,
                double per_unit, uint32_t own) {
  const auto w = static_cast<size_t>(stream.lanes);
  const std::vector<LinkEntry>& entries = link.entries;
  if (stream.layout == VertexLayout::packed) {
    uint32_t* words = &stream.packed[row * 2 * w + lane];
    for (const LinkEntry& e : entries) {
      words[0] = packed_word(e.neighbour, e.k, per_unit);
      words[w] = packed_weight(e, per_unit);
      words += 2 * w;
    }
    for (size_t k = entries.size(); k < rows; ++k) {
      words[0] = packed_word(own, 0, per_unit);
      words[w] = 0;
      words += 2 * w;
    }
    return;
  }
  Corner* corners = &stream.corners[row * w + lane];
  Real* numbers = &stream.numbers[row * 3 * w + lane];
  const LinkEntry none{own, false, 0, 0, 0};
  for (size_t k = 0; k < rows; ++k) {
    const LinkEntry& e = k < entries.size() ? entries[k] : none;
    *corners = static_cast<Corner>(e.neighbour);
    numbers[0] = static_cast<Real>(e.k);
    numbers[w] = static_cast<Real>(e.next_keeps ? -e.w : e.w);
    numbers[2 * w] = static_cast<Real>(e.w * e.c);
    corners += w;
    numbers += 3 * w;
  }
}

// Makes room for `rows` more rows, and for some later ones.
template <class Stream>
void add_rows(Stream& stream, int32_t rows) {
  stream.row_begin.push_back(stream.row_begin.back() + rows);
  const auto items = static_cast<size_t>(stream.row_begin.back()) * stream.lanes;
  const bool packed = stream.layout == VertexLayout::packed;
  if (packed ? stream.packed.size() >= 2 * items : stream.corners.size() >= items) return;
  if (packed) {
    stream.packed.resize(3 * items);
  } else {
    stream.corners.resize(3 * items / 2);
    stream.numbers.resize(3 * stream.corners.size());
  }
}

// Builds batches [first, last) as a separate stream; data by lane goes to the whole stream.
template <class Real, class Corner>
void build_piece(const Model& model, int64_t first, int64_t last, LinkBuilder& builder,
                 VertexStream<Real, Corner>& piece, VertexStream<Real, Corner>& whole) {
  const int w = piece.lanes;
  piece.row_begin.assign(1, 0);
  std::vector<LinkRow> links(static_cast<size_t>(w));
  for (int64_t b = first; b < last; ++b) {
    const int32_t cluster = model.clusters.cluster_of(static_cast<int32_t>(b * w / piece.team));
    for (int lane = 0; lane < w; lane += piece.team) {
      builder.build(cluster, static_cast<int32_t>((b * w + lane) / piece.team), links[lane]);
      if (piece.team > 1) split(std::span(links).subspan(static_cast<size_t>(lane), static_cast<size_t>(piece.team)));
    }
    size_t rows = 0;
    for (const LinkRow& link : links) rows = std::max(rows, link.entries.size());
    const auto first_row = static_cast<size_t>(piece.row_begin.back());
    add_rows(piece, static_cast<int32_t>(rows));
    for (int lane = 0; lane < w; ++lane) {
      const auto slot = static_cast<int32_t>((b * w + lane) / piece.team);
      const double unit = unit_of(links[lane].largest);
      if (!whole.units.empty()) whole.units[b * w + lane] = static_cast<Real>(unit);
      whole.laplacian[b * w + lane] = static_cast<Real>(links[lane].laplacian);
      const auto own = static_cast<uint32_t>(corner_of<Corner>(model.clusters, cluster, slot));
      if (rows > 0) write_lane(piece, first_row, rows, lane, links[lane], 1 / unit, own);
    }
  }
}

// Appends the first `count` items of `more`.
template <class T>
void append(Buffer<T>& all, const Buffer<T>& more, size_t count) {
  all.insert(all.end(), more.data(), more.data() + count);
}

// Builds each strip once. Since its number of rows is known only afterwards, strips are built in pieces, several per
// thread at a time, which are then concatenated.
template <class Real, class Corner>
void fill_links(const Model& model, const Incidence& incidence, ThreadPool& pool, const ProgressListener& progress,
                VertexStream<Real, Corner>& stream) {
  if (sizeof(Real) != sizeof(float) || sizeof(Corner) != sizeof(uint16_t) || stream.team > 1 ||
      !packs(model, stream.block, pool))
    stream.layout = VertexLayout::links;
  const bool packed = stream.layout == VertexLayout::packed;
  const int64_t batches = batches_of(model, stream);
  const auto lanes = static_cast<size_t>(batches * stream.lanes);
  stream.laplacian.resize(lanes);
  if (packed) {
    const auto material = coefficients_of<NeoHookean>(stream.block.material);
    stream.volume_stiffness = static_cast<Real>(material.lambda_hat * material.gamma / 6);
    stream.units.resize(lanes);
  }
  // Reserved memory that is never written takes no space.
  const size_t most = 3 * 2 * static_cast<size_t>(stream.block.last_tet - stream.block.first_tet);
  if (packed) {
    stream.packed.reserve(2 * most);
  } else {
    stream.corners.reserve(most);
    stream.numbers.reserve(3 * most);
  }

  stream.row_begin.assign(1, 0);
  stream.row_begin.reserve(static_cast<size_t>(batches) + 1);
  const int64_t piece_batches = 1024 / stream.lanes;
  constexpr int64_t pieces_each = 8;
  VertexStream<Real, Corner> empty;
  empty.block = stream.block;
  empty.layout = stream.layout;
  empty.lanes = stream.lanes;
  empty.team = stream.team;
  std::vector<VertexStream<Real, Corner>> pieces(static_cast<size_t>(pieces_each * pool.size()), empty);
  std::vector<LinkBuilder> builders(static_cast<size_t>(pool.size()),
                                    LinkBuilder(model, incidence, stream.block, sizeof(Corner) > sizeof(uint16_t)));
  for (int64_t start = 0; start < batches; start += piece_batches * static_cast<int64_t>(pieces.size())) {
    tell(progress, "solver layouts", static_cast<double>(start) / static_cast<double>(batches));
    const auto first_of = [&](int64_t piece) { return std::min(start + piece * piece_batches, batches); };
    pool.parallel_for(static_cast<int64_t>(pieces.size()), 1, [&](int thread, int64_t first, int64_t last) {
      for (int64_t k = first; k < last; ++k)
        build_piece(model, first_of(k), first_of(k + 1), builders[thread], pieces[k], stream);
    });
    for (const VertexStream<Real, Corner>& piece : pieces) {
      const int32_t before = stream.row_begin.back();
      for (size_t b = 1; b < piece.row_begin.size(); ++b) stream.row_begin.push_back(before + piece.row_begin[b]);
      const auto items = static_cast<size_t>(piece.row_begin.back()) * stream.lanes;
      if (packed) {
        append(stream.packed, piece.packed, 2 * items);
      } else {
        append(stream.corners, piece.corners, items);
        append(stream.numbers, piece.numbers, 3 * items);
      }
    }
  }
}

}  // namespace

bool has_links(const ElasticBlock& block) {
  // Damping needs the deformation gradient of each tet, and triangles have no opposite faces.
  return traits_of(block.material.kind).links && block.damping == 0 && !block.plane();
}

template <class Real, class Corner>
VertexStream<Real, Corner> build_vertex_stream(const Model& model, const ElasticBlock& block,
                                               const Incidence& incidence, VertexLayout layout, int lanes,
                                               ThreadPool& pool, const ProgressListener& progress, int team) {
  VertexStream<Real, Corner> stream;
  stream.block = block;
  stream.layout = layout;
  stream.lanes = lanes;
  stream.team = team;
  if (layout != VertexLayout::frames) {
    fill_links(model, incidence, pool, progress, stream);
    return stream;
  }
  set_rows(model, stream, [&](int32_t s) {
    const TetsAt share = tets_at(incidence, block, s);
    return static_cast<int32_t>(share.end - share.begin);
  });
  if (traits_of(block.material.kind).isotropic) {
    fill_frames<AlignedTetFrame>(model, incidence, pool, stream);
  } else {
    fill_frames<FullTetFrame>(model, incidence, pool, stream);
  }
  return stream;
}

template <class Real, class Corner>
bool can_rescale(const VertexStream<Real, Corner>& stream, const ElasticBlock& block) {
  if (stream.layout == VertexLayout::frames) return true;
  if (stream.layout != VertexLayout::packed) return false;
  const Lame& built = stream.built ? stream.built->lame : stream.block.material.lame;
  constexpr double rounding = 1e-12;
  const double factor = block.material.lame.mu / built.mu;
  return std::abs(block.material.lame.lambda - factor * built.lambda) <=
         rounding * std::abs(block.material.lame.lambda);
}

template <class Real, class Corner>
void rescale(VertexStream<Real, Corner>& stream, const ElasticBlock& block, ThreadPool& pool) {
  const Lame before = stream.block.material.lame;
  stream.block = block;
  if (stream.layout == VertexLayout::frames) return;
  if (!stream.built) stream.built = {before, stream.laplacian, stream.units};
  const auto& built = *stream.built;
  const double factor = block.material.lame.mu / built.lame.mu;
  pool.for_each(static_cast<int64_t>(stream.units.size()), [&](size_t s) {
    stream.units[s] = static_cast<Real>(factor * built.units[s]);
    stream.laplacian[s] = static_cast<Real>(factor * built.laplacian[s]);
  });
  const auto material = coefficients_of<NeoHookean>(block.material);
  stream.volume_stiffness = static_cast<Real>(material.lambda_hat * material.gamma / 6);
}

#define SINEW_STREAM(Real, Corner)                                                                                 \
  template bool can_rescale(const VertexStream<Real, Corner>&, const ElasticBlock&);                               \
  template void rescale(VertexStream<Real, Corner>&, const ElasticBlock&, ThreadPool&);                            \
  template VertexStream<Real, Corner> build_vertex_stream(const Model&, const ElasticBlock&, const Incidence&,     \
                                                          VertexLayout, int, ThreadPool&, const ProgressListener&, \
                                                          int);
SINEW_STREAM(float, uint16_t)
SINEW_STREAM(double, uint16_t)
SINEW_STREAM(float, uint32_t)
SINEW_STREAM(double, uint32_t)
#undef SINEW_STREAM

}  // namespace sinew
