#include "model/clusters.h"

#include <limits>
#include <numeric>
#include <optional>

#include "base/format.h"

namespace sinew {
namespace {

// Within a window of this many vertices of a colour, vertices with more elements come first, so that the lanes of a
// batch run out of elements together. Short windows keep neighbours near each other.
constexpr size_t degree_window = 1024;

// Meshes of at most this many vertices are one cluster: with padding, they do not exceed largest_cluster slots.
constexpr int32_t undivided = 60000;
// Number of vertices in a cluster of a larger mesh: with its halo it fills less than half of a core's 1 MB cache.
constexpr int32_t best_cluster = 4096;

// A piece of the curve with its vertices sorted by colour, and its halo. All vertices are numbered by their places on
// the curve.
struct Piece {
  std::vector<int32_t> vertices;
  std::vector<int32_t> color_begin{0};  // ranges of vertices
  std::vector<int32_t> halo;            // ascending
  int32_t slots = 0;                    // with every colour padded to whole batches
};

constexpr int32_t padded(int32_t slots) {
  return (slots + slot_alignment - 1) / slot_alignment * slot_alignment;
}

// Makes pieces one after the other and keeps its scratch memory.
class PieceMaker {
 public:
  PieceMaker(const std::vector<Tet>& tets, const Incidence& incidence, const std::vector<int32_t>& curve)
      : tets_(tets), incidence_(incidence), curve_(curve), seen_(curve.size()) {}

  Piece make(int32_t first, int32_t last) {
    first_ = first;
    count_ = last - first;
    Piece piece;
    find_neighbours(piece);
    order(colors(), piece);
    return piece;
  }

 private:
  // Finds the distinct neighbours of each vertex inside, and the halo of the piece.
  void find_neighbours(Piece& piece) {
    begin_.assign(1, 0);
    neighbours_.clear();
    met_by_.assign(static_cast<size_t>(count_), -1);
    for (int32_t v = 0; v < count_; ++v) {
      met_by_[v] = v;
      for (int64_t k = incidence_.begin[first_ + v]; k < incidence_.begin[first_ + v + 1]; ++k) {
        for (const int32_t other : corners_of(tets_[incidence_.entries[k] >> 2])) {
          const int32_t inside = other - first_;
          if (inside >= 0 && inside < count_) {
            if (met_by_[inside] == v) continue;
            met_by_[inside] = v;
            neighbours_.push_back(inside);
          } else if (!seen_[other]) {
            seen_[other] = true;
            piece.halo.push_back(other);
          }
        }
      }
      begin_.push_back(static_cast<int32_t>(neighbours_.size()));
    }
    for (const int32_t other : piece.halo) seen_[other] = false;
    std::sort(piece.halo.begin(), piece.halo.end());
  }

  Coloring colors_by(const std::vector<int32_t>& visit_order) const {
    return greedy_coloring(static_cast<size_t>(count_), visit_order, [&](int32_t v, const auto& visit) {
      for (int32_t k = begin_[v]; k < begin_[v + 1]; ++k) visit(neighbours_[k]);
    });
  }
  // The user's order is best on structured meshes (5 colours on a box), the curve on scanned ones; the better one is
  // used.
  Coloring colors() const {
    std::vector<int32_t> natural(static_cast<size_t>(count_));
    std::iota(natural.begin(), natural.end(), 0);
    std::sort(natural.begin(), natural.end(),
              [&](int32_t a, int32_t b) { return curve_[first_ + a] < curve_[first_ + b]; });
    Coloring best = colors_by(natural);
    Coloring along_curve = colors_by({});
    return along_curve.count < best.count ? along_curve : best;
  }

  // Sorts by colour, then along the curve except within windows.
  void order(const Coloring& coloring, Piece& piece) const {
    std::vector<std::vector<int32_t>> by_color(static_cast<size_t>(coloring.count));
    for (int32_t v = 0; v < count_; ++v) by_color[coloring.color[v]].push_back(first_ + v);
    const auto degree = [&](int32_t v) { return incidence_.begin[v + 1] - incidence_.begin[v]; };
    for (std::vector<int32_t>& list : by_color) {
      for (size_t first = 0; first < list.size(); first += degree_window) {
        const size_t last = std::min(first + degree_window, list.size());
        std::stable_sort(list.begin() + first, list.begin() + last,
                         [&](int32_t a, int32_t b) { return degree(a) > degree(b); });
      }
      piece.vertices.insert(piece.vertices.end(), list.begin(), list.end());
      piece.color_begin.push_back(static_cast<int32_t>(piece.vertices.size()));
      piece.slots += padded(static_cast<int32_t>(list.size()));
    }
  }

  const std::vector<Tet>& tets_;
  const Incidence& incidence_;
  const std::vector<int32_t>& curve_;
  int32_t first_ = 0, count_ = 0;            // the piece's vertices, numbered from its first in what follows
  std::vector<bool> seen_;                   // for vertices outside
  std::vector<int32_t> begin_, neighbours_;  // neighbours of v: neighbours_[begin_[v] .. begin_[v+1])
  std::vector<int32_t> met_by_;              // the last vertex that found this one among its neighbours
};

// The curve cut into pieces of nearly equal size.
struct Cut {
  std::vector<int32_t> begin;  // along the curve
  std::vector<Piece> pieces;
  int32_t count() const { return static_cast<int32_t>(pieces.size()); }
  int32_t of(int32_t vertex) const {
    return static_cast<int32_t>(std::upper_bound(begin.begin(), begin.end(), vertex) - begin.begin()) - 1;
  }
};

Cut cut(const std::vector<Tet>& tets, const Incidence& incidence, const std::vector<int32_t>& curve, int32_t most,
        ThreadPool& pool) {
  const auto vertices = static_cast<int64_t>(curve.size());
  const int64_t count = (vertices + most - 1) / most;
  Cut cut;
  for (int64_t c = 0; c <= count; ++c) {
    cut.begin.push_back(static_cast<int32_t>(vertices * c / std::max<int64_t>(count, 1)));
  }
  cut.pieces.resize(static_cast<size_t>(count));
  pool.parallel_for(count, 1, [&](int64_t first, int64_t last) {
    PieceMaker maker(tets, incidence, curve);
    for (int64_t c = first; c < last; ++c) cut.pieces[c] = maker.make(cut.begin[c], cut.begin[c + 1]);
  });
  return cut;
}

// The pieces that own a halo.
std::vector<int32_t> neighbours_of(const Cut& cut, const Piece& piece) {
  std::vector<int32_t> neighbours;
  int32_t end = 0;  // of the last one
  for (const int32_t v : piece.halo) {
    if (v < end) continue;
    neighbours.push_back(cut.of(v));
    end = cut.begin[neighbours.back() + 1];
  }
  return neighbours;
}

// The phases of pieces: neighbours get different ones. Pieces with many neighbours come first (Welsh & Powell 1967),
// and each goes where fewest are, so that no phase leaves threads without work: 20 pieces take two threads 10 turns,
// not 12.
Coloring phases_of(const std::vector<std::vector<int32_t>>& neighbours) {
  std::vector<int32_t> visit_order(neighbours.size());
  std::iota(visit_order.begin(), visit_order.end(), 0);
  std::stable_sort(visit_order.begin(), visit_order.end(),
                   [&](int32_t a, int32_t b) { return neighbours[a].size() > neighbours[b].size(); });
  const auto each = [&](int32_t c, const auto& visit) {
    for (const int32_t other : neighbours[c]) visit(other);
  };
  return greedy_coloring(neighbours.size(), visit_order, each, ColorChoice::rarest);
}

// Nothing if a cluster and its halo have more than `most_slots`.
std::optional<StorageOrder> order_by(const Cut& cut, const std::vector<int32_t>& curve, int64_t most_slots,
                                     ThreadPool& pool) {
  for (const Piece& piece : cut.pieces) {
    if (piece.slots + static_cast<int64_t>(piece.halo.size()) > most_slots) return {};
  }
  std::vector<std::vector<int32_t>> neighbours;  // of pieces
  for (const Piece& piece : cut.pieces) neighbours.push_back(neighbours_of(cut, piece));
  const Coloring phases = phases_of(neighbours);
  std::vector<int32_t> members(cut.pieces.size());  // the pieces by phase
  std::iota(members.begin(), members.end(), 0);
  std::stable_sort(members.begin(), members.end(),
                   [&](int32_t a, int32_t b) { return phases.color[a] < phases.color[b]; });
  std::vector<int32_t> cluster_of(members.size());  // of pieces
  for (size_t m = 0; m < members.size(); ++m) cluster_of[members[m]] = static_cast<int32_t>(m);

  StorageOrder result;
  Clusters& clusters = result.clusters;
  for (const int32_t c : members) {
    const Piece& piece = cut.pieces[c];
    const auto colors = static_cast<int32_t>(piece.color_begin.size()) - 1;
    result.color_count = std::max(result.color_count, colors);
    for (int32_t k = 0; k < colors; ++k) {
      result.color_begin.push_back(result.color_begin.back() + padded(piece.color_begin[k + 1] - piece.color_begin[k]));
    }
    clusters.slot_begin.push_back(result.color_begin.back());
    clusters.color_begin.push_back(static_cast<int32_t>(result.color_begin.size()) - 1);
    clusters.halo_begin.push_back(clusters.halo_begin.back() + static_cast<int64_t>(piece.halo.size()));
    for (const int32_t other : neighbours[c]) clusters.neighbours.push_back(cluster_of[other]);
    std::sort(clusters.neighbours.begin() + clusters.neighbour_begin.back(), clusters.neighbours.end());
    clusters.neighbour_begin.push_back(static_cast<int32_t>(clusters.neighbours.size()));
    const auto next = static_cast<size_t>(clusters.count());
    if (next == members.size() || phases.color[members[next]] != phases.color[c]) {
      clusters.phase_begin.push_back(clusters.count());
    }
  }

  std::vector<int32_t> slot_at(curve.size()), slot_of(curve.size());  // by place on the curve; by the user's number
  pool.parallel_for(clusters.count(), 1, [&](int64_t first, int64_t last) {
    for (int64_t m = first; m < last; ++m) {
      const Piece& piece = cut.pieces[members[m]];
      for (size_t k = 0; k + 1 < piece.color_begin.size(); ++k) {
        int32_t slot = result.color_begin[clusters.color_begin[m] + k];
        for (int32_t j = piece.color_begin[k]; j < piece.color_begin[k + 1]; ++j, ++slot) {
          slot_at[piece.vertices[j]] = slot;
          slot_of[curve[piece.vertices[j]]] = slot;
        }
      }
    }
  });
  clusters.halos.resize(static_cast<size_t>(clusters.halo_begin.back()));
  pool.parallel_for(clusters.count(), 1, [&](int64_t first, int64_t last) {
    for (int64_t m = first; m < last; ++m) {
      const std::vector<int32_t>& halo = cut.pieces[members[m]].halo;
      int32_t* out = clusters.halos.data() + clusters.halo_begin[m];
      for (size_t k = 0; k < halo.size(); ++k) out[k] = slot_at[halo[k]];
      std::sort(out, out + halo.size());
    }
  });
  result.vertices = VertexOrder(std::move(slot_of), clusters.slot_begin.back());
  return result;
}

}  // namespace

Result<StorageOrder> storage_order(const std::vector<Tet>& tets, const Incidence& incidence,
                                   const std::vector<int32_t>& curve, int32_t cluster_vertices, ThreadPool& pool) {
  const auto count = static_cast<int32_t>(curve.size());
  if (cluster_vertices == whole_mesh) {
    const Cut all = cut(tets, incidence, curve, std::max(count, 1), pool);
    return *order_by(all, curve, std::numeric_limits<int32_t>::max(), pool);
  }
  int32_t most = cluster_vertices > 0 ? cluster_vertices : count <= undivided ? undivided : best_cluster;
  // A vertex with very many neighbours may require smaller clusters around it.
  for (; most > 0; most /= 2) {
    std::optional<StorageOrder> order = order_by(cut(tets, incidence, curve, most, pool), curve, largest_cluster, pool);
    if (order) return std::move(*order);
  }
  return Error{"mesh", format("a vertex has more than %d neighbours", largest_cluster - slot_alignment),
               "mesh it with tets of even size"};
}

}  // namespace sinew
