#include "solver/multilevel/lattice_cells.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "math/bounds.h"
#include "mesh/disjoint_sets.h"

namespace sinew {
namespace {

// Calls visit(a, b) for the edges of all tets and springs between vertices with mass.
template <class Visit>
void for_each_edge(const Model& model, const Visit& visit) {
  for (const ElasticBlock& block : model.blocks) {
    for (int32_t e = block.first_tet; e < block.last_tet; ++e) {
      const std::span<const int32_t> t = corners_of(model.tets[e]);
      for (size_t i = 1; i < t.size(); ++i)
        for (size_t j = 0; j < i; ++j) visit(t[i], t[j]);
    }
  }
  for (int32_t t = 0; t < model.ties.count(); ++t) {
    if (!model.ties.laws[t].traits().is_edge) continue;
    const auto ends = model.ties.vertices_of(t);
    visit(ends[0], ends[1]);
  }
}

class Builder {
 public:
  Builder(const Model& model, const Bodies& bodies, std::span<const uint8_t> wanted, double spacing, ThreadPool& pool)
      : model_(model), bodies_(bodies), wanted_(wanted), spacing_(spacing), pool_(pool) {}

  LatticeCells build() {
    lay_frames();
    find_cubes();
    make_cells();
    join_nodes();
    share_tets();
    share_ties();
    return std::move(out_);
  }

 private:
  struct Place {
    int32_t i, j, k;
    bool operator==(const Place& o) const { return i == o.i && j == o.j && k == o.k; }
  };
  bool inside(int32_t slot) const { return bodies_.of_slot[slot] >= 0 && wanted_[bodies_.of_slot[slot]]; }

  void lay_frames();
  void find_cubes();
  void make_cells();
  void join_nodes();
  void share_tets();
  void share_ties();
  bool touch(int32_t a, int32_t b) const;

  const Model& model_;
  const Bodies& bodies_;
  std::span<const uint8_t> wanted_;
  const double spacing_;
  ThreadPool& pool_;
  LatticeCells out_;
  std::vector<Place> most_;    // for each body: its last cube
  std::vector<uint8_t> flat_;  // for each body: bit a is set if it has no extent along axis a
  std::vector<Place> place_;   // for each slot
};

// A lattice is centred on its body. Its cubes are scaled slightly so that a whole number of them spans the body along
// its longest side.
void Builder::lay_frames() {
  const auto count = static_cast<size_t>(bodies_.count());
  std::vector<Bounds> bounds(count);
  for (int32_t s = 0; s < model_.slot_count(); ++s) {
    if (inside(s)) bounds[bodies_.of_slot[s]].add(model_.rest[s]);
  }
  out_.frames.resize(count);
  most_.resize(count);
  flat_.assign(count, 0);
  for (size_t b = 0; b < count; ++b) {
    if (!wanted_[b]) continue;
    const Vec3d low = bounds[b].low, size = bounds[b].high - bounds[b].low;
    const double longest = std::max(size.x, std::max(size.y, size.z));
    double edge = spacing_ * bodies_.sizes[b].distance;
    if (!(edge > 0)) edge = longest;
    edge = longest > 0 ? longest / std::max(1.0, std::round(longest / edge)) : 1;
    constexpr double most = 1 << 20;  // cubes along an axis
    edge = std::max(edge, longest / most) * (1 + 1e-9);
    const auto cubes = [&](double s) { return std::max(1, static_cast<int32_t>(std::ceil(s / edge - 1e-6))); };
    const int32_t nx = cubes(size.x), ny = cubes(size.y), nz = cubes(size.z);
    const Vec3d all{nx * edge, ny * edge, nz * edge};
    out_.frames[b] = {low + 0.5 * (size - all), edge};
    most_[b] = {nx - 1, ny - 1, nz - 1};
    const double thin = 1e-9 * longest;
    flat_[b] = static_cast<uint8_t>((size.x <= thin) | (size.y <= thin) << 1 | (size.z <= thin) << 2);
  }
}

void Builder::find_cubes() {
  place_.resize(static_cast<size_t>(model_.slot_count()));
  pool_.for_each(model_.slot_count(), [&](size_t s) {
    if (!inside(static_cast<int32_t>(s))) return;
    const int32_t b = bodies_.of_slot[s];
    const Vec3d p = (1 / out_.frames[b].edge) * (model_.rest[s] - out_.frames[b].origin);
    const auto at = [](double x, int32_t last) { return std::clamp(static_cast<int32_t>(std::floor(x)), 0, last); };
    place_[s] = {at(p.x, most_[b].i), at(p.y, most_[b].j), at(p.z, most_[b].k)};
  });
}

// Numbers the cells in the order of their first slots, in which sweeps walk through memory.
void Builder::make_cells() {
  const int32_t slots = model_.slot_count();
  DisjointSets pieces(static_cast<size_t>(slots));
  for_each_edge(model_, [&](int32_t a, int32_t b) {
    if (!inside(a) || !inside(b)) return;
    if (place_[a] == place_[b]) pieces.join(a, b);
  });
  out_.of_slot.assign(static_cast<size_t>(slots), -1);
  for (int32_t s = 0; s < slots; ++s) {
    if (!inside(s)) continue;
    const int32_t root = pieces.find(s);  // not above s
    if (root == s) {
      out_.of_slot[s] = out_.count();
      out_.cubes.push_back({place_[s].i, place_[s].j, place_[s].k, bodies_.of_slot[s], {}});
    } else {
      out_.of_slot[s] = out_.of_slot[root];
    }
  }
}

// Corners of two cells at the same place become one node if an edge joins the cells.
void Builder::join_nodes() {
  std::vector<uint64_t> pairs;
  uint64_t last = 0;
  for_each_edge(model_, [&](int32_t u, int32_t v) {
    int32_t a = out_.of_slot[u], b = out_.of_slot[v];
    if (a == b || a < 0 || b < 0) return;
    if (a > b) std::swap(a, b);
    const uint64_t pair = static_cast<uint64_t>(a) << 32 | static_cast<uint32_t>(b);
    if (pair != last) pairs.push_back(last = pair);
  });
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  DisjointSets nodes(out_.cubes.size() * cell_corners);
  for (const uint64_t pair : pairs) {
    const auto a = static_cast<int32_t>(pair >> 32), b = static_cast<int32_t>(pair & 0xffffffff);
    join_corners(out_.cubes[a], a, out_.cubes[b], b, nodes);
  }
  // A body without extent along an axis lies between two layers of nodes that move alike, which become one.
  for (int32_t c = 0; c < out_.count(); ++c) {
    const uint8_t flat = flat_[out_.cubes[c].body];
    for (int axis = 0; axis < 3; ++axis) {
      if (!(flat >> axis & 1)) continue;
      for (int k = 0; k < cell_corners; ++k) nodes.join(c * cell_corners + k, c * cell_corners + (k & ~(1 << axis)));
    }
  }
  out_.node_count = number_corners(out_.cubes, nodes);
}

// The shares of `count` elements, whose vertices visit_ends(element, see) reports; an element without any has no share.
template <class VisitEnds>
LatticeCells::Shares shares_of(const LatticeCells& cells, int64_t count, const VisitEnds& visit_ends) {
  LatticeCells::Shares shares;
  shares.begin.assign(static_cast<size_t>(cells.count()) + 1, 0);
  const auto for_each_share = [&](const auto& use) {
    std::array<std::pair<int32_t, int>, most_tie_ends> found;
    for (int64_t e = 0; e < count; ++e) {
      int different = 0, ends = 0;
      visit_ends(e, [&](int32_t slot) {
        const int32_t cell = cells.of_slot[slot];
        ++ends;
        int k = 0;
        while (k < different && found[k].first != cell) ++k;
        if (k == different) found[different++] = {cell, 0};
        ++found[k].second;
      });
      for (int k = 0; k < different; ++k) {
        if (found[k].first >= 0)
          use(found[k].first, LatticeCells::Share{static_cast<int32_t>(e),
                                                  static_cast<float>(found[k].second) / static_cast<float>(ends)});
      }
    }
  };
  for_each_share([&](int32_t cell, const LatticeCells::Share&) { ++shares.begin[cell + 1]; });
  for (int32_t c = 0; c < cells.count(); ++c) shares.begin[c + 1] += shares.begin[c];
  shares.items.resize(static_cast<size_t>(shares.begin.back()));
  std::vector<int64_t> next(shares.begin.begin(), shares.begin.end() - 1);
  for_each_share([&](int32_t cell, const LatticeCells::Share& share) { shares.items[next[cell]++] = share; });
  return shares;
}

void Builder::share_tets() {
  out_.tets = shares_of(out_, static_cast<int64_t>(model_.tets.size()), [&](int64_t e, const auto& see) {
    for (const int32_t v : corners_of(model_.tets[e])) see(v);
  });
}

bool Builder::touch(int32_t a, int32_t b) const {
  if (a == b) return true;
  const LatticeCube &p = out_.cubes[a], &q = out_.cubes[b];
  return std::any_of(p.node.begin(), p.node.end(),
                     [&](int32_t n) { return std::find(q.node.begin(), q.node.end(), n) != q.node.end(); });
}

void Builder::share_ties() {
  std::vector<uint8_t> near(static_cast<size_t>(model_.ties.count()), 1);
  for (int32_t t = 0; t < model_.ties.count(); ++t) {
    const auto ends = model_.ties.vertices_of(t);
    bool any = false;
    for (const int32_t u : ends) {
      any = any || out_.of_slot[u] >= 0;
      for (const int32_t v : ends) {
        const int32_t a = out_.of_slot[u], b = out_.of_slot[v];
        if (a < 0 || b < 0 || !touch(a, b)) near[t] = 0;
      }
    }
    if (any && !near[t]) out_.far_ties.push_back(t);
  }
  out_.ties = shares_of(out_, model_.ties.count(), [&](int64_t t, const auto& see) {
    if (!near[t]) return;
    for (const int32_t v : model_.ties.vertices_of(static_cast<int32_t>(t))) see(v);
  });
}

}  // namespace

void join_corners(const LatticeCube& p, int32_t a, const LatticeCube& q, int32_t b, DisjointSets& corners) {
  const int32_t di = q.i - p.i, dj = q.j - p.j, dk = q.k - p.k;
  for (int c = 0; c < cell_corners; ++c) {
    const int32_t i = (c & 1) - di, j = (c >> 1 & 1) - dj, k = (c >> 2) - dk;  // in the other cube
    if (i >> 1 || j >> 1 || k >> 1) continue;
    corners.join(a * cell_corners + c, b * cell_corners + (i | j << 1 | k << 2));
  }
}

int32_t number_corners(std::span<LatticeCube> cubes, DisjointSets& corners) {
  std::vector<int32_t> number(cubes.size() * cell_corners, -1);
  int32_t count = 0;
  for (size_t c = 0; c < cubes.size(); ++c) {
    for (int k = 0; k < cell_corners; ++k) {
      int32_t& n = number[corners.find(static_cast<int32_t>(c) * cell_corners + k)];
      if (n < 0) n = count++;
      cubes[c].node[k] = n;
    }
  }
  return count;
}

LatticeCells lattice_cells(const Model& model, const Bodies& bodies, std::span<const uint8_t> wanted, double spacing,
                           ThreadPool& pool) {
  return Builder(model, bodies, wanted, spacing, pool).build();
}

}  // namespace sinew
