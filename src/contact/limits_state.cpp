// What a division leaves to the next one, in a checkpoint or on another surface.
#include <algorithm>
#include <utility>

#include "base/byte_lists.h"
#include "contact/limits.h"

namespace sinew {

std::string Limits::save() const {
  // Those of half spaces are found anew by every division.
  const auto count = static_cast<std::ptrdiff_t>(pairs_.vertex_triangle.size() + pairs_.edge_edge.size());
  const std::vector<PairBounds> bounds(bounds_.begin(), bounds_.begin() + count);
  return ByteListWriter().add(pairs_.vertex_triangle).add(pairs_.edge_edge).add(bounds).take();
}

bool Limits::restore(const ContactSurface& surface, std::string_view bytes) {
  ByteListReader reader(bytes);
  CandidatePairs pairs;
  std::vector<PairBounds> bounds;
  if (!reader.take(pairs.vertex_triangle) || !reader.take(pairs.edge_edge) || !reader.take(bounds) ||
      !reader.at_end() || bounds.size() != pairs.vertex_triangle.size() + pairs.edge_edge.size())
    return false;
  const auto exists = [](int32_t k, size_t count) { return k >= 0 && static_cast<size_t>(k) < count; };
  for (const CandidatePairs::VertexTriangle& p : pairs.vertex_triangle)
    if (!exists(p.vertex, surface.rest.size()) || !exists(p.triangle, surface.triangles.size())) return false;
  for (const CandidatePairs::EdgeEdge& p : pairs.edge_edge)
    if (!exists(p.a, surface.edges.size()) || !exists(p.b, surface.edges.size())) return false;
  start_from(std::move(pairs), std::move(bounds));
  return true;
}

void Limits::take_of(const Limits& earlier, const SurfaceMap& map) {
  const auto in = [](const std::vector<int32_t>& list, int32_t k) { return list[static_cast<size_t>(k)]; };
  std::vector<std::pair<CandidatePairs::VertexTriangle, PairBounds>> faces;
  std::vector<std::pair<CandidatePairs::EdgeEdge, PairBounds>> edges;
  for (size_t k = 0; k < earlier.pairs_.vertex_triangle.size(); ++k) {
    const CandidatePairs::VertexTriangle& p = earlier.pairs_.vertex_triangle[k];
    const CandidatePairs::VertexTriangle now{in(map.points, p.vertex), in(map.triangles, p.triangle)};
    if (now.vertex >= 0 && now.triangle >= 0) faces.emplace_back(now, earlier.bounds_[k]);
  }
  for (size_t k = 0; k < earlier.pairs_.edge_edge.size(); ++k) {
    const CandidatePairs::EdgeEdge& p = earlier.pairs_.edge_edge[k];
    CandidatePairs::EdgeEdge now{in(map.edges, p.a), in(map.edges, p.b)};
    PairBounds bounds = earlier.bounds_[earlier.pairs_.vertex_triangle.size() + k];
    if (now.a < 0 || now.b < 0) continue;
    if (now.a > now.b) {  // the other one is side 1 now
      std::swap(now.a, now.b);
      bounds = {-bounds.n, -bounds.below, -bounds.above};
    }
    edges.emplace_back(now, bounds);
  }
  const auto by_pair = [](const auto& a, const auto& b) { return a.first < b.first; };
  std::sort(faces.begin(), faces.end(), by_pair);
  std::sort(edges.begin(), edges.end(), by_pair);
  CandidatePairs pairs;
  std::vector<PairBounds> bounds;
  for (const auto& [pair, of] : faces) {
    pairs.vertex_triangle.push_back(pair);
    bounds.push_back(of);
  }
  for (const auto& [pair, of] : edges) {
    pairs.edge_edge.push_back(pair);
    bounds.push_back(of);
  }
  start_from(std::move(pairs), std::move(bounds));
}

// What else there is follows from pairs, and is set up by the next division.
void Limits::start_from(CandidatePairs pairs, std::vector<PairBounds> bounds) {
  pairs_ = std::move(pairs);
  bounds_ = std::move(bounds);
  planes_changed_ = true;
  corners_.clear();
  side_begin_.clear();
  sides_.clear();
  vertex_planes_.clear();
}

}  // namespace sinew
