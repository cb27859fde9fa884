#include "model/vertex_stream.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "element/tet.h"
#include "model/link_strip.h"

namespace sinew {
namespace {

// The tets of a block at each slot: entries [begin, end) of the incidence, whose entries ascend.
struct Share {
  const uint32_t* begin;
  const uint32_t* end;
};
Share share_of(const Incidence& incidence, const ElasticBlock& block, int32_t slot) {
  const uint32_t* all = incidence.entries.data();
  const uint32_t* first = all + incidence.begin[slot];
  const uint32_t* last = all + incidence.begin[slot + 1];
  return {std::lower_bound(first, last, 4u * static_cast<uint32_t>(block.first_tet)),
          std::lower_bound(first, last, 4u * static_cast<uint32_t>(block.last_tet))};
}

// The largest count of a batch's lanes is the batch's number of rows.
template <class Real, class Count>
void set_rows(const Model& model, VertexStream<Real>& stream, const Count& count) {
  const int32_t batches = model.slot_count() / stream.lanes;
  stream.row_begin.assign(static_cast<size_t>(batches) + 1, 0);
  for (int32_t b = 0; b < batches; ++b) {
    int32_t rows = 0;
    for (int32_t s = b * stream.lanes; s < (b + 1) * stream.lanes; ++s) rows = std::max(rows, count(s));
    stream.row_begin[b + 1] = stream.row_begin[b] + rows;
  }
}

template <class Real, template <class> class Frame>
void fill_frames(const Model& model, const Incidence& incidence, ThreadPool& pool, VertexStream<Real>& stream) {
  constexpr int numbers = Frame<double>::number_count;
  const int w = stream.lanes;
  const auto rows = static_cast<size_t>(stream.row_begin.back());
  stream.corners.resize(rows * 3 * w);
  stream.numbers.resize(rows * numbers * w);
  pool.parallel_for(model.slot_count() / w, 64, [&](int64_t first, int64_t last) {
    for (int64_t b = first; b < last; ++b) {
      const int32_t cluster = model.clusters.cluster_of(static_cast<int32_t>(b * w));
      for (int lane = 0; lane < w; ++lane) {
        const auto slot = static_cast<int32_t>(b * w + lane);
        const uint16_t own = model.clusters.local(cluster, slot);
        const Share share = share_of(incidence, stream.block, slot);
        const auto degree = static_cast<int32_t>(share.end - share.begin);
        for (int32_t k = 0; k < stream.row_begin[b + 1] - stream.row_begin[b]; ++k) {
          const auto row = static_cast<size_t>(stream.row_begin[b] + k);
          uint16_t* corners = &stream.corners[row * 3 * w + lane];
          Real* frame = &stream.numbers[row * numbers * w + lane];
          if (degree == 0) {  // a vertex of another block, or padding
            for (int j = 0; j < 3; ++j) corners[j * w] = own;
            for (int j = 0; j < numbers; ++j) frame[j * w] = 0;
            continue;
          }
          const uint32_t entry = share.begin[k < degree ? k : 0];
          const Tet& t = model.tets[entry >> 2];
          const int* c = corner_first[entry & 3];
          const Vec3d origin = model.rest[slot];
          const auto edge = [&](int j) { return model.rest[t[c[j]]] - origin; };
          double values[numbers];
          Frame<double>::write(tet_rest(edge(1), edge(2), edge(3)), values);
          double& volume = values[numbers - 1];
          volume *= k < degree ? model.stiffness_factor_of(static_cast<int32_t>(entry >> 2)) : 0;
          for (int j = 0; j < 3; ++j) corners[j * w] = model.clusters.local(cluster, t[c[j + 1]]);
          for (int j = 0; j < numbers; ++j) frame[j * w] = static_cast<Real>(values[j]);
        }
      }
    }
  });
}

// One entry as it is streamed.
struct LinkEntry {
  int32_t neighbour;
  bool next_keeps;
  double k, w, c;
};

// The strip of one vertex, with its numbers.
class LinkBuilder {
 public:
  LinkBuilder(const Model& model, const Incidence& incidence, const ElasticBlock& block)
      : model_(model),
        incidence_(incidence),
        block_(block),
        material_(NeoHookean<double>::from_lame(block.lame.mu, block.lame.lambda)) {}

  const std::vector<StripEntry>& strip(int32_t slot) {
    faces_.clear();
    factors_.clear();
    const Share share = share_of(incidence_, block_, slot);
    for (const uint32_t* e = share.begin; e < share.end; ++e) {
      const Tet& t = model_.tets[*e >> 2];
      const int* c = corner_first[*e & 3];
      faces_.push_back({t[c[1]], t[c[2]], t[c[3]]});
      factors_.push_back(model_.stiffness_factor_of(static_cast<int32_t>(*e >> 2)));
    }
    return stripper_.strip(faces_);
  }
  const std::vector<LinkEntry>& entries(int32_t slot) {
    entries_.clear();
    laplacian_.clear();
    const std::vector<StripEntry>& walk = strip(slot);
    for (size_t f = 0; f < faces_.size(); ++f) add_face(slot, faces_[f], factors_[f]);
    for (const StripEntry& s : walk) {
      LinkEntry entry{s.vertex, false, take_weight(s.vertex), 0, 0};
      if (s.face >= 0) {
        const Vec3d origin = model_.rest[slot];
        const auto edge = [&](int j) { return model_.rest[s.window[j]] - origin; };
        const double volume6 = dot(edge(0), cross(edge(1), edge(2)));
        entry.c = material_.gamma * volume6;
        entry.w = factors_[s.face] * material_.lambda_hat / (6 * abs(volume6));
      }
      if (!entries_.empty()) entries_.back().next_keeps = s.keep;
      entries_.push_back(entry);
    }
    return entries_;
  }

 private:
  // The tet between the vertex and a face of its link.
  void add_face(int32_t slot, const LinkFace& face, double stiffness_factor) {
    const Vec3d origin = model_.rest[slot];
    const auto edge = [&](int j) { return model_.rest[face[j]] - origin; };
    const TetRest rest = tet_rest(edge(0), edge(1), edge(2));
    const Vec3d own = -(rest.gradient[0] + rest.gradient[1] + rest.gradient[2]);
    const double stiffness = stiffness_factor * material_.mu * rest.volume;
    for (int j = 0; j < 3; ++j) add_weight(face[j], -stiffness * dot(rest.gradient[j], own));
  }
  void add_weight(int32_t neighbour, double k) {
    for (auto& [vertex, weight] : laplacian_) {
      if (vertex == neighbour) {
        weight += k;
        return;
      }
    }
    laplacian_.emplace_back(neighbour, k);
  }
  // The weight of a neighbour the first time the strip meets it, then 0.
  double take_weight(int32_t neighbour) {
    for (auto& [vertex, weight] : laplacian_) {
      if (vertex == neighbour) return std::exchange(weight, 0.0);
    }
    return 0;
  }

  const Model& model_;
  const Incidence& incidence_;
  const ElasticBlock& block_;
  NeoHookean<double> material_;
  LinkStripper stripper_;
  std::vector<LinkFace> faces_;
  std::vector<double> factors_;  // of the faces' tets
  std::vector<std::pair<int32_t, double>> laplacian_;
  std::vector<LinkEntry> entries_;
};

// The unit in which a vertex's packed weights are 32-bit integers. A power of two, so that neighbours mostly round the
// weight between them alike. Next to nothing where there are no weights: the lower half of a word counts too.
constexpr double smallest_unit = 1e-30;  // [N/m]
double unit_of(const std::vector<LinkEntry>& entries) {
  double largest = 0;
  for (const LinkEntry& e : entries) largest = std::max(largest, std::abs(e.k));
  int exponent = 0;
  std::frexp(largest, &exponent);
  return largest > 0 ? std::ldexp(1.0, exponent - 31) : smallest_unit;
}
uint32_t packed_word(uint16_t vertex, double k, double unit) {
  const double upper = std::round((k / unit - vertex) / 65536);
  return static_cast<uint32_t>(static_cast<int32_t>(std::clamp(upper, -32768.0, 32767.0))) << 16 | vertex;
}
// The bits of w, with the sign of c in the lowest and the next entry's "keep" in the highest.
uint32_t packed_weight(const LinkEntry& e, double unit) {
  return (std::bit_cast<uint32_t>(static_cast<float>(e.w / unit)) & ~1u) | (e.c < 0 ? 1u : 0u) |
         (e.next_keeps ? 1u << 31 : 0u);
}
// What packed entries do not store, w |c|, is the same for all tets without stiffness factors; and
// weights in a vertex's unit are of the size 2^31 lambda/mu / edge^4: do all stay within floats, which end at 3e38?
bool packs(const Model& model, const ElasticBlock& block) {
  constexpr double least_volume = 1e-18;  // [m^3]
  bool large = !model.has_stiffness_factors(block) && block.lame.mu > 1e-4 * std::abs(block.lame.lambda);
  for (int32_t e = block.first_tet; e < block.last_tet && large; ++e) {
    const auto edge = [&](int k) { return model.rest[model.tets[e][k]] - model.rest[model.tets[e][0]]; };
    large = dot(edge(1), cross(edge(2), edge(3))) / 6 > least_volume;
  }
  return large;
}

template <class Real>
void write_entry(VertexStream<Real>& stream, size_t row, int lane, uint16_t vertex, const LinkEntry& e, double unit) {
  const auto w = static_cast<size_t>(stream.lanes);
  if (stream.layout == VertexLayout::packed) {
    uint32_t* words = &stream.packed[row * 2 * w + lane];
    words[0] = packed_word(vertex, e.k, unit);
    words[w] = packed_weight(e, unit);
    return;
  }
  Real* numbers = &stream.numbers[row * 3 * w + lane];
  stream.corners[row * w + lane] = vertex;
  numbers[0] = static_cast<Real>(e.k);
  numbers[w] = static_cast<Real>(e.next_keeps ? -e.w : e.w);
  numbers[2 * w] = static_cast<Real>(e.w * e.c);
}

template <class Real>
void fill_links(const Model& model, const Incidence& incidence, ThreadPool& pool, VertexStream<Real>& stream) {
  // Strips are built twice, first for their lengths: cheaper than keeping them.
  std::vector<int32_t> length(static_cast<size_t>(model.slot_count()));
  pool.parallel_for(model.slot_count(), 1024, [&](int64_t first, int64_t last) {
    LinkBuilder builder(model, incidence, stream.block);
    for (int64_t s = first; s < last; ++s) {
      length[s] = static_cast<int32_t>(builder.strip(static_cast<int32_t>(s)).size());
    }
  });
  set_rows(model, stream, [&](int32_t s) { return length[s]; });
  if (sizeof(Real) != sizeof(float) || !packs(model, stream.block)) stream.layout = VertexLayout::links;

  const int w = stream.lanes;
  const auto rows = static_cast<size_t>(stream.row_begin.back());
  stream.laplacian.resize(static_cast<size_t>(model.slot_count()));
  if (stream.layout == VertexLayout::packed) {
    const auto material = NeoHookean<double>::from_lame(stream.block.lame.mu, stream.block.lame.lambda);
    stream.volume_stiffness = static_cast<Real>(material.lambda_hat * material.gamma / 6);
    stream.packed.resize(rows * 2 * w);
    stream.units.resize(static_cast<size_t>(model.slot_count()));
  } else {
    stream.corners.resize(rows * w);
    stream.numbers.resize(rows * 3 * w);
  }
  pool.parallel_for(model.slot_count() / w, 64, [&](int64_t first, int64_t last) {
    LinkBuilder builder(model, incidence, stream.block);
    for (int64_t b = first; b < last; ++b) {
      const int32_t cluster = model.clusters.cluster_of(static_cast<int32_t>(b * w));
      for (int lane = 0; lane < w; ++lane) {
        const auto slot = static_cast<int32_t>(b * w + lane);
        const std::vector<LinkEntry>& entries = builder.entries(slot);
        const double unit = unit_of(entries);
        double laplacian = 0;
        for (const LinkEntry& e : entries) laplacian += e.k;
        stream.laplacian[slot] = static_cast<Real>(laplacian);
        if (!stream.units.empty()) stream.units[slot] = static_cast<Real>(unit);
        for (int32_t k = 0; k < stream.row_begin[b + 1] - stream.row_begin[b]; ++k) {
          const bool over = k >= static_cast<int32_t>(entries.size());
          const LinkEntry entry = over ? LinkEntry{slot, false, 0, 0, 0} : entries[k];
          write_entry(stream, static_cast<size_t>(stream.row_begin[b] + k), lane,
                      model.clusters.local(cluster, entry.neighbour), entry, unit);
        }
      }
    }
  });
}

}  // namespace

bool has_links(const ElasticBlock& block) {
  // Damping needs the deformation gradient of each tet.
  return block.material == MaterialKind::NeoHookean && block.damping == 0;
}

template <class Real>
VertexStream<Real> build_vertex_stream(const Model& model, const ElasticBlock& block, const Incidence& incidence,
                                       VertexLayout layout, int lanes, ThreadPool& pool) {
  VertexStream<Real> stream;
  stream.block = block;
  stream.layout = layout;
  stream.lanes = lanes;
  if (layout != VertexLayout::frames) {
    fill_links(model, incidence, pool, stream);
    return stream;
  }
  set_rows(model, stream, [&](int32_t s) {
    const Share share = share_of(incidence, block, s);
    return static_cast<int32_t>(share.end - share.begin);
  });
  if (traits_of(block.material).isotropic) {
    fill_frames<Real, AlignedTetFrame>(model, incidence, pool, stream);
  } else {
    fill_frames<Real, FullTetFrame>(model, incidence, pool, stream);
  }
  return stream;
}

template VertexStream<float> build_vertex_stream(const Model&, const ElasticBlock&, const Incidence&, VertexLayout, int,
                                                 ThreadPool&);
template VertexStream<double> build_vertex_stream(const Model&, const ElasticBlock&, const Incidence&, VertexLayout,
                                                  int, ThreadPool&);

}  // namespace sinew
