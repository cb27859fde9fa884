// The leaves of a SurfaceTree, made once of the surface at rest: which triangles each has, which vertices and edges it
// owns, and which of them share points.
#include <algorithm>
#include <limits>
#include <numeric>

#include "contact/median_cut.h"
#include "contact/surface_tree.h"

namespace sinew {
namespace {

// A point that more leaves share has no masks: their number grows with the square.
constexpr size_t most_leaves_of_point = 32;

}  // namespace

class SurfaceTreeBuilder {
 public:
  SurfaceTreeBuilder(SurfaceTree& tree, const ContactSurface& surface) : tree_(tree), surface_(surface) {}

  void build(ThreadPool& pool) {
    cut_bodies(pool);
    own_primitives();
    mark_neighbours();
    allocate();
  }

 private:
  int32_t body_of(int32_t triangle) const {
    return surface_.body_of[static_cast<size_t>(surface_.triangles[static_cast<size_t>(triangle)][0])];
  }

  // Leaves: up to 16 triangles of one body.
  void cut_bodies(ThreadPool& pool) {
    const size_t count = surface_.triangles.size(), bodies = surface_.bodies.size();
    std::vector<size_t> begin(bodies + 1, 0);
    for (size_t t = 0; t < count; ++t) ++begin[static_cast<size_t>(body_of(static_cast<int32_t>(t))) + 1];
    for (size_t b = 0; b < bodies; ++b) begin[b + 1] += begin[b];
    std::vector<int32_t> order(count);
    std::vector<size_t> next(begin.begin(), begin.end() - 1);
    for (size_t t = 0; t < count; ++t)
      order[next[static_cast<size_t>(body_of(static_cast<int32_t>(t)))]++] = static_cast<int32_t>(t);
    std::vector<Vec3d> middle(count);
    pool.for_each(static_cast<int64_t>(count), [&](size_t t) {
      Vec3d sum{};
      for (const int32_t p : surface_.triangles[t]) sum += surface_.rest[static_cast<size_t>(p)];
      middle[t] = sum;
    });
    pool.parallel_for(static_cast<int64_t>(bodies), 1, [&](int64_t first, int64_t last) {
      for (auto b = static_cast<size_t>(first); b < static_cast<size_t>(last); ++b)
        cut_at_medians(order, static_cast<int64_t>(begin[b]), static_cast<int64_t>(begin[b + 1]), block_size, middle);
    });
    tree_.leaves_.clear();
    tree_.triangle_of_.clear();
    for (size_t b = 0; b < bodies; ++b)
      for (size_t k = begin[b]; k < begin[b + 1]; k += block_size) {
        TreeLeaf& leaf = tree_.leaves_.emplace_back();
        leaf.body = static_cast<int32_t>(b);
        leaf.side = 2 * surface_.bodies[b].group + surface_.bodies[b].collider;
        for (size_t i = k; i < k + block_size; ++i) tree_.triangle_of_.push_back(i < begin[b + 1] ? order[i] : -1);
        // In the surface's order, so that what is found is nearly sorted.
        const auto own = tree_.triangle_of_.end() - block_size;
        std::sort(own, own + static_cast<long>(std::min<size_t>(block_size, begin[b + 1] - k)));
      }
  }

  // Seats of vertices and edges; and which of them the triangles and edges connect.
  void own_primitives() {
    const auto leaf_count = tree_.leaves_.size();
    tree_.seat_of_.assign(surface_.rest.size(), -1);
    seat_of_edge_.assign(surface_.edges.size(), -1);
    tree_.point_of_.clear();
    tree_.edge_of_.clear();
    std::vector<int32_t> edges;
    for (size_t l = 0; l < leaf_count; ++l) {
      TreeLeaf& leaf = tree_.leaves_[l];
      leaf.vertex_block = static_cast<int32_t>(tree_.point_of_.size() / block_size);
      leaf.edge_block = static_cast<int32_t>(tree_.edge_of_.size() / block_size);
      edges.clear();
      for (size_t k = 0; k < block_size; ++k) {
        const int32_t t = tree_.triangle_of_[l * block_size + k];
        if (t < 0) continue;
        for (size_t c = 0; c < 3; ++c) {
          const int32_t point = surface_.triangles[static_cast<size_t>(t)][c];
          int32_t& seat = tree_.seat_of_[static_cast<size_t>(point)];
          if (seat < 0) {
            seat = static_cast<int32_t>(tree_.point_of_.size());
            tree_.point_of_.push_back(point);
          }
          const int32_t edge = surface_.triangle_edges[static_cast<size_t>(t)][c];
          int32_t& edge_seat = seat_of_edge_[static_cast<size_t>(edge)];
          if (edge_seat < 0) {
            edge_seat = 0;
            edges.push_back(edge);
          }
        }
      }
      const auto is_sharp = [&](int32_t e) { return surface_.sharpness[static_cast<size_t>(e)] > 0; };
      std::sort(edges.begin(), edges.end(),
                [&](int32_t a, int32_t b) { return is_sharp(a) != is_sharp(b) ? is_sharp(a) : a < b; });
      leaf.vertices = static_cast<int32_t>(tree_.point_of_.size()) - leaf.vertex_block * block_size;
      leaf.edges = static_cast<int32_t>(edges.size());
      leaf.sharp_edges = static_cast<int32_t>(std::count_if(edges.begin(), edges.end(), is_sharp));
      for (const int32_t e : edges) {
        seat_of_edge_[static_cast<size_t>(e)] = static_cast<int32_t>(tree_.edge_of_.size());
        tree_.edge_of_.push_back(e);
      }
      while (tree_.point_of_.size() % block_size) tree_.point_of_.push_back(-1);
      while (tree_.edge_of_.size() % block_size) tree_.edge_of_.push_back(-1);
    }

    const auto nowhere = static_cast<int32_t>(tree_.point_of_.size());
    tree_.corners_.assign(3 * block_size * leaf_count, nowhere);
    for (size_t k = 0; k < tree_.triangle_of_.size(); ++k) {
      const int32_t t = tree_.triangle_of_[k];
      for (size_t c = 0; t >= 0 && c < 3; ++c)
        tree_.corners_[(k / block_size * 3 + c) * block_size + k % block_size] =
            tree_.seat_of_[static_cast<size_t>(surface_.triangles[static_cast<size_t>(t)][c])];
    }
    tree_.ends_.assign(2 * tree_.edge_of_.size(), nowhere);
    for (size_t k = 0; k < tree_.edge_of_.size(); ++k) {
      const int32_t e = tree_.edge_of_[k];
      for (size_t c = 0; e >= 0 && c < 2; ++c)
        tree_.ends_[(k / block_size * 2 + c) * block_size + k % block_size] =
            tree_.seat_of_[static_cast<size_t>(surface_.edges[static_cast<size_t>(e)][c])];
    }
  }

  // Finds leaves that share points, and sets the bits of primitives that do.
  void mark_neighbours() {
    // By seat of a vertex: lanes of triangles, and seats of edges, that have it.
    const size_t seats = tree_.point_of_.size();
    std::vector<size_t> triangle_begin, edge_begin;
    std::vector<int32_t> triangles, edges;
    group_by_seat<3>(tree_.corners_, seats, triangle_begin, triangles);
    group_by_seat<2>(tree_.ends_, seats, edge_begin, edges);
    std::vector<int32_t> leaf_of_edge_block(tree_.edge_of_.size() / block_size);
    std::vector<int32_t> leaf_of_vertex_block(seats / block_size);
    for (size_t l = 0; l < tree_.leaves_.size(); ++l) {
      const auto fill = [&](std::vector<int32_t>& leaf_of, int32_t block, int32_t count) {
        std::fill_n(leaf_of.begin() + block, (count + block_size - 1) / block_size, static_cast<int32_t>(l));
      };
      fill(leaf_of_vertex_block, tree_.leaves_[l].vertex_block, tree_.leaves_[l].vertices);
      fill(leaf_of_edge_block, tree_.leaves_[l].edge_block, tree_.leaves_[l].edges);
    }

    std::vector<uint64_t> pairs;
    std::vector<int32_t> sharing;
    std::vector<uint8_t> crowds(seats, 0);
    for (size_t s = 0; s < seats; ++s) {
      sharing.clear();
      for (size_t k = triangle_begin[s]; k < triangle_begin[s + 1]; ++k) sharing.push_back(triangles[k] / block_size);
      std::sort(sharing.begin(), sharing.end());
      sharing.erase(std::unique(sharing.begin(), sharing.end()), sharing.end());
      if (sharing.size() > most_leaves_of_point) {
        crowds[s] = 1;
        for (const int32_t l : sharing) tree_.leaves_[static_cast<size_t>(l)].crowded = true;
        continue;
      }
      for (size_t i = 0; i < sharing.size(); ++i)
        for (size_t j = i; j < sharing.size(); ++j)
          pairs.push_back(static_cast<uint64_t>(sharing[i]) << 32 | static_cast<uint32_t>(sharing[j]));
    }
    for (size_t l = 0; l < tree_.leaves_.size(); ++l) pairs.push_back(static_cast<uint64_t>(l) << 32 | l);
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());

    tree_.neighbours_.clear();
    int64_t rows = block_size;  // after the empty ones
    const auto blocks = [](int32_t count) { return (count + block_size - 1) / block_size; };
    size_t p = 0;
    for (size_t l = 0; l < tree_.leaves_.size(); ++l) {
      TreeLeaf& a = tree_.leaves_[l];
      a.first_neighbour = static_cast<int32_t>(tree_.neighbours_.size());
      for (; p < pairs.size() && pairs[p] >> 32 == l; ++p) {
        const auto other = static_cast<int32_t>(pairs[p]);
        const TreeLeaf& b = tree_.leaves_[static_cast<size_t>(other)];
        tree_.neighbours_.push_back({other, rows});
        rows += a.vertices + (other == static_cast<int32_t>(l) ? 0 : b.vertices) + a.edges * blocks(b.edges);
      }
      a.last_neighbour = static_cast<int32_t>(tree_.neighbours_.size());
    }
    tree_.rows_.assign(static_cast<size_t>(rows), 0);

    const auto rows_of = [&](int32_t a, int32_t b) {
      const TreeLeaf& leaf = tree_.leaves_[static_cast<size_t>(a)];
      const auto first = tree_.neighbours_.begin() + leaf.first_neighbour;
      const auto found = std::lower_bound(first, tree_.neighbours_.begin() + leaf.last_neighbour, b,
                                          [](const LeafNeighbour& n, int32_t of) { return n.leaf < of; });
      return tree_.rows_.begin() + found->first_row;
    };
    // Within a leaf, what comes before an edge, and the edge itself.
    for (size_t l = 0; l < tree_.leaves_.size(); ++l) {
      const TreeLeaf& leaf = tree_.leaves_[l];
      const auto rows_of_edges = rows_of(static_cast<int32_t>(l), static_cast<int32_t>(l)) + leaf.vertices;
      for (int32_t e = 0; e < leaf.edges; ++e)
        rows_of_edges[e / block_size * leaf.edges + e] = static_cast<uint16_t>((2u << e % block_size) - 1);
    }
    for (size_t s = 0; s < seats; ++s) {
      if (crowds[s] || triangle_begin[s] == triangle_begin[s + 1]) continue;
      const int32_t v = leaf_of_vertex_block[s / block_size];
      const int32_t own = static_cast<int32_t>(s) - tree_.leaves_[static_cast<size_t>(v)].vertex_block * block_size;
      for (size_t k = triangle_begin[s]; k < triangle_begin[s + 1]; ++k) {
        const int32_t t = triangles[k] / block_size;
        auto row = rows_of(std::min(v, t), std::max(v, t)) + own;
        if (t < v) row += tree_.leaves_[static_cast<size_t>(t)].vertices;
        *row = static_cast<uint16_t>(*row | 1 << triangles[k] % block_size);
      }
      for (size_t i = edge_begin[s]; i < edge_begin[s + 1]; ++i)
        for (size_t j = edge_begin[s]; j < edge_begin[s + 1]; ++j) {
          const int32_t la = leaf_of_edge_block[static_cast<size_t>(edges[i] / block_size)];
          const int32_t lb = leaf_of_edge_block[static_cast<size_t>(edges[j] / block_size)];
          if (la > lb) continue;
          const TreeLeaf &a = tree_.leaves_[static_cast<size_t>(la)], &b = tree_.leaves_[static_cast<size_t>(lb)];
          const int32_t in_a = edges[i] - a.edge_block * block_size, in_b = edges[j] - b.edge_block * block_size;
          const auto row =
              rows_of(la, lb) + a.vertices + (la == lb ? 0 : b.vertices) + in_b / block_size * a.edges + in_a;
          *row = static_cast<uint16_t>(*row | 1 << in_b % block_size);
        }
    }
  }

  // What has each seat, of blocks of 16 primitives with `corners` seats each.
  template <size_t corners>
  static void group_by_seat(const Buffer<int32_t>& seat_of, size_t seats, std::vector<size_t>& begin,
                            std::vector<int32_t>& items) {
    begin.assign(seats + 1, 0);
    for (const int32_t s : seat_of)
      if (static_cast<size_t>(s) < seats) ++begin[static_cast<size_t>(s) + 1];
    for (size_t s = 0; s < seats; ++s) begin[s + 1] += begin[s];
    items.resize(begin[seats]);
    std::vector<size_t> next(begin.begin(), begin.end() - 1);
    for (size_t k = 0; k < seat_of.size(); ++k)
      if (static_cast<size_t>(seat_of[k]) < seats)
        items[next[static_cast<size_t>(seat_of[k])]++] =
            static_cast<int32_t>(k / (corners * block_size) * block_size + k % block_size);
  }

  void allocate() {
    SurfaceTree& t = tree_;
    const size_t leaves = t.leaves_.size(), seats = t.point_of_.size();
    constexpr float nowhere = std::numeric_limits<float>::quiet_NaN();
    t.point_from_.assign(seats + 1, {nowhere, nowhere, nowhere, 0});
    t.point_to_.assign(seats + 1, {nowhere, nowhere, nowhere, 0});
    t.leaf_low_.assign(leaves, {});
    t.leaf_high_.assign(leaves, {});
    t.vertex_boxes_.resize(seats / block_size);
    t.edge_boxes_.resize(t.edge_of_.size() / block_size);
    t.triangle_boxes_.resize(leaves);
    t.at_.resize(leaves);
    std::iota(t.at_.begin(), t.at_.end(), 0);
    TreeParts& p = t.parts_;
    p.levels = 0;
    size_t nodes = 0;
    for (size_t count = leaves; p.levels == 0 || count > 1;) {
      count = (count + block_size - 1) / block_size;
      p.node_count[p.levels++] = static_cast<int32_t>(count);
      nodes += count;
    }
    t.nodes_.resize(nodes);
    t.has_body_.assign(nodes, 0);
  }

  SurfaceTree& tree_;
  const ContactSurface& surface_;
  std::vector<int32_t> seat_of_edge_;
};

void SurfaceTree::build_leaves(const ContactSurface& surface, ThreadPool& pool) {
  SurfaceTreeBuilder(*this, surface).build(pool);
}

}  // namespace sinew
