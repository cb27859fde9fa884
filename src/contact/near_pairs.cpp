#include "contact/near_pairs.h"

#include <algorithm>

namespace sinew {
namespace {

// Candidates that one thread takes at a time.
constexpr int64_t gather_chunk = 4096;

}  // namespace

template <class Pair, class Cull>
void NearPairs::select(std::span<const Pair> all, ThreadPool& pool, const Cull& cull, std::vector<Pair>& selected) {
  const auto count = static_cast<int64_t>(all.size());
  chunks_.resize(static_cast<size_t>((count + gather_chunk - 1) / gather_chunk));
  kept_.resize(static_cast<size_t>(pool.size()));
  for (std::vector<int32_t>& kept : kept_) kept.clear();
  pool.parallel_for(static_cast<int64_t>(chunks_.size()), 1, [&](int thread, int64_t first, int64_t last) {
    std::vector<int32_t>& kept = kept_[static_cast<size_t>(thread)];
    for (int64_t c = first; c < last; ++c) {
      const int64_t begin = c * gather_chunk, size = std::min(gather_chunk, count - begin);
      Chunk& chunk = chunks_[static_cast<size_t>(c)];
      chunk.thread = thread;
      chunk.first = kept.size();
      kept.resize(chunk.first + static_cast<size_t>(size) + cull_batch);
      chunk.last = chunk.first +
                   static_cast<size_t>(cull(all.data() + begin, static_cast<int32_t>(size), kept.data() + chunk.first));
      kept.resize(chunk.last);
    }
  });
  selected.clear();
  for (size_t c = 0; c < chunks_.size(); ++c) {
    const Chunk& chunk = chunks_[c];
    const Pair* const begin = all.data() + static_cast<int64_t>(c) * gather_chunk;
    const std::vector<int32_t>& kept = kept_[static_cast<size_t>(chunk.thread)];
    for (size_t k = chunk.first; k < chunk.last; ++k) selected.push_back(begin[kept[k]]);
  }
}

void NearPairs::gather(const ContactQuery& query, double slack, ThreadPool& pool) {
  const CullKernels& kernels = *cull_kernels_with_lanes(0);
  const CullInput input = cull_input(query, slack);
  select<CandidatePairs::VertexTriangle>(
      query.pairs->vertex_triangle, pool,
      [&](const auto* pairs, int32_t count, int32_t* kept) {
        return kernels.vertex_triangle(input, pairs, count, kept);
      },
      pairs_.vertex_triangle);
  select<CandidatePairs::EdgeEdge>(
      query.pairs->edge_edge, pool,
      [&](const auto* pairs, int32_t count, int32_t* kept) { return kernels.edge_edge(input, pairs, count, kept); },
      pairs_.edge_edge);
  vertex_planes_.clear();
  for (const VertexPlane& pair : query.vertex_planes) {
    const ContactPlane& plane = query.planes[static_cast<size_t>(pair.plane)];
    if (!(dot(plane.normal, query.x[pair.vertex] - plane.point) > input.reach)) vertex_planes_.push_back(pair);
  }
  const std::vector<int32_t>& vertices = query.surface->vertices;
  at_.resize(vertices.size());
  pool.for_each(static_cast<int64_t>(vertices.size()), [&](size_t k) { at_[k] = query.x[vertices[k]]; });
  slack_ = slack;
  gathered_ = true;
  note_slots(*query.surface);
}

void NearPairs::note_slots(const ContactSurface& surface) {
  slots_.clear();
  marks_.resize(static_cast<size_t>(surface.slot_count), 0);
  const auto add = [&](int32_t point) {
    if (surface.is_collider_point(point) || marks_[static_cast<size_t>(point)]) return;
    marks_[static_cast<size_t>(point)] = 1;
    slots_.push_back(point);
  };
  for (const CandidatePairs::VertexTriangle& pair : pairs_.vertex_triangle) {
    add(pair.vertex);
    for (const int32_t p : surface.triangles[static_cast<size_t>(pair.triangle)]) add(p);
  }
  for (const VertexPlane& pair : vertex_planes_) add(pair.vertex);
  // Forces of edges depend on the faces at them.
  for (const CandidatePairs::EdgeEdge& pair : pairs_.edge_edge)
    for (const int32_t e : {pair.a, pair.b}) {
      for (const int32_t p : surface.edges[static_cast<size_t>(e)]) add(p);
      for (const int32_t t : surface.edge_triangles[static_cast<size_t>(e)])
        if (t >= 0)
          for (const int32_t p : surface.triangles[static_cast<size_t>(t)]) add(p);
    }
  for (const int32_t s : slots_) marks_[static_cast<size_t>(s)] = 0;
  std::sort(slots_.begin(), slots_.end());
}

bool NearPairs::hold(const ContactSurface& surface, PointPositions x, double share, ThreadPool& pool) const {
  if (!gathered_) return false;
  const double most = share * share * slack_ * slack_;
  const auto outside = [&](int64_t k) {
    const Vec3d way = x[surface.vertices[static_cast<size_t>(k)]] - at_[static_cast<size_t>(k)];
    return dot(way, way) <= most ? 0 : 1;
  };
  return ordered_sum<int64_t>(pool, static_cast<int64_t>(at_.size()), outside) == 0;
}

size_t NearPairs::memory_bytes() const {
  size_t sum = vertex_planes_.capacity() * sizeof(VertexPlane) +
               pairs_.vertex_triangle.capacity() * sizeof(CandidatePairs::VertexTriangle) +
               pairs_.edge_edge.capacity() * sizeof(CandidatePairs::EdgeEdge) + at_.capacity() * sizeof(Vec3d) +
               slots_.capacity() * sizeof(int32_t) + marks_.capacity();
  for (const std::vector<int32_t>& kept : kept_) sum += kept.capacity() * sizeof(int32_t);
  return sum;
}

}  // namespace sinew
