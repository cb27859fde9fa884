#include "solver/multilevel/lattice_cells.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>

#include "element/quadratic_tetrahedron.h"
#include "exec/counting_sort.h"
#include "math/bounds.h"
#include "mesh/disjoint_sets.h"

namespace sinew {
namespace {

constexpr int points_of_tet = QuadraticTetrahedron::points;
constexpr size_t most_items = most_nodes + points_of_tet;

// What has a place: vertices by their slots, then the points of quadratic tets.
int32_t point_item(const Model& model, int32_t tet, int q) {
  return model.slot_count() + points_of_tet * tet + q;
}
size_t item_count(const Model& model) {
  const size_t points = model.middles.empty() ? 0 : points_of_tet * model.tets.size();
  return static_cast<size_t>(model.slot_count()) + points;
}
struct ElementItems {
  std::array<int32_t, most_items> item;
  size_t count;
};
ElementItems items_of(const Model& model, int32_t tet) {
  const ElementNodes nodes = model.nodes_of(tet);
  ElementItems items{{}, nodes.size()};
  std::copy(nodes.begin(), nodes.end(), items.item.begin());
  if (!model.is_quadratic(tet)) return items;
  for (int q = 0; q < points_of_tet; ++q) items.item[items.count++] = point_item(model, tet, q);
  return items;
}
Vec3d rest_of_point(const Model& model, int32_t tet, int q) {
  Vec3d x{};
  for (int a = 0; a < 4; ++a)
    x += QuadraticTetrahedron::at_point(q, a) * model.rest[model.tets[tet][static_cast<size_t>(a)]];
  return x;
}

// Calls visit(a, b) for the edges of all tets and springs between vertices with mass, and between the points and the
// vertices of a quadratic tet.
template <class Visit>
void for_each_edge(const Model& model, const Visit& visit) {
  for (const ElasticBlock& block : model.blocks) {
    for (int32_t e = block.first_tet; e < block.last_tet; ++e) {
      const ElementItems t = items_of(model, e);
      for (size_t i = 1; i < t.count; ++i)
        for (size_t j = 0; j < i; ++j) visit(t.item[i], t.item[j]);
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
    bool operator<(const Place& o) const { return std::tie(i, j, k) < std::tie(o.i, o.j, o.k); }
  };
  int32_t body_of(int32_t slot) const { return bodies_.of_slot[slot]; }
  bool inside(int32_t slot) const { return body_of(slot) >= 0 && wanted_[body_of(slot)]; }
  // Calls visit(tet) for the quadratic tets of bodies that get a lattice.
  template <class Visit>
  void for_each_quadratic(const Visit& visit) const {
    for (const ElasticBlock& block : model_.blocks) {
      for (int32_t e = block.first_tet; block.quadratic() && e < block.last_tet; ++e)
        if (inside(model_.tets[e][0])) visit(e);
    }
  }

  void lay_frames();
  void find_cubes();
  Place place_at(Vec3d x, int32_t body) const;
  void join_lonely(DisjointSets& pieces) const;
  void make_cells();
  void move_to_points();
  void number_used_cells();
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
  std::vector<Place> place_;   // for each item
  std::vector<int32_t> cell_;  // for each item; -1: none
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

Builder::Place Builder::place_at(Vec3d x, int32_t body) const {
  const Vec3d p = (1 / out_.frames[body].edge) * (x - out_.frames[body].origin);
  const auto at = [](double t, int32_t last) { return std::clamp(static_cast<int32_t>(std::floor(t)), 0, last); };
  return {at(p.x, most_[body].i), at(p.y, most_[body].j), at(p.z, most_[body].k)};
}

void Builder::find_cubes() {
  place_.resize(item_count(model_));
  pool_.for_each(model_.slot_count(), [&](size_t s) {
    if (inside(static_cast<int32_t>(s))) place_[s] = place_at(model_.rest[s], bodies_.of_slot[s]);
  });
  for_each_quadratic([&](int32_t e) {
    for (int q = 0; q < points_of_tet; ++q)
      place_[point_item(model_, e, q)] = place_at(rest_of_point(model_, e, q), body_of(model_.tets[e][0]));
  });
}

// Points in a cube of their own, which no vertex is in, join all others there of tets that share a vertex with theirs.
void Builder::join_lonely(DisjointSets& pieces) const {
  const int32_t slots = model_.slot_count();
  std::vector<uint8_t> beside(static_cast<size_t>(slots), 0);  // vertices of lonely points
  for_each_quadratic([&](int32_t e) {
    for (int q = 0; q < points_of_tet; ++q) {
      if (pieces.find(point_item(model_, e, q)) < slots) continue;
      for (const int32_t v : model_.nodes_of(e)) beside[v] = 1;
    }
  });
  struct Entry {
    int32_t slot;
    Place place;
    int32_t item;
    bool operator<(const Entry& o) const { return std::tie(slot, place, item) < std::tie(o.slot, o.place, o.item); }
  };
  std::vector<Entry> entries;
  for_each_quadratic([&](int32_t e) {
    for (const int32_t v : model_.nodes_of(e)) {
      if (!beside[v]) continue;
      for (int q = 0; q < points_of_tet; ++q) {
        const int32_t item = point_item(model_, e, q);
        entries.push_back({v, place_[item], item});
      }
    }
  });
  std::sort(entries.begin(), entries.end());
  for (size_t first = 0, last = 0; first < entries.size(); first = last) {
    bool lonely = false;
    for (; last < entries.size() && entries[last].slot == entries[first].slot &&
           entries[last].place == entries[first].place;
         ++last)
      lonely = lonely || pieces.find(entries[last].item) >= slots;
    for (size_t k = first + 1; lonely && k < last; ++k) pieces.join(entries[first].item, entries[k].item);
  }
}

// Numbers the cells in the order of their first slots, in which sweeps walk through memory.
void Builder::make_cells() {
  const int32_t slots = model_.slot_count();
  DisjointSets pieces(item_count(model_));
  for_each_edge(model_, [&](int32_t a, int32_t b) {
    if ((a < slots && !inside(a)) || (b < slots && !inside(b))) return;
    if (place_[a] == place_[b]) pieces.join(a, b);
  });
  join_lonely(pieces);
  cell_.assign(item_count(model_), -1);
  const auto number = [&](int32_t item, int32_t body) {
    const int32_t root = pieces.find(item);  // not above the item
    if (root == item) {
      cell_[item] = out_.count();
      out_.cubes.push_back({place_[item].i, place_[item].j, place_[item].k, body, {}});
    } else {
      cell_[item] = cell_[root];
    }
  };
  for (int32_t s = 0; s < slots; ++s)
    if (inside(s)) number(s, body_of(s));
  for_each_quadratic([&](int32_t e) {
    for (int q = 0; q < points_of_tet; ++q) number(point_item(model_, e, q), body_of(model_.tets[e][0]));
  });
  move_to_points();
  out_.of_slot.assign(cell_.begin(), cell_.begin() + slots);
}

// A vertex of quadratic tets alone stays in its own cube only if a quarter of their points lie there, as linear tets
// have a quarter of their shares where a corner is. Else it belongs to the cell that most of them lie in, whose
// functions are extrapolated to it: its own would have hardly any of what resists its motion, and corrections would
// overshoot.
void Builder::move_to_points() {
  if (model_.middles.empty()) return;
  const auto slots = static_cast<size_t>(model_.slot_count());
  std::vector<int64_t> begin;
  std::vector<int32_t> nodes;  // of tets, by slot; those of linear tets without middles come last
  const auto slot_of = [&](int64_t number) {
    const ElementNodes own = model_.nodes_of(static_cast<int32_t>(number / most_nodes));
    const auto k = static_cast<size_t>(number % most_nodes);
    return k < own.size() ? static_cast<size_t>(own[k]) : slots;
  };
  counting_sort(pool_, static_cast<int64_t>(model_.tets.size()) * most_nodes, slots + 1, slot_of, begin, nodes);
  pool_.for_each(static_cast<int64_t>(slots), [&](size_t s) {
    if (!inside(static_cast<int32_t>(s))) return;
    std::vector<std::pair<int32_t, int>> votes;  // of cells
    for (int64_t k = begin[s]; k < begin[s + 1]; ++k) {
      const int32_t tet = nodes[static_cast<size_t>(k)] / most_nodes;
      if (!model_.is_quadratic(tet)) return;
      for (int q = 0; q < points_of_tet; ++q) {
        const int32_t cell = cell_[point_item(model_, tet, q)];
        const auto at = std::find_if(votes.begin(), votes.end(), [&](const auto& vote) { return vote.first == cell; });
        if (at == votes.end()) {
          votes.push_back({cell, 1});
        } else {
          ++at->second;
        }
      }
    }
    int all = 0;
    for (const auto& vote : votes) all += vote.second;
    const auto is_own = [&](const auto& vote) { return vote.first == cell_[s] && 4 * vote.second >= all; };
    if (votes.empty() || std::any_of(votes.begin(), votes.end(), is_own)) return;
    const auto fewer = [](const auto& a, const auto& b) { return a.second < b.second; };
    cell_[s] = std::max_element(votes.begin(), votes.end(), fewer)->first;
  });
  number_used_cells();
}

void Builder::number_used_cells() {
  std::vector<int32_t> number(out_.cubes.size(), -1);
  std::vector<LatticeCube> used;
  for (int32_t& cell : cell_) {
    if (cell < 0) continue;
    if (number[cell] < 0) {
      number[cell] = static_cast<int32_t>(used.size());
      used.push_back(out_.cubes[cell]);
    }
    cell = number[cell];
  }
  out_.cubes = std::move(used);
}

// Corners of two cells at the same place become one node if an edge joins the cells.
void Builder::join_nodes() {
  std::vector<uint64_t> pairs;
  uint64_t last = 0;
  for_each_edge(model_, [&](int32_t u, int32_t v) {
    int32_t a = cell_[u], b = cell_[v];
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

// The shares of `count` elements, the cells of whose ends visit_ends(element, see) reports; an element without any has
// no share.
template <class VisitEnds>
LatticeCells::Shares shares_of(int32_t cells, int64_t count, const VisitEnds& visit_ends) {
  LatticeCells::Shares shares;
  shares.begin.assign(static_cast<size_t>(cells) + 1, 0);
  const auto for_each_share = [&](const auto& use) {
    std::array<std::pair<int32_t, int>, most_tie_ends> found;
    for (int64_t e = 0; e < count; ++e) {
      int different = 0, ends = 0;
      visit_ends(e, [&](int32_t cell) {
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
  for (int32_t c = 0; c < cells; ++c) shares.begin[c + 1] += shares.begin[c];
  shares.items.resize(static_cast<size_t>(shares.begin.back()));
  std::vector<int64_t> next(shares.begin.begin(), shares.begin.end() - 1);
  for_each_share([&](int32_t cell, const LatticeCells::Share& share) { shares.items[next[cell]++] = share; });
  return shares;
}

void Builder::share_tets() {
  out_.tets = shares_of(out_.count(), static_cast<int64_t>(model_.tets.size()), [&](int64_t e, const auto& see) {
    const auto tet = static_cast<int32_t>(e);
    if (model_.is_quadratic(tet)) {
      for (int q = 0; q < points_of_tet; ++q) see(cell_[point_item(model_, tet, q)]);
    } else {
      for (const int32_t v : corners_of(model_.tets[e])) see(cell_[v]);
    }
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
  out_.ties = shares_of(out_.count(), model_.ties.count(), [&](int64_t t, const auto& see) {
    if (!near[t]) return;
    for (const int32_t v : model_.ties.vertices_of(static_cast<int32_t>(t))) see(cell_[v]);
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
