#include "solver/by_constraint/patch_layout.h"

#include <algorithm>
#include <array>

#include "grid/grid_coloring.h"
#include "grid/grid_embedding.h"
#include "grid/mobility.h"

namespace sinew {
namespace {

constexpr int edge_pairs = 6;  // of a tet

// A patch by its place in the layout: by colour, those near gliding nodes last, the largest first. In one number, so
// that places are quick to sort.
constexpr int patch_bits = 32, size_bits = 11;
constexpr uint64_t largest_patch = (1 << size_bits) - 1;
static_assert(patch_vertices * (patch_vertices - 1) * (patch_vertices - 2) * (patch_vertices - 3) / 24 <=
              int{largest_patch});
static_assert(most_grid_colors <= 1 << (64 - patch_bits - size_bits - 1));

uint64_t place_of(int32_t color, bool glides, size_t tets, int32_t patch) {
  return static_cast<uint64_t>(color) << (patch_bits + size_bits + 1) |
         static_cast<uint64_t>(glides) << (patch_bits + size_bits) | (largest_patch - tets) << patch_bits |
         static_cast<uint64_t>(patch);
}
int32_t patch_at(uint64_t place) {
  return static_cast<int32_t>(place & ((uint64_t{1} << patch_bits) - 1));
}
bool glides_at(uint64_t place) {
  return (place >> (patch_bits + size_bits) & 1) != 0;
}
// Patches of which these differ are in different groups.
uint64_t color_and_glides(uint64_t place) {
  return place >> (patch_bits + size_bits);
}

// From step to step few patches change their place: those are sorted, and merged into the others.
void order_patches(const StepProblem& problem, size_t block, const NodeFreedom& nodes, std::vector<uint64_t>& order) {
  const TetPatches& patches = *problem.grid_patches;
  const int32_t first = patches.first_of_block(block), last = patches.first_of_block(block + 1);
  const auto place_now = [&](int32_t p) {
    const std::span<const int32_t> slots = patches.slots(p);
    const bool glides = !nodes.fixed.empty() && std::any_of(slots.begin(), slots.end(), [&](int32_t s) {
      return nodes.near_gliding[static_cast<size_t>(problem.embedding->row_of(s))] != 0;
    });
    return place_of(problem.grid_colors.color[static_cast<size_t>(p)], glides, patches.tets(p).size(), p);
  };
  std::vector<uint64_t> moved;
  if (order.size() != static_cast<size_t>(last - first)) {
    order.clear();
    for (int32_t p = first; p < last; ++p) moved.push_back(place_now(p));
  } else {
    std::erase_if(order, [&](uint64_t place) {
      const uint64_t now = place_now(patch_at(place));
      if (now != place) moved.push_back(now);
      return now != place;
    });
  }
  std::sort(moved.begin(), moved.end());
  const auto stayed = static_cast<std::ptrdiff_t>(order.size());
  order.insert(order.end(), moved.begin(), moved.end());
  std::inplace_merge(order.begin(), order.begin() + stayed, order.end());
}

// Groups and their batches.
template <class Real>
void group_patches(const TetPatches& patches, int32_t colors, int32_t lanes, PatchLayout<Real>& out) {
  const std::vector<uint64_t>& order = out.order;
  out.color_begin.assign(static_cast<size_t>(colors) + 1, 0);
  int32_t batches = 0;
  int64_t numbers = 0;
  for (size_t i = 0, next = 0; i < order.size(); i = next) {
    while (next < order.size() && next < i + static_cast<size_t>(lanes) &&
           color_and_glides(order[next]) == color_and_glides(order[i]))
      ++next;
    const auto tets = static_cast<int32_t>(patches.tets(patch_at(order[i])).size());
    const bool glides = glides_at(order[i]);
    out.groups.push_back(
        {static_cast<int32_t>(i), static_cast<int32_t>(next - i), batches, batches + tets, numbers, glides});
    batches += tets;
    numbers += int64_t{tets} * (glides ? 6 : 1) * edge_pairs * lanes;
    ++out.color_begin[static_cast<size_t>(color_and_glides(order[i]) >> 1) + 1];
  }
  out.edge_mobility.resize(static_cast<size_t>(numbers));
  for (size_t c = 1; c < out.color_begin.size(); ++c) out.color_begin[c] += out.color_begin[c - 1];
}

// The batches of a group; those of lanes without a tet are 0.
template <class Real>
void write_batches(const StepProblem& problem, size_t block, const PatchGroup& group, PatchLayout<Real>& out) {
  const TetPatches& patches = *problem.grid_patches;
  const auto lanes = static_cast<size_t>(out.stream.lanes);
  const auto numbers = static_cast<size_t>(numbers_in_frame(out.stream.block));
  const int32_t first_tet = patches.first_tet(patches.first_of_block(block));
  for (size_t lane = 0; lane < lanes; ++lane) {
    const auto place = static_cast<size_t>(group.first_place) + lane;
    const bool has_patch = lane < static_cast<size_t>(group.place_count);
    const size_t tets = has_patch ? static_cast<size_t>(out.tet_count[place]) : 0;
    const int32_t patch = has_patch ? out.patch[place] : 0;
    const auto corner = static_cast<int32_t>(patch_vertices * place);
    for (size_t t = 0; t < static_cast<size_t>(group.last_batch - group.first_batch); ++t) {
      const size_t batch = static_cast<size_t>(group.first_batch) + t;
      int32_t* const corners = &out.stream.corners[4 * batch * lanes + lane];
      Real* const frame = &out.stream.frames[numbers * batch * lanes + lane];
      Real& factor = out.stream.stiffness_factors[batch * lanes + lane];
      if (t >= tets) {
        for (size_t j = 0; j < 4; ++j) corners[j * lanes] = 0;
        for (size_t j = 0; j < numbers; ++j) frame[j * lanes] = 0;
        factor = 0;
        continue;
      }
      const std::array<uint8_t, 4>& of_tet = patches.corners(patch)[t];
      for (size_t j = 0; j < 4; ++j) corners[j * lanes] = corner + of_tet[j];
      const Real* const from = &out.frames[numbers * (static_cast<size_t>(patches.first_tet(patch) - first_tet) + t)];
      for (size_t j = 0; j < numbers; ++j) frame[j * lanes] = from[j];
      factor = static_cast<Real>(problem.model->stiffness_factor_of(patches.tets(patch)[t]));
    }
  }
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
  const TetPatches& patches = *problem.grid_patches;
  out.groups.clear();
  for (std::vector<int32_t>* list : {&out.patch, &out.tet_count, &out.vertex_count}) list->clear();
  out.first_mobility.clear();
  order_patches(problem, block, nodes, out.order);
  group_patches(patches, problem.grid_colors.count, lanes, out);
  int64_t mobilities = 0;
  for (const uint64_t place : out.order) {
    const int32_t p = patch_at(place);
    out.patch.push_back(p);
    out.tet_count.push_back(static_cast<int32_t>(patches.tets(p).size()));
    out.vertex_count.push_back(static_cast<int32_t>(patches.slots(p).size()));
    out.first_mobility.push_back(mobilities);
    mobilities += (glides_at(place) ? 6 : 1) * patch_vertices * patch_vertices;
  }
  out.stream.block = problem.model->blocks[block];
  out.stream.lanes = lanes;
  if (out.frames.empty())
    out.frames = frames_of_tets<Real>(*problem.model, out.stream.block, patches.tets_of_block(block), pool);
  const auto tets =
      static_cast<size_t>(out.groups.empty() ? 0 : out.groups.back().last_batch) * static_cast<size_t>(lanes);
  out.stream.corners.resize(4 * tets);
  out.stream.frames.resize(static_cast<size_t>(numbers_in_frame(out.stream.block)) * tets);
  out.stream.stiffness_factors.resize(tets);
  out.vertices.resize(out.order.size() * patch_vertices);
  out.mobility.resize(static_cast<size_t>(mobilities));
  pool.parallel_for(static_cast<int64_t>(out.groups.size()), 2, [&](int64_t first, int64_t last) {
    for (int64_t g = first; g < last; ++g) {
      const PatchGroup& group = out.groups[static_cast<size_t>(g)];
      write_batches(problem, block, group, out);
      for (int32_t lane = 0; lane < group.place_count; ++lane)
        write_patch(problem, nodes, group, static_cast<size_t>(lane), out);
    }
  });
}

template void build_patch_layout(const StepProblem&, size_t, const NodeFreedom&, int, ThreadPool&, PatchLayout<float>&);
template void build_patch_layout(const StepProblem&, size_t, const NodeFreedom&, int, ThreadPool&,
                                 PatchLayout<double>&);

}  // namespace sinew
