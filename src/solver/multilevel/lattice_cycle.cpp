#include "solver/multilevel/lattice_cycle.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "mesh/coloring.h"
#include "mesh/disjoint_sets.h"

namespace sinew {
namespace {

// A connected part of so many nodes needs no coarser lattice; and one of up to so many can be factorized.
constexpr int32_t few_nodes = 12, most_dense_nodes = 96;
// Sweeps that stand for a factorization where that is not possible.
constexpr int coarsest_sweeps = 8;
// Sums are taken over so many places at a time.
constexpr int64_t chunk_places = 256;
// Levels of fewer nodes are left to one thread.
constexpr int32_t shared_places = 1024;
// The least that a thread takes at a time: about a microsecond.
constexpr int64_t group_grain = 4, place_grain = 64;
// Of the mean diagonal: what makes up for a body that nobody holds.
constexpr double singular_shift = 1e-6;

// Four numbers that compilers add and multiply as one.
using Row4 = float __attribute__((vector_size(16)));
SINEW_INLINE Row4 row(const Vec4<float>& v) {
  return Row4{v.x, v.y, v.z, 0};
}

// Weight of the coarse cube's corner q at corner a of its child in octant o: per axis 0, 1/2 or 1.
constexpr double child_weight(int o, int a, int q) {
  double w = 1;
  for (int axis = 0; axis < 3; ++axis) {
    const double at = 0.5 * ((o >> axis & 1) + (a >> axis & 1));
    w *= (q >> axis & 1) ? at : 1 - at;
  }
  return w;
}
int octant(const LatticeCube& c) {
  return (c.i & 1) | (c.j & 1) << 1 | (c.k & 1) << 2;
}

struct Csr {
  std::vector<int32_t> begin, items;
};
// Which cubes have each node.
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

// Nodes that a cube or a coupling joins: sets of nodes that have nothing to do with each other.
DisjointSets connected(const std::vector<LatticeCube>& cubes, const std::vector<NodeCoupling>& couplings,
                       int32_t nodes) {
  DisjointSets sets(static_cast<size_t>(nodes));
  for (const LatticeCube& c : cubes)
    for (const int32_t n : c.node) sets.join(c.node[0], n);
  for (const NodeCoupling& c : couplings)
    for (const NodeCoupling::End& e : c.ends) sets.join(c.ends[0].node, e.node);
  return sets;
}

}  // namespace

// Builds the levels with nodes by their numbers, and then puts them into the order of sweeps.
class LatticeCycle::Builder {
 public:
  struct Raw {
    std::vector<LatticeCube> cubes;
    int32_t nodes = 0;
    std::vector<NodeCoupling> couplings;
    std::vector<int32_t> child_begin, children;
    std::vector<std::vector<NodeCoupling::End>> up;  // of each node: coarse nodes
  };

  // Cubes of 2x2x2, in pieces that share nodes. False where that makes none fewer.
  static bool coarsen(Raw& fine, Raw& coarse);
  // Rows, colours, places.
  static std::vector<int32_t> order(const Raw& raw, Level& level);
  static bool large(const Raw& raw);

 private:
  static std::vector<int32_t> color_nodes(const Raw& raw, const std::vector<std::vector<int32_t>>& neighbours,
                                          int32_t& colors);
  static void find_sources(Level& level);
};

bool LatticeCycle::Builder::large(const Raw& raw) {
  DisjointSets sets = connected(raw.cubes, raw.couplings, raw.nodes);
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

  // Corners of coarse cubes whose children share a node are one where they lie at the same place.
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
  for (size_t c = 0; c < count; ++c) {  // single layers stay single
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
  return true;
}

// By the parity of their places first: eight colours where there are no couplings.
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
    std::vector<std::vector<int32_t>> coupled(raw.couplings.empty() ? 0 : nodes);
    for (const NodeCoupling& c : raw.couplings)
      for (const NodeCoupling::End& e : c.ends)
        for (const NodeCoupling::End& o : c.ends) coupled[e.node].push_back(o.node);
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

  // Nodes of a colour, those with the longest rows first, in groups.
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
  level.child_begin = raw.child_begin;
  level.children = raw.children;
  find_sources(level);
  level.block.assign(level.column.size() * 9, 0.0f);
  level.diagonal.assign(static_cast<size_t>(level.places) * 9, 0.0f);
  level.inverse.assign(static_cast<size_t>(level.places) * 9, 0.0f);
  for (auto* v : {&level.b, &level.x, &level.r}) v->assign(static_cast<size_t>(level.places), Vec4<float>{0, 0, 0, 0});
  return place;
}

// Which blocks of cubes make up each block of the matrix.
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
}

void LatticeCycle::prepare(std::span<const LatticeCube> cubes, int32_t nodes, std::vector<NodeCoupling> couplings) {
  couplings_ = std::move(couplings);
  std::vector<Builder::Raw> raw(1);
  raw[0].cubes.assign(cubes.begin(), cubes.end());
  raw[0].nodes = nodes;
  raw[0].couplings = couplings_;
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

  // The parts of the coarsest lattice.
  parts_.clear();
  sweeps_coarsest_ = false;
  const Builder::Raw& last = raw.back();
  DisjointSets sets = connected(last.cubes, last.couplings, last.nodes);
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

void LatticeCycle::fill(Level& level, std::span<const Vec4<float>> cube_matrices,
                        std::span<const Mat3<float>> stiffness, ThreadPool& pool) {
  const auto sum = [&](int64_t target, float* out) {  // out: 9 numbers, node_group apart
    Row4 direct[3]{}, turned[3]{};
    for (int64_t k = level.source_begin[target]; k < level.source_begin[target + 1]; ++k) {
      const int32_t source = level.sources[k];
      const Vec4<float>* m = cube_matrices.data() + static_cast<size_t>(source >> 1) * 3;
      Row4* const to = source & 1 ? turned : direct;
      for (int c = 0; c < 3; ++c) to[c] += row(m[c]);
    }
    for (int c = 0; c < 3; ++c)
      for (int r = 0; r < 3; ++r) out[(3 * c + r) * node_group] = direct[c][r] + turned[r][c];
  };
  const auto entries = static_cast<int64_t>(level.column.size());
  const int64_t groups = level.places / node_group;
  pool.parallel_for(groups, 4, [&](int64_t first, int64_t last) {
    for (int64_t g = first; g < last; ++g) {
      for (int64_t e = level.entry_begin[g]; e < level.entry_begin[g + 1]; ++e)
        for (int lane = 0; lane < node_group; ++lane)
          sum(e * node_group + lane, level.block.data() + e * 9 * node_group + lane);
      for (int lane = 0; lane < node_group; ++lane)
        sum(entries + g * node_group + lane, level.diagonal.data() + g * 9 * node_group + lane);
    }
  });
  for (const CouplingShare& share : level.coupled) {
    const int64_t at = share.target >= 0 ? share.target : -1 - share.target;
    float* out = (share.target >= 0 ? level.block.data() : level.diagonal.data()) + at / node_group * 9 * node_group +
                 at % node_group;
    const Mat3<float>& k = stiffness[share.coupling];
    const float numbers[9] = {k.c0.x, k.c0.y, k.c0.z, k.c1.x, k.c1.y, k.c1.z, k.c2.x, k.c2.y, k.c2.z};
    for (int n = 0; n < 9; ++n) out[n * node_group] += share.weight * numbers[n];
  }
  pool.parallel_for(level.places, 64, [&](int64_t first, int64_t last) {
    for (int64_t p = first; p < last; ++p) {
      const float* d = level.diagonal.data() + p / node_group * 9 * node_group + p % node_group;
      const auto at = [&](int n) { return static_cast<double>(d[n * node_group]); };
      Mat3d m{{at(0), at(1), at(2)}, {at(3), at(4), at(5)}, {at(6), at(7), at(8)}};
      const double mean = trace(m) / 3;
      // What is nearly free one way, as a node of springs in a row, moves that way as if it were stiffer.
      for (const double shift : {singular_shift, 1e-3}) {
        m.c0.x += shift * mean;
        m.c1.y += shift * mean;
        m.c2.z += shift * mean;
        if (determinant(m) > 1e-9 * mean * mean * mean) break;
      }
      const double det = determinant(m);
      const bool usable = mean > 0 && det > 0;
      const Mat3d inverse = usable ? transpose((1 / det) * cofactor(m)) : Mat3d{};
      float* out = level.inverse.data() + p / node_group * 9 * node_group + p % node_group;
      const double numbers[9] = {inverse.c0.x, inverse.c0.y, inverse.c0.z, inverse.c1.x, inverse.c1.y,
                                 inverse.c1.z, inverse.c2.x, inverse.c2.y, inverse.c2.z};
      for (int n = 0; n < 9; ++n) out[n * node_group] = static_cast<float>(numbers[n]);
    }
  });
}

namespace {

// The corners of a coarse cube that a child's corner lies between, by octant and corner.
struct Between {
  int count = 0;
  int corner[8]{};
  float weight[8]{};
};
struct BetweenTable {
  Between at[8][8];
  constexpr BetweenTable() : at() {
    for (int o = 0; o < 8; ++o) {
      for (int a = 0; a < 8; ++a) {
        for (int q = 0; q < 8; ++q) {
          const double w = child_weight(o, a, q);
          if (w == 0) continue;
          Between& b = at[o][a];
          b.corner[b.count] = q;
          b.weight[b.count++] = static_cast<float>(w);
        }
      }
    }
  }
};
constexpr BetweenTable between;

}  // namespace

// Galerkin's matrix of each coarse cube: the sum of W^T K W over its children.
void LatticeCycle::join_children(const Level& fine, std::span<const Vec4<float>> from, Level& coarse,
                                 ThreadPool& pool) {
  pool.parallel_for(static_cast<int64_t>(coarse.cubes.size()), 1, [&](int64_t first, int64_t last) {
    for (int64_t q = first; q < last; ++q) {
      Row4 sums[cell_pairs][3]{};
      for (int32_t n = coarse.child_begin[q]; n < coarse.child_begin[q + 1]; ++n) {
        const int32_t c = coarse.children[n];
        const auto& mix = between.at[octant(fine.cubes[c])];
        const Vec4<float>* const k = &from[static_cast<size_t>(c) * cell_pairs * 3];
        Row4 half[cell_corners][cell_corners][3]{};  // K W
        for (int a = 0; a < cell_corners; ++a) {
          for (int b = 0; b < cell_corners; ++b) {
            Row4 m[3];
            const Vec4<float>* const block = k + (a >= b ? cell_pair(a, b) : cell_pair(b, a)) * 3;
            if (a >= b) {
              for (int r = 0; r < 3; ++r) m[r] = row(block[r]);
            } else {
              m[0] = Row4{block[0].x, block[1].x, block[2].x, 0};
              m[1] = Row4{block[0].y, block[1].y, block[2].y, 0};
              m[2] = Row4{block[0].z, block[1].z, block[2].z, 0};
            }
            const Between& to = mix[b];
            for (int s = 0; s < to.count; ++s)
              for (int r = 0; r < 3; ++r) half[a][to.corner[s]][r] += to.weight[s] * m[r];
          }
        }
        for (int a = 0; a < cell_corners; ++a) {
          const Between& to = mix[a];
          for (int r = 0; r < to.count; ++r)
            for (int s = 0; s <= to.corner[r]; ++s)
              for (int v = 0; v < 3; ++v) sums[cell_pair(to.corner[r], s)][v] += to.weight[r] * half[a][s][v];
        }
      }
      Vec4<float>* const out = coarse.cube_matrices.data() + static_cast<size_t>(q) * cell_pairs * 3;
      for (int p = 0; p < cell_pairs; ++p)
        for (int v = 0; v < 3; ++v) out[p * 3 + v] = {sums[p][v][0], sums[p][v][1], sums[p][v][2], 0};
    }
  });
}

bool LatticeCycle::refresh(std::span<const Vec4<float>> cube_matrices, std::span<const Mat3<float>> stiffness,
                           ThreadPool& pool) {
  std::span<const Vec4<float>> finer = cube_matrices;
  for (size_t l = 0; l < levels_.size(); ++l) {
    if (l > 0) {
      join_children(levels_[l - 1], finer, levels_[l], pool);
      finer = {levels_[l].cube_matrices.data(), levels_[l].cube_matrices.size()};
    }
    fill(levels_[l], finer, stiffness, pool);
  }
  return factorize();
}

bool LatticeCycle::factorize() {
  const Level& level = levels_.back();
  std::vector<int32_t> local(static_cast<size_t>(level.places), -1);
  for (Part& part : parts_) {
    if (part.factor.empty()) continue;
    const size_t n = 3 * part.places.size();
    for (size_t k = 0; k < part.places.size(); ++k) local[part.places[k]] = static_cast<int32_t>(k);
    std::fill(part.factor.begin(), part.factor.end(), 0.0);
    const auto put = [&](size_t i, size_t j, const float* m) {
      for (size_t c = 0; c < 3; ++c)
        for (size_t r = 0; r < 3; ++r) part.factor[(3 * i + r) * n + 3 * j + c] += m[(3 * c + r) * node_group];
    };
    double mean = 0;
    for (size_t i = 0; i < part.places.size(); ++i) {
      const int32_t p = part.places[i], g = p / node_group, lane = p % node_group;
      put(i, i, level.diagonal.data() + g * 9 * node_group + lane);
      for (int64_t e = level.entry_begin[g]; e < level.entry_begin[g + 1]; ++e) {
        const int32_t other = level.column[e * node_group + lane];
        if (other != p) put(i, static_cast<size_t>(local[other]), level.block.data() + e * 9 * node_group + lane);
      }
      for (size_t c = 0; c < 3; ++c) mean += part.factor[(3 * i + c) * n + 3 * i + c] / static_cast<double>(n);
    }
    if (!std::isfinite(mean)) return false;
    const double shift = mean > 0 ? singular_shift * mean : 1;
    for (size_t j = 0; j < n; ++j) part.factor[j * n + j] += shift;
    // By rows, in the lower triangle; a pivot that rounding has taken is made up for.
    for (size_t i = 0; i < n; ++i) {
      double* const own = &part.factor[i * n];
      for (size_t j = 0; j <= i; ++j) {
        const double* const other = &part.factor[j * n];
        double sum = own[j];
        for (size_t k = 0; k < j; ++k) sum -= own[k] * other[k];
        own[j] = j < i ? sum / other[j] : std::sqrt(std::fmax(sum, 0.1 * shift));
      }
      if (!std::isfinite(own[i])) return false;
    }
  }
  return true;
}

// Calls work(first, last) on ranges that cover [first, last), by all threads where the level has places enough.
template <class Work>
void LatticeCycle::Crew::share(const Level& level, int64_t first, int64_t last, int64_t grain, const Work& work) const {
  if (level.places < shared_places) {
    if (first < last) work(first, last);
    return;
  }
  pool.parallel_for(last - first, grain, [&](int64_t a, int64_t b) { work(first + a, first + b); });
}

NodeRows LatticeCycle::rows_of(Level& level) {
  NodeRows rows;
  rows.entry_begin = level.entry_begin.data();
  rows.upper_begin = level.upper_begin.data();
  rows.column = level.column.data();
  rows.block = level.block.data();
  rows.diagonal = level.diagonal.data();
  rows.inverse = level.inverse.data();
  rows.b = level.b.data();
  rows.x = level.x.data();
  rows.r = level.r.data();
  return rows;
}

void LatticeCycle::sweep(Level& level, RowPass pass, const Crew& crew) {
  const NodeRows rows = rows_of(level);
  const auto colors = static_cast<int>(level.color_begin.size()) - 1;
  for (int k = 0; k < colors; ++k) {
    const int c = pass == RowPass::backward ? colors - 1 - k : k;
    crew.share(level, level.color_begin[c], level.color_begin[c + 1], group_grain,
               [&](int64_t first, int64_t last) { crew.kernels.rows(rows, pass, first, last); });
  }
}

void LatticeCycle::solve_coarsest(const Crew& crew) {
  Level& level = levels_.back();
  if (sweeps_coarsest_) {
    // Forwards and backwards in turn, the same number of each: a symmetric operator.
    sweep(level, RowPass::forward_from_zero, crew);
    for (int k = 1; k < coarsest_sweeps; ++k) {
      sweep(level, RowPass::backward, crew);
      sweep(level, RowPass::forward, crew);
    }
    sweep(level, RowPass::backward, crew);
  }
  std::vector<double> y;
  for (const Part& part : parts_) {
    if (part.factor.empty()) continue;
    const size_t n = 3 * part.places.size();
    y.resize(n);
    for (size_t k = 0; k < part.places.size(); ++k) {
      const Vec4<float>& b = level.b[part.places[k]];
      y[3 * k] = b.x;
      y[3 * k + 1] = b.y;
      y[3 * k + 2] = b.z;
    }
    for (size_t i = 0; i < n; ++i) {
      const double* const l = &part.factor[i * n];
      double sum = y[i];
      for (size_t k = 0; k < i; ++k) sum -= l[k] * y[k];
      y[i] = sum / l[i];
    }
    for (size_t i = n; i-- > 0;) {
      const double* const l = &part.factor[i * n];
      y[i] /= l[i];
      for (size_t k = 0; k < i; ++k) y[k] -= l[k] * y[i];
    }
    for (size_t k = 0; k < part.places.size(); ++k)
      level.x[part.places[k]] = {static_cast<float>(y[3 * k]), static_cast<float>(y[3 * k + 1]),
                                 static_cast<float>(y[3 * k + 2]), 0};
  }
}

// Symmetric, and about the inverse of A: x from b, starting at 0.
void LatticeCycle::cycle(size_t l, const Crew& crew) {
  Level& level = levels_[l];
  if (l + 1 == levels_.size()) return solve_coarsest(crew);
  const NodeRows rows = rows_of(level);
  sweep(level, RowPass::forward_from_zero, crew);
  crew.share(level, 0, level.places / node_group, group_grain,
             [&](int64_t first, int64_t last) { crew.kernels.rows(rows, RowPass::residual_from_zero, first, last); });
  Level& coarse = levels_[l + 1];
  const auto add = [](const Weights& weights, int64_t place, const std::vector<Vec4<float>>& from, Row4 sum) {
    for (int32_t k = weights.begin[place]; k < weights.begin[place + 1]; ++k)
      sum += weights.entries[k].weight * row(from[weights.entries[k].place]);
    return Vec4<float>{sum[0], sum[1], sum[2], 0};
  };
  crew.share(level, 0, coarse.places, place_grain, [&](int64_t first, int64_t last) {
    for (int64_t n = first; n < last; ++n) coarse.b[n] = add(level.down, n, level.r, Row4{});
  });
  cycle(l + 1, crew);
  crew.share(level, 0, level.places, place_grain, [&](int64_t first, int64_t last) {
    for (int64_t n = first; n < last; ++n) level.x[n] = add(level.up, n, coarse.x, row(level.x[n]));
  });
  sweep(level, RowPass::backward, crew);
}

// Preconditioned by the cycle (Hestenes & Stiefel 1952). It also finds the length of the step: bent beams, whose
// coarser lattices are far too stiff, get a third of it from cycles alone.
void LatticeCycle::conjugate_gradients(int cycles, double small_gain, const Crew& crew) {
  Level& level = levels_.front();
  const auto places = static_cast<int64_t>(level.places);
  const int64_t chunks = (places + chunk_places - 1) / chunk_places;
  // Calls term(place) for all, and returns the sum of what that yields: in chunks, in order, whoever does them.
  const auto sum_over = [&](const auto& term) {
    crew.share(level, 0, chunks, 1, [&](int64_t first, int64_t last) {
      for (int64_t c = first; c < last; ++c) {
        double sum = 0;
        for (int64_t n = c * chunk_places; n < std::min(places, (c + 1) * chunk_places); ++n)
          sum += term(static_cast<size_t>(n));
        sums_[c] = sum;
      }
    });
    double total = 0;
    for (const double sum : sums_) total += sum;
    return total;
  };
  const auto product = [](const Vec4<float>& a, const Vec4<float>& b) {
    return static_cast<double>(a.x * b.x + a.y * b.y + a.z * b.z);
  };
  NodeRows rows = rows_of(level);
  rows.x = direction_.data();
  rows.r = image_.data();
  // level.b is what is left of b, level.x the cycle's answer to it.
  level.b = right_;
  left_.assign(left_.size(), {0, 0, 0, 0});
  double last = 0, gained = 0;
  for (int k = 0; k < cycles; ++k) {
    cycle(0, crew);
    const double slope = sum_over([&](size_t n) { return product(level.b[n], level.x[n]); });
    if (!(slope > 0) || !std::isfinite(slope)) return;
    const auto turn = static_cast<float>(k > 0 ? slope / last : 0);
    last = slope;
    sum_over([&](size_t n) {
      const Vec4<float>&z = level.x[n], &p = direction_[n];
      direction_[n] = {z.x + turn * p.x, z.y + turn * p.y, z.z + turn * p.z, 0};
      return 0.0;
    });
    crew.share(level, 0, places / node_group, group_grain,
               [&](int64_t first, int64_t end) { crew.kernels.rows(rows, RowPass::product, first, end); });
    const double curvature = sum_over([&](size_t n) { return product(direction_[n], image_[n]); });
    if (!(curvature > 0)) return;
    const double length = slope / curvature, gain = length * slope;
    const auto t = static_cast<float>(length);
    sum_over([&](size_t n) {
      const Vec4<float>&p = direction_[n], &q = image_[n];
      left_[n] = {left_[n].x + t * p.x, left_[n].y + t * p.y, left_[n].z + t * p.z, 0};
      level.b[n] = {level.b[n].x - t * q.x, level.b[n].y - t * q.y, level.b[n].z - t * q.z, 0};
      return 0.0;
    });
    gained += gain;
    if (gain < small_gain * gained) return;
  }
}

void LatticeCycle::solve(int cycles, double small_gain, const LatticeKernels& kernels, ThreadPool& pool) {
  const int64_t chunks = (place_count() + chunk_places - 1) / chunk_places;
  sums_.assign(static_cast<size_t>(chunks), 0);
  conjugate_gradients(cycles, small_gain, {kernels, pool});
}

std::vector<Vec3d> LatticeCycle::product(std::span<const Vec3d> x) const {
  const Level& level = levels_.front();
  std::vector<Vec3d> y(static_cast<size_t>(level.places), Vec3d{});
  for (int32_t p = 0; p < level.places; ++p) {
    const int32_t g = p / node_group, lane = p % node_group;
    const auto times = [&](const float* m, Vec3d v) {
      const auto at = [&](int n) { return static_cast<double>(m[n * node_group]); };
      return Mat3d{{at(0), at(1), at(2)}, {at(3), at(4), at(5)}, {at(6), at(7), at(8)}} * v;
    };
    y[p] = times(level.diagonal.data() + g * 9 * node_group + lane, x[p]);
    for (int64_t e = level.entry_begin[g]; e < level.entry_begin[g + 1]; ++e)
      y[p] += times(level.block.data() + e * 9 * node_group + lane, x[level.column[e * node_group + lane]]);
  }
  return y;
}

int64_t LatticeCycle::block_count() const {
  int64_t count = 0;
  for (const Level& l : levels_) count += static_cast<int64_t>(l.column.size()) + l.places;
  return count;
}

size_t LatticeCycle::memory_bytes() const {
  const auto bytes = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  size_t sum = bytes(place_);
  for (const Level& l : levels_) {
    sum += bytes(l.cubes) + bytes(l.color_begin) + bytes(l.entry_begin) + bytes(l.upper_begin) + bytes(l.column) +
           bytes(l.source_begin) + bytes(l.sources) + bytes(l.coupled) + bytes(l.block) + bytes(l.diagonal) +
           bytes(l.inverse) + bytes(l.b) + bytes(l.x) + bytes(l.r) + bytes(l.up.begin) + bytes(l.up.entries) +
           bytes(l.down.begin) + bytes(l.down.entries) + bytes(l.child_begin) + bytes(l.children) +
           bytes(l.cube_matrices);
  }
  for (const Part& p : parts_) sum += bytes(p.places) + bytes(p.factor);
  return sum;
}

}  // namespace sinew
