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
#include "model/link_strip.h"

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

// The tets of a block at a slot: the range [begin, end) of the incidence, whose entries ascend.
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

// A batch has as many rows as the largest count of its lanes.
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
  const int others = traits_of(stream.block.element).corners - 1;
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
          Frame<double>::write(plane ? PlaneTriangle::rest_of_edges(edge(1), edge(2))
                                     : Tetrahedron::rest_of_edges(edge(1), edge(2), edge(3)),
                               values);
          double& volume = values[numbers - 1];
          volume *= k < degree ? model.stiffness_factor_of(static_cast<int32_t>(entry >> 2)) : 0;
          for (int j = 0; j < others; ++j) corners[j * w] = model.clusters.local(cluster, t[c[j + 1]]);
          if (plane) corners[2 * w] = own;
          for (int j = 0; j < numbers; ++j) frame[j * w] = static_cast<Real>(values[j]);
        }
      }
    }
  });
}

// One entry of a strip with its numbers.
struct LinkEntry {
  uint16_t neighbour;  // as index in the cluster
  bool next_keeps;
  double k, w, c;
};

// Numbers the neighbours of one vertex in the order in which they occur. Whether one is new cannot be predicted, so the
// code does not branch on it.
class Neighbours {
 public:
  // Replaces the corners of `faces`, which are slots, by numbers.
  void number(const std::vector<LinkFace>& faces, std::vector<LinkFace>& numbered) {
    start(3 * faces.size());
    numbered.resize(faces.size());
    // Local copies: the compiler must assume that stores to the table change members.
    uint64_t* const table = table_.data();
    int32_t* const slots = slots_.data();
    const uint64_t stamp = stamp_ << 48;
    const size_t last_place = table_.size() - 1;
    uint64_t count = 0;
    const auto number_of = [&](int32_t slot) {
      const uint64_t item = stamp | uint64_t{static_cast<uint32_t>(slot)} << 16;
      size_t place = (static_cast<uint32_t>(slot) * 2654435769u >> 12) & last_place;
      uint64_t difference = table[place] ^ item;
      while (difference - of_slot < of_stamp - of_slot) {  // taken by another neighbour of this vertex
        place = (place + 1) & last_place;
        difference = table[place] ^ item;
      }
      const auto is_new = static_cast<uint64_t>(difference >= of_slot);
      const uint64_t number = difference ^ ((difference ^ count) & (0 - is_new));
      table[place] = item | number;
      slots[count] = slot;
      count += is_new;
      return static_cast<int32_t>(number);
    };
    for (size_t f = 0; f < faces.size(); ++f) {
      const auto [p, q, r] = faces[f];
      numbered[f] = {number_of(p), number_of(q), number_of(r)};
    }
    count_ = static_cast<size_t>(count);
  }
  // The same if the faces are numbered like `numbered`, where neighbour n first occurs as corner number first[n].
  bool number_like(const std::vector<LinkFace>& faces, const std::vector<LinkFace>& numbered,
                   const std::vector<int32_t>& first) {
    if (faces.size() != numbered.size()) return false;
    start(3 * faces.size());
    const int32_t *corner = faces.data()->data(), *number = numbered.data()->data();
    int32_t* const slots = slots_.data();
    count_ = first.size();
    int32_t differs = 0;
    for (size_t n = 0; n < count_; ++n) {
      slots[n] = corner[first[n]];
      last_at_[static_cast<uint32_t>(slots[n]) * 2654435769u >> 20] = static_cast<int32_t>(n);
    }
    for (size_t k = 0; k < 3 * faces.size(); ++k) differs |= slots[number[k]] ^ corner[k];
    // Check that no two neighbours are equal: certain if each is the last with its bits, as most are.
    for (size_t n = 0; n < count_; ++n)
      differs |= last_at_[static_cast<uint32_t>(slots[n]) * 2654435769u >> 20] ^ static_cast<int32_t>(n);
    return differs == 0;
  }
  std::span<const int32_t> slots() const { return {slots_.data(), count_}; }

 private:
  // An entry of the table has the vertex's stamp, the neighbour's slot and its number, from these bits on.
  static constexpr uint64_t of_slot = uint64_t{1} << 16, of_stamp = uint64_t{1} << 48;
  static_assert(largest_cluster <= of_slot, "a vertex's neighbours are as many at most");

  // Starts the next vertex, with at most `most` neighbours.
  void start(size_t most) {
    if (slots_.size() <= most) slots_.resize(most + 1);
    while (table_.size() < 4 * most) table_.resize(2 * table_.size());
    if (++stamp_ < last_stamp) return;
    stamp_ = 1;
    std::fill(table_.begin(), table_.end(), 0);
  }

  static constexpr uint64_t last_stamp = 1 << 16;
  std::vector<uint64_t> table_ = std::vector<uint64_t>(1 << 10);
  std::vector<int32_t> last_at_ = std::vector<int32_t>(1 << 12);  // the last neighbour with these bits
  uint64_t stamp_ = 0;
  size_t count_ = 0;
  std::vector<int32_t> slots_;
};

// The links of the cells of a box are alike, so links that many vertices have in common are processed once. A link that
// occurs a second time is stored in one of the places given by a hash of the vertex's corner in each tet.
struct KnownLink {
  uint64_t name = 0;  // hash of the last link that came here
  std::vector<LinkFace> faces;
  std::vector<int32_t> first;  // for each neighbour: the first corner 3 face + k that it is
  std::vector<StripEntry> strip;
};

// The indices of slots in a cluster. Caches those in the halo, because neighbouring vertices need the same ones.
class LocalSlots {
 public:
  explicit LocalSlots(const Clusters& clusters) : clusters_(clusters) {}

  void enter(int32_t cluster) {
    if (cluster == cluster_) return;
    cluster_ = cluster;
    first_ = clusters_.slot_begin[cluster];
    own_ = static_cast<uint32_t>(clusters_.own_count(cluster));
    known_.assign(known_.size(), {});
  }
  uint16_t operator()(int32_t slot) {
    // Whether a neighbour is in the halo is unpredictable, whether it is cached is predictable.
    const auto own = static_cast<uint32_t>(slot - first_);
    const bool in_halo = own >= own_;
    Known& known = known_[static_cast<uint32_t>(slot) * 2654435769u >> 19];
    if (in_halo & (known.slot != slot)) known = {slot, clusters_.local(cluster_, slot)};
    return in_halo ? known.local : static_cast<uint16_t>(own);
  }

 private:
  struct Known {
    int32_t slot = -1;
    uint16_t local = 0;
  };
  const Clusters& clusters_;
  int32_t cluster_ = -1, first_ = 0;
  uint32_t own_ = 0;
  std::vector<Known> known_ = std::vector<Known>(1 << 13);
};

// The strip of one vertex, with its numbers.
struct LinkRow {
  std::vector<LinkEntry> entries;
  double laplacian = 0;  // the sum of k
  double largest = 0;    // |k|
};

class LinkBuilder {
 public:
  LinkBuilder(const Model& model, const Incidence& incidence, const ElasticBlock& block)
      : model_(model),
        incidence_(incidence),
        block_(block),
        material_(coefficients_of<NeoHookean>(block.material)),
        local_slot_(model.clusters) {}

  void build(int32_t cluster, int32_t slot, LinkRow& row) {
    const std::vector<StripEntry>& strip = find_strip(slot);
    weigh();
    const std::span<const int32_t> slots = neighbours_.slots();
    local_.resize(slots.size());
    local_slot_.enter(cluster);
    for (size_t n = 0; n < slots.size(); ++n) local_[n] = local_slot_(slots[n]);
    row.entries.resize(strip.size());
    double laplacian = 0, largest = 0;
    for (size_t k = 0; k < strip.size(); ++k) {
      const StripEntry& s = strip[k];
      // A neighbour's weight is applied where the strip meets it first.
      const double weight = std::exchange(weight_[s.vertex], 0.0);
      LinkEntry entry{local_[s.vertex], k + 1 < strip.size() && strip[k + 1].keep, weight, 0, 0};
      if (s.face >= 0) {
        const LinkFace& face = faces_[s.face];
        const auto [p, q, r] = s.window;
        const auto leads = [&, p = p, q = q](int i, int j) -> int { return ((p ^ face[i]) | (q ^ face[j])) == 0; };
        const bool same_way = (leads(0, 1) | leads(1, 2) | leads(2, 0)) != 0;
        const FaceNumbers& numbers = numbers_[s.face];
        entry.c = same_way ? numbers.c : -numbers.c;
        entry.w = numbers.w;
      }
      laplacian += weight;
      largest = std::max(largest, std::abs(weight));
      row.entries[k] = entry;
    }
    row.laplacian = laplacian;
    row.largest = largest;
  }

 private:
  struct FaceNumbers {
    double c, w;
  };

  // Finds the faces opposite the vertex, with neighbours as corners, and the edges to these from the vertex.
  const std::vector<StripEntry>& find_strip(int32_t slot) {
    const Share share = share_of(incidence_, block_, slot);
    const auto count = static_cast<size_t>(share.end - share.begin);
    // Prefetch those of the next vertex.
    const size_t left = incidence_.entries.data() + incidence_.entries.size() - share.end;
    for (size_t k = 0; k < std::min(count, left); ++k) __builtin_prefetch(&model_.tets[share.end[k] >> 2]);
    const Tet* const tets = model_.tets.data();
    corners_.resize(count);
    uint64_t name = count + 1;
    for (size_t f = 0; f < count; ++f) {
      const uint32_t entry = share.begin[f];
      const Tet& t = tets[entry >> 2];
      const int* c = corner_first[entry & 3];
      corners_[f] = {t[c[1]], t[c[2]], t[c[3]]};
      name = (name + (entry & 3)) * 0x9e3779b97f4a7c15;
    }
    factors_.clear();
    if (!model_.stiffness_factor.empty())
      for (size_t f = 0; f < count; ++f) factors_.push_back(model_.stiffness_factor[share.begin[f] >> 2]);

    KnownLink* const places = &known_[ways * (name >> (64 - known_bits))];
    for (KnownLink* known = places; known < places + ways; ++known) {
      if (known->name != name || known->strip.empty()) continue;
      if (!neighbours_.number_like(corners_, known->faces, known->first)) continue;
      see_from(slot);
      faces_ = known->faces;
      return known->strip;
    }
    neighbours_.number(corners_, faces_);
    see_from(slot);
    const auto neighbour_count = static_cast<int32_t>(neighbours_.slots().size());
    const std::vector<StripEntry>& strip = stripper_.strip(faces_, neighbour_count);
    const auto kept = [](const KnownLink& link) { return !link.strip.empty(); };
    KnownLink& known = *std::find_if_not(places, places + ways - 1, kept);
    if (kept(known)) return strip;  // stored links stay
    if (std::exchange(known.name, name) != name) return strip;
    known.faces = faces_;
    known.first.clear();
    for (size_t f = 0; f < count; ++f) {
      for (int k = 0; k < 3; ++k)
        if (faces_[f][k] == static_cast<int32_t>(known.first.size()))
          known.first.push_back(static_cast<int32_t>(3 * f) + k);
    }
    known.strip = strip;
    return strip;
  }
  void see_from(int32_t slot) {
    const std::span<const int32_t> slots = neighbours_.slots();
    const Vec3d origin = model_.rest[slot];
    edges_.resize(slots.size());
    for (size_t n = 0; n < slots.size(); ++n) edges_[n] = model_.rest[slots[n]] - origin;
  }
  // Computes the numbers of the faces, and the Laplacian: with p, q, r the edges to a face's corners, D = p.(q x r) and
  // a, b, c the crosses q x r, r x p, p x q, the gradients are a/D, b/D, c/D and -(a+b+c)/D at the vertex, and V = D/6.
  // Processes two faces at a time, in the lanes that every processor has.
  void weigh() {
    using T = Lane<double, 2>;
    weight_.assign(neighbours_.slots().size(), 0.0);
    const size_t count = faces_.size();
    numbers_.resize(count + 1);
    const LinkFace* const faces = faces_.data();
    const Vec3d* const edges = edges_.data();
    double* const weights = weight_.data();
    FaceNumbers* const numbers = numbers_.data();
    const double* const factors = factors_.empty() ? nullptr : factors_.data();
    const T mu = splat<T>(material_.mu), gamma = splat<T>(material_.gamma), lambda = splat<T>(material_.lambda_hat);
    for (size_t f = 0; f < count; f += 2) {
      const size_t g = std::min(f + 1, count - 1);
      const LinkFace one = faces[f], two = faces[g];
      const auto edge = [&](int k) {
        const Vec3d &u = edges[one[k]], &v = edges[two[k]];
        return Vec3<T>{T{u.x, v.x}, T{u.y, v.y}, T{u.z, v.z}};
      };
      const Vec3<T> p = edge(0), q = edge(1), r = edge(2);
      const Vec3<T> a = cross(q, r), b = cross(r, p), c = cross(p, q), sum = a + b + c;
      const T factor = factors ? T{factors[f], factors[g]} : splat<T>(1);
      const T volume6 = dot(p, a), weight = factor / (splat<T>(6) * volume6);
      const T stiffness = mu * weight;
      const T at_p = stiffness * dot(a, sum), at_q = stiffness * dot(b, sum), at_r = stiffness * dot(c, sum);
      const T face_c = gamma * volume6, face_w = lambda * abs(weight);
      weights[one[0]] += at_p[0];
      weights[one[1]] += at_q[0];
      weights[one[2]] += at_r[0];
      numbers[f] = {face_c[0], face_w[0]};
      if (g == f) break;
      weights[two[0]] += at_p[1];
      weights[two[1]] += at_q[1];
      weights[two[2]] += at_r[1];
      numbers[g] = {face_c[1], face_w[1]};
    }
  }

  const Model& model_;
  const Incidence& incidence_;
  const ElasticBlock& block_;
  NeoHookean<double> material_;
  LinkStripper stripper_;
  Neighbours neighbours_;
  LocalSlots local_slot_;
  std::vector<Vec3d> edges_;          // [m] from the vertex to its neighbours
  std::vector<double> weight_;        // [N/m] of the neighbours
  std::vector<uint16_t> local_;       // the neighbours as indices in the cluster
  std::vector<LinkFace> corners_;     // of the faces, as slots
  std::vector<LinkFace> faces_;       // the same as numbers of neighbours
  std::vector<FaceNumbers> numbers_;  // of the faces
  std::vector<double> factors_;       // of the faces' tets; empty: 1
  static constexpr int known_bits = 6;
  static constexpr size_t ways = 4;
  std::vector<KnownLink> known_{ways << known_bits};
};

// The unit in which a vertex's packed weights are 32-bit integers. It is a power of two, so that neighbours mostly
// round the weight between them alike, and tiny if there are no weights, because the lower half of a word counts too.
constexpr double smallest_unit = 1e-30;  // [N/m]
double unit_of(double largest) {
  int exponent = 0;
  std::frexp(largest, &exponent);
  return largest > 0 ? std::ldexp(1.0, exponent - 31) : smallest_unit;
}
uint32_t packed_word(uint16_t vertex, double k, double per_unit) {
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
template <class Real>
void write_lane(VertexStream<Real>& stream, size_t row, size_t rows, int lane, const LinkRow& link, double per_unit,
                uint16_t own) {
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
  uint16_t* corners = &stream.corners[row * w + lane];
  Real* numbers = &stream.numbers[row * 3 * w + lane];
  const LinkEntry none{own, false, 0, 0, 0};
  for (size_t k = 0; k < rows; ++k) {
    const LinkEntry& e = k < entries.size() ? entries[k] : none;
    *corners = e.neighbour;
    numbers[0] = static_cast<Real>(e.k);
    numbers[w] = static_cast<Real>(e.next_keeps ? -e.w : e.w);
    numbers[2 * w] = static_cast<Real>(e.w * e.c);
    corners += w;
    numbers += 3 * w;
  }
}

// Makes room for `rows` more rows, and for some later ones.
template <class Real>
void add_rows(VertexStream<Real>& stream, int32_t rows) {
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

// Builds batches [first, last) as a separate stream; data by slot goes to the whole stream.
template <class Real>
void build_piece(const Model& model, int64_t first, int64_t last, LinkBuilder& builder, VertexStream<Real>& piece,
                 VertexStream<Real>& whole) {
  const int w = piece.lanes;
  piece.row_begin.assign(1, 0);
  std::vector<LinkRow> links(static_cast<size_t>(w));
  for (int64_t b = first; b < last; ++b) {
    const int32_t cluster = model.clusters.cluster_of(static_cast<int32_t>(b * w));
    size_t rows = 0;
    for (int lane = 0; lane < w; ++lane) {
      builder.build(cluster, static_cast<int32_t>(b * w + lane), links[lane]);
      rows = std::max(rows, links[lane].entries.size());
    }
    const auto first_row = static_cast<size_t>(piece.row_begin.back());
    add_rows(piece, static_cast<int32_t>(rows));
    for (int lane = 0; lane < w; ++lane) {
      const auto slot = static_cast<int32_t>(b * w + lane);
      const double unit = unit_of(links[lane].largest);
      if (!whole.units.empty()) whole.units[slot] = static_cast<Real>(unit);
      whole.laplacian[slot] = static_cast<Real>(links[lane].laplacian);
      const auto own = static_cast<uint16_t>(slot - model.clusters.slot_begin[cluster]);
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
template <class Real>
void fill_links(const Model& model, const Incidence& incidence, ThreadPool& pool, const ProgressListener& progress,
                VertexStream<Real>& stream) {
  if (sizeof(Real) != sizeof(float) || !packs(model, stream.block, pool)) stream.layout = VertexLayout::links;
  const bool packed = stream.layout == VertexLayout::packed;
  const int64_t batches = model.slot_count() / stream.lanes;
  stream.laplacian.resize(static_cast<size_t>(model.slot_count()));
  if (packed) {
    const auto material = coefficients_of<NeoHookean>(stream.block.material);
    stream.volume_stiffness = static_cast<Real>(material.lambda_hat * material.gamma / 6);
    stream.units.resize(static_cast<size_t>(model.slot_count()));
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
  VertexStream<Real> empty;
  empty.block = stream.block;
  empty.layout = stream.layout;
  empty.lanes = stream.lanes;
  std::vector<VertexStream<Real>> pieces(static_cast<size_t>(pieces_each * pool.size()), empty);
  std::vector<LinkBuilder> builders(static_cast<size_t>(pool.size()), LinkBuilder(model, incidence, stream.block));
  for (int64_t start = 0; start < batches; start += piece_batches * static_cast<int64_t>(pieces.size())) {
    tell(progress, "solver layouts", static_cast<double>(start) / static_cast<double>(batches));
    const auto first_of = [&](int64_t piece) { return std::min(start + piece * piece_batches, batches); };
    pool.parallel_for(static_cast<int64_t>(pieces.size()), 1, [&](int thread, int64_t first, int64_t last) {
      for (int64_t k = first; k < last; ++k)
        build_piece(model, first_of(k), first_of(k + 1), builders[thread], pieces[k], stream);
    });
    for (const VertexStream<Real>& piece : pieces) {
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
  if (traits_of(block.material.kind).isotropic) {
    fill_frames<Real, AlignedTetFrame>(model, incidence, pool, stream);
  } else {
    fill_frames<Real, FullTetFrame>(model, incidence, pool, stream);
  }
  return stream;
}

template <class Real>
bool can_rescale(const VertexStream<Real>& stream, const ElasticBlock& block) {
  if (stream.layout == VertexLayout::frames) return true;
  if (stream.layout != VertexLayout::packed) return false;
  const Lame& built = stream.built ? stream.built->lame : stream.block.material.lame;
  constexpr double rounding = 1e-12;
  const double factor = block.material.lame.mu / built.mu;
  return std::abs(block.material.lame.lambda - factor * built.lambda) <=
         rounding * std::abs(block.material.lame.lambda);
}

template <class Real>
void rescale(VertexStream<Real>& stream, const ElasticBlock& block, ThreadPool& pool) {
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

template bool can_rescale(const VertexStream<float>&, const ElasticBlock&);
template bool can_rescale(const VertexStream<double>&, const ElasticBlock&);
template void rescale(VertexStream<float>&, const ElasticBlock&, ThreadPool&);
template void rescale(VertexStream<double>&, const ElasticBlock&, ThreadPool&);
template VertexStream<float> build_vertex_stream(const Model&, const ElasticBlock&, const Incidence&, VertexLayout, int,
                                                 ThreadPool&, const ProgressListener&);
template VertexStream<double> build_vertex_stream(const Model&, const ElasticBlock&, const Incidence&, VertexLayout,
                                                  int, ThreadPool&, const ProgressListener&);

}  // namespace sinew
