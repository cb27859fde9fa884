// Builds the levels of a lattice: coarser lattices, the order of nodes in sweeps, and the sparsity of the matrices.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

#include "mesh/coloring.h"
#include "mesh/disjoint_sets.h"
#include "solver/multilevel/coarse_cube.h"
#include "solver/multilevel/lattice_cycle.h"

namespace sinew {
namespace {

// A connected part of at most few_nodes needs no coarser lattice; one of at most most_dense_nodes can be factorized.
constexpr int32_t few_nodes = 12, most_dense_nodes = 96;

struct Csr {
  std::vector<int32_t> begin, items;
};
// The cubes at each node.
Csr cubes_of_nodes(const std::vector<LatticeCube>& cubes, int32_t nodes) {
  Csr csr;
  csr.begin.assign(static_cast<size_t>(nodes) + 1, 0);
  for (const LatticeCube& c : cubes)
    for (const int32_t n : c.node) ++csr.begin[n + 1];
  for (int32_t n = 0; n < nodes; ++n) csr.begin[n + 1] += csr.begin[n];
  csr.items.resize(csr.begin.back());
  std::vector<int32_t> next(csr.begin.begin(), csr.begin.end() - 1);
  for (size_t c = 0; c < cubes.size(); ++c)
    for (const int32_t n : cubes[c].node) csr.items[next[n]++] = static_cast<int32_t>(c);
  return csr;
}

// The connected sets of nodes, joined by cubes, couplings and pairs.
DisjointSets connected(const std::vector<LatticeCube>& cubes, const std::vector<NodeCoupling>& couplings,
                       const std::vector<NodePair>& pairs, int32_t nodes) {
  DisjointSets sets(static_cast<size_t>(nodes));
  for (const LatticeCube& c : cubes)
    for (const int32_t n : c.node) sets.join(c.node[0], n);
  for (const NodeCoupling& c : couplings)
    for (const NodeCoupling::End& e : c.ends) sets.join(c.ends[0].node, e.node);
  for (const NodePair& p : pairs) sets.join(p.a, p.b);
  return sets;
}

}  // namespace

void add_up(std::vector<NodePair>& pairs) {
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const NodePair& p, const NodePair& q) { return std::tie(p.a, p.b) < std::tie(q.a, q.b); });
  size_t count = 0;
  for (const NodePair& p : pairs) {
    if (count > 0 && pairs[count - 1].a == p.a && pairs[count - 1].b == p.b) {
      pairs[count - 1].k += p.k;
    } else {
      pairs[count++] = p;
    }
  }
  pairs.resize(count);
}

// Builds the levels with nodes by number, then puts them into the order of sweeps.
class LatticeCycle::Builder {
 public:
  struct Raw {
    std::vector<LatticeCube> cubes;
    int32_t nodes = 0;
    std::vector<NodeCoupling> couplings;
    std::vector<NodePair> pairs;
    std::vector<int32_t> child_begin, children;
    std::vector<std::vector<NodeCoupling::End>> up;  // for each node: coarse nodes
  };

  // Joins cubes 2x2x2, in pieces that share nodes. False if that does not reduce their number.
  static bool coarsen(Raw& fine, Raw& coarse);
  // Finds rows, colours and places.
  static std::vector<int32_t> order(const Raw& raw, Level& level);
  static bool large(const Raw& raw);

 private:
  static std::vector<int32_t> color_nodes(const Raw& raw, const std::vector<std::vector<int32_t>>& neighbours,
                                          int32_t& colors);
  static void find_sources(Level& level);
};

bool LatticeCycle::Builder::large(const Raw& raw) {
  DisjointSets sets = connected(raw.cubes, raw.couplings, raw.pairs, raw.nodes);
  std::vector<int32_t> size(static_cast<size_t>(raw.nodes), 0);
  for (int32_t n = 0; n < raw.nodes; ++n) {
    if (++size[sets.find(n)] > few_nodes) return true;
  }
  return false;
}

bool LatticeCycle::Builder::coarsen(Raw& fine, Raw& coarse) {
  const Csr cubes_of = cubes_of_nodes(fine.cubes, fine.nodes);
  const auto parent_place = [&](const LatticeCube& c) { return LatticeCube{c.i >> 1, c.j >> 1, c.k >> 1, c.body, {}}; };
  const auto same = [&](int32_t a, int32_t b) {
    const LatticeCube p = parent_place(fine.cubes[a]), q = parent_place(fine.cubes[b]);
    return p.i == q.i && p.j == q.j && p.k == q.k;
  };
  const size_t count = fine.cubes.size();
  DisjointSets pieces(count);
  for (int32_t n = 0; n < fine.nodes; ++n) {
    for (int32_t x = cubes_of.begin[n]; x < cubes_of.begin[n + 1]; ++x)
      for (int32_t y = cubes_of.begin[n]; y < x; ++y)
        if (same(cubes_of.items[x], cubes_of.items[y])) pieces.join(cubes_of.items[x], cubes_of.items[y]);
  }
  std::vector<int32_t> parent(count, -1);
  for (size_t c = 0; c < count; ++c) {
    const int32_t root = pieces.find(static_cast<int32_t>(c));
    if (parent[root] < 0) {
      parent[root] = static_cast<int32_t>(coarse.cubes.size());
      coarse.cubes.push_back(parent_place(fine.cubes[c]));
    }
    parent[c] = parent[root];
  }
  coarse.child_begin.assign(coarse.cubes.size() + 1, 0);
  for (const int32_t p : parent) ++coarse.child_begin[p + 1];
  for (size_t p = 0; p < coarse.cubes.size(); ++p) coarse.child_begin[p + 1] += coarse.child_begin[p];
  coarse.children.resize(count);
  std::vector<int32_t> next(coarse.child_begin.begin(), coarse.child_begin.end() - 1);
  for (size_t c = 0; c < count; ++c) coarse.children[next[parent[c]]++] = static_cast<int32_t>(c);

  // Corners of coarse cubes at the same place become one if the children of the cubes share a node.
  std::vector<uint64_t> pairs;
  for (int32_t n = 0; n < fine.nodes; ++n) {
    for (int32_t x = cubes_of.begin[n]; x < cubes_of.begin[n + 1]; ++x) {
      for (int32_t y = cubes_of.begin[n]; y < cubes_of.begin[n + 1]; ++y) {
        const int32_t p = parent[cubes_of.items[x]], q = parent[cubes_of.items[y]];
        if (p < q) pairs.push_back(static_cast<uint64_t>(p) << 32 | static_cast<uint32_t>(q));
      }
    }
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  DisjointSets nodes(coarse.cubes.size() * cell_corners);
  for (const uint64_t pair : pairs) {
    const auto a = static_cast<int32_t>(pair >> 32), b = static_cast<int32_t>(pair & 0xffffffff);
    join_corners(coarse.cubes[a], a, coarse.cubes[b], b, nodes);
  }
  for (size_t c = 0; c < count; ++c) {  // single layers remain single
    for (int bit = 1; bit < cell_corners; bit <<= 1) {
      if (fine.cubes[c].node[0] != fine.cubes[c].node[bit]) continue;
      for (int k = 0; k < cell_corners; ++k)
        nodes.join(parent[c] * cell_corners + k, parent[c] * cell_corners + (k & ~bit));
    }
  }
  coarse.nodes = number_corners(coarse.cubes, nodes);
  if (coarse.nodes >= fine.nodes) return false;

  fine.up.assign(static_cast<size_t>(fine.nodes), {});
  const auto add = [](std::vector<NodeCoupling::End>& list, int32_t node, float weight) {
    const auto at = std::find_if(list.begin(), list.end(), [&](const NodeCoupling::End& e) { return e.node == node; });
    if (at == list.end()) {
      list.push_back({node, weight});
    } else {
      at->weight += weight;
    }
  };
  for (int32_t n = 0; n < fine.nodes; ++n) {
    const int32_t c = cubes_of.items[cubes_of.begin[n]];
    const LatticeCube &f = fine.cubes[c], &q = coarse.cubes[parent[c]];
    const auto corner = static_cast<int>(std::find(f.node.begin(), f.node.end(), n) - f.node.begin());
    for (int k = 0; k < cell_corners; ++k) {
      const double w = child_weight(octant(f), corner, k);
      if (w != 0) add(fine.up[n], q.node[k], static_cast<float>(w));
    }
  }
  for (const NodeCoupling& from : fine.couplings) {
    NodeCoupling to;
    for (const NodeCoupling::End& e : from.ends)
      for (const NodeCoupling::End& u : fine.up[e.node]) add(to.ends, u.node, e.weight * u.weight);
    std::sort(to.ends.begin(), to.ends.end(), [](const auto& a, const auto& b) { return a.node < b.node; });
    coarse.couplings.push_back(std::move(to));
  }
  for (const NodePair& p : fine.pairs) {
    for (const NodeCoupling::End& u : fine.up[p.a]) {
      for (const NodeCoupling::End& v : fine.up[p.b]) {
        const auto [low, high] = std::minmax(u.node, v.node);
        // Of two nodes that meet in one, both the block and its transpose become part of the diagonal; the block of one
        // becomes those of (u, v) and (v, u).
        const bool twice = p.a != p.b && u.node == v.node;
        if (p.a == p.b && u.node < v.node) continue;
        coarse.pairs.push_back({high, low, (twice ? 2.0 : 1.0) * u.weight * v.weight * p.k});
      }
    }
  }
  add_up(coarse.pairs);
  return true;
}

// Colours nodes in the order of the parity of their places: eight colours if there are no couplings.
std::vector<int32_t> LatticeCycle::Builder::color_nodes(const Raw& raw,
                                                        const std::vector<std::vector<int32_t>>& neighbours,
                                                        int32_t& colors) {
  std::vector<uint8_t> parity(static_cast<size_t>(raw.nodes), 0);
  for (const LatticeCube& c : raw.cubes)
    for (int k = 0; k < cell_corners; ++k) parity[c.node[k]] = static_cast<uint8_t>(octant(c) ^ k);
  std::vector<int32_t> visit(static_cast<size_t>(raw.nodes));
  std::iota(visit.begin(), visit.end(), 0);
  std::stable_sort(visit.begin(), visit.end(), [&](int32_t a, int32_t b) { return parity[a] < parity[b]; });
  Coloring coloring = greedy_coloring(static_cast<size_t>(raw.nodes), visit, [&](int32_t n, const auto& see) {
    for (const int32_t other : neighbours[n]) see(other);
  });
  colors = coloring.count;
  return std::move(coloring.color);
}

std::vector<int32_t> LatticeCycle::Builder::order(const Raw& raw, Level& level) {
  const auto nodes = static_cast<size_t>(raw.nodes);
  std::vector<std::vector<int32_t>> neighbours(nodes);
  {
    const Csr cubes_of = cubes_of_nodes(raw.cubes, raw.nodes);
    std::vector<std::vector<int32_t>> coupled(raw.couplings.empty() && raw.pairs.empty() ? 0 : nodes);
    for (const NodeCoupling& c : raw.couplings)
      for (const NodeCoupling::End& e : c.ends)
        for (const NodeCoupling::End& o : c.ends) coupled[e.node].push_back(o.node);
    for (const NodePair& p : raw.pairs) {
      coupled[p.a].push_back(p.b);
      coupled[p.b].push_back(p.a);
    }
    std::vector<int32_t> seen(nodes, -1);
    for (int32_t n = 0; n < raw.nodes; ++n) {
      seen[n] = n;
      const auto see = [&](int32_t other) {
        if (seen[other] == n) return;
        seen[other] = n;
        neighbours[n].push_back(other);
      };
      for (int32_t k = cubes_of.begin[n]; k < cubes_of.begin[n + 1]; ++k)
        for (const int32_t other : raw.cubes[cubes_of.items[k]].node) see(other);
      if (!coupled.empty()) std::for_each(coupled[n].begin(), coupled[n].end(), see);
    }
  }
  int32_t colors = 0;
  const std::vector<int32_t> color = color_nodes(raw, neighbours, colors);

  // Puts the nodes of a colour into groups, those with the longest rows first.
  std::vector<int32_t> lower(nodes, 0), sorted(nodes);
  for (size_t n = 0; n < nodes; ++n)
    for (const int32_t other : neighbours[n]) lower[n] += color[other] < color[n];
  std::iota(sorted.begin(), sorted.end(), 0);
  std::stable_sort(sorted.begin(), sorted.end(), [&](int32_t a, int32_t b) {
    if (color[a] != color[b]) return color[a] < color[b];
    if (neighbours[a].size() != neighbours[b].size()) return neighbours[a].size() > neighbours[b].size();
    return lower[a] > lower[b];
  });
  std::vector<int32_t> place(nodes), node_at;
  level.color_begin.assign(1, 0);
  for (size_t k = 0; k < nodes;) {
    const int32_t own = color[sorted[k]];
    for (; k < nodes && color[sorted[k]] == own; ++k) {
      place[sorted[k]] = static_cast<int32_t>(node_at.size());
      node_at.push_back(sorted[k]);
    }
    while (node_at.size() % node_group != 0) node_at.push_back(-1);
    level.color_begin.push_back(static_cast<int32_t>(node_at.size() / node_group));
  }
  level.places = static_cast<int32_t>(node_at.size());

  const int32_t groups = level.places / node_group;
  level.entry_begin.assign(1, 0);
  level.upper_begin.clear();
  std::vector<int32_t> lists[2][node_group];
  for (int32_t g = 0; g < groups; ++g) {
    size_t most[2] = {0, 0};
    for (int lane = 0; lane < node_group; ++lane) {
      const int32_t n = node_at[g * node_group + lane];
      for (auto& side : lists) side[lane].clear();
      if (n < 0) continue;
      for (const int32_t other : neighbours[n]) lists[color[other] > color[n]][lane].push_back(place[other]);
      for (int s = 0; s < 2; ++s) {
        std::sort(lists[s][lane].begin(), lists[s][lane].end());
        most[s] = std::max(most[s], lists[s][lane].size());
      }
    }
    for (int s = 0; s < 2; ++s) {
      if (s == 1) level.upper_begin.push_back(static_cast<int32_t>(level.column.size() / node_group));
      for (size_t e = 0; e < most[s]; ++e) {
        for (int lane = 0; lane < node_group; ++lane)
          level.column.push_back(e < lists[s][lane].size() ? lists[s][lane][e] : g * node_group + lane);
      }
    }
    level.entry_begin.push_back(static_cast<int32_t>(level.column.size() / node_group));
  }

  level.cubes = raw.cubes;
  for (LatticeCube& c : level.cubes)
    for (int32_t& n : c.node) n = place[n];
  level.couplings = raw.couplings;
  for (NodeCoupling& c : level.couplings)
    for (NodeCoupling::End& e : c.ends) e.node = place[e.node];
  level.pairs = raw.pairs;
  for (NodePair& p : level.pairs) p = {place[p.a], place[p.b], p.k};
  level.child_begin = raw.child_begin;
  level.children = raw.children;
  find_sources(level);
  level.block.assign(level.column.size() * 9, 0.0f);
  level.diagonal.assign(static_cast<size_t>(level.places) * 9, 0.0f);
  level.inverse.assign(static_cast<size_t>(level.places) * 9, 0.0f);
  for (auto* v : {&level.b, &level.x, &level.r}) v->assign(static_cast<size_t>(level.places), Vec4<float>{0, 0, 0, 0});
  return place;
}

// Finds the blocks of cubes that each block of the matrix sums.
void LatticeCycle::Builder::find_sources(Level& level) {
  const int64_t entries = static_cast<int64_t>(level.column.size());
  const auto target = [&](int32_t row, int32_t column) -> int64_t {
    if (row == column) return entries + row;
    const int32_t g = row / node_group, lane = row % node_group;
    int64_t e = level.entry_begin[g];
    while (level.column[e * node_group + lane] != column) ++e;
    return e * node_group + lane;
  };
  level.source_begin.assign(static_cast<size_t>(entries + level.places) + 1, 0);
  std::vector<int64_t> targets;
  targets.reserve(level.cubes.size() * cell_corners * cell_corners);
  for (const LatticeCube& c : level.cubes) {
    for (int a = 0; a < cell_corners; ++a) {
      for (int b = 0; b < cell_corners; ++b) {
        targets.push_back(target(c.node[a], c.node[b]));
        ++level.source_begin[targets.back() + 1];
      }
    }
  }
  for (size_t k = 0; k + 1 < level.source_begin.size(); ++k) level.source_begin[k + 1] += level.source_begin[k];
  level.sources.resize(targets.size());
  std::vector<int64_t> next(level.source_begin.begin(), level.source_begin.end() - 1);
  size_t k = 0;
  for (size_t c = 0; c < level.cubes.size(); ++c) {
    for (int a = 0; a < cell_corners; ++a) {
      for (int b = 0; b < cell_corners; ++b) {
        const int pair = a >= b ? cell_pair(a, b) : cell_pair(b, a);
        level.sources[next[targets[k++]]++] = (static_cast<int32_t>(c) * cell_pairs + pair) * 2 + (a >= b ? 0 : 1);
      }
    }
  }
  level.coupled.clear();
  for (size_t c = 0; c < level.couplings.size(); ++c) {
    for (const NodeCoupling::End& p : level.couplings[c].ends) {
      for (const NodeCoupling::End& q : level.couplings[c].ends) {
        const int64_t at = target(p.node, q.node);
        level.coupled.push_back(
            {at < entries ? at : -1 - (at - entries), static_cast<int32_t>(c), p.weight * q.weight});
      }
    }
  }
  level.paired.clear();
  const auto share = [&](int32_t row, int32_t column, double k) {
    const int64_t at = target(row, column);
    level.paired.push_back({at < entries ? at : -1 - (at - entries), static_cast<float>(k)});
  };
  for (const NodePair& p : level.pairs) {
    share(p.a, p.b, p.k);
    if (p.a != p.b) share(p.b, p.a, p.k);
  }
}

void LatticeCycle::prepare(std::span<const LatticeCube> cubes, int32_t nodes, std::vector<NodeCoupling> couplings,
                           std::vector<NodePair> pairs) {
  ++revision_;
  couplings_ = std::move(couplings);
  std::vector<Builder::Raw> raw(1);
  raw[0].cubes.assign(cubes.begin(), cubes.end());
  raw[0].nodes = nodes;
  raw[0].couplings = couplings_;
  raw[0].pairs = std::move(pairs);
  while (Builder::large(raw.back())) {
    Builder::Raw coarse;
    if (!Builder::coarsen(raw.back(), coarse)) break;
    raw.push_back(std::move(coarse));
  }
  levels_.clear();
  levels_.resize(raw.size());
  std::vector<std::vector<int32_t>> place;
  for (size_t l = 0; l < raw.size(); ++l) place.push_back(Builder::order(raw[l], levels_[l]));
  place_ = place[0];
  for (auto* v : {&right_, &left_, &direction_, &image_})
    v->assign(static_cast<size_t>(levels_[0].places), Vec4<float>{0, 0, 0, 0});
  for (size_t l = 0; l + 1 < raw.size(); ++l) {
    Level& fine = levels_[l];
    const auto coarse_places = static_cast<size_t>(levels_[l + 1].places);
    std::vector<int32_t> node_at(static_cast<size_t>(fine.places), -1);
    for (int32_t n = 0; n < raw[l].nodes; ++n) node_at[place[l][n]] = n;
    std::vector<std::vector<Weight>> down(coarse_places);
    fine.up.begin.assign(1, 0);
    for (int32_t p = 0; p < fine.places; ++p) {
      if (node_at[p] >= 0) {
        for (const NodeCoupling::End& e : raw[l].up[node_at[p]]) {
          const int32_t q = place[l + 1][e.node];
          fine.up.entries.push_back({q, e.weight});
          down[q].push_back({p, e.weight});
        }
      }
      fine.up.begin.push_back(static_cast<int32_t>(fine.up.entries.size()));
    }
    fine.down.begin.assign(1, 0);
    for (const std::vector<Weight>& list : down) {
      fine.down.entries.insert(fine.down.entries.end(), list.begin(), list.end());
      fine.down.begin.push_back(static_cast<int32_t>(fine.down.entries.size()));
    }
  }
  for (size_t l = 1; l < levels_.size(); ++l)
    levels_[l].cube_matrices.assign(levels_[l].cubes.size() * cell_pairs * 3, Vec4<float>{0, 0, 0, 0});

  // Finds the connected parts of the coarsest lattice.
  parts_.clear();
  sweeps_coarsest_ = false;
  const Builder::Raw& last = raw.back();
  DisjointSets sets = connected(last.cubes, last.couplings, last.pairs, last.nodes);
  std::vector<int32_t> part_of(static_cast<size_t>(last.nodes), -1);
  for (int32_t n = 0; n < last.nodes; ++n) {
    int32_t& part = part_of[sets.find(n)];
    if (part < 0) {
      part = static_cast<int32_t>(parts_.size());
      parts_.emplace_back();
    }
    parts_[part].places.push_back(place.back()[n]);
  }
  for (Part& part : parts_) {
    if (static_cast<int32_t>(part.places.size()) > most_dense_nodes) {
      sweeps_coarsest_ = true;
    } else {
      part.factor.assign(9 * part.places.size() * part.places.size(), 0);
    }
  }
}

}  // namespace sinew
