#include "solver/multilevel/lattice_kinks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "model/element_points.h"

namespace sinew {
namespace {

// Kinks between two cells that add less than this to each node, in parts of what it has, stay out of the matrix: it
// would have more blocks for nothing.
constexpr double least_share = 0.5;

// What tets of cell `of` resist of kinks towards `other`, between the nodes of both.
struct Kink {
  static constexpr size_t most = 2 * cell_corners;
  int32_t of, other;
  size_t count = 0;
  std::array<int32_t, most> node{};
  std::array<size_t, cell_corners> corner_of{}, corner_of_other{};  // of the cells, among these
  std::array<double, most*(most + 1) / 2> k{};

  Kink(const LatticeCells& cells, int32_t c, int32_t o) : of(c), other(o) {
    for (const int32_t cell : {std::min(c, o), std::max(c, o)}) {
      auto& at = cell == of ? corner_of : corner_of_other;
      for (size_t a = 0; a < cell_corners; ++a) {
        const int32_t n = cells.cubes[static_cast<size_t>(cell)].node[a];
        const auto end = node.begin() + static_cast<std::ptrdiff_t>(count), found = std::find(node.begin(), end, n);
        at[a] = static_cast<size_t>(found - node.begin());
        if (found == end) node[count++] = n;
      }
    }
  }
  void add(const LatticeCells& cells, Vec3d x, double stiffness) {
    std::array<double, most> d{};
    const auto own = trilinear(cells.place_in(other, x)), extended = trilinear(cells.place_in(of, x));
    for (size_t a = 0; a < cell_corners; ++a) {
      d[corner_of_other[a]] += own[a];
      d[corner_of[a]] -= extended[a];
    }
    for (size_t a = 0; a < count; ++a)
      for (size_t b = 0; b <= a; ++b) k[a * (a + 1) / 2 + b] += stiffness * d[a] * d[b];
  }
  std::pair<int32_t, int32_t> cells() const { return std::minmax(of, other); }
};

// Of the nodes of a tet: the means of K_ii over all directions.
std::array<double, most_nodes> node_stiffness(const ElementShape& shape, const LatticeMoments::Moduli& moduli) {
  std::array<double, most_nodes> k{};
  const double at_points = moduli.mu + (moduli.mu + std::fmax(moduli.lambda, 0)) / 3;
  Vec3d g[most_nodes];
  const auto add = [&](double modulus) {
    for (size_t i = 0; i < most_nodes; ++i) k[i] += modulus * shape.volume * dot(g[i], g[i]);
  };
  for (int q = 0; q < QuadraticTetrahedron::points; ++q) {
    node_gradients(shape.gradient, q, g);
    add(at_points / QuadraticTetrahedron::points);
  }
  mean_node_gradients(shape.gradient, g);
  add(moduli.mean / 3);
  return k;
}

// What each node has from its cells at rest, without inertia.
std::vector<double> stiffness_of_nodes(const LatticeCells& cells, const LatticeMoments& moments) {
  std::vector<double> sum(static_cast<size_t>(cells.node_count), 0);
  for (size_t c = 0; c < cells.cubes.size(); ++c) {
    for (int a = 0; a < cell_corners; ++a) {
      const float* const m =
          moments.data() +
          (c / cell_group * cell_pairs + static_cast<size_t>(cell_pair(a, a))) * moment_numbers * cell_group +
          c % cell_group;
      const auto at = [&](int n) { return static_cast<double>(m[n * cell_group]); };
      sum[static_cast<size_t>(cells.cubes[c].node[static_cast<size_t>(a)])] += at(0) + (at(4) + at(8) + at(12)) / 3;
    }
  }
  return sum;
}

}  // namespace

std::vector<NodePair> lattice_kinks(const Model& model, const LatticeCells& cells, const LatticeMoments& moments,
                                    std::span<const uint8_t> held, ThreadPool& pool) {
  if (model.middles.empty()) return {};
  std::vector<std::vector<Kink>> of_cell(static_cast<size_t>(cells.count()));
  pool.parallel_for(cells.count(), 1, [&](int64_t first, int64_t last) {
    for (auto c = static_cast<int32_t>(first); c < last; ++c) {
      std::vector<Kink>& own = of_cell[static_cast<size_t>(c)];
      for (const LatticeCells::Share& share : cells.tets.of(c)) {
        if (!model.is_quadratic(share.element)) continue;
        const ElementNodes nodes = model.nodes_of(share.element);
        const auto is_kinked = [&](int32_t s) {
          return !held[static_cast<size_t>(s)] && cells.of_slot[static_cast<size_t>(s)] >= 0 &&
                 cells.of_slot[static_cast<size_t>(s)] != c;
        };
        if (std::none_of(nodes.begin(), nodes.end(), is_kinked)) continue;
        const auto block = std::find_if(model.blocks.begin(), model.blocks.end(),
                                        [&](const ElasticBlock& b) { return share.element < b.last_tet; });
        const ElementShape shape(model.tets[static_cast<size_t>(share.element)], model.rest,
                                 share.weight * model.stiffness_factor_of(share.element));
        const auto k = node_stiffness(shape, moments.moduli()[static_cast<size_t>(block - model.blocks.begin())]);
        for (size_t i = 0; i < nodes.size(); ++i) {
          if (!is_kinked(nodes[i])) continue;
          const int32_t other = cells.of_slot[static_cast<size_t>(nodes[i])];
          auto at = std::find_if(own.begin(), own.end(), [&](const Kink& kink) { return kink.other == other; });
          if (at == own.end()) at = own.insert(own.end(), Kink(cells, c, other));
          at->add(cells, model.rest[static_cast<size_t>(nodes[i])], 0.5 * k[i]);
        }
      }
    }
  });

  // Both sides of a pair of cells together.
  std::vector<const Kink*> kinks;
  for (const std::vector<Kink>& own : of_cell)
    for (const Kink& kink : own) kinks.push_back(&kink);
  std::stable_sort(kinks.begin(), kinks.end(), [](const Kink* a, const Kink* b) { return a->cells() < b->cells(); });
  const std::vector<double> stiffness = stiffness_of_nodes(cells, moments);
  std::vector<NodePair> pairs;
  for (size_t n = 0; n < kinks.size(); ++n) {
    Kink sum = *kinks[n];
    if (n + 1 < kinks.size() && kinks[n + 1]->cells() == sum.cells()) {
      ++n;
      for (size_t k = 0; k < sum.k.size(); ++k) sum.k[k] += kinks[n]->k[k];
    }
    bool matters = false;
    for (size_t a = 0; a < sum.count; ++a)
      matters = matters || sum.k[a * (a + 1) / 2 + a] > least_share * stiffness[static_cast<size_t>(sum.node[a])];
    for (size_t a = 0; matters && a < sum.count; ++a)
      for (size_t b = 0; b <= a; ++b) {
        const auto [low, high] = std::minmax(sum.node[a], sum.node[b]);
        pairs.push_back({high, low, sum.k[a * (a + 1) / 2 + b]});
      }
  }
  add_up(pairs);
  return pairs;
}

}  // namespace sinew
