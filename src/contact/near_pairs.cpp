#include "contact/near_pairs.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// Candidates that one thread takes at a time.
constexpr int64_t gather_chunk = 4096;
// [-] of the slack: pairs of points that have moved by no more are not looked at again, nor all pairs where bodies
// have.
constexpr double moved_share = 0.5, body_moved_share = 0.25;

std::vector<CandidatePairs::VertexTriangle>& list_of(CandidatePairs& pairs, const CandidatePairs::VertexTriangle*) {
  return pairs.vertex_triangle;
}
std::vector<CandidatePairs::EdgeEdge>& list_of(CandidatePairs& pairs, const CandidatePairs::EdgeEdge*) {
  return pairs.edge_edge;
}

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
      chunk.last = chunk.first + static_cast<size_t>(cull(thread, all.data() + begin, static_cast<int32_t>(size),
                                                          kept.data() + chunk.first));
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

// Of candidates without a point that has moved, keeps those that were near.
template <class Pair, class Cull, class Moved>
void NearPairs::renew(std::span<const Pair> all, ThreadPool& pool, const Cull& cull, const Moved& has_moved,
                      std::vector<Pair>& selected) {
  std::vector<Pair>& earlier = list_of(earlier_, all.data());
  earlier.swap(selected);
  some_.resize(static_cast<size_t>(pool.size()));
  near_.resize(some_.size());
  const auto look_again = [&](int thread, const Pair* pairs, int32_t count, int32_t* kept) {
    std::vector<Pair>& some = list_of(some_[static_cast<size_t>(thread)], pairs);
    some.clear();
    auto was = std::lower_bound(earlier.begin(), earlier.end(), pairs[0]);
    // First all that may be kept, what is looked at as a negative number, ...
    int32_t left = 0;
    for (int32_t k = 0; k < count; ++k) {
      while (was != earlier.end() && *was < pairs[k]) ++was;
      const bool was_near = was != earlier.end() && *was == pairs[k];
      if (has_moved(pairs[k])) {
        some.push_back(pairs[k]);
        kept[left++] = ~k;
      } else if (was_near) {
        kept[left++] = k;
      }
    }
    std::vector<int32_t>& near = near_[static_cast<size_t>(thread)];
    near.resize(some.size() + cull_batch);
    const int32_t near_count = cull(thread, some.data(), static_cast<int32_t>(some.size()), near.data());
    // ... of which what is looked at is dropped unless it is near.
    int32_t looked_at = 0, next = 0, to = 0;
    for (int32_t k = 0; k < left; ++k) {
      if (kept[k] < 0) {
        const bool is_near = next < near_count && near[static_cast<size_t>(next)] == looked_at;
        ++looked_at;
        if (!is_near) continue;
        ++next;
        kept[to++] = ~kept[k];
      } else {
        kept[to++] = kept[k];
      }
    }
    return to;
  };
  select(all, pool, look_again, selected);
}

// Whether what was gathered still holds for what has not moved: its limits have not grown much.
bool NearPairs::may_renew(const ContactQuery& query, double slack) const {
  if (!known_ || slack != slack_ || motion_.size() != query.motion.size()) return false;
  const double most = body_moved_share * slack;
  for (size_t b = 0; b < motion_.size(); ++b) {
    const Vec3d change = query.motion[b].mean - motion_[b].mean;
    if (std::sqrt(dot(change, change)) + query.motion[b].rest - motion_[b].rest > most) return false;
  }
  return true;
}

void NearPairs::forget(std::span<const int32_t> points) {
  gathered_ = false;
  if (moved_.empty()) return;
  for (const int32_t p : points) moved_[static_cast<size_t>(p)] = 1;
}

bool NearPairs::keep(const ContactQuery& query, double slack) {
  if (!gathered_ || !may_renew(query, slack)) return false;
  near_surface_.follow(query);
  return true;
}

void NearPairs::mark_moved(const ContactQuery& query, double slack, ThreadPool& pool) {
  const ContactSurface& surface = *query.surface;
  const double most = moved_share * slack;
  pool.for_each(static_cast<int64_t>(at_.size()), [&](size_t k) {
    const int32_t v = surface.vertices[k];
    const Vec3d way = query.x[v] - at_[k];
    uint8_t& moved = moved_[static_cast<size_t>(v)];
    if (!(dot(way, way) <= most * most)) moved = 1;
    if (moved) at_[k] = query.x[v];
  });
  const auto of = [&](const auto& points) {
    uint8_t any = 0;
    for (const int32_t p : points) any |= moved_[static_cast<size_t>(p)];
    return any;
  };
  moved_triangles_.resize(surface.triangles.size());
  moved_edges_.resize(surface.edges.size());
  pool.for_each(static_cast<int64_t>(surface.triangles.size()),
                [&](size_t t) { moved_triangles_[t] = of(surface.triangles[t]); });
  pool.for_each(static_cast<int64_t>(surface.edges.size()), [&](size_t e) { moved_edges_[e] = of(surface.edges[e]); });
}

void NearPairs::gather(const ContactQuery& query, double slack, ThreadPool& pool) {
  const CullKernels& kernels = *cull_kernels_with_lanes(0);
  CullInput input = cull_input(query, slack);
  input.depth += 2 * body_moved_share * slack;  // that is for the ways of two bodies
  const ContactSurface& surface = *query.surface;
  const auto cull_vertices = [&](int, const CandidatePairs::VertexTriangle* pairs, int32_t count, int32_t* kept) {
    return kernels.vertex_triangle(input, pairs, count, kept, nullptr);
  };
  const auto cull_edges = [&](int, const CandidatePairs::EdgeEdge* pairs, int32_t count, int32_t* kept) {
    return kernels.edge_edge(input, pairs, count, kept);
  };
  if (may_renew(query, slack)) {
    mark_moved(query, slack, pool);
    const auto triangle_moved = [&](const CandidatePairs::VertexTriangle& p) {
      return (moved_[static_cast<size_t>(p.vertex)] | moved_triangles_[static_cast<size_t>(p.triangle)]) != 0;
    };
    const auto edge_moved = [&](const CandidatePairs::EdgeEdge& p) {
      return (moved_edges_[static_cast<size_t>(p.a)] | moved_edges_[static_cast<size_t>(p.b)]) != 0;
    };
    renew<CandidatePairs::VertexTriangle>(query.pairs->vertex_triangle, pool, cull_vertices, triangle_moved,
                                          pairs_.vertex_triangle);
    renew<CandidatePairs::EdgeEdge>(query.pairs->edge_edge, pool, cull_edges, edge_moved, pairs_.edge_edge);
  } else {
    select<CandidatePairs::VertexTriangle>(query.pairs->vertex_triangle, pool, cull_vertices, pairs_.vertex_triangle);
    select<CandidatePairs::EdgeEdge>(query.pairs->edge_edge, pool, cull_edges, pairs_.edge_edge);
    at_.resize(surface.vertices.size());
    pool.for_each(static_cast<int64_t>(at_.size()), [&](size_t k) { at_[k] = query.x[surface.vertices[k]]; });
    motion_.assign(query.motion.begin(), query.motion.end());
  }
  moved_.assign(surface.rest.size(), 0);
  vertex_planes_.clear();
  for (const VertexPlane& pair : query.vertex_planes) {
    const ContactPlane& plane = query.planes[static_cast<size_t>(pair.plane)];
    if (!(dot(plane.normal, query.x[pair.vertex] - plane.point) > input.reach)) vertex_planes_.push_back(pair);
  }
  slack_ = slack;
  gathered_ = known_ = true;
  near_surface_.take(query, pairs_, vertex_planes_);
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
  const auto bytes = [](const auto&... lists) { return (... + (lists.capacity() * sizeof(*lists.data()))); };
  const auto of_pairs = [&](const CandidatePairs& pairs) { return bytes(pairs.vertex_triangle, pairs.edge_edge); };
  size_t sum = of_pairs(pairs_) + of_pairs(earlier_) + near_surface_.memory_bytes() +
               bytes(vertex_planes_, at_, motion_, moved_, moved_triangles_, moved_edges_, chunks_);
  for (const CandidatePairs& some : some_) sum += of_pairs(some);
  for (const auto* lists : {&kept_, &near_})
    for (const std::vector<int32_t>& list : *lists) sum += bytes(list);
  return sum;
}

}  // namespace sinew
