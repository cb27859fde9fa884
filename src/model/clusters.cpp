#include "model/clusters.h"

#include <optional>

#include "base/format.h"
#include "mesh/coloring.h"
#include "mesh/space_filling.h"

namespace sinew {
namespace {

// Within a window of this many vertices of a colour, those with more elements come first, so that the lanes of a batch
// run out of elements together. Short windows keep neighbours near.
constexpr size_t degree_window = 1024;

// Meshes of at most this many vertices are one cluster: with the padding, they have no more slots than it may have.
constexpr int32_t undivided = 60000;
// Vertices in a cluster of a larger mesh: with the halo, less than half of a core's own cache of a megabyte.
constexpr int32_t best_cluster = 4096;

// Vertices along the curve in pieces of nearly equal size, and what each piece sees of the others.
struct Pieces {
  std::vector<int32_t> begin;              // along the curve
  std::vector<int32_t> of;                 // by vertex
  std::vector<std::vector<int32_t>> halo;  // vertices
  int32_t count() const { return static_cast<int32_t>(begin.size()) - 1; }
};

Pieces cut(const TetMesh& mesh, const Incidence& incidence, const std::vector<int32_t>& curve, int32_t most) {
  const auto vertices = static_cast<int64_t>(curve.size());
  const int64_t count = (vertices + most - 1) / most;
  Pieces pieces;
  pieces.of.resize(curve.size());
  for (int64_t c = 0; c <= count; ++c) {
    pieces.begin.push_back(static_cast<int32_t>(vertices * c / std::max<int64_t>(count, 1)));
  }
  for (int32_t c = 0; c < pieces.count(); ++c) {
    for (int32_t k = pieces.begin[c]; k < pieces.begin[c + 1]; ++k) pieces.of[curve[k]] = c;
  }
  pieces.halo.resize(static_cast<size_t>(pieces.count()));
  if (pieces.count() <= 1) return pieces;
  std::vector<int32_t> seen_by(curve.size(), -1);
  for (int32_t c = 0; c < pieces.count(); ++c) {
    for (int32_t k = pieces.begin[c]; k < pieces.begin[c + 1]; ++k) {
      for (int64_t e = incidence.begin[curve[k]]; e < incidence.begin[curve[k] + 1]; ++e) {
        for (const int32_t other : mesh.tets[incidence.entries[e] >> 2]) {
          if (pieces.of[other] == c || seen_by[other] == c) continue;
          seen_by[other] = c;
          pieces.halo[c].push_back(other);
        }
      }
    }
  }
  return pieces;
}

// Pieces that see each other are in different phases.
Coloring phases_of(const Pieces& pieces) {
  return greedy_coloring(pieces.halo.size(), {}, [&](int32_t c, const auto& visit) {
    for (const int32_t v : pieces.halo[c]) visit(pieces.of[v]);
  });
}

// Gives the vertices of one cluster their slots: by colour, along the curve, padded to whole batches.
class SlotWriter {
 public:
  SlotWriter(const Incidence& incidence, const Coloring& coloring)
      : incidence_(incidence), coloring_(coloring), by_color_(static_cast<size_t>(coloring.count)) {
    slot_of.resize(coloring.color.size());
  }
  void add_cluster(std::span<const int32_t> vertices, std::vector<int32_t>& color_begin) {
    for (std::vector<int32_t>& list : by_color_) list.clear();
    for (const int32_t v : vertices) by_color_[coloring_.color[v]].push_back(v);
    const auto degree = [&](int32_t v) { return incidence_.begin[v + 1] - incidence_.begin[v]; };
    for (std::vector<int32_t>& list : by_color_) {
      if (list.empty()) continue;
      for (size_t first = 0; first < list.size(); first += degree_window) {
        const size_t last = std::min(first + degree_window, list.size());
        std::stable_sort(list.begin() + first, list.begin() + last,
                         [&](int32_t a, int32_t b) { return degree(a) > degree(b); });
      }
      for (const int32_t v : list) slot_of[v] = slot++;
      slot = (slot + slot_alignment - 1) / slot_alignment * slot_alignment;
      color_begin.push_back(slot);
    }
  }

  std::vector<int32_t> slot_of;
  int32_t slot = 0;

 private:
  const Incidence& incidence_;
  const Coloring& coloring_;
  std::vector<std::vector<int32_t>> by_color_;
};

// Nothing if a cluster with its halo has more slots than it may have.
std::optional<SweepOrder> order_by(const Pieces& pieces, const Coloring& coloring, const Incidence& incidence,
                                   const std::vector<int32_t>& curve) {
  const Coloring phases = phases_of(pieces);
  std::vector<std::vector<int32_t>> of_phase(static_cast<size_t>(phases.count));
  for (int32_t c = 0; c < pieces.count(); ++c) of_phase[phases.color[c]].push_back(c);

  SweepOrder result;
  result.color_count = coloring.count;
  Clusters& clusters = result.clusters;
  SlotWriter writer(incidence, coloring);
  for (const std::vector<int32_t>& members : of_phase) {
    for (const int32_t c : members) {
      const std::span<const int32_t> vertices(curve.data() + pieces.begin[c], curve.data() + pieces.begin[c + 1]);
      writer.add_cluster(vertices, result.color_begin);
      clusters.slot_begin.push_back(writer.slot);
      clusters.color_begin.push_back(static_cast<int32_t>(result.color_begin.size()) - 1);
      if (clusters.own_count(clusters.count() - 1) + pieces.halo[c].size() > largest_cluster) return {};
    }
    clusters.phase_begin.push_back(clusters.count());
  }
  for (const std::vector<int32_t>& members : of_phase) {
    for (const int32_t c : members) {
      for (const int32_t v : pieces.halo[c]) clusters.halos.push_back(writer.slot_of[v]);
      std::sort(clusters.halos.begin() + clusters.halo_begin.back(), clusters.halos.end());
      clusters.halo_begin.push_back(static_cast<int64_t>(clusters.halos.size()));
    }
  }
  result.vertices = VertexOrder(std::move(writer.slot_of), writer.slot);
  return result;
}

}  // namespace

Result<SweepOrder> sweep_order(const TetMesh& mesh, int32_t cluster_vertices) {
  const auto count = static_cast<int32_t>(mesh.vertices.size());
  const std::vector<int32_t> curve = space_filling_order(mesh.vertices);
  const Incidence incidence = incidence_of(mesh.tets, mesh.vertices.size());
  // Natural order is best on structured meshes (5 colours on a box), the curve on scanned ones: take the better.
  Coloring coloring = color_vertices(mesh.tets, incidence, {});
  if (Coloring other = color_vertices(mesh.tets, incidence, curve); other.count < coloring.count) {
    coloring = std::move(other);
  }
  int32_t most = cluster_vertices > 0 ? cluster_vertices : count <= undivided ? undivided : best_cluster;
  // A vertex with very many neighbours may need smaller clusters around it.
  for (; most > 0; most /= 2) {
    std::optional<SweepOrder> order = order_by(cut(mesh, incidence, curve, most), coloring, incidence, curve);
    if (order) return std::move(*order);
  }
  return Error{"mesh", format("a vertex has more than %d neighbours", largest_cluster - slot_alignment),
               "mesh it with tets of even size"};
}

}  // namespace sinew
