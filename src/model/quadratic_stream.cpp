#include "model/quadratic_stream.h"

#include <algorithm>
#include <array>
#include <type_traits>

#include "element/quadratic_tetrahedron.h"
#include "math/lane.h"
#include "model/link_builder.h"
#include "model/quadratic_strip.h"
#include "model/rest_shape.h"

namespace sinew {
namespace {

// The tets of a block at each slot: entry = 16 * (tet in the block) + node, corners before middles.
struct NodeIncidence {
  std::vector<int64_t> begin;
  std::vector<uint64_t> entries;

  std::span<const uint64_t> at(size_t slot) const {
    return {entries.data() + begin[slot], entries.data() + begin[slot + 1]};
  }
};
NodeIncidence node_incidence(const Model& model, const ElasticBlock& block) {
  NodeIncidence at;
  at.begin.assign(static_cast<size_t>(model.slot_count()) + 1, 0);
  for (int32_t e = block.first_tet; e < block.last_tet; ++e)
    for (const int32_t s : model.nodes_of(e)) ++at.begin[static_cast<size_t>(s) + 1];
  for (size_t s = 1; s < at.begin.size(); ++s) at.begin[s] += at.begin[s - 1];
  std::vector<int64_t> next(at.begin.begin(), at.begin.end() - 1);
  at.entries.resize(static_cast<size_t>(at.begin.back()));
  for (int32_t e = block.first_tet; e < block.last_tet; ++e) {
    const ElementNodes nodes = model.nodes_of(e);
    for (size_t n = 0; n < nodes.size(); ++n)
      at.entries[static_cast<size_t>(next[nodes[n]]++)] = 16 * static_cast<uint64_t>(e - block.first_tet) + n;
  }
  return at;
}
bool is_middle(uint64_t entry) {
  return entry % 16 >= 4;
}

// Rows of some batches, as the stream has them.
template <class Real, class Node>
struct Rows {
  std::vector<int32_t> of_batch, corners_of_batch;
  std::vector<Node> nodes;
  std::vector<int32_t> elements;
  std::vector<uint32_t> first_visits;
  std::vector<Real> numbers;
};

// Writes rows batch by batch. Rows begin empty: with the vertex itself for nodes, and 0 for numbers.
template <class Real, class Node>
class RowWriter {
 public:
  RowWriter(const Model& model, size_t lanes, int node_count, int number_count, bool elements)
      : model_(model),
        local_(model.clusters, sizeof(Node) == sizeof(uint32_t)),
        w_(lanes),
        node_count_(static_cast<size_t>(node_count)),
        number_count_(static_cast<size_t>(number_count)),
        has_elements_(elements) {}

  // Of the slots [first, first + W).
  void begin_batch(size_t first) {
    first_ = first;
    local_.enter(model_.clusters.cluster_of(static_cast<int32_t>(first)));
  }
  void add_rows(size_t count) {
    begin_ = rows.nodes.size() / (node_count_ * w_);
    for (size_t row = 0; row < count; ++row)
      for (size_t k = 0; k < node_count_; ++k)
        for (size_t lane = 0; lane < w_; ++lane) rows.nodes.push_back(local(static_cast<int32_t>(first_ + lane)));
    rows.numbers.resize(rows.numbers.size() + count * number_count_ * w_);
    if (!has_elements_) return;
    rows.elements.resize(rows.elements.size() + count * w_, static_cast<int32_t>(model_.tets.size()));
    rows.first_visits.resize(rows.first_visits.size() + count);
  }
  // Into row k of those last added.
  Node* nodes(size_t k, size_t lane) { return &rows.nodes[(begin_ + k) * node_count_ * w_ + lane]; }
  Real* numbers(size_t k, size_t lane) { return &rows.numbers[(begin_ + k) * number_count_ * w_ + lane]; }
  void set_element(size_t k, size_t lane, int32_t tet) {
    if (!has_elements_) return;
    rows.elements[(begin_ + k) * w_ + lane] = tet;
    const ElementNodes nodes = model_.nodes_of(tet);
    const bool first = *std::min_element(nodes.begin(), nodes.end()) == static_cast<int32_t>(first_ + lane);
    rows.first_visits[begin_ + k] |= uint32_t{first} << lane;
  }
  Node local(int32_t slot) { return static_cast<Node>(local_(slot)); }

  Rows<Real, Node> rows;

 private:
  const Model& model_;
  LocalSlots local_;
  size_t w_, node_count_, number_count_;
  bool has_elements_;
  size_t first_ = 0, begin_ = 0;
};

template <class Real, class Node>
void write_frames(const Model& model, const NodeIncidence& incidence, const ElasticBlock& block, size_t first, size_t w,
                  RowWriter<Real, Node>& out) {
  size_t count = 0;
  for (size_t slot = first; slot < first + w; ++slot) count = std::max(count, incidence.at(slot).size());
  out.add_rows(count);
  out.rows.of_batch.push_back(static_cast<int32_t>(count));
  for (size_t lane = 0; lane < w; ++lane) {
    size_t k = 0;
    for (const uint64_t entry : incidence.at(first + lane)) {
      const auto e = static_cast<int32_t>(block.first_tet + static_cast<int64_t>(entry / 16));
      const TetAtNode tet = seen_from(model, e, static_cast<int>(entry % 16));
      const auto& n = tet.nodes;
      const std::array<int32_t, other_nodes> others = {
          is_middle(entry) ? n[0] : n[4], n[1], n[2], n[3], n[5], n[6], n[7], n[8], n[9]};
      for (size_t j = 0; j < others.size(); ++j) out.nodes(k, lane)[j * w] = out.local(others[j]);
      const Vec3d x[4] = {model.rest[n[0]], model.rest[n[1]], model.rest[n[2]], model.rest[n[3]]};
      const ElementShape shape(ElementKind::QuadraticTetrahedron, QuadraticTetrahedron::rest(x));
      Real* const number = out.numbers(k, lane);
      for (size_t c = 0; c < 3; ++c) {
        const Vec3d& g = shape.gradient[c + 1];
        number[(3 * c) * w] = static_cast<Real>(g.x);
        number[(3 * c + 1) * w] = static_cast<Real>(g.y);
        number[(3 * c + 2) * w] = static_cast<Real>(g.z);
      }
      const double sign = is_middle(entry) ? -1 : 1;
      number[9 * w] = static_cast<Real>(sign * shape.volume * model.stiffness_factor_of(e));
      out.set_element(k++, lane, e);
    }
  }
}

// The flags are in bits that the number can spare.
template <class Real>
Real marked(double inverse, bool odd, bool keeps) {
  using Bits = std::conditional_t<sizeof(Real) == 4, uint32_t, uint64_t>;
  auto bits = bit_cast<Bits>(static_cast<Real>(inverse));
  if (inverse != 0) bits = (bits & ~Bits{1}) | Bits{odd};
  return bit_cast<Real>(bits | Bits{keeps} << (8 * sizeof(Real) - 1));
}

template <class Real, class Node>
class LinkWriter {
 public:
  LinkWriter(const Model& model, const NodeIncidence& incidence, const ElasticBlock& block, size_t w)
      : model_(model), incidence_(incidence), block_(block), w_(w), corners_(w), middles_(w) {}

  // laplacian: of the lanes.
  void write(size_t first, RowWriter<Real, Node>& out, Real* laplacian) {
    for (size_t lane = 0; lane < w_; ++lane) {
      find_strips(first + lane, corners_[lane], middles_[lane]);
      laplacian[lane] = static_cast<Real>(corners_[lane].laplacian + middles_[lane].laplacian);
    }
    const auto corner_rows = write(corners_, out);
    const auto middle_rows = write(middles_, out);
    out.rows.of_batch.push_back(corner_rows + middle_rows);
    out.rows.corners_of_batch.push_back(corner_rows);
  }

 private:
  void find_strips(size_t slot, QuadraticStrip& corner, QuadraticStrip& middle) {
    for (QuadraticStrip* const strip : {&corner, &middle}) {
      strip->entries.clear();
      strip->laplacian = 0;
    }
    corner_tets_.clear();
    middle_tets_.clear();
    for (const uint64_t entry : incidence_.at(slot)) {
      const auto e = static_cast<int32_t>(block_.first_tet + static_cast<int64_t>(entry / 16));
      (is_middle(entry) ? middle_tets_ : corner_tets_).push_back(seen_from(model_, e, static_cast<int>(entry % 16)));
    }
    const auto s = static_cast<int32_t>(slot);
    const double mu = block_.material.lame.mu;
    if (!corner_tets_.empty()) stripper_.around_corner(model_, s, corner_tets_, mu, corner);
    if (!middle_tets_.empty()) stripper_.around_middle(model_, s, middle_tets_, mu, middle);
  }
  int32_t write(const std::vector<QuadraticStrip>& strips, RowWriter<Real, Node>& out) {
    size_t count = 0;
    for (const QuadraticStrip& strip : strips) count = std::max(count, strip.entries.size());
    out.add_rows(count);
    for (size_t lane = 0; lane < w_; ++lane) {
      size_t k = 0;
      for (const QuadraticEntry& entry : strips[lane].entries) {
        Real* const number = out.numbers(k, lane);
        for (size_t j = 0; j < entry.nodes.size(); ++j) {
          out.nodes(k, lane)[j * w_] = out.local(entry.nodes[j]);
          number[j * w_] = static_cast<Real>(entry.k[j]);
        }
        number[entry.nodes.size() * w_] = marked<Real>(link_unit * entry.inverse, entry.odd, entry.keeps);
        if (entry.tet >= 0) out.set_element(k, lane, entry.tet);
        ++k;
      }
    }
    return static_cast<int32_t>(count);
  }

  const Model& model_;
  const NodeIncidence& incidence_;
  const ElasticBlock& block_;
  size_t w_;
  QuadraticStripper stripper_;
  std::vector<TetAtNode> corner_tets_, middle_tets_;
  std::vector<QuadraticStrip> corners_, middles_;  // of the lanes
};

}  // namespace

template <class Real, class Node>
QuadraticStream<Real, Node> build_quadratic_stream(const Model& model, const ElasticBlock& block, VertexLayout layout,
                                                   int lanes, ThreadPool& pool) {
  QuadraticStream<Real, Node> stream;
  rescale(stream, block);
  stream.layout = layout;
  stream.lanes = lanes;
  const bool links = layout != VertexLayout::frames;
  const NodeIncidence incidence = node_incidence(model, block);
  const auto w = static_cast<size_t>(lanes);
  const auto batches = static_cast<size_t>(model.slot_count()) / w;
  stream.laplacian.resize(links ? batches * w : 0);

  // Parts of some batches each, then one after another.
  constexpr size_t batches_a_part = 64;
  std::vector<Rows<Real, Node>> parts((batches + batches_a_part - 1) / batches_a_part);
  const auto for_each_part = [&](const auto& body) {
    pool.parallel_for(static_cast<int64_t>(parts.size()), 1, [&](int64_t first, int64_t last) {
      for (int64_t part = first; part < last; ++part) body(static_cast<size_t>(part));
    });
  };
  for_each_part([&](size_t part) {
    RowWriter<Real, Node> out(model, w, links ? quadratic_link_nodes : other_nodes,
                              links ? quadratic_link_numbers : quadratic_frame_numbers, stream.points.mean_lambda > 0);
    LinkWriter<Real, Node> link_writer(model, incidence, block, w);
    const size_t last = std::min(batches, (part + 1) * batches_a_part);
    for (size_t b = part * batches_a_part; b < last; ++b) {
      out.begin_batch(b * w);
      if (links) {
        link_writer.write(b * w, out, &stream.laplacian[b * w]);
      } else {
        write_frames(model, incidence, block, b * w, w, out);
      }
    }
    parts[part] = std::move(out.rows);
  });

  stream.row_begin.assign(1, 0);
  std::vector<size_t> first_row(parts.size());
  for (size_t part = 0; part < parts.size(); ++part) {
    first_row[part] = static_cast<size_t>(stream.row_begin.back());
    for (size_t b = 0; b < parts[part].of_batch.size(); ++b) {
      const int32_t begin = stream.row_begin.back();
      if (links) stream.middle_begin.push_back(begin + parts[part].corners_of_batch[b]);
      stream.row_begin.push_back(begin + parts[part].of_batch[b]);
    }
  }
  const auto rows = static_cast<size_t>(stream.row_begin.back());
  const size_t nodes = w * static_cast<size_t>(links ? quadratic_link_nodes : other_nodes);
  const size_t numbers = w * static_cast<size_t>(links ? quadratic_link_numbers : quadratic_frame_numbers);
  stream.nodes.resize(rows * nodes);
  stream.numbers.resize(rows * numbers);
  stream.elements.resize(stream.points.mean_lambda > 0 ? rows * w : 0);
  stream.first_visits.resize(stream.points.mean_lambda > 0 ? rows : 0);
  for_each_part([&](size_t part) {
    Rows<Real, Node>& from = parts[part];
    const auto row = static_cast<std::ptrdiff_t>(first_row[part]);
    const auto copy = [&](const auto& of, auto& to, size_t width) {
      std::copy(of.begin(), of.end(), to.data() + row * static_cast<std::ptrdiff_t>(width));
    };
    copy(from.nodes, stream.nodes, nodes);
    copy(from.numbers, stream.numbers, numbers);
    copy(from.elements, stream.elements, w);
    copy(from.first_visits, stream.first_visits, 1);
    from = {};
  });
  return stream;
}

VertexLayout quadratic_layout(const Model& model, const ElasticBlock& block, bool frames_only) {
  const bool links = has_links(block) && !frames_only && !model.has_stiffness_factors(block);
  return links ? VertexLayout::links : VertexLayout::frames;
}

#define SINEW_STREAM(Real, Node)                                                                                    \
  template QuadraticStream<Real, Node> build_quadratic_stream(const Model&, const ElasticBlock&, VertexLayout, int, \
                                                              ThreadPool&);
SINEW_STREAM(float, uint16_t)
SINEW_STREAM(double, uint16_t)
SINEW_STREAM(float, uint32_t)
SINEW_STREAM(double, uint32_t)
#undef SINEW_STREAM

}  // namespace sinew
