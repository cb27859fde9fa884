#include "model/vertex_ties.h"

#include <algorithm>
#include <array>

namespace sinew {
namespace {

struct End {
  int32_t tie, end;
};

// The ends at each slot: of kind k [begin[k][s], begin[k][s + 1]), by tie.
struct Ends {
  std::array<std::vector<int32_t>, tie_kind_count> begin;
  std::array<std::vector<End>, tie_kind_count> ends;

  explicit Ends(const Model& model) {
    const Ties& ties = model.ties;
    for (auto& b : begin) b.assign(static_cast<size_t>(model.slot_count()) + 1, 0);
    const auto each = [&](const auto& visit) {
      for (int32_t t = 0; t < ties.count(); ++t)
        for (int32_t j = ties.begin[t]; j < ties.begin[t + 1]; ++j)
          visit(static_cast<size_t>(ties.laws[t].kind), ties.vertices[j], End{t, j});
    };
    each([&](size_t kind, int32_t slot, End) { ++begin[kind][slot + 1]; });
    for (size_t k = 0; k < begin.size(); ++k) {
      for (size_t s = 1; s < begin[k].size(); ++s) begin[k][s] += begin[k][s - 1];
      ends[k].resize(static_cast<size_t>(begin[k].back()));
    }
    auto next = begin;
    each([&](size_t kind, int32_t slot, End end) { ends[kind][next[kind][slot]++] = end; });
  }
  int32_t count(size_t kind, int32_t slot) const { return begin[kind][slot + 1] - begin[kind][slot]; }
  bool any(int32_t slot) const {
    for (size_t k = 0; k < begin.size(); ++k)
      if (count(k, slot) > 0) return true;
    return false;
  }
  // Descending by the ends of the first kind, then of the next.
  bool more(int32_t a, int32_t b) const {
    for (size_t k = 0; k < begin.size(); ++k)
      if (count(k, a) != count(k, b)) return count(k, a) > count(k, b);
    return false;
  }
};

template <class Real, class Corner>
typename VertexTies<Real, Corner>::Rows rows_of(const Model& model, const Ends& ends, size_t kind,
                                                const std::vector<int32_t>& slots, int lanes) {
  const Ties& ties = model.ties;
  typename VertexTies<Real, Corner>::Rows r;
  r.kind = TieKind(kind);
  for (const End& e : ends.ends[kind]) {
    r.others = std::max(r.others, ties.end_count(e.tie) - 1);
    r.damped = r.damped || ties.laws[e.tie].damping > 0;
  }
  const std::vector<int> used = used_tie_numbers(r.kind);
  const size_t w = static_cast<size_t>(lanes), packs = slots.size() / w;
  const size_t others = static_cast<size_t>(r.others);
  r.begin.assign(packs + 1, 0);
  for (size_t p = 0; p < packs; ++p) {
    int32_t most = 0;
    for (size_t lane = 0; lane < w; ++lane) most = std::max(most, ends.count(kind, slots[p * w + lane]));
    r.begin[p + 1] = r.begin[p] + most;
  }
  const size_t rows = static_cast<size_t>(r.begin.back());
  r.corners.assign(rows * others * w, 0);
  r.weights.assign(rows * others * w, 0);
  r.numbers.assign(rows * used.size() * w, 0);
  if (traits_of(r.kind).is_muscle) r.muscle.assign(rows * w, 0);

  for (size_t place = 0; place < slots.size(); ++place) {
    const int32_t slot = slots[place], cluster = model.clusters.cluster_of(slot);
    const auto own = corner_of<Corner>(model.clusters, cluster, slot);
    const size_t p = place / w, lane = place % w;
    for (int32_t row = r.begin[p]; row < r.begin[p + 1]; ++row) {
      const auto at = [&](size_t count, size_t k) { return (static_cast<size_t>(row) * count + k) * w + lane; };
      for (size_t k = 0; k < others; ++k) r.corners[at(others, k)] = own;
      const int32_t number = ends.begin[kind][slot] + row - r.begin[p];
      if (number >= ends.begin[kind][slot + 1]) continue;
      const auto [tie, end] = ends.ends[kind][number];
      size_t other = 0;
      for (int32_t j = ties.begin[tie]; j < ties.begin[tie + 1]; ++j) {
        if (j == end) continue;
        r.corners[at(others, other)] = corner_of<Corner>(model.clusters, cluster, ties.vertices[j]);
        r.weights[at(others, other)] = static_cast<Real>(ties.weights[j]);
        ++other;
      }
      const auto numbers = tie_numbers(ties.laws[tie]);
      for (size_t n = 0; n < used.size(); ++n) r.numbers[at(used.size(), n)] = static_cast<Real>(numbers[used[n]]);
      if (!r.muscle.empty()) r.muscle[at(1, 0)] = ties.laws[tie].muscle;
    }
  }
  return r;
}

}  // namespace

template <class Real, class Corner>
VertexTies<Real, Corner> build_vertex_ties(const Model& model, int lanes) {
  VertexTies<Real, Corner> result;
  const Ends ends(model);
  const auto is_tied = [&](int32_t first, int32_t last) {
    for (int32_t s = first; s < last; ++s)
      if (ends.any(s)) return true;
    return false;
  };
  result.any.assign(static_cast<size_t>(model.slot_count() / lanes), 0);
  result.pack_begin.push_back(0);
  std::vector<int32_t> slots;  // in packs
  for (size_t c = 0; c + 1 < model.color_begin.size(); ++c) {
    const auto first = static_cast<std::ptrdiff_t>(slots.size());
    for (int32_t s = model.color_begin[c]; s < model.color_begin[c + 1]; s += lanes) {
      if (!is_tied(s, s + lanes)) continue;
      result.any[static_cast<size_t>(s / lanes)] = 1;
      for (int32_t k = 0; k < lanes; ++k) slots.push_back(s + k);
    }
    std::stable_sort(slots.begin() + first, slots.end(), [&](int32_t a, int32_t b) { return ends.more(a, b); });
    result.pack_begin.push_back(static_cast<int32_t>(slots.size()) / lanes);
  }
  result.place.assign(static_cast<size_t>(model.slot_count()), 0);
  for (size_t k = 0; k < slots.size(); ++k) {
    result.own.push_back(corner_of<Corner>(model.clusters, model.clusters.cluster_of(slots[k]), slots[k]));
    result.place[static_cast<size_t>(slots[k])] = static_cast<int32_t>(k);
  }
  for (size_t kind = 0; kind < ends.ends.size(); ++kind)
    if (!ends.ends[kind].empty()) result.rows.push_back(rows_of<Real, Corner>(model, ends, kind, slots, lanes));
  return result;
}

template <class Real, class Corner>
size_t VertexTies<Real, Corner>::memory_bytes() const {
  size_t bytes =
      any.capacity() + own.capacity() * sizeof(Corner) + (pack_begin.capacity() + place.capacity()) * sizeof(int32_t);
  for (const Rows& r : rows)
    bytes += r.begin.capacity() * sizeof(int32_t) + r.corners.capacity() * sizeof(Corner) +
             (r.weights.capacity() + r.numbers.capacity()) * sizeof(Real) + r.muscle.capacity() * sizeof(int32_t);
  return bytes;
}

template struct VertexTies<float>;
template struct VertexTies<double>;
template struct VertexTies<float, uint32_t>;
template struct VertexTies<double, uint32_t>;
template VertexTies<float> build_vertex_ties(const Model&, int);
template VertexTies<double> build_vertex_ties(const Model&, int);
template VertexTies<float, uint32_t> build_vertex_ties(const Model&, int);
template VertexTies<double, uint32_t> build_vertex_ties(const Model&, int);

}  // namespace sinew
