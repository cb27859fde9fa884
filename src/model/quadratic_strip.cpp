#include "model/quadratic_strip.h"

#include <algorithm>
#include <utility>

#include "element/quadratic_tetrahedron.h"
#include "element/tet_frame.h"
#include "mesh/coloring.h"
#include "model/rest_shape.h"

namespace sinew {
namespace {

// Even orders of the corners that put the ends of edge k first.
constexpr int edge_first[6][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 2, 0, 3}, {1, 3, 2, 0}, {2, 3, 0, 1}};
constexpr int edge_between[4][4] = {{-1, 0, 1, 2}, {0, -1, 3, 4}, {1, 3, -1, 5}, {2, 4, 5, -1}};

// Exchanges the corners 0 and 1, and 2 and 3.
void turn_around(TetAtNode& tet) {
  auto& n = tet.nodes;
  n = {n[1], n[0], n[3], n[2], n[4], n[8], n[7], n[6], n[5], n[9]};
}

// -K_ij of node 0, or of node 4, the middle of 01, and all nodes, with s_ab = mu V G_a.G_b
// (solver/by_vertex/quadratic_links.h).
std::array<double, most_nodes> laplacian_row(const Vec3d* g, double mu_volume, bool middle) {
  const auto s = [&](int a, int b) { return mu_volume * dot(g[a], g[b]); };
  const double s01 = s(0, 1), s02 = s(0, 2), s03 = s(0, 3), s12 = s(1, 2), s13 = s(1, 3);
  if (!middle) {
    const double sum = s01 + s02 + s03;
    return {0,
            s01 / 5,
            s02 / 5,
            s03 / 5,
            -(3 * s01 + sum) / 5,
            -(3 * s02 + sum) / 5,
            -(3 * s03 + sum) / 5,
            (s01 + s02) / 5,
            (s01 + s03) / 5,
            (s02 + s03) / 5};
  }
  return {-(4 * s01 + s02 + s03) / 5,
          -(4 * s01 + s12 + s13) / 5,
          (s02 + s12) / 5,
          (s03 + s13) / 5,
          0,
          (4 * s03 - 8 * s12) / 5,
          (4 * s02 - 8 * s13) / 5,
          (4 * s13 - 8 * s02) / 5,
          (4 * s12 - 8 * s03) / 5,
          -4 * (s02 + s03 + s12 + s13) / 5};
}

}  // namespace

TetAtNode seen_from(const Model& model, int32_t tet, int node) {
  const Tet& t = model.tets[tet];
  const Middles& m = model.middles[tet];
  const int* const order = node < 4 ? corner_first[node] : edge_first[node - 4];
  TetAtNode seen{tet, {}};
  for (int a = 0; a < 4; ++a) seen.nodes[a] = t[order[a]];
  for (int k = 0; k < 6; ++k) seen.nodes[4 + k] = m[edge_between[order[edge_ends[k][0]]][order[edge_ends[k][1]]]];
  return seen;
}

int32_t QuadraticStripper::number_of(int32_t slot) {
  size_t place = static_cast<uint32_t>(slot) * 2654435769u & (table_.size() - 1);
  while (table_[place][0] != slot && table_[place][0] >= 0) place = (place + 1) & (table_.size() - 1);
  if (table_[place][0] == slot) return table_[place][1];
  const auto number = static_cast<int32_t>(slots_.size());
  table_[place] = {slot, number};
  slots_.push_back(slot);
  weights_.push_back(0);
  return number;
}

void QuadraticStripper::weigh(const Model& model, const std::vector<TetAtNode>& tets, double mu, bool middle) {
  const size_t most = 9 * tets.size() + 1;
  size_t size = table_.size();
  while (size < 2 * most) size *= 2;
  table_.assign(size, {-1, -1});
  slots_.clear();
  weights_.clear();
  inverses_.clear();
  // The corners first: link strips number them alone.
  for (const TetAtNode& tet : tets)
    for (int a = 0; a < 4; ++a) number_of(tet.nodes[a]);
  for (const TetAtNode& tet : tets) {
    const Vec3d x[4] = {model.rest[tet.nodes[0]], model.rest[tet.nodes[1]], model.rest[tet.nodes[2]],
                        model.rest[tet.nodes[3]]};
    const ElementShape shape(ElementKind::QuadraticTetrahedron, QuadraticTetrahedron::rest(x));
    const auto row = laplacian_row(shape.gradient, mu * shape.volume, middle);
    for (size_t j = 0; j < row.size(); ++j) weights_[static_cast<size_t>(number_of(tet.nodes[j]))] += row[j];
    inverses_.push_back(1 / (6 * shape.volume));
  }
}

// Of a node that the strip brings, unless it brought it before.
double QuadraticStripper::take(int32_t slot) {
  return std::exchange(weights_[static_cast<size_t>(number_of(slot))], 0.0);
}

void QuadraticStripper::add(QuadraticEntry entry, QuadraticStrip& strip) {
  for (size_t j = 0; j < entry.nodes.size(); ++j) {
    entry.k[j] = take(entry.nodes[j]);
    strip.laplacian += entry.k[j];
  }
  strip.entries.push_back(entry);
}

void QuadraticStripper::around_corner(const Model& model, int32_t slot, const std::vector<TetAtNode>& tets, double mu,
                                      QuadraticStrip& strip) {
  weigh(model, tets, mu, false);
  faces_.clear();
  int32_t corners = 0;
  for (const TetAtNode& tet : tets) {
    faces_.push_back({number_of(tet.nodes[1]), number_of(tet.nodes[2]), number_of(tet.nodes[3])});
    for (const int32_t c : faces_.back()) corners = std::max(corners, c + 1);
  }
  // The window, its first edge by its middle, and the middles of its other two edges.
  int32_t p = -1, q = -1, r = -1, m_pr = -1, m_qr = -1;
  for (const StripEntry& s : stripper_.strip(faces_, corners)) {
    if (s.face < 0) continue;
    const TetAtNode& tet = tets[static_cast<size_t>(s.face)];
    int at[3];  // which corners of the tet the window's are
    for (int k = 0; k < 3; ++k) {
      at[k] = 1;
      while (tet.nodes[at[k]] != slots_[static_cast<size_t>(s.window[k])]) ++at[k];
    }
    const auto middle = [&](int a, int b) { return tet.nodes[4 + edge_between[a][b]]; };
    const int32_t new_p = tet.nodes[at[0]], new_q = tet.nodes[at[1]], new_r = tet.nodes[at[2]];
    const int32_t m_pq = middle(at[0], at[1]);
    const bool follows = new_p == q && new_q == r && m_pq == m_qr;
    const bool keeps = !follows && new_p == p && new_q == r && m_pq == m_pr;
    if (keeps) strip.entries.back().keeps = true;
    if (!follows && !keeps) {
      if (new_p != r) add({.nodes = {new_p, middle(0, at[0]), slot, slot}}, strip);
      add({.nodes = {new_q, middle(0, at[1]), slot, m_pq}}, strip);
    }
    p = new_p;
    q = new_q;
    r = new_r;
    m_pr = middle(at[0], at[2]);
    m_qr = middle(at[1], at[2]);
    const bool even = at[1] % 3 == (at[0] + 1) % 3;
    add({.nodes = {r, middle(0, at[2]), m_pr, m_qr},
         .inverse = inverses_[static_cast<size_t>(s.face)],
         .tet = tet.tet,
         .odd = !even},
        strip);
  }
}

void QuadraticStripper::around_middle(const Model& model, int32_t slot, std::vector<TetAtNode>& tets, double mu,
                                      QuadraticStrip& strip) {
  // All from the same end of the edge.
  for (TetAtNode& tet : tets)
    if (tet.nodes[0] != tets[0].nodes[0]) turn_around(tet);
  weigh(model, tets, mu, true);
  add({.nodes = {tets[0].nodes[0], tets[0].nodes[1], slot, slot}}, strip);
  done_.assign(tets.size(), 0);
  // Begins where no other tet comes before, if the fan is open.
  const auto undone_after = [&](int32_t q) {
    for (size_t t = 0; t < tets.size(); ++t)
      if (!done_[t] && tets[t].nodes[2] == q) return t;
    return tets.size();
  };
  const auto first_undone = [&] {
    size_t first = tets.size();
    for (size_t t = tets.size(); t-- > 0;) {
      if (done_[t]) continue;
      const auto before = [&](const TetAtNode& other) { return other.nodes[3] == tets[t].nodes[2]; };
      bool open = true;
      for (size_t other = 0; other < tets.size(); ++other) open &= done_[other] || !before(tets[other]);
      if (open) return t;
      first = t;
    }
    return first;
  };
  for (size_t left = tets.size(); left > 0;) {
    size_t t = first_undone();
    add({.nodes = {tets[t].nodes[2], tets[t].nodes[5], tets[t].nodes[7], slot}}, strip);
    for (; t < tets.size(); t = undone_after(tets[t].nodes[3])) {
      const auto& n = tets[t].nodes;
      done_[t] = 1;
      --left;
      add({.nodes = {n[3], n[6], n[8], n[9]}, .inverse = inverses_[t], .tet = tets[t].tet}, strip);
    }
  }
}

}  // namespace sinew
