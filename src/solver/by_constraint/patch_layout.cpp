#include "solver/by_constraint/patch_layout.h"

#include <algorithm>
#include <array>

#include "grid/grid_embedding.h"
#include "grid/mobility.h"

namespace sinew {
namespace {

constexpr int edge_pairs = 6;  // of a tet

// A patch to be placed.
struct PatchToPlace {
  int32_t color, patch, tets;
  bool glides;
};

bool patch_glides(const GridEmbedding& embedding, std::span<const int32_t> slots, std::span<const uint8_t> glides) {
  for (const int32_t s : slots)
    for (const int32_t first : embedding.columns(embedding.row_of(s)))
      for (int32_t n = first; n < first + 3; ++n)
        if (glides[static_cast<size_t>(n)]) return true;
  return false;
}

std::vector<PatchToPlace> patches_in_order(const StepProblem& problem, size_t block, const NodeFreedom& nodes) {
  const TetPatches& patches = *problem.grid_patches;
  std::vector<PatchToPlace> order;
  for (int32_t p = patches.first_of_block(block); p < patches.first_of_block(block + 1); ++p) {
    const bool glides = !nodes.fixed.empty() && patch_glides(*problem.embedding, patches.slots(p), nodes.glides);
    order.push_back(
        {problem.grid_colors.color[static_cast<size_t>(p)], p, static_cast<int32_t>(patches.tets(p).size()), glides});
  }
  std::stable_sort(order.begin(), order.end(), [](const PatchToPlace& a, const PatchToPlace& b) {
    if (a.color != b.color) return a.color < b.color;
    return a.glides != b.glides ? b.glides : a.tets > b.tets;
  });
  return order;
}

// Groups and their batches.
template <class Real>
void group_patches(std::span<const PatchToPlace> order, int32_t colors, int32_t lanes, PatchLayout<Real>& out) {
  out.color_begin.assign(static_cast<size_t>(colors) + 1, 0);
  int32_t batches = 0;
  int64_t numbers = 0;
  for (size_t i = 0, next = 0; i < order.size(); i = next) {
    const PatchToPlace& first = order[i];
    while (next < order.size() && next < i + static_cast<size_t>(lanes) && order[next].color == first.color &&
           order[next].glides == first.glides)
      ++next;
    out.groups.push_back({static_cast<int32_t>(i), static_cast<int32_t>(next - i), batches, batches + first.tets,
                          numbers, first.glides});
    batches += first.tets;
    numbers += int64_t{first.tets} * (first.glides ? 6 : 1) * edge_pairs * lanes;
    ++out.color_begin[static_cast<size_t>(first.color) + 1];
  }
  out.edge_mobility.resize(static_cast<size_t>(numbers));
  for (size_t c = 1; c < out.color_begin.size(); ++c) out.color_begin[c] += out.color_begin[c - 1];
}

template <class Real>
void build_stream(const StepProblem& problem, size_t block, int32_t lanes, ThreadPool& pool, PatchLayout<Real>& out) {
  const TetPatches& patches = *problem.grid_patches;
  const int32_t batches = out.groups.empty() ? 0 : out.groups.back().last_batch;
  std::vector<int32_t> tet_of_lane(static_cast<size_t>(batches) * static_cast<size_t>(lanes), -1);
  const auto for_each_lane = [&](const auto& visit) {
    for (const PatchGroup& g : out.groups)
      for (int32_t lane = 0; lane < g.place_count; ++lane) visit(g, lane, g.first_place + lane);
  };
  for_each_lane([&](const PatchGroup& g, int32_t lane, int32_t place) {
    const std::span<const int32_t> tets = patches.tets(out.patch[static_cast<size_t>(place)]);
    for (size_t t = 0; t < tets.size(); ++t)
      tet_of_lane[(static_cast<size_t>(g.first_batch) + t) * static_cast<size_t>(lanes) + static_cast<size_t>(lane)] =
          tets[t];
  });
  const Model& model = *problem.model;
  out.stream =
      build_constraint_stream<Real>(model, model.blocks[block], std::span<const int32_t>(tet_of_lane), 0, lanes, pool);
  std::fill(out.stream.corners.begin(), out.stream.corners.end(), 0);
  for_each_lane([&](const PatchGroup& g, int32_t lane, int32_t place) {
    const auto corners = patches.corners(out.patch[static_cast<size_t>(place)]);
    for (size_t t = 0; t < corners.size(); ++t)
      for (size_t j = 0; j < 4; ++j)
        out.stream.corners[((static_cast<size_t>(g.first_batch) + t) * 4 + j) * static_cast<size_t>(lanes) +
                           static_cast<size_t>(lane)] = patch_vertices * place + corners[t][j];
  });
}

// One number, or the six of a symmetric matrix, for any two vertices of a patch.
template <size_t count>
class MobilityInPatch {
 public:
  using Numbers = std::array<double, count>;
  Numbers& operator()(size_t j, size_t k) { return of_[j * patch_vertices + k]; }
  // A_jk of edges that begin at the first corner.
  Numbers of_edges(const std::array<uint8_t, 4>& corners, size_t j, size_t k) {
    const size_t first = corners[0], at_j = corners[j], at_k = corners[k];
    Numbers sum;
    for (size_t n = 0; n < count; ++n)
      sum[n] =
          ((*this)(at_j, at_k)[n] - (*this)(at_j, first)[n]) - ((*this)(first, at_k)[n] - (*this)(first, first)[n]);
    return sum;
  }

 private:
  std::array<Numbers, patch_vertices * patch_vertices> of_;
};

// The mobility of a patch and of its tets, which are in lane `lane` of the group; pushed(row) are PushedNodes.
template <size_t count, class Real, class Pushed>
void write_mobility(const StepProblem& problem, const PatchGroup& group, size_t lane, const Pushed& pushed,
                    PatchLayout<Real>& out) {
  const size_t place = static_cast<size_t>(group.first_place) + lane, lanes = static_cast<size_t>(out.stream.lanes);
  const GridEmbedding& embedding = *problem.embedding;
  const TetPatches& patches = *problem.grid_patches;
  const std::span<const int32_t> slots = patches.slots(out.patch[place]);
  Real* const of_vertices = &out.mobility[static_cast<size_t>(out.first_mobility[place])];
  std::vector<PaddedSpline> splines;
  for (const int32_t s : slots) splines.emplace_back(embedding.spline(embedding.row_of(s)));
  MobilityInPatch<count> m;
  for (size_t j = 0; j < slots.size(); ++j) {
    const PushedNodes<count> nodes = pushed(embedding.row_of(slots[j]));
    for (size_t k = 0; k <= j; ++k) {
      const auto& numbers = m(j, k) = m(k, j) = nodes.at(splines[k]);
      for (size_t n = 0; n < count; ++n)
        of_vertices[(count * j + n) * patch_vertices + k] = of_vertices[(count * k + n) * patch_vertices + j] =
            static_cast<Real>(numbers[n]);
    }
  }
  Real* of_edges = &out.edge_mobility[static_cast<size_t>(group.first_mobility)] + lane;
  for (const std::array<uint8_t, 4>& corners : patches.corners(out.patch[place]))
    for (size_t j = 1; j < 4; ++j)
      for (size_t k = j; k < 4; ++k)
        for (const double number : m.of_edges(corners, j, k)) {
          *of_edges = static_cast<Real>(number);
          of_edges += lanes;
        }
}

template <class Real>
void write_patch(const StepProblem& problem, const NodeFreedom& nodes, const PatchGroup& group, size_t lane,
                 PatchLayout<Real>& out) {
  const GridEmbedding& embedding = *problem.embedding;
  const size_t place = static_cast<size_t>(group.first_place) + lane;
  size_t vertex = place * patch_vertices;
  for (const int32_t s : problem.grid_patches->slots(out.patch[place]))
    out.vertices[vertex++] = embedded_vertex<Real>(embedding, embedding.row_of(s));
  if (group.glides) {
    write_mobility<6>(
        problem, group, lane,
        [&](int32_t row) { return pushed_nodes(embedding, row, nodes.inverse_mass, nodes.fixed); }, out);
  } else {
    write_mobility<1>(
        problem, group, lane, [&](int32_t row) { return pushed_nodes(embedding, row, nodes.inverse_mass); }, out);
  }
}

}  // namespace

template <class Real>
void build_patch_layout(const StepProblem& problem, size_t block, const NodeFreedom& nodes, int lanes, ThreadPool& pool,
                        PatchLayout<Real>& out) {
  out.groups.clear();
  for (std::vector<int32_t>* list : {&out.patch, &out.tet_count, &out.vertex_count}) list->clear();
  out.first_mobility.clear();
  const std::vector<PatchToPlace> order = patches_in_order(problem, block, nodes);
  group_patches(order, problem.grid_colors.count, lanes, out);
  int64_t numbers = 0;
  for (const PatchToPlace& p : order) {
    out.patch.push_back(p.patch);
    out.tet_count.push_back(p.tets);
    out.vertex_count.push_back(static_cast<int32_t>(problem.grid_patches->slots(p.patch).size()));
    out.first_mobility.push_back(numbers);
    numbers += (p.glides ? 6 : 1) * patch_vertices * patch_vertices;
  }
  build_stream(problem, block, lanes, pool, out);
  out.vertices.resize(order.size() * patch_vertices);
  out.mobility.resize(static_cast<size_t>(numbers));
  pool.parallel_for(static_cast<int64_t>(out.groups.size()), 2, [&](int64_t first, int64_t last) {
    for (int64_t g = first; g < last; ++g) {
      const PatchGroup& group = out.groups[static_cast<size_t>(g)];
      for (int32_t lane = 0; lane < group.place_count; ++lane)
        write_patch(problem, nodes, group, static_cast<size_t>(lane), out);
    }
  });
}

template void build_patch_layout(const StepProblem&, size_t, const NodeFreedom&, int, ThreadPool&, PatchLayout<float>&);
template void build_patch_layout(const StepProblem&, size_t, const NodeFreedom&, int, ThreadPool&,
                                 PatchLayout<double>&);

}  // namespace sinew
