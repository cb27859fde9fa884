#include "contact/near_surface.h"

#include <algorithm>

#include "contact/feature.h"

namespace sinew {

void NearSurface::take(const ContactQuery& query, const CandidatePairs& pairs,
                       std::span<const VertexPlane> vertex_planes) {
  choose(*query.surface, pairs, vertex_planes);
  copy(*query.surface);
  number(pairs, vertex_planes);
  for (Subset* subset : {&points_, &triangles_, &edges_}) subset->end();
  follow(query);
}

void NearSurface::follow(const ContactQuery& query) {
  ContactQuery near = query;
  near.surface = &surface_;
  vertex_squares_.resize(pairs_.vertex_triangle.size());
  cull_kernels_with_lanes(0)->vertex_squares(cull_input(near, 0), pairs_.vertex_triangle.data(),
                                             static_cast<int32_t>(vertex_squares_.size()), vertex_squares_.data());
}

void NearSurface::choose(const ContactSurface& whole, const CandidatePairs& pairs,
                         std::span<const VertexPlane> vertex_planes) {
  points_.begin(whole.rest.size());
  triangles_.begin(whole.triangles.size());
  edges_.begin(whole.edges.size());
  // Vertices touch faces, edges and corners.
  for (const CandidatePairs::VertexTriangle& pair : pairs.vertex_triangle) {
    points_.add(pair.vertex);
    if (triangles_.has(pair.triangle)) continue;
    triangles_.add(pair.triangle);
    for (const int32_t e : whole.triangle_edges[static_cast<size_t>(pair.triangle)]) edges_.add(e);
  }
  for (const VertexPlane& pair : vertex_planes) points_.add(pair.vertex);
  // What edges add depends on the faces at them.
  for (const CandidatePairs::EdgeEdge& pair : pairs.edge_edge)
    for (const int32_t e : {pair.a, pair.b}) {
      edges_.add(e);
      for (const int32_t t : whole.edge_triangles[static_cast<size_t>(e)])
        if (t >= 0) triangles_.add(t);
    }
  triangles_.number();
  edges_.number();
  for (const int32_t t : triangles_.items())
    for (const int32_t p : whole.triangles[static_cast<size_t>(t)]) points_.add(p);
  for (const int32_t e : edges_.items())
    for (const int32_t p : whole.edges[static_cast<size_t>(e)]) points_.add(p);
  points_.number();
}

void NearSurface::copy(const ContactSurface& whole) {
  const std::vector<int32_t>& points = points_.items();
  slot_count_ = static_cast<size_t>(std::lower_bound(points.begin(), points.end(), whole.slot_count) - points.begin());
  surface_.slot_count = static_cast<int32_t>(slot_count_);
  if (surface_.bodies.empty()) {
    surface_.bodies = whole.bodies;
    surface_.group_count = whole.group_count;
    surface_.rules = whole.rules;
  }
  surface_.rest.clear();
  surface_.body_of.clear();
  for (const int32_t p : points) {
    surface_.rest.push_back(whole.rest[static_cast<size_t>(p)]);
    surface_.body_of.push_back(whole.body_of[static_cast<size_t>(p)]);
  }
  const auto in = [](const Subset& subset, auto numbers) {
    for (int32_t& n : numbers) n = n >= 0 && subset.has(n) ? subset.number_of(n) : -1;
    return numbers;
  };
  surface_.triangles.clear();
  surface_.triangle_edges.clear();
  for (const int32_t t : triangles_.items()) {
    surface_.triangles.push_back(in(points_, whole.triangles[static_cast<size_t>(t)]));
    surface_.triangle_edges.push_back(in(edges_, whole.triangle_edges[static_cast<size_t>(t)]));
  }
  surface_.edges.clear();
  surface_.edge_triangles.clear();
  surface_.sharpness.clear();
  for (const int32_t e : edges_.items()) {
    surface_.edges.push_back(in(points_, whole.edges[static_cast<size_t>(e)]));
    surface_.edge_triangles.push_back(in(triangles_, whole.edge_triangles[static_cast<size_t>(e)]));
    surface_.sharpness.push_back(whole.sharpness[static_cast<size_t>(e)]);
  }
}

void NearSurface::number(const CandidatePairs& pairs, std::span<const VertexPlane> vertex_planes) {
  pairs_.vertex_triangle.clear();
  for (const CandidatePairs::VertexTriangle& p : pairs.vertex_triangle)
    pairs_.vertex_triangle.push_back({points_.number_of(p.vertex), triangles_.number_of(p.triangle)});
  pairs_.edge_edge.clear();
  for (const CandidatePairs::EdgeEdge& p : pairs.edge_edge)
    pairs_.edge_edge.push_back({edges_.number_of(p.a), edges_.number_of(p.b)});
  vertex_planes_.clear();
  for (const VertexPlane& p : vertex_planes) vertex_planes_.push_back({points_.number_of(p.vertex), p.plane});
}

void NearSurface::find(const ContactQuery& query, std::span<const Vec3d> x, ThreadPool& pool,
                       std::vector<Contact>& contacts, ContactCounts* counts) {
  const std::vector<int32_t>& points = points_.items();
  before_.resize(points.size());
  pool.for_each(static_cast<int64_t>(points.size()), [&](size_t k) { before_[k] = query.before[points[k]]; });
  stiffness_.resize(slot_count_);
  pool.for_each(static_cast<int64_t>(slot_count_),
                [&](size_t k) { stiffness_[k] = query.stiffness[static_cast<size_t>(points[k])]; });
  colliders_.clear();
  for (size_t k = slot_count_; k < points.size(); ++k)
    colliders_.push_back(query.x.colliders[static_cast<size_t>(points[k] - query.surface->slot_count)]);

  ContactQuery near = query;
  near.surface = &surface_;
  near.pairs = &pairs_;
  near.vertex_squares = vertex_squares_;
  near.vertex_planes = vertex_planes_;
  near.stiffness = stiffness_;
  near.x = {x, colliders_};
  near.before = {std::span(before_).first(slot_count_), std::span(before_).subspan(slot_count_)};
  find_contacts(near, pool, contacts, counts, &scratch_);
  pool.for_each(static_cast<int64_t>(contacts.size()), [&](size_t c) { name_in_whole(contacts[c]); });
}

void NearSurface::name_in_whole(Contact& contact) const {
  const auto name = [](const Subset& subset, int64_t number) { return subset.items()[static_cast<size_t>(number)]; };
  for (int32_t& slot : contact.slots)
    if (slot >= 0) slot = name(points_, slot);
  switch (contact.kind) {
    case ContactKind::vertex_triangle: {
      contact.first = name(points_, contact.first);
      const auto [kind, number] = feature_named(contact.second);
      const Subset& features = kind == on_face ? triangles_ : kind == on_edge ? edges_ : points_;
      contact.second = name_of({kind, name(features, number)});
      break;
    }
    case ContactKind::edge_edge:
      contact.first = name(edges_, contact.first);
      contact.second = name(edges_, contact.second);
      break;
    case ContactKind::vertex_plane:
      contact.first = name(points_, contact.first);
  }
}

size_t NearSurface::memory_bytes() const {
  return surface_.memory_bytes() + points_.memory_bytes() + triangles_.memory_bytes() + edges_.memory_bytes() +
         pairs_.vertex_triangle.capacity() * sizeof(CandidatePairs::VertexTriangle) +
         pairs_.edge_edge.capacity() * sizeof(CandidatePairs::EdgeEdge) + vertex_squares_.capacity() * sizeof(float) +
         vertex_planes_.capacity() * sizeof(VertexPlane) +
         (colliders_.capacity() + before_.capacity()) * sizeof(Vec3d) + stiffness_.capacity() * sizeof(double);
}

}  // namespace sinew
