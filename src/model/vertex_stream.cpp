#include "model/vertex_stream.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <span>
#include <utility>

#include "element/tet.h"
#include "math/lane.h"
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
  // An apex takes no part, and is in no other element.
  if (block.plane() && first < last && (*first & 3) == 3) return {first, first};
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
  const bool plane = stream.block.plane();
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
          const int* c = plane ? triangle_corner_first[entry & 3] : corner_first[entry & 3];
          const Vec3d origin = model.rest[slot];
          const auto edge = [&](int j) { return model.rest[t[c[j]]] - origin; };
          double values[numbers];
          Frame<double>::write(tet_rest(edge(1), edge(2), edge(3), plane), values);
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
  uint16_t neighbour;  // as the cluster counts it
  bool next_keeps;
  double k, w, c;
};

// The neighbours of one vertex, numbered as they come. Whether one is new cannot be foretold, so nothing branches on
// it.
class Neighbours {
 public:
  // The next vertex, of `most` neighbours at most.
  void start(size_t most) {
    ++stamp_;
    count_ = 0;
    if (slots_.size() <= most) slots_.resize(most + 1);
    if (table_.size() >= 4 * most) return;
    while (table_.size() < 4 * most) --shift_, table_.resize(2 * table_.size());
    table_.assign(table_.size(), {});
  }
  int32_t number(int32_t slot) {
    const uint64_t key = stamp_ << 32 | static_cast<uint32_t>(slot);
    size_t place = (static_cast<uint32_t>(slot) * 2654435769u) >> shift_;
    // Taken by another neighbour of this vertex?
    const auto taken = [&] { return (table_[place].key ^ key) - 1 < 0xffffffffull; };
    while (taken()) place = (place + 1) & (table_.size() - 1);
    Item& item = table_[place];
    const bool is_new = item.key != key;
    item = {key, is_new ? count_ : item.number};
    slots_[count_] = slot;
    count_ += is_new;
    return item.number;
  }
  std::span<const int32_t> slots() const { return {slots_.data(), static_cast<size_t>(count_)}; }

 private:
  struct Item {
    uint64_t key = 0;  // the vertex's stamp, the neighbour's slot
    int32_t number = 0;
  };
  int shift_ = 32 - 10;  // the table has 2^(32 - shift) places
  std::vector<Item> table_{1 << 10};
  uint64_t stamp_ = 0;
  int32_t count_ = 0;
  std::vector<int32_t> slots_;
};

// The strip of one vertex, with its numbers.
class LinkBuilder {
 public:
  LinkBuilder(const Model& model, const Incidence& incidence, const ElasticBlock& block)
      : model_(model), incidence_(incidence), block_(block), material_(NeoHookean<double>::from_lame(block.lame)) {}

  const std::vector<LinkEntry>& entries(int32_t cluster, int32_t slot) {
    read_link(slot);
    weigh();
    const size_t count = neighbours_.slots().size();
    local_.resize(count);
    for (size_t n = 0; n < count; ++n) local_[n] = model_.clusters.local(cluster, neighbours_.slots()[n]);
    entries_.clear();
    for (const StripEntry& s : stripper_.strip(faces_, static_cast<int32_t>(count))) {
      // A neighbour's weight acts where the strip meets it first.
      LinkEntry entry{local_[s.vertex], false, std::exchange(weight_[s.vertex], 0.0), 0, 0};
      if (s.face >= 0) {
        const LinkFace& face = faces_[s.face];
        const int first = s.window[0] == face[0] ? 0 : s.window[0] == face[1] ? 1 : 2;
        const bool same_way = s.window[1] == face[first == 2 ? 0 : first + 1];
        entry.c = same_way ? c_[s.face] : -c_[s.face];
        entry.w = w_[s.face];
      }
      if (!entries_.empty()) entries_.back().next_keeps = s.keep;
      entries_.push_back(entry);
    }
    return entries_;
  }

 private:
  // The faces opposite the vertex, their corners as neighbours, and where these are seen from the vertex.
  void read_link(int32_t slot) {
    const Share share = share_of(incidence_, block_, slot);
    const auto count = static_cast<size_t>(share.end - share.begin);
    neighbours_.start(3 * count);
    // Those of the next vertex, on their way meanwhile.
    const size_t left = incidence_.entries.data() + incidence_.entries.size() - share.end;
    for (size_t k = 0; k < std::min(count, left); ++k) __builtin_prefetch(&model_.tets[share.end[k] >> 2]);
    faces_.resize(count);
    for (size_t f = 0; f < count; ++f) {
      const Tet& t = model_.tets[share.begin[f] >> 2];
      const int* c = corner_first[share.begin[f] & 3];
      faces_[f] = {neighbours_.number(t[c[1]]), neighbours_.number(t[c[2]]), neighbours_.number(t[c[3]])};
    }
    edges_.resize(neighbours_.slots().size());
    for (size_t n = 0; n < edges_.size(); ++n) edges_[n] = model_.rest[neighbours_.slots()[n]] - model_.rest[slot];
    factors_.clear();
    if (model_.stiffness_factor.empty()) return;
    for (size_t f = 0; f < count; ++f) factors_.push_back(model_.stiffness_factor[share.begin[f] >> 2]);
  }
  // The numbers of the faces, and the Laplacian: with p, q, r the edges to a face's corners, D = p.(q x r) and a, b, c
  // the crosses q x r, r x p, p x q, the gradients are a/D, b/D, c/D and -(a+b+c)/D at the vertex, and V = D/6.
  void weigh() {
    weight_.assign(neighbours_.slots().size(), 0.0);
    c_.resize(faces_.size());
    w_.resize(faces_.size());
    for (size_t f = 0; f < faces_.size(); ++f) {
      const LinkFace& face = faces_[f];
      const Vec3d p = edges_[face[0]], q = edges_[face[1]], r = edges_[face[2]];
      const Vec3d a = cross(q, r), b = cross(r, p), c = cross(p, q), sum = a + b + c;
      const double volume6 = dot(p, a), weight = (factors_.empty() ? 1 : factors_[f]) / (6 * volume6);
      const double stiffness = material_.mu * weight;
      weight_[face[0]] += stiffness * dot(a, sum);
      weight_[face[1]] += stiffness * dot(b, sum);
      weight_[face[2]] += stiffness * dot(c, sum);
      c_[f] = material_.gamma * volume6;
      w_[f] = material_.lambda_hat * abs(weight);
    }
  }

  const Model& model_;
  const Incidence& incidence_;
  const ElasticBlock& block_;
  NeoHookean<double> material_;
  LinkStripper stripper_;
  Neighbours neighbours_;
  std::vector<Vec3d> edges_;     // [m] to the neighbours
  std::vector<double> weight_;   // [N/m] of the neighbours
  std::vector<uint16_t> local_;  // the neighbours as the cluster counts them
  std::vector<LinkFace> faces_;
  std::vector<double> c_, w_;    // of the faces
  std::vector<double> factors_;  // of the faces' tets; empty: 1
  std::vector<LinkEntry> entries_;
};

// The unit in which a vertex's packed weights are 32-bit integers. A power of two, so that neighbours mostly round the
// weight between them alike. Next to nothing where there are no weights: the lower half of a word counts too.
constexpr double smallest_unit = 1e-30;  // [N/m]
double unit_of(std::span<const LinkEntry> entries) {
  double largest = 0;
  for (const LinkEntry& e : entries) largest = std::max(largest, std::abs(e.k));
  int exponent = 0;
  std::frexp(largest, &exponent);
  return largest > 0 ? std::ldexp(1.0, exponent - 31) : smallest_unit;
}
uint32_t packed_word(uint16_t vertex, double k, double per_unit) {
  const double upper = std::clamp((k * per_unit - vertex) / 65536, -32768.0, 32767.0);
  return static_cast<uint32_t>(static_cast<int32_t>(upper + (upper < 0 ? -0.5 : 0.5))) << 16 | vertex;
}
// The bits of w, with the sign of c in the lowest and the next entry's "keep" in the highest.
uint32_t packed_weight(const LinkEntry& e, double per_unit) {
  return (bit_cast<uint32_t>(static_cast<float>(e.w * per_unit)) & ~1u) | (e.c < 0 ? 1u : 0u) |
         (e.next_keeps ? 1u << 31 : 0u);
}
// What packed entries do not store, w |c|, is the same for all tets without stiffness factors; and
// weights in a vertex's unit are of the size 2^31 lambda/mu / edge^4: do all stay within floats, which end at 3e38?
bool packs(const Model& model, const ElasticBlock& block, ThreadPool& pool) {
  constexpr double least_volume = 1e-18;  // [m^3]
  if (model.has_stiffness_factors(block) || !(block.lame.mu > 1e-4 * std::abs(block.lame.lambda))) return false;
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

template <class Real>
void write_entry(VertexStream<Real>& stream, size_t row, int lane, const LinkEntry& e, double per_unit) {
  const auto w = static_cast<size_t>(stream.lanes);
  if (stream.layout == VertexLayout::packed) {
    uint32_t* words = &stream.packed[row * 2 * w + lane];
    words[0] = packed_word(e.neighbour, e.k, per_unit);
    words[w] = packed_weight(e, per_unit);
    return;
  }
  Real* numbers = &stream.numbers[row * 3 * w + lane];
  stream.corners[row * w + lane] = e.neighbour;
  numbers[0] = static_cast<Real>(e.k);
  numbers[w] = static_cast<Real>(e.next_keeps ? -e.w : e.w);
  numbers[2 * w] = static_cast<Real>(e.w * e.c);
}

// Room for `rows` more rows.
template <class Real>
void add_rows(VertexStream<Real>& stream, int32_t rows) {
  stream.row_begin.push_back(stream.row_begin.back() + rows);
  const auto items = static_cast<size_t>(stream.row_begin.back()) * stream.lanes;
  if (stream.layout == VertexLayout::packed) {
    stream.packed.resize(2 * items);
  } else {
    stream.corners.resize(items);
    stream.numbers.resize(3 * items);
  }
}

// Batches [first, last) as a stream of their own; what is per slot goes to the whole stream.
template <class Real>
void build_piece(const Model& model, int64_t first, int64_t last, LinkBuilder& builder, VertexStream<Real>& piece,
                 VertexStream<Real>& whole) {
  const int w = piece.lanes;
  piece.row_begin.assign(1, 0);
  piece.packed.clear();
  piece.corners.clear();
  piece.numbers.clear();
  std::vector<LinkEntry> entries;  // of the lanes, one behind the other
  std::vector<size_t> begin;
  for (int64_t b = first; b < last; ++b) {
    const int32_t cluster = model.clusters.cluster_of(static_cast<int32_t>(b * w));
    entries.clear();
    begin.assign(1, 0);
    size_t rows = 0;
    for (int lane = 0; lane < w; ++lane) {
      const std::vector<LinkEntry>& own = builder.entries(cluster, static_cast<int32_t>(b * w + lane));
      entries.insert(entries.end(), own.begin(), own.end());
      begin.push_back(entries.size());
      rows = std::max(rows, own.size());
    }
    const auto first_row = static_cast<size_t>(piece.row_begin.back());
    add_rows(piece, static_cast<int32_t>(rows));
    for (int lane = 0; lane < w; ++lane) {
      const auto slot = static_cast<int32_t>(b * w + lane);
      const std::span<const LinkEntry> own(entries.data() + begin[lane], entries.data() + begin[lane + 1]);
      const double unit = unit_of(own);
      if (!whole.units.empty()) whole.units[slot] = static_cast<Real>(unit);
      double laplacian = 0;
      for (const LinkEntry& e : own) laplacian += e.k;
      whole.laplacian[slot] = static_cast<Real>(laplacian);
      const LinkEntry none{model.clusters.local(cluster, slot), false, 0, 0, 0};
      for (size_t k = 0; k < rows; ++k) {
        write_entry(piece, first_row + k, lane, k < own.size() ? own[k] : none, 1 / unit);
      }
    }
  }
}

template <class T>
void append(Buffer<T>& all, const Buffer<T>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

// Each strip is built once, though how many rows it takes is known only then: in pieces that are put one behind the
// other, some for each thread at a time.
template <class Real>
void fill_links(const Model& model, const Incidence& incidence, ThreadPool& pool, const ProgressListener& progress,
                VertexStream<Real>& stream) {
  if (sizeof(Real) != sizeof(float) || !packs(model, stream.block, pool)) stream.layout = VertexLayout::links;
  const bool packed = stream.layout == VertexLayout::packed;
  const int64_t batches = model.slot_count() / stream.lanes;
  stream.laplacian.resize(static_cast<size_t>(model.slot_count()));
  if (packed) {
    const auto material = NeoHookean<double>::from_lame(stream.block.lame);
    stream.volume_stiffness = static_cast<Real>(material.lambda_hat * material.gamma / 6);
    stream.units.resize(static_cast<size_t>(model.slot_count()));
  }
  // Memory that is reserved but never written is not taken.
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
  VertexStream<Real> empty;
  empty.block = stream.block;
  empty.layout = stream.layout;
  empty.lanes = stream.lanes;
  std::vector<VertexStream<Real>> pieces(static_cast<size_t>(pieces_each * pool.size()), empty);
  for (int64_t start = 0; start < batches; start += piece_batches * static_cast<int64_t>(pieces.size())) {
    tell(progress, "solver layouts", static_cast<double>(start) / static_cast<double>(batches));
    const auto first_of = [&](int64_t piece) { return std::min(start + piece * piece_batches, batches); };
    pool.parallel_for(static_cast<int64_t>(pieces.size()), 1, [&](int64_t first, int64_t last) {
      LinkBuilder builder(model, incidence, stream.block);
      for (int64_t k = first; k < last; ++k)
        build_piece(model, first_of(k), first_of(k + 1), builder, pieces[k], stream);
    });
    for (const VertexStream<Real>& piece : pieces) {
      const int32_t before = stream.row_begin.back();
      for (size_t b = 1; b < piece.row_begin.size(); ++b) stream.row_begin.push_back(before + piece.row_begin[b]);
      append(stream.packed, piece.packed);
      append(stream.corners, piece.corners);
      append(stream.numbers, piece.numbers);
    }
  }
}

}  // namespace

bool has_links(const ElasticBlock& block) {
  // Damping needs the deformation gradient of each tet, and triangles have no opposite faces.
  return block.material == MaterialKind::NeoHookean && block.damping == 0 && !block.plane();
}

template <class Real>
VertexStream<Real> build_vertex_stream(const Model& model, const ElasticBlock& block, const Incidence& incidence,
                                       VertexLayout layout, int lanes, ThreadPool& pool,
                                       const ProgressListener& progress) {
  VertexStream<Real> stream;
  stream.block = block;
  stream.layout = layout;
  stream.lanes = lanes;
  if (layout != VertexLayout::frames) {
    fill_links(model, incidence, pool, progress, stream);
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
                                                 ThreadPool&, const ProgressListener&);
template VertexStream<double> build_vertex_stream(const Model&, const ElasticBlock&, const Incidence&, VertexLayout,
                                                  int, ThreadPool&, const ProgressListener&);

}  // namespace sinew
